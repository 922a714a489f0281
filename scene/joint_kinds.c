// Tables of joints' fields, made from the library's at first use. Fields of one group (limits, motor, spring)
// are one value or one object.
#include "scene/joint_kinds.h"

#include "scene/settle.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define ROW(NAME, TYPE, MEMBER, ...) SN_ROW(NAME, TYPE, sn_joint_entry, MEMBER, __VA_ARGS__)
#define HAS(MEMBER)                  SN_FLAG_AT(sn_joint_entry, MEMBER)

// --- what all have -----------------------------------------------------------------------------------------

static const sn_field common_fields[] = {
    ROW("name", TEXT, name, "what probes call it"),
    ROW("a", TEXT, a,
        "name of a body or a deformable; \"ground\" is the body that never moves, \"world\" a place; "
        "\"previous.x\" is x of the copy before",
        .required = true),
    ROW("b", TEXT, b, "name of the other", .required = true),
    ROW("at", VECTOR, at, "the point both share, or are nearest to, in the frame around them", .unit = "m",
        .flag = HAS(has_at)),
    ROW("frame_a", OBJECT, frame_a, "instead of `at`: the joint in body a, or nodes of deformable a",
        .object = &sn_frame_object, .flag = HAS(has_frame_a)),
    ROW("frame_b", OBJECT, frame_b, "and in b", .object = &sn_frame_object, .flag = HAS(has_frame_b)),
    ROW("compliance", NUMBER, def.common.compliance, "1/stiffness of what is held; 0 is hard", .unit = "m/N",
        .range = SN_NOT_NEGATIVE),
    ROW("angular_compliance", NUMBER, def.common.angular_compliance, "the same for angles",
        .unit = "rad/(N m)", .range = SN_NOT_NEGATIVE),
    ROW("damping", NUMBER, def.common.damping, "with compliance", .unit = "N s/m", .range = SN_NOT_NEGATIVE),
    ROW("angular_damping", NUMBER, def.common.angular_damping, "with angular compliance", .unit = "N m s/rad",
        .range = SN_NOT_NEGATIVE),
    ROW("max_force", NUMBER, def.common.max_force,
        "of a ball: it pulls no harder, and gives way; default any", .unit = "N", .range = SN_ABOVE_ZERO),
    ROW("break_force", NUMBER, def.common.break_force, "it breaks beyond; default never", .unit = "N",
        .range = SN_ABOVE_ZERO),
    ROW("break_torque", NUMBER, def.common.break_torque, "it breaks beyond; default never", .unit = "N m",
        .range = SN_ABOVE_ZERO),
    ROW("collide_connected", FLAG, def.common.collide_connected,
        "the two bodies may touch, or the nodes that a ball holds what it holds them to"),
    ROW("active", FLAG, def.common.active, "it is switched on"),
    ROW("active_from", NUMBER, def.common.active_from, "time from which on it holds", .unit = "s",
        .range = SN_NOT_NEGATIVE),
    ROW("active_until", NUMBER, def.common.active_until, "time until which it holds; default for ever",
        .unit = "s", .range = SN_ABOVE_ZERO)};

static sn_joint_entry make_initial(sn_constraint_kind kind)
{
    sn_joint_entry entry;
    memset(&entry, 0, sizeof entry);
    (void)sn_constraint_def_default(kind, &entry.def);
    entry.axis = sn_v(1.0f, 0.0f, 0.0f);
    sn_frame_defaults(&entry.frame_a);
    sn_frame_defaults(&entry.frame_b);
    return entry;
}

static void common_defaults(void *target)
{
    *(sn_joint_entry *)target = make_initial(SN_BALL);
}

static const sn_object common = {.name = "joint",
                                 .text = "What every joint has.",
                                 .size = sizeof(sn_joint_entry),
                                 .defaults = common_defaults,
                                 .fields = common_fields,
                                 .field_count = SN_COUNT(common_fields)};

// --- what scene files alone have ---------------------------------------------------------------------------

static const sn_field axis_fields[] = {ROW(
    "axis", VECTOR, axis,
    "x of the joint's frames, which b turns about or slides along, in the frame around the bodies; default x",
    .flag = HAS(has_axis))};

static const sn_field exact_fields[] = {
    ROW("exact", FLAG, def.common.exact, "met to rounding error after every step; hard ones only"),
    ROW("ramp_steps", INTEGER, def.common.ramp_steps,
        "of exact ones: steps until it holds fully, for points that are apart at first",
        .range = SN_BETWEEN(1, 1000000)),
    ROW("sliding_friction", NUMBER, def.common.sliding_friction,
        "of an end on a surface: Coulomb's coefficient", .range = SN_BETWEEN(0.0, 1000.0))};

static const sn_field distance_fields[] = {
    ROW("from", VECTOR, from, "the point on a, or that a is nearest to, in the frame around them",
        .unit = "m", .flag = HAS(has_from)),
    ROW("to", VECTOR, to, "the same of b", .unit = "m", .flag = HAS(has_to)),
    ROW("length", NUMBER, length, "a rod of this length", .unit = "m", .range = SN_NOT_NEGATIVE,
        .flag = HAS(has_length)),
    ROW("rope", NUMBER, rope, "a rope: at most this long", .unit = "m", .range = SN_NOT_NEGATIVE,
        .flag = HAS(has_rope)),
    ROW("limits", INTERVAL, def.distance.lower, "shortest and longest", .unit = "m", .range = SN_NOT_NEGATIVE,
        .flag = HAS(has_limits))};

// --- what the library's tables say -------------------------------------------------------------------------

#define MAX_GROUPS        8
#define MAX_GROUP_FIELDS  8
#define MAX_SCENE_FIELDS  8 // of a kind that scene files alone have
#define MAX_OBJECT_FIELDS (SN_MAX_CONSTRAINT_FIELDS + MAX_SCENE_FIELDS)

typedef struct group_table {
    sn_object object;
    sn_field fields[MAX_GROUP_FIELDS];
    char text[32];
} group_table;

typedef struct kind_table {
    sn_object object;
    sn_field fields[MAX_OBJECT_FIELDS];
    group_table groups[MAX_GROUPS];
    int group_count;
    sn_joint_entry initial;
} kind_table;

static kind_table tables[SN_CONSTRAINT_KIND_COUNT];
static const sn_object *objects[SN_CONSTRAINT_KIND_COUNT];
static sn_family family = {"joint", "A constraint between two points.", objects, 0};

static bool is_angle(const sn_constraint_field *source)
{
    return source->unit != NULL && strcmp(source->unit, "rad") == 0;
}

// A bound of an angle, which float32 has only nearly, in degrees.
static double in_degrees(double radians)
{
    return round(radians / SN_DEGREE * 1e3) / 1e3;
}

static sn_range range_of(const sn_constraint_field *source)
{
    sn_range range = {.lower = (double)source->lower, .upper = (double)source->upper};
    if (is_angle(source)) {
        range.lower = in_degrees(range.lower);
        range.upper = in_degrees(range.upper);
    }
    return range;
}

static sn_field_type type_of(const sn_constraint_field *source)
{
    switch (source->type) {
    case SN_CONSTRAINT_FIELD_BOOL:
        return SN_FIELD_FLAG;
    case SN_CONSTRAINT_FIELD_VEC3:
        return SN_FIELD_VECTOR;
    case SN_CONSTRAINT_FIELD_QUAT:
        return SN_FIELD_ROTATION;
    default:
        return is_angle(source) ? SN_FIELD_ANGLE : SN_FIELD_NUMBER;
    }
}

static size_t flag_of(int number)
{
    return offsetof(sn_joint_entry, given) + (size_t)number * sizeof(bool) + 1;
}

// The field with this number in the table of its kind. What is infinite at first is written only if given.
static sn_field value_field(const sn_constraint_field *source, int number, const char *name)
{
    return (sn_field){.name = name,
                      .type = type_of(source),
                      .offset = offsetof(sn_joint_entry, def) + source->offset,
                      .text = source->text,
                      .unit = is_angle(source) ? "°" : source->unit,
                      .range = range_of(source),
                      .flag = isfinite(source->initial) ? 0 : flag_of(number)};
}

// "speed" of "motor_speed", in a group "motor".
static const char *name_in_group(const sn_constraint_field *source)
{
    size_t length = strlen(source->group);
    bool has_prefix = strncmp(source->name, source->group, length) == 0 && source->name[length] == '_';
    return has_prefix ? source->name + length + 1 : source->name;
}

// A group as an object: `count` fields of the kind's table, from this number on.
static sn_field object_field(kind_table *table, const sn_constraint_field *source, int number, int count)
{
    group_table *group = &table->groups[table->group_count++];
    (void)snprintf(group->text, sizeof group->text, "a %s", source->group);
    for (int i = 0; i < count; ++i) {
        group->fields[i] = value_field(&source[i], number + i, name_in_group(&source[i]));
    }
    group->object = (sn_object){.name = source->group,
                                .text = group->text,
                                .size = sizeof(sn_joint_entry),
                                .fields = group->fields,
                                .field_count = count};
    return (sn_field){
        .name = source->group, .type = SN_FIELD_OBJECT, .text = group->text, .object = &group->object};
}

static sn_field interval_field(const sn_constraint_field *source, int number)
{
    sn_field field = value_field(source, number, source->group);
    field.type = is_angle(source) ? SN_FIELD_ANGLE_INTERVAL : SN_FIELD_INTERVAL;
    return field;
}

// A group that a bool switches on: a number, an interval or an object.
static sn_field switched_field(kind_table *table, const sn_constraint_field *source, int number, int count)
{
    sn_field field;
    if (count == 2) {
        field = value_field(&source[1], number + 1, source->group);
    } else if (count == 3 && source[1].ordered) {
        field = interval_field(&source[1], number + 1);
    } else {
        field = object_field(table, &source[1], number + 1, count - 1);
        table->groups[table->group_count - 1].object.text = source->text;
    }
    field.flag = offsetof(sn_joint_entry, def) + source->offset + 1;
    return field;
}

// A group that a number above 0 switches on: always an object, in which that number is required.
static sn_field numbered_field(kind_table *table, const sn_constraint_field *source, int number, int count)
{
    sn_field field = object_field(table, source, number, count);
    sn_field *first = &table->groups[table->group_count - 1].fields[0];
    first->required = true;
    first->range.above_lower = true;
    field.flag = flag_of(number);
    return field;
}

static int group_size(const sn_constraint_field *fields, int count, int first)
{
    int end = first + 1;
    while (fields[first].group != NULL && end < count && fields[end].group != NULL &&
           strcmp(fields[end].group, fields[first].group) == 0) {
        ++end;
    }
    return end - first;
}

static void append(kind_table *table, const sn_field *fields, int count)
{
    memcpy(&table->fields[table->object.field_count], fields, (size_t)count * sizeof *fields);
    table->object.field_count += count;
}

static void append_library_fields(kind_table *table, sn_constraint_kind kind)
{
    const sn_constraint_field *fields;
    int count = sn_constraint_kind_fields(kind, &fields);
    for (int i = 0, size = 0; i < count; i += size) {
        size = group_size(fields, count, i);
        bool is_switched = fields[i].type == SN_CONSTRAINT_FIELD_BOOL;
        sn_field field = fields[i].group == NULL ? value_field(&fields[i], i, fields[i].name)
                         : is_switched           ? switched_field(table, &fields[i], i, size)
                                                 : numbered_field(table, &fields[i], i, size);
        if (kind != SN_DISTANCE || fields[i].group != NULL) { // its limits have other forms
            append(table, &field, 1);
        }
    }
}

// --- distances ---------------------------------------------------------------------------------------------

// Numbers of the fields of the spring in the library's table.
static int spring_field(const char *name)
{
    const sn_constraint_field *fields;
    int count = sn_constraint_kind_fields(SN_DISTANCE, &fields), found = 0;
    while (found + 1 < count && strcmp(fields[found].name, name) != 0) {
        ++found;
    }
    return found;
}

bool sn_joint_has_spring(const sn_joint_entry *entry)
{
    return entry->given[spring_field("spring_stiffness")];
}

bool sn_joint_has_spring_length(const sn_joint_entry *entry)
{
    return entry->given[spring_field("spring_length")];
}

// The length of the spring need not be said: it is that as placed.
static void adjust_distance(kind_table *table)
{
    group_table *spring = &table->groups[0];
    sn_field *length = &spring->fields[spring->object.field_count - 1];
    length->flag = flag_of(spring_field("spring_length"));
    length->text = "at rest; default the distance as placed";
    table->object.text =
        "A rod, a rope or a spring between two points; without any, a rod as long as placed.";
}

// --- all ---------------------------------------------------------------------------------------------------

static void make_kind(sn_constraint_kind kind)
{
    kind_table *table = &tables[kind];
    table->initial = make_initial(kind);
    table->object = (sn_object){.name = sn_constraint_kind_name(kind),
                                .text = sn_constraint_kind_text(kind),
                                .size = sizeof(sn_joint_entry),
                                .initial = &table->initial,
                                .tagged = true,
                                .base = &common,
                                .fields = table->fields};
    append(table, kind == SN_DISTANCE ? distance_fields : axis_fields,
           kind == SN_DISTANCE ? SN_COUNT(distance_fields) : SN_COUNT(axis_fields));
    append_library_fields(table, kind);
    if (kind == SN_BALL) {
        append(table, exact_fields, SN_COUNT(exact_fields));
    } else if (kind == SN_DISTANCE) {
        adjust_distance(table);
    }
    objects[family.count++] = &table->object;
}

static void make_kinds(void)
{
    for (int k = 0; k < SN_CONSTRAINT_KIND_COUNT; ++k) {
        if (k != SN_CUSTOM) {
            make_kind((sn_constraint_kind)k);
        }
    }
}

const sn_family *sn_joint_family(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, make_kinds);
    return &family;
}

const sn_object *sn_joint_object(sn_constraint_kind kind)
{
    (void)sn_joint_family();
    return &tables[kind].object;
}

sn_constraint_kind sn_joint_kind(const sn_object *object)
{
    int kind = 0;
    while (kind + 1 < SN_CONSTRAINT_KIND_COUNT && object != &tables[kind].object) {
        ++kind;
    }
    return (sn_constraint_kind)kind;
}

// --- writing -----------------------------------------------------------------------------------------------

void sn_joint_prepare_writing(sn_constraint_kind kind, sn_joint_entry *entry)
{
    const sn_constraint_field *fields;
    int count = sn_constraint_kind_fields(kind, &fields);
    for (int i = 0; i < count; ++i) {
        void *value = entry->def.bytes + fields[i].offset;
        bool is_bound = fields[i].ordered || (i > 0 && fields[i - 1].ordered);
        bool is_first = fields[i].group != NULL && (i == 0 || fields[i - 1].group == NULL ||
                                                    strcmp(fields[i].group, fields[i - 1].group) != 0);
        if (fields[i].type == SN_CONSTRAINT_FIELD_QUAT) {
            *(sn_quat *)value = sn_settled_rotation(*(sn_quat *)value);
        } else if (fields[i].type == SN_CONSTRAINT_FIELD_FLOAT) {
            float *number = value;
            *number = is_bound ? sn_clamp(*number, fields[i].lower, fields[i].upper) : *number;
            entry->given[i] = is_first ? *number > 0.0f : isfinite(*number);
        }
    }
}

// Section "bodies": rigid bodies with their shapes.
#include "scene/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const type_names[] = {"static", "kinematic", "dynamic"}; // in the order of sn_rigid_type
static const char *const lock_names[] = {"x", "y", "z", "rotation_x", "rotation_y", "rotation_z"};

typedef struct mass_entry {
    float mass;
    sn_vec3 center;
    sn_vec3 diagonal, off_diagonal;
} mass_entry;

typedef struct body_entry {
    sn_rigid_def def;
    int type;
    bool has_color, has_mass_properties;
    uint32_t color;
    const char *label;
    float mass;
    mass_entry mass_properties;
    sn_node shape, shapes, locks, repeat;
} body_entry;

static const sn_field mass_fields[] = {
    SN_ROW("mass", NUMBER, mass_entry, mass, "mass", .unit = "kg", .range = {1e-12, 1e15, false},
           .required = true),
    SN_ROW("center", VECTOR, mass_entry, center, "mass centre in the body", .unit = "m"),
    SN_ROW("inertia", VECTOR, mass_entry, diagonal, "moments xx, yy, zz about the centre, body axes",
           .unit = "kg m²", .required = true),
    SN_ROW("products", VECTOR, mass_entry, off_diagonal, "off-diagonal members xy, xz, yz of the inertia",
           .unit = "kg m²")};
static const sn_object mass_object = {.name = "mass_properties",
                                      .text =
                                          "Mass, mass centre and inertia, instead of what the shapes give.",
                                      .size = sizeof(mass_entry),
                                      .fields = mass_fields,
                                      .field_count = SN_COUNT(mass_fields)};

static void defaults(void *target)
{
    body_entry *entry = target;
    entry->def = sn_rigid_def_default();
    entry->type = entry->def.type;
}

static const char *const locks_schema =
    "{\"type\": \"array\", \"items\": {\"enum\": [\"x\", \"y\", \"z\", \"rotation_x\", \"rotation_y\", "
    "\"rotation_z\"]}}";

#define ROW(NAME, TYPE, MEMBER, ...) SN_ROW(NAME, TYPE, body_entry, MEMBER, __VA_ARGS__)

static const sn_field fields[] = {
    ROW("name", TEXT, def.name, "what joints, cameras, labels and probes call it"),
    ROW("type", CHOICE, type, "dynamic bodies move by forces, kinematic ones as told, static ones never",
        .choices = type_names, .choice_count = SN_COUNT(type_names)),
    ROW("position", VECTOR, def.position, "of the body's origin", .unit = "m"),
    ROW("rotation", ROTATION, def.rotation, "of the body"),
    ROW("linear_velocity", VECTOR, def.linear_velocity, "of the origin", .unit = "m/s"),
    ROW("angular_velocity", VECTOR, def.angular_velocity, "in the axes of the frame around it",
        .unit = "rad/s"),
    ROW("shape", NODE, shape, "its shape", .family = &sn_family_shape),
    ROW("shapes", NODE, shapes, "its shapes", .family = &sn_family_shape, .list = true),
    ROW("mass", NUMBER, mass, "the mass its shapes are scaled to; default by their densities", .unit = "kg",
        .range = {1e-12, 1e15, false}),
    ROW("mass_properties", OBJECT, mass_properties, "instead of what the shapes give", .object = &mass_object,
        .flag = SN_FLAG_AT(body_entry, has_mass_properties)),
    ROW("color", COLOR, color, "of its shapes", .flag = SN_FLAG_AT(body_entry, has_color)),
    ROW("label", TEXT, label, "a text drawn at its origin"),
    ROW("linear_damping", NUMBER, def.linear_damping, "decay of the velocity", .unit = "1/s",
        .range = SN_BETWEEN(0.0, 1000.0)),
    ROW("angular_damping", NUMBER, def.angular_damping, "decay of the spin", .unit = "1/s",
        .range = SN_BETWEEN(0.0, 1000.0)),
    ROW("gravity_scale", NUMBER, def.gravity_scale, "how strongly gravity acts",
        .range = SN_BETWEEN(-1000.0, 1000.0)),
    ROW("locks", NODE, locks, "world directions along or about which it cannot move",
        .form = "a list of x, y, z, rotation_x, rotation_y, rotation_z", .schema = locks_schema),
    ROW("allow_sleep", FLAG, def.allow_sleep, "it may fall asleep"),
    ROW("awake", FLAG, def.awake, "it begins awake"),
    ROW("bullet", FLAG, def.bullet, "it is swept against dynamic bodies too"),
    ROW("repeat", NODE, repeat, "copies", .family = &sn_family_repeat, .list = true, .or_one = true)};

static const sn_object object = {.name = "body",
                                 .text = "A rigid body.",
                                 .size = sizeof(body_entry),
                                 .defaults = defaults,
                                 .fields = fields,
                                 .field_count = SN_COUNT(fields)};
static const sn_object *const objects[] = {&object};
static const sn_family family = {"body", "A rigid body.", objects, 1};

// --- reading -----------------------------------------------------------------------------------------------

static bool read_locks(const sn_node *node, uint32_t *locks)
{
    char value[SN_NODE_TEXT];
    if (node->value != NULL && !json_is_array(node->value)) {
        return sn_node_fail(node, "%s is not allowed, expected a list of directions",
                            sn_node_text(node, value));
    }
    for (int i = 0; i < sn_node_count(node); ++i) {
        sn_node member = sn_node_at(node, i);
        int lock = 0;
        if (!sn_node_choice(&member, lock_names, SN_COUNT(lock_names), &lock)) {
            return false;
        }
        *locks |= 1u << lock;
    }
    return true;
}

static bool add_shapes(sn_reader *reader, const body_entry *entry, sn_rigid rigid)
{
    const uint32_t *color = entry->has_color ? &entry->color : NULL;
    bool good = true;
    if (entry->shape.value != NULL) {
        good = sn_reader_add_shape(reader, &entry->shape, rigid, color);
    }
    if (entry->shapes.value != NULL && !json_is_array(entry->shapes.value)) {
        char value[SN_NODE_TEXT];
        return sn_node_fail(&entry->shapes, "%s is not allowed, expected a list of shapes",
                            sn_node_text(&entry->shapes, value));
    }
    for (int i = 0; i < sn_node_count(&entry->shapes); ++i) {
        sn_node member = sn_node_at(&entry->shapes, i);
        good = sn_reader_add_shape(reader, &member, rigid, color) && good;
    }
    return good;
}

static bool set_mass(sn_reader *reader, const sn_node *node, const body_entry *entry, sn_rigid rigid)
{
    sn_world *world = reader->scene->world;
    sn_mass mass = sn_rigid_mass(world, rigid);
    if (entry->has_mass_properties) {
        const mass_entry *given = &entry->mass_properties;
        sn_vec3 d = given->diagonal, o = given->off_diagonal;
        mass = (sn_mass){given->mass, given->center, {{d.x, o.x, o.y}, {o.x, d.y, o.z}, {o.y, o.z, d.z}}};
    } else if (entry->mass > 0.0f && mass.mass > 0.0f) {
        mass.inertia = sn_mat3_scale(mass.inertia, entry->mass / mass.mass);
        mass.mass = entry->mass;
    } else {
        return true;
    }
    return sn_rigid_mass_set(world, rigid, &mass) == SN_OK || sn_reader_world_failed(reader, node);
}

static bool add_label(sn_reader *reader, const char *text, sn_rigid rigid)
{
    if (text == NULL) {
        return true;
    }
    sn_label_record label = {.text = strdup(text), .rigid = rigid, .color = 0x202226};
    if (label.text == NULL || !SN_LIST_PUSH(&reader->scene->labels, label)) {
        free(label.text);
        return sn_reader_no_memory(reader);
    }
    return true;
}

// From the scope's frame into the world's.
static void place(const sn_scope *scope, sn_rigid_def *def)
{
    sn_pose pose = sn_pose_multiply(scope->pose, (sn_pose){def->position, def->rotation});
    def->position = pose.position;
    def->rotation = pose.rotation;
    def->linear_velocity = sn_rotate(scope->pose.rotation, def->linear_velocity);
    def->angular_velocity = sn_rotate(scope->pose.rotation, def->angular_velocity);
}

static bool add_body(sn_reader *reader, const sn_node *node, body_entry *entry, sn_rigid *rigid)
{
    sn_world *world = reader->scene->world;
    if (!read_locks(&entry->locks, &entry->def.locks)) {
        return false;
    }
    if (sn_rigid_add(world, &entry->def, rigid) != SN_OK) {
        return sn_reader_world_failed(reader, node);
    }
    if (!add_shapes(reader, entry, *rigid) || !set_mass(reader, node, entry, *rigid)) {
        return false;
    }
    // Shapes and joints wake what they are given to, so sleep comes last.
    if (!entry->def.awake && !SN_LIST_PUSH(&reader->sleepers, *rigid)) {
        return sn_reader_no_memory(reader);
    }
    return add_label(reader, entry->label, *rigid);
}

// Names of bodies that failed are kept, so that what refers to them says nothing more.
static bool register_body(sn_reader *reader, const char *name, sn_rigid rigid, bool good)
{
    if (name[0] == '\0') {
        return true;
    }
    return (sn_names_add(&reader->body_names, name, good ? reader->bodies.count : -2) &&
            (!good || SN_LIST_PUSH(&reader->bodies, rigid))) ||
           sn_reader_no_memory(reader);
}

// The entry called "ground" gives shapes to the world's own body, which stands where it stands.
static bool read_ground(sn_reader *reader, const sn_scope *scope, const sn_node *node,
                        const body_entry *entry)
{
    const char *keys[] = {"position", "rotation",        "linear_velocity", "angular_velocity",
                          "mass",     "mass_properties", "locks",           "repeat"};
    for (int i = 0; i < SN_COUNT(keys); ++i) {
        if (json_object_get(node->value, keys[i]) != NULL) {
            return sn_node_fail_key(node, keys[i],
                                    "the ground cannot have this, expected a name but \"ground\"");
        }
    }
    if (entry->type != SN_STATIC && json_object_get(node->value, "type") != NULL) {
        return sn_node_fail_key(node, "type", "the ground is static, expected \"static\" or another name");
    }
    if (scope->parent != NULL) {
        return sn_node_fail_key(node, "name", "the ground cannot be in a part, expected another name");
    }
    sn_rigid ground = sn_world_ground(reader->scene->world);
    return add_shapes(reader, entry, ground) && add_label(reader, entry->label, ground);
}

static bool read(sn_reader *reader, const sn_scope *scope, const sn_node *node)
{
    body_entry entry;
    char name[SN_MAX_NAME + 1] = "";
    bool good = sn_object_read(node, &object, &entry);
    if (good && entry.def.name != NULL && strcmp(entry.def.name, "ground") == 0) {
        return read_ground(reader, scope, node, &entry);
    }
    if (entry.def.name != NULL && !sn_scope_name(scope, node, entry.def.name, name)) {
        return false;
    }
    if (name[0] != '\0' && sn_names_find(&reader->body_names, name) != -1) {
        return sn_node_fail_key(node, "name", "body \"%s\" exists already, expected another name", name);
    }
    sn_rigid rigid = {0};
    if (good) {
        entry.def.type = (sn_rigid_type)entry.type;
        entry.def.name = name[0] != '\0' ? name : NULL;
        place(scope, &entry.def);
        good = add_body(reader, node, &entry, &rigid);
    }
    return register_body(reader, name, rigid, good) && good;
}

// --- writing -----------------------------------------------------------------------------------------------

// The value that stays what it is when a world takes it in and gives it out again. Bodies keep their mass
// centre: origin and velocity are computed from it and back, with a rounding each way.
static void settle(const sn_world *world, sn_rigid rigid, sn_rigid_def *def)
{
    sn_vec3 local_center = sn_rigid_mass(world, rigid).center;
    for (int i = 0; i < 8; ++i) {
        def->rotation = sn_quat_normalize(def->rotation);
    }
    sn_vec3 arm = sn_rotate(def->rotation, local_center);
    for (int i = 0; i < 8; ++i) {
        sn_vec3 center = sn_add(def->position, arm);
        sn_vec3 lever = sn_sub(center, def->position);
        sn_vec3 velocity = sn_add(def->linear_velocity, sn_cross(def->angular_velocity, lever));
        def->position = sn_sub(center, arm);
        def->linear_velocity =
            sn_add(velocity, sn_cross(def->angular_velocity, sn_sub(def->position, center)));
    }
}

static void fill_mass(body_entry *entry, sn_mass mass)
{
    entry->has_mass_properties = true;
    entry->mass_properties = (mass_entry){mass.mass,
                                          mass.center,
                                          {mass.inertia.x.x, mass.inertia.y.y, mass.inertia.z.z},
                                          {mass.inertia.x.y, mass.inertia.x.z, mass.inertia.y.z}};
}

// The one colour all shapes have, if they do.
static bool common_color(const sn_writer *writer, const sn_shape *shapes, int count, uint32_t *color)
{
    for (int i = 0; i < count; ++i) {
        sn_color one;
        if (!sn_scene_painted(writer->scene, shapes[i], &one) || (i > 0 && one != *color)) {
            return false;
        }
        *color = one;
    }
    return count > 0;
}

static void write_shapes(sn_writer *writer, sn_rigid rigid, body_entry *entry, json_t **one, json_t **list)
{
    sn_world *world = writer->scene->world;
    int count = sn_rigid_shapes(world, rigid, NULL, 0);
    sn_shape *shapes = malloc(((size_t)count + 1) * sizeof *shapes);
    if (shapes == NULL) {
        return;
    }
    sn_rigid_shapes(world, rigid, shapes, count);
    entry->has_color = common_color(writer, shapes, count, &entry->color);
    if (count == 1) {
        *one = sn_writer_shape(writer, shapes[0], false);
    } else if (count > 1) {
        *list = json_array();
        for (int i = 0; i < count; ++i) {
            json_array_append_new(*list, sn_writer_shape(writer, shapes[i], !entry->has_color));
        }
    }
    free(shapes);
}

static json_t *write_locks(uint32_t locks)
{
    json_t *list = locks != 0 ? json_array() : NULL;
    for (int i = 0; i < SN_COUNT(lock_names); ++i) {
        if ((locks >> i & 1u) != 0) {
            json_array_append_new(list, json_string(lock_names[i]));
        }
    }
    return list;
}

static void set_shapes(json_t *out, json_t *one, json_t *list)
{
    if (one != NULL) {
        json_object_set_new(out, "shape", one);
    }
    if (list != NULL) {
        json_object_set_new(out, "shapes", list);
    }
}

static json_t *write_ground(sn_writer *writer)
{
    body_entry entry;
    sn_object_defaults(&object, &entry);
    entry.def.name = "ground";
    json_t *one = NULL, *list = NULL;
    write_shapes(writer, sn_world_ground(writer->scene->world), &entry, &one, &list);
    json_t *out = sn_object_write(&object, &entry);
    set_shapes(out, one, list);
    return out;
}

static json_t *write_body(sn_writer *writer, sn_rigid rigid)
{
    sn_world *world = writer->scene->world;
    body_entry entry;
    sn_object_defaults(&object, &entry);
    entry.def = sn_rigid_definition(world, rigid);
    entry.type = entry.def.type;
    entry.def.name = sn_writer_body_name(writer, rigid);
    settle(world, rigid, &entry.def);
    if (entry.type == SN_STATIC) {
        entry.def.awake = true;
    }
    json_t *one = NULL, *list = NULL;
    write_shapes(writer, rigid, &entry, &one, &list);
    sn_mass mass = sn_rigid_mass(world, rigid);
    if (sn_rigid_mass_is_set(world, rigid)) {
        fill_mass(&entry, mass);
    }
    json_t *out = sn_object_write(&object, &entry);
    json_t *locks = write_locks(entry.def.locks);
    set_shapes(out, one, list);
    if (locks != NULL) {
        json_object_set_new(out, "locks", locks);
    }
    return out;
}

static json_t *write(sn_writer *writer)
{
    sn_world *world = writer->scene->world;
    int count = sn_world_rigids(world, NULL, 0);
    sn_rigid *rigids = malloc(((size_t)count + 1) * sizeof *rigids);
    json_t *list = json_array();
    if (rigids == NULL || list == NULL) {
        free(rigids);
        return list;
    }
    sn_world_rigids(world, rigids, count);
    if (sn_rigid_shapes(world, sn_world_ground(world), NULL, 0) > 0) {
        json_array_append_new(list, write_ground(writer));
    }
    for (int i = 0; i < count; ++i) {
        json_array_append_new(list, write_body(writer, rigids[i]));
    }
    free(rigids);
    return list;
}

const sn_section sn_section_bodies = {.name = "bodies",
                                      .text = "rigid bodies",
                                      .pass = SN_PASS_MATTER,
                                      .in_parts = true,
                                      .repeats = true,
                                      .family = &family,
                                      .read = read,
                                      .write = write};

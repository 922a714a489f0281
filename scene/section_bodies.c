// Section "bodies": rigid bodies with their shapes.
#include "scene/settle.h"
#include "scene/shape_entry.h"

#include <math.h>
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
    bool has_color, has_mass, has_mass_properties;
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
        .range = {1e-12, 1e15, false}, .flag = SN_FLAG_AT(body_entry, has_mass)),
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

// The complaints about the shapes of a body that is not made for another mistake.
static void check_shapes(const body_entry *entry)
{
    sn_shape_entry shape;
    if (entry->shape.value != NULL) {
        sn_family_read(&entry->shape, &sn_family_shape, &shape);
    }
    for (int i = 0; i < sn_node_count(&entry->shapes); ++i) {
        sn_node member = sn_node_at(&entry->shapes, i);
        sn_family_read(&member, &sn_family_shape, &shape);
    }
}

static bool set_mass(sn_reader *reader, const sn_node *node, const body_entry *entry, sn_rigid rigid)
{
    sn_world *world = reader->scene->world;
    sn_mass mass = sn_rigid_mass(world, rigid);
    if ((entry->has_mass || entry->has_mass_properties) && entry->type != SN_DYNAMIC) {
        return sn_node_fail_key(node, entry->has_mass ? "mass" : "mass_properties",
                                "a %s body has no mass, expected a dynamic one", type_names[entry->type]);
    }
    if (entry->has_mass_properties) {
        const mass_entry *given = &entry->mass_properties;
        sn_vec3 d = given->diagonal, o = given->off_diagonal;
        mass = (sn_mass){given->mass, given->center, {{d.x, o.x, o.y}, {o.x, d.y, o.z}, {o.y, o.z, d.z}}};
    } else if (entry->has_mass) {
        mass.inertia = sn_mat3_scale(mass.inertia, entry->mass / mass.mass);
        mass.mass = entry->mass;
    } else {
        return true;
    }
    return sn_rigid_mass_set(world, rigid, &mass) == SN_OK || sn_reader_world_failed(reader, node);
}

// Every shape moves the mass centre, by which worlds know where a body is, and rounds a little; this makes it
// one rounding, however many shapes there are.
static bool set_motion(sn_reader *reader, const sn_node *node, const sn_rigid_def *def, sn_rigid rigid)
{
    sn_world *world = reader->scene->world;
    if (sn_length(sn_rigid_mass(world, rigid).center) == 0.0f) {
        return true;
    }
    sn_pose pose = {def->position, def->rotation};
    sn_status status = sn_rigid_pose_set(world, rigid, pose);
    if (status == SN_OK) {
        sn_vec3 arm = sn_sub(sn_rigid_center(world, rigid), sn_rigid_position(world, rigid));
        sn_vec3 velocity = sn_add(def->linear_velocity, sn_cross(def->angular_velocity, arm));
        status = sn_rigid_linear_velocity_set(world, rigid, velocity);
    }
    return status == SN_OK || sn_reader_world_failed(reader, node);
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

static bool add_body(sn_reader *reader, const sn_node *node, const body_entry *entry, const sn_rigid_def *def,
                     sn_rigid *rigid)
{
    if (sn_rigid_add(reader->scene->world, def, rigid) != SN_OK) {
        return sn_reader_world_failed(reader, node);
    }
    if (!add_shapes(reader, entry, *rigid) || !set_mass(reader, node, entry, *rigid) ||
        !set_motion(reader, node, def, *rigid)) {
        return false;
    }
    // Shapes and joints wake what they are given to, so sleep comes last.
    if (!def->awake && !SN_LIST_PUSH(&reader->sleepers, *rigid)) {
        return sn_reader_no_memory(reader);
    }
    return add_label(reader, entry->label, *rigid);
}

static bool register_body(sn_reader *reader, const char *name, sn_rigid rigid)
{
    if (name[0] == '\0') {
        return true;
    }
    return (SN_LIST_RESERVE(&reader->bodies, reader->bodies.count + 1) &&
            sn_names_add(&reader->body_names, name, reader->bodies.count) &&
            SN_LIST_PUSH(&reader->bodies, rigid)) ||
           sn_reader_no_memory(reader);
}

// The entry called "ground" gives shapes to the world's own body, which stands where it stands.
static bool read_ground(sn_reader *reader, const sn_scope *scope, const sn_node *node,
                        const body_entry *entry)
{
    const char *const allowed[] = {"name", "type", "shape", "shapes", "color", "label", "comment"};
    const char *key;
    json_t *value;
    json_object_foreach(node->value, key, value)
    {
        bool is_allowed = false;
        for (int i = 0; i < SN_COUNT(allowed); ++i) {
            is_allowed = is_allowed || strcmp(key, allowed[i]) == 0;
        }
        if (!is_allowed) {
            return sn_node_fail_key(node, key,
                                    "the ground cannot have this, expected a name other than \"ground\"");
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

static bool read_named(sn_reader *reader, const sn_scope *scope, const sn_node *node, const body_entry *entry)
{
    char name[SN_MAX_NAME + 1] = "";
    if (entry->def.name != NULL && !sn_scope_name(scope, node, entry->def.name, name)) {
        return false;
    }
    if (name[0] != '\0' && !sn_reader_name_is_free(reader, node, name)) {
        return false;
    }
    sn_rigid_def def = entry->def;
    def.type = (sn_rigid_type)entry->type;
    def.name = name[0] != '\0' ? name : NULL;
    place(scope, &def);
    sn_rigid rigid;
    return read_locks(&entry->locks, &def.locks) && add_body(reader, node, entry, &def, &rigid) &&
           register_body(reader, name, rigid);
}

static bool read(sn_reader *reader, const sn_scope *scope, const sn_node *node)
{
    body_entry entry;
    bool good = sn_object_read(node, &object, &entry);
    if (entry.def.name != NULL && strcmp(entry.def.name, "ground") == 0) {
        return good && read_ground(reader, scope, node, &entry);
    }
    good = good && read_named(reader, scope, node, &entry);
    if (!good) {
        sn_reader_name_failed(reader, &reader->body_names, scope, node);
        check_shapes(&entry);
    }
    return good;
}

// --- writing -----------------------------------------------------------------------------------------------

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

static json_t *write_with_shapes(sn_writer *writer, sn_rigid rigid, body_entry *entry)
{
    int count = 0;
    sn_shape *shapes = sn_writer_shapes(writer, rigid, &count);
    entry->has_color = common_color(writer, shapes, count, &entry->color);
    json_t *out = sn_object_write(&object, entry);
    json_t *list = count > 1 ? json_array() : NULL;
    for (int i = 0; i < count; ++i) {
        json_t *shape = sn_writer_shape(writer, shapes[i], !entry->has_color);
        if (count == 1) {
            sn_writer_set(writer, out, "shape", shape);
        } else {
            sn_writer_append(writer, list, shape);
        }
    }
    if (count > 1) {
        sn_writer_set(writer, out, "shapes", list);
    }
    free(shapes);
    return out;
}

static void write_locks(sn_writer *writer, uint32_t locks, json_t *out)
{
    if (locks == 0) {
        return;
    }
    json_t *list = json_array();
    for (int i = 0; i < SN_COUNT(lock_names); ++i) {
        if ((locks >> i & 1u) != 0) {
            sn_writer_append(writer, list, json_string(lock_names[i]));
        }
    }
    sn_writer_set(writer, out, "locks", list);
}

static json_t *write_ground(sn_writer *writer)
{
    body_entry entry;
    sn_object_defaults(&object, &entry);
    entry.def.name = "ground";
    return write_with_shapes(writer, sn_world_ground(writer->scene->world), &entry);
}

static json_t *write_body(sn_writer *writer, sn_rigid rigid)
{
    sn_world *world = writer->scene->world;
    body_entry entry;
    sn_object_defaults(&object, &entry);
    entry.def = sn_rigid_definition(world, rigid);
    entry.type = entry.def.type;
    entry.def.name = sn_writer_body_name(writer, rigid);
    sn_settle_motion(&entry.def, sn_writer_center(writer, rigid));
    if (entry.type == SN_STATIC) {
        entry.def.awake = true;
    }
    if (sn_rigid_mass_is_set(world, rigid)) {
        fill_mass(&entry, sn_rigid_mass(world, rigid));
    }
    json_t *out = write_with_shapes(writer, rigid, &entry);
    write_locks(writer, entry.def.locks, out);
    return out;
}

static json_t *write(sn_writer *writer)
{
    sn_world *world = writer->scene->world;
    int count = 0;
    sn_rigid *rigids = sn_writer_rigids(writer, &count);
    json_t *list = json_array();
    if (sn_rigid_shapes(world, sn_world_ground(world), NULL, 0) > 0) {
        sn_writer_append(writer, list, write_ground(writer));
    }
    for (int i = 0; i < count; ++i) {
        sn_writer_append(writer, list, write_body(writer, rigids[i]));
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

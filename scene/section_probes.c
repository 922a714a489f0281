// Section "probes": values worth watching, step by step; and what they can be.
#include "scene/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- quantities --------------------------------------------------------------------------------------------

typedef struct subject {
    const sn_world *world;
    sn_rigid rigid;
    sn_constraint constraint;
} subject;

static double length3(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double kinetic_energy(const subject *s)
{
    return sn_world_energy(s->world).kinetic;
}
static double potential_energy(const subject *s)
{
    return sn_world_energy(s->world).potential;
}
static double total_energy(const subject *s)
{
    sn_energy energy = sn_world_energy(s->world);
    return energy.kinetic + energy.potential;
}
static double momentum(const subject *s)
{
    return length3(sn_world_energy(s->world).momentum);
}
static double angular_momentum(const subject *s)
{
    return length3(sn_world_energy(s->world).angular_momentum);
}
static double contact_count(const subject *s)
{
    return sn_world_statistics(s->world).contact_count;
}
static double awake_count(const subject *s)
{
    return sn_world_statistics(s->world).awake_count;
}
static double position_x(const subject *s)
{
    return (double)sn_rigid_position(s->world, s->rigid).x;
}
static double position_y(const subject *s)
{
    return (double)sn_rigid_position(s->world, s->rigid).y;
}
static double position_z(const subject *s)
{
    return (double)sn_rigid_position(s->world, s->rigid).z;
}
static double velocity_x(const subject *s)
{
    return (double)sn_rigid_linear_velocity(s->world, s->rigid).x;
}
static double velocity_y(const subject *s)
{
    return (double)sn_rigid_linear_velocity(s->world, s->rigid).y;
}
static double velocity_z(const subject *s)
{
    return (double)sn_rigid_linear_velocity(s->world, s->rigid).z;
}
static double speed(const subject *s)
{
    return (double)sn_length(sn_rigid_linear_velocity(s->world, s->rigid));
}
static double spin_x(const subject *s)
{
    return (double)sn_rigid_angular_velocity(s->world, s->rigid).x;
}
static double spin_y(const subject *s)
{
    return (double)sn_rigid_angular_velocity(s->world, s->rigid).y;
}
static double spin_z(const subject *s)
{
    return (double)sn_rigid_angular_velocity(s->world, s->rigid).z;
}
static double spin(const subject *s)
{
    return (double)sn_length(sn_rigid_angular_velocity(s->world, s->rigid));
}
static double tilt(const subject *s)
{
    sn_vec3 gravity = sn_world_gravity(s->world);
    sn_vec3 up = sn_length(gravity) > 0.0f ? sn_normalize(sn_neg(gravity)) : sn_v(0.0f, 1.0f, 0.0f);
    return (double)sn_acos(sn_dot(sn_rotate(sn_rigid_rotation(s->world, s->rigid), up), up)) / SN_DEGREE;
}
static double joint_error(const subject *s)
{
    return (double)sn_constraint_error(s->world, s->constraint);
}
static double joint_force(const subject *s)
{
    return (double)sn_length(sn_constraint_force(s->world, s->constraint));
}
static double joint_torque(const subject *s)
{
    return (double)sn_length(sn_constraint_torque(s->world, s->constraint));
}
// Angle, travel or distance, whichever the kind has.
static double joint_angle(const subject *s)
{
    return (double)sn_hinge_angle(s->world, s->constraint) / SN_DEGREE;
}
static double joint_travel(const subject *s)
{
    return (double)sn_slider_travel(s->world, s->constraint);
}
static double joint_length(const subject *s)
{
    return (double)sn_distance_length(s->world, s->constraint);
}

#define ANY_KIND (-1)

typedef struct quantity {
    const char *name, *unit, *text;
    sn_probe_subject subject;
    int kind; // of joint it needs
    double (*value)(const subject *subject);
} quantity;

static const quantity quantities[] = {
    {"kinetic_energy", "J", "of all bodies", SN_PROBE_WORLD, ANY_KIND, kinetic_energy},
    {"potential_energy", "J", "of all bodies, in gravity", SN_PROBE_WORLD, ANY_KIND, potential_energy},
    {"energy", "J", "kinetic and potential", SN_PROBE_WORLD, ANY_KIND, total_energy},
    {"momentum", "kg m/s", "length of the sum", SN_PROBE_WORLD, ANY_KIND, momentum},
    {"angular_momentum", "kg m²/s", "length of the sum, about the origin", SN_PROBE_WORLD, ANY_KIND,
     angular_momentum},
    {"contacts", "", "touching pairs of shapes that are awake", SN_PROBE_WORLD, ANY_KIND, contact_count},
    {"awake", "", "bodies awake", SN_PROBE_WORLD, ANY_KIND, awake_count},
    {"position.x", "m", "of the origin", SN_PROBE_BODY, ANY_KIND, position_x},
    {"position.y", "m", "of the origin", SN_PROBE_BODY, ANY_KIND, position_y},
    {"position.z", "m", "of the origin", SN_PROBE_BODY, ANY_KIND, position_z},
    {"velocity.x", "m/s", "of the mass centre", SN_PROBE_BODY, ANY_KIND, velocity_x},
    {"velocity.y", "m/s", "of the mass centre", SN_PROBE_BODY, ANY_KIND, velocity_y},
    {"velocity.z", "m/s", "of the mass centre", SN_PROBE_BODY, ANY_KIND, velocity_z},
    {"speed", "m/s", "of the mass centre", SN_PROBE_BODY, ANY_KIND, speed},
    {"spin.x", "rad/s", "angular velocity", SN_PROBE_BODY, ANY_KIND, spin_x},
    {"spin.y", "rad/s", "angular velocity", SN_PROBE_BODY, ANY_KIND, spin_y},
    {"spin.z", "rad/s", "angular velocity", SN_PROBE_BODY, ANY_KIND, spin_z},
    {"spin", "rad/s", "size of the angular velocity", SN_PROBE_BODY, ANY_KIND, spin},
    {"tilt", "°", "of the body's upright axis from upright", SN_PROBE_BODY, ANY_KIND, tilt},
    {"error", "m, rad", "largest violation", SN_PROBE_JOINT, ANY_KIND, joint_error},
    {"force", "N", "that the joint exerts", SN_PROBE_JOINT, ANY_KIND, joint_force},
    {"torque", "N m", "that the joint exerts", SN_PROBE_JOINT, ANY_KIND, joint_torque},
    {"angle", "°", "of a hinge", SN_PROBE_JOINT, SN_HINGE, joint_angle},
    {"travel", "m", "of a slider", SN_PROBE_JOINT, SN_SLIDER, joint_travel},
    {"length", "m", "of a distance", SN_PROBE_JOINT, SN_DISTANCE, joint_length}};

int sn_scene_probe_count(const sn_scene *scene)
{
    return scene->probes.count;
}

static bool has_probe(const sn_scene *scene, int index)
{
    return index >= 0 && index < scene->probes.count;
}

const char *sn_scene_probe_name(const sn_scene *scene, int index)
{
    return has_probe(scene, index) ? scene->probes.items[index].name : "";
}

const char *sn_scene_probe_unit(const sn_scene *scene, int index)
{
    return has_probe(scene, index) ? quantities[scene->probes.items[index].quantity].unit : "";
}

double sn_scene_probe_value(const sn_scene *scene, int index)
{
    if (!has_probe(scene, index)) {
        return 0.0;
    }
    const sn_probe_record *probe = &scene->probes.items[index];
    bool is_gone =
        (probe->subject == SN_PROBE_BODY && !sn_rigid_is_valid(scene->world, probe->rigid)) ||
        (probe->subject == SN_PROBE_JOINT && !sn_constraint_is_valid(scene->world, probe->constraint));
    subject s = {scene->world, probe->rigid, probe->constraint};
    return is_gone ? 0.0 : quantities[probe->quantity].value(&s);
}

// --- the section -------------------------------------------------------------------------------------------

typedef struct probe_entry {
    const char *name, *body, *joint, *value;
} probe_entry;

static const sn_field fields[] = {
    SN_ROW("name", TEXT, probe_entry, name, "heading of its column; default what it watches"),
    SN_ROW("body", TEXT, probe_entry, body, "name of the body it watches"),
    SN_ROW("joint", TEXT, probe_entry, joint, "or name of the joint; with neither, the whole world"),
    SN_ROW("value", TEXT, probe_entry, value,
           "world: kinetic_energy, potential_energy, energy, momentum, angular_momentum, contacts, awake; "
           "body: position.x/.y/.z, velocity.x/.y/.z, speed, spin.x/.y/.z, spin, tilt; "
           "joint: error, force, torque, angle (hinge), travel (slider), length (distance)",
           .required = true)};
static const sn_object object = {.name = "probe",
                                 .text = "A value to watch.",
                                 .size = sizeof(probe_entry),
                                 .fields = fields,
                                 .field_count = SN_COUNT(fields)};
static const sn_object *const objects[] = {&object};
static const sn_family family = {"probe", "A value to watch.", objects, 1};

static bool find_quantity(const sn_reader *reader, const sn_node *node, sn_probe_record *record)
{
    const char *names[SN_COUNT(quantities)];
    int rows[SN_COUNT(quantities)], count = 0, chosen = 0;
    int kind = record->subject == SN_PROBE_JOINT
                   ? (int)sn_constraint_get_kind(reader->scene->world, record->constraint)
                   : ANY_KIND;
    for (int i = 0; i < SN_COUNT(quantities); ++i) {
        if (quantities[i].subject == record->subject &&
            (quantities[i].kind == ANY_KIND || quantities[i].kind == kind)) {
            rows[count] = i;
            names[count++] = quantities[i].name;
        }
    }
    sn_node value = sn_node_get(node, "value");
    if (!sn_node_choice(&value, names, count, &chosen)) {
        return false;
    }
    record->quantity = rows[chosen];
    return true;
}

static bool find_subject(sn_reader *reader, const sn_scope *scope, const sn_node *node,
                         const probe_entry *entry, sn_probe_record *record)
{
    if (entry->body != NULL && entry->joint != NULL) {
        return sn_node_fail(node, "a probe watches either a `body` or a `joint`");
    }
    if (entry->body != NULL) {
        record->subject = SN_PROBE_BODY;
        return sn_reader_body(reader, scope, node, "body", entry->body, &record->rigid) == SN_LOOKUP_FOUND;
    }
    if (entry->joint != NULL) {
        record->subject = SN_PROBE_JOINT;
        return sn_reader_joint(reader, scope, node, "joint", entry->joint, &record->constraint) ==
               SN_LOOKUP_FOUND;
    }
    return true;
}

static char *probe_name(const probe_entry *entry)
{
    const char *watched = entry->body != NULL ? entry->body : entry->joint;
    size_t size = strlen(entry->value) + (watched != NULL ? strlen(watched) : 0) + 2;
    char *name = entry->name != NULL ? strdup(entry->name) : malloc(size);
    if (entry->name == NULL && name != NULL) {
        snprintf(name, size, "%s%s%s", watched != NULL ? watched : "", watched != NULL ? " " : "",
                 entry->value);
    }
    return name;
}

static bool read(sn_reader *reader, const sn_scope *scope, const sn_node *node)
{
    probe_entry entry;
    sn_probe_record record = {.subject = SN_PROBE_WORLD};
    if (!sn_object_read(node, &object, &entry) || !find_subject(reader, scope, node, &entry, &record) ||
        !find_quantity(reader, node, &record)) {
        return false;
    }
    record.name = probe_name(&entry);
    if (record.name == NULL || !SN_LIST_PUSH(&reader->scene->probes, record)) {
        free(record.name);
        return sn_reader_no_memory(reader);
    }
    return true;
}

static json_t *write(sn_writer *writer)
{
    const sn_scene *scene = writer->scene;
    json_t *list = json_array();
    for (int i = 0; i < scene->probes.count; ++i) {
        const sn_probe_record *record = &scene->probes.items[i];
        probe_entry entry = {.name = record->name, .value = quantities[record->quantity].name};
        if (record->subject == SN_PROBE_BODY) {
            entry.body = sn_writer_body_name(writer, record->rigid);
        } else if (record->subject == SN_PROBE_JOINT) {
            entry.joint = sn_writer_joint_name(writer, record->constraint);
        }
        if (record->subject == SN_PROBE_WORLD || entry.body != NULL || entry.joint != NULL) {
            sn_writer_append(writer, list, sn_object_write(&object, &entry));
        }
    }
    return list;
}

const sn_section sn_section_probes = {.name = "probes",
                                      .text = "values that --trace writes for every step",
                                      .pass = SN_PASS_VIEWS,
                                      .family = &family,
                                      .read = read,
                                      .write = write};

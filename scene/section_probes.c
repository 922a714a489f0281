// Section "probes": values worth watching, step by step.
#include "scene/quantities.h"
#include "scene/reader.h"

#include <stdio.h>
#include <string.h>

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
    return has_probe(scene, index) ? sn_quantities[scene->probes.items[index].quantity].unit : "";
}

static bool has_anchor(const sn_world *world, const char *name)
{
    int count = sn_world_anchors(world, NULL, 0);
    sn_anchor *anchors = malloc(((size_t)count + 1) * sizeof *anchors);
    count = anchors != NULL ? sn_world_anchors(world, anchors, count) : 0;
    bool found = false;
    for (int i = 0; i < count && !found; ++i) {
        const char *given = sn_anchor_definition(world, anchors[i]).name;
        found = given != NULL && strcmp(given, name) == 0;
    }
    free(anchors);
    return found;
}

static bool is_there(const sn_world *world, const sn_probe_record *probe)
{
    switch (probe->subject) {
    case SN_PROBE_BODY:
        return sn_rigid_is_valid(world, probe->rigid);
    case SN_PROBE_JOINT:
        return sn_constraint_is_valid(world, probe->constraint);
    case SN_PROBE_DEFORMABLE:
        return sn_deformable_is_valid(world, probe->deformable);
    case SN_PROBE_NODE:
        return probe->node < sn_deformable_node_count(world, probe->deformable);
    case SN_PROBE_ANCHOR:
        return has_anchor(world, probe->anchor);
    default:
        return true;
    }
}

double sn_scene_probe_value(const sn_scene *scene, int index)
{
    const sn_probe_record *probe = has_probe(scene, index) ? &scene->probes.items[index] : NULL;
    bool watched = probe != NULL && is_there(scene->world, probe);
    return watched ? sn_quantities[probe->quantity].value(scene->world, probe) : 0.0;
}

// --- the section -------------------------------------------------------------------------------------------

typedef struct probe_entry {
    const char *name, *body, *joint, *deformable, *anchor, *value;
    bool has_node;
    int node;
} probe_entry;

static const sn_field fields[] = {
    SN_ROW("name", TEXT, probe_entry, name, "heading of its column; default what it watches"),
    SN_ROW("body", TEXT, probe_entry, body, "name of the body it watches"),
    SN_ROW("joint", TEXT, probe_entry, joint, "or name of the joint"),
    SN_ROW("deformable", TEXT, probe_entry, deformable, "or name of the deformable"),
    SN_ROW("node", INTEGER, probe_entry, node, "of the deformable: watch this node instead of the whole",
           .flag = SN_FLAG_AT(probe_entry, has_node), .range = SN_BETWEEN(0.0, 16777215.0)),
    SN_ROW("anchor", TEXT, probe_entry, anchor,
           "or name of the anchor, or of several; with none of these, the whole world"),
    SN_ROW("value", TEXT, probe_entry, value,
           "world: kinetic_energy, potential_energy, energy, elastic_energy, momentum, angular_momentum, "
           "contacts, soft_contacts, awake, exact_anchors, exact_error; "
           "body: position.x/.y/.z, velocity.x/.y/.z, speed, spin.x/.y/.z, spin, tilt, "
           "contact_force, contact_force.x/.y/.z (of all that touches it); "
           "joint: error, force, torque, angle and motor_torque (hinge), travel (slider, axis), motor_force "
           "(slider), length (distance), where motor is all that acts about or along the axis; "
           "deformable: position.x/.y/.z, velocity.x/.y/.z, speed (of the mass centre), volume, "
           "volume_change, area, stretch, mean_stretch, strain, stress, elastic_energy, contacts, "
           "penetration; node: position.x/.y/.z, velocity.x/.y/.z, speed; anchor: error and "
           "largest_force (the largest of all of that name), force (size of their sum), count (that hold)",
           .required = true)};
static const sn_object object = {.name = "probe",
                                 .text = "A value to watch.",
                                 .size = sizeof(probe_entry),
                                 .fields = fields,
                                 .field_count = SN_COUNT(fields)};
static const sn_object *const objects[] = {&object};
static const sn_family family = {"probe", "A value to watch.", objects, 1};

enum { MOST_QUANTITIES = 32 }; // of one subject

static bool find_quantity(const sn_reader *reader, const sn_node *node, sn_probe_record *record)
{
    const char *names[MOST_QUANTITIES];
    int rows[MOST_QUANTITIES], count = 0, chosen = 0;
    int kind = record->subject == SN_PROBE_JOINT
                   ? (int)sn_constraint_get_kind(reader->scene->world, record->constraint)
                   : SN_ANY_KIND;
    for (int i = 0; i < sn_quantity_count; ++i) {
        if (count < MOST_QUANTITIES && sn_quantities[i].subject == record->subject &&
            (sn_quantities[i].kind == SN_ANY_KIND || sn_quantities[i].kind == kind)) {
            rows[count] = i;
            names[count++] = sn_quantities[i].name;
        }
    }
    sn_node value = sn_node_get(node, "value");
    if (!sn_node_choice(&value, names, count, &chosen)) {
        return false;
    }
    record->quantity = rows[chosen];
    return true;
}

static int count_given(const probe_entry *entry)
{
    return (entry->body != NULL) + (entry->joint != NULL) + (entry->deformable != NULL) +
           (entry->anchor != NULL);
}

static bool find_deformable(sn_reader *reader, const sn_scope *scope, const sn_node *node,
                            const probe_entry *entry, sn_probe_record *record)
{
    if (sn_reader_deformable(reader, scope, node, "deformable", entry->deformable, &record->deformable) !=
        SN_LOOKUP_FOUND) {
        return false;
    }
    int count = sn_deformable_node_count(reader->scene->world, record->deformable);
    record->subject = entry->has_node ? SN_PROBE_NODE : SN_PROBE_DEFORMABLE;
    record->node = entry->node;
    if (entry->has_node && entry->node >= count) {
        return sn_node_fail_key(node, "node", "%d does not exist, expected 0 to %d", entry->node, count - 1);
    }
    return true;
}

// The name as the innermost scope that knows it writes it.
static bool find_anchor(sn_reader *reader, const sn_scope *scope, const sn_node *node, const char *name,
                        sn_probe_record *record)
{
    const sn_world *world = reader->scene->world;
    char full[2 * SN_MAX_NAME + 2] = "";
    bool found = false;
    for (; scope != NULL && !found && strlen(name) <= SN_MAX_NAME; scope = scope->parent) {
        snprintf(full, sizeof full, "%s%s", scope->prefix, name);
        found = has_anchor(world, full);
    }
    // One that has a mistake of its own is not there either.
    if (!found && reader->mistakes.count > 0) {
        return false;
    }
    if (!found) {
        return sn_node_fail_key(node, "anchor", "no anchor is called \"%s\", expected the name of one", name);
    }
    record->subject = SN_PROBE_ANCHOR;
    record->anchor = strdup(full);
    return record->anchor != NULL || sn_reader_no_memory(reader);
}

static bool find_subject(sn_reader *reader, const sn_scope *scope, const sn_node *node,
                         const probe_entry *entry, sn_probe_record *record)
{
    if (count_given(entry) > 1) {
        return sn_node_fail(node,
                            "a probe watches either a `body`, a `joint`, a `deformable` or an `anchor`");
    }
    if (entry->has_node && entry->deformable == NULL) {
        return sn_node_fail_key(node, "node", "is not allowed without the `deformable` it is of");
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
    if (entry->deformable != NULL) {
        return find_deformable(reader, scope, node, entry, record);
    }
    return entry->anchor == NULL || find_anchor(reader, scope, node, entry->anchor, record);
}

static char *probe_name(const probe_entry *entry)
{
    const char *watched = entry->body != NULL         ? entry->body
                          : entry->joint != NULL      ? entry->joint
                          : entry->deformable != NULL ? entry->deformable
                                                      : entry->anchor;
    char node[16] = "";
    if (entry->has_node) {
        snprintf(node, sizeof node, "[%d]", entry->node);
    }
    size_t size = strlen(entry->value) + (watched != NULL ? strlen(watched) : 0) + strlen(node) + 2;
    char *name = entry->name != NULL ? strdup(entry->name) : malloc(size);
    if (entry->name == NULL && name != NULL) {
        snprintf(name, size, "%s%s%s%s", watched != NULL ? watched : "", node, watched != NULL ? " " : "",
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
        free(record.anchor);
        return false;
    }
    record.name = probe_name(&entry);
    if (record.name == NULL || !SN_LIST_PUSH(&reader->scene->probes, record)) {
        free(record.name);
        free(record.anchor);
        return sn_reader_no_memory(reader);
    }
    return true;
}

static json_t *write_probe(const sn_writer *writer, const sn_probe_record *record)
{
    probe_entry entry = {.name = record->name,
                         .value = sn_quantities[record->quantity].name,
                         .has_node = record->subject == SN_PROBE_NODE,
                         .node = record->node,
                         .anchor = record->anchor};
    if (record->subject == SN_PROBE_BODY) {
        entry.body = sn_writer_body_name(writer, record->rigid);
    } else if (record->subject == SN_PROBE_JOINT) {
        entry.joint = sn_writer_joint_name(writer, record->constraint);
    } else if (record->subject == SN_PROBE_DEFORMABLE || record->subject == SN_PROBE_NODE) {
        entry.deformable = sn_writer_deformable_name(writer, record->deformable);
    }
    return sn_object_write(&object, &entry);
}

// Probes of what is gone are not written.
static json_t *write(sn_writer *writer)
{
    const sn_scene *scene = writer->scene;
    json_t *list = json_array();
    for (int i = 0; i < scene->probes.count; ++i) {
        if (is_there(scene->world, &scene->probes.items[i])) {
            sn_writer_append(writer, list, write_probe(writer, &scene->probes.items[i]));
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

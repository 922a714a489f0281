// Sections "cameras" and "labels": how to look at the scene.
#include "scene/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- cameras -----------------------------------------------------------------------------------------------

typedef struct camera_entry {
    const char *name, *follow;
    sn_vec3 eye, target, up;
    bool has_up;
    float field_of_view, orbit;
} camera_entry;

static void camera_defaults(void *target)
{
    ((camera_entry *)target)->field_of_view = (float)(35.0 * SN_DEGREE);
}

static const sn_field camera_fields[] = {
    SN_ROW("name", TEXT, camera_entry, name, "what --camera calls it"),
    SN_ROW("eye", VECTOR, camera_entry, eye, "where it is", .unit = "m", .required = true),
    SN_ROW("target", VECTOR, camera_entry, target, "what is in the middle of the picture", .unit = "m",
           .required = true),
    SN_ROW("up", VECTOR, camera_entry, up, "what is up in the picture; default against gravity",
           .flag = SN_FLAG_AT(camera_entry, has_up)),
    SN_ROW("field_of_view", ANGLE, camera_entry, field_of_view, "vertical, in pictures of 16 : 9 and wider",
           .unit = "°", .range = SN_BETWEEN(1.0, 150.0)),
    SN_ROW("follow", TEXT, camera_entry, follow, "name of a body or deformable it moves along with"),
    SN_ROW("orbit", ANGLE, camera_entry, orbit, "it circles the target, in degrees a second", .unit = "°/s",
           .range = SN_BETWEEN(-3600.0, 3600.0))};
static const sn_object camera_object = {.name = "camera",
                                        .text = "A place to look from.",
                                        .size = sizeof(camera_entry),
                                        .defaults = camera_defaults,
                                        .fields = camera_fields,
                                        .field_count = SN_COUNT(camera_fields)};
static const sn_object *const camera_objects[] = {&camera_object};
static const sn_family camera_family = {"camera", "A place to look from.", camera_objects, 1};

static bool is_taken(const sn_scene *scene, const char *name)
{
    for (int i = 0; i < scene->cameras.count; ++i) {
        if (strcmp(scene->cameras.items[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool read_camera(sn_reader *reader, const sn_scope *scope, const sn_node *node)
{
    camera_entry entry;
    if (!sn_object_read(node, &camera_object, &entry)) {
        return false;
    }
    sn_scene *scene = reader->scene;
    sn_camera_record record = {.eye = entry.eye,
                               .target = entry.target,
                               .up = entry.up,
                               .field_of_view = entry.field_of_view,
                               .orbit = entry.orbit};
    char name[SN_MAX_NAME + 1];
    snprintf(name, sizeof name, "camera-%d", scene->cameras.count + 1);
    if (entry.name != NULL && !sn_scope_name(scope, node, entry.name, name)) {
        return false;
    }
    memcpy(record.name, name, sizeof record.name);
    if (is_taken(scene, name)) {
        return sn_node_fail_key(node, "name", "camera \"%s\" exists already, expected another name", name);
    }
    if (sn_length(sn_sub(entry.eye, entry.target)) <= 0.0f) {
        return sn_node_fail_key(node, "target", "is where the eye is, expected another place");
    }
    if (entry.has_up && !(sn_length(entry.up) > 0.0f)) {
        return sn_node_fail_key(node, "up", "has no length, expected a direction");
    }
    if (entry.follow != NULL) {
        if (sn_reader_matter(reader, scope, node, "follow", entry.follow, &record.follow_soft,
                             &record.follow) != SN_LOOKUP_FOUND) {
            return false;
        }
        sn_camera_record_followed(scene, &record, &record.follow_start);
    }
    return SN_LIST_PUSH(&scene->cameras, record) || sn_reader_no_memory(reader);
}

static json_t *write_cameras(sn_writer *writer)
{
    const sn_scene *scene = writer->scene;
    json_t *list = json_array();
    for (int i = 0; i < scene->cameras.count; ++i) {
        sn_camera_record record = scene->cameras.items[i];
        sn_camera_record_advance(scene, &record, writer->restarts);
        camera_entry entry = {.name = record.name,
                              .eye = record.eye,
                              .target = record.target,
                              .up = record.up,
                              .has_up = sn_length(record.up) > 0.0f,
                              .field_of_view = record.field_of_view,
                              .orbit = record.orbit,
                              .follow = record.follow_soft.generation != 0
                                            ? sn_writer_deformable_name(writer, record.follow_soft)
                                            : sn_writer_body_name(writer, record.follow)};
        sn_writer_append(writer, list, sn_object_write(&camera_object, &entry));
    }
    return list;
}

const sn_section sn_section_cameras = {.name = "cameras",
                                       .text = "places to look from; the first is the usual one",
                                       .pass = SN_PASS_VIEWS,
                                       .family = &camera_family,
                                       .read = read_camera,
                                       .write = write_cameras};

// --- labels ------------------------------------------------------------------------------------------------

typedef struct label_entry {
    const char *text, *body, *deformable;
    sn_vec3 at;
    uint32_t color;
} label_entry;

static void label_defaults(void *target)
{
    ((label_entry *)target)->color = 0x202226;
}

static const sn_field label_fields[] = {
    SN_ROW("text", TEXT, label_entry, text, "what it says", .required = true),
    SN_ROW("at", VECTOR, label_entry, at,
           "where, in the body or, without one, in the world; from the mass centre of the deformable",
           .unit = "m"),
    SN_ROW("body", TEXT, label_entry, body, "name of a body it moves along with"),
    SN_ROW("deformable", TEXT, label_entry, deformable, "or of a deformable"),
    SN_ROW("color", COLOR, label_entry, color, "of the letters")};
static const sn_object label_object = {.name = "label",
                                       .text = "A text in the picture.",
                                       .size = sizeof(label_entry),
                                       .defaults = label_defaults,
                                       .fields = label_fields,
                                       .field_count = SN_COUNT(label_fields)};
static const sn_object *const label_objects[] = {&label_object};
static const sn_family label_family = {"label", "A text in the picture.", label_objects, 1};

static bool read_label(sn_reader *reader, const sn_scope *scope, const sn_node *node)
{
    label_entry entry;
    if (!sn_object_read(node, &label_object, &entry)) {
        return false;
    }
    sn_label_record record = {
        .rigid = sn_world_ground(reader->scene->world), .position = entry.at, .color = entry.color};
    if (entry.body != NULL && entry.deformable != NULL) {
        return sn_node_fail(node, "a label moves along with either a `body` or a `deformable`");
    }
    if (entry.deformable != NULL && sn_reader_deformable(reader, scope, node, "deformable", entry.deformable,
                                                         &record.deformable) != SN_LOOKUP_FOUND) {
        return false;
    }
    if (entry.body != NULL &&
        sn_reader_body(reader, scope, node, "body", entry.body, &record.rigid) != SN_LOOKUP_FOUND) {
        return false;
    }
    record.text = strdup(entry.text);
    if (record.text == NULL || !SN_LIST_PUSH(&reader->scene->labels, record)) {
        free(record.text);
        return sn_reader_no_memory(reader);
    }
    return true;
}

static json_t *write_labels(sn_writer *writer)
{
    const sn_scene *scene = writer->scene;
    json_t *list = json_array();
    for (int i = 0; i < scene->labels.count; ++i) {
        const sn_label_record *record = &scene->labels.items[i];
        bool is_fixed = record->rigid.index == sn_world_ground(scene->world).index;
        bool is_soft = record->deformable.generation != 0;
        label_entry entry = {.text = record->text,
                             .at = record->position,
                             .color = record->color,
                             .body = is_fixed ? NULL : sn_writer_body_name(writer, record->rigid),
                             .deformable =
                                 is_soft ? sn_writer_deformable_name(writer, record->deformable) : NULL};
        if (is_soft ? entry.deformable != NULL : sn_rigid_is_valid(scene->world, record->rigid)) {
            sn_writer_append(writer, list, sn_object_write(&label_object, &entry));
        }
    }
    return list;
}

const sn_section sn_section_labels = {.name = "labels",
                                      .text = "texts in the picture",
                                      .pass = SN_PASS_VIEWS,
                                      .family = &label_family,
                                      .read = read_label,
                                      .write = write_labels};

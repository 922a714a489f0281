// Section "motions": keyframes for what moves by itself, and forces over a time.
#include "scene/motions.h"
#include "scene/reader.h"
#include "scene/settle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_KEYS = 100000 };

typedef struct motion_entry {
    const char *body, *anchor, *joint, *camera;
    sn_node keys;
    int path, drive;
    bool loop, turns, has_until;
    float start, gain, from, until;
    sn_vec3 force, torque, point;
} motion_entry;

typedef struct key_entry {
    float at, value;
    bool has_first, has_rotation;
    sn_vec3 first, second;
    sn_quat rotation;
} key_entry;

// --- tables ------------------------------------------------------------------------------------------------

static void key_defaults(void *target)
{
    ((key_entry *)target)->rotation = sn_quat_identity;
    ((key_entry *)target)->value = 1.0f; // of lights; joints must say theirs
}

#define KEY_AT                                                                                               \
    SN_ROW("at", NUMBER, key_entry, at, "time by the motion's clock", .unit = "s", .required = true,         \
           .range = SN_BETWEEN(0.0, 1e6))

static const sn_field body_key_fields[] = {KEY_AT,
                                           SN_ROW("position", VECTOR, key_entry, first,
                                                  "of the body's origin, in the world", .unit = "m",
                                                  .flag = SN_FLAG_AT(key_entry, has_first)),
                                           SN_ROW("rotation", ROTATION, key_entry, rotation, "of the body",
                                                  .flag = SN_FLAG_AT(key_entry, has_rotation))};
static const sn_field anchor_key_fields[] = {
    KEY_AT, SN_ROW("offset", VECTOR, key_entry, first,
                   "how far it is moved; where the file places it is where it is when the scene begins",
                   .unit = "m", .required = true)};
static const sn_field joint_key_fields[] = {
    KEY_AT,
    SN_ROW(
        "value", NUMBER, key_entry, value,
        "hinge: angle [°]; slider: travel [m]; distance: length [m]; of a drive by speed: [rad/s] or [m/s]",
        .required = true, .range = SN_BETWEEN(-1e6, 1e6))};
static const sn_field wind_key_fields[] = {KEY_AT, SN_ROW("velocity", VECTOR, key_entry, first, "of the air",
                                                          .unit = "m/s", .required = true,
                                                          .range = SN_BETWEEN(-500.0, 500.0))};
static const sn_field gravity_key_fields[] = {KEY_AT, SN_ROW("acceleration", VECTOR, key_entry, first,
                                                             "of free fall", .unit = "m/s²", .required = true,
                                                             .range = SN_BETWEEN(-5e4, 5e4))};
static const sn_field camera_key_fields[] = {
    KEY_AT, SN_ROW("eye", VECTOR, key_entry, first, "where it is", .unit = "m", .required = true),
    SN_ROW("target", VECTOR, key_entry, second, "what is in the middle of the picture", .unit = "m",
           .required = true)};

static const sn_field light_key_fields[] = {
    KEY_AT,
    SN_ROW("direction", VECTOR, key_entry, first, "towards the light",
           .flag = SN_FLAG_AT(key_entry, has_first)),
    SN_ROW("strength", NUMBER, key_entry, value, "against the usual one", .range = SN_BETWEEN(0.0, 10.0))};

#define KEY_OBJECT(NAME, TEXT)                                                                               \
    static const sn_object NAME##_key_object = {.name = "key",                                               \
                                                .text = TEXT,                                                \
                                                .size = sizeof(key_entry),                                   \
                                                .defaults = key_defaults,                                    \
                                                .fields = NAME##_key_fields,                                 \
                                                .field_count = SN_COUNT(NAME##_key_fields)};                 \
    static const sn_object *const NAME##_key_objects[] = {&NAME##_key_object};                               \
    static const sn_family NAME##_key_family = {#NAME "_key", TEXT, NAME##_key_objects, 1}

KEY_OBJECT(body, "Where a body is at a time.");
KEY_OBJECT(anchor, "How far an anchor is moved at a time.");
KEY_OBJECT(joint, "Where a joint is driven at a time.");
KEY_OBJECT(wind, "The wind at a time.");
KEY_OBJECT(gravity, "Gravity at a time.");
KEY_OBJECT(camera, "Where a camera is at a time.");
KEY_OBJECT(light, "Where the light comes from at a time, and how strong it is.");

static const char *const path_names[] = {[SN_PATH_SMOOTH] = "smooth", [SN_PATH_LINEAR] = "linear"};
static const char *const drive_names[] = {
    [SN_DRIVE_POSITION] = "position", [SN_DRIVE_SPEED] = "speed", [SN_DRIVE_SPRING] = "spring"};

static void motion_defaults(void *target)
{
    ((motion_entry *)target)->gain = 10.0f;
}

#define KEYED(NAME)                                                                                          \
    SN_ROW("keys", NODE, motion_entry, keys, "values at times, which rise", .required = true, .list = true,  \
           .family = &NAME##_key_family),                                                                    \
        SN_ROW("path", CHOICE, motion_entry, path, "between the keys: smooth curves, or straight",           \
               .choices = path_names, .choice_count = 2),                                                    \
        SN_ROW("loop", FLAG, motion_entry, loop,                                                             \
               "after the last key it begins anew; the last should say what the first does"),                \
        SN_ROW("start", NUMBER, motion_entry, start, "time of the world at which its own clock shows 0",     \
               .unit = "s", .range = SN_BETWEEN(-1e7, 1e6))

static const sn_field body_fields[] = {
    SN_ROW("body", TEXT, motion_entry, body, "name of a kinematic body", .required = true), KEYED(body)};
static const sn_field anchor_fields[] = {
    SN_ROW("anchor", TEXT, motion_entry, anchor,
           "name of the anchor, or of several, that hold something at a place in the world",
           .required = true),
    KEYED(anchor)};
static const sn_field joint_fields[] = {
    SN_ROW("joint", TEXT, motion_entry, joint, "name of a hinge, slider or distance", .required = true),
    SN_ROW("drive", CHOICE, motion_entry, drive,
           "position: a servo, whose motor chases the value with its largest force or torque; speed: of the "
           "motor; spring: where the joint's spring is at rest. The length of a distance is set as it is",
           .choices = drive_names, .choice_count = 3),
    SN_ROW("gain", NUMBER, motion_entry, gain, "of a servo: speed by distance from the value", .unit = "1/s",
           .range = SN_BETWEEN(0.001, 1e4)),
    KEYED(joint)};
static const sn_field wind_fields[] = {KEYED(wind)};
static const sn_field gravity_fields[] = {KEYED(gravity)};
static const sn_field camera_fields[] = {
    SN_ROW("camera", TEXT, motion_entry, camera, "name of a camera", .required = true), KEYED(camera)};
static const sn_field light_fields[] = {KEYED(light)};
static const sn_field force_fields[] = {
    SN_ROW("body", TEXT, motion_entry, body, "name of a dynamic body", .required = true),
    SN_ROW("force", VECTOR, motion_entry, force, "force", .unit = "N"),
    SN_ROW("torque", VECTOR, motion_entry, torque, "torque", .unit = "N m"),
    SN_ROW("point", VECTOR, motion_entry, point, "where the force acts, in the body", .unit = "m"),
    SN_ROW("turns", FLAG, motion_entry, turns, "force and torque are in the body's axes, and turn with it"),
    SN_ROW("from", NUMBER, motion_entry, from, "time from which on it acts", .unit = "s",
           .range = SN_BETWEEN(-1e7, 1e6)),
    SN_ROW("until", NUMBER, motion_entry, until, "time until which it acts; default for ever", .unit = "s",
           .range = SN_BETWEEN(-1e7, 1e6), .flag = SN_FLAG_AT(motion_entry, has_until))};

static const sn_object motion_object = {.name = "motion",
                                        .text = "What moves by itself while the scene runs.",
                                        .size = sizeof(motion_entry),
                                        .defaults = motion_defaults};

#define MOTION_OBJECT(NAME, TEXT)                                                                            \
    static const sn_object NAME##_object = {.name = #NAME,                                                   \
                                            .text = TEXT,                                                    \
                                            .size = sizeof(motion_entry),                                    \
                                            .base = &motion_object,                                          \
                                            .tagged = true,                                                  \
                                            .fields = NAME##_fields,                                         \
                                            .field_count = SN_COUNT(NAME##_fields)}

MOTION_OBJECT(body, "A kinematic body goes where its keys say.");
MOTION_OBJECT(anchor, "Anchors that hold something at a place carry it away.");
MOTION_OBJECT(joint, "A joint is driven.");
MOTION_OBJECT(wind, "The wind changes.");
MOTION_OBJECT(gravity, "Gravity changes.");
MOTION_OBJECT(camera, "A camera travels.");
MOTION_OBJECT(light, "The light changes.");
MOTION_OBJECT(force, "A force acts on a body for some time.");

// In the order of sn_motion_type.
static const sn_object *const objects[] = {&body_object,    &anchor_object, &joint_object, &wind_object,
                                           &gravity_object, &camera_object, &light_object, &force_object};
static const sn_object *const key_objects[] = {&body_key_object, &anchor_key_object,  &joint_key_object,
                                               &wind_key_object, &gravity_key_object, &camera_key_object,
                                               &light_key_object};
static const sn_family family = {"motion", "What moves by itself while the scene runs.", objects,
                                 SN_COUNT(objects)};

// --- reading -----------------------------------------------------------------------------------------------

static sn_motion_type type_of(const sn_object *object)
{
    int type = 0;
    while (objects[type] != object) {
        ++type;
    }
    return (sn_motion_type)type;
}

static bool check_key(const sn_node *node, const sn_motion *motion, const key_entry *key, int index)
{
    const sn_keyframes *keyframes = &motion->keyframes;
    if (index > 0 && key->at <= keyframes->items.items[index - 1].at) {
        return sn_node_fail_key(node, "at", "%g s is not after the key before it, at %g s", (double)key->at,
                                (double)keyframes->items.items[index - 1].at);
    }
    if (motion->type == SN_MOTION_BODY && !key->has_first && !key->has_rotation) {
        return sn_node_fail(node, "says nothing, expected `position` or `rotation`");
    }
    if (motion->type == SN_MOTION_BODY && index > 0 &&
        (key->has_first != motion->has_first || key->has_rotation != motion->has_rotation)) {
        return sn_node_fail(node, "says other things than the first key: all keys of a motion say the same");
    }
    if (motion->type == SN_MOTION_LIGHT && index > 0 && key->has_first != motion->has_first) {
        return sn_node_fail(node, "says other things than the first key: all keys of a motion say the same");
    }
    if (motion->type == SN_MOTION_LIGHT && key->has_first && !(sn_length(key->first) > 0.0f)) {
        return sn_node_fail_key(node, "direction", "has no length, expected a direction");
    }
    if (motion->type == SN_MOTION_CAMERA && sn_length(sn_sub(key->first, key->second)) <= 0.0f) {
        return sn_node_fail_key(node, "target", "is where the eye is, expected another place");
    }
    return true;
}

static bool read_keys(sn_reader *reader, const motion_entry *entry, sn_motion *motion)
{
    int count = sn_node_count(&entry->keys);
    if (count < 1 || count > MOST_KEYS) {
        return sn_node_fail(&entry->keys, "has %d keys, expected 1 to %d", count, MOST_KEYS);
    }
    for (int i = 0; i < count; ++i) {
        sn_node node = sn_node_at(&entry->keys, i);
        key_entry key;
        if (!sn_object_read(&node, key_objects[motion->type], &key) || !check_key(&node, motion, &key, i)) {
            return false;
        }
        motion->has_first = key.has_first;
        motion->has_rotation = key.has_rotation;
        if (motion->type == SN_MOTION_JOINT) {
            key.first.x = key.value;
        }
        if (motion->type == SN_MOTION_LIGHT) {
            key.second.x = key.value;
        }
        sn_key kept = {key.at, key.first, key.second, sn_settled_rotation(key.rotation)};
        if (!SN_LIST_PUSH(&motion->keyframes.items, kept)) {
            return sn_reader_no_memory(reader);
        }
    }
    return true;
}

// A body that is moved begins where its keys say, if the scene has not begun yet.
static bool place_body(sn_reader *reader, const sn_node *node, const sn_motion *motion)
{
    sn_world *world = reader->scene->world;
    if (sn_world_step_count(world) > 0) {
        return true;
    }
    sn_key key = sn_keyframes_at(&motion->keyframes, sn_world_time(world));
    sn_pose now = sn_rigid_pose(world, motion->rigid);
    sn_pose pose = {motion->has_first ? key.first : now.position,
                    motion->has_rotation ? key.rotation : now.rotation};
    bool moved = sn_distance_between(pose.position, now.position) > 1e-6f ||
                 sn_abs(pose.rotation.x - now.rotation.x) + sn_abs(pose.rotation.y - now.rotation.y) +
                         sn_abs(pose.rotation.z - now.rotation.z) + sn_abs(pose.rotation.w - now.rotation.w) >
                     1e-6f;
    return !moved || sn_rigid_pose_set(world, motion->rigid, pose) == SN_OK ||
           sn_reader_world_failed(reader, node);
}

static bool find_body(sn_reader *reader, const sn_scope *scope, const sn_node *node,
                      const motion_entry *entry, sn_motion *motion)
{
    if (sn_reader_body(reader, scope, node, "body", entry->body, &motion->rigid) != SN_LOOKUP_FOUND) {
        return false;
    }
    sn_rigid_type wanted = motion->type == SN_MOTION_FORCE ? SN_DYNAMIC : SN_KINEMATIC;
    if (sn_rigid_get_type(reader->scene->world, motion->rigid) != wanted) {
        return sn_node_fail_key(node, "body", "\"%s\" is not %s, expected the name of a body that is",
                                entry->body, wanted == SN_DYNAMIC ? "dynamic" : "kinematic");
    }
    return true;
}

static bool find_joint(sn_reader *reader, const sn_scope *scope, const sn_node *node,
                       const motion_entry *entry, sn_motion *motion)
{
    const sn_world *world = reader->scene->world;
    if (sn_reader_joint(reader, scope, node, "joint", entry->joint, &motion->joint) != SN_LOOKUP_FOUND) {
        return false;
    }
    sn_constraint_kind kind = sn_constraint_get_kind(world, motion->joint);
    if (kind != SN_HINGE && kind != SN_SLIDER && kind != SN_DISTANCE) {
        return sn_node_fail_key(node, "joint", "\"%s\" is a %s, expected a hinge, slider or distance",
                                entry->joint, sn_constraint_kind_name(kind));
    }
    motion->drive = (sn_motion_drive)entry->drive;
    motion->gain = entry->gain;
    if (kind == SN_DISTANCE && motion->drive == SN_DRIVE_SPEED) {
        return sn_node_fail_key(node, "drive", "a distance has no motor, expected position or spring");
    }
    union {
        sn_hinge_def hinge;
        sn_slider_def slider;
        sn_distance_def distance;
    } def;
    (void)sn_constraint_def_get(world, motion->joint, &def);
    float stiffness = kind == SN_HINGE    ? def.hinge.spring_stiffness
                      : kind == SN_SLIDER ? def.slider.spring_stiffness
                                          : def.distance.spring_stiffness;
    if (motion->drive == SN_DRIVE_SPRING && !(stiffness > 0.0f)) {
        return sn_node_fail_key(node, "drive", "joint \"%s\" has no `spring` to drive", entry->joint);
    }
    return true;
}

static bool keep_ends(sn_motion *motion, const sn_world *world, sn_anchor anchor)
{
    sn_anchor_def def = sn_anchor_definition(world, anchor);
    if (def.name == NULL || strcmp(def.name, motion->name) != 0) {
        return true;
    }
    sn_vec3 offset = sn_keyframes_at(&motion->keyframes, sn_world_time(world)).first;
    const sn_point *ends[2] = {&def.a, &def.b};
    uint32_t ground = sn_world_ground(world).index;
    for (int end = 0; end < 2; ++end) {
        bool is_place = ends[end]->type == SN_POINT_WORLD ||
                        (ends[end]->type == SN_POINT_RIGID && ends[end]->rigid.index == ground);
        if (is_place) {
            sn_moved_end moved = {anchor, end, sn_sub(ends[end]->position, offset)};
            return SN_LIST_PUSH(&motion->ends, moved);
        }
    }
    return true;
}

// The anchors of a name that hold something at a place in the world.
static bool find_anchors(sn_reader *reader, const sn_node *node, const motion_entry *entry, sn_motion *motion)
{
    const sn_world *world = reader->scene->world;
    int count = sn_world_anchors(world, NULL, 0);
    sn_anchor *anchors = malloc(((size_t)count + 1) * sizeof *anchors);
    if (anchors == NULL) {
        return sn_reader_no_memory(reader);
    }
    sn_world_anchors(world, anchors, count);
    bool good = true;
    for (int i = 0; i < count && good; ++i) {
        good = keep_ends(motion, world, anchors[i]);
    }
    free(anchors);
    if (!good) {
        return sn_reader_no_memory(reader);
    }
    // One that has a mistake of its own is not there either.
    if (motion->ends.count == 0 && reader->mistakes.count > 0) {
        return false;
    }
    return motion->ends.count > 0 ||
           sn_node_fail_key(node, "anchor",
                            "no anchor called \"%s\" holds something at a place in the world, expected one",
                            entry->anchor);
}

static bool find_camera(const sn_reader *reader, const sn_node *node, const motion_entry *entry)
{
    const sn_scene *scene = reader->scene;
    for (int i = 0; i < scene->cameras.count; ++i) {
        const sn_camera_record *camera = &scene->cameras.items[i];
        if (strcmp(camera->name, entry->camera) == 0) {
            bool moves = camera->follow.generation != 0 || camera->follow_soft.generation != 0 ||
                         camera->orbit != 0.0f;
            return !moves ||
                   sn_node_fail_key(node, "camera", "\"%s\" follows or orbits already", entry->camera);
        }
    }
    return reader->mistakes.count == 0 &&
           sn_node_fail_key(node, "camera", "no camera is called \"%s\", expected the name of one",
                            entry->camera);
}

static bool keep_name(const sn_node *node, const char *key, const char *name, sn_motion *motion)
{
    if (strlen(name) > SN_MAX_NAME) {
        return sn_node_fail_key(node, key, "is longer than %d bytes, which no name is", SN_MAX_NAME);
    }
    snprintf(motion->name, sizeof motion->name, "%s", name);
    return true;
}

static bool read_force(const sn_node *node, const motion_entry *entry, sn_motion *motion)
{
    motion->force = entry->force;
    motion->torque = entry->torque;
    motion->point = entry->point;
    motion->turns = entry->turns;
    motion->from = (double)entry->from;
    motion->until = entry->has_until ? (double)entry->until : INFINITY;
    return motion->from < motion->until ||
           sn_node_fail_key(node, "until", "%g s is not after `from`, %g s", motion->until, motion->from);
}

static bool fill(sn_reader *reader, const sn_scope *scope, const sn_node *node, const motion_entry *entry,
                 sn_motion *motion)
{
    motion->keyframes.path = (sn_key_path)entry->path;
    motion->keyframes.loop = entry->loop;
    motion->keyframes.start = (double)entry->start;
    switch (motion->type) {
    case SN_MOTION_FORCE:
        return find_body(reader, scope, node, entry, motion) && read_force(node, entry, motion);
    case SN_MOTION_BODY:
        return find_body(reader, scope, node, entry, motion) && read_keys(reader, entry, motion) &&
               place_body(reader, node, motion);
    case SN_MOTION_JOINT:
        return find_joint(reader, scope, node, entry, motion) && read_keys(reader, entry, motion);
    case SN_MOTION_ANCHOR:
        return keep_name(node, "anchor", entry->anchor, motion) && read_keys(reader, entry, motion) &&
               find_anchors(reader, node, entry, motion);
    case SN_MOTION_CAMERA:
        return keep_name(node, "camera", entry->camera, motion) && find_camera(reader, node, entry) &&
               read_keys(reader, entry, motion);
    default:
        return read_keys(reader, entry, motion);
    }
}

static bool read(sn_reader *reader, const sn_scope *scope, const sn_node *node)
{
    motion_entry entry;
    const sn_object *object = sn_family_read(node, &family, &entry);
    if (object == NULL) {
        return false;
    }
    sn_motion motion = {.type = type_of(object)};
    if (!fill(reader, scope, node, &entry, &motion)) {
        sn_motion_release(&motion);
        return false;
    }
    if (!SN_LIST_PUSH(&reader->scene->motions, motion)) {
        sn_motion_release(&motion);
        return sn_reader_no_memory(reader);
    }
    sn_motions_look(reader->scene);
    return true;
}

// --- writing -----------------------------------------------------------------------------------------------

static json_t *write_keys(sn_writer *writer, const sn_motion *motion)
{
    json_t *list = json_array();
    for (int i = 0; i < motion->keyframes.items.count; ++i) {
        const sn_key *key = &motion->keyframes.items.items[i];
        key_entry entry = {.at = key->at,
                           .value = motion->type == SN_MOTION_LIGHT ? key->second.x : key->first.x,
                           .first = key->first,
                           .second = key->second,
                           .rotation = key->rotation,
                           .has_first = motion->has_first,
                           .has_rotation = motion->has_rotation};
        sn_writer_append(writer, list, sn_object_write(key_objects[motion->type], &entry));
    }
    return list;
}

static bool is_there(const sn_world *world, const sn_motion *motion)
{
    bool has_body = motion->type == SN_MOTION_BODY || motion->type == SN_MOTION_FORCE;
    bool lost_anchors = motion->type == SN_MOTION_ANCHOR;
    for (int i = 0; i < motion->ends.count; ++i) {
        lost_anchors = lost_anchors && !sn_anchor_is_valid(world, motion->ends.items[i].anchor);
    }
    return (!has_body || sn_rigid_is_valid(world, motion->rigid)) && !lost_anchors &&
           (motion->type != SN_MOTION_JOINT || sn_constraint_is_valid(world, motion->joint));
}

static json_t *write_motion(sn_writer *writer, const sn_motion *motion)
{
    double passed = writer->restarts ? sn_world_time(writer->scene->world) : 0.0;
    bool has_body = motion->type == SN_MOTION_BODY || motion->type == SN_MOTION_FORCE;
    motion_entry entry = {
        .body = has_body ? sn_writer_body_name(writer, motion->rigid) : NULL,
        .joint = motion->type == SN_MOTION_JOINT ? sn_writer_joint_name(writer, motion->joint) : NULL,
        .anchor = motion->name,
        .camera = motion->name,
        .path = (int)motion->keyframes.path,
        .drive = (int)motion->drive,
        .loop = motion->keyframes.loop,
        .start = (float)(motion->keyframes.start - passed),
        .gain = motion->gain,
        .force = motion->force,
        .torque = motion->torque,
        .point = motion->point,
        .turns = motion->turns,
        .from = (float)(motion->from - passed),
        .until = (float)(motion->until - passed),
        .has_until = isfinite(motion->until)};
    json_t *object = sn_object_write(objects[motion->type], &entry);
    if (motion->type != SN_MOTION_FORCE && object != NULL) {
        sn_writer_set(writer, object, "keys", write_keys(writer, motion));
    }
    return object;
}

// Motions of what is gone are not written.
static json_t *write(sn_writer *writer)
{
    const sn_scene *scene = writer->scene;
    json_t *list = json_array();
    for (int i = 0; i < scene->motions.count; ++i) {
        if (is_there(scene->world, &scene->motions.items[i])) {
            sn_writer_append(writer, list, write_motion(writer, &scene->motions.items[i]));
        }
    }
    return list;
}

const sn_section sn_section_motions = {.name = "motions",
                                       .text = "what moves by itself while the scene runs",
                                       .pass = SN_PASS_VIEWS,
                                       .family = &family,
                                       .read = read,
                                       .write = write};

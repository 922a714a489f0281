// glTF, the recording: every frame adds a key to the tracks of bodies and cameras. A body's mesh is the one
// it has when it is first seen; bodies that are not there yet or no more are scaled to nothing.
#include "scene/export_gltf.h"

#include "scene/message.h"
#include "scene/scene_parts.h"

#include <stdio.h>
#include <string.h>

static sn_status gltf_begin(sn_export *writer)
{
    writer->state = calloc(1, sizeof(sn_gltf_state));
    return writer->state != NULL ? SN_OK : sn_scene_fail(SN_ERROR_MEMORY, "export: no memory");
}

static void release_track(sn_gltf_track *track)
{
    SN_LIST_FREE(&track->positions);
    SN_LIST_FREE(&track->rotations);
}

static void gltf_release(sn_export *writer)
{
    sn_gltf_state *state = writer->state;
    if (state == NULL) {
        return;
    }
    for (int i = 0; i < state->bodies.count; ++i) {
        release_track(&state->bodies.items[i].track);
    }
    for (int i = 0; i < state->cameras.count; ++i) {
        release_track(&state->cameras.items[i].track);
    }
    sn_gltf_release_softs(state);
    SN_LIST_FREE(&state->times);
    SN_LIST_FREE(&state->bodies);
    SN_LIST_FREE(&state->body_at);
    SN_LIST_FREE(&state->cameras);
    SN_LIST_FREE(&state->geometries);
    SN_LIST_FREE(&state->geometry_at);
    SN_LIST_FREE(&state->materials);
    SN_LIST_FREE(&state->parts);
    SN_LIST_FREE(&state->meshes);
    sn_names_release(&state->material_names);
    sn_names_release(&state->mesh_names);
    free(state);
}

// --- tracks ------------------------------------------------------------------------------------------------

static bool equal_positions(sn_vec3 a, sn_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool equal_rotations(sn_quat a, sn_quat b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

// q or −q, the same rotation, whichever is nearer to the key before.
static sn_quat nearer_rotation(sn_quat q, sn_quat before)
{
    float dot = q.x * before.x + q.y * before.y + q.z * before.z + q.w * before.w;
    return dot < 0.0f ? (sn_quat){-q.x, -q.y, -q.z, -q.w} : q;
}

// Sets the key of a frame, which is the last there is or the one after it. A list stays empty as long as all
// its keys are the first; then these are made up for.
static bool put_position(sn_gltf_track *track, int frame, sn_vec3 position)
{
    if (track->positions.count == 0 && equal_positions(position, track->first.position)) {
        return true;
    }
    if (!SN_LIST_RESERVE(&track->positions, frame + 1)) {
        return false;
    }
    for (int i = track->positions.count; i < frame; ++i) {
        track->positions.items[i] = track->first.position;
    }
    track->positions.items[frame] = position;
    track->positions.count = frame + 1;
    return true;
}

static bool put_rotation(sn_gltf_track *track, int frame, sn_quat rotation)
{
    if (track->rotations.count == 0 && equal_rotations(rotation, track->first.rotation)) {
        return true;
    }
    if (!SN_LIST_RESERVE(&track->rotations, frame + 1)) {
        return false;
    }
    for (int i = track->rotations.count; i < frame; ++i) {
        track->rotations.items[i] = track->first.rotation;
    }
    sn_quat before = frame > 0 ? track->rotations.items[frame - 1] : track->first.rotation;
    track->rotations.items[frame] = nearer_rotation(rotation, before);
    track->rotations.count = frame + 1;
    return true;
}

static bool put_key(sn_gltf_track *track, int frame, sn_pose pose)
{
    return put_position(track, frame, pose.position) && put_rotation(track, frame, pose.rotation);
}

// A key like the last, for what is no longer there.
static bool repeat_key(sn_gltf_track *track, int frame)
{
    int positions = track->positions.count, rotations = track->rotations.count;
    return (positions == 0 || put_position(track, frame, track->positions.items[positions - 1])) &&
           (rotations == 0 || put_rotation(track, frame, track->rotations.items[rotations - 1]));
}

// --- meshes ------------------------------------------------------------------------------------------------

static int find_geometry(sn_gltf_state *state, int number)
{
    while (state->geometry_at.count <= number) {
        if (!SN_LIST_PUSH(&state->geometry_at, -1)) {
            return -1;
        }
    }
    int *at = &state->geometry_at.items[number];
    if (*at < 0 && SN_LIST_PUSH(&state->geometries, number)) {
        *at = state->geometries.count - 1;
    }
    return *at;
}

int sn_gltf_find_material(sn_gltf_state *state, sn_color color, float opacity, bool thin)
{
    char name[40];
    snprintf(name, sizeof name, "%06x %.4f%s", (unsigned)color, (double)opacity, thin ? " thin" : "");
    int found = sn_names_find(&state->material_names, name);
    if (found >= 0) {
        return found;
    }
    sn_gltf_material material = {color, opacity, thin};
    bool added = sn_names_add(&state->material_names, name, state->materials.count) &&
                 SN_LIST_PUSH(&state->materials, material);
    return added ? state->materials.count - 1 : -1;
}

// The parts of a body at the end of the list, not yet anybody's; false without memory.
static bool push_parts(const sn_export *writer, sn_gltf_state *state, const sn_export_body *body)
{
    for (int i = 0; i < body->piece_count; ++i) {
        const sn_export_piece *piece = &writer->pieces.items[body->first_piece + i];
        sn_gltf_part part = {find_geometry(state, piece->geometry),
                             sn_gltf_find_material(state, piece->color, 1.0f, piece->thin)};
        if (part.geometry < 0 || part.material < 0 || !SN_LIST_PUSH(&state->parts, part)) {
            return false;
        }
    }
    return true;
}

// The parts from `first` on as text; null without memory.
static char *describe_parts(const sn_gltf_state *state, int first)
{
    enum { PART_SIZE = 24 };
    size_t size = (size_t)(state->parts.count - first) * PART_SIZE + 1, used = 0;
    char *text = malloc(size);
    if (text != NULL) {
        text[0] = '\0';
        for (int i = first; i < state->parts.count; ++i) {
            const sn_gltf_part *part = &state->parts.items[i];
            used += (size_t)snprintf(text + used, size - used, "%d:%d ", part->geometry, part->material);
        }
    }
    return text;
}

// The mesh of a body's pieces, one for all bodies that have the same; −1 without memory.
static int find_mesh(const sn_export *writer, sn_gltf_state *state, const sn_export_body *body)
{
    int first = state->parts.count;
    char *text = push_parts(writer, state, body) ? describe_parts(state, first) : NULL;
    if (text == NULL) {
        return -1;
    }
    int found = sn_names_find(&state->mesh_names, text);
    if (found >= 0) {
        state->parts.count = first;
    } else {
        sn_gltf_mesh mesh = {first, state->parts.count - first};
        bool added =
            sn_names_add(&state->mesh_names, text, state->meshes.count) && SN_LIST_PUSH(&state->meshes, mesh);
        found = added ? state->meshes.count - 1 : -1;
    }
    free(text);
    return found;
}

// --- bodies ------------------------------------------------------------------------------------------------

static bool same_body(sn_rigid a, sn_rigid b)
{
    return a.index == b.index && a.generation == b.generation;
}

// The body's record, null if it is new.
static sn_gltf_body *find_body(const sn_gltf_state *state, sn_rigid rigid)
{
    int at = rigid.index < (uint32_t)state->body_at.count ? state->body_at.items[rigid.index] : -1;
    return at >= 0 && same_body(state->bodies.items[at].rigid, rigid) ? &state->bodies.items[at] : NULL;
}

static bool add_body(const sn_export *writer, sn_gltf_state *state, const sn_export_body *body, int frame)
{
    sn_gltf_body made = {.rigid = body->rigid,
                         .mesh = find_mesh(writer, state, body),
                         .appeared = frame,
                         .gone = -1,
                         .track = {.first = body->pose}};
    memcpy(made.name, body->name, sizeof made.name);
    while (state->body_at.count <= (int)body->rigid.index) {
        if (!SN_LIST_PUSH(&state->body_at, -1)) {
            return false;
        }
    }
    if (made.mesh < 0 || !SN_LIST_PUSH(&state->bodies, made)) {
        return false;
    }
    state->body_at.items[body->rigid.index] = state->bodies.count - 1;
    return true;
}

static bool record_bodies(const sn_export *writer, sn_gltf_state *state, int frame)
{
    int known = state->bodies.count;
    for (int i = 0; i < known; ++i) {
        sn_gltf_body *body = &state->bodies.items[i];
        body->gone = body->gone < 0 || body->gone == frame ? frame : body->gone;
    }
    for (int i = 0; i < writer->bodies.count; ++i) {
        const sn_export_body *present = &writer->bodies.items[i];
        sn_gltf_body *body = find_body(state, present->rigid);
        if (body == NULL && !add_body(writer, state, present, frame)) {
            return false;
        }
        if (body != NULL && !put_key(&body->track, frame, present->pose)) {
            return false;
        }
        if (body != NULL) {
            body->gone = -1;
        }
    }
    for (int i = 0; i < known; ++i) {
        sn_gltf_body *body = &state->bodies.items[i];
        if (body->gone >= 0 && !repeat_key(&body->track, frame)) {
            return false;
        }
    }
    return true;
}

// --- cameras -----------------------------------------------------------------------------------------------

// glTF's cameras look along −z with +y up.
static sn_pose camera_pose(const sn_camera *camera)
{
    sn_vec3 z = sn_normalize(sn_sub(camera->eye, camera->target));
    z = sn_length(z) > 0.0f ? z : sn_v(0.0f, 0.0f, 1.0f);
    sn_vec3 x = sn_normalize(sn_cross(camera->up, z));
    x = sn_length(x) > 0.0f ? x : sn_perpendicular(z);
    sn_mat3 axes = {x, sn_normalize(sn_cross(z, x)), z};
    return (sn_pose){camera->eye, sn_quat_from_mat3(axes)};
}

static bool record_camera(sn_gltf_state *state, int index, const sn_camera *camera, int frame)
{
    sn_pose pose = camera_pose(camera);
    if (index < state->cameras.count) {
        return put_key(&state->cameras.items[index].track, frame, pose);
    }
    sn_gltf_camera made = {.field_of_view = sn_clamp(camera->field_of_view, 0.01f, 3.0f),
                           .track = {.first = pose}};
    float distance = sn_distance_between(camera->eye, camera->target);
    made.nearest = sn_clamp(0.01f * distance, 1e-4f, 10.0f);
    snprintf(made.name, sizeof made.name, "%.*s", SN_MAX_NAME,
             camera->name[0] != '\0' ? camera->name : "overview");
    return SN_LIST_PUSH(&state->cameras, made);
}

// The scene's cameras, each frame as they are then; of a scene without any, the overview of the first frame.
// They are asked of a copy, for the scene remembers its overview when asked and is not the exporter's to
// change.
static sn_status record_cameras(const sn_export *writer, sn_gltf_state *state, int frame)
{
    sn_scene copy = *writer->scene;
    int named = sn_scene_camera_count(&copy), count = named > 0 ? named : state->cameras.count == 0;
    for (int i = 0; i < count; ++i) {
        sn_camera camera;
        sn_status status = sn_scene_camera(&copy, named > 0 ? sn_scene_camera_name(&copy, i) : NULL, &camera);
        if (status != SN_OK) {
            return status;
        }
        if (!record_camera(state, i, &camera, frame)) {
            return sn_scene_fail(SN_ERROR_MEMORY, "export: no memory for the cameras");
        }
    }
    return SN_OK;
}

// --- frames ------------------------------------------------------------------------------------------------

static sn_status gltf_frame(sn_export *writer)
{
    sn_gltf_state *state = writer->state;
    if (state->times.count == 0) {
        state->start = writer->time;
    }
    // Keys must be later than those before; a frame that is not takes the last one's place.
    float time = (float)(writer->time - state->start);
    bool later = state->times.count == 0 || time > state->times.items[state->times.count - 1];
    if (later && !SN_LIST_PUSH(&state->times, time)) {
        return sn_scene_fail(SN_ERROR_MEMORY, "export: no memory for the time of frame %d",
                             writer->frame_count);
    }
    int frame = state->times.count - 1;
    if (!record_bodies(writer, state, frame) || !sn_gltf_record_softs(writer, state, frame)) {
        return sn_scene_fail(SN_ERROR_MEMORY, "export: no memory for frame %d", writer->frame_count);
    }
    return record_cameras(writer, state, frame);
}

static sn_status gltf_end(sn_export *writer)
{
    if (!sn_gltf_finish_softs(writer->state)) {
        return sn_scene_fail(SN_ERROR_MEMORY, "export: no memory for the shapes of deformables");
    }
    return sn_gltf_write(writer, writer->state);
}

const sn_export_format_parts sn_export_gltf = {
    .opens = ".glb",
    .begin = gltf_begin,
    .frame = gltf_frame,
    .end = gltf_end,
    .release = gltf_release,
};

// glTF, the recording of deformables. A deformable is a mesh whose shapes at some frames are morph targets;
// between them it is interpolated. A frame becomes such a key when the way from the last key to the frame
// after it would miss one of those between: so one that rests costs nothing, however long.
#include "scene/export_gltf.h"

#include <string.h>

// Vertices may be off by so much of the size of the deformable.
static const float tolerance_part = 1.0e-3f;

enum { MOST_WAITING = 48 }; // looked at again with every frame

// --- interpolation -----------------------------------------------------------------------------------------

static float interpolation_error(const sn_gltf_soft *soft, const sn_gltf_shape *a, const sn_gltf_shape *b,
                                 const sn_gltf_shape *between, const float *times)
{
    float start = times[a->frame], end = times[b->frame];
    float share = (times[between->frame] - start) / (end - start), largest = 0.0f;
    for (int i = 0; i < soft->vertex_count; ++i) {
        sn_vec3 place = sn_lerp(a->vertices[i], b->vertices[i], share);
        largest = sn_max(largest, sn_length_squared(sn_sub(place, between->vertices[i])));
    }
    return sqrtf(largest);
}

// Whether all that wait lie on the way from the last key to a later shape.
static bool all_on_the_way(const sn_gltf_soft *soft, const sn_gltf_shape *next, const float *times)
{
    const sn_gltf_shape *last = &soft->keys.items[soft->keys.count - 1];
    if (soft->waiting.count >= MOST_WAITING) {
        return false;
    }
    for (int i = soft->waiting.count - 1; i >= 0; --i) {
        // What is not a number is not on the way.
        if (!(interpolation_error(soft, last, next, &soft->waiting.items[i], times) <= soft->tolerance)) {
            return false;
        }
    }
    return true;
}

// The last of those that wait becomes a key, the others are done with.
static bool make_key(sn_gltf_soft *soft)
{
    if (soft->waiting.count == 0) {
        return true;
    }
    sn_gltf_shape last = soft->waiting.items[soft->waiting.count - 1];
    if (!SN_LIST_PUSH(&soft->keys, last)) {
        return false;
    }
    for (int i = 0; i + 1 < soft->waiting.count; ++i) {
        free(soft->waiting.items[i].vertices);
    }
    soft->waiting.count = 0;
    return true;
}

// --- shapes ------------------------------------------------------------------------------------------------

static sn_vec3 *copy_vertices(const sn_skin *skin)
{
    size_t count = (size_t)skin->vertex_count;
    sn_vec3 *vertices = malloc((2 * count + 1) * sizeof *vertices);
    if (vertices != NULL) {
        memcpy(vertices, skin->positions, count * sizeof *vertices);
        memcpy(vertices + count, skin->normals, count * sizeof *vertices);
    }
    return vertices;
}

// A frame that is not later takes the place of the one before.
static bool replace_shape(sn_gltf_soft *soft, sn_gltf_shape shape)
{
    sn_gltf_shape_list *list = soft->waiting.count > 0 ? &soft->waiting : &soft->keys;
    sn_gltf_shape *last = &list->items[list->count - 1];
    if (last->frame != shape.frame) {
        return false;
    }
    free(last->vertices);
    *last = shape;
    return true;
}

static bool add_shape(sn_gltf_soft *soft, const sn_skin *skin, int frame, const float *times)
{
    sn_gltf_shape shape = {frame, copy_vertices(skin)};
    if (shape.vertices == NULL) {
        return false;
    }
    if (replace_shape(soft, shape)) {
        return true;
    }
    bool enough = all_on_the_way(soft, &shape, times) || make_key(soft);
    if (!enough || !SN_LIST_PUSH(&soft->waiting, shape)) {
        free(shape.vertices);
        return false;
    }
    return true;
}

// --- deformables -------------------------------------------------------------------------------------------

static void release_shapes(sn_gltf_shape_list *shapes)
{
    for (int i = 0; i < shapes->count; ++i) {
        free(shapes->items[i].vertices);
    }
    SN_LIST_FREE(shapes);
}

static void release_soft(sn_gltf_soft *soft)
{
    release_shapes(&soft->keys);
    release_shapes(&soft->waiting);
    free(soft->indices);
}

// A restored world may have another deformable of the same id.
static sn_gltf_soft *find_soft(const sn_gltf_state *state, const sn_export_soft *present)
{
    for (int i = 0; i < state->softs.count; ++i) {
        sn_gltf_soft *soft = &state->softs.items[i];
        if (soft->deformable.index == present->deformable.index &&
            soft->deformable.generation == present->deformable.generation &&
            soft->vertex_count == present->skin->vertex_count &&
            soft->triangle_count == present->skin->triangle_count) {
            return soft;
        }
    }
    return NULL;
}

static float size_of(const sn_skin *skin)
{
    sn_bounds bounds = {skin->positions[0], skin->positions[0]};
    for (int i = 1; i < skin->vertex_count; ++i) {
        bounds = sn_bounds_union(bounds, (sn_bounds){skin->positions[i], skin->positions[i]});
    }
    return sn_length(sn_sub(bounds.upper, bounds.lower));
}

static bool add_soft(sn_gltf_state *state, const sn_export_soft *soft, int frame)
{
    const sn_skin *skin = soft->skin;
    size_t bytes = (size_t)skin->triangle_count * 3 * sizeof(uint32_t);
    sn_gltf_soft made = {.deformable = soft->deformable,
                         .material = sn_gltf_find_material(state, soft->color, soft->opacity, !skin->closed),
                         .appeared = frame,
                         .gone = -1,
                         .indices = malloc(bytes + 1),
                         .vertex_count = skin->vertex_count,
                         .triangle_count = skin->triangle_count,
                         .tolerance = tolerance_part * size_of(skin)};
    memcpy(made.name, soft->name, sizeof made.name);
    sn_gltf_shape first = {frame, copy_vertices(skin)};
    bool enough = made.material >= 0 && made.indices != NULL && first.vertices != NULL;
    if (enough) {
        memcpy(made.indices, skin->indices, bytes);
    }
    if (!enough || !SN_LIST_PUSH(&made.keys, first)) {
        free(first.vertices);
        release_soft(&made);
        return false;
    }
    if (!SN_LIST_PUSH(&state->softs, made)) {
        release_soft(&made);
        return false;
    }
    return true;
}

bool sn_gltf_record_softs(const sn_export *writer, sn_gltf_state *state, int frame)
{
    for (int i = 0; i < state->softs.count; ++i) {
        sn_gltf_soft *soft = &state->softs.items[i];
        soft->gone = soft->gone < 0 || soft->gone == frame ? frame : soft->gone;
    }
    for (int i = 0; i < writer->softs.count; ++i) {
        const sn_export_soft *present = &writer->softs.items[i];
        sn_gltf_soft *soft = find_soft(state, present);
        if (soft == NULL ? !add_soft(state, present, frame)
                         : !add_shape(soft, present->skin, frame, state->times.items)) {
            return false;
        }
        if (soft != NULL) {
            soft->gone = -1;
        }
    }
    return true;
}

bool sn_gltf_finish_softs(sn_gltf_state *state)
{
    bool enough = true;
    for (int i = 0; i < state->softs.count; ++i) {
        sn_gltf_soft *soft = &state->softs.items[i];
        const sn_gltf_shape *key = &soft->keys.items[soft->keys.count - 1];
        bool rests = soft->waiting.count > 0 &&
                     memcmp(key->vertices, soft->waiting.items[soft->waiting.count - 1].vertices,
                            (size_t)soft->vertex_count * sizeof *key->vertices) == 0;
        enough = (rests || make_key(soft)) && enough;
    }
    return enough;
}

void sn_gltf_release_softs(sn_gltf_state *state)
{
    for (int i = 0; i < state->softs.count; ++i) {
        release_soft(&state->softs.items[i]);
    }
    SN_LIST_FREE(&state->softs);
}

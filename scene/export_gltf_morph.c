// glTF, the writing of deformables: a mesh in the shape of the first key, the other keys as morph targets,
// and an animation that gives each in turn the weight 1.
#include "scene/export_gltf_document.h"

// --- accessors ---------------------------------------------------------------------------------------------

// The way of a vertex from the first key: positions, then normals.
static sn_vec3 moved(const sn_gltf_soft *soft, int key, int vertex)
{
    return sn_sub(soft->keys.items[key].vertices[vertex], soft->keys.items[0].vertices[vertex]);
}

static json_t *normals_json(const sn_gltf_document *d, int count)
{
    return json_pack("{s:i, s:I, s:i, s:i, s:s}", "bufferView", VERTEX_VIEW, "byteOffset",
                     (json_int_t)d->vertex_bytes, "componentType", FLOATS, "count", count, "type", "VEC3");
}

static void add_base(sn_gltf_document *d, const sn_gltf_soft *soft)
{
    uint64_t bytes = 12 * (uint64_t)soft->vertex_count;
    bool narrow = soft->vertex_count <= SN_GLTF_MOST_SHORT;
    sn_gltf_append(d, d->accessors, sn_gltf_positions(d, soft->keys.items[0].vertices, soft->vertex_count));
    d->vertex_bytes += bytes;
    sn_gltf_append(d, d->accessors, normals_json(d, soft->vertex_count));
    d->vertex_bytes += bytes;
    sn_gltf_append(d, d->accessors,
                   json_pack("{s:i, s:I, s:i, s:i, s:s}", "bufferView", CORNER_VIEW, "byteOffset",
                             (json_int_t)d->corner_bytes, "componentType", narrow ? SHORTS : INTEGERS,
                             "count", 3 * soft->triangle_count, "type", "SCALAR"));
    uint64_t corner_bytes = (uint64_t)soft->triangle_count * (narrow ? 6 : 12);
    d->corner_bytes += (corner_bytes + 3) & ~(uint64_t)3;
}

static void add_targets(sn_gltf_document *d, const sn_gltf_soft *soft, sn_vec3 *scratch)
{
    for (int key = 1; key < soft->keys.count; ++key) {
        for (int i = 0; i < soft->vertex_count; ++i) {
            scratch[i] = moved(soft, key, i);
        }
        sn_gltf_append(d, d->accessors, sn_gltf_positions(d, scratch, soft->vertex_count));
        d->vertex_bytes += 12 * (uint64_t)soft->vertex_count;
        sn_gltf_append(d, d->accessors, normals_json(d, soft->vertex_count));
        d->vertex_bytes += 12 * (uint64_t)soft->vertex_count;
    }
}

// Of each deformable: positions, normals and corners; then positions and normals of each target.
void sn_gltf_add_soft_accessors(sn_gltf_document *d)
{
    d->first_soft_accessor = (int)json_array_size(d->accessors);
    for (int i = 0; i < d->state->softs.count; ++i) {
        const sn_gltf_soft *soft = &d->state->softs.items[i];
        sn_vec3 *scratch = malloc(((size_t)soft->vertex_count + 1) * sizeof *scratch);
        d->enough = d->enough && scratch != NULL;
        if (scratch != NULL) {
            add_base(d, soft);
            add_targets(d, soft, scratch);
        }
        free(scratch);
    }
}

// --- meshes and motion -------------------------------------------------------------------------------------

void sn_gltf_add_soft_meshes(sn_gltf_document *d, json_t *meshes)
{
    int accessor = d->first_soft_accessor;
    for (int i = 0; i < d->state->softs.count; ++i) {
        const sn_gltf_soft *soft = &d->state->softs.items[i];
        json_t *primitive =
            json_pack("{s:{s:i, s:i}, s:i, s:i}", "attributes", "POSITION", accessor, "NORMAL", accessor + 1,
                      "indices", accessor + 2, "material", soft->material);
        accessor += 3;
        if (soft->keys.count > 1) {
            json_t *targets = json_array();
            for (int key = 1; key < soft->keys.count; ++key, accessor += 2) {
                sn_gltf_append(d, targets,
                               json_pack("{s:i, s:i}", "POSITION", accessor, "NORMAL", accessor + 1));
            }
            sn_gltf_set(d, primitive, "targets", targets);
        }
        sn_gltf_append(d, meshes, json_pack("{s:[o]}", "primitives", primitive));
    }
}

// The times of the keys, and for each key the weights of all targets: one of its own, none of the first.
static float *make_weights(const sn_gltf_document *d, const sn_gltf_soft *soft)
{
    size_t keys = (size_t)soft->keys.count, targets = keys - 1;
    float *numbers = calloc(keys + keys * targets, sizeof *numbers);
    for (size_t key = 0; numbers != NULL && key < keys; ++key) {
        numbers[key] = d->state->times.items[soft->keys.items[key].frame];
        if (key > 0) {
            numbers[keys + key * targets + key - 1] = 1.0f;
        }
    }
    return numbers;
}

static void add_motion(sn_gltf_document *d, const sn_gltf_soft *soft, int node)
{
    int keys = soft->keys.count;
    // A count of numbers must fit the accessor's.
    bool fits = keys < 32768;
    float *numbers = fits ? make_weights(d, soft) : NULL;
    if (numbers == NULL || !SN_LIST_PUSH(&d->weights, numbers)) {
        free(numbers);
        d->enough = false;
        return;
    }
    int input = sn_gltf_add_times(d, numbers, keys);
    int output = sn_gltf_add_keys(d, numbers + keys, keys * (keys - 1), 1, "SCALAR");
    sn_gltf_add_channel(d, node, "weights", input, output, "LINEAR");
}

int sn_gltf_add_soft_node(sn_gltf_document *d, int index)
{
    const sn_gltf_soft *soft = &d->state->softs.items[index];
    int mesh = d->state->meshes.count + index;
    int node = sn_gltf_add_node(d, soft->name, sn_pose_identity, "mesh", mesh);
    if (soft->keys.count > 1) {
        add_motion(d, soft, node);
    }
    sn_gltf_add_visibility(d, soft->appeared, soft->gone, node);
    return node;
}

void sn_gltf_release_weights(sn_gltf_document *d)
{
    for (int i = 0; i < d->weights.count; ++i) {
        free(d->weights.items[i]);
    }
    SN_LIST_FREE(&d->weights);
}

// --- bytes -------------------------------------------------------------------------------------------------

void sn_gltf_write_soft_vertices(const sn_gltf_document *d, sn_output *o)
{
    for (int i = 0; i < d->state->softs.count; ++i) {
        const sn_gltf_soft *soft = &d->state->softs.items[i];
        for (int v = 0; v < 2 * soft->vertex_count; ++v) {
            sn_output_vec3(o, soft->keys.items[0].vertices[v]);
        }
        for (int key = 1; key < soft->keys.count; ++key) {
            for (int v = 0; v < 2 * soft->vertex_count; ++v) {
                sn_output_vec3(o, moved(soft, key, v));
            }
        }
    }
}

void sn_gltf_write_soft_corners(const sn_gltf_document *d, sn_output *o)
{
    for (int i = 0; i < d->state->softs.count; ++i) {
        const sn_gltf_soft *soft = &d->state->softs.items[i];
        sn_gltf_write_corners(o, soft->indices, soft->triangle_count, soft->vertex_count);
    }
}

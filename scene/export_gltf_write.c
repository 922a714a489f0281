// glTF, the writing: one .glb file of a JSON text and the bytes it speaks of. The bytes are three views one
// after the other: vertices, corners, keys. The JSON is made first, and with it the order of everything; the
// bytes follow in that order. Format: "glTF 2.0 specification", Khronos.
#include "scene/export_gltf_document.h"

#include "scene/message.h"

#include <math.h>
#include <string.h>

// --- small things ------------------------------------------------------------------------------------------

int sn_gltf_append(sn_gltf_document *d, json_t *list, json_t *item)
{
    d->enough = json_array_append_new(list, item) == 0 && d->enough;
    return (int)json_array_size(list) - 1;
}

void sn_gltf_set(sn_gltf_document *d, json_t *object, const char *key, json_t *value)
{
    d->enough = json_object_set_new(object, key, value) == 0 && d->enough;
}

// glTF has no empty lists.
static void set_list(sn_gltf_document *d, json_t *object, const char *key, json_t *list)
{
    if (json_array_size(list) > 0) {
        sn_gltf_set(d, object, key, list);
    } else {
        json_decref(list);
    }
}

json_t *sn_gltf_vector(sn_vec3 v)
{
    return json_pack("[f, f, f]", (double)v.x, (double)v.y, (double)v.z);
}

static json_t *rotation_json(sn_quat q)
{
    return json_pack("[f, f, f, f]", (double)q.x, (double)q.y, (double)q.z, (double)q.w);
}

// JSON is UTF-8; bytes of a name that is not become underscores.
static json_t *name_json(const char *name)
{
    json_t *json = json_string(name);
    if (json != NULL) {
        return json;
    }
    char plain[SN_MAX_NAME + 1];
    size_t length = strlen(name) < sizeof plain ? strlen(name) : sizeof plain - 1;
    for (size_t i = 0; i < length; ++i) {
        plain[i] = (unsigned char)name[i] < 128 ? name[i] : '_';
    }
    plain[length] = '\0';
    return json_string(plain);
}

// --- meshes ------------------------------------------------------------------------------------------------

static const sn_triangles *geometry(const sn_gltf_document *d, int index)
{
    return &d->writer->store.geometries.items[d->state->geometries.items[index]].triangles;
}

static bool short_corners(const sn_triangles *t)
{
    return t->vertex_count <= SN_GLTF_MOST_SHORT;
}

json_t *sn_gltf_positions(const sn_gltf_document *d, const sn_vec3 *positions, int count)
{
    sn_bounds bounds = {positions[0], positions[0]};
    for (int i = 1; i < count; ++i) {
        bounds = sn_bounds_union(bounds, (sn_bounds){positions[i], positions[i]});
    }
    return json_pack("{s:i, s:I, s:i, s:i, s:s, s:o, s:o}", "bufferView", VERTEX_VIEW, "byteOffset",
                     (json_int_t)d->vertex_bytes, "componentType", FLOATS, "count", count, "type", "VEC3",
                     "min", sn_gltf_vector(bounds.lower), "max", sn_gltf_vector(bounds.upper));
}

// Three accessors for each geometry: 3 i positions, 3 i + 1 normals, 3 i + 2 corners.
static void add_geometries(sn_gltf_document *d)
{
    for (int i = 0; i < d->state->geometries.count; ++i) {
        const sn_triangles *t = geometry(d, i);
        uint64_t bytes = 12 * (uint64_t)t->vertex_count;
        sn_gltf_append(d, d->accessors, sn_gltf_positions(d, t->positions, t->vertex_count));
        d->vertex_bytes += bytes;
        sn_gltf_append(d, d->accessors,
                       json_pack("{s:i, s:I, s:i, s:i, s:s}", "bufferView", VERTEX_VIEW, "byteOffset",
                                 (json_int_t)d->vertex_bytes, "componentType", FLOATS, "count",
                                 t->vertex_count, "type", "VEC3"));
        d->vertex_bytes += bytes;
        sn_gltf_append(d, d->accessors,
                       json_pack("{s:i, s:I, s:i, s:i, s:s}", "bufferView", CORNER_VIEW, "byteOffset",
                                 (json_int_t)d->corner_bytes, "componentType",
                                 short_corners(t) ? SHORTS : INTEGERS, "count", 3 * t->triangle_count, "type",
                                 "SCALAR"));
        uint64_t corner_bytes = (uint64_t)t->triangle_count * (short_corners(t) ? 6 : 12);
        d->corner_bytes += (corner_bytes + 3) & ~(uint64_t)3;
    }
}

static json_t *meshes_json(sn_gltf_document *d)
{
    json_t *meshes = json_array();
    for (int i = 0; i < d->state->meshes.count; ++i) {
        const sn_gltf_mesh *mesh = &d->state->meshes.items[i];
        json_t *primitives = json_array();
        for (int k = mesh->first_part; k < mesh->first_part + mesh->part_count; ++k) {
            const sn_gltf_part *part = &d->state->parts.items[k];
            sn_gltf_append(d, primitives,
                           json_pack("{s:{s:i, s:i}, s:i, s:i}", "attributes", "POSITION", 3 * part->geometry,
                                     "NORMAL", 3 * part->geometry + 1, "indices", 3 * part->geometry + 2,
                                     "material", part->material));
        }
        sn_gltf_append(d, meshes, json_pack("{s:o}", "primitives", primitives));
    }
    return meshes;
}

// glTF's colours are linear, the scene's are sRGB.
static double linear(unsigned byte)
{
    double value = byte / 255.0;
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static json_t *materials_json(sn_gltf_document *d)
{
    json_t *materials = json_array();
    for (int i = 0; i < d->state->materials.count; ++i) {
        sn_color color = d->state->materials.items[i].color;
        double opacity = (double)d->state->materials.items[i].opacity;
        char name[16];
        snprintf(name, sizeof name, "#%06x", (unsigned)color);
        json_t *material =
            json_pack("{s:s, s:{s:[f, f, f, f], s:f, s:f}}", "name", name, "pbrMetallicRoughness",
                      "baseColorFactor", linear(color >> 16 & 255), linear(color >> 8 & 255),
                      linear(color & 255), opacity, "metallicFactor", 0.0, "roughnessFactor", 0.7);
        if (opacity < 1.0) {
            sn_gltf_set(d, material, "alphaMode", json_string("BLEND"));
        }
        if (d->state->materials.items[i].thin) {
            sn_gltf_set(d, material, "doubleSided", json_true());
        }
        sn_gltf_append(d, materials, material);
    }
    return materials;
}

// --- motion ------------------------------------------------------------------------------------------------

int sn_gltf_add_keys(sn_gltf_document *d, const float *values, int count, int components, const char *type)
{
    sn_gltf_key_run run = {values, count * components};
    d->enough = SN_LIST_PUSH(&d->keys, run) && d->enough;
    json_t *accessor =
        json_pack("{s:i, s:I, s:i, s:i, s:s}", "bufferView", d->key_view, "byteOffset",
                  (json_int_t)d->key_bytes, "componentType", FLOATS, "count", count, "type", type);
    d->key_bytes += 4 * (uint64_t)count * (uint64_t)components;
    return sn_gltf_append(d, d->accessors, accessor);
}

int sn_gltf_add_times(sn_gltf_document *d, const float *times, int count)
{
    int index = sn_gltf_add_keys(d, times, count, 1, "SCALAR");
    json_t *accessor = json_array_get(d->accessors, (size_t)index);
    sn_gltf_set(d, accessor, "min", json_pack("[f]", (double)times[0]));
    sn_gltf_set(d, accessor, "max", json_pack("[f]", (double)times[count - 1]));
    return index;
}

void sn_gltf_add_channel(sn_gltf_document *d, int node, const char *path, int input, int output,
                         const char *interpolation)
{
    int sampler = sn_gltf_append(
        d, d->samplers,
        json_pack("{s:i, s:i, s:s}", "input", input, "output", output, "interpolation", interpolation));
    sn_gltf_append(
        d, d->channels,
        json_pack("{s:i, s:{s:i, s:s}}", "sampler", sampler, "target", "node", node, "path", path));
}

static int times_of_all(sn_gltf_document *d)
{
    if (d->times_accessor < 0) {
        d->times_accessor = sn_gltf_add_times(d, d->state->times.items, d->state->times.count);
    }
    return d->times_accessor;
}

static void add_track(sn_gltf_document *d, const sn_gltf_track *track, int node)
{
    if (track->positions.count > 0) {
        int input = times_of_all(d);
        int output = sn_gltf_add_keys(d, &track->positions.items[0].x, track->positions.count, 3, "VEC3");
        sn_gltf_add_channel(d, node, "translation", input, output, "LINEAR");
    }
    if (track->rotations.count > 0) {
        int input = times_of_all(d);
        int output = sn_gltf_add_keys(d, &track->rotations.items[0].x, track->rotations.count, 4, "VEC4");
        sn_gltf_add_channel(d, node, "rotation", input, output, "LINEAR");
    }
}

void sn_gltf_add_visibility(sn_gltf_document *d, int appeared, int gone, int node)
{
    int frames[3] = {0}, count = 1;
    if (appeared <= 0 && gone < 0) {
        return;
    }
    if (appeared > 0) {
        frames[count++] = appeared;
    }
    if (gone > appeared) {
        frames[count++] = gone;
    }
    float *times = d->visibility.items + d->visibility.count, *scales = times + count;
    d->visibility.count += 4 * count;
    for (int i = 0; i < count; ++i) {
        bool there = frames[i] >= appeared && (gone < 0 || frames[i] < gone);
        times[i] = d->state->times.items[frames[i]];
        for (int k = 0; k < 3; ++k) {
            scales[3 * i + k] = there ? 1.0f : 0.0f;
        }
    }
    int input = sn_gltf_add_times(d, times, count);
    sn_gltf_add_channel(d, node, "scale", input, sn_gltf_add_keys(d, scales, count, 3, "VEC3"), "STEP");
}

// --- nodes -------------------------------------------------------------------------------------------------

int sn_gltf_add_node(sn_gltf_document *d, const char *name, sn_pose pose, const char *what, int index)
{
    return sn_gltf_append(d, d->nodes,
                          json_pack("{s:o, s:i, s:o, s:o}", "name", name_json(name), what, index,
                                    "translation", sn_gltf_vector(pose.position), "rotation",
                                    rotation_json(pose.rotation)));
}

// One node above all turns the scene's up to glTF's, +y.
static void add_nodes(sn_gltf_document *d)
{
    const sn_gltf_state *state = d->state;
    sn_quat turn = sn_quat_between(sn_scene_up(d->writer->scene), sn_v(0.0f, 1.0f, 0.0f));
    json_t *children = json_array();
    sn_gltf_append(d, d->nodes, json_pack("{s:s, s:o}", "name", "world", "rotation", rotation_json(turn)));
    for (int i = 0; i < state->bodies.count; ++i) {
        const sn_gltf_body *body = &state->bodies.items[i];
        int node = sn_gltf_add_node(d, body->name, body->track.first, "mesh", body->mesh);
        sn_gltf_append(d, children, json_integer(node));
        add_track(d, &body->track, node);
        sn_gltf_add_visibility(d, body->appeared, body->gone, node);
    }
    for (int i = 0; i < state->softs.count; ++i) {
        sn_gltf_append(d, children, json_integer(sn_gltf_add_soft_node(d, i)));
    }
    for (int i = 0; i < state->cameras.count; ++i) {
        const sn_gltf_camera *camera = &state->cameras.items[i];
        int node = sn_gltf_add_node(d, camera->name, camera->track.first, "camera", i);
        sn_gltf_append(d, children, json_integer(node));
        add_track(d, &camera->track, node);
    }
    set_list(d, json_array_get(d->nodes, 0), "children", children);
}

static json_t *cameras_json(sn_gltf_document *d)
{
    json_t *cameras = json_array();
    for (int i = 0; i < d->state->cameras.count; ++i) {
        const sn_gltf_camera *camera = &d->state->cameras.items[i];
        sn_gltf_append(d, cameras,
                       json_pack("{s:s, s:{s:f, s:f}}", "type", "perspective", "perspective", "yfov",
                                 (double)camera->field_of_view, "znear", (double)camera->nearest));
    }
    return cameras;
}

// --- the whole ---------------------------------------------------------------------------------------------

static uint64_t total_bytes(const sn_gltf_document *d)
{
    return d->vertex_bytes + d->corner_bytes + d->key_bytes;
}

static json_t *views_json(sn_gltf_document *d)
{
    json_t *views = json_array();
    if (d->vertex_bytes > 0) {
        sn_gltf_append(d, views,
                       json_pack("{s:i, s:i, s:I, s:i, s:i}", "buffer", 0, "byteOffset", 0, "byteLength",
                                 (json_int_t)d->vertex_bytes, "byteStride", 12, "target", VERTEX_ARRAY));
        sn_gltf_append(d, views,
                       json_pack("{s:i, s:I, s:I, s:i}", "buffer", 0, "byteOffset",
                                 (json_int_t)d->vertex_bytes, "byteLength", (json_int_t)d->corner_bytes,
                                 "target", ELEMENT_ARRAY));
    }
    if (d->key_bytes > 0) {
        json_int_t before = (json_int_t)d->vertex_bytes + (json_int_t)d->corner_bytes;
        sn_gltf_append(d, views,
                       json_pack("{s:i, s:I, s:I}", "buffer", 0, "byteOffset", before, "byteLength",
                                 (json_int_t)d->key_bytes));
    }
    return views;
}

// The JSON text, to be freed with `free`; null without memory.
static char *make_json(sn_gltf_document *d)
{
    char generator[64];
    snprintf(generator, sizeof generator, "Sinew %s", sn_version());
    json_t *root = json_pack("{s:{s:s, s:s}, s:i, s:[{s:[i]}]}", "asset", "version", "2.0", "generator",
                             generator, "scene", 0, "scenes", "nodes", 0);
    add_geometries(d);
    sn_gltf_add_soft_accessors(d);
    add_nodes(d);
    json_t *meshes = meshes_json(d);
    sn_gltf_add_soft_meshes(d, meshes);
    set_list(d, root, "meshes", meshes);
    set_list(d, root, "materials", materials_json(d));
    set_list(d, root, "cameras", cameras_json(d));
    set_list(d, root, "bufferViews", views_json(d));
    if (total_bytes(d) > 0) {
        sn_gltf_set(d, root, "buffers", json_pack("[{s:I}]", "byteLength", (json_int_t)total_bytes(d)));
    }
    if (json_array_size(d->channels) > 0) {
        sn_gltf_set(
            d, root, "animations",
            json_pack("[{s:s, s:O, s:O}]", "name", "run", "samplers", d->samplers, "channels", d->channels));
    }
    set_list(d, root, "accessors", json_incref(d->accessors));
    set_list(d, root, "nodes", json_incref(d->nodes));
    char *text = d->enough ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    return text;
}

static void write_vertices(const sn_gltf_document *d, sn_output *o)
{
    for (int i = 0; i < d->state->geometries.count; ++i) {
        const sn_triangles *t = geometry(d, i);
        for (int v = 0; v < t->vertex_count; ++v) {
            sn_output_vec3(o, t->positions[v]);
        }
        for (int v = 0; v < t->vertex_count; ++v) {
            sn_output_vec3(o, t->normals[v]);
        }
    }
}

void sn_gltf_write_corners(sn_output *o, const uint32_t *indices, int triangle_count, int vertex_count)
{
    bool narrow = vertex_count <= SN_GLTF_MOST_SHORT;
    for (int k = 0; k < 3 * triangle_count; ++k) {
        if (narrow) {
            sn_output_u16(o, (uint16_t)indices[k]);
        } else {
            sn_output_u32(o, indices[k]);
        }
    }
    if (narrow && triangle_count % 2 != 0) {
        sn_output_u16(o, 0); // to a multiple of four bytes
    }
}

static void write_corners(const sn_gltf_document *d, sn_output *o)
{
    for (int i = 0; i < d->state->geometries.count; ++i) {
        const sn_triangles *t = geometry(d, i);
        sn_gltf_write_corners(o, t->indices, t->triangle_count, t->vertex_count);
    }
}

static void write_chunks(const sn_gltf_document *d, sn_output *o, const char *json)
{
    size_t length = strlen(json), padded = (length + 3) & ~(size_t)3;
    uint64_t bytes = total_bytes(d);
    sn_output_bytes(o, "glTF", 4);
    sn_output_u32(o, 2);
    sn_output_u32(o, (uint32_t)(20 + padded + (bytes > 0 ? 8 + bytes : 0)));
    sn_output_u32(o, (uint32_t)padded);
    sn_output_bytes(o, "JSON", 4);
    sn_output_bytes(o, json, length);
    sn_output_bytes(o, "   ", padded - length);
    if (bytes > 0) {
        sn_output_u32(o, (uint32_t)bytes);
        sn_output_bytes(o, "BIN\0", 4);
        write_vertices(d, o);
        sn_gltf_write_soft_vertices(d, o);
        write_corners(d, o);
        sn_gltf_write_soft_corners(d, o);
        for (int i = 0; i < d->keys.count; ++i) {
            for (int k = 0; k < d->keys.items[i].count; ++k) {
                sn_output_f32(o, d->keys.items[i].values[k]);
            }
        }
    }
}

static sn_status write_file(const sn_gltf_document *d, const char *json)
{
    if (json == NULL) {
        return sn_scene_fail(SN_ERROR_MEMORY, "export: no memory for the glTF of %d bodies",
                             d->state->bodies.count);
    }
    uint64_t bytes = total_bytes(d) + strlen(json) + 64;
    if (bytes > UINT32_MAX) {
        return sn_scene_fail(SN_ERROR_CAPACITY, "export: %llu bytes, expected at most %u in a .glb file",
                             (unsigned long long)bytes, UINT32_MAX);
    }
    char *path = sn_export_path(d->writer, ".glb");
    sn_output o = {0};
    sn_status status = sn_export_open(d->writer, path, &o);
    if (status != SN_OK) {
        return status;
    }
    write_chunks(d, &o, json);
    return sn_output_close(&o);
}

sn_status sn_gltf_write(const sn_export *writer, const sn_gltf_state *state)
{
    sn_gltf_document d = {.writer = writer,
                          .state = state,
                          .accessors = json_array(),
                          .nodes = json_array(),
                          .samplers = json_array(),
                          .channels = json_array(),
                          .key_view = state->geometries.count > 0 || state->softs.count > 0 ? 2 : 0,
                          .times_accessor = -1,
                          .enough = true};
    // All at once, for the runs of keys point into it.
    int64_t things = (int64_t)state->bodies.count + state->softs.count;
    bool room = things <= INT32_MAX / VISIBILITY_ROOM &&
                SN_LIST_RESERVE(&d.visibility, VISIBILITY_ROOM * (int)things);
    char *json = room ? make_json(&d) : NULL;
    sn_status status = write_file(&d, json);
    free(json);
    json_decref(d.accessors);
    json_decref(d.nodes);
    json_decref(d.samplers);
    json_decref(d.channels);
    SN_LIST_FREE(&d.keys);
    SN_LIST_FREE(&d.visibility);
    sn_gltf_release_weights(&d);
    return status;
}

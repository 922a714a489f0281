// The glTF file, read back: its chunks, every accessor within its view, shared meshes, and the run as keys.
#include "scene/export_kit.h"

#include <jansson.h>

static const sn_vec3 gravity = {0.0f, -9.81f, 0.0f};

typedef struct glb {
    export_file file;
    json_t *json;
    const char *bytes; // of the second chunk
    uint32_t size;
} glb;

static glb glb_read(const char *folder)
{
    glb g = {.file = file_read(folder, "run.glb")};
    const char *at = g.file.bytes;
    assert_memory_equal(at, "glTF", 4);
    assert_int_equal(read_u32(at + 4), 2);
    assert_int_equal(read_u32(at + 8), g.file.size);
    uint32_t length = read_u32(at + 12);
    assert_int_equal(length % 4, 0);
    assert_memory_equal(at + 16, "JSON", 4);
    json_error_t error;
    g.json = json_loadb(at + 20, length, 0, &error);
    assert_non_null(g.json);
    if (g.file.size > 20 + length) {
        g.size = read_u32(at + 20 + length);
        assert_int_equal(g.size % 4, 0);
        assert_memory_equal(at + 24 + length, "BIN\0", 4);
        g.bytes = at + 28 + length;
        assert_int_equal(28 + length + g.size, g.file.size);
    }
    return g;
}

static void glb_release(glb *g)
{
    json_decref(g->json);
    free(g->file.bytes);
}

// --- asking the JSON ---------------------------------------------------------------------------------------

static json_t *item(const glb *g, const char *list, json_int_t index)
{
    json_t *found = json_array_get(json_object_get(g->json, list), (size_t)index);
    assert_non_null(found);
    return found;
}

static size_t size_of(const glb *g, const char *list)
{
    return json_array_size(json_object_get(g->json, list));
}

static json_int_t integer(const json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    assert_true(value == NULL || json_is_integer(value));
    return json_integer_value(value);
}

static double number(const json_t *object, const char *key, size_t index)
{
    json_t *value = json_array_get(json_object_get(object, key), index);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static int components_of(const json_t *accessor)
{
    const char *type = json_string_value(json_object_get(accessor, "type"));
    return strcmp(type, "SCALAR") == 0 ? 1 : type[3] - '0';
}

static int value_size(const json_t *accessor)
{
    return integer(accessor, "componentType") == 5123 ? 2 : 4;
}

// The bytes of an accessor, after a check that they lie within its view and that within the buffer.
static const char *accessor_bytes(const glb *g, json_int_t index)
{
    const json_t *accessor = item(g, "accessors", index);
    const json_t *view = item(g, "bufferViews", integer(accessor, "bufferView"));
    json_int_t offset = integer(accessor, "byteOffset");
    json_int_t size = integer(accessor, "count") * components_of(accessor) * value_size(accessor);
    assert_true(size > 0);
    assert_int_equal((integer(view, "byteOffset") + offset) % value_size(accessor), 0);
    assert_true(offset + size <= integer(view, "byteLength"));
    assert_true(integer(view, "byteOffset") + integer(view, "byteLength") <= g->size);
    return g->bytes + integer(view, "byteOffset") + offset;
}

static json_int_t node_named(const glb *g, const char *name)
{
    for (size_t i = 0; i < size_of(g, "nodes"); ++i) {
        if (strcmp(json_string_value(json_object_get(item(g, "nodes", (json_int_t)i), "name")), name) == 0) {
            return (json_int_t)i;
        }
    }
    fail_msg("no node %s", name);
    return -1;
}

// The sampler that moves a node along a path, null if there is none.
static const json_t *sampler_of(const glb *g, json_int_t node, const char *path)
{
    const json_t *animation = json_array_get(json_object_get(g->json, "animations"), 0);
    const json_t *channels = json_object_get(animation, "channels");
    for (size_t i = 0; i < json_array_size(channels); ++i) {
        const json_t *channel = json_array_get(channels, i), *target = json_object_get(channel, "target");
        if (integer(target, "node") == node &&
            strcmp(json_string_value(json_object_get(target, "path")), path) == 0) {
            return json_array_get(json_object_get(animation, "samplers"),
                                  (size_t)integer(channel, "sampler"));
        }
    }
    return NULL;
}

// --- tests -------------------------------------------------------------------------------------------------

static void test_accessors_lie_in_their_views_and_tell_their_bounds(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    sn_export *writer = begin(&w, SN_EXPORT_GLTF, folder.path);
    for (int i = 0; i < 5; ++i) {
        frame(writer);
        step(&w, 3);
    }
    end(writer);
    glb g = glb_read(folder.path);
    assert_int_equal(integer(item(&g, "buffers", 0), "byteLength"), g.size);
    for (size_t i = 0; i < size_of(&g, "accessors"); ++i) {
        const json_t *accessor = item(&g, "accessors", (json_int_t)i);
        const char *bytes = accessor_bytes(&g, (json_int_t)i);
        int components = components_of(accessor);
        for (int c = 0; json_object_get(accessor, "min") != NULL && c < components; ++c) {
            float lower = read_f32(bytes + 4 * c), upper = lower;
            for (json_int_t k = 1; k < integer(accessor, "count"); ++k) {
                float value = read_f32(bytes + 4 * (k * components + c));
                lower = sn_min(lower, value);
                upper = sn_max(upper, value);
            }
            assert_true(number(accessor, "min", (size_t)c) == (double)lower);
            assert_true(number(accessor, "max", (size_t)c) == (double)upper);
        }
    }
    glb_release(&g);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_corners_name_vertices(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    sn_export *writer = begin(&w, SN_EXPORT_GLTF, folder.path);
    frame(writer);
    end(writer);
    glb g = glb_read(folder.path);
    for (size_t i = 0; i < size_of(&g, "meshes"); ++i) {
        const json_t *part =
            json_array_get(json_object_get(item(&g, "meshes", (json_int_t)i), "primitives"), 0);
        const json_t *attributes = json_object_get(part, "attributes");
        json_int_t vertices = integer(item(&g, "accessors", integer(attributes, "POSITION")), "count");
        assert_int_equal(vertices, integer(item(&g, "accessors", integer(attributes, "NORMAL")), "count"));
        const json_t *corners = item(&g, "accessors", integer(part, "indices"));
        const char *bytes = accessor_bytes(&g, integer(part, "indices"));
        assert_int_equal(value_size(corners), 2);
        for (json_int_t k = 0; k < integer(corners, "count"); ++k) {
            assert_true(read_u16(bytes + 2 * k) < (uint32_t)vertices);
        }
        assert_true((size_t)integer(part, "material") < size_of(&g, "materials"));
    }
    glb_release(&g);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_equal_shapes_share_their_vertices(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    for (int i = 0; i < 20; ++i) {
        ball_add(w.world, NULL, sn_v((float)i, 20.0f, 0.0f));
    }
    sn_export *writer = begin(&w, SN_EXPORT_GLTF, folder.path);
    frame(writer);
    end(writer);
    glb g = glb_read(folder.path);
    assert_int_equal(size_of(&g, "accessors"), 3 * 3); // plane, ball, box
    assert_int_equal(size_of(&g, "nodes"), 1 + 1 + 1 + 3 + 20 + 1);
    assert_in_range(size_of(&g, "meshes"), 4, 1 + 10 + 3);
    assert_null(json_object_get(g.json, "animations"));
    glb_release(&g);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_falling_ball_has_a_key_for_every_frame_and_the_ground_has_none(void **state)
{
    (void)state;
    enum { FRAMES = 8 };
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    assert_int_equal(sn_rigid_angular_velocity_set(w.world, w.ball, sn_v(0.0f, 20.0f, 0.0f)), SN_OK);
    step(&w, 7);
    sn_export *writer = begin(&w, SN_EXPORT_GLTF, folder.path);
    sn_pose poses[FRAMES];
    for (int i = 0; i < FRAMES; ++i) {
        poses[i] = sn_rigid_pose(w.world, w.ball);
        frame(writer);
        step(&w, 2);
    }
    end(writer);
    glb g = glb_read(folder.path);
    json_int_t ball = node_named(&g, "ball"), ground = node_named(&g, "ground");
    const json_t *moves = sampler_of(&g, ball, "translation"), *turns = sampler_of(&g, ball, "rotation");
    assert_non_null(moves);
    assert_non_null(turns);
    assert_null(sampler_of(&g, ball, "scale"));
    assert_null(sampler_of(&g, ground, "translation"));
    assert_null(sampler_of(&g, ground, "rotation"));
    assert_string_equal(json_string_value(json_object_get(moves, "interpolation")), "LINEAR");
    const char *times = accessor_bytes(&g, integer(moves, "input"));
    const char *positions = accessor_bytes(&g, integer(moves, "output"));
    const char *rotations = accessor_bytes(&g, integer(turns, "output"));
    assert_int_equal(integer(item(&g, "accessors", integer(moves, "input")), "count"), FRAMES);
    sn_quat last = poses[0].rotation;
    for (int i = 0; i < FRAMES; ++i) {
        assert_float_equal(read_f32(times + 4 * i), (float)i / 30.0f, 1e-5f);
        sn_vec3 position = read_vec3(positions + 12 * i);
        assert_memory_equal(&position, &poses[i].position, sizeof position);
        sn_quat q = {read_f32(rotations + 16 * i), read_f32(rotations + 16 * i + 4),
                     read_f32(rotations + 16 * i + 8), read_f32(rotations + 16 * i + 12)};
        sn_quat p = poses[i].rotation;
        assert_float_equal(sn_abs(q.x * p.x + q.y * p.y + q.z * p.z + q.w * p.w), 1.0f, 1e-5f);
        assert_true(q.x * last.x + q.y * last.y + q.z * last.z + q.w * last.w > 0.0f);
        last = q;
    }
    assert_float_equal(number(item(&g, "nodes", ball), "translation", 1), (double)poses[0].position.y, 1e-6);
    glb_release(&g);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_bodies_that_come_and_go_are_scaled_to_nothing(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    sn_export *writer = begin(&w, SN_EXPORT_GLTF, folder.path);
    sn_rigid brief = {0};
    for (int i = 0; i < 6; ++i) {
        if (i == 2) {
            brief = ball_add(w.world, "brief", sn_v(0.0f, 8.0f, 0.0f));
        }
        if (i == 4) {
            assert_int_equal(sn_rigid_remove(w.world, brief), SN_OK);
        }
        frame(writer);
        step(&w, 6);
    }
    end(writer);
    glb g = glb_read(folder.path);
    json_int_t node = node_named(&g, "brief");
    const json_t *scales = sampler_of(&g, node, "scale"), *moves = sampler_of(&g, node, "translation");
    assert_non_null(scales);
    assert_string_equal(json_string_value(json_object_get(scales, "interpolation")), "STEP");
    assert_int_equal(integer(item(&g, "accessors", integer(scales, "input")), "count"), 3);
    const char *times = accessor_bytes(&g, integer(scales, "input"));
    const char *values = accessor_bytes(&g, integer(scales, "output"));
    const float expected_times[3] = {0.0f, 0.2f, 0.4f}, expected_scales[3] = {0.0f, 1.0f, 0.0f};
    for (int i = 0; i < 3; ++i) {
        assert_float_equal(read_f32(times + 4 * i), expected_times[i], 1e-5f);
        assert_true(read_f32(values + 12 * i) == expected_scales[i]);
    }
    const char *positions = accessor_bytes(&g, integer(moves, "output"));
    assert_int_equal(integer(item(&g, "accessors", integer(moves, "output")), "count"), 6);
    assert_memory_equal(positions, positions + 2 * 12, 12);
    assert_memory_equal(positions + 3 * 12, positions + 5 * 12, 12);
    assert_true(read_f32(positions + 3 * 12 + 4) < 8.0f);
    glb_release(&g);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_frames_of_the_same_time_take_each_others_place(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    sn_export *writer = begin(&w, SN_EXPORT_GLTF, folder.path);
    frame(writer);
    step(&w, 6);
    frame(writer);
    sn_pose pose = {{7.0f, 7.0f, 7.0f}, sn_quat_identity};
    assert_int_equal(sn_rigid_pose_set(w.world, w.ball, pose), SN_OK);
    frame(writer);
    end(writer);
    glb g = glb_read(folder.path);
    const json_t *moves = sampler_of(&g, node_named(&g, "ball"), "translation");
    assert_int_equal(integer(item(&g, "accessors", integer(moves, "input")), "count"), 2);
    assert_true(read_f32(accessor_bytes(&g, integer(moves, "output")) + 12) == 7.0f);
    glb_release(&g);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_up_of_the_scene_is_turned_to_y_and_the_camera_looks_at_it(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(sn_v(0.0f, 0.0f, -9.81f));
    sn_export *writer = begin(&w, SN_EXPORT_GLTF, folder.path);
    frame(writer);
    end(writer);
    glb g = glb_read(folder.path);
    const json_t *root = item(&g, "nodes", 0);
    sn_quat turn = {(float)number(root, "rotation", 0), (float)number(root, "rotation", 1),
                    (float)number(root, "rotation", 2), (float)number(root, "rotation", 3)};
    assert_true(sn_distance_between(sn_rotate(turn, sn_v(0.0f, 0.0f, 1.0f)), sn_v(0.0f, 1.0f, 0.0f)) < 1e-6f);
    assert_int_equal(json_array_size(json_object_get(root, "children")), size_of(&g, "nodes") - 1);
    sn_camera camera;
    assert_int_equal(sn_scene_camera(w.scene, NULL, &camera), SN_OK);
    const json_t *node = item(&g, "nodes", node_named(&g, "overview"));
    sn_quat view = {(float)number(node, "rotation", 0), (float)number(node, "rotation", 1),
                    (float)number(node, "rotation", 2), (float)number(node, "rotation", 3)};
    sn_vec3 forward = sn_rotate(view, sn_v(0.0f, 0.0f, -1.0f)), up = sn_rotate(view, sn_v(0.0f, 1.0f, 0.0f));
    sn_vec3 expected = sn_normalize(sn_sub(camera.target, camera.eye));
    assert_true(sn_distance_between(forward, expected) < 1e-5f);
    assert_true(sn_dot(up, camera.up) > 0.5f);
    assert_float_equal(number(node, "translation", 2), (double)camera.eye.z, 1e-5);
    glb_release(&g);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_colours_are_linear_and_floors_are_seen_from_both_sides(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    sn_export *writer = begin(&w, SN_EXPORT_GLTF, folder.path);
    frame(writer);
    end(writer);
    glb g = glb_read(folder.path);
    const json_t *grey = item(&g, "materials", 0);
    assert_string_equal(json_string_value(json_object_get(grey, "name")), "#b8bcc2");
    assert_true(json_is_true(json_object_get(grey, "doubleSided")));
    assert_null(json_object_get(item(&g, "materials", 1), "doubleSided"));
    const json_t *surface = json_object_get(grey, "pbrMetallicRoughness");
    assert_float_equal(number(surface, "baseColorFactor", 0), 0.479320, 1e-5); // 184 of 255 in sRGB
    glb_release(&g);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_names_that_are_not_utf8_are_made_so(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    ball_add(w.world, "caf\xc3\xa9 \"1\"", sn_v(0.0f, 9.0f, 0.0f));
    ball_add(w.world, "caf\xe9\n", sn_v(0.0f, 9.0f, 0.0f));
    sn_export *writer = begin(&w, SN_EXPORT_GLTF, folder.path);
    frame(writer);
    end(writer);
    glb g = glb_read(folder.path);
    assert_true(node_named(&g, "caf\xc3\xa9 \"1\"") > 0);
    assert_true(node_named(&g, "caf__") > 0);
    glb_release(&g);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

// --- deformables -------------------------------------------------------------------------------------------

// Where a vertex of a deformable's mesh is at a time, as a viewer finds it.
static sn_vec3 played(const glb *g, json_int_t node, float time, int vertex)
{
    const json_t *mesh = item(g, "meshes", integer(item(g, "nodes", node), "mesh"));
    const json_t *part = json_array_get(json_object_get(mesh, "primitives"), 0);
    const json_t *targets = json_object_get(part, "targets"), *sampler = sampler_of(g, node, "weights");
    json_int_t base = integer(json_object_get(part, "attributes"), "POSITION");
    sn_vec3 place = read_vec3(accessor_bytes(g, base) + 12 * vertex);
    if (sampler == NULL) {
        return place;
    }
    size_t count = json_array_size(targets),
           keys = (size_t)integer(item(g, "accessors", integer(sampler, "input")), "count");
    const char *times = accessor_bytes(g, integer(sampler, "input"));
    const char *weights = accessor_bytes(g, integer(sampler, "output"));
    size_t after = 0;
    while (after < keys && read_f32(times + 4 * after) <= time) {
        ++after;
    }
    size_t before = after > 0 ? after - 1 : 0;
    after = after < keys ? after : keys - 1;
    float start = read_f32(times + 4 * before), end_time = read_f32(times + 4 * after);
    float share = end_time > start ? (time - start) / (end_time - start) : 0.0f;
    for (size_t i = 0; i < count; ++i) {
        float weight = (1.0f - share) * read_f32(weights + 4 * (before * count + i)) +
                       share * read_f32(weights + 4 * (after * count + i));
        json_int_t target = integer(json_array_get(targets, i), "POSITION");
        place = sn_add_scaled(place, weight, read_vec3(accessor_bytes(g, target) + 12 * vertex));
    }
    return place;
}

static void test_deformables_move_by_morph_targets(void **state)
{
    (void)state;
    enum { FRAMES = 40 };
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    export_softs softs = export_softs_add(w.world);
    uint32_t watched = sn_mesh_triangles(sn_deformable_mesh(w.world, softs.block))[0];
    sn_vec3 seen[FRAMES];
    sn_export *writer = begin(&w, SN_EXPORT_GLTF, folder.path);
    for (int i = 0; i < FRAMES; ++i) {
        seen[i] = sn_deformable_nodes(w.world, softs.block)[watched].position;
        frame(writer);
        step(&w, 2);
    }
    end(writer);
    glb g = glb_read(folder.path);
    json_int_t node = node_named(&g, "block");
    assert_non_null(sampler_of(&g, node, "weights"));
    for (int i = 0; i < FRAMES; ++i) {
        // Off by a thousandth of the size at most.
        sn_vec3 place = played(&g, node, (float)i / 30.0f, 0);
        assert_true(sn_distance_between(place, seen[i]) < 1.0e-3f);
    }
    assert_true(sn_distance_between(seen[0], seen[FRAMES - 1]) > 0.03f);
    // Every weight is that of a target; every target has as many vertices as the mesh.
    const json_t *mesh = item(&g, "meshes", integer(item(&g, "nodes", node), "mesh"));
    const json_t *part = json_array_get(json_object_get(mesh, "primitives"), 0);
    const json_t *targets = json_object_get(part, "targets"), *sampler = sampler_of(&g, node, "weights");
    assert_int_equal(integer(item(&g, "accessors", integer(sampler, "output")), "count"),
                     integer(item(&g, "accessors", integer(sampler, "input")), "count") *
                         (json_int_t)json_array_size(targets));
    for (size_t i = 0; i < json_array_size(targets); ++i) {
        const json_t *target = json_array_get(targets, i);
        assert_int_equal(integer(item(&g, "accessors", integer(target, "POSITION")), "count"), 54);
        assert_int_equal(integer(item(&g, "accessors", integer(target, "NORMAL")), "count"), 54);
        accessor_bytes(&g, integer(target, "NORMAL"));
    }
    glb_release(&g);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_deformables_that_rest_need_no_targets(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(sn_v(0.0f, -1e-9f, 0.0f));
    export_softs_add(w.world);
    sn_export *writer = begin(&w, SN_EXPORT_GLTF, folder.path);
    for (int i = 0; i < 10; ++i) {
        frame(writer);
        step(&w, 1);
    }
    end(writer);
    glb g = glb_read(folder.path);
    json_int_t node = node_named(&g, "sheet");
    const json_t *mesh = item(&g, "meshes", integer(item(&g, "nodes", node), "mesh"));
    const json_t *part = json_array_get(json_object_get(mesh, "primitives"), 0);
    assert_true(json_array_size(json_object_get(part, "targets")) <= 1);
    assert_true(
        json_is_true(json_object_get(item(&g, "materials", integer(part, "material")), "doubleSided")));
    glb_release(&g);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_deformables_that_come_and_go_are_scaled_to_nothing(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    sn_export *writer = begin(&w, SN_EXPORT_GLTF, folder.path);
    frame(writer);
    step(&w, 1);
    export_softs softs = export_softs_add(w.world);
    frame(writer);
    frame(writer);
    step(&w, 1);
    assert_int_equal(sn_deformable_remove(w.world, softs.block), SN_OK);
    frame(writer);
    step(&w, 1);
    frame(writer);
    end(writer);
    glb g = glb_read(folder.path);
    const char *names[2] = {"sheet", "block"};
    for (int i = 0; i < 2; ++i) {
        const json_t *sampler = sampler_of(&g, node_named(&g, names[i]), "scale");
        assert_non_null(sampler);
        const char *scales = accessor_bytes(&g, integer(sampler, "output"));
        assert_int_equal(integer(item(&g, "accessors", integer(sampler, "input")), "count"), 2 + i);
        assert_float_equal(read_f32(scales), 0.0f, 0.0f);
        assert_float_equal(read_f32(scales + 12), 1.0f, 0.0f);
    }
    glb_release(&g);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accessors_lie_in_their_views_and_tell_their_bounds),
        cmocka_unit_test(test_corners_name_vertices),
        cmocka_unit_test(test_equal_shapes_share_their_vertices),
        cmocka_unit_test(test_falling_ball_has_a_key_for_every_frame_and_the_ground_has_none),
        cmocka_unit_test(test_bodies_that_come_and_go_are_scaled_to_nothing),
        cmocka_unit_test(test_frames_of_the_same_time_take_each_others_place),
        cmocka_unit_test(test_up_of_the_scene_is_turned_to_y_and_the_camera_looks_at_it),
        cmocka_unit_test(test_colours_are_linear_and_floors_are_seen_from_both_sides),
        cmocka_unit_test(test_names_that_are_not_utf8_are_made_so),
        cmocka_unit_test(test_deformables_move_by_morph_targets),
        cmocka_unit_test(test_deformables_that_rest_need_no_targets),
        cmocka_unit_test(test_deformables_that_come_and_go_are_scaled_to_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

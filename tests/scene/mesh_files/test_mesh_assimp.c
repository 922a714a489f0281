// Formats of assimp, where it is built in: joined corners, transforms of nodes, refusals.
#include "scene/mesh_kit.h"

static void skip_without_assimp(void)
{
    if (!sn_assimp_knows(".ply")) {
        skip();
    }
}

static sn_status read_text(const char *name, const char *text, sn_mesh_data *data)
{
    mesh_folder folder = mesh_folder_make();
    mesh_path path = mesh_path_in(&folder, name);
    write_text(path.text, text);
    sn_status status = sn_mesh_file_read(path.text, data);
    mesh_folder_remove(&folder);
    return status;
}

static void test_polygons_come_as_triangles_and_equal_corners_as_one(void **state)
{
    (void)state;
    skip_without_assimp();
    sn_mesh_data data;
    assert_int_equal(read_text("a.ply",
                               "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\n"
                               "property float z\nelement face 2\nproperty list uchar int vertex_indices\n"
                               "end_header\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n1 0 0\n2 0 0\n2 1 0\n1 1 0\n"
                               "4 0 1 2 3\n4 4 5 6 7\n",
                               &data),
                     SN_OK);
    check_promises(&data);
    assert_int_equal(data.node_count, 6);
    assert_int_equal(data.triangle_count, 4);
    sn_vec3 area = {0};
    for (int i = 0; i < 4; ++i) {
        const uint32_t *t = data.triangles + 3 * i;
        sn_vec3 a = data.nodes[t[0]];
        area = sn_add(area, sn_cross(sn_sub(data.nodes[t[1]], a), sn_sub(data.nodes[t[2]], a)));
    }
    assert_true(area.x == 0.0f && area.y == 0.0f && area.z == 4.0f);
    sn_mesh_data_release(&data);
}

enum { POINTS = 0, LINE_STRIP = 3, TRIANGLES = 4 };

// Three corners in the plane z = 0, put together as `mode` says and placed by `nodes`.
static sn_status read_gltf(int mode, const char *nodes, sn_mesh_data *data)
{
    char text[2048];
    snprintf(text, sizeof text,
             "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[%s],"
             "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1,\"mode\":%d}]}],"
             "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
             "\"min\":[0,0,0],\"max\":[1,1,0]},"
             "{\"bufferView\":1,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}],"
             "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":36},"
             "{\"buffer\":0,\"byteOffset\":36,\"byteLength\":6}],"
             "\"buffers\":[{\"byteLength\":44,\"uri\":\"data:application/octet-stream;base64,"
             "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIAAAA=\"}]}",
             nodes, mode);
    return read_text("a.gltf", text, data);
}

static void check_triangle(const sn_mesh_data *data, int number, sn_vec3 a, sn_vec3 b, sn_vec3 c)
{
    const sn_vec3 expected[3] = {a, b, c};
    for (int i = 0; i < 3; ++i) {
        sn_vec3 found = data->nodes[data->triangles[3 * number + i]];
        assert_true(sn_distance_between(found, expected[i]) <= 1e-6f);
    }
}

static void test_nodes_place_their_meshes(void **state)
{
    (void)state;
    skip_without_assimp();
    sn_mesh_data data;
    // Twice the size and moved, then again moved within that.
    assert_int_equal(read_gltf(TRIANGLES,
                               "{\"mesh\":0,\"scale\":[2,2,2],\"translation\":[10,0,0],\"children\":[1]},"
                               "{\"mesh\":0,\"translation\":[0,5,0]}",
                               &data),
                     SN_OK);
    check_promises(&data);
    assert_int_equal(data.triangle_count, 2);
    check_triangle(&data, 0, sn_v(10, 0, 0), sn_v(12, 0, 0), sn_v(10, 2, 0));
    check_triangle(&data, 1, sn_v(10, 10, 0), sn_v(12, 10, 0), sn_v(10, 12, 0));
    sn_mesh_data_release(&data);
}

static void test_mirrored_triangles_keep_their_outside(void **state)
{
    (void)state;
    skip_without_assimp();
    sn_mesh_data data;
    assert_int_equal(read_gltf(TRIANGLES, "{\"mesh\":0,\"scale\":[-1,1,1]}", &data), SN_OK);
    assert_int_equal(data.triangle_count, 1);
    check_triangle(&data, 0, sn_v(0, 0, 0), sn_v(0, 1, 0), sn_v(-1, 0, 0));
    sn_mesh_data_release(&data);
}

static void test_lines_become_edges_and_points_nodes(void **state)
{
    (void)state;
    skip_without_assimp();
    sn_mesh_data data;
    assert_int_equal(read_gltf(LINE_STRIP, "{\"mesh\":0}", &data), SN_OK);
    static const uint32_t edges[] = {0, 1, 1, 2};
    check_indices(data.edges, data.edge_count, edges, 2, 2);
    assert_int_equal(data.triangle_count, 0);
    sn_mesh_data_release(&data);
    assert_int_equal(read_gltf(POINTS, "{\"mesh\":0}", &data), SN_OK);
    assert_int_equal(data.node_count, 3);
    assert_int_equal(data.edge_count + data.triangle_count, 0);
    sn_mesh_data_release(&data);
}

static void test_hostile_files_are_refused(void **state)
{
    (void)state;
    skip_without_assimp();
    static const struct {
        const char *name, *text;
    } files[] = {
        {"a.ply", ""},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex 3\nend_header\n"},
        {"a.off", "OFF\n1000000 1 0\n"},
        {"a.gltf", "{"},
        {"a.gltf", "{\"asset\":{\"version\":\"2.0\"}}"},
        {"a.dae", "<?xml version=\"1.0\"?><COLLADA>"},
    };
    for (size_t i = 0; i < COUNT_OF(files); ++i) {
        sn_mesh_data data;
        assert_int_equal(read_text(files[i].name, files[i].text, &data), SN_ERROR_FORMAT);
        assert_non_null(strstr(sn_scene_error(), files[i].name));
        check_empty(&data);
    }
    sn_mesh_data data;
    assert_int_equal(read_gltf(TRIANGLES, "{\"mesh\":0,\"scale\":[1e7,1,1]}", &data), SN_ERROR_FORMAT);
    assert_non_null(strstr(sn_scene_error(), "a vertex at 10000000 0 0, expected -1000000 to 1000000"));
    assert_int_equal(sn_mesh_file_read("/nowhere/a.ply", &data), SN_ERROR_FILE);
    assert_non_null(strstr(sn_scene_error(), "/nowhere/a.ply: cannot be read: "));
}

static void test_every_ending_that_is_told_can_be_read(void **state)
{
    (void)state;
    char endings[512];
    snprintf(endings, sizeof endings, "%s", sn_mesh_file_endings(false));
    for (char *ending = strtok(endings, " "); ending != NULL; ending = strtok(NULL, " ")) {
        char path[64];
        snprintf(path, sizeof path, "/nowhere/a%s", ending);
        sn_mesh_data data;
        assert_int_equal(sn_mesh_file_read(path, &data), SN_ERROR_FILE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polygons_come_as_triangles_and_equal_corners_as_one),
        cmocka_unit_test(test_nodes_place_their_meshes),
        cmocka_unit_test(test_mirrored_triangles_keep_their_outside),
        cmocka_unit_test(test_lines_become_edges_and_points_nodes),
        cmocka_unit_test(test_hostile_files_are_refused),
        cmocka_unit_test(test_every_ending_that_is_told_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The OBJ files, read back: as text, and as a mesh.
#include "scene/export_kit.h"
#include "sinew_scene/mesh_file.h"

static const sn_vec3 gravity = {0.0f, -9.81f, 0.0f};

static void test_every_body_is_an_object_with_its_name(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    ball_add(w.world, "a b\tc", sn_v(9.0f, 9.0f, 9.0f));
    body_add(w.world, "no shape", sn_v(0.0f, 9.0f, 0.0f));
    sn_export *writer = begin(&w, SN_EXPORT_OBJ, folder.path);
    frame(writer);
    end(writer);
    export_file file = file_read(folder.path, "run_0000.obj");
    assert_int_equal(count_of(file.bytes, "\no "), 6);
    const char *names[] = {"\no ground\n", "\no ball\n", "\no a_b_c\n", "\nmtllib run.mtl\n"};
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(count_of(file.bytes, names[i]), 1);
    }
    for (int i = 0; i < 3; ++i) {
        char name[32];
        snprintf(name, sizeof name, "\no body_%u\n", (unsigned)w.boxes[i].index);
        assert_int_equal(count_of(file.bytes, name), 1);
    }
    free(file.bytes);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_faces_name_vertices_and_normals_that_exist(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    sn_export *writer = begin(&w, SN_EXPORT_OBJ, folder.path);
    step(&w, 10);
    frame(writer);
    end(writer);
    export_file file = file_read(folder.path, "run_0000.obj");
    int vertices = count_of(file.bytes, "\nv "), normals = count_of(file.bytes, "\nvn ");
    assert_int_equal(vertices, normals);
    assert_int_equal(count_of(file.bytes, "\nf "), 2 + 3 * 12 + 32 * 2 + 32 * 14 * 2);
    int seen = 0;
    for (const char *line = file.bytes; *line != '\0'; line = strchr(line, '\n') + 1) {
        int corner[3], normal[3];
        seen += strncmp(line, "v ", 2) == 0;
        if (sscanf(line, "f %d//%d %d//%d %d//%d", &corner[0], &normal[0], &corner[1], &normal[1], &corner[2],
                   &normal[2]) == 6) {
            for (int k = 0; k < 3; ++k) {
                assert_in_range(corner[k], 1, seen);
                assert_int_equal(corner[k], normal[k]);
            }
        }
    }
    free(file.bytes);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_materials_have_the_colours_of_all_frames(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    sn_export *writer = begin(&w, SN_EXPORT_OBJ, folder.path);
    frame(writer);
    assert_int_equal(sn_rigid_type_set(w.world, w.ball, SN_STATIC), SN_OK);
    frame(writer);
    end(writer);
    export_file materials = file_read(folder.path, "run.mtl");
    assert_int_equal(count_of(materials.bytes, "newmtl "), 5);
    const char *names[] = {"run_0000.obj", "run_0001.obj"};
    for (int i = 0; i < 2; ++i) {
        export_file file = file_read(folder.path, names[i]);
        for (const char *at = file.bytes; (at = strstr(at, "usemtl ")) != NULL; at += 7) {
            char line[64];
            snprintf(line, sizeof line, "newmtl %.12s\n", at + 7);
            assert_int_equal(count_of(materials.bytes, line), 1);
        }
        free(file.bytes);
    }
    const char *grey = strstr(materials.bytes, "newmtl color_b8bcc2\n");
    assert_non_null(grey);
    float rgb[3];
    assert_int_equal(sscanf(grey, "newmtl color_b8bcc2\nKd %f %f %f\n", &rgb[0], &rgb[1], &rgb[2]), 3);
    for (int i = 0; i < 3; ++i) {
        assert_float_equal(rgb[i], (float)(0xb8bcc2 >> (16 - 8 * i) & 255) / 255.0f, 1e-6f);
    }
    free(materials.bytes);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_mesh_reader_finds_the_ball_where_it_was(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    sn_export *writer = begin(&w, SN_EXPORT_OBJ, folder.path);
    step(&w, 25);
    sn_vec3 position = sn_rigid_position(w.world, w.ball);
    frame(writer);
    char path[256];
    assert_int_equal(sn_export_end(writer, path, sizeof path), SN_OK);
    sn_mesh_data mesh = {0};
    assert_int_equal(sn_mesh_file_read(path, &mesh), SN_OK);
    assert_int_equal(mesh.triangle_count, 2 + 3 * 12 + 32 * 2 + 32 * 14 * 2);
    int near = 0;
    for (int i = 0; i < mesh.node_count; ++i) {
        float distance = sn_distance_between(mesh.nodes[i], position);
        assert_true(distance > 0.2499f);
        near += distance < 0.2501f;
    }
    assert_int_equal(near, 2 + 32 * 15);
    sn_mesh_data_release(&mesh);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_deformables_are_objects_where_their_nodes_are(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    export_softs softs = export_softs_add(w.world);
    sn_export *writer = begin(&w, SN_EXPORT_OBJ, folder.path);
    frame(writer);
    step(&w, 20);
    frame(writer);
    end(writer);
    export_file file = file_read(folder.path, "run_0001.obj");
    char name[32];
    snprintf(name, sizeof name, "\no deformable_%u\n", (unsigned)softs.strand.index);
    assert_int_equal(count_of(file.bytes, name), 1);
    assert_int_equal(count_of(file.bytes, "\no block\n"), 1);
    const char *at = strstr(file.bytes, "\no sheet\n");
    assert_non_null(at);
    // The vertices of the sheet are its nodes, in the order its triangles first name them.
    const uint32_t *triangles = sn_mesh_triangles(sn_deformable_mesh(w.world, softs.sheet));
    const sn_node_state *nodes = sn_deformable_nodes(w.world, softs.sheet);
    sn_vec3 first;
    assert_int_equal(sscanf(at, "\no sheet\nv %f %f %f", &first.x, &first.y, &first.z), 3);
    assert_float_equal(sn_distance_between(first, nodes[triangles[0]].position), 0.0f, 1e-5f);
    int seen = 0;
    for (const char *line = file.bytes; *line != '\0'; line = strchr(line, '\n') + 1) {
        int a, b, c, unused;
        seen += strncmp(line, "v ", 2) == 0;
        if (sscanf(line, "f %d//%d %d//%d %d", &a, &unused, &b, &unused, &c) == 5) {
            assert_true(a >= 1 && a <= seen && b >= 1 && b <= seen && c >= 1 && c <= seen);
        }
    }
    free(file.bytes);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_body_is_an_object_with_its_name),
        cmocka_unit_test(test_faces_name_vertices_and_normals_that_exist),
        cmocka_unit_test(test_materials_have_the_colours_of_all_frames),
        cmocka_unit_test(test_mesh_reader_finds_the_ball_where_it_was),
        cmocka_unit_test(test_deformables_are_objects_where_their_nodes_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Mesh files by their endings: which format, what is refused before a file is touched, and failures of the
// disk.
#include "scene/mesh_kit.h"

#include <math.h>

static void test_endings_choose_the_format_in_any_case(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
    } files[] = {
        {"a.OBJ", "v 1 2 3\n"},
        {"b.tar.Vtk", "# vtk DataFile Version 3.0\n\nASCII\nDATASET POLYDATA\nPOINTS 1 float\n1 2 3\n"},
        {"c.mSh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 1 2 3\n$EndNodes\n"}};
    mesh_folder folder = mesh_folder_make();
    for (size_t i = 0; i < COUNT_OF(files); ++i) {
        mesh_path path = mesh_path_in(&folder, files[i].name);
        write_text(path.text, files[i].text);
        sn_mesh_data data;
        assert_int_equal(sn_mesh_file_read(path.text, &data), SN_OK);
        assert_int_equal(data.node_count, 1);
        assert_true(data.nodes[0].z == 3.0f);
        sn_mesh_data_release(&data);
    }
    mesh_folder_remove(&folder);
}

static void test_unknown_endings_are_refused(void **state)
{
    (void)state;
    static const char *const paths[] = {"",        "obj",          "a",    ".",     "a.",
                                        "a.xyzzy", "folder.obj/a", "a.ob", "a.objx"};
    sn_mesh_data mesh = awkward_mesh(SN_MESH_TRIANGLES);
    for (size_t i = 0; i < COUNT_OF(paths); ++i) {
        sn_mesh_data data;
        assert_int_equal(sn_mesh_file_read(paths[i], &data), SN_ERROR_NAME);
        assert_non_null(strstr(sn_scene_error(), "expected one of .obj .stl .msh .node .ele .vtk"));
        check_empty(&data);
        assert_int_equal(sn_mesh_parse("", 0, paths[i], &data), SN_ERROR_NAME);
        assert_int_equal(sn_mesh_file_write(paths[i], &mesh), SN_ERROR_NAME);
    }
    assert_int_equal(sn_mesh_file_write("a.ply", &mesh), SN_ERROR_NAME);
}

static void test_null_is_refused(void **state)
{
    (void)state;
    sn_mesh_data data = awkward_mesh(0);
    assert_int_equal(sn_mesh_file_write(NULL, &data), SN_ERROR_NULL);
    assert_int_equal(sn_mesh_file_write("a.obj", NULL), SN_ERROR_NULL);
    assert_int_equal(sn_mesh_file_read("a.obj", NULL), SN_ERROR_NULL);
    assert_int_equal(sn_mesh_file_read(NULL, &data), SN_ERROR_NULL);
    check_empty(&data);
    sn_mesh_data_release(&data);
    sn_mesh_data_release(NULL);
}

static void test_endings_are_told(void **state)
{
    (void)state;
    assert_string_equal(sn_mesh_file_endings(true), ".obj .stl .msh .node .ele .vtk");
    assert_memory_equal(sn_mesh_file_endings(false), sn_mesh_file_endings(true),
                        strlen(sn_mesh_file_endings(true)));
}

static void test_files_that_cannot_be_read_or_written_are_told(void **state)
{
    (void)state;
    static const char *const endings[] = {".obj", ".stl", ".msh", ".node", ".ele", ".vtk"};
    mesh_folder folder = mesh_folder_make();
    sn_mesh_data mesh = awkward_mesh(SN_MESH_TRIANGLES | SN_MESH_TETRAHEDRA);
    for (size_t i = 0; i < COUNT_OF(endings); ++i) {
        char name[64];
        snprintf(name, sizeof name, "missing%s", endings[i]);
        sn_mesh_data data;
        assert_int_equal(sn_mesh_file_read(mesh_path_in(&folder, name).text, &data), SN_ERROR_FILE);
        assert_non_null(strstr(sn_scene_error(), ": cannot be read: No such file"));
        check_empty(&data);
        snprintf(name, sizeof name, "no/folder%s", endings[i]);
        assert_int_equal(sn_mesh_file_write(mesh_path_in(&folder, name).text, &mesh), SN_ERROR_FILE);
        assert_non_null(strstr(sn_scene_error(), ": cannot be written: No such file"));
    }
    mesh_folder_remove(&folder);
}

// A disk without room, which shows only when the file is closed.
static void test_a_full_disk_is_told(void **state)
{
    (void)state;
    static const char *const names[] = {"a.obj", "a.stl", "a.msh", "a.vtk", "a.ele"};
    mesh_folder folder = mesh_folder_make();
    sn_mesh_data mesh = awkward_mesh(SN_MESH_TRIANGLES | SN_MESH_TETRAHEDRA);
    for (size_t i = 0; i < COUNT_OF(names); ++i) {
        mesh_path path = mesh_path_in(&folder, names[i]);
        if (access("/dev/full", W_OK) != 0 || symlink("/dev/full", path.text) != 0) {
            mesh_folder_remove(&folder);
            skip();
        }
        assert_int_equal(sn_mesh_file_write(path.text, &mesh), SN_ERROR_FILE);
        assert_non_null(strstr(sn_scene_error(), names[i]));
    }
    mesh_folder_remove(&folder);
}

static void check_refused(const char *path, const sn_mesh_data *mesh, const char *message)
{
    assert_int_equal(sn_mesh_file_write(path, mesh), SN_ERROR_GEOMETRY);
    assert_string_equal(sn_scene_error(), message);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void test_meshes_that_are_none_are_not_written(void **state)
{
    (void)state;
    sn_vec3 nodes[2] = {{0, 0, 0}, {1, 0, 0}};
    uint32_t indices[4] = {0, 1, 2, 0};
    sn_mesh_data mesh = {0};
    check_refused("a.obj", &mesh, "a.obj: 0 nodes at null, expected 1 to 16777216");
    mesh.node_count = 2;
    check_refused("a.obj", &mesh, "a.obj: 2 nodes at null, expected 1 to 16777216");
    mesh.nodes = nodes;
    mesh.node_count = -1;
    check_refused("a.vtk", &mesh, "a.vtk: -1 nodes, expected 1 to 16777216");
    mesh.node_count = SN_MAX_MESH_COUNT + 1;
    check_refused("a.vtk", &mesh, "a.vtk: 16777217 nodes, expected 1 to 16777216");
    mesh.node_count = 2;
    mesh.edge_count = 1;
    check_refused("a.vtk", &mesh, "a.vtk: 1 edges at null, expected 0 to 16777216 and their nodes");
    mesh.edge_count = 0;
    mesh.triangle_count = -5;
    check_refused("a.msh", &mesh, "a.msh: -5 triangles at null, expected 0 to 16777216 and their nodes");
    mesh.triangle_count = 1;
    mesh.triangles = indices;
    check_refused("a.stl", &mesh, "a.stl: node 2 of triangles does not exist, expected 0 to 1");
    mesh.triangle_count = 0;
    mesh.tetrahedra = indices;
    mesh.tetrahedron_count = 1;
    check_refused("a.node", &mesh, "a.node: node 2 of tetrahedra does not exist, expected 0 to 1");
    mesh.tetrahedron_count = 0;
    nodes[1].y = NAN;
    check_refused("a.msh", &mesh, "a.msh: node 1 is at 1 nan 0, expected -1000000 to 1000000");
    nodes[1].y = 2e6f;
    check_refused("a.msh", &mesh, "a.msh: node 1 is at 1 2000000 0, expected -1000000 to 1000000");
}

static void test_formats_refuse_what_they_cannot_hold(void **state)
{
    (void)state;
    sn_mesh_data edges = awkward_mesh(SN_MESH_EDGES);
    check_refused("a.stl", &edges,
                  "a.stl: has 3 edges, 0 triangles, 0 tetrahedra, expected some that .stl files hold");
    check_refused("a.ele", &edges,
                  "a.ele: has 3 edges, 0 triangles, 0 tetrahedra, expected some that .ele files hold");
    sn_mesh_data nodes = awkward_mesh(0);
    check_refused("a.stl", &nodes,
                  "a.stl: has 0 edges, 0 triangles, 0 tetrahedra, expected some that .stl files hold");
}

static void test_obj_gets_the_boundary_of_tetrahedra_only_without_triangles(void **state)
{
    (void)state;
    mesh_folder folder = mesh_folder_make();
    mesh_path path = mesh_path_in(&folder, "a.obj");
    sn_mesh_data solid = awkward_mesh(SN_MESH_TETRAHEDRA | SN_MESH_EDGES);
    assert_int_equal(sn_mesh_file_write(path.text, &solid), SN_OK);
    sn_mesh_data back;
    assert_int_equal(sn_mesh_file_read(path.text, &back), SN_OK);
    assert_int_equal(back.triangle_count, 8);
    assert_int_equal(back.edge_count, 3);
    sn_mesh_data_release(&back);
    sn_mesh_data skinned = awkward_mesh(SN_MESH_TETRAHEDRA | SN_MESH_TRIANGLES);
    sn_mesh_data skin = awkward_mesh(SN_MESH_TRIANGLES);
    assert_int_equal(sn_mesh_file_write(path.text, &skinned), SN_OK);
    assert_int_equal(sn_mesh_file_read(path.text, &back), SN_OK);
    check_same_mesh(&skin, &back);
    sn_mesh_data_release(&back);
    mesh_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_endings_choose_the_format_in_any_case),
        cmocka_unit_test(test_unknown_endings_are_refused),
        cmocka_unit_test(test_null_is_refused),
        cmocka_unit_test(test_endings_are_told),
        cmocka_unit_test(test_files_that_cannot_be_read_or_written_are_told),
        cmocka_unit_test(test_a_full_disk_is_told),
        cmocka_unit_test(test_meshes_that_are_none_are_not_written),
        cmocka_unit_test(test_formats_refuse_what_they_cannot_hold),
        cmocka_unit_test(test_obj_gets_the_boundary_of_tetrahedra_only_without_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

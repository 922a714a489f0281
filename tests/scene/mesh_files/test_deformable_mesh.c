// Meshes of deformables: every kind of scene files, what it has, and that copies share it.
#include "scene/soft_scene_kit.h"

typedef struct made_mesh {
    const char *text;
    int nodes, edges, triangles, tetrahedra;
} made_mesh;

// Counts of nodes and elements as sinew/mesh.h says; of edges by Euler's formula.
static const made_mesh meshes[] = {
    {"{'type': 'grid', 'width': 2, 'height': 1, 'columns': 4, 'rows': 2}", 15, 30, 16, 0},
    {"{'type': 'grid', 'width': 2, 'height': 1, 'columns': 4, 'rows': 2, 'pattern': 'forward'}", 15, 30, 16,
     0},
    {"{'type': 'grid', 'width': 2, 'height': 1, 'columns': 4, 'rows': 2, 'pattern': 'crossed'}", 23, 54, 32,
     0},
    {"{'type': 'strip', 'length': 2, 'width': 0.1, 'cells': 24}", 50, 97, 48, 0},
    {"{'type': 'line', 'length': 2, 'cells': 7}", 8, 7, 0, 0},
    {"{'type': 'disc', 'radius': 1, 'rings': 3}", 37, 90, 54, 0},
    {"{'type': 'tube', 'radius': 1, 'height': 2, 'sides': 8, 'rows': 3}", 32, 80, 48, 0},
    {"{'type': 'box', 'size': [1, 2, 3], 'cells': [1, 2, 3]}", 24, 75, 44, 30},
    {"{'type': 'box', 'size': [1, 2, 3], 'cells': [1, 2, 3], 'surface': true}", 24, 66, 44, 0},
    {"{'type': 'cylinder', 'radius': 1, 'height': 1, 'rings': 2, 'layers': 2}", 57, 248, 96, 144},
    {"{'type': 'cylinder', 'radius': 1, 'height': 1, 'rings': 2, 'layers': 2, 'surface': true}", 50, 144, 96,
     0},
    {"{'type': 'sphere', 'radius': 1, 'rings': 2}", 55, 254, 80, 160},
    {"{'type': 'sphere', 'radius': 1, 'rings': 2, 'surface': true}", 42, 120, 80, 0},
    {"{'type': 'lists', 'nodes': [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], 'tetrahedra': [[0, 1, 2, 3]]}",
     4, 6, 4, 1},
    {"{'type': 'lists', 'nodes': [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], 'triangles': [[0, 1, 2], [1, "
     "3, "
     "2]], 'edges': [[0, 3]]}",
     4, 6, 2, 0},
    {"{'type': 'pieces', 'pieces': [{'mesh': {'type': 'box', 'size': [1, 1, 1], 'cells': [1, 1, 1]}, "
     "'repeat': [{'count': 3, 'offset': [0, 2, 0]}, {'count': 4, 'offset': [2, 0, 0]}]}, {'mesh': {'type': "
     "'sphere', 'radius': 1, 'rings': 1}, 'position': [0, -3, 0]}]}",
     12 * 8 + 13, 12 * 18 + 42, 12 * 12 + 20, 12 * 5 + 20},
    {"{'type': 'pieces', 'pieces': [{'mesh': {'type': 'line', 'length': 1, 'cells': 2}, 'repeat': {'count': "
     "5, 'offset': [0, 1, 0]}}]}",
     15, 10, 0, 0},
    {"{'type': 'file', 'file': 'jelly.vtk'}", 427, 2394, 480, 1728},
    {"{'type': 'file', 'file': 'cage.obj', 'scale': 0.5}", 270, 660, 360, 0}};

static sn_scene *scene_with(const char *mesh)
{
    char text[1024];
    assert_in_range(snprintf(text, sizeof text, "{'sinew': 1, 'deformables': [{'mesh': %s}]}", mesh), 1,
                    sizeof text - 1);
    sn_scene *scene = NULL;
    if (parse_with(text, SOURCE_FOLDER "/scenes/meshes/scene.json", NULL, &scene) != SN_OK) {
        fail_msg("%s", sn_scene_error());
    }
    return scene;
}

static void check_counts(const sn_scene *scene, const made_mesh *expected)
{
    const sn_mesh *mesh = sn_deformable_mesh(sn_scene_world(scene), only_soft(scene));
    if (sn_mesh_node_count(mesh) != expected->nodes || sn_mesh_edge_count(mesh) != expected->edges ||
        sn_mesh_triangle_count(mesh) != expected->triangles ||
        sn_mesh_tetrahedron_count(mesh) != expected->tetrahedra) {
        fail_msg("%s has %d nodes, %d edges, %d triangles, %d tetrahedra", expected->text,
                 sn_mesh_node_count(mesh), sn_mesh_edge_count(mesh), sn_mesh_triangle_count(mesh),
                 sn_mesh_tetrahedron_count(mesh));
    }
}

static void test_every_mesh_is_made_and_written_back(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT_OF(meshes); ++i) {
        sn_scene *scene = scene_with(meshes[i].text);
        check_counts(scene, &meshes[i]);
        sn_scene *loaded = save_and_load(scene);
        check_counts(loaded, &meshes[i]);
        sn_scene_destroy(loaded);
        sn_scene_destroy(scene);
    }
}

static void test_a_closed_surface_file_is_filled(void **state)
{
    (void)state;
    sn_scene *scene = scene_with("{'type': 'file', 'file': 'blob.obj', 'cell': 0.2}");
    const sn_mesh *mesh = sn_deformable_mesh(sn_scene_world(scene), only_soft(scene));
    assert_true(sn_mesh_tetrahedron_count(mesh) > 100);
    assert_true(sn_mesh_is_closed(mesh) && sn_mesh_is_manifold(mesh));
    sn_scene_destroy(scene);
}

static void test_copies_share_their_mesh(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of("{'sinew': 1, 'deformables': [{'name': 'a', 'mesh': {'type': 'sphere', 'radius': "
                 "0.1}, 'repeat': {'count': 20, 'offset': [1, 0, 0]}}]}");
    const sn_world *world = sn_scene_world(scene);
    const sn_mesh *mesh = sn_deformable_mesh(world, soft_of(scene, "a[0]"));
    assert_ptr_equal(sn_deformable_mesh(world, soft_of(scene, "a[19]")), mesh);
    sn_scene_destroy(scene);
}

static void test_pieces_are_where_they_were_put(void **state)
{
    (void)state;
    sn_scene *scene = scene_with(
        "{'type': 'pieces', 'pieces': [{'mesh': {'type': 'line', 'length': 2, 'cells': 1}, 'position': [1, "
        "0, "
        "0], 'rotation': {'axis': [0, 0, 1], 'angle': 90}, 'repeat': {'count': 2, 'offset': [0, 5, 0]}}]}");
    const sn_vec3 *nodes = sn_mesh_nodes(sn_deformable_mesh(sn_scene_world(scene), only_soft(scene)));
    assert_vector(nodes[0], 1.0f, -1.0f, 0.0f, 1e-6);
    assert_vector(nodes[1], 1.0f, 1.0f, 0.0f, 1e-6);
    assert_vector(nodes[3], 1.0f, 6.0f, 0.0f, 1e-6);
    sn_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_mesh_is_made_and_written_back),
        cmocka_unit_test(test_a_closed_surface_file_is_filled),
        cmocka_unit_test(test_copies_share_their_mesh),
        cmocka_unit_test(test_pieces_are_where_they_were_put),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

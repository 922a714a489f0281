// The builder: fans, handedness, limits, and handing everything over.
#include "scene/mesh_kit.h"

static const sn_vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}};

typedef struct kit {
    sn_text_reader reader;
    sn_mesh_builder mesh;
} kit;

static kit begin(void)
{
    kit k = {.reader = sn_text_begin("", 0, "a.txt")};
    k.reader.line = 7;
    for (size_t i = 0; i < COUNT_OF(corners); ++i) {
        assert_int_equal(sn_mesh_add_node(&k.mesh, &k.reader, corners[i]), SN_OK);
    }
    return k;
}

static void test_left_handed_tetrahedra_are_turned_over(void **state)
{
    (void)state;
    kit k = begin();
    assert_int_equal(sn_mesh_add_tetrahedron(&k.mesh, &k.reader, (uint32_t[]){0, 1, 2, 3}), SN_OK);
    assert_int_equal(sn_mesh_add_tetrahedron(&k.mesh, &k.reader, (uint32_t[]){1, 0, 2, 3}), SN_OK);
    static const uint32_t expected[] = {0, 1, 2, 3, 1, 2, 0, 3};
    assert_memory_equal(k.mesh.tetrahedra.items, expected, sizeof expected);
    sn_mesh_builder_release(&k.mesh);
}

// The thinnest there is: one step of a float at the far end of the world.
static void test_the_thinnest_tetrahedra_are_told_from_flat_ones(void **state)
{
    (void)state;
    kit k = {.reader = sn_text_begin("", 0, "a.txt")};
    static const sn_vec3 nodes[] = {{999999, 999999, 999999},
                                    {1000000, 999999, 999999},
                                    {999999, 1000000, 999999},
                                    {999999.5f, 999999.5f, 999999.0625f},
                                    {999999.5f, 999999.5f, 999998.9375f},
                                    {999999.25f, 999999.125f, 999999}};
    for (size_t i = 0; i < COUNT_OF(nodes); ++i) {
        assert_int_equal(sn_mesh_add_node(&k.mesh, &k.reader, nodes[i]), SN_OK);
    }
    assert_int_equal(sn_mesh_add_tetrahedron(&k.mesh, &k.reader, (uint32_t[]){0, 1, 2, 3}), SN_OK);
    assert_int_equal(k.mesh.tetrahedra.items[0].nodes[1], 1);
    assert_int_equal(sn_mesh_add_tetrahedron(&k.mesh, &k.reader, (uint32_t[]){0, 1, 2, 4}), SN_OK);
    assert_int_equal(k.mesh.tetrahedra.items[1].nodes[1], 2);
    assert_int_equal(sn_mesh_add_tetrahedron(&k.mesh, &k.reader, (uint32_t[]){0, 1, 2, 5}), SN_ERROR_FORMAT);
    assert_string_equal(sn_scene_error(),
                        "a.txt:1: tetrahedron 3 of the file is flat, expected one with a volume");
    sn_mesh_builder_release(&k.mesh);
}

static void test_fans_go_around_their_first_corner(void **state)
{
    (void)state;
    kit k = begin();
    sn_mesh_fan fan = {0};
    static const uint32_t polygon[] = {4, 2, 0, 1, 3};
    for (size_t i = 0; i < COUNT_OF(polygon); ++i) {
        assert_int_equal(k.mesh.triangles.count, i < 2 ? 0 : (int)i - 2);
        assert_int_equal(sn_mesh_fan_add(&k.mesh, &k.reader, &fan, polygon[i]), SN_OK);
    }
    static const uint32_t expected[] = {4, 2, 0, 4, 0, 1, 4, 1, 3};
    assert_int_equal(k.mesh.triangles.count, 3);
    assert_memory_equal(k.mesh.triangles.items, expected, sizeof expected);
    assert_int_equal(fan.corners, 5);
    sn_mesh_builder_release(&k.mesh);
}

static void test_more_than_the_most_are_refused(void **state)
{
    (void)state;
    kit k = begin();
    int kept = k.mesh.nodes.count;
    k.mesh.nodes.count = k.mesh.edges.count = SN_MAX_MESH_COUNT;
    k.mesh.triangles.count = k.mesh.tetrahedra.count = SN_MAX_MESH_COUNT;
    assert_int_equal(sn_mesh_add_node(&k.mesh, &k.reader, corners[0]), SN_ERROR_FORMAT);
    assert_string_equal(sn_scene_error(), "a.txt:7: more than 16777216 nodes, expected fewer");
    assert_int_equal(sn_mesh_add_edge(&k.mesh, &k.reader, 0, 1), SN_ERROR_FORMAT);
    assert_string_equal(sn_scene_error(), "a.txt:7: more than 16777216 edges, expected fewer");
    assert_int_equal(sn_mesh_add_triangle(&k.mesh, &k.reader, 0, 1, 2), SN_ERROR_FORMAT);
    assert_string_equal(sn_scene_error(), "a.txt:7: more than 16777216 triangles, expected fewer");
    assert_int_equal(sn_mesh_add_tetrahedron(&k.mesh, &k.reader, (uint32_t[]){0, 1, 2, 3}), SN_ERROR_FORMAT);
    assert_string_equal(sn_scene_error(), "a.txt:7: more than 16777216 tetrahedra, expected fewer");
    assert_int_equal(k.mesh.nodes.count, SN_MAX_MESH_COUNT);
    k.mesh.nodes.count = kept;
    sn_mesh_builder_release(&k.mesh);
}

static void test_node_numbers_begin_where_the_file_says(void **state)
{
    (void)state;
    kit k = begin();
    k.reader = sn_text_begin("1 5 0 6 x", 9, "a.txt");
    k.mesh.first_number = 1;
    uint32_t node;
    assert_int_equal(sn_mesh_read_node(&k.reader, &k.mesh, &node), SN_OK);
    assert_int_equal(node, 0);
    assert_int_equal(sn_mesh_read_node(&k.reader, &k.mesh, &node), SN_OK);
    assert_int_equal(node, 4);
    assert_int_equal(sn_mesh_read_node(&k.reader, &k.mesh, &node), SN_ERROR_FORMAT);
    assert_string_equal(sn_scene_error(), "a.txt:1: node 0 does not exist, expected 1 to 5");
    assert_int_equal(sn_mesh_read_node(&k.reader, &k.mesh, &node), SN_ERROR_FORMAT);
    assert_string_equal(sn_scene_error(), "a.txt:1: node 6 does not exist, expected 1 to 5");
    assert_int_equal(sn_mesh_read_node(&k.reader, &k.mesh, &node), SN_ERROR_FORMAT);
    assert_string_equal(sn_scene_error(), "a.txt:1: node is \"x\", expected a whole number");
    sn_mesh_builder_release(&k.mesh);
}

static void test_positions_stay_within_the_world(void **state)
{
    (void)state;
    sn_text_reader reader = sn_text_begin("-1e6 1000000 0 0 1000000.1 0", 28, "a.txt");
    sn_vec3 position;
    assert_int_equal(sn_mesh_read_position(&reader, &position), SN_OK);
    assert_true(position.x == -1e6f && position.y == 1e6f && position.z == 0.0f);
    assert_int_equal(sn_mesh_read_position(&reader, &position), SN_ERROR_FORMAT);
    assert_string_equal(sn_scene_error(),
                        "a.txt:1: y coordinate is \"1000000.1\", expected a number from -1000000 to 1000000");
}

static void test_finishing_hands_everything_over(void **state)
{
    (void)state;
    kit k = begin();
    assert_int_equal(sn_mesh_add_edge(&k.mesh, &k.reader, 3, 4), SN_OK);
    assert_int_equal(sn_mesh_add_triangle(&k.mesh, &k.reader, 0, 1, 2), SN_OK);
    assert_int_equal(sn_mesh_add_tetrahedron(&k.mesh, &k.reader, (uint32_t[]){0, 1, 2, 3}), SN_OK);
    sn_mesh_data data;
    assert_int_equal(sn_mesh_finish(&k.mesh, &data), SN_OK);
    check_promises(&data);
    assert_int_equal(data.node_count, 5);
    assert_memory_equal(data.nodes, corners, sizeof corners);
    check_indices(data.edges, data.edge_count, (uint32_t[]){3, 4}, 1, 2);
    check_indices(data.triangles, data.triangle_count, (uint32_t[]){0, 2, 1}, 1, 3);
    check_indices(data.tetrahedra, data.tetrahedron_count, (uint32_t[]){0, 1, 2, 3}, 1, 4);
    assert_null(k.mesh.nodes.items);
    assert_int_equal(k.mesh.nodes.count, 0);
    sn_mesh_data_release(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_left_handed_tetrahedra_are_turned_over),
        cmocka_unit_test(test_the_thinnest_tetrahedra_are_told_from_flat_ones),
        cmocka_unit_test(test_fans_go_around_their_first_corner),
        cmocka_unit_test(test_more_than_the_most_are_refused),
        cmocka_unit_test(test_node_numbers_begin_where_the_file_says),
        cmocka_unit_test(test_positions_stay_within_the_world),
        cmocka_unit_test(test_finishing_hands_everything_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Joining equal nodes, against a search through all of them.
#include "scene/mesh_kit.h"

#include "scene/mesh_weld.h"

static int search(const sn_vec3 *nodes, int count, sn_vec3 p)
{
    for (int i = 0; i < count; ++i) {
        if (nodes[i].x == p.x && nodes[i].y == p.y && nodes[i].z == p.z) {
            return i;
        }
    }
    return count;
}

static void test_equal_positions_become_one_node(void **state)
{
    (void)state;
    sn_text_reader reader = sn_text_begin("", 0, "a.txt");
    sn_mesh_builder mesh = {0};
    sn_mesh_weld weld = {0};
    test_random random = {3};
    for (int i = 0; i < 20000; ++i) {
        // 15³ places around zero, many met often.
        float x = (float)(test_random_u32(&random) % 15) - 7.0f;
        float y = ((float)(test_random_u32(&random) % 15) - 7.0f) * 0.1f;
        float z = ((float)(test_random_u32(&random) % 15) - 7.0f) * -1e-3f;
        int expected = search(mesh.nodes.items, mesh.nodes.count, sn_v(x, y, z));
        uint32_t index;
        assert_int_equal(sn_mesh_weld_node(&weld, &mesh, &reader, sn_v(x, y, z), &index), SN_OK);
        assert_int_equal(index, expected);
        assert_true(mesh.nodes.count > expected);
    }
    assert_in_range(mesh.nodes.count, 3300, 3375);
    sn_mesh_weld_release(&weld);
    assert_null(weld.slots);
    sn_mesh_builder_release(&mesh);
}

static void test_zeros_of_both_signs_are_equal_and_neighbours_are_not(void **state)
{
    (void)state;
    sn_text_reader reader = sn_text_begin("", 0, "a.txt");
    sn_mesh_builder mesh = {0};
    sn_mesh_weld weld = {0};
    static const sn_vec3 positions[] = {{0.0f, -0.0f, 1.0f},
                                        {-0.0f, 0.0f, 1.0f},
                                        {0.0f, 1.4e-45f, 1.0f},
                                        {0.0f, 0.0f, 0.99999994f},
                                        {0.0f, 0.0f, 1.0f}};
    static const uint32_t expected[] = {0, 0, 1, 2, 0};
    for (size_t i = 0; i < COUNT_OF(positions); ++i) {
        uint32_t index;
        assert_int_equal(sn_mesh_weld_node(&weld, &mesh, &reader, positions[i], &index), SN_OK);
        assert_int_equal(index, expected[i]);
    }
    sn_mesh_weld_release(&weld);
    sn_mesh_builder_release(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_positions_become_one_node),
        cmocka_unit_test(test_zeros_of_both_signs_are_equal_and_neighbours_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

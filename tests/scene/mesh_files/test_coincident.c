// Nodes at the same place: which pairs hang what together.
#include "scene/scene_kit.h"

#include "scene/coincident.h"

#define MOST 8

static sn_node_pair_list find(const float *a, int count_a, const float *b, int count_b, const int *chosen,
                              int chosen_count)
{
    static sn_node_state nodes[2][MOST];
    for (int i = 0; i < count_a; ++i) {
        nodes[0][i].position = sn_v(a[i], 0.5f, -3.0f);
    }
    for (int i = 0; b != NULL && i < count_b; ++i) {
        nodes[1][i].position = sn_v(b[i], 0.5f, -3.0f);
    }
    sn_coincidence problem = {.a = nodes[0],
                              .b = b != NULL ? nodes[1] : nodes[0],
                              .count_a = count_a,
                              .count_b = b != NULL ? count_b : count_a,
                              .chosen = chosen,
                              .chosen_count = chosen_count,
                              .tolerance = 0.01f};
    sn_node_pair_list pairs = {0};
    assert_true(sn_find_coincident(&problem, &pairs));
    return pairs;
}

static void assert_pairs(sn_node_pair_list pairs, const sn_node_pair *expected, int count)
{
    assert_int_equal(pairs.count, count);
    for (int i = 0; i < count; ++i) {
        assert_int_equal(pairs.items[i].a, expected[i].a);
        assert_int_equal(pairs.items[i].b, expected[i].b);
    }
    SN_LIST_FREE(&pairs);
}

static void test_nodes_within_the_tolerance_are_paired(void **state)
{
    (void)state;
    const float a[] = {0.0f, 1.0f, 2.0f}, b[] = {2.009f, 1.011f, -0.009f};
    assert_pairs(find(a, 3, b, 3, NULL, 0), (sn_node_pair[]){{0, 2}, {2, 0}}, 2);
}

static void test_all_at_one_place_hang_together_without_a_ring(void **state)
{
    (void)state;
    const float a[] = {0.0f, 0.0f, 5.0f}, b[] = {0.0f, 7.0f, 0.0f};
    sn_node_pair_list pairs = find(a, 3, b, 3, NULL, 0);
    assert_int_equal(pairs.count, 3); // four nodes
    SN_LIST_FREE(&pairs);
}

static void test_nodes_of_one_are_held_to_the_lowest(void **state)
{
    (void)state;
    const float a[] = {1.0f, 0.0f, 1.0f, 1.0f, 0.0f};
    assert_pairs(find(a, 5, NULL, 0, NULL, 0), (sn_node_pair[]){{2, 0}, {3, 0}, {4, 1}}, 3);
}

static void test_only_chosen_nodes_of_a_are_paired(void **state)
{
    (void)state;
    const float a[] = {0.0f, 1.0f, 2.0f}, b[] = {0.0f, 1.0f, 2.0f};
    const int chosen[] = {1};
    assert_pairs(find(a, 3, b, 3, chosen, 1), (sn_node_pair[]){{1, 1}}, 1);
    const float twice[] = {0.0f, 0.0f, 4.0f, 4.0f};
    const int first[] = {0};
    assert_pairs(find(twice, 4, NULL, 0, first, 1), (sn_node_pair[]){{0, 1}}, 1);
    assert_pairs(find(a, 3, b, 3, chosen, 0), NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes_within_the_tolerance_are_paired),
        cmocka_unit_test(test_all_at_one_place_hang_together_without_a_ring),
        cmocka_unit_test(test_nodes_of_one_are_held_to_the_lowest),
        cmocka_unit_test(test_only_chosen_nodes_of_a_are_paired),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

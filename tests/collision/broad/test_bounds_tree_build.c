// The bounds tree as a whole: refit, rebuild, cost, and when it is refitted or rebuilt.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/bounds_tree_check.h"
#include "support/memory.h"

static void add_random_boxes(sn_bounds_tree *tree, int *leaves, int count, uint64_t seed)
{
    test_random random = {seed};
    for (int i = 0; i < count; ++i) {
        leaves[i] = sn_bounds_tree_add(tree, test_random_box(&random, 20, 1), 1, i);
        assert_true(leaves[i] >= 0);
    }
}

static void expect_equal_nodes(const sn_bounds_tree *a, const sn_bounds_tree *b)
{
    assert_int_equal(a->root, b->root);
    assert_int_equal(a->free_node, b->free_node);
    assert_int_equal(a->nodes.count, b->nodes.count);
    for (int i = 0; i < a->nodes.count; ++i) {
        const sn_tree_node *left = &a->nodes.data[i];
        const sn_tree_node *right = &b->nodes.data[i];
        assert_int_equal(left->height, right->height);
        assert_int_equal(left->parent, right->parent);
        if (left->height >= 0) {
            assert_int_equal(left->child[0], right->child[0]);
            assert_int_equal(left->child[1], right->child[1]);
            assert_int_equal(left->item, right->item);
            assert_true(test_bounds_equal(left->bounds, right->bounds));
        }
    }
}

static void test_rebuild_forgets_history(void **state)
{
    (void)state;
    enum { COUNT = 500 };
    int leaves[COUNT];
    sn_bounds_tree plain, eventful;
    sn_bounds_tree_init(&plain);
    sn_bounds_tree_init(&eventful);
    add_random_boxes(&plain, leaves, COUNT, 1);
    add_random_boxes(&eventful, leaves, COUNT, 1);
    test_random random = {2};
    for (int i = 0; i < 2000; ++i) {
        int leaf = leaves[test_random_u32(&random) % COUNT];
        sn_bounds_tree_move(&eventful, leaf, test_random_box(&random, 20, 1));
    }
    for (int i = 0; i < COUNT; ++i) {
        sn_bounds_tree_enlarge(&eventful, leaves[i], plain.nodes.data[leaves[i]].bounds);
    }
    sn_bounds_tree_rebuild(&plain);
    sn_bounds_tree_rebuild(&eventful);
    test_check_tree(&plain);
    expect_equal_nodes(&plain, &eventful);
    sn_bounds_tree_rebuild(&plain);
    expect_equal_nodes(&plain, &eventful);
    sn_bounds_tree_release(&plain);
    sn_bounds_tree_release(&eventful);
}

static void test_rebuild_keeps_leaf_numbers_and_free_nodes(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    int leaves[COUNT];
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    add_random_boxes(&tree, leaves, COUNT, 3);
    for (int i = 0; i < COUNT; i += 3) {
        sn_bounds_tree_remove(&tree, leaves[i]);
    }
    sn_bounds_tree_rebuild(&tree);
    test_check_tree(&tree);
    for (int i = 0; i < COUNT; ++i) {
        if (i % 3 != 0) {
            assert_int_equal(tree.nodes.data[leaves[i]].height, 0);
            assert_int_equal(tree.nodes.data[leaves[i]].item, i);
        }
    }
    int count = tree.nodes.count;
    for (int i = 0; i < COUNT; i += 3) {
        sn_bounds_tree_add(&tree, test_box(sn_v(0, 0, 0), sn_v(1, 1, 1)), 1, i);
    }
    assert_int_equal(tree.nodes.count, count);
    test_check_tree(&tree);
    sn_bounds_tree_release(&tree);
}

static void test_rebuild_mends_a_worn_tree(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    static int leaves[COUNT];
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    add_random_boxes(&tree, leaves, COUNT, 4);
    float fresh = sn_bounds_tree_cost(&tree);
    test_random random = {5};
    for (int i = 0; i < COUNT; ++i) {
        sn_bounds_tree_enlarge(&tree, leaves[i], test_random_box(&random, 20, 1));
    }
    sn_bounds_tree_refit(&tree);
    float worn = sn_bounds_tree_cost(&tree);
    assert_true(worn > 5.0f * fresh);
    sn_bounds_tree_rebuild(&tree);
    assert_true(sn_bounds_tree_cost(&tree) < 1.2f * fresh);
    assert_true(sn_bounds_tree_height(&tree) <= 18); // log2(2000) = 11
    sn_bounds_tree_release(&tree);
}

static void test_cost_is_the_sum_of_inner_areas_over_the_roots(void **state)
{
    (void)state;
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    assert_true(sn_bounds_tree_cost(&tree) == 0.0f);
    // Unit cubes at x = 0, 1 and 9: the first two share a parent of area 10, the root is 10 × 1 × 1, area 42.
    const float places[] = {0, 1, 9};
    for (int i = 0; i < 3; ++i) {
        sn_bounds_tree_add(&tree, test_box(sn_v(places[i], 0, 0), sn_v(0.5f, 0.5f, 0.5f)), 1, i);
        assert_true(i > 0 || sn_bounds_tree_cost(&tree) == 0.0f);
    }
    assert_float_equal(sn_bounds_tree_cost(&tree), 1.0f + 10.0f / 42.0f, 1.0e-6f);
    sn_bounds_tree_release(&tree);

    for (int i = 0; i < 3; ++i) {
        sn_bounds_tree_add(&tree, test_box(sn_v(0, 0, 0), sn_v(0, 0, 0)), 1, i);
    }
    assert_true(sn_bounds_tree_cost(&tree) == 0.0f);
    sn_bounds_tree_release(&tree);
}

static void test_refit_makes_every_box_tight(void **state)
{
    (void)state;
    enum { COUNT = 400 };
    int leaves[COUNT];
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    add_random_boxes(&tree, leaves, COUNT, 6);
    test_random random = {7};
    for (int i = 0; i < COUNT; ++i) {
        sn_bounds_tree_enlarge(&tree, leaves[i], test_random_box(&random, 5, 0.1f));
    }
    assert_true(
        sn_bounds_contain(tree.nodes.data[tree.root].bounds, test_box(sn_v(0, 0, 0), sn_v(19, 19, 19))));
    sn_bounds_tree_refit(&tree);
    assert_false(tree.enlarged);
    test_check_tree(&tree);
    assert_true(sn_bounds_contain(test_box(sn_v(0, 0, 0), sn_v(5.1f, 5.1f, 5.1f)),
                                  tree.nodes.data[tree.root].bounds));
    sn_bounds_tree_release(&tree);
}

static void test_an_outlier_does_not_spoil_the_rest(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    int leaves[COUNT];
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    add_random_boxes(&tree, leaves, COUNT, 8);
    int outlier = sn_bounds_tree_add(&tree, test_box(sn_v(1.0e6f, 0, 0), sn_v(1, 1, 1)), 1, COUNT);
    sn_bounds_tree_rebuild(&tree);
    test_check_tree(&tree);
    assert_int_equal(tree.nodes.data[outlier].parent, tree.root);
    sn_bounds_tree_release(&tree);
}

static void test_equal_boxes_give_a_balanced_tree(void **state)
{
    (void)state;
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    for (int count = 1; count <= 300; ++count) {
        sn_bounds_tree_add(&tree, test_box(sn_v(1, 2, 3), sn_v(1, 1, 1)), 1, count);
        sn_bounds_tree_rebuild(&tree);
        test_check_tree(&tree);
        int height = sn_bounds_tree_height(&tree);
        assert_true((1 << height) >= count && (height == 0 || (1 << (height - 1)) < count));
    }
    sn_bounds_tree_release(&tree);
}

// Each position is 1/20 of the one before: every split between bins separates one leaf.
static void test_hostile_spacing_cannot_make_the_tree_too_high(void **state)
{
    (void)state;
    enum { COUNT = 55 };
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    float place = 1.0e35f;
    for (int i = 0; i < COUNT; ++i) {
        sn_bounds_tree_add(&tree, test_box(sn_v(place, 0, 0), sn_v(0, 1.0e-3f, 1.0e-3f)), 1, i);
        place *= 0.05f;
    }
    sn_bounds_tree_rebuild(&tree);
    test_check_tree(&tree);
    assert_true(sn_bounds_tree_height(&tree) > 20); // otherwise the limit is not tested
    assert_true(sn_bounds_tree_height(&tree) <= 6 + SN_TREE_MAX_TILT);
    sn_bounds_tree_release(&tree);
}

static void test_rebuild_allocates_nothing(void **state)
{
    (void)state;
    enum { COUNT = 777 };
    int leaves[COUNT];
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    add_random_boxes(&tree, leaves, COUNT, 9);
    uint64_t before = sn_allocation_count();
    sn_bounds_tree_rebuild(&tree);
    sn_bounds_tree_refit(&tree);
    sn_bounds_tree_tidy(&tree);
    assert_int_equal(sn_allocation_count(), before);
    sn_bounds_tree_release(&tree);
}

// --- tidying -------------------------------------------------------------------------------------

static bool is_just_built(const sn_bounds_tree *tree)
{
    return tree->added_count == 0 && tree->enlarged_count == 0;
}

static void test_a_tree_grown_leaf_by_leaf_is_built_once(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    static int leaves[COUNT];
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    sn_bounds_tree_tidy(&tree); // nothing to do
    add_random_boxes(&tree, leaves, COUNT, 10);
    float grown = sn_bounds_tree_cost(&tree);
    sn_bounds_tree_tidy(&tree);
    assert_true(is_just_built(&tree));
    assert_true(sn_bounds_tree_cost(&tree) < 0.95f * grown);
    test_check_tree(&tree);
    // A third more leaves are too few for another rebuild.
    add_random_boxes(&tree, leaves, COUNT / 3, 11);
    sn_bounds_tree_tidy(&tree);
    assert_int_equal(tree.added_count, COUNT / 3);
    add_random_boxes(&tree, leaves, COUNT, 12);
    sn_bounds_tree_tidy(&tree);
    assert_true(is_just_built(&tree));
    sn_bounds_tree_release(&tree);
}

static void enlarge_all(sn_bounds_tree *tree, const int *leaves, int count, const sn_vec3 *displacements)
{
    for (int i = 0; i < count; ++i) {
        sn_bounds bounds = tree->nodes.data[leaves[i]].bounds;
        sn_bounds moved = {sn_add(bounds.lower, displacements[i]), sn_add(bounds.upper, displacements[i])};
        sn_bounds_tree_enlarge(tree, leaves[i], moved);
    }
}

// Leaves that fall together do not degrade the tree; leaves that fly apart do.
static void test_only_motion_that_wears_the_tree_has_it_built_anew(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    static int leaves[COUNT];
    static sn_vec3 together[COUNT], apart[COUNT];
    test_random random = {13};
    for (int i = 0; i < COUNT; ++i) {
        together[i] = sn_v(0.0f, -0.5f, 0.0f);
        apart[i] = test_random_vec3(&random, 0.5f);
    }
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    add_random_boxes(&tree, leaves, COUNT, 14);
    sn_bounds_tree_tidy(&tree);
    for (int step = 1; step <= 5; ++step) {
        enlarge_all(&tree, leaves, COUNT, together);
        sn_bounds_tree_tidy(&tree);
        assert_int_equal(tree.enlarged_count, step * COUNT);
        assert_false(tree.enlarged);
        test_check_tree(&tree);
    }
    int built = 0;
    for (int step = 1; step <= 100; ++step) {
        enlarge_all(&tree, leaves, COUNT, apart);
        sn_bounds_tree_tidy(&tree);
        built += is_just_built(&tree);
        assert_true(sn_bounds_tree_cost(&tree) <= 1.25f * tree.built_cost);
        test_check_tree(&tree);
    }
    assert_in_range(built, 10, 60);
    sn_bounds_tree_release(&tree);
}

// A leaf far away enlarges the root, which then dominates the cost.
static void test_an_outlier_does_not_hide_wear(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    static int leaves[COUNT];
    static sn_vec3 apart[COUNT];
    test_random random = {15};
    for (int i = 0; i < COUNT; ++i) {
        apart[i] = test_random_vec3(&random, 0.5f);
    }
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    add_random_boxes(&tree, leaves, COUNT, 16);
    sn_bounds_tree_add(&tree, test_box(sn_v(0, -1.0e6f, 0), sn_v(1, 1, 1)), 1, COUNT);
    sn_bounds_tree_tidy(&tree);
    int built = 0;
    for (int step = 1; step <= 100; ++step) {
        enlarge_all(&tree, leaves, COUNT, apart);
        sn_bounds_tree_tidy(&tree);
        built += is_just_built(&tree);
    }
    assert_in_range(built, 10, 20);
    sn_bounds_tree_release(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_rebuild_forgets_history),
        test_with_memory(test_rebuild_keeps_leaf_numbers_and_free_nodes),
        test_with_memory(test_rebuild_mends_a_worn_tree),
        test_with_memory(test_cost_is_the_sum_of_inner_areas_over_the_roots),
        test_with_memory(test_refit_makes_every_box_tight),
        test_with_memory(test_an_outlier_does_not_spoil_the_rest),
        test_with_memory(test_equal_boxes_give_a_balanced_tree),
        test_with_memory(test_hostile_spacing_cannot_make_the_tree_too_high),
        test_with_memory(test_rebuild_allocates_nothing),
        test_with_memory(test_a_tree_grown_leaf_by_leaf_is_built_once),
        test_with_memory(test_only_motion_that_wears_the_tree_has_it_built_anew),
        test_with_memory(test_an_outlier_does_not_hide_wear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

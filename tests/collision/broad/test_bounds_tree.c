// Leaves added to, removed from and moved in a bounds tree. A thousand random sequences are compared with a
// plain list of boxes, and the whole structure is checked after each operation.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/hash.h"
#include "support/bounds_tree_check.h"
#include "support/memory.h"
#include <limits.h>

// --- random lives ------------------------------------------------------------------------------------------

enum { MOST_BOXES = 64 };

// The same boxes in a tree and in a list; the item of a leaf is its index in the list.
typedef struct twin {
    sn_bounds_tree tree;
    sn_bounds bounds[MOST_BOXES];
    uint64_t category[MOST_BOXES];
    int leaf[MOST_BOXES]; // −1: no such box
    test_random random;
    float half_space;
} twin;

static int random_below(twin *twin, int limit)
{
    return (int)(test_random_u32(&twin->random) % (uint32_t)limit);
}

static sn_bounds next_box(twin *twin)
{
    return test_random_box(&twin->random, twin->half_space, 1.0f);
}

static void add_or_remove(twin *twin, int item)
{
    if (twin->leaf[item] < 0) {
        twin->bounds[item] = next_box(twin);
        twin->category[item] = (uint64_t)1 << random_below(twin, 3);
        twin->leaf[item] = sn_bounds_tree_add(&twin->tree, twin->bounds[item], twin->category[item], item);
        assert_true(twin->leaf[item] >= 0);
    } else {
        sn_bounds_tree_remove(&twin->tree, twin->leaf[item]);
        twin->leaf[item] = -1;
    }
}

static void change_one(twin *twin, int item)
{
    if (twin->leaf[item] < 0) {
        return;
    }
    int choice = random_below(twin, 4);
    if (choice == 0) {
        twin->bounds[item] = sn_bounds_grow(twin->bounds[item], 0.25f);
    } else {
        twin->bounds[item] = next_box(twin);
    }
    if (choice == 1) {
        sn_bounds_tree_move(&twin->tree, twin->leaf[item], twin->bounds[item]);
    } else {
        sn_bounds_tree_enlarge(&twin->tree, twin->leaf[item], twin->bounds[item]);
    }
}

static void do_something(twin *twin)
{
    int item = random_below(twin, MOST_BOXES);
    int choice = random_below(twin, 20);
    if (choice == 0) {
        sn_bounds_tree_rebuild(&twin->tree);
        assert_false(twin->tree.enlarged);
    } else if (choice == 1) {
        sn_bounds_tree_refit(&twin->tree);
        assert_false(twin->tree.enlarged);
    } else if (choice < 10) {
        change_one(twin, item);
    } else {
        add_or_remove(twin, item);
    }
}

static void check_leaves(const twin *twin)
{
    int count = 0;
    for (int i = 0; i < MOST_BOXES; ++i) {
        if (twin->leaf[i] >= 0) {
            const sn_tree_node *node = &twin->tree.nodes.data[twin->leaf[i]];
            assert_int_equal(node->height, 0);
            assert_int_equal(node->item, i);
            assert_true(node->category == twin->category[i]);
            assert_true(test_bounds_equal(node->bounds, twin->bounds[i]));
            ++count;
        }
    }
    assert_int_equal(twin->tree.leaf_count, count);
}

static bool count_item(void *context, int item)
{
    int *visits = context;
    ++visits[item];
    return true;
}

static void check_pairs(const twin *twin)
{
    for (int i = 0; i < MOST_BOXES; ++i) {
        if (twin->leaf[i] < 0) {
            continue;
        }
        uint64_t mask = (uint64_t)(i % 7 + 1);
        int visits[MOST_BOXES] = {0};
        sn_bounds_tree_overlap(&twin->tree, twin->bounds[i], mask, count_item, visits);
        for (int k = 0; k < MOST_BOXES; ++k) {
            bool expected = twin->leaf[k] >= 0 && (twin->category[k] & mask) &&
                            sn_bounds_overlap(twin->bounds[i], twin->bounds[k]);
            assert_int_equal(visits[k], expected);
        }
    }
}

static void test_a_thousand_lives_find_the_pairs_of_brute_force(void **state)
{
    (void)state;
    for (int life = 0; life < 1000; ++life) {
        twin twin = {.random = {(uint64_t)life}, .half_space = (float)(1 << life % 4)};
        sn_bounds_tree_init(&twin.tree);
        memset(twin.leaf, -1, sizeof twin.leaf);
        for (int step = 0; step < 150; ++step) {
            do_something(&twin);
            test_check_tree(&twin.tree);
        }
        check_leaves(&twin);
        check_pairs(&twin);
        sn_bounds_tree_release(&twin.tree);
    }
}

// --- single operations -------------------------------------------------------------------------------------

static void test_an_empty_tree_is_sound(void **state)
{
    (void)state;
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    test_check_tree(&tree);
    sn_bounds_tree_refit(&tree);
    sn_bounds_tree_rebuild(&tree);
    assert_int_equal(sn_bounds_tree_height(&tree), 0);
    int leaf = sn_bounds_tree_add(&tree, test_box(sn_v(0, 0, 0), sn_v(1, 1, 1)), 1, 5);
    sn_bounds_tree_move(&tree, leaf, test_box(sn_v(1, 0, 0), sn_v(1, 1, 1)));
    test_check_tree(&tree);
    assert_int_equal(sn_bounds_tree_height(&tree), 0);
    sn_bounds_tree_enlarge(&tree, leaf, test_box(sn_v(1, 0, 0), sn_v(2, 2, 2)));
    sn_bounds_tree_remove(&tree, leaf);
    test_check_tree(&tree);
    assert_int_equal(tree.root, -1);
    sn_bounds_tree_rebuild(&tree);
    assert_false(tree.enlarged);
    sn_bounds_tree_release(&tree);
}

static void test_enlarge_grows_ancestors_only_and_refit_tightens_them(void **state)
{
    (void)state;
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    int leaves[100];
    for (int i = 0; i < 100; ++i) {
        leaves[i] = sn_bounds_tree_add(&tree, test_box(sn_v((float)i, 0, 0), sn_v(1, 1, 1)), 1, i);
    }
    sn_bounds root = tree.nodes.data[tree.root].bounds;
    sn_bounds_tree_enlarge(&tree, leaves[0], test_box(sn_v(50, 9, 0), sn_v(1, 1, 1)));
    assert_true(tree.enlarged);
    test_check_tree(&tree);
    sn_bounds grown = tree.nodes.data[tree.root].bounds;
    assert_true(sn_bounds_contain(grown, root));
    assert_true(grown.upper.y == 10.0f);
    assert_true(grown.lower.x == -1.0f);
    sn_bounds_tree_refit(&tree);
    test_check_tree(&tree);
    assert_true(tree.nodes.data[tree.root].bounds.lower.x == 0.0f);
    sn_bounds_tree_release(&tree);
}

static void test_freed_numbers_are_used_again(void **state)
{
    (void)state;
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    test_random random = {5};
    int leaves[50];
    for (int i = 0; i < 50; ++i) {
        leaves[i] = sn_bounds_tree_add(&tree, test_random_box(&random, 10, 1), 1, i);
    }
    for (int round = 0; round < 1000; ++round) {
        int i = round % 50;
        sn_bounds_tree_remove(&tree, leaves[i]);
        leaves[i] = sn_bounds_tree_add(&tree, test_random_box(&random, 10, 1), 1, i);
    }
    assert_int_equal(tree.nodes.count, 99);
    sn_bounds_tree_release(&tree);
}

// --- shape -------------------------------------------------------------------------------------------------

static sn_bounds sorted_box(int i)
{
    return test_box(sn_v((float)i, 0, 0), sn_v(0.55f, 0.5f, 0.5f));
}

static sn_bounds nested_box(int i)
{
    float size = (float)(i + 1);
    return test_box(sn_v(0, 0, 0), sn_v(size, size, size));
}

static sn_bounds equal_box(int i)
{
    (void)i;
    return test_box(sn_v(1, 2, 3), sn_v(1, 1, 1));
}

// Each box a tenth farther out than the last; starts again when floats overflow.
static sn_bounds geometric_box(int i)
{
    float place = 1.0e-6f;
    for (int k = 0; k < i % 280; ++k) {
        place *= 1.1f;
    }
    return test_box(sn_v(place, 0, 0), sn_v(0.01f * place, 0, 0));
}

static int height_after(sn_bounds (*box)(int i), int count, int check_every)
{
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    for (int i = 0; i < count; ++i) {
        assert_true(sn_bounds_tree_add(&tree, box(i), 1, i) >= 0);
        if (i % check_every == 0) {
            test_check_tree(&tree);
        }
    }
    test_check_tree(&tree);
    int height = sn_bounds_tree_height(&tree);
    sn_bounds_tree_rebuild(&tree);
    test_check_tree(&tree);
    sn_bounds_tree_release(&tree);
    return height;
}

static void test_sorted_inserts_give_a_low_tree(void **state)
{
    (void)state;
    // log2(10000) = 13.3
    assert_true(height_after(sorted_box, 10000, 1000) <= 20);
}

static void test_hostile_inserts_stay_logarithmic(void **state)
{
    (void)state;
    int limit = test_greatest_height(3000);
    assert_true(limit < 100);
    assert_true(height_after(nested_box, 3000, 1) <= limit);
    assert_true(height_after(geometric_box, 3000, 1) <= limit);
    assert_true(height_after(equal_box, 3000, 1) <= limit);
}

static void test_removing_from_a_tilted_tree_keeps_the_rule(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    int leaves[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        leaves[i] = sn_bounds_tree_add(&tree, nested_box(i), 1, i);
    }
    int tallest = sn_bounds_tree_height(&tree);
    assert_true(tallest > 30); // otherwise the rule is not tested
    test_random random = {2};
    for (int left = COUNT; left > 0; --left) {
        int victim = (int)(test_random_u32(&random) % (uint32_t)left);
        sn_bounds_tree_remove(&tree, leaves[victim]);
        leaves[victim] = leaves[left - 1];
        test_check_tree(&tree);
    }
    assert_int_equal(tree.root, -1);
    sn_bounds_tree_release(&tree);
}

static void test_no_tree_overflows_the_stack(void **state)
{
    (void)state;
    // Arrays hold at most INT_MAX / 2 nodes, half of them leaves. A traversal keeps at most height + 1 nodes.
    assert_true(test_greatest_height(INT_MAX / 4 + 1) + 1 <= SN_TREE_STACK);
    assert_int_equal(test_greatest_height(1), 0);
    assert_int_equal(test_greatest_height(2), 1);
    assert_int_equal(test_greatest_height(SN_TREE_MAX_TILT + 2), SN_TREE_MAX_TILT + 1);
}

static void test_equal_lives_give_equal_trees_in_every_build(void **state)
{
    (void)state;
    twin twin = {.random = {77}, .half_space = 6.0f};
    sn_bounds_tree_init(&twin.tree);
    memset(twin.leaf, -1, sizeof twin.leaf);
    for (int step = 0; step < 2000; ++step) {
        do_something(&twin);
    }
    sn_hash hash = sn_hash_begin();
    for (int i = 0; i < twin.tree.nodes.count; ++i) {
        const sn_tree_node *node = &twin.tree.nodes.data[i];
        hash = sn_hash_u64(hash, (uint32_t)node->parent);
        hash = sn_hash_u64(hash, (uint32_t)node->height);
        if (node->height >= 0) {
            hash = sn_hash_vec3(sn_hash_vec3(hash, node->bounds.lower), node->bounds.upper);
            hash = sn_hash_u64(sn_hash_u64(hash, (uint32_t)node->item), node->category);
        }
    }
    assert_int_equal(hash, 0x698b246970281d1eu);
    sn_bounds_tree_release(&twin.tree);
}

// --- memory and bad boxes ----------------------------------------------------------------------------------

static void test_failed_allocation_leaves_the_tree_intact(void **state)
{
    (void)state;
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    test_random random = {8};
    int failures = 0;
    for (int i = 0; i < 500; ++i) {
        sn_bounds box = test_random_box(&random, 20, 1);
        int leaf = -1;
        for (int allowed = 0; leaf < 0; ++allowed) {
            sn_tree_node *nodes = tree.nodes.data;
            int root = tree.root;
            test_memory_allow(allowed);
            leaf = sn_bounds_tree_add(&tree, box, 1, i);
            if (leaf < 0) {
                ++failures;
                assert_int_equal(tree.leaf_count, i);
                assert_int_equal(tree.root, root);
                assert_true(allowed > 0 || tree.nodes.data == nodes);
                test_check_tree(&tree);
            }
        }
        test_check_tree(&tree);
    }
    assert_true(failures >= 10);
    sn_bounds_tree_release(&tree);
}

static void test_reserved_leaves_need_no_memory(void **state)
{
    (void)state;
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    test_random random = {9};
    sn_bounds_tree_add(&tree, test_random_box(&random, 20, 1), 1, 0);
    assert_true(sn_bounds_tree_reserve(&tree, 300));
    test_memory_allow(0);
    int leaf = 0;
    for (int i = 1; i <= 300; ++i) {
        leaf = sn_bounds_tree_add(&tree, test_random_box(&random, 20, 1), 1, i);
        assert_true(leaf >= 0);
    }
    sn_bounds_tree_rebuild(&tree);
    sn_bounds_tree_refit(&tree);
    sn_bounds_tree_move(&tree, leaf, test_random_box(&random, 20, 1));
    sn_bounds_tree_remove(&tree, leaf);
    test_check_tree(&tree);
    sn_bounds_tree_release(&tree);
}

static void test_impossible_reserves_are_refused(void **state)
{
    (void)state;
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    sn_bounds_tree_add(&tree, equal_box(0), 1, 0);
    assert_false(sn_bounds_tree_reserve(&tree, INT_MAX));
    assert_false(sn_bounds_tree_reserve(&tree, INT_MAX / 2));
    assert_true(sn_bounds_tree_reserve(&tree, 0));
    assert_true(sn_bounds_tree_reserve(&tree, INT_MIN));
    test_check_tree(&tree);
    sn_bounds_tree_release(&tree);
}

static void test_boxes_that_are_not_finite_do_no_harm(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY, 3.0e38f};
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    test_random random = {10};
    int leaves[200];
    for (int i = 0; i < 200; ++i) {
        sn_bounds box = test_random_box(&random, 20, 1);
        if (i % 3 == 0) {
            box.upper.x = bad[i % 4];
            box.lower.z = bad[(i / 4) % 4];
        }
        leaves[i] = sn_bounds_tree_add(&tree, box, 1, i);
        sn_bounds_tree_move(&tree, leaves[i / 2], box);
        sn_bounds_tree_enlarge(&tree, leaves[i / 3], box);
    }
    sn_bounds_tree_refit(&tree);
    sn_bounds_tree_rebuild(&tree);
    int visits[200] = {0};
    sn_bounds_tree_overlap(&tree, test_box(sn_v(0, 0, 0), sn_v(NAN, 1, INFINITY)), 1, count_item, visits);
    for (int i = 0; i < 200; ++i) {
        sn_bounds_tree_remove(&tree, leaves[i]);
    }
    test_check_tree(&tree);
    sn_bounds_tree_release(&tree);
}

static void test_boxes_that_are_not_numbers_still_make_a_low_tree(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    for (int i = 0; i < COUNT; ++i) {
        assert_true(sn_bounds_tree_add(&tree, test_box(sn_v(NAN, NAN, NAN), sn_v(1, 1, 1)), 1, i) >= 0);
    }
    assert_true(sn_bounds_tree_height(&tree) <= test_greatest_height(COUNT));
    sn_bounds_tree_rebuild(&tree);
    assert_int_equal(sn_bounds_tree_height(&tree), 12); // log2(3000) = 11.6
    sn_bounds_tree_release(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_thousand_lives_find_the_pairs_of_brute_force),
        test_with_memory(test_an_empty_tree_is_sound),
        test_with_memory(test_enlarge_grows_ancestors_only_and_refit_tightens_them),
        test_with_memory(test_freed_numbers_are_used_again),
        test_with_memory(test_sorted_inserts_give_a_low_tree),
        test_with_memory(test_hostile_inserts_stay_logarithmic),
        test_with_memory(test_removing_from_a_tilted_tree_keeps_the_rule),
        test_with_memory(test_no_tree_overflows_the_stack),
        test_with_memory(test_equal_lives_give_equal_trees_in_every_build),
        test_with_memory(test_failed_allocation_leaves_the_tree_intact),
        test_with_memory(test_reserved_leaves_need_no_memory),
        test_with_memory(test_impossible_reserves_are_refused),
        test_with_memory(test_boxes_that_are_not_finite_do_no_harm),
        test_with_memory(test_boxes_that_are_not_numbers_still_make_a_low_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

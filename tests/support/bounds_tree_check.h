// Tools of the bounds tree's tests: a check of everything the structure promises, and boxes to fill it with.
// Include after cmocka.h.
#ifndef TESTS_SUPPORT_BOUNDS_TREE_CHECK_H
#define TESTS_SUPPORT_BOUNDS_TREE_CHECK_H

#include "collision/broad/bounds_tree.h"
#include "collision/broad/bounds_tree_parts.h"
#include "support/random.h"
#include <stdlib.h>
#include <string.h>

static inline sn_bounds test_box(sn_vec3 centre, sn_vec3 half_size)
{
    sn_bounds bounds = {sn_sub(centre, half_size), sn_add(centre, half_size)};
    return bounds;
}

// A box with its centre within ±half_space and half-sizes up to `largest`; one in eight has no thickness.
static inline sn_bounds test_random_box(test_random *random, float half_space, float largest)
{
    sn_vec3 half_size = sn_abs3(test_random_vec3(random, largest));
    if (test_random_u32(random) % 8 == 0) {
        half_size.y = 0.0f;
    }
    return test_box(test_random_vec3(random, half_space), half_size);
}

static inline bool test_bounds_equal(sn_bounds a, sn_bounds b)
{
    return sn_bounds_contain(a, b) && sn_bounds_contain(b, a);
}

static inline void test_check_inner_node(const sn_bounds_tree *tree, int index, bool tight)
{
    const sn_tree_node *node = &tree->nodes.data[index];
    const sn_tree_node *a = &tree->nodes.data[node->child[0]];
    const sn_tree_node *b = &tree->nodes.data[node->child[1]];
    assert_int_equal(a->parent, index);
    assert_int_equal(b->parent, index);
    assert_int_equal(node->height, 1 + (a->height > b->height ? a->height : b->height));
    assert_true(abs(a->height - b->height) <= SN_TREE_MAX_TILT);
    assert_true(node->category == (a->category | b->category));
    sn_bounds both = sn_bounds_union(a->bounds, b->bounds);
    assert_true(sn_bounds_contain(node->bounds, both));
    assert_true(!tight || test_bounds_equal(node->bounds, both));
}

// Fails the test unless the tree is sound: links, heights, tilt, categories, boxes, counts, free list. Boxes
// must be tight unless a leaf was enlarged. Not for trees with boxes that are not finite.
static inline void test_check_tree(const sn_bounds_tree *tree)
{
    const sn_tree_node *nodes = tree->nodes.data;
    int free_count = 0;
    for (int i = tree->free_node; i >= 0; i = nodes[i].parent) {
        assert_int_equal(nodes[i].height, -1);
        ++free_count;
        assert_true(free_count <= tree->nodes.count);
    }
    int leaf_count = 0;
    int inner_count = 0;
    int stack[SN_TREE_STACK];
    int depth = 0;
    if (tree->root >= 0) {
        assert_int_equal(nodes[tree->root].parent, -1);
        stack[depth++] = tree->root;
    }
    while (depth > 0) {
        int index = stack[--depth];
        assert_in_range(index, 0, tree->nodes.count - 1);
        assert_true(nodes[index].height >= 0);
        if (nodes[index].height == 0) {
            ++leaf_count;
            continue;
        }
        ++inner_count;
        assert_true(inner_count <= tree->nodes.count && depth + 2 <= SN_TREE_STACK);
        test_check_inner_node(tree, index, !tree->enlarged);
        stack[depth++] = nodes[index].child[0];
        stack[depth++] = nodes[index].child[1];
    }
    assert_int_equal(leaf_count, tree->leaf_count);
    assert_int_equal(inner_count, leaf_count > 0 ? leaf_count - 1 : 0);
    assert_int_equal(leaf_count + inner_count + free_count, tree->nodes.count);
}

// The greatest height the tilt rule allows with that many leaves.
static inline int test_greatest_height(int64_t leaves)
{
    // fewest[h]: leaves of the sparsest tree of height h.
    int64_t fewest[1000] = {1};
    int height = 0;
    while (height < 999) {
        int lower = height - SN_TREE_MAX_TILT > 0 ? height - SN_TREE_MAX_TILT : 0;
        fewest[height + 1] = fewest[height] + fewest[lower];
        if (fewest[height + 1] > leaves) {
            break;
        }
        ++height;
    }
    return height;
}

#endif

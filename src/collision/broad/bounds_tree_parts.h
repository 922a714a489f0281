// Shared by the files of the bounds tree: the rules that all nodes obey.
//
// The heights of a node's children never differ by more than SN_TREE_MAX_TILT. Within that limit the
// surface-area heuristic is free to shape the tree; the rule only prevents degenerate trees. The sparsest
// tree of height h has N(h) = N(h − 1) + N(h − 1 − tilt) leaves, so the height is O(log n), and no array of
// nodes can hold a tree of height SN_TREE_STACK − 1: a stack of that size is enough for any traversal.
// Tested by tests/collision/broad/test_bounds_tree.c.
#ifndef SN_COLLISION_BROAD_BOUNDS_TREE_PARTS_H
#define SN_COLLISION_BROAD_BOUNDS_TREE_PARTS_H

#include "collision/broad/bounds_tree.h"

#define SN_TREE_MAX_TILT 24
#define SN_TREE_STACK    200

static inline bool sn_tree_node_is_leaf(const sn_tree_node *node)
{
    return node->height == 0;
}

// Half the surface. The heuristic compares areas only with each other.
static inline float sn_tree_area(sn_bounds bounds)
{
    sn_vec3 size = sn_sub(bounds.upper, bounds.lower);
    return size.x * size.y + size.y * size.z + size.z * size.x;
}

// Updates an inner node from its children.
static inline void sn_tree_update_node(sn_tree_node *nodes, int index)
{
    sn_tree_node *node = &nodes[index];
    const sn_tree_node *a = &nodes[node->child[0]];
    const sn_tree_node *b = &nodes[node->child[1]];
    node->bounds = sn_bounds_union(a->bounds, b->bounds);
    node->category = a->category | b->category;
    node->height = 1 + (a->height > b->height ? a->height : b->height);
}

#endif

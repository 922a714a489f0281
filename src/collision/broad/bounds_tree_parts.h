// What the files of the bounds tree share: the rules every node obeys, whoever changes the tree.
//
// A node's children never differ in height by more than SN_TREE_MAX_TILT. Within that slack the surface-area
// heuristic is free to shape the tree; the rule only cuts off degenerate trees. The sparsest tree of height h
// has N(h) = N(h − 1) + N(h − 1 − tilt) leaves, so the height stays O(log n), and even the largest array of
// nodes holds no tree of height SN_TREE_STACK − 1: a stack of that size is enough for any walk.
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

// Makes an inner node what its children are.
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

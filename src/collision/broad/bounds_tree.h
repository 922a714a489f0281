// A dynamic tree of fat boxes: finds overlapping boxes, and boxes along a ray, in logarithmic time. Boxes can
// be added, removed and changed at any time; the tree is balanced by rotations and rebuilt (binned
// surface-area heuristic) when motion has degraded it. Knows nothing of shapes: a leaf carries an int.
// Allocates in add and reserve only.
//
// Moving a leaf costs some fifteen times as much as enlarging it in place, but does not degrade the tree. If
// more than about every twentieth leaf changes, enlarging and tidying once is cheaper, rebuilds included.
#ifndef SN_COLLISION_BROAD_BOUNDS_TREE_H
#define SN_COLLISION_BROAD_BOUNDS_TREE_H

#include "base/array.h"
#include "sinew/math.h"

typedef struct sn_tree_node {
    sn_bounds bounds;
    int parent;        // or next free node
    int child[2];      // −1 for leaves
    int item;          // leaves
    int height;        // 0 for leaves, −1 for free nodes
    uint64_t category; // leaves: what the user set; inner: union of the children's
} sn_tree_node;

typedef struct sn_bounds_tree {
    SN_ARRAY(sn_tree_node) nodes;
    SN_ARRAY(int) scratch; // for rebuild
    int root;              // −1 when empty
    int free_node;         // −1 when none
    int leaf_count;
    bool enlarged; // some leaf was enlarged since the last refit or rebuild
    // Since the last rebuild: how often a leaf was added or enlarged, and the cost after it.
    int64_t added_count, enlarged_count;
    float built_cost;
} sn_bounds_tree;

void sn_bounds_tree_init(sn_bounds_tree *tree);
void sn_bounds_tree_release(sn_bounds_tree *tree);
// Makes room for `leaves` more leaves; false without memory.
bool sn_bounds_tree_reserve(sn_bounds_tree *tree, int leaves);
// A leaf's node number, or −1 without memory.
int sn_bounds_tree_add(sn_bounds_tree *tree, sn_bounds bounds, uint64_t category, int item);
void sn_bounds_tree_remove(sn_bounds_tree *tree, int leaf);
// Changes the box of a leaf by removing and inserting it again at the best place (its number stays).
void sn_bounds_tree_move(sn_bounds_tree *tree, int leaf, sn_bounds bounds);
// Changes the box of a leaf in place; ancestors only grow until the next refit. Cheap, for many changes a
// step.
void sn_bounds_tree_enlarge(sn_bounds_tree *tree, int leaf, sn_bounds bounds);
// Makes all inner boxes tight, bottom-up, in one pass.
void sn_bounds_tree_refit(sn_bounds_tree *tree);
// Rebuilds the tree over its leaves (leaf numbers stay). Deterministic.
void sn_bounds_tree_rebuild(sn_bounds_tree *tree);
// To be called once a step: refits if leaves were enlarged, and rebuilds if that has degraded the tree or if
// most leaves were added one by one since the last rebuild.
void sn_bounds_tree_tidy(sn_bounds_tree *tree);
int sn_bounds_tree_height(const sn_bounds_tree *tree);
// Sum of the areas of inner boxes over that of the root: the measure of degradation.
float sn_bounds_tree_cost(const sn_bounds_tree *tree);

// Called with a leaf's item; false stops.
typedef bool (*sn_tree_function)(void *context, int item);
// Leaves whose box overlaps and whose category shares a bit with `mask`.
void sn_bounds_tree_overlap(const sn_bounds_tree *tree, sn_bounds bounds, uint64_t mask,
                            sn_tree_function function, void *context);

// Called with the item of a leaf that a segment (or a box of half-size `extent` moved along it) may hit
// before `fraction`; returns the new largest fraction of interest (0 stops; the one passed in goes on).
typedef float (*sn_tree_ray_function)(void *context, int item, float fraction);
void sn_bounds_tree_ray(const sn_bounds_tree *tree, sn_vec3 origin, sn_vec3 translation, sn_vec3 extent,
                        uint64_t mask, sn_tree_ray_function function, void *context);

#endif

// Bounds of a deformable that is held: from every node to what holds it (long-range attachments, Müller et
// al. 2017; methods E.1 and J.2). Held nodes are put into groups that are far from each other; the nearest of
// each group may bound a node, and of these a node takes the few that are least slack where it rests and lie
// in different directions: neighbours on one rim say the same, rims opposite each other do not.
#ifndef SN_LONG_RANGE_SHEET_BOUNDS_H
#define SN_LONG_RANGE_SHEET_BOUNDS_H

#include "base/array.h"
#include "long_range/distances.h"

#define SN_BOUND_GROUPS     8
#define SN_BOUND_DIRECTIONS 4

typedef struct sn_bound {
    int node, other; // no farther from each other
    float length;    // than this [m]
    bool is_held;    // the other one is held in place
} sn_bound;

typedef SN_ARRAY(sn_bound) sn_bound_list;

// Puts places into at most SN_BOUND_GROUPS groups that are far from each other: `group_of` gets the
// number of each. Returns how many groups there are.
int sn_bound_groups(const sn_vec3 *places, int count, int *group_of);

// Adds the bounds of all nodes that are not held and more than an edge away. `places` are where nodes are at
// rest; `held` are in ascending order, all different. False without memory.
bool sn_sheet_bounds_find(sn_distance_graph *graph, const sn_vec3 *places, const int *held, int held_count,
                          sn_bound_list *bounds);

#endif

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

// The end of a bound that is a place between two held nodes, where a thread passes that is this long between
// them. `share` of the way from the one to the other, d apart, the thread stays within √(s (1 − s) (L² − d²))
// of the straight line (Leibniz), so that the bound is longer by that.
typedef struct sn_between {
    int far;     // the second of the two nodes
    float share; // s; 0: the end is the first one
    float span;  // L [m]
} sn_between;

typedef struct sn_bound {
    int node, other; // no farther from each other
    float length;    // than this [m]
    bool is_held;    // the other one is held in place
    sn_between between;
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

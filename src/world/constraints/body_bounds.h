// Bounds of bodies that hang on chains of joints and ropes: rows that keep a body no farther from what holds
// the chain than its joints let it come, and no nearer (long-range attachments, Müller et al. 2017; methods
// E.1 and J.2). A load hung on a chain then does not pass through every link, one neighbour a sweep. Made
// again when constraints change. Chains that nothing holds have bounds between their bodies (body_levels.c),
// and so have bodies that a rope ties together (body_ties.c).
#ifndef SN_WORLD_CONSTRAINTS_BODY_BOUNDS_H
#define SN_WORLD_CONSTRAINTS_BODY_BOUNDS_H

#include "long_range/chain_reach.h"
#include "world/core/world.h"

#define SN_FREE_GROUP (-1) // of chains that nothing holds

// A body in the tree of shortest connections to what is held, with a bound or without; or one more bound of
// a body in it.
struct sn_body_bound {
    int group; // of what holds it: a body has a record for each; or SN_FREE_GROUP
    int body;
    int end;         // where a constraint holds it, 2·constraint + side, towards what is held
    int parent;      // the record of the body at the other end of that constraint, −1 for none
    int source;      // what holds it: such an end, or −1
    int source_node; // or a fixed node, by its number in the world
    bool has_row;
    int until;     // of an extra one: the record on the way to the beginning whose body it begins at, or −1
    bool is_extra; // not a body in the tree: its parent is the record of its own body
    bool touches;  // of a free chain: it touches something in this step
    bool is_lower; // the distance may not be less than the length, instead of not more
    float length;  // of the connection, or what its joints leave of it [m]
    float impulses[SN_MAX_ROWS];
    float sub_step;
    sn_vec3 force, torque; // of the last step, on b
};

// How far apart a constraint lets its ends come; infinite if it does not keep them together against any
// force.
float sn_constraint_reach(const sn_world *world, int index);

// The two points that a bound keeps together: where it is held now, and the body's.
typedef struct sn_bound_ends {
    sn_point a, b;
} sn_bound_ends;
sn_bound_ends sn_body_bound_ends(const sn_world *world, const sn_body_bound *bound);
// Which chains that nothing holds touch something, before it is asked which bounds act.
void sn_body_levels_look(sn_world *world);
// Whether it may pull in a step of that duration [s]. What is slack and stays so needs no row.
bool sn_body_bound_acts(const sn_world *world, const sn_body_bound *bound, float duration);
// body_bound_limits.c: what the limits of joints tell of the records from `first` on: shorter lengths, and
// lower bounds, which are added. False without memory.
bool sn_body_bounds_limit(sn_world *world, sn_body_bound_list *list, int first);
// How far the end of record `to` can be from the other end of the constraint of record `from`, with each
// record between the parent of the next one.
sn_range sn_body_bounds_reach(const sn_world *world, const sn_body_bound *records, int from, int to);
// body_levels.c: adds bounds along chains of bodies that have no record yet. False without memory.
bool sn_body_levels_add(sn_world *world, sn_body_bound_list *list);
// body_ties.c: adds bounds between bodies that a rope of nodes ties together. False without memory.
bool sn_body_ties_add(sn_world *world, sn_body_bound_list *list);
bool sn_body_bound_is_tie(const sn_body_bound *bound);
// The two bodies of a tie; of other bounds those of the constraint at its end.
void sn_body_bound_members(const sn_world *world, const sn_body_bound *bound, int members[2]);
// Its row.
sn_distance_def sn_body_bound_row(const sn_world *world, const sn_body_bound *bound);
// Brings the list up to date. False without memory.
bool sn_stage_body_bounds(sn_world *world);
// How many have a row.
int sn_world_count_body_bounds(const sn_world *world);
// After a step: constraints on the way carry what their bounds do.
void sn_world_share_body_bounds(sn_world *world);

#endif

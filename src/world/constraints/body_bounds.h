// Bounds of bodies that hang on chains of joints and ropes: rows that keep a body no farther from what holds
// the chain than its length (long-range attachments, Müller et al. 2017; methods E.1 and J.2). A load hung on
// a chain then does not pass through every link, one neighbour a sweep. Made again when constraints change.
#ifndef SN_WORLD_CONSTRAINTS_BODY_BOUNDS_H
#define SN_WORLD_CONSTRAINTS_BODY_BOUNDS_H

#include "world/core/world.h"

// A body in the tree of shortest connections to what is held, nearest first.
struct sn_body_bound {
    int group; // of what holds it: a body has a record for each
    int body;
    int joint;  // the constraint that holds it, towards what is held
    int parent; // the record of the body that one holds it to, −1 for none
    bool has_row;
    sn_distance_def def; // a: where it is held, b: the point of the body
    float impulses[SN_MAX_ROWS];
    float sub_step;
    sn_vec3 force, torque; // of the last step, on b
};

// Brings the list up to date. False without memory.
bool sn_stage_body_bounds(sn_world *world);
// How many have a row.
int sn_world_count_body_bounds(const sn_world *world);
// After a step: constraints on the way carry what their bounds do.
void sn_world_share_body_bounds(sn_world *world);

#endif

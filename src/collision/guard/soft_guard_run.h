// One run of the guard (soft_guard.h): what finding the pairs and judging them share.
// Tested by tests/physics/soft/test_soft_guard.c.
#ifndef SN_COLLISION_GUARD_SOFT_GUARD_RUN_H
#define SN_COLLISION_GUARD_SOFT_GUARD_RUN_H

#include "collision/guard/soft_guard.h"
#include "collision/narrow/moving_sets.h"
#include "collision/soft/soft_phases.h"

// Points of an obstacle at the start and the end of the step, relative to its position.
typedef struct sn_guard_points {
    sn_vec3 *start, *end, origin;
    int count;
} sn_guard_points;

typedef struct sn_guard_run {
    sn_soft_search search;
    sn_soft_scene scene; // with the motions of this round
    sn_soft_guard *guard;
    const sn_motion *motions; // whole ones
    sn_motion *cut_motions;
    sn_node_state *starts;
    sn_vec3 *displacements;       // whole ones, less that of the frame
    uint8_t *holds;               // by deformable: something else stops or holds it, so it has no frame
    bool *drives;                 // by node: it is moved to a target, and held back only if all else fails
    bool *strikes;                // by deformable: in this round its frame took it into something else
    float *node_cuts, *body_cuts; // parts of the present motion, of this round
    // By node of a surface with a Verlet list: the farthest it gets from its reference position in the step,
    // relative to a frame that moves straight. [m]
    float *drifts;
    float *node_moves;       // by node: square of its displacement relative to its deformable [m²]
    uint8_t *fresh_bodies;   // were cut in the last round
    sn_guard_points *points; // by broad-phase pair
    uint8_t *meetings;       // by feature pair: sn_meeting
    // By node: it has a face that overlaps deformables (a bit of each), or a shape (its number + 1), at the
    // start.
    uint64_t *overlaps_soft;
    int *overlaps_shape;
    bool is_stuck;    // a pair met of which nothing could be cut but the way to a target
    int round, since; // in all, and since a deformable lost its frame
} sn_guard_run;

// soft_guard_quick.c: whether a plane that is found quickly keeps the two apart all along.
bool sn_guard_are_apart(const sn_guard_run *run, const sn_feature_pair *faces);

// soft_guard_pairs.c: whether a face and what it is paired with meet on the way.
sn_meeting sn_guard_meet(const sn_guard_run *run, const sn_feature_pair *faces);
// Marks the nodes of a pair that overlaps when the step begins: they may come out.
void sn_guard_mark_overlap(sn_guard_run *run, const sn_feature_pair *faces);
// Cuts the motions of a pair that meets. Whether that changes anything.
bool sn_guard_cut(sn_guard_run *run, const sn_feature_pair *faces);

// soft_guard_spread.c: lowers parts of motions of a deformable so that cuts stretch no edge much.
void sn_guard_spread(const sn_guard_run *run, const sn_soft_collider *collider);

// Rounding of positions this far from the origin. [m]
static inline float sn_guard_least(sn_vec3 p)
{
    sn_vec3 size = sn_abs3(p);
    return 1.0e-7f + 5.0e-7f * sn_max(size.x, sn_max(size.y, size.z));
}

// Whether the angle between two vectors is below that of the cosine.
bool sn_guard_are_alike(sn_vec3 a, sn_vec3 b, float cosine);

#endif

// The guard: after a step, nothing may have passed through anything. Every face of a deformable and whatever
// it may have met, which is a face of a deformable, a triangle or a convex part of a shape, are two convex
// sets whose points moved straight. Where no planes along the way keep them apart, the motion of their nodes,
// and of a body that may be held back, is cut at a plane between them (moving_sets.h). Cuts are minima, so
// that their order does not matter; what is cut moves less, which may bring new pairs together, so pairs are
// found again until none meets. Pairs that overlap when the step begins are left to contacts.
//
// Knows positions alone: which solver, model or anchor moved the nodes does not matter.
#ifndef SN_COLLISION_GUARD_SOFT_GUARD_H
#define SN_COLLISION_GUARD_SOFT_GUARD_H

#include "collision/soft/soft_detection.h"

typedef struct sn_soft_guard {
    const sn_vec3 *starts; // by the world's node number: where nodes of awake deformables were
    // The part of its motion that a node may keep, and a body by place in the list of the awake. 0…1
    float *node_parts, *body_parts;
    // By node: sets (union_find.h) of nodes that were in each other's way, or were cut and share an edge.
    int *groups;
    // By deformable: what all of its nodes move by, of which nothing is cut; parts are those of what is left
    // of their motion. Of what flies freely the motion of its mass centre, else zero. [m]
    sn_vec3 *frames;
    int body_count;
    int cut_nodes, cut_bodies;
    int overlaps;       // pairs that overlapped when the step began, but for what anchors hold together
    int fixed_overlaps; // of these, those of fixed nodes with static shapes
} sn_soft_guard;

// `scene` has the nodes where the step ends, and the motions of bodies. False without memory: nothing is
// known then.
bool sn_soft_guard_find(const sn_soft_scene *scene, sn_soft_detector *detector, sn_soft_guard *guard);

// After cuts were applied (soft_guard_verify.c): how many edges of deformables pierce a face and did not when
// the step began, although the guard may hold them. 0 without memory.
int sn_soft_guard_verify(const sn_soft_scene *scene, const sn_vec3 *starts);

#endif

// Contact patch of two shapes: a normal, up to four points, and the impulses kept there from step to step.
#ifndef SN_COLLISION_NARROW_PATCH_H
#define SN_COLLISION_NARROW_PATCH_H

#include "collision/narrow/manifold.h"

// The most patches of a contact; of more, those found first are kept. A power of two.
#define SN_MAX_PATCHES 64

typedef struct sn_patch_point {
    sn_vec3 arm_a, arm_b; // from the mass centres, world axes, when the step began
    float separation;     // then
    uint32_t feature;
    float normal_impulse; // of the last sub-step: warm start
    float reference;      // the part of it that softness does not pull away from (contact_kernel.h)
    float total_normal;   // over the last step
    float approach_speed; // fastest approach stopped during the last step; 0 without impact
} sn_patch_point;

typedef struct sn_patch {
    sn_vec3 normal;          // world, from a to b
    uint32_t part_a, part_b; // of compounds; 0 otherwise
    int count;
    // Of the last sub-step, on b: warm start. Friction acts at the centre of pressure; twist is its torque
    // about the normal.
    sn_vec3 friction_impulse, rolling_impulse;
    float twist_impulse;
    sn_vec3 total_friction; // over the last step
    sn_patch_point points[SN_MANIFOLD_POINTS];
} sn_patch;

// The patches of a contact, in memory of an sn_patch_pool.
typedef struct sn_patch_list {
    sn_patch *data;
    int count, capacity;
} sn_patch_list;

#endif

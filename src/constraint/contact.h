// Contact as a kind: one patch of two shapes as rows. The world makes these from patches; users add none. The
// step solves contacts eight at a time (solver/contact/contact_block.h) with the same gradients; these rows
// are for whoever wants a contact to be a constraint like any other.
#ifndef SN_CONSTRAINT_CONTACT_H
#define SN_CONSTRAINT_CONTACT_H

#include "collision/narrow/patch.h"
#include "sinew/constraint.h"

// One point of the patch: its place in both frames, which coincide when the patch is made, and how far apart
// the shapes were there then.
typedef struct sn_contact_place {
    sn_vec3 place;
    float separation; // [m]
} sn_contact_place;

// The frames sit where friction acts, x along the normal from a to b, y and z along the surfaces.
typedef struct sn_contact_def {
    sn_constraint_common common;
    int point_count; // 1 … SN_MANIFOLD_POINTS
    sn_contact_place points[SN_MANIFOLD_POINTS];
    float friction;           // largest force along each of the two directions of the surface, ≥ 0 [N]
    float twist_friction;     // largest torque about the normal, ≥ 0 [N m]
    float rolling_resistance; // largest torque about each axis, ≥ 0; none: no rows [N m]
} sn_contact_def;

// The patch of two bodies where they are now, without friction; `center` are local mass centres.
sn_contact_def sn_contact_def_of(const sn_patch *patch, sn_pose body_a, sn_vec3 center_a, sn_pose body_b,
                                 sn_vec3 center_b);

// Where a patch's friction acts, as arms from the mass centres: the mean of the points, weighted by the
// impulses of the last sub-step, or, for a fresh patch, evenly.
void sn_patch_friction_center(const sn_patch *patch, sn_vec3 *arm_a, sn_vec3 *arm_b);

#endif

// How fast hard joints turn out of line under the torques they carry: what asks for sub-steps where light
// bodies pass torques on, as the links of an arm do.
//
// A hard row of frequency ω yields by the acceleration that its own impulse gives its value, over ω² (methods
// J.3). A joint that carries a torque τ between bodies of inertia I_a and I_b so turns by
// |(I_a⁻¹ + I_b⁻¹) τ|/ω². Where it turns by much less, something else carries the torque: a plane of hinges,
// or a reference that has settled.
// Tested by tests/physics/joints/test_bending_joints.c.
#ifndef SN_WORLD_CORE_BENDING_JOINTS_H
#define SN_WORLD_CORE_BENDING_JOINTS_H

#include "world/core/world.h"

// |(I_a⁻¹ + I_b⁻¹) τ| of the mean torque of the last step about the axes that the joint holds [rad/s²]; 0 for
// kinds that hold none, for soft ones, within unions, and where the joint does not yield to it.
float sn_joint_turning(const sn_world *world, int index);

#endif

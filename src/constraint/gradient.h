// The two ways in which bodies act on each other, as gradients: along a line through a point where both are,
// and about an axis. Joints, contacts as rows and the wide contact blocks all take theirs from here. A force
// along either gives the pair no net force and no net torque.
// Tested by tests/constraint/test_contact.c.
#ifndef SN_CONSTRAINT_GRADIENT_H
#define SN_CONSTRAINT_GRADIENT_H

#include "base/simd.h"
#include "constraint/parts.h"

// How far b is from a along `direction`, both meeting at the end of their arms from the mass centres. The
// value is the caller's.
static inline sn_coordinate sn_gradient_along(sn_vec3 direction, sn_vec3 arm_a, sn_vec3 arm_b)
{
    sn_coordinate c = {
        0.0f, {sn_neg(direction), direction}, {sn_cross(direction, arm_a), sn_cross(arm_b, direction)}};
    return c;
}

// Eight of them at a time; the linear part of a is the opposite of that of b.
typedef struct sn_gradient8 {
    sn_vec3x8 linear_b, angular_a, angular_b;
} sn_gradient8;

SN_INLINE sn_gradient8 sn_gradient8_along(sn_vec3x8 direction, sn_vec3x8 arm_a, sn_vec3x8 arm_b)
{
    return (sn_gradient8){direction, sn_vec3x8_cross(direction, arm_a), sn_vec3x8_cross(arm_b, direction)};
}

// How far b is turned against a about `axis`. The value is the caller's.
static inline sn_coordinate sn_gradient_about(sn_vec3 axis)
{
    sn_vec3 zero = {0.0f, 0.0f, 0.0f};
    sn_coordinate c = {0.0f, {zero, zero}, {sn_neg(axis), axis}};
    return c;
}

#endif

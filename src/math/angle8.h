// The directions of eight points of a plane, for kernels: the same bits in every build, to the last digits of
// a float. Tested by tests/solver/rows/test_joint_kernel.c.
#ifndef SN_MATH_ANGLE8_H
#define SN_MATH_ANGLE8_H

#include "base/simd.h"
#include "sinew/math.h"

// The angle of (x, y), y ≥ 0, from the x axis, in [0, π]; zero for the origin. The point is mirrored into the
// first octant and turned back by π/4 where it is beyond π/8, so that the arctangent's series needs eight
// terms: the first one left out is below 2e-8.
SN_INLINE sn_f8 sn_angle8_of(sn_f8 x, sn_f8 y)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f), across = sn_f8_max(x, -x);
    sn_f8 longer = sn_f8_max(across, y), shorter = sn_f8_min(across, y);
    sn_f8 tangent = shorter / sn_f8_select(longer > zero, longer, one);
    sn_i8 is_beyond = tangent > sn_f8_set(0.414213562f);
    sn_f8 t = sn_f8_select(is_beyond, (tangent - one) / (tangent + one), tangent), s = t * t;
    sn_f8 tail = sn_f8_set(1.0f / 13.0f) - s * sn_f8_set(1.0f / 15.0f);
    tail = sn_f8_set(1.0f / 9.0f) - s * (sn_f8_set(1.0f / 11.0f) - s * tail);
    tail = sn_f8_set(1.0f / 3.0f) - s * (sn_f8_set(1.0f / 5.0f) - s * (sn_f8_set(1.0f / 7.0f) - s * tail));
    sn_f8 angle = t - t * s * tail;
    angle = sn_f8_select(is_beyond, sn_f8_set(0.25f * SN_PI) + angle, angle);
    angle = sn_f8_select(y > across, sn_f8_set(0.5f * SN_PI) - angle, angle);
    return sn_f8_select(x < zero, sn_f8_set(SN_PI) - angle, angle);
}

#endif

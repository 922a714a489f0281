// Numbers and vectors that must agree within a tolerance. Include after cmocka.h.
#ifndef TESTS_SUPPORT_NEAR_H
#define TESTS_SUPPORT_NEAR_H

#include "sinew/math.h"
#include <math.h>

static inline sn_pose at(float x, float y, float z)
{
    return (sn_pose){{x, y, z}, sn_quat_identity};
}

static inline void assert_near(float value, float expected, float tolerance)
{
    if (!(fabsf(value - expected) <= tolerance)) {
        fail_msg("%.9g is not %.9g within %g", (double)value, (double)expected, (double)tolerance);
    }
}

static inline void assert_near3(sn_vec3 value, sn_vec3 expected, float tolerance)
{
    assert_near(value.x, expected.x, tolerance);
    assert_near(value.y, expected.y, tolerance);
    assert_near(value.z, expected.z, tolerance);
}

#endif

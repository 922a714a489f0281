// Pseudo-random numbers for tests (PCG-like): the same sequence everywhere, so that a failure can be
// repeated.
#ifndef TESTS_SUPPORT_RANDOM_H
#define TESTS_SUPPORT_RANDOM_H

#include "sinew/math.h"

typedef struct test_random {
    uint64_t state;
} test_random;

static inline uint32_t test_random_u32(test_random *random)
{
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    uint64_t mixed = (random->state ^ (random->state >> 22)) >> (22 + (random->state >> 61));
    return (uint32_t)mixed;
}

/// Uniform in [lower, upper).
static inline float test_random_float(test_random *random, float lower, float upper)
{
    float unit = (float)(test_random_u32(random) >> 8) * (1.0f / 16777216.0f);
    return lower + (upper - lower) * unit;
}

static inline sn_vec3 test_random_vec3(test_random *random, float half_size)
{
    float x = test_random_float(random, -half_size, half_size);
    float y = test_random_float(random, -half_size, half_size);
    float z = test_random_float(random, -half_size, half_size);
    return sn_v(x, y, z);
}

/// A direction, uniform on the sphere.
static inline sn_vec3 test_random_direction(test_random *random)
{
    sn_vec3 v = test_random_vec3(random, 1.0f);
    while (sn_length_squared(v) > 1.0f || sn_length_squared(v) < 0.01f) {
        v = test_random_vec3(random, 1.0f);
    }
    return sn_normalize(v);
}

/// A rotation, uniform enough.
static inline sn_quat test_random_rotation(test_random *random)
{
    sn_vec3 axis = test_random_direction(random);
    return sn_quat_axis_angle(axis, test_random_float(random, -SN_PI, SN_PI));
}

#endif

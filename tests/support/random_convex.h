// Random convex shapes of every kind, for tests that try many pairs.
#ifndef TESTS_SUPPORT_RANDOM_CONVEX_H
#define TESTS_SUPPORT_RANDOM_CONVEX_H

#include "geometry/shapes/convex.h"
#include "support/random.h"

typedef enum test_convex_kind {
    TEST_POINT,
    TEST_SEGMENT,
    TEST_TRIANGLE,
    TEST_BOX,
    TEST_HULL,
    TEST_CONVEX_KINDS
} test_convex_kind;

// Holds what the view points into: do not copy.
typedef struct test_convex {
    sn_convex convex;
    sn_convex_storage storage;
    sn_hull *hull; // null unless TEST_HULL
} test_convex;

static inline bool test_convex_hull(test_convex *shape, test_random *random, float size)
{
    sn_vec3 points[24], squash;
    int count = 4 + (int)(test_random_u32(random) % 21);
    squash.x = test_random_float(random, 0.1f, 1.0f);
    squash.y = test_random_float(random, 0.1f, 1.0f);
    squash.z = test_random_float(random, 0.1f, 1.0f);
    for (int i = 0; i < count; ++i) {
        points[i] = sn_mul(test_random_vec3(random, 0.5f * size), squash);
    }
    if (sn_hull_create(points, count, 0, &shape->hull) != SN_OK) {
        return false;
    }
    shape->convex = sn_convex_hull(shape->hull);
    return true;
}

// A shape with a core about `size` across and no radius; release with test_convex_free.
static inline void test_convex_make(test_convex *shape, test_random *random, test_convex_kind kind,
                                    float size)
{
    shape->hull = NULL;
    sn_vec3 a = test_random_vec3(random, 0.5f * size), b = test_random_vec3(random, 0.5f * size);
    sn_vec3 c = test_random_vec3(random, 0.5f * size);
    switch (kind) {
    case TEST_POINT:
        shape->convex = sn_convex_sphere(&shape->storage, (sn_sphere){a, 0.0f});
        return;
    case TEST_SEGMENT:
        shape->convex = sn_convex_capsule(&shape->storage, (sn_capsule){a, b, 0.0f});
        return;
    case TEST_TRIANGLE:
        shape->convex = sn_convex_triangle(&shape->storage, a, b, c);
        return;
    case TEST_HULL:
        while (!test_convex_hull(shape, random, size)) {
        }
        return;
    default: {
        sn_vec3 half = sn_add(sn_scale(sn_abs3(a), 0.95f), sn_scale(sn_v(size, size, size), 0.025f));
        shape->convex = sn_convex_box(&shape->storage, (sn_box){half});
        return;
    }
    }
}

static inline void test_convex_free(test_convex *shape)
{
    if (shape->hull != NULL) {
        sn_hull_destroy(shape->hull);
    }
}

// 10^uniform(lower, upper).
static inline float test_random_power(test_random *random, float lower, float upper)
{
    return powf(10.0f, test_random_float(random, lower, upper));
}

#endif

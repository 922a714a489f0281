// What every contact patch must satisfy, and short ways to ask about one. Include after cmocka.
#ifndef TESTS_SUPPORT_MANIFOLD_CHECK_H
#define TESTS_SUPPORT_MANIFOLD_CHECK_H

#include "collision/narrow/manifold.h"

#define assert_near(actual, expected, tolerance) assert_float_equal((actual), (expected), (float)(tolerance))

#define assert_vec3_near(actual, expected, tolerance)                                                        \
    do {                                                                                                     \
        sn_vec3 actual_value = (actual), expected_value = (expected);                                        \
        assert_near(actual_value.x, expected_value.x, tolerance);                                            \
        assert_near(actual_value.y, expected_value.y, tolerance);                                            \
        assert_near(actual_value.z, expected_value.z, tolerance);                                            \
    } while (0)

static inline float lowest_separation(const sn_manifold *manifold)
{
    float lowest = INFINITY;
    for (int i = 0; i < manifold->count; ++i) {
        lowest = sn_min(lowest, manifold->points[i].separation);
    }
    return lowest;
}

static inline float highest_separation(const sn_manifold *manifold)
{
    float highest = -INFINITY;
    for (int i = 0; i < manifold->count; ++i) {
        highest = sn_max(highest, manifold->points[i].separation);
    }
    return highest;
}

// The point nearest to a place; the manifold must not be empty.
static inline sn_manifold_point point_nearest(const sn_manifold *manifold, sn_vec3 place)
{
    int best = 0;
    for (int i = 1; i < manifold->count; ++i) {
        float distance = sn_distance_between(manifold->points[i].position, place);
        if (distance < sn_distance_between(manifold->points[best].position, place)) {
            best = i;
        }
    }
    return manifold->points[best];
}

static inline bool has_feature(const sn_manifold *manifold, uint32_t feature)
{
    for (int i = 0; i < manifold->count; ++i) {
        if (manifold->points[i].feature == feature) {
            return true;
        }
    }
    return false;
}

static inline bool same_features(const sn_manifold *a, const sn_manifold *b)
{
    for (int i = 0; i < a->count; ++i) {
        if (!has_feature(b, a->points[i].feature)) {
            return false;
        }
    }
    return a->count == b->count;
}

// Finite, at most four points within the margin, unit normal, features unique.
static inline void assert_sane(const sn_manifold *manifold, float margin)
{
    assert_in_range(manifold->count, 0, SN_MANIFOLD_POINTS);
    if (manifold->count == 0) {
        return;
    }
    assert_near(sn_length(manifold->normal), 1.0f, 1e-5);
    for (int i = 0; i < manifold->count; ++i) {
        const sn_manifold_point *point = &manifold->points[i];
        assert_true(sn_vec3_is_finite(point->position));
        assert_true(sn_is_finite(point->separation));
        assert_true(point->separation <= margin + 1e-5f);
        for (int k = 0; k < i; ++k) {
            assert_true(manifold->points[k].feature != point->feature);
        }
    }
}

static inline sn_pose pose_at(float x, float y, float z)
{
    return (sn_pose){{x, y, z}, {0.0f, 0.0f, 0.0f, 1.0f}};
}

static inline sn_pose pose_turned(float x, float y, float z, sn_vec3 axis, float angle)
{
    return (sn_pose){{x, y, z}, sn_quat_axis_angle(axis, angle)};
}

#endif

// Random motions of a point and a triangle, or of two segments, and what sampling them densely shows.
#ifndef TESTS_SUPPORT_MOVING_PAIRS_H
#define TESTS_SUPPORT_MOVING_PAIRS_H

#include "collision/narrow/moving_sets.h"
#include "support/random.h"

typedef struct moving_pair {
    sn_vec3 start[4], end[4];
    int count_a; // 1: a point and a triangle; 2: two segments
} moving_pair;

static inline moving_pair moving_pair_make(test_random *random, bool segments)
{
    moving_pair pair = {.count_a = segments ? 2 : 1};
    float speed = test_random_float(random, 0.0f, 1.5f), away = test_random_float(random, 0.0f, 1.0f);
    sn_vec3 shift = test_random_vec3(random, away), common = test_random_vec3(random, 2.0f);
    for (int i = 0; i < 4; ++i) {
        sn_vec3 motion = test_random_vec3(random, speed);
        pair.start[i] = sn_add(test_random_vec3(random, 0.5f), i < pair.count_a ? shift : sn_v(0, 0, 0));
        pair.end[i] = sn_add(sn_add(pair.start[i], motion), common);
    }
    return pair;
}

static inline sn_moving_set moving_pair_side(const moving_pair *pair, bool second)
{
    int first = second ? pair->count_a : 0;
    return (sn_moving_set){.start = pair->start + first,
                           .end = pair->end + first,
                           .count = second ? 4 - pair->count_a : pair->count_a};
}

static inline double moving_pair_volume(const moving_pair *pair, double t)
{
    double p[4][3];
    for (int i = 0; i < 4; ++i) {
        const float *s = &pair->start[i].x, *e = &pair->end[i].x;
        for (int k = 0; k < 3; ++k) {
            p[i][k] = (double)s[k] + t * ((double)e[k] - (double)s[k]);
        }
    }
    double u[3], v[3], w[3];
    for (int k = 0; k < 3; ++k) {
        u[k] = p[1][k] - p[0][k];
        v[k] = p[2][k] - p[0][k];
        w[k] = p[3][k] - p[0][k];
    }
    return u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) +
           u[2] * (v[0] * w[1] - v[1] * w[0]);
}

static inline sn_vec3 moving_pair_point(const moving_pair *pair, int i, double t)
{
    return sn_lerp(pair->start[i], pair->end[i], (float)t);
}

/// Whether the four points, coplanar at that time, lie so that the two features have a point in common, by
/// more than rounding.
static inline bool moving_pair_touches(const moving_pair *pair, double t)
{
    sn_vec3 p[4];
    for (int i = 0; i < 4; ++i) {
        p[i] = moving_pair_point(pair, i, t);
    }
    const float edge = 1.0e-3f;
    if (pair->count_a == 1) {
        sn_vec3 n = sn_cross(sn_sub(p[2], p[1]), sn_sub(p[3], p[1]));
        float area = sn_length_squared(n);
        float a = sn_dot(n, sn_cross(sn_sub(p[2], p[0]), sn_sub(p[3], p[0]))) / area;
        float b = sn_dot(n, sn_cross(sn_sub(p[3], p[0]), sn_sub(p[1], p[0]))) / area;
        return area > 1.0e-6f && a > edge && b > edge && a + b < 1.0f - edge;
    }
    sn_vec3 u = sn_sub(p[1], p[0]), v = sn_sub(p[3], p[2]), n = sn_cross(u, v), w = sn_sub(p[2], p[0]);
    float area = sn_length_squared(n);
    float s = sn_dot(n, sn_cross(w, v)) / area, r = sn_dot(n, sn_cross(w, u)) / area;
    return area > 1.0e-6f && s > edge && s < 1.0f - edge && r > edge && r < 1.0f - edge;
}

/// Whether the features cross at one of `samples` times: where the volume of the four points changes sign.
static inline bool moving_pair_crosses(const moving_pair *pair, int samples)
{
    double before = moving_pair_volume(pair, 0.0);
    for (int i = 1; i <= samples; ++i) {
        double t = (double)i / samples, now = moving_pair_volume(pair, t);
        if ((before > 0.0) != (now > 0.0)) {
            double low = (double)(i - 1) / samples, high = t;
            for (int k = 0; k < 40; ++k) {
                double middle = 0.5 * (low + high);
                if ((moving_pair_volume(pair, middle) > 0.0) == (before > 0.0)) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            if (moving_pair_touches(pair, low)) {
                return true;
            }
        }
        before = now;
    }
    return false;
}

/// Cuts every point of the pair at the slab between the two sides.
static inline bool moving_pair_cut(moving_pair *pair)
{
    sn_moving_set a = moving_pair_side(pair, false), b = moving_pair_side(pair, true);
    sn_parting parting;
    if (!sn_moving_sets_part(&a, &b, 1.0e-6f, &parting)) {
        return false;
    }
    for (int i = 0; i < 4; ++i) {
        bool is_a = i < pair->count_a;
        float part =
            sn_motion_above(pair->start[i], pair->end[i], parting.normal,
                            parting.shift + (is_a ? parting.level_a : parting.level_b), is_a ? 1.0f : -1.0f);
        pair->end[i] = sn_lerp(pair->start[i], pair->end[i], part);
    }
    return true;
}

typedef struct moving_pair_count {
    int apart, met, crossed, missed, crossed_cut;
} moving_pair_count;

/// Judges so many random pairs, half of them points and triangles.
static inline moving_pair_count moving_pairs_judge(uint64_t seed, int pairs, int samples)
{
    test_random random = {seed};
    moving_pair_count count = {0};
    for (int i = 0; i < pairs; ++i) {
        moving_pair pair = moving_pair_make(&random, i % 2 == 1);
        sn_moving_set a = moving_pair_side(&pair, false), b = moving_pair_side(&pair, true);
        sn_meeting meeting = sn_moving_sets_meet(&a, &b, 1.0e-6f);
        bool crosses = moving_pair_crosses(&pair, samples);
        count.apart += meeting == SN_SETS_APART;
        count.met += meeting == SN_SETS_MEET;
        count.crossed += crosses;
        count.missed += crosses && meeting == SN_SETS_APART;
        if (meeting == SN_SETS_MEET && moving_pair_cut(&pair)) {
            count.crossed_cut += moving_pair_crosses(&pair, samples);
        }
    }
    return count;
}

#endif

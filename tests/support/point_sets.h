// Points to take convex hulls of: plain ones, which any hull code must manage, and hostile ones.
#ifndef TESTS_SUPPORT_POINT_SETS_H
#define TESTS_SUPPORT_POINT_SETS_H

#include "support/random.h"
#include <math.h>

#define POINT_SET_CAPACITY 1024

typedef struct point_set {
    sn_vec3 points[POINT_SET_CAPACITY];
    int count;
} point_set;

static inline void point_set_add(point_set *set, sn_vec3 p)
{
    if (set->count < POINT_SET_CAPACITY) {
        set->points[set->count++] = p;
    }
}

static inline void make_ball(point_set *set, test_random *random)
{
    int count = 4 + (int)(test_random_u32(random) % 150);
    while (set->count < count) {
        sn_vec3 p = test_random_vec3(random, 1.0f);
        if (sn_length(p) < 1.0f) {
            point_set_add(set, p);
        }
    }
}

static inline void make_sphere(point_set *set, test_random *random)
{
    int count = 4 + (int)(test_random_u32(random) % 120);
    while (set->count < count) {
        point_set_add(set, test_random_direction(random));
    }
}

// A cuboid's corners and many points on its faces and edges, turned: all but the corners are no vertices.
static inline void make_box(point_set *set, test_random *random)
{
    sn_vec3 half = sn_abs3(test_random_vec3(random, 0.8f));
    half = sn_add(half, sn_v(0.2f, 0.2f, 0.2f));
    sn_quat turn = test_random_u32(random) % 2 ? test_random_rotation(random) : sn_quat_identity;
    for (int i = 0; i < 8; ++i) {
        point_set_add(set,
                      sn_rotate(turn, sn_mul(half, sn_v(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1))));
    }
    for (int i = 0; i < 200; ++i) {
        sn_vec3 p = test_random_vec3(random, 1.0f);
        switch (test_random_u32(random) % 6) {
        case 0:
            p.x = 1.0f;
            break;
        case 1:
            p.x = -1.0f;
            break;
        case 2:
            p.y = 1.0f;
            break;
        case 3:
            p.y = p.z = -1.0f;
            break;
        case 4:
            p.z = p.x = 1.0f;
            break;
        default:
            p.z = -1.0f;
        }
        point_set_add(set, sn_rotate(turn, sn_mul(half, p)));
    }
}

static inline void make_grid(point_set *set, test_random *random)
{
    int n = 2 + (int)(test_random_u32(random) % 6);
    sn_quat turn = test_random_u32(random) % 2 ? test_random_rotation(random) : sn_quat_identity;
    for (int i = 0; i < n * n * n; ++i) {
        sn_vec3 p = sn_v((float)(i % n), (float)(i / n % n), (float)(i / n / n));
        point_set_add(set, sn_rotate(turn, sn_scale(p, 0.37f)));
    }
}

static inline void make_clusters(point_set *set, test_random *random)
{
    float radius = powf(10.0f, test_random_float(random, -6.0f, -1.0f));
    for (int i = 0; i < 10; ++i) {
        sn_vec3 center = test_random_vec3(random, 1.0f);
        for (int j = 0; j < 12; ++j) {
            point_set_add(set, sn_add(center, test_random_vec3(random, radius)));
        }
    }
}

static inline void make_flat(point_set *set, test_random *random)
{
    sn_quat turn = test_random_rotation(random);
    float thickness = powf(10.0f, test_random_float(random, -2.0f, 0.0f));
    for (int i = 0; i < 100; ++i) {
        sn_vec3 p = test_random_vec3(random, 1.0f);
        p.z *= thickness;
        point_set_add(set, sn_rotate(turn, p));
    }
}

static inline void make_thin(point_set *set, test_random *random)
{
    sn_quat turn = test_random_rotation(random);
    float thickness = powf(10.0f, test_random_float(random, -2.0f, 0.0f));
    for (int i = 0; i < 60; ++i) {
        sn_vec3 p = test_random_vec3(random, 1.0f);
        p.y *= thickness;
        p.z *= thickness;
        point_set_add(set, sn_rotate(turn, p));
    }
}

static inline void make_offset(point_set *set, test_random *random)
{
    sn_vec3 offset = test_random_vec3(random, 100.0f);
    make_sphere(set, random);
    for (int i = 0; i < set->count; ++i) {
        set->points[i] = sn_add(set->points[i], offset);
    }
}

// Prisms and drums with many sides: large coplanar caps and nearly parallel neighbours.
static inline void make_drum(point_set *set, test_random *random)
{
    int sides = 3 + (int)(test_random_u32(random) % 60);
    float top = test_random_u32(random) % 3 ? test_random_float(random, 0.1f, 1.0f) : 0.0f;
    sn_quat turn = test_random_rotation(random);
    for (int i = 0; i < sides; ++i) {
        float angle = 2.0f * SN_PI * (float)i / (float)sides;
        point_set_add(set, sn_rotate(turn, sn_v(cosf(angle), -0.5f, sinf(angle))));
        point_set_add(set, sn_rotate(turn, sn_v(top * cosf(angle), 0.5f, top * sinf(angle))));
    }
}

// A smooth ball among whose points are copies, each a rounding step or so away.
static inline void make_copies(point_set *set, test_random *random)
{
    make_sphere(set, random);
    int count = set->count;
    for (int i = 0; i < 3 * count; ++i) {
        sn_vec3 p = set->points[i % count];
        point_set_add(set, sn_add(p, test_random_vec3(random, 2.0e-7f)));
    }
}

// Points on few planes and lines only, at small integers: exact coincidences of every kind.
static inline void make_integers(point_set *set, test_random *random)
{
    for (int i = 0; i < 60; ++i) {
        float x = (float)(test_random_u32(random) % 4), y = (float)(test_random_u32(random) % 4);
        point_set_add(set, sn_v(x, y, (float)(test_random_u32(random) % 4)));
    }
}

// --- hostile ones ------------------------------------------------------------------------------------------
// Many are on the verge of what the tolerance can tell apart.

static inline float random_power(test_random *random, float lowest, float highest)
{
    return powf(10.0f, test_random_float(random, lowest, highest));
}

static inline void point_set_shake(point_set *set, test_random *random, float size)
{
    for (int i = 0; i < set->count; ++i) {
        set->points[i] = sn_add(set->points[i], test_random_vec3(random, size));
    }
}

static inline void make_shaken_box(point_set *set, test_random *random)
{
    make_box(set, random);
    point_set_shake(set, random, random_power(random, -8.0f, -4.0f));
}

static inline void make_shaken_grid(point_set *set, test_random *random)
{
    make_grid(set, random);
    point_set_shake(set, random, random_power(random, -8.0f, -4.0f));
}

static inline void make_shaken_integers(point_set *set, test_random *random)
{
    make_integers(set, random);
    point_set_shake(set, random, random_power(random, -8.0f, -5.0f));
}

static inline void make_sheet(point_set *set, test_random *random)
{
    float thickness = random_power(random, -6.0f, -3.0f);
    sn_quat turn = test_random_rotation(random);
    for (int i = 0; i < 300; ++i) {
        point_set_add(set, sn_rotate(turn, sn_mul(test_random_vec3(random, 1.0f), sn_v(1, 1, thickness))));
    }
}

static inline void make_needle(point_set *set, test_random *random)
{
    float thickness = random_power(random, -6.0f, -1.0f);
    sn_quat turn = test_random_rotation(random);
    for (int i = 0; i < 200; ++i) {
        sn_vec3 p = sn_mul(test_random_vec3(random, 1.0f), sn_v(1, thickness, thickness));
        point_set_add(set, sn_rotate(turn, p));
    }
}

// An axe: two faces that meet at a tiny angle.
static inline void make_wedge(point_set *set, test_random *random)
{
    float slope = random_power(random, -5.0f, -1.0f);
    sn_quat turn = test_random_rotation(random);
    for (int i = 0; i < 200; ++i) {
        sn_vec3 p = test_random_vec3(random, 1.0f);
        point_set_add(set, sn_rotate(turn, sn_v(p.x, 0.0f, p.z)));
        point_set_add(set, sn_rotate(turn, sn_v(p.x, slope * (p.x + 1.0f), p.z)));
    }
}

// Curved so little that any triangle of it is nearly flat.
static inline void make_lens(point_set *set, test_random *random)
{
    float bulge = random_power(random, -6.0f, -1.0f);
    sn_quat turn = test_random_rotation(random);
    for (int i = 0; i < 400; ++i) {
        sn_vec3 p = test_random_vec3(random, 1.0f);
        float sag = bulge * (p.x * p.x + p.z * p.z);
        point_set_add(set, sn_rotate(turn, sn_v(p.x, i % 2 ? 0.5f * sag - 2.0f * bulge : -sag, p.z)));
    }
}

static inline void make_dense_corners(point_set *set, test_random *random)
{
    float radius = random_power(random, -7.5f, -3.0f);
    for (int i = 0; i < 800; ++i) {
        sn_vec3 corner = sn_v(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
        point_set_add(set, sn_add(corner, test_random_vec3(random, radius)));
    }
}

static inline void make_rounded_box(point_set *set, test_random *random)
{
    float radius = random_power(random, -6.5f, -0.5f);
    sn_quat turn = test_random_rotation(random);
    for (int i = 0; i < 1000; ++i) {
        sn_vec3 corner = sn_v(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
        sn_vec3 p = sn_add_scaled(sn_scale(corner, 1.0f - radius), radius, test_random_direction(random));
        point_set_add(set, sn_rotate(turn, p));
    }
}

static inline void make_far_away(point_set *set, test_random *random)
{
    make_sphere(set, random);
    sn_vec3 offset = test_random_vec3(random, random_power(random, 0.0f, 5.9f));
    for (int i = 0; i < set->count; ++i) {
        set->points[i] = sn_add(set->points[i], offset);
    }
}

static inline void make_divided_drum(point_set *set, test_random *random)
{
    make_drum(set, random);
    int count = set->count;
    for (int i = 0; i < 10 * count; ++i) {
        sn_vec3 a = set->points[i % count], b = set->points[(i + 1 + i % 2) % count];
        point_set_add(set, sn_lerp(a, b, test_random_float(random, 0.0f, 1.0f)));
    }
}

typedef void (*point_set_maker)(point_set *set, test_random *random);

static const point_set_maker plain_sets[] = {
    make_ball, make_sphere, make_box,  make_grid,   make_clusters, make_flat,
    make_thin, make_offset, make_drum, make_copies, make_integers,
};
static const point_set_maker hostile_sets[] = {
    make_shaken_box, make_shaken_grid,   make_shaken_integers, make_sheet,    make_needle,       make_wedge,
    make_lens,       make_dense_corners, make_rounded_box,     make_far_away, make_divided_drum,
};
#define PLAIN_SET_COUNT   ((int)(sizeof plain_sets / sizeof *plain_sets))
#define HOSTILE_SET_COUNT ((int)(sizeof hostile_sets / sizeof *hostile_sets))

#endif

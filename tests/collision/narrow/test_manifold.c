// The same checks for every pair of convex shapes: finite, as deep as the true distance, the same with shapes
// exchanged or moved. And the reduction to four points.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collision/narrow/gjk.h"
#include "support/manifold_check.h"
#include "support/random_convex.h"
#include <string.h>

#define MARGIN         0.05f
#define TRIALS_OF_PAIR 1000

// --- the gauntlet: every pair of convex shapes, many random placements -------------------------------------

typedef struct trial {
    test_convex a, b;
    sn_pose pose; // of b in a
    float size;   // of the smaller shape, across
    sn_separation_result truth;
    sn_manifold manifold;
} trial;

static float size_across(const sn_convex *convex)
{
    sn_vec3 lower = convex->points[0], upper = lower;
    for (int i = 1; i < convex->point_count; ++i) {
        lower = sn_min3(lower, convex->points[i]);
        upper = sn_max3(upper, convex->points[i]);
    }
    return sn_length(sn_sub(upper, lower)) + 2.0f * convex->radius;
}

static void make_shape(test_convex *shape, test_random *random, test_convex_kind kind)
{
    test_convex_make(shape, random, kind, 1.0f);
    if (kind == TEST_POINT || kind == TEST_SEGMENT) {
        shape->convex.radius = test_random_float(random, 0.02f, 0.5f);
    }
}

// Anywhere within reach of each other; every other time moved so that they just touch or nearly.
static void make_trial(trial *t, test_random *random, test_convex_kind a, test_convex_kind b, bool near)
{
    make_shape(&t->a, random, a);
    make_shape(&t->b, random, b);
    t->pose.position = test_random_vec3(random, 1.0f);
    t->pose.rotation = test_random_rotation(random);
    t->truth = sn_separation(&t->a.convex, &t->b.convex, t->pose);
    if (near) {
        float gap = test_random_float(random, -MARGIN, MARGIN);
        t->pose.position = sn_add_scaled(t->pose.position, gap - t->truth.distance, t->truth.normal);
        t->truth = sn_separation(&t->a.convex, &t->b.convex, t->pose);
    }
    t->size = sn_min(size_across(&t->a.convex), size_across(&t->b.convex));
    sn_collide_convex(&t->a.convex, &t->b.convex, t->pose, MARGIN, &t->manifold);
}

static void free_trial(trial *t)
{
    test_convex_free(&t->a);
    test_convex_free(&t->b);
}

typedef void (*trial_check)(const trial *t, int *exceptions);

// Runs a check over all pairs; each pair may have a few exceptions, as a part of its trials.
static void check_all_pairs(trial_check check, float allowed)
{
    for (int a = 0; a < TEST_CONVEX_KINDS; ++a) {
        for (int b = 0; b < TEST_CONVEX_KINDS; ++b) {
            test_random random = {(uint64_t)(1 + a * TEST_CONVEX_KINDS + b)};
            int exceptions = 0;
            for (int i = 0; i < TRIALS_OF_PAIR; ++i) {
                trial t;
                make_trial(&t, &random, (test_convex_kind)a, (test_convex_kind)b, i % 2 == 1);
                check(&t, &exceptions);
                free_trial(&t);
            }
            assert_true((float)exceptions <= allowed * (float)TRIALS_OF_PAIR);
        }
    }
}

static void check_sane(const trial *t, int *exceptions)
{
    (void)exceptions;
    assert_sane(&t->manifold, MARGIN);
}

static void test_every_pair_gives_a_sane_manifold(void **state)
{
    (void)state;
    check_all_pairs(check_sane, 0.0f);
}

static void check_deepest_is_distance(const trial *t, int *exceptions)
{
    (void)exceptions;
    float tolerance = 1e-3f * t->size;
    if (t->manifold.count == 0) {
        assert_true(t->truth.distance > MARGIN - tolerance);
    } else {
        assert_near(lowest_separation(&t->manifold), t->truth.distance, tolerance);
    }
}

static void test_deepest_point_has_the_true_signed_distance(void **state)
{
    (void)state;
    check_all_pairs(check_deepest_is_distance, 0.0f);
}

// Moved out along the normal by the depth, the shapes no longer overlap: so the normal points from a to b.
static void check_normal_leads_out(const trial *t, int *exceptions)
{
    (void)exceptions;
    float depth = -lowest_separation(&t->manifold);
    if (t->manifold.count == 0 || depth <= 0.0f) {
        return;
    }
    sn_pose moved = t->pose;
    moved.position = sn_add_scaled(moved.position, depth, t->manifold.normal);
    float left = sn_separation(&t->a.convex, &t->b.convex, moved).distance;
    assert_true(left > -2e-3f * t->size);
}

static void test_normal_leads_out_of_the_overlap(void **state)
{
    (void)state;
    check_all_pairs(check_normal_leads_out, 0.0f);
}

static void check_points_lie_between(const trial *t, int *exceptions)
{
    (void)exceptions;
    for (int i = 0; i < t->manifold.count; ++i) {
        sn_convex_storage storage;
        const sn_manifold_point *point = &t->manifold.points[i];
        sn_convex spot = sn_convex_sphere(&storage, (sn_sphere){point->position, 0.0f});
        sn_pose to_b = sn_pose_relative(t->pose, sn_pose_identity);
        float from_a = sn_separation(&t->a.convex, &spot, sn_pose_identity).distance;
        float from_b = sn_separation(&t->b.convex, &spot, to_b).distance;
        float half = 0.5f * sn_abs(point->separation) + 2e-3f * t->size;
        assert_true(from_a <= half && from_b <= half);
    }
}

static void test_points_lie_half_way_between_the_surfaces(void **state)
{
    (void)state;
    check_all_pairs(check_points_lie_between, 0.0f);
}

static bool is_same_reversed(const sn_manifold *m, const sn_manifold *reversed, sn_pose pose)
{
    if (m->count != reversed->count) {
        return false;
    }
    sn_vec3 normal = sn_neg(sn_rotate(pose.rotation, reversed->normal));
    if (m->count > 0 && sn_dot(normal, m->normal) < 0.99999f) {
        return false;
    }
    for (int i = 0; i < m->count; ++i) {
        sn_vec3 place = sn_pose_apply_inverse(pose, m->points[i].position);
        float separation = point_nearest(reversed, place).separation;
        if (sn_abs(separation - m->points[i].separation) > 1e-5f) {
            return false;
        }
    }
    return true;
}

// Where faces of both are equal, that of a is taken whichever shape a is: these are the exceptions.
static void check_exchange(const trial *t, int *exceptions)
{
    sn_manifold reversed;
    sn_pose pose = sn_pose_relative(t->pose, sn_pose_identity);
    sn_collide_convex(&t->b.convex, &t->a.convex, pose, MARGIN, &reversed);
    *exceptions += !is_same_reversed(&t->manifold, &reversed, t->pose);
    if (t->manifold.count > 0 && reversed.count > 0) {
        float deepest = lowest_separation(&t->manifold);
        assert_near(lowest_separation(&reversed), deepest, 1e-3f * t->size);
    }
}

static void test_exchanging_a_and_b_reverses_the_normal(void **state)
{
    (void)state;
    check_all_pairs(check_exchange, 0.02f);
}

// Both shapes moved by the same rigid motion; the relative pose differs by rounding, which may change the
// choice between equal axes.
static void check_motion(const trial *t, int *exceptions)
{
    sn_pose place = {{3.0f, -2.0f, 1.5f}, sn_quat_axis_angle(sn_v(0.6f, 0.0f, 0.8f), 1.1f)};
    sn_pose relative = sn_pose_relative(place, sn_pose_multiply(place, t->pose));
    sn_manifold moved;
    sn_collide_convex(&t->a.convex, &t->b.convex, relative, MARGIN, &moved);
    bool same = moved.count == t->manifold.count && same_features(&moved, &t->manifold) &&
                (moved.count == 0 || sn_dot(moved.normal, t->manifold.normal) > 0.99999f);
    *exceptions += !same;
    if (moved.count > 0 && t->manifold.count > 0) {
        assert_near(lowest_separation(&moved), lowest_separation(&t->manifold), 1e-3f * t->size);
    }
}

static void test_common_rigid_motion_changes_nothing(void **state)
{
    (void)state;
    check_all_pairs(check_motion, 0.01f);
}

static void test_hostile_poses_give_finite_manifolds(void **state)
{
    (void)state;
    static const float values[] = {NAN, INFINITY, -INFINITY, 1e38f, 1e30f, 1e20f, 1e-38f, 0.0f};
    enum { VALUES = sizeof values / sizeof *values };
    test_random random = {99};
    for (int a = 0; a < TEST_CONVEX_KINDS; ++a) {
        for (int b = 0; b < TEST_CONVEX_KINDS; ++b) {
            for (int i = 0; i < VALUES * VALUES; ++i) {
                test_convex shape_a, shape_b;
                make_shape(&shape_a, &random, (test_convex_kind)a);
                make_shape(&shape_b, &random, (test_convex_kind)b);
                float one = values[i % VALUES], other = values[i / VALUES];
                sn_pose poses[2] = {{{one, other, 0.1f}, sn_quat_identity},
                                    {{0.1f, 0.0f, 0.0f}, {one, other, 0.0f, 1.0f}}};
                for (int k = 0; k < 2; ++k) {
                    sn_manifold manifold;
                    sn_collide_convex(&shape_a.convex, &shape_b.convex, poses[k], MARGIN, &manifold);
                    assert_in_range(manifold.count, 0, SN_MANIFOLD_POINTS);
                    for (int p = 0; p < manifold.count; ++p) {
                        assert_true(sn_vec3_is_finite(manifold.points[p].position));
                    }
                }
                test_convex_free(&shape_a);
                test_convex_free(&shape_b);
            }
        }
    }
}

static void test_coincident_shapes_get_some_unit_normal(void **state)
{
    (void)state;
    test_random random = {5};
    for (int kind = 0; kind < TEST_CONVEX_KINDS; ++kind) {
        for (int i = 0; i < 50; ++i) {
            test_convex shape;
            make_shape(&shape, &random, (test_convex_kind)kind);
            sn_manifold manifold;
            sn_collide_convex(&shape.convex, &shape.convex, sn_pose_identity, MARGIN, &manifold);
            assert_sane(&manifold, MARGIN);
            assert_true(manifold.count > 0);
            test_convex_free(&shape);
        }
    }
}

// --- reduction ---------------------------------------------------------------------------------------------

static const sn_vec3 up = {0.0f, 1.0f, 0.0f};

// A regular polygon in the ground plane.
static void make_ring(sn_manifold_point *points, int count, float radius, float separation)
{
    for (int i = 0; i < count; ++i) {
        float angle = 2.0f * SN_PI * (float)i / (float)count;
        points[i] = (sn_manifold_point){
            {radius * sn_cos(angle), 0.0f, radius * sn_sin(angle)}, separation, (uint32_t)i};
    }
}

static float area_of(const sn_manifold_point *points, int count)
{
    float area = 0.0f;
    for (int i = 2; i < count; ++i) {
        sn_vec3 one = sn_sub(points[i - 1].position, points[0].position);
        sn_vec3 two = sn_sub(points[i].position, points[0].position);
        area += 0.5f * sn_length(sn_cross(one, two));
    }
    return area;
}

static void test_up_to_four_points_are_left_alone(void **state)
{
    (void)state;
    sn_manifold_point points[4];
    for (int count = 0; count <= 4; ++count) {
        make_ring(points, 4, 1.0f, 0.0f);
        assert_int_equal(sn_manifold_reduce(points, count, up), count);
        for (int i = 0; i < count; ++i) {
            assert_int_equal(points[i].feature, i);
        }
    }
}

static void test_reduction_keeps_the_deepest_point(void **state)
{
    (void)state;
    test_random random = {11};
    for (int trial_number = 0; trial_number < 1000; ++trial_number) {
        sn_manifold_point points[64];
        int count = 5 + (int)(test_random_u32(&random) % 60);
        int deepest = (int)(test_random_u32(&random) % (uint32_t)count);
        for (int i = 0; i < count; ++i) {
            sn_vec3 place = test_random_vec3(&random, 1.0f);
            place.y = 0.0f;
            points[i] = (sn_manifold_point){place, test_random_float(&random, -0.01f, 0.01f), (uint32_t)i};
        }
        points[deepest].separation = -0.012f;
        int left = sn_manifold_reduce(points, count, up);
        assert_in_range(left, 1, 4);
        bool found = false;
        for (int i = 0; i < left; ++i) {
            found = found || points[i].feature == (uint32_t)deepest;
        }
        assert_true(found);
    }
}

// The best quadrilateral in a disc has the area 2 r².
static void test_reduction_spans_the_patch(void **state)
{
    (void)state;
    for (int count = 5; count <= 64; ++count) {
        sn_manifold_point points[64];
        make_ring(points, count, 1.0f, -0.001f);
        int left = sn_manifold_reduce(points, count, up);
        assert_int_equal(left, 4);
        assert_true(area_of(points, left) > (count < 7 ? 1.7f : 1.85f));
    }
}

static void test_reduction_of_points_in_line_keeps_the_ends(void **state)
{
    (void)state;
    sn_manifold_point points[9];
    for (int i = 0; i < 9; ++i) {
        points[i] = (sn_manifold_point){{0.1f * (float)i, 0.0f, 0.0f}, i == 0 ? -0.01f : 0.0f, (uint32_t)i};
    }
    assert_int_equal(sn_manifold_reduce(points, 9, up), 2);
    assert_int_equal(points[0].feature, 0);
    assert_int_equal(points[1].feature, 8);
}

static void test_reduction_of_points_in_one_place_keeps_one(void **state)
{
    (void)state;
    sn_manifold_point points[6];
    for (int i = 0; i < 6; ++i) {
        points[i] = (sn_manifold_point){{1.0f, 2.0f, 3.0f}, 0.0f, (uint32_t)i};
    }
    assert_int_equal(sn_manifold_reduce(points, 6, up), 1);
}

// The choice among equal points is made by feature: noise far below the tolerance must not change it, nor the
// order of the points.
static void test_reduction_does_not_flicker(void **state)
{
    (void)state;
    test_random random = {3};
    for (int trial_number = 0; trial_number < 4000; ++trial_number) {
        int count = 5 + trial_number % 8, shift = (int)(test_random_u32(&random) % (uint32_t)count);
        sn_manifold quiet, noisy;
        sn_manifold_point points[12], turned[12];
        make_ring(points, count, 0.7f, -0.002f);
        for (int i = 0; i < count; ++i) {
            turned[i] = points[(i + shift) % count];
            turned[i].position = sn_add(turned[i].position, test_random_vec3(&random, 1e-4f));
            turned[i].separation += test_random_float(&random, -1e-5f, 1e-5f);
        }
        quiet.count = sn_manifold_reduce(points, count, up);
        noisy.count = sn_manifold_reduce(turned, count, up);
        assert_int_equal(quiet.count, 4);
        memcpy(quiet.points, points, sizeof quiet.points);
        memcpy(noisy.points, turned, sizeof noisy.points);
        assert_true(same_features(&quiet, &noisy));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_pair_gives_a_sane_manifold),
        cmocka_unit_test(test_deepest_point_has_the_true_signed_distance),
        cmocka_unit_test(test_normal_leads_out_of_the_overlap),
        cmocka_unit_test(test_points_lie_half_way_between_the_surfaces),
        cmocka_unit_test(test_exchanging_a_and_b_reverses_the_normal),
        cmocka_unit_test(test_common_rigid_motion_changes_nothing),
        cmocka_unit_test(test_hostile_poses_give_finite_manifolds),
        cmocka_unit_test(test_coincident_shapes_get_some_unit_normal),
        cmocka_unit_test(test_up_to_four_points_are_left_alone),
        cmocka_unit_test(test_reduction_keeps_the_deepest_point),
        cmocka_unit_test(test_reduction_spans_the_patch),
        cmocka_unit_test(test_reduction_of_points_in_line_keeps_the_ends),
        cmocka_unit_test(test_reduction_of_points_in_one_place_keeps_one),
        cmocka_unit_test(test_reduction_does_not_flicker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

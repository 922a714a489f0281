// The separating axis of polyhedra against brute force in double, and its preference among equal axes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collision/narrow/gjk.h"
#include "collision/narrow/sat.h"
#include "support/convex_oracle.h"
#include "support/manifold_check.h"
#include "support/random_convex.h"

// Separation of two cores along a direction: negative if their projections overlap.
static float separation_along(const sn_convex_pair *pair, sn_vec3 normal)
{
    sn_vec3 in_b = sn_rotate_inverse(pair->pose.rotation, normal);
    sn_vec3 top = pair->a->points[sn_convex_support(pair->a, normal)];
    sn_vec3 bottom = pair->b->points[sn_convex_support(pair->b, sn_neg(in_b))];
    return sn_dot(normal, sn_sub(sn_pose_apply(pair->pose, bottom), top));
}

static const test_convex_kind polyhedra[] = {TEST_TRIANGLE, TEST_BOX, TEST_HULL};

typedef void (*pair_check)(const sn_convex_pair *pair);

static void check_random_pairs(pair_check check, float margin, int trials)
{
    test_random random = {17};
    for (int i = 0; i < 9 * trials; ++i) {
        test_convex a, b;
        test_convex_make(&a, &random, polyhedra[i % 3], 1.0f);
        test_convex_make(&b, &random, polyhedra[i / 3 % 3], 1.0f);
        sn_pose pose;
        pose.position = test_random_vec3(&random, 0.5f);
        pose.rotation = test_random_rotation(&random);
        sn_convex_pair pair = sn_convex_pair_make(&a.convex, &b.convex, pose, margin);
        check(&pair);
        test_convex_free(&a);
        test_convex_free(&b);
    }
}

static float true_depth(const sn_convex_pair *pair)
{
    oracle_shape a, b;
    oracle_make(&a, pair->a, sn_pose_identity);
    oracle_make(&b, pair->b, pair->pose);
    return (float)oracle_depth(&a, &b);
}

static void check_depth(const sn_convex_pair *pair)
{
    if (sn_gjk_distance(pair->a, pair->b, pair->pose).distance == 0.0f) {
        sn_sat_axis axis = sn_sat_polyhedra(pair);
        assert_near(axis.separation, -true_depth(pair), pair->tolerance + 1e-5f);
    }
}

// Also shows that skipping edges far from the contact misses nothing.
static void test_overlap_is_the_penetration_depth(void **state)
{
    (void)state;
    check_random_pairs(check_depth, 1.0f, 600);
}

static void check_axis_is_honest(const sn_convex_pair *pair)
{
    sn_sat_axis axis = sn_sat_polyhedra(pair);
    assert_near(sn_length(axis.normal), 1.0f, 1e-5);
    // An axis that replaces others with the same normal may have less depth along its own.
    assert_true(separation_along(pair, axis.normal) <= axis.separation + 2e-5f);
    sn_separation_result truth = sn_separation(pair->a, pair->b, pair->pose);
    assert_true(axis.separation <= sn_max(truth.distance, 0.0f) + 2e-5f);
}

static void test_separation_never_exceeds_the_distance(void **state)
{
    (void)state;
    check_random_pairs(check_axis_is_honest, 10.0f, 500);
}

static void test_face_of_a_is_preferred_to_an_equal_face_of_b(void **state)
{
    (void)state;
    sn_convex_storage storage_a, storage_b;
    sn_convex a = sn_convex_box(&storage_a, (sn_box){{1.0f, 1.0f, 1.0f}});
    sn_convex b = sn_convex_box(&storage_b, (sn_box){{1.0f, 1.0f, 1.0f}});
    test_random random = {4};
    for (int i = 0; i < 1000; ++i) {
        sn_pose pose = pose_turned(0.0f, 1.999f, 0.0f, test_random_direction(&random), 0.005f);
        pose.position = sn_add(pose.position, test_random_vec3(&random, 2e-3f));
        sn_convex_pair pair = sn_convex_pair_make(&a, &b, pose, 0.02f);
        sn_sat_axis axis = sn_sat_polyhedra(&pair);
        assert_int_equal(axis.kind, SN_SAT_FACE_A);
        assert_int_equal(axis.face, 3);
    }
}

static void test_crossed_edges_give_an_edge_axis(void **state)
{
    (void)state;
    sn_convex_storage storage_a, storage_b;
    sn_convex a = sn_convex_box(&storage_a, (sn_box){{0.5f, 0.5f, 0.5f}});
    sn_convex b = sn_convex_box(&storage_b, (sn_box){{0.5f, 0.5f, 0.5f}});
    a.is_box = b.is_box = false;
    // a seen by b: turned 45° about z, then b's upper edge, which runs along x, under it.
    sn_quat edge_up = sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), 0.25f * SN_PI);
    sn_quat edge_down = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), 0.25f * SN_PI);
    sn_pose place_a = {{0.0f, 0.0f, 0.0f}, edge_up}, place_b = {{0.0f, 1.41f, 0.0f}, edge_down};
    sn_convex_pair pair = sn_convex_pair_make(&a, &b, sn_pose_relative(place_a, place_b), 0.02f);
    sn_sat_axis axis = sn_sat_polyhedra(&pair);
    assert_int_equal(axis.kind, SN_SAT_EDGES);
    assert_vec3_near(sn_rotate(edge_up, axis.normal), sn_v(0.0f, 1.0f, 0.0f), 1e-5);
    assert_near(axis.separation, 1.41f - sqrtf(2.0f), 1e-5);
}

static void test_axis_against_the_front_is_not_taken(void **state)
{
    (void)state;
    sn_convex_storage storage_a, storage_b;
    sn_convex a = sn_convex_triangle(&storage_a, sn_v(-1, 0, 1), sn_v(1, 0, 1), sn_v(0, 0, -1));
    sn_convex b = sn_convex_box(&storage_b, (sn_box){{0.2f, 0.2f, 0.2f}});
    sn_convex_pair pair = sn_convex_pair_make(&a, &b, pose_at(0.0f, -0.1f, 0.0f), 0.02f);
    assert_near(sn_sat_polyhedra(&pair).normal.y, -1.0f, 1e-5);
    pair.front = sn_v(0.0f, 1.0f, 0.0f);
    sn_sat_axis axis = sn_sat_polyhedra(&pair);
    assert_near(axis.normal.y, 1.0f, 1e-5);
    assert_near(axis.separation, -0.3f, 1e-5);
}

static void test_segment_depth_is_the_penetration_depth(void **state)
{
    (void)state;
    test_random random = {31};
    int overlaps = 0;
    for (int i = 0; i < 3000; ++i) {
        test_convex a, b;
        test_convex_make(&a, &random, polyhedra[1 + i % 2], 1.0f);
        test_convex_make(&b, &random, TEST_SEGMENT, 1.0f);
        sn_pose pose;
        pose.position = test_random_vec3(&random, 0.4f);
        pose.rotation = test_random_rotation(&random);
        sn_convex_pair pair = sn_convex_pair_make(&a.convex, &b.convex, pose, 1.0f);
        if (sn_gjk_distance(pair.a, pair.b, pose).distance == 0.0f) {
            ++overlaps;
            sn_vec3 ends[2] = {sn_pose_apply(pose, b.convex.points[0]),
                               sn_pose_apply(pose, b.convex.points[1])};
            assert_near(sn_sat_segment(&pair, ends).separation, -true_depth(&pair), pair.tolerance + 1e-5f);
        }
        test_convex_free(&a);
        test_convex_free(&b);
    }
    assert_true(overlaps > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overlap_is_the_penetration_depth),
        cmocka_unit_test(test_separation_never_exceeds_the_distance),
        cmocka_unit_test(test_face_of_a_is_preferred_to_an_equal_face_of_b),
        cmocka_unit_test(test_crossed_edges_give_an_edge_axis),
        cmocka_unit_test(test_axis_against_the_front_is_not_taken),
        cmocka_unit_test(test_segment_depth_is_the_penetration_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

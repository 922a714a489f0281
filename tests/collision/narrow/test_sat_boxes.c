// The separating axis of two boxes against the search for general polyhedra, and its stability.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collision/narrow/sat.h"
#include "support/manifold_check.h"
#include "support/random_convex.h"

typedef struct box_trial {
    test_convex a, b;
    sn_convex_pair pair;
} box_trial;

static void make_trial(box_trial *t, test_random *random, float distance)
{
    test_convex_make(&t->a, random, TEST_BOX, 1.0f);
    test_convex_make(&t->b, random, TEST_BOX, 1.0f);
    sn_pose pose;
    pose.position = test_random_vec3(random, distance);
    pose.rotation = test_random_rotation(random);
    t->pair = sn_convex_pair_make(&t->a.convex, &t->b.convex, pose, 10.0f);
}

// The two searches have no code in common.
static void test_agrees_with_the_search_over_polyhedra(void **state)
{
    (void)state;
    test_random random = {77};
    int same_kind = 0, trials = 5000;
    for (int i = 0; i < trials; ++i) {
        box_trial t;
        make_trial(&t, &random, 0.5f);
        sn_sat_axis special = sn_sat_boxes(&t.pair), general = sn_sat_polyhedra(&t.pair);
        if (general.separation < 0.0f) {
            assert_near(special.separation, general.separation, t.pair.tolerance + 2e-5f);
        }
        same_kind += special.kind == general.kind && sn_dot(special.normal, general.normal) > 0.9999f;
    }
    assert_true(same_kind > 49 * trials / 50);
}

static void test_edge_vertices_support_the_axis(void **state)
{
    (void)state;
    test_random random = {78};
    int edges = 0;
    for (int i = 0; i < 5000; ++i) {
        box_trial t;
        make_trial(&t, &random, 0.6f);
        sn_sat_axis axis = sn_sat_boxes(&t.pair);
        if (axis.kind != SN_SAT_EDGES) {
            continue;
        }
        ++edges;
        const sn_vec3 *a = t.a.convex.points, *b = t.b.convex.points;
        for (int end = 0; end < 2; ++end) {
            float top = sn_dot(axis.normal, a[axis.edge_a[end]]);
            float bottom = sn_dot(axis.normal, sn_pose_apply(t.pair.pose, b[axis.edge_b[end]]));
            assert_near(bottom - top, axis.separation, 1e-5);
        }
    }
    assert_true(edges > 200);
}

static void test_stops_at_the_first_axis_beyond_reach(void **state)
{
    (void)state;
    sn_convex_storage storage_a, storage_b;
    sn_convex a = sn_convex_box(&storage_a, (sn_box){{1.0f, 1.0f, 1.0f}});
    sn_convex b = sn_convex_box(&storage_b, (sn_box){{1.0f, 1.0f, 1.0f}});
    sn_convex_pair pair = sn_convex_pair_make(&a, &b, pose_at(0.0f, -2.5f, 0.0f), 0.02f);
    sn_sat_axis axis = sn_sat_boxes(&pair);
    assert_near(axis.separation, 0.5f, 1e-6);
    assert_vec3_near(axis.normal, sn_v(0.0f, -1.0f, 0.0f), 0.0);
    assert_int_equal(axis.face, 2);
}

// A stack that rocks by a few tenths of a degree keeps its reference face.
static void test_rocking_does_not_change_the_face(void **state)
{
    (void)state;
    sn_convex_storage storage_a, storage_b;
    sn_convex a = sn_convex_box(&storage_a, (sn_box){{0.5f, 0.5f, 0.5f}});
    sn_convex b = sn_convex_box(&storage_b, (sn_box){{0.5f, 0.5f, 0.5f}});
    test_random random = {6};
    for (int i = 0; i < 2000; ++i) {
        sn_quat yaw = sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), test_random_float(&random, -SN_PI, SN_PI));
        sn_quat rock =
            sn_quat_axis_angle(test_random_direction(&random), test_random_float(&random, 0.0f, 5e-3f));
        sn_pose pose = {sn_add(sn_v(0.0f, 0.998f, 0.0f), test_random_vec3(&random, 2e-3f)),
                        sn_quat_multiply(rock, yaw)};
        sn_convex_pair pair = sn_convex_pair_make(&a, &b, pose, 0.02f);
        sn_sat_axis axis = sn_sat_boxes(&pair);
        assert_int_equal(axis.kind, SN_SAT_FACE_A);
        assert_int_equal(axis.face, 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agrees_with_the_search_over_polyhedra),
        cmocka_unit_test(test_edge_vertices_support_the_axis),
        cmocka_unit_test(test_stops_at_the_first_axis_beyond_reach),
        cmocka_unit_test(test_rocking_does_not_change_the_face),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

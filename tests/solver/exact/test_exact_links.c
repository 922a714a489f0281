// Weighted sums of nodes held together: to the last bits, without momentum of their own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/link_rig.h"
#include "support/near.h"

#include <math.h>

static link_rig rig; // too large for some stacks

static void scatter(int first, int count, test_random *random)
{
    for (int i = first; i < first + count; ++i) {
        float mass = test_random_float(random, 0.01f, 2.0f);
        sn_vec3 place = test_random_vec3(random, 1.0f);
        link_rig_node(&rig, i, mass, place, test_random_vec3(random, 3.0f));
    }
}

// What was far apart came together at hundreds of metres a second: back to speeds whose momentum has digits.
static void calm(int nodes, test_random *random)
{
    for (int i = 1; i <= nodes; ++i) {
        rig.nodes.velocities.data[i].velocity = test_random_vec3(random, 3.0f);
    }
}

static void assert_momentum_near(const double *a, const double *b, int first, int count, double tolerance)
{
    for (int i = first; i < first + count; ++i) {
        if (!(fabs(a[i] - b[i]) <= tolerance)) {
            fail_msg("%.9g is not %.9g within %g", a[i], b[i], tolerance);
        }
    }
}

// --- links alone -------------------------------------------------------------------------------------------

static void check_sums(int count_a, int count_b, uint64_t seed, bool is_sum)
{
    test_random random = {seed};
    link_rig_make(&rig, 0, 0, count_a + count_b, 0.001f, 16);
    rig.range.gravity = sn_v(0.0f, -9.81f, 0.0f);
    scatter(1, count_a + count_b, &random);
    (void)link_rig_add(&rig, end_of_nodes(1, count_a, &random), end_of_nodes(1 + count_a, count_b, &random));
    if (is_sum) {
        link_rig_make_sum(&rig);
    }
    for (int i = 0; i < 50; ++i) {
        link_rig_step(&rig);
        assert_true(link_rig_ulps(&rig, 0) <= (count_a == 1 || count_b == 1 ? 0.0f : 4.0f));
    }
    link_rig_free(&rig);
}

static void test_sums_of_one_to_four_nodes_coincide_to_four_bits(void **state)
{
    (void)state;
    for (int a = 1; a <= 4; ++a) {
        for (int b = 1; b <= 4; ++b) {
            check_sums(a, b, 10 * (uint64_t)a + (uint64_t)b, false);
            check_sums(a, b, 10 * (uint64_t)a + (uint64_t)b, true);
        }
    }
}

// With one sub-step the predicted places are known: x + h v.
static void test_forces_sum_to_nothing_and_turn_nothing_about_predicted_places(void **state)
{
    (void)state;
    test_random random = {7};
    for (int round = 0; round < 50; ++round) {
        int a = 1 + round % 3, b = 1 + round % 4;
        link_rig_make(&rig, 0, 0, a + b, 0.01f, 1);
        scatter(1, a + b, &random);
        sn_vec3 before[8], predicted[8];
        for (int i = 0; i < a + b; ++i) {
            before[i] = link_rig_velocity(&rig, 1 + i);
            predicted[i] = sn_add_scaled(link_rig_place(&rig, 1 + i), 0.01f, before[i]);
        }
        sn_exact_link *link =
            link_rig_add(&rig, end_of_nodes(1, a, &random), end_of_nodes(1 + a, b, &random));
        link->share = 0.5f; // less than one: velocities are not settled
        link_rig_step(&rig);
        sn_vec3 sum = {0.0f, 0.0f, 0.0f}, torque = sum;
        for (int i = 0; i < a + b; ++i) {
            float mass = 1.0f / rig.nodes.states.data[1 + i].inverse_mass;
            sn_vec3 impulse = sn_scale(sn_sub(link_rig_velocity(&rig, 1 + i), before[i]), mass);
            sum = sn_add(sum, impulse);
            torque = sn_add(torque, sn_cross(predicted[i], impulse));
        }
        float size = 0.01f * sn_length(rig.forces[0]);
        assert_true(size > 0.0f);
        assert_true(sn_length(sum) <= 1.0e-6f * size);
        assert_true(sn_length(torque) <= 1.0e-6f * size);
        link_rig_free(&rig);
    }
}

static void test_momentum_is_kept_once_the_points_coincide(void **state)
{
    (void)state;
    test_random random = {3};
    link_rig_make(&rig, 0, 0, 7, 0.001f, 16);
    scatter(1, 7, &random);
    (void)link_rig_add(&rig, end_of_nodes(1, 3, &random), end_of_nodes(4, 4, &random));
    link_rig_step(&rig);
    calm(7, &random);
    double before[6], after[6];
    link_rig_momentum(&rig, before);
    for (int i = 0; i < 100; ++i) {
        link_rig_step(&rig);
    }
    link_rig_momentum(&rig, after);
    assert_momentum_near(before, after, 0, 3, 1.0e-5);
    assert_momentum_near(before, after, 3, 3, 2.0e-5);
    link_rig_free(&rig);
}

static void test_a_node_on_a_moving_place_is_there_and_as_fast(void **state)
{
    (void)state;
    test_random random = {4};
    link_rig_make(&rig, 0, 0, 3, 0.001f, 16);
    rig.range.gravity = sn_v(0.0f, -9.81f, 0.0f);
    scatter(1, 3, &random);
    sn_exact_link *link =
        link_rig_add(&rig, end_of_place(sn_v(0.3f, 0.2f, 0.1f)), end_of_nodes(1, 3, &random));
    link->displacement = sn_v(0.01f, -0.02f, 0.03f);
    for (int i = 0; i < 20; ++i) {
        link_rig_step(&rig);
        assert_true(link_rig_ulps(&rig, 0) <= 4.0f);
        sn_vec3 velocity = {0.0f, 0.0f, 0.0f};
        for (int k = 0; k < 3; ++k) {
            velocity = sn_add_scaled(velocity, link->ends[1].weights[k],
                                     link_rig_velocity(&rig, link->ends[1].nodes[k]));
        }
        assert_true(sn_distance_between(velocity, sn_scale(link->displacement, 1.0f / 0.016f)) < 1.0e-5f);
    }
    link_rig_free(&rig);
}

static void test_force_on_b_carries_a_hanging_weight(void **state)
{
    (void)state;
    link_rig_make(&rig, 0, 0, 1, 0.001f, 16);
    rig.range.gravity = sn_v(0.0f, -9.81f, 0.0f);
    link_rig_node(&rig, 1, 2.5f, sn_v(1.0f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f));
    (void)link_rig_add(&rig, end_of_place(sn_v(1.0f, 0.0f, 0.0f)), end_of_node(1));
    for (int i = 0; i < 3; ++i) {
        link_rig_step(&rig);
        assert_true(sn_distance_between(rig.forces[0], sn_v(0.0f, 2.5f * 9.81f, 0.0f)) < 1.0e-4f);
    }
    link_rig_free(&rig);
}

static void test_what_cannot_move_is_left_alone(void **state)
{
    (void)state;
    link_rig_make(&rig, 0, 0, 2, 0.001f, 4);
    link_rig_node(&rig, 1, 0.0f, sn_v(1.0f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f));
    link_rig_node(&rig, 2, 0.0f, sn_v(2.0f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f));
    (void)link_rig_add(&rig, end_of_node(1), end_of_node(2));
    link_rig_step(&rig);
    assert_float_equal(link_rig_place(&rig, 1).x, 1.0f, 0.0f);
    assert_float_equal(link_rig_place(&rig, 2).x, 2.0f, 0.0f);
    assert_float_equal(sn_length(rig.forces[0]), 0.0f, 0.0f);
    link_rig_free(&rig);
}

// --- ramps -------------------------------------------------------------------------------------------------

// Without velocities of their own every sub-step would leave 1 − share of the error; those that come from the
// pull itself are taken away before the next step here.
static void test_ramp_multiplies_the_error_by_what_it_leaves(void **state)
{
    (void)state;
    test_random random = {5};
    link_rig_make(&rig, 0, 0, 4, 0.002f, 1);
    scatter(1, 4, &random);
    sn_exact_link *link = link_rig_add(&rig, end_of_node(1), end_of_nodes(2, 3, &random));
    const int n = 10;
    for (int j = 1; j <= n; ++j) {
        for (int i = 1; i <= 4; ++i) {
            rig.nodes.velocities.data[i].velocity = sn_v(0.0f, 0.0f, 0.0f);
        }
        sn_vec3 before = link_rig_apart(&rig, 0);
        link->share = (float)j / (float)n;
        link_rig_step(&rig);
        sn_vec3 expected = sn_scale(before, 1.0f - (float)j / (float)n);
        assert_true(sn_distance_between(link_rig_apart(&rig, 0), expected) < 5.0e-7f);
    }
    assert_float_equal(link_rig_ulps(&rig, 0), 0.0f, 0.0f);
    link_rig_free(&rig);
}

static void test_ramp_grows_from_sub_step_to_sub_step_and_ends_at_one(void **state)
{
    (void)state;
    test_random random = {6};
    link_rig_make(&rig, 0, 0, 2, 0.001f, 8);
    scatter(1, 2, &random);
    sn_exact_link *link = link_rig_add(&rig, end_of_node(1), end_of_node(2));
    link->growth = 1.0f / 8.0f;
    link->share = link->growth;
    link_rig_step(&rig);
    assert_float_equal(link_rig_ulps(&rig, 0), 0.0f, 0.0f);
    sn_vec3 apart = sn_sub(link_rig_velocity(&rig, 2), link_rig_velocity(&rig, 1));
    assert_true(sn_length(apart) < 1.0e-5f);
    link_rig_free(&rig);
}

// --- systems -----------------------------------------------------------------------------------------------

// Links around a fan of triangles with one node in common.
static void check_system(int count, uint64_t seed)
{
    test_random random = {seed};
    int nodes = 1 + 3 * count;
    link_rig_make(&rig, 0, 0, nodes, 0.001f, 16);
    scatter(1, nodes, &random);
    for (int i = 0; i < count; ++i) {
        sn_exact_end face = end_of_nodes(1, 3, &random);
        face.nodes[1] = 2 + 2 * i;
        face.nodes[2] = 3 + 2 * i;
        (void)link_rig_add(&rig, face, end_of_node(nodes - i));
    }
    double before[6], after[6];
    for (int i = 0; i < 30; ++i) {
        if (i == 1) {
            calm(nodes, &random);
            link_rig_momentum(&rig, before);
        }
        link_rig_step(&rig);
        for (int k = 0; k < count; ++k) {
            assert_true(link_rig_ulps(&rig, k) <= 4.0f);
        }
    }
    link_rig_momentum(&rig, after);
    assert_momentum_near(before, after, 0, 3, 2.0e-6 * count);
    assert_momentum_near(before, after, 3, 3, 2.0e-5 * count);
    link_rig_free(&rig);
}

static void test_links_that_share_nodes_are_solved_together(void **state)
{
    (void)state;
    check_system(2, 11);
    check_system(3, 12);
    check_system(8, 13);
    check_system(16, 18);
}

static void test_links_that_say_the_same_twice_are_met(void **state)
{
    (void)state;
    test_random random = {15};
    link_rig_make(&rig, 0, 0, 5, 0.001f, 16);
    scatter(1, 5, &random);
    sn_exact_end face = end_of_nodes(2, 3, &random);
    for (int i = 0; i < 3; ++i) {
        (void)link_rig_add(&rig, face, end_of_node(1));
    }
    (void)link_rig_add(&rig, end_of_node(1), end_of_node(5));
    for (int i = 0; i < 20; ++i) {
        link_rig_step(&rig);
        for (int k = 0; k < 4; ++k) {
            assert_true(link_rig_ulps(&rig, k) <= 4.0f);
        }
    }
    link_rig_free(&rig);
}

// A node cannot be at two places.
static void test_links_that_cannot_all_be_met_stay_bounded(void **state)
{
    (void)state;
    link_rig_make(&rig, 0, 0, 1, 0.001f, 16);
    (void)link_rig_add(&rig, end_of_place(sn_v(1.0f, 0.0f, 0.0f)), end_of_node(1));
    (void)link_rig_add(&rig, end_of_place(sn_v(-1.0f, 0.0f, 0.0f)), end_of_node(1));
    for (int i = 0; i < 20; ++i) {
        link_rig_step(&rig);
        assert_true(sn_abs(link_rig_place(&rig, 1).x) <= 1.0001f);
        assert_true(sn_length(link_rig_velocity(&rig, 1)) < 1.0e-3f);
    }
    link_rig_free(&rig);
}

// A node that is in a link twice counts once: on an edge it is itself an end of.
static void test_node_in_both_ends_of_a_link(void **state)
{
    (void)state;
    test_random random = {16};
    link_rig_make(&rig, 0, 0, 2, 0.001f, 16);
    scatter(1, 2, &random);
    (void)link_rig_add(&rig, end_of_nodes(1, 2, &random), end_of_node(1));
    for (int i = 0; i < 10; ++i) {
        link_rig_step(&rig);
        assert_true(link_rig_ulps(&rig, 0) <= 4.0f);
    }
    link_rig_free(&rig);
}

// --- sets --------------------------------------------------------------------------------------------------

static void test_a_set_weighs_what_its_members_do_and_stays_together(void **state)
{
    (void)state;
    link_rig_make(&rig, 0, 0, 3, 0.001f, 16);
    link_rig_node(&rig, 1, 1.0f, sn_v(0.0f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f));
    link_rig_node(&rig, 2, 2.0f, sn_v(0.0f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f));
    link_rig_node(&rig, 3, 3.0f, sn_v(1.0f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f));
    (void)link_rig_add_set(&rig, 1, 2);
    (void)link_rig_add(&rig, end_of_node(1), end_of_node(3));
    link_rig_step(&rig);
    sn_vec3 a = link_rig_place(&rig, 1), b = link_rig_place(&rig, 2), c = link_rig_place(&rig, 3);
    assert_true(sn_distance_between(a, b) == 0.0f && sn_distance_between(a, c) == 0.0f);
    assert_float_equal(a.x, 0.5f, 1.0e-6f);
    // The anchor of the set carries what moves its second node.
    rig.range.gravity = sn_v(0.0f, -9.81f, 0.0f);
    rig.links[0].ends[1] = end_of_place(link_rig_place(&rig, 1));
    link_rig_step(&rig);
    link_rig_step(&rig);
    assert_true(sn_distance_between(rig.forces[0], sn_v(0.0f, -3.0f * 9.81f, 0.0f)) < 1.0e-3f);
    assert_true(sn_distance_between(rig.member_forces[1], sn_v(0.0f, 2.0f * 9.81f, 0.0f)) < 1.0e-3f);
    link_rig_free(&rig);
}

static void test_nailed_set_does_not_give_way(void **state)
{
    (void)state;
    test_random random = {17};
    link_rig_make(&rig, 0, 0, 5, 0.001f, 16);
    scatter(1, 5, &random);
    sn_exact_set *set = link_rig_add_set(&rig, 1, 2);
    set->attachment = 0;
    rig.attachments[0] = (sn_exact_attachment){.place = sn_v(0.5f, 0.25f, 0.0f), .end = LINK_RIG_MOST};
    (void)link_rig_add(&rig, end_of_node(2), end_of_nodes(3, 3, &random));
    for (int i = 0; i < 10; ++i) {
        link_rig_step(&rig);
        assert_near3(link_rig_place(&rig, 2), rig.attachments[0].place, 0.0f);
        assert_true(link_rig_ulps(&rig, 0) <= 4.0f);
    }
    link_rig_free(&rig);
}

// --- bodies ------------------------------------------------------------------------------------------------

// A face of three nodes on a body that spins.
static void check_body(uint32_t locks, int links, uint64_t seed)
{
    test_random random = {seed};
    link_rig_make(&rig, 0, 1, 3 * links, 0.001f, 16);
    rig_set_random(&rig.rigid, 1, &random);
    sn_solver_body *body = &rig.rigid.solver.bodies[1];
    body->spin.locks = locks;
    body->inverse_mass.x = locks & SN_LOCK_X ? 0.0f : body->inverse_mass.x;
    if (locks != 0) {
        sn_sym3d m = body->spin.inertia;
        sn_sym3 inertia = {(float)m.xx, (float)m.yy, (float)m.zz, (float)m.xy, (float)m.xz, (float)m.yz};
        sn_sym3 inverse = sn_inverse_inertia(inertia, body->rotation, locks);
        rig_put(rig.rigid.solver.inertias[1].diagonal, sn_v(inverse.xx, inverse.yy, inverse.zz));
        rig_put(rig.rigid.solver.inertias[1].off_diagonal, sn_v(inverse.xy, inverse.xz, inverse.yz));
        rig_set_velocity(&rig.rigid, 1, sn_v(0.0f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f));
    }
    scatter(1, 3 * links, &random);
    for (int i = 0; i < links; ++i) {
        (void)link_rig_add(&rig, end_of_nodes(1 + 3 * i, 3, &random),
                           end_of_body(1, test_random_vec3(&random, 0.5f)));
    }
    double before[6], after[6];
    for (int i = 0; i < 60; ++i) {
        if (i == 5) {
            calm(3 * links, &random);
            rig_set_velocity(&rig.rigid, 1, test_random_vec3(&random, 1.0f),
                             test_random_vec3(&random, locks == 0 ? 3.0f : 0.0f));
            link_rig_momentum(&rig, before);
        }
        link_rig_step(&rig);
        for (int k = 0; k < links && i > 1; ++k) {
            assert_true(link_rig_ulps(&rig, k) <= 4.0f);
        }
    }
    link_rig_momentum(&rig, after);
    if (locks == 0) {
        assert_momentum_near(before, after, 0, 3, 2.0e-5);
        assert_momentum_near(before, after, 3, 3, 2.0e-4);
    }
    link_rig_free(&rig);
}

static void test_nodes_on_bodies_free_and_locked(void **state)
{
    (void)state;
    check_body(0, 1, 21);
    check_body(0, 2, 22);
    check_body(0, 3, 23);
    check_body(SN_LOCK_X | SN_LOCK_ROTATION_Y, 1, 24);
}

static void test_node_follows_a_kinematic_body(void **state)
{
    (void)state;
    link_rig_make(&rig, 1, 0, 2, 0.001f, 16);
    rig_set_velocity(&rig.rigid, 1, sn_v(1.0f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 5.0f));
    test_random random = {25};
    scatter(1, 2, &random);
    (void)link_rig_add(&rig, end_of_body(1, sn_v(0.3f, 0.0f, 0.0f)), end_of_nodes(1, 2, &random));
    for (int i = 0; i < 20; ++i) {
        link_rig_step(&rig);
        assert_true(link_rig_ulps(&rig, 0) <= 4.0f);
    }
    link_rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_of_one_to_four_nodes_coincide_to_four_bits),
        cmocka_unit_test(test_forces_sum_to_nothing_and_turn_nothing_about_predicted_places),
        cmocka_unit_test(test_momentum_is_kept_once_the_points_coincide),
        cmocka_unit_test(test_a_node_on_a_moving_place_is_there_and_as_fast),
        cmocka_unit_test(test_force_on_b_carries_a_hanging_weight),
        cmocka_unit_test(test_what_cannot_move_is_left_alone),
        cmocka_unit_test(test_ramp_multiplies_the_error_by_what_it_leaves),
        cmocka_unit_test(test_ramp_grows_from_sub_step_to_sub_step_and_ends_at_one),
        cmocka_unit_test(test_links_that_share_nodes_are_solved_together),
        cmocka_unit_test(test_links_that_say_the_same_twice_are_met),
        cmocka_unit_test(test_links_that_cannot_all_be_met_stay_bounded),
        cmocka_unit_test(test_node_in_both_ends_of_a_link),
        cmocka_unit_test(test_a_set_weighs_what_its_members_do_and_stays_together),
        cmocka_unit_test(test_nailed_set_does_not_give_way),
        cmocka_unit_test(test_nodes_on_bodies_free_and_locked),
        cmocka_unit_test(test_node_follows_a_kinematic_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

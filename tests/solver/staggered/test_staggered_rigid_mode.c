// Rigid-mode correction of deformables: what a push makes of them is what rows reckon with, and has the
// push's momenta.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solver/staggered/staggered_rigid_mode.h"
#include "support/random.h"

#include <math.h>

enum { NODES = 40, FIRST = 3 };

typedef struct cloud {
    sn_node_state states[FIRST + NODES];
    sn_node_velocity velocities[FIRST + NODES];
    sn_node_range range;
    sn_element_pass pass;
} cloud;

static void make_cloud(cloud *c, float held)
{
    test_random random = {5};
    *c = (cloud){.range = {.first = FIRST, .count = NODES, .rigid_share = held}};
    for (int i = 0; i < FIRST + NODES; ++i) {
        c->states[i].position = sn_add(sn_v(10.0f, 5.0f, -3.0f), test_random_vec3(&random, 1.0f));
        c->states[i].inverse_mass = test_random_float(&random, 1.0f, 9.0f);
    }
    c->pass = (sn_element_pass){.nodes = c->states, .felt = c->states, .velocities = c->velocities};
}

static sn_rigid_mode_point point_at(const cloud *c, const sn_rigid_mode *rigid_mode, int node)
{
    return (sn_rigid_mode_point){1.0f, sn_sub(c->states[node].position, rigid_mode->center)};
}

// Linear, then angular about the origin.
static void add_momenta(double sum[6], double mass, sn_vec3 x, sn_vec3 v)
{
    sum[0] += mass * (double)v.x;
    sum[1] += mass * (double)v.y;
    sum[2] += mass * (double)v.z;
    sum[3] += mass * ((double)x.y * (double)v.z - (double)x.z * (double)v.y);
    sum[4] += mass * ((double)x.z * (double)v.x - (double)x.x * (double)v.z);
    sum[5] += mass * ((double)x.x * (double)v.y - (double)x.y * (double)v.x);
}

static void test_a_push_gives_all_nodes_together_its_momenta(void **state)
{
    (void)state;
    cloud c;
    make_cloud(&c, 0.75f);
    sn_rigid_mode rigid_mode = sn_rigid_mode_of(&c.range, c.states);
    sn_rigid_mode_point point = point_at(&c, &rigid_mode, FIRST + 7);
    sn_vec3 impulse = sn_v(0.3f, -2.0f, 1.0f);
    sn_rigid_mode_push(&rigid_mode, &point, impulse);
    sn_rigid_mode_hand_out(&rigid_mode, &c.pass);
    double got[6] = {0}, given[6] = {0};
    for (int i = 0; i < FIRST + NODES; ++i) {
        add_momenta(got, 1.0 / (double)c.states[i].inverse_mass, c.states[i].position,
                    c.velocities[i].velocity);
    }
    add_momenta(given, 0.75, c.states[FIRST + 7].position, impulse);
    for (int k = 0; k < 6; ++k) {
        assert_float_equal(got[k], given[k], 2.0e-5);
    }
    assert_true(sn_length(c.velocities[0].velocity) == 0.0f); // not one of its nodes
    sn_rigid_mode_hand_out(&rigid_mode, &c.pass);
    assert_true(sn_length(rigid_mode.linear) == 0.0f);
}

static void test_the_response_is_the_speed_a_push_makes_and_symmetric(void **state)
{
    (void)state;
    cloud c;
    make_cloud(&c, 0.9f);
    test_random random = {8};
    for (int i = 0; i < 20; ++i) {
        sn_rigid_mode rigid_mode = sn_rigid_mode_of(&c.range, c.states);
        sn_rigid_mode_point point = point_at(&c, &rigid_mode, FIRST + i);
        sn_vec3 d = test_random_vec3(&random, 1.0f), e = test_random_vec3(&random, 1.0f);
        float response = sn_rigid_mode_response(&rigid_mode, &point, d, e);
        assert_float_equal((double)sn_rigid_mode_response(&rigid_mode, &point, e, d), (double)response,
                           1.0e-5);
        sn_rigid_mode_push(&rigid_mode, &point, e);
        assert_float_equal((double)sn_dot(d, sn_rigid_mode_velocity(&rigid_mode, &point)), (double)response,
                           1.0e-5);
    }
}

static void test_what_is_not_held_or_hangs_from_fixed_nodes_is_no_whole(void **state)
{
    (void)state;
    cloud c;
    make_cloud(&c, 0.0f);
    assert_true(sn_rigid_mode_of(&c.range, c.states).held == 0.0f);
    make_cloud(&c, 0.9f);
    assert_true(sn_rigid_mode_of(&c.range, c.states).held == 0.9f);
    c.states[FIRST + 11].inverse_mass = 0.0f;
    assert_true(sn_rigid_mode_of(&c.range, c.states).held == 0.0f);
}

static void test_nodes_in_a_line_do_not_turn_about_it(void **state)
{
    (void)state;
    cloud c;
    make_cloud(&c, 1.0f);
    for (int i = 0; i < NODES; ++i) {
        c.states[FIRST + i] = (sn_node_state){sn_v(0.1f * (float)i, 0.0f, 0.0f), 1.0f};
    }
    sn_rigid_mode rigid_mode = sn_rigid_mode_of(&c.range, c.states);
    sn_rigid_mode_point point = {1.0f, sn_v(0.0f, 0.0f, 0.5f)}; // off the line: there is no inertia to resist
    sn_rigid_mode_push(&rigid_mode, &point, sn_v(0.0f, 1.0f, 0.0f));
    assert_float_equal((double)rigid_mode.angular.x, 0.0, 1.0e-6);
    assert_float_equal((double)rigid_mode.linear.y, 1.0 / NODES, 1.0e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_push_gives_all_nodes_together_its_momenta),
        cmocka_unit_test(test_the_response_is_the_speed_a_push_makes_and_symmetric),
        cmocka_unit_test(test_what_is_not_held_or_hangs_from_fixed_nodes_is_no_whole),
        cmocka_unit_test(test_nodes_in_a_line_do_not_turn_about_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

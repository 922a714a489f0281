// Systems of more links than elimination is worth: met as well as small ones, whatever their masses, and
// bounded where they contradict each other.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/link_rig.h"
#include "support/near.h"

#include <math.h>

static link_rig rig;

enum { COUNT = 48 };

static void scatter(int first, int count, float mass, test_random *random)
{
    for (int i = 0; i < count; ++i) {
        link_rig_node(&rig, first + i, mass * test_random_float(random, 0.5f, 2.0f),
                      test_random_vec3(random, 1.0f), test_random_vec3(random, 1.0f));
    }
}

// What was far apart came together at hundreds of metres a second: back to speeds whose momentum has digits.
static void calm(test_random *random)
{
    for (int i = 1; i <= rig.range.count; ++i) {
        rig.nodes.velocities.data[i].velocity = test_random_vec3(random, 1.0f);
    }
}

static void assert_kept(const double before[6], double linear, double angular)
{
    double after[6];
    link_rig_momentum(&rig, after);
    for (int i = 0; i < 6; ++i) {
        if (!(fabs(after[i] - before[i]) <= (i < 3 ? linear : angular))) {
            fail_msg("momentum %d: %.9g, was %.9g", i, after[i], before[i]);
        }
    }
}

// Every link holds a node to a sum of one that they all share and one of its own.
static void check_star(float shared_mass)
{
    test_random random = {14};
    link_rig_make(&rig, 0, 0, 1 + 2 * COUNT, 0.001f, 16);
    scatter(1, 1, shared_mass, &random);
    scatter(2, 2 * COUNT, 1.0f, &random);
    for (int i = 0; i < COUNT; ++i) {
        sn_exact_end edge = end_of_nodes(1, 2, &random);
        edge.nodes[1] = 2 + i;
        (void)link_rig_add(&rig, edge, end_of_node(2 + COUNT + i));
    }
    double before[6];
    for (int i = 0; i < 20; ++i) {
        if (i == 1) {
            calm(&random);
            link_rig_momentum(&rig, before);
        }
        link_rig_step(&rig);
        for (int k = 0; k < COUNT; ++k) {
            assert_true(link_rig_ulps(&rig, k) <= 4.0f);
        }
    }
    float mass = shared_mass + 2.0f * COUNT;
    assert_kept(before, 1.0e-6 * (double)mass, 4.0e-6 * (double)mass);
    link_rig_free(&rig);
}

static void test_many_links_that_share_a_node_are_met(void **state)
{
    (void)state;
    check_star(1.0f);
    check_star(1.0e-4f);
    check_star(1.0e4f);
}

// The matrix of this one has but nine directions for 48 links.
static void test_many_links_that_say_the_same_are_met(void **state)
{
    (void)state;
    test_random random = {15};
    link_rig_make(&rig, 0, 0, 4, 0.001f, 16);
    scatter(1, 4, 1.0f, &random);
    sn_exact_end face = end_of_nodes(2, 3, &random);
    for (int i = 0; i < COUNT; ++i) {
        (void)link_rig_add(&rig, face, end_of_node(1));
    }
    for (int i = 0; i < 20; ++i) {
        link_rig_step(&rig);
        for (int k = 0; k < COUNT; ++k) {
            assert_true(link_rig_ulps(&rig, k) <= 4.0f);
        }
    }
    link_rig_free(&rig);
}

static void test_many_links_that_cannot_all_be_met_stay_bounded(void **state)
{
    (void)state;
    test_random random = {16};
    link_rig_make(&rig, 0, 0, 3, 0.001f, 16);
    scatter(1, 3, 1.0f, &random);
    for (int i = 0; i < COUNT; ++i) {
        (void)link_rig_add(&rig, end_of_place(test_random_vec3(&random, 1.0f)), end_of_nodes(1, 3, &random));
    }
    for (int i = 0; i < 50; ++i) {
        link_rig_step(&rig);
        for (int k = 1; k <= 3; ++k) {
            assert_true(sn_length(link_rig_place(&rig, k)) < 20.0f);
            assert_true(sn_length(link_rig_velocity(&rig, k)) < 1.0f);
        }
    }
    link_rig_free(&rig);
}

// A body that hangs on many nodes, which hold it in turn, with nothing to hold it to.
static void test_many_links_of_a_body_are_met(void **state)
{
    (void)state;
    test_random random = {17};
    link_rig_make(&rig, 0, 1, 2 * COUNT, 0.001f, 16);
    scatter(1, 2 * COUNT, 0.1f, &random);
    int body = rig.rigid.solver.dynamic_begin;
    rig_set_ball(&rig.rigid, body, 3.0f, 0.5f);
    rig_set_velocity(&rig.rigid, body, sn_v(0.5f, 0.0f, 0.0f), sn_v(0.0f, 1.0f, 2.0f));
    for (int i = 0; i < COUNT; ++i) {
        sn_vec3 local = test_random_vec3(&random, 0.5f);
        sn_vec3 place = link_rig_end(&rig, &(sn_exact_end){.body = body, .place = local});
        link_rig_node(&rig, 1 + 2 * i, 0.1f, sn_add(place, sn_v(0.1f, 0.0f, 0.0f)),
                      test_random_vec3(&random, 1.0f));
        link_rig_node(&rig, 2 + 2 * i, 0.1f, sn_sub(place, sn_v(0.1f, 0.0f, 0.0f)),
                      test_random_vec3(&random, 1.0f));
        sn_exact_end middle = {.node_count = 2, .nodes = {1 + 2 * i, 2 + 2 * i}, .weights = {0.5f, 0.5f}};
        (void)link_rig_add(&rig, end_of_body(body, local), middle);
    }
    double before[6];
    link_rig_momentum(&rig, before);
    for (int i = 0; i < 30; ++i) {
        link_rig_step(&rig);
        for (int k = 0; k < COUNT; ++k) {
            assert_true(link_rig_ulps(&rig, k) <= 4.0f);
        }
    }
    assert_kept(before, 2.0e-5, 2.0e-4);
    link_rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_links_that_share_a_node_are_met),
        cmocka_unit_test(test_many_links_that_say_the_same_are_met),
        cmocka_unit_test(test_many_links_that_cannot_all_be_met_stay_bounded),
        cmocka_unit_test(test_many_links_of_a_body_are_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Nodes on points of lines, triangles and tetrahedra, by the code they have of their own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/exact_rig.h"
#include "support/near.h"

enum { SPOTS = 12, EACH = 5 };

// Node 5 i is on a sum of the 2 to 4 that follow it, masses 0.5 to 2 kg, a little off at first.
static void make(exact_rig *rig, sn_exact_spot *spots, sn_vec3 *forces, float apart)
{
    test_random random = {23};
    exact_rig_make(rig, 0, 0, EACH * SPOTS);
    for (int i = 0; i < SPOTS; ++i) {
        spots[i] = (sn_exact_spot){
            .node = rig->first + EACH * i, .count = 2 + i % 3, .anchor = i, .is_b = i % 2 == 0};
        float sum = 0.0f;
        for (int k = 0; k < EACH; ++k) {
            exact_rig_put(rig, EACH * i + k, test_random_vec3(&random, 3.0f), test_random_vec3(&random, 2.0f),
                          test_random_float(&random, 0.5f, 2.0f));
        }
        for (int k = 0; k < spots[i].count; ++k) {
            spots[i].nodes[k] = rig->first + EACH * i + 1 + k;
            spots[i].weights[k] =
                k + 1 < spots[i].count ? test_random_float(&random, 0.1f, 0.3f) : 1.0f - sum;
            sum += spots[i].weights[k];
        }
        sn_vec3 place = sn_exact_spot_place(rig->nodes.states.data, &spots[i]);
        exact_rig_state(rig, EACH * i)->position = sn_add(place, test_random_vec3(&random, apart));
    }
    rig->stage.forces = forces;
    rig->stage.spots = spots;
    rig->stage.spot_count = SPOTS;
}

static void look(exact_rig *rig, int sub_step)
{
    (void)sub_step;
    for (int i = 0; i < rig->stage.spot_count; ++i) {
        sn_vec3 place = sn_exact_spot_place(rig->nodes.states.data, &rig->stage.spots[i]);
        assert_true(exact_rig_same(exact_rig_state(rig, EACH * i)->position, place));
    }
}

static void test_nodes_are_on_their_spots_in_every_sub_step(void **state)
{
    (void)state;
    exact_rig rig;
    sn_exact_spot spots[SPOTS];
    sn_vec3 forces[SPOTS];
    make(&rig, spots, forces, 0.1f);
    rig.range.gravity = sn_v(0.0f, -9.81f, 0.0f);
    rig.look = look;
    for (int step = 0; step < 100; ++step) {
        exact_rig_step(&rig, 0.016f, 5);
    }
    exact_rig_free(&rig);
}

static void test_velocities_agree_after_a_step(void **state)
{
    (void)state;
    exact_rig rig;
    sn_exact_spot spots[SPOTS];
    sn_vec3 forces[SPOTS];
    make(&rig, spots, forces, 0.05f);
    exact_rig_step(&rig, 0.01f, 4);
    for (int i = 0; i < SPOTS; ++i) {
        sn_vec3 sum = {0.0f, 0.0f, 0.0f};
        for (int k = 0; k < spots[i].count; ++k) {
            sum = sn_add_scaled(sum, spots[i].weights[k], *exact_rig_velocity(&rig, EACH * i + 1 + k));
        }
        assert_near3(*exact_rig_velocity(&rig, EACH * i), sum, 2e-5f);
    }
    exact_rig_free(&rig);
}

// Impulses act as at the beginning of the sub-step: forces along the error turn nothing about where nodes
// would have been.
static void test_momenta_are_kept(void **state)
{
    (void)state;
    exact_rig rig;
    sn_exact_spot spots[SPOTS];
    sn_vec3 forces[SPOTS];
    make(&rig, spots, forces, 0.0f);
    test_momenta before = exact_rig_sum(&rig);
    for (int step = 0; step < 50; ++step) {
        exact_rig_step(&rig, 0.01f, 4);
    }
    test_momenta after = exact_rig_sum(&rig);
    exact_rig_assert_kept(&before, &after, 60.0, 3.0, 1e-6);
    exact_rig_free(&rig);
}

// A node of 2 kg hangs on the middle of a bar of two fixed ones, which nothing moves.
static void test_the_force_is_that_on_b(void **state)
{
    (void)state;
    for (int is_b = 0; is_b < 2; ++is_b) {
        exact_rig rig;
        sn_vec3 force = {0.0f, 0.0f, 0.0f};
        exact_rig_make(&rig, 0, 0, 3);
        rig.range.gravity = sn_v(0.0f, -10.0f, 0.0f);
        exact_rig_put(&rig, 0, sn_v(0.5f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f), 2.0f);
        exact_rig_put(&rig, 1, sn_v(0.0f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f), 0.0f);
        exact_rig_put(&rig, 2, sn_v(1.0f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f), 0.0f);
        sn_exact_spot spot = {.node = rig.first,
                              .count = 2,
                              .nodes = {rig.first + 1, rig.first + 2},
                              .weights = {0.5f, 0.5f},
                              .is_b = is_b == 1};
        rig.stage.forces = &force;
        rig.stage.spots = &spot;
        rig.stage.spot_count = 1;
        exact_rig_step(&rig, 0.01f, 4);
        assert_near(force.y, is_b == 1 ? 20.0f : -20.0f, 1e-3f);
        assert_near3(exact_rig_state(&rig, 0)->position, sn_v(0.5f, 0.0f, 0.0f), 1e-7f);
        exact_rig_free(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes_are_on_their_spots_in_every_sub_step),
        cmocka_unit_test(test_velocities_agree_after_a_step),
        cmocka_unit_test(test_momenta_are_kept),
        cmocka_unit_test(test_the_force_is_that_on_b),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

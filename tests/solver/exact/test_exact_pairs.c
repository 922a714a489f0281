// Pairs of free nodes, by the code they have of their own: as sets of two, to the last bit at one place.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/exact_rig.h"
#include "support/near.h"

enum { PAIRS = 20 };

// Nodes 2 i and 2 i + 1, of 1 to 1.5 kg, are a pair, or a set of two.
static void make(exact_rig *rig, sn_exact_pair *pairs, sn_vec3 *forces, bool as_sets, float apart)
{
    test_random random = {31};
    exact_rig_make(rig, 0, 0, 2 * PAIRS);
    rig->range.gravity = sn_v(0.0f, -9.81f, 0.0f);
    for (int i = 0; i < PAIRS; ++i) {
        sn_vec3 place = test_random_vec3(&random, 5.0f);
        for (int k = 0; k < 2; ++k) {
            sn_vec3 there = sn_add(place, test_random_vec3(&random, apart));
            sn_vec3 velocity = test_random_vec3(&random, 2.0f);
            exact_rig_put(rig, 2 * i + k, there, velocity, test_random_float(&random, 1.0f, 1.5f));
        }
        pairs[i] = (sn_exact_pair){rig->first + 2 * i, rig->first + 2 * i + 1, &forces[i]};
        if (as_sets) {
            (void)exact_rig_set(rig, SN_CARRIED_BY_NOTHING, 2 * i, 2);
        }
    }
    rig->stage.pairs = pairs;
    rig->stage.pair_count = as_sets ? 0 : PAIRS;
}

static void assert_are_one(exact_rig *rig)
{
    for (int i = 0; i < PAIRS; ++i) {
        sn_vec3 a = exact_rig_state(rig, 2 * i)->position, b = exact_rig_state(rig, 2 * i + 1)->position;
        assert_true(exact_rig_same(a, b));
    }
}

static void look(exact_rig *rig, int sub_step)
{
    (void)sub_step;
    assert_are_one(rig);
}

static void test_pairs_are_one_point_in_every_sub_step(void **state)
{
    (void)state;
    exact_rig rig;
    sn_exact_pair pairs[PAIRS];
    sn_vec3 forces[PAIRS];
    make(&rig, pairs, forces, false, 0.1f);
    rig.look = look;
    for (int step = 0; step < 100; ++step) {
        exact_rig_step(&rig, 0.016f, 5);
        for (int i = 0; i < PAIRS; ++i) {
            sn_vec3 velocity = *exact_rig_velocity(&rig, 2 * i);
            assert_true(exact_rig_same(velocity, *exact_rig_velocity(&rig, 2 * i + 1)));
        }
    }
    exact_rig_free(&rig);
}

static void test_pairs_do_what_sets_of_two_do(void **state)
{
    (void)state;
    exact_rig rigs[2];
    sn_exact_pair pairs[2][PAIRS];
    sn_vec3 forces[2][PAIRS];
    for (int i = 0; i < 2; ++i) {
        make(&rigs[i], pairs[i], forces[i], i == 1, 0.05f);
        for (int step = 0; step < 10; ++step) {
            for (int k = 0; k < PAIRS; ++k) {
                rigs[i].nodes.forces.data[rigs[i].first + 2 * k] = sn_v((float)k, 3.0f, -2.0f);
            }
            exact_rig_step(&rigs[i], 0.016f, 4);
        }
    }
    for (int i = 0; i < 2 * PAIRS; ++i) {
        sn_vec3 place = exact_rig_state(&rigs[1], i)->position;
        assert_near3(exact_rig_state(&rigs[0], i)->position, place, 4.0e-6f);
        assert_near3(*exact_rig_velocity(&rigs[0], i), *exact_rig_velocity(&rigs[1], i), 2.0e-5f);
        assert_near3(forces[0][i / 2], rigs[1].member_forces[2 * (i / 2) + 1], 1.0e-3f);
    }
    exact_rig_free(&rigs[0]);
    exact_rig_free(&rigs[1]);
}

static void test_pairs_keep_both_momenta(void **state)
{
    (void)state;
    exact_rig rig;
    sn_exact_pair pairs[PAIRS];
    sn_vec3 forces[PAIRS];
    make(&rig, pairs, forces, false, 0.0f);
    rig.range.gravity = sn_v(0.0f, 0.0f, 0.0f);
    test_momenta before = exact_rig_sum(&rig);
    for (int step = 0; step < 100; ++step) {
        exact_rig_step(&rig, 0.01f, 4);
    }
    test_momenta after = exact_rig_sum(&rig);
    exact_rig_assert_kept(&before, &after, 40.0 * 1.25 * 2.0, 6.0, 1.0e-6);
    exact_rig_free(&rig);
}

// Fixing a node makes the world plan anew; the solver stands it nevertheless.
static void test_pairs_of_fixed_nodes_stay(void **state)
{
    (void)state;
    exact_rig rig;
    sn_exact_pair pairs[PAIRS];
    sn_vec3 forces[PAIRS];
    make(&rig, pairs, forces, false, 0.0f);
    exact_rig_state(&rig, 0)->inverse_mass = exact_rig_state(&rig, 1)->inverse_mass = 0.0f;
    sn_vec3 place = exact_rig_state(&rig, 0)->position;
    exact_rig_step(&rig, 0.01f, 4);
    assert_true(exact_rig_same(exact_rig_state(&rig, 0)->position, place));
    assert_true(exact_rig_same(exact_rig_state(&rig, 1)->position, place));
    assert_true(exact_rig_same(forces[0], sn_v(0.0f, 0.0f, 0.0f)));
    exact_rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs_are_one_point_in_every_sub_step),
        cmocka_unit_test(test_pairs_do_what_sets_of_two_do),
        cmocka_unit_test(test_pairs_keep_both_momenta),
        cmocka_unit_test(test_pairs_of_fixed_nodes_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Single nodes on nails, by the code they have of their own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/exact_rig.h"
#include "support/near.h"

enum { PINS = 20 };

// Nodes of 0.5 to 2 kg on nails, as pins or as sets of one, three metres from the origin.
static void make(exact_rig *rig, sn_exact_pin *pins, sn_vec3 *forces, bool as_sets, sn_vec3 displacement)
{
    test_random random = {17};
    exact_rig_make(rig, 0, 0, PINS);
    rig->range.gravity = sn_v(0.0f, -10.0f, 0.0f);
    for (int i = 0; i < PINS; ++i) {
        sn_vec3 place = sn_add(sn_v(3.0f, 3.0f, 3.0f), test_random_vec3(&random, 1.0f));
        exact_rig_put(rig, i, place, test_random_vec3(&random, 2.0f), test_random_float(&random, 0.5f, 2.0f));
        pins[i] = (sn_exact_pin){.node = rig->first + i,
                                 .is_b = true,
                                 .place = place,
                                 .displacement = displacement,
                                 .force = &forces[i]};
        if (as_sets) {
            sn_exact_set *set = exact_rig_set(rig, SN_CARRIED_BY_PLACE, i, 1);
            set->place = place;
            set->displacement = displacement;
        }
    }
    rig->stage.pins = pins;
    rig->stage.pin_count = as_sets ? 0 : PINS;
}

static void test_nodes_are_on_their_nails_and_stand(void **state)
{
    (void)state;
    exact_rig rig;
    sn_exact_pin pins[PINS];
    sn_vec3 forces[PINS];
    make(&rig, pins, forces, false, sn_v(0.0f, 0.0f, 0.0f));
    for (int step = 0; step < 3; ++step) {
        exact_rig_step(&rig, 0.01f, 4);
        for (int i = 0; i < PINS; ++i) {
            assert_true(exact_rig_same(exact_rig_state(&rig, i)->position, pins[i].place));
            assert_true(exact_rig_same(*exact_rig_velocity(&rig, i), sn_v(0.0f, 0.0f, 0.0f)));
        }
    }
    exact_rig_free(&rig);
}

static void test_nails_bear_the_weight(void **state)
{
    (void)state;
    exact_rig rig;
    sn_exact_pin pins[PINS];
    sn_vec3 forces[PINS];
    make(&rig, pins, forces, false, sn_v(0.0f, 0.0f, 0.0f));
    pins[1].is_b = false;
    exact_rig_step(&rig, 0.01f, 4);
    exact_rig_step(&rig, 0.01f, 4);
    for (int i = 0; i < PINS; ++i) {
        float weight = 10.0f / exact_rig_state(&rig, i)->inverse_mass;
        assert_near(forces[i].y, i == 1 ? -weight : weight, 1e-4f * weight);
        assert_near(forces[i].x, 0.0f, 1e-4f * weight);
    }
    exact_rig_free(&rig);
}

static void look(exact_rig *rig, int sub_step)
{
    const sn_exact_pin *pins = rig->stage.pins;
    for (int i = 0; i < rig->stage.pin_count; ++i) {
        sn_vec3 there = sn_add_scaled(pins[i].place, (float)(sub_step + 1) / 5.0f, pins[i].displacement);
        assert_near3(exact_rig_state(rig, i)->position, there, 1e-6f);
    }
}

static void test_moving_nails_go_evenly(void **state)
{
    (void)state;
    exact_rig rig;
    sn_exact_pin pins[PINS];
    sn_vec3 forces[PINS], displacement = {0.02f, -0.01f, 0.005f};
    make(&rig, pins, forces, false, displacement);
    rig.look = look;
    exact_rig_step(&rig, 0.01f, 5);
    for (int i = 0; i < PINS; ++i) {
        assert_true(exact_rig_same(exact_rig_state(&rig, i)->position, sn_add(pins[i].place, displacement)));
        assert_near3(*exact_rig_velocity(&rig, i), sn_v(2.0f, -1.0f, 0.5f), 1e-6f);
    }
    exact_rig_free(&rig);
}

static void test_pins_do_what_sets_of_one_do(void **state)
{
    (void)state;
    exact_rig rigs[2];
    sn_exact_pin pins[2][PINS];
    sn_vec3 forces[2][PINS];
    for (int i = 0; i < 2; ++i) {
        make(&rigs[i], pins[i], forces[i], i == 1, sn_v(0.01f, 0.02f, 0.0f));
        exact_rig_step(&rigs[i], 0.01f, 3);
    }
    for (int k = 0; k < PINS; ++k) {
        sn_vec3 set_force = rigs[1].set_forces[k];
        assert_true(
            exact_rig_same(exact_rig_state(&rigs[0], k)->position, exact_rig_state(&rigs[1], k)->position));
        assert_near3(*exact_rig_velocity(&rigs[0], k), *exact_rig_velocity(&rigs[1], k), 1e-6f);
        assert_near3(forces[0][k], set_force, 1e-5f * sn_length(set_force));
    }
    exact_rig_free(&rigs[0]);
    exact_rig_free(&rigs[1]);
}

static void test_fixed_nodes_stay_where_they_are(void **state)
{
    (void)state;
    exact_rig rig;
    sn_exact_pin pins[PINS];
    sn_vec3 forces[PINS], there = {1.0f, 2.0f, 3.0f};
    make(&rig, pins, forces, false, sn_v(0.0f, 0.0f, 0.0f));
    exact_rig_put(&rig, 0, there, sn_v(0.0f, 0.0f, 0.0f), 0.0f);
    exact_rig_step(&rig, 0.01f, 4);
    assert_true(exact_rig_same(exact_rig_state(&rig, 0)->position, there));
    assert_true(exact_rig_same(forces[0], sn_v(0.0f, 0.0f, 0.0f)));
    exact_rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes_are_on_their_nails_and_stand),
        cmocka_unit_test(test_nails_bear_the_weight),
        cmocka_unit_test(test_moving_nails_go_evenly),
        cmocka_unit_test(test_pins_do_what_sets_of_one_do),
        cmocka_unit_test(test_fixed_nodes_stay_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

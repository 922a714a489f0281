// Nodes that are one point, free, nailed or held by one that is fixed: to the last bit, with their momentum.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/exact_rig.h"
#include "support/near.h"

#include <float.h>

static const sn_vec3 origin = {0.0f, 0.0f, 0.0f};

// Nodes at random about a place, with masses of 0.1 to 10 kg.
static void scatter(exact_rig *rig, test_random *random, sn_vec3 about, float apart, float speed)
{
    for (int i = 0; i < rig->range.count; ++i) {
        sn_vec3 place = sn_add(about, test_random_vec3(random, apart));
        sn_vec3 velocity = test_random_vec3(random, speed);
        exact_rig_put(rig, i, place, velocity, test_random_float(random, 0.1f, 10.0f));
    }
}

static void assert_is_one_point(exact_rig *rig, const sn_exact_set *set)
{
    for (int i = set->first; i < set->first + set->count; ++i) {
        int node = rig->members[i].node - rig->first, root = rig->members[set->first].node - rig->first;
        sn_vec3 here = exact_rig_state(rig, node)->position, there = exact_rig_state(rig, root)->position;
        assert_true(exact_rig_same(here, there));
        sn_vec3 speed = *exact_rig_velocity(rig, node);
        assert_true(exact_rig_same(speed, *exact_rig_velocity(rig, root)));
    }
}

// --- free sets ---------------------------------------------------------------------------------------------

static void test_two_nodes_meet_at_their_mean_by_mass(void **state)
{
    (void)state;
    exact_rig rig;
    exact_rig_make(&rig, 0, 0, 2);
    exact_rig_put(&rig, 0, sn_v(1.0f, 0.0f, 0.0f), sn_v(0.0f, 2.0f, 0.0f), 1.0f);
    exact_rig_put(&rig, 1, sn_v(3.0f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 4.0f), 3.0f);
    const sn_exact_set *set = exact_rig_set(&rig, SN_EXACT_FREE, 0, 2);
    exact_rig_step(&rig, 0.01f, 1);
    assert_is_one_point(&rig, set);
    sn_vec3 place = exact_rig_state(&rig, 0)->position, velocity = *exact_rig_velocity(&rig, 0);
    assert_near(sn_distance_between(place, sn_v(2.5f, 0.005f, 0.03f)), 0.0f, 2.0e-7);
    // What brought them together is gone.
    assert_near(sn_distance_between(velocity, sn_v(0.0f, 0.5f, 3.0f)), 0.0f, 2.0e-5);
    exact_rig_free(&rig);
}

static void test_sets_of_any_size_are_one_point_after_every_step(void **state)
{
    (void)state;
    for (int count = 1; count <= 7; ++count) {
        exact_rig rig;
        test_random random = {(uint64_t)count};
        exact_rig_make(&rig, 0, 0, 3 * count);
        scatter(&rig, &random, sn_v(3.0f, -2.0f, 1.0f), 0.1f, 1.0f);
        rig.range.gravity = sn_v(0.0f, -9.81f, 0.0f);
        for (int i = 0; i < 3; ++i) {
            (void)exact_rig_set(&rig, SN_EXACT_FREE, i * count, count);
        }
        for (int step = 0; step < 50; ++step) {
            exact_rig_step(&rig, 0.01f, 4);
            for (int i = 0; i < 3; ++i) {
                assert_is_one_point(&rig, &rig.sets[i]);
            }
        }
        exact_rig_free(&rig);
    }
}

// Torque vanishes about the place where they are one: once they are, angular momentum is kept. Forces shake
// them anew in every step.
static void test_free_sets_keep_both_momenta(void **state)
{
    (void)state;
    exact_rig rig;
    test_random random = {5};
    exact_rig_make(&rig, 0, 0, 9);
    scatter(&rig, &random, origin, 0.0f, 5.0f);
    (void)exact_rig_set(&rig, SN_EXACT_FREE, 0, 2);
    (void)exact_rig_set(&rig, SN_EXACT_FREE, 2, 3);
    (void)exact_rig_set(&rig, SN_EXACT_FREE, 5, 4);
    test_momenta before = exact_rig_sum(&rig);
    exact_rig_step(&rig, 0.01f, 4);
    for (int step = 0; step < 200; ++step) {
        // Forces that sum to nothing within each set: no torque where its nodes are one.
        for (int i = 0; i < 3; ++i) {
            const sn_exact_set *set = &rig.sets[i];
            sn_vec3 force = test_random_vec3(&random, 100.0f);
            rig.nodes.forces.data[rig.members[set->first].node] = force;
            rig.nodes.forces.data[rig.members[set->first + set->count - 1].node] = sn_neg(force);
        }
        exact_rig_step(&rig, 0.01f, 4);
    }
    test_momenta after = exact_rig_sum(&rig);
    exact_rig_assert_kept(&before, &after, 45.0 * 5.0, 10.0, 1.0e-6); // they fly 10 m
    exact_rig_free(&rig);
}

// --- pairs -------------------------------------------------------------------------------------------------

enum { PAIRS = 20 };

// Nodes 2 i and 2 i + 1, of 1 to 1.5 kg, are a set, solved as pairs are or as sets of any size.
static void make_pairs(exact_rig *rig, bool is_general, float apart)
{
    test_random random = {31};
    exact_rig_make(rig, 0, 0, 2 * PAIRS);
    for (int i = 0; i < PAIRS; ++i) {
        sn_vec3 place = test_random_vec3(&random, 5.0f);
        for (int k = 0; k < 2; ++k) {
            sn_vec3 there = sn_add(place, test_random_vec3(&random, apart));
            sn_vec3 velocity = test_random_vec3(&random, 2.0f);
            exact_rig_put(rig, 2 * i + k, there, velocity, test_random_float(&random, 1.0f, 1.5f));
        }
        (void)exact_rig_set(rig, SN_EXACT_FREE, 2 * i, 2);
    }
    rig->stage.pair_begin = is_general ? PAIRS : 0;
}

static void look_at_pairs(exact_rig *rig, int sub_step)
{
    (void)sub_step;
    for (int i = 0; i < PAIRS; ++i) {
        assert_true(
            exact_rig_same(exact_rig_state(rig, 2 * i)->position, exact_rig_state(rig, 2 * i + 1)->position));
    }
}

static void test_pairs_do_what_other_sets_do(void **state)
{
    (void)state;
    exact_rig rigs[2];
    for (int i = 0; i < 2; ++i) {
        make_pairs(&rigs[i], i == 1, 0.05f);
        rigs[i].range.gravity = sn_v(0.0f, -9.81f, 0.0f);
        rigs[i].look = look_at_pairs;
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
        assert_near3(rigs[0].member_forces[i | 1], rigs[1].member_forces[i | 1], 1.0e-3f);
    }
    exact_rig_free(&rigs[0]);
    exact_rig_free(&rigs[1]);
}

static void test_pairs_keep_both_momenta(void **state)
{
    (void)state;
    exact_rig rig;
    make_pairs(&rig, false, 0.0f);
    test_momenta before = exact_rig_sum(&rig);
    for (int step = 0; step < 100; ++step) {
        exact_rig_step(&rig, 0.01f, 4);
    }
    test_momenta after = exact_rig_sum(&rig);
    exact_rig_assert_kept(&before, &after, 40.0 * 1.25 * 2.0, 6.0, 1.0e-6);
    exact_rig_free(&rig);
}

// Places a kilometre away are rounded to 6e-5 m, which over a sub-step would be 6 cm/s.
static void test_far_from_the_origin_rounding_of_places_does_not_shake_velocities(void **state)
{
    (void)state;
    exact_rig rig;
    exact_rig_make(&rig, 0, 0, 5);
    sn_vec3 velocity = sn_v(0.3f, 0.2f, -0.1f);
    for (int i = 0; i < 5; ++i) {
        exact_rig_put(&rig, i, sn_v(1000.0f, 1000.0f, 1000.0f), velocity, 1.0f + (float)i);
    }
    (void)exact_rig_set(&rig, SN_EXACT_FREE, 0, 2);
    (void)exact_rig_set(&rig, SN_EXACT_FREE, 2, 3);
    for (int step = 0; step < 100; ++step) {
        exact_rig_step(&rig, 0.016f, 16);
    }
    for (int i = 0; i < 5; ++i) {
        assert_near(sn_distance_between(*exact_rig_velocity(&rig, i), velocity), 0.0f, 1.0e-7);
        // A step takes 4.8 mm: rounded once a step, and not by sixteen times 0.3 mm.
        assert_near(exact_rig_state(&rig, i)->position.x, 1000.0f + 0.48f, 3.1e-3);
    }
    exact_rig_free(&rig);
}

static void test_a_set_of_one_free_node_moves_as_if_it_were_none(void **state)
{
    (void)state;
    exact_rig rigs[2];
    for (int i = 0; i < 2; ++i) {
        exact_rig_make(&rigs[i], 0, 0, 1);
        exact_rig_put(&rigs[i], 0, sn_v(0.1f, 0.7f, -3.0f), sn_v(1.3f, 0.0f, 0.7f), 0.37f);
        rigs[i].range.gravity = sn_v(0.0f, -9.81f, 0.0f);
        if (i == 1) {
            (void)exact_rig_set(&rigs[i], SN_EXACT_FREE, 0, 1);
        }
        exact_rig_step(&rigs[i], 0.016f, 5);
    }
    assert_true(
        exact_rig_same(exact_rig_state(&rigs[0], 0)->position, exact_rig_state(&rigs[1], 0)->position));
    assert_true(exact_rig_same(*exact_rig_velocity(&rigs[0], 0), *exact_rig_velocity(&rigs[1], 0)));
    exact_rig_free(&rigs[0]);
    exact_rig_free(&rigs[1]);
}

static void test_a_stage_of_nothing_does_nothing(void **state)
{
    (void)state;
    exact_rig rig;
    exact_rig_make(&rig, 1, 1, 1);
    rig_set_ball(&rig.rigid, 2, 1.0f, 0.1f);
    exact_rig_put(&rig, 0, origin, sn_v(1.0f, 0.0f, 0.0f), 1.0f);
    exact_rig_step(&rig, 0.01f, 3);
    assert_near(exact_rig_state(&rig, 0)->position.x, 0.01f, 1.0e-8);
    exact_rig_free(&rig);
}

// --- nails -------------------------------------------------------------------------------------------------

static void look_at_nail(exact_rig *rig, int sub_step)
{
    float share = (float)(sub_step + 1) / 8.0f;
    sn_vec3 expected = sn_add_scaled(rig->attachments[0].place, share, rig->attachments[0].displacement);
    for (int i = 0; i < 3; ++i) {
        assert_true(exact_rig_same(exact_rig_state(rig, i)->position, expected));
    }
}

static void test_a_nail_that_moves_is_on_time_in_every_sub_step(void **state)
{
    (void)state;
    exact_rig rig;
    exact_rig_make(&rig, 0, 0, 3);
    rig.range.gravity = sn_v(0.0f, -9.81f, 0.0f);
    rig.look = look_at_nail;
    sn_exact_attachment *nail = exact_rig_nail(&rig, sn_v(1.7f, 2.3f, -0.9f), 0, 3);
    for (int i = 0; i < 3; ++i) {
        exact_rig_put(&rig, i, nail->place, sn_v(0.0f, 3.0f, 0.0f), 0.5f + (float)i);
    }
    for (int step = 0; step < 20; ++step) {
        nail->displacement = sn_v(0.013f, -0.007f, 0.001f * (float)step);
        exact_rig_step(&rig, 0.016f, 8);
        nail->place = sn_add(nail->place, nail->displacement);
        for (int i = 0; i < 3; ++i) {
            sn_vec3 expected = sn_scale(nail->displacement, 1.0f / 0.016f);
            assert_true(exact_rig_same(*exact_rig_velocity(&rig, i), expected));
        }
    }
    nail->displacement = origin;
    exact_rig_step(&rig, 0.016f, 8);
    assert_true(exact_rig_same(*exact_rig_velocity(&rig, 1), origin));
    exact_rig_free(&rig);
}

static void test_a_nail_reports_weight_and_what_moving_the_nodes_takes(void **state)
{
    (void)state;
    exact_rig rig;
    exact_rig_make(&rig, 0, 0, 2);
    rig.range.gravity = sn_v(0.0f, -10.0f, 0.0f);
    exact_rig_put(&rig, 0, origin, origin, 2.0f);
    exact_rig_put(&rig, 1, origin, origin, 3.0f);
    sn_exact_attachment *nail = exact_rig_nail(&rig, origin, 0, 2);
    exact_rig_step(&rig, 0.01f, 4);
    assert_near(rig.set_forces[0].y, 50.0f, 1.0e-4);
    assert_near(rig.member_forces[1].y, 30.0f, 1.0e-4);
    nail->displacement = sn_v(0.01f, 0.0f, 0.0f); // from rest to 1 m/s
    exact_rig_step(&rig, 0.01f, 4);
    assert_near(rig.set_forces[0].x, 5.0f / 0.01f, 1.0e-2);
    nail->end = SN_EXACT_A(0);
    nail->place = nail->displacement;
    exact_rig_step(&rig, 0.01f, 4);
    assert_near(rig.set_forces[0].y, -50.0f, 1.0e-4); // on the nail
    assert_near(rig.set_forces[0].x, 0.0f, 1.0e-3);
    exact_rig_free(&rig);
}

// --- fixed members -----------------------------------------------------------------------------------------

static void test_a_fixed_member_has_the_others_come_to_it(void **state)
{
    (void)state;
    for (int fixed = 0; fixed < 3; ++fixed) {
        exact_rig rig;
        test_random random = {(uint64_t)fixed + 1};
        exact_rig_make(&rig, 0, 0, 5);
        scatter(&rig, &random, sn_v(7.0f, 7.0f, 7.0f), 0.01f, 1.0f);
        exact_rig_state(&rig, fixed)->inverse_mass = 0.0f;
        exact_rig_state(&rig, 3)->inverse_mass = 0.0f;
        sn_vec3 place = exact_rig_state(&rig, fixed)->position;
        (void)exact_rig_set(&rig, SN_EXACT_FIXED, 0, 3);
        (void)exact_rig_set(&rig, SN_EXACT_FIXED, 3, 2);
        rig.members[fixed].node = rig.first; // the fixed one comes first
        rig.members[0].node = rig.first + fixed;
        for (int step = 0; step < 3; ++step) {
            exact_rig_step(&rig, 0.01f, 3);
            assert_is_one_point(&rig, &rig.sets[0]);
            assert_is_one_point(&rig, &rig.sets[1]);
        }
        assert_true(exact_rig_same(exact_rig_state(&rig, fixed)->position, place));
        assert_true(exact_rig_same(*exact_rig_velocity(&rig, fixed), origin));
        exact_rig_free(&rig);
    }
}

static void test_a_fixed_node_on_a_nail_stays_where_it_is(void **state)
{
    (void)state;
    exact_rig rig;
    sn_vec3 there = {1.0f, 2.0f, 3.0f};
    exact_rig_make(&rig, 0, 0, 1);
    (void)exact_rig_nail(&rig, origin, 0, 1);
    exact_rig_put(&rig, 0, there, origin, 0.0f);
    exact_rig_step(&rig, 0.01f, 4);
    assert_true(exact_rig_same(exact_rig_state(&rig, 0)->position, there));
    assert_true(exact_rig_same(rig.set_forces[0], origin));
    exact_rig_free(&rig);
}

// Fixing a node makes the world plan anew; the solver stands it nevertheless.
static void test_a_free_set_of_fixed_nodes_stays(void **state)
{
    (void)state;
    exact_rig rig;
    sn_vec3 there = {1.0f, 2.0f, 3.0f};
    exact_rig_make(&rig, 0, 0, 5);
    for (int i = 0; i < 5; ++i) {
        exact_rig_put(&rig, i, there, origin, 0.0f);
    }
    (void)exact_rig_set(&rig, SN_EXACT_FREE, 0, 3);
    (void)exact_rig_set(&rig, SN_EXACT_FREE, 3, 2);
    rig.stage.pair_begin = 1;
    exact_rig_step(&rig, 0.01f, 4);
    for (int i = 0; i < 5; ++i) {
        assert_true(exact_rig_same(exact_rig_state(&rig, i)->position, there));
        assert_true(exact_rig_same(rig.member_forces[i], origin));
    }
    exact_rig_free(&rig);
}

static void test_a_fixed_member_that_is_told_where_to_go_takes_the_others_along(void **state)
{
    (void)state;
    exact_rig rig;
    exact_rig_make(&rig, 0, 0, 2);
    exact_rig_put(&rig, 0, sn_v(3.3f, 0.0f, 0.0f), origin, 0.0f);
    exact_rig_put(&rig, 1, sn_v(3.3f, 0.0f, 0.0f), origin, 1.0f);
    (void)exact_rig_set(&rig, SN_EXACT_FIXED, 0, 2);
    for (int step = 1; step < 50; ++step) {
        sn_vec3 target = sn_v(3.3f + 0.0137f * (float)step, 0.0f, -0.0071f * (float)step);
        rig.nodes.targets.data[rig.first] = target;
        rig.nodes.has_target.data[rig.first] = 1;
        exact_rig_step(&rig, 0.016f, 7);
        assert_true(exact_rig_same(exact_rig_state(&rig, 0)->position, target));
        assert_true(exact_rig_same(exact_rig_state(&rig, 1)->position, target));
    }
    exact_rig_free(&rig);
}

// --- forces ------------------------------------------------------------------------------------------------

// 0 – 1 – 2 – 3: each anchor pulls along what is beyond it.
static void test_forces_of_a_chain_of_anchors(void **state)
{
    (void)state;
    exact_rig rig;
    exact_rig_make(&rig, 0, 0, 4);
    (void)exact_rig_set(&rig, SN_EXACT_FREE, 0, 4);
    rig.nodes.forces.data[rig.first] = sn_v(8.0f, 0.0f, 0.0f); // 2 m/s² for all four
    exact_rig_step(&rig, 0.01f, 2);
    for (int i = 1; i < 4; ++i) {
        assert_near(rig.member_forces[i].x, 2.0f * (float)(4 - i), 1.0e-4);
    }
    exact_rig_free(&rig);
}

static void test_forces_of_a_star_of_anchors_on_a_nail(void **state)
{
    (void)state;
    exact_rig rig;
    exact_rig_make(&rig, 0, 0, 4);
    rig.range.gravity = sn_v(0.0f, -10.0f, 0.0f);
    (void)exact_rig_set(&rig, EXACT_RIG_ATTACHED, 0, 4);
    for (int i = 1; i < 4; ++i) {
        rig.members[i].parent = 0;
        exact_rig_put(&rig, i, origin, origin, (float)i);
    }
    rig.members[2].end = SN_EXACT_A(rig.members[2].end);
    exact_rig_step(&rig, 0.01f, 2);
    assert_near(rig.member_forces[1].y, 10.0f, 1.0e-4);
    assert_near(rig.member_forces[2].y, -20.0f, 1.0e-4);
    assert_near(rig.member_forces[3].y, 30.0f, 1.0e-4);
    assert_near(rig.set_forces[0].y, 70.0f, 1.0e-4);
    exact_rig_free(&rig);
}

static void test_the_force_between_two_free_nodes_is_what_it_takes(void **state)
{
    (void)state;
    exact_rig rig;
    exact_rig_make(&rig, 0, 0, 2);
    exact_rig_put(&rig, 0, origin, origin, 1.0f);
    exact_rig_put(&rig, 1, origin, origin, 3.0f);
    (void)exact_rig_set(&rig, SN_EXACT_FREE, 0, 2);
    rig.nodes.forces.data[rig.first] = sn_v(0.0f, 4.0f, 0.0f);
    exact_rig_step(&rig, 0.02f, 8);
    assert_near(rig.member_forces[1].y, 3.0f, 1.0e-5);
    exact_rig_free(&rig);
}

// --- threads -----------------------------------------------------------------------------------------------

enum { MANY = 9000 };

// Runs sets of three and of two, and pairs, of many nodes; returns a copy of all states.
static sn_node_state *run_many(int threads, sn_vec3 *forces)
{
    exact_rig rig;
    test_random random = {77};
    exact_rig_make(&rig, 0, 0, MANY);
    sn_tasks_destroy(rig.rigid.solver.nodes.tasks);
    rig.rigid.solver.nodes.tasks = rig.rigid.solver.tasks = sn_tasks_create(threads, NULL);
    scatter(&rig, &random, origin, 1.0f, 1.0f);
    sn_exact_set *sets = test_calloc(MANY, sizeof *sets);
    sn_exact_member *members = test_calloc(MANY, sizeof *members);
    rig.stage.sets = sets;
    rig.stage.members = members;
    rig.stage.forces = forces;
    for (int i = 0; i < MANY;) {
        int count = i < MANY / 3 ? 3 : 2;
        sets[rig.stage.set_count++] = (sn_exact_set){.first = i, .count = count, .attachment = SN_EXACT_FREE};
        for (int k = 0; k < count; ++k, ++i) {
            members[i] = (sn_exact_member){rig.first + i, k - 1, i};
        }
    }
    rig.stage.member_count = MANY;
    rig.stage.pair_begin = MANY / 3;
    exact_rig_step(&rig, 0.01f, 3);
    sn_node_state *states = test_malloc(MANY * sizeof *states);
    memcpy(states, exact_rig_state(&rig, 0), MANY * sizeof *states);
    test_free(sets);
    test_free(members);
    exact_rig_free(&rig);
    return states;
}

static void test_threads_give_the_same_bits(void **state)
{
    (void)state;
    static sn_vec3 forces[2][MANY];
    sn_node_state *one = run_many(1, forces[0]), *three = run_many(3, forces[1]);
    assert_memory_equal(one, three, MANY * sizeof *one);
    assert_memory_equal(forces[0], forces[1], sizeof forces[0]);
    test_free(one);
    test_free(three);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_nodes_meet_at_their_mean_by_mass),
        cmocka_unit_test(test_sets_of_any_size_are_one_point_after_every_step),
        cmocka_unit_test(test_free_sets_keep_both_momenta),
        cmocka_unit_test(test_pairs_do_what_other_sets_do),
        cmocka_unit_test(test_pairs_keep_both_momenta),
        cmocka_unit_test(test_far_from_the_origin_rounding_of_places_does_not_shake_velocities),
        cmocka_unit_test(test_a_set_of_one_free_node_moves_as_if_it_were_none),
        cmocka_unit_test(test_a_stage_of_nothing_does_nothing),
        cmocka_unit_test(test_a_nail_that_moves_is_on_time_in_every_sub_step),
        cmocka_unit_test(test_a_nail_reports_weight_and_what_moving_the_nodes_takes),
        cmocka_unit_test(test_a_fixed_member_has_the_others_come_to_it),
        cmocka_unit_test(test_a_fixed_node_on_a_nail_stays_where_it_is),
        cmocka_unit_test(test_a_free_set_of_fixed_nodes_stays),
        cmocka_unit_test(test_a_fixed_member_that_is_told_where_to_go_takes_the_others_along),
        cmocka_unit_test(test_forces_of_a_chain_of_anchors),
        cmocka_unit_test(test_forces_of_a_star_of_anchors_on_a_nail),
        cmocka_unit_test(test_the_force_between_two_free_nodes_is_what_it_takes),
        cmocka_unit_test(test_threads_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Nodes that bodies carry: at their points to the last bit, one with them in mass, momenta kept.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/hash.h"
#include "support/exact_rig.h"
#include "support/near.h"

static const sn_vec3 origin = {0.0f, 0.0f, 0.0f};

static void assert_ride(exact_rig *rig)
{
    for (int i = 0; i < rig->stage.set_count; ++i) {
        const sn_exact_set *set = &rig->sets[i];
        for (int k = set->first; k < set->first + set->count; ++k) {
            int node = rig->members[k].node - rig->first;
            assert_true(exact_rig_same(exact_rig_state(rig, node)->position, exact_rig_point(rig, set)));
        }
    }
}

static void look_at_attached(exact_rig *rig, int sub_step)
{
    (void)sub_step;
    assert_ride(rig);
}

// Velocities of attached nodes are those of the body's points.
static void assert_speeds_agree(exact_rig *rig, float tolerance)
{
    for (int i = 0; i < rig->stage.set_count; ++i) {
        const sn_exact_set *set = &rig->sets[i];
        const sn_exact_attachment *at = &rig->attachments[set->attachment];
        sn_vec3 arm = sn_rotate(rig->rigid.solver.bodies[at->body].rotation, at->place);
        sn_vec3 expected =
            sn_add(rig_linear(&rig->rigid, at->body), sn_cross(rig_angular(&rig->rigid, at->body), arm));
        for (int k = set->first; k < set->first + set->count; ++k) {
            assert_near3(*exact_rig_velocity(rig, rig->members[k].node - rig->first), expected, tolerance);
        }
    }
}

// --- one with the body -------------------------------------------------------------------------------------

static void test_an_attached_node_at_the_mass_centre_shares_its_momentum(void **state)
{
    (void)state;
    exact_rig rig;
    exact_rig_make(&rig, 0, 1, 1);
    rig_set_ball(&rig.rigid, 1, 3.0f, 0.2f);
    rig_set_velocity(&rig.rigid, 1, sn_v(4.0f, 0.0f, 0.0f), sn_v(0.0f, 2.0f, 0.0f));
    (void)exact_rig_ride(&rig, 1, origin, 0, 1);
    rig.look = look_at_attached;
    exact_rig_step(&rig, 0.01f, 1);
    assert_near3(*exact_rig_velocity(&rig, 0), sn_v(3.0f, 0.0f, 0.0f), 1.0e-6f);
    assert_near3(rig_linear(&rig.rigid, 1), sn_v(3.0f, 0.0f, 0.0f), 1.0e-6f);
    assert_near3(rig_angular(&rig.rigid, 1), sn_v(0.0f, 2.0f, 0.0f), 1.0e-6f);
    assert_near3(exact_rig_state(&rig, 0)->position, sn_v(0.03f, 0.0f, 0.0f), 1.0e-8f);
    assert_near(rig.set_forces[0].x, 3.0f / 0.01f, 1.0e-3f);
    exact_rig_free(&rig);
}

// ω' = I ω/(I + 2 m r²).
static void test_attached_nodes_on_both_sides_slow_a_spin_by_their_moment(void **state)
{
    (void)state;
    exact_rig rig;
    exact_rig_make(&rig, 0, 1, 2);
    rig_set_ball(&rig.rigid, 1, 10.0f, 0.5f); // 1 kg m²
    rig_set_velocity(&rig.rigid, 1, origin, sn_v(0.0f, 0.0f, 3.0f));
    (void)exact_rig_ride(&rig, 1, sn_v(0.5f, 0.0f, 0.0f), 0, 1);
    (void)exact_rig_ride(&rig, 1, sn_v(-0.5f, 0.0f, 0.0f), 1, 1);
    exact_rig_step(&rig, 0.001f, 1);
    assert_near3(rig_angular(&rig.rigid, 1), sn_v(0.0f, 0.0f, 2.0f), 1.0e-5f);
    assert_near3(rig_linear(&rig.rigid, 1), origin, 1.0e-6f);
    assert_speeds_agree(&rig, 1.0e-6f);
    exact_rig_free(&rig);
}

// A force on the attached node pulls both: the anchor takes along what is not the node's.
static void test_the_force_of_a_ride_is_what_moves_the_body(void **state)
{
    (void)state;
    exact_rig rig;
    exact_rig_make(&rig, 0, 1, 1);
    rig_set_ball(&rig.rigid, 1, 3.0f, 0.2f);
    (void)exact_rig_ride(&rig, 1, origin, 0, 1);
    rig.attachments[0].end = SN_EXACT_A(0); // so it is told on the body
    rig.nodes.forces.data[rig.first] = sn_v(0.0f, 8.0f, 0.0f);
    exact_rig_step(&rig, 0.01f, 4);
    assert_near(rig.set_forces[0].y, 6.0f, 1.0e-4f);
    assert_near(rig_linear(&rig.rigid, 1).y, 0.02f, 1.0e-7f);
    exact_rig_free(&rig);
}

// Bodies at random with attached nodes at random, sets of several nodes among them; forces shake the nodes.
static void run_at_random(exact_rig *rig, test_random *random, int bodies, int attached, float attached_mass)
{
    exact_rig_make(rig, 0, bodies, 2 * attached);
    for (int i = 1; i <= bodies; ++i) {
        rig_set_random(&rig->rigid, i, random);
    }
    for (int i = 0; i < attached; ++i) {
        int body = 1 + i % bodies;
        (void)exact_rig_ride(rig, body, test_random_vec3(random, 0.7f), 2 * i, 2);
        for (int k = 0; k < 2; ++k) {
            exact_rig_state(rig, 2 * i + k)->inverse_mass = 1.0f / (attached_mass * (1.0f + (float)k));
            *exact_rig_velocity(rig, 2 * i + k) = test_random_vec3(random, 3.0f);
        }
    }
    rig->look = look_at_attached;
}

static void test_momenta_are_kept_whatever_rides(void **state)
{
    (void)state;
    const float masses[] = {0.001f, 0.1f, 1.0f, 20.0f};
    for (int i = 0; i < 4; ++i) {
        exact_rig rig;
        test_random random = {(uint64_t)i + 3};
        run_at_random(&rig, &random, 3, 30, masses[i]);
        double size = 3.0 * 5.0 * 5.0 + 90.0 * (double)masses[i] * 3.0;
        test_momenta before = exact_rig_sum(&rig);
        for (int step = 0; step < 100; ++step) {
            exact_rig_step(&rig, 0.01f, 8);
            assert_ride(&rig);
        }
        test_momenta after = exact_rig_sum(&rig);
        exact_rig_assert_kept(&before, &after, size, 4.0, 2.0e-6); // they are 4 m off
        exact_rig_free(&rig);
    }
}

static void test_attached_nodes_have_the_velocities_of_their_points(void **state)
{
    (void)state;
    exact_rig rig;
    test_random random = {8};
    run_at_random(&rig, &random, 2, 20, 0.1f);
    for (int step = 0; step < 20; ++step) {
        exact_rig_step(&rig, 0.01f, 8);
        assert_speeds_agree(&rig, 3.0e-6f);
    }
    exact_rig_free(&rig);
}

// Free rotation of the composite: a body with attached nodes goes on as the one body that they are.
static void test_body_and_attached_nodes_turn_as_one_body_of_both(void **state)
{
    (void)state;
    exact_rig apart, whole;
    sn_vec3 places[6] = {{0.4f, 0.0f, 0.0f},  {-0.4f, 0.0f, 0.0f}, {0.0f, 0.5f, 0.0f},
                         {0.0f, -0.5f, 0.0f}, {0.0f, 0.0f, 0.3f},  {0.0f, 0.0f, -0.3f}};
    sn_sym3 own = {1.0f, 1.5f, 2.0f, 0.0f, 0.0f, 0.0f}, both = own;
    sn_vec3 spin = sn_v(2.0f, 1.0f, -1.5f);
    exact_rig_make(&apart, 0, 1, 6);
    exact_rig_make(&whole, 0, 1, 1);
    rig_set_mass(&apart.rigid, 1, 5.0f, own);
    for (int i = 0; i < 6; ++i) {
        (void)exact_rig_ride(&apart, 1, places[i], i, 1);
        *exact_rig_velocity(&apart, i) = sn_cross(spin, places[i]);
        sn_vec3 squares = sn_mul(places[i], places[i]);
        both.xx += squares.y + squares.z;
        both.yy += squares.x + squares.z;
        both.zz += squares.x + squares.y;
    }
    rig_set_mass(&whole.rigid, 1, 11.0f, both);
    rig_set_velocity(&apart.rigid, 1, origin, spin);
    rig_set_velocity(&whole.rigid, 1, origin, spin);
    for (int step = 0; step < 100; ++step) { // almost half a turn
        exact_rig_step(&apart, 0.01f, 16);
        exact_rig_step(&whole, 0.01f, 16);
    }
    sn_quat a = apart.rigid.solver.bodies[1].rotation, b = whole.rigid.solver.bodies[1].rotation;
    sn_vec3 off = sn_quat_logarithm(sn_quat_multiply(a, sn_quat_conjugate(b)));
    assert_near(sn_length(off), 0.0f, 1.0e-3f);
    assert_near3(rig_angular(&apart.rigid, 1), rig_angular(&whole.rigid, 1), 2.0e-3f);
    exact_rig_free(&apart);
    exact_rig_free(&whole);
}

// A sling: attached nodes of a light body thrown so hard that it turns by a radian within a sub-step.
static void test_far_turns_keep_momenta_too(void **state)
{
    (void)state;
    exact_rig rig;
    exact_rig_make(&rig, 0, 1, 2);
    rig_set_ball(&rig.rigid, 1, 0.1f, 0.1f);
    (void)exact_rig_ride(&rig, 1, sn_v(0.1f, 0.0f, 0.0f), 0, 1);
    (void)exact_rig_ride(&rig, 1, sn_v(-0.1f, 0.0f, 0.0f), 1, 1);
    *exact_rig_velocity(&rig, 0) = sn_v(0.0f, 8.0f, 3.0f);
    *exact_rig_velocity(&rig, 1) = sn_v(1.0f, -8.0f, 2.0f);
    rig.look = look_at_attached;
    test_momenta before = exact_rig_sum(&rig);
    exact_rig_step(&rig, 0.01f, 1);
    test_momenta after = exact_rig_sum(&rig);
    assert_true(sn_length(rig_take(rig.rigid.solver.shifts[1].turned)) > 0.5f);
    exact_rig_assert_kept(&before, &after, 16.0, 1.0, 1.0e-6);
    assert_speeds_agree(&rig, 1.0e-4f);
    exact_rig_free(&rig);
}

// Nodes as heavy as the body that are still half a metre off when they are to ride: they jump there, and the
// impulses this takes, of hundreds of metres a second, leave nothing behind.
static void test_attached_nodes_from_afar_jump_onto_the_body_and_keep_momenta(void **state)
{
    (void)state;
    exact_rig rig;
    test_random random = {4};
    run_at_random(&rig, &random, 2, 6, 1.0f);
    for (int i = 0; i < rig.range.count; ++i) {
        sn_vec3 *place = &exact_rig_state(&rig, i)->position;
        *place = sn_add(*place, test_random_vec3(&random, 0.5f));
    }
    test_momenta before = exact_rig_sum(&rig);
    exact_rig_step(&rig, 0.016f, 16);
    test_momenta after = exact_rig_sum(&rig);
    exact_rig_assert_kept(&before, &after, 100.0, 2.0, 1.0e-5);
    for (int body = 1; body <= 2; ++body) {
        assert_true(sn_length(rig_linear(&rig.rigid, body)) < 5.0f);
        assert_true(sn_length(rig_angular(&rig.rigid, body)) < 20.0f);
    }
    assert_speeds_agree(&rig, 1.0e-5f);
    exact_rig_free(&rig);
}

// --- bodies that are held ----------------------------------------------------------------------------------

static void test_locked_axes_do_not_move(void **state)
{
    (void)state;
    exact_rig rig;
    test_random random = {2};
    run_at_random(&rig, &random, 1, 12, 0.5f);
    sn_solver *solver = &rig.rigid.solver;
    sn_solver_body *body = &solver->bodies[1];
    body->spin.locks = SN_LOCK_Y | SN_LOCK_ROTATION_X | SN_LOCK_ROTATION_Z;
    body->inverse_mass.y = 0.0f;
    sn_sym3 inertia = {1.0f, 2.0f, 3.0f, 0.0f, 0.0f, 0.0f};
    body->spin.inertia = (sn_sym3d){1.0, 2.0, 3.0, 0.0, 0.0, 0.0};
    sn_sym3 inverse = sn_inverse_inertia(inertia, body->rotation, body->spin.locks);
    rig_put(solver->inertias[1].diagonal, sn_v(inverse.xx, inverse.yy, inverse.zz));
    rig_put(solver->inertias[1].off_diagonal, sn_v(inverse.xy, inverse.xz, inverse.yz));
    rig_set_velocity(&rig.rigid, 1, sn_v(1.0f, 0.0f, -1.0f), sn_v(0.0f, 2.0f, 0.0f));
    float height = body->center.y;
    sn_vec3 upright = sn_rotate_inverse(body->rotation, sn_v(0.0f, 1.0f, 0.0f));
    for (int step = 0; step < 50; ++step) {
        exact_rig_step(&rig, 0.01f, 4);
        assert_ride(&rig);
        assert_true(body->center.y == height);
        assert_true(rig_linear(&rig.rigid, 1).y == 0.0f);
        assert_true(rig_angular(&rig.rigid, 1).x == 0.0f && rig_angular(&rig.rigid, 1).z == 0.0f);
    }
    assert_near3(sn_rotate(body->rotation, upright), sn_v(0.0f, 1.0f, 0.0f), 1.0e-5f);
    assert_speeds_agree(&rig, 1.0e-5f);
    exact_rig_free(&rig);
}

static void test_a_body_that_nothing_moves_carries_its_attached_nodes(void **state)
{
    (void)state;
    exact_rig rig;
    exact_rig_make(&rig, 0, 1, 1); // dynamic by number, but without response: frozen
    (void)exact_rig_ride(&rig, 1, sn_v(0.2f, 0.1f, 0.0f), 0, 1);
    rig.range.gravity = sn_v(0.0f, -10.0f, 0.0f);
    exact_rig_step(&rig, 0.01f, 4);
    assert_true(exact_rig_same(exact_rig_state(&rig, 0)->position, sn_v(0.2f, 0.1f, 0.0f)));
    assert_true(exact_rig_same(*exact_rig_velocity(&rig, 0), origin));
    assert_near(rig.set_forces[0].y, 10.0f, 1.0e-4f);
    exact_rig_free(&rig);
}

static void test_kinematic_bodies_take_attached_nodes_along_and_feel_nothing(void **state)
{
    (void)state;
    exact_rig rig;
    exact_rig_make(&rig, 1, 0, 3);
    (void)exact_rig_ride(&rig, 1, sn_v(0.5f, 0.0f, 0.0f), 0, 3);
    rig_set_velocity(&rig.rigid, 1, sn_v(0.0f, 1.0f, 0.0f), sn_v(0.0f, 0.0f, 2.0f));
    rig.range.gravity = sn_v(0.0f, -9.81f, 0.0f);
    rig.look = look_at_attached;
    for (int step = 0; step < 100; ++step) {
        exact_rig_step(&rig, 0.01f, 8);
        assert_ride(&rig);
        assert_speeds_agree(&rig, 1.0e-6f);
        assert_true(exact_rig_same(rig_linear(&rig.rigid, 1), sn_v(0.0f, 1.0f, 0.0f)));
        assert_true(exact_rig_same(rig_angular(&rig.rigid, 1), sn_v(0.0f, 0.0f, 2.0f)));
    }
    sn_vec3 expected = sn_v(0.5f * cosf(2.0f), 1.0f + 0.5f * sinf(2.0f), 0.0f);
    assert_near3(exact_rig_state(&rig, 0)->position, expected, 1.0e-4f);
    // Three kilograms on a circle of 0.5 m at 2 rad/s, and their weight; velocities of a step's end lag its
    // mean by half a sub-step.
    sn_vec3 inwards = sn_scale(sn_v(cosf(2.0f), sinf(2.0f), 0.0f), -3.0f * 4.0f * 0.5f);
    assert_near3(rig.set_forces[0], sn_add(inwards, sn_v(0.0f, 3.0f * 9.81f, 0.0f)), 0.1f);
    exact_rig_free(&rig);
}

static void test_what_stands_still_is_a_place(void **state)
{
    (void)state;
    exact_rig rig;
    exact_rig_make(&rig, 0, 0, 1);
    const sn_exact_attachment *nail = exact_rig_nail(&rig, sn_v(1.0f, 2.0f, 3.0f), 0, 1);
    exact_rig_put(&rig, 0, nail->place, sn_v(1.0f, 1.0f, 1.0f), 1.0f);
    exact_rig_step(&rig, 0.01f, 4);
    assert_true(exact_rig_same(exact_rig_state(&rig, 0)->position, nail->place));
    assert_true(exact_rig_same(*exact_rig_velocity(&rig, 0), origin));
    exact_rig_free(&rig);
}

// Ten metres off, places are rounded to a micrometre, which over a sub-step would be a millimetre a second.
static void test_rounding_of_places_does_not_shake_body_and_attached_nodes(void **state)
{
    (void)state;
    exact_rig rig;
    exact_rig_make(&rig, 0, 1, 4);
    rig_set_ball(&rig.rigid, 1, 2.0f, 0.2f);
    rig.rigid.solver.bodies[1].center = sn_v(30.0f, -30.0f, 30.0f);
    sn_vec3 velocity = sn_v(0.2f, 0.1f, -0.3f);
    rig_set_velocity(&rig.rigid, 1, velocity, origin);
    for (int i = 0; i < 4; ++i) {
        (void)exact_rig_ride(&rig, 1, sn_v(0.1f * (float)i, 0.17f, -0.1f), i, 1);
        *exact_rig_velocity(&rig, i) = velocity;
    }
    exact_rig_step(&rig, 0.016f, 16); // points of the body are rounded, too: it may have to turn a little
    for (int step = 0; step < 100; ++step) {
        exact_rig_step(&rig, 0.016f, 16);
        assert_near3(rig_linear(&rig.rigid, 1), velocity, 1.0e-7f);
    }
    exact_rig_free(&rig);
}

static void test_the_staggered_schedule_holds_attached_nodes_too(void **state)
{
    (void)state;
    exact_rig rig;
    test_random random = {6};
    run_at_random(&rig, &random, 2, 8, 0.3f);
    rig.rigid.solver.settings.type = SN_SOLVER_STAGGERED;
    rig.rigid.solver.settings.staggered =
        (sn_staggered){.rigid_iterations = 2, .node_iterations = 2, .correction = 0.1f, .warm_start = 0.9f};
    test_momenta before = exact_rig_sum(&rig);
    for (int step = 0; step < 50; ++step) {
        exact_rig_step(&rig, 0.005f, 1);
        assert_ride(&rig);
        assert_speeds_agree(&rig, 5.0e-6f);
    }
    test_momenta after = exact_rig_sum(&rig);
    exact_rig_assert_kept(&before, &after, 60.0, 3.0, 2.0e-6);
    exact_rig_free(&rig);
}

static sn_hash hash_of_run(int bodies, int attached, int threads)
{
    exact_rig rig;
    test_random random = {12};
    run_at_random(&rig, &random, bodies, attached, 0.2f);
    sn_tasks_destroy(rig.rigid.solver.nodes.tasks);
    rig.rigid.solver.nodes.tasks = rig.rigid.solver.tasks = sn_tasks_create(threads, NULL);
    assert_non_null(rig.rigid.solver.nodes.tasks);
    for (int step = 0; step < 20; ++step) {
        exact_rig_step(&rig, 0.01f, 8);
    }
    sn_hash hash = sn_hash_begin();
    for (int i = 0; i < rig.range.count; ++i) {
        hash = sn_hash_vec3(hash, exact_rig_state(&rig, i)->position);
        hash = sn_hash_vec3(hash, *exact_rig_velocity(&rig, i));
    }
    for (int i = 1; i <= bodies; ++i) {
        hash = sn_hash_quat(hash, rig.rigid.solver.bodies[i].rotation);
        hash = sn_hash_vec3(hash, rig_angular(&rig.rigid, i));
    }
    exact_rig_free(&rig);
    return hash;
}

// What doubles and floats are turned into each other must not depend on the compiler (gcc 12 skips some).
static void test_bits_are_the_same_in_every_build(void **state)
{
    (void)state;
    assert_int_equal(hash_of_run(3, 20, 1), 0x784e33fe4fb38aabu);
}

static void test_threads_give_the_same_bits(void **state)
{
    (void)state;
    sn_hash one = hash_of_run(16, 60, 1);
    assert_int_equal(one, hash_of_run(16, 60, 2));
    assert_int_equal(one, hash_of_run(16, 60, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_attached_node_at_the_mass_centre_shares_its_momentum),
        cmocka_unit_test(test_attached_nodes_on_both_sides_slow_a_spin_by_their_moment),
        cmocka_unit_test(test_the_force_of_a_ride_is_what_moves_the_body),
        cmocka_unit_test(test_momenta_are_kept_whatever_rides),
        cmocka_unit_test(test_attached_nodes_have_the_velocities_of_their_points),
        cmocka_unit_test(test_body_and_attached_nodes_turn_as_one_body_of_both),
        cmocka_unit_test(test_far_turns_keep_momenta_too),
        cmocka_unit_test(test_attached_nodes_from_afar_jump_onto_the_body_and_keep_momenta),
        cmocka_unit_test(test_locked_axes_do_not_move),
        cmocka_unit_test(test_a_body_that_nothing_moves_carries_its_attached_nodes),
        cmocka_unit_test(test_kinematic_bodies_take_attached_nodes_along_and_feel_nothing),
        cmocka_unit_test(test_what_stands_still_is_a_place),
        cmocka_unit_test(test_rounding_of_places_does_not_shake_body_and_attached_nodes),
        cmocka_unit_test(test_the_staggered_schedule_holds_attached_nodes_too),
        cmocka_unit_test(test_bits_are_the_same_in_every_build),
        cmocka_unit_test(test_threads_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Settings of a world: each does what its comment says, takes effect while running, and comes back as it was
// given.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/world_kit.h"

static sn_world *world_with(sn_world_def def)
{
    sn_world *world = NULL;
    assert_ok(sn_world_create(&def, &world));
    return world;
}

// --- bookkeeping ---------------------------------------------------------------------------------

static void assert_same_settings(const sn_world_def *a, const sn_world_def *b)
{
    assert_true(same_vec3(a->gravity, b->gravity) && same_vec3(a->wind, b->wind));
    assert_int_equal(a->sub_steps, b->sub_steps);
    assert_int_equal(a->threads, b->threads);
    assert_int_equal(a->sleep, b->sleep);
    assert_int_equal(a->continuous, b->continuous);
    const float *first = &a->contact_stiffness, *second = &b->contact_stiffness;
    for (int i = 0; i < 11; ++i) { // the eleven numbers from contact_stiffness to sleep_time
        assert_true(first[i] == second[i]);
    }
    assert_int_equal(a->solver, b->solver);
    assert_int_equal(a->staggered.rigid_iterations, b->staggered.rigid_iterations);
    assert_int_equal(a->staggered.node_iterations, b->staggered.node_iterations);
    assert_true(a->staggered.correction == b->staggered.correction);
    assert_true(a->staggered.warm_start == b->staggered.warm_start);
    assert_int_equal(a->staggered.dummy_nodes, b->staggered.dummy_nodes);
}

static sn_world_def unusual_settings(void)
{
    sn_world_def def = sn_world_def_default();
    def.gravity = sn_v(1.0f, -2.0f, 3.0f);
    def.wind = sn_v(4.0f, -5.0f, 6.0f);
    def.sub_steps = 7;
    def.sleep = false;
    def.continuous = false;
    def.contact_stiffness = 0.11f;
    def.contact_damping = 3.0f;
    def.constraint_stiffness = 0.12f;
    def.constraint_damping = 4.0f;
    def.push_speed = 5.0f;
    def.restitution_threshold = 0.6f;
    def.hit_threshold = 0.7f;
    def.speculative_margin = 0.08f;
    def.sleep_speed = 0.09f;
    def.sleep_time = 1.1f;
    def.solver = SN_SOLVER_STAGGERED;
    def.staggered = (sn_staggered){.rigid_iterations = 3,
                                   .node_iterations = 4,
                                   .correction = 0.2f,
                                   .warm_start = 0.3f,
                                   .dummy_nodes = true};
    return def;
}

static void test_settings_come_back_as_given_at_creation_and_after_a_change(void **state)
{
    (void)state;
    sn_world_def unusual = unusual_settings();
    unusual.threads = 2;
    sn_world *world = world_with(unusual);
    sn_world_def now = sn_world_settings(world);
    assert_same_settings(&now, &unusual);
    sn_world_def changed = sn_world_def_default();
    changed.threads = 5; // ignored
    assert_ok(sn_world_settings_set(world, &changed));
    changed.threads = 2;
    now = sn_world_settings(world);
    assert_same_settings(&now, &changed);
    assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, -1.0f)));
    assert_true(same_vec3(sn_world_gravity(world), sn_v(0.0f, 0.0f, -1.0f)));
    assert_true(same_vec3(sn_world_settings(world).gravity, sn_v(0.0f, 0.0f, -1.0f)));
    sn_world_destroy(world);
}

static void test_refused_settings_change_nothing(void **state)
{
    (void)state;
    sn_world *world = world_with(unusual_settings());
    sn_world_def before = sn_world_settings(world);
    uint64_t hash = sn_world_hash(world);
    sn_world_def bad = sn_world_def_default();
    bad.sleep_time = -1.0f;
    assert_int_equal(sn_world_settings_set(world, &bad), SN_ERROR_RANGE);
    assert_int_equal(sn_world_settings_set(world, NULL), SN_ERROR_NULL);
    assert_int_equal(sn_world_gravity_set(world, sn_v(NAN, 0.0f, 0.0f)), SN_ERROR_NOT_FINITE);
    sn_world_def now = sn_world_settings(world);
    assert_same_settings(&now, &before);
    assert_true(sn_world_hash(world) == hash);
    sn_world_destroy(world);
}

static void test_steps_and_time_are_counted(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    double sum = 0.0;
    for (int i = 0; i < 100; ++i) {
        float duration = 0.001f * (float)(1 + i % 7);
        assert_ok(sn_world_step(world, duration));
        sum += (double)duration;
    }
    assert_int_equal(sn_world_step_count(world), 100);
    assert_true(sn_world_time(world) == sum);
    assert_int_equal(sn_world_step(world, 0.0f), SN_ERROR_RANGE);
    assert_int_equal(sn_world_step_count(world), 100);
    sn_world_destroy(world);
}

// --- sub-steps -----------------------------------------------------------------------------------

static void test_sub_steps_are_those_asked_for_or_the_worlds_own_choice(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    (void)add_ball_at(world, 0.5f, 0.0f, 0.0f, 0.0f);
    assert_true(sn_world_sub_steps(world) > 0);
    run_steps(world, 1);
    assert_int_equal(sn_world_statistics(world).sub_steps, sn_world_sub_steps(world));
    const int wanted[] = {1, 2, 5, 256};
    for (int i = 0; i < 4; ++i) {
        sn_world_def settings = sn_world_settings(world);
        settings.sub_steps = wanted[i];
        assert_ok(sn_world_settings_set(world, &settings));
        assert_int_equal(sn_world_sub_steps(world), wanted[i]);
        run_steps(world, 1);
        assert_int_equal(sn_world_statistics(world).sub_steps, wanted[i]);
    }
    sn_world_destroy(world);
}

static float sink_of_a_stack(int sub_steps, float stiffness)
{
    sn_world_def def = sn_world_def_default();
    def.sub_steps = sub_steps;
    def.contact_stiffness = stiffness;
    def.sleep = false;
    def.long_range.settle = false;
    sn_world *world = world_with(def);
    add_floor(world);
    sn_rigid top = {0};
    for (int i = 0; i < 6; ++i) {
        top = add_box_at(world, 0.5f, 0.0f, 0.5f + (float)i, 0.0f);
    }
    run_steps(world, 120);
    float sink = 5.5f - sn_rigid_position(world, top).y;
    sn_world_destroy(world);
    return sink;
}

// Contacts are springs whose frequency is a fraction of the sub-step rate.
static void test_stacks_sink_less_with_more_sub_steps_and_stiffer_contacts(void **state)
{
    (void)state;
    float soft = sink_of_a_stack(8, 0.05f), stiff = sink_of_a_stack(8, 0.2f),
          fine = sink_of_a_stack(32, 0.05f);
    assert_true(soft > 0.0f);
    assert_true(stiff < 0.5f * soft);
    assert_true(fine < 0.5f * soft);
}

// --- gravity -------------------------------------------------------------------------------------

static void test_a_change_of_gravity_wakes_and_acts(void **state)
{
    (void)state;
    for (int by_settings = 0; by_settings < 2; ++by_settings) {
        sn_world *world = kit_world();
        add_floor(world);
        sn_rigid box = add_box_at(world, 0.5f, 0.0f, 0.5f, 0.0f);
        run_steps(world, 90);
        assert_false(sn_rigid_is_awake(world, box));
        if (by_settings) {
            sn_world_def settings = sn_world_settings(world);
            settings.gravity = sn_v(0.0f, 2.0f, 0.0f);
            assert_ok(sn_world_settings_set(world, &settings));
        } else {
            assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 2.0f, 0.0f)));
        }
        assert_true(sn_rigid_is_awake(world, box));
        run_steps(world, 60);
        assert_near(sn_rigid_linear_velocity(world, box).y, 2.0f, 0.02);
        assert_near(sn_rigid_position(world, box).y, 1.5f, 0.03);
        sn_world_destroy(world);
    }
}

static void test_gravity_scale_multiplies_it_for_one_body(void **state)
{
    (void)state;
    const float scales[] = {0.0f, 1.0f, -1.0f, 2.5f};
    sn_world *world = kit_world();
    sn_rigid balls[4];
    for (int i = 0; i < 4; ++i) {
        balls[i] = add_ball_at(world, 0.2f, 2.0f * (float)i, 0.0f, 0.0f);
        assert_ok(sn_rigid_gravity_scale_set(world, balls[i], scales[i]));
    }
    run_steps(world, 60);
    for (int i = 0; i < 4; ++i) {
        assert_near(sn_rigid_linear_velocity(world, balls[i]).y, -9.81f * scales[i], 1e-3);
    }
    sn_world_destroy(world);
}

// --- contacts ------------------------------------------------------------------------------------

// Highest point after the first bounce of a ball dropped from 0.2 m: it arrives at 1.98 m/s.
static float rebound(float threshold)
{
    sn_world_def def = sn_world_def_default();
    def.restitution_threshold = threshold;
    sn_world *world = world_with(def);
    sn_shape_def bouncy = physics_material(0.0f, 0.8f);
    physics_floor(world, bouncy);
    sn_rigid ball = physics_sphere(world, bouncy, 0.5f, physics_at(0.0f, 0.7f, 0.0f));
    run_steps(world, 14);
    float highest = 0.0f;
    for (int i = 0; i < 30; ++i) {
        run_steps(world, 1);
        highest = sn_max(highest, sn_rigid_position(world, ball).y - 0.5f);
    }
    sn_world_destroy(world);
    return highest;
}

static void test_impacts_below_the_restitution_threshold_do_not_bounce(void **state)
{
    (void)state;
    assert_near(rebound(1.0f), 0.64f * 0.2f, 0.01);
    assert_near(rebound(2.5f), 0.0f, 2e-3);
}

// A box half a metre deep in the floor comes up no faster than told.
static void test_penetration_is_removed_at_push_speed(void **state)
{
    (void)state;
    const float speeds[] = {0.5f, 2.0f};
    for (int i = 0; i < 2; ++i) {
        sn_world_def def = sn_world_def_default();
        def.push_speed = speeds[i];
        sn_world *world = world_with(def);
        add_floor(world);
        sn_rigid box = add_box_at(world, 0.5f, 0.0f, 0.0f, 0.0f);
        run_steps(world, 6);
        float risen = sn_rigid_position(world, box).y;
        assert_in_range((int)(1000.0f * risen), (int)(70.0f * speeds[i]), (int)(101.0f * speeds[i]));
        run_steps(world, 120);
        assert_near(sn_rigid_position(world, box).y, 0.5f, 5e-3);
        sn_world_destroy(world);
    }
}

static void test_contacts_are_made_as_early_as_the_speculative_margin_says(void **state)
{
    (void)state;
    const float margins[] = {0.01f, 0.1f};
    for (int i = 0; i < 2; ++i) {
        sn_world_def def = sn_world_def_default();
        def.speculative_margin = margins[i];
        def.gravity = sn_v(0.0f, 0.0f, 0.0f);
        sn_world *world = world_with(def);
        sn_rigid one = add_ball_at(world, 0.5f, 0.0f, 0.0f, 0.0f);
        (void)add_ball_at(world, 0.5f, 1.05f, 0.0f, 0.0f);
        run_steps(world, 1);
        // 5 cm apart: a contact within a margin of 10 cm, none within 1 cm; no touch either way.
        assert_int_equal(sn_rigid_contacts(world, one, NULL, 0), i);
        assert_int_equal(sn_world_events(world).begin_count, 0);
        sn_world_destroy(world);
    }
}

// --- constraints ---------------------------------------------------------------------------------

static float error_of_a_loaded_chain(float stiffness, int sub_steps)
{
    sn_world_def def = sn_world_def_default();
    def.constraint_stiffness = stiffness;
    def.sub_steps = sub_steps;
    def.long_range = sn_long_range_off();
    def.sleep = false;
    sn_world *world = world_with(def);
    sn_rigid upper = sn_world_ground(world);
    sn_constraint joints[6];
    for (int i = 0; i < 6; ++i) {
        float mass = i == 5 ? 100.0f : 1.0f;
        sn_rigid body = physics_lump(world, mass, physics_ball_inertia(mass, 0.2f),
                                     physics_at(0.0f, -(float)(i + 1), 0.0f));
        sn_ball_def ball = sn_ball_def_default();
        assert_ok(sn_constraint_place(world, &ball.common, upper, body, sn_v(0.0f, -(float)i, 0.0f),
                                      sn_v(1.0f, 0.0f, 0.0f)));
        assert_ok(sn_ball_add(world, &ball, &joints[i]));
        upper = body;
    }
    run_steps(world, 120);
    float worst = 0.0f;
    for (int i = 0; i < 6; ++i) {
        worst = sn_max(worst, sn_constraint_error(world, joints[i]));
    }
    sn_world_destroy(world);
    return worst;
}

static void test_joints_stretch_less_when_stiffer_and_with_more_sub_steps(void **state)
{
    (void)state;
    float soft = error_of_a_loaded_chain(0.05f, 8);
    assert_true(error_of_a_loaded_chain(0.25f, 8) < 0.5f * soft);
    assert_true(error_of_a_loaded_chain(0.05f, 32) < 0.5f * soft);
}

// A motor whose speed is set anew every step must not make its joint forget what it carries.
static void test_driving_a_motor_every_step_costs_the_joint_no_accuracy(void **state)
{
    (void)state;
    float sag[2];
    for (int driven = 0; driven < 2; ++driven) {
        sn_world *world = kit_world();
        sn_rigid arm = physics_box(world, default_material(), sn_v(1.0f, 0.1f, 0.1f), physics_at(1.0f, 0, 0));
        sn_hinge_def def = sn_hinge_def_default();
        assert_ok(sn_constraint_place(world, &def.common, sn_world_ground(world), arm, sn_v(0.0f, 0.0f, 0.0f),
                                      sn_v(0.0f, 1.0f, 0.0f)));
        def.motor = true;
        def.motor_speed = 0.5f;
        sn_constraint hinge;
        assert_ok(sn_hinge_add(world, &def, &hinge));
        sag[driven] = 0.0f;
        for (int i = 0; i < 120; ++i) {
            if (driven) {
                assert_ok(sn_hinge_motor_set(world, hinge, true, 0.5f, INFINITY));
            }
            run_steps(world, 1);
            sag[driven] = i >= 60 ? sn_max(sag[driven], sn_constraint_error(world, hinge)) : 0.0f;
        }
        sn_world_destroy(world);
    }
    assert_true(sag[1] <= 1.5f * sag[0] + 1e-6f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_settings_come_back_as_given_at_creation_and_after_a_change),
        test_with_memory(test_refused_settings_change_nothing),
        test_with_memory(test_steps_and_time_are_counted),
        test_with_memory(test_sub_steps_are_those_asked_for_or_the_worlds_own_choice),
        test_with_memory(test_stacks_sink_less_with_more_sub_steps_and_stiffer_contacts),
        test_with_memory(test_a_change_of_gravity_wakes_and_acts),
        test_with_memory(test_gravity_scale_multiplies_it_for_one_body),
        test_with_memory(test_impacts_below_the_restitution_threshold_do_not_bounce),
        test_with_memory(test_penetration_is_removed_at_push_speed),
        test_with_memory(test_contacts_are_made_as_early_as_the_speculative_margin_says),
        test_with_memory(test_joints_stretch_less_when_stiffer_and_with_more_sub_steps),
        test_with_memory(test_driving_a_motor_every_step_costs_the_joint_no_accuracy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

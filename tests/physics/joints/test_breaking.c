// Joints break when they carry more than they can, and not before.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/joint_kinds.h"

static const float mass = 10.0f, arm = 0.7f;
static const sn_vec3 inertia = {0.5f, 0.5f, 0.5f}, origin = {0.0f, 0.0f, 0.0f}, along_z = {0.0f, 0.0f, 1.0f};

static sn_constraint hang(sn_world *world, joint_kind kind, sn_rigid body, float break_force)
{
    joint_def def = joint_def_default(kind);
    joint_place(world, &def, body, kind == DISTANCE ? sn_rigid_center(world, body) : origin, origin);
    joint_common(&def)->break_force = break_force;
    if (kind == DISTANCE) {
        def.distance.upper = arm;
    }
    return joint_add(world, &def);
}

static void test_holds_one_percent_below_its_breaking_force_and_breaks_one_percent_above(void **state)
{
    (void)state;
    for (joint_kind kind = BALL; kind < JOINT_KINDS; ++kind) {
        for (int s = 0; s < PHYSICS_STEPS; ++s) {
            for (int strong = 0; strong < 2; ++strong) {
                sn_world *world = physics_world();
                sn_rigid body = physics_lump(world, mass, inertia, physics_at(0, -arm, 0));
                double weight = physics_weight(world, body);
                sn_constraint joint = hang(world, kind, body, (float)(weight * (strong ? 1.01 : 0.99)));
                physics_run(world, physics_steps[s], 3.0f);
                check_true(sn_constraint_is_valid(world, joint) == (strong != 0), "%s, step %d: %s",
                           joint_names[kind], s, strong ? "holds" : "breaks");
                sn_world_destroy(world);
            }
        }
    }
}

// A growing pull: the load at which it breaks, and what the event says.
static void test_breaks_at_its_force_within_half_a_percent_and_says_so_once(void **state)
{
    (void)state;
    for (joint_kind kind = BALL; kind < JOINT_KINDS; ++kind) {
        sn_world *world = physics_world_without_gravity();
        sn_rigid body = physics_lump(world, mass, inertia, physics_at(0, -arm, 0));
        sn_constraint joint = hang(world, kind, body, 100.0f);
        int broken = 0;
        float pull = 0.0f, breaking_pull = 0.0f;
        while (sn_world_time(world) < 8.0) {
            pull += 0.3f;
            must(sn_rigid_force_add(world, body, sn_v(0.0f, -pull, 0.0f)));
            physics_run(world, physics_steps[0], physics_steps[0]);
            sn_events events = sn_world_events(world);
            for (int i = 0; i < events.break_count; ++i) {
                ++broken;
                breaking_pull = pull;
                check_true(events.breaks[i].constraint.index == joint.index, "%s: the event names it",
                           joint_names[kind]);
                check_relative((double)events.breaks[i].force, 100.0, 0.005, "  force in the event");
            }
        }
        check_near((double)broken, 1.0, 0.0, "  events");
        check_relative((double)breaking_pull, 100.0, 0.005, "  pull at which it broke");
        check_true(!sn_constraint_is_valid(world, joint), "  it is gone");
        sn_world_destroy(world);
    }
}

static void test_a_cantilever_breaks_at_its_torque_within_2_percent(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        for (int strong = 0; strong < 2; ++strong) {
            sn_world *world = physics_world();
            sn_rigid beam = physics_lump(world, mass, inertia, physics_at(arm, 0, 0));
            sn_fixed_def def = sn_fixed_def_default();
            sn_constraint joint = {0};
            must(sn_constraint_place(world, &def.common, sn_world_ground(world), beam, origin, along_z));
            double torque = physics_weight(world, beam) * (double)arm;
            def.common.break_torque = (float)(torque * (strong ? 1.02 : 0.98));
            must(sn_fixed_add(world, &def, &joint));
            physics_run(world, physics_steps[s], 3.0f);
            check_true(sn_constraint_is_valid(world, joint) == (strong != 0), "step %d: %s", s,
                       strong ? "holds" : "breaks");
            sn_world_destroy(world);
        }
    }
}

// A string whirled ever faster tears when m ω² r reaches its strength. The speed is that before the step.
static void test_a_whirled_string_tears_at_m_v_squared_over_r_within_2_percent(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world_without_gravity();
        sn_rigid stone = physics_lump(world, 1.0f, physics_ball_inertia(1.0f, 0.05f), physics_at(0, -arm, 0));
        sn_constraint string = hang(world, DISTANCE, stone, 50.0f);
        must(sn_rigid_linear_velocity_set(world, stone, sn_v(2.0f, 0.0f, 0.0f)));
        double speed = 0.0;
        while (sn_constraint_is_valid(world, string) && sn_world_time(world) < 20.0) {
            sn_vec3 velocity = sn_rigid_linear_velocity(world, stone);
            speed = (double)sn_length(velocity);
            must(sn_rigid_force_add(world, stone, sn_scale(sn_normalize(velocity), 2.0f)));
            physics_run(world, physics_steps[s], physics_steps[s]);
        }
        check_true(!sn_constraint_is_valid(world, string), "step %d: it tears", s);
        check_relative(speed * speed / (double)arm, 50.0, 0.02, "m v²/r when it tears");
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_holds_one_percent_below_its_breaking_force_and_breaks_one_percent_above),
        physics_test(test_breaks_at_its_force_within_half_a_percent_and_says_so_once),
        physics_test(test_a_cantilever_breaks_at_its_torque_within_2_percent),
        physics_test(test_a_whirled_string_tears_at_m_v_squared_over_r_within_2_percent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

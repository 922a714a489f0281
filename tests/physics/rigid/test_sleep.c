// Sleep: what rests costs nothing, stays exactly where it is, and wakes when something happens to it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"
#include <string.h>

enum { BOXES = 5 };

typedef struct scene {
    sn_world *world;
    sn_rigid boxes[BOXES];
} scene;

static scene stack_that_may_sleep(void)
{
    scene s = {.world = physics_world()};
    sn_world_def settings = sn_world_settings(s.world);
    settings.sleep = true;
    must(sn_world_settings_set(s.world, &settings));
    sn_shape_def material = physics_material(0.5f, 0.0f);
    physics_floor(s.world, material);
    for (int i = 0; i < BOXES; ++i) {
        s.boxes[i] =
            physics_box(s.world, material, sn_v(0.5f, 0.5f, 0.5f), physics_at(0, 0.5f + (float)i, 0));
    }
    return s;
}

static int count_awake(const scene *s)
{
    int awake = 0;
    for (int i = 0; i < BOXES; ++i) {
        awake += sn_rigid_is_awake(s->world, s->boxes[i]) ? 1 : 0;
    }
    return awake;
}

static void test_a_stack_at_rest_sleeps_within_2_s_and_costs_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < PHYSICS_STEPS; ++i) {
        scene s = stack_that_may_sleep();
        int fell_asleep = 0;
        while (sn_world_time(s.world) < 2.0 - 1e-4) {
            physics_run(s.world, physics_steps[i], physics_steps[i]);
            sn_events events = sn_world_events(s.world);
            for (int k = 0; k < events.sleep_count; ++k) {
                fell_asleep += events.sleeps[k].asleep ? 1 : -1;
            }
        }
        check_near((double)count_awake(&s), 0.0, 0.0, "step %d: awake boxes", i);
        check_near((double)fell_asleep, (double)BOXES, 0.0, "  sleep events");
        physics_run(s.world, physics_steps[i], physics_steps[i]);
        sn_statistics statistics = sn_world_statistics(s.world);
        check_near((double)statistics.awake_count, 0.0, 0.0, "  awake bodies counted");
        check_near((double)statistics.contact_count, 0.0, 0.0, "  awake contacts");
        check_near((double)statistics.island_count, 0.0, 0.0, "  awake islands");
        check_near((double)sn_world_events(s.world).move_count, 0.0, 0.0, "  bodies moved");
        sn_world_destroy(s.world);
    }
}

static void test_a_sleeping_stack_does_not_move_by_a_bit(void **state)
{
    (void)state;
    scene s = stack_that_may_sleep();
    physics_run(s.world, physics_steps[0], 2.0f);
    sn_pose before[BOXES];
    for (int i = 0; i < BOXES; ++i) {
        before[i] = sn_rigid_pose(s.world, s.boxes[i]);
    }
    physics_run(s.world, physics_steps[0], 20.0f);
    for (int i = 0; i < BOXES; ++i) {
        sn_pose now = sn_rigid_pose(s.world, s.boxes[i]);
        check_true(memcmp(&now, &before[i], sizeof now) == 0, "box %d is where it was", i);
    }
    sn_world_destroy(s.world);
}

static void test_a_sleeping_stack_wakes_when_hit_and_sleeps_again(void **state)
{
    (void)state;
    for (int i = 0; i < PHYSICS_STEPS; ++i) {
        scene s = stack_that_may_sleep();
        physics_run(s.world, physics_steps[i], 2.0f);
        sn_rigid ball =
            physics_sphere(s.world, physics_material(0.5f, 0.0f), 0.2f, physics_at(-2.0f, 0.5f, 0));
        must(sn_rigid_linear_velocity_set(s.world, ball, sn_v(5.0f, 0.0f, 0.0f)));
        physics_run(s.world, physics_steps[i], 0.2f);
        check_near((double)count_awake(&s), 0.0, 0.0, "step %d: awake before the hit", i);
        physics_run(s.world, physics_steps[i], 0.3f);
        check_near((double)count_awake(&s), (double)BOXES, 0.0, "  awake after the hit");
        physics_run(s.world, physics_steps[i], 6.0f);
        check_near((double)count_awake(&s), 0.0, 0.0, "  awake six seconds later");
        sn_world_destroy(s.world);
    }
}

// What a sleeping body stands on is taken away, or it is pushed: it wakes and falls.
static void test_a_sleeping_box_wakes_when_its_support_is_removed(void **state)
{
    (void)state;
    scene s = stack_that_may_sleep();
    physics_run(s.world, physics_steps[0], 2.0f);
    must(sn_rigid_remove(s.world, s.boxes[1]));
    physics_run(s.world, physics_steps[0], 2.0f);
    check_near((double)sn_rigid_position(s.world, s.boxes[2]).y, 1.5, 0.01, "height of the box above");
    sn_world_destroy(s.world);
}

static void test_impulses_and_forces_wake(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; ++kind) {
        scene s = stack_that_may_sleep();
        physics_run(s.world, physics_steps[0], 2.0f);
        float mass = sn_rigid_mass(s.world, s.boxes[4]).mass;
        must(kind == 0 ? sn_rigid_impulse_add(s.world, s.boxes[4], sn_v(0.0f, mass, 0.0f))
                       : sn_rigid_force_add(s.world, s.boxes[4], sn_v(0.0f, 100.0f * mass, 0.0f)));
        physics_run(s.world, physics_steps[0], physics_steps[0]);
        check_true(sn_rigid_is_awake(s.world, s.boxes[4]), "awake after %s",
                   kind == 0 ? "an impulse" : "a force");
        check_above((double)sn_rigid_linear_velocity(s.world, s.boxes[4]).y, 0.5, "  speed upwards");
        sn_world_destroy(s.world);
    }
}

// A pendulum at its turning point is slow for a moment, but not at rest.
static void test_a_swinging_pendulum_never_sleeps_in_20_s(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    sn_world_def settings = sn_world_settings(world);
    settings.sleep = true;
    must(sn_world_settings_set(world, &settings));
    sn_rigid bob = physics_sphere(world, physics_material(0.5f, 0.0f), 0.1f, physics_at(0.3f, -1.0f, 0));
    sn_ball_def def = sn_ball_def_default();
    must(sn_constraint_place(world, &def.common, sn_world_ground(world), bob, sn_v(0, 0, 0), sn_v(0, 0, 1)));
    must(sn_ball_add(world, &def, NULL));
    int asleep = 0;
    while (sn_world_time(world) < 20.0) {
        physics_run(world, physics_steps[0], physics_steps[0]);
        asleep += sn_rigid_is_awake(world, bob) ? 0 : 1;
    }
    check_near((double)asleep, 0.0, 0.0, "steps asleep");
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_stack_at_rest_sleeps_within_2_s_and_costs_nothing),
        physics_test(test_a_sleeping_stack_does_not_move_by_a_bit),
        physics_test(test_a_sleeping_stack_wakes_when_hit_and_sleeps_again),
        physics_test(test_a_sleeping_box_wakes_when_its_support_is_removed),
        physics_test(test_impulses_and_forces_wake),
        physics_test(test_a_swinging_pendulum_never_sleeps_in_20_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

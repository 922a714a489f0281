// Joints of light bodies that carry torques: an arm of six links that motors bend to and fro, with a load at
// its end that weighs many times as much as a link. Axes of hinges cross each other, so that each motor's
// torque goes through what the next hinges hold.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

enum { LINKS = 6 };

typedef struct arm {
    sn_world *world;
    sn_constraint hinges[LINKS];
    float torque; // that holds the load at arm's length, twice [N m]
} arm;

// Slender links of `length` each, upright, the load on the last one. Axes of a flat arm are parallel.
static arm make_arm(float length, float mass, float ratio, bool is_flat)
{
    arm arm = {.world = physics_world()};
    sn_rigid before = sn_world_ground(arm.world);
    arm.torque = 2.0f * 9.81f * (ratio + (float)LINKS) * mass * (float)LINKS * length;
    for (int i = 0; i < LINKS; ++i) {
        float own = i == LINKS - 1 ? ratio * mass : mass, across = own * length * length / 12.0f;
        sn_pose pose = physics_at(0, ((float)i + 0.5f) * length, 0);
        sn_rigid link = physics_lump(arm.world, own, sn_v(across, 0.1f * across, across), pose);
        sn_hinge_def def = sn_hinge_def_default();
        sn_vec3 axis = is_flat || i % 2 == 0 ? sn_v(0.0f, 0.0f, 1.0f) : sn_v(1.0f, 0.0f, 0.0f);
        sn_vec3 place = sn_v(0.0f, (float)i * length, 0.0f);
        assert_int_equal(sn_constraint_place(arm.world, &def.common, before, link, place, axis), SN_OK);
        def.motor = true;
        def.motor_torque = arm.torque;
        assert_int_equal(sn_hinge_add(arm.world, &def, &arm.hinges[i]), SN_OK);
        before = link;
    }
    return arm;
}

static bool is_asked_for_by_torque(const sn_world *world)
{
    sn_loaded_island island;
    return sn_world_loads(world, &island, 1) == 1 && island.cause == SN_SUB_STEPS_TORQUE;
}

typedef struct bending {
    double worst;         // error of a hinge [m or rad]
    bool asks_by_torques; // for sub-steps, in some step
} bending;

// Servos bend every hinge by 30 degrees in 1.5 s, then back.
static bending bend_arm(const arm *arm, float step)
{
    bending bending = {0};
    for (float time = 0.0f; time < 3.0f; time += step) {
        float target = time < 1.5f ? SN_PI / 6.0f * time / 1.5f : SN_PI / 6.0f * (3.0f - time) / 1.5f;
        for (int i = 0; i < LINKS; ++i) {
            float speed = 10.0f * (target - sn_hinge_angle(arm->world, arm->hinges[i]));
            assert_int_equal(sn_hinge_motor_set(arm->world, arm->hinges[i], true, speed, arm->torque), SN_OK);
        }
        assert_int_equal(sn_world_step(arm->world, step), SN_OK);
        for (int i = 0; i < LINKS; ++i) {
            double error = (double)sn_constraint_error(arm->world, arm->hinges[i]);
            bending.worst = error > bending.worst ? error : bending.worst;
        }
        bending.asks_by_torques = bending.asks_by_torques || is_asked_for_by_torque(arm->world);
    }
    return bending;
}

static void check_arm(float length, float mass, float ratio, float step)
{
    arm arm = make_arm(length, mass, ratio, false);
    bending bending = bend_arm(&arm, step);
    check_below(bending.worst, 0.05, "links of %g m and %g kg, load %g x, step %g: largest error of a hinge",
                (double)length, (double)mass, (double)ratio, (double)step);
    assert_true(bending.asks_by_torques);
    sn_world_destroy(arm.world);
}

static void test_a_driven_arm_of_light_links_holds_together_under_its_load(void **state)
{
    (void)state;
    check_arm(0.3f, 0.5f, 20.0f, physics_steps[0]);
    check_arm(0.3f, 0.5f, 20.0f, 1.0f / 120.0f);
}

static void test_arms_of_other_sizes_masses_and_loads_do_too(void **state)
{
    (void)state;
    check_arm(0.3f, 5.0f, 20.0f, physics_steps[0]);
    check_arm(0.3f, 0.05f, 20.0f, physics_steps[0]);
    check_arm(0.1f, 0.5f, 20.0f, physics_steps[0]);
    check_arm(3.0f, 0.5f, 20.0f, physics_steps[0]);
    check_arm(0.3f, 0.5f, 5.0f, physics_steps[0]);
    check_arm(0.3f, 0.5f, 60.0f, physics_steps[0]);
}

// Hinges with parallel axes are a plane, which carries what bends them across it: no sub-step more.
static void test_what_a_plane_carries_asks_for_nothing(void **state)
{
    (void)state;
    arm arm = make_arm(0.3f, 0.5f, 20.0f, true);
    bending bending = bend_arm(&arm, physics_steps[0]);
    check_below(bending.worst, 0.05, "flat arm: largest error of a hinge");
    assert_false(bending.asks_by_torques);
    sn_world_destroy(arm.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_driven_arm_of_light_links_holds_together_under_its_load),
        physics_test(test_arms_of_other_sizes_masses_and_loads_do_too),
        physics_test(test_what_a_plane_carries_asks_for_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

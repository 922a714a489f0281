// Kinematic bodies: platforms that carry, walls that push, lifts, turntables, a conveyor belt.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

static const float friction = 0.5f;

static void test_a_target_pose_is_reached_exactly_in_one_step(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_rigid platform = physics_platform(world, physics_material(friction, 0.0f), sn_v(1.0f, 0.1f, 1.0f),
                                             physics_at(0, 0, 0));
        sn_pose target = {{0.3f, -0.2f, 0.1f}, sn_quat_axis_angle(sn_normalize(sn_v(1, 2, 3)), 0.4f)};
        must(sn_rigid_target_set(world, platform, target));
        physics_run(world, physics_steps[s], physics_steps[s]);
        sn_pose pose = sn_rigid_pose(world, platform);
        check_below((double)sn_distance_between(pose.position, target.position), 1e-6, "distance");
        sn_quat off = sn_quat_multiply(pose.rotation, sn_quat_conjugate(target.rotation));
        check_below((double)sn_length(sn_quat_logarithm(off)), 1e-6, "angle");
        physics_run(world, physics_steps[s], 0.1f);
        check_below((double)sn_distance_between(sn_rigid_position(world, platform), target.position), 1e-6,
                    "distance later");
        sn_world_destroy(world);
    }
}

// Starts a platform at once to v: the box slips until friction has brought it up, v²/(2 µ g) behind.
static void test_a_moving_platform_carries_a_box_up_to_its_speed_within_half_a_percent(void **state)
{
    (void)state;
    const float speed = 2.0f;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(friction, 0.0f);
        sn_rigid platform =
            physics_platform(world, material, sn_v(5.0f, 0.5f, 5.0f), physics_at(0, -0.5f, 0));
        sn_rigid box = physics_box(world, material, sn_v(0.5f, 0.15f, 0.5f), physics_at(0, 0.15f, 0));
        physics_run(world, physics_steps[s], 0.5f);
        must(sn_rigid_linear_velocity_set(world, platform, sn_v(speed, 0.0f, 0.0f)));
        physics_run(world, physics_steps[s], 0.2f);
        check_relative((double)sn_rigid_linear_velocity(world, box).x,
                       (double)friction * physics_gravity * 0.2, 0.005, "speed while slipping");
        physics_run(world, physics_steps[s], 1.8f);
        check_relative((double)sn_rigid_linear_velocity(world, box).x, (double)speed, 1e-4, "speed carried");
        double behind = (double)(sn_rigid_position(world, platform).x - sn_rigid_position(world, box).x);
        double expected = (double)(speed * speed) / (2.0 * (double)friction * physics_gravity);
        check_relative(behind, expected, 0.01, "slipped");
        physics_run(world, physics_steps[s], 1.0f);
        double later = (double)(sn_rigid_position(world, platform).x - sn_rigid_position(world, box).x);
        check_near(later, behind, 1e-3, "a second later");
        sn_world_destroy(world);
    }
}

// Accelerating below µ g nothing should slip; but a target moves the platform by a jump of velocity every
// step, after which friction needs a moment to bring the box along: (a Δt)²/(2 µ g) of slip a step.
static void test_a_gently_accelerated_platform_carries_a_box_with_less_slip_than_its_jumps_make(void **state)
{
    (void)state;
    double errors[PHYSICS_STEPS];
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(friction, 0.0f);
        sn_rigid platform =
            physics_platform(world, material, sn_v(5.0f, 0.5f, 5.0f), physics_at(0, -0.5f, 0));
        sn_rigid box = physics_box(world, material, sn_v(0.5f, 0.15f, 0.5f), physics_at(0, 0.15f, 0));
        double allowed = 0.0;
        while (sn_world_time(world) < 4.0 - 1e-4) {
            // There and back again, at most 3 m/s².
            double t = sn_world_time(world) + (double)physics_steps[s], x = 0.75 * (1.0 - cos(2.0 * t));
            double jump = 3.0 * fabs(cos(2.0 * t)) * (double)physics_steps[s];
            allowed += jump * jump / (2.0 * (double)friction * physics_gravity);
            must(sn_rigid_target_set(world, platform, physics_at((float)x, -0.5f, 0.0f)));
            physics_run(world, physics_steps[s], physics_steps[s]);
        }
        errors[s] = (double)(sn_rigid_position(world, box).x - sn_rigid_position(world, platform).x);
        check_below(fabs(errors[s]), allowed, "slip after 4 s, step %d", s);
        sn_world_destroy(world);
    }
    check_converges(errors, 1e-4, "slip");
}

static void test_a_wall_pushes_a_box_to_where_it_stops_within_a_millimetre(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(friction, 0.0f);
        physics_floor(world, material);
        sn_rigid wall = physics_platform(world, material, sn_v(0.1f, 0.5f, 1.0f), physics_at(-1.0f, 0.6f, 0));
        sn_rigid box = physics_box(world, material, sn_v(0.3f, 0.2f, 0.3f), physics_at(0, 0.2f, 0));
        const double start = -1.0, end = 1.0, time = 2.0;
        while (sn_world_time(world) < time - 1e-4) {
            // Slows down gently towards the end, so that the box does not slide on.
            double t = (sn_world_time(world) + (double)physics_steps[s]) / time;
            double x = start + (end - start) * sin(0.5 * acos(-1.0) * fmin(t, 1.0));
            must(sn_rigid_target_set(world, wall, physics_at((float)x, 0.6f, 0.0f)));
            physics_run(world, physics_steps[s], physics_steps[s]);
        }
        physics_run(world, physics_steps[s], 1.0f);
        sn_vec3 position = sn_rigid_position(world, box);
        check_near((double)position.x, end + 0.1 + 0.3, 1e-3, "position of the box, step %d", s);
        check_near((double)position.y, 0.2, 1e-3, "its height");
        check_below(fabs((double)position.z), 1e-3, "sideways");
        check_relative((double)sn_rigid_position(world, wall).x, end, 1e-6, "position of the wall");
        sn_world_destroy(world);
    }
}

static void test_a_lift_carries_a_box_up_and_down_within_a_millimetre(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(friction, 0.0f);
        sn_rigid lift = physics_platform(world, material, sn_v(1.0f, 0.1f, 1.0f), physics_at(0, 0, 0));
        sn_rigid box = physics_box(world, material, sn_v(0.3f, 0.3f, 0.3f), physics_at(0, 0.4f, 0));
        double worst = 0.0;
        while (sn_world_time(world) < 6.0) {
            // At most 4 m/s², well below g.
            double t = sn_world_time(world) + (double)physics_steps[s], y = 1.0 - cos(2.0 * t);
            must(sn_rigid_target_set(world, lift, physics_at(0.0f, (float)y, 0.0f)));
            physics_run(world, physics_steps[s], physics_steps[s]);
            double height = (double)(sn_rigid_position(world, box).y - sn_rigid_position(world, lift).y);
            worst = fmax(worst, fabs(height - 0.4));
        }
        check_below(worst, 1e-3, "change of height above the lift, step %d", s);
        sn_world_destroy(world);
    }
}

// On a turntable ω² r must stay below µ g.
static void
test_a_turntable_carries_what_friction_can_hold_and_throws_off_the_rest_within_2_percent(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(friction, 0.0f);
        sn_rigid table = physics_platform(world, material, sn_v(4.0f, 0.5f, 4.0f), physics_at(0, -0.5f, 0));
        sn_rigid inner = physics_box(world, material, sn_v(0.1f, 0.05f, 0.1f), physics_at(0.9f, 0.05f, 0));
        sn_rigid outer = physics_box(world, material, sn_v(0.1f, 0.05f, 0.1f), physics_at(0, 0.05f, 2.0f));
        // µ g = 4.9 m/s²; 2 rad/s make 3.6 m/s² at 0.9 m and 8 m/s² at 2 m.
        must(sn_rigid_angular_velocity_set(world, table, sn_v(0.0f, 2.0f, 0.0f)));
        must(sn_rigid_linear_velocity_set(world, inner, sn_v(0.0f, 0.0f, -1.8f)));
        must(sn_rigid_angular_velocity_set(world, inner, sn_v(0.0f, 2.0f, 0.0f)));
        physics_run(world, physics_steps[s], 3.0f);
        sn_vec3 p = sn_rigid_position(world, inner);
        check_relative((double)sn_length(sn_v(p.x, 0.0f, p.z)), 0.9, 0.02, "radius of the inner box, step %d",
                       s);
        check_relative((double)sn_length(sn_rigid_linear_velocity(world, inner)), 1.8, 0.02, "its speed");
        check_relative((double)sn_rigid_angular_velocity(world, inner).y, 2.0, 0.01, "its spin");
        p = sn_rigid_position(world, outer);
        check_above((double)sn_length(sn_v(p.x, 0.0f, p.z)), 2.3, "radius of the outer box");
        sn_world_destroy(world);
    }
}

// A belt: a kinematic slab with a velocity, put back before every step.
static void test_a_conveyor_accelerates_a_box_by_mu_g_up_to_its_speed_within_1_percent(void **state)
{
    (void)state;
    const float speed = 1.5f;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(friction, 0.0f);
        sn_pose place = physics_at(0, -0.5f, 0);
        sn_rigid belt = physics_platform(world, material, sn_v(5.0f, 0.5f, 1.0f), place);
        sn_rigid box = physics_box(world, material, sn_v(0.3f, 0.15f, 0.3f), physics_at(-4.0f, 0.15f, 0));
        while (sn_world_time(world) < 3.0 - 1e-4) {
            must(sn_rigid_pose_set(world, belt, place));
            must(sn_rigid_linear_velocity_set(world, belt, sn_v(speed, 0.0f, 0.0f)));
            physics_run(world, physics_steps[s], physics_steps[s]);
            if (fabs(sn_world_time(world) - 0.2) < 0.5 * (double)physics_steps[s]) {
                check_relative((double)sn_rigid_linear_velocity(world, box).x,
                               (double)friction * physics_gravity * sn_world_time(world), 0.01,
                               "speed after 0.2 s, step %d", s);
            }
        }
        check_relative((double)sn_rigid_linear_velocity(world, box).x, (double)speed, 1e-3,
                       "speed in the end");
        double lag = (double)(speed * speed) / (2.0 * (double)friction * physics_gravity);
        check_relative((double)sn_rigid_position(world, box).x + 4.0, (double)speed * 3.0 - lag, 0.01, "way");
        check_near((double)sn_rigid_position(world, box).y, 0.15, 1e-3, "height");
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_target_pose_is_reached_exactly_in_one_step),
        physics_test(test_a_moving_platform_carries_a_box_up_to_its_speed_within_half_a_percent),
        physics_test(test_a_gently_accelerated_platform_carries_a_box_with_less_slip_than_its_jumps_make),
        physics_test(test_a_wall_pushes_a_box_to_where_it_stops_within_a_millimetre),
        physics_test(test_a_lift_carries_a_box_up_and_down_within_a_millimetre),
        physics_test(
            test_a_turntable_carries_what_friction_can_hold_and_throws_off_the_rest_within_2_percent),
        physics_test(test_a_conveyor_accelerates_a_box_by_mu_g_up_to_its_speed_within_1_percent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

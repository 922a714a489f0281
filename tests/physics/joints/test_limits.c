// Stops: hinges at their angles, sliders at their ends, balls in their cones and twists, ropes at their
// length.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

static const float mass = 5.0f, arm = 0.8f;
static const sn_vec3 inertia = {0.2f, 0.2f, 0.2f}, origin = {0.0f, 0.0f, 0.0f};
static const sn_vec3 along_x = {1.0f, 0.0f, 0.0f}, along_y = {0.0f, 1.0f, 0.0f}, along_z = {0.0f, 0.0f, 1.0f};

// A beam falls onto the stop of its hinge and stays there.
static void test_a_hinge_stops_at_its_angle_within_a_milliradian(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_rigid beam = physics_lump(world, mass, inertia, physics_at(arm, 0, 0));
        sn_hinge_def def = sn_hinge_def_default();
        def.limit = true;
        def.lower = -0.7f;
        def.upper = 0.5f;
        sn_constraint hinge = {0};
        must(sn_constraint_place(world, &def.common, sn_world_ground(world), beam, origin, along_z));
        must(sn_hinge_add(world, &def, &hinge));
        // Gravity makes it arrive at about 0.45 s. Stops do not bounce: from then on it lies there.
        double lowest = 0.0, highest_rebound = -0.7;
        while (sn_world_time(world) < 3.0) {
            physics_run(world, physics_steps[s], physics_steps[s]);
            double angle = (double)sn_hinge_angle(world, hinge);
            lowest = fmin(lowest, angle);
            highest_rebound = sn_world_time(world) > 0.7 ? fmax(highest_rebound, angle) : highest_rebound;
        }
        check_near(highest_rebound, -0.7, 0.01, "highest angle after the impact, step %d", s);
        check_near((double)sn_hinge_angle(world, hinge), -0.7, 1e-3, "  angle at rest");
        check_above(lowest, -0.7 - 0.01, "  lowest angle on the way");
        check_near(physics_angle_about_z(world, beam), -0.7, 2e-3, "  the beam's own angle");
        check_below((double)sn_length(sn_rigid_angular_velocity(world, beam)), 1e-3, "  spin");
        // Thrown up against the other stop it turns back there.
        must(sn_rigid_angular_velocity_set(world, beam, sn_v(0.0f, 0.0f, 8.0f)));
        must(
            sn_rigid_linear_velocity_set(world, beam, sn_cross(sn_v(0, 0, 8), sn_rigid_center(world, beam))));
        double highest = -1.0;
        double end = sn_world_time(world) + 3.0;
        while (sn_world_time(world) < end) {
            physics_run(world, physics_steps[s], physics_steps[s]);
            highest = fmax(highest, (double)sn_hinge_angle(world, hinge));
        }
        check_near(highest, 0.5, 0.02, "  highest angle when thrown up");
        check_near((double)sn_hinge_angle(world, hinge), -0.7, 1e-3, "  angle at rest again");
        sn_world_destroy(world);
    }
}

static void test_a_slider_stops_at_its_ends_within_a_millimetre(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_rigid body = physics_lump(world, mass, inertia, physics_at(0, 0, 0));
        sn_slider_def def = sn_slider_def_default();
        def.limit = true;
        def.lower = -0.6f;
        def.upper = 0.4f;
        sn_constraint slider = {0};
        must(sn_constraint_place(world, &def.common, sn_world_ground(world), body, origin, along_y));
        must(sn_slider_add(world, &def, &slider));
        double lowest = 0.0;
        while (sn_world_time(world) < 2.0) {
            physics_run(world, physics_steps[s], physics_steps[s]);
            lowest = fmin(lowest, (double)sn_slider_travel(world, slider));
        }
        check_near((double)sn_slider_travel(world, slider), -0.6, 1e-3, "travel at rest, step %d", s);
        check_above(lowest, -0.6 - 0.005, "  lowest travel");
        check_below((double)sn_length(sn_rigid_linear_velocity(world, body)), 1e-4, "  speed");
        sn_world_destroy(world);
    }
}

// A rod along the cone's axis x falls to its edge; leaning further by pushing does not help.
static void test_a_ball_stays_in_its_cone_within_2_milliradians(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_rigid rod = physics_lump(world, mass, sn_v(0.02f, 0.2f, 0.2f), physics_at(arm, 0, 0));
        sn_ball_def def = sn_ball_def_default();
        def.limit_cone = true;
        def.cone_angle = 0.6f;
        sn_constraint ball = {0};
        must(sn_constraint_place(world, &def.common, sn_world_ground(world), rod, origin, along_x));
        must(sn_ball_add(world, &def, &ball));
        double widest = 0.0, lean = 0.0;
        while (sn_world_time(world) < 4.0) {
            // A sideways push now and then lets it slide round the edge of the cone.
            if (sn_world_time(world) < 2.0) {
                must(sn_rigid_force_add(world, rod, sn_v(0.0f, 0.0f, 20.0f)));
            }
            physics_run(world, physics_steps[s], physics_steps[s]);
            sn_vec3 axis = sn_rotate(sn_rigid_rotation(world, rod), along_x);
            lean = acos(fmin((double)axis.x, 1.0));
            widest = fmax(widest, lean);
        }
        check_below(widest, 0.6 + 0.02, "widest lean, step %d", s);
        must(sn_rigid_damping_set(world, rod, 2.0f, 2.0f));
        physics_run(world, physics_steps[s], 6.0f);
        sn_vec3 axis = sn_rotate(sn_rigid_rotation(world, rod), along_x);
        check_near(acos((double)axis.x), 0.6, 2e-3, "  lean at rest");
        check_below((double)sn_constraint_error(world, ball), 2e-3, "  error");
        sn_world_destroy(world);
    }
}

// A body with an arm sideways wants to twist under its weight; it turns as far as the stop.
static void test_a_ball_stops_at_its_twist_within_2_milliradians(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_rigid body = physics_lump(world, mass, inertia, physics_at(0, 0, arm));
        sn_ball_def def = sn_ball_def_default();
        def.limit_cone = true;
        def.cone_angle = 0.0f;
        def.limit_twist = true;
        def.twist_lower = -0.2f;
        def.twist_upper = 0.4f;
        sn_constraint ball = {0};
        must(sn_constraint_place(world, &def.common, sn_world_ground(world), body, origin, along_x));
        must(sn_ball_add(world, &def, &ball));
        physics_run(world, physics_steps[s], 3.0f);
        // Gravity turns z towards −y about x: a positive angle.
        sn_vec3 z = sn_rotate(sn_rigid_rotation(world, body), along_z);
        check_near(atan2(-(double)z.y, (double)z.z), 0.4, 2e-3, "twist at rest, step %d", s);
        sn_vec3 x = sn_rotate(sn_rigid_rotation(world, body), along_x);
        check_near((double)x.x, 1.0, 1e-5, "  cosine of the lean");
        sn_world_destroy(world);
    }
}

static void test_a_rope_at_rest_is_at_most_a_millimetre_too_long(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_rigid stone = physics_lump(world, mass, inertia, physics_at(0.3f, 0, 0));
        sn_distance_def def = sn_distance_def_default();
        def.upper = 1.0f;
        sn_constraint rope = {0};
        must(sn_constraint_place_points(world, &def.common, sn_world_ground(world), stone, origin,
                                        sn_rigid_center(world, stone)));
        must(sn_distance_add(world, &def, &rope));
        // Slack at first: it falls freely. 0.2 s are 0.196 m.
        physics_run(world, physics_steps[s], 0.2f);
        check_relative(-(double)sn_rigid_center(world, stone).y, 0.5 * physics_gravity * 0.04, 0.02,
                       "free fall while slack, step %d", s);
        check_below((double)sn_length(sn_constraint_force(world, rope)), 0.0, "  force while slack");
        double longest = 0.0;
        while (sn_world_time(world) < 2.0) {
            physics_run(world, physics_steps[s], physics_steps[s]);
            longest = fmax(longest, (double)sn_distance_length(world, rope));
        }
        check_below(longest, 1.0 + 0.01, "  longest in the jerk");
        must(sn_rigid_damping_set(world, stone, 3.0f, 3.0f));
        physics_run(world, physics_steps[s], 8.0f);
        must(sn_rigid_damping_set(world, stone, 0.0f, 0.0f));
        physics_run(world, physics_steps[s], 0.5f);
        check_near((double)sn_distance_length(world, rope), 1.0, 1e-3, "  length at rest");
        check_relative((double)sn_constraint_force(world, rope).y, physics_weight(world, stone), 1e-3,
                       "  pull");
        sn_world_destroy(world);
    }
}

// A strut pushes: two bodies thrown at each other stop at its lower length.
static void test_a_distance_stops_at_its_lower_length_within_a_millimetre(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world_without_gravity();
        sn_rigid a = physics_lump(world, mass, inertia, physics_at(-1, 0, 0));
        sn_rigid b = physics_lump(world, mass, inertia, physics_at(1, 0, 0));
        sn_distance_def def = sn_distance_def_default();
        def.lower = 1.2f;
        def.upper = 3.0f;
        sn_constraint strut = {0};
        must(sn_constraint_place_points(world, &def.common, a, b, sn_rigid_center(world, a),
                                        sn_rigid_center(world, b)));
        must(sn_distance_add(world, &def, &strut));
        must(sn_rigid_linear_velocity_set(world, a, sn_v(2.0f, 0.0f, 0.0f)));
        must(sn_rigid_linear_velocity_set(world, b, sn_v(-2.0f, 0.0f, 0.0f)));
        double shortest = 2.0;
        while (sn_world_time(world) < 1.0) {
            physics_run(world, physics_steps[s], physics_steps[s]);
            shortest = fmin(shortest, (double)sn_distance_length(world, strut));
        }
        check_near(shortest, 1.2, 1e-3, "shortest, step %d", s);
        check_below((double)sn_length(sn_rigid_linear_velocity(world, a)), 0.05, "  speed afterwards");
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_hinge_stops_at_its_angle_within_a_milliradian),
        physics_test(test_a_slider_stops_at_its_ends_within_a_millimetre),
        physics_test(test_a_ball_stays_in_its_cone_within_2_milliradians),
        physics_test(test_a_ball_stops_at_its_twist_within_2_milliradians),
        physics_test(test_a_rope_at_rest_is_at_most_a_millimetre_too_long),
        physics_test(test_a_distance_stops_at_its_lower_length_within_a_millimetre),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Rolling: spheres and capsules down a slope, the bowling ball that slides before it rolls, resistance.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

static const float slope_angle = 0.3f;

// A round body rolls down at g sin θ / (1 + I/(m r²)).
static void check_rolling(float step, sn_world *world, sn_rigid body, float radius, double moment)
{
    sn_vec3 downhill = physics_downhill(slope_angle), start = sn_rigid_position(world, body);
    double mass = (double)sn_rigid_mass(world, body).mass, r = (double)radius;
    double expected = physics_gravity * (double)sn_sin(slope_angle) / (1.0 + moment / (mass * r * r));
    physics_run(world, step, 2.0f);
    double speed = (double)sn_dot(sn_rigid_linear_velocity(world, body), downhill);
    double way = (double)sn_dot(sn_sub(sn_rigid_position(world, body), start), downhill);
    check_relative(speed / 2.0, expected, 0.01, "acceleration from speed, radius %g", r);
    check_relative(way / 2.0, expected, 0.01, "acceleration from way");
    check_relative((double)sn_length(sn_rigid_angular_velocity(world, body)) * r, speed, 2e-3,
                   "spin times radius against speed");
    sn_vec3 position = sn_rigid_position(world, body);
    double height = (double)sn_dot(position, sn_v(sn_sin(slope_angle), sn_cos(slope_angle), 0.0f));
    check_near(height, r, 1e-3, "height above the slope");
    check_below(fabs((double)position.z), 1e-4, "sideways");
}

static void test_a_sphere_rolls_down_at_five_sevenths_of_g_sine_within_1_percent(void **state)
{
    (void)state;
    const float radii[] = {0.1f, 0.5f, 2.0f};
    for (int i = 0; i < 3; ++i) {
        for (int s = 0; s < PHYSICS_STEPS; ++s) {
            sn_world *world = physics_world();
            sn_shape_def material = physics_material(0.8f, 0.0f);
            physics_slope(world, material, slope_angle);
            sn_rigid body =
                physics_sphere(world, material, radii[i], physics_on_slope(slope_angle, radii[i]));
            double mass = (double)sn_rigid_mass(world, body).mass, r = (double)radii[i];
            check_rolling(physics_steps[s], world, body, radii[i], 0.4 * mass * r * r);
            sn_world_destroy(world);
        }
    }
}

static void test_a_capsule_rolls_down_as_its_inertia_says_within_1_percent(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(0.8f, 0.0f);
        physics_slope(world, material, slope_angle);
        sn_rigid body = physics_capsule(world, material, 0.6f, 0.25f, physics_on_slope(slope_angle, 0.25f));
        check_rolling(physics_steps[s], world, body, 0.25f, (double)sn_rigid_mass(world, body).inertia.z.z);
        sn_world_destroy(world);
    }
}

static void test_a_bowling_ball_ends_rolling_at_five_sevenths_of_its_speed_within_1_percent(void **state)
{
    (void)state;
    const float radius = 0.11f, friction = 0.2f;
    const double speed = 7.0;
    double errors[PHYSICS_STEPS];
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(friction, 0.0f);
        physics_floor(world, material);
        sn_rigid ball = physics_sphere(world, material, radius, physics_at(0, radius, 0));
        must(sn_rigid_linear_velocity_set(world, ball, sn_v((float)speed, 0.0f, 0.0f)));
        double until = 2.0 * speed / (7.0 * (double)friction * physics_gravity);
        // Half of the way to rolling: still sliding, with v = v₀ − µ g t and ω = 5 µ g t/(2 r).
        physics_run(world, physics_steps[s], 0.5f);
        check_relative((double)sn_rigid_linear_velocity(world, ball).x,
                       speed - (double)friction * physics_gravity * 0.5, 0.002, "speed after 0.5 s");
        check_relative(-(double)sn_rigid_angular_velocity(world, ball).z * (double)radius,
                       2.5 * (double)friction * physics_gravity * 0.5, 0.01, "rim speed after 0.5 s");
        physics_run(world, physics_steps[s], (float)until - 0.5f + 0.5f);
        double rolling = (double)sn_rigid_linear_velocity(world, ball).x;
        check_relative(rolling, 5.0 / 7.0 * speed, 0.01, "speed of rolling");
        check_relative(-(double)sn_rigid_angular_velocity(world, ball).z * (double)radius, rolling, 0.002,
                       "rim speed against it");
        errors[s] = rolling - 5.0 / 7.0 * speed;
        physics_run(world, physics_steps[s], 2.0f);
        check_relative((double)sn_rigid_linear_velocity(world, ball).x, rolling, 0.002, "2 s later");
        sn_world_destroy(world);
    }
    check_converges(errors, 0.01, "speed of rolling");
}

// Back-spin: a ball thrown with enough of it comes back. v = (5 v₀ + 2 r ω₀)/7 with ω₀ against rolling.
static void test_back_spin_returns_the_ball_within_1_percent(void **state)
{
    (void)state;
    const float radius = 0.11f;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(0.4f, 0.0f);
        physics_floor(world, material);
        sn_rigid ball = physics_sphere(world, material, radius, physics_at(0, radius, 0));
        must(sn_rigid_linear_velocity_set(world, ball, sn_v(2.0f, 0.0f, 0.0f)));
        must(sn_rigid_angular_velocity_set(world, ball, sn_v(0.0f, 0.0f, 100.0f)));
        physics_run(world, physics_steps[s], 3.0f);
        check_relative((double)sn_rigid_linear_velocity(world, ball).x,
                       (5.0 * 2.0 - 2.0 * (double)radius * 100.0) / 7.0, 0.01, "speed in the end");
        sn_world_destroy(world);
    }
}

// Resistance ρ [m] is a torque ρ N against rolling: it slows by ρ g r/(r² + I/m).
static void
test_rolling_resistance_slows_a_sphere_by_five_sevenths_of_rho_g_over_r_within_1_percent(void **state)
{
    (void)state;
    const float radius = 0.5f, resistance = 0.02f;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(0.8f, 0.0f);
        material.rolling_resistance = resistance;
        physics_floor(world, material);
        sn_rigid ball = physics_sphere(world, material, radius, physics_at(0, radius, 0));
        must(sn_rigid_linear_velocity_set(world, ball, sn_v(2.0f, 0.0f, 0.0f)));
        must(sn_rigid_angular_velocity_set(world, ball, sn_v(0.0f, 0.0f, -4.0f)));
        double expected = 5.0 / 7.0 * (double)resistance * physics_gravity / (double)radius;
        physics_run(world, physics_steps[s], 3.0f);
        double speed = (double)sn_rigid_linear_velocity(world, ball).x;
        check_relative((2.0 - speed) / 3.0, expected, 0.01, "deceleration");
        physics_run(world, physics_steps[s], 5.0f);
        check_relative((double)sn_rigid_position(world, ball).x, 2.0 * 2.0 / (2.0 * expected), 0.01,
                       "way until rest");
        check_below((double)sn_length(sn_rigid_linear_velocity(world, ball)), 1e-4, "speed at the end");
        sn_world_destroy(world);
    }
}

static void test_a_sphere_rests_on_a_slope_flatter_than_rho_over_r_and_rolls_down_a_steeper_one(void **state)
{
    (void)state;
    const float radius = 0.5f, resistance = 0.05f; // holds up to tan θ = 0.1
    for (int i = 0; i < 2; ++i) {
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(0.8f, 0.0f);
        material.rolling_resistance = resistance;
        float angle = i == 0 ? 0.09f : 0.12f;
        physics_slope(world, material, angle);
        sn_rigid ball = physics_sphere(world, material, radius, physics_on_slope(angle, radius));
        sn_vec3 start = sn_rigid_position(world, ball);
        physics_run(world, physics_steps[0], 3.0f);
        double way = (double)sn_distance_between(sn_rigid_position(world, ball), start);
        if (i == 0) {
            check_below(way, 1e-3, "creep on the flatter slope");
        } else {
            double net = physics_gravity *
                         ((double)sn_sin(angle) - (double)(resistance / radius) * (double)sn_cos(angle));
            check_relative(way, 0.5 * 5.0 / 7.0 * net * 9.0, 0.02, "way down the steeper slope");
        }
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_sphere_rolls_down_at_five_sevenths_of_g_sine_within_1_percent),
        physics_test(test_a_capsule_rolls_down_as_its_inertia_says_within_1_percent),
        physics_test(test_a_bowling_ball_ends_rolling_at_five_sevenths_of_its_speed_within_1_percent),
        physics_test(test_back_spin_returns_the_ball_within_1_percent),
        physics_test(
            test_rolling_resistance_slows_a_sphere_by_five_sevenths_of_rho_g_over_r_within_1_percent),
        physics_test(test_a_sphere_rests_on_a_slope_flatter_than_rho_over_r_and_rolls_down_a_steeper_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

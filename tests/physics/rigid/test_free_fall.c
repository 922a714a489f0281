// Bodies without anything to touch: gravity, thrown bodies, damping.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

static const sn_vec3 unit_cube = {0.5f, 0.5f, 0.5f};

// Euler's method, semi-implicit as the library has it, errs by half a sub-step's worth of velocity.
static double euler_error(const sn_world *world, float step, double acceleration, double time)
{
    return 0.5 * acceleration * time * physics_sub_step(world, step);
}

// What thousands of roundings of a float may add up to, as a share of the number.
static const double rounding = 1e-4;

static void test_falls_half_g_t_squared_and_gains_g_t_within_a_ten_thousandth(void **state)
{
    (void)state;
    double errors[PHYSICS_STEPS];
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_rigid body = physics_box(world, physics_material(0.5f, 0.0f), unit_cube, physics_at(0, 100, 0));
        physics_run(world, physics_steps[s], 2.0f);
        double fallen = 100.0 - (double)sn_rigid_position(world, body).y;
        double speed = -(double)sn_rigid_linear_velocity(world, body).y;
        check_relative(speed, physics_gravity * 2.0, rounding, "speed after 2 s");
        errors[s] = fallen - 0.5 * physics_gravity * 4.0;
        double allowed = euler_error(world, physics_steps[s], physics_gravity, 2.0) + rounding * 19.62;
        check_below(fabs(errors[s]), allowed, "error of the 19.62 m fallen in 2 s");
        sn_world_destroy(world);
    }
    check_converges(errors, rounding * 19.62, "fallen distance");
}

static void test_a_thrown_body_flies_a_parabola_within_4_cm_in_60_m(void **state)
{
    (void)state;
    double errors[PHYSICS_STEPS];
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_rigid body = physics_sphere(world, physics_material(0.5f, 0.0f), 0.1f, physics_at(0, 0, 0));
        must(sn_rigid_linear_velocity_set(world, body, sn_v(15.0f, 20.0f, 0.0f)));
        physics_run(world, physics_steps[s], 4.0f);
        sn_vec3 position = sn_rigid_position(world, body);
        check_relative((double)position.x, 60.0, rounding, "distance along the ground after 4 s");
        errors[s] = (double)position.y - (20.0 * 4.0 - 0.5 * physics_gravity * 16.0);
        double allowed = euler_error(world, physics_steps[s], physics_gravity, 4.0) + rounding * 80.0;
        check_below(fabs(errors[s]), allowed, "error of the height after 4 s");
        sn_world_destroy(world);
    }
    check_converges(errors, rounding * 80.0, "height");
}

static void test_gravity_scale_multiplies_the_fall_within_a_ten_thousandth(void **state)
{
    (void)state;
    const float scales[] = {0.0f, 0.5f, 2.0f, -1.0f};
    for (int i = 0; i < 4; ++i) {
        sn_world *world = physics_world();
        sn_rigid body = physics_sphere(world, physics_material(0.5f, 0.0f), 0.1f, physics_at(0, 0, 0));
        must(sn_rigid_gravity_scale_set(world, body, scales[i]));
        physics_run(world, physics_steps[0], 1.0f);
        double expected = -physics_gravity * (double)scales[i];
        check_near((double)sn_rigid_linear_velocity(world, body).y, expected, rounding * fabs(expected),
                   "speed after 1 s, gravity scale %g", (double)scales[i]);
        sn_world_destroy(world);
    }
}

// Spinning about a mass centre away from its origin: the mass centre falls as a point would.
static void test_the_mass_centre_of_a_spinning_lopsided_body_falls_straight_within_a_millimetre(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(0.5f, 0.0f);
        sn_rigid body = physics_box(world, material, sn_v(0.5f, 0.1f, 0.1f), physics_at(0, 0, 0));
        material.offset = physics_at(1.0f, 0.0f, 0.0f);
        must(sn_sphere_add(world, body, &material, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.3f}, NULL));
        must(sn_rigid_angular_velocity_set(world, body, sn_v(1.0f, 2.0f, 9.0f)));
        sn_vec3 start = sn_rigid_center(world, body);
        physics_run(world, physics_steps[s], 2.0f);
        sn_vec3 moved = sn_sub(sn_rigid_center(world, body), start);
        double error = euler_error(world, physics_steps[s], physics_gravity, 2.0);
        check_below((double)sn_length(sn_v(moved.x, 0.0f, moved.z)), 1e-3, "sideways motion");
        check_near((double)moved.y, -0.5 * physics_gravity * 4.0 - error, 1e-3, "fall of the mass centre");
        sn_world_destroy(world);
    }
}

static void test_linear_damping_slows_exponentially_within_1_per_mille(void **state)
{
    (void)state;
    double errors[PHYSICS_STEPS];
    const double rate = 0.8, time = 2.0;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world_without_gravity();
        sn_rigid body = physics_sphere(world, physics_material(0.5f, 0.0f), 0.1f, physics_at(0, 0, 0));
        must(sn_rigid_damping_set(world, body, (float)rate, 0.0f));
        must(sn_rigid_linear_velocity_set(world, body, sn_v(10.0f, 0.0f, 0.0f)));
        physics_run(world, physics_steps[s], (float)time);
        double speed = (double)sn_rigid_linear_velocity(world, body).x, expected = 10.0 * exp(-rate * time);
        double distance = (double)sn_rigid_position(world, body).x;
        check_relative(speed, expected, 1e-3, "speed after 2 s");
        check_relative(distance, (10.0 - expected) / rate, 1e-3, "distance after 2 s");
        errors[s] = speed - expected;
        sn_world_destroy(world);
    }
    check_converges(errors, 1e-3, "damped speed");
}

static void test_a_damped_fall_approaches_its_terminal_speed_within_2_per_mille(void **state)
{
    (void)state;
    const double rate = 2.0;
    double errors[PHYSICS_STEPS];
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_rigid body = physics_sphere(world, physics_material(0.5f, 0.0f), 0.1f, physics_at(0, 0, 0));
        must(sn_rigid_damping_set(world, body, (float)rate, 0.0f));
        physics_run(world, physics_steps[s], 1.0f);
        double terminal = physics_gravity / rate, expected = terminal * (1.0 - exp(-rate));
        double speed = -(double)sn_rigid_linear_velocity(world, body).y;
        errors[s] = speed - expected;
        check_relative(speed, expected, 2e-3, "speed after 1 s");
        physics_run(world, physics_steps[s], 9.0f);
        check_relative(-(double)sn_rigid_linear_velocity(world, body).y, terminal, 2e-3, "terminal speed");
        sn_world_destroy(world);
    }
    check_converges(errors, 1e-3, "speed of the damped fall");
}

static void test_angular_damping_slows_spin_exponentially_within_1_per_mille(void **state)
{
    (void)state;
    double errors[PHYSICS_STEPS];
    const double rate = 0.8, time = 2.0;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world_without_gravity();
        sn_rigid body = physics_sphere(world, physics_material(0.5f, 0.0f), 0.1f, physics_at(0, 0, 0));
        must(sn_rigid_damping_set(world, body, 0.0f, (float)rate));
        must(sn_rigid_angular_velocity_set(world, body, sn_v(0.0f, 10.0f, 0.0f)));
        physics_run(world, physics_steps[s], (float)time);
        double expected = 10.0 * exp(-rate * time);
        errors[s] = (double)sn_rigid_angular_velocity(world, body).y - expected;
        check_relative(expected + errors[s], expected, 1e-3, "spin after 2 s");
        sn_world_destroy(world);
    }
    check_converges(errors, 1e-3, "damped spin");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_falls_half_g_t_squared_and_gains_g_t_within_a_ten_thousandth),
        physics_test(test_a_thrown_body_flies_a_parabola_within_4_cm_in_60_m),
        physics_test(test_gravity_scale_multiplies_the_fall_within_a_ten_thousandth),
        physics_test(test_the_mass_centre_of_a_spinning_lopsided_body_falls_straight_within_a_millimetre),
        physics_test(test_linear_damping_slows_exponentially_within_1_per_mille),
        physics_test(test_a_damped_fall_approaches_its_terminal_speed_within_2_per_mille),
        physics_test(test_angular_damping_slows_spin_exponentially_within_1_per_mille),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

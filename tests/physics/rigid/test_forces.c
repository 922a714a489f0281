// Newton's and Euler's laws for one body: forces, forces at points, torques, impulses.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

static const sn_vec3 brick = {0.5f, 0.2f, 0.1f};

static sn_quat some_rotation(void)
{
    return sn_quat_axis_angle(sn_normalize(sn_v(1.0f, 2.0f, 3.0f)), 1.1f);
}

static sn_rigid turned_brick(sn_world *world)
{
    sn_pose pose = {{1.0f, 2.0f, 3.0f}, some_rotation()};
    return physics_box(world, physics_material(0.5f, 0.0f), brick, pose);
}

// Of a brick, about its x, y, z axes.
static void brick_moments(const sn_world *world, sn_rigid body, double moments[3])
{
    double mass = (double)sn_rigid_mass(world, body).mass;
    double x = 2.0 * (double)brick.x, y = 2.0 * (double)brick.y, z = 2.0 * (double)brick.z;
    moments[0] = mass * (y * y + z * z) / 12.0;
    moments[1] = mass * (x * x + z * z) / 12.0;
    moments[2] = mass * (x * x + y * y) / 12.0;
}

// I⁻¹ τ for the turned brick.
static sn_vec3 angular_acceleration(const sn_world *world, sn_rigid body, sn_vec3 torque)
{
    double moments[3];
    brick_moments(world, body, moments);
    sn_vec3 local = sn_rotate_inverse(some_rotation(), torque);
    local = sn_v(local.x / (float)moments[0], local.y / (float)moments[1], local.z / (float)moments[2]);
    return sn_rotate(some_rotation(), local);
}

static void test_a_constant_force_accelerates_by_f_over_m_within_a_ten_thousandth(void **state)
{
    (void)state;
    double errors[PHYSICS_STEPS];
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world_without_gravity();
        sn_rigid body = turned_brick(world);
        sn_vec3 force = {30.0f, -20.0f, 50.0f}, start = sn_rigid_center(world, body);
        float mass = sn_rigid_mass(world, body).mass;
        check_relative((double)mass, 1000.0 * 1.0 * 0.4 * 0.2, 1e-6, "mass of the brick");
        while (sn_world_time(world) < 2.0 - 1e-4) {
            must(sn_rigid_force_add(world, body, force));
            physics_run(world, physics_steps[s], physics_steps[s]);
        }
        check_vector(sn_rigid_linear_velocity(world, body), sn_scale(force, 2.0f / mass), 1e-4,
                     "velocity after 2 s");
        sn_vec3 moved = sn_sub(sn_rigid_center(world, body), start), expected = sn_scale(force, 2.0f / mass);
        check_vector(moved, expected, 2e-3, "way after 2 s");
        errors[s] = (double)sn_distance_between(moved, expected);
        check_below((double)sn_length(sn_rigid_angular_velocity(world, body)), 1e-7, "spin");
        sn_world_destroy(world);
    }
    check_converges(errors, 1e-4, "way");
}

static void test_forces_act_for_one_step_only(void **state)
{
    (void)state;
    sn_world *world = physics_world_without_gravity();
    sn_rigid body = turned_brick(world);
    must(sn_rigid_force_add(world, body, sn_v(1000.0f, 0.0f, 0.0f)));
    must(sn_rigid_torque_add(world, body, sn_rotate(some_rotation(), sn_v(0.0f, 10.0f, 0.0f))));
    physics_run(world, physics_steps[0], physics_steps[0]);
    sn_vec3 velocity = sn_rigid_linear_velocity(world, body), spin = sn_rigid_angular_velocity(world, body);
    physics_run(world, physics_steps[0], 1.0f);
    check_vector(sn_rigid_linear_velocity(world, body), velocity, 0.0, "velocity a second later");
    check_vector(sn_rigid_angular_velocity(world, body), spin, 5e-4, "spin a second later");
    sn_world_destroy(world);
}

static void test_a_torque_about_a_principal_axis_turns_by_tau_over_i_within_half_a_per_mille(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; ++axis) {
        double errors[PHYSICS_STEPS];
        for (int s = 0; s < PHYSICS_STEPS; ++s) {
            sn_world *world = physics_world_without_gravity();
            sn_rigid body = turned_brick(world);
            double moments[3];
            brick_moments(world, body, moments);
            sn_vec3 direction =
                sn_rotate(some_rotation(), sn_v((float)(axis == 0), (float)(axis == 1), (float)(axis == 2)));
            const float torque = 2.0f;
            while (sn_world_time(world) < 1.0 - 1e-4) {
                must(sn_rigid_torque_add(world, body, sn_scale(direction, torque)));
                physics_run(world, physics_steps[s], physics_steps[s]);
            }
            double acceleration = (double)torque / moments[axis];
            check_vector(sn_rigid_angular_velocity(world, body), sn_scale(direction, (float)acceleration),
                         5e-4, "spin after 1 s about axis %d", axis);
            sn_quat turn =
                sn_quat_multiply(sn_rigid_rotation(world, body), sn_quat_conjugate(some_rotation()));
            double angle = (double)sn_dot(sn_quat_logarithm(turn), direction);
            errors[s] = angle - 0.5 * acceleration;
            check_relative(angle, 0.5 * acceleration, 2e-3, "angle after 1 s about axis %d", axis);
            check_below((double)sn_length(sn_rigid_linear_velocity(world, body)), 0.0, "speed");
            sn_world_destroy(world);
        }
        check_converges(errors, 1e-5, "angle");
    }
}

static void test_a_force_at_a_point_moves_the_centre_by_f_over_m_and_turns_by_r_cross_f(void **state)
{
    (void)state;
    const sn_vec3 force = {3.0f, -7.0f, 11.0f}, arm = {0.3f, 0.2f, -0.4f};
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world_without_gravity();
        sn_rigid body = turned_brick(world);
        must(sn_rigid_force_add_at(world, body, force, sn_add(sn_rigid_center(world, body), arm)));
        physics_run(world, physics_steps[s], physics_steps[s]);
        float mass = sn_rigid_mass(world, body).mass, h = physics_steps[s];
        sn_vec3 spin = sn_scale(angular_acceleration(world, body, sn_cross(arm, force)), h);
        check_vector(sn_rigid_linear_velocity(world, body), sn_scale(force, h / mass), 1e-5,
                     "velocity after a step");
        // The brick turns a little within the step, and its inertia with it.
        check_vector(sn_rigid_angular_velocity(world, body), spin, 1e-3, "spin after a step");
        sn_world_destroy(world);
    }
}

static void test_impulses_change_velocities_at_once_by_p_over_m_and_r_cross_p_within_1e_6(void **state)
{
    (void)state;
    const sn_vec3 impulse = {30.0f, -70.0f, 110.0f}, arm = {0.3f, 0.2f, -0.4f};
    sn_world *world = physics_world_without_gravity();
    sn_rigid body = turned_brick(world);
    float mass = sn_rigid_mass(world, body).mass;
    must(sn_rigid_impulse_add(world, body, impulse));
    check_vector(sn_rigid_linear_velocity(world, body), sn_scale(impulse, 1.0f / mass), 1e-6,
                 "velocity by an impulse");
    check_below((double)sn_length(sn_rigid_angular_velocity(world, body)), 0.0, "spin by a central impulse");
    must(sn_rigid_impulse_add_at(world, body, impulse, sn_add(sn_rigid_center(world, body), arm)));
    check_vector(sn_rigid_linear_velocity(world, body), sn_scale(impulse, 2.0f / mass), 1e-6,
                 "velocity by two impulses");
    sn_vec3 spin = angular_acceleration(world, body, sn_cross(arm, impulse));
    check_vector(sn_rigid_angular_velocity(world, body), spin, 1e-6, "spin by an impulse at a point");
    must(sn_rigid_angular_impulse_add(world, body, sn_neg(sn_cross(arm, impulse))));
    check_below((double)sn_length(sn_rigid_angular_velocity(world, body)), 1e-6 * (double)sn_length(spin),
                "spin after the opposite angular impulse");
    sn_world_destroy(world);
}

static void test_the_velocity_of_a_point_is_v_plus_omega_cross_r(void **state)
{
    (void)state;
    const sn_vec3 velocity = {1.0f, 2.0f, 3.0f}, spin = {-3.0f, 5.0f, 2.0f}, arm = {0.3f, 0.2f, -0.4f};
    sn_world *world = physics_world_without_gravity();
    sn_rigid body = turned_brick(world);
    must(sn_rigid_linear_velocity_set(world, body, velocity));
    must(sn_rigid_angular_velocity_set(world, body, spin));
    sn_vec3 point = sn_add(sn_rigid_center(world, body), arm);
    check_vector(sn_rigid_point_velocity(world, body, point), sn_add(velocity, sn_cross(spin, arm)), 1e-6,
                 "velocity of a point");
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_constant_force_accelerates_by_f_over_m_within_a_ten_thousandth),
        physics_test(test_forces_act_for_one_step_only),
        physics_test(test_a_torque_about_a_principal_axis_turns_by_tau_over_i_within_half_a_per_mille),
        physics_test(test_a_force_at_a_point_moves_the_centre_by_f_over_m_and_turns_by_r_cross_f),
        physics_test(test_impulses_change_velocities_at_once_by_p_over_m_and_r_cross_p_within_1e_6),
        physics_test(test_the_velocity_of_a_point_is_v_plus_omega_cross_r),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The heavy top: a spinning body held by a ball joint at its tip precesses instead of falling.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

static const float mass = 2.0f, arm = 0.3f;
// About the symmetry axis (the body's z) and across it, about the mass centre.
static const float axial = 0.04f, transverse = 0.03f;

// A top with its tip at the origin, its axis leaning `lean` from the vertical, started in steady precession.
static sn_rigid start_top(sn_world *world, double lean, double spin, double precession)
{
    float angle = (float)lean;
    sn_vec3 axis = sn_v(sn_sin(angle), sn_cos(angle), 0.0f);
    sn_pose pose = {sn_scale(axis, arm), sn_quat_between(sn_v(0.0f, 0.0f, 1.0f), axis)};
    sn_rigid top = physics_lump(world, mass, sn_v(transverse, transverse, axial), pose);
    sn_ball_def joint = sn_ball_def_default();
    must(
        sn_constraint_place(world, &joint.common, sn_world_ground(world), top, sn_v(0, 0, 0), sn_v(1, 0, 0)));
    must(sn_ball_add(world, &joint, NULL));
    // ω₃ = spin is the whole angular velocity along the axis; the part across it comes from precession.
    sn_vec3 turning = sn_v(0.0f, (float)precession, 0.0f);
    sn_vec3 across = sn_add_scaled(turning, -sn_dot(turning, axis), axis);
    must(sn_rigid_angular_velocity_set(world, top, sn_add_scaled(across, (float)spin, axis)));
    must(sn_rigid_linear_velocity_set(world, top, sn_cross(turning, sn_scale(axis, arm))));
    return top;
}

// The slow root of I' cos θ Ω² − I₃ ω₃ Ω + m g r = 0, I' the moment across the axis about the tip.
static double steady_precession(double lean, double spin)
{
    double a = ((double)transverse + (double)(mass * arm * arm)) * cos(lean), b = (double)axial * spin;
    double load = (double)(mass * arm) * physics_gravity;
    return fabs(a) < 1e-9 ? load / b : (b - sqrt(b * b - 4.0 * a * load)) / (2.0 * a);
}

// Angle the axis has gone round the vertical in `seconds`, per second; and the range of its lean.
static double measure_precession(sn_world *world, sn_rigid top, float step, double seconds, double lean,
                                 double *worst_lean)
{
    double angle = 0.0, last = 0.0;
    *worst_lean = 0.0;
    while (sn_world_time(world) < seconds) {
        physics_run(world, step, step);
        sn_vec3 p = sn_rigid_center(world, top);
        double now = atan2(-(double)p.z, (double)p.x), change = now - last;
        change -= 2.0 * acos(-1.0) * floor(change / (2.0 * acos(-1.0)) + 0.5);
        angle += change;
        last = now;
        double leans = acos((double)(p.y / sn_length(p)));
        *worst_lean = fmax(*worst_lean, fabs(leans - lean));
    }
    return angle / sn_world_time(world);
}

static void check_top(double lean, double spin, double tolerance, double simple_tolerance, const char *name)
{
    double expected = steady_precession(lean, spin), errors[PHYSICS_STEPS];
    double simple = (double)(mass * arm) * physics_gravity / ((double)axial * spin);
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_rigid top = start_top(world, lean, spin, expected);
        double wobble, rate = measure_precession(world, top, physics_steps[s], 10.0, lean, &wobble);
        check_relative(rate, expected, tolerance, "%s, step %d: precession", name, s);
        if (simple_tolerance > 0.0) {
            check_relative(rate, simple, simple_tolerance, "%s: against m g r/(I ω)", name);
        }
        check_below(wobble, 0.02, "  change of lean [rad]");
        double along = (double)sn_dot(sn_rigid_angular_velocity(world, top),
                                      sn_rotate(sn_rigid_rotation(world, top), sn_v(0.0f, 0.0f, 1.0f)));
        check_relative(along, spin, 0.005, "  spin after 10 s");
        errors[s] = rate - expected;
        sn_world_destroy(world);
    }
    check_converges(errors, 0.005 * expected, "  precession");
}

static void test_a_horizontal_gyroscope_precesses_at_m_g_r_over_i_omega_within_2_percent(void **state)
{
    (void)state;
    check_top(0.5 * acos(-1.0), 150.0, 0.02, 0.02, "horizontal axis, 150 rad/s");
    check_top(0.5 * acos(-1.0), 300.0, 0.02, 0.02, "horizontal axis, 300 rad/s");
}

static void test_a_fast_leaning_top_precesses_at_m_g_r_over_i_omega_within_2_percent(void **state)
{
    (void)state;
    check_top(0.5, 300.0, 0.02, 0.02, "leaning 0.5 rad, 300 rad/s");
}

// Slow enough that the quadratic term matters: m g r/(I ω) alone is off by more than 2 %.
static void test_a_slower_leaning_top_precesses_as_the_full_equation_says_within_2_percent(void **state)
{
    (void)state;
    check_top(0.7, 120.0, 0.02, 0.0, "leaning 0.7 rad, 120 rad/s");
}

static void test_a_top_that_does_not_spin_falls(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    sn_rigid top = start_top(world, 0.5, 0.0, 0.0);
    double lowest = (double)arm;
    while (sn_world_time(world) < 1.0) {
        physics_run(world, physics_steps[0], physics_steps[0]);
        lowest = fmin(lowest, (double)sn_rigid_center(world, top).y);
    }
    check_relative(lowest, (double)-arm, 0.01, "lowest height of its mass centre within 1 s");
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_horizontal_gyroscope_precesses_at_m_g_r_over_i_omega_within_2_percent),
        physics_test(test_a_fast_leaning_top_precesses_at_m_g_r_over_i_omega_within_2_percent),
        physics_test(test_a_slower_leaning_top_precesses_as_the_full_equation_says_within_2_percent),
        physics_test(test_a_top_that_does_not_spin_falls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

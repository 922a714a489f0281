// Two rods hung one below the other, against the equations of motion integrated by Runge–Kutta in doubles.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

static const float mass[2] = {1.0f, 0.7f}, length[2] = {1.0f, 0.8f};

static float rod_moment(int i)
{
    return mass[i] * length[i] * length[i] / 12.0f;
}

// --- the reference -----------------------------------------------------------------------------------------

// State θ₁, θ₂ (from the vertical), θ̇₁, θ̇₂ of two uniform rods. From Lagrange's equations:
// [A B c; B c C] θ̈ = right-hand side, c = cos(θ₁ − θ₂).
static void equations_of_motion(const double *state, double *rate, const void *user)
{
    (void)user;
    double m1 = (double)mass[0], m2 = (double)mass[1], l1 = (double)length[0], l2 = (double)length[1];
    double a = m1 * l1 * l1 / 3.0 + m2 * l1 * l1, b = 0.5 * m2 * l1 * l2, c = m2 * l2 * l2 / 3.0;
    double cosine = cos(state[0] - state[1]), sine = sin(state[0] - state[1]);
    double right1 = -b * sine * state[3] * state[3] - (0.5 * m1 + m2) * physics_gravity * l1 * sin(state[0]);
    double right2 = b * sine * state[2] * state[2] - 0.5 * m2 * physics_gravity * l2 * sin(state[1]);
    double determinant = a * c - b * b * cosine * cosine;
    rate[0] = state[2];
    rate[1] = state[3];
    rate[2] = (c * right1 - b * cosine * right2) / determinant;
    rate[3] = (a * right2 - b * cosine * right1) / determinant;
}

static void reference_at(double time, const double start[2], double state[4])
{
    const int count = 20000;
    state[0] = start[0];
    state[1] = start[1];
    state[2] = state[3] = 0.0;
    for (int i = 0; i < count; ++i) {
        physics_runge_kutta(equations_of_motion, NULL, state, 4, time / count);
    }
}

// --- the library -------------------------------------------------------------------------------------------

static sn_rigid add_rod(sn_world *world, sn_rigid upper, sn_vec3 top, int i, float angle, bool hinged)
{
    sn_vec3 down = sn_v(sn_sin(angle), -sn_cos(angle), 0.0f);
    sn_pose pose = {sn_add_scaled(top, 0.5f * length[i], down),
                    sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), angle)};
    sn_rigid rod =
        physics_lump(world, mass[i], sn_v(rod_moment(i), 0.01f * rod_moment(i), rod_moment(i)), pose);
    sn_hinge_def hinge = sn_hinge_def_default();
    sn_ball_def ball = sn_ball_def_default();
    if (hinged) {
        must(sn_constraint_place(world, &hinge.common, upper, rod, top, sn_v(0.0f, 0.0f, 1.0f)));
        must(sn_hinge_add(world, &hinge, NULL));
    } else {
        must(sn_constraint_place(world, &ball.common, upper, rod, top, sn_v(0.0f, 0.0f, 1.0f)));
        must(sn_ball_add(world, &ball, NULL));
    }
    return rod;
}

static void start_pendulum(sn_world *world, const double angles[2], bool hinged, sn_rigid rods[2])
{
    float a = (float)angles[0];
    rods[0] = add_rod(world, sn_world_ground(world), sn_v(0.0f, 0.0f, 0.0f), 0, a, hinged);
    sn_vec3 knee = sn_v(length[0] * sn_sin(a), -length[0] * sn_cos(a), 0.0f);
    rods[1] = add_rod(world, rods[0], knee, 1, (float)angles[1], hinged);
}

// The difference of two angles, wrapped to a half-turn.
static double between(double a, double b)
{
    return remainder(a - b, 2.0 * acos(-1.0));
}

// Largest difference from the reference in the first 2 s, looked at four times a second.
static double compare(const double angles[2], bool hinged, float step)
{
    sn_world *world = physics_world();
    sn_rigid rods[2];
    start_pendulum(world, angles, hinged, rods);
    double worst = 0.0;
    for (int i = 1; i <= 8; ++i) {
        physics_run(world, step, 0.25f);
        double state[4];
        reference_at(0.25 * i, angles, state);
        for (int k = 0; k < 2; ++k) {
            worst = fmax(worst, fabs(between(physics_angle_about_z(world, rods[k]), state[k])));
        }
    }
    sn_world_destroy(world);
    return worst;
}

static void check_pendulum(const double angles[2], bool hinged, double coarse, double fine, const char *name)
{
    double errors[PHYSICS_STEPS];
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        errors[s] = compare(angles, hinged, physics_steps[s]);
        check_below(errors[s], s == 0 ? coarse : fine, "%s, step %d: largest error of an angle in 2 s [rad]",
                    name, s);
    }
    check_converges(errors, 1e-3, "  angles");
}

static void test_small_swings_follow_the_equations_within_a_hundredth_of_a_radian(void **state)
{
    (void)state;
    const double angles[2] = {0.2, -0.1};
    check_pendulum(angles, true, 0.01, 0.0025, "hinges");
    check_pendulum(angles, false, 0.01, 0.0025, "balls");
}

static void test_large_swings_follow_the_equations_within_three_hundredths_of_a_radian(void **state)
{
    (void)state;
    const double angles[2] = {1.2, 1.0};
    check_pendulum(angles, true, 0.03, 0.0075, "hinges");
    check_pendulum(angles, false, 0.03, 0.0075, "balls");
}

// Horizontal and upwards: the lower rod whirls, and errors grow exponentially.
static void test_whirling_follows_the_equations_within_a_tenth_of_a_radian(void **state)
{
    (void)state;
    const double angles[2] = {1.5, 2.6};
    check_pendulum(angles, true, 0.1, 0.025, "hinges");
    check_pendulum(angles, false, 0.1, 0.025, "balls");
}

static void test_keeps_its_energy_within_1_percent_for_20_s(void **state)
{
    (void)state;
    const double angles[2] = {1.5, 2.6};
    double errors[PHYSICS_STEPS];
    // Between hanging straight down and straight up.
    double l1 = (double)length[0], l2 = (double)length[1], m1 = (double)mass[0], m2 = (double)mass[1];
    double scale = physics_gravity * (m1 * l1 + m2 * (2.0 * l1 + l2));
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_rigid rods[2];
        start_pendulum(world, angles, true, rods);
        double start = physics_energy(world);
        errors[s] = 0.0;
        while (sn_world_time(world) < 20.0) {
            physics_run(world, physics_steps[s], physics_steps[s]);
            errors[s] = fmax(errors[s], fabs(physics_energy(world) - start) / scale);
        }
        check_below(errors[s], 0.01, "step %d: change of energy", s);
        sn_world_destroy(world);
    }
    check_converges(errors, 2e-3, "energy");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_small_swings_follow_the_equations_within_a_hundredth_of_a_radian),
        physics_test(test_large_swings_follow_the_equations_within_three_hundredths_of_a_radian),
        physics_test(test_whirling_follows_the_equations_within_a_tenth_of_a_radian),
        physics_test(test_keeps_its_energy_within_1_percent_for_20_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

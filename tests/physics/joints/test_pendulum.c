// Pendulums on a ball, a hinge and a rod: period for small and large swings, energy.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

typedef enum support { ON_BALL, ON_HINGE, ON_ROD } support;
static const char *const support_names[] = {"ball", "hinge", "rod"};

static const float mass = 2.0f, length = 1.0f, bob_radius = 0.1f;

// The bob hangs from the origin, turned by `angle` about z. On a rod it does not turn with the swing.
static sn_rigid hang(sn_world *world, support support, float angle)
{
    sn_rigid ground = sn_world_ground(world);
    sn_pose pose = {sn_v(length * sn_sin(angle), -length * sn_cos(angle), 0.0f),
                    sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), angle)};
    sn_rigid bob = physics_lump(world, mass, physics_ball_inertia(mass, bob_radius), pose);
    sn_vec3 origin = {0.0f, 0.0f, 0.0f}, axis = {0.0f, 0.0f, 1.0f};
    if (support == ON_BALL) {
        sn_ball_def def = sn_ball_def_default();
        must(sn_constraint_place(world, &def.common, ground, bob, origin, axis));
        must(sn_ball_add(world, &def, NULL));
    } else if (support == ON_HINGE) {
        sn_hinge_def def = sn_hinge_def_default();
        must(sn_constraint_place(world, &def.common, ground, bob, origin, axis));
        must(sn_hinge_add(world, &def, NULL));
    } else {
        sn_distance_def def = sn_distance_def_default();
        def.lower = def.upper = length;
        must(sn_constraint_place_points(world, &def.common, ground, bob, origin, pose.position));
        must(sn_distance_add(world, &def, NULL));
    }
    return bob;
}

static double swing(const sn_world *world, sn_rigid bob)
{
    sn_vec3 p = sn_rigid_center(world, bob);
    return atan2((double)p.x, -(double)p.y);
}

// T = 4 √(I/(m g l)) K(sin(θ₀/2)).
static double theoretical_period(support support, double amplitude)
{
    double l = (double)length, m = (double)mass;
    double own = support == ON_ROD ? 0.0 : (double)physics_ball_inertia(mass, bob_radius).z;
    double slowness = sqrt((m * l * l + own) / (m * physics_gravity * l));
    return 4.0 * slowness * physics_elliptic_k(sin(0.5 * amplitude));
}

static void test_swings_with_the_period_of_the_elliptic_integral_within_1_percent(void **state)
{
    (void)state;
    const float amplitudes[] = {5.0f, 45.0f, 90.0f, 135.0f};
    for (support support = ON_BALL; support <= ON_ROD; ++support) {
        for (int a = 0; a < 4; ++a) {
            double errors[PHYSICS_STEPS], amplitude = (double)amplitudes[a] * acos(-1.0) / 180.0;
            double expected = theoretical_period(support, amplitude);
            for (int s = 0; s < PHYSICS_STEPS; ++s) {
                sn_world *world = physics_world();
                sn_rigid bob = hang(world, support, (float)amplitude);
                physics_crossings crossings = {0};
                while (crossings.count < 4 && sn_world_time(world) < 6.0 * expected) {
                    physics_run(world, physics_steps[s], physics_steps[s]);
                    physics_look(&crossings, sn_world_time(world), swing(world, bob));
                }
                check_relative(physics_period(&crossings), expected, 0.01, "%s, %g°, step %d: period",
                               support_names[support], (double)amplitudes[a], s);
                errors[s] = physics_period(&crossings) - expected;
                sn_world_destroy(world);
            }
            check_converges(errors, 2e-3 * expected, "  period");
        }
    }
}

// For 20 s from 90°, looked at every step. Energy: the largest change as a share of m g l, its energy above
// the lowest point. Height: the highest point of the last swings, which shows what friction there is.
static void test_for_20_s_keeps_energy_within_2_percent_height_within_1_percent_circle_within_a_tenth_of_a_mm(
    void **state)
{
    (void)state;
    for (support support = ON_BALL; support <= ON_ROD; ++support) {
        double errors[PHYSICS_STEPS], scale = (double)(mass * length) * physics_gravity;
        for (int s = 0; s < PHYSICS_STEPS; ++s) {
            sn_world *world = physics_world();
            sn_rigid bob = hang(world, support, 0.5f * SN_PI);
            double start = physics_energy(world), highest = -1.0, farthest = 0.0;
            errors[s] = 0.0;
            while (sn_world_time(world) < 20.0) {
                physics_run(world, physics_steps[s], physics_steps[s]);
                sn_vec3 p = sn_rigid_center(world, bob);
                errors[s] = fmax(errors[s], fabs(physics_energy(world) - start) / scale);
                farthest = fmax(farthest, fabs((double)(sn_length(p) - length)));
                highest = sn_world_time(world) > 17.5 ? fmax(highest, (double)p.y) : highest;
            }
            check_below(errors[s], 0.02, "%s, step %d: change of energy", support_names[support], s);
            check_near(highest, 0.0, 0.01 * (double)length, "  highest point");
            check_below(farthest, 1e-4, "  distance from the circle");
            sn_world_destroy(world);
        }
        check_converges(errors, 2e-3, "  energy");
    }
}

// A conical pendulum: the bob goes round a horizontal circle at √(g/(l cos θ)).
static void test_a_conical_pendulum_circles_at_its_rate_within_1_percent(void **state)
{
    (void)state;
    const double lean = 0.6;
    double rate = sqrt(physics_gravity / ((double)length * cos(lean)));
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_rigid bob = hang(world, ON_ROD, (float)lean);
        must(
            sn_rigid_linear_velocity_set(world, bob, sn_v(0, 0, (float)(rate * (double)length * sin(lean)))));
        physics_crossings crossings = {0};
        double lowest = 0.0, highest = -2.0;
        while (sn_world_time(world) < 20.0) {
            physics_run(world, physics_steps[s], physics_steps[s]);
            sn_vec3 p = sn_rigid_center(world, bob);
            physics_look(&crossings, sn_world_time(world), (double)p.z);
            lowest = fmin(lowest, (double)p.y);
            highest = fmax(highest, (double)p.y);
        }
        check_relative(physics_period(&crossings), 2.0 * acos(-1.0) / rate, 0.01, "step %d: period", s);
        check_below(highest - lowest, 0.01, "  rise and fall");
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_swings_with_the_period_of_the_elliptic_integral_within_1_percent),
        physics_test(
            test_for_20_s_keeps_energy_within_2_percent_height_within_1_percent_circle_within_a_tenth_of_a_mm),
        physics_test(test_a_conical_pendulum_circles_at_its_rate_within_1_percent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

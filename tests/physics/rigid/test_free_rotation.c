// Torque-free rotation: the flip of the intermediate axis (Dzhanibekov), stable axes, free precession.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

static const sn_vec3 moments = {1.0f, 2.0f, 3.0f};

static sn_rigid spinning_lump(sn_world *world, sn_vec3 inertia, sn_vec3 spin)
{
    sn_rigid body = physics_lump(world, 1.0f, inertia, physics_at(0, 0, 0));
    must(sn_rigid_angular_velocity_set(world, body, spin));
    return body;
}

static double angular_momentum(const sn_world *world)
{
    sn_energy e = sn_world_energy(world);
    return sqrt(e.angular_momentum[0] * e.angular_momentum[0] +
                e.angular_momentum[1] * e.angular_momentum[1] +
                e.angular_momentum[2] * e.angular_momentum[2]);
}

static sn_vec3 body_spin(const sn_world *world, sn_rigid body)
{
    return sn_rotate_inverse(sn_rigid_rotation(world, body), sn_rigid_angular_velocity(world, body));
}

static void
test_dzhanibekov_keeps_energy_within_1_percent_and_momentum_within_1_per_mille_for_100_s(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world_without_gravity();
        sn_rigid body = spinning_lump(world, moments, sn_v(0.02f, 5.0f, 0.01f));
        double energy = physics_energy(world), momentum = angular_momentum(world);
        double worst_energy = 0.0, worst_momentum = 0.0;
        physics_crossings flips = {0};
        while (sn_world_time(world) < 100.0) {
            physics_run(world, physics_steps[s], physics_steps[s]);
            worst_energy = fmax(worst_energy, fabs(physics_energy(world) / energy - 1.0));
            worst_momentum = fmax(worst_momentum, fabs(angular_momentum(world) / momentum - 1.0));
            physics_look(&flips, sn_world_time(world), (double)body_spin(world, body).y);
        }
        check_below(worst_energy, 0.01, "step %d: change of energy", s);
        check_below(worst_momentum, 1e-3, "step %d: change of angular momentum", s);
        check_above((double)flips.count, 8.0, "step %d: double flips", s);
        sn_world_destroy(world);
    }
}

// Time between two flips of the same sense, from Euler's solution in elliptic functions (Landau & Lifshitz,
// Mechanics, § 37): 4 K(k)/rate, axes ordered so that L² > 2 E I₂.
static double flip_period(sn_vec3 inertia, sn_vec3 spin)
{
    double i1 = (double)inertia.x, i2 = (double)inertia.y, i3 = (double)inertia.z;
    double w1 = (double)spin.x, w2 = (double)spin.y, w3 = (double)spin.z;
    double twice_energy = i1 * w1 * w1 + i2 * w2 * w2 + i3 * w3 * w3;
    double squared = i1 * i1 * w1 * w1 + i2 * i2 * w2 * w2 + i3 * i3 * w3 * w3;
    double rate = sqrt((i3 - i2) * (squared - twice_energy * i1) / (i1 * i2 * i3));
    double modulus =
        sqrt((i2 - i1) * (twice_energy * i3 - squared) / ((i3 - i2) * (squared - twice_energy * i1)));
    return 4.0 * physics_elliptic_k(modulus) / rate;
}

// Disturbed by a tenth: the smaller the disturbance, the more digits the period asks for.
static void test_dzhanibekov_flips_with_the_period_of_eulers_solution_within_1_percent(void **state)
{
    (void)state;
    const sn_vec3 spin = {0.0f, 5.0f, 0.5f};
    double expected = flip_period(moments, spin), errors[PHYSICS_STEPS];
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world_without_gravity();
        sn_rigid body = spinning_lump(world, moments, spin);
        physics_crossings flips = {0};
        while (flips.count < 5 && sn_world_time(world) < 10.0 * expected) {
            physics_run(world, physics_steps[s], physics_steps[s]);
            physics_look(&flips, sn_world_time(world), (double)body_spin(world, body).y);
        }
        check_relative(physics_period(&flips), expected, 0.01, "period of the first flips, step %d", s);
        errors[s] = physics_period(&flips) - expected;
        sn_world_destroy(world);
    }
    check_converges(errors, 1e-3 * expected, "period");
}

// About the axes of the largest and the smallest moment a disturbed rotation stays near its axis.
static void test_rotation_about_the_outer_axes_is_stable_within_2_degrees_for_60_s(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis += 2) {
        for (int s = 0; s < PHYSICS_STEPS; ++s) {
            sn_world *world = physics_world_without_gravity();
            sn_vec3 spin = axis == 0 ? sn_v(8.0f, 0.1f, 0.0f) : sn_v(0.0f, 0.1f, 8.0f);
            sn_rigid body = spinning_lump(world, moments, spin);
            double worst = 0.0;
            while (sn_world_time(world) < 60.0) {
                physics_run(world, physics_steps[s], physics_steps[s]);
                sn_vec3 now = sn_normalize(body_spin(world, body));
                double along = fabs((double)(axis == 0 ? now.x : now.z));
                worst = fmax(worst, acos(fmin(along, 1.0)));
            }
            check_below(worst * 180.0 / acos(-1.0), 2.0, "axis %d, step %d: largest tilt in degrees", axis,
                        s);
            sn_world_destroy(world);
        }
    }
}

// A spinning disc hit at its rim nutates about its new angular momentum instead of tumbling.
static void test_a_spinning_disc_resists_a_blow_that_tumbles_one_at_rest(void **state)
{
    (void)state;
    for (int spins = 0; spins < 2; ++spins) {
        sn_world *world = physics_world_without_gravity();
        sn_rigid disc =
            physics_cylinder(world, physics_material(0.5f, 0.0f), 0.5f, 0.05f, physics_at(0, 0, 0));
        sn_mass mass = sn_rigid_mass(world, disc);
        const float rate = 60.0f, blow = 1.5f;
        must(sn_rigid_angular_velocity_set(world, disc, sn_v(0.0f, spins ? rate : 0.0f, 0.0f)));
        must(sn_rigid_angular_impulse_add(world, disc, sn_v(blow, 0.0f, 0.0f)));
        // The axis circles about L, so its largest tilt is twice the angle between the two.
        double tilt = 2.0 * atan2((double)blow, (double)(mass.inertia.y.y * rate)), worst = 0.0;
        while (sn_world_time(world) < 10.0) {
            physics_run(world, physics_steps[1], physics_steps[1]);
            sn_vec3 axis = sn_rotate(sn_rigid_rotation(world, disc), sn_v(0.0f, 1.0f, 0.0f));
            worst = fmax(worst, acos(fmax(fmin((double)axis.y, 1.0), -1.0)));
        }
        if (spins) {
            check_relative(worst, tilt, 0.05, "largest tilt of the spinning disc");
        } else {
            check_above(worst, 3.0, "largest tilt of the disc at rest");
        }
        sn_world_destroy(world);
    }
}

// A symmetric body's axis goes round the angular momentum at the rate L/I₁.
static void test_a_symmetric_body_precesses_about_its_momentum_at_l_over_i_within_half_a_percent(void **state)
{
    (void)state;
    double errors[PHYSICS_STEPS];
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world_without_gravity();
        // Angular momentum along y: the body's symmetry axis z leans 0.5 rad away from it.
        const float lean = 0.5f, transverse = 1.0f, axial = 1.8f, momentum = 6.0f;
        sn_rigid body = physics_lump(world, 1.0f, sn_v(transverse, transverse, axial), physics_at(0, 0, 0));
        sn_pose pose = {{0, 0, 0}, sn_quat_axis_angle(sn_v(1, 0, 0), -0.5f * SN_PI + lean)};
        must(sn_rigid_pose_set(world, body, pose));
        must(sn_rigid_angular_impulse_add(world, body, sn_v(0.0f, momentum, 0.0f)));
        physics_crossings turns = {0};
        double lowest = 1.0, highest = -1.0;
        while (sn_world_time(world) < 20.0) {
            physics_run(world, physics_steps[s], physics_steps[s]);
            sn_vec3 axis = sn_rotate(sn_rigid_rotation(world, body), sn_v(0.0f, 0.0f, 1.0f));
            physics_look(&turns, sn_world_time(world), (double)axis.x);
            lowest = fmin(lowest, (double)axis.y);
            highest = fmax(highest, (double)axis.y);
        }
        double expected = 2.0 * acos(-1.0) * (double)(transverse / momentum);
        check_relative(physics_period(&turns), expected, 0.005, "period of precession, step %d", s);
        check_below(highest - lowest, 2e-3, "wobble of the cosine of the lean");
        errors[s] = physics_period(&turns) - expected;
        sn_world_destroy(world);
    }
    check_converges(errors, 1e-4, "period of precession");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(
            test_dzhanibekov_keeps_energy_within_1_percent_and_momentum_within_1_per_mille_for_100_s),
        physics_test(test_dzhanibekov_flips_with_the_period_of_eulers_solution_within_1_percent),
        physics_test(test_rotation_about_the_outer_axes_is_stable_within_2_degrees_for_60_s),
        physics_test(test_a_spinning_disc_resists_a_blow_that_tumbles_one_at_rest),
        physics_test(test_a_symmetric_body_precesses_about_its_momentum_at_l_over_i_within_half_a_percent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

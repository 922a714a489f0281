// Springs of distances, sliders and hinges: frequency, damping ratio, rest length under load.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

static const float mass = 2.0f;
static const double pi = 3.14159265358979;

typedef enum kind { DISTANCE, SLIDER, HINGE, KINDS } kind;
static const char *const kind_names[] = {"distance", "slider", "hinge"};
static const float moment = 0.5f; // of the hinged body about its axis

// A spring between ground and body with the given frequency [rad/s] and damping ratio, the body displaced by
// `start` (m or rad) from rest.
static sn_rigid attach(sn_world *world, kind kind, double omega, double ratio, float start)
{
    double inertia = kind == HINGE ? (double)moment : (double)mass;
    float stiffness = (float)(inertia * omega * omega), damping = (float)(2.0 * ratio * inertia * omega);
    sn_rigid ground = sn_world_ground(world);
    sn_pose pose = physics_at(kind == HINGE ? 0.0f : 1.0f, 0.0f, 0.0f);
    sn_rigid body = physics_lump(world, mass, sn_v(moment, moment, moment), pose);
    if (kind == DISTANCE) {
        sn_distance_def def = sn_distance_def_default();
        def.spring_stiffness = stiffness;
        def.spring_damping = damping;
        def.spring_length = 1.0f;
        must(sn_constraint_place_points(world, &def.common, ground, body, sn_v(0, 0, 0), pose.position));
        must(sn_distance_add(world, &def, NULL));
    } else if (kind == SLIDER) {
        sn_slider_def def = sn_slider_def_default();
        def.spring_stiffness = stiffness;
        def.spring_damping = damping;
        must(sn_constraint_place(world, &def.common, ground, body, pose.position, sn_v(1.0f, 0.0f, 0.0f)));
        must(sn_slider_add(world, &def, NULL));
    } else {
        sn_hinge_def def = sn_hinge_def_default();
        def.spring_stiffness = stiffness;
        def.spring_damping = damping;
        must(sn_constraint_place(world, &def.common, ground, body, pose.position, sn_v(0.0f, 0.0f, 1.0f)));
        must(sn_hinge_add(world, &def, NULL));
    }
    if (kind == HINGE) {
        pose.rotation = sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), start);
    } else {
        pose.position.x += start;
    }
    must(sn_rigid_pose_set(world, body, pose));
    return body;
}

static double displacement(const sn_world *world, kind kind, sn_rigid body)
{
    return kind == HINGE ? physics_angle_about_z(world, body)
                         : (double)sn_rigid_position(world, body).x - 1.0;
}

typedef struct oscillation {
    double period, ratio;
} oscillation;

// Period and damping ratio from the zeros and from the speeds at the zeros, which decay as the amplitude
// does.
static oscillation measure(double omega, double ratio, kind kind, float step, double *sub_step)
{
    sn_world *world = physics_world_without_gravity();
    sn_rigid body = attach(world, kind, omega, ratio, 0.2f);
    physics_crossings crossings = {0};
    double first = 0.0, last = 0.0, speed = 0.0;
    *sub_step = physics_sub_step(world, step);
    while (crossings.count < 6 && sn_world_time(world) < 60.0) {
        physics_run(world, step, step);
        int before = crossings.count;
        physics_look(&crossings, sn_world_time(world), displacement(world, kind, body));
        double speed_before = speed;
        speed = (double)sn_length(sn_rigid_linear_velocity(world, body)) +
                (double)sn_length(sn_rigid_angular_velocity(world, body));
        if (crossings.count > before) {
            last = 0.5 * (speed_before + speed);
            first = before == 0 ? last : first;
        }
    }
    oscillation result = {physics_period(&crossings), 0.0};
    double decrement = log(first / last) / (double)(crossings.count - 1);
    result.ratio = decrement / sqrt(4.0 * pi * pi + decrement * decrement);
    sn_world_destroy(world);
    return result;
}

// Springs are integrated implicitly, which damps by itself: by half ω h, h the sub-step.
static void
test_oscillates_with_its_frequency_within_1_percent_and_its_damping_within_half_omega_h(void **state)
{
    (void)state;
    static const struct {
        double frequency, ratio;
    } rows[] = {{0.5, 0.0}, {0.5, 0.1}, {2.0, 0.05}, {2.0, 0.2}};
    for (kind kind = DISTANCE; kind < KINDS; ++kind) {
        for (int i = 0; i < 4; ++i) {
            double omega = 2.0 * pi * rows[i].frequency, ratio = rows[i].ratio, errors[PHYSICS_STEPS];
            for (int s = 0; s < PHYSICS_STEPS; ++s) {
                double h;
                oscillation found = measure(omega, ratio, kind, physics_steps[s], &h);
                double expected = 1.0 / (rows[i].frequency * sqrt(1.0 - ratio * ratio));
                check_relative(found.period, expected, 0.01, "%s, %g Hz, ζ %g, step %d: period",
                               kind_names[kind], rows[i].frequency, ratio, s);
                check_near(found.ratio, ratio, 0.6 * omega * h + 0.002, "  damping ratio");
                errors[s] = found.ratio - ratio;
            }
            check_converges(errors, 2e-3, "  damping ratio");
        }
    }
}

// x = (1 + ω t) e^(−ω t): no overshoot.
static void test_a_critically_damped_spring_creeps_back_without_overshoot_within_1_percent(void **state)
{
    (void)state;
    const double omega = 5.0;
    for (kind kind = DISTANCE; kind < KINDS; ++kind) {
        double errors[PHYSICS_STEPS];
        for (int s = 0; s < PHYSICS_STEPS; ++s) {
            sn_world *world = physics_world_without_gravity();
            sn_rigid body = attach(world, kind, omega, 1.0, 0.2f);
            double worst = 0.0, lowest = 1.0;
            while (sn_world_time(world) < 3.0) {
                physics_run(world, physics_steps[s], physics_steps[s]);
                double t = omega * sn_world_time(world), x = displacement(world, kind, body);
                worst = fmax(worst, fabs(x - 0.2 * (1.0 + t) * exp(-t)));
                lowest = fmin(lowest, x);
            }
            check_below(worst, 0.01 * 0.2, "%s, step %d: distance from the curve", kind_names[kind], s);
            check_above(lowest, -1e-4, "  lowest");
            errors[s] = worst;
            sn_world_destroy(world);
        }
        check_converges(errors, 1e-4, "  curve");
    }
}

static void test_a_hanging_spring_stretches_by_m_g_over_k_within_1_per_mille(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_rigid body = physics_lump(world, mass, sn_v(moment, moment, moment), physics_at(0, -1, 0));
        sn_distance_def def = sn_distance_def_default();
        def.spring_stiffness = 100.0f;
        def.spring_damping = 20.0f;
        def.spring_length = 1.0f;
        sn_constraint spring = {0};
        must(sn_constraint_place_points(world, &def.common, sn_world_ground(world), body, sn_v(0, 0, 0),
                                        sn_v(0.0f, -1.0f, 0.0f)));
        must(sn_distance_add(world, &def, &spring));
        physics_run(world, physics_steps[s], 5.0f);
        double stretch = physics_weight(world, body) / 100.0;
        check_relative((double)sn_distance_length(world, spring) - 1.0, stretch, 1e-3, "stretch, step %d", s);
        check_relative((double)sn_constraint_force(world, spring).y, physics_weight(world, body), 1e-3,
                       "force");
        sn_world_destroy(world);
    }
}

// Two free masses on one spring oscillate with the reduced mass, and their mass centre stays.
static void test_two_free_masses_oscillate_with_the_reduced_mass_within_1_percent(void **state)
{
    (void)state;
    const float m1 = 1.0f, m2 = 3.0f, stiffness = 30.0f;
    double reduced = (double)(m1 * m2) / (double)(m1 + m2);
    double expected = 2.0 * pi * sqrt(reduced / (double)stiffness);
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world_without_gravity();
        sn_rigid a = physics_lump(world, m1, sn_v(moment, moment, moment), physics_at(0, 0, 0));
        sn_rigid b = physics_lump(world, m2, sn_v(moment, moment, moment), physics_at(1.2f, 0, 0));
        sn_distance_def def = sn_distance_def_default();
        def.spring_stiffness = stiffness;
        def.spring_length = 1.0f;
        must(sn_constraint_place_points(world, &def.common, a, b, sn_v(0, 0, 0), sn_v(1.2f, 0, 0)));
        must(sn_distance_add(world, &def, NULL));
        physics_crossings crossings = {0};
        while (sn_world_time(world) < 6.0) {
            physics_run(world, physics_steps[s], physics_steps[s]);
            float distance = sn_rigid_position(world, b).x - sn_rigid_position(world, a).x;
            physics_look(&crossings, sn_world_time(world), (double)distance - 1.0);
        }
        check_relative(physics_period(&crossings), expected, 0.01, "period, step %d", s);
        double center = (double)(m1 * sn_rigid_position(world, a).x + m2 * sn_rigid_position(world, b).x);
        check_near(center, 3.6, 1e-4, "mass centre times mass");
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_oscillates_with_its_frequency_within_1_percent_and_its_damping_within_half_omega_h),
        physics_test(test_a_critically_damped_spring_creeps_back_without_overshoot_within_1_percent),
        physics_test(test_a_hanging_spring_stretches_by_m_g_over_k_within_1_per_mille),
        physics_test(test_two_free_masses_oscillate_with_the_reduced_mass_within_1_percent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

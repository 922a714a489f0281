// Two bodies on a spring go round each other: a harmonic ellipse, a circle on a stretched spring.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

static const float m1 = 3.0f, m2 = 1.0f, stiffness = 6.0f;
static const double pi = 3.14159265358979;

static double reduced_mass(void)
{
    return (double)(m1 * m2) / (double)(m1 + m2);
}

typedef struct pair {
    sn_world *world;
    sn_rigid a, b;
} pair;

// `distance` apart along x, moving across it with the given relative speed; the mass centre rests at the
// origin.
static pair make_pair(float rest_length, float distance, double speed)
{
    pair p = {.world = physics_world_without_gravity()};
    float share = m2 / (m1 + m2);
    p.a = physics_lump(p.world, m1, physics_ball_inertia(m1, 0.1f), physics_at(-share * distance, 0, 0));
    p.b = physics_lump(p.world, m2, physics_ball_inertia(m2, 0.1f), physics_at((1 - share) * distance, 0, 0));
    sn_distance_def def = sn_distance_def_default();
    def.spring_stiffness = stiffness;
    def.spring_length = rest_length;
    must(sn_constraint_place_points(p.world, &def.common, p.a, p.b, sn_rigid_center(p.world, p.a),
                                    sn_rigid_center(p.world, p.b)));
    must(sn_distance_add(p.world, &def, NULL));
    must(sn_rigid_linear_velocity_set(p.world, p.a, sn_v(0.0f, -share * (float)speed, 0.0f)));
    must(sn_rigid_linear_velocity_set(p.world, p.b, sn_v(0.0f, (1 - share) * (float)speed, 0.0f)));
    return p;
}

static sn_vec3 separation(const pair *p)
{
    return sn_sub(sn_rigid_center(p->world, p->b), sn_rigid_center(p->world, p->a));
}

static double orbit_energy(const pair *p, double rest_length)
{
    double stretch = (double)sn_length(separation(p)) - rest_length;
    return sn_world_energy(p->world).kinetic + 0.5 * (double)stiffness * stretch * stretch;
}

// With no rest length the two move on ellipses of period 2π √(µ/k) whatever their size.
static void test_a_spring_without_length_makes_ellipses_of_one_period_within_1_percent(void **state)
{
    (void)state;
    const double speeds[] = {1.0, 2.828, 5.0};
    double expected = 2.0 * pi * sqrt(reduced_mass() / (double)stiffness);
    for (int i = 0; i < 3; ++i) {
        for (int s = 0; s < PHYSICS_STEPS; ++s) {
            pair p = make_pair(0.0f, 1.0f, speeds[i]);
            physics_crossings crossings = {0};
            while (sn_world_time(p.world) < 5.0 * expected) {
                physics_run(p.world, physics_steps[s], physics_steps[s]);
                physics_look(&crossings, sn_world_time(p.world), (double)separation(&p).y);
            }
            check_relative(physics_period(&crossings), expected, 0.01, "speed %g, step %d: period", speeds[i],
                           s);
            sn_world_destroy(p.world);
        }
    }
}

// Angular momentum exactly; energy is lost to the implicit spring, at most at the rate ω² h.
static void
test_an_ellipse_keeps_angular_momentum_within_1e_4_and_loses_energy_in_proportion_to_the_step(void **state)
{
    (void)state;
    double omega_squared = (double)stiffness / reduced_mass(), errors[PHYSICS_STEPS];
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        pair p = make_pair(0.0f, 1.0f, 1.5);
        double energy = orbit_energy(&p, 0.0), momentum = sn_world_energy(p.world).angular_momentum[2];
        physics_run(p.world, physics_steps[s], 10.0f);
        double h = physics_sub_step(p.world, physics_steps[s]);
        sn_energy now = sn_world_energy(p.world);
        check_relative(now.angular_momentum[2], momentum, 1e-4, "step %d: angular momentum after 10 s", s);
        double linear = fabs(now.momentum[0]) + fabs(now.momentum[1]) + fabs(now.momentum[2]);
        check_below(linear, 1e-5 * (double)m1, "  momentum");
        errors[s] = 1.0 - orbit_energy(&p, 0.0) / energy;
        check_below(errors[s], 1.0 - exp(-1.1 * omega_squared * h * 10.0), "  share of energy lost in 10 s");
        check_above(errors[s], -0.001, "  and none won");
        sn_world_destroy(p.world);
    }
    check_converges(errors, 1e-3, "energy");
}

// k (r − l) = µ Ω² r: a circle.
static void test_a_stretched_spring_holds_a_circle_within_1_percent_for_ten_turns(void **state)
{
    (void)state;
    const double length = 1.0, radius = 1.5;
    double rate = sqrt((double)stiffness * (radius - length) / (reduced_mass() * radius));
    double period = 2.0 * pi / rate, errors[PHYSICS_STEPS];
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        pair p = make_pair((float)length, (float)radius, rate * radius);
        double momentum = sn_world_energy(p.world).angular_momentum[2];
        physics_crossings crossings = {0};
        double worst = 0.0;
        while (sn_world_time(p.world) < 10.0 * period) {
            physics_run(p.world, physics_steps[s], physics_steps[s]);
            physics_look(&crossings, sn_world_time(p.world), (double)separation(&p).y);
            worst = fmax(worst, fabs((double)sn_length(separation(&p)) - radius));
        }
        check_below(worst, 0.01 * radius, "step %d: change of the distance", s);
        check_relative(physics_period(&crossings), period, 0.01, "  period");
        check_relative(sn_world_energy(p.world).angular_momentum[2], momentum, 1e-4, "  angular momentum");
        errors[s] = worst;
        sn_world_destroy(p.world);
    }
    check_converges(errors, 1e-3, "distance");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_spring_without_length_makes_ellipses_of_one_period_within_1_percent),
        physics_test(
            test_an_ellipse_keeps_angular_momentum_within_1e_4_and_loses_energy_in_proportion_to_the_step),
        physics_test(test_a_stretched_spring_holds_a_circle_within_1_percent_for_ten_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// A rod, a ball, a spring, a user's kind and a point on an axis between any two points, in the world:
// momenta, energy, and where it all comes to rest.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "constraint/pairing_world.h"

// --- motion --------------------------------------------------------------------------------------------

static double largest_difference(const double *a, const double *b)
{
    return fmax(fabs(a[0] - b[0]), fmax(fabs(a[1] - b[1]), fabs(a[2] - b[2])));
}

// Free pairs keep both momenta to 1e-5 of those of their parts; nobody gains energy.
static void check_motion(link link, sort a, sort b)
{
    pairing p = pairing_make(link, a, b, (pairing_options){.speed = 1.0f, .threads = 1});
    sn_energy before = sn_world_energy(p.world);
    double start = pairing_energy(&p), highest = 0.0;
    for (int i = 0; i < 300; ++i) {
        assert_ok(sn_world_step(p.world, frame));
        highest = fmax(highest, pairing_energy(&p));
    }
    pairing_require(pairing_is_sound(&p), &p, "not sound");
    pairing_require(highest <= start + 1e-3, &p, "energy grew from %g to %g J", start, highest);
    if (a != WORLD && b != WORLD) {
        sn_energy after = sn_world_energy(p.world);
        double linear = largest_difference(before.momentum, after.momentum);
        double angular = largest_difference(before.angular_momentum, after.angular_momentum);
        // Parts of 2 kg at 1 m/s.
        pairing_require(linear <= 1e-5 * 2.0, &p, "momentum changed by %g", linear);
        pairing_require(angular <= 1e-5 * 2.0, &p, "angular momentum changed by %g", angular);
    }
    pairing_free(&p);
}

static void test_momenta_are_kept_to_1e_5_and_energy_never_grows_by_1e_3(void **state)
{
    (void)state;
    pairing_visit(check_motion);
}

// --- rest ----------------------------------------------------------------------------------------------

static void check_rest(link link, sort a, sort b)
{
    pairing p = pairing_make(link, a, b, (pairing_options){.speed = 1.0f, .damping = 3.0f, .threads = 1});
    run_steps(p.world, 400);
    float expected = link == BALL_LINK ? 0.0f : link == SPRING || link == AXIS ? spring_length : link_length;
    pairing_require(sn_abs(pairing_distance(&p) - expected) <= 1e-4f, &p, "rests at %g m instead of %g",
                    (double)pairing_distance(&p), (double)expected);
    double kinetic = sn_world_energy(p.world).kinetic;
    pairing_require(kinetic <= 1e-6, &p, "still has %g J", kinetic);
    pairing_require(sn_constraint_error(p.world, p.constraint) <= 1e-4f, &p, "has an error");
    pairing_free(&p);
}

static void test_with_damping_it_comes_to_rest_where_it_should_within_1e_4(void **state)
{
    (void)state;
    pairing_visit(check_rest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_momenta_are_kept_to_1e_5_and_energy_never_grows_by_1e_3),
        test_with_memory(test_with_damping_it_comes_to_rest_where_it_should_within_1e_4),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

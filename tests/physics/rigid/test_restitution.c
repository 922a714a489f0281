// Restitution: a body dropped from a height h comes back to e² h.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

typedef sn_rigid (*maker)(sn_world *world, sn_shape_def material, float lowest);

static sn_rigid make_sphere(sn_world *world, sn_shape_def material, float lowest)
{
    return physics_sphere(world, material, 0.5f, physics_at(0, lowest + 0.5f, 0));
}

static sn_rigid make_box(sn_world *world, sn_shape_def material, float lowest)
{
    return physics_box(world, material, sn_v(0.5f, 0.5f, 0.5f), physics_at(0, lowest + 0.5f, 0));
}

static const struct {
    const char *name;
    maker make;
} bodies[] = {{"sphere", make_sphere}, {"box", make_box}};

// Both bodies have their centre half a metre above their lowest point.
static double lowest_point(const sn_world *world, sn_rigid body)
{
    return (double)sn_rigid_position(world, body).y - 0.5;
}

// Highest points reached after each of the first `count` impacts, within `seconds`.
static void measure_rebounds(sn_world *world, sn_rigid body, float step, double seconds, double *heights,
                             int count)
{
    int impact = -1;
    bool rising = false;
    while (sn_world_time(world) < seconds && impact < count) {
        physics_run(world, step, step);
        bool rises = sn_rigid_linear_velocity(world, body).y > 0.0f;
        impact += rises && !rising ? 1 : 0;
        rising = rises;
        if (impact >= 0 && impact < count) {
            heights[impact] = fmax(heights[impact], lowest_point(world, body));
        }
    }
}

static void test_rebounds_to_e_squared_of_the_height_within_2_percent(void **state)
{
    (void)state;
    const float restitutions[] = {0.5f, 0.9f, 1.0f};
    const float drop = 2.0f;
    for (int b = 0; b < 2; ++b) {
        for (int e = 0; e < 3; ++e) {
            for (int s = 0; s < PHYSICS_STEPS; ++s) {
                sn_world *world = physics_world();
                sn_shape_def material = physics_material(0.5f, restitutions[e]);
                physics_floor(world, material);
                sn_rigid body = bodies[b].make(world, material, drop);
                double height = 0.0;
                measure_rebounds(world, body, physics_steps[s], 2.5, &height, 1);
                double expected = (double)(restitutions[e] * restitutions[e] * drop);
                check_relative(height, expected, 0.02, "%s, e = %g, step %d: rebound", bodies[b].name,
                               (double)restitutions[e], s);
                check_below((double)sn_length(sn_rigid_angular_velocity(world, body)), 1e-3, "  spin");
                sn_world_destroy(world);
            }
        }
    }
}

static void test_without_restitution_stays_on_the_floor_within_a_millimetre(void **state)
{
    (void)state;
    for (int b = 0; b < 2; ++b) {
        for (int s = 0; s < PHYSICS_STEPS; ++s) {
            sn_world *world = physics_world();
            sn_shape_def material = physics_material(0.5f, 0.0f);
            physics_floor(world, material);
            sn_rigid body = bodies[b].make(world, material, 2.0f);
            double height = 0.0;
            measure_rebounds(world, body, physics_steps[s], 3.0, &height, 1);
            check_below(height, 1e-3, "%s, step %d: rebound", bodies[b].name, s);
            check_near(lowest_point(world, body), 0.0, 1e-3, "  rest");
            sn_world_destroy(world);
        }
    }
}

static void test_bounce_after_bounce_the_height_falls_by_e_squared_within_2_percent_each(void **state)
{
    (void)state;
    enum { BOUNCES = 5 };
    for (int b = 0; b < 2; ++b) {
        for (int s = 0; s < PHYSICS_STEPS; ++s) {
            sn_world *world = physics_world();
            sn_shape_def material = physics_material(0.5f, 0.9f);
            physics_floor(world, material);
            sn_rigid body = bodies[b].make(world, material, 2.0f);
            double heights[BOUNCES] = {0.0}, before = 2.0;
            measure_rebounds(world, body, physics_steps[s], 8.0, heights, BOUNCES);
            for (int i = 0; i < BOUNCES; ++i) {
                check_relative(heights[i], 0.81 * before, 0.02, "%s, step %d, bounce %d", bodies[b].name, s,
                               i + 1);
                before = heights[i];
            }
            sn_world_destroy(world);
        }
    }
}

static void test_an_elastic_bouncer_keeps_its_energy_within_1_percent_a_bounce(void **state)
{
    (void)state;
    double errors[PHYSICS_STEPS];
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        enum { BOUNCES = 10 };
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(0.5f, 1.0f);
        physics_floor(world, material);
        sn_rigid body = make_sphere(world, material, 2.0f);
        double heights[BOUNCES] = {0.0};
        measure_rebounds(world, body, physics_steps[s], 16.0, heights, BOUNCES);
        check_relative(heights[BOUNCES - 1], 2.0, 0.10, "step %d: height of the tenth bounce", s);
        errors[s] = heights[BOUNCES - 1] - 2.0;
        sn_world_destroy(world);
    }
    check_converges(errors, 0.005, "height");
}

static void test_an_impact_below_the_threshold_does_not_bounce_and_one_above_does(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(0.5f, 0.8f);
        physics_floor(world, material);
        // Impact speeds of 0.77 and 1.4 m/s; the threshold is 1 m/s.
        sn_rigid body = make_sphere(world, material, i == 0 ? 0.03f : 0.1f);
        double height = 0.0;
        measure_rebounds(world, body, physics_steps[1], 1.0, &height, 1);
        if (i == 0) {
            check_below(height, 1e-3, "rebound of a slow impact");
        } else {
            check_relative(height, 0.64 * 0.1, 0.02, "rebound of a fast impact");
        }
        sn_world_destroy(world);
    }
}

static void test_the_threshold_can_be_taken_away(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    sn_world_def settings = sn_world_settings(world);
    settings.restitution_threshold = 0.1f;
    must(sn_world_settings_set(world, &settings));
    sn_shape_def material = physics_material(0.5f, 0.8f);
    physics_floor(world, material);
    sn_rigid body = make_sphere(world, material, 0.03f);
    double height = 0.0;
    measure_rebounds(world, body, physics_steps[1], 0.3, &height, 1);
    check_relative(height, 0.64 * 0.03, 0.03, "rebound of a slow impact");
    sn_world_destroy(world);
}

static void test_a_pair_has_the_larger_restitution(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    physics_floor(world, physics_material(0.5f, 0.2f));
    sn_rigid body = make_sphere(world, physics_material(0.5f, 0.7f), 2.0f);
    double height = 0.0;
    measure_rebounds(world, body, physics_steps[1], 1.5, &height, 1);
    check_relative(height, 0.49 * 2.0, 0.02, "rebound");
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_rebounds_to_e_squared_of_the_height_within_2_percent),
        physics_test(test_without_restitution_stays_on_the_floor_within_a_millimetre),
        physics_test(test_bounce_after_bounce_the_height_falls_by_e_squared_within_2_percent_each),
        physics_test(test_an_elastic_bouncer_keeps_its_energy_within_1_percent_a_bounce),
        physics_test(test_an_impact_below_the_threshold_does_not_bounce_and_one_above_does),
        physics_test(test_the_threshold_can_be_taken_away),
        physics_test(test_a_pair_has_the_larger_restitution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Impacts between spheres: momentum and Newton's law of restitution.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

// Density and radius make the mass; spheres of equal radius differ by density.
static sn_rigid ball(sn_world *world, float restitution, float density, sn_vec3 position, sn_vec3 velocity)
{
    sn_shape_def material = physics_material(0.0f, restitution);
    material.density = density;
    sn_rigid body = physics_sphere(world, material, 0.5f, physics_at(position.x, position.y, position.z));
    must(sn_rigid_linear_velocity_set(world, body, velocity));
    return body;
}

static void test_equal_spheres_swap_velocities_within_1e_4(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world_without_gravity();
        sn_rigid a = ball(world, 1.0f, 1000.0f, sn_v(-2.0f, 0.0f, 0.0f), sn_v(5.0f, 0.0f, 0.0f));
        sn_rigid b = ball(world, 1.0f, 1000.0f, sn_v(0.03f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f));
        physics_run(world, physics_steps[s], 1.0f);
        check_near((double)sn_rigid_linear_velocity(world, a).x, 0.0, 5e-4, "speed of the one that hit");
        check_relative((double)sn_rigid_linear_velocity(world, b).x, 5.0, 1e-4, "speed of the one hit");
        sn_world_destroy(world);
    }
}

static void test_spheres_that_meet_head_on_swap_velocities_within_1e_4(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world_without_gravity();
        sn_rigid a = ball(world, 1.0f, 1000.0f, sn_v(-2.0f, 0.0f, 0.0f), sn_v(5.0f, 0.0f, 0.0f));
        sn_rigid b = ball(world, 1.0f, 1000.0f, sn_v(2.0f, 0.0f, 0.0f), sn_v(-3.0f, 0.0f, 0.0f));
        physics_run(world, physics_steps[s], 1.0f);
        check_relative((double)sn_rigid_linear_velocity(world, a).x, -3.0, 1e-4, "speed of the first");
        check_relative((double)sn_rigid_linear_velocity(world, b).x, 5.0, 1e-4, "speed of the second");
        sn_world_destroy(world);
    }
}

static void test_unequal_spheres_obey_momentum_and_restitution_within_1e_4(void **state)
{
    (void)state;
    const float ratios[] = {0.01f, 0.3f, 3.0f, 100.0f}, restitutions[] = {0.0f, 0.5f, 1.0f};
    for (int r = 0; r < 4; ++r) {
        for (int e = 0; e < 3; ++e) {
            for (int s = 0; s < PHYSICS_STEPS; ++s) {
                sn_world *world = physics_world_without_gravity();
                float ratio = ratios[r], restitution = restitutions[e];
                sn_rigid a = ball(world, restitution, 1000.0f, sn_v(-1.5f, 0, 0), sn_v(4.0f, 0.0f, 0.0f));
                sn_rigid b = ball(world, restitution, 1000.0f * ratio, sn_v(1, 0, 0), sn_v(-2.0f, 0, 0));
                physics_run(world, physics_steps[s], 0.6f);
                // Masses 1 and r; velocities 4 and −2, which separate at 6 e.
                double m = (double)ratio, separation = 6.0 * (double)restitution;
                double common = (4.0 - 2.0 * m) / (1.0 + m);
                double va = common - separation * m / (1.0 + m), vb = common + separation / (1.0 + m);
                check_near((double)sn_rigid_linear_velocity(world, a).x, va, 6e-4, "ratio %g, e %g: first", m,
                           (double)restitution);
                check_near((double)sn_rigid_linear_velocity(world, b).x, vb, 6e-4, "ratio %g, e %g: second",
                           m, (double)restitution);
                sn_world_destroy(world);
            }
        }
    }
}

// Frictionless equal spheres, one at rest: the line of centres takes the normal part, and the directions
// afterwards are perpendicular. The line of centres is that at the start of the step of the impact: off by at
// most the sine of 30° × 4 m/s × the step.
static void
test_an_oblique_elastic_hit_parts_along_the_line_of_centres_within_2_m_per_s_times_the_step(void **state)
{
    (void)state;
    double errors[PHYSICS_STEPS];
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world_without_gravity();
        sn_rigid a = ball(world, 1.0f, 1000.0f, sn_v(-2.0f, 0.5f, 0.0f), sn_v(4.0f, 0.0f, 0.0f));
        sn_rigid b = ball(world, 1.0f, 1000.0f, sn_v(0.0f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f));
        physics_run(world, physics_steps[s], 1.0f);
        sn_vec3 va = sn_rigid_linear_velocity(world, a), vb = sn_rigid_linear_velocity(world, b);
        // Centres half a diameter apart across the way: the line of centres lies at 30° to it.
        sn_vec3 line = sn_v(sqrtf(3.0f) / 2.0f, -0.5f, 0.0f);
        sn_vec3 taken = sn_scale(line, 4.0f * line.x);
        double allowed = 2.0 * (double)physics_steps[s] + 1e-3;
        check_vector(vb, taken, allowed, "velocity of the one hit, step %d", s);
        check_vector(va, sn_sub(sn_v(4.0f, 0.0f, 0.0f), taken), 2.0 * allowed,
                     "velocity of the one that hit");
        check_near((double)(sn_dot(va, vb) / (sn_length(va) * sn_length(vb))), 0.0, 0.01,
                   "cosine between them");
        check_relative((double)(va.x + vb.x), 4.0, 1e-5, "momentum along x");
        check_near((double)(va.y + vb.y), 0.0, 1e-5, "momentum along y");
        errors[s] = (double)sn_distance_between(vb, taken);
        sn_world_destroy(world);
    }
    check_converges(errors, 0.01, "velocity of the one hit");
}

// Small gaps, so that impacts come one after the other.
static void test_a_row_of_spheres_hands_the_velocity_to_its_end_within_1_percent(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world_without_gravity();
        sn_rigid row[5];
        for (int i = 0; i < 5; ++i) {
            row[i] = ball(world, 1.0f, 1000.0f, sn_v(1.05f * (float)i, 0.0f, 0.0f),
                          sn_v(i == 0 ? 3.0f : 0.0f, 0.0f, 0.0f));
        }
        physics_run(world, physics_steps[s], 1.0f);
        for (int i = 0; i < 5; ++i) {
            check_near((double)sn_rigid_linear_velocity(world, row[i]).x, i == 4 ? 3.0 : 0.0, 0.03,
                       "speed of sphere %d", i);
        }
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_equal_spheres_swap_velocities_within_1e_4),
        physics_test(test_spheres_that_meet_head_on_swap_velocities_within_1e_4),
        physics_test(test_unequal_spheres_obey_momentum_and_restitution_within_1e_4),
        physics_test(
            test_an_oblique_elastic_hit_parts_along_the_line_of_centres_within_2_m_per_s_times_the_step),
        physics_test(test_a_row_of_spheres_hands_the_velocity_to_its_end_within_1_percent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

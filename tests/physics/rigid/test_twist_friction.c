// Friction against turning on the spot: four points that each carry a quarter of the weight at a distance r
// from the axis brake by µ m g r.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

static const float friction = 0.3f;
static const double spin = 8.0;

// Spins the body and compares how it slows and how far it turns with a constant braking torque.
static void check_braking(sn_world *world, sn_rigid body, float step, double torque, double tolerance,
                          double wandering, const char *name)
{
    double moment = (double)sn_rigid_mass(world, body).inertia.y.y;
    double deceleration = torque / moment, half = 0.5 * spin / deceleration;
    must(sn_rigid_angular_velocity_set(world, body, sn_v(0.0f, (float)spin, 0.0f)));
    double start = sn_world_time(world);
    while (sn_world_time(world) - start < half) {
        physics_run(world, step, step);
    }
    double lost = spin - (double)sn_rigid_angular_velocity(world, body).y;
    check_relative(lost / (sn_world_time(world) - start), deceleration, tolerance, "%s: deceleration", name);
    physics_run(world, step, (float)half + 0.5f);
    check_below((double)sn_length(sn_rigid_angular_velocity(world, body)), 1e-4, "  spin at the end");
    sn_vec3 position = sn_rigid_position(world, body);
    check_below((double)sn_length(sn_v(position.x, 0.0f, position.z)), wandering, "  wandering");
}

static void test_a_spinning_box_is_braked_by_its_four_corners_within_1_percent(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(friction, 0.0f);
        physics_floor(world, material);
        sn_rigid box = physics_box(world, material, sn_v(0.5f, 0.2f, 0.3f), physics_at(0, 0.2f, 0));
        double corner = sqrt(0.5 * 0.5 + 0.3 * 0.3);
        check_braking(world, box, physics_steps[s], (double)friction * physics_weight(world, box) * corner,
                      0.01, 0.001, "box on a plane");
        sn_world_destroy(world);
    }
}

static void test_a_box_spinning_on_a_box_is_braked_by_its_four_corners_within_1_percent(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(friction, 0.0f);
        physics_platform(world, material, sn_v(2.0f, 0.5f, 2.0f), physics_at(0, -0.5f, 0));
        sn_rigid box = physics_box(world, material, sn_v(0.4f, 0.2f, 0.4f), physics_at(0, 0.2f, 0));
        double corner = 0.4 * sqrt(2.0);
        check_braking(world, box, physics_steps[s], (double)friction * physics_weight(world, box) * corner,
                      0.01, 0.001, "box on a box");
        sn_world_destroy(world);
    }
}

// A disc's patch is four points of its rim, which brake a little more than the even pressure of a real disc
// (two thirds of the radius) would.
static void test_a_spinning_disc_is_braked_by_points_on_its_rim_within_5_percent(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(friction, 0.0f);
        physics_floor(world, material);
        sn_rigid disc = physics_cylinder(world, material, 0.4f, 0.1f, physics_at(0, 0.05f, 0));
        check_braking(world, disc, physics_steps[s], (double)friction * physics_weight(world, disc) * 0.4,
                      0.05, 0.005, "disc on a plane");
        sn_world_destroy(world);
    }
}

// One point has no lever: a ball spins on, but for rolling resistance.
static void test_a_ball_spinning_on_the_spot_is_not_braked(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    sn_shape_def material = physics_material(friction, 0.0f);
    physics_floor(world, material);
    sn_rigid ball = physics_sphere(world, material, 0.3f, physics_at(0, 0.3f, 0));
    must(sn_rigid_angular_velocity_set(world, ball, sn_v(0.0f, (float)spin, 0.0f)));
    physics_run(world, physics_steps[0], 5.0f);
    check_relative((double)sn_rigid_angular_velocity(world, ball).y, spin, 1e-3, "spin after 5 s");
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_spinning_box_is_braked_by_its_four_corners_within_1_percent),
        physics_test(test_a_box_spinning_on_a_box_is_braked_by_its_four_corners_within_1_percent),
        physics_test(test_a_spinning_disc_is_braked_by_points_on_its_rim_within_5_percent),
        physics_test(test_a_ball_spinning_on_the_spot_is_not_braked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

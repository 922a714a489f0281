// Surfaces that move along themselves drive what touches them by friction: v = µ g t until it goes along.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

static const float friction = 0.4f;

static sn_shape_def belt_material(sn_vec3 velocity)
{
    sn_shape_def material = physics_material(friction, 0.0f);
    material.surface_velocity = velocity;
    return material;
}

static void test_a_box_on_a_belt_accelerates_with_mu_g_and_then_goes_along(void **state)
{
    (void)state;
    for (int i = 0; i < PHYSICS_STEPS; ++i) {
        sn_world *world = physics_world();
        physics_floor(world, belt_material(sn_v(3.0f, 0.0f, -4.0f)));
        sn_rigid box = physics_box(world, physics_material(friction, 0.0f), sn_v(0.5f, 0.2f, 0.5f),
                                   physics_at(0, 0.2f, 0));
        physics_run(world, physics_steps[i], 0.5f);
        double speed = (double)friction * physics_gravity * 0.5;
        check_vector(sn_rigid_linear_velocity(world, box),
                     sn_v(0.6f * (float)speed, 0.0f, -0.8f * (float)speed), 0.01, "velocity after 0.5 s");
        physics_run(world, physics_steps[i], 1.5f);
        check_vector(sn_rigid_linear_velocity(world, box), sn_v(3.0f, 0.0f, -4.0f), 0.001,
                     "velocity after 2 s");
        check_below((double)sn_length(sn_rigid_angular_velocity(world, box)), 0.001, "spin [rad/s]");
        sn_world_destroy(world);
    }
}

// The belt turns with its body: up the slope, against gravity.
static void test_a_belt_is_in_the_axes_of_its_body(void **state)
{
    (void)state;
    for (int i = 0; i < PHYSICS_STEPS; ++i) {
        sn_world *world = physics_world();
        sn_rigid_def def = sn_rigid_def_default();
        def.type = SN_STATIC;
        def.rotation = sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), 0.2f);
        sn_rigid slope;
        must(sn_rigid_add(world, &def, &slope));
        sn_shape_def material = belt_material(sn_v(2.0f, 0.0f, 0.0f));
        must(sn_box_add(world, slope, &material, (sn_box){{20.0f, 0.1f, 2.0f}}, NULL));
        sn_vec3 at = sn_rotate(def.rotation, sn_v(-10.0f, 0.3f, 0.0f));
        sn_rigid box = physics_box(world, physics_material(friction, 0.0f), sn_v(0.5f, 0.2f, 0.5f),
                                   (sn_pose){at, def.rotation});
        physics_run(world, physics_steps[i], 3.0f);
        check_vector(sn_rigid_linear_velocity(world, box), sn_rotate(def.rotation, sn_v(2.0f, 0.0f, 0.0f)),
                     0.005, "velocity of a box that is carried uphill");
        sn_world_destroy(world);
    }
}

// A belt on a free body: what the load gets, the body loses.
static void test_a_free_belt_keeps_the_momentum_of_both(void **state)
{
    (void)state;
    for (int i = 0; i < PHYSICS_STEPS; ++i) {
        sn_world *world = physics_world();
        physics_floor(world, physics_material(0.0f, 0.0f));
        sn_rigid cart = physics_box(world, belt_material(sn_v(2.0f, 0.0f, 0.0f)), sn_v(3.0f, 0.2f, 1.0f),
                                    physics_at(0, 0.2f, 0));
        sn_rigid load = physics_box(world, physics_material(friction, 0.0f), sn_v(0.3f, 0.3f, 0.3f),
                                    physics_at(0, 0.7f, 0));
        physics_run(world, physics_steps[i], 1.0f);
        double ratio = (double)sn_rigid_mass(world, load).mass / (double)sn_rigid_mass(world, cart).mass;
        double carried = (double)sn_rigid_linear_velocity(world, load).x;
        double recoil = (double)sn_rigid_linear_velocity(world, cart).x;
        check_relative(carried - recoil, 2.0, 0.002, "speed of the load against the cart [m/s]");
        check_near(recoil + ratio * carried, 0.0, 1e-4, "momentum / mass of the cart [m/s]");
        sn_world_destroy(world);
    }
}

static void test_a_belt_that_starts_wakes_what_lies_on_it(void **state)
{
    (void)state;
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    must(sn_world_create(&def, &world));
    sn_shape floor;
    sn_shape_def material = physics_material(friction, 0.0f);
    must(sn_plane_add(world, sn_world_ground(world), &material, (sn_plane){{0, 1, 0}, 0}, &floor));
    sn_rigid box = physics_box(world, material, sn_v(0.5f, 0.2f, 0.5f), physics_at(0, 0.2f, 0));
    physics_run(world, physics_steps[0], 2.0f);
    check_true(!sn_rigid_is_awake(world, box), "it sleeps");
    must(sn_shape_surface_velocity_set(world, floor, sn_v(1.0f, 0.0f, 0.0f)));
    physics_run(world, physics_steps[0], 1.0f);
    check_relative((double)sn_rigid_linear_velocity(world, box).x, 1.0, 0.001, "speed [m/s]");
    check_near((double)sn_shape_definition(world, floor).surface_velocity.x, 1.0, 0.0, "as defined [m/s]");
    check_true(sn_shape_surface_velocity_set(world, floor, sn_v(NAN, 0.0f, 0.0f)) == SN_ERROR_NOT_FINITE,
               "a non-finite velocity is refused");
    check_true(sn_shape_surface_velocity_set(world, floor, sn_v(2.0e5f, 0.0f, 0.0f)) == SN_ERROR_RANGE,
               "too fast is refused");
    check_near((double)sn_shape_definition(world, floor).surface_velocity.x, 1.0, 0.0, "as before [m/s]");
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_box_on_a_belt_accelerates_with_mu_g_and_then_goes_along),
        physics_test(test_a_belt_is_in_the_axes_of_its_body),
        physics_test(test_a_free_belt_keeps_the_momentum_of_both),
        physics_test(test_a_belt_that_starts_wakes_what_lies_on_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

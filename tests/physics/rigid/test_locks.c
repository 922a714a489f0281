// Locked axes: what is locked does not move, and what is free moves as if nothing were locked.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

static void test_a_locked_direction_does_not_move_and_the_others_do(void **state)
{
    (void)state;
    static const uint32_t locks[] = {SN_LOCK_X, SN_LOCK_Y, SN_LOCK_Z};
    for (int axis = 0; axis < 3; ++axis) {
        sn_world *world = physics_world_without_gravity();
        sn_rigid body =
            physics_box(world, physics_material(0.5f, 0.0f), sn_v(0.5f, 0.3f, 0.2f), physics_at(0, 0, 0));
        must(sn_rigid_locks_set(world, body, locks[axis]));
        float mass = sn_rigid_mass(world, body).mass;
        while (sn_world_time(world) < 1.0 - 1e-4) {
            must(sn_rigid_force_add(world, body, sn_v(mass, mass, mass)));
            physics_run(world, physics_steps[0], physics_steps[0]);
        }
        sn_vec3 expected = sn_v(axis == 0 ? 0.0f : 1.0f, axis == 1 ? 0.0f : 1.0f, axis == 2 ? 0.0f : 1.0f);
        check_vector(sn_rigid_linear_velocity(world, body), expected, 1e-4, "velocity, axis %d locked", axis);
        sn_vec3 position = sn_rigid_position(world, body);
        float locked = axis == 0 ? position.x : axis == 1 ? position.y : position.z;
        check_near((double)locked, 0.0, 0.0, "position along it");
        sn_world_destroy(world);
    }
}

static void test_gravity_does_not_move_a_body_locked_against_it(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    sn_rigid body = physics_sphere(world, physics_material(0.5f, 0.0f), 0.3f, physics_at(0, 1, 0));
    must(sn_rigid_locks_set(world, body, SN_LOCK_Y));
    must(sn_rigid_linear_velocity_set(world, body, sn_v(1.0f, 5.0f, 0.0f)));
    physics_run(world, physics_steps[0], 2.0f);
    check_near((double)sn_rigid_position(world, body).y, 1.0, 0.0, "height");
    check_near((double)sn_rigid_position(world, body).x, 2.0, 1e-3, "way");
    sn_world_destroy(world);
}

// About a free axis the moment is that about the world's axis, even if the box stands askew.
static void test_a_torque_turns_a_box_about_its_only_free_axis_by_tau_over_i_within_1_per_mille(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world_without_gravity();
        sn_quat askew = sn_quat_axis_angle(sn_normalize(sn_v(1.0f, 1.0f, 0.3f)), 0.7f);
        sn_pose pose = {{0.0f, 0.0f, 0.0f}, askew};
        sn_rigid body = physics_box(world, physics_material(0.5f, 0.0f), sn_v(0.5f, 0.3f, 0.1f), pose);
        must(sn_rigid_locks_set(world, body, SN_LOCK_ROTATION_X | SN_LOCK_ROTATION_Z));
        sn_vec3 axis = sn_rotate_inverse(askew, sn_v(0.0f, 1.0f, 0.0f));
        float moment = sn_dot(axis, sn_mat3_apply(sn_rigid_mass(world, body).inertia, axis));
        while (sn_world_time(world) < 1.0 - 1e-4) {
            must(sn_rigid_torque_add(world, body, sn_v(3.0f, 2.0f, -5.0f)));
            physics_run(world, physics_steps[s], physics_steps[s]);
        }
        check_vector(sn_rigid_angular_velocity(world, body), sn_v(0.0f, 2.0f / moment, 0.0f), 1e-3,
                     "spin after 1 s, step %d", s);
        sn_world_destroy(world);
    }
}

static void test_a_box_locked_against_turning_stays_upright_when_hit_off_its_centre(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    sn_shape_def material = physics_material(0.3f, 0.0f);
    physics_floor(world, material);
    sn_rigid tower = physics_box(world, material, sn_v(0.2f, 1.0f, 0.2f), physics_at(0, 1, 0));
    must(sn_rigid_locks_set(world, tower, SN_LOCK_ROTATION_X | SN_LOCK_ROTATION_Y | SN_LOCK_ROTATION_Z));
    sn_rigid ball = physics_sphere(world, material, 0.2f, physics_at(-2.0f, 1.8f, 0.1f));
    must(sn_rigid_linear_velocity_set(world, ball, sn_v(20.0f, 0.0f, 0.0f)));
    physics_run(world, physics_steps[0], 2.0f);
    sn_quat rotation = sn_rigid_rotation(world, tower);
    check_near((double)rotation.w, 1.0, 0.0, "rotation");
    check_above((double)sn_rigid_position(world, tower).x, 0.05, "way it was pushed");
    check_near((double)sn_rigid_position(world, tower).y, 1.0, 2e-3, "height");
    sn_world_destroy(world);
}

// A planar world: spheres collide and pile up, and none leaves the plane.
static void test_bodies_locked_to_a_plane_stay_in_it_exactly(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    sn_shape_def material = physics_material(0.5f, 0.3f);
    physics_floor(world, material);
    sn_rigid bodies[12];
    for (int i = 0; i < 12; ++i) {
        sn_pose pose = physics_at(0.3f * (float)(i % 3), 0.5f + 0.6f * (float)i, 0.0f);
        bodies[i] = i % 2 == 0 ? physics_sphere(world, material, 0.25f, pose)
                               : physics_box(world, material, sn_v(0.2f, 0.25f, 0.3f), pose);
        must(sn_rigid_locks_set(world, bodies[i], SN_LOCK_Z | SN_LOCK_ROTATION_X | SN_LOCK_ROTATION_Y));
    }
    physics_run(world, physics_steps[0], 5.0f);
    double depth = 0.0, tilt = 0.0;
    for (int i = 0; i < 12; ++i) {
        sn_quat q = sn_rigid_rotation(world, bodies[i]);
        depth = fmax(depth, fabs((double)sn_rigid_position(world, bodies[i]).z));
        tilt = fmax(tilt, fabs((double)q.x) + fabs((double)q.y));
    }
    check_below(depth, 0.0, "largest distance from the plane");
    check_below(tilt, 0.0, "largest tilt out of the plane");
    sn_world_destroy(world);
}

// Locked sideways it cannot slide, and the slope carries it.
static void test_a_locked_body_on_a_frictionless_slope_stays_where_it_is(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        const float angle = 0.4f;
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(0.0f, 0.0f);
        physics_slope(world, material, angle);
        sn_rigid ball = physics_sphere(world, material, 0.5f, physics_on_slope(angle, 0.5f));
        must(sn_rigid_locks_set(world, ball, SN_LOCK_X));
        sn_vec3 start = sn_rigid_position(world, ball);
        physics_run(world, physics_steps[s], 1.0f);
        check_below((double)sn_distance_between(sn_rigid_position(world, ball), start), 2e-3, "way, step %d",
                    s);
        // Only the vertical part of the normal force works: N cos θ = m g.
        double vertical = (double)sn_rigid_contact_force(world, ball).y;
        check_relative(vertical, physics_weight(world, ball), 1e-3, "vertical force");
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_locked_direction_does_not_move_and_the_others_do),
        physics_test(test_gravity_does_not_move_a_body_locked_against_it),
        physics_test(test_a_torque_turns_a_box_about_its_only_free_axis_by_tau_over_i_within_1_per_mille),
        physics_test(test_a_box_locked_against_turning_stays_upright_when_hit_off_its_centre),
        physics_test(test_bodies_locked_to_a_plane_stay_in_it_exactly),
        physics_test(test_a_locked_body_on_a_frictionless_slope_stays_where_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

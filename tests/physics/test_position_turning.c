// Contacts of bodies that turn far in a step of the position solver: edges that bodies tip over stay on the
// floor, round bodies roll on it, and patches that are packed together do not change each other.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/position_rig.h"

static const float long_step = 1.0f / 30.0f;

// How deep and how high the lowest corner of a box is over the floor in a run.
typedef struct extremes {
    double lowest, highest;
} extremes;

static double lowest_corner(const sn_world *world, sn_rigid box, sn_vec3 half)
{
    sn_pose pose = sn_rigid_pose(world, box);
    double lowest = INFINITY;
    for (int i = 0; i < 8; ++i) {
        sn_vec3 corner = sn_v(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
        sn_vec3 place = sn_add(pose.position, sn_rotate(pose.rotation, corner));
        lowest = fmin(lowest, (double)place.y);
    }
    return lowest;
}

static void look_at_corners(const sn_world *world, const sn_rigid *boxes, int count, sn_vec3 half,
                            extremes *seen)
{
    double lowest = INFINITY;
    for (int i = 0; i < count; ++i) {
        lowest = fmin(lowest, lowest_corner(world, boxes[i], half));
    }
    seen->lowest = fmin(seen->lowest, lowest);
    seen->highest = fmax(seen->highest, lowest);
}

// A box that stands on an edge, `angle` from upright, falls over for two seconds.
static extremes tip_over(sn_vec3 half, float angle, int sub_steps)
{
    sn_world_def def = position_def(sub_steps, 8);
    sn_world *world = position_world(&def);
    sn_shape_def material = physics_material(1.0f, 0.0f);
    physics_floor(world, material);
    sn_pose pose = {sn_v(0.0f, half.y * cosf(angle) + half.x * sinf(angle), 0.0f),
                    sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), -angle)};
    sn_rigid box = physics_box(world, material, half, pose);
    must(sn_rigid_angular_velocity_set(world, box, sn_v(0.0f, 0.0f, -1.0f)));
    extremes seen = {0.0, 0.0};
    for (int i = 0; i < 60; ++i) {
        must(sn_world_step(world, long_step));
        look_at_corners(world, &box, 1, half, &seen);
    }
    check_below(fabs((double)(sn_rigid_pose(world, box).position.y - half.x)), 2e-3,
                "height as it lies, off by");
    sn_world_destroy(world);
    return seen;
}

// Points that are followed to first order only lift the edge by 2 mm, and the slab's other one falls 98 mm
// into the floor in a step of one sub-step.
static void test_boxes_tip_over_edges_that_stay_on_the_floor(void **state)
{
    (void)state;
    extremes slab = tip_over(sn_v(0.05f, 0.5f, 0.2f), 0.15f, 2);
    check_above(slab.lowest, -5e-4, "depth of a slab of 1 m that falls over");
    check_below(slab.highest, 5e-4, "height of its edge");
    extremes cube = tip_over(sn_v(0.2f, 0.2f, 0.2f), 0.8f, 2);
    check_above(cube.lowest, -5e-4, "depth of a cube of 0.4 m");
    check_below(cube.highest, 5e-4, "height of its edge");
    slab = tip_over(sn_v(0.05f, 0.5f, 0.2f), 0.15f, 1);
    check_above(slab.lowest, -4e-3, "depth of the slab in one sub-step");
}

// The slab of two halves that a fixed joint holds together: they are one body of the solver, and turn as one.
static void test_unions_tip_over_edges_that_stay_on_the_floor(void **state)
{
    (void)state;
    const sn_vec3 half = sn_v(0.05f, 0.25f, 0.2f);
    const float angle = 0.15f;
    sn_world_def def = position_def(2, 8);
    def.long_range.unions = true;
    sn_world *world = position_world(&def);
    sn_shape_def material = physics_material(1.0f, 0.0f);
    physics_floor(world, material);
    sn_rigid boxes[2];
    sn_quat rotation = sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), -angle);
    sn_vec3 along = sn_rotate(rotation, sn_v(0.0f, 1.0f, 0.0f));
    sn_vec3 middle = sn_v(0.0f, 2.0f * half.y * cosf(angle) + half.x * sinf(angle), 0.0f);
    for (int i = 0; i < 2; ++i) {
        sn_pose pose = {sn_add_scaled(middle, i == 0 ? -half.y : half.y, along), rotation};
        boxes[i] = physics_box(world, material, half, pose);
    }
    sn_fixed_def joint = sn_fixed_def_default();
    sn_constraint made;
    must(sn_constraint_place(world, &joint.common, boxes[0], boxes[1], middle, sn_v(1.0f, 0.0f, 0.0f)));
    must(sn_fixed_add(world, &joint, &made));
    for (int i = 0; i < 2; ++i) {
        must(sn_rigid_angular_velocity_set(world, boxes[i], sn_v(0.0f, 0.0f, -1.0f)));
    }
    extremes seen = {0.0, 0.0};
    for (int i = 0; i < 60; ++i) {
        must(sn_world_step(world, long_step));
        look_at_corners(world, boxes, 2, half, &seen);
    }
    assert_int_equal(sn_world_statistics(world).union_count, 1);
    check_above(seen.lowest, -5e-4, "depth of two halves that are one");
    check_below(seen.highest, 5e-4, "height of its edge");
    sn_world_destroy(world);
}

// A slab whirled over the floor, whose end comes down on it in the middle of a step: when the step began, it
// was farther from the floor than the slab is thick.
static void test_contacts_that_begin_within_a_step_hold(void **state)
{
    (void)state;
    const sn_vec3 half = sn_v(0.02f, 0.5f, 0.2f);
    sn_world_def def = position_def(2, 8);
    def.gravity = sn_v(0.0f, 0.0f, 0.0f);
    double deepest = 0.0;
    for (int k = 0; k < 8; ++k) {
        sn_world *world = position_world(&def);
        sn_shape_def material = physics_material(0.0f, 0.0f);
        physics_floor(world, material);
        sn_pose pose = {sn_v(0.0f, 0.45f, 0.0f),
                        sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), 1.2f - 0.04f * (float)k)};
        sn_rigid slab = physics_box(world, material, half, pose);
        must(sn_rigid_angular_velocity_set(world, slab, sn_v(0.0f, 0.0f, -12.0f)));
        extremes seen = {0.0, 0.0};
        for (int i = 0; i < 4; ++i) {
            must(sn_world_step(world, long_step));
            look_at_corners(world, &slab, 1, half, &seen);
        }
        deepest = fmax(deepest, -seen.lowest);
        sn_world_destroy(world);
    }
    check_below(deepest, 2e-3, "depth of the end of a slab of 1 m");
}

// A radian in every step.
static void test_round_bodies_roll_without_lifting_off(void **state)
{
    (void)state;
    for (int shape = 0; shape < 2; ++shape) {
        sn_world_def def = position_def(2, 8);
        sn_world *world = position_world(&def);
        sn_shape_def material = physics_material(0.8f, 0.0f);
        physics_floor(world, material);
        sn_pose pose = physics_at(0.0f, 0.1f, 0.0f);
        sn_rigid body = shape == 0 ? physics_sphere(world, material, 0.1f, pose)
                                   : physics_capsule(world, material, 0.2f, 0.1f, pose);
        must(sn_rigid_linear_velocity_set(world, body, sn_v(3.0f, 0.0f, 0.0f)));
        must(sn_rigid_angular_velocity_set(world, body, sn_v(0.0f, 0.0f, -30.0f)));
        double highest = 0.0, lowest = 1.0;
        for (int i = 0; i < 60; ++i) {
            must(sn_world_step(world, long_step));
            highest = fmax(highest, (double)sn_rigid_pose(world, body).position.y);
            lowest = fmin(lowest, (double)sn_rigid_pose(world, body).position.y);
        }
        check_below(highest, 0.1, "height of the axis of what rolls");
        check_above(lowest, 0.1 - 5e-4, "least height of it");
        check_relative((double)sn_rigid_linear_velocity(world, body).x, 3.0, 0.01, "its speed");
        sn_world_destroy(world);
    }
}

// Where a ball that spins fast is a little after it came near the floor, with or without a box standing far
// away, whose patch of four points is solved beside the ball's of one.
static sn_vec3 ball_beside(sn_solver_type solver, bool has_box)
{
    sn_world_def def = position_def(4, 4);
    def.solver = solver;
    sn_world *world = position_world(&def);
    sn_shape_def material = physics_material(0.0f, 0.0f);
    physics_floor(world, material);
    if (has_box) {
        physics_box(world, material, sn_v(0.1f, 0.1f, 0.1f), physics_at(5.0f, 0.1f, 0.0f));
    }
    sn_rigid ball = physics_sphere(world, material, 0.1f, physics_at(0.0f, 0.14f, 0.0f));
    must(sn_rigid_linear_velocity_set(world, ball, sn_v(0.0f, -1.0f, 0.0f)));
    must(sn_rigid_angular_velocity_set(world, ball, sn_v(0.0f, 0.0f, 60.0f)));
    must(sn_world_step(world, 1.0f / 60.0f));
    sn_vec3 place = sn_rigid_pose(world, ball).position;
    sn_world_destroy(world);
    return place;
}

static void test_patches_packed_together_do_not_change_each_other(void **state)
{
    (void)state;
    for (int solver = 0; solver < 3; ++solver) {
        sn_vec3 alone = ball_beside((sn_solver_type)solver, false);
        sn_vec3 beside = ball_beside((sn_solver_type)solver, true);
        assert_true(alone.x == beside.x && alone.y == beside.y && alone.z == beside.z);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_boxes_tip_over_edges_that_stay_on_the_floor),
        physics_test(test_unions_tip_over_edges_that_stay_on_the_floor),
        physics_test(test_contacts_that_begin_within_a_step_hold),
        physics_test(test_round_bodies_roll_without_lifting_off),
        physics_test(test_patches_packed_together_do_not_change_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// What a world says about the loads it carries: islands with more sub-steps and why, bounds, and what
// stretches.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/memory.h"
#include "support/world_kit.h"

#include <string.h>

enum { CELLS = 10 };

// Level, held at its corners.
static sn_deformable add_held_cloth(sn_world *world)
{
    sn_mesh *mesh = NULL;
    sn_deformable cloth;
    sn_deformable_def def = sn_deformable_def_default();
    assert_ok(sn_mesh_grid(1.0f, 1.0f, CELLS, CELLS, SN_GRID_ALTERNATING, &mesh));
    def.mesh = mesh;
    def.mass = 0.1f;
    def.pose.rotation = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), -0.5f * SN_PI);
    def.inextensible.on = true;
    assert_ok(sn_deformable_add(world, &def, &cloth));
    sn_mesh_destroy(mesh);
    const int corners[] = {0, CELLS, CELLS * (CELLS + 1), (CELLS + 1) * (CELLS + 1) - 1};
    for (int i = 0; i < 4; ++i) {
        assert_ok(sn_node_fix(world, cloth, corners[i], true));
    }
    return cloth;
}

static void test_a_heavy_ball_on_cloth_is_named_as_the_cause_of_more_sub_steps(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable cloth = add_held_cloth(world);
    sn_rigid far = add_ball_at(world, 0.1f, 5.0f, 0.0f, 0.0f);
    sn_rigid ball = add_ball_at(world, 0.1f, 0.0f, 0.12f, 0.0f);
    sn_mass mass = sn_rigid_mass(world, ball);
    mass.inertia = sn_mat3_scale(mass.inertia, 20.0f / mass.mass);
    mass.mass = 20.0f;
    assert_ok(sn_rigid_mass_set(world, ball, &mass));
    sn_loaded_island load = {0};
    for (int i = 0; i < 60 && sn_world_loads(world, NULL, 0) == 0; ++i) {
        run_steps(world, 1);
    }
    assert_int_equal(sn_world_loads(world, &load, 1), 1);
    assert_int_equal(load.cause, SN_SUB_STEPS_PRESSING);
    assert_true(load.sub_steps > 16);
    assert_int_equal(load.rigid_count, 1);
    assert_int_equal(load.deformable_count, 1);
    assert_true(same_rigid(load.rigid, ball));
    assert_false(same_rigid(load.rigid, far));
    assert_int_equal(load.deformable.index, cloth.index);
    assert_string_equal(sn_sub_step_cause_text(load.cause), "a heavy body lies on light nodes or links");
    sn_world_destroy(world);
}

static void test_bounds_are_counted_and_those_that_carry(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    (void)add_held_cloth(world);
    run_steps(world, 1);
    sn_statistics start = sn_world_statistics(world);
    assert_true(start.bound_count > 2 * CELLS * CELLS);
    run_steps(world, 60);
    sn_statistics end = sn_world_statistics(world);
    assert_int_equal(end.bound_count, start.bound_count);
    assert_true(end.taut_bound_count < end.bound_count);
    assert_int_equal(end.stretched_count, 0);
    assert_true(end.largest_stretch < SN_STRETCH_LIMIT);
    sn_world_destroy(world);
}

static void test_edges_that_are_pulled_too_long_are_reported_by_name(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable cloth = add_held_cloth(world);
    sn_node_state *nodes = NULL;
    sn_node_velocity *velocities = NULL;
    assert_ok(sn_deformable_edit(world, cloth, &nodes, &velocities));
    nodes[0].position = sn_add(nodes[0].position, sn_v(-0.05f, 0.0f, 0.0f));
    sn_statistics s = sn_world_statistics(world);
    assert_int_equal(s.stretched_count, 1);
    assert_true(s.largest_stretch > 0.3f);
    assert_int_equal(s.most_stretched.index, cloth.index);
    sn_world_destroy(world);
}

static void test_joints_that_are_apart_are_reported_by_name(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid ball = add_ball_at(world, 0.1f, 0.5f, 0.0f, 0.0f);
    sn_ball_def def = sn_ball_def_default();
    sn_constraint joint;
    assert_ok(sn_constraint_place(world, &def.common, sn_world_ground(world), ball, sn_v(0.0f, 0.0f, 0.0f),
                                  sn_v(0.0f, 0.0f, 1.0f)));
    assert_ok(sn_ball_add(world, &def, &joint));
    assert_int_equal(sn_world_statistics(world).stretched_joint_count, 0);
    sn_pose moved = sn_rigid_pose(world, ball);
    moved.position = sn_add(moved.position, sn_v(0.05f, 0.0f, 0.0f));
    assert_ok(sn_rigid_pose_set(world, ball, moved));
    sn_statistics s = sn_world_statistics(world);
    assert_int_equal(s.stretched_joint_count, 1);
    assert_float_equal(s.largest_joint_stretch, 0.1f, 1.0e-5f);
    assert_int_equal(s.most_stretched_joint.index, joint.index);
    sn_world_destroy(world);
}

// Its axle is a rounding error away from its centre, and gives way by a millimetre.
static void test_a_wheel_is_not_stretched_by_what_its_axle_yields(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid wheel = add_ball_at(world, 0.3f, 0.0f, 1.0f, 0.0f);
    sn_ball_def axle = sn_ball_def_default();
    axle.common.a = sn_point_world(sn_v(0.0f, 1.001f, 0.0f));
    axle.common.b = sn_point_rigid(wheel, sn_v(1.0e-7f, 0.0f, 0.0f));
    assert_ok(sn_ball_add(world, &axle, NULL));
    sn_statistics s = sn_world_statistics(world);
    assert_int_equal(s.stretched_joint_count, 0);
    assert_true(s.largest_joint_stretch > 0.003f && s.largest_joint_stretch < 0.004f);
    sn_world_destroy(world);
}

static void test_limits_beyond_pi_and_segments_without_length_are_refused(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid ball = add_ball_at(world, 0.1f, 0.5f, 0.0f, 0.0f);
    const float turns[] = {3.2f, 7.0f};
    for (int i = 0; i < 2; ++i) {
        sn_hinge_def hinge = sn_hinge_def_default();
        hinge.common.b = sn_point_rigid(ball, sn_v(-0.5f, 0.0f, 0.0f));
        hinge.limit = true;
        hinge.upper = turns[i];
        assert_int_equal(sn_hinge_add(world, &hinge, NULL), SN_ERROR_RANGE);
        sn_ball_def cone = sn_ball_def_default(), twist = cone;
        cone.common.b = twist.common.b = hinge.common.b;
        cone.limit_cone = twist.limit_twist = true;
        cone.cone_angle = turns[i];
        twist.twist_lower = -turns[i];
        assert_int_equal(sn_ball_add(world, &cone, NULL), SN_ERROR_RANGE);
        assert_int_equal(sn_ball_add(world, &twist, NULL), SN_ERROR_RANGE);
    }
    const sn_vec3 nodes[] = {{0.0f, 0.0f, 0.0f}, {0.1f, 0.0f, 0.0f}, {0.1f, 0.0f, 0.0f}};
    const uint32_t edges[] = {0, 1, 1, 2};
    sn_mesh_def rope = sn_mesh_def_default();
    rope.nodes = nodes;
    rope.node_count = 3;
    rope.edges = edges;
    rope.edge_count = 2;
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_create(&rope, &mesh), SN_ERROR_GEOMETRY);
    sn_world_destroy(world);
}

// A ring of three that does not close by a fifth of a metre: it holds together as well as it can, and is
// named.
static void test_fixed_joints_that_contradict_each_other_are_reported(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid balls[3];
    for (int i = 0; i < 3; ++i) {
        balls[i] = add_ball_at(world, 0.1f, 0.3f * (float)i, 0.0f, 0.0f);
    }
    for (int i = 0; i < 3; ++i) {
        sn_fixed_def joint = sn_fixed_def_default();
        joint.common.a = sn_point_rigid(balls[i], sn_v(0.15f, 0.0f, 0.0f));
        joint.common.b = sn_point_rigid(balls[(i + 1) % 3], sn_v(i == 2 ? 0.05f : -0.15f, 0.0f, 0.0f));
        assert_ok(sn_fixed_add(world, &joint, NULL));
    }
    run_steps(world, 120);
    sn_statistics s = sn_world_statistics(world);
    assert_true(s.stretched_joint_count > 0);
    assert_true(s.largest_joint_stretch > SN_STRETCH_LIMIT && s.largest_joint_stretch < 10.0f);
    assert_int_equal(s.frozen_count, 0);
    for (int i = 0; i < 3; ++i) {
        assert_true(sn_length(sn_rigid_angular_velocity(world, balls[i])) < 0.1f);
    }
    sn_world_destroy(world);
}

// Of two pieces of one rope the one that is held has bounds; the other falls as it should.
static void test_what_is_not_joined_to_what_is_held_has_no_bounds(void **state)
{
    (void)state;
    enum { EACH = 12 };
    sn_vec3 nodes[2 * EACH];
    uint32_t edges[2 * 2 * (EACH - 1)];
    int ends = 0;
    for (int i = 0; i < 2 * EACH; ++i) {
        nodes[i] = sn_v(i < EACH ? 0.0f : 1.0f, -0.1f * (float)(i % EACH), 0.0f);
        if (i % EACH > 0) {
            edges[ends++] = (uint32_t)i - 1;
            edges[ends++] = (uint32_t)i;
        }
    }
    sn_mesh_def mesh_def = sn_mesh_def_default();
    mesh_def.nodes = nodes;
    mesh_def.node_count = 2 * EACH;
    mesh_def.edges = edges;
    mesh_def.edge_count = ends / 2;
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_create(&mesh_def, &mesh));
    sn_world *world = kit_world();
    sn_deformable rope;
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.inextensible.on = true;
    def.collide = false;
    assert_ok(sn_deformable_add(world, &def, &rope));
    sn_mesh_destroy(mesh);
    assert_ok(sn_node_fix(world, rope, 0, true));
    run_steps(world, 30);
    int bounds = sn_world_statistics(world).bound_count;
    assert_true(bounds > 0 && bounds < EACH);
    assert_float_equal(sn_deformable_nodes(world, rope)[2 * EACH - 1].position.y,
                       nodes[2 * EACH - 1].y - 0.5f * 9.81f * 0.25f, 0.05f);
    assert_float_equal(sn_deformable_nodes(world, rope)[EACH - 1].position.y, nodes[EACH - 1].y, 1.0e-3f);
    sn_world_destroy(world);
}

static void test_bad_arguments_get_nothing(void **state)
{
    (void)state;
    assert_int_equal(sn_world_loads(NULL, NULL, 3), 0);
    assert_string_equal(sn_sub_step_cause_text(SN_SUB_STEPS_LEAST), "");
    assert_string_equal(sn_sub_step_cause_text((sn_sub_step_cause)99), "");
    sn_world *world = kit_world();
    sn_loaded_island load = {.sub_steps = 7};
    assert_int_equal(sn_world_loads(world, &load, -1), 0);
    assert_int_equal(load.sub_steps, 7);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_heavy_ball_on_cloth_is_named_as_the_cause_of_more_sub_steps),
        test_with_memory(test_bounds_are_counted_and_those_that_carry),
        test_with_memory(test_edges_that_are_pulled_too_long_are_reported_by_name),
        test_with_memory(test_joints_that_are_apart_are_reported_by_name),
        test_with_memory(test_a_wheel_is_not_stretched_by_what_its_axle_yields),
        test_with_memory(test_limits_beyond_pi_and_segments_without_length_are_refused),
        test_with_memory(test_fixed_joints_that_contradict_each_other_are_reported),
        test_with_memory(test_what_is_not_joined_to_what_is_held_has_no_bounds),
        test_with_memory(test_bad_arguments_get_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

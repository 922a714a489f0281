// The position solver is like any other to the world around it: what is at rest sleeps, what is pulled too
// hard breaks, stops and ropes tell their forces, impacts are told, things bounce and roll as they should.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/position_rig.h"
#include "support/soft_kit.h"

static sn_world *sleepy_world(void)
{
    sn_world_def def = sn_world_def_default();
    def.solver = SN_SOLVER_POSITION;
    return position_world(&def);
}

static void test_what_is_at_rest_sleeps_and_wakes(void **state)
{
    (void)state;
    sn_world *world = sleepy_world();
    add_floor(world);
    for (int i = 0; i < 4; ++i) {
        add_box_at(world, 0.1f, 0.0f, 0.1f + 0.2f * (float)i, 0.0f);
    }
    sn_mesh *mesh = NULL;
    must(sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 2, 2, 2, &mesh));
    sn_deformable_def soft = sn_deformable_def_default();
    soft.mesh = mesh;
    soft.model = sn_model_corotational(1.0e5f, 0.3f);
    soft.pose.position = sn_v(2.0f, 0.21f, 0.0f);
    must(sn_deformable_add(world, &soft, NULL));
    sn_mesh_destroy(mesh);
    physics_run(world, frame, 6.0f);
    assert_int_equal(sn_world_statistics(world).awake_count, 0);
    assert_int_equal(sn_world_statistics(world).awake_deformable_count, 0);
    add_ball_at(world, 0.1f, 0.0f, 1.5f, 0.0f);
    physics_run(world, frame, 0.5f);
    assert_true(sn_world_statistics(world).awake_count > 1);
    sn_world_destroy(world);
}

// A box of 8 kg on a ball joint that breaks at a force.
static bool holds(float break_force)
{
    sn_world *world = sleepy_world();
    sn_rigid box = add_box_at(world, 0.1f, 0.0f, -0.2f, 0.0f);
    sn_ball_def def = sn_ball_def_default();
    sn_constraint ball;
    def.common.a = sn_point_world(sn_v(0.0f, 0.0f, 0.0f));
    def.common.b = sn_point_rigid(box, sn_v(0.0f, 0.2f, 0.0f));
    def.common.break_force = break_force;
    must(sn_ball_add(world, &def, &ball));
    physics_run(world, frame, 1.0f);
    bool there = sn_constraint_is_valid(world, ball);
    sn_world_destroy(world);
    return there;
}

static void test_joints_break_at_their_force(void **state)
{
    (void)state;
    assert_true(holds(1.1f * 8.0f * 9.81f));
    assert_false(holds(0.9f * 8.0f * 9.81f));
}

// An arm of 8 kg, its mass centre 0.5 m from the hinge, lies level on the hinge's stop.
static void test_stops_and_ropes_tell_their_forces(void **state)
{
    (void)state;
    sn_world *world = sleepy_world();
    sn_rigid arm = add_box_at(world, 0.1f, 0.5f, 0.0f, 0.0f);
    sn_quat turn = sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), -1.57079633f); // x along the world's z
    sn_hinge_def def = sn_hinge_def_default();
    sn_constraint hinge, rope;
    def.common.a = sn_point_world_frame((sn_pose){sn_v(0.0f, 0.0f, 0.0f), turn});
    def.common.b = sn_point_rigid_frame(arm, (sn_pose){sn_v(-0.5f, 0.0f, 0.0f), turn});
    def.limit = true;
    def.lower = -0.001f;
    def.upper = 0.001f;
    must(sn_hinge_add(world, &def, &hinge));
    sn_rigid box = add_box_at(world, 0.1f, 3.0f, -1.0f, 0.0f);
    sn_distance_def distance = sn_distance_def_default();
    distance.common.a = sn_point_world(sn_v(3.0f, 0.0f, 0.0f));
    distance.common.b = sn_point_rigid(box, sn_v(0.0f, 0.0f, 0.0f));
    distance.upper = 1.0f;
    must(sn_distance_add(world, &distance, &rope));
    physics_run(world, frame, 0.4f);
    double torque = (double)sn_length(sn_constraint_torque(world, hinge));
    check_relative(torque, 8.0 * 9.81 * 0.5, 0.01, "torque of a stop");
    check_relative((double)sn_length(sn_constraint_force(world, rope)), 8.0 * 9.81, 0.01,
                   "force of a taut rope");
    sn_world_destroy(world);
}

static void test_balls_bounce_and_impacts_are_told(void **state)
{
    (void)state;
    sn_world *world = sleepy_world();
    sn_shape_def material = physics_material(0.5f, 0.8f);
    material.hit_events = true;
    physics_floor(world, material);
    sn_rigid ball = physics_sphere(world, material, 0.1f, physics_at(0.0f, 1.1f, 0.0f));
    int hits = 0;
    double highest = 0.0;
    for (int i = 0; i < 54; ++i) { // to the highest point after the first bounce
        must(sn_world_step(world, frame));
        hits += sn_world_events(world).hit_count;
        double height = (double)sn_rigid_position(world, ball).y - 0.1;
        highest = hits > 0 ? fmax(highest, height) : highest;
    }
    assert_int_equal(hits, 1);
    check_relative(highest, 0.64, 0.05, "height of a bounce, restitution 0.8, from 1 m");
    sn_world_destroy(world);
}

static void test_rolling_resistance_stops_a_ball(void **state)
{
    (void)state;
    double ways[2];
    for (int i = 0; i < 2; ++i) {
        sn_world *world = sleepy_world();
        sn_shape_def material = sn_shape_def_default();
        material.rolling_resistance = i == 0 ? 0.0f : 0.05f;
        physics_floor(world, material);
        sn_rigid ball = physics_sphere(world, material, 0.1f, physics_at(0.0f, 0.1f, 0.0f));
        must(sn_rigid_linear_velocity_set(world, ball, sn_v(1.0f, 0.0f, 0.0f)));
        must(sn_rigid_angular_velocity_set(world, ball, sn_v(0.0f, 0.0f, -10.0f)));
        physics_run(world, frame, 2.0f);
        ways[i] = (double)sn_rigid_position(world, ball).x;
        sn_world_destroy(world);
    }
    check_relative(ways[0], 2.0, 0.02, "way of a rolling ball in 2 s");
    check_below(ways[1], 1.6, "the same with rolling resistance");
}

// Boxes fall in leaning columns, turn as they land, and are found again where they have turned to.
static void test_columns_of_boxes_that_fall_do_not_burst(void **state)
{
    (void)state;
    enum { COLUMNS = 3, LAYERS = 10, BOXES = COLUMNS * COLUMNS * LAYERS };
    sn_world *world = sleepy_world();
    sn_shape_def material = physics_material(0.5f, 0.0f);
    sn_rigid boxes[BOXES];
    sn_quat rotation = sn_quat_axis_angle(sn_normalize(sn_v(1, 2, 3)), SN_PI / 9.0f);
    physics_floor(world, physics_material(0.6f, 0.0f));
    for (int i = 0; i < BOXES; ++i) {
        float x = (float)(i % COLUMNS), z = (float)(i / COLUMNS % COLUMNS),
              y = (float)(i / COLUMNS / COLUMNS);
        sn_vec3 place = {0.3f * x + 0.011f * z + 0.017f * y, 0.3f + 0.02f * (x + z) + 0.4f * y,
                         0.013f * x + 0.3f * z - 0.013f * y};
        boxes[i] = physics_box(world, material, sn_v(0.1f, 0.1f, 0.1f), (sn_pose){place, rotation});
    }
    double fastest = 0.0;
    for (int i = 0; i < 60; ++i) {
        must(sn_world_step(world, 1.0f / 60.0f));
        for (int k = 0; k < BOXES; ++k) {
            double up = (double)sn_rigid_linear_velocity(world, boxes[k]).y;
            fastest = up > fastest ? up : fastest;
        }
    }
    check_below(fastest, 1.5, "fastest upwards");
    sn_world_destroy(world);
}

// A stack, two boxes that a fixed joint makes one, a box that tears its joint off, a chain of hinges with a
// heavy end, and a cloth, nailed and held exactly, that a ball falls on.
static sn_world *make_all_sorts(sn_solver_type solver)
{
    sn_world_def def = sn_world_def_default();
    def.solver = solver;
    sn_world *world = position_world(&def);
    sn_rigid boxes[9];
    add_floor(world);
    for (int i = 0; i < 9; ++i) { // three each: in a stack, beside each other, and below each other
        float x = i < 3 ? 0.0f : i < 6 ? 0.7f + 0.2f * (float)(i - 3) : 3.0f;
        float y = i < 3 ? 0.1f + 0.2f * (float)i : i < 5 ? 0.1f : i == 5 ? 2.0f : 3.1f - 0.2f * (float)i;
        boxes[i] = add_box_at(world, i == 8 ? 0.3f : 0.1f, x, i == 8 ? y - 0.2f : y, 0.0f);
    }
    sn_fixed_def fixed = sn_fixed_def_default();
    fixed.common.a = sn_point_rigid(boxes[3], sn_v(0.1f, 0.0f, 0.0f));
    fixed.common.b = sn_point_rigid(boxes[4], sn_v(-0.1f, 0.0f, 0.0f));
    must(sn_fixed_add(world, &fixed, NULL));
    sn_ball_def torn = sn_ball_def_default();
    torn.common.a = sn_point_world(sn_v(1.1f, 2.1f, 0.0f));
    torn.common.b = sn_point_rigid(boxes[5], sn_v(0.0f, 0.1f, 0.0f));
    torn.common.break_force = 0.5f * 8.0f * 9.81f;
    must(sn_ball_add(world, &torn, NULL));
    for (int i = 6; i < 9; ++i) {
        sn_hinge_def hinge = sn_hinge_def_default();
        sn_pose at = {sn_v(0.0f, i == 8 ? 0.3f : 0.1f, 0.0f), sn_quat_identity};
        hinge.common.b = sn_point_rigid_frame(boxes[i], at);
        at.position = i > 6 ? sn_v(0.0f, -0.1f, 0.0f) : sn_v(3.0f, 2.0f, 0.0f);
        hinge.common.a = i > 6 ? sn_point_rigid_frame(boxes[i - 1], at) : sn_point_world_frame(at);
        must(sn_hinge_add(world, &hinge, NULL));
    }
    sn_mesh *mesh = NULL;
    must(sn_mesh_grid(1.0f, 1.0f, 8, 8, SN_GRID_ALTERNATING, &mesh));
    sn_deformable_def cloth = sn_deformable_def_default();
    sn_deformable sheet;
    cloth.mesh = mesh;
    cloth.pose.position = sn_v(-2.0f, 1.0f, 0.0f);
    cloth.inextensible.on = true;
    must(sn_deformable_add(world, &cloth, &sheet));
    for (int i = 0; i < sn_mesh_node_count(mesh); ++i) {
        sn_vec3 place = sn_deformable_nodes(world, sheet)[i].position;
        if (fabsf(place.x + 2.0f) > 0.49f) {
            sn_anchor_def nail = sn_anchor_def_default();
            nail.a = sn_point_node(sheet, i);
            nail.b = sn_point_world(place);
            nail.exact = place.x < -2.0f;
            must(sn_anchor_add(world, &nail, NULL));
        }
    }
    sn_mesh_destroy(mesh);
    add_ball_at(world, 0.1f, -2.0f, 1.4f, 0.0f);
    return world;
}

typedef struct told {
    const char *what;
    int count;
} told;

// What is told at the end, and what happened until then; returns how many there are.
static int tell_all(sn_solver_type solver, told *all)
{
    sn_world *world = make_all_sorts(solver);
    sn_events sum = {0};
    for (int i = 0; i < 180; ++i) {
        must(sn_world_step(world, frame));
        sn_events now = sn_world_events(world);
        sum.begin_count += now.begin_count;
        sum.break_count += now.break_count;
        sum.sleep_count += now.sleep_count;
        sum.deformable_begin_count += now.deformable_begin_count;
    }
    sn_statistics s = sn_world_statistics(world);
    const told list[] = {{"bodies", s.rigid_count},
                         {"awake bodies", s.awake_count},
                         {"constraints", s.constraint_count},
                         {"contacts", s.contact_count},
                         {"contact points", s.contact_point_count},
                         {"islands", s.island_count},
                         {"frozen bodies", s.frozen_count},
                         {"awake deformables", s.awake_deformable_count},
                         {"exact anchors", s.exact_count},
                         {"elements", s.element_count},
                         {"contacts of deformables", s.soft_contact_count},
                         {"bounds", s.bound_count},
                         {"unions", s.union_count},
                         {"chains kept in a plane", s.plane_count},
                         {"stretched deformables", s.stretched_count},
                         {"stretched joints", s.stretched_joint_count},
                         {"nodes that were stopped", s.cut_node_count},
                         {"touches", sum.begin_count},
                         {"breaks", sum.break_count},
                         {"falling asleep", sum.sleep_count},
                         {"touches of deformables", sum.deformable_begin_count}};
    int count = (int)(sizeof list / sizeof list[0]);
    for (int i = 0; i < count; ++i) {
        all[i] = list[i];
    }
    sn_world_destroy(world);
    return count;
}

static void test_both_solvers_tell_the_same(void **state)
{
    (void)state;
    told by_velocities[32], by_positions[32];
    int count = tell_all(SN_SOLVER_VELOCITY, by_velocities);
    tell_all(SN_SOLVER_POSITION, by_positions);
    for (int i = 0; i < count; ++i) {
        check_near((double)by_positions[i].count, (double)by_velocities[i].count, 0.0, "%s",
                   by_velocities[i].what);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {physics_test(test_what_is_at_rest_sleeps_and_wakes),
                                       physics_test(test_both_solvers_tell_the_same),
                                       physics_test(test_joints_break_at_their_force),
                                       physics_test(test_stops_and_ropes_tell_their_forces),
                                       physics_test(test_balls_bounce_and_impacts_are_told),
                                       physics_test(test_rolling_resistance_stops_a_ball),
                                       physics_test(test_columns_of_boxes_that_fall_do_not_burst)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Fine ropes and sheets that nothing holds: bounds along their threads (levels, long_range/levels.h).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/memory.h"
#include "support/world_kit.h"

enum { EDGES = 400 };
static const float rope_length = 2.0f;

static sn_world *make_world(bool bounds, sn_vec3 gravity)
{
    sn_world *world = NULL;
    sn_world_def def = sn_world_def_default();
    def.gravity = gravity;
    def.long_range.bounds = bounds;
    def.sleep = false;
    assert_ok(sn_world_create(&def, &world));
    return world;
}

static sn_deformable add_rope(sn_world *world, sn_vec3 place)
{
    sn_mesh *mesh = NULL;
    sn_deformable rope;
    sn_deformable_def def = sn_deformable_def_default();
    assert_ok(sn_mesh_line(rope_length, EDGES, &mesh));
    def.mesh = mesh;
    def.mass = 0.1f;
    def.thickness = 0.01f;
    def.inextensible.on = true;
    def.pose.position = place;
    assert_ok(sn_deformable_add(world, &def, &rope));
    sn_mesh_destroy(mesh);
    return rope;
}

static void test_fine_ropes_have_bounds_along_them_until_they_may_stretch(void **state)
{
    (void)state;
    sn_world *world = make_world(true, sn_v(0.0f, 0.0f, 0.0f));
    sn_deformable rope = add_rope(world, sn_v(0.0f, 0.0f, 0.0f));
    run_steps(world, 1);
    assert_int_equal(sn_world_statistics(world).bound_count, EDGES / 2 + EDGES / 4 + EDGES / 8);
    sn_inextensible stretches = sn_inextensible_default();
    stretches.on = false;
    assert_ok(sn_deformable_inextensible_set(world, rope, stretches));
    run_steps(world, 1);
    assert_int_equal(sn_world_statistics(world).bound_count, 0);
    sn_world_destroy(world);
}

static void test_bounds_that_are_switched_off_are_not_there(void **state)
{
    (void)state;
    sn_world *world = make_world(false, sn_v(0.0f, 0.0f, 0.0f));
    (void)add_rope(world, sn_v(0.0f, 0.0f, 0.0f));
    run_steps(world, 1);
    assert_int_equal(sn_world_statistics(world).bound_count, 0);
    sn_world_destroy(world);
}

// A rope that hangs from its first node. Bounds from every node to what holds it carry it, and levels
// nothing.
static sn_deformable hang_rope(sn_world *world)
{
    sn_deformable rope = add_rope(world, sn_v(0.0f, 0.0f, 0.0f));
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_ok(sn_deformable_edit(world, rope, &nodes, &velocities));
    for (int i = 0; i <= EDGES; ++i) {
        nodes[i].position = sn_v(0.0f, -rope_length * (float)i / (float)EDGES, 0.0f);
    }
    assert_ok(sn_node_fix(world, rope, 0, true));
    return rope;
}

// How far below its place the last node gets that is struck downwards at the end of a step [m].
static float fall_after_blow(int steps_at_rest)
{
    sn_world *world = make_world(true, sn_v(0.0f, -9.81f, 0.0f));
    sn_deformable rope = hang_rope(world);
    run_steps(world, steps_at_rest);
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_ok(sn_deformable_edit(world, rope, &nodes, &velocities));
    velocities[EDGES].velocity = sn_v(0.0f, -10.0f, 0.0f);
    float lowest = 0.0f;
    for (int i = 0; i < 10; ++i) {
        run_steps(world, 1);
        lowest = sn_min(lowest, sn_deformable_nodes(world, rope)[EDGES].position.y);
    }
    sn_world_destroy(world);
    return -lowest - rope_length;
}

static void test_bounds_at_rest_stop_a_blow_as_those_in_motion_do(void **state)
{
    (void)state;
    float moving = fall_after_blow(1), resting = fall_after_blow(300);
    assert_true(moving < 1.0e-3f * rope_length);
    assert_true(resting < sn_max(1.2f * moving, 1.0e-4f * rope_length));
}

// How far threads of a ribbon of two metres, 200 cells long, are stretched, on the whole, a second after it
// fell across a ball.
static float mean_stretch(bool bounds)
{
    sn_world *world = make_world(bounds, sn_v(0.0f, -9.81f, 0.0f));
    sn_rigid_def body = sn_rigid_def_default();
    sn_shape_def material = sn_shape_def_default();
    sn_rigid ball;
    body.type = SN_STATIC;
    assert_ok(sn_rigid_add(world, &body, &ball));
    assert_ok(sn_sphere_add(world, ball, &material, (sn_sphere){.radius = 0.5f}, NULL));
    sn_mesh *mesh = NULL;
    sn_deformable ribbon;
    sn_deformable_def def = sn_deformable_def_default();
    assert_ok(sn_mesh_grid(2.0f, 0.05f, 200, 5, SN_GRID_ALTERNATING, &mesh));
    def.mesh = mesh;
    def.mass = 0.02f;
    def.inextensible.on = true;
    def.pose.position = sn_v(0.0f, 0.55f, 0.0f);
    def.pose.rotation = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), -0.5f * SN_PI);
    assert_ok(sn_deformable_add(world, &def, &ribbon));
    sn_mesh_destroy(mesh);
    run_steps(world, 60);
    float stretch = sn_deformable_measure_now(world, ribbon).mean_stretch;
    sn_world_destroy(world);
    return stretch;
}

static void test_a_fine_ribbon_over_a_ball_hardly_stretches(void **state)
{
    (void)state;
    float with = mean_stretch(true), without = mean_stretch(false);
    assert_true(with < 0.003f);
    assert_true(with < 0.25f * without);
}

static void test_levels_keep_momenta(void **state)
{
    (void)state;
    sn_world *world = make_world(true, sn_v(0.0f, 0.0f, 0.0f));
    sn_deformable rope = add_rope(world, sn_v(0.0f, 0.0f, 0.0f));
    sn_node_state *nodes = NULL;
    sn_node_velocity *velocities = NULL;
    assert_ok(sn_deformable_edit(world, rope, &nodes, &velocities));
    for (int i = 0; i <= EDGES; ++i) {
        sn_vec3 p = nodes[i].position;
        velocities[i].velocity = sn_v(0.3f - p.z, 3.0f * p.x, i % 50 < 25 ? 0.5f : -0.2f);
    }
    sn_energy before = sn_world_energy(world);
    run_steps(world, 1000);
    sn_energy after = sn_world_energy(world);
    double size = 0.0, turning = 0.0, lost = 0.0, turned = 0.0;
    for (int k = 0; k < 3; ++k) {
        size += before.momentum[k] * before.momentum[k];
        turning += before.angular_momentum[k] * before.angular_momentum[k];
        lost += (after.momentum[k] - before.momentum[k]) * (after.momentum[k] - before.momentum[k]);
        turned += (after.angular_momentum[k] - before.angular_momentum[k]) *
                  (after.angular_momentum[k] - before.angular_momentum[k]);
    }
    assert_true(lost < 1.0e-10 * size);
    assert_true(turned < 1.0e-10 * turning);
    assert_true(after.kinetic <= before.kinetic);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_fine_ropes_have_bounds_along_them_until_they_may_stretch),
        test_with_memory(test_bounds_that_are_switched_off_are_not_there),
        test_with_memory(test_bounds_at_rest_stop_a_blow_as_those_in_motion_do),
        test_with_memory(test_a_fine_ribbon_over_a_ball_hardly_stretches),
        test_with_memory(test_levels_keep_momenta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

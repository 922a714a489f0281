// Nothing passes through a deformable, however fast, small or thin it is, and a deformable does not pass
// through anything; what overlaps from the start is told and may come out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collision/guard/soft_guard.h"
#include "support/crossings.h"
#include "support/random.h"
#include "support/soft_kit.h"
#include "world/core/world.h"

enum { CELLS = 10, NODES = (CELLS + 1) * (CELLS + 1) };

static sn_world *world;
static sn_mesh *sheet, *box;

static int set_up(void **state)
{
    (void)state;
    sn_world_def def = sn_world_def_default();
    def.guard = true;
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    world->verifies_guard = true;
    assert_int_equal(sn_mesh_grid(1.0f, 1.0f, CELLS, CELLS, SN_GRID_ALTERNATING, &sheet), SN_OK);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    int let_through = world->let_through;
    sn_world_destroy(world);
    sn_mesh_destroy(sheet);
    sn_mesh_destroy(box);
    box = NULL;
    return let_through;
}

// A level cloth at that height, held at its rim.
static sn_deformable add_cloth(float height, bool held)
{
    sn_deformable_def def = sn_deformable_def_default();
    sn_deformable cloth;
    def.mesh = sheet;
    def.pose = (sn_pose){sn_v(0.0f, height, 0.0f), sn_quat_axis_angle(sn_v(1, 0, 0), -0.5f * SN_PI)};
    def.mass = 0.5f;
    def.inextensible.on = true;
    def.self_collide = true;
    assert_int_equal(sn_deformable_add(world, &def, &cloth), SN_OK);
    for (int i = 0; held && i < NODES; ++i) {
        int x = i % (CELLS + 1), y = i / (CELLS + 1);
        if (x == 0 || y == 0 || x == CELLS || y == CELLS) {
            assert_int_equal(sn_node_fix(world, cloth, i, true), SN_OK);
        }
    }
    return cloth;
}

static sn_rigid add_body(sn_vec3 position, sn_vec3 velocity)
{
    sn_rigid_def def = sn_rigid_def_default();
    sn_rigid rigid;
    def.position = position;
    def.linear_velocity = velocity;
    assert_int_equal(sn_rigid_add(world, &def, &rigid), SN_OK);
    return rigid;
}

static sn_rigid add_ball(float radius, sn_vec3 position, float speed)
{
    sn_rigid ball = add_body(position, sn_v(0.0f, -speed, 0.0f));
    sn_shape_def look = sn_shape_def_default();
    assert_int_equal(sn_sphere_add(world, ball, &look, (sn_sphere){{0}, radius}, NULL), SN_OK);
    return ball;
}

static void assert_above(sn_rigid rigid, float height)
{
    for (int i = 0; i < 20; ++i) {
        assert_int_equal(sn_world_step(world, 0.02f), SN_OK);
        assert_true(sn_rigid_position(world, rigid).y > height);
    }
    assert_int_equal(sn_world_statistics(world).frozen_count, 0);
    assert_int_equal(sn_world_statistics(world).frozen_node_count, 0);
}

static void test_a_ball_smaller_than_a_cell_does_not_get_through_at_1000_m_per_s(void **state)
{
    (void)state;
    add_cloth(0.0f, true);
    assert_above(add_ball(0.01f, sn_v(0.033f, 0.2f, 0.021f), 1000.0f), -1.0f);
}

static void test_a_thin_rod_does_not_get_through(void **state)
{
    (void)state;
    add_cloth(0.0f, true);
    sn_rigid rod = add_body(sn_v(0.01f, 0.3f, 0.02f), sn_v(0.0f, -20.0f, 0.0f));
    sn_shape_def look = sn_shape_def_default();
    sn_capsule shape = {sn_v(0.0f, -0.1f, 0.01f), sn_v(0.0f, 0.1f, 0.0f), 0.0025f};
    assert_int_equal(sn_capsule_add(world, rod, &look, shape, NULL), SN_OK);
    assert_above(rod, -1.0f);
}

static void test_a_cloth_thrown_at_an_edge_neither_crosses_it_nor_itself(void **state)
{
    (void)state;
    sn_deformable cloth = add_cloth(1.0f, false);
    sn_rigid_def def = sn_rigid_def_default();
    sn_shape_def look = sn_shape_def_default();
    sn_rigid edge;
    def.type = SN_STATIC;
    def.rotation = sn_quat_axis_angle(sn_v(0, 0, 1), 0.25f * SN_PI);
    assert_int_equal(sn_rigid_add(world, &def, &edge), SN_OK);
    assert_int_equal(sn_box_add(world, edge, &look, (sn_box){sn_v(0.3f, 0.3f, 2.0f)}, NULL), SN_OK);
    sn_node_state *edited;
    sn_node_velocity *velocities;
    assert_int_equal(sn_deformable_edit(world, cloth, &edited, &velocities), SN_OK);
    for (int i = 0; i < NODES; ++i) {
        velocities[i].velocity = sn_v(0.0f, -40.0f, 0.0f);
    }
    for (int i = 0; i < 60; ++i) {
        assert_int_equal(sn_world_step(world, 0.02f), SN_OK);
        const sn_node_state *nodes = sn_deformable_nodes(world, cloth);
        assert_int_equal(count_crossings(nodes, sheet), 0);
        for (int k = 0; k < NODES; ++k) {
            sn_vec3 p = nodes[k].position;
            assert_true(sn_abs(p.x) + sn_abs(p.y) > 0.3f * 1.41421f - 1.0e-4f || sn_abs(p.z) > 2.0f);
        }
    }
}

// Over its length at rest.
static float longest_edge(sn_deformable cloth)
{
    const sn_node_state *nodes = sn_deformable_nodes(world, cloth);
    float longest = 0.0f;
    for (int i = 0; i < sn_mesh_edge_count(sheet); ++i) {
        const uint32_t *edge = sn_mesh_edges(sheet) + 2 * i;
        float length = sn_length(sn_sub(nodes[edge[0]].position, nodes[edge[1]].position));
        longest = sn_max(longest, length / sn_mesh_edge_length(sheet, i));
    }
    return longest;
}

// What comes faster than detection looks is stopped by the guard, in the middle only; its rim must not go on
// alone.
static void test_what_is_held_back_takes_its_neighbours_with_it(void **state)
{
    (void)state;
    sn_deformable cloth = add_cloth(1.0f, false), held = add_cloth(0.0f, true);
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_int_equal(sn_deformable_edit(world, cloth, &nodes, &velocities), SN_OK);
    for (int i = 0; i < NODES; ++i) {
        nodes[i].position.x += 0.5f;
        velocities[i].velocity = sn_v(0.0f, -200.0f, 0.0f);
    }
    int cuts = 0;
    float longest = 0.0f;
    for (int i = 0; i < 10; ++i) {
        assert_int_equal(sn_world_step(world, 0.02f), SN_OK);
        cuts += sn_world_statistics(world).cut_node_count;
        longest = sn_max(longest, longest_edge(cloth));
    }
    assert_true(cuts > 0);
    assert_true(longest < 2.5f); // 27 if nodes are held back alone
    assert_true(longest_edge(held) < 1.2f);
}

// Held back with all of its velocity it would want the same in every step, and stand still in the air.
static void test_a_crumpled_cloth_flies_on_with_its_momentum(void **state)
{
    (void)state;
    sn_deformable cloth = add_cloth(0.0f, false);
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_int_equal(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)), SN_OK);
    assert_int_equal(sn_deformable_edit(world, cloth, &nodes, &velocities), SN_OK);
    for (int i = 0; i < NODES; ++i) { // its rim is thrown at its middle
        sn_vec3 p = nodes[i].position;
        velocities[i].velocity = sn_add_scaled(sn_v(20.0f, 0.0f, 0.0f), 600.0f, sn_v(-p.x, p.x * p.z, -p.z));
    }
    int cuts = 0;
    for (int i = 0; i < 40; ++i) {
        float before = sn_deformable_measure_now(world, cloth).center.x;
        assert_int_equal(sn_world_step(world, 0.02f), SN_OK);
        cuts += sn_world_statistics(world).cut_node_count;
        sn_deformable_measure now = sn_deformable_measure_now(world, cloth);
        float way = 0.02f * now.velocity.x; // in the world half the steps go less than half of it
        assert_true(sn_abs(now.center.x - before - way) < 0.1f * way);
        assert_true(sn_abs(now.velocity.x - 20.0f) < 1.0e-4f);
    }
    assert_true(cuts > 0);
    assert_int_equal(count_crossings(sn_deformable_nodes(world, cloth), sheet), 0);
}

static void test_quiet_contact_is_not_cut(void **state)
{
    (void)state;
    add_cloth(0.0f, true);
    add_ball(0.1f, sn_v(0.0f, 0.12f, 0.0f), 0.0f);
    int cut = 0;
    for (int i = 0; i < 50; ++i) {
        assert_int_equal(sn_world_step(world, 0.02f), SN_OK);
        cut += sn_world_statistics(world).cut_node_count + sn_world_statistics(world).cut_body_count;
    }
    assert_int_equal(cut, 0);
}

// Ten soft boxes crush the lowest ones, whose inverted elements are put right among the others.
// Its far corners go six centimetres in a step, and the cloth that goes along is half a centimetre away.
static void test_a_wide_plate_that_turns_with_a_cloth_is_not_held_back(void **state)
{
    (void)state;
    const sn_vec3 spin = {0.0f, 0.0f, 1.5f};
    assert_int_equal(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)), SN_OK);
    sn_deformable cloth = add_cloth(-0.0555f, false);
    sn_shape_def look = sn_shape_def_default();
    sn_rigid plate = add_body(sn_v(-1.2f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f));
    assert_int_equal(sn_box_add(world, plate, &look, (sn_box){sn_v(2.0f, 0.05f, 2.0f)}, NULL), SN_OK);
    assert_int_equal(sn_rigid_angular_velocity_set(world, plate, spin), SN_OK);
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_int_equal(sn_deformable_edit(world, cloth, &nodes, &velocities), SN_OK);
    for (int i = 0; i < NODES; ++i) {
        velocities[i].velocity = sn_cross(spin, sn_sub(nodes[i].position, sn_v(-1.2f, 0.0f, 0.0f)));
    }
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(sn_world_step(world, 0.02f), SN_OK);
        assert_int_equal(sn_world_statistics(world).cut_body_count, 0);
        assert_int_equal(sn_world_statistics(world).cut_node_count, 0);
    }
    assert_near(2.0f * sn_rigid_rotation(world, plate).z, 5.0f * 0.02f * spin.z, 1.0e-3f);
}

static void test_what_is_put_right_does_not_cross_what_is_around_it(void **state)
{
    (void)state;
    sn_shape_def look = sn_shape_def_default();
    sn_rigid_def floor_def = sn_rigid_def_default();
    sn_rigid floor;
    floor_def.type = SN_STATIC;
    assert_int_equal(sn_rigid_add(world, &floor_def, &floor), SN_OK);
    assert_int_equal(sn_plane_add(world, floor, &look, (sn_plane){sn_v(0.0f, 1.0f, 0.0f), 0.0f}, NULL),
                     SN_OK);
    assert_int_equal(sn_mesh_box(sn_v(0.4f, 0.18f, 0.4f), 4, 2, 4, &box), SN_OK);
    for (int i = 0; i < 10; ++i) {
        sn_deformable_def def = sn_deformable_def_default();
        def.mesh = box;
        def.pose.position = sn_v(0.0f, 0.16f + 0.2f * (float)i, 0.0f);
        def.model = sn_model_corotational(2.0e4f, 0.45f);
        def.model.damping = 0.02f;
        assert_int_equal(sn_deformable_add(world, &def, NULL), SN_OK);
    }
    for (int i = 0; i < 60; ++i) {
        assert_int_equal(sn_world_step(world, 0.02f), SN_OK);
        assert_int_equal(sn_world_statistics(world).crossing_count, 0);
    }
}

// One node of a level sheet is thrown across its neighbours within the plane, which turns faces over without
// any height; the others move by a hair, up or down, so that edges beside them may end on the wrong side.
static void throw_nodes_across(int steps, float duration)
{
    test_random random = {7};
    sn_mesh *small = NULL;
    assert_int_equal(sn_mesh_grid(0.4f, 0.4f, 4, 4, SN_GRID_ALTERNATING, &small), SN_OK);
    assert_int_equal(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)), SN_OK);
    int cuts = 0;
    for (int round = 0; round < 400; ++round) {
        sn_deformable_def def = sn_deformable_def_default();
        sn_deformable cloth;
        sn_node_state *nodes;
        sn_node_velocity *velocities;
        def.mesh = small;
        def.mass = 0.1f;
        def.model = sn_model_springs(1.0f, 0.0f);
        def.thickness = 0.001f;
        def.self_collide = true;
        assert_int_equal(sn_deformable_add(world, &def, &cloth), SN_OK);
        assert_int_equal(sn_deformable_edit(world, cloth, &nodes, &velocities), SN_OK);
        int count = sn_mesh_node_count(small);
        for (int i = 0; i < count; ++i) {
            velocities[i].velocity.z = test_random_float(&random, -0.5f, 0.5f);
        }
        sn_vec3 *thrown = &velocities[test_random_u32(&random) % (uint32_t)count].velocity;
        thrown->x = test_random_float(&random, -10.0f, 10.0f);
        thrown->y = test_random_float(&random, -10.0f, 10.0f);
        for (int i = 0; i < steps; ++i) {
            assert_int_equal(sn_world_step(world, duration), SN_OK);
            assert_int_equal(count_crossings(sn_deformable_nodes(world, cloth), small), 0);
            cuts += sn_world_statistics(world).cut_node_count;
        }
        assert_int_equal(sn_deformable_remove(world, cloth), SN_OK);
    }
    assert_true(cuts > 0);
    sn_mesh_destroy(small);
}

static void test_a_face_that_is_turned_over_in_its_plane_lets_no_edge_through(void **state)
{
    (void)state;
    throw_nodes_across(1, 0.02f);
}

// Faces get thin before they are turned over, little by little.
static void test_a_face_that_is_pressed_thin_in_its_plane_lets_no_edge_through(void **state)
{
    (void)state;
    throw_nodes_across(20, 0.002f);
}

// How many edges of one sheet pierce the other.
static int count_between(sn_deformable a, sn_deformable b)
{
    sn_node_state both[2 * NODES];
    memcpy(both, sn_deformable_nodes(world, a), NODES * sizeof *both);
    memcpy(both + NODES, sn_deformable_nodes(world, b), NODES * sizeof *both);
    crossing_grid grid = {.nodes = both};
    int count = 0;
    for (int i = 0; i < sn_mesh_edge_count(sheet); ++i) {
        for (int k = 0; k < sn_mesh_triangle_count(sheet); ++k) {
            const uint32_t *ends = sn_mesh_edges(sheet) + 2 * i, *corners = sn_mesh_triangles(sheet) + 3 * k;
            uint32_t face[3] = {corners[0] + NODES, corners[1] + NODES, corners[2] + NODES};
            count += crossing_pierces(&grid, ends, face) ? 1 : 0;
        }
    }
    return count;
}

// Both are crumpled so that each crosses itself all over, and the one is thrown at the other.
static void test_what_is_tangled_in_itself_does_not_pass_through_another_one(void **state)
{
    (void)state;
    test_random random = {3};
    sn_deformable cloths[2] = {add_cloth(0.0f, false), add_cloth(0.5f, false)};
    for (int i = 0; i < 2; ++i) {
        sn_node_state *nodes;
        sn_node_velocity *velocities;
        assert_int_equal(sn_deformable_edit(world, cloths[i], &nodes, &velocities), SN_OK);
        for (int k = 0; k < NODES; ++k) {
            nodes[k].position = sn_add(nodes[k].position, test_random_vec3(&random, 0.15f));
        }
        for (int k = 0; k < NODES && i == 1; ++k) {
            velocities[k].velocity = sn_v(0.0f, -100.0f, 0.0f);
        }
    }
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(sn_world_step(world, 0.02f), SN_OK);
        assert_true(sn_world_statistics(world).crossing_count > 0);
        assert_int_equal(count_between(cloths[0], cloths[1]) + count_between(cloths[1], cloths[0]), 0);
    }
}

// Both ends turn, one way and the other, a turn of the whole in a second, until no room is left.
static void test_ends_that_wring_a_cloth_leave_it_uncrossed(void **state)
{
    (void)state;
    sn_deformable_def def = sn_deformable_def_default();
    sn_deformable towel;
    assert_int_equal(sn_mesh_grid(0.3f, 1.0f, CELLS, 2 * CELLS, SN_GRID_ALTERNATING, &box), SN_OK);
    def.mesh = box;
    def.mass = 0.2f;
    def.inextensible.on = def.self_collide = true;
    def.linear_damping = 1.5f;
    assert_int_equal(sn_deformable_add(world, &def, &towel), SN_OK);
    for (int i = 0; i < 2 * (CELLS + 1); ++i) {
        int node = i / 2 + i % 2 * 2 * CELLS * (CELLS + 1);
        assert_int_equal(sn_node_fix(world, towel, node, true), SN_OK);
    }
    for (int step = 0; step < 250; ++step) {
        float turns = 0.02f * (float)(step + 1), half = 0.5f - 0.175f * sn_min(turns, 1.0f);
        for (int i = 0; i < 2 * (CELLS + 1); ++i) {
            float side = i % 2 == 0 ? -1.0f : 1.0f, angle = side * SN_PI * turns;
            float at = 0.3f * ((float)(i / 2) / CELLS - 0.5f);
            sn_vec3 target = {at * sn_cos(angle), at * sn_sin(angle), -side * half};
            int node = i / 2 + i % 2 * 2 * CELLS * (CELLS + 1);
            assert_int_equal(sn_node_target_set(world, towel, node, target), SN_OK);
        }
        assert_int_equal(sn_world_step(world, 0.02f), SN_OK);
        assert_int_equal(count_crossings(sn_deformable_nodes(world, towel), box), 0);
    }
}

static void test_what_is_moved_to_a_target_waits_for_what_cannot_give_way(void **state)
{
    (void)state;
    sn_deformable below = add_cloth(0.0f, false), above = add_cloth(0.1f, false);
    for (int i = 0; i < NODES; ++i) {
        assert_int_equal(sn_node_fix(world, below, i, true), SN_OK);
        assert_int_equal(sn_node_fix(world, above, i, true), SN_OK);
        sn_vec3 there = sn_deformable_nodes(world, above)[i].position;
        there.y = -0.3f;
        assert_int_equal(sn_node_target_set(world, above, i, there), SN_OK);
    }
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(sn_world_step(world, 0.02f), SN_OK);
        assert_true(sn_deformable_nodes(world, above)[NODES / 2].position.y > 0.0f);
    }
    assert_int_equal(sn_deformable_remove(world, below), SN_OK);
    assert_int_equal(sn_world_step(world, 0.02f), SN_OK);
    assert_near(sn_deformable_nodes(world, above)[NODES / 2].position.y, -0.3f, 1.0e-6f);
}

// One of two sheets is put through the other, as if a step had done it.
static void test_verification_sees_what_a_step_let_through(void **state)
{
    (void)state;
    (void)add_cloth(0.0f, false);
    sn_deformable upper = add_cloth(0.05f, false);
    sn_soft_scene scene;
    sn_vec3 starts[2 * NODES + 1]; // and the dummy
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_int_equal(sn_world_step(world, 1.0e-3f), SN_OK);
    assert_int_equal(world->nodes.states.count, 2 * NODES + 1);
    for (int i = 0; i < 2 * NODES + 1; ++i) {
        starts[i] = world->nodes.states.data[i].position;
    }
    assert_true(sn_soft_describe(world, 1.0e-3f, &scene));
    assert_int_equal(sn_soft_guard_verify(&scene, starts), 0);
    assert_int_equal(sn_deformable_edit(world, upper, &nodes, &velocities), SN_OK);
    nodes[NODES / 2].position.y -= 0.1f;
    nodes[NODES / 2].position.x += 0.01f;
    nodes[NODES / 2].position.z += 0.017f;
    assert_true(sn_soft_guard_verify(&scene, starts) > 0);
    starts[nodes - world->nodes.states.data + NODES / 2] = nodes[NODES / 2].position;
    assert_int_equal(sn_soft_guard_verify(&scene, starts), 0); // it was there when the step began
}

static void test_what_overlaps_from_the_start_is_counted(void **state)
{
    (void)state;
    add_cloth(0.0f, true);
    sn_deformable other = add_cloth(0.0f, false);
    const sn_quat turn = sn_quat_axis_angle(sn_v(1, 0, 0), 0.3f);
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_int_equal(sn_deformable_edit(world, other, &nodes, &velocities), SN_OK);
    for (int i = 0; i < NODES; ++i) {
        nodes[i].position = sn_add(sn_rotate(turn, nodes[i].position), sn_v(0.0f, 0.01f, 0.0f));
    }
    assert_int_equal(sn_world_step(world, 0.02f), SN_OK);
    assert_true(sn_world_statistics(world).crossing_count > 0);
}

// Pairs of faces that cross while a block stands on the floor, its lowest layer fixed, `sunk` in it.
static int crossings_of_fixed_block(float sunk)
{
    sn_mesh *block = NULL;
    sn_shape_def look = sn_shape_def_default();
    assert_int_equal(
        sn_plane_add(world, sn_world_ground(world), &look, (sn_plane){sn_v(0.0f, 1.0f, 0.0f), 0.0f}, NULL),
        SN_OK);
    assert_int_equal(sn_mesh_box(sn_v(0.4f, 0.2f, 0.4f), 4, 2, 4, &block), SN_OK);
    sn_deformable_def def = sn_deformable_def_default();
    sn_deformable deformable;
    def.mesh = block;
    def.pose.position = sn_v(0.0f, 0.1f - sunk, 0.0f);
    def.model = sn_model_corotational(2.0e4f, 0.45f);
    assert_int_equal(sn_deformable_add(world, &def, &deformable), SN_OK);
    for (int i = 0; i < sn_mesh_node_count(block); ++i) {
        if (sn_mesh_nodes(block)[i].y < -0.09f) {
            assert_int_equal(sn_node_fix(world, deformable, i, true), SN_OK);
        }
    }
    assert_int_equal(sn_world_step(world, 0.02f), SN_OK);
    sn_mesh_destroy(block);
    return sn_world_statistics(world).crossing_count;
}

static void test_fixed_nodes_on_the_floor_do_not_count_as_crossing(void **state)
{
    (void)state;
    assert_int_equal(crossings_of_fixed_block(0.0f), 0);
}

static void test_what_reaches_into_the_floor_beside_fixed_nodes_counts(void **state)
{
    (void)state;
    assert_true(crossings_of_fixed_block(0.15f) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_ball_smaller_than_a_cell_does_not_get_through_at_1000_m_per_s,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_thin_rod_does_not_get_through, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_cloth_thrown_at_an_edge_neither_crosses_it_nor_itself, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_held_back_takes_its_neighbours_with_it, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_a_crumpled_cloth_flies_on_with_its_momentum, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_quiet_contact_is_not_cut, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_wide_plate_that_turns_with_a_cloth_is_not_held_back, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_put_right_does_not_cross_what_is_around_it, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_a_face_that_is_turned_over_in_its_plane_lets_no_edge_through,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_face_that_is_pressed_thin_in_its_plane_lets_no_edge_through,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_tangled_in_itself_does_not_pass_through_another_one,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_ends_that_wring_a_cloth_leave_it_uncrossed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_moved_to_a_target_waits_for_what_cannot_give_way, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_verification_sees_what_a_step_let_through, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_overlaps_from_the_start_is_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fixed_nodes_on_the_floor_do_not_count_as_crossing, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_what_reaches_into_the_floor_beside_fixed_nodes_counts, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

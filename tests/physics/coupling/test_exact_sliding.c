// Exact anchors that slide along surfaces, through the public interface: rings on ropes, beads on sheets.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/near.h"
#include "support/random.h"
#include "support/soft_kit.h"

static const float gravity = 9.81f;

// A strand or sheet along x, turned about z, whose nodes are all fixed.
static sn_deformable add_rail(sn_world *world, sn_mesh *mesh, float angle, float z)
{
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.0f, z));
    def.pose.rotation = sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), angle);
    def.mass = 1.0f;
    sn_deformable rail = soft_add(world, &def);
    for (int i = 0; i < sn_mesh_node_count(mesh); ++i) {
        assert_ok(sn_node_fix(world, rail, i, true));
    }
    sn_mesh_destroy(mesh);
    return rail;
}

static sn_mesh *line(float length, int edges)
{
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_line(length, edges, &mesh));
    return mesh;
}

static sn_rigid add_ring(sn_world *world, sn_vec3 place)
{
    return physics_box(world, sn_shape_def_default(), sn_v(0.05f, 0.02f, 0.03f),
                       (sn_pose){place, sn_quat_identity});
}

static sn_anchor slide(sn_world *world, sn_point point, sn_deformable surface, float friction)
{
    sn_anchor_def def = sn_anchor_def_default();
    def.a = point;
    def.b = sn_point_surface(surface);
    def.exact = true;
    def.friction = friction;
    sn_anchor anchor = {0};
    if (sn_anchor_add(world, &def, &anchor) != SN_OK) {
        fail_msg("%s", sn_world_error(world));
    }
    return anchor;
}

// Four units in the last place of coordinates up to 2 m.
static const float rounding = 4.0f * 2.4e-7f;

// --- rings -------------------------------------------------------------------------------------------------

static void check_ring(float angle, float friction)
{
    sn_world *world = soft_restless_world();
    sn_deformable rail = add_rail(world, line(4.0f, 37), angle, 0.0f);
    sn_vec3 downhill = {-sn_cos(angle), -sn_sin(angle), 0.0f};
    sn_rigid ring = add_ring(world, sn_scale(downhill, -1.0f));
    sn_anchor anchor = slide(world, sn_point_rigid(ring, sn_v(0.0f, 0.0f, 0.0f)), rail, friction);
    assert_int_equal(sn_anchor_hold_now(world, anchor), SN_ANCHOR_EXACT);
    float acceleration = gravity * (sn_sin(angle) - friction * sn_cos(angle)), time = 30.0f * frame;
    for (int i = 0; i < 30; ++i) {
        run_steps(world, 1);
        assert_true(sn_anchor_error(world, anchor) <= rounding);
    }
    float speed = sn_dot(sn_rigid_linear_velocity(world, ring), downhill);
    if (acceleration > 0.0f) {
        assert_near(speed / (acceleration * time), 1.0f, 0.01f);
    } else {
        assert_near(speed, 0.0f, 1.0e-5f);
        assert_near3(sn_rigid_pose(world, ring).position, sn_scale(downhill, -1.0f), 2.0e-6f);
    }
    sn_world_destroy(world);
}

static void test_a_ring_on_a_straight_rope_slides_as_coulomb_says(void **state)
{
    (void)state;
    check_ring(0.5f, 0.0f);
    check_ring(0.5f, 0.3f);
    check_ring(0.5f, 0.6f);
    check_ring(1.2f, 0.0f);
}

// Its mass centre swings below the rope while the ring slides: energy is kept, and no momentum comes from
// anywhere.
static void test_a_swinging_ring_keeps_its_energy(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_deformable rail = add_rail(world, line(4.0f, 37), 0.0f, 0.0f);
    sn_rigid ring =
        physics_box(world, sn_shape_def_default(), sn_v(0.1f, 0.1f, 0.1f), physics_at(0.15f, -0.2f, 0.0f));
    sn_anchor anchor = slide(world, sn_point_on_rigid(world, ring, sn_v(0.0f, 0.0f, 0.0f)), rail, 0.0f);
    float mass = sn_rigid_mass(world, ring).mass, before = -0.2f * mass * gravity;
    for (int i = 0; i < 240; ++i) {
        run_steps(world, 1);
        assert_true(sn_anchor_error(world, anchor) <= rounding);
        sn_pose pose = sn_rigid_pose(world, ring);
        sn_vec3 v = sn_rigid_linear_velocity(world, ring), w = sn_rigid_angular_velocity(world, ring);
        float inertia = mass / 3.0f * (0.1f * 0.1f + 0.1f * 0.1f); // it swings about z
        float energy =
            0.5f * mass * sn_dot(v, v) + 0.5f * inertia * sn_dot(w, w) + mass * gravity * pose.position.y;
        assert_near(energy / before, 1.0f, 0.01f);
        assert_near(v.x, 0.0f, 0.01f); // nothing pulls along the rope
    }
    sn_world_destroy(world);
}

static void test_a_ring_stops_at_the_end_of_a_rope(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_deformable rail = add_rail(world, line(2.0f, 10), 0.3f, 0.0f);
    sn_rigid ring = add_ring(world, sn_v(0.0f, 0.0f, 0.0f));
    sn_anchor anchor = slide(world, sn_point_rigid(ring, sn_v(0.0f, 0.0f, 0.0f)), rail, 0.0f);
    run_steps(world, 90);
    assert_near3(sn_rigid_pose(world, ring).position, sn_v(-sn_cos(0.3f), -sn_sin(0.3f), 0.0f), 1.0e-6f);
    assert_near3(sn_rigid_linear_velocity(world, ring), sn_v(0.0f, 0.0f, 0.0f), 1.0e-4f);
    assert_near3(sn_anchor_force(world, anchor), sn_v(0.0f, -gravity * sn_rigid_mass(world, ring).mass, 0.0f),
                 1.0e-2f);
    sn_world_destroy(world);
}

// --- ropes that move ---------------------------------------------------------------------------------------

// A taut rope between two nails, 1 kg, and a ring of a fifth of that on it: it runs down to the middle, and
// is on the rope all the time.
static void test_a_ring_on_a_hanging_rope_stays_on_it(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_mesh *mesh = line(2.0f, 40);
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.0f, 0.0f));
    def.mass = 1.0f;
    def.inextensible.on = true;
    sn_deformable rope = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    assert_ok(sn_node_fix(world, rope, 0, true));
    assert_ok(sn_node_fix(world, rope, 40, true));
    sn_rigid ring = add_ring(world, sn_v(-0.8f, 0.0f, 0.0f));
    sn_anchor anchor = slide(world, sn_point_rigid(ring, sn_v(0.0f, 0.0f, 0.0f)), rope, 0.1f);
    for (int i = 0; i < 240; ++i) {
        run_steps(world, 1);
        assert_true(sn_anchor_error(world, anchor) <= rounding);
        assert_true(sn_length(sn_rigid_linear_velocity(world, ring)) < 5.0f);
    }
    sn_world_destroy(world);
}

// A free rope and a free ring far from everything.
static void test_a_ring_and_a_rope_keep_their_momentum(void **state)
{
    (void)state;
    sn_world *world = physics_world_without_gravity();
    sn_deformable rope = soft_rope(world, 20, sn_v(0.0f, 0.0f, 0.0f));
    sn_rigid ring = add_ring(world, sn_v(-0.3f, 0.0f, 0.0f));
    assert_ok(sn_rigid_linear_velocity_set(world, ring, sn_v(1.0f, 0.3f, 0.2f)));
    sn_anchor anchor = slide(world, sn_point_rigid(ring, sn_v(0.0f, 0.0f, 0.0f)), rope, 0.05f);
    sn_vec3 before = sn_scale(sn_rigid_linear_velocity(world, ring), sn_rigid_mass(world, ring).mass);
    run_steps(world, 30);
    assert_true(sn_anchor_error(world, anchor) <= rounding);
    sn_vec3 after = sn_scale(sn_rigid_linear_velocity(world, ring), sn_rigid_mass(world, ring).mass);
    for (int i = 0; i <= 20; ++i) {
        float mass = 1.0f / sn_deformable_nodes(world, rope)[i].inverse_mass;
        after = sn_add_scaled(after, mass, sn_deformable_velocities(world, rope)[i].velocity);
    }
    assert_near3(after, before, 2.0e-6f * sn_length(before));
    sn_world_destroy(world);
}

// A body that hangs on two ropes by two rings: both links move it, and are solved together. One ring is ahead
// of the other, so that the body can turn when it must.
static void test_a_body_slides_on_two_ropes(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_deformable left = add_rail(world, line(4.0f, 30), 0.2f, -0.2f);
    sn_deformable right = add_rail(world, line(4.0f, 23), 0.2f, 0.2f);
    float slope = sn_sin(0.2f) / sn_cos(0.2f);
    sn_rigid body = physics_box(world, sn_shape_def_default(), sn_v(0.15f, 0.15f, 0.15f),
                                physics_at(1.0f, slope - 0.2f, 0.0f));
    sn_point points[2] = {sn_point_on_rigid(world, body, sn_v(1.1f, 1.1f * slope, -0.2f)),
                          sn_point_on_rigid(world, body, sn_v(0.9f, 0.9f * slope, 0.2f))};
    sn_anchor anchors[2] = {slide(world, points[0], left, 0.0f), slide(world, points[1], right, 0.0f)};
    for (int i = 0; i < 60; ++i) {
        run_steps(world, 1);
        assert_true(sn_anchor_error(world, anchors[0]) <= rounding);
        assert_true(sn_anchor_error(world, anchors[1]) <= rounding);
    }
    // Nothing holds it back along the ropes.
    sn_vec3 downhill = {-sn_cos(0.2f), -sn_sin(0.2f), 0.0f};
    float speed = sn_dot(sn_rigid_linear_velocity(world, body), downhill);
    assert_near(speed / (gravity * sn_sin(0.2f)), 1.0f, 0.01f);
    sn_world_destroy(world);
}

// --- ramps -------------------------------------------------------------------------------------------------

static void test_a_ring_comes_to_the_rope_on_a_ramp(void **state)
{
    (void)state;
    sn_world *world = physics_world_without_gravity();
    sn_deformable rail = add_rail(world, line(2.0f, 10), 0.0f, 0.0f);
    sn_rigid ring = add_ring(world, sn_v(0.13f, -0.5f, 0.2f));
    sn_anchor_def def = sn_anchor_def_default();
    def.a = sn_point_rigid(ring, sn_v(0.04f, 0.01f, 0.0f));
    def.b = sn_point_surface(rail);
    def.exact = true;
    def.ramp_steps = 30;
    sn_anchor anchor;
    assert_ok(sn_anchor_add(world, &def, &anchor));
    run_steps(world, 31);
    assert_true(sn_anchor_error(world, anchor) <= rounding);
    run_steps(world, 60);
    assert_true(sn_anchor_error(world, anchor) <= rounding);
    assert_true(sn_length(sn_rigid_linear_velocity(world, ring)) < 5.0f);
    sn_world_destroy(world);
}

// --- everything at once ------------------------------------------------------------------------------------

enum { BEADS = 9, CELLS = 12, CORNER = (CELLS + 1) * (CELLS + 1) - 1 };

// A cloth nailed at three corners, with a body that hangs on the fourth, and beads sliding about on it, some
// of them nodes of a rope. Beads are two hundred times heavier than nodes, and meet on triangles.
static sn_world *add_fair(int threads, sn_anchor *anchors)
{
    sn_world_def def = sn_world_def_default();
    def.sleep = false;
    def.threads = threads;
    sn_world *world = NULL;
    assert_ok(sn_world_create(&def, &world));
    sn_deformable cloth = soft_cloth(world, CELLS, sn_v(0.0f, 0.0f, 0.0f));
    sn_deformable rope = soft_rope(world, 10, sn_v(0.0f, 0.1f, 0.0f));
    sn_rigid weight = add_ring(world, soft_node(world, cloth, CORNER));
    sn_anchor_def hold = sn_anchor_def_default();
    hold.exact = true;
    const int corners[3] = {0, CELLS, CORNER - CELLS};
    for (int i = 0; i < 3; ++i) {
        hold.a = sn_point_world(soft_node(world, cloth, corners[i]));
        hold.b = sn_point_node(cloth, corners[i]);
        assert_ok(sn_anchor_add(world, &hold, NULL));
    }
    hold.a = sn_point_rigid(weight, sn_v(0.01f, 0.0f, 0.0f));
    hold.b = sn_point_node(cloth, CORNER);
    assert_ok(sn_anchor_add(world, &hold, NULL));
    test_random random = {77};
    for (int i = 0; i < BEADS; ++i) {
        sn_vec3 place = test_random_vec3(&random, 0.45f);
        place.z = 0.0f;
        sn_rigid bead = add_ring(world, place);
        sn_point point = i % 3 == 0 ? sn_point_node(rope, i) : sn_point_rigid(bead, sn_v(0.0f, 0.01f, 0.02f));
        anchors[i] = slide(world, point, cloth, 0.15f * (float)(i % 4));
    }
    return world;
}

static void test_many_slide_on_a_cloth_with_the_same_bits_on_any_threads(void **state)
{
    (void)state;
    sn_anchor anchors[2][BEADS];
    sn_world *worlds[2] = {add_fair(1, anchors[0]), add_fair(3, anchors[1])};
    for (int i = 0; i < 120; ++i) {
        run_steps(worlds[0], 1);
        run_steps(worlds[1], 1);
        for (int k = 0; k < BEADS; ++k) {
            assert_true(sn_anchor_error(worlds[0], anchors[0][k]) <= 1.0e-5f);
        }
        assert_true(sn_world_hash(worlds[0]) == sn_world_hash(worlds[1]));
    }
    sn_world_destroy(worlds[0]);
    sn_world_destroy(worlds[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_ring_on_a_straight_rope_slides_as_coulomb_says),
        cmocka_unit_test(test_a_swinging_ring_keeps_its_energy),
        cmocka_unit_test(test_a_ring_stops_at_the_end_of_a_rope),
        cmocka_unit_test(test_a_ring_on_a_hanging_rope_stays_on_it),
        cmocka_unit_test(test_a_ring_and_a_rope_keep_their_momentum),
        cmocka_unit_test(test_a_body_slides_on_two_ropes),
        cmocka_unit_test(test_a_ring_comes_to_the_rope_on_a_ramp),
        cmocka_unit_test(test_many_slide_on_a_cloth_with_the_same_bits_on_any_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// How many sub-steps a world takes when the choice is left to it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/memory.h"
#include "support/world_kit.h"

#include <string.h>

enum { EDGES = 10 };
static const float node_mass = 0.01f;

static sn_deformable add_rope_with_end(sn_world *world, float end_mass)
{
    float masses[EDGES + 1];
    for (int i = 0; i <= EDGES; ++i) {
        masses[i] = i < EDGES ? node_mass : end_mass;
    }
    sn_mesh *mesh = NULL;
    sn_deformable rope;
    sn_deformable_def def = sn_deformable_def_default();
    assert_ok(sn_mesh_line(1.0f, EDGES, &mesh));
    def.mesh = mesh;
    def.node_masses = masses;
    def.pose.rotation = sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), -0.5f * SN_PI); // hanging
    def.inextensible.on = true;
    assert_ok(sn_deformable_add(world, &def, &rope));
    sn_mesh_destroy(mesh);
    return rope;
}

static sn_deformable add_rope(sn_world *world)
{
    return add_rope_with_end(world, node_mass);
}

static sn_rigid add_body(sn_world *world, float mass)
{
    sn_rigid rigid;
    sn_rigid_def def = sn_rigid_def_default();
    def.type = SN_DYNAMIC;
    assert_ok(sn_rigid_add(world, &def, &rigid));
    sn_mass properties = {mass, {0.0f, 0.0f, 0.0f}, sn_mat3_diagonal(mass, mass, mass)};
    assert_ok(sn_rigid_mass_set(world, rigid, &properties));
    return rigid;
}

static sn_anchor hang(sn_world *world, sn_rigid rigid, sn_deformable rope, int node, float compliance)
{
    sn_anchor anchor;
    sn_anchor_def def = sn_anchor_def_default();
    def.a = sn_point_rigid(rigid, sn_v(0.0f, 0.0f, 0.0f));
    def.b = sn_point_node(rope, node);
    def.compliance = compliance;
    assert_ok(sn_anchor_add(world, &def, &anchor));
    return anchor;
}

static sn_world *make_world(void)
{
    sn_world *world = NULL;
    sn_world_def def = sn_world_def_default();
    assert_ok(sn_world_create(&def, &world));
    return world;
}

static void test_deformables_and_heavy_loads_on_them_ask_for_more(void **state)
{
    (void)state;
    sn_world *world = make_world();
    assert_int_equal(sn_world_sub_steps(world), 14);
    sn_deformable rope = add_rope(world);
    assert_int_equal(sn_world_sub_steps(world), 16);
    sn_rigid body = add_body(world, 400.0f * node_mass);
    assert_int_equal(sn_world_sub_steps(world), 16);
    sn_anchor first = hang(world, body, rope, 0, 0.0f);
    assert_int_equal(sn_world_sub_steps(world), 32); // the square root of 400 : 100
    (void)hang(world, body, rope, 1, 0.0f);
    assert_int_equal(sn_world_sub_steps(world), 24); // two nodes share it: 22.6, and classes are few
    assert_ok(sn_anchor_remove(world, first));
    assert_ok(sn_world_step(world, 1.0f / 60.0f));
    assert_int_equal(sn_world_statistics(world).sub_steps,
                     16); // the body bears the rope, and nothing bears it
    assert_ok(sn_node_fix(world, rope, EDGES, true));
    assert_ok(sn_world_step(world, 1.0f / 60.0f));
    assert_int_equal(sn_world_statistics(world).sub_steps, 32);
    assert_ok(sn_node_fix(world, rope, 1, true));
    sn_world_def settings = sn_world_settings(world);
    settings.long_range.sub_steps = false; // the tension of the last step does not count
    assert_ok(sn_world_settings_set(world, &settings));
    assert_int_equal(sn_world_sub_steps(world), 16); // what is fixed holds anything
    sn_world_destroy(world);
}

static void test_loads_ask_for_160_at_most_and_for_none_beyond_a_number_given_without_long_range(void **state)
{
    (void)state;
    sn_world *world = make_world();
    sn_rigid body = add_body(world, 1.0e6f * node_mass);
    sn_anchor anchor = hang(world, body, add_rope(world), 0, 0.0f);
    assert_int_equal(sn_world_sub_steps(world), 160);
    assert_ok(sn_anchor_remove(world, anchor));
    sn_deformable rope = add_rope(world);
    assert_ok(sn_node_fix(world, rope, EDGES, true));
    assert_ok(sn_world_step(world, 1.0f / 60.0f));
    (void)hang(world, body, rope, 0, 0.0f);
    assert_int_equal(sn_world_sub_steps(world), 48); // bounds carry the rest
    sn_world_def settings = sn_world_settings(world);
    settings.sub_steps = 5;
    assert_ok(sn_world_settings_set(world, &settings));
    assert_int_equal(sn_world_sub_steps(world), 48); // it is the least
    settings.long_range = sn_long_range_off();
    assert_ok(sn_world_settings_set(world, &settings));
    assert_int_equal(sn_world_sub_steps(world), 5);
    sn_world_destroy(world);
}

static void test_compliant_anchors_and_loads_that_sleep_do_not_count(void **state)
{
    (void)state;
    sn_world *world = make_world();
    sn_deformable rope = add_rope(world);
    sn_rigid body = add_body(world, 1000.0f * node_mass);
    sn_anchor soft = hang(world, body, rope, 0, 0.01f);
    assert_int_equal(sn_world_sub_steps(world), 16);
    assert_ok(sn_anchor_remove(world, soft));
    (void)hang(world, body, rope, 0, 0.0f);
    assert_int_equal(sn_world_sub_steps(world), 64); // 16 √10 = 50.6, in classes
    assert_ok(sn_deformable_awake_set(world, rope, false));
    assert_int_equal(sn_world_sub_steps(world), 16);
    sn_world_destroy(world);
}

static void test_exact_anchors_count_as_others_do_while_they_hold(void **state)
{
    (void)state;
    sn_world *world = make_world();
    sn_deformable rope = add_rope(world);
    sn_anchor_def def = sn_anchor_def_default();
    def.a = sn_point_rigid(add_body(world, 400.0f * node_mass), sn_v(0.0f, 0.0f, 0.0f));
    def.b = sn_point_node(rope, 0);
    def.exact = true;
    sn_anchor anchor;
    assert_ok(sn_anchor_add(world, &def, &anchor));
    assert_int_equal(sn_world_sub_steps(world), 32);
    assert_ok(sn_anchor_active_set(world, anchor, false));
    assert_int_equal(sn_world_sub_steps(world), 16);
    sn_world_destroy(world);
}

// A rope between points: a distance that holds a body below a node.
static sn_constraint hang_by_rope(sn_world *world, sn_rigid rigid, sn_deformable strand, int node,
                                  float length)
{
    sn_constraint rope;
    sn_distance_def def = sn_distance_def_default();
    def.common.a = sn_point_node(strand, node);
    def.common.b = sn_point_rigid(rigid, sn_v(0.0f, 0.0f, 0.0f));
    def.upper = length;
    assert_ok(sn_distance_add(world, &def, &rope));
    return rope;
}

static void test_what_hangs_by_a_distance_asks_for_as_many_as_by_an_anchor(void **state)
{
    (void)state;
    sn_world *world = make_world();
    sn_constraint rope = hang_by_rope(world, add_body(world, 400.0f * node_mass), add_rope(world), 0, 0.2f);
    assert_int_equal(sn_world_sub_steps(world), 32);
    assert_ok(sn_distance_limits_set(world, rope, 0.1f, INFINITY)); // pushes, and carries nothing
    assert_int_equal(sn_world_sub_steps(world), 16);
    sn_world_destroy(world);
}

// As a cape to who wears it: the rope pulls with its own weight, whatever the body weighs. At the other end
// of the rope another body may hang, and all of that counts.
static void test_what_stands_does_not_hang_on_a_rope_that_is_tied_to_it_alone(void **state)
{
    (void)state;
    sn_world *world = make_world();
    sn_deformable rope = add_rope(world);
    sn_vec3 top = sn_deformable_nodes(world, rope)[0].position;
    sn_rigid body = add_body(world, 1.0e5f * node_mass), weight = add_body(world, 400.0f * node_mass);
    assert_ok(sn_rigid_pose_set(world, body, (sn_pose){top, sn_quat_identity}));
    sn_anchor anchor = hang(world, body, rope, 0, 0.0f);
    assert_int_equal(sn_world_sub_steps(world), 160); // the rope alone might have to hold it
    sn_ball_def ball = sn_ball_def_default();
    ball.common.a = sn_point_world(top);
    ball.common.b = sn_point_rigid(body, sn_v(0.0f, 0.0f, 0.0f));
    assert_ok(sn_ball_add(world, &ball, NULL));
    for (int i = 0; i < 120; ++i) {
        assert_int_equal(sn_world_sub_steps(world), 16);
        assert_ok(sn_world_step(world, 1.0f / 60.0f));
    }
    float pull = (float)(EDGES + 1) * node_mass * 9.81f;
    assert_float_equal(sn_length(sn_anchor_force(world, anchor)), pull, 1e-3f * pull);
    assert_true(sn_world_statistics(world).largest_stretch < 0.01f);
    (void)hang(world, weight, rope, EDGES, 0.0f);
    assert_int_equal(sn_world_sub_steps(world), 160);
    sn_world_destroy(world);
}

// Sub-steps that a held rope takes after a body below it was given so many times the mass of a node.
static int sub_steps_with(sn_world *world, sn_rigid body, float ratio)
{
    float mass = ratio * node_mass;
    sn_mass properties = {mass, {0.0f, 0.0f, 0.0f}, sn_mat3_diagonal(mass, mass, mass)};
    assert_ok(sn_rigid_mass_set(world, body, &properties));
    assert_ok(sn_world_step(world, 1.0f / 60.0f));
    return sn_world_statistics(world).sub_steps;
}

// It takes 1.6 √ratio. Loads that go up and down a little must not change the number in every step.
static void test_sub_steps_are_kept_while_nearly_as_many_are_needed(void **state)
{
    (void)state;
    sn_world *world = make_world();
    assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
    sn_deformable rope = add_rope(world);
    sn_rigid body = add_body(world, node_mass);
    assert_ok(sn_node_fix(world, rope, EDGES, true));
    sn_vec3 top = sn_deformable_nodes(world, rope)[0].position;
    assert_ok(sn_rigid_pose_set(world, body, (sn_pose){top, sn_quat_identity}));
    (void)hang(world, body, rope, 0, 0.0f);
    assert_int_equal(sub_steps_with(world, body, 189.0f), 24); // 22 are needed
    assert_int_equal(sub_steps_with(world, body, 148.0f), 24); // 19.5
    assert_int_equal(sub_steps_with(world, body, 113.0f), 24); // 17
    assert_int_equal(sub_steps_with(world, body, 90.0f), 20);  // 15.2
    assert_int_equal(sub_steps_with(world, body, 120.0f), 20); // 17.5
    assert_int_equal(sub_steps_with(world, body, 50.0f), 16);
    sn_world_destroy(world);
}

static sn_constraint join(sn_world *world, sn_rigid a, sn_rigid b)
{
    sn_constraint joint;
    sn_ball_def def = sn_ball_def_default();
    def.common.a = sn_point_rigid(a, sn_v(0.0f, 0.0f, 0.0f));
    def.common.b = sn_point_rigid(b, sn_v(0.0f, 0.0f, 0.0f));
    assert_ok(sn_ball_add(world, &def, &joint));
    return joint;
}

// As a rung of a rope ladder carries who hangs on it.
static void test_what_hangs_on_a_body_counts_where_nodes_hold_that(void **state)
{
    (void)state;
    sn_world *world = make_world();
    sn_rigid hook = add_body(world, node_mass), load = add_body(world, 399.0f * node_mass);
    (void)hang(world, hook, add_rope(world), 0, 0.0f);
    assert_int_equal(sn_world_sub_steps(world), 16);
    sn_constraint joint = join(world, hook, load);
    assert_int_equal(sn_world_sub_steps(world), 32);
    assert_ok(sn_constraint_remove(world, joint));
    sn_ball_def weak = sn_ball_def_default();
    weak.common.a = sn_point_rigid(hook, sn_v(0.0f, 0.0f, 0.0f));
    weak.common.b = sn_point_rigid(load, sn_v(0.0f, 0.0f, 0.0f));
    weak.common.break_force = 100.0f; // it holds until it breaks
    assert_ok(sn_ball_add(world, &weak, NULL));
    assert_int_equal(sn_world_sub_steps(world), 32);
    (void)join(world, sn_world_ground(world), load); // that bears it
    assert_int_equal(sn_world_sub_steps(world), 16);
    sn_world_destroy(world);
}

// A light ball that the ground or a joint holds, and a heavy one on it. Returns the number of sub-steps.
static int sub_steps_below(float heavy_mass, bool is_jointed)
{
    sn_world *world = make_world();
    sn_rigid light = add_body(world, 1.0f), heavy = add_body(world, heavy_mass);
    assert_ok(sn_sphere_add(world, light, NULL, (sn_sphere){.radius = 0.5f}, NULL));
    assert_ok(sn_sphere_add(world, heavy, NULL, (sn_sphere){.radius = 0.5f}, NULL));
    sn_mass light_mass = {1.0f, {0.0f, 0.0f, 0.0f}, sn_mat3_diagonal(0.1f, 0.1f, 0.1f)};
    sn_mass mass = {heavy_mass, {0.0f, 0.0f, 0.0f}, sn_mat3_diagonal(heavy_mass, heavy_mass, heavy_mass)};
    assert_ok(sn_rigid_mass_set(world, light, &light_mass));
    assert_ok(sn_rigid_mass_set(world, heavy, &mass));
    assert_ok(sn_rigid_pose_set(world, heavy, (sn_pose){sn_v(0.0f, 1.0f, 0.0f), sn_quat_identity}));
    if (is_jointed) {
        (void)join(world, sn_world_ground(world), light);
    } else {
        sn_plane_add(world, sn_world_ground(world), NULL, (sn_plane){{0.0f, 1.0f, 0.0f}, -0.5f}, NULL);
    }
    assert_ok(sn_world_step(world, 1.0f / 60.0f));
    assert_ok(sn_world_step(world, 1.0f / 60.0f));
    int sub_steps = sn_world_statistics(world).sub_steps;
    sn_world_destroy(world);
    return sub_steps;
}

static void test_what_lies_on_light_bodies_that_joints_hold_asks_for_more(void **state)
{
    (void)state;
    assert_int_equal(sub_steps_below(50.0f, true), 14);
    assert_int_equal(sub_steps_below(400.0f, true), 32); // 14 × 2, in classes
    assert_int_equal(sub_steps_below(1.0e6f, true), 160);
    assert_int_equal(sub_steps_below(400.0f, false), 14);
}

// A cloth over a ball, with a weight of thousands of nodes on a rope at each corner.
static void test_distances_hold_heavy_weights_on_the_corners_of_a_free_cloth(void **state)
{
    (void)state;
    enum { CELLS = 12, ROW = CELLS + 1 };
    const int corners[4] = {0, CELLS, ROW * CELLS, ROW * ROW - 1};
    const float width = 1.2f, length = 0.2f;
    sn_world *world = make_world();
    sn_mesh *mesh = NULL;
    sn_deformable cloth;
    sn_deformable_def def = sn_deformable_def_default();
    sn_rigid weights[4];
    assert_ok(sn_mesh_grid(width, width, CELLS, CELLS, SN_GRID_ALTERNATING, &mesh));
    def.mesh = mesh;
    def.mass = 0.1f;
    def.pose = (sn_pose){sn_v(0.0f, 0.02f, 0.0f), sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), -0.5f * SN_PI)};
    def.inextensible.on = true;
    assert_ok(sn_deformable_add(world, &def, &cloth));
    sn_mesh_destroy(mesh);
    assert_ok(sn_sphere_add(world, sn_world_ground(world), NULL,
                            (sn_sphere){.center = {0.0f, -0.4f, 0.0f}, .radius = 0.4f}, NULL));
    for (int i = 0; i < 4; ++i) {
        sn_vec3 corner = sn_deformable_nodes(world, cloth)[corners[i]].position;
        weights[i] = add_body(world, 1.0f);
        assert_ok(sn_rigid_pose_set(world, weights[i],
                                    (sn_pose){sn_add(corner, sn_v(0.0f, -length, 0.0f)), sn_quat_identity}));
        (void)hang_by_rope(world, weights[i], cloth, corners[i], length);
    }
    float longest = 0.0f;
    for (int i = 0; i < 120 * 4; ++i) {
        if (i % 4 == 0) {
            assert_ok(sn_world_step(world, 1.0f / 60.0f));
        }
        longest =
            sn_max(longest, sn_distance_between(sn_deformable_nodes(world, cloth)[corners[i % 4]].position,
                                                sn_rigid_position(world, weights[i % 4])));
    }
    assert_true(longest < (1.0f + SN_STRETCH_LIMIT) * length); // the first jolt: 4.8 %
    sn_world_destroy(world);
}

// 256 a second are more than 16 in steps longer than 1/16 s.
static void test_the_next_step_is_taken_to_be_as_long_as_the_last_one(void **state)
{
    (void)state;
    sn_world *world = make_world();
    (void)add_rope(world);
    assert_int_equal(sn_world_sub_steps(world), 16);
    assert_ok(sn_world_step(world, 0.125f));
    assert_int_equal(sn_world_statistics(world).sub_steps, 32);
    assert_int_equal(sn_world_sub_steps(world), 32);
    assert_ok(sn_world_step(world, 0.125f));
    assert_int_equal(sn_world_statistics(world).sub_steps, 32);
    assert_ok(sn_world_step(world, 0.01f));
    assert_int_equal(sn_world_sub_steps(world), 16);
    sn_world_destroy(world);
}

// Rows are as stiff as sub-steps are short. A rope that is stretched by a weight must not throw it up when
// they become shorter: it draws it up, slowly.
static void test_stretched_rows_gain_no_energy_from_shorter_sub_steps(void **state)
{
    (void)state;
    sn_world_def def = sn_world_def_default();
    def.sub_steps = 8;
    def.sleep = false;
    def.long_range = sn_long_range_off();
    def.long_range.settle = true;
    sn_world *world = NULL;
    assert_ok(sn_world_create(&def, &world));
    sn_deformable rope = add_rope_with_end(world, 2.0f);
    assert_ok(sn_node_fix(world, rope, 0, true));
    run_steps(world, 15);
    float low = sn_deformable_nodes(world, rope)[EDGES].position.y, fastest = 0.0f;
    assert_true(sn_world_statistics(world).largest_stretch > 0.1f);
    for (int i = 0; i < 300; ++i) {
        assert_ok(sn_world_step(world, 1.0f / 600.0f));
        fastest = sn_max(fastest, sn_deformable_velocities(world, rope)[EDGES].velocity.y);
    }
    assert_true(fastest < 1.0f);
    assert_true(sn_deformable_nodes(world, rope)[EDGES].position.y > low);
    sn_world_destroy(world);
}

// And must not fall when they become longer again: a rope that was kept from drawing up its load pulls no
// less because it could pull less.
static void test_stretched_rows_carry_on_in_longer_sub_steps(void **state)
{
    (void)state;
    sn_world_def def = sn_world_def_default();
    def.sub_steps = 8;
    def.sleep = false;
    def.long_range = sn_long_range_off();
    def.long_range.settle = true;
    sn_world *world = NULL;
    assert_ok(sn_world_create(&def, &world));
    sn_deformable rope = add_rope_with_end(world, 2.0f);
    assert_ok(sn_node_fix(world, rope, 0, true));
    run_steps(world, 15);
    for (int i = 0; i < 10; ++i) {
        assert_ok(sn_world_step(world, 1.0f / 240.0f));
    }
    float before = sn_deformable_velocities(world, rope)[EDGES].velocity.y;
    for (int i = 0; i < 6; ++i) {
        assert_ok(sn_world_step(world, 1.0f / 60.0f));
        float change = sn_deformable_velocities(world, rope)[EDGES].velocity.y - before;
        // In a free fall twice as much. References that stayed as they were pushed it down with 4 g.
        assert_true(change > -0.5f * 9.81f * (float)(i + 1) / 60.0f);
    }
    sn_world_destroy(world);
}

// Where a rope is that a moving body draws along, with or without a heavy load somewhere else. Returns the
// number of sub-steps.
static int draw_along(bool is_loaded, sn_node_state *nodes)
{
    sn_world *world = make_world();
    sn_rigid_def def = sn_rigid_def_default();
    sn_rigid tractor;
    def.type = SN_KINEMATIC;
    def.linear_velocity = sn_v(1.0f, 0.0f, 0.0f);
    assert_ok(sn_rigid_add(world, &def, &tractor));
    sn_deformable rope = add_rope(world);
    (void)hang(world, tractor, rope, 5, 1.0e-5f);
    if (is_loaded) {
        sn_deformable other = add_rope(world);
        sn_rigid load = add_body(world, 1000.0f * node_mass);
        sn_node_state *others;
        sn_node_velocity *velocities;
        assert_ok(sn_deformable_edit(world, other, &others, &velocities));
        for (int i = 0; i <= EDGES; ++i) {
            others[i].position.z += 10.0f;
        }
        assert_ok(sn_node_fix(world, other, 0, true));
        assert_ok(sn_rigid_pose_set(world, load, (sn_pose){others[EDGES].position, sn_quat_identity}));
        (void)hang(world, load, other, EDGES, 0.0f);
    }
    run_steps(world, 30);
    int sub_steps = sn_world_statistics(world).sub_steps;
    memcpy(nodes, sn_deformable_nodes(world, rope), (EDGES + 1) * sizeof *nodes);
    sn_world_destroy(world);
    return sub_steps;
}

// Islands are solved in classes by their numbers of sub-steps; bodies that move by themselves are in all of
// them, what they hold in one.
static void test_what_a_moving_body_holds_is_solved_once(void **state)
{
    (void)state;
    sn_node_state alone[EDGES + 1], beside[EDGES + 1];
    assert_true(draw_along(false, alone) < draw_along(true, beside));
    assert_memory_equal(alone, beside, sizeof alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_deformables_and_heavy_loads_on_them_ask_for_more),
        test_with_memory(
            test_loads_ask_for_160_at_most_and_for_none_beyond_a_number_given_without_long_range),
        test_with_memory(test_compliant_anchors_and_loads_that_sleep_do_not_count),
        test_with_memory(test_exact_anchors_count_as_others_do_while_they_hold),
        test_with_memory(test_sub_steps_are_kept_while_nearly_as_many_are_needed),
        test_with_memory(test_what_hangs_by_a_distance_asks_for_as_many_as_by_an_anchor),
        test_with_memory(test_what_stands_does_not_hang_on_a_rope_that_is_tied_to_it_alone),
        test_with_memory(test_what_hangs_on_a_body_counts_where_nodes_hold_that),
        test_with_memory(test_what_lies_on_light_bodies_that_joints_hold_asks_for_more),
        test_with_memory(test_distances_hold_heavy_weights_on_the_corners_of_a_free_cloth),
        test_with_memory(test_the_next_step_is_taken_to_be_as_long_as_the_last_one),
        test_with_memory(test_stretched_rows_gain_no_energy_from_shorter_sub_steps),
        test_with_memory(test_stretched_rows_carry_on_in_longer_sub_steps),
        test_with_memory(test_what_a_moving_body_holds_is_solved_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

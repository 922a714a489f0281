// Exact anchors through the public API: they hold to rounding, bear, are switched, sleep, break and go.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/exact_kit.h"

// --- kinds -------------------------------------------------------------------------------------------------

// Things to be held, in motion: a rope with a fixed end, a cloth, a jelly, and bodies of all types.
typedef struct stage {
    sn_world *world;
    sn_deformable rope, cloth, jelly;
    sn_rigid box, wall, slide; // dynamic, static, kinematic and moving
} stage;

static stage make_stage(void)
{
    stage s = {.world = soft_restless_world()};
    s.rope = soft_rope(s.world, 20, sn_v(0.0f, 2.0f, 0.0f));
    s.cloth = soft_cloth(s.world, 6, sn_v(1.2f, 2.0f, 0.0f));
    s.jelly = soft_jelly(s.world, 2, sn_v(-1.0f, 2.0f, 0.0f), 1.0e5f);
    s.box = add_box_at(s.world, 0.1f, 0.0f, 1.0f, 0.5f);
    s.wall = add_box_at(s.world, 0.1f, 0.0f, 3.0f, 0.5f);
    s.slide = add_box_at(s.world, 0.1f, 0.0f, 2.0f, 0.7f);
    assert_ok(sn_rigid_type_set(s.world, s.wall, SN_STATIC));
    assert_ok(sn_rigid_type_set(s.world, s.slide, SN_KINEMATIC));
    assert_ok(sn_rigid_linear_velocity_set(s.world, s.slide, sn_v(0.3f, 0.1f, 0.0f)));
    assert_ok(sn_rigid_angular_velocity_set(s.world, s.slide, sn_v(0.0f, 0.5f, 1.0f)));
    assert_ok(sn_node_fix(s.world, s.rope, 20, true));
    return s;
}

// The points an anchor may have at an end.
enum { NODE, LINE, TRIANGLE, TETRAHEDRON, SHEET, STRAND, PLACE, BODY, WALL, MOVING_BODY, POINT_COUNT };

static sn_point point_of(const stage *s, int kind)
{
    const float thirds[3] = {0.25f, 0.25f, 0.5f}, quarters[4] = {0.1f, 0.2f, 0.3f, 0.4f};
    switch (kind) {
    case NODE:
        return sn_point_node(s->rope, 0);
    case LINE:
        return sn_point_nodes(s->rope, (int[]){8, 9}, (float[]){0.3f, 0.7f}, 2);
    case TRIANGLE:
        return sn_point_nodes(s->cloth, (int[]){0, 1, 7}, thirds, 3);
    case TETRAHEDRON:
        return sn_point_nodes(s->jelly, (int[]){0, 1, 3, 9}, quarters, 4);
    case SHEET:
        return sn_point_surface(s->cloth);
    case STRAND:
        return sn_point_surface(s->rope);
    case PLACE:
        return sn_point_world(sn_v(0.2f, 2.1f, 0.3f));
    case BODY:
        return sn_point_rigid(s->box, sn_v(0.1f, 0.05f, 0.0f));
    case WALL:
        return sn_point_rigid(s->wall, sn_v(0.1f, 0.05f, 0.0f));
    default:
        return sn_point_rigid(s->slide, sn_v(0.1f, 0.05f, 0.0f));
    }
}

static bool has_nodes(int kind)
{
    return kind < PLACE;
}

// Not two surfaces, nor a strand with nodes of its own, nor without nodes.
static bool can_be_held(int a, int b)
{
    bool is_surface[2] = {a == SHEET || a == STRAND, b == SHEET || b == STRAND};
    bool same = a == b || (a == STRAND && b <= LINE) || (b == STRAND && a <= LINE) ||
                (a == SHEET && b == TRIANGLE) || (b == SHEET && a == TRIANGLE);
    return (has_nodes(a) || has_nodes(b)) && !(is_surface[0] && is_surface[1]) && !same;
}

// Four units in the last place of coordinates of 4 m.
static const float four_ulp = 4.0f * 4.76837158e-7f;

static void test_every_pair_of_points_is_held_to_rounding(void **state)
{
    (void)state;
    int pairs = 0;
    for (int a = 0; a < POINT_COUNT; ++a) {
        for (int b = 0; b < POINT_COUNT; ++b) {
            if (!can_be_held(a, b)) {
                continue;
            }
            stage s = make_stage();
            sn_anchor anchor = exact_tie(s.world, point_of(&s, a), point_of(&s, b));
            assert_int_equal(sn_anchor_hold_now(s.world, anchor), SN_ANCHOR_EXACT);
            for (int i = 0; i < 30; ++i) {
                run_steps(s.world, 1);
                float error = sn_anchor_error(s.world, anchor);
                if (!(error <= four_ulp)) {
                    fail_msg("kinds %d and %d, step %d: error %g", a, b, i, (double)error);
                }
                assert_float_equal(sn_world_statistics(s.world).exact_error, error, 1.0e-9f);
            }
            sn_world_destroy(s.world);
            ++pairs;
        }
    }
    assert_int_equal(pairs, 70);
}

static void test_a_nail_bears_the_weight_that_hangs(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_deformable jelly = soft_jelly(world, 2, sn_v(0.0f, 0.0f, 0.0f), 1.0e6f);
    float weight = 9.81f * sn_deformable_measure_now(world, jelly).mass;
    sn_anchor nail = exact_tie(world, sn_point_world(sn_v(0.0f, 0.2f, 0.0f)),
                               sn_point_on_deformable(world, jelly, sn_v(0.0f, 0.2f, 0.0f)));
    run_steps(world, 600);
    assert_float_equal(sn_anchor_force(world, nail).y, weight, 0.01f * weight);
    assert_float_equal(sn_anchor_error(world, nail), 0.0f, 0.0f);
    assert_int_equal(sn_world_statistics(world).exact_count, 1);
    assert_int_equal(sn_world_statistics(world).exact_rows_count, 0);
    sn_world_destroy(world);
}

// Jellies one under the other, held at corners by two anchors that make one set with the next.
static void test_anchors_of_a_set_bear_what_is_beyond_them(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_deformable jellies[3];
    for (int i = 0; i < 3; ++i) {
        jellies[i] = soft_jelly(world, 1, sn_v(0.4f * (float)i, 0.0f, 0.0f), 1.0e6f);
    }
    float weight = 9.81f * sn_deformable_measure_now(world, jellies[0]).mass;
    // All hang by one corner on one nail, the third by the second, the second by the first.
    sn_point corners[3];
    for (int i = 0; i < 3; ++i) {
        corners[i] = sn_point_node(jellies[i], 7);
    }
    sn_anchor upper = exact_tie(world, corners[0], corners[1]);
    sn_anchor lower = exact_tie(world, corners[2], corners[1]);
    sn_anchor nail = exact_tie(world, sn_point_world(sn_v(0.0f, 0.3f, 0.0f)), corners[0]);
    float sums[3] = {0.0f, 0.0f, 0.0f};
    run_steps(world, 600);
    for (int i = 0; i < 600; ++i) { // they swing: their weight is the mean
        run_steps(world, 1);
        sums[0] += sn_anchor_force(world, nail).y / 600.0f;
        sums[1] += sn_anchor_force(world, upper).y / 600.0f;
        sums[2] += sn_anchor_force(world, lower).y / 600.0f;
    }
    assert_float_equal(sums[0], 3.0f * weight, 0.1f * weight);
    assert_float_equal(sums[1], 2.0f * weight, 0.1f * weight);
    assert_float_equal(sums[2], -weight, 0.1f * weight); // b is the upper one here
    sn_world_destroy(world);
}

// --- nails -------------------------------------------------------------------------------------------------

static void test_a_nail_that_is_moved_takes_the_node_along(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_deformable rope = soft_rope(world, 10, sn_v(0.0f, 0.0f, 0.0f));
    sn_vec3 place = soft_node(world, rope, 0);
    sn_anchor nail = exact_tie(world, sn_point_world(place), sn_point_node(rope, 0));
    for (int i = 0; i < 60; ++i) {
        sn_vec3 displacement = sn_v(0.013f, 0.007f, 0.001f * (float)i);
        place = sn_add(place, displacement);
        sn_point there = sn_point_world(place);
        assert_ok(sn_anchor_point_set(world, nail, 0, &there));
        run_steps(world, 1);
        assert_float_equal(sn_anchor_error(world, nail), 0.0f, 0.0f);
        sn_vec3 velocity = sn_deformable_velocities(world, rope)[0].velocity;
        assert_true(sn_distance_between(velocity, sn_scale(displacement, 60.0f)) < 1.0e-4f);
    }
    run_steps(world, 2);
    assert_float_equal(sn_length(sn_deformable_velocities(world, rope)[0].velocity), 0.0f, 0.0f);
    sn_world_destroy(world);
}

static void test_a_nailed_node_stands_at_once(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_deformable rope = soft_rope(world, 10, sn_v(0.0f, 0.0f, 0.0f));
    (void)exact_tie(world, sn_point_world(soft_node(world, rope, 5)), sn_point_node(rope, 5));
    run_steps(world, 2);
    for (int i = 0; i < 200; ++i) {
        assert_float_equal(sn_length(sn_deformable_velocities(world, rope)[5].velocity), 0.0f, 0.0f);
        run_steps(world, 1);
    }
    sn_world_destroy(world);
}

static void test_a_kinematic_body_brings_its_nodes_to_its_target(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_deformable rope = soft_rope(world, 10, sn_v(0.0f, 0.0f, 0.0f));
    sn_rigid hand = add_box_at(world, 0.1f, -0.5f, 0.0f, 0.0f);
    assert_ok(sn_rigid_type_set(world, hand, SN_KINEMATIC));
    sn_anchor grip = exact_tie(world, sn_point_rigid(hand, sn_v(0.03f, 0.1f, 0.02f)), sn_point_node(rope, 0));
    for (int i = 0; i < 60; ++i) {
        float angle = 0.1f * (float)i;
        sn_pose pose = {sn_v(-0.5f, 0.5f * sn_sin(angle), 0.3f * sn_cos(angle)),
                        sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), angle)};
        assert_ok(sn_rigid_target_set(world, hand, pose));
        run_steps(world, 1);
        assert_float_equal(sn_anchor_error(world, grip), 0.0f, 0.0f);
    }
    sn_world_destroy(world);
}

// --- switching ---------------------------------------------------------------------------------------------

static void test_what_is_switched_off_falls_and_is_caught_again(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_deformable rope = soft_rope(world, 10, sn_v(0.0f, 0.0f, 0.0f));
    sn_vec3 place = soft_node(world, rope, 0);
    sn_anchor nail = exact_tie(world, sn_point_world(place), sn_point_node(rope, 0));
    run_steps(world, 5);
    assert_true(sn_length(sn_anchor_force(world, nail)) > 0.0f);
    assert_ok(sn_anchor_active_set(world, nail, false));
    assert_int_equal(sn_anchor_hold_now(world, nail), SN_ANCHOR_OFF);
    assert_float_equal(sn_length(sn_anchor_force(world, nail)), 0.0f, 0.0f);
    run_steps(world, 10);
    assert_true(sn_anchor_error(world, nail) > 0.05f);
    assert_float_equal(sn_length(sn_anchor_force(world, nail)), 0.0f, 0.0f);
    assert_int_equal(sn_world_statistics(world).exact_count, 0);
    assert_false(sn_anchor_definition(world, nail).active);
    assert_ok(sn_anchor_active_set(world, nail, true));
    run_steps(world, 1);
    assert_float_equal(sn_anchor_error(world, nail), 0.0f, 0.0f);
    sn_world_destroy(world);
}

static void test_rows_are_switched_as_well(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_rigid ball = add_ball_at(world, 0.1f, 0.0f, 0.0f, 0.0f);
    sn_anchor anchor =
        soft_tie(world, sn_point_world(sn_v(0.0f, 0.0f, 0.0f)), sn_point_rigid(ball, sn_v(0.0f, 0.0f, 0.0f)));
    assert_int_equal(sn_anchor_hold_now(world, anchor), SN_ANCHOR_ROWS);
    assert_ok(sn_anchor_active_set(world, anchor, false));
    run_steps(world, 30);
    assert_float_equal(sn_rigid_center(world, ball).y, -0.5f * 9.81f * 0.25f, 0.05f);
    assert_float_equal(sn_length(sn_anchor_force(world, anchor)), 0.0f, 0.0f);
    sn_world_destroy(world);
}

static void test_an_anchor_holds_at_its_time_only(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
    sn_deformable rope = soft_rope(world, 10, sn_v(0.0f, 0.0f, 0.0f));
    sn_anchor_def def = exact_def(sn_point_world(sn_v(0.0f, 0.1f, 0.0f)), sn_point_node(rope, 0));
    def.active_from = 0.5f;
    def.active_until = 1.0f;
    sn_anchor nail = exact_add(world, &def);
    while (sn_world_time(world) < 2.0) {
        bool on = sn_world_time(world) >= 0.5 && sn_world_time(world) < 1.0;
        assert_int_equal(sn_anchor_hold_now(world, nail), on ? SN_ANCHOR_EXACT : SN_ANCHOR_OFF);
        run_steps(world, 1);
        assert_int_equal(sn_anchor_error(world, nail) == 0.0f, on);
    }
    sn_world_destroy(world);
}

static void test_what_sleeps_wakes_when_an_anchors_time_begins_and_ends(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable rope = soft_rope(world, 4, sn_v(0.0f, 0.1f, 0.0f));
    for (int i = 0; i < 5; ++i) {
        (void)exact_tie(world, sn_point_world(soft_node(world, rope, i)), sn_point_node(rope, i));
    }
    sn_rigid box = add_box_at(world, 0.1f, 5.0f, 0.1f, 0.0f);
    add_floor(world);
    sn_anchor_def def = exact_def(sn_point_rigid(box, sn_v(0.0f, 0.0f, 0.0f)), sn_point_node(rope, 2));
    def.active_from = 2.0f;
    def.active_until = 6.0f;
    (void)exact_add(world, &def);
    run_steps(world, 119);
    assert_false(sn_deformable_is_awake(world, rope));
    assert_false(sn_rigid_is_awake(world, box));
    run_steps(world, 3);
    assert_true(sn_deformable_is_awake(world, rope));
    assert_true(sn_rigid_is_awake(world, box));
    sn_world_destroy(world);
}

// --- ramps -------------------------------------------------------------------------------------------------

static void test_a_ramp_brings_parts_together_in_its_steps(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
    sn_deformable a = soft_jelly(world, 1, sn_v(0.0f, 0.0f, 0.0f), 1.0e5f);
    sn_deformable b = soft_jelly(world, 1, sn_v(1.0f, 0.0f, 0.0f), 1.0e5f);
    sn_anchor_def def = exact_def(sn_point_node(a, 7), sn_point_node(b, 0));
    def.ramp_steps = 40;
    sn_anchor anchor = exact_add(world, &def);
    float last = sn_anchor_error(world, anchor), first = last, fastest = 0.0f;
    for (int i = 1; i < 40; ++i) {
        run_steps(world, 1);
        float error = sn_anchor_error(world, anchor);
        fastest = sn_max(fastest, (last - error) / frame);
        assert_float_equal(sn_world_statistics(world).exact_error, 0.0f, 0.0f);
        last = error;
    }
    assert_true(fastest < 25.0f && last < 0.01f * first);
    for (int i = 0; i < 60; ++i) {
        run_steps(world, 1);
        assert_true(sn_anchor_error(world, anchor) <= four_ulp);
    }
    sn_world_destroy(world);
}

static void test_an_anchor_switched_on_again_begins_its_ramp_anew(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_deformable rope = soft_rope(world, 10, sn_v(0.0f, 0.0f, 0.0f));
    sn_anchor_def def = exact_def(sn_point_world(sn_v(0.0f, 1.0f, 0.0f)), sn_point_node(rope, 0));
    def.ramp_steps = 10;
    sn_anchor nail = exact_add(world, &def);
    run_steps(world, 10);
    assert_true(sn_anchor_error(world, nail) <= four_ulp);
    assert_ok(sn_anchor_active_set(world, nail, false));
    run_steps(world, 10);
    assert_ok(sn_anchor_active_set(world, nail, true));
    run_steps(world, 1);
    assert_true(sn_anchor_error(world, nail) > 1.0e-4f);
    run_steps(world, 9);
    assert_true(sn_anchor_error(world, nail) <= four_ulp);
    sn_world_destroy(world);
}

// --- surfaces ----------------------------------------------------------------------------------------------

// A ring on a taut, slanting rope of fixed nodes.
static sn_anchor add_ring(sn_world *world, sn_deformable *rope, sn_deformable *ring, float friction)
{
    *rope = soft_rope(world, 20, sn_v(0.0f, 0.0f, 0.0f));
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_ok(sn_deformable_edit(world, *rope, &nodes, &velocities));
    for (int i = 0; i <= 20; ++i) {
        nodes[i].position = sn_v(0.05f * (float)i, -0.025f * (float)i, 0.0f);
        nodes[i].inverse_mass = 0.0f;
    }
    *ring = soft_jelly(world, 1, sn_v(0.1f, -0.25f, 0.0f), 1.0e5f);
    sn_anchor_def def = exact_def(sn_point_node(*ring, 7), sn_point_surface(*rope));
    def.friction = friction;
    return exact_add(world, &def);
}

static void test_a_ring_slides_down_and_tells_where_it_is(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_deformable rope, ring;
    sn_anchor anchor = add_ring(world, &rope, &ring, 0.0f);
    sn_point before = sn_anchor_definition(world, anchor).b;
    run_steps(world, 40);
    sn_point after = sn_anchor_definition(world, anchor).b;
    assert_int_equal(after.type, SN_POINT_SURFACE);
    assert_int_equal(after.node_count, 2);
    assert_true(after.nodes[0] > before.nodes[0] + 2);
    sn_vec3 place;
    assert_ok(sn_point_place(world, &after, &place));
    assert_true(sn_distance_between(place, soft_node(world, ring, 7)) <= four_ulp);
    sn_world_destroy(world);
}

static void test_a_ring_with_much_friction_stays(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_deformable rope, ring;
    sn_anchor anchor = add_ring(world, &rope, &ring, 10.0f);
    run_steps(world, 1);
    sn_vec3 before = soft_node(world, ring, 7);
    run_steps(world, 60);
    assert_true(sn_distance_between(soft_node(world, ring, 7), before) < 0.01f);
    assert_true(sn_anchor_error(world, anchor) <= four_ulp);
    sn_world_destroy(world);
}

static void test_an_end_can_be_moved_to_a_surface_and_back(void **state)
{
    (void)state;
    stage s = make_stage();
    sn_anchor anchor = exact_tie(s.world, sn_point_node(s.rope, 0), point_of(&s, PLACE));
    sn_point sheet = sn_point_surface(s.cloth), place = point_of(&s, PLACE);
    assert_ok(sn_anchor_point_set(s.world, anchor, 1, &sheet));
    run_steps(s.world, 10);
    assert_true(sn_anchor_error(s.world, anchor) <= four_ulp);
    assert_ok(sn_anchor_point_set(s.world, anchor, 1, &place));
    run_steps(s.world, 10);
    assert_true(sn_anchor_error(s.world, anchor) <= four_ulp);
    sn_world_destroy(s.world);
}

// --- breaking, sleep, removal ------------------------------------------------------------------------------

static void test_an_exact_anchor_breaks_under_too_much(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_deformable jelly = soft_jelly(world, 1, sn_v(0.0f, 0.0f, 0.0f), 1.0e5f);
    float weight = 9.81f * sn_deformable_measure_now(world, jelly).mass;
    sn_anchor_def def = exact_def(sn_point_world(soft_node(world, jelly, 7)), sn_point_node(jelly, 7));
    def.break_force = 5.0f * weight;
    sn_anchor nail = exact_add(world, &def);
    run_steps(world, 60);
    assert_true(sn_anchor_is_valid(world, nail));
    def.break_force = 0.5f * weight;
    assert_ok(sn_anchor_remove(world, nail));
    def.user = &def;
    nail = exact_add(world, &def);
    int breaks = 0;
    for (int i = 0; i < 120; ++i) {
        run_steps(world, 1);
        sn_events events = sn_world_events(world);
        for (int k = 0; k < events.break_count; ++k) {
            ++breaks;
            assert_ptr_equal(events.breaks[k].user, &def);
            assert_true(events.breaks[k].force > def.break_force);
        }
    }
    assert_int_equal(breaks, 1);
    assert_false(sn_anchor_is_valid(world, nail));
    sn_world_destroy(world);
}

static void test_what_is_held_sleeps_and_is_woken_by_its_nail(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable jelly = soft_jelly(world, 1, sn_v(0.0f, 0.0f, 0.0f), 1.0e6f);
    sn_vec3 corner = soft_node(world, jelly, 7);
    sn_rigid box = add_box_at(world, 0.05f, corner.x, corner.y, corner.z);
    sn_anchor nails[4];
    for (int i = 0; i < 4; ++i) {
        nails[i] = exact_tie(world, sn_point_world(soft_node(world, jelly, i)), sn_point_node(jelly, i));
    }
    sn_anchor ride = exact_tie(world, sn_point_rigid(box, sn_v(0.0f, 0.0f, 0.0f)), sn_point_node(jelly, 7));
    run_steps(world, 1200);
    assert_false(sn_deformable_is_awake(world, jelly));
    assert_false(sn_rigid_is_awake(world, box));
    sn_vec3 force = sn_anchor_force(world, nails[0]);
    run_steps(world, 10);
    assert_float_equal(sn_distance_between(force, sn_anchor_force(world, nails[0])), 0.0f, 0.0f);
    sn_point there = sn_point_world(sn_add(soft_node(world, jelly, 0), sn_v(0.0f, 0.01f, 0.0f)));
    assert_ok(sn_anchor_point_set(world, nails[0], 0, &there));
    assert_true(sn_deformable_is_awake(world, jelly));
    run_steps(world, 1);
    assert_true(sn_rigid_is_awake(world, box));
    assert_float_equal(sn_anchor_error(world, nails[0]), 0.0f, 0.0f);
    assert_float_equal(sn_anchor_error(world, ride), 0.0f, 0.0f);
    sn_world_destroy(world);
}

static void test_anchors_go_with_what_they_hold(void **state)
{
    (void)state;
    stage s = make_stage();
    sn_anchor joint = exact_tie(s.world, sn_point_node(s.rope, 0), sn_point_node(s.jelly, 0));
    sn_anchor ring = exact_tie(s.world, sn_point_node(s.jelly, 3), sn_point_surface(s.cloth));
    sn_anchor_def def = exact_def(sn_point_node(s.jelly, 5), sn_point_rigid(s.box, sn_v(0.0f, 0.0f, 0.0f)));
    def.active = false;
    sn_anchor off = exact_add(s.world, &def);
    run_steps(s.world, 5);
    assert_ok(sn_deformable_remove(s.world, s.rope));
    assert_false(sn_anchor_is_valid(s.world, joint));
    assert_true(sn_anchor_is_valid(s.world, ring));
    run_steps(s.world, 5);
    assert_ok(sn_deformable_remove(s.world, s.cloth));
    assert_false(sn_anchor_is_valid(s.world, ring));
    run_steps(s.world, 5);
    assert_ok(sn_rigid_remove(s.world, s.box));
    assert_false(sn_anchor_is_valid(s.world, off));
    run_steps(s.world, 5);
    assert_int_equal(sn_world_anchors(s.world, NULL, 0), 0);
    sn_world_destroy(s.world);
}

// --- the same bits -----------------------------------------------------------------------------------------

// All kinds at once.
static void hold_everything(const stage *s)
{
    (void)exact_tie(s->world, sn_point_node(s->rope, 0), sn_point_world(sn_v(-0.5f, 2.0f, 0.0f)));
    (void)exact_tie(s->world, sn_point_node(s->rope, 10), point_of(s, BODY));
    (void)exact_tie(s->world, sn_point_node(s->jelly, 5), sn_point_node(s->jelly, 6));
    (void)exact_tie(s->world, point_of(s, TRIANGLE), sn_point_node(s->rope, 13));
    (void)exact_tie(s->world, point_of(s, TETRAHEDRON), point_of(s, MOVING_BODY));
    (void)exact_tie(s->world, sn_point_node(s->jelly, 20), sn_point_surface(s->cloth));
    sn_anchor_def def = exact_def(sn_point_node(s->cloth, 48), point_of(s, WALL));
    def.ramp_steps = 50;
    (void)exact_add(s->world, &def);
    def = exact_def(sn_point_node(s->cloth, 42), sn_point_world(sn_v(1.0f, 2.5f, 0.0f)));
    def.active_from = 0.7f;
    def.active_until = 1.1f;
    (void)exact_add(s->world, &def);
}

static uint64_t hash_after(int threads, int steps)
{
    stage s = make_stage();
    sn_world_def def = sn_world_settings(s.world);
    sn_world_destroy(s.world);
    def.threads = threads;
    s = make_stage();
    sn_world *single = s.world, *world = NULL;
    hold_everything(&s);
    assert_ok(sn_world_create(&def, &world));
    size_t size;
    assert_ok(sn_world_save(single, NULL, 0, &size));
    void *bytes = malloc(size);
    assert_ok(sn_world_save(single, bytes, size, &size));
    assert_ok(sn_world_restore(world, bytes, size));
    free(bytes);
    sn_world_destroy(single);
    run_steps(world, steps);
    uint64_t hash = sn_world_hash(world);
    sn_world_destroy(world);
    return hash;
}

static void test_threads_give_the_same_bits(void **state)
{
    (void)state;
    uint64_t hash = hash_after(1, 60);
    assert_int_equal(hash, hash_after(2, 60));
    assert_int_equal(hash, hash_after(4, 60));
}

static void test_a_snapshot_goes_on_bit_for_bit(void **state)
{
    (void)state;
    stage s = make_stage();
    hold_everything(&s);
    sn_anchor nail;
    assert_int_equal(sn_world_anchors(s.world, &nail, 1), 8);
    for (int before = 0; before < 100; before += 23) {
        sn_point there =
            sn_point_world(sn_v(-0.6f, 2.1f, 0.001f * (float)before)); // on its way at each snapshot
        assert_ok(sn_anchor_point_set(s.world, nail, 1, &there));
        size_t size;
        assert_ok(sn_world_save(s.world, NULL, 0, &size));
        void *bytes = malloc(size);
        assert_ok(sn_world_save(s.world, bytes, size, &size));
        uint64_t now = sn_world_hash(s.world);
        run_steps(s.world, 23);
        uint64_t later = sn_world_hash(s.world);
        assert_ok(sn_world_restore(s.world, bytes, size));
        assert_int_equal(sn_world_hash(s.world), now);
        run_steps(s.world, 23);
        assert_int_equal(sn_world_hash(s.world), later);
        free(bytes);
    }
    sn_world_destroy(s.world);
}

// Allocations of steps before which nothing was switched. A switch changes what is held, and with it the rows
// of bounds, which have memory of their own.
static uint64_t switch_and_step(sn_world *world, sn_anchor nail)
{
    uint64_t count = 0;
    for (int i = 0; i < 40; ++i) {
        bool switches = i % 7 == 0;
        if (switches) {
            assert_ok(sn_anchor_active_set(world, nail, i % 2 == 0));
        }
        uint64_t before = sn_world_statistics(world).allocations;
        run_steps(world, 1);
        count += switches ? 0 : sn_world_statistics(world).allocations - before;
    }
    return count;
}

static void test_a_warm_step_allocates_nothing(void **state)
{
    (void)state;
    stage s = make_stage();
    hold_everything(&s);
    run_steps(s.world, 80);
    sn_anchor nail;
    (void)sn_world_anchors(s.world, &nail, 1);
    // Lists of events grow to what chance brings at once, and the arena to what islands need that take
    // different numbers of sub-steps for the first time.
    for (int i = 0; i < 3; ++i) {
        (void)switch_and_step(s.world, nail);
    }
    assert_int_equal(switch_and_step(s.world, nail), 0);
    sn_world_destroy(s.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_every_pair_of_points_is_held_to_rounding),
        test_with_memory(test_a_nail_bears_the_weight_that_hangs),
        test_with_memory(test_anchors_of_a_set_bear_what_is_beyond_them),
        test_with_memory(test_a_nail_that_is_moved_takes_the_node_along),
        test_with_memory(test_a_nailed_node_stands_at_once),
        test_with_memory(test_a_kinematic_body_brings_its_nodes_to_its_target),
        test_with_memory(test_what_is_switched_off_falls_and_is_caught_again),
        test_with_memory(test_rows_are_switched_as_well),
        test_with_memory(test_an_anchor_holds_at_its_time_only),
        test_with_memory(test_what_sleeps_wakes_when_an_anchors_time_begins_and_ends),
        test_with_memory(test_a_ramp_brings_parts_together_in_its_steps),
        test_with_memory(test_an_anchor_switched_on_again_begins_its_ramp_anew),
        test_with_memory(test_a_ring_slides_down_and_tells_where_it_is),
        test_with_memory(test_a_ring_with_much_friction_stays),
        test_with_memory(test_an_end_can_be_moved_to_a_surface_and_back),
        test_with_memory(test_an_exact_anchor_breaks_under_too_much),
        test_with_memory(test_what_is_held_sleeps_and_is_woken_by_its_nail),
        test_with_memory(test_anchors_go_with_what_they_hold),
        test_with_memory(test_threads_give_the_same_bits),
        test_with_memory(test_a_snapshot_goes_on_bit_for_bit),
        test_with_memory(test_a_warm_step_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

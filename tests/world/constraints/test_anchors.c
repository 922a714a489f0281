// Anchors: they hold, bear, give way, break, and go with what they hold.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/soft_kit.h"

// --- holding -----------------------------------------------------------------------------------------------

static void test_every_pair_of_points_is_held_together(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid box = add_box_at(world, 0.1f, 0.0f, 0.0f, 0.0f),
             other = add_box_at(world, 0.1f, 0.2f, 0.0f, 0.0f);
    sn_deformable cube = soft_jelly(world, 2, sn_v(0.0f, 3.0f, 0.0f), 1.0e5f);
    sn_deformable jelly = soft_jelly(world, 2, sn_v(0.4f, 3.0f, 0.0f), 1.0e5f);
    sn_vec3 corner = {-0.1f, 0.1f, 0.0f}, between = {0.1f, 0.0f, 0.0f};
    sn_anchor anchors[4] = {
        soft_tie(world, sn_point_world(corner), sn_point_on_rigid(world, box, corner)),
        soft_tie(world, sn_point_on_rigid(world, box, between), sn_point_on_rigid(world, other, between)),
        soft_tie(world, sn_point_world(sn_v(-0.2f, 3.0f, 0.0f)),
                 sn_point_on_deformable(world, cube, sn_v(-0.2f, 3.0f, 0.0f))),
        soft_tie(world, sn_point_on_deformable(world, cube, sn_v(0.2f, 3.1f, 0.0f)),
                 sn_point_on_deformable(world, jelly, sn_v(0.2f, 3.1f, 0.0f)))};
    assert_int_equal(sn_world_constraints(world, NULL, 0), 4);
    assert_int_equal(sn_world_anchors(world, NULL, 0), 3); // one joins two bodies: a joint like any other
    for (int i = 0; i < 300; ++i) {
        run_steps(world, 1);
        for (int k = 0; k < 4; ++k) {
            assert_true(sn_anchor_error(world, anchors[k]) < 0.004f);
        }
    }
    sn_world_destroy(world);
}

static void test_the_force_is_the_weight_that_hangs(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_rigid ball = add_ball_at(world, 0.1f, 0.0f, -0.1f, 0.0f);
    sn_deformable jelly = soft_jelly(world, 2, sn_v(0.0f, -0.4f, 0.0f), 1.0e6f);
    float ball_mass = sn_rigid_mass(world, ball).mass,
          jelly_mass = sn_deformable_measure_now(world, jelly).mass;
    sn_anchor upper = soft_tie(world, sn_point_world(sn_v(0.0f, 0.0f, 0.0f)),
                               sn_point_on_rigid(world, ball, sn_v(0.0f, 0.0f, 0.0f)));
    sn_anchor lower = soft_tie(world, sn_point_on_rigid(world, ball, sn_v(0.0f, -0.2f, 0.0f)),
                               sn_point_on_deformable(world, jelly, sn_v(0.0f, -0.2f, 0.0f)));
    run_steps(world, 300);
    assert_float_equal(sn_anchor_force(world, lower).y, 9.81f * jelly_mass, 0.005f * 9.81f * jelly_mass);
    assert_float_equal(sn_anchor_force(world, upper).y, 9.81f * (ball_mass + jelly_mass),
                       0.005f * 9.81f * (ball_mass + jelly_mass));
    sn_world_destroy(world);
}

static void test_a_compliant_anchor_gives_way_by_its_compliance(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_rigid ball = add_ball_at(world, 0.1f, 0.0f, 0.0f, 0.0f);
    float weight = 9.81f * sn_rigid_mass(world, ball).mass;
    sn_anchor_def def = sn_anchor_def_default();
    def.a = sn_point_world(sn_v(0.0f, 0.0f, 0.0f));
    def.b = sn_point_on_rigid(world, ball, sn_v(0.0f, 0.0f, 0.0f));
    def.compliance = 0.1f / weight;
    def.damping = 20.0f;
    sn_anchor anchor;
    assert_ok(sn_anchor_add(world, &def, &anchor));
    run_steps(world, 600);
    assert_float_equal(sn_rigid_center(world, ball).y, -0.1f, 1.0e-3f);
    assert_float_equal(sn_anchor_error(world, anchor), 0.1f, 1.0e-3f);
    sn_world_destroy(world);
}

// --- breaking ----------------------------------------------------------------------------------------------

static void test_an_anchor_breaks_under_too_much_and_is_reported(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    int user = 0;
    sn_deformable jelly = soft_jelly(world, 2, sn_v(0.0f, 0.0f, 0.0f), 1.0e5f);
    sn_anchor_def def = sn_anchor_def_default();
    def.a = sn_point_world(sn_v(0.0f, 0.2f, 0.0f));
    def.b = sn_point_on_deformable(world, jelly, sn_v(0.0f, 0.2f, 0.0f));
    def.break_force = 400.0f; // it weighs 628 N
    def.user = &user;
    sn_anchor weak, strong;
    assert_ok(sn_anchor_add(world, &def, &weak));
    sn_deformable other = soft_jelly(world, 2, sn_v(2.0f, 0.0f, 0.0f), 1.0e5f);
    def.a = sn_point_world(sn_v(2.0f, 0.2f, 0.0f));
    def.b = sn_point_on_deformable(world, other, sn_v(2.0f, 0.2f, 0.0f));
    def.break_force = 3000.0f;
    assert_ok(sn_anchor_add(world, &def, &strong));
    int breaks = 0;
    for (int i = 0; i < 120; ++i) {
        run_steps(world, 1);
        sn_events events = sn_world_events(world);
        for (int k = 0; k < events.break_count; ++k, ++breaks) {
            assert_int_equal(events.breaks[k].constraint.index, weak.index);
            assert_int_equal(events.breaks[k].constraint.generation, weak.generation);
            assert_ptr_equal(events.breaks[k].user, &user);
            assert_true(events.breaks[k].force > 400.0f && events.breaks[k].force < 3000.0f);
        }
    }
    assert_int_equal(breaks, 1);
    assert_false(sn_anchor_is_valid(world, weak));
    assert_true(sn_anchor_is_valid(world, strong));
    assert_true(sn_deformable_measure_now(world, jelly).center.y < -5.0f);
    assert_true(sn_deformable_measure_now(world, other).center.y > -0.5f);
    sn_world_destroy(world);
}

// --- coming and going --------------------------------------------------------------------------------------

static void test_anchors_go_with_what_they_hold(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid box = add_box_at(world, 0.1f, 0.0f, 0.0f, 0.0f);
    sn_deformable rope = soft_rope(world, 2, sn_v(0.5f, 0.0f, 0.0f)), left[2];
    left[0] = soft_rope(world, 2, sn_v(0.5f, 1.0f, 0.0f));
    sn_anchor a =
        soft_tie(world, sn_point_on_rigid(world, box, sn_v(0.0f, 0.0f, 0.0f)), sn_point_node(rope, 0));
    sn_anchor b = soft_tie(world, sn_point_node(rope, 2), sn_point_node(left[0], 2));
    sn_anchor c = soft_tie(world, sn_point_world(sn_v(0.0f, 1.0f, 0.0f)), sn_point_node(left[0], 0));
    assert_ok(sn_rigid_remove(world, box));
    assert_false(sn_anchor_is_valid(world, a));
    assert_true(sn_anchor_is_valid(world, b) && sn_anchor_is_valid(world, c));
    assert_ok(sn_deformable_remove(world, rope));
    assert_false(sn_anchor_is_valid(world, b));
    sn_anchor listed[3];
    assert_int_equal(sn_world_anchors(world, listed, 3), 1);
    assert_int_equal(listed[0].index, c.index);
    assert_ok(sn_anchor_remove(world, c));
    assert_int_equal(sn_anchor_remove(world, c), SN_ERROR_ID);
    run_steps(world, 10);
    sn_world_destroy(world);
}

static void test_the_definition_of_an_anchor_is_kept(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable rope = soft_rope(world, 4, sn_v(0.5f, 0.0f, 0.0f));
    int user = 0;
    sn_anchor_def def = sn_anchor_def_default();
    def.a = sn_point_world(sn_v(0.0f, 0.0f, 0.0f));
    def.b = sn_point_node(rope, 3);
    def.compliance = 1.0e-3f;
    def.damping = 2.0f;
    def.break_force = 77.0f;
    def.name = "nail";
    def.user = &user;
    sn_anchor anchor;
    assert_ok(sn_anchor_add(world, &def, &anchor));
    sn_anchor_def kept = sn_anchor_definition(world, anchor);
    assert_true(kept.compliance == 1.0e-3f && kept.damping == 2.0f && kept.break_force == 77.0f);
    assert_string_equal(kept.name, "nail");
    assert_ptr_equal(kept.user, &user);
    assert_int_equal(kept.b.nodes[0], 3);
    assert_ok(sn_anchor_add(world, &kept, NULL));
    sn_anchor none = {0};
    assert_int_equal(sn_anchor_definition(world, none).cookie, 0);
    assert_true(sn_anchor_error(world, none) == 0.0f && sn_anchor_force(world, none).y == 0.0f);
    sn_world_destroy(world);
}

static void test_moving_an_end_drags_what_hangs_on_it(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable rope = soft_rope(world, 8, sn_v(0.0f, 0.0f, 0.0f));
    sn_anchor anchor = soft_tie(world, sn_point_world(sn_v(-0.5f, 0.0f, 0.0f)), sn_point_node(rope, 0));
    for (int i = 1; i <= 120; ++i) {
        sn_point place = sn_point_world(sn_v(-0.5f + 0.01f * (float)i, 0.005f * (float)i, 0.0f));
        assert_ok(sn_anchor_point_set(world, anchor, 0, &place));
        run_steps(world, 1);
        assert_true(sn_anchor_error(world, anchor) < 0.01f);
    }
    // And taken by its other end.
    sn_vec3 end = soft_node(world, rope, 8);
    sn_point other = sn_point_node(rope, 8), place = sn_point_world(end);
    assert_ok(sn_anchor_point_set(world, anchor, 1, &other));
    assert_ok(sn_anchor_point_set(world, anchor, 0, &place));
    run_steps(world, 300);
    assert_true(sn_distance_between(soft_node(world, rope, 8), end) < 0.01f);
    assert_true(sn_distance_between(soft_node(world, rope, 0), sn_v(0.7f, 0.6f, 0.0f)) > 0.2f);
    sn_world_destroy(world);
}

static void test_without_memory_no_anchor_is_added(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable rope = soft_rope(world, 2, sn_v(0.0f, 0.0f, 0.0f));
    sn_anchor_def def = sn_anchor_def_default();
    def.a = sn_point_world(sn_v(0.0f, 0.0f, 0.0f));
    def.b = sn_point_node(rope, 0);
    def.name = "nail";
    for (int allowed = 0; allowed < 4; ++allowed) { // ids, their free list, anchors, the name
        test_memory_allow(allowed);
        assert_int_equal(sn_anchor_add(world, &def, NULL), SN_ERROR_MEMORY);
        test_memory_allow_all();
        assert_int_equal(sn_world_anchors(world, NULL, 0), 0);
        sn_anchor_def fresh = def;
        fresh.name = NULL;
        if (allowed == 3) {
            assert_ok(sn_anchor_add(world, &fresh, NULL));
        } else {
            sn_world_destroy(world);
            world = kit_world();
            rope = soft_rope(world, 2, sn_v(0.0f, 0.0f, 0.0f));
            def.b = sn_point_node(rope, 0);
        }
    }
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_every_pair_of_points_is_held_together),
        test_with_memory(test_the_force_is_the_weight_that_hangs),
        test_with_memory(test_a_compliant_anchor_gives_way_by_its_compliance),
        test_with_memory(test_an_anchor_breaks_under_too_much_and_is_reported),
        test_with_memory(test_anchors_go_with_what_they_hold),
        test_with_memory(test_the_definition_of_an_anchor_is_kept),
        test_with_memory(test_moving_an_end_drags_what_hangs_on_it),
        test_with_memory(test_without_memory_no_anchor_is_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

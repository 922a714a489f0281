// Exact anchors through the public API: they hold to rounding, bear, are switched, sleep and break.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/exact_kit.h"

// --- kinds -------------------------------------------------------------------------------------------------

static void test_a_nailed_node_stands_and_bears_the_weight(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_deformable rope = soft_rope(world, 10, sn_v(0.0f, 0.0f, 0.0f));
    sn_vec3 place = soft_node(world, rope, 0);
    sn_anchor nail = exact_tie(world, sn_point_world(place), sn_point_node(rope, 0));
    assert_int_equal(sn_anchor_hold_now(world, nail), SN_ANCHOR_EXACT);
    for (int i = 0; i < 600; ++i) {
        run_steps(world, 1);
        assert_float_equal(sn_anchor_error(world, nail), 0.0f, 0.0f);
        assert_float_equal(sn_world_statistics(world).exact_error, 0.0f, 0.0f);
    }
    assert_int_equal(sn_world_statistics(world).exact_count, 1);
    assert_int_equal(sn_world_statistics(world).exact_rows_count, 0);
    sn_world_destroy(world);
}

static void test_a_nail_that_is_moved_takes_the_node_along(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_deformable rope = soft_rope(world, 10, sn_v(0.0f, 0.0f, 0.0f));
    sn_vec3 place = soft_node(world, rope, 0);
    sn_anchor nail = exact_tie(world, sn_point_world(place), sn_point_node(rope, 0));
    for (int i = 0; i < 60; ++i) {
        place = sn_add(place, sn_v(0.013f, 0.007f, 0.0f));
        sn_point there = sn_point_world(place);
        assert_ok(sn_anchor_point_set(world, nail, 0, &there));
        run_steps(world, 1);
        assert_float_equal(sn_distance_between(soft_node(world, rope, 0), place), 0.0f, 1.0e-7f);
    }
    sn_world_destroy(world);
}

static void test_nodes_held_together_are_one_point(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_deformable ropes[3];
    for (int i = 0; i < 3; ++i) {
        ropes[i] = soft_rope(world, 8, sn_v((float)i, 0.1f * (float)i, 0.0f));
    }
    (void)exact_tie(world, sn_point_world(soft_node(world, ropes[0], 0)), sn_point_node(ropes[0], 0));
    sn_anchor first = exact_tie(world, sn_point_node(ropes[0], 8), sn_point_node(ropes[1], 0));
    sn_anchor second = exact_tie(world, sn_point_node(ropes[1], 8), sn_point_node(ropes[2], 0));
    for (int i = 0; i < 300; ++i) {
        run_steps(world, 1);
        assert_float_equal(sn_anchor_error(world, first), 0.0f, 0.0f);
        assert_float_equal(sn_anchor_error(world, second), 0.0f, 0.0f);
    }
    sn_world_destroy(world);
}

static void test_a_node_on_a_body_rides(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_deformable rope = soft_rope(world, 8, sn_v(0.0f, 0.0f, 0.0f));
    sn_rigid box = add_box_at(world, 0.1f, 0.6f, 0.0f, 0.0f);
    (void)exact_tie(world, sn_point_world(soft_node(world, rope, 0)), sn_point_node(rope, 0));
    sn_anchor ride =
        exact_tie(world, sn_point_on_rigid(world, box, soft_node(world, rope, 8)), sn_point_node(rope, 8));
    assert_int_equal(sn_anchor_hold_now(world, ride), SN_ANCHOR_EXACT);
    for (int i = 0; i < 300; ++i) {
        run_steps(world, 1);
        assert_float_equal(sn_anchor_error(world, ride), 0.0f, 0.0f);
    }
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_nailed_node_stands_and_bears_the_weight),
        cmocka_unit_test(test_a_nail_that_is_moved_takes_the_node_along),
        cmocka_unit_test(test_nodes_held_together_are_one_point),
        cmocka_unit_test(test_a_node_on_a_body_rides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

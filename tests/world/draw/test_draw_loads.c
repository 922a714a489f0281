// Drawing of what carries loads: bounds of a chain, a union, a box that is supported.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/drawing.h"
#include "support/memory.h"

static sn_rigid add_box(sn_world *world, sn_vec3 position)
{
    sn_rigid_def def = sn_rigid_def_default();
    def.position = position;
    sn_rigid rigid;
    assert_int_equal(sn_rigid_add(world, &def, &rigid), SN_OK);
    sn_shape_def material = sn_shape_def_default();
    assert_int_equal(sn_box_add(world, rigid, &material, (sn_box){{0.1f, 0.1f, 0.1f}}, NULL), SN_OK);
    return rigid;
}

static sn_draw only_long_range(void)
{
    sn_draw draw = pencils();
    draw.long_range = true;
    return draw;
}

static void test_bounds_of_a_chain_are_lines_to_what_holds_it(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_rigid previous = sn_world_ground(world);
    for (int i = 0; i < 3; ++i) {
        sn_rigid link = add_box(world, sn_v(0.0f, -0.2f - 0.4f * (float)i, 0.0f));
        sn_ball_def ball = sn_ball_def_default();
        assert_int_equal(sn_constraint_place(world, &ball.common, previous, link,
                                             sn_v(0.0f, -0.4f * (float)i, 0.0f), sn_v(0, 0, 1)),
                         SN_OK);
        assert_int_equal(sn_ball_add(world, &ball, NULL), SN_OK);
        previous = link;
    }
    for (int i = 0; i < 30; ++i) {
        assert_int_equal(sn_world_step(world, 1.0f / 60.0f), SN_OK);
    }
    sn_draw draw = only_long_range();
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, sn_world_statistics(world).bound_count);
    assert_true(paper.lines > 0);
    for (int i = 0; i < paper.lines; ++i) { // all begin where the chain is held
        assert_vec3_near(paper.line[i].a, sn_v(0.0f, 0.0f, 0.0f), 1.0e-5f);
    }
    sn_world_destroy(world);
}

static void test_members_of_a_union_are_joined_and_supported_boxes_marked(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    assert_int_equal(sn_plane_add(world, sn_world_ground(world), NULL, (sn_plane){{0, 1, 0}, 0}, NULL),
                     SN_OK);
    sn_rigid a = add_box(world, sn_v(0.0f, 2.0f, 0.0f)), b = add_box(world, sn_v(0.3f, 2.0f, 0.0f));
    sn_rigid box = add_box(world, sn_v(3.0f, 0.1f, 0.0f));
    sn_fixed_def fixed = sn_fixed_def_default();
    assert_int_equal(sn_constraint_place(world, &fixed.common, a, b, sn_v(0.15f, 2.0f, 0.0f), sn_v(0, 0, 1)),
                     SN_OK);
    assert_int_equal(sn_fixed_add(world, &fixed, NULL), SN_OK);
    sn_world_def settings = sn_world_settings(world);
    settings.sleep = false;
    assert_int_equal(sn_world_settings_set(world, &settings), SN_OK);
    for (int i = 0; i < 25; ++i) {
        assert_int_equal(sn_world_step(world, 1.0f / 60.0f), SN_OK);
    }
    sn_draw draw = only_long_range();
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(sn_world_statistics(world).union_count, 1);
    assert_true(has_line(sn_rigid_center(world, a), sn_rigid_center(world, b)));
    assert_int_equal(paper.points, 1);
    assert_vec3_near(paper.point[0], sn_rigid_center(world, box), 1.0e-6f);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_bounds_of_a_chain_are_lines_to_what_holds_it),
        test_with_memory(test_members_of_a_union_are_joined_and_supported_boxes_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

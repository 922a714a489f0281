// Colours that stand for numbers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/render/heat.h"

#include <string.h>

static int red(sn_color color)
{
    return (int)(color >> 16 & 255);
}

static int green(sn_color color)
{
    return (int)(color >> 8 & 255);
}

static int blue(sn_color color)
{
    return (int)(color & 255);
}

static void test_colours_go_from_blue_over_green_to_red(void **state)
{
    (void)state;
    sn_color cold = heat_color(0.0f), middle = heat_color(0.5f), hot = heat_color(1.0f);
    assert_true(blue(cold) > 150 && blue(cold) > red(cold) + 60 && blue(cold) > green(cold) + 60);
    assert_true(green(middle) > 200 && green(middle) > blue(middle) + 60);
    assert_true(red(hot) > 150 && red(hot) > green(hot) + 60 && red(hot) > blue(hot) + 60);
}

static void test_neighbouring_values_have_neighbouring_colours(void **state)
{
    (void)state;
    for (int i = 0; i < 255; ++i) {
        sn_color a = heat_color((float)i / 255.0f), b = heat_color((float)(i + 1) / 255.0f);
        assert_in_range(red(a) - red(b) + 8, 0, 16);
        assert_in_range(green(a) - green(b) + 8, 0, 16);
        assert_in_range(blue(a) - blue(b) + 8, 0, 16);
    }
}

static void test_what_lies_outside_is_clamped(void **state)
{
    (void)state;
    assert_int_equal(heat_color(-3.0f), heat_color(0.0f));
    assert_int_equal(heat_color(NAN), heat_color(0.0f));
    assert_int_equal(heat_color(INFINITY), heat_color(1.0f));
    assert_int_equal(heat_color(1.5f), heat_color(1.0f));
}

static void test_values_are_speeds_and_largest_errors(void **state)
{
    (void)state;
    sn_world *world;
    sn_world_def def = sn_world_def_default();
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    sn_rigid_def body = sn_rigid_def_default();
    body.linear_velocity = sn_v(3.0f, 0.0f, 4.0f);
    sn_rigid rigid;
    assert_int_equal(sn_rigid_add(world, &body, &rigid), SN_OK);
    assert_float_equal(heat_value(world, rigid, RENDER_SPEED), 5.0f, 1e-6f);
    assert_float_equal(heat_value(world, rigid, RENDER_ERROR), 0.0f, 0.0f);
    assert_float_equal(heat_value(world, rigid, RENDER_COLORS), 0.0f, 0.0f);
    // Forty joints, more than fit at once; the last is off by 0.3 m.
    for (int i = 0; i < 40; ++i) {
        sn_ball_def joint = sn_ball_def_default();
        sn_constraint_place(world, &joint.common, sn_world_ground(world), rigid, sn_v(0, 0, 0),
                            sn_v(1, 0, 0));
        joint.common.a.position.y = i == 39 ? 0.3f : 0.1f;
        assert_int_equal(sn_ball_add(world, &joint, NULL), SN_OK);
    }
    assert_float_equal(heat_value(world, rigid, RENDER_ERROR), 0.3f, 1e-6f);
    assert_string_equal(heat_unit(RENDER_SPEED), "m/s");
    sn_world_destroy(world);
}

// A strand of four edges of 0.25 m, its nodes where the list says along x.
static sn_deformable strand(sn_world *world, bool inextensible, const float places[5])
{
    sn_mesh *mesh;
    sn_deformable deformable;
    sn_deformable_def def = sn_deformable_def_default();
    assert_int_equal(sn_mesh_line(1.0f, 4, &mesh), SN_OK);
    def.mesh = mesh;
    def.inextensible.on = inextensible;
    assert_int_equal(sn_deformable_add(world, &def, &deformable), SN_OK);
    sn_mesh_destroy(mesh);
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_int_equal(sn_deformable_edit(world, deformable, &nodes, &velocities), SN_OK);
    for (int i = 0; i < 5; ++i) {
        nodes[i].position = sn_v(places[i], 0.0f, 0.0f);
        velocities[i].velocity = sn_v(0.0f, (float)i, 0.0f);
    }
    return deformable;
}

static void test_nodes_have_speeds_errors_and_strains(void **state)
{
    (void)state;
    sn_world *world;
    sn_world_def def = sn_world_def_default();
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    // The third edge is 0.1 m too long.
    const float places[5] = {0.0f, 0.25f, 0.5f, 0.85f, 1.1f};
    sn_deformable rope = strand(world, true, places), band = strand(world, false, places);
    float values[5];
    assert_true(heat_node_values(world, rope, RENDER_SPEED, values));
    for (int i = 0; i < 5; ++i) {
        assert_float_equal(values[i], (float)i, 1e-6f);
    }
    const float errors[5] = {0.0f, 0.0f, 0.1f, 0.1f, 0.0f};
    assert_true(heat_node_values(world, rope, RENDER_ERROR, values));
    for (int i = 0; i < 5; ++i) {
        assert_float_equal(values[i], errors[i], 1e-5f);
    }
    assert_true(heat_node_values(world, rope, RENDER_STRAIN, values));
    for (int i = 0; i < 5; ++i) {
        assert_float_equal(values[i], 4.0f * errors[i], 1e-4f);
    }
    // What may stretch is not wrong; what it is anchored to may be.
    assert_true(heat_node_values(world, band, RENDER_ERROR, values));
    assert_float_equal(values[2], 0.0f, 0.0f);
    sn_anchor_def anchor = sn_anchor_def_default();
    anchor.a = sn_point_node(band, 4);
    anchor.b = sn_point_world(sn_v(1.1f, 0.3f, 0.0f));
    assert_int_equal(sn_anchor_add(world, &anchor, NULL), SN_OK);
    assert_true(heat_node_values(world, band, RENDER_ERROR, values));
    assert_float_equal(values[4], 0.3f, 1e-5f);
    assert_float_equal(values[3], 0.0f, 0.0f);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_colours_go_from_blue_over_green_to_red),
        cmocka_unit_test(test_neighbouring_values_have_neighbouring_colours),
        cmocka_unit_test(test_what_lies_outside_is_clamped),
        cmocka_unit_test(test_values_are_speeds_and_largest_errors),
        cmocka_unit_test(test_nodes_have_speeds_errors_and_strains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

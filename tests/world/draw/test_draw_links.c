// How constraints and contacts are drawn.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/drawing.h"

// --- constraints ---------------------------------------------------------------------------------

static sn_draw constraints_only(void)
{
    sn_draw draw = pencils();
    draw.constraints = true;
    return draw;
}

static void test_a_hinge_shows_frames_link_axis_and_stops(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_hinge_def def = sn_hinge_def_default();
    (void)hanging_ball(world, &def.common);
    sn_constraint hinge;
    assert_int_equal(sn_hinge_add(world, &def, &hinge), SN_OK);
    sn_draw draw = constraints_only();
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    sn_vec3 at = sn_v(0, 0.5f, 0);
    assert_int_equal(paper.lines, 3 + 3 + 1 + 1 + 1); // axes twice, arm of the ball, link, axis
    assert_true(has_line(at, sn_v(0.5f, 0.5f, 0)) && has_line(at, sn_v(0, 1, 0)) &&
                has_line(at, sn_v(0, 0.5f, 0.5f)));
    assert_true(has_line(sn_v(0, 0, 0), at));
    assert_true(has_line(sn_v(-0.5f, 0.5f, 0), sn_v(0.5f, 0.5f, 0)));
    def.limit = true;
    def.lower = -0.5f * SN_PI;
    def.upper = 0.25f * SN_PI;
    assert_int_equal(sn_hinge_set(world, hinge, &def), SN_OK);
    draw = constraints_only();
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 11);
    assert_true(has_line(at, sn_v(0, 0.5f, -0.5f)));
    assert_true(has_line(at, sn_v(0, 0.5f + 0.35355339f, 0.35355339f)));
    draw = pencils();
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 0);
    sn_world_destroy(world);
}

static void test_a_slider_shows_its_rail(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_slider_def def = sn_slider_def_default();
    (void)hanging_ball(world, &def.common);
    sn_constraint slider;
    assert_int_equal(sn_slider_add(world, &def, &slider), SN_OK);
    const struct {
        bool limit;
        float lower, upper;
        float drawn_lower, drawn_upper;
    } cases[] = {{false, -9, 9, -0.5f, 0.5f}, {true, -2, 3, -2, 3}, {true, -INFINITY, 3, -0.5f, 3}};
    for (int i = 0; i < 3; ++i) {
        def.limit = cases[i].limit;
        def.lower = cases[i].lower;
        def.upper = cases[i].upper;
        assert_int_equal(sn_slider_set(world, slider, &def), SN_OK);
        sn_draw draw = constraints_only();
        assert_int_equal(sn_world_draw(world, &draw), SN_OK);
        assert_int_equal(paper.lines, 9);
        assert_true(has_line(sn_v(cases[i].drawn_lower, 0.5f, 0), sn_v(cases[i].drawn_upper, 0.5f, 0)));
    }
    sn_world_destroy(world);
}

static void test_a_ball_joint_shows_its_cone(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_ball_def def = sn_ball_def_default();
    def.limit_cone = true;
    def.cone_angle = SN_PI / 3.0f;
    (void)hanging_ball(world, &def.common);
    assert_int_equal(sn_ball_add(world, &def, NULL), SN_OK);
    sn_draw draw = constraints_only();
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 8 + CIRCLE + 4);
    assert_true(has_line(sn_v(0, 0.5f, 0), sn_v(0.25f, 0.5f + 0.4330127f, 0)));
    sn_world_destroy(world);
}

static int no_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    (void)input;
    (void)data;
    (void)rows;
    return 0;
}

static void test_fixed_distance_and_custom_show_frames_and_links(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; ++kind) {
        sn_world *world = empty_world();
        sn_fixed_def fixed = sn_fixed_def_default();
        sn_distance_def distance = sn_distance_def_default();
        sn_custom_def custom = sn_custom_def_default();
        sn_constraint_common *common = kind == 0   ? &fixed.common
                                       : kind == 1 ? &distance.common
                                                   : &custom.common;
        (void)hanging_ball(world, common);
        common->a.position = sn_v(0, 5, 0);
        common->name = "tie";
        custom.kind_name = "nothing";
        assert_int_equal(sn_custom_register(world, "nothing", no_rows, 0), SN_OK);
        assert_int_equal(kind == 0   ? sn_fixed_add(world, &fixed, NULL)
                         : kind == 1 ? sn_distance_add(world, &distance, NULL)
                                     : sn_custom_add(world, &custom, NULL),
                         SN_OK);
        sn_draw draw = constraints_only();
        draw.names = true;
        assert_int_equal(sn_world_draw(world, &draw), SN_OK);
        assert_int_equal(paper.lines, 8);
        assert_true(has_line(sn_v(0, 5, 0), sn_v(0, 0.5f, 0)));
        assert_int_equal(paper.texts, 1);
        assert_string_equal(paper.text[0], "tie");
        assert_vec3_near(paper.text_position[0], sn_v(0, 5, 0), 1.0e-6f);
        sn_world_destroy(world);
    }
}

// --- contacts -----------------------------------------------------------------------------------

// A box of 8 kg at rest on the ground.
static sn_world *resting_box(sn_rigid *rigid)
{
    sn_world *world = empty_world();
    sn_rigid_def def = sn_rigid_def_default();
    def.position = sn_v(0.0f, 0.1f, 0.0f);
    def.name = "crate";
    assert_int_equal(sn_rigid_add(world, &def, rigid), SN_OK);
    sn_box_add(world, *rigid, NULL, (sn_box){{0.1f, 0.1f, 0.1f}}, NULL);
    sn_plane_add(world, sn_world_ground(world), NULL, (sn_plane){{0, 1, 0}, 0.0f}, NULL);
    for (int i = 0; i < 20; ++i) {
        assert_int_equal(sn_world_step(world, 1.0f / 60.0f), SN_OK);
    }
    return world;
}

// An end with an orientation is a frame, one that is a sum of nodes a point; what is off is drawn as such.
static void test_a_rope_to_a_node_shows_a_point_and_a_frame(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_line(1.0f, 2, &mesh), SN_OK);
    sn_deformable_def soft = sn_deformable_def_default();
    soft.mesh = mesh;
    sn_deformable strand;
    assert_int_equal(sn_deformable_add(world, &soft, &strand), SN_OK);
    sn_mesh_destroy(mesh);
    sn_distance_def rope = sn_distance_def_default();
    rope.common.a = sn_point_node(strand, 1);
    rope.common.b = sn_point_world(sn_v(0, 3, 0));
    rope.common.name = "rope";
    sn_constraint made;
    assert_int_equal(sn_distance_add(world, &rope, &made), SN_OK);
    sn_draw draw = constraints_only();
    draw.names = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.points, 1);
    assert_int_equal(paper.lines, 4); // three axes, and the rope
    sn_vec3 at;
    assert_int_equal(sn_point_place(world, &rope.common.a, &at), SN_OK);
    assert_true(has_line(at, sn_v(0, 3, 0)));
    assert_string_equal(paper.text[0], "rope");
    sn_color on = paper.point_color[0];
    assert_int_equal(sn_constraint_active_set(world, made, false), SN_OK);
    draw = constraints_only();
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_not_equal(paper.point_color[0], on);
    sn_world_destroy(world);
}

static void test_contacts_are_points_with_normals(void **state)
{
    (void)state;
    sn_rigid rigid;
    sn_world *world = resting_box(&rigid);
    sn_draw draw = pencils();
    draw.contacts = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.points, 4);
    assert_int_equal(paper.lines, 4);
    for (int i = 0; i < 4; ++i) {
        sn_vec3 p = paper.point[i];
        assert_true(sn_abs(sn_abs(p.x) - 0.1f) < 1.0e-3f && sn_abs(p.y) < 1.0e-2f);
        assert_vec3_near(paper.line[i].a, p, 0.0f);
        assert_vec3_near(paper.line[i].b, sn_add(p, sn_v(0, 0.1f, 0)), 1.0e-6f);
        assert_true(paper.point_color[i] == 0xff3030 || paper.point_color[i] == 0x308030);
    }
    sn_world_destroy(world);
}

static void test_contact_forces_are_arrows_that_carry_the_weight(void **state)
{
    (void)state;
    sn_rigid rigid;
    sn_world *world = resting_box(&rigid);
    sn_draw draw = pencils();
    draw.contact_forces = true;
    draw.force_scale = 0.01f;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_true(paper.lines >= 12 && paper.lines % 3 == 0);
    float lift = 0.0f;
    for (int i = 0; i < paper.lines; i += 3) {
        lift += paper.line[i].b.y - paper.line[i].a.y;
        // The head starts at the tip.
        assert_vec3_near(paper.line[i + 1].a, paper.line[i].b, 0.0f);
        assert_vec3_near(paper.line[i + 2].a, paper.line[i].b, 0.0f);
    }
    assert_true(sn_abs(lift - 0.01f * 8.0f * 9.81f) < 0.02f * 0.01f * 8.0f * 9.81f);
    draw = pencils();
    draw.contact_forces = true;
    draw.force_scale = 0.0f;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 0);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_hinge_shows_frames_link_axis_and_stops),
        cmocka_unit_test(test_a_slider_shows_its_rail),
        cmocka_unit_test(test_a_ball_joint_shows_its_cone),
        cmocka_unit_test(test_fixed_distance_and_custom_show_frames_and_links),
        cmocka_unit_test(test_a_rope_to_a_node_shows_a_point_and_a_frame),
        cmocka_unit_test(test_contacts_are_points_with_normals),
        cmocka_unit_test(test_contact_forces_are_arrows_that_carry_the_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Debug drawing as a whole: what is asked for, in which colour, and what is left out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/drawing.h"
#include "support/memory.h"
#include "support/query_scene.h"

// --- what is asked for ---------------------------------------------------------------------------

static void test_the_default_draws_shapes_and_constraints_with_nothing(void **state)
{
    (void)state;
    sn_draw draw = sn_draw_default();
    assert_true(draw.shapes && draw.constraints);
    assert_false(draw.solid || draw.bounds || draw.contacts || draw.contact_forces || draw.mass_centers ||
                 draw.islands || draw.names || draw.long_range);
    assert_true(draw.force_scale == 0.001f);
    assert_true(!draw.line && !draw.point && !draw.triangle && !draw.capsule && !draw.text && !draw.user);
}

static void test_an_empty_world_draws_nothing(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_draw draw = outlines();
    draw.solid = draw.bounds = draw.constraints = draw.contacts = draw.contact_forces = true;
    draw.mass_centers = draw.islands = draw.names = draw.long_range = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines + paper.points + paper.triangles + paper.texts, 0);
    sn_world_destroy(world);
}

static void test_bounds_are_boxes_around_shapes(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_rigid rigid = body_at(world, SN_DYNAMIC, sn_v(1.0f, 2.0f, 3.0f), NULL);
    sn_shape shape;
    sn_box_add(world, rigid, NULL, (sn_box){{0.5f, 1.0f, 2.0f}}, &shape);
    sn_draw draw = pencils();
    draw.bounds = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    sn_bounds bounds = sn_shape_bounds(world, shape);
    sn_vec3 l = bounds.lower, u = bounds.upper;
    assert_int_equal(paper.lines, 12);
    assert_true(has_line(l, sn_v(u.x, l.y, l.z)) && has_line(l, sn_v(l.x, u.y, l.z)) &&
                has_line(l, sn_v(l.x, l.y, u.z)) && has_line(u, sn_v(l.x, u.y, u.z)));
    sn_world_destroy(world);
}

static void test_mass_centres_and_names_of_bodies(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_rigid crate = body_at(world, SN_DYNAMIC, sn_v(1, 2, 3), "crate");
    sn_shape_def off = sn_shape_def_default();
    off.offset.position = sn_v(0, 0.5f, 0);
    sn_box_add(world, crate, &off, (sn_box){{1, 1, 1}}, NULL);
    (void)body_at(world, SN_KINEMATIC, sn_v(4, 5, 6), "lift");
    (void)body_at(world, SN_DYNAMIC, sn_v(7, 8, 9), NULL);
    sn_draw draw = pencils();
    draw.mass_centers = draw.names = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.points, 2);
    assert_vec3_near(paper.point[0], sn_rigid_center(world, crate), 0.0f);
    assert_vec3_near(paper.point[1], sn_v(7, 8, 9), 1.0e-6f);
    assert_int_equal(paper.texts, 2);
    assert_string_equal(paper.text[0], "crate");
    assert_string_equal(paper.text[1], "lift");
    assert_vec3_near(paper.text_position[0], sn_rigid_center(world, crate), 0.0f);
    assert_int_equal(paper.lines + paper.triangles, 0);
    sn_world_destroy(world);
}

// --- colours -------------------------------------------------------------------------------------

static void test_colours_tell_the_state_of_a_body(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    const struct {
        sn_rigid_type type;
        bool asleep, frozen;
        sn_color color;
    } cases[] = {{SN_STATIC, false, false, 0x9e9e9e},
                 {SN_KINEMATIC, false, false, 0x4a90d9},
                 {SN_DYNAMIC, false, false, 0xf5a623},
                 {SN_DYNAMIC, true, false, 0x6b5536},
                 {SN_DYNAMIC, false, true, 0xe02020}};
    for (int i = 0; i < 5; ++i) {
        sn_rigid rigid = body_at(world, cases[i].type, sn_v(10.0f * (float)i, 0, 0), NULL);
        sn_box_add(world, rigid, NULL, (sn_box){{1, 1, 1}}, NULL);
        if (cases[i].asleep) {
            assert_int_equal(sn_rigid_awake_set(world, rigid, false), SN_OK);
        }
        sn_world_body(world, rigid)->frozen = cases[i].frozen;
    }
    sn_draw draw = outlines();
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 5 * 12);
    for (int i = 0; i < paper.lines; ++i) {
        assert_int_equal(paper.line[i].color, cases[i / 12].color);
    }
    sn_world_destroy(world);
}

static void test_islands_share_a_colour(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_rigid bodies[6];
    for (int i = 0; i < 6; ++i) {
        bodies[i] = body_at(world, i == 5 ? SN_KINEMATIC : SN_DYNAMIC, sn_v(10.0f * (float)i, 0, 0), NULL);
        sn_box_add(world, bodies[i], NULL, (sn_box){{1, 1, 1}}, NULL);
    }
    // Tied: 0 with 2, 3 with 4; both 0 and 1 with the kinematic one, which ties nothing together.
    const int ties[4][2] = {{0, 2}, {4, 3}, {0, 5}, {1, 5}};
    for (int i = 0; i < 4; ++i) {
        sn_distance_def def = sn_distance_def_default();
        sn_vec3 a = sn_rigid_position(world, bodies[ties[i][0]]);
        sn_vec3 b = sn_rigid_position(world, bodies[ties[i][1]]);
        sn_constraint_place_points(world, &def.common, bodies[ties[i][0]], bodies[ties[i][1]], a, b);
        assert_int_equal(sn_distance_add(world, &def, NULL), SN_OK);
    }
    assert_int_equal(sn_rigid_awake_set(world, bodies[3], false), SN_OK);
    sn_draw draw = outlines();
    draw.islands = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    sn_color colors[6];
    for (int i = 0; i < 6; ++i) {
        colors[i] = paper.line[12 * i].color;
    }
    assert_int_equal(colors[0], colors[2]);
    assert_int_equal(colors[3], colors[4]);
    assert_int_not_equal(colors[0], colors[1]);
    assert_int_not_equal(colors[0], colors[3]);
    assert_int_not_equal(colors[1], colors[3]);
    assert_int_equal(colors[5], 0x4a90d9);
    assert_int_equal(colors[3] & 0x808080, 0); // asleep, dark
    assert_int_equal(colors[4] & 0x808080, 0);
    sn_world_destroy(world);
}

static void test_islands_without_memory_draw_nothing(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_box_add(world, sn_world_ground(world), NULL, (sn_box){{1, 1, 1}}, NULL);
    sn_draw draw = outlines();
    draw.islands = true;
    test_memory_allow(0);
    assert_int_equal(sn_world_draw(world, &draw), SN_ERROR_MEMORY);
    test_memory_allow_all();
    assert_int_equal(paper.lines, 0);
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 12);
    sn_world_destroy(world);
}

// --- rules ---------------------------------------------------------------------------------------

static void test_missing_callbacks_are_skipped(void **state)
{
    (void)state;
    query_scene scene = query_scene_make(201, 12, 3.0f, true);
    sn_rigid_def bodies = sn_rigid_def_default();
    bodies.name = "named";
    sn_hinge_def hinge = sn_hinge_def_default();
    hinge.limit = true;
    (void)hanging_ball(scene.world, &hinge.common);
    assert_int_equal(sn_hinge_add(scene.world, &hinge, NULL), SN_OK);
    assert_int_equal(sn_rigid_add(scene.world, &bodies, NULL), SN_OK);
    assert_int_equal(sn_world_step(scene.world, 1.0f / 60.0f), SN_OK);
    for (int mask = 0; mask < 32; ++mask) {
        sn_draw draw = outlines();
        draw.solid = draw.bounds = draw.constraints = draw.contacts = draw.contact_forces = true;
        draw.mass_centers = draw.islands = draw.names = true;
        draw.line = mask & 1 ? on_line : NULL;
        draw.point = NULL;
        draw.triangle = mask & 4 ? on_triangle : NULL;
        draw.capsule = mask & 8 ? on_capsule : NULL;
        draw.text = mask & 16 ? on_text : NULL;
        assert_int_equal(sn_world_draw(scene.world, &draw), SN_OK);
        assert_int_equal(paper.lines > 0, (mask & 1) != 0);
        assert_int_equal(paper.points, 0);
        assert_int_equal(paper.triangles > 0, (mask & 4) != 0);
        assert_int_equal(paper.capsules > 0, (mask & 8) != 0);
        assert_int_equal(paper.texts > 0, (mask & 16) != 0);
    }
    query_scene_free(&scene);
}

static void test_the_world_is_locked_while_it_is_drawn(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_box_add(world, sn_world_ground(world), NULL, (sn_box){{1, 1, 1}}, NULL);
    sn_draw draw = outlines();
    paper.world = world;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 12);
    assert_int_equal(paper.meddled, SN_ERROR_LOCKED);
    assert_int_equal(sn_world_step(world, 0.01f), SN_OK);
    sn_world_destroy(world);
}

static void test_bad_requests_are_refused(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_box_add(world, sn_world_ground(world), NULL, (sn_box){{1, 1, 1}}, NULL);
    const struct {
        float force_scale;
        sn_status expected;
    } cases[] = {{NAN, SN_ERROR_NOT_FINITE},
                 {INFINITY, SN_ERROR_NOT_FINITE},
                 {-0.1f, SN_ERROR_RANGE},
                 {2.0e6f, SN_ERROR_RANGE},
                 {0.0f, SN_OK},
                 {1.0e6f, SN_OK}};
    sn_draw draw = outlines();
    assert_int_equal(sn_world_draw(NULL, &draw), SN_ERROR_NULL);
    assert_int_equal(sn_world_draw(world, NULL), SN_ERROR_NULL);
    assert_non_null(strstr(sn_world_error(world), "sn_world_draw: draw"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        draw = outlines();
        draw.force_scale = cases[i].force_scale;
        assert_int_equal(sn_world_draw(world, &draw), cases[i].expected);
        assert_int_equal(paper.lines, cases[i].expected == SN_OK ? 12 : 0);
    }
    world->locked = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_ERROR_LOCKED);
    world->locked = false;
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_default_draws_shapes_and_constraints_with_nothing),
        test_with_memory(test_an_empty_world_draws_nothing),
        cmocka_unit_test(test_bounds_are_boxes_around_shapes),
        cmocka_unit_test(test_mass_centres_and_names_of_bodies),
        cmocka_unit_test(test_colours_tell_the_state_of_a_body),
        cmocka_unit_test(test_islands_share_a_colour),
        test_with_memory(test_islands_without_memory_draw_nothing),
        test_with_memory(test_missing_callbacks_are_skipped),
        cmocka_unit_test(test_the_world_is_locked_while_it_is_drawn),
        cmocka_unit_test(test_bad_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Deformables in pictures: their colours, both sides of cloth, shadows, heat, nodes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/render_kit.h"

// A mesh as a deformable at a place, painted; the mesh is taken over.
static sn_deformable put(render_kit *kit, sn_mesh *mesh, sn_pose pose, float thickness, sn_color color)
{
    sn_deformable deformable;
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.pose = pose;
    def.thickness = thickness;
    assert_int_equal(sn_deformable_add(kit->world, &def, &deformable), SN_OK);
    assert_true(sn_scene_paint_deformable(kit->scene, deformable, color));
    sn_mesh_destroy(mesh);
    return deformable;
}

static sn_mesh *sheet(float size)
{
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_grid(size, size, 8, 8, SN_GRID_ALTERNATING, &mesh), SN_OK);
    return mesh;
}

static sn_mesh *block(float size)
{
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_box(sn_v(size, size, size), 2, 2, 2, &mesh), SN_OK);
    return mesh;
}

static const sn_pose here = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};

static void test_sheets_volumes_and_strands_show_their_colour(void **state)
{
    (void)state;
    render_options options = kit_options();
    for (int kind = 0; kind < 3; ++kind) {
        render_kit kit = kit_open(&options);
        sn_mesh *mesh;
        if (kind == 2) {
            assert_int_equal(sn_mesh_line(2.0f, 8, &mesh), SN_OK);
        } else {
            mesh = kind == 0 ? sheet(2.0f) : block(1.0f);
        }
        put(&kit, mesh, here, kind == 2 ? 0.5f : 0.01f, 0x2030e0);
        kit_draw(&kit);
        assert_true(kit_is_blue(kit_middle(&kit)));
        kit_close(&kit);
    }
}

static void test_a_sheet_is_seen_from_behind_in_another_tint(void **state)
{
    (void)state;
    render_options options = kit_options();
    render_kit kit = kit_open(&options);
    put(&kit, sheet(3.0f), here, 0.01f, 0xe02020);
    kit_draw(&kit);
    kit_pixel front = kit_middle(&kit);
    kit.camera.eye = sn_v(0.0f, 2.0f, -10.0f);
    kit_draw(&kit);
    kit_pixel back = kit_middle(&kit);
    assert_true(kit_is_red(front) && kit_is_red(back));
    assert_true(abs(front.red - back.red) + abs(front.green - back.green) + abs(front.blue - back.blue) > 20);
    kit_close(&kit);
}

static void test_a_sheet_throws_a_shadow(void **state)
{
    (void)state;
    render_options options = kit_options();
    options.shadows = true;
    render_kit kit = kit_open(&options);
    kit.camera.eye = sn_v(0.0f, 8.0f, 10.0f);
    kit_floor(&kit, 0.0f);
    kit_draw(&kit);
    int bright = kit_brightness(kit_middle(&kit));
    // Out of sight, between the light and the middle.
    sn_vec3 light = sn_normalize(sn_v(-0.55f, 0.98f, 0.5f));
    sn_pose pose = {sn_scale(light, 1.2f), sn_quat_between(sn_v(0, 0, 1), sn_v(0, 1, 0))};
    sn_deformable cloth = put(&kit, sheet(1.0f), pose, 0.01f, 0xe02020);
    uint8_t *lit = kit_copy(&kit);
    kit_draw(&kit);
    assert_true(kit_difference(&kit, lit, 20) > 100);
    int darker = 0;
    for (int x = 0; x < options.width; ++x) {
        kit_pixel pixel = kit_at(&kit, x, options.height / 2);
        darker += kit_brightness(pixel) < bright - 25 && !kit_is_red(pixel);
    }
    assert_true(darker > 3);
    // Gone with it.
    assert_int_equal(sn_deformable_remove(kit.world, cloth), SN_OK);
    kit_draw(&kit);
    assert_int_equal(kit_difference(&kit, lit, 2), 0);
    free(lit);
    kit_close(&kit);
}

static void test_a_picture_follows_the_nodes(void **state)
{
    (void)state;
    render_options options = kit_options();
    render_kit kit = kit_open(&options);
    sn_deformable jelly = put(&kit, block(1.0f), here, 0.01f, 0xe02020);
    kit_draw(&kit);
    assert_true(kit_is_red(kit_middle(&kit)));
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_int_equal(sn_deformable_edit(kit.world, jelly, &nodes, &velocities), SN_OK);
    for (int i = 0; i < sn_deformable_node_count(kit.world, jelly); ++i) {
        nodes[i].position.x += 3.0f;
    }
    kit_draw(&kit);
    assert_false(kit_is_red(kit_middle(&kit)));
    // A node that is nowhere hides its deformable, and nothing else.
    kit_box(&kit, sn_v(0.0f, 0.0f, 0.0f), 0.5f, 0x2030e0);
    nodes[0].position.x = NAN;
    kit_draw(&kit);
    assert_true(kit_is_blue(kit_middle(&kit)));
    kit_close(&kit);
}

static void test_stretched_parts_are_red_and_bodies_keep_their_colours(void **state)
{
    (void)state;
    render_options options = kit_options();
    options.heat = RENDER_STRAIN;
    options.heat_limit = 0.5f;
    render_kit kit = kit_open(&options);
    sn_deformable cloth = put(&kit, sheet(2.0f), here, 0.01f, 0x20d020);
    kit_box(&kit, sn_v(-2.5f, 0.0f, 0.0f), 0.5f, 0x20d020);
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_int_equal(sn_deformable_edit(kit.world, cloth, &nodes, &velocities), SN_OK);
    // The right half is twice as wide.
    for (int i = 0; i < sn_deformable_node_count(kit.world, cloth); ++i) {
        nodes[i].position.x *= nodes[i].position.x > 0.0f ? 2.0f : 1.0f;
    }
    kit_draw(&kit);
    assert_true(kit_is_blue(kit_at(&kit, 70, 45)));
    assert_true(kit_is_red(kit_at(&kit, 100, 45)));
    kit_pixel body = kit_at(&kit, 46, 45);
    assert_true(body.green > body.red + 40 && body.green > body.blue + 40);
    kit_close(&kit);
}

static void test_fast_nodes_are_red(void **state)
{
    (void)state;
    render_options options = kit_options();
    options.heat = RENDER_SPEED;
    options.heat_limit = 1.0f;
    render_kit kit = kit_open(&options);
    sn_deformable cloth = put(&kit, sheet(2.0f), here, 0.01f, 0x20d020);
    kit_draw(&kit);
    assert_true(kit_is_blue(kit_middle(&kit)));
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_int_equal(sn_deformable_edit(kit.world, cloth, &nodes, &velocities), SN_OK);
    for (int i = 0; i < sn_deformable_node_count(kit.world, cloth); ++i) {
        velocities[i].velocity = sn_v(0.0f, 0.0f, 2.0f);
    }
    kit_draw(&kit);
    assert_true(kit_is_red(kit_middle(&kit)));
    kit_close(&kit);
}

static void test_nodes_and_wires_lie_over_the_surface(void **state)
{
    (void)state;
    render_options options = kit_options();
    render_kit kit = kit_open(&options);
    put(&kit, sheet(3.0f), here, 0.1f, 0x2030e0);
    kit_draw(&kit);
    uint8_t *plain = kit_copy(&kit);
    render_options with[2] = {options, options};
    with[0].nodes = true;
    with[1].wireframe = true;
    for (int i = 0; i < 2; ++i) {
        renderer *other = renderer_create(&with[i]);
        assert_non_null(other);
        assert_true(renderer_draw(other, kit.scene, &kit.camera, kit.pixels));
        assert_true(kit_difference(&kit, plain, 30) > 81);
        renderer_destroy(other);
    }
    free(plain);
    kit_close(&kit);
}

static void test_one_renderer_draws_one_world_after_another(void **state)
{
    (void)state;
    render_options options = kit_options();
    render_kit first = kit_open(&options), second = kit_open(&options);
    put(&first, sheet(2.0f), here, 0.01f, 0xe02020);
    put(&second, block(1.0f), here, 0.01f, 0x2030e0);
    for (int turn = 0; turn < 2; ++turn) {
        assert_true(renderer_draw(first.renderer, first.scene, &first.camera, first.pixels));
        assert_true(kit_is_red(kit_middle(&first)));
        assert_true(renderer_draw(first.renderer, second.scene, &first.camera, first.pixels));
        assert_true(kit_is_blue(kit_middle(&first)));
    }
    kit_close(&first);
    kit_close(&second);
}

static void test_clear_skins_let_through_what_is_behind(void **state)
{
    (void)state;
    render_options options = kit_options();
    render_kit kit = kit_open(&options);
    kit_box(&kit, sn_v(0.0f, 0.0f, -2.0f), 0.6f, 0x2030e0);
    sn_pose near_eye = {{0.0f, 0.0f, 1.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
    sn_deformable pane = put(&kit, sheet(3.0f), near_eye, 0.01f, 0xe02020);
    kit_draw(&kit);
    kit_pixel hidden = kit_middle(&kit), beside = kit_at(&kit, 66, 45);
    assert_true(kit_is_red(hidden) && abs(hidden.blue - beside.blue) < 8);
    assert_true(sn_scene_set_opacity(kit.scene, pane, 0.3f));
    kit_draw(&kit);
    kit_pixel seen = kit_middle(&kit);
    beside = kit_at(&kit, 66, 45);
    assert_true(seen.blue > hidden.blue + 40);
    assert_true(beside.red > seen.red + 20);
    assert_true(beside.red > beside.blue + 10);
    kit_close(&kit);
    // Colours that stand for numbers are not mixed.
    options.heat = RENDER_SPEED;
    options.heat_limit = 1.0f;
    kit = kit_open(&options);
    kit_floor(&kit, -1.0f);
    pane = put(&kit, sheet(3.0f), near_eye, 0.01f, 0xe02020);
    kit_draw(&kit);
    uint8_t *opaque = kit_copy(&kit);
    assert_true(sn_scene_set_opacity(kit.scene, pane, 0.3f));
    kit_draw(&kit);
    assert_int_equal(kit_difference(&kit, opaque, 0), 0);
    free(opaque);
    kit_close(&kit);
}

// What one picture leaves set must not spoil the next.
static void test_films_of_clear_skins_show_every_frame_alike(void **state)
{
    (void)state;
    render_options options = kit_options();
    render_kit kit = kit_open(&options);
    kit_floor(&kit, -1.0f);
    kit_box(&kit, sn_v(0.0f, 0.0f, -2.0f), 0.6f, 0x2030e0);
    assert_true(sn_scene_set_opacity(kit.scene, put(&kit, block(1.0f), here, 0.01f, 0xe02020), 0.5f));
    kit_draw(&kit);
    uint8_t *first = kit_copy(&kit);
    for (int frame = 1; frame < 3; ++frame) {
        kit_draw(&kit);
        assert_int_equal(kit_difference(&kit, first, 0), 0);
    }
    free(first);
    kit_close(&kit);
}

static void test_near_clear_skins_lie_over_far_ones(void **state)
{
    (void)state;
    render_options options = kit_options();
    kit_pixel seen[2];
    // The same whichever was there first.
    for (int order = 0; order < 2; ++order) {
        render_kit kit = kit_open(&options);
        for (int i = 0; i < 2; ++i) {
            bool red = i == order;
            sn_pose pose = {{0.0f, 0.0f, red ? 1.0f : -1.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
            sn_deformable pane = put(&kit, sheet(3.0f), pose, 0.01f, red ? 0xe02020 : 0x2030e0);
            assert_true(sn_scene_set_opacity(kit.scene, pane, 0.6f));
        }
        kit_draw(&kit);
        seen[order] = kit_middle(&kit);
        kit_close(&kit);
    }
    assert_true(seen[0].red > seen[0].blue + 20);
    assert_true(abs(seen[0].red - seen[1].red) <= 1 && abs(seen[0].blue - seen[1].blue) <= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sheets_volumes_and_strands_show_their_colour),
        cmocka_unit_test(test_a_sheet_is_seen_from_behind_in_another_tint),
        cmocka_unit_test(test_a_sheet_throws_a_shadow),
        cmocka_unit_test(test_a_picture_follows_the_nodes),
        cmocka_unit_test(test_stretched_parts_are_red_and_bodies_keep_their_colours),
        cmocka_unit_test(test_fast_nodes_are_red),
        cmocka_unit_test(test_nodes_and_wires_lie_over_the_surface),
        cmocka_unit_test(test_clear_skins_let_through_what_is_behind),
        cmocka_unit_test(test_films_of_clear_skins_show_every_frame_alike),
        cmocka_unit_test(test_near_clear_skins_lie_over_far_ones),
        cmocka_unit_test(test_one_renderer_draws_one_world_after_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

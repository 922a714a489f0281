// Pictures of scenes: what is in them, that they are the same every time, and what bad options get.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/render/shadow.h"
#include "apps/render_kit.h"

// --- what is seen ------------------------------------------------------------------------------------------

static void test_a_red_box_is_red_in_the_middle_and_background_elsewhere(void **state)
{
    (void)state;
    render_options options = kit_options();
    render_kit kit = kit_open(&options);
    kit_draw(&kit);
    uint8_t *empty = kit_copy(&kit);
    kit_box(&kit, sn_v(0.0f, 0.0f, 0.0f), 0.5f, 0xd02020);
    kit_draw(&kit);
    assert_true(kit_is_red(kit_middle(&kit)));
    // 0.5 m at 10 m distance is 7.3 pixels here, so the box and its edges end within 20.
    for (int y = 0; y < options.height; ++y) {
        for (int x = 0; x < options.width; ++x) {
            if (abs(x - 80) > 20 || abs(y - 45) > 20) {
                size_t at = 3 * (size_t)(y * options.width + x);
                assert_memory_equal(kit.pixels + at, empty + at, 3);
            }
        }
    }
    free(empty);
    kit_close(&kit);
}

static void test_the_background_is_a_light_gradient(void **state)
{
    (void)state;
    render_options options = kit_options();
    render_kit kit = kit_open(&options);
    kit.camera.eye = sn_v(0.0f, 0.0f, 10.0f);
    kit_draw(&kit);
    int horizon = kit_brightness(kit_middle(&kit)), top = kit_brightness(kit_at(&kit, 80, 0));
    assert_true(horizon > 190 && horizon < 250);
    assert_true(top < horizon - 10);
    kit_close(&kit);
}

static void add_every_shape(render_kit *kit, sn_shape shapes[6])
{
    const sn_vec3 origin = {0.0f, 0.0f, 0.0f};
    sn_world *world = kit->world;
    sn_vec3 corners[4] = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}};
    uint32_t triangles[6] = {0, 2, 1, 0, 3, 2};
    sn_hull *hull;
    sn_surface *surface;
    sn_compound *compound;
    assert_int_equal(sn_hull_cylinder(1.5f, 0.7f, 0.7f, 12, &hull), SN_OK);
    assert_int_equal(sn_surface_create(corners, 4, triangles, 2, true, &surface), SN_OK);
    sn_solid parts[2] = {{.type = SN_HULL, .pose = sn_pose_identity, .hull = hull},
                         {.type = SN_SPHERE, .pose = sn_pose_identity, .sphere = {{0, 1, 0}, 0.4f}}};
    assert_int_equal(sn_compound_create(parts, 2, &compound), SN_OK);
    sn_rigid rigids[6];
    for (int i = 0; i < 6; ++i) {
        rigids[i] = kit_body(kit, i == 4 ? SN_STATIC : SN_DYNAMIC, sn_v(100.0f * (float)i, 0.0f, 0.0f));
    }
    sn_sphere_add(world, rigids[0], NULL, (sn_sphere){origin, 0.8f}, &shapes[0]);
    sn_capsule_add(world, rigids[1], NULL, (sn_capsule){{0, -0.5f, 0}, {0, 0.5f, 0}, 0.5f}, &shapes[1]);
    sn_box_add(world, rigids[2], NULL, (sn_box){{0.7f, 0.7f, 0.7f}}, &shapes[2]);
    sn_hull_add(world, rigids[3], NULL, hull, &shapes[3]);
    sn_surface_add(world, rigids[4], NULL, surface, &shapes[4]);
    sn_compound_add(world, rigids[5], NULL, compound, &shapes[5]);
    sn_hull_destroy(hull);
    sn_surface_destroy(surface);
    sn_compound_destroy(compound);
}

static void test_every_kind_of_shape_is_drawn_in_its_colour(void **state)
{
    (void)state;
    render_options options = kit_options();
    render_kit kit = kit_open(&options);
    sn_shape shapes[6];
    add_every_shape(&kit, shapes);
    for (int i = 0; i < 6; ++i) {
        assert_true(sn_scene_paint(kit.scene, shapes[i], 0xd02020));
    }
    for (int i = 0; i < 6; ++i) {
        kit.camera.target = sn_v(100.0f * (float)i, 0.0f, 0.0f);
        kit.camera.eye = sn_v(100.0f * (float)i, 4.0f, 5.0f);
        kit_draw(&kit);
        assert_true(kit_is_red(kit_middle(&kit)));
    }
    kit_close(&kit);
}

static void test_a_shape_is_where_its_offset_puts_it(void **state)
{
    (void)state;
    render_options options = kit_options();
    render_kit kit = kit_open(&options);
    sn_rigid rigid = kit_body(&kit, SN_DYNAMIC, sn_v(1.0f, 0.0f, 0.0f));
    sn_shape_def def = sn_shape_def_default();
    def.offset.position = sn_v(-2.0f, 0.0f, 0.0f);
    sn_shape shape;
    assert_int_equal(sn_sphere_add(kit.world, rigid, &def, (sn_sphere){{0, 0, 0}, 0.5f}, &shape), SN_OK);
    assert_true(sn_scene_paint(kit.scene, shape, 0xd02020));
    kit_draw(&kit);
    // 1 m at 10.2 m is 14.3 pixels to the left.
    assert_true(kit_is_red(kit_at(&kit, 66, 45)));
    assert_false(kit_is_red(kit_at(&kit, 94, 45)));
    kit_close(&kit);
}

static void test_a_sphere_is_round_to_half_a_pixel(void **state)
{
    (void)state;
    render_options options = kit_options();
    options.width = options.height = 256;
    render_kit kit = kit_open(&options);
    kit.camera.eye = sn_v(0.0f, 0.0f, 10.0f);
    sn_shape shape;
    sn_rigid rigid = kit_body(&kit, SN_DYNAMIC, sn_v(0.0f, 0.0f, 0.0f));
    sn_sphere_add(kit.world, rigid, NULL, (sn_sphere){{0, 0, 0}, 2.0f}, &shape);
    sn_scene_paint(kit.scene, shape, 0xd02020);
    kit_draw(&kit);
    // The outline: rays that touch the ball, tan = r / √(d² − r²).
    double radius = 2.0 / sqrt(100.0 - 4.0) / tan(0.3) * 128.0;
    double area = 0.0;
    for (int y = 0; y < 256; ++y) {
        for (int x = 0; x < 256; ++x) {
            kit_pixel p = kit_at(&kit, x, y);
            bool red = p.red > p.green + 25;
            double away = hypot(x + 0.5 - 128.0, y + 0.5 - 128.0);
            area += red;
            assert_true(red || away > radius - 1.0);
            assert_true(!red || away < radius + 1.5);
        }
    }
    assert_true(fabs(sqrt(area / 3.14159265) - radius) < 0.5);
    kit_close(&kit);
}

// --- ground and shadows ------------------------------------------------------------------------------------

static void test_there_is_ground_only_where_there_is_a_plane_seen_from_above(void **state)
{
    (void)state;
    render_options options = kit_options();
    options.grid = true;
    render_kit kit = kit_open(&options);
    kit.camera.target = sn_v(0.0f, 1.0f, 0.0f);
    kit_draw(&kit);
    uint8_t *empty = kit_copy(&kit);
    kit_floor(&kit, 0.0f);
    kit_draw(&kit);
    assert_true(kit_difference(&kit, empty, 1) > 1000);
    free(empty);
    kit.camera.eye = sn_v(0.0f, -1.0f, 10.0f);
    kit_draw(&kit);
    uint8_t *below = kit_copy(&kit);
    render_kit other = kit_open(&options);
    other.camera = kit.camera;
    kit_draw(&other);
    assert_int_equal(kit_difference(&other, below, 0), 0);
    free(below);
    kit_close(&other);
    kit_close(&kit);
}

static void test_the_grid_darkens_lines_on_the_ground(void **state)
{
    (void)state;
    render_options options = kit_options();
    render_kit kit = kit_open(&options);
    kit_floor(&kit, 0.0f);
    kit.camera.eye = sn_v(0.0f, 3.0f, 4.0f);
    kit_draw(&kit);
    uint8_t *plain = kit_copy(&kit);
    kit_close(&kit);
    options.grid = true;
    kit = kit_open(&options);
    kit_floor(&kit, 0.0f);
    kit.camera.eye = sn_v(0.0f, 3.0f, 4.0f);
    kit_draw(&kit);
    int darker = 0;
    for (size_t i = 0; i < kit_size(&kit); ++i) {
        assert_true(kit.pixels[i] <= plain[i] + 1);
        darker += kit.pixels[i] + 8 < plain[i];
    }
    assert_true(darker > 100 && darker < (int)kit_size(&kit) / 2);
    free(plain);
    kit_close(&kit);
}

// Where a place of the world is in the picture.
static void project(const render_kit *kit, sn_vec3 place, int *x, int *y)
{
    render_view view = view_make(&kit->camera, sn_v(0, 1, 0), kit->options.width, kit->options.height);
    float at_x = 0.0f, at_y = 0.0f;
    assert_true(view_project(&view, sn_sub(place, view.eye), &at_x, &at_y));
    *x = (int)at_x;
    *y = (int)at_y;
}

static void test_a_shadow_darkens_the_ground_away_from_the_light(void **state)
{
    (void)state;
    render_options options = kit_options();
    options.shadows = true;
    render_kit kit = kit_open(&options);
    kit_floor(&kit, 0.0f);
    kit.camera.eye = sn_v(0.0f, 8.0f, 8.0f);
    kit_draw(&kit);
    uint8_t *without = kit_copy(&kit);
    kit_box(&kit, sn_v(0.0f, 2.0f, 0.0f), 0.5f, 0xd02020);
    kit_draw(&kit);
    sn_vec3 light = shadow_light_direction(sn_v(0, 1, 0));
    int x, y;
    project(&kit, sn_add_scaled(sn_v(0, 2, 0), -2.0f / light.y, light), &x, &y);
    size_t at = 3 * (size_t)(y * options.width + x);
    int lit = kit_brightness((kit_pixel){without[at], without[at + 1], without[at + 2]});
    assert_true(kit_brightness(kit_at(&kit, x, y)) < lit * 8 / 10);
    // As far on the other side there is none.
    project(&kit, sn_add_scaled(sn_v(0, 2, 0), 2.0f / light.y, sn_v(light.x, -light.y, light.z)), &x, &y);
    at = 3 * (size_t)(y * options.width + x);
    lit = kit_brightness((kit_pixel){without[at], without[at + 1], without[at + 2]});
    assert_in_range(kit_brightness(kit_at(&kit, x, y)), lit - 6, lit + 6);
    free(without);
    kit_close(&kit);
}

static void test_a_shadow_begins_where_the_box_stands(void **state)
{
    (void)state;
    render_options options = kit_options();
    options.shadows = true;
    options.width = 640;
    options.height = 360;
    render_kit kit = kit_open(&options);
    kit_floor(&kit, 0.0f);
    kit.camera.eye = sn_v(5.0f, 5.0f, 5.0f);
    kit_box(&kit, sn_v(0.0f, 0.5f, 0.0f), 0.5f, 0xd02020);
    kit_draw(&kit);
    // The side away from the light is the one towards +x; a centimetre beside it the ground is in the dark.
    int x, y, far_x, far_y;
    project(&kit, sn_v(0.52f, 0.0f, -0.1f), &x, &y);
    project(&kit, sn_v(1.0f, 0.0f, 1.5f), &far_x, &far_y);
    assert_true(kit_brightness(kit_at(&kit, x, y)) < kit_brightness(kit_at(&kit, far_x, far_y)) * 7 / 10);
    kit_close(&kit);
}

static void test_a_lit_face_does_not_shade_itself(void **state)
{
    (void)state;
    render_options options = kit_options();
    options.shadows = true;
    render_kit kit = kit_open(&options);
    kit_box(&kit, sn_v(0.0f, -2.0f, 0.0f), 2.0f, 0xd0d0d0);
    kit.camera.eye = sn_v(0.0f, 4.0f, 0.01f);
    kit_draw(&kit);
    // The middle of the upper face, seen from straight above, is one even colour.
    int least = 255, most = 0;
    for (int y = 15; y < 75; ++y) {
        for (int x = 50; x < 110; ++x) {
            int brightness = kit_brightness(kit_at(&kit, x, y));
            least = brightness < least ? brightness : least;
            most = brightness > most ? brightness : most;
        }
    }
    assert_true(least > 150);
    assert_true(most - least < 14);
    kit_close(&kit);
}

// --- the same every time -----------------------------------------------------------------------------------

static void test_the_same_scene_gives_the_same_picture(void **state)
{
    (void)state;
    render_options options = render_options_default();
    options.width = 160;
    options.height = 90;
    options.contacts = options.joints = options.forces = options.wireframe = true;
    render_kit kit = kit_open(&options);
    kit_fill(&kit, 40);
    kit_floor(&kit, -2.0f);
    kit_draw(&kit);
    uint8_t *first = kit_copy(&kit);
    kit_draw(&kit);
    assert_memory_equal(kit.pixels, first, kit_size(&kit));
    // Nor does it matter what was drawn in between, or by whom.
    render_kit other = kit_open(&options);
    kit_fill(&other, 3);
    kit_draw(&other);
    assert_true(renderer_draw(kit.renderer, other.scene, &other.camera, kit.pixels));
    assert_true(renderer_draw(other.renderer, kit.scene, &kit.camera, kit.pixels));
    assert_memory_equal(kit.pixels, first, kit_size(&kit));
    kit_draw(&kit);
    assert_memory_equal(kit.pixels, first, kit_size(&kit));
    free(first);
    kit_close(&other);
    kit_close(&kit);
}

static void test_samples_smooth_edges(void **state)
{
    (void)state;
    // A red box turned a little against the light background: its edge in few or many tones.
    int tones[9] = {0};
    for (int samples = 1; samples <= 8; samples *= 2) {
        render_options options = kit_options();
        options.samples = samples;
        render_kit kit = kit_open(&options);
        sn_rigid box = kit_box(&kit, sn_v(0.0f, 0.0f, 0.0f), 1.0f, 0xd02020);
        kit.camera.eye = sn_v(0.0f, 0.0f, 10.0f);
        sn_pose turned = {{0, 0, 0}, sn_quat_axis_angle(sn_v(0, 0, 1), 0.2f)};
        assert_int_equal(sn_rigid_pose_set(kit.world, box, turned), SN_OK);
        kit_draw(&kit);
        for (int i = 0; i < 160 * 90; ++i) {
            kit_pixel p = kit_at(&kit, i % 160, i / 160);
            int redness = p.red - p.green;
            tones[samples] += redness > 30 && redness < 90;
        }
        kit_close(&kit);
    }
    assert_true(tones[4] > 2 * tones[1] && tones[4] > 12);
    assert_int_equal(tones[2], tones[4]);
    assert_true(tones[8] > 2 * tones[1]);
}

// --- heat --------------------------------------------------------------------------------------------------

static void test_fast_bodies_are_red_and_slow_ones_blue(void **state)
{
    (void)state;
    render_options options = kit_options();
    options.heat = RENDER_SPEED;
    options.heat_limit = 10.0f;
    render_kit kit = kit_open(&options);
    sn_rigid fast = kit_box(&kit, sn_v(-1.0f, 0.0f, 0.0f), 0.5f, 0x20d020);
    kit_box(&kit, sn_v(1.0f, 0.0f, 0.0f), 0.5f, 0x20d020);
    sn_rigid_linear_velocity_set(kit.world, fast, sn_v(0.0f, 12.0f, 0.0f));
    kit_draw(&kit);
    assert_true(kit_is_red(kit_at(&kit, 66, 45)));
    assert_true(kit_is_blue(kit_at(&kit, 94, 45)));
    // Without a limit the fastest in the picture is the limit.
    kit_close(&kit);
    options.heat_limit = 0.0f;
    kit = kit_open(&options);
    fast = kit_box(&kit, sn_v(-1.0f, 0.0f, 0.0f), 0.5f, 0x20d020);
    kit_box(&kit, sn_v(1.0f, 0.0f, 0.0f), 0.5f, 0x20d020);
    sn_rigid_linear_velocity_set(kit.world, fast, sn_v(0.0f, 0.01f, 0.0f));
    kit_draw(&kit);
    assert_true(kit_is_red(kit_at(&kit, 66, 45)));
    kit_close(&kit);
}

static void test_violated_constraints_show_as_heat(void **state)
{
    (void)state;
    render_options options = kit_options();
    options.heat = RENDER_ERROR;
    options.heat_limit = 0.1f;
    render_kit kit = kit_open(&options);
    sn_rigid left = kit_box(&kit, sn_v(-1.0f, 0.0f, 0.0f), 0.5f, 0x20d020);
    kit_box(&kit, sn_v(1.0f, 0.0f, 0.0f), 0.5f, 0x20d020);
    sn_ball_def def = sn_ball_def_default();
    sn_constraint_place(kit.world, &def.common, sn_world_ground(kit.world), left, sn_v(0, 0, 0),
                        sn_v(1, 0, 0));
    assert_int_equal(sn_ball_add(kit.world, &def, NULL), SN_OK);
    sn_rigid_pose_set(kit.world, left, (sn_pose){{-1.0f, 0.2f, 0.0f}, sn_quat_identity});
    kit_draw(&kit);
    assert_true(kit_is_red(kit_at(&kit, 66, 43)));
    assert_true(kit_is_blue(kit_at(&kit, 94, 45)));
    kit_close(&kit);
}

// --- bad options -------------------------------------------------------------------------------------------

static void expect_refused(render_options options, const char *words[3])
{
    assert_null(renderer_create(&options));
    for (int i = 0; i < 3; ++i) {
        if (strstr(sn_scene_error(), words[i]) == NULL) {
            fail_msg("expected \"%s\" in \"%s\"", words[i], sn_scene_error());
        }
    }
}

static void test_options_out_of_range_are_named_with_value_and_expectation(void **state)
{
    (void)state;
    render_options options = render_options_default();
    options.width = 15;
    expect_refused(options, (const char *[]){"width", "15", "16…8192"});
    options = render_options_default();
    options.height = 8193;
    expect_refused(options, (const char *[]){"height", "8193", "16…8192"});
    options = render_options_default();
    options.samples = 3;
    expect_refused(options, (const char *[]){"samples", "3", "1, 2, 4 or 8"});
    options = render_options_default();
    options.heat = (render_heat)7;
    expect_refused(options, (const char *[]){"heat", "7", "RENDER_SPEED"});
    options = render_options_default();
    options.heat_limit = -1.0f;
    expect_refused(options, (const char *[]){"heat_limit", "-1", "expected 0"});
    options.heat_limit = NAN;
    expect_refused(options, (const char *[]){"heat_limit", "nan", "finite"});
    assert_null(renderer_create(NULL));
    assert_non_null(strstr(sn_scene_error(), "null"));
}

static void test_null_arguments_are_refused(void **state)
{
    (void)state;
    render_options options = kit_options();
    render_kit kit = kit_open(&options);
    assert_false(renderer_draw(NULL, kit.scene, &kit.camera, kit.pixels));
    assert_false(renderer_draw(kit.renderer, NULL, &kit.camera, kit.pixels));
    assert_false(renderer_draw(kit.renderer, kit.scene, NULL, kit.pixels));
    assert_false(renderer_draw(kit.renderer, kit.scene, &kit.camera, NULL));
    assert_non_null(strstr(sn_scene_error(), "null"));
    renderer_destroy(NULL);
    assert_non_null(strstr(renderer_description(kit.renderer), "OpenGL"));
    kit_close(&kit);
}

static void test_the_scenes_light_decides_how_bright_things_are(void **state)
{
    (void)state;
    render_options options = kit_options();
    int brightness[3];
    for (int i = 0; i < 3; ++i) {
        render_kit kit = kit_open(&options);
        sn_rigid ball;
        sn_rigid_def def = sn_rigid_def_default();
        assert_int_equal(sn_rigid_add(kit.world, &def, &ball), SN_OK);
        assert_int_equal(sn_sphere_add(kit.world, ball, NULL, (sn_sphere){.radius = 2.0f}, NULL), SN_OK);
        // From the eye, weaker, and from behind.
        kit.scene->light = (sn_light){sn_v(0.0f, 0.0f, i < 2 ? 1.0f : -1.0f), i == 1 ? 0.2f : 1.0f, 0xffffff};
        kit.camera.eye = sn_v(0.0f, 0.0f, 10.0f);
        kit.camera.target = sn_v(0.0f, 0.0f, 0.0f);
        kit_draw(&kit);
        brightness[i] = kit_brightness(kit_at(&kit, options.width / 2, options.height / 2));
        kit_close(&kit);
    }
    assert_true(brightness[0] > brightness[1] + 20);
    assert_true(brightness[1] > brightness[2]);
}

static void test_slow_changes_have_no_bands(void **state)
{
    (void)state;
    render_options options = kit_options();
    options.width = 640;
    options.height = 360;
    render_kit kit = kit_open(&options);
    kit.camera.eye = sn_v(0.0f, 2.0f, 10.0f);
    kit.camera.target = sn_v(0.0f, 4.0f, 0.0f);
    kit_draw(&kit);
    // A row of the sky in which nothing changes by more than a few steps is never the same for long.
    int longest = 0, same = 0;
    for (int x = 1; x < options.width; ++x) {
        kit_pixel a = kit_at(&kit, x - 1, 100), b = kit_at(&kit, x, 100);
        same = a.red == b.red && a.green == b.green && a.blue == b.blue ? same + 1 : 0;
        longest = same > longest ? same : longest;
    }
    assert_true(longest < 40);
    kit_close(&kit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_scenes_light_decides_how_bright_things_are),
        cmocka_unit_test(test_slow_changes_have_no_bands),
        cmocka_unit_test(test_a_red_box_is_red_in_the_middle_and_background_elsewhere),
        cmocka_unit_test(test_the_background_is_a_light_gradient),
        cmocka_unit_test(test_every_kind_of_shape_is_drawn_in_its_colour),
        cmocka_unit_test(test_a_shape_is_where_its_offset_puts_it),
        cmocka_unit_test(test_a_sphere_is_round_to_half_a_pixel),
        cmocka_unit_test(test_there_is_ground_only_where_there_is_a_plane_seen_from_above),
        cmocka_unit_test(test_the_grid_darkens_lines_on_the_ground),
        cmocka_unit_test(test_a_shadow_darkens_the_ground_away_from_the_light),
        cmocka_unit_test(test_a_shadow_begins_where_the_box_stands),
        cmocka_unit_test(test_a_lit_face_does_not_shade_itself),
        cmocka_unit_test(test_the_same_scene_gives_the_same_picture),
        cmocka_unit_test(test_samples_smooth_edges),
        cmocka_unit_test(test_fast_bodies_are_red_and_slow_ones_blue),
        cmocka_unit_test(test_violated_constraints_show_as_heat),
        cmocka_unit_test(test_options_out_of_range_are_named_with_value_and_expectation),
        cmocka_unit_test(test_null_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

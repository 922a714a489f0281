// Scenes and cameras at the limits of what there can be: all of them give a picture.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/render_kit.h"

static void test_odd_cameras_give_a_picture(void **state)
{
    (void)state;
    const float huge = 1.0e30f;
    const sn_camera cameras[] = {
        {"", {0, 0, 0}, {0, 0, 0}, {0, 1, 0}, 0.6f, false},           // eye at the target
        {"", {0, 9, 0}, {0, 0, 0}, {0, 1, 0}, 0.6f, false},           // up along the view
        {"", {0, 0, 9}, {0, 0, 0}, {0, 0, 0}, 0.6f, false},           // no up
        {"", {0, 0, 9}, {0, 0, 0}, {0, 1, 0}, 0.0f, false},           // no field of view
        {"", {0, 0, 9}, {0, 0, 0}, {0, 1, 0}, 100.0f, false},         // more than all around
        {"", {NAN, 0, 9}, {0, 0, 0}, {0, 1, 0}, 0.6f, false},         // nowhere
        {"", {0, 0, 9}, {NAN, INFINITY, 0}, {NAN, 1, 0}, NAN, false}, // nothing makes sense
        {"", {huge, 0, 0}, {-huge, 0, 0}, {0, 1, 0}, 0.6f, false},
        {"", {0, 0, 1.0e-7f}, {0, 0, 0}, {0, 1, 0}, 0.6f, false},
        {"", {1.0e6f, 1.0e6f, 1.0e6f}, {0, 0, 0}, {0, 1, 0}, 0.6f, false},
    };
    render_options options = render_options_default();
    options.width = 64;
    options.height = 36;
    render_kit kit = kit_open(&options);
    kit_floor(&kit, -1.0f);
    kit_fill(&kit, 10);
    for (size_t i = 0; i < sizeof cameras / sizeof *cameras; ++i) {
        kit.camera = cameras[i];
        kit_draw(&kit);
    }
    kit.camera = cameras[1];
    kit_box(&kit, sn_v(0, 3, 0), 1.0f, 0xd02020);
    kit_draw(&kit);
    assert_true(kit_is_red(kit_middle(&kit)));
    kit_close(&kit);
}

static void test_bodies_a_thousand_kilometres_away_are_sharp(void **state)
{
    (void)state;
    render_options options = kit_options();
    options.shadows = true;
    render_kit kit = kit_open(&options);
    kit_box(&kit, sn_v(0.0f, 0.0f, 0.0f), 0.5f, 0xd02020);
    kit_draw(&kit);
    uint8_t *here = kit_copy(&kit);
    kit_close(&kit);
    kit = kit_open(&options);
    const sn_vec3 there = {999424.0f, -999424.0f, 999424.0f}; // multiples of 1024, exact in float32
    kit_box(&kit, there, 0.5f, 0xd02020);
    kit.camera.eye = sn_add(there, kit.camera.eye);
    kit.camera.target = there;
    kit_draw(&kit);
    // Texels of the shadow map begin elsewhere, so a pixel of its soft edge may differ.
    assert_true(kit_difference(&kit, here, 2) < 5);
    free(here);
    kit_close(&kit);
}

static void test_a_body_that_fell_out_of_the_world_spoils_nothing(void **state)
{
    (void)state;
    render_options options = kit_options();
    options.shadows = true;
    render_kit kit = kit_open(&options);
    kit_box(&kit, sn_v(0.0f, 0.0f, 0.0f), 0.5f, 0xd02020);
    kit_draw(&kit);
    uint8_t *alone = kit_copy(&kit);
    kit_box(&kit, sn_v(0.0f, -200000.0f, -900000.0f), 0.5f, 0x20d020);
    kit_draw(&kit);
    assert_int_equal(kit_difference(&kit, alone, 3), 0);
    free(alone);
    kit_close(&kit);
}

static void test_scenes_of_static_bodies_only_have_shadows_too(void **state)
{
    (void)state;
    render_options options = kit_options();
    options.shadows = true;
    render_kit kit = kit_open(&options);
    kit_floor(&kit, -0.5f);
    kit.camera.eye = sn_v(0.0f, 6.0f, 8.0f);
    sn_rigid rigid = kit_body(&kit, SN_STATIC, sn_v(0.0f, 0.0f, 0.0f));
    sn_box_add(kit.world, rigid, NULL, (sn_box){{0.5f, 0.5f, 0.5f}}, NULL);
    kit_draw(&kit);
    uint8_t *with = kit_copy(&kit);
    kit_close(&kit);
    options.shadows = false;
    kit = kit_open(&options);
    kit_floor(&kit, -0.5f);
    kit.camera.eye = sn_v(0.0f, 6.0f, 8.0f);
    rigid = kit_body(&kit, SN_STATIC, sn_v(0.0f, 0.0f, 0.0f));
    sn_box_add(kit.world, rigid, NULL, (sn_box){{0.5f, 0.5f, 0.5f}}, NULL);
    kit_draw(&kit);
    assert_true(kit_difference(&kit, with, 20) > 50);
    free(with);
    kit_close(&kit);
}

static void test_a_hundred_thousand_bodies_are_drawn(void **state)
{
    (void)state;
    render_options options = kit_options();
    render_kit kit = kit_open(&options);
    const sn_sphere ball = {{0, 0, 0}, 0.4f};
    for (int i = 0; i < 100000; ++i) {
        sn_vec3 position = {(float)(i % 50) - 24.5f, (float)(i / 50 % 50) - 24.5f, (float)(i / 2500) - 40.0f};
        sn_sphere_add(kit.world, kit_body(&kit, SN_DYNAMIC, position), NULL, ball, NULL);
    }
    kit.camera.eye = sn_v(0.0f, 0.0f, 120.0f);
    kit_draw(&kit);
    kit_pixel middle = kit_middle(&kit);
    kit.camera.eye = sn_v(0.0f, 0.0f, 12000.0f);
    kit_draw(&kit);
    assert_true(middle.red != kit_at(&kit, 0, 45).red || middle.blue != kit_at(&kit, 0, 45).blue);
    kit_close(&kit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_odd_cameras_give_a_picture),
        cmocka_unit_test(test_bodies_a_thousand_kilometres_away_are_sharp),
        cmocka_unit_test(test_a_body_that_fell_out_of_the_world_spoils_nothing),
        cmocka_unit_test(test_scenes_of_static_bodies_only_have_shadows_too),
        cmocka_unit_test(test_a_hundred_thousand_bodies_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

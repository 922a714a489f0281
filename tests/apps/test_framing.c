// What a camera shows: shares of the picture that are known, what its edges cut, what comes in and what
// leaves.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/framing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A camera 10 m away that sees 4 m upwards there: its slope is a fifth.
#define CAMERA                                                                                               \
    "\"cameras\": [{\"name\": \"main\", \"eye\": [0, 0, 10], \"target\": [0, 0, 0], \"field_of_view\": "     \
    "22.619865}]"
#define NO_GRAVITY "\"world\": {\"gravity\": [0, 0, 0], \"sleep\": false}"

static sn_scene *parse(const char *bodies, const char *camera)
{
    char text[2048];
    snprintf(text, sizeof text, "{\"sinew\": 1, " NO_GRAVITY ", \"bodies\": [%s], %s}", bodies, camera);
    sn_scene *scene = NULL;
    if (sn_scene_parse(text, strlen(text), "framing.json", NULL, &scene) != SN_OK) {
        fail_msg("%s", sn_scene_error());
    }
    return scene;
}

// Looks ten times a second for so many seconds.
static framing look_for(sn_scene *scene, int seconds)
{
    framing framing;
    framing_begin(&framing, scene);
    assert_true(framing_look(&framing));
    for (int i = 0; i < 10 * seconds; ++i) {
        for (int k = 0; k < 6; ++k) {
            assert_int_equal(sn_scene_step(scene, 1.0f / 60.0f), SN_OK);
        }
        assert_true(framing_look(&framing));
    }
    return framing;
}

static void test_a_plate_of_half_the_height_takes_half_the_picture(void **state)
{
    (void)state;
    sn_scene *scene =
        parse("{\"name\": \"plate\", \"shape\": {\"type\": \"box\", \"size\": [2, 2, 0.001]}}", CAMERA);
    framing framing = look_for(scene, 0);
    assert_float_equal(framing_share(&framing), 0.5f, 1e-3f);
    assert_int_equal(framing_cut(&framing).count, 0);
    assert_int_equal(framing_left(&framing).count, 0);
    framing_release(&framing);
    sn_scene_destroy(scene);
}

// It moves by 2.4 m, to the right, and is 1 m wide; the picture is 16/9 of 4 m wide.
static void test_subjects_take_all_that_they_pass_over(void **state)
{
    (void)state;
    sn_scene *scene =
        parse("{\"name\": \"plate\", \"linear_velocity\": [1.2, 0, 0], \"shape\": {\"type\": \"box\", "
              "\"size\": [1, 0.1, 0.001]}}",
              CAMERA);
    framing framing = look_for(scene, 2);
    assert_float_equal(framing_share(&framing), 3.4f * 9.0f / 64.0f, 2e-3f);
    framing_release(&framing);
    sn_scene_destroy(scene);
}

static void test_what_an_edge_cuts_is_named_with_edge_and_time(void **state)
{
    (void)state;
    sn_scene *scene =
        parse("{\"name\": \"still\", \"shape\": {\"type\": \"sphere\", \"radius\": 0.3}},"
              "{\"name\": \"climber\", \"position\": [1, 1, 0], \"linear_velocity\": [0, 0.5, 0], \"shape\": "
              "{\"type\": \"sphere\", \"radius\": 0.5}}",
              CAMERA);
    framing framing = look_for(scene, 2);
    framing_tally cut = framing_cut(&framing);
    assert_int_equal(cut.count, 1);
    assert_string_equal(cut.name.text, "climber");
    assert_string_equal(cut.edge, "upper");
    // Its top is at 2 m, where the picture ends for what is 10 m away, after a second; nearer parts of the
    // ball are seen a little beyond.
    assert_float_equal(cut.time, 0.95, 0.11);
    framing_release(&framing);
    sn_scene_destroy(scene);
}

static void test_what_comes_in_or_leaves_is_not_cut(void **state)
{
    (void)state;
    sn_scene *scene =
        parse("{\"name\": \"leaver\", \"linear_velocity\": [4, 0, 0], \"shape\": {\"type\": \"sphere\", "
              "\"radius\": 0.3}},"
              "{\"name\": \"comer\", \"position\": [0, 4, 0], \"linear_velocity\": [0, -2, 0], \"shape\": "
              "{\"type\": \"sphere\", \"radius\": 0.3}}",
              CAMERA);
    framing framing = look_for(scene, 2);
    assert_int_equal(framing_cut(&framing).count, 0);
    assert_int_equal(framing_left(&framing).count, 1);
    assert_string_equal(framing_left(&framing).name.text, "leaver");
    framing_release(&framing);
    sn_scene_destroy(scene);
}

// A post belongs to what moves, a floor and a landscape do not.
static void test_posts_count_and_floors_do_not(void **state)
{
    (void)state;
    const char *ball = "{\"name\": \"ball\", \"shape\": {\"type\": \"sphere\", \"radius\": 1}}";
    char bodies[1024];
    snprintf(bodies, sizeof bodies,
             "%s, {\"name\": \"post\", \"type\": \"static\", \"position\": [2, -1, 0], \"shape\": {\"type\": "
             "\"box\", \"size\": [0.1, 3, 0.1]}},"
             "{\"name\": \"floor\", \"type\": \"static\", \"position\": [0, -3, 0], \"shape\": {\"type\": "
             "\"box\", "
             "\"size\": [50, 0.1, 50]}},"
             "{\"name\": \"plane\", \"type\": \"static\", \"position\": [0, -3, 0], \"shape\": {\"type\": "
             "\"plane\"}}",
             ball);
    sn_scene *scene = parse(bodies, CAMERA);
    framing framing = look_for(scene, 0);
    framing_tally cut = framing_cut(&framing);
    assert_int_equal(cut.count, 1);
    assert_string_equal(cut.name.text, "post");
    assert_string_equal(cut.edge, "lower");
    framing_release(&framing);
    sn_scene_destroy(scene);
}

static void test_what_a_camera_that_follows_passes_by_is_not_cut(void **state)
{
    (void)state;
    sn_scene *scene = parse(
        "{\"name\": \"car\", \"linear_velocity\": [3, 0, 0], \"shape\": {\"type\": \"box\", \"size\": [2, 1, "
        "1]}},"
        "{\"name\": \"stone\", \"position\": [4, 1, 0], \"shape\": {\"type\": \"sphere\", \"radius\": 0.4}},"
        "{\"name\": \"post\", \"type\": \"static\", \"position\": [3.6, -1, 0], \"shape\": {\"type\": "
        "\"box\", "
        "\"size\": [0.2, 1, 0.2]}}",
        "\"cameras\": [{\"eye\": [0, 0, 10], \"target\": [0, 0, 0], \"field_of_view\": 22.619865, "
        "\"follow\": \"car\"}]");
    framing framing = look_for(scene, 1);
    assert_true(framing.camera_moves);
    assert_int_equal(framing_cut(&framing).count, 0);
    framing_release(&framing);
    sn_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_plate_of_half_the_height_takes_half_the_picture),
        cmocka_unit_test(test_subjects_take_all_that_they_pass_over),
        cmocka_unit_test(test_what_an_edge_cuts_is_named_with_edge_and_time),
        cmocka_unit_test(test_what_comes_in_or_leaves_is_not_cut),
        cmocka_unit_test(test_posts_count_and_floors_do_not),
        cmocka_unit_test(test_what_a_camera_that_follows_passes_by_is_not_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

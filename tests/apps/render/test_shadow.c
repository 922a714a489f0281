// How the shadow map is fitted: to what moves and is near, in steps, so that it does not crawl. No OpenGL.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/render/shadow.h"
#include "support/random.h"

#include <string.h>

static const sn_vec3 up = {0.0f, 1.0f, 0.0f};

static render_view some_view(void)
{
    sn_camera camera = {"", {0, 5, 20}, {0, 0, 0}, up, 0.6f, false};
    return view_make(&camera, up, 640, 360);
}

static void add(drawing_list *list, sn_vec3 center, float reach, bool moving)
{
    drawn_item item = {.center = center, .reach = reach, .visible = true, .moving = moving};
    assert_true(SN_LIST_PUSH(&list->items, item));
}

static shader_frame lit_frame(void)
{
    shader_frame frame = {0};
    sn_vec3 light = shadow_light_direction(up);
    frame.key[0] = light.x;
    frame.key[1] = light.y;
    frame.key[2] = light.z;
    return frame;
}

// Where a place is in the map: 0…1 across it, and from near the light to far from it.
static sn_vec3 in_map(const shader_frame *frame, sn_vec3 p)
{
    float at[3];
    for (int i = 0; i < 3; ++i) {
        const float *row = frame->shadow_rows[i];
        at[i] = row[0] * p.x + row[1] * p.y + row[2] * p.z + row[3];
    }
    return sn_v(at[0], at[1], at[2]);
}

static void test_the_light_comes_from_above_whatever_is_up(void **state)
{
    (void)state;
    test_random random = {2};
    for (int i = 0; i < 100; ++i) {
        sn_vec3 any = test_random_direction(&random), light = shadow_light_direction(any);
        assert_float_equal(sn_length(light), 1.0f, 1e-5f);
        assert_true(sn_dot(light, any) > 0.5f && sn_dot(light, any) < 0.95f);
    }
}

static void test_without_anything_there_is_no_map(void **state)
{
    (void)state;
    drawing_list list = {0};
    render_view view = some_view();
    shader_frame frame = lit_frame();
    assert_false(shadow_fit(&list, &view, &frame));
}

static void test_everything_near_that_moves_is_in_the_map(void **state)
{
    (void)state;
    test_random random = {3};
    drawing_list list = {0};
    render_view view = some_view();
    shader_frame frame = lit_frame();
    sn_vec3 middle = sn_scale(view.forward, view.focus);
    for (int i = 0; i < 200; ++i) {
        add(&list, sn_add(middle, test_random_vec3(&random, 5.0f)), 0.3f, true);
    }
    add(&list, middle, 500.0f, false);                           // a static floor larger than all
    add(&list, sn_add(middle, sn_v(0, -100000, 0)), 0.3f, true); // one that fell away
    assert_true(shadow_fit(&list, &view, &frame));
    for (int i = 0; i < 200; ++i) {
        for (int k = 0; k < 4; ++k) {
            sn_vec3 rim = sn_add_scaled(list.items.items[i].center, 0.3f, test_random_direction(&random));
            sn_vec3 at = in_map(&frame, rim);
            assert_true(at.x > 0.0f && at.x < 1.0f && at.y > 0.0f && at.y < 1.0f && at.z > 0.0f &&
                        at.z < 1.0f);
        }
    }
    // 10 m of bodies (17 m corner to corner), not 500 m of floor nor 100 km of fall.
    assert_true(frame.shadow_sizes[0] / frame.shadow_sizes[2] < 25.0f);
    SN_LIST_FREE(&list.items);
}

static void test_a_post_beside_what_moves_is_in_the_map_and_a_far_one_is_not(void **state)
{
    (void)state;
    drawing_list list = {0};
    render_view view = some_view();
    shader_frame frame = lit_frame();
    sn_vec3 middle = sn_scale(view.forward, view.focus), beside = sn_add(middle, sn_v(1.5f, 0, 0));
    add(&list, middle, 1.0f, true);
    add(&list, beside, 1.0f, false);
    add(&list, sn_add(middle, sn_v(800.0f, 0, 0)), 1.0f, false);
    assert_true(shadow_fit(&list, &view, &frame));
    sn_vec3 at = in_map(&frame, sn_add_scaled(beside, 0.99f, sn_v(1, 0, 0)));
    assert_true(at.x > 0.0f && at.x < 1.0f && at.y > 0.0f && at.y < 1.0f);
    // What is farther away than the map reaches does not make it larger.
    float reach = 2.0f * 2.2f * sn_max(view.slope_x, view.slope_y) * view.focus;
    assert_true(frame.shadow_sizes[0] / frame.shadow_sizes[2] < reach * 1.25f * 1.06f);
    SN_LIST_FREE(&list.items);
}

static void test_the_map_stays_put_while_bodies_move_a_little(void **state)
{
    (void)state;
    test_random random = {4};
    render_view view = some_view();
    shader_frame first = lit_frame(), second = lit_frame();
    sn_vec3 middle = sn_scale(view.forward, view.focus);
    drawing_list list = {0};
    for (int i = 0; i < 50; ++i) {
        add(&list, sn_add(middle, test_random_vec3(&random, 4.0f)), 0.3f, true);
    }
    assert_true(shadow_fit(&list, &view, &first));
    for (int i = 0; i < 50; ++i) {
        list.items.items[i].center = sn_add(list.items.items[i].center, sn_v(0.011f, 0.007f, -0.013f));
    }
    assert_true(shadow_fit(&list, &view, &second));
    // The same scale, moved by whole texels.
    assert_memory_equal(first.shadow_rows[0], second.shadow_rows[0], 3 * sizeof(float));
    float texels = (first.shadow_rows[0][3] - second.shadow_rows[0][3]) / first.shadow_sizes[2];
    assert_float_equal(texels, roundf(texels), 2e-3f);
    SN_LIST_FREE(&list.items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_light_comes_from_above_whatever_is_up),
        cmocka_unit_test(test_without_anything_there_is_no_map),
        cmocka_unit_test(test_everything_near_that_moves_is_in_the_map),
        cmocka_unit_test(test_a_post_beside_what_moves_is_in_the_map_and_a_far_one_is_not),
        cmocka_unit_test(test_the_map_stays_put_while_bodies_move_a_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

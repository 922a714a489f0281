// The camera's mathematics: what is seen, where, and what becomes of cameras that make no sense.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/render/view.h"
#include "support/random.h"

static const sn_vec3 up = {0.0f, 1.0f, 0.0f};

static render_view view_from(sn_vec3 eye, sn_vec3 target)
{
    sn_camera camera = {"", eye, target, up, 0.8f, false};
    return view_make(&camera, up, 200, 100);
}

static void test_the_target_is_in_the_middle_and_up_is_up(void **state)
{
    (void)state;
    render_view view = view_from(sn_v(3, 4, 12), sn_v(0, 0, 0));
    float x, y;
    assert_true(view_project(&view, sn_neg(view.eye), &x, &y));
    assert_float_equal(x, 100.0f, 1e-3f);
    assert_float_equal(y, 50.0f, 1e-3f);
    assert_true(view_project(&view, sn_sub(sn_v(0, 1, 0), view.eye), &x, &y));
    assert_float_equal(x, 100.0f, 1e-3f);
    assert_true(y < 45.0f);
    assert_float_equal(view.focus, 13.0f, 1e-5f);
}

static void test_what_is_behind_is_not_projected(void **state)
{
    (void)state;
    render_view view = view_from(sn_v(0, 0, 10), sn_v(0, 0, 0));
    float x, y;
    assert_false(view_project(&view, sn_v(0, 0, 1), &x, &y));
    assert_false(view_project(&view, sn_v(0, 0, 0), &x, &y));
}

// The matrix puts places where view_project says, and depths between −1 and 1.
static void test_the_matrix_agrees_with_the_projection(void **state)
{
    (void)state;
    test_random random = {5};
    render_view view = view_from(sn_v(2, 3, 9), sn_v(1, 0, 0));
    view_set_depths(&view, 2.0f, 30.0f);
    for (int i = 0; i < 100; ++i) {
        sn_vec3 p = sn_sub(test_random_vec3(&random, 3.0f), view.eye);
        float clip[4];
        for (int row = 0; row < 4; ++row) {
            const float *m = view.clip.at + row;
            clip[row] = m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12];
        }
        float x, y, depth = sn_dot(p, view.forward);
        assert_true(view_project(&view, p, &x, &y));
        assert_float_equal(clip[3], depth, 1e-5f * depth);
        assert_float_equal((0.5f + 0.5f * clip[0] / clip[3]) * 200.0f, x, 1e-3f);
        assert_float_equal((0.5f - 0.5f * clip[1] / clip[3]) * 100.0f, y, 1e-3f);
        assert_true(clip[2] / clip[3] > -1.0f && clip[2] / clip[3] < 1.0f);
    }
}

// A sphere that is not seen has no point that is.
static void test_spheres_out_of_view_have_no_visible_point(void **state)
{
    (void)state;
    test_random random = {6};
    render_view view = view_from(sn_v(0, 0, 10), sn_v(0, 0, 0));
    int hidden = 0;
    for (int i = 0; i < 2000; ++i) {
        sn_vec3 center = test_random_vec3(&random, 20.0f);
        float radius = test_random_float(&random, 0.0f, 4.0f), x, y;
        sn_vec3 point = sn_add_scaled(center, radius, test_random_direction(&random));
        bool seen = view_project(&view, point, &x, &y) && x > 0.0f && x < 200.0f && y > 0.0f && y < 100.0f;
        if (!view_sees(&view, center, radius)) {
            ++hidden;
            assert_false(seen);
        }
    }
    assert_true(hidden > 500);
    assert_true(view_sees(&view, sn_v(0, 0, -5), 0.0f));
    assert_true(view_sees(&view, sn_v(0, 0, 0), 1.0f));
}

static void test_a_metre_takes_as_many_pixels_as_projected(void **state)
{
    (void)state;
    render_view view = view_from(sn_v(0, 0, 10), sn_v(0, 0, 0));
    float x[2], y[2];
    assert_true(view_project(&view, sn_v(0, 0, -8), &x[0], &y[0]));
    assert_true(view_project(&view, sn_v(0, 1, -8), &x[1], &y[1]));
    assert_float_equal(view_pixels_per_metre(&view, 8.0f), y[0] - y[1], 1e-3f);
}

static void test_every_camera_gets_orthonormal_axes(void **state)
{
    (void)state;
    const float bad[] = {0.0f, 1.0f, -3.0f, NAN, INFINITY, 1.0e30f, 1.0e-30f};
    const size_t count = sizeof bad / sizeof *bad;
    test_random random = {8};
    for (int i = 0; i < 3000; ++i) {
        float n[10];
        for (int k = 0; k < 10; ++k) {
            n[k] = bad[test_random_u32(&random) % count];
        }
        sn_camera camera = {"", {n[0], n[1], n[2]}, {n[3], n[4], n[5]}, {n[6], n[7], n[8]}, n[9], false};
        render_view view = view_make(&camera, up, 64, 64);
        assert_true(sn_vec3_is_finite(view.eye));
        assert_float_equal(sn_length(view.right), 1.0f, 1e-4f);
        assert_float_equal(sn_length(view.up), 1.0f, 1e-4f);
        assert_float_equal(sn_length(view.forward), 1.0f, 1e-4f);
        assert_float_equal(sn_dot(view.right, view.forward), 0.0f, 1e-4f);
        assert_float_equal(sn_dot(view.up, view.forward), 0.0f, 1e-4f);
        assert_true(view.focus > 0.0f && view.slope_x > 0.0f && view.slope_y > 0.0f);
    }
}

static void test_narrow_pictures_show_as_much_to_the_sides(void **state)
{
    (void)state;
    for (int width = 20; width <= 300; width += 20) {
        sn_camera camera = {"", {0, 0, 10}, {0, 0, 0}, up, 0.6f, false}, widened = camera;
        view_widen(&widened, 1.6f, (float)width / 100.0f);
        render_view usual = view_make(&camera, up, 160, 100), view = view_make(&widened, up, width, 100);
        if (width <= 160) {
            assert_float_equal(view.slope_x, usual.slope_x, 1e-4f);
        } else {
            assert_float_equal(view.slope_y, usual.slope_y, 1e-6f);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_target_is_in_the_middle_and_up_is_up),
        cmocka_unit_test(test_what_is_behind_is_not_projected),
        cmocka_unit_test(test_the_matrix_agrees_with_the_projection),
        cmocka_unit_test(test_spheres_out_of_view_have_no_visible_point),
        cmocka_unit_test(test_a_metre_takes_as_many_pixels_as_projected),
        cmocka_unit_test(test_every_camera_gets_orthonormal_axes),
        cmocka_unit_test(test_narrow_pictures_show_as_much_to_the_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

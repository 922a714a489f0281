// Slider: what its rows say in places one can imagine.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/constraint_pair.h"

static const sn_vec3 axis_x = {1.0f, 0.0f, 0.0f};

static sn_definition plain(void)
{
    sn_definition d = {.slider = sn_slider_def_default()};
    return d;
}

// Rows of a slider whose b has travelled along the slider's axis.
static int rows_at_travel(sn_definition definition, float travel, sn_row *rows)
{
    test_pair pair = test_pair_make(SN_SLIDER, definition, test_turned(travel, 0.0f, 0.0f, axis_x, 0.0f));
    return test_pair_rows(&pair, rows);
}

static void test_travel_along_the_axis_is_free(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    int count = rows_at_travel(plain(), 12.0f, rows);
    assert_int_equal(count, 5);
    assert_float_equal(sn_rows_error(rows, count), 0.0f, 0.0f);
}

static void test_held_rows_are_the_offset_across_and_the_rotation(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_definition slider = plain();
    slider.common.compliance = 0.5f;
    slider.common.angular_compliance = 0.25f;
    sn_pose place = test_turned(9.0f, 0.1f, -0.2f, sn_v(0.48f, 0.6f, 0.64f), 0.5f);
    test_pair pair = test_pair_make(SN_SLIDER, slider, place);
    assert_int_equal(test_pair_rows(&pair, rows), 5);
    const float values[5] = {0.1f, -0.2f, 0.24f, 0.3f, 0.32f};
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(rows[i].type, SN_ROW_EQUAL);
        assert_float_equal(rows[i].value, values[i], 1.0e-6f);
        assert_float_equal(rows[i].compliance, i < 2 ? 0.5f : 0.25f, 0.0f);
    }
}

static void test_limit_rows_are_distances_to_either_stop(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_definition slider = plain();
    slider.slider.limit = true;
    slider.slider.lower = -1.0f;
    slider.slider.upper = 2.0f;
    assert_int_equal(rows_at_travel(slider, 2.5f, rows), 7);
    assert_int_equal(rows[5].type, SN_ROW_ABOVE);
    assert_float_equal(rows[5].value, 3.5f, 1.0e-6f);
    assert_float_equal(rows[5].linear[1].x, 1.0f, 1.0e-6f);
    assert_float_equal(rows[6].value, -0.5f, 1.0e-6f);
    assert_float_equal(rows[6].linear[1].x, -1.0f, 1.0e-6f);
}

static void test_stop_on_one_side_only(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_definition slider = plain();
    slider.slider.limit = true;
    slider.slider.lower = -1.0f;
    assert_int_equal(rows_at_travel(slider, 2.5f, rows), 6);
    assert_float_equal(rows[5].value, 3.5f, 1.0e-6f);
}

static void test_motor_and_spring_act_on_the_travel(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_definition slider = plain();
    slider.slider.motor = true;
    slider.slider.motor_speed = 3.0f;
    slider.slider.motor_force = 20.0f;
    slider.slider.spring_stiffness = 10.0f;
    slider.slider.spring_travel = 0.5f;
    assert_int_equal(rows_at_travel(slider, 2.0f, rows), 7);
    assert_int_equal(rows[5].type, SN_ROW_SPEED);
    assert_float_equal(rows[5].target_speed, 3.0f, 0.0f);
    assert_true(rows[5].lower == -20.0f && rows[5].upper == 20.0f);
    assert_int_equal(rows[6].type, SN_ROW_EQUAL);
    assert_float_equal(rows[6].value, 1.5f, 1.0e-6f);
    assert_float_equal(rows[6].compliance, 0.1f, 0.0f);
}

static void assert_rejected(sn_definition definition, sn_status status, const char *message)
{
    sn_error error = {{0}};
    assert_int_equal(sn_definition_check(&sn_kind_slider, &definition, &error, "slider 'drawer'"), status);
    assert_string_equal(error.text, message);
}

static void test_bad_fields_are_named(void **state)
{
    (void)state;
    sn_definition d = plain();
    d.slider.lower = 2.0f;
    d.slider.upper = 1.0f;
    assert_rejected(d, SN_ERROR_RANGE, "slider 'drawer': lower is 2, expected <= upper (1)");
    d = plain();
    d.slider.lower = INFINITY;
    assert_rejected(d, SN_ERROR_NOT_FINITE, "slider 'drawer': lower is inf, expected a finite number");
    d = plain();
    d.slider.upper = -INFINITY;
    assert_rejected(d, SN_ERROR_NOT_FINITE, "slider 'drawer': upper is -inf, expected a finite number");
    d = plain();
    d.slider.motor_speed = 1.0e6f;
    assert_rejected(d, SN_ERROR_RANGE,
                    "slider 'drawer': motor_speed is 1e+06, expected >= -100000 and <= 100000");
    d = plain();
    d.slider.motor_force = -1.0f;
    assert_rejected(d, SN_ERROR_RANGE, "slider 'drawer': motor_force is -1, expected >= 0");
    d = plain();
    d.slider.spring_damping = -1.0f;
    assert_rejected(d, SN_ERROR_RANGE, "slider 'drawer': spring_damping is -1, expected >= 0");
    d = plain();
    d.slider.spring_travel = 2.0e6f;
    assert_rejected(d, SN_ERROR_RANGE,
                    "slider 'drawer': spring_travel is 2e+06, expected >= -1e+06 and <= 1e+06");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_travel_along_the_axis_is_free),
        cmocka_unit_test(test_held_rows_are_the_offset_across_and_the_rotation),
        cmocka_unit_test(test_limit_rows_are_distances_to_either_stop),
        cmocka_unit_test(test_stop_on_one_side_only),
        cmocka_unit_test(test_motor_and_spring_act_on_the_travel),
        cmocka_unit_test(test_bad_fields_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Hinge: what its rows say in places one can imagine.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/constraint_pair.h"

static const sn_vec3 axis_x = {1.0f, 0.0f, 0.0f};
static const sn_vec3 axis_y = {0.0f, 1.0f, 0.0f};

static sn_definition plain(void)
{
    sn_definition d = {.hinge = sn_hinge_def_default()};
    return d;
}

static sn_definition limited(float lower, float upper)
{
    sn_definition d = plain();
    d.hinge.limit = true;
    d.hinge.lower = lower;
    d.hinge.upper = upper;
    return d;
}

// Rows of a hinge whose b is turned about the hinge's axis.
static int rows_at_angle(sn_definition definition, float angle, sn_row *rows)
{
    test_pair pair = test_pair_make(SN_HINGE, definition, test_turned(0.0f, 0.0f, 0.0f, axis_x, angle));
    return test_pair_rows(&pair, rows);
}

static void test_turning_about_the_axis_is_free(void **state)
{
    (void)state;
    for (int i = -31; i <= 31; ++i) {
        sn_row rows[SN_MAX_ROWS];
        int count = rows_at_angle(plain(), 0.1f * (float)i, rows);
        assert_int_equal(count, 5);
        assert_float_equal(sn_rows_error(rows, count), 0.0f, 1.0e-7f);
    }
}

static void test_five_held_rows_are_one_block_with_their_own_softness(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_definition hinge = plain();
    hinge.common.compliance = 0.5f;
    hinge.common.damping = 1.0f;
    hinge.common.angular_compliance = 0.25f;
    hinge.common.angular_damping = 2.0f;
    test_pair pair = test_pair_make(SN_HINGE, hinge, test_turned(0.1f, 0.2f, 0.3f, axis_y, 0.4f));
    assert_int_equal(test_pair_rows(&pair, rows), 5);
    const float values[5] = {0.1f, 0.2f, 0.3f, 0.4f, 0.0f};
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(rows[i].type, SN_ROW_EQUAL);
        assert_float_equal(rows[i].value, values[i], 1.0e-6f);
        assert_float_equal(rows[i].compliance, i < 3 ? 0.5f : 0.25f, 0.0f);
        assert_float_equal(rows[i].damping, i < 3 ? 1.0f : 2.0f, 0.0f);
    }
}

static void test_limit_rows_are_distances_to_either_stop(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    assert_int_equal(rows_at_angle(limited(-0.5f, 1.0f), 1.2f, rows), 7);
    assert_int_equal(rows[5].type, SN_ROW_ABOVE);
    assert_float_equal(rows[5].value, 1.7f, 1.0e-6f);
    assert_float_equal(rows[5].angular[1].x, 1.0f, 1.0e-6f);
    assert_int_equal(rows[6].type, SN_ROW_ABOVE);
    assert_float_equal(rows[6].value, -0.2f, 1.0e-6f);
    assert_float_equal(rows[6].angular[1].x, -1.0f, 1.0e-6f);
    assert_float_equal(rows[6].angular[0].x, 1.0f, 1.0e-6f);
}

// 3.2 rad is read as −3.08, far below the lower stop; yet the door has just gone through the upper one.
static void test_overshoot_beyond_half_a_turn_is_pushed_back_the_short_way(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    rows_at_angle(limited(0.0f, 3.0f), 3.2f, rows);
    assert_float_equal(rows[5].value, 3.2f, 1.0e-6f);
    assert_float_equal(rows[6].value, -0.2f, 1.0e-6f);
    rows_at_angle(limited(-3.0f, 0.0f), -3.2f, rows);
    assert_float_equal(rows[5].value, -0.2f, 1.0e-6f);
}

static void test_motor_row_drives_the_angle(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_definition hinge = plain();
    hinge.hinge.motor = true;
    hinge.hinge.motor_speed = -2.0f;
    hinge.hinge.motor_torque = 5.0f;
    assert_int_equal(rows_at_angle(hinge, 0.7f, rows), 6);
    assert_int_equal(rows[5].type, SN_ROW_SPEED);
    assert_float_equal(rows[5].target_speed, -2.0f, 0.0f);
    assert_true(rows[5].lower == -5.0f && rows[5].upper == 5.0f);
    assert_float_equal(rows[5].angular[1].x, 1.0f, 1.0e-6f);
    assert_float_equal(rows[5].angular[0].x, -1.0f, 1.0e-6f);
}

static void test_spring_row_is_the_short_way_to_its_rest(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_definition hinge = plain();
    hinge.hinge.spring_stiffness = 4.0f;
    hinge.hinge.spring_damping = 0.5f;
    hinge.hinge.spring_angle = 3.0f;
    assert_int_equal(rows_at_angle(hinge, 2.5f, rows), 6);
    assert_int_equal(rows[5].type, SN_ROW_EQUAL);
    assert_float_equal(rows[5].value, -0.5f, 1.0e-6f);
    assert_float_equal(rows[5].compliance, 0.25f, 0.0f);
    assert_float_equal(rows[5].damping, 0.5f, 0.0f);
    rows_at_angle(hinge, -3.0f, rows);
    assert_float_equal(rows[5].value, 2.0f * SN_PI - 6.0f, 1.0e-6f);
}

static void test_all_features_stand_in_fixed_order(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_definition hinge = limited(-1.0f, 1.0f);
    hinge.hinge.motor = true;
    hinge.hinge.spring_stiffness = 1.0f;
    assert_int_equal(rows_at_angle(hinge, 0.0f, rows), 9);
    assert_int_equal(rows[6].type, SN_ROW_ABOVE);
    assert_int_equal(rows[7].type, SN_ROW_SPEED);
    assert_int_equal(rows[8].type, SN_ROW_EQUAL);
}

// A stop is hard however soft the hinge.
static void test_limits_have_no_compliance(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_definition hinge = limited(-1.0f, 1.0f);
    hinge.common.compliance = 1.0f;
    hinge.common.angular_compliance = 1.0f;
    rows_at_angle(hinge, 0.0f, rows);
    assert_true(rows[5].compliance == 0.0f && rows[6].compliance == 0.0f);
}

static void assert_rejected(sn_definition definition, sn_status status, const char *message)
{
    sn_error error = {{0}};
    assert_int_equal(sn_definition_check(&sn_kind_hinge, &definition, &error, "hinge 'door'"), status);
    assert_string_equal(error.text, message);
}

static void test_bad_fields_are_named(void **state)
{
    (void)state;
    assert_rejected(limited(2.0f, 1.0f), SN_ERROR_RANGE, "hinge 'door': lower is 2, expected <= upper (1)");
    assert_rejected(limited(-3.5f, 1.0f), SN_ERROR_RANGE,
                    "hinge 'door': lower is -3.5, expected >= -3.14159 and <= 3.14159");
    assert_rejected(limited(0.0f, INFINITY), SN_ERROR_NOT_FINITE,
                    "hinge 'door': upper is inf, expected a finite number");
    sn_definition d = plain();
    d.hinge.motor_speed = 2.0e4f;
    assert_rejected(d, SN_ERROR_RANGE, "hinge 'door': motor_speed is 20000, expected >= -10000 and <= 10000");
    d = plain();
    d.hinge.motor_torque = -1.0f;
    assert_rejected(d, SN_ERROR_RANGE, "hinge 'door': motor_torque is -1, expected >= 0");
    d = plain();
    d.hinge.spring_stiffness = -1.0f;
    assert_rejected(d, SN_ERROR_RANGE, "hinge 'door': spring_stiffness is -1, expected >= 0");
    d = plain();
    d.hinge.spring_damping = INFINITY;
    assert_rejected(d, SN_ERROR_NOT_FINITE, "hinge 'door': spring_damping is inf, expected a finite number");
    d = plain();
    d.hinge.spring_angle = 7.0f;
    assert_rejected(d, SN_ERROR_RANGE,
                    "hinge 'door': spring_angle is 7, expected >= -3.14159 and <= 3.14159");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turning_about_the_axis_is_free),
        cmocka_unit_test(test_five_held_rows_are_one_block_with_their_own_softness),
        cmocka_unit_test(test_limit_rows_are_distances_to_either_stop),
        cmocka_unit_test(test_overshoot_beyond_half_a_turn_is_pushed_back_the_short_way),
        cmocka_unit_test(test_motor_row_drives_the_angle),
        cmocka_unit_test(test_spring_row_is_the_short_way_to_its_rest),
        cmocka_unit_test(test_all_features_stand_in_fixed_order),
        cmocka_unit_test(test_limits_have_no_compliance),
        cmocka_unit_test(test_bad_fields_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

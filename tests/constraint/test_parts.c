// Force laws: which rows each part writes, with which signs, limits and softness.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "constraint/kind.h"
#include "constraint/parts.h"

static const sn_stiffness soft = {0.25f, 3.0f};

static sn_coordinate coordinate_at(float value)
{
    sn_coordinate c = {
        value, {{-1.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}}, {{0.0f, 2.0f, 0.0f}, {0.0f, 0.0f, 3.0f}}};
    return c;
}

static void test_equal_is_the_coordinate_less_its_target(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_rows_clear(rows, SN_MAX_ROWS);
    sn_coordinate c = coordinate_at(2.0f);
    assert_int_equal(sn_part_equal(&c, 0.5f, soft, rows, 3), 4);
    assert_int_equal(rows[3].type, SN_ROW_EQUAL);
    assert_float_equal(rows[3].value, 1.5f, 0.0f);
    assert_float_equal(rows[3].compliance, 0.25f, 0.0f);
    assert_float_equal(rows[3].damping, 3.0f, 0.0f);
    assert_float_equal(rows[3].linear[1].x, 1.0f, 0.0f);
    assert_float_equal(rows[3].angular[0].y, 2.0f, 0.0f);
    assert_true(rows[3].lower == -INFINITY && rows[3].upper == INFINITY);
}

static void test_limits_are_distances_to_either_side(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_rows_clear(rows, SN_MAX_ROWS);
    sn_coordinate c = coordinate_at(2.0f);
    assert_int_equal(sn_part_limits(&c, 0.5f, 2.5f, soft, rows, 0), 2);
    assert_int_equal(rows[0].type, SN_ROW_ABOVE);
    assert_float_equal(rows[0].value, 1.5f, 0.0f);
    assert_float_equal(rows[0].linear[1].x, 1.0f, 0.0f);
    assert_float_equal(rows[0].compliance, 0.25f, 0.0f);
    assert_int_equal(rows[1].type, SN_ROW_ABOVE);
    assert_float_equal(rows[1].value, 0.5f, 0.0f);
    assert_float_equal(rows[1].linear[1].x, -1.0f, 0.0f);
    assert_float_equal(rows[1].angular[1].z, -3.0f, 0.0f);
    for (int i = 0; i < 2; ++i) {
        assert_true(rows[i].lower == 0.0f && rows[i].upper == INFINITY);
    }
}

static void test_infinite_sides_give_no_row(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_rows_clear(rows, SN_MAX_ROWS);
    sn_coordinate c = coordinate_at(2.0f);
    assert_int_equal(sn_part_limits(&c, -INFINITY, INFINITY, sn_hard, rows, 5), 5);
    assert_int_equal(sn_part_limits(&c, -INFINITY, 1.0f, sn_hard, rows, 5), 6);
    assert_float_equal(rows[5].value, -1.0f, 0.0f);
    assert_int_equal(sn_part_limits(&c, 1.0f, INFINITY, sn_hard, rows, 5), 6);
    assert_float_equal(rows[5].value, 1.0f, 0.0f);
}

static void test_motor_has_speed_and_strength(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_rows_clear(rows, SN_MAX_ROWS);
    sn_coordinate c = coordinate_at(2.0f);
    assert_int_equal(sn_part_motor(&c, -4.0f, 9.0f, rows, 0), 1);
    assert_int_equal(rows[0].type, SN_ROW_SPEED);
    assert_float_equal(rows[0].target_speed, -4.0f, 0.0f);
    assert_float_equal(rows[0].lower, -9.0f, 0.0f);
    assert_float_equal(rows[0].upper, 9.0f, 0.0f);
    assert_float_equal(rows[0].linear[1].x, 1.0f, 0.0f);
}

static void test_spring_is_a_soft_row(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_rows_clear(rows, SN_MAX_ROWS);
    sn_coordinate c = coordinate_at(2.0f);
    assert_int_equal(sn_part_spring(&c, 8.0f, 0.5f, 1.25f, rows, 6), 7);
    assert_int_equal(rows[6].type, SN_ROW_EQUAL);
    assert_float_equal(rows[6].value, 0.75f, 0.0f);
    assert_float_equal(rows[6].compliance, 0.125f, 0.0f);
    assert_float_equal(rows[6].damping, 0.5f, 0.0f);
}

static void test_spring_without_stiffness_is_none_and_the_weakest_is_finite(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_rows_clear(rows, SN_MAX_ROWS);
    sn_coordinate c = coordinate_at(2.0f);
    assert_int_equal(sn_part_spring(&c, 0.0f, 0.5f, 0.0f, rows, 1), 1);
    assert_int_equal(sn_part_spring(&c, 1.0e-42f, 0.0f, 0.0f, rows, 1), 2);
    assert_true(sn_is_finite(rows[1].compliance) && rows[1].compliance > 1.0e38f);
}

static void test_stiffness_comes_from_the_fields_of_its_direction(void **state)
{
    (void)state;
    sn_constraint_common common = sn_common_default(1);
    common.compliance = 1.0f;
    common.damping = 2.0f;
    common.angular_compliance = 3.0f;
    common.angular_damping = 4.0f;
    sn_stiffness linear = sn_stiffness_linear(&common), angular = sn_stiffness_angular(&common);
    assert_true(linear.compliance == 1.0f && linear.damping == 2.0f);
    assert_true(angular.compliance == 3.0f && angular.damping == 4.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_is_the_coordinate_less_its_target),
        cmocka_unit_test(test_limits_are_distances_to_either_side),
        cmocka_unit_test(test_infinite_sides_give_no_row),
        cmocka_unit_test(test_motor_has_speed_and_strength),
        cmocka_unit_test(test_spring_is_a_soft_row),
        cmocka_unit_test(test_spring_without_stiffness_is_none_and_the_weakest_is_finite),
        cmocka_unit_test(test_stiffness_comes_from_the_fields_of_its_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

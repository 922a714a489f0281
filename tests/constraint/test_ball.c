// Ball joint: what its rows say in places one can imagine.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/constraint_pair.h"

static const sn_vec3 axis_x = {1.0f, 0.0f, 0.0f};
static const sn_vec3 axis_z = {0.0f, 0.0f, 1.0f};

static sn_definition plain(void)
{
    sn_definition d = {.ball = sn_ball_def_default()};
    return d;
}

static void test_held_rows_are_the_gap_as_seen_from_frame_a(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_definition ball = plain();
    ball.common.compliance = 0.5f;
    ball.common.damping = 2.0f;
    ball.common.angular_compliance = 7.0f;
    test_pair pair = test_pair_make(SN_BALL, ball, test_turned(0.1f, -0.2f, 0.3f, axis_z, 2.0f));
    assert_int_equal(test_pair_rows(&pair, rows), 3);
    const float gap[3] = {0.1f, -0.2f, 0.3f};
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(rows[i].type, SN_ROW_EQUAL);
        assert_float_equal(rows[i].value, gap[i], 1.0e-7f);
        assert_float_equal(rows[i].compliance, 0.5f, 0.0f);
        assert_float_equal(rows[i].damping, 2.0f, 0.0f);
    }
}

static void test_rotation_does_not_matter_without_limits(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    test_pair pair = test_pair_make(SN_BALL, plain(), test_turned(0.0f, 0.0f, 0.0f, axis_z, 3.0f));
    int count = test_pair_rows(&pair, rows);
    assert_float_equal(sn_rows_error(rows, count), 0.0f, 0.0f);
}

static void test_cone_row_is_what_is_left_of_the_cone(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_definition ball = plain();
    ball.ball.limit_cone = true;
    ball.ball.cone_angle = 0.5f;
    test_pair pair = test_pair_make(SN_BALL, ball, test_turned(0.0f, 0.0f, 0.0f, axis_z, 0.3f));
    assert_int_equal(test_pair_rows(&pair, rows), 4);
    assert_int_equal(rows[3].type, SN_ROW_ABOVE);
    assert_float_equal(rows[3].value, 0.2f, 1.0e-6f);
    // Turning b further about z makes it less.
    assert_float_equal(rows[3].angular[1].z, -1.0f, 1.0e-6f);

    test_pair_place(&pair, test_turned(0.0f, 0.0f, 0.0f, axis_z, 0.6f));
    test_pair_rows(&pair, rows);
    assert_float_equal(rows[3].value, -0.1f, 1.0e-6f);
}

static void test_cone_does_not_see_twist(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_definition ball = plain();
    ball.ball.limit_cone = true;
    ball.ball.cone_angle = 0.5f;
    test_pair pair = test_pair_make(SN_BALL, ball, test_turned(0.0f, 0.0f, 0.0f, axis_x, 2.0f));
    test_pair_rows(&pair, rows);
    assert_float_equal(rows[3].value, 0.5f, 1.0e-6f);
}

static void test_twist_rows_are_distances_to_either_limit(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_definition ball = plain();
    ball.ball.limit_twist = true;
    ball.ball.twist_lower = -0.5f;
    ball.ball.twist_upper = 1.0f;
    test_pair pair = test_pair_make(SN_BALL, ball, test_turned(0.0f, 0.0f, 0.0f, axis_x, 1.25f));
    assert_int_equal(test_pair_rows(&pair, rows), 5);
    assert_float_equal(rows[3].value, 1.75f, 1.0e-6f);
    assert_float_equal(rows[3].angular[1].x, 1.0f, 1.0e-6f);
    assert_float_equal(rows[4].value, -0.25f, 1.0e-6f);
    assert_float_equal(rows[4].angular[1].x, -1.0f, 1.0e-6f);
}

static void assert_rejected(sn_definition definition, sn_status status, const char *message)
{
    sn_error error = {{0}};
    assert_int_equal(sn_definition_check(&sn_kind_ball, &definition, &error, "ball 'hip'"), status);
    assert_string_equal(error.text, message);
}

static void test_bad_fields_are_named(void **state)
{
    (void)state;
    sn_definition d = plain();
    d.ball.cone_angle = 4.0f;
    assert_rejected(d, SN_ERROR_RANGE, "ball 'hip': cone_angle is 4, expected >= 0 and <= 3.14159");
    d = plain();
    d.ball.twist_lower = -4.0f;
    assert_rejected(d, SN_ERROR_RANGE, "ball 'hip': twist_lower is -4, expected >= -3.14159 and <= 3.14159");
    d = plain();
    d.ball.twist_upper = INFINITY;
    assert_rejected(d, SN_ERROR_NOT_FINITE, "ball 'hip': twist_upper is inf, expected a finite number");
    d = plain();
    d.ball.twist_lower = 1.0f;
    d.ball.twist_upper = 0.5f;
    assert_rejected(d, SN_ERROR_RANGE, "ball 'hip': twist_lower is 1, expected <= twist_upper (0.5)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_held_rows_are_the_gap_as_seen_from_frame_a),
        cmocka_unit_test(test_rotation_does_not_matter_without_limits),
        cmocka_unit_test(test_cone_row_is_what_is_left_of_the_cone),
        cmocka_unit_test(test_cone_does_not_see_twist),
        cmocka_unit_test(test_twist_rows_are_distances_to_either_limit),
        cmocka_unit_test(test_bad_fields_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

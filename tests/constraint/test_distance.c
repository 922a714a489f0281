// Distance: ropes, rods and springs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/constraint_pair.h"

static sn_definition between(float lower, float upper)
{
    sn_definition d = {.distance = sn_distance_def_default()};
    d.distance.lower = lower;
    d.distance.upper = upper;
    return d;
}

// Rows with the frames' origins `length` apart.
static int rows_at_length(sn_definition definition, float length, sn_row *rows)
{
    sn_pose place = {{0.0f, -0.6f * length, 0.8f * length}, {0.0f, 0.0f, 0.0f, 1.0f}};
    test_pair pair = test_pair_make(SN_DISTANCE, definition, place);
    return test_pair_rows(&pair, rows);
}

static void test_default_holds_nothing(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_definition d = {.distance = sn_distance_def_default()};
    assert_int_equal(rows_at_length(d, 2.0f, rows), 0);
}

static void test_rope_is_one_row_that_pulls(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    assert_int_equal(rows_at_length(between(0.0f, 3.0f), 2.0f, rows), 1);
    assert_int_equal(rows[0].type, SN_ROW_ABOVE);
    assert_float_equal(rows[0].value, 1.0f, 1.0e-6f);
    rows_at_length(between(0.0f, 3.0f), 3.5f, rows);
    assert_float_equal(rows[0].value, -0.5f, 1.0e-6f);
    // λ ≥ 0 moves b back towards a.
    assert_float_equal(rows[0].linear[1].y, 0.6f, 1.0e-6f);
    assert_float_equal(rows[0].linear[1].z, -0.8f, 1.0e-6f);
}

static void test_rod_is_one_held_row(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_definition rod = between(2.0f, 2.0f);
    rod.common.compliance = 0.5f;
    rod.common.damping = 3.0f;
    assert_int_equal(rows_at_length(rod, 2.5f, rows), 1);
    assert_int_equal(rows[0].type, SN_ROW_EQUAL);
    assert_float_equal(rows[0].value, 0.5f, 1.0e-6f);
    assert_float_equal(rows[0].compliance, 0.5f, 0.0f);
    assert_float_equal(rows[0].damping, 3.0f, 0.0f);
}

static void test_compliance_makes_a_rope_elastic(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_definition rope = between(0.0f, 3.0f);
    rope.common.compliance = 0.5f;
    rope.common.angular_compliance = 7.0f;
    rows_at_length(rope, 2.0f, rows);
    assert_float_equal(rows[0].compliance, 0.5f, 0.0f);
}

static void test_strut_is_two_rows(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    assert_int_equal(rows_at_length(between(1.0f, 3.0f), 1.25f, rows), 2);
    assert_float_equal(rows[0].value, 0.25f, 1.0e-6f);
    assert_float_equal(rows[1].value, 1.75f, 1.0e-6f);
    assert_int_equal(rows_at_length(between(1.0f, INFINITY), 0.5f, rows), 1);
    assert_float_equal(rows[0].value, -0.5f, 1.0e-6f);
}

static void test_spring_is_a_soft_row_beside_the_limits(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_definition d = between(0.0f, INFINITY);
    d.distance.spring_stiffness = 20.0f;
    d.distance.spring_damping = 2.0f;
    d.distance.spring_length = 1.5f;
    assert_int_equal(rows_at_length(d, 1.0f, rows), 1);
    assert_int_equal(rows[0].type, SN_ROW_EQUAL);
    assert_float_equal(rows[0].value, -0.5f, 1.0e-6f);
    assert_float_equal(rows[0].compliance, 0.05f, 1.0e-9f);
    assert_float_equal(rows[0].damping, 2.0f, 0.0f);
    d.distance.lower = d.distance.upper = 1.0f;
    assert_int_equal(rows_at_length(d, 1.0f, rows), 2);
}

// Frames away from the mass centres: a pull turns the bodies.
static void test_pull_off_centre_has_a_lever(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_definition rod = between(2.0f, 2.0f);
    rod.common.b.position = sn_v(0.0f, 0.5f, 0.0f);
    sn_pose place = {{0.0f, 0.0f, 3.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
    test_pair pair = test_pair_make(SN_DISTANCE, rod, place);
    test_pair_rows(&pair, rows);
    assert_float_equal(rows[0].value, 1.0f, 1.0e-6f);
    assert_float_equal(rows[0].angular[1].x, 0.5f, 1.0e-6f);
}

static void assert_rejected(sn_definition definition, sn_status status, const char *message)
{
    sn_error error = {{0}};
    assert_int_equal(sn_definition_check(&sn_kind_distance, &definition, &error, "distance 'rope'"), status);
    assert_string_equal(error.text, message);
}

static void test_bad_fields_are_named(void **state)
{
    (void)state;
    assert_rejected(between(-1.0f, 1.0f), SN_ERROR_RANGE,
                    "distance 'rope': lower is -1, expected >= 0 and <= 1e+06");
    assert_rejected(between(INFINITY, INFINITY), SN_ERROR_NOT_FINITE,
                    "distance 'rope': lower is inf, expected a finite number");
    assert_rejected(between(0.0f, 2.0e6f), SN_ERROR_RANGE,
                    "distance 'rope': upper is 2e+06, expected >= 0 and <= 1e+06");
    assert_rejected(between(2.0f, 1.0f), SN_ERROR_RANGE,
                    "distance 'rope': lower is 2, expected <= upper (1)");
    sn_definition d = between(0.0f, 1.0f);
    d.distance.spring_stiffness = -1.0f;
    assert_rejected(d, SN_ERROR_RANGE, "distance 'rope': spring_stiffness is -1, expected >= 0");
    d = between(0.0f, 1.0f);
    d.distance.spring_length = -1.0f;
    assert_rejected(d, SN_ERROR_RANGE, "distance 'rope': spring_length is -1, expected >= 0 and <= 1e+06");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default_holds_nothing),
        cmocka_unit_test(test_rope_is_one_row_that_pulls),
        cmocka_unit_test(test_rod_is_one_held_row),
        cmocka_unit_test(test_compliance_makes_a_rope_elastic),
        cmocka_unit_test(test_strut_is_two_rows),
        cmocka_unit_test(test_spring_is_a_soft_row_beside_the_limits),
        cmocka_unit_test(test_pull_off_centre_has_a_lever),
        cmocka_unit_test(test_bad_fields_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

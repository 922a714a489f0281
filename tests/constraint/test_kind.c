// The table of kinds, the input of their functions, and measures of their rows.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/constraint_pair.h"

static void test_every_kind_has_a_name_a_text_and_a_cookie(void **state)
{
    (void)state;
    const char *names[SN_CONSTRAINT_KIND_COUNT] = {"ball",     "hinge",  "slider", "fixed",
                                                   "distance", "custom", "axis"};
    for (int i = 0; i < SN_CONSTRAINT_KIND_COUNT; ++i) {
        assert_string_equal(sn_constraint_kind_name((sn_constraint_kind)i), names[i]);
        assert_true(sn_constraint_kind_text((sn_constraint_kind)i)[0] != '\0');
        assert_int_not_equal(sn_kinds[i]->cookie, 0);
        assert_true(sn_kinds[i]->definition_size <= sizeof(sn_definition));
        for (int j = 0; j < i; ++j) {
            assert_int_not_equal(sn_kinds[i]->cookie, sn_kinds[j]->cookie);
        }
    }
}

static void test_name_of_no_kind_is_harmless(void **state)
{
    (void)state;
    assert_string_equal(sn_constraint_kind_name(SN_CONSTRAINT_KIND_COUNT), "unknown kind");
    assert_string_equal(sn_constraint_kind_name((sn_constraint_kind)-1), "unknown kind");
}

static void test_defaults_carry_the_cookie_of_their_kind_and_pass_its_check(void **state)
{
    (void)state;
    for (int i = 0; i < SN_CONSTRAINT_KIND_COUNT; ++i) {
        sn_definition definition = sn_definition_default(sn_kinds[i]);
        sn_error error = {{0}};
        assert_int_equal(definition.common.cookie, sn_kinds[i]->cookie);
        assert_int_equal(sn_common_check(&definition.common, &error, "it"), SN_OK);
        // A custom definition is not whole before it names its kind.
        sn_status expected = i == SN_CUSTOM ? SN_ERROR_NULL : SN_OK;
        assert_int_equal(sn_definition_check(sn_kinds[i], &definition, &error, "it"), expected);
    }
}

static void test_input_has_frames_centres_and_arms_in_the_world(void **state)
{
    (void)state;
    sn_constraint_common common = sn_common_default(1);
    common.a.position = sn_v(1.0f, 0.0f, 0.0f);
    common.b.rotation = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), 0.5f);
    // A quarter turn about z: local x is world y.
    sn_pose a = test_turned(10.0f, 0.0f, 0.0f, sn_v(0.0f, 0.0f, 1.0f), 0.5f * SN_PI);
    sn_row_input input =
        sn_row_input_make(a, sn_v(0.0f, 1.0f, 0.0f), sn_pose_identity, sn_v(0.0f, 0.0f, 2.0f), &common);
    assert_float_equal(sn_distance_between(input.frame[0].position, sn_v(10.0f, 1.0f, 0.0f)), 0.0f, 1.0e-6f);
    assert_float_equal(sn_distance_between(input.center[0], sn_v(9.0f, 0.0f, 0.0f)), 0.0f, 1.0e-6f);
    assert_float_equal(sn_distance_between(input.arm[0], sn_v(1.0f, 1.0f, 0.0f)), 0.0f, 1.0e-6f);
    assert_float_equal(sn_distance_between(input.arm[1], sn_v(0.0f, 0.0f, -2.0f)), 0.0f, 1.0e-6f);
    assert_float_equal(input.frame[1].rotation.x, sn_sin(0.25f), 1.0e-6f);
    assert_true(input.turns[0] && input.turns[1]);
}

static void test_arms_keep_their_digits_far_from_the_origin(void **state)
{
    (void)state;
    sn_constraint_common common = sn_common_default(1);
    common.a.position = sn_v(0.001f, 0.0f, 0.0f);
    sn_pose far_away = {{9.0e5f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
    sn_vec3 origin = {0.0f, 0.0f, 0.0f};
    sn_row_input input = sn_row_input_make(far_away, origin, sn_pose_identity, origin, &common);
    assert_float_equal(input.arm[0].x, 0.001f, 1.0e-9f);
}

static void test_cleared_rows_are_zero_and_unlimited(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    for (int i = 0; i < SN_MAX_ROWS; ++i) {
        rows[i] = (sn_row){.type = SN_ROW_SPEED, .value = 1.0f, .angular[1].z = 4.0f};
    }
    sn_rows_clear(rows, SN_MAX_ROWS);
    for (int i = 0; i < SN_MAX_ROWS; ++i) {
        assert_int_equal(rows[i].type, SN_ROW_EQUAL);
        assert_true(rows[i].value == 0.0f && rows[i].angular[1].z == 0.0f);
        assert_true(rows[i].lower == -INFINITY && rows[i].upper == INFINITY);
    }
}

static void test_error_is_the_largest_violation_of_hard_rows(void **state)
{
    (void)state;
    const sn_row rows[6] = {
        {.type = SN_ROW_EQUAL, .value = -0.25f}, {.type = SN_ROW_EQUAL, .value = 9.0f, .compliance = 0.1f},
        {.type = SN_ROW_ABOVE, .value = 7.0f},   {.type = SN_ROW_SPEED, .value = 8.0f},
        {.type = SN_ROW_ABOVE, .value = -0.5f},  {.type = SN_ROW_EQUAL, .value = 0.125f},
    };
    assert_float_equal(sn_rows_error(rows, 6), 0.5f, 0.0f);
    assert_float_equal(sn_rows_error(rows, 4), 0.25f, 0.0f);
    assert_float_equal(sn_rows_error(rows, 0), 0.0f, 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_has_a_name_a_text_and_a_cookie),
        cmocka_unit_test(test_name_of_no_kind_is_harmless),
        cmocka_unit_test(test_defaults_carry_the_cookie_of_their_kind_and_pass_its_check),
        cmocka_unit_test(test_input_has_frames_centres_and_arms_in_the_world),
        cmocka_unit_test(test_arms_keep_their_digits_far_from_the_origin),
        cmocka_unit_test(test_cleared_rows_are_zero_and_unlimited),
        cmocka_unit_test(test_error_is_the_largest_violation_of_hard_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

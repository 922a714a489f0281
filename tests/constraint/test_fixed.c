// Fixed joint: what its rows say in places one can imagine.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/constraint_pair.h"

static void test_six_held_rows_are_one_block(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_definition fixed = {.fixed = sn_fixed_def_default()};
    fixed.common.compliance = 0.5f;
    fixed.common.angular_compliance = 0.25f;
    sn_pose place = test_turned(0.1f, 0.2f, 0.3f, sn_v(0.48f, 0.6f, 0.64f), -1.0f);
    test_pair pair = test_pair_make(SN_FIXED, fixed, place);
    assert_int_equal(test_pair_rows(&pair, rows), 6);
    const float values[6] = {0.1f, 0.2f, 0.3f, -0.48f, -0.6f, -0.64f};
    for (int i = 0; i < 6; ++i) {
        assert_int_equal(rows[i].type, SN_ROW_EQUAL);
        assert_float_equal(rows[i].value, values[i], 1.0e-6f);
        assert_float_equal(rows[i].compliance, i < 3 ? 0.5f : 0.25f, 0.0f);
    }
}

static void test_error_is_the_largest_gap_or_angle(void **state)
{
    (void)state;
    sn_row rows[SN_MAX_ROWS];
    sn_definition fixed = {.fixed = sn_fixed_def_default()};
    sn_pose place = test_turned(0.0f, -0.2f, 0.0f, sn_v(0.0f, 1.0f, 0.0f), 0.1f);
    test_pair pair = test_pair_make(SN_FIXED, fixed, place);
    int count = test_pair_rows(&pair, rows);
    assert_float_equal(sn_rows_error(rows, count), 0.2f, 1.0e-6f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_six_held_rows_are_one_block),
        cmocka_unit_test(test_error_is_the_largest_gap_or_angle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Fields that several kinds have: what is let in, and what is said to what is not.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "constraint/kind.h"

static void test_common_defaults_are_hard_unbreakable_and_centred(void **state)
{
    (void)state;
    sn_constraint_common c = sn_common_default(42);
    assert_int_equal(c.cookie, 42);
    assert_true(c.compliance == 0.0f && c.angular_compliance == 0.0f);
    assert_true(c.break_force == INFINITY && c.break_torque == INFINITY);
    assert_true(c.a.rotation.w == 1.0f && c.b.rotation.w == 1.0f);
    assert_false(c.collide_connected);
    assert_null(c.name);
}

typedef struct bad_common {
    size_t field; // a float's place in sn_constraint_common
    float value;
    sn_status status;
    const char *message;
} bad_common;

static void test_bad_common_fields_are_named(void **state)
{
    (void)state;
    const bad_common cases[] = {
        {offsetof(sn_constraint_common, compliance), -1.0f, SN_ERROR_RANGE,
         "ball 'hip': compliance is -1, expected >= 0"},
        {offsetof(sn_constraint_common, angular_compliance), INFINITY, SN_ERROR_NOT_FINITE,
         "ball 'hip': angular_compliance is inf, expected a finite number"},
        {offsetof(sn_constraint_common, damping), -0.5f, SN_ERROR_RANGE,
         "ball 'hip': damping is -0.5, expected >= 0"},
        {offsetof(sn_constraint_common, angular_damping), -2.0f, SN_ERROR_RANGE,
         "ball 'hip': angular_damping is -2, expected >= 0"},
        {offsetof(sn_constraint_common, max_force), 0.0f, SN_ERROR_RANGE,
         "ball 'hip': max_force is 0, expected > 0"},
        {offsetof(sn_constraint_common, active_from), -1.0f, SN_ERROR_RANGE,
         "ball 'hip': active_from is -1, expected 0 or later"},
        {offsetof(sn_constraint_common, active_until), 0.0f, SN_ERROR_RANGE,
         "ball 'hip': active_until is 0, expected more than active_from"},
        {offsetof(sn_constraint_common, sliding_friction), 1001.0f, SN_ERROR_RANGE,
         "ball 'hip': sliding_friction is 1001, expected >= 0 and <= 1000"},
        {offsetof(sn_constraint_common, break_force), 0.0f, SN_ERROR_RANGE,
         "ball 'hip': break_force is 0, expected > 0"},
        {offsetof(sn_constraint_common, break_torque), -INFINITY, SN_ERROR_RANGE,
         "ball 'hip': break_torque is -inf, expected > 0"},
        {offsetof(sn_constraint_common, a.position), 2.0e6f, SN_ERROR_RANGE,
         "ball 'hip': a.position is (2e+06, 0, 0), expected coordinates within +-1e+06"},
        {offsetof(sn_constraint_common, b.rotation), 1.0f, SN_ERROR_ROTATION,
         "ball 'hip': b.rotation is (1, 0, 0, 1) of length 1.41421, expected length 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        sn_constraint_common common = sn_common_default(1);
        sn_error error = {{0}};
        *(float *)((char *)&common + cases[i].field) = cases[i].value;
        assert_int_equal(sn_common_check(&common, &error, "ball 'hip'"), cases[i].status);
        assert_string_equal(error.text, cases[i].message);
    }
}

static void test_not_a_number_is_let_in_nowhere(void **state)
{
    (void)state;
    const size_t fields[] = {
        offsetof(sn_constraint_common, a.position),  offsetof(sn_constraint_common, b.rotation),
        offsetof(sn_constraint_common, active_from), offsetof(sn_constraint_common, active_until),
        offsetof(sn_constraint_common, max_force),   offsetof(sn_constraint_common, sliding_friction),
        offsetof(sn_constraint_common, compliance),  offsetof(sn_constraint_common, angular_compliance),
        offsetof(sn_constraint_common, damping),     offsetof(sn_constraint_common, angular_damping),
        offsetof(sn_constraint_common, break_force), offsetof(sn_constraint_common, break_torque),
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; ++i) {
        sn_constraint_common common = sn_common_default(1);
        sn_error error = {{0}};
        *(float *)((char *)&common + fields[i]) = NAN;
        assert_int_equal(sn_common_check(&common, &error, "it"), SN_ERROR_NOT_FINITE);
    }
}

static void test_rotations_of_nearly_unit_length_are_made_exact(void **state)
{
    (void)state;
    sn_constraint_common common = sn_common_default(1);
    sn_error error = {{0}};
    common.a.rotation = (sn_quat){0.6004f, 0.0f, 0.0f, 0.8004f};
    assert_int_equal(sn_common_check(&common, &error, "it"), SN_OK);
    sn_quat q = common.a.rotation;
    assert_float_equal(q.x * q.x + q.w * q.w, 1.0f, 2.0e-7f);
}

static void test_a_zero_rotation_stands_for_none(void **state)
{
    (void)state;
    sn_constraint_common common = sn_common_default(1);
    sn_error error = {{0}};
    common.a.rotation = (sn_quat){0.0f, 0.0f, 0.0f, 0.0f};
    assert_int_equal(sn_common_check(&common, &error, "it"), SN_OK);
    assert_true(common.a.rotation.w == 1.0f);
}

static void test_exact_ones_are_hard_and_ramps_have_steps(void **state)
{
    (void)state;
    sn_error error = {{0}};
    sn_constraint_common common = sn_common_default(1);
    common.exact = true;
    assert_int_equal(sn_common_check(&common, &error, "it"), SN_OK);
    common.compliance = 1.0e-6f;
    assert_int_equal(sn_common_check(&common, &error, "it"), SN_ERROR_RANGE);
    assert_string_equal(error.text,
                        "it: exact with compliance 1e-06 and max_force inf, expected 0 and infinite");
    common.compliance = 0.0f;
    common.max_force = 5.0f;
    assert_int_equal(sn_common_check(&common, &error, "it"), SN_ERROR_RANGE);
    common = sn_common_default(1);
    const int wrong[] = {0, -3, 1000001};
    for (int i = 0; i < 3; ++i) {
        common.ramp_steps = wrong[i];
        assert_int_equal(sn_common_check(&common, &error, "it"), SN_ERROR_RANGE);
    }
    assert_string_equal(error.text, "it: ramp_steps is 1000001, expected 1 to 1000000");
}

static void test_strength_may_be_infinite_but_not_negative(void **state)
{
    (void)state;
    sn_error error = {{0}};
    assert_int_equal(sn_check_strength(0.0f, &error, "it", "motor_force"), SN_OK);
    assert_int_equal(sn_check_strength(INFINITY, &error, "it", "motor_force"), SN_OK);
    assert_int_equal(sn_check_strength(NAN, &error, "it", "motor_force"), SN_ERROR_NOT_FINITE);
    assert_int_equal(sn_check_strength(-1.0f, &error, "it", "motor_force"), SN_ERROR_RANGE);
    assert_string_equal(error.text, "it: motor_force is -1, expected >= 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_common_defaults_are_hard_unbreakable_and_centred),
        cmocka_unit_test(test_bad_common_fields_are_named),
        cmocka_unit_test(test_not_a_number_is_let_in_nowhere),
        cmocka_unit_test(test_rotations_of_nearly_unit_length_are_made_exact),
        cmocka_unit_test(test_a_zero_rotation_stands_for_none),
        cmocka_unit_test(test_exact_ones_are_hard_and_ramps_have_steps),
        cmocka_unit_test(test_strength_may_be_infinite_but_not_negative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

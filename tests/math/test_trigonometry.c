// Sine, cosine and their inverses against the C library's in double.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sinew/math.h"
#include "support/random.h"
#include <float.h>
#include <string.h>

// The bounds promised in sinew/math.h.
static const double promised_units = 0.51;
static const double promised_sine_error = 3.1e-8;
static const double promised_inverse_error = 1.3e-7;

static const double pi = 3.14159265358979323846;

static float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void assert_same_bits(float actual, float expected)
{
    assert_int_equal(bits_of_float(actual), bits_of_float(expected));
}

// The distance between neighbouring floats around `value`.
static double unit_in_last_place(double value)
{
    int exponent;
    frexp(value, &exponent);
    return ldexp(1.0, (exponent < FLT_MIN_EXP ? FLT_MIN_EXP : exponent) - FLT_MANT_DIG);
}

static void check(float actual, double expected, double promised_error)
{
    double error = fabs((double)actual - expected);
    if (!(error < promised_error && error <= promised_units * unit_in_last_place(expected))) {
        fail_msg("got %.9g instead of %.17g: error %.3g", (double)actual, expected, error);
    }
}

static void check_sine_and_cosine(float angle)
{
    check(sn_sin(angle), sin((double)angle), promised_sine_error);
    check(sn_cos(angle), cos((double)angle), promised_sine_error);
}

static void test_sine_and_cosine_keep_their_bounds_on_a_dense_grid(void **state)
{
    (void)state;
    for (int i = -500000; i <= 500000; ++i) {
        check_sine_and_cosine((float)i * 0.002f);
        check_sine_and_cosine((float)i * 2.0e-5f);
    }
}

// Every 1009th float there is, from the smallest to the last one that still means an angle.
static void test_sine_and_cosine_keep_their_bounds_at_all_magnitudes(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits <= bits_of_float(0x1p28f); bits += 1009) {
        check_sine_and_cosine(float_of_bits(bits));
        check_sine_and_cosine(-float_of_bits(bits));
    }
}

// The hard cases of argument reduction: floats beside multiples of π/2.
static void test_sine_and_cosine_keep_their_bounds_beside_quarter_turns(void **state)
{
    (void)state;
    for (int quarter = 1; quarter <= 200000; ++quarter) {
        uint32_t bits = bits_of_float((float)(0.5 * pi * quarter));
        for (uint32_t offset = 0; offset < 5; ++offset) {
            check_sine_and_cosine(float_of_bits(bits - 2 + offset));
            check_sine_and_cosine(-float_of_bits(bits - 2 + offset));
        }
    }
}

static void test_squares_of_sine_and_cosine_sum_to_one(void **state)
{
    (void)state;
    test_random random = {11};
    for (int i = 0; i < 1000000; ++i) {
        float angle = float_of_bits(test_random_u32(&random));
        if (sn_is_finite(angle)) {
            double s = (double)sn_sin(angle), c = (double)sn_cos(angle);
            assert_true(fabs(s) <= 1.0 && fabs(c) <= 1.0);
            assert_true(fabs(s * s + c * c - 1.0) < 1.0e-7);
        }
    }
}

static void test_sine_rises_and_cosine_falls_over_a_quarter_turn(void **state)
{
    (void)state;
    float sine = sn_sin(0.0f), cosine = sn_cos(0.0f);
    uint32_t last = bits_of_float(1.5707963f);
    for (uint32_t bits = 0; bits <= last; bits += 499) {
        float next_sine = sn_sin(float_of_bits(bits)), next_cosine = sn_cos(float_of_bits(bits));
        assert_true(next_sine >= sine && next_cosine <= cosine);
        sine = next_sine;
        cosine = next_cosine;
    }
    assert_same_bits(sn_sin(float_of_bits(last)), 1.0f);
}

static void test_sine_is_odd_and_cosine_is_even_to_the_bit(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits <= bits_of_float(FLT_MAX); bits += 4001) {
        float angle = float_of_bits(bits);
        assert_same_bits(sn_sin(-angle), angle <= 0x1p28f ? -sn_sin(angle) : 0.0f);
        assert_same_bits(sn_cos(-angle), sn_cos(angle));
    }
}

static void test_angles_without_meaning_count_as_zero(void **state)
{
    (void)state;
    const float angles[] = {nextafterf(0x1p28f, INFINITY), 1.0e10f, 1.0e30f, FLT_MAX};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; ++i) {
        assert_true(sn_sin(angles[i]) == 0.0f && sn_sin(-angles[i]) == 0.0f);
        assert_true(sn_cos(angles[i]) == 1.0f && sn_cos(-angles[i]) == 1.0f);
    }
}

static void test_what_is_not_finite_gives_zero(void **state)
{
    (void)state;
    const float bad[] = {INFINITY, -INFINITY, NAN, -NAN};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        assert_same_bits(sn_sin(bad[i]), 0.0f);
        assert_same_bits(sn_cos(bad[i]), 0.0f);
        assert_same_bits(sn_atan2(bad[i], 1.0f), 0.0f);
        assert_same_bits(sn_atan2(1.0f, bad[i]), 0.0f);
        assert_same_bits(sn_atan2(bad[i], bad[i]), 0.0f);
    }
    assert_same_bits(sn_acos(NAN), 0.0f);
    assert_same_bits(sn_asin(NAN), 0.0f);
}

static void check_direction(float y, float x)
{
    check(sn_atan2(y, x), atan2((double)y, (double)x), promised_inverse_error);
}

static void test_arctangent_keeps_its_bounds_around_the_circle(void **state)
{
    (void)state;
    for (int i = 0; i < 1000000; ++i) {
        double angle = 2.0 * pi * i / 1000000.0;
        check_direction((float)sin(angle), (float)cos(angle));
    }
}

static void test_arctangent_keeps_its_bounds_for_points_of_all_magnitudes(void **state)
{
    (void)state;
    test_random random = {12};
    for (int i = 0; i < 1000000; ++i) {
        float y = float_of_bits(test_random_u32(&random)), x = float_of_bits(test_random_u32(&random));
        if (sn_is_finite(x) && sn_is_finite(y) && (x != 0.0f || y != 0.0f)) {
            check_direction(y, x);
        }
    }
}

static void test_arctangent_of_axes_and_extremes(void **state)
{
    (void)state;
    const float values[] = {0.0f, -0.0f, FLT_TRUE_MIN, -FLT_TRUE_MIN, FLT_MIN, -FLT_MIN,
                            1.0f, -1.0f, FLT_MAX,      -FLT_MAX,      1.0e19f, -1.0e-19f};
    for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
        for (size_t j = 0; j < sizeof values / sizeof *values; ++j) {
            if (values[i] != 0.0f || values[j] != 0.0f) {
                check_direction(values[i], values[j]);
            } else {
                assert_true(sn_atan2(values[i], values[j]) == 0.0f);
            }
        }
    }
}

static void test_arctangent_takes_its_sign_from_y_even_if_that_is_zero(void **state)
{
    (void)state;
    assert_same_bits(sn_atan2(0.0f, -1.0f), SN_PI);
    assert_same_bits(sn_atan2(-0.0f, -1.0f), -SN_PI);
    assert_same_bits(sn_atan2(0.0f, 1.0f), 0.0f);
    assert_same_bits(sn_atan2(-0.0f, 1.0f), -0.0f);
    assert_same_bits(sn_atan2(1.0f, 0.0f), 0.5f * SN_PI);
    assert_same_bits(sn_atan2(-1.0f, 0.0f), -0.5f * SN_PI);
    assert_same_bits(sn_atan2(1.0f, 1.0f), 0.25f * SN_PI);
    assert_same_bits(sn_atan2(-1.0f, -1.0f), -0.75f * SN_PI);
}

static void check_arcs(float x)
{
    check(sn_asin(x), asin((double)x), promised_inverse_error);
    check(sn_acos(x), acos((double)x), promised_inverse_error);
}

static void test_arcsine_and_arccosine_keep_their_bounds(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits <= bits_of_float(1.0f); bits += 997) {
        check_arcs(float_of_bits(bits));
        check_arcs(-float_of_bits(bits));
    }
    // Near ±1, where both are steepest, every float.
    for (uint32_t bits = bits_of_float(1.0f) - 100000; bits <= bits_of_float(1.0f); ++bits) {
        check_arcs(float_of_bits(bits));
        check_arcs(-float_of_bits(bits));
    }
}

static void test_arcsine_and_arccosine_clamp_their_argument(void **state)
{
    (void)state;
    const float beyond[] = {1.0f, nextafterf(1.0f, 2.0f), 2.0f, FLT_MAX, INFINITY};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; ++i) {
        assert_same_bits(sn_asin(beyond[i]), 0.5f * SN_PI);
        assert_same_bits(sn_asin(-beyond[i]), -0.5f * SN_PI);
        assert_same_bits(sn_acos(beyond[i]), 0.0f);
        assert_same_bits(sn_acos(-beyond[i]), SN_PI);
    }
}

static void test_inverses_undo_the_functions(void **state)
{
    (void)state;
    for (int i = 0; i < 200000; ++i) {
        float angle = -3.1415f + 6.283f * (float)i / 200000.0f;
        float s = sn_sin(angle), c = sn_cos(angle);
        assert_true(fabsf(sn_atan2(s, c) - angle) < 3.0e-7f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sine_and_cosine_keep_their_bounds_on_a_dense_grid),
        cmocka_unit_test(test_sine_and_cosine_keep_their_bounds_at_all_magnitudes),
        cmocka_unit_test(test_sine_and_cosine_keep_their_bounds_beside_quarter_turns),
        cmocka_unit_test(test_squares_of_sine_and_cosine_sum_to_one),
        cmocka_unit_test(test_sine_rises_and_cosine_falls_over_a_quarter_turn),
        cmocka_unit_test(test_sine_is_odd_and_cosine_is_even_to_the_bit),
        cmocka_unit_test(test_angles_without_meaning_count_as_zero),
        cmocka_unit_test(test_what_is_not_finite_gives_zero),
        cmocka_unit_test(test_arctangent_keeps_its_bounds_around_the_circle),
        cmocka_unit_test(test_arctangent_keeps_its_bounds_for_points_of_all_magnitudes),
        cmocka_unit_test(test_arctangent_of_axes_and_extremes),
        cmocka_unit_test(test_arctangent_takes_its_sign_from_y_even_if_that_is_zero),
        cmocka_unit_test(test_arcsine_and_arccosine_keep_their_bounds),
        cmocka_unit_test(test_arcsine_and_arccosine_clamp_their_argument),
        cmocka_unit_test(test_inverses_undo_the_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Wide operations give, lane by lane, the bits of scalar ones.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/simd.h"
#include "support/random.h"

static sn_lanes random_lanes(test_random *random)
{
    sn_lanes lanes;
    for (int i = 0; i < SN_LANES; ++i) {
        lanes.lane[i] = test_random_float(random, -10.0f, 10.0f);
    }
    return lanes;
}

static void assert_same_bits(float a, float b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

static void test_arithmetic_has_the_bits_of_scalar_code(void **state)
{
    (void)state;
    test_random random = {7};
    for (int round = 0; round < 1000; ++round) {
        sn_lanes a = random_lanes(&random), b = random_lanes(&random), least, most, root;
        sn_store(&least, sn_f8_min(sn_load(&a), sn_load(&b)));
        sn_store(&most, sn_f8_max(sn_load(&a), sn_load(&b)));
        sn_store(&root, sn_f8_sqrt(sn_load(&most)));
        for (int i = 0; i < SN_LANES; ++i) {
            assert_same_bits(least.lane[i], sn_min(a.lane[i], b.lane[i]));
            assert_same_bits(most.lane[i], sn_max(a.lane[i], b.lane[i]));
            if (most.lane[i] >= 0.0f) {
                assert_same_bits(root.lane[i], sqrtf(most.lane[i]));
            }
        }
    }
}

static void test_vectors_have_the_bits_of_scalar_ones(void **state)
{
    (void)state;
    test_random random = {8};
    sn_lanes a[3], b[3], dot, cross[3];
    sn_vec3 u[SN_LANES], v[SN_LANES];
    for (int i = 0; i < SN_LANES; ++i) {
        u[i] = test_random_vec3(&random, 5.0f);
        v[i] = test_random_vec3(&random, 5.0f);
        sn_lanes_put3(a, i, u[i]);
        sn_lanes_put3(b, i, v[i]);
    }
    sn_store(&dot, sn_vec3x8_dot(sn_load3(a), sn_load3(b)));
    sn_store3(cross, sn_vec3x8_cross(sn_load3(a), sn_load3(b)));
    for (int i = 0; i < SN_LANES; ++i) {
        sn_vec3 expected = sn_cross(u[i], v[i]), got = sn_lanes_take3(cross, i);
        assert_same_bits(dot.lane[i], sn_dot(u[i], v[i]));
        assert_memory_equal(&got, &expected, sizeof got);
    }
}

static void test_minimum_and_maximum_with_nan_are_the_second_argument(void **state)
{
    (void)state;
    sn_f8 nan = sn_f8_set(NAN), one = sn_f8_set(1.0f);
    for (int i = 0; i < SN_LANES; ++i) {
        assert_true(sn_f8_min(nan, one)[i] == 1.0f && sn_f8_max(nan, one)[i] == 1.0f);
        assert_true(isnan(sn_f8_min(one, nan)[i]) && isnan(sn_f8_max(one, nan)[i]));
    }
}

static void test_select_and_any_go_by_lane(void **state)
{
    (void)state;
    for (int lane = 0; lane < SN_LANES; ++lane) {
        sn_i8 mask = {0};
        assert_false(sn_i8_any(mask));
        mask[lane] = -1;
        assert_true(sn_i8_any(mask));
        sn_f8 chosen = sn_f8_select(mask, sn_f8_set(2.0f), sn_f8_set(3.0f));
        for (int i = 0; i < SN_LANES; ++i) {
            assert_true(chosen[i] == (i == lane ? 2.0f : 3.0f));
        }
    }
}

static void test_transposing_exchanges_rows_and_columns_of_either_half(void **state)
{
    (void)state;
    sn_f8 rows[4];
    for (int r = 0; r < 4; ++r) {
        for (int i = 0; i < SN_LANES; ++i) {
            rows[r][i] = (float)(10 * r + i);
        }
    }
    sn_f8_transpose(&rows[0], &rows[1], &rows[2], &rows[3]);
    for (int r = 0; r < 4; ++r) {
        for (int i = 0; i < SN_LANES; ++i) {
            assert_true(rows[r][i] == (float)(10 * (i % 4) + r + (i < 4 ? 0 : 4)));
        }
    }
}

static void test_gathering_takes_records_by_index(void **state)
{
    (void)state;
    float records[16 * 8];
    for (int i = 0; i < 16 * 8; ++i) {
        records[i] = (float)i;
    }
    const int32_t index[SN_LANES] = {3, 0, 15, 3, 7, 1, 9, 2};
    sn_vec3x8 first, second;
    sn_gather_records(records, index, &first, &second);
    for (int i = 0; i < SN_LANES; ++i) {
        float start = (float)(8 * index[i]);
        assert_true(first.x[i] == start && first.y[i] == start + 1.0f && first.z[i] == start + 2.0f);
        assert_true(second.x[i] == start + 4.0f && second.y[i] == start + 5.0f &&
                    second.z[i] == start + 6.0f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic_has_the_bits_of_scalar_code),
        cmocka_unit_test(test_vectors_have_the_bits_of_scalar_ones),
        cmocka_unit_test(test_minimum_and_maximum_with_nan_are_the_second_argument),
        cmocka_unit_test(test_select_and_any_go_by_lane),
        cmocka_unit_test(test_transposing_exchanges_rows_and_columns_of_either_half),
        cmocka_unit_test(test_gathering_takes_records_by_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Elimination with complete pivoting: solutions, redundant rows, rows of nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "math/dense_wide.h"
#include "support/random.h"

#include <math.h>

// A Aᵀ of a random A with `inner` columns, rows of very different sizes, and a part that is not symmetric.
static void fill(sn_wide *w, int count, int inner, double skew, test_random *random)
{
    static double a[SN_WIDE_ROWS][SN_WIDE_ROWS];
    w->count = count;
    for (int i = 0; i < count; ++i) {
        double size = i % 3 == 0 ? 100.0 : 1.0;
        for (int k = 0; k < inner; ++k) {
            a[i][k] = size * (double)test_random_float(random, -1.0f, 1.0f);
        }
    }
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < count; ++k) {
            w->m[i][k] = 0.0;
            for (int j = 0; j < inner; ++j) {
                w->m[i][k] += a[i][j] * a[k][j] * (i < k ? 1.0 + skew : 1.0);
            }
        }
    }
}

// The right side that belongs to random unknowns.
static void make_right_side(const sn_wide *w, test_random *random, double *x, double *b)
{
    for (int i = 0; i < w->count; ++i) {
        x[i] = (double)test_random_float(random, -1.0f, 1.0f);
    }
    for (int i = 0; i < w->count; ++i) {
        b[i] = 0.0;
        for (int k = 0; k < w->count; ++k) {
            b[i] += w->m[i][k] * x[k];
        }
    }
}

static void test_regular_systems_are_solved(void **state)
{
    (void)state;
    test_random random = {1};
    for (int count = 1; count <= SN_WIDE_ROWS; count += 5) {
        sn_wide w;
        double x[SN_WIDE_ROWS], b[SN_WIDE_ROWS];
        fill(&w, count, SN_WIDE_ROWS, 0.01, &random);
        make_right_side(&w, &random, x, b);
        sn_wide_factor(&w);
        assert_int_equal(w.rank, count);
        sn_wide_solve(&w, b);
        for (int i = 0; i < count; ++i) {
            assert_true(fabs(b[i] - x[i]) < 1.0e-9);
        }
    }
}

// Of rank 4: the solution is another one, but it meets all rows.
static void test_redundant_rows_are_given_up_and_met_all_the_same(void **state)
{
    (void)state;
    test_random random = {2};
    sn_wide w;
    double x[SN_WIDE_ROWS], b[SN_WIDE_ROWS];
    fill(&w, 9, 4, 0.0, &random);
    sn_wide before = w;
    make_right_side(&w, &random, x, b);
    double wanted[SN_WIDE_ROWS];
    for (int i = 0; i < 9; ++i) {
        wanted[i] = b[i];
    }
    sn_wide_factor(&w);
    assert_int_equal(w.rank, 4);
    sn_wide_solve(&w, b);
    for (int i = 0; i < 9; ++i) {
        double sum = 0.0;
        for (int k = 0; k < 9; ++k) {
            sum += before.m[i][k] * b[k];
        }
        assert_true(fabs(sum - wanted[i]) < 1.0e-8 * (1.0 + fabs(wanted[i])));
    }
}

static void test_rows_of_nothing_get_nothing(void **state)
{
    (void)state;
    sn_wide w = {.count = 3};
    w.m[1][1] = 4.0;
    double x[3] = {1.0, 2.0, 3.0};
    sn_wide_factor(&w);
    sn_wide_solve(&w, x);
    assert_true(x[0] == 0.0 && x[1] == 0.5 && x[2] == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_regular_systems_are_solved),
        cmocka_unit_test(test_redundant_rows_are_given_up_and_met_all_the_same),
        cmocka_unit_test(test_rows_of_nothing_get_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

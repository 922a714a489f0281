// Small symmetric systems: LDLᵀ in float against Gauss in double, and what becomes of redundant rows.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "math/dense.h"
#include "support/random.h"

enum { MOST = 16 };

// Not inlined: with sizes known at compile time gcc loses track of what is initialised and warns.
static __attribute__((noinline)) void factor(float *matrix, int size)
{
    sn_ldl_factor(matrix, size);
}

typedef struct dense_system {
    int size;
    double matrix[MOST][MOST], right[MOST];
    float packed[MOST * (MOST + 1) / 2], x[MOST];
} dense_system;

// J W Jᵀ with random rows of `columns` entries, as constraints give it; `copies` rows at the end repeat the
// first ones.
static dense_system random_system(test_random *random, int size, int columns, int copies)
{
    dense_system s = {.size = size};
    double rows[MOST][2 * MOST];
    for (int i = 0; i < size; ++i) {
        for (int k = 0; k < columns; ++k) {
            rows[i][k] = i >= size - copies ? rows[i - (size - copies)][k]
                                            : (double)test_random_float(random, -1.0f, 1.0f);
        }
        s.right[i] = i >= size - copies ? s.right[i - (size - copies)]
                                        : (double)test_random_float(random, -1.0f, 1.0f);
        s.x[i] = (float)s.right[i];
    }
    for (int i = 0; i < size; ++i) {
        for (int j = 0; j < size; ++j) {
            for (int k = 0; k < columns; ++k) {
                s.matrix[i][j] += rows[i][k] * rows[j][k];
            }
            if (j <= i) {
                s.packed[sn_packed(i, j)] = (float)s.matrix[i][j];
            }
        }
    }
    return s;
}

// Gauss with pivoting; the system itself stays.
static void solve_in_double(const dense_system *s, double *x)
{
    double m[MOST][MOST + 1];
    for (int i = 0; i < s->size; ++i) {
        for (int k = 0; k < s->size; ++k) {
            m[i][k] = s->matrix[i][k];
        }
        m[i][s->size] = s->right[i];
    }
    for (int c = 0; c < s->size; ++c) {
        int pivot = c;
        for (int i = c + 1; i < s->size; ++i) {
            pivot = fabs(m[i][c]) > fabs(m[pivot][c]) ? i : pivot;
        }
        for (int k = 0; k <= s->size; ++k) {
            double kept = m[c][k];
            m[c][k] = m[pivot][k];
            m[pivot][k] = kept;
        }
        for (int i = 0; i < s->size; ++i) {
            double factor = i == c ? 0.0 : m[i][c] / m[c][c];
            for (int k = 0; k <= s->size; ++k) {
                m[i][k] -= factor * m[c][k];
            }
        }
    }
    for (int i = 0; i < s->size; ++i) {
        x[i] = m[i][s->size] / m[i][i];
    }
}

// Largest |A x − b| of what is in s->x.
static double residual(const dense_system *s)
{
    double worst = 0.0;
    for (int i = 0; i < s->size; ++i) {
        double sum = -s->right[i];
        for (int k = 0; k < s->size; ++k) {
            sum += s->matrix[i][k] * (double)s->x[k];
        }
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

static void test_the_lower_triangle_is_packed_row_by_row(void **state)
{
    (void)state;
    int place = 0;
    for (int i = 0; i < MOST; ++i) {
        for (int j = 0; j <= i; ++j) {
            assert_int_equal(sn_packed(i, j), place++);
        }
    }
}

// Twice as many columns as rows keep the systems well conditioned (below about 1e3).
static void test_ldl_agrees_with_gauss_in_double_within_1e_4_for_all_sizes(void **state)
{
    (void)state;
    test_random random = {1};
    for (int size = 1; size <= MOST; ++size) {
        for (int round = 0; round < 200; ++round) {
            dense_system s = random_system(&random, size, 2 * MOST, 0);
            double expected[MOST];
            solve_in_double(&s, expected);
            factor(s.packed, size);
            sn_ldl_solve(s.packed, size, s.x);
            for (int i = 0; i < size; ++i) {
                assert_float_equal(s.x[i], (float)expected[i], 1e-4f);
            }
        }
    }
}

static void test_a_factor_solves_for_any_number_of_right_sides(void **state)
{
    (void)state;
    test_random random = {2};
    dense_system s = random_system(&random, 6, 12, 0);
    factor(s.packed, 6);
    for (int round = 0; round < 100; ++round) {
        for (int i = 0; i < 6; ++i) {
            s.right[i] = (double)test_random_float(&random, -1.0f, 1.0f);
            s.x[i] = (float)s.right[i];
        }
        sn_ldl_solve(s.packed, 6, s.x);
        assert_true(residual(&s) < 1e-5);
    }
}

// Rows that repeat others ask for nothing new: they get no force, and all rows are met.
static void test_redundant_rows_get_zero_and_the_rest_is_met_within_1e_4(void **state)
{
    (void)state;
    test_random random = {3};
    for (int size = 2; size <= 12; ++size) {
        for (int copies = 1; copies <= size / 2; ++copies) {
            for (int round = 0; round < 50; ++round) {
                dense_system s = random_system(&random, size, 2 * MOST, copies);
                factor(s.packed, size);
                sn_ldl_solve(s.packed, size, s.x);
                assert_true(residual(&s) < 1e-4);
                for (int i = size - copies; i < size; ++i) {
                    assert_true(s.packed[sn_packed(i, i)] == 0.0f);
                    assert_true(s.x[i] == 0.0f);
                }
            }
        }
    }
}

static void test_rows_of_zeros_and_whole_matrices_of_zeros_give_zeros(void **state)
{
    (void)state;
    float nothing[21] = {0.0f}, x[6] = {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f};
    factor(nothing, 6);
    sn_ldl_solve(nothing, 6, x);
    for (int i = 0; i < 6; ++i) {
        assert_true(x[i] == 0.0f);
    }
    // diag(4, 0, 2).
    float holes[6] = {4.0f, 0.0f, 0.0f, 0.0f, 0.0f, 2.0f}, y[3] = {4.0f, 4.0f, 4.0f};
    factor(holes, 3);
    sn_ldl_solve(holes, 3, y);
    assert_true(y[0] == 1.0f && y[1] == 0.0f && y[2] == 2.0f);
}

// Masses of grams and of kilotons in one block.
static void test_rows_of_very_different_scale_are_met_within_1e_4_each(void **state)
{
    (void)state;
    test_random random = {4};
    for (int round = 0; round < 300; ++round) {
        dense_system s = random_system(&random, 6, 12, 0);
        double scale[6];
        for (int i = 0; i < 6; ++i) {
            scale[i] = pow(10.0, (double)test_random_float(&random, -5.0f, 5.0f));
        }
        for (int i = 0; i < 6; ++i) {
            s.right[i] *= scale[i];
            s.x[i] = (float)s.right[i];
            for (int j = 0; j < 6; ++j) {
                s.matrix[i][j] *= scale[i] * scale[j];
                s.packed[j <= i ? sn_packed(i, j) : sn_packed(j, i)] = (float)s.matrix[i][j];
            }
        }
        factor(s.packed, 6);
        sn_ldl_solve(s.packed, 6, s.x);
        for (int i = 0; i < 6; ++i) {
            double sum = 0.0, size = 0.0;
            for (int k = 0; k < 6; ++k) {
                sum += s.matrix[i][k] * (double)s.x[k];
                size = fmax(size, fabs(s.matrix[i][k] * (double)s.x[k]));
            }
            assert_true(fabs(sum - s.right[i]) < 1e-4 * fmax(size, fabs(s.right[i])));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_lower_triangle_is_packed_row_by_row),
        cmocka_unit_test(test_ldl_agrees_with_gauss_in_double_within_1e_4_for_all_sizes),
        cmocka_unit_test(test_a_factor_solves_for_any_number_of_right_sides),
        cmocka_unit_test(test_redundant_rows_get_zero_and_the_rest_is_met_within_1e_4),
        cmocka_unit_test(test_rows_of_zeros_and_whole_matrices_of_zeros_give_zeros),
        cmocka_unit_test(test_rows_of_very_different_scale_are_met_within_1e_4_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

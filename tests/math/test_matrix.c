// Inverse, eigenvectors and nearest rotation of 3×3 matrices, against definitions and oracles in double.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sinew/math.h"
#include "support/random.h"
#include <float.h>

// Rows first: a[row][column].
typedef struct wide_mat3 {
    double at[3][3];
} wide_mat3;

static wide_mat3 widen(sn_mat3 m)
{
    return (wide_mat3){{{(double)m.x.x, (double)m.y.x, (double)m.z.x},
                        {(double)m.x.y, (double)m.y.y, (double)m.z.y},
                        {(double)m.x.z, (double)m.y.z, (double)m.z.z}}};
}

static wide_mat3 wide_multiply(wide_mat3 a, wide_mat3 b)
{
    wide_mat3 c = {0};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            for (int k = 0; k < 3; ++k) {
                c.at[i][j] += a.at[i][k] * b.at[k][j];
            }
        }
    }
    return c;
}

static wide_mat3 wide_transpose(wide_mat3 a)
{
    wide_mat3 t;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            t.at[i][j] = a.at[j][i];
        }
    }
    return t;
}

static double wide_determinant(wide_mat3 m)
{
    double(*a)[3] = m.at;
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
           a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

// Frobenius norm.
static double size_of(wide_mat3 a)
{
    double sum = 0.0;
    for (int i = 0; i < 9; ++i) {
        sum += a.at[i / 3][i % 3] * a.at[i / 3][i % 3];
    }
    return sqrt(sum);
}

static double distance_from_identity(wide_mat3 a)
{
    for (int i = 0; i < 3; ++i) {
        a.at[i][i] -= 1.0;
    }
    return size_of(a);
}

static sn_mat3 random_matrix(test_random *random)
{
    sn_vec3 x = test_random_vec3(random, 1.0f), y = test_random_vec3(random, 1.0f);
    return (sn_mat3){x, y, test_random_vec3(random, 1.0f)};
}

// U · diag · Vᵀ with random rotations.
static sn_mat3 random_with_singular_values(test_random *random, float a, float b, float c)
{
    sn_mat3 left = sn_mat3_from_quat(test_random_rotation(random));
    sn_mat3 right = sn_mat3_from_quat(test_random_rotation(random));
    return sn_mat3_multiply(sn_mat3_multiply(left, sn_mat3_diagonal(a, b, c)), right);
}

static sn_mat3 random_symmetric(test_random *random)
{
    sn_mat3 m = random_matrix(random);
    return sn_mat3_add(m, sn_mat3_transpose(m));
}

// --- inverse -----------------------------------------------------------------------------------------------

static void assert_zero(sn_mat3 m)
{
    assert_true(size_of(widen(m)) == 0.0);
}

// Each entry of the inverse is rounded once, so M·M⁻¹ is off by at most half a unit of each product.
static void check_inverse(sn_mat3 m)
{
    wide_mat3 wide = widen(m), inverse = widen(sn_mat3_inverse(m));
    double allowed = 1.0e-7 * size_of(wide) * size_of(inverse);
    assert_true(size_of(inverse) > 0.0);
    assert_true(distance_from_identity(wide_multiply(wide, inverse)) <= allowed);
    assert_true(distance_from_identity(wide_multiply(inverse, wide)) <= allowed);
}

static void test_inverse_times_matrix_is_the_identity(void **state)
{
    (void)state;
    test_random random = {61};
    for (int i = 0; i < 100000; ++i) {
        sn_mat3 m = random_matrix(&random);
        check_inverse(m);
        check_inverse(sn_mat3_scale(m, 1.0e15f));
        check_inverse(sn_mat3_scale(m, 1.0e-15f));
    }
}

static void test_inverse_of_a_nearly_singular_matrix_is_still_one(void **state)
{
    (void)state;
    test_random random = {62};
    for (int i = 0; i < 20000; ++i) {
        check_inverse(random_with_singular_values(&random, 1.0f, 0.5f, 1.0e-4f));
        check_inverse(random_with_singular_values(&random, 1.0f, 1.0e-3f, 1.0e-5f));
    }
    check_inverse(sn_mat3_diagonal(1.0e15f, 1.0f, 1.0e-15f));
    check_inverse(sn_mat3_diagonal(1.0e-30f, 1.0e-30f, 1.0e30f));
}

static void test_matrix_without_inverse_gives_zeros(void **state)
{
    (void)state;
    assert_zero(sn_mat3_inverse(sn_mat3_diagonal(0, 0, 0)));
    assert_zero(sn_mat3_inverse(sn_mat3_diagonal(1, 0, 2)));
    assert_zero(sn_mat3_inverse((sn_mat3){{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}));
    assert_zero(sn_mat3_inverse((sn_mat3){{NAN, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
    assert_zero(sn_mat3_inverse((sn_mat3){{1, 0, 0}, {0, INFINITY, 0}, {0, 0, 1}}));
    assert_zero(sn_mat3_inverse(sn_mat3_diagonal(FLT_TRUE_MIN, 1, 1)));
    test_random random = {63};
    for (int i = 0; i < 20000; ++i) {
        // Multiples of 2⁻²⁴ below ½ add exactly, so these columns are exactly dependent.
        sn_vec3 a = test_random_vec3(&random, 0.5f), b = test_random_vec3(&random, 0.5f);
        assert_zero(sn_mat3_inverse((sn_mat3){a, b, sn_add(a, b)}));
        assert_zero(sn_mat3_inverse((sn_mat3){sn_scale(sn_sub(a, b), 0x1p-40f), a, sn_scale(b, 0x1p40f)}));
        assert_zero(sn_mat3_inverse((sn_mat3){a, sn_scale(a, -2.0f), b}));
    }
}

// --- eigenvectors ------------------------------------------------------------------------------------------

// Sorted values; orthonormal, right-handed vectors; A v = λ v.
static void check_eigen(sn_mat3 symmetric)
{
    sn_mat3 vectors;
    sn_vec3 values = sn_mat3_eigen(symmetric, &vectors);
    wide_mat3 a = widen(symmetric), v = widen(vectors);
    assert_true(values.x <= values.y && values.y <= values.z);
    assert_true(distance_from_identity(wide_multiply(wide_transpose(v), v)) < 4.0e-7);
    assert_true(wide_determinant(v) > 0.0);
    wide_mat3 residual = wide_multiply(a, v);
    const double value[3] = {(double)values.x, (double)values.y, (double)values.z};
    for (int i = 0; i < 9; ++i) {
        residual.at[i / 3][i % 3] -= value[i % 3] * v.at[i / 3][i % 3];
    }
    assert_true(size_of(residual) <= 4.0e-7 * size_of(a));
}

static void test_eigenvectors_of_random_matrices_fulfil_their_definition(void **state)
{
    (void)state;
    test_random random = {64};
    for (int i = 0; i < 50000; ++i) {
        sn_mat3 m = random_symmetric(&random);
        check_eigen(m);
        check_eigen(sn_mat3_scale(m, 1.0e15f));
        check_eigen(sn_mat3_scale(m, 1.0e-15f));
    }
}

// R · diag · Rᵀ, made exactly symmetric.
static sn_mat3 with_eigenvalues(sn_quat rotation, float a, float b, float c)
{
    sn_mat3 r = sn_mat3_from_quat(rotation);
    sn_mat3 m = sn_mat3_multiply(sn_mat3_multiply(r, sn_mat3_diagonal(a, b, c)), sn_mat3_transpose(r));
    return sn_mat3_scale(sn_mat3_add(m, sn_mat3_transpose(m)), 0.5f);
}

static void test_eigenvalues_are_those_the_matrix_was_made_with(void **state)
{
    (void)state;
    test_random random = {65};
    for (int i = 0; i < 50000; ++i) {
        float a = test_random_float(&random, -1.0f, 1.0f), b = test_random_float(&random, 1.0f, 2.0f);
        float c = test_random_float(&random, 2.0f, 3.0f);
        sn_mat3 m = with_eigenvalues(test_random_rotation(&random), c, a, b);
        check_eigen(m);
        sn_vec3 values = sn_mat3_eigen(m, NULL);
        assert_true(sn_length(sn_sub(values, sn_v(a, b, c))) < 4.0e-6f);
    }
}

static void test_equal_and_nearly_equal_eigenvalues_are_no_trouble(void **state)
{
    (void)state;
    test_random random = {66};
    for (int i = 0; i < 20000; ++i) {
        sn_quat q = test_random_rotation(&random);
        float near = 1.0f + (float)pow(10.0, (double)test_random_float(&random, -9.0f, -2.0f));
        check_eigen(with_eigenvalues(q, 1.0f, near, near));
        check_eigen(with_eigenvalues(q, 1.0f, 1.0f, near));
        check_eigen(with_eigenvalues(q, 1.0f, -near, 1.0f));
        check_eigen(with_eigenvalues(q, 1.0f, 0.0f, 0.0f));
        check_eigen(with_eigenvalues(q, 1.0e6f, 1.0f, 1.0e-6f));
    }
}

static void test_eigenvectors_of_a_diagonal_matrix_are_the_axes(void **state)
{
    (void)state;
    sn_mat3 vectors;
    sn_vec3 values = sn_mat3_eigen(sn_mat3_diagonal(3, 1, 2), &vectors);
    assert_true(values.x == 1.0f && values.y == 2.0f && values.z == 3.0f);
    assert_true(vectors.x.y == 1.0f && vectors.y.z == 1.0f && vectors.z.x == 1.0f);
    values = sn_mat3_eigen(sn_mat3_diagonal(2, 1, 3), &vectors);
    assert_true(values.x == 1.0f && values.y == 2.0f && values.z == 3.0f);
    assert_true(vectors.x.y == 1.0f && vectors.y.x == 1.0f && vectors.z.z == -1.0f);
    check_eigen(sn_mat3_diagonal(1, 1, 1));
    check_eigen(sn_mat3_diagonal(0, 0, 0));
    check_eigen(sn_mat3_diagonal(-1.0e30f, 1.0e-30f, 1.0f));
}

// [2 1; 1 2] has 1 and 3, along (1, −1) and (1, 1).
static void test_eigenvectors_of_a_known_matrix(void **state)
{
    (void)state;
    sn_mat3 vectors;
    sn_vec3 values = sn_mat3_eigen((sn_mat3){{2, 1, 0}, {1, 2, 0}, {0, 0, 2}}, &vectors);
    assert_true(sn_length(sn_sub(values, sn_v(1, 2, 3))) < 1.0e-6f);
    assert_true(fabsf(sn_abs(sn_dot(vectors.x, sn_v(1, -1, 0))) - 1.41421356f) < 1.0e-6f);
    assert_true(fabsf(sn_abs(sn_dot(vectors.z, sn_v(1, 1, 0))) - 1.41421356f) < 1.0e-6f);
}

static void test_eigenvectors_survive_extreme_entries(void **state)
{
    (void)state;
    test_random random = {67};
    for (int i = 0; i < 1000; ++i) {
        sn_mat3 m = random_symmetric(&random);
        check_eigen(sn_mat3_scale(m, 3.0e37f));
        check_eigen(sn_mat3_scale(m, 1.0e-37f));
    }
    const sn_vec3 largest = {FLT_MAX, FLT_MAX, FLT_MAX};
    assert_true(sn_mat3_eigen((sn_mat3){largest, largest, largest}, NULL).z == FLT_MAX);
}

static void test_only_the_symmetric_part_has_eigenvectors(void **state)
{
    (void)state;
    sn_mat3 m = {{1, 5, 0}, {-3, 2, 7}, {4, -1, 3}}, vectors, expected;
    sn_mat3 symmetric = sn_mat3_scale(sn_mat3_add(m, sn_mat3_transpose(m)), 0.5f);
    sn_vec3 values = sn_mat3_eigen(m, &vectors);
    sn_vec3 expected_values = sn_mat3_eigen(symmetric, &expected);
    assert_memory_equal(&values, &expected_values, sizeof values);
    assert_memory_equal(&vectors, &expected, sizeof vectors);
}

static void test_eigenvectors_of_what_is_not_finite_are_the_axes(void **state)
{
    (void)state;
    sn_mat3 vectors;
    sn_vec3 values = sn_mat3_eigen((sn_mat3){{1, 0, 0}, {0, NAN, 0}, {0, 0, INFINITY}}, &vectors);
    assert_true(sn_length(values) == 0.0f);
    assert_true(distance_from_identity(widen(vectors)) == 0.0);
}

// --- nearest rotation --------------------------------------------------------------------------------------

typedef struct stretches {
    double largest, middle, smallest; // the smallest is negative for a reflection
} stretches;

// Singular values by one-sided Jacobi (Hestenes): columns are rotated in pairs until all are perpendicular.
static stretches stretches_of(wide_mat3 m)
{
    double determinant = wide_determinant(m);
    double(*a)[3] = m.at;
    for (int sweep = 0; sweep < 30; ++sweep) {
        for (int pair = 0; pair < 3; ++pair) {
            int p = pair == 2 ? 1 : 0, q = pair == 0 ? 1 : 2;
            double pp = a[0][p] * a[0][p] + a[1][p] * a[1][p] + a[2][p] * a[2][p];
            double qq = a[0][q] * a[0][q] + a[1][q] * a[1][q] + a[2][q] * a[2][q];
            double pq = a[0][p] * a[0][q] + a[1][p] * a[1][q] + a[2][p] * a[2][q];
            double angle = 0.5 * atan2(2.0 * pq, pp - qq), c = cos(angle), s = sin(angle);
            for (int i = 0; i < 3; ++i) {
                double kept = a[i][p];
                a[i][p] = c * kept + s * a[i][q];
                a[i][q] = c * a[i][q] - s * kept;
            }
        }
    }
    double length[3];
    for (int j = 0; j < 3; ++j) {
        length[j] = sqrt(a[0][j] * a[0][j] + a[1][j] * a[1][j] + a[2][j] * a[2][j]);
    }
    double largest = fmax(length[0], fmax(length[1], length[2]));
    double smallest = fmin(length[0], fmin(length[1], length[2]));
    double middle = length[0] + length[1] + length[2] - largest - smallest;
    return (stretches){largest, middle, determinant < 0.0 ? -smallest : smallest};
}

static double agreement(wide_mat3 rotation, wide_mat3 m)
{
    double sum = 0.0;
    for (int i = 0; i < 9; ++i) {
        sum += rotation.at[i / 3][i % 3] * m.at[i / 3][i % 3];
    }
    return sum;
}

// |axial part of M Rᵀ|: the slope of the agreement, zero at its maximum. Divided by the curvature, the
// sum of the two smallest stretches, it is the angle by which R misses.
static double slope(wide_mat3 rotation, wide_mat3 m)
{
    wide_mat3 p = wide_multiply(m, wide_transpose(rotation));
    double x = p.at[2][1] - p.at[1][2], y = p.at[0][2] - p.at[2][0], z = p.at[1][0] - p.at[0][1];
    return sqrt(x * x + y * y + z * z);
}

static wide_mat3 rotation_in_double(sn_quat q)
{
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    return (wide_mat3){{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                        {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                        {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

// A rotation, with the largest agreement any rotation can have (that of the oracle's singular values), and
// stationary.
static void check_polar(sn_mat3 m, sn_quat guess)
{
    sn_quat q = sn_mat3_polar(m, guess);
    wide_mat3 wide = widen(m), r = rotation_in_double(q);
    assert_true(distance_from_identity(wide_multiply(wide_transpose(r), r)) < 1.0e-6);
    assert_true(wide_determinant(r) > 0.0);
    stretches s = stretches_of(wide);
    double best = s.largest + s.middle + s.smallest;
    if (!(agreement(r, wide) >= best - 1.0e-6 * s.largest)) {
        fail_msg("agreement %.9g of %.9g", agreement(r, wide), best);
    }
    if (s.middle + s.smallest > 1.0e-5 * s.largest) {
        assert_true(slope(r, wide) <= 3.0e-7 * s.largest);
    }
}

// With the identity, a good guess, and any guess; and at both ends of the range.
static void check_polar_with_guesses(test_random *random, sn_mat3 m)
{
    sn_quat any = test_random_rotation(random);
    sn_quat nudge = sn_quat_exponential(test_random_vec3(random, 0.1f));
    sn_quat good = sn_quat_normalize(sn_quat_multiply(nudge, sn_mat3_polar(m, sn_quat_identity)));
    check_polar(m, sn_quat_identity);
    check_polar(m, any);
    check_polar(m, good);
    check_polar(sn_mat3_scale(m, 1.0e15f), any);
    check_polar(sn_mat3_scale(m, 1.0e-15f), good);
}

static void test_polar_of_random_matrices_is_the_nearest_rotation(void **state)
{
    (void)state;
    test_random random = {71};
    for (int i = 0; i < 20000; ++i) {
        check_polar_with_guesses(&random, random_matrix(&random));
    }
}

static void test_polar_of_flattened_and_reflected_matrices_is_the_nearest_rotation(void **state)
{
    (void)state;
    test_random random = {72};
    for (int i = 0; i < 5000; ++i) {
        float a = test_random_float(&random, 0.0f, 1.0f), b = test_random_float(&random, 0.0f, 1.0f);
        float tiny = (float)pow(10.0, (double)test_random_float(&random, -10.0f, -1.0f));
        check_polar_with_guesses(&random, random_with_singular_values(&random, 1.0f, a, 0.0f));
        check_polar_with_guesses(&random, random_with_singular_values(&random, 1.0f, a, tiny));
        check_polar_with_guesses(&random, random_with_singular_values(&random, 1.0f, tiny, -tiny));
        check_polar_with_guesses(&random, random_with_singular_values(&random, 1.0f, 0.0f, 0.0f));
        check_polar_with_guesses(&random, random_with_singular_values(&random, 1.0f, a, -b));
    }
}

static void test_polar_of_nearly_equal_stretches_is_the_nearest_rotation(void **state)
{
    (void)state;
    test_random random = {73};
    for (int i = 0; i < 5000; ++i) {
        float near = 1.0f + (float)pow(10.0, (double)test_random_float(&random, -9.0f, -1.0f));
        check_polar_with_guesses(&random, random_with_singular_values(&random, 1.0f, near, near));
        check_polar_with_guesses(&random, random_with_singular_values(&random, 1.0f, near, -1.0f));
        check_polar_with_guesses(&random, random_with_singular_values(&random, 1.0f, 1.0f, -near));
        check_polar_with_guesses(&random, random_with_singular_values(&random, near, near, -near));
    }
}

// Integer entries bring exact ties, exact singularity, exact symmetry: the awkward cases at random.
static void test_polar_of_small_integer_matrices_is_the_nearest_rotation(void **state)
{
    (void)state;
    test_random random = {74};
    for (int code = 0; code < 19683; ++code) {
        float entry[9];
        for (int i = 0, rest = code; i < 9; ++i, rest /= 3) {
            entry[i] = (float)(rest % 3 - 1);
        }
        sn_mat3 m = {
            {entry[0], entry[1], entry[2]}, {entry[3], entry[4], entry[5]}, {entry[6], entry[7], entry[8]}};
        check_polar(m, sn_quat_identity);
        check_polar(m, test_random_rotation(&random));
    }
}

static void test_no_rotation_found_by_trying_beats_polar(void **state)
{
    (void)state;
    test_random random = {75};
    for (int i = 0; i < 200; ++i) {
        float last = i % 2 ? 0.3f : -0.3f;
        sn_mat3 m = random_with_singular_values(&random, 1.0f, 0.6f, last);
        wide_mat3 wide = widen(m);
        sn_quat q = sn_mat3_polar(m, sn_quat_identity);
        double best = agreement(rotation_in_double(q), wide);
        for (int trial = 0; trial < 500; ++trial) {
            float reach = (float)pow(10.0, (double)test_random_float(&random, -4.0f, 0.5f));
            sn_quat turn = sn_quat_exponential(test_random_vec3(&random, reach));
            sn_quat other = sn_quat_normalize(sn_quat_multiply(turn, q));
            assert_true(agreement(rotation_in_double(other), wide) <= best + 1.0e-6);
        }
    }
}

static void test_polar_gives_back_the_rotation_of_rotation_times_stretch(void **state)
{
    (void)state;
    test_random random = {76};
    for (int i = 0; i < 50000; ++i) {
        sn_quat q = test_random_rotation(&random);
        float a = test_random_float(&random, 0.5f, 2.0f), b = test_random_float(&random, 0.5f, 2.0f);
        sn_mat3 stretch = with_eigenvalues(test_random_rotation(&random), a, b, 1.0f);
        sn_quat found = sn_mat3_polar(sn_mat3_multiply(sn_mat3_from_quat(q), stretch), sn_quat_identity);
        double cosine = fabs((double)(found.x * q.x + found.y * q.y + found.z * q.z + found.w * q.w));
        sn_vec3 miss = sn_quat_logarithm(sn_quat_multiply(found, sn_quat_conjugate(q)));
        assert_true(cosine > 1.0 - 1.0e-6 && sn_length(miss) < 2.0e-6f);
    }
}

static void assert_rotation_equal(sn_quat a, sn_quat b)
{
    assert_true(fabsf(a.x - b.x) + fabsf(a.y - b.y) + fabsf(a.z - b.z) + fabsf(a.w - b.w) < 1.0e-6f);
}

static void test_polar_keeps_the_guess_where_all_rotations_are_equally_near(void **state)
{
    (void)state;
    test_random random = {77};
    for (int i = 0; i < 1000; ++i) {
        sn_quat guess = test_random_rotation(&random);
        assert_rotation_equal(sn_mat3_polar(sn_mat3_diagonal(0, 0, 0), guess), guess);
        // Flattened to the line e xᵀ: what turns x to e is equally good with any twist about e.
        sn_vec3 e = sn_rotate(guess, sn_v(1, 0, 0));
        assert_rotation_equal(sn_mat3_polar((sn_mat3){e, {0, 0, 0}, {0, 0, 0}}, guess), guess);
        // A sphere turned inside out: −1 flips to a half-turn about any axis, here the guess's own.
        sn_quat half_turn = {e.x, e.y, e.z, 0.0f};
        assert_rotation_equal(sn_mat3_polar(sn_mat3_diagonal(-1, -1, -1), half_turn), half_turn);
    }
}

static void test_polar_stays_on_the_side_of_the_guess(void **state)
{
    (void)state;
    test_random random = {78};
    for (int i = 0; i < 20000; ++i) {
        sn_quat q = test_random_rotation(&random);
        sn_quat other_side = {-q.x, -q.y, -q.z, -q.w};
        sn_mat3 m = sn_mat3_from_quat(q);
        assert_rotation_equal(sn_mat3_polar(m, q), q);
        assert_rotation_equal(sn_mat3_polar(m, other_side), other_side);
    }
}

static void test_polar_does_not_depend_on_the_guess_where_one_rotation_is_nearest(void **state)
{
    (void)state;
    test_random random = {79};
    for (int i = 0; i < 20000; ++i) {
        float last = test_random_float(&random, -0.3f, 0.5f);
        sn_mat3 m = random_with_singular_values(&random, 1.0f, 0.5f, last);
        sn_quat a = sn_mat3_polar(m, sn_quat_identity), b = sn_mat3_polar(m, test_random_rotation(&random));
        float sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0.0f ? -1.0f : 1.0f;
        assert_rotation_equal(a, (sn_quat){sign * b.x, sign * b.y, sign * b.z, sign * b.w});
    }
}

static void test_polar_survives_extreme_entries(void **state)
{
    (void)state;
    test_random random = {80};
    const float sizes[] = {FLT_MAX, 1.0e30f, 1.0e-30f, FLT_MIN};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        for (int i = 0; i < 1000; ++i) {
            check_polar(sn_mat3_scale(random_matrix(&random), sizes[k]), test_random_rotation(&random));
        }
    }
    check_polar(sn_mat3_diagonal(FLT_TRUE_MIN, FLT_TRUE_MIN, -FLT_TRUE_MIN), sn_quat_identity);
    check_polar(sn_mat3_diagonal(FLT_MAX, 1.0f, FLT_TRUE_MIN), sn_quat_identity);
}

static void test_polar_of_what_is_not_finite_is_the_guess(void **state)
{
    (void)state;
    test_random random = {81};
    const float bad[] = {NAN, INFINITY, -INFINITY};
    const sn_quat no_rotations[] = {{0, 0, 0, 0}, {NAN, 0, 0, 1}, {0, INFINITY, 0, 0}};
    for (int i = 0; i < 3; ++i) {
        sn_quat guess = test_random_rotation(&random);
        assert_rotation_equal(sn_mat3_polar(sn_mat3_diagonal(bad[i], 1, 1), guess), guess);
        assert_rotation_equal(sn_mat3_polar(sn_mat3_diagonal(1, 1, bad[i]), no_rotations[i]),
                              sn_quat_identity);
        assert_rotation_equal(sn_mat3_polar(sn_mat3_diagonal(1, 2, 3), no_rotations[i]), sn_quat_identity);
    }
    const sn_quat long_guess = {0, 0, 3.0e38f, 0}, short_guess = {0, 0, FLT_TRUE_MIN, 0};
    assert_rotation_equal(sn_mat3_polar(sn_mat3_diagonal(0, 0, 0), long_guess), (sn_quat){0, 0, 1, 0});
    assert_rotation_equal(sn_mat3_polar(sn_mat3_diagonal(0, 0, 0), short_guess), (sn_quat){0, 0, 1, 0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inverse_times_matrix_is_the_identity),
        cmocka_unit_test(test_inverse_of_a_nearly_singular_matrix_is_still_one),
        cmocka_unit_test(test_matrix_without_inverse_gives_zeros),
        cmocka_unit_test(test_eigenvectors_of_random_matrices_fulfil_their_definition),
        cmocka_unit_test(test_eigenvalues_are_those_the_matrix_was_made_with),
        cmocka_unit_test(test_equal_and_nearly_equal_eigenvalues_are_no_trouble),
        cmocka_unit_test(test_eigenvectors_of_a_diagonal_matrix_are_the_axes),
        cmocka_unit_test(test_eigenvectors_of_a_known_matrix),
        cmocka_unit_test(test_eigenvectors_survive_extreme_entries),
        cmocka_unit_test(test_only_the_symmetric_part_has_eigenvectors),
        cmocka_unit_test(test_eigenvectors_of_what_is_not_finite_are_the_axes),
        cmocka_unit_test(test_polar_of_random_matrices_is_the_nearest_rotation),
        cmocka_unit_test(test_polar_of_flattened_and_reflected_matrices_is_the_nearest_rotation),
        cmocka_unit_test(test_polar_of_nearly_equal_stretches_is_the_nearest_rotation),
        cmocka_unit_test(test_polar_of_small_integer_matrices_is_the_nearest_rotation),
        cmocka_unit_test(test_no_rotation_found_by_trying_beats_polar),
        cmocka_unit_test(test_polar_gives_back_the_rotation_of_rotation_times_stretch),
        cmocka_unit_test(test_polar_keeps_the_guess_where_all_rotations_are_equally_near),
        cmocka_unit_test(test_polar_stays_on_the_side_of_the_guess),
        cmocka_unit_test(test_polar_does_not_depend_on_the_guess_where_one_rotation_is_nearest),
        cmocka_unit_test(test_polar_survives_extreme_entries),
        cmocka_unit_test(test_polar_of_what_is_not_finite_is_the_guess),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Rotations from vectors, rotation vectors and matrices, against their definitions in double.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sinew/math.h"
#include "support/random.h"
#include <float.h>

typedef struct wide {
    double x, y, z;
} wide;

static wide widen(sn_vec3 v)
{
    return (wide){(double)v.x, (double)v.y, (double)v.z};
}

static double wide_length(wide v)
{
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static double distance(wide a, wide b)
{
    return wide_length((wide){a.x - b.x, a.y - b.y, a.z - b.z});
}

static double norm(sn_quat q)
{
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    return sqrt(x * x + y * y + z * z + w * w);
}

// v + 2 w (u × v) + 2 u × (u × v), after scaling q to unit length.
static wide rotate_in_double(sn_quat q, sn_vec3 vector)
{
    double s = 1.0 / norm(q);
    double x = (double)q.x * s, y = (double)q.y * s, z = (double)q.z * s, w = (double)q.w * s;
    wide v = widen(vector);
    wide t = {2.0 * (y * v.z - z * v.y), 2.0 * (z * v.x - x * v.z), 2.0 * (x * v.y - y * v.x)};
    return (wide){v.x + w * t.x + (y * t.z - z * t.y), v.y + w * t.y + (z * t.x - x * t.z),
                  v.z + w * t.z + (x * t.y - y * t.x)};
}

static void assert_identity(sn_quat q)
{
    assert_true(q.x == 0.0f && q.y == 0.0f && q.z == 0.0f && q.w == 1.0f);
}

// A number between 10^lower and 10^upper, all magnitudes alike.
static float random_magnitude(test_random *random, float lower, float upper)
{
    return (float)pow(10.0, (double)test_random_float(random, lower, upper));
}

// Unit length, from → to, and nothing more than that: the axis is perpendicular to both, and the half-angle
// has the sine |to − from| / 2.
static void check_between(sn_vec3 from, sn_vec3 to)
{
    sn_quat q = sn_quat_between(from, to);
    assert_true(fabs(norm(q) - 1.0) < 1.0e-7);
    assert_true(distance(rotate_in_double(q, from), widen(to)) < 4.0e-7);
    assert_true(q.w >= 0.0f);
    wide axis_sine = {(double)q.x, (double)q.y, (double)q.z}, f = widen(from);
    assert_true(fabs(axis_sine.x * f.x + axis_sine.y * f.y + axis_sine.z * f.z) < 2.0e-7);
    assert_true(fabs(wide_length(axis_sine) - 0.5 * distance(widen(to), f)) < 2.0e-7);
}

static void test_between_is_the_shortest_rotation_from_one_vector_to_another(void **state)
{
    (void)state;
    test_random random = {21};
    for (int i = 0; i < 200000; ++i) {
        sn_vec3 from = test_random_direction(&random);
        check_between(from, test_random_direction(&random));
    }
}

static void test_between_is_accurate_for_nearly_equal_and_nearly_opposite_vectors(void **state)
{
    (void)state;
    test_random random = {22};
    for (int i = 0; i < 200000; ++i) {
        sn_vec3 from = test_random_direction(&random), aside = test_random_direction(&random);
        float deviation = random_magnitude(&random, -12.0f, -1.0f);
        check_between(from, sn_normalize(sn_add_scaled(from, deviation, aside)));
        check_between(from, sn_normalize(sn_add_scaled(sn_neg(from), deviation, aside)));
    }
}

static void test_between_opposite_vectors_is_a_half_turn(void **state)
{
    (void)state;
    test_random random = {23};
    const sn_vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    for (int i = 0; i < 10000; ++i) {
        sn_vec3 from = i < 6 ? axes[i] : test_random_direction(&random);
        check_between(from, sn_neg(from));
        assert_true(sn_quat_between(from, sn_neg(from)).w == 0.0f);
        assert_true(sn_quat_between(from, from).w == 1.0f);
    }
}

static void test_between_vectors_without_direction_is_the_identity(void **state)
{
    (void)state;
    const sn_vec3 bad[] = {{0, 0, 0}, {NAN, 0, 0}, {0, INFINITY, 0}, {0, 0, -INFINITY}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        assert_identity(sn_quat_between(bad[i], sn_v(1, 0, 0)));
        assert_identity(sn_quat_between(sn_v(0, 1, 0), bad[i]));
        assert_identity(sn_quat_between(bad[i], bad[i]));
    }
}

static void check_exponential(sn_vec3 v)
{
    sn_quat q = sn_quat_exponential(v);
    double angle = wide_length(widen(v));
    double scale = angle > 0.0 ? sin(0.5 * angle) / angle : 0.5;
    wide exact = {scale * (double)v.x, scale * (double)v.y, scale * (double)v.z};
    wide actual = {(double)q.x, (double)q.y, (double)q.z};
    assert_true(fabs((double)q.w - cos(0.5 * angle)) < 4.0e-7);
    assert_true(distance(actual, exact) < 4.0e-7);
    assert_true(fabs(norm(q) - 1.0) < 2.5e-7);
    if (angle < 1.0) {
        assert_true(distance(actual, exact) < 2.5e-7 * wide_length(exact) + 2.0e-45);
    }
}

static void test_exponential_turns_by_its_length_about_its_direction(void **state)
{
    (void)state;
    test_random random = {24};
    for (int i = 0; i < 200000; ++i) {
        sn_vec3 axis = test_random_direction(&random);
        check_exponential(sn_scale(axis, test_random_float(&random, 0.0f, 2.0f * SN_PI)));
        check_exponential(sn_scale(axis, random_magnitude(&random, -44.0f, 0.7f)));
    }
    assert_identity(sn_quat_exponential(sn_v(0, 0, 0)));
}

static void test_exponential_agrees_with_axis_and_angle(void **state)
{
    (void)state;
    test_random random = {25};
    for (int i = 0; i < 50000; ++i) {
        sn_vec3 axis = test_random_direction(&random);
        float angle = test_random_float(&random, -SN_PI, SN_PI);
        sn_quat a = sn_quat_exponential(sn_scale(axis, angle)), b = sn_quat_axis_angle(axis, angle);
        assert_true(fabsf(a.x - b.x) + fabsf(a.y - b.y) + fabsf(a.z - b.z) + fabsf(a.w - b.w) < 1.0e-6f);
    }
}

static void test_exponential_of_anything_has_unit_length(void **state)
{
    (void)state;
    const sn_vec3 vectors[] = {{1.0e4f, 2.0e4f, 3.0e4f}, {1.0e9f, 0, 0}, {1.0e19f, 0, 0}, {1.0e30f, 1, 1},
                               {FLT_MAX, FLT_MAX, 0},    {NAN, 0, 0},    {0, INFINITY, 0}};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i) {
        assert_true(fabs(norm(sn_quat_exponential(vectors[i])) - 1.0) < 2.5e-7);
    }
}

static void check_logarithm(sn_quat q)
{
    double sign = q.w < 0.0f ? -1.0 : 1.0;
    double sine = wide_length((wide){(double)q.x, (double)q.y, (double)q.z});
    double angle = 2.0 * atan2(sine, fabs((double)q.w));
    double scale = sign * (sine > 0.0 ? angle / sine : 2.0);
    wide exact = {scale * (double)q.x, scale * (double)q.y, scale * (double)q.z};
    sn_vec3 actual = sn_quat_logarithm(q);
    assert_true(distance(widen(actual), exact) < 2.5e-7 * angle + 2.0e-45);
    assert_true(wide_length(widen(actual)) < 3.1415935);
}

static void test_logarithm_is_accurate_for_all_angles(void **state)
{
    (void)state;
    test_random random = {26};
    for (int i = 0; i < 200000; ++i) {
        sn_quat q = test_random_rotation(&random);
        sn_quat opposite = {-q.x, -q.y, -q.z, -q.w};
        check_logarithm(q);
        check_logarithm(opposite);
    }
}

static void test_logarithm_is_accurate_for_tiny_angles_and_near_half_turns(void **state)
{
    (void)state;
    test_random random = {27};
    for (int i = 0; i < 200000; ++i) {
        sn_vec3 axis = test_random_direction(&random);
        sn_vec3 tiny = sn_scale(axis, random_magnitude(&random, -44.0f, -3.0f));
        float cosine = random_magnitude(&random, -44.0f, -3.0f);
        check_logarithm((sn_quat){tiny.x, tiny.y, tiny.z, 1.0f});
        check_logarithm((sn_quat){tiny.x, tiny.y, tiny.z, -1.0f});
        check_logarithm((sn_quat){axis.x, axis.y, axis.z, cosine});
        check_logarithm((sn_quat){axis.x, axis.y, axis.z, -cosine});
    }
    check_logarithm((sn_quat){0.0f, 1.0f, 0.0f, 0.0f});
}

static void test_logarithm_undoes_the_exponential(void **state)
{
    (void)state;
    test_random random = {28};
    for (int i = 0; i < 200000; ++i) {
        sn_vec3 axis = test_random_direction(&random);
        float length =
            i % 2 ? test_random_float(&random, 0.0f, 3.141f) : random_magnitude(&random, -30.0f, 0.4f);
        sn_vec3 v = sn_scale(axis, length);
        double error = distance(widen(sn_quat_logarithm(sn_quat_exponential(v))), widen(v));
        assert_true(error < 4.0e-7 * fmax((double)length, 1.0));
        assert_true(length > 0.1f || error < 4.0e-7 * (double)length + 4.0e-45);
    }
}

static void test_logarithm_of_no_rotation_is_zero(void **state)
{
    (void)state;
    const sn_quat bad[] = {{0, 0, 0, 1}, {0, 0, 0, -1}, {0, 0, 0, 0}, {NAN, 0, 0, 1}, {0, 0, 0, INFINITY}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        sn_vec3 v = sn_quat_logarithm(bad[i]);
        assert_true(v.x == 0.0f && v.y == 0.0f && v.z == 0.0f);
    }
}

static void check_matrix_round_trip(sn_quat q)
{
    sn_quat back = sn_quat_from_mat3(sn_mat3_from_quat(q));
    float sign = back.x * q.x + back.y * q.y + back.z * q.z + back.w * q.w < 0.0f ? -1.0f : 1.0f;
    assert_true(fabs(norm(back) - 1.0) < 2.0e-7);
    assert_true(fabsf(sign * back.x - q.x) < 5.0e-7f && fabsf(sign * back.y - q.y) < 5.0e-7f);
    assert_true(fabsf(sign * back.z - q.z) < 5.0e-7f && fabsf(sign * back.w - q.w) < 5.0e-7f);
}

static void test_matrix_gives_back_the_quaternion_it_came_from(void **state)
{
    (void)state;
    test_random random = {29};
    for (int i = 0; i < 200000; ++i) {
        check_matrix_round_trip(test_random_rotation(&random));
    }
}

static void test_matrix_of_a_half_turn_gives_its_quaternion(void **state)
{
    (void)state;
    test_random random = {30};
    const sn_quat turns[] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    for (int i = 0; i < 100000; ++i) {
        sn_vec3 axis = test_random_direction(&random);
        float angle = SN_PI - random_magnitude(&random, -12.0f, -1.0f);
        check_matrix_round_trip(i < 4 ? turns[i] : sn_quat_axis_angle(axis, angle));
    }
}

static void test_matrix_that_is_no_rotation_still_gives_unit_length(void **state)
{
    (void)state;
    test_random random = {31};
    const float sizes[] = {0.0f, 1.0e-30f, 1.0f, 1.0e9f, 1.0e30f, FLT_MAX, INFINITY, NAN};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        for (int k = 0; k < 1000; ++k) {
            sn_mat3 m = {test_random_vec3(&random, 1.0f), test_random_vec3(&random, 1.0f),
                         test_random_vec3(&random, 1.0f)};
            sn_quat q = sn_quat_from_mat3(sn_mat3_scale(m, sizes[i]));
            assert_true(fabs(norm(q) - 1.0) < 2.0e-7);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_between_is_the_shortest_rotation_from_one_vector_to_another),
        cmocka_unit_test(test_between_is_accurate_for_nearly_equal_and_nearly_opposite_vectors),
        cmocka_unit_test(test_between_opposite_vectors_is_a_half_turn),
        cmocka_unit_test(test_between_vectors_without_direction_is_the_identity),
        cmocka_unit_test(test_exponential_turns_by_its_length_about_its_direction),
        cmocka_unit_test(test_exponential_agrees_with_axis_and_angle),
        cmocka_unit_test(test_exponential_of_anything_has_unit_length),
        cmocka_unit_test(test_logarithm_is_accurate_for_all_angles),
        cmocka_unit_test(test_logarithm_is_accurate_for_tiny_angles_and_near_half_turns),
        cmocka_unit_test(test_logarithm_undoes_the_exponential),
        cmocka_unit_test(test_logarithm_of_no_rotation_is_zero),
        cmocka_unit_test(test_matrix_gives_back_the_quaternion_it_came_from),
        cmocka_unit_test(test_matrix_of_a_half_turn_gives_its_quaternion),
        cmocka_unit_test(test_matrix_that_is_no_rotation_still_gives_unit_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

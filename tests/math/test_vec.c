// The inline functions of sinew/math.h: scalars, vectors, quaternions, matrices, poses, bounds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sinew/math.h"
#include "support/random.h"
#include <float.h>

// A float computation of a few dozen operations on numbers around one.
static const float tolerance = 2.0e-6f;

static void assert_near(sn_vec3 a, sn_vec3 b, float allowed)
{
    if (!(sn_distance_between(a, b) <= allowed)) {
        fail_msg("(%g %g %g) is not (%g %g %g)", (double)a.x, (double)a.y, (double)a.z, (double)b.x,
                 (double)b.y, (double)b.z);
    }
}

static void assert_equal(sn_vec3 a, sn_vec3 b)
{
    assert_near(a, b, 0.0f);
}

static void assert_same_rotation(sn_quat a, sn_quat b)
{
    float sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0.0f ? -1.0f : 1.0f;
    assert_near(sn_v(a.x, a.y, a.z), sn_scale(sn_v(b.x, b.y, b.z), sign), tolerance);
    assert_true(fabsf(a.w - sign * b.w) <= tolerance);
}

static sn_pose random_pose(test_random *random)
{
    sn_vec3 position = test_random_vec3(random, 1.0f);
    return (sn_pose){position, test_random_rotation(random)};
}

static sn_mat3 random_matrix(test_random *random)
{
    sn_vec3 x = test_random_vec3(random, 1.0f), y = test_random_vec3(random, 1.0f);
    return (sn_mat3){x, y, test_random_vec3(random, 1.0f)};
}

// --- scalars -----------------------------------------------------------------------------------------------

static void test_scalars_do_what_they_are_called(void **state)
{
    (void)state;
    assert_true(sn_min(1.0f, 2.0f) == 1.0f && sn_min(2.0f, -1.0f) == -1.0f);
    assert_true(sn_max(1.0f, 2.0f) == 2.0f && sn_max(2.0f, -1.0f) == 2.0f);
    assert_true(sn_abs(-3.0f) == 3.0f && sn_abs(3.0f) == 3.0f);
    assert_false(signbit(sn_abs(-0.0f)));
    assert_true(sn_clamp(-2.0f, -1.0f, 1.0f) == -1.0f);
    assert_true(sn_clamp(0.5f, -1.0f, 1.0f) == 0.5f);
    assert_true(sn_clamp(2.0f, -1.0f, 1.0f) == 1.0f);
}

static void test_only_nan_and_infinities_are_not_finite(void **state)
{
    (void)state;
    const float finite[] = {0.0f, -0.0f, 1.0f, FLT_TRUE_MIN, FLT_MAX, -FLT_MAX};
    const float infinite[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof finite / sizeof *finite; ++i) {
        assert_true(sn_is_finite(finite[i]));
    }
    for (size_t i = 0; i < sizeof infinite / sizeof *infinite; ++i) {
        float bad = infinite[i];
        assert_false(sn_is_finite(bad));
        assert_false(sn_vec3_is_finite(sn_v(bad, 0, 0)));
        assert_false(sn_vec3_is_finite(sn_v(0, bad, 0)));
        assert_false(sn_vec3_is_finite(sn_v(0, 0, bad)));
        assert_false(sn_quat_is_finite((sn_quat){bad, 0, 0, 1}));
        assert_false(sn_quat_is_finite((sn_quat){0, bad, 0, 1}));
        assert_false(sn_quat_is_finite((sn_quat){0, 0, bad, 1}));
        assert_false(sn_quat_is_finite((sn_quat){0, 0, 0, bad}));
    }
    assert_true(sn_vec3_is_finite(sn_v(1, 2, 3)) && sn_quat_is_finite(sn_quat_identity));
}

// --- vectors -----------------------------------------------------------------------------------------------

static void test_vector_arithmetic_is_that_of_components(void **state)
{
    (void)state;
    sn_vec3 a = sn_v(1, 2, 3), b = sn_v(-4, 5, 0.5f);
    assert_equal(sn_add(a, b), sn_v(-3, 7, 3.5f));
    assert_equal(sn_sub(a, b), sn_v(5, -3, 2.5f));
    assert_equal(sn_neg(a), sn_v(-1, -2, -3));
    assert_equal(sn_scale(a, 2), sn_v(2, 4, 6));
    assert_equal(sn_add_scaled(a, 2, b), sn_v(-7, 12, 4));
    assert_equal(sn_mul(a, b), sn_v(-4, 10, 1.5f));
    assert_equal(sn_min3(a, b), sn_v(-4, 2, 0.5f));
    assert_equal(sn_max3(a, b), sn_v(1, 5, 3));
    assert_equal(sn_abs3(b), sn_v(4, 5, 0.5f));
    assert_equal(sn_lerp(a, b, 0.5f), sn_v(-1.5f, 3.5f, 1.75f));
    assert_equal(sn_lerp(a, b, 0.0f), a);
    assert_equal(sn_lerp(a, b, 1.0f), b);
    assert_true(sn_dot(a, b) == 7.5f);
    assert_true(sn_length_squared(a) == 14.0f);
    assert_true(sn_length(sn_v(2, -3, 6)) == 7.0f);
    assert_true(sn_distance_between(sn_v(3, -2, 7), sn_v(1, 1, 1)) == 7.0f);
}

static void test_cross_product_is_right_handed_and_perpendicular(void **state)
{
    (void)state;
    assert_equal(sn_cross(sn_v(1, 0, 0), sn_v(0, 1, 0)), sn_v(0, 0, 1));
    assert_equal(sn_cross(sn_v(0, 1, 0), sn_v(0, 0, 1)), sn_v(1, 0, 0));
    assert_equal(sn_cross(sn_v(0, 0, 1), sn_v(1, 0, 0)), sn_v(0, 1, 0));
    test_random random = {41};
    for (int i = 0; i < 10000; ++i) {
        sn_vec3 a = test_random_vec3(&random, 1.0f), b = test_random_vec3(&random, 1.0f);
        sn_vec3 c = sn_cross(a, b);
        assert_true(fabsf(sn_dot(a, c)) < tolerance && fabsf(sn_dot(b, c)) < tolerance);
        float sine_squared = sn_length_squared(a) * sn_length_squared(b) - sn_dot(a, b) * sn_dot(a, b);
        assert_true(fabsf(sn_length_squared(c) - sine_squared) < 2.0f * tolerance);
    }
}

static void test_normalize_gives_unit_length_or_zero(void **state)
{
    (void)state;
    test_random random = {42};
    for (int i = 0; i < 100000; ++i) {
        float size = (float)pow(10.0, (double)test_random_float(&random, -17.0f, 18.9f));
        sn_vec3 direction = test_random_direction(&random);
        assert_near(sn_normalize(sn_scale(direction, size)), direction, 5.0e-7f);
    }
    const float no_lengths[] = {0.0f, 1.0e-19f, FLT_TRUE_MIN, 1.0e20f, FLT_MAX, NAN};
    for (size_t i = 0; i < sizeof no_lengths / sizeof *no_lengths; ++i) {
        assert_equal(sn_normalize(sn_v(0, no_lengths[i], 0)), sn_v(0, 0, 0));
    }
}

static void check_perpendicular(sn_vec3 a)
{
    sn_vec3 p = sn_perpendicular(a);
    assert_true(fabsf(sn_length(p) - 1.0f) < 3.0e-7f);
    assert_true(fabsf(sn_dot(a, p)) < 1.5e-7f);
}

static void test_perpendicular_is_a_unit_vector_at_right_angles(void **state)
{
    (void)state;
    const sn_vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    for (size_t i = 0; i < sizeof axes / sizeof *axes; ++i) {
        check_perpendicular(axes[i]);
    }
    test_random random = {43};
    for (int i = 0; i < 100000; ++i) {
        check_perpendicular(test_random_direction(&random));
        // Around the switch, where |x| = 1/√3.
        sn_vec3 diagonal = {i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f};
        check_perpendicular(sn_normalize(sn_add(diagonal, test_random_vec3(&random, 1.0e-6f))));
    }
}

// --- quaternions and matrices ------------------------------------------------------------------------------

static void test_a_quarter_turn_about_z_takes_x_to_y(void **state)
{
    (void)state;
    sn_quat q = sn_quat_axis_angle(sn_v(0, 0, 1), 0.5f * SN_PI);
    assert_near(sn_rotate(q, sn_v(1, 0, 0)), sn_v(0, 1, 0), 2.0e-7f);
    assert_near(sn_rotate(q, sn_v(0, 1, 0)), sn_v(-1, 0, 0), 2.0e-7f);
    assert_near(sn_rotate_inverse(q, sn_v(0, 1, 0)), sn_v(1, 0, 0), 2.0e-7f);
}

static void test_rotating_by_quaternion_and_by_its_matrix_agree(void **state)
{
    (void)state;
    test_random random = {44};
    for (int i = 0; i < 100000; ++i) {
        sn_quat q = test_random_rotation(&random);
        sn_vec3 v = test_random_vec3(&random, 1.0f);
        sn_mat3 m = sn_mat3_from_quat(q);
        assert_near(sn_rotate(q, v), sn_mat3_apply(m, v), tolerance);
        assert_near(sn_rotate_inverse(q, v), sn_mat3_apply(sn_mat3_transpose(m), v), tolerance);
        assert_near(sn_rotate_inverse(q, sn_rotate(q, v)), v, tolerance);
        assert_true(fabsf(sn_length(sn_rotate(q, v)) - sn_length(v)) < tolerance);
    }
}

static void test_product_of_quaternions_is_the_product_of_their_matrices(void **state)
{
    (void)state;
    test_random random = {45};
    for (int i = 0; i < 20000; ++i) {
        sn_quat a = test_random_rotation(&random), b = test_random_rotation(&random);
        sn_mat3 product = sn_mat3_multiply(sn_mat3_from_quat(a), sn_mat3_from_quat(b));
        sn_mat3 m = sn_mat3_from_quat(sn_quat_multiply(a, b));
        assert_near(m.x, product.x, tolerance);
        assert_near(m.y, product.y, tolerance);
        assert_near(m.z, product.z, tolerance);
        assert_same_rotation(sn_quat_multiply(a, sn_quat_conjugate(a)), sn_quat_identity);
    }
}

static void test_normalized_quaternion_has_unit_length_whatever_it_was(void **state)
{
    (void)state;
    test_random random = {46};
    for (int i = 0; i < 20000; ++i) {
        sn_quat q = test_random_rotation(&random);
        float size = (float)pow(10.0, (double)test_random_float(&random, -17.0f, 18.9f));
        sn_quat scaled = {q.x * size, q.y * size, q.z * size, q.w * size};
        assert_same_rotation(sn_quat_normalize(scaled), q);
    }
    const float no_lengths[] = {0.0f, 1.0e-19f, 1.0e20f, FLT_MAX, INFINITY, NAN};
    for (size_t i = 0; i < sizeof no_lengths / sizeof *no_lengths; ++i) {
        sn_quat q = sn_quat_normalize((sn_quat){0, no_lengths[i], no_lengths[i], 0});
        assert_true(q.x == 0.0f && q.y == 0.0f && q.z == 0.0f && q.w == 1.0f);
    }
}

static void test_matrix_algebra_follows_its_laws(void **state)
{
    (void)state;
    test_random random = {47};
    for (int i = 0; i < 20000; ++i) {
        sn_mat3 a = random_matrix(&random), b = random_matrix(&random);
        sn_vec3 v = test_random_vec3(&random, 1.0f);
        assert_near(sn_mat3_apply(sn_mat3_multiply(a, b), v), sn_mat3_apply(a, sn_mat3_apply(b, v)),
                    tolerance);
        sn_vec3 sum = sn_add(sn_mat3_apply(a, v), sn_mat3_apply(b, v));
        assert_near(sn_mat3_apply(sn_mat3_add(a, b), v), sum, tolerance);
        assert_near(sn_mat3_apply(sn_mat3_scale(a, 3.0f), v), sn_scale(sn_mat3_apply(a, v), 3.0f), tolerance);
        float product = sn_mat3_determinant(a) * sn_mat3_determinant(b);
        assert_true(fabsf(sn_mat3_determinant(sn_mat3_multiply(a, b)) - product) < 5.0f * tolerance);
        assert_true(fabsf(sn_mat3_determinant(sn_mat3_transpose(a)) - sn_mat3_determinant(a)) < tolerance);
    }
}

static void test_matrices_are_stored_by_columns(void **state)
{
    (void)state;
    sn_mat3 m = {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}};
    assert_equal(sn_mat3_apply(m, sn_v(1, 0, 0)), m.x);
    assert_equal(sn_mat3_apply(m, sn_v(0, 1, 0)), m.y);
    assert_equal(sn_mat3_apply(m, sn_v(0, 0, 1)), m.z);
    assert_equal(sn_mat3_transpose(m).x, sn_v(1, 4, 7));
    assert_equal(sn_mat3_apply(sn_mat3_diagonal(2, 3, 4), sn_v(1, 1, 1)), sn_v(2, 3, 4));
    assert_true(sn_mat3_determinant(m) == -3.0f);
}

// --- poses and bounds --------------------------------------------------------------------------------------

static void test_pose_and_its_inverse_undo_each_other(void **state)
{
    (void)state;
    test_random random = {48};
    for (int i = 0; i < 20000; ++i) {
        sn_pose pose = random_pose(&random);
        sn_vec3 p = test_random_vec3(&random, 1.0f);
        assert_near(sn_pose_apply_inverse(pose, sn_pose_apply(pose, p)), p, 2.0f * tolerance);
        assert_near(sn_pose_apply(pose, sn_pose_apply_inverse(pose, p)), p, 2.0f * tolerance);
        assert_equal(sn_pose_apply(sn_pose_identity, p), p);
    }
}

static void test_product_of_poses_applies_the_second_first(void **state)
{
    (void)state;
    test_random random = {49};
    for (int i = 0; i < 20000; ++i) {
        sn_pose a = random_pose(&random), b = random_pose(&random), c = random_pose(&random);
        sn_vec3 p = test_random_vec3(&random, 1.0f);
        assert_near(sn_pose_apply(sn_pose_multiply(a, b), p), sn_pose_apply(a, sn_pose_apply(b, p)),
                    2.0f * tolerance);
        sn_pose left = sn_pose_multiply(sn_pose_multiply(a, b), c);
        sn_pose right = sn_pose_multiply(a, sn_pose_multiply(b, c));
        assert_near(left.position, right.position, 2.0f * tolerance);
        assert_same_rotation(left.rotation, right.rotation);
    }
}

static void test_relative_pose_leads_from_one_to_the_other(void **state)
{
    (void)state;
    test_random random = {50};
    for (int i = 0; i < 20000; ++i) {
        sn_pose a = random_pose(&random), b = random_pose(&random);
        sn_pose back = sn_pose_multiply(a, sn_pose_relative(a, b));
        assert_near(back.position, b.position, 2.0f * tolerance);
        assert_same_rotation(back.rotation, b.rotation);
        sn_pose none = sn_pose_relative(a, a);
        assert_near(none.position, sn_v(0, 0, 0), 0.0f);
        assert_same_rotation(none.rotation, sn_quat_identity);
    }
}

static void test_bounds_overlap_when_they_share_a_point(void **state)
{
    (void)state;
    sn_bounds cube = {{0, 0, 0}, {1, 1, 1}};
    const sn_vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; ++i) {
        for (float sign = -1.0f; sign <= 1.0f; sign += 2.0f) {
            sn_vec3 touching = sn_scale(axes[i], sign), apart = sn_scale(axes[i], 1.001f * sign);
            sn_bounds near = {sn_add(cube.lower, touching), sn_add(cube.upper, touching)};
            sn_bounds far = {sn_add(cube.lower, apart), sn_add(cube.upper, apart)};
            assert_true(sn_bounds_overlap(cube, near) && sn_bounds_overlap(near, cube));
            assert_false(sn_bounds_overlap(cube, far) || sn_bounds_overlap(far, cube));
        }
    }
}

static void test_union_is_the_smallest_box_around_both(void **state)
{
    (void)state;
    test_random random = {51};
    for (int i = 0; i < 10000; ++i) {
        sn_vec3 p = test_random_vec3(&random, 1.0f), q = test_random_vec3(&random, 1.0f);
        sn_vec3 r = test_random_vec3(&random, 1.0f), s = test_random_vec3(&random, 1.0f);
        sn_bounds a = {sn_min3(p, q), sn_max3(p, q)}, b = {sn_min3(r, s), sn_max3(r, s)};
        sn_bounds both = sn_bounds_union(a, b);
        assert_true(sn_bounds_contain(both, a) && sn_bounds_contain(both, b));
        assert_true(sn_bounds_contain(both, both));
        assert_equal(both.lower, sn_min3(sn_min3(p, q), sn_min3(r, s)));
        assert_equal(both.upper, sn_max3(sn_max3(p, q), sn_max3(r, s)));
    }
}

static void test_bounds_contain_only_what_sticks_out_nowhere(void **state)
{
    (void)state;
    sn_bounds cube = {{0, 0, 0}, {1, 1, 1}};
    float *const sides[] = {&cube.lower.x, &cube.lower.y, &cube.lower.z,
                            &cube.upper.x, &cube.upper.y, &cube.upper.z};
    const sn_bounds inner = {{0.25f, 0.25f, 0.25f}, {0.75f, 0.75f, 0.75f}};
    assert_true(sn_bounds_contain(cube, inner));
    assert_false(sn_bounds_contain(inner, cube));
    for (int i = 0; i < 6; ++i) {
        float kept = *sides[i];
        *sides[i] = 0.5f;
        assert_false(sn_bounds_contain(cube, inner));
        *sides[i] = kept;
    }
}

static void test_grown_bounds_reach_further_by_the_margin_on_every_side(void **state)
{
    (void)state;
    sn_bounds grown = sn_bounds_grow((sn_bounds){{0, 1, 2}, {3, 4, 5}}, 0.5f);
    assert_equal(grown.lower, sn_v(-0.5f, 0.5f, 1.5f));
    assert_equal(grown.upper, sn_v(3.5f, 4.5f, 5.5f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalars_do_what_they_are_called),
        cmocka_unit_test(test_only_nan_and_infinities_are_not_finite),
        cmocka_unit_test(test_vector_arithmetic_is_that_of_components),
        cmocka_unit_test(test_cross_product_is_right_handed_and_perpendicular),
        cmocka_unit_test(test_normalize_gives_unit_length_or_zero),
        cmocka_unit_test(test_perpendicular_is_a_unit_vector_at_right_angles),
        cmocka_unit_test(test_a_quarter_turn_about_z_takes_x_to_y),
        cmocka_unit_test(test_rotating_by_quaternion_and_by_its_matrix_agree),
        cmocka_unit_test(test_product_of_quaternions_is_the_product_of_their_matrices),
        cmocka_unit_test(test_normalized_quaternion_has_unit_length_whatever_it_was),
        cmocka_unit_test(test_matrix_algebra_follows_its_laws),
        cmocka_unit_test(test_matrices_are_stored_by_columns),
        cmocka_unit_test(test_pose_and_its_inverse_undo_each_other),
        cmocka_unit_test(test_product_of_poses_applies_the_second_first),
        cmocka_unit_test(test_relative_pose_leads_from_one_to_the_other),
        cmocka_unit_test(test_bounds_overlap_when_they_share_a_point),
        cmocka_unit_test(test_union_is_the_smallest_box_around_both),
        cmocka_unit_test(test_bounds_contain_only_what_sticks_out_nowhere),
        cmocka_unit_test(test_grown_bounds_reach_further_by_the_margin_on_every_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

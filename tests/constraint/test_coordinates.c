// Values of the coordinates in places where they can be told by hand; gradients where the gauntlet does not
// look closely.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "constraint/parts.h"
#include "support/random.h"

static const sn_vec3 axis_x = {1.0f, 0.0f, 0.0f};
static const sn_vec3 axis_y = {0.0f, 1.0f, 0.0f};
static const sn_vec3 axis_z = {0.0f, 0.0f, 1.0f};
static const sn_vec3 nowhere = {0.0f, 0.0f, 0.0f};

// Both bodies have their mass centre and frame at their origin.
static sn_row_input input_of(sn_pose a, sn_pose b)
{
    sn_row_input input = {.frame = {a, b}, .center = {a.position, b.position}, .turns = {true, true}};
    return input;
}

// Frame a somewhere, frame b turned by `rotation` and moved by `offset` as seen from a.
static sn_row_input relative_input(sn_vec3 offset, sn_quat rotation)
{
    const sn_pose a = {{1.0f, 2.0f, -1.0f}, sn_quat_axis_angle(sn_v(0.48f, 0.6f, 0.64f), 1.0f)};
    const sn_pose relative = {offset, rotation};
    return input_of(a, sn_pose_multiply(a, relative));
}

static sn_row_input turned(sn_vec3 axis, float angle)
{
    return relative_input(nowhere, sn_quat_axis_angle(axis, angle));
}

static void assert_vec3(sn_vec3 actual, sn_vec3 expected, float tolerance)
{
    assert_float_equal(actual.x, expected.x, tolerance);
    assert_float_equal(actual.y, expected.y, tolerance);
    assert_float_equal(actual.z, expected.z, tolerance);
}

// The gradient for b as seen from frame a.
static sn_vec3 gradient_in_a(const sn_row_input *input, const sn_coordinate *coordinate)
{
    return sn_rotate_inverse(input->frame[0].rotation, coordinate->angular[1]);
}

static void test_travel_is_measured_along_x_of_frame_a(void **state)
{
    (void)state;
    sn_row_input input = relative_input(sn_v(0.7f, -3.0f, 2.0f), sn_quat_axis_angle(axis_y, 2.0f));
    assert_float_equal(sn_coordinate_travel(&input).value, 0.7f, 1.0e-6f);
    assert_float_equal(sn_coordinate_along(&input, axis_y).value, -3.0f, 1.0e-6f);
    assert_float_equal(sn_coordinate_along(&input, axis_z).value, 2.0f, 1.0e-6f);
    sn_vec3 direction = sn_rotate(input.frame[0].rotation, axis_x);
    assert_vec3(sn_coordinate_travel(&input).linear[1], direction, 1.0e-6f);
}

static void test_distance_is_that_of_the_origins(void **state)
{
    (void)state;
    sn_row_input input = relative_input(sn_v(0.0f, -3.0f, 4.0f), sn_quat_identity);
    sn_coordinate distance = sn_coordinate_distance(&input);
    assert_float_equal(distance.value, 5.0f, 2.0e-6f);
    sn_vec3 towards_b = sn_rotate(input.frame[0].rotation, sn_v(0.0f, -0.6f, 0.8f));
    assert_vec3(distance.linear[1], towards_b, 1.0e-6f);
    assert_vec3(distance.linear[0], sn_neg(towards_b), 1.0e-6f);
}

static void test_distance_of_coincident_points_points_along_x_of_frame_a(void **state)
{
    (void)state;
    sn_row_input input = relative_input(nowhere, sn_quat_identity);
    sn_coordinate distance = sn_coordinate_distance(&input);
    assert_float_equal(distance.value, 0.0f, 0.0f);
    assert_vec3(distance.linear[1], sn_rotate(input.frame[0].rotation, axis_x), 0.0f);
}

static void test_twist_is_the_rotation_about_x(void **state)
{
    (void)state;
    for (int i = -31; i <= 31; ++i) {
        float angle = 0.1f * (float)i;
        sn_row_input input = turned(axis_x, angle);
        sn_coordinate twist = sn_coordinate_twist(&input);
        assert_float_equal(twist.value, angle, 1.0e-6f);
        assert_vec3(gradient_in_a(&input, &twist), axis_x, 1.0e-6f);
    }
}

static void test_twist_does_not_see_swing(void **state)
{
    (void)state;
    sn_quat swing = sn_quat_axis_angle(sn_v(0.0f, 0.6f, 0.8f), 1.3f);
    sn_quat twist = sn_quat_axis_angle(axis_x, -0.9f);
    sn_row_input input = relative_input(nowhere, sn_quat_multiply(swing, twist));
    assert_float_equal(sn_coordinate_twist(&input).value, -0.9f, 1.0e-6f);
    assert_float_equal(sn_coordinate_swing(&input).value, 1.3f, 1.0e-6f);
}

static void test_twist_of_opposite_quaternions_is_the_same_and_within_half_a_turn(void **state)
{
    (void)state;
    test_random random = {5};
    for (int i = 0; i < 1000; ++i) {
        sn_quat q = test_random_rotation(&random);
        sn_quat opposite = {-q.x, -q.y, -q.z, -q.w};
        sn_pose one = {nowhere, q}, other = {nowhere, opposite};
        sn_row_input input = input_of(sn_pose_identity, one), same = input_of(sn_pose_identity, other);
        float twist = sn_coordinate_twist(&input).value;
        assert_float_equal(twist, sn_coordinate_twist(&same).value, 0.0f);
        assert_true(sn_abs(twist) <= SN_PI);
    }
}

static void test_swing_is_the_angle_between_the_x_axes(void **state)
{
    (void)state;
    sn_row_input input = turned(axis_z, 0.4f);
    sn_coordinate swing = sn_coordinate_swing(&input);
    assert_float_equal(swing.value, 0.4f, 1.0e-6f);
    assert_vec3(gradient_in_a(&input, &swing), axis_z, 1.0e-6f);
    input = turned(axis_z, -0.4f);
    swing = sn_coordinate_swing(&input);
    assert_float_equal(swing.value, 0.4f, 1.0e-6f);
    assert_vec3(gradient_in_a(&input, &swing), sn_neg(axis_z), 1.0e-6f);
    input = turned(axis_y, SN_PI);
    assert_float_equal(sn_coordinate_swing(&input).value, SN_PI, 1.0e-6f);
}

static void test_tilt_is_the_rotation_vector_between_the_x_axes(void **state)
{
    (void)state;
    sn_quat swing = sn_quat_axis_angle(sn_v(0.0f, 0.6f, -0.8f), 2.0f);
    sn_quat twist = sn_quat_axis_angle(axis_x, 1.1f);
    sn_row_input input = relative_input(nowhere, sn_quat_multiply(swing, twist));
    sn_coordinate tilt[2];
    sn_coordinates_tilt(&input, tilt);
    assert_float_equal(tilt[0].value, 1.2f, 1.0e-6f);
    assert_float_equal(tilt[1].value, -1.6f, 1.0e-6f);
}

static void test_tilt_of_opposite_axes_is_half_a_turn(void **state)
{
    (void)state;
    const sn_vec3 axes[3] = {{0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}, {0.0f, -0.8f, 0.6f}};
    for (int i = 0; i < 3; ++i) {
        sn_row_input input = turned(axes[i], SN_PI);
        sn_coordinate tilt[2];
        sn_coordinates_tilt(&input, tilt);
        float length = sqrtf(tilt[0].value * tilt[0].value + tilt[1].value * tilt[1].value);
        assert_float_equal(length, SN_PI, 1.0e-6f);
    }
}

static void test_rotation_is_the_rotation_vector(void **state)
{
    (void)state;
    const float angles[6] = {0.0f, 1.0e-6f, 0.3f, 1.0f, 2.5f, 3.14f};
    for (int i = 0; i < 6; ++i) {
        sn_row_input input = turned(sn_v(0.48f, -0.6f, 0.64f), angles[i]);
        sn_coordinate rotation[3];
        sn_coordinates_rotation(&input, rotation);
        assert_float_equal(rotation[0].value, 0.48f * angles[i], 1.0e-6f);
        assert_float_equal(rotation[1].value, -0.6f * angles[i], 1.0e-6f);
        assert_float_equal(rotation[2].value, 0.64f * angles[i], 1.0e-6f);
    }
}

// Across the series of small angles: the inverse left Jacobian of the exponential map, in double.
static void test_gradient_of_rotation_agrees_with_its_formula(void **state)
{
    (void)state;
    for (int i = 1; i <= 31; ++i) {
        double angle = 0.1 * i;
        sn_row_input input = turned(axis_z, (float)angle);
        sn_coordinate rotation[3];
        sn_coordinates_rotation(&input, rotation);
        float across = (float)(0.5 * angle / tan(0.5 * angle)), turn = (float)(0.5 * angle);
        assert_vec3(gradient_in_a(&input, &rotation[0]), sn_v(across, turn, 0.0f), 1.0e-6f);
        assert_vec3(gradient_in_a(&input, &rotation[1]), sn_v(-turn, across, 0.0f), 1.0e-6f);
        assert_vec3(gradient_in_a(&input, &rotation[2]), axis_z, 1.0e-6f);
    }
}

static void test_wrapped_angle_is_within_half_a_turn_of_the_centre(void **state)
{
    (void)state;
    const float cases[5][3] = {
        // angle, centre, expected
        {3.0f, 0.0f, 3.0f},
        {-3.0f, 1.5f, 2.0f * SN_PI - 3.0f},
        {3.0f, -1.5f, 3.0f - 2.0f * SN_PI},
        {1.0f, 3.0f, 1.0f},
        {-0.1f, -SN_PI, -0.1f},
    };
    for (int i = 0; i < 5; ++i) {
        sn_coordinate angle = {.value = cases[i][0]};
        assert_float_equal(sn_coordinate_wrap(angle, cases[i][1]).value, cases[i][2], 1.0e-6f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_travel_is_measured_along_x_of_frame_a),
        cmocka_unit_test(test_distance_is_that_of_the_origins),
        cmocka_unit_test(test_distance_of_coincident_points_points_along_x_of_frame_a),
        cmocka_unit_test(test_twist_is_the_rotation_about_x),
        cmocka_unit_test(test_twist_does_not_see_swing),
        cmocka_unit_test(test_twist_of_opposite_quaternions_is_the_same_and_within_half_a_turn),
        cmocka_unit_test(test_swing_is_the_angle_between_the_x_axes),
        cmocka_unit_test(test_tilt_is_the_rotation_vector_between_the_x_axes),
        cmocka_unit_test(test_tilt_of_opposite_axes_is_half_a_turn),
        cmocka_unit_test(test_rotation_is_the_rotation_vector),
        cmocka_unit_test(test_gradient_of_rotation_agrees_with_its_formula),
        cmocka_unit_test(test_wrapped_angle_is_within_half_a_turn_of_the_centre),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

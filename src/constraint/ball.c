// Ball joint: the frames' origins coincide. Optionally b's x axis stays in a cone about a's, and b's twist
// about it between two angles (swing–twist decomposition), as in a shoulder; a motor turns b against a, and a
// spring holds b in a rotation.
#include "constraint/gradient.h"
#include "constraint/kind.h"
#include "constraint/parts.h"
#include "geometry/check.h"

sn_ball_def sn_ball_def_default(void)
{
    sn_ball_def def = {
        .common = sn_common_default(SN_BALL_COOKIE),
        .cone_angle = SN_PI,
        .twist_lower = -SN_PI,
        .twist_upper = SN_PI,
        .motor_torque = INFINITY,
        .spring_rotation = sn_quat_identity,
    };
    return def;
}

static sn_status check_drive(const sn_ball_def *ball, sn_error *error, const char *object)
{
    sn_quat rest = sn_quat_or_identity(ball->spring_rotation);
    sn_status status = sn_check_vec3(ball->motor_velocity, SN_MAX_SPIN, error, object, "motor_velocity");
    if (!status) {
        status = sn_check_strength(ball->motor_torque, error, object, "motor_torque");
    }
    if (!status) {
        status = sn_check_spring(ball->spring_stiffness, ball->spring_damping, error, object);
    }
    return status ? status : sn_check_rotation(&rest, error, object, "spring_rotation");
}

sn_status sn_ball_check(const sn_definition *definition, sn_error *error, const char *object)
{
    const sn_ball_def *ball = &definition->ball;
    sn_status status = sn_check_range(ball->cone_angle, 0.0f, SN_PI, error, object, "cone_angle");
    if (!status) {
        status = sn_check_angle(ball->twist_lower, error, object, "twist_lower");
    }
    if (!status) {
        status = sn_check_angle(ball->twist_upper, error, object, "twist_upper");
    }
    if (!status) {
        status =
            sn_check_order(ball->twist_lower, ball->twist_upper, error, object, "twist_lower", "twist_upper");
    }
    return status ? status : check_drive(ball, error, object);
}

bool sn_ball_needs_frames(const sn_definition *definition)
{
    const sn_ball_def *ball = &definition->ball;
    return ball->limit_cone || ball->limit_twist || ball->motor || ball->spring_stiffness > 0.0f;
}

// Turning about each axis of frame a.
static int drive(const sn_row_input *input, const sn_ball_def *ball, sn_row *rows, int count)
{
    const sn_vec3 axes[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    for (int i = 0; i < 3; ++i) {
        sn_coordinate turn = sn_gradient_about(sn_rotate(input->frame[0].rotation, axes[i]));
        count = sn_part_motor(&turn, sn_dot(ball->motor_velocity, axes[i]), ball->motor_torque, rows, count);
    }
    return count;
}

// The rotation vector from where the spring is at rest to where b is.
static int spring(const sn_row_input *input, const sn_ball_def *ball, sn_row *rows, int count)
{
    sn_row_input from_rest = *input;
    from_rest.frame[0].rotation =
        sn_quat_multiply(input->frame[0].rotation, sn_quat_or_identity(ball->spring_rotation));
    sn_coordinate rotation[3];
    sn_coordinates_rotation(&from_rest, rotation);
    for (int i = 0; i < 3; ++i) {
        count = sn_part_spring(&rotation[i], ball->spring_stiffness, ball->spring_damping, 0.0f, rows, count);
    }
    return count;
}

int sn_ball_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    const sn_ball_def *ball = data;
    int count = sn_part_point(input, sn_stiffness_linear(&ball->common), 0, rows, 0);
    if (ball->limit_cone) {
        sn_coordinate swing = sn_coordinate_swing(input);
        count = sn_part_limits(&swing, -INFINITY, ball->cone_angle, sn_hard, rows, count);
    }
    if (ball->limit_twist) {
        float middle = 0.5f * (ball->twist_lower + ball->twist_upper);
        sn_coordinate twist = sn_coordinate_wrap(sn_coordinate_twist(input), middle);
        count = sn_part_limits(&twist, ball->twist_lower, ball->twist_upper, sn_hard, rows, count);
    }
    if (ball->motor) {
        count = drive(input, ball, rows, count);
    }
    return ball->spring_stiffness > 0.0f ? spring(input, ball, rows, count) : count;
}

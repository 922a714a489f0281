// Ball joint: the frames' origins coincide. Optionally b's x axis stays in a cone about a's, and b's twist
// about it between two angles (swing–twist decomposition), as in a shoulder.
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
    return count;
}

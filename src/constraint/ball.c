// Ball joint: the frames' origins coincide. Optionally b's x axis stays in a cone about a's, and b's twist
// about it between two angles (swing–twist decomposition), as in a shoulder; a motor turns b against a, and a
// spring holds b in a rotation.
#include "constraint/gradient.h"
#include "constraint/kind.h"

static const sn_constraint_field fields[] = {
    SN_FIELD(BOOL, sn_ball_def, limit_cone, "cone", "how far the axes may part is limited"),
    SN_FIELD(FLOAT, sn_ball_def, cone_angle, "cone", "how far the axes may part", .unit = "rad",
             SN_RANGE(0.0f, SN_PI), .initial = SN_PI),
    SN_FIELD(BOOL, sn_ball_def, limit_twist, "twist", "how far b may turn about the axis is limited"),
    SN_FIELD(FLOAT, sn_ball_def, twist_lower, "twist", "how far b may turn about the axis", .unit = "rad",
             SN_ANY_ANGLE, .initial = -SN_PI, .ordered = true),
    SN_FIELD(FLOAT, sn_ball_def, twist_upper, "twist", "how far b may turn about the axis", .unit = "rad",
             SN_ANY_ANGLE, .initial = SN_PI),
    SN_FIELD(BOOL, sn_ball_def, motor, "motor", "a motor turns b against a"),
    SN_FIELD(VEC3, sn_ball_def, motor_velocity, "motor", "angular, of b against a, in frame a",
             .unit = "rad/s", SN_RANGE(-SN_MAX_SPIN, SN_MAX_SPIN)),
    SN_FIELD(FLOAT, sn_ball_def, motor_torque, "motor", "largest; default infinite", .unit = "N m",
             SN_ANY_STRENGTH),
    SN_FIELD(FLOAT, sn_ball_def, spring_stiffness, "spring", "torque by angle", .unit = "N m/rad",
             SN_NOT_BELOW_ZERO),
    SN_FIELD(FLOAT, sn_ball_def, spring_damping, "spring", "torque by speed", .unit = "N m s/rad",
             SN_NOT_BELOW_ZERO),
    SN_FIELD(QUAT, sn_ball_def, spring_rotation, "spring", "of b against a where it is at rest"),
};

static bool needs_frames(const sn_definition *definition)
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
    int count = sn_part_point(input, sn_stiffness_linear(&ball->common), rows, 0);
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

const sn_kind sn_kind_ball = {SN_KIND(ball),
                              SN_KIND_FIELDS,
                              .text = "Two points coincide; cone and twist may be limited.",
                              .cookie = 0x62616c6c,
                              .oriented_ends = SN_BOTH_ENDS,
                              .needs_frames = needs_frames};

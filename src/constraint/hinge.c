// Hinge: the frames' origins and x axes coincide; b turns about x. Optionally the angle has stops, a motor
// and a spring. The angle is known up to whole turns only, so stops and spring act the short way round.
#include "constraint/kind.h"

static const sn_constraint_field fields[] = {
    SN_FIELD(BOOL, sn_hinge_def, limit, "limits", "the angle is limited"),
    SN_FIELD(FLOAT, sn_hinge_def, lower, "limits", "of the angle", .unit = "rad", SN_ANY_ANGLE,
             .initial = -SN_PI, .ordered = true),
    SN_FIELD(FLOAT, sn_hinge_def, upper, "limits", "of the angle", .unit = "rad", SN_ANY_ANGLE,
             .initial = SN_PI),
    SN_FIELD(BOOL, sn_hinge_def, motor, "motor", "a motor turns b against a"),
    SN_FIELD(FLOAT, sn_hinge_def, motor_speed, "motor", "of b against a", .unit = "rad/s",
             SN_RANGE(-SN_MAX_SPIN, SN_MAX_SPIN)),
    SN_FIELD(FLOAT, sn_hinge_def, motor_torque, "motor", "largest; default infinite", .unit = "N m",
             SN_ANY_STRENGTH),
    SN_FIELD(FLOAT, sn_hinge_def, spring_stiffness, "spring", "torque by angle", .unit = "N m/rad",
             SN_NOT_BELOW_ZERO),
    SN_FIELD(FLOAT, sn_hinge_def, spring_damping, "spring", "torque by speed", .unit = "N m s/rad",
             SN_NOT_BELOW_ZERO),
    SN_FIELD(FLOAT, sn_hinge_def, spring_angle, "spring", "where it is at rest", .unit = "rad", SN_ANY_ANGLE),
};

int sn_hinge_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    const sn_hinge_def *hinge = data;
    int count = sn_part_point(input, sn_stiffness_linear(&hinge->common), rows, 0);
    count = sn_part_axis(input, sn_stiffness_angular(&hinge->common), rows, count);

    sn_coordinate angle = sn_coordinate_twist(input);
    if (hinge->limit) {
        sn_coordinate near_limits = sn_coordinate_wrap(angle, 0.5f * (hinge->lower + hinge->upper));
        count = sn_part_limits(&near_limits, hinge->lower, hinge->upper, sn_hard, rows, count);
    }
    if (hinge->motor) {
        count = sn_part_motor(&angle, hinge->motor_speed, hinge->motor_torque, rows, count);
    }
    sn_coordinate near_rest = sn_coordinate_wrap(angle, hinge->spring_angle);
    return sn_part_spring(&near_rest, hinge->spring_stiffness, hinge->spring_damping, hinge->spring_angle,
                          rows, count);
}

const sn_kind sn_kind_hinge = {SN_KIND(hinge),
                               SN_KIND_FIELDS,
                               .text = "Two points and axes coincide; b turns about the axis.",
                               .cookie = 0x68696e67,
                               .oriented_ends = SN_BOTH_ENDS,
                               .measure = sn_coordinate_twist};

// Axis: b's origin stays on the x axis of frame a, as a bead on a wire; neither end's turning is hindered, so
// b may be any point. Optionally the travel along it has stops, a motor and a spring.
#include "constraint/kind.h"

static const sn_constraint_field fields[] = {
    SN_FIELD(BOOL, sn_axis_def, limit, "limits", "the travel is limited"),
    SN_FIELD(FLOAT, sn_axis_def, lower, "limits", "of the travel", .unit = "m", SN_ANY_TRAVEL,
             .infinite = -INFINITY, .initial = -INFINITY, .ordered = true),
    SN_FIELD(FLOAT, sn_axis_def, upper, "limits", "of the travel", .unit = "m", SN_ANY_TRAVEL,
             .infinite = INFINITY, .initial = INFINITY),
    SN_FIELD(BOOL, sn_axis_def, motor, "motor", "a motor moves b along a"),
    SN_FIELD(FLOAT, sn_axis_def, motor_speed, "motor", "of b against a", .unit = "m/s",
             SN_RANGE(-SN_MAX_SPEED, SN_MAX_SPEED)),
    SN_FIELD(FLOAT, sn_axis_def, motor_force, "motor", "largest; default infinite", .unit = "N",
             SN_ANY_STRENGTH),
    SN_FIELD(FLOAT, sn_axis_def, spring_stiffness, "spring", "force by travel", .unit = "N/m",
             SN_NOT_BELOW_ZERO),
    SN_FIELD(FLOAT, sn_axis_def, spring_damping, "spring", "force by speed", .unit = "N s/m",
             SN_NOT_BELOW_ZERO),
    SN_FIELD(FLOAT, sn_axis_def, spring_travel, "spring", "where it is at rest", .unit = "m", SN_ANY_TRAVEL),
};

int sn_axis_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    const sn_axis_def *axis = data;
    int count = sn_part_line(input, sn_stiffness_linear(&axis->common), rows, 0);

    sn_coordinate travel = sn_coordinate_travel(input);
    if (axis->limit) {
        count = sn_part_limits(&travel, axis->lower, axis->upper, sn_hard, rows, count);
    }
    if (axis->motor) {
        count = sn_part_motor(&travel, axis->motor_speed, axis->motor_force, rows, count);
    }
    return sn_part_spring(&travel, axis->spring_stiffness, axis->spring_damping, axis->spring_travel, rows,
                          count);
}

const sn_kind sn_kind_axis = {SN_KIND(axis),
                              SN_KIND_FIELDS,
                              .text = "A point of b stays on the x axis of frame a: a bead on a wire.",
                              .cookie = 0x61786973,
                              .oriented_ends = SN_END_A,
                              .measure = sn_coordinate_travel};

// Slider: the frames keep the same orientation, and b's origin stays on the x axis of frame a. Optionally the
// travel along it has stops, a motor and a spring.
#include "constraint/kind.h"

static const sn_constraint_field fields[] = {
    SN_FIELD(BOOL, sn_slider_def, limit, "limits", "the travel is limited"),
    SN_FIELD(FLOAT, sn_slider_def, lower, "limits", "of the travel", .unit = "m", SN_ANY_TRAVEL,
             .infinite = -INFINITY, .initial = -INFINITY, .ordered = true),
    SN_FIELD(FLOAT, sn_slider_def, upper, "limits", "of the travel", .unit = "m", SN_ANY_TRAVEL,
             .infinite = INFINITY, .initial = INFINITY),
    SN_FIELD(BOOL, sn_slider_def, motor, "motor", "a motor moves b along a"),
    SN_FIELD(FLOAT, sn_slider_def, motor_speed, "motor", "of b against a", .unit = "m/s",
             SN_RANGE(-SN_MAX_SPEED, SN_MAX_SPEED)),
    SN_FIELD(FLOAT, sn_slider_def, motor_force, "motor", "largest; default infinite", .unit = "N",
             SN_ANY_STRENGTH),
    SN_FIELD(FLOAT, sn_slider_def, spring_stiffness, "spring", "force by travel", .unit = "N/m",
             SN_NOT_BELOW_ZERO),
    SN_FIELD(FLOAT, sn_slider_def, spring_damping, "spring", "force by speed", .unit = "N s/m",
             SN_NOT_BELOW_ZERO),
    SN_FIELD(FLOAT, sn_slider_def, spring_travel, "spring", "where it is at rest", .unit = "m",
             SN_ANY_TRAVEL),
};

int sn_slider_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    const sn_slider_def *slider = data;
    int count = sn_part_line(input, sn_stiffness_linear(&slider->common), rows, 0);
    count = sn_part_orientation(input, sn_stiffness_angular(&slider->common), rows, count);

    sn_coordinate travel = sn_coordinate_travel(input);
    if (slider->limit) {
        count = sn_part_limits(&travel, slider->lower, slider->upper, sn_hard, rows, count);
    }
    if (slider->motor) {
        count = sn_part_motor(&travel, slider->motor_speed, slider->motor_force, rows, count);
    }
    return sn_part_spring(&travel, slider->spring_stiffness, slider->spring_damping, slider->spring_travel,
                          rows, count);
}

const sn_kind sn_kind_slider = {SN_KIND(slider),
                                SN_KIND_FIELDS,
                                .text = "b slides along an axis of a and does not turn.",
                                .cookie = 0x736c6964,
                                .oriented_ends = SN_BOTH_ENDS,
                                .measure = sn_coordinate_travel};

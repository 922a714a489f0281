// Slider: the frames keep the same orientation, and b's origin stays on the x axis of frame a. Optionally the
// travel along it has stops, a motor and a spring.
#include "constraint/kind.h"
#include "constraint/parts.h"
#include "geometry/check.h"

sn_slider_def sn_slider_def_default(void)
{
    sn_slider_def def = {
        .common = sn_common_default(SN_SLIDER_COOKIE),
        .lower = -INFINITY,
        .upper = INFINITY,
        .motor_force = INFINITY,
    };
    return def;
}

static sn_status check_travel(float travel, sn_error *error, const char *object, const char *field)
{
    return sn_check_range(travel, -SN_MAX_COORDINATE, SN_MAX_COORDINATE, error, object, field);
}

sn_status sn_slider_check(const sn_definition *definition, sn_error *error, const char *object)
{
    const sn_slider_def *slider = &definition->slider;
    sn_status status = SN_OK;
    if (slider->lower != -INFINITY) {
        status = check_travel(slider->lower, error, object, "lower");
    }
    if (!status && slider->upper != INFINITY) {
        status = check_travel(slider->upper, error, object, "upper");
    }
    if (!status) {
        status = sn_check_order(slider->lower, slider->upper, error, object, "lower", "upper");
    }
    if (!status) {
        status =
            sn_check_range(slider->motor_speed, -SN_MAX_SPEED, SN_MAX_SPEED, error, object, "motor_speed");
    }
    if (!status) {
        status = sn_check_strength(slider->motor_force, error, object, "motor_force");
    }
    if (!status) {
        status = sn_check_spring(slider->spring_stiffness, slider->spring_damping, error, object);
    }
    return status ? status : check_travel(slider->spring_travel, error, object, "spring_travel");
}

int sn_slider_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    const sn_slider_def *slider = data;
    int count = sn_part_line(input, sn_stiffness_linear(&slider->common), 0, rows, 0);
    count = sn_part_orientation(input, sn_stiffness_angular(&slider->common), 0, rows, count);

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

// Hinge: the frames' origins and x axes coincide; b turns about x. Optionally the angle has stops, a motor
// and a spring. The angle is known up to whole turns only, so stops and spring act the short way round.
#include "constraint/kind.h"
#include "constraint/parts.h"
#include "geometry/check.h"

sn_hinge_def sn_hinge_def_default(void)
{
    sn_hinge_def def = {
        .common = sn_common_default(SN_HINGE_COOKIE),
        .lower = -SN_PI,
        .upper = SN_PI,
        .motor_torque = INFINITY,
    };
    return def;
}

sn_status sn_hinge_check(const sn_definition *definition, sn_error *error, const char *object)
{
    const sn_hinge_def *hinge = &definition->hinge;
    sn_status status = sn_check_angle(hinge->lower, error, object, "lower");
    if (!status) {
        status = sn_check_angle(hinge->upper, error, object, "upper");
    }
    if (!status) {
        status = sn_check_order(hinge->lower, hinge->upper, error, object, "lower", "upper");
    }
    if (!status) {
        status = sn_check_range(hinge->motor_speed, -SN_MAX_SPIN, SN_MAX_SPIN, error, object, "motor_speed");
    }
    if (!status) {
        status = sn_check_strength(hinge->motor_torque, error, object, "motor_torque");
    }
    if (!status) {
        status = sn_check_spring(hinge->spring_stiffness, hinge->spring_damping, error, object);
    }
    return status ? status : sn_check_angle(hinge->spring_angle, error, object, "spring_angle");
}

int sn_hinge_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    const sn_hinge_def *hinge = data;
    int count = sn_part_point(input, sn_stiffness_linear(&hinge->common), 0, rows, 0);
    count = sn_part_axis(input, sn_stiffness_angular(&hinge->common), 0, rows, count);

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

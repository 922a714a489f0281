// Defaults and checks of fields that several kinds of constraint have. See kind.h.
#include "constraint/kind.h"
#include "geometry/check.h"

sn_constraint_common sn_common_default(uint32_t cookie)
{
    sn_constraint_common common = {
        .cookie = cookie,
        .frame_a = sn_pose_identity,
        .frame_b = sn_pose_identity,
        .break_force = INFINITY,
        .break_torque = INFINITY,
    };
    return common;
}

static sn_status check_positive(float value, sn_error *error, const char *object, const char *field)
{
    if (value != value) {
        return sn_fail(error, SN_ERROR_NOT_FINITE, "%s: %s is %g, expected a number", object, field,
                       (double)value);
    }
    if (value <= 0.0f) {
        return sn_fail(error, SN_ERROR_RANGE, "%s: %s is %g, expected > 0", object, field, (double)value);
    }
    return SN_OK;
}

static sn_status check_not_negative(float value, sn_error *error, const char *object, const char *field)
{
    if (sn_is_finite(value) && value < 0.0f) {
        return sn_fail(error, SN_ERROR_RANGE, "%s: %s is %g, expected >= 0", object, field, (double)value);
    }
    return sn_check_range(value, 0.0f, INFINITY, error, object, field);
}

sn_status sn_common_check(sn_constraint_common *common, sn_error *error, const char *object)
{
    sn_status status = sn_check_pose(&common->frame_a, error, object, "frame_a");
    if (!status) {
        status = sn_check_pose(&common->frame_b, error, object, "frame_b");
    }
    if (!status) {
        status = check_not_negative(common->compliance, error, object, "compliance");
    }
    if (!status) {
        status = check_not_negative(common->angular_compliance, error, object, "angular_compliance");
    }
    if (!status) {
        status = check_not_negative(common->damping, error, object, "damping");
    }
    if (!status) {
        status = check_not_negative(common->angular_damping, error, object, "angular_damping");
    }
    if (!status) {
        status = check_positive(common->break_force, error, object, "break_force");
    }
    return status ? status : check_positive(common->break_torque, error, object, "break_torque");
}

sn_status sn_check_order(float lower, float upper, sn_error *error, const char *object,
                         const char *lower_field, const char *upper_field)
{
    if (lower > upper) {
        return sn_fail(error, SN_ERROR_RANGE, "%s: %s is %g, expected <= %s (%g)", object, lower_field,
                       (double)lower, upper_field, (double)upper);
    }
    return SN_OK;
}

sn_status sn_check_angle(float angle, sn_error *error, const char *object, const char *field)
{
    return sn_check_range(angle, -SN_PI, SN_PI, error, object, field);
}

sn_status sn_check_strength(float value, sn_error *error, const char *object, const char *field)
{
    return value == INFINITY ? SN_OK : check_not_negative(value, error, object, field);
}

sn_status sn_check_spring(float stiffness, float damping, sn_error *error, const char *object)
{
    sn_status status = check_not_negative(stiffness, error, object, "spring_stiffness");
    return status ? status : check_not_negative(damping, error, object, "spring_damping");
}

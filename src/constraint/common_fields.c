// Defaults and checks of fields that several kinds of constraint have. See kind.h.
#include "constraint/kind.h"
#include "geometry/shapes/check.h"

sn_constraint_common sn_common_default(uint32_t cookie)
{
    sn_constraint_common common = {
        .cookie = cookie,
        .a = {.rotation = sn_quat_identity},
        .b = {.rotation = sn_quat_identity},
        .max_force = INFINITY,
        .break_force = INFINITY,
        .break_torque = INFINITY,
        .active = true,
        .active_until = INFINITY,
        .ramp_steps = 1,
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

static sn_status check_end(sn_point *end, sn_error *error, const char *object, const char *field)
{
    sn_pose pose = {end->position, sn_quat_or_identity(end->rotation)};
    sn_status status = sn_check_pose(&pose, error, object, field);
    end->rotation = pose.rotation;
    return status;
}

static sn_status check_time(float time, float least, sn_error *error, const char *object, const char *field)
{
    return time >= least
               ? SN_OK
               : sn_fail(error, time == time ? SN_ERROR_RANGE : SN_ERROR_NOT_FINITE,
                         "%s: %s is %g, expected %g or later", object, field, (double)time, (double)least);
}

static sn_status check_times(const sn_constraint_common *common, sn_error *error, const char *object)
{
    sn_status status = check_time(common->active_from, 0.0f, error, object, "active_from");
    status = status ? status
                    : check_time(common->active_until, common->active_from, error, object, "active_until");
    if (!status && !(common->active_until > common->active_from)) {
        status = sn_fail(error, SN_ERROR_RANGE, "%s: active_until is %g, expected more than active_from",
                         object, (double)common->active_until);
    }
    return status;
}

// What only exact ones can have, and what they cannot.
static sn_status check_exact(const sn_constraint_common *common, sn_error *error, const char *object)
{
    const int most_ramp_steps = 1000000;
    if (common->exact && (common->compliance > 0.0f || common->max_force < INFINITY)) {
        return sn_fail(error, SN_ERROR_RANGE,
                       "%s: exact with compliance %g and max_force %g, expected 0 and infinite", object,
                       (double)common->compliance, (double)common->max_force);
    }
    if (common->ramp_steps < 1 || common->ramp_steps > most_ramp_steps) {
        return sn_fail(error, SN_ERROR_RANGE, "%s: ramp_steps is %d, expected 1 to %d", object,
                       common->ramp_steps, most_ramp_steps);
    }
    return sn_check_range(common->sliding_friction, 0.0f, 1000.0f, error, object, "sliding_friction");
}

static sn_status check_forces(const sn_constraint_common *common, sn_error *error, const char *object)
{
    sn_status status = check_positive(common->max_force, error, object, "max_force");
    status = status ? status : check_positive(common->break_force, error, object, "break_force");
    return status ? status : check_positive(common->break_torque, error, object, "break_torque");
}

sn_status sn_common_check(sn_constraint_common *common, sn_error *error, const char *object)
{
    sn_status status = check_end(&common->a, error, object, "a");
    status = status ? status : check_end(&common->b, error, object, "b");
    status = status ? status : check_not_negative(common->compliance, error, object, "compliance");
    status =
        status ? status : check_not_negative(common->angular_compliance, error, object, "angular_compliance");
    status = status ? status : check_not_negative(common->damping, error, object, "damping");
    status = status ? status : check_not_negative(common->angular_damping, error, object, "angular_damping");
    status = status ? status : check_forces(common, error, object);
    status = status ? status : check_times(common, error, object);
    return status ? status : check_exact(common, error, object);
}

sn_status sn_check_strength(float value, sn_error *error, const char *object, const char *field)
{
    return value == INFINITY ? SN_OK : check_not_negative(value, error, object, field);
}

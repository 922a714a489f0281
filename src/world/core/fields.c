// Checks by tables of fields.
#include "world/core/fields.h"
#include "geometry/shapes/check.h"

#include <string.h>

static float load_number(sn_field_type type, const void *value)
{
    if (type == SN_FIELD_FLOAT) {
        return *(const float *)value;
    }
    if (type == SN_FIELD_DOUBLE) {
        return (float)*(const double *)value;
    }
    uint32_t bits; // copied: what is read as an enumeration must be one of its values
    memcpy(&bits, value, sizeof bits);
    return type == SN_FIELD_U32 ? (float)bits : (float)(int32_t)bits;
}

static sn_status check_strength(float value, sn_error *error, const char *object, const char *field)
{
    return value > 0.0f ? SN_OK
                        : sn_fail(error, value == value ? SN_ERROR_RANGE : SN_ERROR_NOT_FINITE,
                                  "%s: %s is %g, expected more than 0", object, field, (double)value);
}

static sn_status check_bounds(sn_bounds bounds, sn_error *error, const char *object, const char *field)
{
    bool is_box = sn_vec3_is_finite(bounds.lower) && sn_vec3_is_finite(bounds.upper) &&
                  bounds.lower.x <= bounds.upper.x && bounds.lower.y <= bounds.upper.y &&
                  bounds.lower.z <= bounds.upper.z;
    return is_box ? SN_OK
                  : sn_fail(error, SN_ERROR_RANGE, "%s: %s is no box, expected finite corners in order",
                            object, field);
}

// The checks of rotations make them exactly of unit length: here on a copy.
static sn_status check_rotation(sn_quat rotation, sn_error *error, const char *object, const char *field)
{
    return sn_check_rotation(&rotation, error, object, field);
}

static sn_status check_pose(sn_pose pose, sn_error *error, const char *object, const char *field)
{
    return sn_check_pose(&pose, error, object, field);
}

static sn_status check_value(const sn_field *field, const void *value, sn_error *error, const char *object)
{
    switch (field->type) {
    case SN_FIELD_STRENGTH:
        return check_strength(*(const float *)value, error, object, field->name);
    case SN_FIELD_VEC3:
        return sn_check_vec3(*(const sn_vec3 *)value, field->upper, error, object, field->name);
    case SN_FIELD_DIRECTION:
        return sn_check_range(sn_length(*(const sn_vec3 *)value), field->lower, field->upper, error, object,
                              field->name);
    case SN_FIELD_QUAT:
        return check_rotation(*(const sn_quat *)value, error, object, field->name);
    case SN_FIELD_POSE:
        return check_pose(*(const sn_pose *)value, error, object, field->name);
    case SN_FIELD_BOUNDS:
        return check_bounds(*(const sn_bounds *)value, error, object, field->name);
    default:
        return sn_check_range(load_number(field->type, value), field->lower, field->upper, error, object,
                              field->name);
    }
}

size_t sn_field_size(sn_field_type type)
{
    static const size_t sizes[] = {
        [SN_FIELD_BOOL] = sizeof(bool),        [SN_FIELD_U8] = sizeof(uint8_t),
        [SN_FIELD_U16] = sizeof(uint16_t),     [SN_FIELD_U32] = sizeof(uint32_t),
        [SN_FIELD_U64] = sizeof(uint64_t),     [SN_FIELD_INT] = sizeof(int),
        [SN_FIELD_ENUM] = sizeof(int),         [SN_FIELD_FLOAT] = sizeof(float),
        [SN_FIELD_STRENGTH] = sizeof(float),   [SN_FIELD_DOUBLE] = sizeof(double),
        [SN_FIELD_VEC3] = sizeof(sn_vec3),     [SN_FIELD_DIRECTION] = sizeof(sn_vec3),
        [SN_FIELD_QUAT] = sizeof(sn_quat),     [SN_FIELD_POSE] = sizeof(sn_pose),
        [SN_FIELD_BOUNDS] = sizeof(sn_bounds), [SN_FIELD_NAME] = sizeof(char *),
        [SN_FIELD_INDEX] = sizeof(int),        [SN_FIELD_EDGE] = sizeof(int),
        [SN_FIELD_MEMBER] = sizeof(int)};
    return sizes[type];
}

sn_status sn_field_check(const sn_field *field, const void *data, sn_error *error, const char *object)
{
    const char *value = (const char *)data + field->offset;
    sn_status status = SN_OK;
    bool is_bounded = field->lower != 0.0f || field->upper != 0.0f;
    for (int i = 0; is_bounded && status == SN_OK && i < (field->count > 0 ? field->count : 1); ++i) {
        status = check_value(field, value + (size_t)i * sn_field_size(field->type), error, object);
    }
    return status;
}

sn_status sn_fields_check(const sn_field *fields, const void *data, sn_error *error, const char *object)
{
    sn_status status = SN_OK;
    for (const sn_field *field = fields; status == SN_OK && field->name != NULL; ++field) {
        status = sn_field_check(field, data, error, object);
    }
    return status;
}

// What a kind's table of fields says of a definition: its defaults, and whether its values are allowed.
#include "constraint/kind.h"
#include "geometry/shapes/check.h"

#include <string.h>

static void *member(sn_definition *definition, const sn_constraint_field *field)
{
    return (char *)definition + field->offset;
}

// --- defaults ------------------------------------------------------------------------------------

static void set_default(const sn_constraint_field *field, void *value)
{
    if (field->type == SN_CONSTRAINT_FIELD_FLOAT) {
        *(float *)value = field->initial;
    } else if (field->type == SN_CONSTRAINT_FIELD_QUAT) {
        *(sn_quat *)value = sn_quat_identity;
    }
}

sn_definition sn_definition_default(const sn_kind *kind)
{
    sn_definition definition;
    memset(&definition, 0, sizeof definition);
    definition.common = sn_common_default(kind->cookie);
    for (int i = 0; i < kind->field_count; ++i) {
        set_default(&kind->fields[i], member(&definition, &kind->fields[i]));
    }
    return definition;
}

#define DEFAULT(KIND, kind)                                                                                  \
    sn_##kind##_def sn_##kind##_def_default(void)                                                            \
    {                                                                                                        \
        return sn_definition_default(&sn_kind_##kind).kind;                                                  \
    }
SN_KIND_LIST(DEFAULT)

// --- checking ------------------------------------------------------------------------------------

static sn_status check_number(const sn_constraint_field *field, float value, sn_error *error,
                              const char *object)
{
    if (value == field->infinite && field->infinite != 0.0f) {
        return SN_OK;
    }
    if (field->upper == INFINITY && sn_is_finite(value) && value < field->lower) {
        return sn_fail(error, SN_ERROR_RANGE, "%s: %s is %g, expected >= %g", object, field->name,
                       (double)value, (double)field->lower);
    }
    return sn_check_range(value, field->lower, field->upper, error, object, field->name);
}

static sn_status check_rotation(const sn_constraint_field *field, sn_quat *rotation, sn_error *error,
                                const char *object)
{
    *rotation = sn_quat_or_identity(*rotation);
    return sn_check_rotation(rotation, error, object, field->name);
}

static sn_status check_field(const sn_constraint_field *field, void *value, sn_error *error,
                             const char *object)
{
    switch (field->type) {
    case SN_CONSTRAINT_FIELD_FLOAT:
        return check_number(field, *(const float *)value, error, object);
    case SN_CONSTRAINT_FIELD_VEC3:
        return sn_check_vec3(*(const sn_vec3 *)value, field->upper, error, object, field->name);
    case SN_CONSTRAINT_FIELD_QUAT:
        return check_rotation(field, value, error, object);
    default:
        return SN_OK;
    }
}

// Whether a number is not above the next one, if that is asked for; both are known to be numbers.
static sn_status check_order(const sn_constraint_field *field, const float *values, sn_error *error,
                             const char *object)
{
    if (!field->ordered || values[0] <= values[1]) {
        return SN_OK;
    }
    return sn_fail(error, SN_ERROR_RANGE, "%s: %s is %g, expected <= %s (%g)", object, field[0].name,
                   (double)values[0], field[1].name, (double)values[1]);
}

sn_status sn_definition_check(const sn_kind *kind, sn_definition *definition, sn_error *error,
                              const char *object)
{
    sn_status status = SN_OK;
    for (int i = 0; !status && i < kind->field_count; ++i) {
        status = check_field(&kind->fields[i], member(definition, &kind->fields[i]), error, object);
        if (!status && i > 0) {
            const float *before = member(definition, &kind->fields[i - 1]);
            status = check_order(&kind->fields[i - 1], before, error, object);
        }
    }
    return !status && kind->check != NULL ? kind->check(definition, error, object) : status;
}

bool sn_definition_needs_frame(const sn_kind *kind, const sn_definition *definition, int end)
{
    return ((kind->oriented_ends >> end) & 1) != 0 &&
           (kind->needs_frames == NULL || kind->needs_frames(definition));
}

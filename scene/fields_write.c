// Writing objects by their tables: only what differs from the defaults.
#include "scene/fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Fewest digits that read back as the same float. Jansson prints 17 digits of a double, so the double must be
// the one nearest to the short decimal.
static double shortest(float value)
{
    char text[40];
    for (int digits = 1; digits <= 9; ++digits) {
        snprintf(text, sizeof text, "%.*g", digits, (double)value);
        if ((float)strtod(text, NULL) == value) {
            break;
        }
    }
    return strtod(text, NULL);
}

// A number as people write it: whole ones without a point. Beyond a million an exponent is easier to read.
static json_t *write_double(double value)
{
    bool whole = value > -1e6 && value < 1e6 && value == floor(value);
    return whole ? json_integer((json_int_t)value) : json_real(value);
}

json_t *sn_json_number(float value)
{
    return write_double(shortest(value));
}

json_t *sn_json_numbers(const float *values, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; ++i) {
        if (json_array_append_new(list, sn_json_number(values[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

json_t *sn_json_vector(sn_vec3 v)
{
    float values[3] = {v.x, v.y, v.z};
    return sn_json_numbers(values, 3);
}

// Degrees that come back as the same radians.
static json_t *write_angle(float radians)
{
    double degrees = (double)radians / SN_DEGREE;
    for (int digits = 1; digits <= 17; ++digits) {
        char text[40];
        snprintf(text, sizeof text, "%.*g", digits, degrees);
        double rounded = strtod(text, NULL);
        if ((float)(rounded * SN_DEGREE) == radians) {
            degrees = rounded;
            break;
        }
    }
    return write_double(degrees);
}

static json_t *write_color(uint32_t color)
{
    char text[8];
    snprintf(text, sizeof text, "#%06x", (unsigned)(color & 0xffffffu));
    return json_string(text);
}

static int float_count(sn_field_type type)
{
    switch (type) {
    case SN_FIELD_NUMBER:
    case SN_FIELD_ANGLE:
        return 1;
    case SN_FIELD_INTERVAL:
    case SN_FIELD_ANGLE_INTERVAL:
        return 2;
    case SN_FIELD_VECTOR:
        return 3;
    case SN_FIELD_ROTATION:
        return 4;
    default:
        return 0;
    }
}

static bool differs(const sn_field *field, const char *source, const char *defaults)
{
    const void *a = source + field->offset, *b = defaults + field->offset;
    switch (field->type) {
    case SN_FIELD_FLAG:
        return *(const bool *)a != *(const bool *)b;
    case SN_FIELD_INTEGER:
    case SN_FIELD_CHOICE:
        return *(const int *)a != *(const int *)b;
    case SN_FIELD_TEXT:
        return *(const char *const *)a != *(const char *const *)b;
    case SN_FIELD_COLOR:
        return *(const uint32_t *)a != *(const uint32_t *)b;
    default:
        break;
    }
    // By value: JSON has no −0, so it is no different from 0.
    const float *x = a, *y = b;
    for (int i = 0; i < float_count(field->type); ++i) {
        if (x[i] != y[i]) {
            return true;
        }
    }
    return false;
}

static json_t *write_value(const sn_field *field, const char *source)
{
    const void *place = source + field->offset;
    const float *numbers = place;
    switch (field->type) {
    case SN_FIELD_FLAG:
        return json_boolean(*(const bool *)place);
    case SN_FIELD_INTEGER:
        return json_integer(*(const int *)place);
    case SN_FIELD_NUMBER:
        return sn_json_number(numbers[0]);
    case SN_FIELD_ANGLE:
        return write_angle(numbers[0]);
    case SN_FIELD_TEXT:
        return json_string(*(const char *const *)place);
    case SN_FIELD_CHOICE:
        return json_string(field->choices[*(const int *)place]);
    case SN_FIELD_VECTOR:
        return sn_json_numbers(numbers, 3);
    case SN_FIELD_ROTATION:
        return sn_json_numbers(numbers, 4);
    case SN_FIELD_COLOR:
        return write_color(*(const uint32_t *)place);
    case SN_FIELD_INTERVAL:
        return sn_json_numbers(numbers, 2);
    case SN_FIELD_ANGLE_INTERVAL:
        return json_pack("[oo]", write_angle(numbers[0]), write_angle(numbers[1]));
    case SN_FIELD_OBJECT:
    case SN_FIELD_NODE:
        break;
    }
    return NULL;
}

static bool write_fields(json_t *out, const sn_object *object, const char *source, const char *defaults);

static bool write_field(json_t *out, const sn_field *field, const char *source, const char *defaults)
{
    bool given = field->flag != 0 && *((const bool *)source + field->flag - 1);
    if (field->type == SN_FIELD_NODE || (field->flag != 0 && !given)) {
        return true;
    }
    if (field->type == SN_FIELD_OBJECT) {
        json_t *inner = json_object();
        bool good = write_fields(inner, field->object, source + field->offset, defaults + field->offset);
        if (given || json_object_size(inner) > 0) {
            return json_object_set_new(out, field->name, inner) == 0 && good;
        }
        json_decref(inner);
        return good;
    }
    return !(given || field->required || differs(field, source, defaults)) ||
           json_object_set_new(out, field->name, write_value(field, source)) == 0;
}

static bool write_fields(json_t *out, const sn_object *object, const char *source, const char *defaults)
{
    bool good = object->base == NULL || write_fields(out, object->base, source, defaults);
    for (int i = 0; i < object->field_count; ++i) {
        good = write_field(out, &object->fields[i], source, defaults) && good;
    }
    return good;
}

json_t *sn_object_write(const sn_object *object, const void *source)
{
    void *defaults = malloc(object->size);
    json_t *out = json_object();
    bool good = defaults != NULL && out != NULL;
    if (good) {
        sn_object_defaults(object, defaults);
        good = (!object->tagged || json_object_set_new(out, "type", json_string(object->name)) == 0) &&
               write_fields(out, object, source, defaults);
    }
    free(defaults);
    if (!good) {
        json_decref(out);
        return NULL;
    }
    return out;
}

// Typed values of scene files: what is accepted, and how a complaint says what would have been.
#include "scene/node.h"
#include "scene/suggest.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_bounded(sn_range range)
{
    return range.lower != 0.0 || range.upper != 0.0;
}

static bool is_inside(sn_range range, double value)
{
    if (!is_bounded(range)) {
        return true;
    }
    return (range.above_lower ? value > range.lower : value >= range.lower) && value <= range.upper;
}

// "a number above 0 [m]", "a whole number from 1 to 256"
static const char *describe(const char *what, sn_range range, const char *unit, char *text, size_t capacity)
{
    char bounds[80] = "";
    if (is_bounded(range) && range.lower == range.upper) {
        snprintf(text, capacity, "%.9g", range.lower);
        return text;
    }
    if (is_bounded(range) && isinf(range.upper)) {
        snprintf(bounds, sizeof bounds, range.above_lower ? " above %.9g" : " of at least %.9g", range.lower);
    } else if (is_bounded(range) && isinf(range.lower)) {
        snprintf(bounds, sizeof bounds, " of at most %.9g", range.upper);
    } else if (is_bounded(range)) {
        snprintf(bounds, sizeof bounds,
                 range.above_lower ? " above %.9g, at most %.9g" : " from %.9g to %.9g", range.lower,
                 range.upper);
    }
    bool has_unit = unit != NULL && unit[0] != '\0';
    snprintf(text, capacity, "%s%s%s%s%s", what, bounds, has_unit ? " [" : "", has_unit ? unit : "",
             has_unit ? "]" : "");
    return text;
}

static bool fail_expected(const sn_node *node, const char *expected)
{
    char value[SN_NODE_TEXT];
    return sn_node_fail(node, "%s is not allowed, expected %s", sn_node_text(node, value), expected);
}

bool sn_node_flag(const sn_node *node, bool *out)
{
    if (!json_is_boolean(node->value)) {
        return fail_expected(node, "true or false");
    }
    *out = json_is_true(node->value);
    return true;
}

bool sn_node_integer(const sn_node *node, sn_range range, int *out)
{
    char expected[128];
    double value = json_number_value(node->value);
    if (!json_is_number(node->value) || value != floor(value) || fabs(value) > 2147483647.0 ||
        !is_inside(range, value)) {
        return fail_expected(node, describe("a whole number", range, NULL, expected, sizeof expected));
    }
    *out = (int)value;
    return true;
}

// The largest float32 and half a step: from here on numbers round to infinity.
static const double first_too_large = 0x1.ffffffp127;

// A number that float32 can hold.
static bool read_number(const sn_node *node, sn_range range, float *out)
{
    if (!json_is_number(node->value)) {
        return false;
    }
    double value = json_number_value(node->value);
    if (!is_inside(range, value) || fabs(value) >= first_too_large) {
        return false;
    }
    *out = (float)value;
    // What is above zero must not become zero.
    return !(is_bounded(range) && range.above_lower) || *out > (float)range.lower;
}

static bool fail_number(const sn_node *node, sn_range range, const char *unit)
{
    char expected[128];
    if (!is_bounded(range) && json_is_number(node->value)) {
        range = (sn_range){-FLT_MAX, FLT_MAX, false};
    }
    return fail_expected(node, describe("a number", range, unit, expected, sizeof expected));
}

bool sn_node_number(const sn_node *node, sn_range range, const char *unit, float *out)
{
    return read_number(node, range, out) || fail_number(node, range, unit);
}

bool sn_node_text_value(const sn_node *node, const char **out)
{
    if (!json_is_string(node->value)) {
        return fail_expected(node, "text in quotes");
    }
    *out = json_string_value(node->value);
    return true;
}

static void list_names(const char *const *names, int count, char *text, size_t capacity)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count && used < capacity; ++i) {
        const char *gap = i == 0 ? "" : i == count - 1 ? " or " : ", ";
        used += (size_t)snprintf(text + used, capacity - used, "%s\"%s\"", gap, names[i]);
    }
}

bool sn_node_choice(const sn_node *node, const char *const *choices, int count, int *out)
{
    const char *text = json_string_value(node->value);
    for (int i = 0; text != NULL && i < count; ++i) {
        if (strcmp(text, choices[i]) == 0) {
            *out = i;
            return true;
        }
    }
    char names[512], value[SN_NODE_TEXT];
    list_names(choices, count, names, sizeof names);
    const char *meant = text != NULL ? sn_suggest(text, choices, count) : NULL;
    return sn_node_fail(node, "%s is not allowed, expected %s%s%s%s", sn_node_text(node, value), names,
                        meant != NULL ? "; did you mean \"" : "", meant != NULL ? meant : "",
                        meant != NULL ? "\"?" : "");
}

// A list of numbers of a given length; a complaint about one of them names it.
static bool read_numbers(const sn_node *node, int count, sn_range range, const char *unit, float *out)
{
    char expected[128];
    if (!json_is_array(node->value) || sn_node_count(node) != count) {
        char what[32];
        snprintf(what, sizeof what, "a list of %d numbers", count);
        return fail_expected(node, describe(what, (sn_range){0}, unit, expected, sizeof expected));
    }
    for (int i = 0; i < count; ++i) {
        sn_node member = sn_node_at(node, i);
        if (!read_number(&member, range, &out[i])) {
            return fail_number(&member, range, unit);
        }
    }
    return true;
}

bool sn_node_vector(const sn_node *node, sn_range range, const char *unit, sn_vec3 *out)
{
    float numbers[3] = {0};
    if (!read_numbers(node, 3, range, unit, numbers)) {
        return false;
    }
    *out = sn_v(numbers[0], numbers[1], numbers[2]);
    return true;
}

bool sn_node_interval(const sn_node *node, sn_range range, const char *unit, float out[2])
{
    float numbers[2] = {0};
    if (!read_numbers(node, 2, range, unit, numbers)) {
        return false;
    }
    if (numbers[0] > numbers[1]) {
        return fail_expected(node, "the lower bound first");
    }
    out[0] = numbers[0];
    out[1] = numbers[1];
    return true;
}

static bool read_axis_angle(const sn_node *node, sn_quat *out)
{
    sn_node axis_node = sn_node_get(node, "axis"), angle_node = sn_node_get(node, "angle");
    size_t members = json_object_get(node->value, "comment") != NULL ? 3 : 2;
    if (axis_node.value == NULL || angle_node.value == NULL || json_object_size(node->value) != members) {
        return fail_expected(node, "{\"axis\": [x, y, z], \"angle\": degrees}");
    }
    sn_vec3 axis = {0};
    float degrees = 0.0f;
    sn_range any = {0};
    if (!sn_node_vector(&axis_node, any, NULL, &axis) || !sn_node_number(&angle_node, any, "°", &degrees)) {
        return false;
    }
    double x = axis.x, y = axis.y, z = axis.z, length = sqrt(x * x + y * y + z * z);
    if (!(length > 1e-18)) {
        return fail_expected(&axis_node, "a direction, which needs a length");
    }
    double half = 0.5 * (double)degrees * SN_DEGREE, s = sin(half) / length;
    *out = (sn_quat){(float)(x * s), (float)(y * s), (float)(z * s), (float)cos(half)};
    return true;
}

bool sn_node_rotation(const sn_node *node, sn_quat *out)
{
    if (json_is_object(node->value)) {
        return read_axis_angle(node, out);
    }
    if (!json_is_array(node->value) || sn_node_count(node) != 4) {
        return fail_expected(node, "{\"axis\": [x, y, z], \"angle\": degrees} or a quaternion [x, y, z, w]");
    }
    float q[4] = {0};
    if (!read_numbers(node, 4, (sn_range){0}, NULL, q)) {
        return false;
    }
    double x = q[0], y = q[1], z = q[2], w = q[3];
    if (fabs(sqrt(x * x + y * y + z * z + w * w) - 1.0) > 1e-3) {
        return fail_expected(node, "a quaternion of length 1");
    }
    // Frames in frames multiply rotations, and what is a little too long would grow.
    *out = sn_quat_normalize((sn_quat){q[0], q[1], q[2], q[3]});
    return true;
}

static const struct {
    const char *name;
    uint32_t color;
} named_colors[] = {{"black", 0x202226},  {"white", 0xf4f4f2},  {"gray", 0x9aa0a6},  {"red", 0xd1495b},
                    {"orange", 0xe8894a}, {"yellow", 0xf2cc5f}, {"green", 0x6a9f58}, {"teal", 0x4da1a9},
                    {"blue", 0x3d7ea6},   {"purple", 0x8a64a8}, {"brown", 0x9c6644}, {"pink", 0xe8a0b4}};

static bool read_hex_color(const char *text, uint32_t *out)
{
    if (text[0] != '#' || strlen(text) != 7 || strspn(text + 1, "0123456789abcdefABCDEF") != 6) {
        return false;
    }
    *out = (uint32_t)strtoul(text + 1, NULL, 16);
    return true;
}

enum { COLOR_COUNT = sizeof named_colors / sizeof named_colors[0] };

const char *sn_color_name(int index)
{
    return index >= 0 && index < COLOR_COUNT ? named_colors[index].name : NULL;
}

static bool fail_color(const sn_node *node, const char *text)
{
    const char *names[COLOR_COUNT];
    for (int i = 0; i < COLOR_COUNT; ++i) {
        names[i] = named_colors[i].name;
    }
    const char *meant = text != NULL ? sn_suggest(text, names, COLOR_COUNT) : NULL;
    char value[SN_NODE_TEXT];
    return sn_node_fail(node,
                        "%s is not allowed, expected a colour as \"#rrggbb\", or black, white, gray, red, "
                        "orange, yellow, green, teal, blue, purple, brown, pink%s%s%s",
                        sn_node_text(node, value), meant != NULL ? "; did you mean \"" : "",
                        meant != NULL ? meant : "", meant != NULL ? "\"?" : "");
}

bool sn_node_color(const sn_node *node, uint32_t *out)
{
    const char *text = json_string_value(node->value);
    for (int i = 0; text != NULL && i < COLOR_COUNT; ++i) {
        if (strcmp(text, named_colors[i].name) == 0) {
            *out = named_colors[i].color;
            return true;
        }
    }
    return (text != NULL && read_hex_color(text, out)) || fail_color(node, text);
}

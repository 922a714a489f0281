// The text of an entry is changed before it is read, so that whatever reads entries need not know of copies.
// Tested by tests/scene/sections/test_copies.c.
#include "scene/vary.h"

#include <string.h>

static void defaults(void *target)
{
    ((sn_vary *)target)->seed = 1;
}

#define LIST_OF_TEXTS "{\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"minItems\": 1}"

static const sn_field fields[] = {
    SN_ROW("seed", INTEGER, sn_vary, seed, "another one draws other numbers", .range = SN_BETWEEN(0, 1e9)),
    SN_ROW("size", INTERVAL, sn_vary, size,
           "least and most that sizes are multiplied with: of shapes that bodies have themselves, `scale` of "
           "deformables",
           .range = SN_BETWEEN(1e-3, 1e3), .flag = SN_FLAG_AT(sn_vary, has_size)),
    SN_ROW("turn", ANGLE, sn_vary, turn, "it is turned by at most this, about any axis", .unit = "°",
           .range = SN_BETWEEN(0.0, 180.0)),
    SN_ROW("shift", VECTOR, sn_vary, shift, "it is moved by at most this along each axis, either way",
           .unit = "m"),
    SN_ROW("colors", NODE, sn_vary, colors, "one of these is its `color`", .form = "a list of colours",
           .schema = LIST_OF_TEXTS),
    SN_ROW("materials", NODE, sn_vary, materials, "one of these is the `material` of its shapes",
           .form = "a list of names of materials", .schema = LIST_OF_TEXTS)};
static const sn_object object = {.name = "vary",
                                 .text = "How copies differ.",
                                 .size = sizeof(sn_vary),
                                 .defaults = defaults,
                                 .fields = fields,
                                 .field_count = SN_COUNT(fields)};
static const sn_object *const objects[] = {&object};
const sn_family sn_family_vary = {"vary", "How copies differ.", objects, 1};

static bool check_texts(const sn_node *list)
{
    if (list->value == NULL) {
        return true;
    }
    if (!json_is_array(list->value) || sn_node_count(list) == 0) {
        return sn_node_fail(list, "expected a list of one text or more");
    }
    bool good = true;
    for (int i = 0; i < sn_node_count(list); ++i) {
        sn_node member = sn_node_at(list, i);
        const char *text = NULL;
        good = sn_node_text_value(&member, &text) && good;
    }
    return good;
}

bool sn_vary_read(const sn_node *repeat, sn_vary *vary)
{
    sn_node node = sn_node_get(repeat, "vary");
    *vary = (sn_vary){0};
    if (node.value == NULL) {
        return true;
    }
    if (!sn_object_read(&node, &object, vary)) {
        return false;
    }
    vary->given = true;
    sn_node colors = sn_node_get(&node, "colors"), materials = sn_node_get(&node, "materials");
    bool good = check_texts(&colors);
    good = check_texts(&materials) && good;
    for (int i = 0; i < sn_node_count(&colors) && good; ++i) {
        sn_node member = sn_node_at(&colors, i);
        uint32_t color;
        good = sn_node_color(&member, &color);
    }
    return good;
}

// --- random numbers ----------------------------------------------------------------------------------------

// SplitMix64 (Steele, Lea, Flood 2014).
static uint64_t next_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static float next_between(uint64_t *state, float lower, float upper)
{
    float share = (float)(next_bits(state) >> 40) * (1.0f / 16777216.0f);
    return lower + (upper - lower) * share;
}

static sn_vec3 next_direction(uint64_t *state)
{
    sn_vec3 v = {0.0f, 0.0f, 0.0f};
    while (sn_length_squared(v) > 1.0f || sn_length_squared(v) < 0.01f) {
        v.x = next_between(state, -1.0f, 1.0f);
        v.y = next_between(state, -1.0f, 1.0f);
        v.z = next_between(state, -1.0f, 1.0f);
    }
    return sn_normalize(v);
}

// --- changing an entry -------------------------------------------------------------------------------------

static void scale_number(json_t *object, const char *key, float factor)
{
    const json_t *value = json_object_get(object, key);
    if (json_is_number(value)) {
        json_object_set_new(object, key, json_real(json_number_value(value) * (double)factor));
    } else if (json_is_array(value)) {
        json_t *scaled = json_array();
        for (size_t i = 0; i < json_array_size(value); ++i) {
            json_t *member = json_array_get(value, i);
            json_array_append_new(scaled, json_is_number(member)
                                              ? json_real(json_number_value(member) * (double)factor)
                                              : json_incref(member));
        }
        json_object_set_new(object, key, scaled);
    }
}

// Shapes made of numbers have lengths to be multiplied; those made of points have `scale`.
static void scale_shape(json_t *shape, float factor)
{
    static const char *const lengths[] = {"radius", "length", "height",   "top_radius", "center",
                                          "a",      "b",      "position", "size"};
    const char *type = json_string_value(json_object_get(shape, "type"));
    if (type == NULL) {
        return;
    }
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; ++i) {
        scale_number(shape, lengths[i], factor);
    }
    if (strcmp(type, "hull") == 0 || strcmp(type, "mesh") == 0) {
        if (json_object_get(shape, "scale") == NULL) {
            json_object_set_new(shape, "scale", json_real((double)factor));
        } else {
            scale_number(shape, "scale", factor);
        }
    }
    json_t *parts = json_object_get(shape, "parts");
    for (size_t i = 0; i < json_array_size(parts); ++i) {
        scale_shape(json_array_get(parts, i), factor);
    }
}

static void vary_shapes(json_t *entry, float factor, const char *material)
{
    json_t *shapes = json_object_get(entry, "shapes"), *only = json_object_get(entry, "shape");
    for (size_t i = 0; i < json_array_size(shapes) + 1; ++i) {
        json_t *shape = i < json_array_size(shapes) ? json_array_get(shapes, i) : only;
        if (json_is_object(shape)) {
            scale_shape(shape, factor);
            if (material != NULL) {
                json_object_set_new(shape, "material", json_string(material));
            }
        }
    }
    if (json_is_object(json_object_get(entry, "mesh"))) {
        if (json_object_get(entry, "scale") == NULL) {
            json_object_set_new(entry, "scale", json_real((double)factor));
        } else {
            scale_number(entry, "scale", factor);
        }
    }
}

static void turn_entry(json_t *out, const sn_node *entry, sn_quat turn)
{
    sn_node node = sn_node_get(entry, "rotation");
    sn_mistakes unsaid = {0}; // what is wrong is said by who reads the entry
    sn_quat rotation = sn_quat_identity;
    node.mistakes = &unsaid;
    if (node.value == NULL || sn_node_rotation(&node, &rotation)) {
        sn_quat q = sn_quat_normalize(sn_quat_multiply(rotation, turn));
        json_object_set_new(out, "rotation",
                            json_pack("[ffff]", (double)q.x, (double)q.y, (double)q.z, (double)q.w));
    }
}

static void shift_entry(json_t *out, sn_vec3 shift)
{
    const json_t *given = json_object_get(out, "position");
    double by[3] = {(double)shift.x, (double)shift.y, (double)shift.z};
    bool good = given == NULL || json_array_size(given) == 3;
    for (size_t i = 0; i < 3 && good && given != NULL; ++i) {
        good = json_is_number(json_array_get(given, i));
        by[i] += json_number_value(json_array_get(given, i));
    }
    if (good) {
        json_object_set_new(out, "position", json_pack("[fff]", by[0], by[1], by[2]));
    }
}

static const char *next_text(uint64_t *state, const sn_node *list)
{
    uint64_t bits = next_bits(state);
    int count = sn_node_count(list);
    return count > 0 ? json_string_value(json_array_get(list->value, (size_t)(bits >> 16) % (size_t)count))
                     : NULL;
}

json_t *sn_vary_entry(const sn_vary *vary, int number, const sn_node *entry)
{
    json_t *out = json_deep_copy(entry->value);
    if (!json_is_object(out)) {
        return out;
    }
    uint64_t state = (uint64_t)vary->seed * 0xd1342543de82ef95u + (uint64_t)number;
    float size = next_between(&state, vary->size[0], vary->size[1]);
    sn_vec3 axis = next_direction(&state);
    float angle = next_between(&state, -vary->turn, vary->turn);
    sn_vec3 shift = {next_between(&state, -vary->shift.x, vary->shift.x),
                     next_between(&state, -vary->shift.y, vary->shift.y),
                     next_between(&state, -vary->shift.z, vary->shift.z)};
    const char *color = next_text(&state, &vary->colors), *material = next_text(&state, &vary->materials);
    vary_shapes(out, vary->has_size ? size : 1.0f, material);
    if (vary->turn > 0.0f) {
        turn_entry(out, entry, sn_quat_axis_angle(axis, angle));
    }
    if (sn_length_squared(vary->shift) > 0.0f) {
        shift_entry(out, shift);
    }
    if (color != NULL) {
        json_object_set_new(out, "color", json_string(color));
    }
    return out;
}

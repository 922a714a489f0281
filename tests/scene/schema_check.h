// Checks a JSON value against a JSON Schema, as far as the schema of scene files goes: the keywords it uses
// and no others. A keyword this does not know is an error of the test. Include after cmocka.h.
#ifndef TESTS_SCENE_SCHEMA_CHECK_H
#define TESTS_SCENE_SCHEMA_CHECK_H

#include <jansson.h>
#include <math.h>
#include <regex.h>
#include <stdbool.h>
#include <string.h>

static inline bool schema_accepts(const json_t *root, const json_t *schema, const json_t *value);

static inline bool schema_is_type(const char *type, const json_t *value)
{
    double number = json_number_value(value);
    return strcmp(type, "object") == 0    ? json_is_object(value)
           : strcmp(type, "array") == 0   ? json_is_array(value)
           : strcmp(type, "string") == 0  ? json_is_string(value)
           : strcmp(type, "boolean") == 0 ? json_is_boolean(value)
           : strcmp(type, "integer") == 0 ? json_is_number(value) && number == floor(number)
                                          : json_is_number(value);
}

// How many of several schemas accept the value.
static inline int schema_count(const json_t *root, const json_t *schemas, const json_t *value)
{
    int count = 0;
    size_t i;
    json_t *schema;
    json_array_foreach(schemas, i, schema)
    {
        count += schema_accepts(root, schema, value);
    }
    return count;
}

static inline bool schema_accepts_members(const json_t *root, const json_t *schema, const json_t *value)
{
    const json_t *properties = json_object_get(schema, "properties");
    const char *key;
    json_t *member;
    size_t i;
    json_object_foreach((json_t *)value, key, member)
    {
        const json_t *own = json_object_get(properties, key);
        if (own != NULL ? !schema_accepts(root, own, member)
                        : json_is_false(json_object_get(schema, "additionalProperties"))) {
            return false;
        }
    }
    json_array_foreach(json_object_get(schema, "required"), i, member)
    {
        if (json_is_object(value) && json_object_get(value, json_string_value(member)) == NULL) {
            return false;
        }
    }
    return true;
}

static inline bool schema_accepts_items(const json_t *root, const json_t *schema, const json_t *value)
{
    const json_t *items = json_object_get(schema, "items"), *least = json_object_get(schema, "minItems"),
                 *most = json_object_get(schema, "maxItems");
    size_t i, size = json_array_size(value);
    json_t *item;
    if (!json_is_array(value)) {
        return true;
    }
    json_array_foreach(value, i, item)
    {
        if (items != NULL && !schema_accepts(root, items, item)) {
            return false;
        }
    }
    return (least == NULL || size >= (size_t)json_integer_value(least)) &&
           (most == NULL || size <= (size_t)json_integer_value(most));
}

static inline bool schema_accepts_number(const json_t *schema, const json_t *value)
{
    const json_t *least = json_object_get(schema, "minimum"),
                 *above = json_object_get(schema, "exclusiveMinimum"),
                 *most = json_object_get(schema, "maximum");
    double number = json_number_value(value);
    return !json_is_number(value) || ((least == NULL || number >= json_number_value(least)) &&
                                      (above == NULL || number > json_number_value(above)) &&
                                      (most == NULL || number <= json_number_value(most)));
}

static inline bool schema_accepts_text(const json_t *schema, const json_t *value)
{
    const char *pattern = json_string_value(json_object_get(schema, "pattern"));
    if (pattern == NULL || !json_is_string(value)) {
        return true;
    }
    regex_t regex;
    assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
    bool matches = regexec(&regex, json_string_value(value), 0, NULL, 0) == 0;
    regfree(&regex);
    return matches;
}

static inline void schema_check_keywords(const json_t *schema)
{
    static const char *const known[] = {
        "$schema",  "$defs",      "$ref",     "title",   "description",
        "type",     "properties", "required", "items",   "additionalProperties",
        "minItems", "maxItems",   "minimum",  "maximum", "exclusiveMinimum",
        "enum",     "const",      "anyOf",    "oneOf",   "pattern"};
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)schema, key, value)
    {
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
            found = found || strcmp(key, known[i]) == 0;
        }
        if (!found) {
            fail_msg("the schema has the keyword %s, which the test does not know", key);
        }
    }
}

static inline const json_t *schema_definition(const json_t *root, const char *reference)
{
    const char prefix[] = "#/$defs/";
    assert_int_equal(strncmp(reference, prefix, strlen(prefix)), 0);
    const json_t *found = json_object_get(json_object_get(root, "$defs"), reference + strlen(prefix));
    if (found == NULL) {
        fail_msg("the schema refers to %s, which is not there", reference);
    }
    return found;
}

static inline bool schema_accepts(const json_t *root, const json_t *schema, const json_t *value)
{
    schema_check_keywords(schema);
    const char *reference = json_string_value(json_object_get(schema, "$ref")),
               *type = json_string_value(json_object_get(schema, "type"));
    const json_t *constant = json_object_get(schema, "const"), *any = json_object_get(schema, "anyOf"),
                 *one = json_object_get(schema, "oneOf"), *choices = json_object_get(schema, "enum");
    bool good = reference == NULL || schema_accepts(root, schema_definition(root, reference), value);
    good = good && (type == NULL || schema_is_type(type, value));
    good = good && (constant == NULL || json_equal(constant, value));
    good = good && (any == NULL || schema_count(root, any, value) > 0);
    good = good && (one == NULL || schema_count(root, one, value) == 1);
    bool chosen = choices == NULL;
    size_t i;
    json_t *choice;
    json_array_foreach(choices, i, choice)
    {
        chosen = chosen || json_equal(choice, value);
    }
    return good && chosen && schema_accepts_members(root, schema, value) &&
           schema_accepts_items(root, schema, value) && schema_accepts_number(schema, value) &&
           schema_accepts_text(schema, value);
}

#endif

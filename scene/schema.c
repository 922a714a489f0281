// The JSON Schema (draft 2020-12) of scene files, from the tables the reader uses: editors complete and check
// with it what the reader will accept.
#include "scene/deformable_mesh.h"
#include "scene/edge_options.h"
#include "scene/json_text.h"
#include "scene/mesh_pieces.h"
#include "scene/reader.h"
#include "scene/selection.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *reference(const char *name)
{
    char path[96];
    snprintf(path, sizeof path, "#/$defs/%s", name);
    return json_pack("{ss}", "$ref", path);
}

static void add_bounds(json_t *schema, sn_range range)
{
    if (range.lower == 0.0 && range.upper == 0.0) {
        return;
    }
    if (isfinite(range.lower)) {
        json_object_set_new(schema, range.above_lower ? "exclusiveMinimum" : "minimum",
                            json_real(range.lower));
    }
    if (isfinite(range.upper)) {
        json_object_set_new(schema, "maximum", json_real(range.upper));
    }
}

static json_t *numbers(int count, sn_range range)
{
    json_t *item = json_pack("{ss}", "type", "number");
    add_bounds(item, range);
    return json_pack("{ss, so, si, si}", "type", "array", "items", item, "minItems", count, "maxItems",
                     count);
}

static json_t *family_reference(const sn_field *field)
{
    json_t *one = reference(field->family->name);
    if (!field->list) {
        return one;
    }
    json_t *list = json_pack("{ss, sO}", "type", "array", "items", one);
    if (!field->or_one) {
        json_decref(one);
        return list;
    }
    json_object_set_new(list, "minItems", json_integer(1));
    return json_pack("{s[oo]}", "anyOf", one, list);
}

static json_t *object_schema(const sn_object *object);

static json_t *node_schema(const sn_field *field)
{
    if (field->family != NULL) {
        return family_reference(field);
    }
    json_error_t error;
    json_t *own = field->schema != NULL ? json_loads(field->schema, 0, &error) : NULL;
    return own != NULL ? own : json_object();
}

static json_t *choices(const sn_field *field)
{
    json_t *words = json_array();
    for (int i = 0; i < field->choice_count; ++i) {
        json_array_append_new(words, json_string(field->choices[i]));
    }
    return json_pack("{so}", "enum", words);
}

static json_t *field_type(const sn_field *field)
{
    json_t *schema = NULL;
    switch (field->type) {
    case SN_FIELD_FLAG:
        return json_pack("{ss}", "type", "boolean");
    case SN_FIELD_INTEGER:
        schema = json_pack("{ss}", "type", "integer");
        break;
    case SN_FIELD_NUMBER:
    case SN_FIELD_ANGLE:
        schema = json_pack("{ss}", "type", "number");
        break;
    case SN_FIELD_TEXT:
        return json_pack("{ss}", "type", "string");
    case SN_FIELD_CHOICE:
        return choices(field);
    case SN_FIELD_VECTOR:
        return numbers(3, field->range);
    case SN_FIELD_ROTATION:
        return reference("rotation");
    case SN_FIELD_COLOR:
        return reference("color");
    case SN_FIELD_INTERVAL:
    case SN_FIELD_ANGLE_INTERVAL:
        return numbers(2, field->range);
    case SN_FIELD_OBJECT:
        schema = object_schema(field->object);
        return field->choose != NULL ? json_pack("{s[oo]}", "anyOf", choices(field), schema) : schema;
    case SN_FIELD_NODE:
        return node_schema(field);
    }
    add_bounds(schema, field->range);
    return schema;
}

static json_t *field_schema(const sn_field *field)
{
    json_t *schema = field_type(field);
    char text[768];
    const char *unit = field->unit;
    snprintf(text, sizeof text, "%s%s%s%s", field->text, unit != NULL ? " [" : "", unit != NULL ? unit : "",
             unit != NULL ? "]" : "");
    json_object_set_new(schema, "description", json_string(text));
    return schema;
}

static void add_fields(const sn_object *object, json_t *properties, json_t *required)
{
    if (object->base != NULL) {
        add_fields(object->base, properties, required);
    }
    for (int i = 0; i < object->field_count; ++i) {
        const sn_field *field = &object->fields[i];
        json_object_set_new(properties, field->name, field_schema(field));
        if (field->required) {
            json_array_append_new(required, json_string(field->name));
        }
    }
}

// An object with its properties; `more` (may be null) adds to them.
static json_t *closed_object(const sn_object *object, json_t *more)
{
    json_t *properties = json_object(), *required = json_array();
    if (object->tagged) {
        json_object_set_new(properties, "type", json_pack("{ss}", "const", object->name));
        json_array_append_new(required, json_string("type"));
    }
    add_fields(object, properties, required);
    json_object_update(properties, more);
    json_object_set_new(properties, "comment", json_object());
    return json_pack("{ss, ss, so, so, sb}", "type", "object", "description", object->text, "properties",
                     properties, "required", required, "additionalProperties", 0);
}

static json_t *object_schema(const sn_object *object)
{
    return closed_object(object, NULL);
}

static json_t *family_schema(const sn_family *family)
{
    if (family->count == 1) {
        return object_schema(family->objects[0]);
    }
    json_t *variants = json_array();
    for (int i = 0; i < family->count; ++i) {
        json_array_append_new(variants, object_schema(family->objects[i]));
    }
    return json_pack("{ss, so}", "description", family->text, "oneOf", variants);
}

// The sections that may stand in the root, or in a part.
static json_t *section_properties(bool in_part)
{
    json_t *properties = json_object();
    for (int i = 0; i < sn_section_count; ++i) {
        const sn_section *section = sn_sections[i];
        if (in_part && !section->in_parts) {
            continue;
        }
        const sn_family *family = sn_section_family(section);
        json_t *entry = family != NULL ? reference(family->name) : json_pack("{ss}", "type", "string");
        json_t *schema = section->single ? entry : json_pack("{ss, so}", "type", "array", "items", entry);
        if (!section->single) {
            json_object_set_new(schema, "description", json_string(section->text));
        }
        json_object_set_new(properties, section->name, schema);
    }
    json_object_set_new(properties, "parts",
                        json_pack("{ss, so, ss}", "type", "array", "items", reference("part"), "description",
                                  "groups of things, placed as one"));
    if (in_part) {
        json_t *repeat = reference(sn_family_repeat.name);
        json_object_set_new(properties, "repeat",
                            json_pack("{s[O, {ss, so, si}]}", "anyOf", repeat, "type", "array", "items",
                                      repeat, "minItems", 1));
    }
    return properties;
}

static json_t *color_schema(void)
{
    json_t *names = json_array();
    for (int i = 0; sn_color_name(i) != NULL; ++i) {
        json_array_append_new(names, json_string(sn_color_name(i)));
    }
    return json_pack("{s[{so}, {ss, ss}], ss}", "anyOf", "enum", names, "type", "string", "pattern",
                     "^#[0-9a-fA-F]{6}$", "description", "#rrggbb, or one of the names");
}

static json_t *common_definitions(void)
{
    json_t *definitions = json_object();
    json_object_set_new(definitions, "vector", numbers(3, (sn_range){0}));
    json_object_set_new(definitions, "color", color_schema());
    json_t *axis_angle =
        json_pack("{ss, s{so, s{ss, ss}, s{}}, s[ss], sb}", "type", "object", "properties", "axis",
                  reference("vector"), "angle", "type", "number", "description", "degrees", "comment",
                  "required", "axis", "angle", "additionalProperties", 0);
    json_t *either = json_pack("[oo]", axis_angle, numbers(4, (sn_range){0}));
    json_object_set_new(definitions, "rotation",
                        json_pack("{ss, so}", "description",
                                  "an axis and an angle in degrees, or a quaternion [x, y, z, w]", "anyOf",
                                  either));
    return definitions;
}

// A family, and those that stand in fields of its objects. Without memory it is left out, and with it what it
// would be found by.
static void define_family(json_t *definitions, const sn_family *family)
{
    if (family == NULL || json_object_get(definitions, family->name) != NULL) {
        return;
    }
    bool is_known = json_object_set_new(definitions, family->name, family_schema(family)) == 0;
    for (int i = 0; is_known && i < family->count; ++i) {
        for (int k = 0; k < family->objects[i]->field_count; ++k) {
            define_family(definitions, family->objects[i]->fields[k].family);
        }
    }
}

char *sn_scene_schema(void)
{
    json_t *definitions = common_definitions();
    const sn_family *others[] = {&sn_family_shape,  &sn_family_solid,     &sn_family_repeat, &sn_family_mesh,
                                 &sn_family_pieces, &sn_family_selection, &sn_family_edges};
    for (int i = 0; i < SN_COUNT(others); ++i) {
        define_family(definitions, others[i]);
    }
    for (int i = 0; i < sn_section_count; ++i) {
        define_family(definitions, sn_section_family(sn_sections[i]));
    }
    json_t *in_part = section_properties(true), *in_root = section_properties(false);
    json_object_set_new(definitions, "part", closed_object(sn_family_parts.objects[0], in_part));
    json_t *root = closed_object(&sn_object_scene, in_root);
    json_decref(in_part);
    json_decref(in_root);
    json_t *schema = json_pack("{ss, ss}", "$schema", "https://json-schema.org/draft/2020-12/schema", "title",
                               "Sinew scene");
    json_object_update(schema, root);
    json_object_set_new(schema, "$defs", definitions);
    char *text = sn_json_text(schema);
    json_decref(root);
    json_decref(schema);
    return text;
}

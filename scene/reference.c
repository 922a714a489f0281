// The reference page of scene files, from the tables the reader uses.
#include "scene/json_text.h"
#include "scene/list.h"
#include "scene/reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct page {
    SN_LIST(char) text;
} page;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
put(page *page, const char *format, ...)
{
    char line[4096];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    length = length < (int)sizeof line ? length : (int)sizeof line - 1;
    if (SN_LIST_RESERVE(&page->text, page->text.count + length + 1)) {
        memcpy(page->text.items + page->text.count, line, (size_t)length + 1);
        page->text.count += length;
    }
}

static const char *form_of(const sn_field *field, char *text, size_t capacity)
{
    switch (field->type) {
    case SN_FIELD_FLAG:
        return "true or false";
    case SN_FIELD_INTEGER:
        return "whole number";
    case SN_FIELD_NUMBER:
    case SN_FIELD_ANGLE:
        return "number";
    case SN_FIELD_TEXT:
        return "text";
    case SN_FIELD_VECTOR:
        return "[x, y, z]";
    case SN_FIELD_ROTATION:
        return "rotation";
    case SN_FIELD_COLOR:
        return "colour";
    case SN_FIELD_INTERVAL:
    case SN_FIELD_ANGLE_INTERVAL:
        return "[lower, upper]";
    case SN_FIELD_OBJECT:
        if (field->choose == NULL) {
            return "object";
        }
        // fall through
    case SN_FIELD_CHOICE: {
        size_t used = 0;
        for (int i = 0; i < field->choice_count && used < capacity; ++i) {
            used += (size_t)snprintf(text + used, capacity - used, "%s`%s`", i > 0 ? ", " : "",
                                     field->choices[i]);
        }
        return text;
    }
    case SN_FIELD_NODE:
        break;
    }
    if (field->family == NULL) {
        return field->form;
    }
    snprintf(text, capacity,
             field->or_one ? "%s, or a list of them"
             : field->list ? "list of %ss"
                           : "%s",
             field->family->name);
    return text;
}

// "m, above 0"
static void put_unit(page *page, const sn_field *field)
{
    sn_range range = field->range;
    const char *gap = field->unit != NULL ? ", " : "";
    put(page, "%s", field->unit != NULL ? field->unit : "");
    if (range.lower == 0.0 && range.upper == 0.0) {
        return;
    }
    if (range.lower == range.upper) {
        put(page, "%s%g", gap, range.lower);
    } else if (isinf(range.upper)) {
        put(page, range.above_lower ? "%sabove %g" : "%sat least %g", gap, range.lower);
    } else {
        put(page, range.above_lower ? "%sabove %g to %g" : "%s%g to %g", gap, range.lower, range.upper);
    }
}

// The default as the writer would write it: what a struct of defaults says.
static void put_default(page *page, const sn_field *field, const char *defaults)
{
    const float *numbers = (const float *)(const void *)(defaults + field->offset);
    if (field->required) {
        put(page, "required");
        return;
    }
    if (field->flag != 0) {
        return;
    }
    switch (field->type) {
    case SN_FIELD_FLAG:
        put(page, "%s", *(const bool *)(const void *)numbers ? "true" : "false");
        break;
    case SN_FIELD_INTEGER:
        put(page, "%d", *(const int *)(const void *)numbers);
        break;
    case SN_FIELD_NUMBER:
        if (isfinite(numbers[0])) {
            put(page, "%.6g", (double)numbers[0]);
        }
        break;
    case SN_FIELD_ANGLE:
        put(page, "%.6g", (double)numbers[0] / SN_DEGREE);
        break;
    case SN_FIELD_CHOICE:
        put(page, "`%s`", field->choices[*(const int *)(const void *)numbers]);
        break;
    case SN_FIELD_VECTOR:
        put(page, "[%.6g, %.6g, %.6g]", (double)numbers[0], (double)numbers[1], (double)numbers[2]);
        break;
    case SN_FIELD_ROTATION:
        put(page, "none");
        break;
    default:
        break;
    }
}

static void put_rows(page *page, const sn_object *object, const char *prefix, const char *defaults)
{
    for (int i = 0; i < object->field_count; ++i) {
        const sn_field *field = &object->fields[i];
        char form[256];
        put(page, "| `%s%s` | %s | ", prefix, field->name, form_of(field, form, sizeof form));
        put_unit(page, field);
        put(page, " | ");
        put_default(page, field, defaults);
        put(page, " | %s |\n", field->text);
        if (field->type == SN_FIELD_OBJECT) {
            char inner[128];
            snprintf(inner, sizeof inner, "%s%s.", prefix, field->name);
            put_rows(page, field->object, inner, defaults + field->offset);
        }
    }
}

static void put_table(page *page, const sn_object *object)
{
    char *defaults = malloc(object->size);
    if (defaults == NULL) {
        return;
    }
    sn_object_defaults(object, defaults);
    put(page, "| field | form | unit, range | default | meaning |\n| --- | --- | --- | --- | --- |\n");
    put_rows(page, object, "", defaults);
    put(page, "\n");
    free(defaults);
}

// Told in a section of its own, or where the page is about what many have.
static bool is_told_elsewhere(const sn_family *family)
{
    return family == NULL || family == &sn_family_repeat || family == &sn_family_shape ||
           family == &sn_family_solid;
}

static void put_family(page *page, const sn_family *family)
{
    if (family->count == 1) {
        put_table(page, family->objects[0]);
        return;
    }
    if (family->objects[0]->base->field_count > 0) {
        put(page, "Every %s has\n\n", family->name);
        put_table(page, family->objects[0]->base);
    }
    for (int i = 0; i < family->count; ++i) {
        const sn_object *object = family->objects[i];
        put(page, "### `\"type\": \"%s\"`\n\n%s\n\n", object->name, object->text);
        sn_object own = *object;
        own.base = NULL;
        own.defaults = object->base->defaults;
        put_table(page, &own);
        for (int k = 0; k < own.field_count; ++k) {
            const sn_family *inner = own.fields[k].family;
            if (!is_told_elsewhere(inner)) {
                put(page, "Each %s has\n\n", inner->name);
                put_table(page, inner->objects[0]);
            }
        }
    }
}

// Families that stand in fields of this object and are told nowhere else.
static void put_inner_families(page *page, const sn_object *object)
{
    for (int i = 0; i < object->field_count; ++i) {
        const sn_family *family = object->fields[i].family;
        if (!is_told_elsewhere(family)) {
            put(page, "### `%s`\n\n%s\n\n", object->fields[i].name, family->text);
            put_family(page, family);
        }
    }
}

static const char introduction[] =
    "# Scene files: every field\n\n"
    "This page is printed by `sinew schema --markdown`; the JSON Schema beside it, `scene.schema.json`, by\n"
    "`sinew schema`. Both come from the tables the reader uses. For a guided tour see [Scene "
    "files](scenes.md).\n\n"
    "Lengths are metres, masses kilograms, times seconds, angles degrees, angular speeds radians a second. "
    "Axes\n"
    "are right-handed. A *rotation* is `{\"axis\": [x, y, z], \"angle\": degrees}` or a quaternion\n"
    "`[x, y, z, w]`. A *colour* is `\"#rrggbb\"` or one of black, white, gray, red, orange, yellow, green, "
    "teal,\n"
    "blue, purple, brown, pink. Any object may have a `\"comment\"`, which is ignored.\n\n";

char *sn_scene_reference(void)
{
    page page = {0};
    put(&page, "%s", introduction);
    put(&page, "## The file\n\n");
    put_table(&page, &sn_object_scene);
    put(&page, "and the sections below, all of which may be left out.\n\n");
    for (int i = 0; i < sn_section_count; ++i) {
        const sn_section *section = sn_sections[i];
        put(&page, "## `%s`\n\n%s: %s.%s\n\n", section->name, section->single ? "One object" : "A list",
            section->text, section->in_parts ? " May stand in parts too." : "");
        const sn_family *family = sn_section_family(section);
        if (family == NULL) {
            put(&page, "Each entry is %s.\n\n", section->form);
        } else {
            put_family(&page, family);
            if (family->count == 1) {
                put_inner_families(&page, family->objects[0]);
            }
        }
    }
    put(&page, "## `parts`\n\nA list. %s\n\n", sn_family_parts.objects[0]->text);
    put_family(&page, &sn_family_parts);
    put(&page,
        "## `repeat`\n\nIn bodies and parts: one object, or a list of up to four for grids, the last "
        "counting fastest. %s\n\n",
        sn_family_repeat.objects[0]->text);
    put_family(&page, &sn_family_repeat);
    put_inner_families(&page, sn_family_repeat.objects[0]);
    while (page.text.count > 1 && page.text.items[page.text.count - 2] == '\n') {
        page.text.items[--page.text.count] = '\0';
    }
    return page.text.items;
}

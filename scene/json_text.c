// A printer for JSON: a value goes on one line if it fits, else its members get a line each.
#include "scene/json_text.h"

#include "scene/list.h"

#include <stdio.h>
#include <string.h>

#define WIDTH  100
#define INDENT 2

typedef struct printer {
    SN_LIST(char) text;
    bool no_memory;
} printer;

static void put(printer *out, const char *text, size_t length)
{
    if (!SN_LIST_RESERVE(&out->text, out->text.count + (int)length + 1)) {
        out->no_memory = true;
        return;
    }
    memcpy(out->text.items + out->text.count, text, length);
    out->text.count += (int)length;
    out->text.items[out->text.count] = '\0';
}

static void put_text(printer *out, const char *text)
{
    put(out, text, strlen(text));
}

static void put_number(printer *out, double value)
{
    char text[40];
    for (int digits = 1; digits <= 17; ++digits) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    put_text(out, text);
}

static void put_leaf(printer *out, const json_t *value)
{
    if (json_is_real(value)) {
        put_number(out, json_real_value(value));
        return;
    }
    char *dumped = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    if (dumped == NULL) {
        out->no_memory = true;
        return;
    }
    put_text(out, dumped);
    free(dumped);
}

static void put_key(printer *out, const char *key)
{
    json_t *text = json_string(key);
    put_leaf(out, text);
    json_decref(text);
    put_text(out, ": ");
}

// The whole value on one line.
static void put_inline(printer *out, const json_t *value)
{
    const char *gap = "", *key;
    json_t *member;
    size_t index;
    if (json_is_array(value)) {
        put_text(out, "[");
        json_array_foreach(value, index, member)
        {
            put_text(out, gap);
            put_inline(out, member);
            gap = ", ";
        }
        put_text(out, "]");
    } else if (json_is_object(value)) {
        put_text(out, "{");
        json_object_foreach((json_t *)value, key, member)
        {
            put_text(out, gap);
            put_key(out, key);
            put_inline(out, member);
            gap = ", ";
        }
        put_text(out, "}");
    } else {
        put_leaf(out, value);
    }
}

// Whether the value may be on one line: few members, so that trying costs little.
static bool is_small(const json_t *value)
{
    return json_array_size(value) <= 16 && json_object_size(value) <= 8;
}

static void put_line_break(printer *out, int depth)
{
    put_text(out, "\n");
    for (int i = 0; i < depth * INDENT; ++i) {
        put_text(out, " ");
    }
}

static void put_value(printer *out, const json_t *value, int depth, int column)
{
    bool is_leaf = !json_is_array(value) && !json_is_object(value);
    if (is_leaf || (depth > 0 && is_small(value))) {
        int begin = out->text.count;
        put_inline(out, value);
        if (is_leaf || out->no_memory || out->text.count - begin + column <= WIDTH) {
            return;
        }
        out->text.count = begin;
    }
    const char *gap = "", *key;
    json_t *member;
    size_t index;
    put_text(out, json_is_array(value) ? "[" : "{");
    if (json_is_array(value)) {
        json_array_foreach(value, index, member)
        {
            put_text(out, gap);
            put_line_break(out, depth + 1);
            put_value(out, member, depth + 1, (depth + 1) * INDENT);
            gap = ",";
        }
    } else {
        json_object_foreach((json_t *)value, key, member)
        {
            put_text(out, gap);
            put_line_break(out, depth + 1);
            put_key(out, key);
            put_value(out, member, depth + 1, (depth + 1) * INDENT + (int)strlen(key) + 4);
            gap = ",";
        }
    }
    put_line_break(out, depth);
    put_text(out, json_is_array(value) ? "]" : "}");
}

char *sn_json_text(const json_t *value)
{
    printer out = {0};
    put_value(&out, value, 0, 0);
    put_text(&out, "\n");
    if (out.no_memory) {
        SN_LIST_FREE(&out.text);
    }
    return out.text.items;
}

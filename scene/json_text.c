// A printer for JSON: a value goes on one line if it fits, else its members get a line each.
#include "scene/json_text.h"

#include "scene/list.h"

#include <limits.h>
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
    if (length >= (size_t)(INT_MAX - out->text.count) ||
        !SN_LIST_RESERVE(&out->text, out->text.count + (int)length + 1)) {
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
    // JSON has a point, whatever the locale has.
    text[strcspn(text, ",")] = strchr(text, ',') != NULL ? '.' : '\0';
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

// The value on one line of at most `width` characters; false, with the beginning of it put, if it is longer.
static bool put_inline(printer *out, const json_t *value, int begin, int width)
{
    const char *gap = "";
    // Looked at on the way down too, so that deep values cost no more than a line.
    bool fits = !out->no_memory && out->text.count - begin <= width;
    if (json_is_array(value)) {
        put_text(out, "[");
        for (size_t index = 0; fits && index < json_array_size(value); ++index) {
            put_text(out, gap);
            fits = put_inline(out, json_array_get(value, index), begin, width);
            gap = ", ";
        }
        put_text(out, "]");
    } else if (json_is_object(value)) {
        put_text(out, "{");
        void *at = json_object_iter((json_t *)value);
        for (; fits && at != NULL; at = json_object_iter_next((json_t *)value, at)) {
            put_text(out, gap);
            put_key(out, json_object_iter_key(at));
            fits = put_inline(out, json_object_iter_value(at), begin, width);
            gap = ", ";
        }
        put_text(out, "}");
    } else {
        put_leaf(out, value);
    }
    return fits && !out->no_memory && out->text.count - begin <= width;
}

static void put_line_break(printer *out, int depth)
{
    put_text(out, "\n");
    for (int i = 0; i < depth * INDENT; ++i) {
        put_text(out, " ");
    }
}

static void put_value(printer *out, const json_t *value, int depth, int column);

// One member of a list or an object on a line of its own.
static void put_member(printer *out, const char *gap, const char *key, const json_t *member, int depth)
{
    put_text(out, gap);
    put_line_break(out, depth);
    int begin = out->text.count;
    if (key != NULL) {
        put_key(out, key);
    }
    put_value(out, member, depth, depth * INDENT + out->text.count - begin);
}

static void put_value(printer *out, const json_t *value, int depth, int column)
{
    bool is_list = json_is_array(value);
    if (!is_list && !json_is_object(value)) {
        put_leaf(out, value);
        return;
    }
    int begin = out->text.count;
    if (depth > 0 && put_inline(out, value, begin, WIDTH - column)) {
        return;
    }
    if (out->no_memory || depth >= JSON_PARSER_MAX_DEPTH) {
        out->no_memory = true;
        return;
    }
    out->text.count = begin;
    const char *gap = "", *key;
    json_t *member;
    size_t index;
    put_text(out, is_list ? "[" : "{");
    json_array_foreach(value, index, member)
    {
        put_member(out, gap, NULL, member, depth + 1);
        gap = ",";
    }
    json_object_foreach((json_t *)value, key, member)
    {
        put_member(out, gap, key, member, depth + 1);
        gap = ",";
    }
    put_line_break(out, depth);
    put_text(out, is_list ? "]" : "}");
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

// Reading of comma-separated text: one pass over the bytes, cell by cell.
#include "apps/table.h"

#include "scene/message.h"
#include "scene/sources.h"
#include "scene/suggest.h"
#include "scene/text_reader.h"
#include "sinew_scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COLUMNS = 4096 };

typedef struct reader {
    table *table;
    const char *at, *end;
    int line;           // of `at`, from 1
    SN_LIST(char) cell; // the present cell without its quotation marks, with a closing zero
    bool last_of_row;   // whether the present cell ends a line
    bool enough;        // memory, so far
} reader;

// --- cells -------------------------------------------------------------------------------------------------

static void put(reader *r, char c)
{
    r->enough = r->enough && SN_LIST_PUSH(&r->cell, c);
}

static bool out_of_memory(const reader *r)
{
    sn_scene_fail(SN_ERROR_MEMORY, "%s:%d: no memory", r->table->path, r->line);
    return false;
}

// The rest of a cell that began with a quotation mark; a doubled one inside stands for itself.
static bool read_quoted(reader *r)
{
    int begun = r->line;
    for (++r->at; r->at < r->end; ++r->at) {
        if (*r->at == '"' && (r->at + 1 == r->end || r->at[1] != '"')) {
            ++r->at;
            return true;
        }
        r->at += *r->at == '"';
        r->line += *r->at == '\n';
        put(r, *r->at);
    }
    sn_scene_fail(SN_ERROR_FORMAT, "%s:%d: the quotation mark is never closed", r->table->path, begun);
    return false;
}

// Moves past the comma or the end of line after a cell.
static bool end_cell(reader *r)
{
    if (r->at < r->end && *r->at == '\r' && r->at + 1 < r->end && r->at[1] == '\n') {
        ++r->at;
    }
    r->last_of_row = r->at == r->end || *r->at == '\n';
    if (!r->last_of_row && *r->at != ',') {
        sn_scene_fail(SN_ERROR_FORMAT, "%s:%d: text after a closing quotation mark, expected a comma",
                      r->table->path, r->line);
        return false;
    }
    r->line += r->at < r->end && *r->at == '\n';
    r->at += r->at < r->end;
    return true;
}

static bool read_cell(reader *r)
{
    r->cell.count = 0;
    if (r->at < r->end && *r->at == '"') {
        if (!read_quoted(r)) {
            return false;
        }
    } else {
        while (r->at < r->end && *r->at != ',' && *r->at != '\n' &&
               !(*r->at == '\r' && r->at + 1 < r->end && r->at[1] == '\n')) {
            put(r, *r->at++);
        }
    }
    put(r, '\0');
    if (!r->enough) {
        return out_of_memory(r);
    }
    if (strlen(r->cell.items) + 1 != (size_t)r->cell.count) {
        sn_scene_fail(SN_ERROR_FORMAT, "%s:%d: a zero byte, expected text", r->table->path, r->line);
        return false;
    }
    return end_cell(r);
}

// A number and nothing else; an empty cell, and what is not finite, is NaN. False for anything else.
static bool read_number(const char *text, double *value)
{
    text += strspn(text, " \t");
    char *rest;
    *value = strtod(text, &rest);
    bool number = rest != text || *text == '\0';
    rest += strspn(rest, " \t");
    *value = rest == text || !isfinite(*value) ? NAN : *value;
    return number && *rest == '\0';
}

// --- titles ------------------------------------------------------------------------------------------------

// Splits "name [unit]".
static bool add_column(table *table, const char *title)
{
    size_t length = strlen(title);
    const char *bracket = length > 0 && title[length - 1] == ']' ? strrchr(title, '[') : NULL;
    bool has_unit = bracket != NULL && bracket > title && bracket[-1] == ' ';
    table_column column = {strdup(title), strdup(title), strdup(has_unit ? bracket + 1 : "")};
    bool enough = column.title != NULL && column.name != NULL && column.unit != NULL;
    if (enough && has_unit) {
        column.name[bracket - title - 1] = '\0';
        column.unit[strlen(column.unit) - 1] = '\0';
    }
    if (!enough || !SN_LIST_PUSH(&table->columns, column)) {
        free(column.title);
        free(column.name);
        free(column.unit);
        return false;
    }
    return true;
}

static bool read_titles(reader *r)
{
    bool numbers_only = true;
    do {
        double value;
        if (!read_cell(r)) {
            return false;
        }
        if (r->table->columns.count == MOST_COLUMNS) {
            sn_scene_fail(SN_ERROR_FORMAT, "%s:1: more than %d columns", r->table->path, MOST_COLUMNS);
            return false;
        }
        numbers_only = numbers_only && read_number(r->cell.items, &value);
        if (!add_column(r->table, r->cell.items)) {
            return out_of_memory(r);
        }
    } while (!r->last_of_row);
    if (numbers_only) {
        sn_scene_fail(SN_ERROR_FORMAT, "%s:1: no titles, expected a line such as \"time [s],height [m]\"",
                      r->table->path);
    }
    return !numbers_only;
}

// --- rows --------------------------------------------------------------------------------------------------

static bool add_value(reader *r, int column)
{
    table *table = r->table;
    double value;
    if (!read_number(r->cell.items, &value)) {
        sn_scene_fail(SN_ERROR_FORMAT, "%s:%d: column \"%s\" has \"%.40s\", expected a number", table->path,
                      r->line - r->last_of_row, table->columns.items[column].title, r->cell.items);
        return false;
    }
    return SN_LIST_PUSH(&table->values, value) || out_of_memory(r);
}

static bool read_row(reader *r)
{
    table *table = r->table;
    int line = r->line, count = 0, expected = table->columns.count;
    do {
        if (!read_cell(r)) {
            return false;
        }
        if (count < expected && !add_value(r, count)) {
            return false;
        }
        ++count;
    } while (!r->last_of_row);
    if (count != expected) {
        sn_scene_fail(SN_ERROR_FORMAT, "%s:%d: %d cells, expected %d as in the first line", table->path, line,
                      count, expected);
        return false;
    }
    ++table->row_count;
    return true;
}

static bool is_blank_line(const reader *r)
{
    return *r->at == '\n' || (*r->at == '\r' && r->at + 1 < r->end && r->at[1] == '\n');
}

static bool read_rows(reader *r)
{
    while (r->at < r->end) {
        if (is_blank_line(r) && r->table->columns.count > 1) {
            read_cell(r);
        } else if (!read_row(r)) {
            return false;
        }
    }
    if (r->table->row_count == 0) {
        sn_scene_fail(SN_ERROR_FORMAT, "%s: no lines after the titles, expected numbers", r->table->path);
    }
    return r->table->row_count > 0;
}

bool table_read(table *table, const char *path)
{
    memset(table, 0, sizeof *table);
    table->path = path;
    char *text;
    size_t size;
    if (sn_source_read(NULL, path, SN_MAX_TEXT_BYTES, &text, &size) != SN_OK) {
        return false;
    }
    bool marked = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
    reader r = {.table = table, .at = text + (marked ? 3 : 0), .end = text + size, .line = 1, .enough = true};
    bool fine = r.at < r.end;
    if (!fine) {
        sn_scene_fail(SN_ERROR_FORMAT, "%s: is empty, expected a line of titles and lines of numbers", path);
    }
    fine = fine && read_titles(&r) && read_rows(&r);
    SN_LIST_FREE(&r.cell);
    free(text);
    return fine;
}

// --- asking ------------------------------------------------------------------------------------------------

void table_release(table *table)
{
    for (int i = 0; i < table->columns.count; ++i) {
        free(table->columns.items[i].title);
        free(table->columns.items[i].name);
        free(table->columns.items[i].unit);
    }
    SN_LIST_FREE(&table->columns);
    SN_LIST_FREE(&table->values);
    table->row_count = 0;
}

double table_value(const table *table, int row, int column)
{
    return table->values.items[(size_t)row * (size_t)table->columns.count + (size_t)column];
}

int table_find(const table *table, const char *name)
{
    for (int i = 0; i < table->columns.count; ++i) {
        const table_column *column = &table->columns.items[i];
        if (strcmp(column->title, name) == 0 || strcmp(column->name, name) == 0) {
            return i;
        }
    }
    return -1;
}

const char *table_suggest(const table *table, const char *misspelt)
{
    const char **names = malloc((size_t)table->columns.count * sizeof *names + 1);
    if (names == NULL) {
        return NULL;
    }
    for (int i = 0; i < table->columns.count; ++i) {
        names[i] = table->columns.items[i].name;
    }
    const char *nearest = sn_suggest(misspelt, names, table->columns.count);
    free(names);
    return nearest;
}

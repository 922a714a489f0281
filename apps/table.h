// Tables of numbers in comma-separated text (RFC 4180), as `sinew run --trace` writes them: a line of titles,
// "name [unit]" each, and lines of numbers. The file is hostile until proven otherwise.
#ifndef SINEW_APPS_TABLE_H
#define SINEW_APPS_TABLE_H

#include "scene/list.h"

typedef struct table_column {
    char *title; // as it stands in the file
    char *name;  // without the unit
    char *unit;  // "" for none
} table_column;

typedef struct table {
    const char *path;
    SN_LIST(table_column) columns;
    SN_LIST(double) values; // row by row; NaN where a cell is empty
    int row_count;
} table;

// Reads a file. False: sn_scene_error() names file and line, the value and what was expected. `path` must
// outlive the table, which is to be released in either case.
bool table_read(table *table, const char *path);
void table_release(table *table);

double table_value(const table *table, int row, int column);
// The column of this title or name, −1 if there is none.
int table_find(const table *table, const char *name);
// The nearest name to a misspelt one, null if none is near.
const char *table_suggest(const table *table, const char *misspelt);

#endif

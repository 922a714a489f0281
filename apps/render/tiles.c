// Marks of tiles, and the few rectangles they make: rows that are equal are taken together.
#include "apps/render/tiles.h"

#include <stdlib.h>
#include <string.h>

#define TILE 64 // [pixels]; software draws in squares of this size

bool tiles_create(tile_mask *mask, int width, int height)
{
    *mask = (tile_mask){.width = width,
                        .height = height,
                        .columns = (width + TILE - 1) / TILE,
                        .rows = (height + TILE - 1) / TILE};
    mask->marks = calloc((size_t)mask->columns * (size_t)mask->rows, 1);
    return mask->marks != NULL;
}

void tiles_destroy(tile_mask *mask)
{
    free(mask->marks);
    memset(mask, 0, sizeof *mask);
}

void tiles_clear(tile_mask *mask)
{
    memset(mask->marks, 0, (size_t)mask->columns * (size_t)mask->rows);
}

static uint8_t *row_of(const tile_mask *mask, int row)
{
    return mask->marks + (size_t)row * (size_t)mask->columns;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

void tiles_mark(tile_mask *mask, render_rectangle pixels)
{
    if (pixels.width <= 0 || pixels.height <= 0) {
        return;
    }
    int first = pixels.left / TILE,
        last = smaller((pixels.left + pixels.width - 1) / TILE, mask->columns - 1);
    int top = smaller((pixels.bottom + pixels.height - 1) / TILE, mask->rows - 1);
    for (int row = pixels.bottom / TILE; row <= top && first <= last; ++row) {
        memset(row_of(mask, row) + first, 1, (size_t)(last - first + 1));
    }
}

bool tiles_next(const tile_mask *mask, tile_run *run)
{
    if (run->column == mask->columns) {
        run->column = 0;
        run->row = run->next_row;
    }
    if (run->row == mask->rows) {
        return false;
    }
    const uint8_t *marks = row_of(mask, run->row);
    int next = run->row + 1, end = run->column + 1;
    while (next < mask->rows && memcmp(marks, row_of(mask, next), (size_t)mask->columns) == 0) {
        ++next;
    }
    while (end < mask->columns && marks[end] == marks[run->column]) {
        ++end;
    }
    int left = run->column * TILE, bottom = run->row * TILE;
    run->pixels = (render_rectangle){left, bottom, smaller(end * TILE, mask->width) - left,
                                     smaller(next * TILE, mask->height) - bottom};
    run->marked = marks[run->column] != 0;
    run->column = end;
    run->next_row = next;
    return true;
}

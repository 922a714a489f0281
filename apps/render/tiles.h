// The picture in squares, some of which are marked: what costs much is drawn only where it can be seen. No
// OpenGL.
#ifndef SINEW_RENDER_TILES_H
#define SINEW_RENDER_TILES_H

#include "apps/render/view.h"

typedef struct tile_mask {
    int width, height; // of the picture [pixels]
    int columns, rows;
    uint8_t *marks; // by rows; 1 where marked
} tile_mask;

// A rectangle of tiles that are all marked, or all not.
typedef struct tile_run {
    render_rectangle pixels;
    bool marked;
    int column, row, next_row; // where the next one begins, and the rows after those that are equal
} tile_run;

// False without memory.
bool tiles_create(tile_mask *mask, int width, int height);
void tiles_destroy(tile_mask *mask);
void tiles_clear(tile_mask *mask);
// Marks all tiles of which a pixel lies in the rectangle.
void tiles_mark(tile_mask *mask, render_rectangle pixels);
// The next of the runs that cover the picture, from one that is all zeros; false after the last.
bool tiles_next(const tile_mask *mask, tile_run *run);

#endif

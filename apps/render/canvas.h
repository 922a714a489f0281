// The pixels of a picture: drawn, then in memory, where its edges are smoothed.
#ifndef SINEW_RENDER_CANVAS_H
#define SINEW_RENDER_CANVAS_H

#include "apps/render/edges.h"

typedef struct canvas {
    int width, height; // that are drawn on
    int scale;         // drawn pixels in a row of a pixel of the picture
    unsigned framebuffer;
    unsigned color, depth_stencil; // renderbuffers; depth is shared by all framebuffers
    unsigned screen_array;         // a vertex array without attributes
    uint8_t *rows;                 // width × height × 4 bytes
    bool smooth;                   // edges
    edge_smoother edges;
} canvas;

// For pictures of `width` × `height`, drawn `scale` (1, 2) times as large. False: sn_scene_error().
bool canvas_create(canvas *canvas, int width, int height, int scale, bool smooth);
void canvas_destroy(canvas *canvas);
// Runs a program once for every pixel of what is drawn on now.
void canvas_fill(const canvas *canvas, unsigned program);
// What is drawn from now on goes to the picture. Its alpha is the brightness by which edges are found, so
// what is drawn over it and has smooth edges of its own leaves alpha alone.
void canvas_begin(const canvas *canvas);
// Copies the picture, its edges smoothed, rows from top to bottom, 3 bytes a pixel.
void canvas_read(canvas *canvas, uint8_t *pixels);

#endif

// The pixels of a picture: lit, then with smooth edges, then in memory.
#ifndef SINEW_RENDER_CANVAS_H
#define SINEW_RENDER_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct canvas {
    int width, height;                      // that are drawn on
    int scale;                              // drawn pixels in a row of a pixel of the picture
    unsigned lit, finished;                 // framebuffers
    unsigned lit_color;                     // texture
    unsigned finished_color, depth_stencil; // renderbuffers; depth is shared by all framebuffers
    unsigned screen_array;                  // a vertex array without attributes
    uint8_t *rows;                          // width × height × 4 bytes
} canvas;

// For pictures of `width` × `height`, drawn `scale` (1, 2) times as large. False: sn_scene_error().
bool canvas_create(canvas *canvas, int width, int height, int scale);
void canvas_destroy(canvas *canvas);
// Runs a program once for every pixel of what is drawn on now.
void canvas_fill(const canvas *canvas, unsigned program);
// What is drawn from now on goes to the picture whose edges are still to be smoothed.
void canvas_begin(const canvas *canvas);
// Smooths its edges with this program, or just copies it if there is none; what is drawn from now on lies
// over it.
void canvas_finish(const canvas *canvas, unsigned edges_program);
// Copies the finished picture, rows from top to bottom, 3 bytes a pixel.
void canvas_read(const canvas *canvas, uint8_t *pixels);

#endif

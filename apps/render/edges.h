// Smooths the steps of edges in a picture that is in memory: Lottes's fast approximate anti-aliasing (FXAA).
// It finds how far an edge runs along its row or column and mixes in the neighbour across as much as the edge
// would cover of the pixel. Few pixels are at edges, and here the others cost next to nothing, which a
// program that runs for every pixel cannot do. No OpenGL.
#ifndef SINEW_RENDER_EDGES_H
#define SINEW_RENDER_EDGES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct edge_smoother {
    int width, height;   // of pictures [pixels]
    uint8_t *brightness; // of each pixel
    uint8_t *marks;      // of a row: not 0 where an edge is
    uint8_t *before;     // the picture as it was, 4 bytes a pixel
} edge_smoother;

// False without memory.
bool edges_create(edge_smoother *smoother, int width, int height);
void edges_destroy(edge_smoother *smoother);
// Smooths a picture of 4 bytes a pixel: red, green, blue, and the brightness by which edges are found. The
// outermost pixels, which lack neighbours to compare with, stay as they are.
void edges_smooth(edge_smoother *smoother, uint8_t *pixels);

#endif

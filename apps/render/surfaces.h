// What is seen through each pixel, before light: colour, normal and depth of the nearest surface. Light is
// computed once for every pixel afterwards, not once for every triangle that happens to be there; in software
// that is most of the time of a picture.
#ifndef SINEW_RENDER_SURFACES_H
#define SINEW_RENDER_SURFACES_H

#include "sinew/sinew.h"

typedef struct surface_buffer {
    unsigned framebuffer;
    unsigned color, normal, depth; // textures
} surface_buffer;

// `depth_stencil`: a renderbuffer of the same size, whose stencil becomes 1 where bodies are. False:
// sn_scene_error().
bool surfaces_create(surface_buffer *surfaces, int width, int height, unsigned depth_stencil);
void surfaces_destroy(surface_buffer *surfaces);
// Empties it; everything drawn from now on goes there. `farthest` is the depth of the background, `normal`
// where it faces.
void surfaces_begin(const surface_buffer *surfaces, float farthest, sn_vec3 normal);
// Everything drawn from now on goes there, over what is there.
void surfaces_continue(const surface_buffer *surfaces);
// Leaves the textures where the programs find them.
void surfaces_bind(const surface_buffer *surfaces);

#endif

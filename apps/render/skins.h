// Draws the skins of deformables: the opaque ones in one call, and clear ones over the lit picture.
#ifndef SINEW_RENDER_SKINS_H
#define SINEW_RENDER_SKINS_H

#include "apps/render/canvas.h"
#include "apps/render/drawn_skins.h"
#include "apps/render/shaders.h"
#include "apps/render/surfaces.h"

typedef struct skins {
    unsigned vertex_array, vertex_buffer, index_buffer;
    int index_count, opaque_count; // of what was uploaded
} skins;

void skins_create(skins *skins);
void skins_destroy(skins *skins);
// Hands all triangles to OpenGL.
void skins_upload(skins *skins, const drawn_skins *drawn);
// Draws the surfaces of opaque ones.
void skins_draw(const skins *skins, const shader_set *shaders);
// Draws clear ones over the canvas: far ones first, and of each its far side. What the buffer tells of
// opaque surfaces is lost.
void skins_draw_clear(const skins *skins, const shader_set *shaders, const drawn_skins *drawn,
                      const surface_buffer *surfaces, const canvas *canvas);
// Draws all with the program of shadows, which must be in use.
void skins_draw_shadow(const skins *skins);

#endif

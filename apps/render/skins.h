// Draws the skins of deformables: all of them in one call.
#ifndef SINEW_RENDER_SKINS_H
#define SINEW_RENDER_SKINS_H

#include "apps/render/drawn_skins.h"
#include "apps/render/shaders.h"

typedef struct skins {
    unsigned vertex_array, vertex_buffer, index_buffer;
    int index_count; // of what was uploaded
} skins;

void skins_create(skins *skins);
void skins_destroy(skins *skins);
// Hands all triangles to OpenGL.
void skins_upload(skins *skins, const drawn_skins *drawn);
// Draws their surfaces.
void skins_draw(const skins *skins, const shader_set *shaders);
// Draws them with the program of shadows, which must be in use.
void skins_draw_shadow(const skins *skins);

#endif

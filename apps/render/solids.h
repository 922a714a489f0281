// Draws the instances of a drawing list: one call for each geometry.
#ifndef SINEW_RENDER_SOLIDS_H
#define SINEW_RENDER_SOLIDS_H

#include "apps/render/drawing_list.h"
#include "apps/render/shaders.h"

typedef struct solids {
    unsigned instance_buffer;
} solids;

void solids_create(solids *solids);
// Takes the cache's buffers with it.
void solids_destroy(solids *solids, geometry_cache *cache);
// Hands new geometry and all instances to OpenGL, and forgets geometry that has been of no use for long.
void solids_upload(const solids *solids, const drawing_list *list, geometry_cache *cache);
// Draws the surfaces of the visible instances.
void solids_draw(const solids *solids, const shader_set *shaders, const drawing_list *list,
                 const geometry_cache *cache);
// Draws all instances, visible or not, with the program in use, more coarsely.
void solids_draw_shadow(const solids *solids, const drawing_list *list, const geometry_cache *cache);

#endif

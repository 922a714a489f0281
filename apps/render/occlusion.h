// Ambient occlusion: how open the surroundings of each pixel are, from a small picture of depths.
#ifndef SINEW_RENDER_OCCLUSION_H
#define SINEW_RENDER_OCCLUSION_H

#include "apps/render/canvas.h"
#include "apps/render/shaders.h"

typedef struct occlusion_map {
    int width, height;                     // half the picture's
    unsigned framebuffers[3], textures[3]; // rough; smooth along rows; along columns too
} occlusion_map;

// For a picture of this size. False: sn_scene_error().
bool occlusion_create(occlusion_map *map, int width, int height);
void occlusion_destroy(occlusion_map *map);
// Says that everything is open.
void occlusion_clear(const occlusion_map *map);
// Makes the map around these pixels from the surfaces, where the programs find them.
void occlusion_draw(const occlusion_map *map, const shader_set *shaders, const canvas *canvas,
                    render_rectangle pixels);
// Leaves the map where the programs find it.
void occlusion_bind(const occlusion_map *map);

#endif

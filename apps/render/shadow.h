// The shadow map: depths as the key light sees them, of what is near the things that move.
#ifndef SINEW_RENDER_SHADOW_H
#define SINEW_RENDER_SHADOW_H

#include "apps/render/skins.h"
#include "apps/render/solids.h"

typedef struct shadow_map {
    unsigned framebuffer, texture;
    unsigned comparing, reading; // samplers: the same depths compared with softly, and as they are
} shadow_map;

// Direction towards the key light: from the left and the front of the camera a scene has by default.
sn_vec3 shadow_light_direction(sn_vec3 up);

// False: sn_scene_error().
bool shadow_create(shadow_map *shadow);
void shadow_destroy(shadow_map *shadow);
// Fits the map to the list and writes its part of `frame`, which knows the light. False if there is nothing
// that could cast one.
bool shadow_fit(const drawing_list *list, const render_view *view, shader_frame *frame);
// Draws the map.
void shadow_draw(const shadow_map *shadow, const shader_set *shaders, const solids *solids,
                 const skins *skins, const drawing_list *list, const geometry_cache *cache,
                 const shader_frame *frame);
// Leaves the map where the programs find it.
void shadow_bind(const shadow_map *shadow);

#endif

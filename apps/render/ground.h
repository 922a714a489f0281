// Planes: a floor with a grid that fades into the background.
#ifndef SINEW_RENDER_GROUND_H
#define SINEW_RENDER_GROUND_H

#include "apps/render/drawing_list.h"
#include "apps/render/shaders.h"
#include "apps/render/tiles.h"

typedef struct ground {
    unsigned vertex_array, vertex_buffer;
    tile_mask near_things; // where shadows and occlusion may be
} ground;

// For a picture of this size. False: sn_scene_error().
bool ground_create(ground *ground, int width, int height);
void ground_destroy(ground *ground);
// The depths of the view between which a floor is seen [m]; infinite for the nearest of one out of view.
float ground_nearest(const drawn_plane *plane, const render_view *view);
float ground_reach(const drawn_plane *plane, const render_view *view);
// Draws all planes of the list with their colours, or only their depths for a small picture of them. `frame`
// is what the programs were given, `shadows` whether anything throws some.
void ground_draw(ground *ground, const shader_set *shaders, const drawing_list *list, const render_view *view,
                 const shader_frame *frame, bool shadows, bool grid);
void ground_draw_depth(const ground *ground, const shader_set *shaders, const drawing_list *list,
                       const render_view *view);

#endif

// Lines and points over the picture, as the world's debug drawing gives them: contacts, joints, forces,
// outlines. They are as wide everywhere, and what lies behind things shines through faintly.
#ifndef SINEW_RENDER_OVERLAYS_H
#define SINEW_RENDER_OVERLAYS_H

#include "apps/render/drawing_list.h"
#include "apps/render/shaders.h"

// As the vertex shader reads it; a point is a line of no length. Places are relative to the eye.
typedef struct overlay_line {
    float from[3], to[3];
    float width;  // [pixels]
    float behind; // how much is seen of it behind other things, 0…1
    uint8_t color[4];
} overlay_line;

typedef struct overlays {
    unsigned vertex_array, vertex_buffer;
    SN_LIST(overlay_line) lines;
    float force_scale; // length of the arrows of forces [m/N]; 0 if there are none
} overlays;

void overlays_create(overlays *overlays);
void overlays_destroy(overlays *overlays);
// Gathers what the options ask for; false without memory (sn_scene_error()). `list` is that of the picture.
bool overlays_fill(overlays *overlays, const sn_scene *scene, const render_options *options,
                   const render_view *view, const drawing_list *list);
// Draws it over what is there, whose depths decide what is behind.
void overlays_draw(const overlays *overlays, const shader_set *shaders, const render_view *view);

#endif

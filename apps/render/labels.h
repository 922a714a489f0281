// What is written in a picture: the scene's labels, and the legend of colours that stand for numbers.
#ifndef SINEW_RENDER_LABELS_H
#define SINEW_RENDER_LABELS_H

#include "apps/render/flat.h"
#include "apps/render/renderer.h"

// All return false without memory (sn_scene_error()).
bool labels_add(flat_layer *layer, const sn_scene *scene, const render_view *view);
// `limit` is the value that is fully red.
bool legend_add(flat_layer *layer, render_heat heat, float limit, const render_view *view);

// A bar as long as the arrow of a round number of newtons is where the camera looks.
bool force_legend_add(flat_layer *layer, float metres_per_newton, const render_view *view);

#endif

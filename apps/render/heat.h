// Colours that stand for numbers: how fast a body is, how far its constraints are violated. No OpenGL.
#ifndef SINEW_RENDER_HEAT_H
#define SINEW_RENDER_HEAT_H

#include "apps/render/renderer.h"

// Speed of the mass centre [m/s] or largest constraint error [m or rad]; 0 for RENDER_COLORS.
float heat_value(const sn_world *world, sn_rigid rigid, render_heat heat);
// The same of every node of a deformable: its speed; or how far the edges there that are to keep their length
// are off, and the anchors, at most [m]; or the largest strain or stress [Pa] of the elements there. `values`
// has room for one a node. False without memory.
bool heat_node_values(const sn_world *world, sn_deformable deformable, render_heat heat, float *values);
// From blue (0) over green and yellow to red (1); what lies outside is clamped.
sn_color heat_color(float fraction);
// The unit of the values, for the legend, and what they are.
const char *heat_unit(render_heat heat);
const char *heat_name(render_heat heat);

#endif

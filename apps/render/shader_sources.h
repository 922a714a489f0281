// The GLSL sources, in pieces that programs are put together from. Known to shaders.c only.
#ifndef SINEW_RENDER_SHADER_SOURCES_H
#define SINEW_RENDER_SHADER_SOURCES_H

// Shared.
extern const char shader_frame_block[]; // numbers of the picture, for vertices
extern const char shader_give[];        // hands them on to pixels
extern const char shader_take[];        // who take them
extern const char shader_tone[];        // light to screen colours and back
extern const char shader_studio[];      // the lights
extern const char shader_backdrop[];    // what is behind everything
extern const char shader_shadow_spot[]; // where shadows are looked up
extern const char shader_lit_part[];    // how much of the key light arrives

// Stages.
extern const char shader_shadow_vertex[];
extern const char shader_nothing_fragment[];
extern const char shader_solid_vertex[];
extern const char shader_surface_fragment[];
extern const char shader_box_vertex[];
extern const char shader_box_fragment[];
extern const char shader_skin_vertex[];
extern const char shader_skin_fragment[];
extern const char shader_far_side_vertex[];
extern const char shader_far_side_fragment[];
extern const char shader_solid_fragment[];
extern const char shader_ground_depth_vertex[];
extern const char shader_ground_depth_fragment[];
extern const char shader_ground_vertex[];
extern const char shader_ground_fragment[];
extern const char shader_open_part[]; // what the ground needs of its surroundings, and when there are none
extern const char shader_nothing_near[];
extern const char shader_screen_vertex[]; // one triangle that covers the picture
extern const char shader_occlusion_vertex[];
extern const char shader_occlusion_fragment[];
extern const char shader_smooth_vertex[];
extern const char shader_smooth_fragment[];
extern const char shader_clear_fragment[];
extern const char shader_backdrop_fragment[];

// Over the picture.
extern const char shader_line_vertex[];
extern const char shader_line_fragment[];
extern const char shader_flat_vertex[];
extern const char shader_flat_fragment[];

#endif

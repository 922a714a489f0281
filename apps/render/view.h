// Where the camera stands and what it sees. Everything that is drawn is given relative to the eye, so that
// pictures are sharp a thousand kilometres from the origin, where float32 cannot hold a centimetre. No
// OpenGL.
#ifndef SINEW_RENDER_VIEW_H
#define SINEW_RENDER_VIEW_H

#include "sinew_scene/scene.h"

// 4×4 matrix by columns, as OpenGL wants it.
typedef struct render_matrix {
    float at[16];
} render_matrix;

// Pixels, from the lower left corner of the picture.
typedef struct render_rectangle {
    int left, bottom, width, height;
} render_rectangle;

typedef struct render_view {
    sn_vec3 eye;                // in the world [m]
    sn_vec3 right, up, forward; // orthonormal
    float focus;                // distance from eye to target [m]
    float slope_x, slope_y;     // tangents of half the fields of view
    int width, height;          // [pixels]
    float nearest, farthest;    // what can be seen, along `forward` [m]
    render_matrix clip;         // to OpenGL's clip space, from places relative to the eye
} render_view;

// A camera that makes no sense (eye at its target, up along the view, numbers that are none) gets the nearest
// one that does; `scene_up` helps where the camera's own up does not. Sees from 1/1000 to 1000 times the
// focus until told.
render_view view_make(const sn_camera *camera, sn_vec3 scene_up, int width, int height);
// Lets a camera that was made for pictures so wide by their height see as much to the sides in narrower ones.
void view_widen(sn_camera *camera, float made_for, float aspect);
// Sets the depths between which things are seen; 0 < nearest < farthest.
void view_set_depths(render_view *view, float nearest, float farthest);

// Whether any of a sphere lies in the view, depths aside; its centre is relative to the eye.
bool view_sees(const render_view *view, sn_vec3 center, float radius);
// How many pixels a metre takes at a depth along the view.
float view_pixels_per_metre(const render_view *view, float depth);
// Where a place relative to the eye falls in the picture, in pixels from the upper left corner; false if
// behind the eye.
bool view_project(const render_view *view, sn_vec3 place, float *x, float *y);
// Pixels among which a sphere lies, depths aside; its centre is relative to the eye.
render_rectangle view_rectangle(const render_view *view, sn_vec3 center, float radius);
// Pixels of both and between; one that is 0 wide is left out.
render_rectangle rectangle_union(render_rectangle a, render_rectangle b);

#endif

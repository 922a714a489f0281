// What is in a picture: instances of geometry grouped by it, nearest first, planes, and skins of deformables.
// Made from the scene anew for each picture. No OpenGL.
#ifndef SINEW_RENDER_DRAWING_LIST_H
#define SINEW_RENDER_DRAWING_LIST_H

#include "apps/render/drawn_skins.h"
#include "apps/render/geometry.h"
#include "apps/render/renderer.h"
#include "apps/render/view.h"

// As the vertex shader reads it. Places are relative to the eye.
typedef struct drawn_instance {
    float rows[3][4]; // rotation, and in the last column the place [m]
    float extent[3];  // with the radius: see primitives.h
    float radius;     // below 0 of boxes: flat, but looking round that far from their edges
    uint8_t color[4]; // red, green, blue as on the screen; a number that tells bodies apart, 1…255
} drawn_instance;

// An instance and what the list needs to know of it.
typedef struct drawn_item {
    drawn_instance instance;
    sn_vec3 center; // of a sphere around it
    float reach;    // its radius [m]
    float depth;    // of the centre along the view [m]
    float heat;     // value that gives the colour; negative for its own colour
    int geometry;   // −1 of skins
    bool visible;   // in the view; if not it may still cast a shadow
    bool moving;    // not on a static body
} drawn_item;

// Instances of one geometry: the visible ones first.
typedef struct drawn_batch {
    int geometry, first, visible_count, count;
} drawn_batch;

// A half-space: its surface, seen from outside.
typedef struct drawn_plane {
    sn_vec3 normal, along, across;  // unit, perpendicular
    float height;                   // of the eye above it [m], > 0
    double grid_along, grid_across; // where the eye is, in the directions of the grid [m]
    sn_color color;
} drawn_plane;

typedef struct drawing_list {
    SN_LIST(drawn_item) items;
    SN_LIST(drawn_instance) instances; // in the order of the batches
    SN_LIST(drawn_batch) batches;
    SN_LIST(drawn_plane) planes;
    drawn_skins skins;        // of deformables; each has an item too, of no geometry
    SN_LIST(sn_rigid) rigids; // scratch
    SN_LIST(sn_shape) shapes; // scratch
    float heat_limit;         // what is fully red
} drawing_list;

// How high a place relative to the eye is above a plane [m].
static inline float plane_height(const drawn_plane *plane, sn_vec3 place)
{
    return plane->height + sn_dot(plane->normal, place);
}

// Fills the list with the scene as it is now. False without memory: sn_scene_error().
bool drawing_list_fill(drawing_list *list, const sn_scene *scene, const render_options *options,
                       const render_view *view, geometry_cache *cache);
void drawing_list_release(drawing_list *list);

#endif

// Every kind of triangles a picture needs, each made once: balls and capsules in several finenesses, boxes,
// and the meshes of hulls and surfaces, known by their address. No OpenGL: who draws uploads.
#ifndef SINEW_RENDER_GEOMETRY_H
#define SINEW_RENDER_GEOMETRY_H

#include "apps/render/primitives.h"
#include "scene/list.h"
#include "sinew/sinew.h"

enum {
    GEOMETRY_LEVELS = 14,
    GEOMETRY_BALL = 0,
    GEOMETRY_CAPSULE = GEOMETRY_BALL + GEOMETRY_LEVELS,
    GEOMETRY_BOX = GEOMETRY_CAPSULE + GEOMETRY_LEVELS,
    GEOMETRY_MESHES // meshes from here on
};

typedef struct geometry {
    const void *owner;    // hull or surface; null for the ones made here and for empty entries
    uint64_t fingerprint; // of the owner's data, as another may later live at the same address
    uint64_t last_used;   // frame
    solid_mesh mesh;      // until it is uploaded
    unsigned vertex_array, vertex_buffer, index_buffer; // once it is
    int index_count;
    sn_vec3 center; // of a sphere around it
    float reach;    // its radius [m]
    bool closed;    // seen from outside only; surfaces may be seen from both sides
} geometry;

typedef struct geometry_cache {
    SN_LIST(geometry) entries;
    SN_LIST(int) slots; // hash table of mesh owners: entry, or −1
    uint64_t frame;
} geometry_cache;

// False without memory (sn_scene_error()).
bool geometry_create(geometry_cache *cache);
// OpenGL's objects must be gone before.
void geometry_destroy(geometry_cache *cache);

// The level of a ball or capsule (0…GEOMETRY_LEVELS − 1) whose outline is a circle to the eye when its radius
// takes so many pixels.
int geometry_level(float radius_pixels);
// What the radius is to be multiplied with there: corners outside the true circle as far as edges are inside
// are half as far off.
float geometry_round_scale(int level);
// What stands in for an entry where only its shadow is seen: nothing has to be round to the pixel.
int geometry_for_shadow(int entry);
// The mesh of a hull, of all hulls of a compound in its frame, or of a surface in the frame of its shape.
// What is bent in them is round if they are `fine`. −1 if it could not be made: sn_scene_error() says why.
int geometry_hull(geometry_cache *cache, const sn_hull *hull, bool fine);
int geometry_compound(geometry_cache *cache, const sn_compound *compound, bool fine);
int geometry_surface(geometry_cache *cache, const sn_world *world, sn_shape shape);

// Calls `discard` for, and then forgets, meshes that have been of no use for long.
void geometry_forget_stale(geometry_cache *cache, void (*discard)(geometry *entry));

#endif

// Descending the trees of two surfaces at once, or of one against itself, to the faces that come near each
// other. Knows boxes and directions, not nodes.
#ifndef SN_COLLISION_SOFT_SOFT_DESCENT_H
#define SN_COLLISION_SOFT_SOFT_DESCENT_H

#include "collision/soft/soft_surface.h"

// Parts whose normals are within 60° of each other look the same way.
#define SN_SOFT_ALIGNED 0.5f

// Called with two faces whose boxes overlap, by their places in the order of the leaves. False stops.
typedef bool (*sn_face_pair_function)(void *context, int place_a, int place_b);

typedef struct sn_soft_descent {
    const sn_soft_surface *a, *b; // the same: every pair once, but for parts that are neighbours and alike
    float aligned;                // cosine of the angle up to which normals look the same way
    // Of one against itself: only pairs of which one is marked, by place, and by node of the tree; null: all.
    // These are few, and parts that face the same way are not told by their cones.
    const uint8_t *escaped_faces, *escaped_parts;
    sn_face_pair_function function;
    void *context;
} sn_soft_descent;

// Boxes, and of all of one against itself cones, have been fitted. False if stopped.
bool sn_soft_descend(const sn_soft_descent *descent);

// Whether two faces of one surface are neighbours, or nearly, and look the same way: as those of a patch.
static inline bool sn_soft_are_aligned(const sn_soft_surface *surface, int place_a, int place_b,
                                       float aligned)
{
    const sn_soft_leaf_face *a = &surface->leaf_faces.data[place_a], *b = &surface->leaf_faces.data[place_b];
    float near = 2.0f * surface->largest_edge / surface->scale;
    return sn_dot(a->normal, b->normal) > aligned &&
           sn_length_squared(sn_sub(a->corner, b->corner)) < near * near;
}

#endif

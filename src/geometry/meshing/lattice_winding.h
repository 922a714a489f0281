// How often a triangle surface winds around a point: the generalised winding number of Jacobson, Kavan and
// Sorkine-Hornung 2013, by the tree of Barill, Dickson, Schmidt, Levin and Jacobson 2018. It is 1 inside a
// closed surface, 0 outside, adds up where bodies overlap, and is merely smooth where the surface has a hole;
// a count of crossings along rays would tear there.
#ifndef SN_GEOMETRY_MESHING_LATTICE_WINDING_H
#define SN_GEOMETRY_MESHING_LATTICE_WINDING_H

#include "geometry/shapes/surface.h"

// What a node of the surface's tree looks like from far away.
typedef struct sn_winding_node {
    sn_vec3 center; // of area
    sn_vec3 area;   // sum of the triangles' area vectors
    float radius;   // of a ball about the centre that holds all its triangles
} sn_winding_node;

typedef struct sn_winding {
    const sn_surface *surface; // borrowed
    sn_winding_node *nodes;    // as many as the surface's tree has
} sn_winding;

// False without memory.
bool sn_winding_make(sn_winding *winding, const sn_surface *surface);
void sn_winding_release(sn_winding *winding);
// Within 0.05 of the true number.
float sn_winding_number(const sn_winding *winding, sn_vec3 point);
// Whether the number is half or more, whichever way the surface winds.
bool sn_winding_is_inside(const sn_winding *winding, sn_vec3 point);

#endif

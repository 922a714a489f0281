// The surface of a body of tetrahedra: the triangles that belong to one tetrahedron only.
//
// Tetrahedra are right-handed and their node indices below `node_count`.
#ifndef SN_SCENE_MESH_BOUNDARY_H
#define SN_SCENE_MESH_BOUNDARY_H

#include "sinew/base.h"

// The boundary, counter-clockwise from outside, in the order of the tetrahedra; `*triangles` (3 indices each)
// is to be freed with `free` and null if there are none. SN_ERROR_MEMORY.
sn_status sn_mesh_boundary(const uint32_t *tetrahedra, int tetrahedron_count, int node_count,
                           uint32_t **triangles, int *triangle_count);
// Turns those of the triangles that are part of the boundary counter-clockwise from outside; others stay.
// SN_ERROR_MEMORY.
sn_status sn_mesh_turn_outward(const uint32_t *tetrahedra, int tetrahedron_count, int node_count,
                               uint32_t *triangles, int triangle_count);

#endif

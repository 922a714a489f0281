// The bounds tree of a triangle surface, built once. What it is asked is declared in surface.h.
#ifndef SN_GEOMETRY_SHAPES_SURFACE_TREE_H
#define SN_GEOMETRY_SHAPES_SURFACE_TREE_H

#include "geometry/shapes/surface.h"

// Deepest a tree gets: below half of it triangles are split evenly, and there are at most 2^24.
#define SN_SURFACE_TREE_DEPTH 64

sn_bounds sn_triangle_bounds(const sn_vec3 *vertices, const uint32_t *triangle);

// Fills `nodes` (room for 2 × triangle_count) and `order` (triangle_count). Returns the number of nodes, or 0
// without memory.
int sn_surface_tree_build(const sn_vec3 *vertices, const uint32_t *triangles, int triangle_count,
                          sn_surface_node *nodes, uint32_t *order);

#endif

// Which of many points are the corners of their convex hull, and which faces they make. Knows nothing of the
// hull object.
#ifndef SN_GEOMETRY_SHAPES_HULL_SHAPE_H
#define SN_GEOMETRY_SHAPES_HULL_SHAPE_H

#include "geometry/shapes/hull_merge.h"

typedef struct sn_hull_shape {
    int vertex_count;
    sn_vec3 vertices[SN_MAX_HULL_VERTICES]; // in the order of the input, moved to the grid (see hull_shape.c)
    sn_hull_skin skin;                      // in terms of those vertices
    sn_hull_faces faces;
    float tolerance; // how far points may be outside, and vertices off their face [m]
} sn_hull_shape;

// `points` are finite and within SN_MAX_COORDINATE.
sn_hull_outcome sn_hull_shape_find(const sn_vec3 *points, int count, int max_vertices, sn_hull_shape *shape);

#endif

// The triangulated convex hull of grid points. Knows nothing of floats, polygon faces or the hull object.
#ifndef SN_GEOMETRY_SHAPES_HULL_BUILD_H
#define SN_GEOMETRY_SHAPES_HULL_BUILD_H

#include "geometry/shapes/hull_grid.h"
#include "sinew/shape.h"

#define SN_MAX_HULL_TRIANGLES (2 * SN_MAX_HULL_VERTICES - 4)

typedef struct sn_hull_triangle {
    int vertex[3];   // points, counter-clockwise from outside
    int neighbor[3]; // triangle across the edge from vertex k to vertex k + 1
} sn_hull_triangle;

// A closed triangulated sphere, convex without exception (neighbours may be coplanar).
typedef struct sn_hull_skin {
    int count;
    sn_hull_triangle triangles[SN_MAX_HULL_TRIANGLES];
} sn_hull_skin;

typedef enum sn_hull_outcome {
    SN_HULL_BUILT,
    SN_HULL_POINT, // the points coincide
    SN_HULL_LINE,
    SN_HULL_FLAT,
    SN_HULL_NO_MEMORY,
    SN_HULL_BROKEN // never seen; instead of an invalid hull
} sn_hull_outcome;

// Adds the point farthest outside, again and again, until the hull has `max_vertices` or no point is outside.
// Points no thicker than `flat_tolerance` (grid units) have no hull.
sn_hull_outcome sn_hull_build(const sn_grid_point *points, int count, int max_vertices, double flat_tolerance,
                              sn_hull_skin *skin);

#endif

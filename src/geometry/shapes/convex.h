// What the narrow phase collides: a convex core (point, segment or polyhedron) with a rounding radius, in its
// own frame. Spheres, capsules, boxes, hulls and triangles all become this.
#ifndef SN_GEOMETRY_SHAPES_CONVEX_H
#define SN_GEOMETRY_SHAPES_CONVEX_H

#include "geometry/shapes/hull.h"

typedef struct sn_convex {
    const sn_vec3 *points; // of the core: 1 for a sphere, 2 for a capsule, else the polyhedron's vertices
    int point_count;
    float radius;
    bool is_polyhedron;
    bool is_box; // eight vertices, six faces, in the order of sn_box_hull
    sn_polyhedron polyhedron;
} sn_convex;

// Storage for the parts of a convex made by value, whichever it is.
typedef union sn_convex_storage {
    sn_vec3 points[2];
    sn_box_hull box;
    sn_triangle_hull triangle;
} sn_convex_storage;

// Views of things as convex cores; the storage (and hull) must outlive the view. `pose` of a solid is not
// applied.
sn_convex sn_convex_sphere(sn_convex_storage *storage, sn_sphere sphere);
sn_convex sn_convex_capsule(sn_convex_storage *storage, sn_capsule capsule);
sn_convex sn_convex_box(sn_convex_storage *storage, sn_box box);
sn_convex sn_convex_hull(const sn_hull *hull);
sn_convex sn_convex_triangle(sn_convex_storage *storage, sn_vec3 a, sn_vec3 b, sn_vec3 c);
sn_convex sn_convex_solid(sn_convex_storage *storage, const sn_solid *solid);
// The view of a solid whose storage sn_convex_solid filled before; writes nothing, so threads may share it.
sn_convex sn_convex_stored(const sn_convex_storage *storage, const sn_solid *solid);

// The core point farthest along `direction` (need not be unit); its index. First of equals.
int sn_convex_support(const sn_convex *convex, sn_vec3 direction);
// Bounds, radius included, at a pose.
sn_bounds sn_convex_bounds(const sn_convex *convex, sn_pose pose);

// A point well inside the core.
static inline sn_vec3 sn_convex_center(const sn_convex *convex)
{
    return convex->is_polyhedron ? convex->polyhedron.center
                                 : sn_lerp(convex->points[0], convex->points[convex->point_count - 1], 0.5f);
}

#endif

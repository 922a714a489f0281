// Every convex solid as a core with a radius: the one thing the narrow phase collides. A sphere is a point, a
// capsule a segment, boxes, hulls and triangles are polyhedra of radius zero.
#include "geometry/shapes/convex.h"

static sn_convex rounded_points(const sn_vec3 *points, int count, float radius)
{
    return (sn_convex){.points = points, .point_count = count, .radius = radius};
}

static sn_convex sharp_polyhedron(sn_polyhedron polyhedron, bool is_box)
{
    return (sn_convex){
        .points = polyhedron.vertices,
        .point_count = polyhedron.vertex_count,
        .is_polyhedron = true,
        .is_box = is_box,
        .polyhedron = polyhedron,
    };
}

sn_convex sn_convex_sphere(sn_convex_storage *storage, sn_sphere sphere)
{
    storage->points[0] = sphere.center;
    return rounded_points(storage->points, 1, sphere.radius);
}

sn_convex sn_convex_capsule(sn_convex_storage *storage, sn_capsule capsule)
{
    storage->points[0] = capsule.a;
    storage->points[1] = capsule.b;
    return rounded_points(storage->points, 2, capsule.radius);
}

sn_convex sn_convex_box(sn_convex_storage *storage, sn_box box)
{
    sn_box_hull_make(&storage->box, box.half_extents);
    return sharp_polyhedron(sn_box_hull_view(&storage->box), true);
}

sn_convex sn_convex_hull(const sn_hull *hull)
{
    return sharp_polyhedron(hull->polyhedron, false);
}

sn_convex sn_convex_triangle(sn_convex_storage *storage, sn_vec3 a, sn_vec3 b, sn_vec3 c)
{
    sn_triangle_hull_make(&storage->triangle, a, b, c);
    return sharp_polyhedron(sn_triangle_hull_view(&storage->triangle), false);
}

sn_convex sn_convex_solid(sn_convex_storage *storage, const sn_solid *solid)
{
    switch (solid->type) {
    case SN_CAPSULE:
        return sn_convex_capsule(storage, solid->capsule);
    case SN_BOX:
        return sn_convex_box(storage, solid->box);
    case SN_HULL:
        return sn_convex_hull(solid->hull);
    default:
        return sn_convex_sphere(storage, solid->sphere);
    }
}

sn_convex sn_convex_stored(const sn_convex_storage *storage, const sn_solid *solid)
{
    switch (solid->type) {
    case SN_CAPSULE:
        return rounded_points(storage->points, 2, solid->capsule.radius);
    case SN_BOX:
        return sharp_polyhedron(sn_box_hull_view(&storage->box), true);
    case SN_HULL:
        return sn_convex_hull(solid->hull);
    default:
        return rounded_points(storage->points, 1, solid->sphere.radius);
    }
}

int sn_convex_support(const sn_convex *convex, sn_vec3 direction)
{
    int best = 0;
    float best_height = sn_dot(convex->points[0], direction);
    for (int i = 1; i < convex->point_count; ++i) {
        float height = sn_dot(convex->points[i], direction);
        if (height > best_height) {
            best_height = height;
            best = i;
        }
    }
    return best;
}

sn_bounds sn_convex_bounds(const sn_convex *convex, sn_pose pose)
{
    sn_vec3 first = sn_pose_apply(pose, convex->points[0]);
    sn_bounds bounds = {first, first};
    for (int i = 1; i < convex->point_count; ++i) {
        sn_vec3 point = sn_pose_apply(pose, convex->points[i]);
        bounds.lower = sn_min3(bounds.lower, point);
        bounds.upper = sn_max3(bounds.upper, point);
    }
    return sn_bounds_grow(bounds, convex->radius);
}

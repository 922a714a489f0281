// What every filled mesh must be like. Include after cmocka.h.
#ifndef TESTS_SUPPORT_FILL_CHECK_H
#define TESTS_SUPPORT_FILL_CHECK_H

#include "geometry/shapes/surface.h"
#include "support/mesh_quality.h"
#include "support/triangle_shapes.h"

static inline sn_mesh *fill_shape(const triangle_shape *shape, float cell)
{
    sn_mesh *mesh = NULL;
    sn_status status = sn_mesh_fill(shape->vertices, shape->vertex_count, shape->triangles,
                                    shape->triangle_count, cell, &mesh);
    if (status) {
        fail_msg("%s", sn_last_error());
    }
    return mesh;
}

/// Closed, manifold, right-handed, without gaps or overlap, with the promised angles.
static inline void assert_sound(const sn_mesh *mesh)
{
    assert_true(sn_mesh_is_closed(mesh));
    assert_true(sn_mesh_is_manifold(mesh));
    assert_true(test_least_volume(mesh) > 0.0);
    assert_float_equal(test_enclosed_volume(mesh) / sn_mesh_volume(mesh), 1.0, 2.0e-5);
    test_range angles = test_dihedral_angles(mesh);
    if (!(angles.lower > 10.0 && angles.upper < 165.0)) {
        fail_msg("dihedral angles are %g to %g", angles.lower, angles.upper);
    }
}

/// The volume a closed shape encloses.
static inline double shape_volume(const triangle_shape *shape)
{
    double sum = 0.0;
    for (int i = 0; i < shape->triangle_count; ++i) {
        const uint32_t *t = shape->triangles + 3 * i;
        const sn_vec3 corners[4] = {shape->vertices[0], shape->vertices[t[0]], shape->vertices[t[1]],
                                    shape->vertices[t[2]]};
        sum += test_volume(corners);
    }
    return sum;
}

// --- distance to the surface -------------------------------------------------------------------------------

typedef struct nearest_search {
    const sn_surface *surface;
    sn_vec3 point;
    double distance;
} nearest_search;

static inline double test_segment_distance(test_vector p, test_vector along)
{
    double t = test_dot(p, along) / test_dot(along, along);
    t = t < 0.0 ? 0.0 : (t > 1.0 ? 1.0 : t);
    test_vector away = {p.x - t * along.x, p.y - t * along.y, p.z - t * along.z};
    return sqrt(test_dot(away, away));
}

static inline bool nearest_try(void *context, int triangle)
{
    nearest_search *search = context;
    const uint32_t *t = search->surface->triangles + 3 * (size_t)triangle;
    const sn_vec3 *v = search->surface->vertices;
    test_vector normal = test_cross(test_between(v[t[0]], v[t[1]]), test_between(v[t[0]], v[t[2]]));
    double above = test_dot(test_between(v[t[0]], search->point), normal) / sqrt(test_dot(normal, normal));
    bool over = true;
    for (int k = 0; k < 3; ++k) {
        test_vector edge = test_between(v[t[k]], v[t[(k + 1) % 3]]);
        test_vector p = test_between(v[t[k]], search->point);
        over = over && test_dot(test_cross(edge, p), normal) >= 0.0;
        double distance = test_segment_distance(p, edge);
        search->distance = distance < search->distance ? distance : search->distance;
    }
    if (over && fabs(above) < search->distance) {
        search->distance = fabs(above);
    }
    return true;
}

/// Whether every node of the boundary is within a distance of the surface.
static inline void assert_boundary_is_on(const sn_mesh *mesh, const triangle_shape *shape, float tolerance)
{
    sn_surface *surface = NULL;
    assert_int_equal(sn_surface_create(shape->vertices, shape->vertex_count, shape->triangles,
                                       shape->triangle_count, true, &surface),
                     SN_OK);
    for (int i = 0; i < 3 * sn_mesh_triangle_count(mesh); ++i) {
        nearest_search search = {surface, sn_mesh_nodes(mesh)[sn_mesh_triangles(mesh)[i]], INFINITY};
        sn_bounds bounds = sn_bounds_grow((sn_bounds){search.point, search.point}, tolerance);
        sn_surface_overlap(surface, bounds, nearest_try, &search);
        assert_true(search.distance <= tolerance);
    }
    sn_surface_destroy(surface);
}

#endif

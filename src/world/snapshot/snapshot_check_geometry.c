// Whether hulls and surfaces read from a snapshot are what their create functions would have made, as far as
// the narrow phase relies on it: closed polyhedra with flat faces, trees that hold every triangle once.
// Tested by tests/world/snapshot/test_snapshot_check.c.
#include "base/bit_set.h"
#include "geometry/shapes/check.h"
#include "geometry/shapes/surface_tree.h"
#include "world/snapshot/snapshot_parts.h"

// In double, as planes are made: far coordinates leave nothing of a small hull otherwise.
static double height(sn_face_plane plane, sn_vec3 p)
{
    return (double)plane.normal.x * p.x + (double)plane.normal.y * p.y + (double)plane.normal.z * p.z -
           plane.offset;
}

// --- hulls ---------------------------------------------------------------------------------------

// Faces are flat, the centre is inside and nothing sticks out, all to a thousandth of the hull's size (and
// what far coordinates lose by rounding).
static bool geometry_is_sound(const sn_hull *hull)
{
    const sn_polyhedron *p = &hull->polyhedron;
    sn_vec3 size = sn_sub(hull->bounds.upper, hull->bounds.lower);
    sn_vec3 far = sn_max3(sn_abs3(hull->bounds.lower), sn_abs3(hull->bounds.upper));
    float tolerance =
        1.0e-3f * sn_max(size.x, sn_max(size.y, size.z)) + 1.0e-5f * sn_max(far.x, sn_max(far.y, far.z));
    for (int i = 0; i < p->face_count; ++i) {
        bool inside = height(p->planes[i], p->center) < 0.0;
        for (int k = 0; k < p->vertex_count; ++k) {
            inside = inside && height(p->planes[i], p->vertices[k]) <= (double)tolerance;
        }
        if (!inside) {
            return false;
        }
    }
    for (int e = 0; e < p->half_edge_count; ++e) {
        const sn_half_edge *edge = &p->half_edges[e];
        if (!(height(p->planes[edge->face], p->vertices[edge->origin]) >= -(double)tolerance)) {
            return false;
        }
    }
    return true;
}

static bool vertices_are_sound(const sn_hull *hull)
{
    const sn_polyhedron *p = &hull->polyhedron;
    sn_error unused;
    bool sound = sn_check_points(p->vertices, p->vertex_count, &unused, "hull", "vertex") == SN_OK;
    for (int i = 0; sound && i < p->vertex_count; ++i) {
        sn_bounds point = {p->vertices[i], p->vertices[i]};
        sound = sn_bounds_contain(hull->bounds, point);
    }
    return sound;
}

void sn_check_saved_hull(sn_stream *stream, const sn_hull *hull)
{
    if (!sn_polyhedron_is_closed(&hull->polyhedron)) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, "the half-edges of a hull make no closed polyhedron");
    } else if (!vertices_are_sound(hull) || !geometry_is_sound(hull)) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, "the vertices and planes of a hull do not fit together");
    }
}

// --- surfaces ------------------------------------------------------------------------------------

// Leaves: their triangles are within their bounds, and nobody else's.
static bool leaf_is_sound(const sn_surface *surface, const sn_surface_node *node, sn_bit_set *triangles_met)
{
    if (node->first < 0 || node->count > surface->triangle_count - node->first) {
        return false;
    }
    for (int i = node->first; i < node->first + node->count; ++i) {
        uint32_t triangle = surface->order[i];
        if (triangle >= (uint32_t)surface->triangle_count || sn_bit_set_has(triangles_met, (int)triangle) ||
            !sn_bounds_contain(node->bounds, sn_triangle_bounds(surface->vertices,
                                                                surface->triangles + 3 * (size_t)triangle))) {
            return false;
        }
        sn_bit_set_add(triangles_met, (int)triangle);
    }
    return true;
}

// Inner nodes: both children come later, belong to nobody else and lie within.
static bool inner_is_sound(const sn_surface *surface, int index, uint8_t *depths)
{
    const sn_surface_node *node = &surface->nodes[index];
    if (node->first <= index || node->first > surface->node_count - 2 || depths[node->first] != 0 ||
        depths[node->first + 1] != 0 || depths[index] >= SN_SURFACE_TREE_DEPTH) {
        return false;
    }
    for (int child = node->first; child < node->first + 2; ++child) {
        depths[child] = (uint8_t)(depths[index] + 1);
        if (!sn_bounds_contain(node->bounds, surface->nodes[child].bounds)) {
            return false;
        }
    }
    return true;
}

// `depths` (all zero) get those of the nodes, the root's counted as 1.
static bool tree_is_sound(const sn_surface *surface, uint8_t *depths, sn_bit_set *triangles_met)
{
    int held = 0;
    depths[0] = 1;
    for (int i = 0; i < surface->node_count; ++i) {
        const sn_surface_node *node = &surface->nodes[i];
        bool sound = depths[i] > 0 && node->count >= 0 &&
                     (node->count == 0 ? inner_is_sound(surface, i, depths)
                                       : leaf_is_sound(surface, node, triangles_met));
        if (!sound) {
            return false;
        }
        held += node->count; // a triangle met twice was refused, so this cannot overflow
    }
    return held == surface->triangle_count;
}

void sn_check_saved_surface(sn_stream *stream, const sn_surface *surface)
{
    sn_error why;
    if (sn_check_triangles(surface->vertices, surface->vertex_count, surface->triangles,
                           surface->triangle_count, &why, "surface") != SN_OK) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, "%s", why.text);
        return;
    }
    for (int i = 0; i < surface->triangle_count; ++i) {
        if (surface->active_edges[i] > 7) {
            sn_stream_fail(stream, SN_ERROR_FORMAT, "surface: active edges of triangle %d are 0x%x", i,
                           (unsigned)surface->active_edges[i]);
            return;
        }
    }
    SN_ARRAY(uint8_t) depths = {0};
    sn_bit_set triangles_met = {0};
    if (surface->node_count < 1) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, "surface: the bounds tree has no root");
    } else if (!sn_array_resize(&depths, surface->node_count) ||
               !sn_bit_set_clear(&triangles_met, surface->triangle_count)) {
        sn_stream_fail(stream, SN_ERROR_MEMORY, "no memory to check a surface of %d triangles",
                       surface->triangle_count);
    } else if (!tree_is_sound(surface, depths.data, &triangles_met)) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, "surface: the bounds tree is no tree of all triangles");
    }
    sn_array_release(&depths);
    sn_bit_set_release(&triangles_met);
}

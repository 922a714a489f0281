// Isosurface stuffing (Labelle and Shewchuk 2007) of a triangle surface, from its vertices to the mesh: a
// lattice around it, the sign of each lattice node, the cut point of each edge between signs, nodes moved
// onto cut points too near, and a stencil for each lattice tetrahedron. All in lattice coordinates; positions
// are turned into the world's at the end.
#include "base/allocate.h"
#include "geometry/mesh/edge_pairs.h"
#include "geometry/meshing/lattice_cut.h"
#include "geometry/meshing/lattice_manifold.h"
#include "geometry/meshing/lattice_sign.h"
#include "geometry/meshing/lattice_stencil.h"
#include "geometry/shapes/check.h"

static const char *const object = "mesh fill";

typedef struct filling {
    sn_lattice lattice;
    sn_surface *surface; // in lattice coordinates
    bool closed;         // every edge of the surface has its twin
    sn_winding winding;
    sn_lattice_cuts cuts;
    sn_mesh_parts parts;
    SN_ARRAY(uint8_t) moved; // by node of the parts: it is a lattice node that was moved
} filling;

static void filling_release(filling *f)
{
    sn_lattice_release(&f->lattice);
    sn_winding_release(&f->winding);
    sn_surface_destroy(f->surface);
    sn_array_release(&f->cuts.list);
    sn_array_release(&f->moved);
    sn_mesh_parts_release(&f->parts);
}

static sn_status fail_memory(int triangle_count)
{
    return sn_fail(NULL, SN_ERROR_MEMORY, "%s: no memory for %d triangles", object, triangle_count);
}

static sn_status fail_empty(sn_bounds bounds, float cell)
{
    sn_vec3 size = sn_sub(bounds.upper, bounds.lower);
    return sn_fail(NULL, SN_ERROR_GEOMETRY,
                   "%s: nothing is inside a surface of %g x %g x %g with a cell of %g, expected a closed "
                   "surface and a cell smaller than what it encloses",
                   object, (double)size.x, (double)size.y, (double)size.z, (double)cell);
}

// --- the lattice -------------------------------------------------------------------------------------------

static sn_bounds bounds_of_used(const sn_vec3 *vertices, const uint32_t *triangles, int triangle_count)
{
    sn_bounds bounds = {vertices[triangles[0]], vertices[triangles[0]]};
    for (int i = 1; i < 3 * triangle_count; ++i) {
        bounds.lower = sn_min3(bounds.lower, vertices[triangles[i]]);
        bounds.upper = sn_max3(bounds.upper, vertices[triangles[i]]);
    }
    return bounds;
}

static float largest_component(sn_vec3 v)
{
    return sn_max(v.x, sn_max(v.y, v.z));
}

static sn_status check_cell(sn_bounds bounds, float cell)
{
    sn_vec3 reach = sn_max3(sn_abs3(bounds.lower), sn_abs3(bounds.upper));
    float least = largest_component(reach) * SN_MIN_LATTICE_CELL;
    if (cell < least) {
        return sn_fail(NULL, SN_ERROR_RANGE,
                       "%s: cell is %g, expected >= %g (1/4096 of the largest coordinate %g)", object,
                       (double)cell, (double)least, (double)largest_component(reach));
    }
    // The one node inside would be moved: its long edges are cut within a quarter. Said here, since a far
    // smaller surface would be lost to rounding in lattice coordinates.
    if (largest_component(sn_sub(bounds.upper, bounds.lower)) < 0.5f * cell) {
        return fail_empty(bounds, cell);
    }
    double nodes = sn_lattice_count_nodes(bounds, cell);
    if (nodes > SN_MAX_LATTICE_NODES) {
        float enough = cell;
        while (sn_lattice_count_nodes(bounds, enough) > SN_MAX_LATTICE_NODES) {
            enough *= 1.02f;
        }
        return sn_fail(NULL, SN_ERROR_RANGE,
                       "%s: cell is %g, which makes a lattice of %.0f points, expected <= %d (a cell of %g)",
                       object, (double)cell, nodes, SN_MAX_LATTICE_NODES, (double)enough);
    }
    return SN_OK;
}

// The surface in lattice coordinates, welded and with its tree. Vertices without a triangle may be anywhere
// and are put within the lattice.
static sn_status make_surface(filling *f, const sn_vec3 *vertices, int vertex_count,
                              const uint32_t *triangles, int triangle_count)
{
    size_t bytes = (size_t)vertex_count * sizeof(sn_vec3);
    sn_vec3 *turned = sn_allocate(bytes);
    if (!turned) {
        return fail_memory(triangle_count);
    }
    sn_vec3 lower = {0.0f, 0.0f, 0.0f},
            upper = {2.0f * (float)(f->lattice.width - 1), 2.0f * (float)(f->lattice.height - 1),
                     2.0f * (float)(f->lattice.depth - 1)};
    for (int i = 0; i < vertex_count; ++i) {
        sn_vec3 p = sn_lattice_from_world(&f->lattice, vertices[i]);
        turned[i] = sn_min3(upper, sn_max3(lower, p));
    }
    sn_status status = sn_surface_create(turned, vertex_count, triangles, triangle_count, true, &f->surface);
    sn_release(turned, bytes);
    if (status == SN_ERROR_GEOMETRY) {
        return sn_fail(NULL, status, "%s: none of the %d triangles has an area", object, triangle_count);
    }
    return status;
}

static bool find_closed(filling *f)
{
    int half_edges = 3 * f->surface->triangle_count;
    size_t bytes = (size_t)half_edges * sizeof(int);
    int *twins = sn_allocate(bytes);
    bool enough = twins && sn_edge_pairs(f->surface->triangles, f->surface->triangle_count,
                                         f->surface->vertex_count, twins);
    f->closed = enough;
    for (int i = 0; f->closed && i < half_edges; ++i) {
        f->closed = twins[i] >= 0;
    }
    sn_release(twins, bytes);
    return enough;
}

// --- stuffing ----------------------------------------------------------------------------------------------

// Appends a node at a place in lattice coordinates; −1 without memory.
static int add_node(filling *f, sn_vec3 place, bool moved)
{
    sn_vec3 position = sn_lattice_to_world(&f->lattice, place);
    if (!sn_array_push(&f->parts.nodes, position) || !sn_array_push(&f->moved, moved)) {
        return -1;
    }
    return f->parts.nodes.count - 1;
}

static int number_of_cut(filling *f, int inside, int outside)
{
    sn_lattice_cut *cut = sn_lattice_cut_between(&f->cuts, inside, outside);
    if (cut->number < 0) {
        cut->number = add_node(f, sn_lattice_cut_position(&f->lattice, cut), false);
    }
    return cut->number;
}

static int number_of_lattice_node(filling *f, int node)
{
    int *number = &f->lattice.number[node];
    if (*number == -1) {
        *number = add_node(f, sn_lattice_position(&f->lattice, node), false);
    } else if (*number < -1) {
        const sn_lattice_cut *cut = &f->cuts.list.data[-2 - *number];
        int made = add_node(f, sn_lattice_cut_position(&f->lattice, cut), true);
        *number = made < 0 ? *number : made;
        return made;
    }
    return *number;
}

// Two corners and two centres, as sn_lattice_stencil has them.
static bool stuff_tetrahedron(filling *f, const int nodes[4], unsigned even)
{
    int8_t signs[4];
    for (int k = 0; k < 4; ++k) {
        signs[k] = f->lattice.sign[nodes[k]];
    }
    sn_stencil stencil;
    sn_lattice_stencil(signs, even, &stencil);
    for (int t = 0; t < stencil.count; ++t) {
        for (int k = 0; k < 4; ++k) {
            sn_stencil_point p = stencil.tetrahedra[t][k];
            int number = p.inside == p.outside ? number_of_lattice_node(f, nodes[p.inside])
                                               : number_of_cut(f, nodes[p.inside], nodes[p.outside]);
            if (number < 0 || !sn_array_push(&f->parts.tetrahedra, (uint32_t)number)) {
                return false;
            }
        }
    }
    return true;
}

static sn_lattice_place moved_along(sn_lattice_place p, int axis)
{
    p.x += axis == 0;
    p.y += axis == 1;
    p.z += axis == 2;
    return p;
}

static bool is_even(sn_lattice_place p)
{
    return (p.x + p.y + p.z) % 2 == 0;
}

// The four tetrahedra between the centres of a cube and the next along an axis: one for each edge of the face
// between the two.
static bool stuff_face(filling *f, sn_lattice_place cube, int axis)
{
    int across = (axis + 1) % 3, up = (axis + 2) % 3;
    sn_lattice_place next = moved_along(cube, axis), corner[4];
    corner[0] = (sn_lattice_place){next.x, next.y, next.z, false};
    corner[1] = moved_along(corner[0], across);
    corner[2] = moved_along(corner[1], up);
    corner[3] = moved_along(corner[0], up);
    int number[4];
    bool any = false;
    for (int k = 0; k < 4; ++k) {
        number[k] = sn_lattice_node(&f->lattice, corner[k]);
        any = any || f->lattice.sign[number[k]] > 0;
    }
    int low = sn_lattice_node(&f->lattice, cube), high = sn_lattice_node(&f->lattice, next);
    any = any || f->lattice.sign[low] > 0 || f->lattice.sign[high] > 0;
    for (int k = 0; any && k < 4; ++k) {
        int end = (k + 1) % 4;
        const int nodes[4] = {number[k], number[end], low, high};
        unsigned even = (unsigned)is_even(corner[k]) | (unsigned)is_even(corner[end]) << 1 |
                        (unsigned)is_even(cube) << 2 | (unsigned)is_even(next) << 3;
        if (!stuff_tetrahedron(f, nodes, even)) {
            return false;
        }
    }
    return true;
}

// The outermost cubes are outside, so every tetrahedron with something inside is found from a cube before the
// last but one.
static bool stuff(filling *f)
{
    for (int z = 0; z + 2 < f->lattice.depth; ++z) {
        for (int y = 0; y + 2 < f->lattice.height; ++y) {
            for (int x = 0; x + 2 < f->lattice.width; ++x) {
                for (int axis = 0; axis < 3; ++axis) {
                    if (!stuff_face(f, (sn_lattice_place){x, y, z, true}, axis)) {
                        return false;
                    }
                }
            }
        }
    }
    return true;
}

// --- all together ------------------------------------------------------------------------------------------

// Each lattice node has a share of six tetrahedra. Looked at before they are made, to fail early.
static sn_status check_inside(const filling *f, float cell)
{
    double tetrahedra = 0.0;
    for (int node = 0; node < f->lattice.node_count; ++node) {
        tetrahedra += f->lattice.sign[node] > 0 ? 6.0 : 0.0;
    }
    if (tetrahedra > SN_MAX_MESH_COUNT) {
        return sn_fail(NULL, SN_ERROR_RANGE,
                       "%s: cell is %g, which makes more than %.0f tetrahedra, expected <= %d", object,
                       (double)cell, tetrahedra, SN_MAX_MESH_COUNT);
    }
    return SN_OK;
}

static sn_status fill(filling *f, float cell)
{
    if (!sn_winding_make(&f->winding, f->surface) || !find_closed(f)) {
        return fail_memory(f->surface->triangle_count);
    }
    sn_lattice_find_signs(&f->lattice, &f->winding, f->closed);
    if (!sn_lattice_find_cuts(&f->lattice, &f->winding, &f->cuts)) {
        return fail_memory(f->surface->triangle_count);
    }
    sn_lattice_warp(&f->lattice, &f->cuts);
    sn_status status = check_inside(f, cell);
    if (!status && (!stuff(f) || !sn_lattice_make_manifold(&f->parts, f->moved.data))) {
        status = fail_memory(f->surface->triangle_count);
    }
    return status;
}

static sn_status finish(const filling *f, sn_bounds bounds, float cell, sn_mesh **mesh)
{
    return f->parts.tetrahedra.count > 0 ? sn_mesh_parts_create(&f->parts, mesh) : fail_empty(bounds, cell);
}

sn_status sn_mesh_fill(const sn_vec3 *vertices, int vertex_count, const uint32_t *triangles,
                       int triangle_count, float cell, sn_mesh **mesh)
{
    if (!mesh) {
        return sn_fail(NULL, SN_ERROR_NULL, "%s: mesh is null", object);
    }
    sn_status status = sn_check_triangles(vertices, vertex_count, triangles, triangle_count, NULL, object);
    status = status ? status : sn_check_size(cell, NULL, object, "cell");
    if (status) {
        return status;
    }
    sn_bounds bounds = bounds_of_used(vertices, triangles, triangle_count);
    status = check_cell(bounds, cell);
    filling f = {0};
    if (!status && !sn_lattice_make(&f.lattice, bounds, cell)) {
        status = fail_memory(triangle_count);
    }
    status = status ? status : make_surface(&f, vertices, vertex_count, triangles, triangle_count);
    status = status ? status : fill(&f, cell);
    status = status ? status : finish(&f, bounds, cell, mesh);
    filling_release(&f);
    return status;
}

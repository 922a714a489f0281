// The surface object: welds what comes in, drops triangles without area, finds which edges stick out, and
// shares the result by reference count. The tree and its queries are in surface_tree.c.
#include "geometry/shapes/surface.h"
#include "base/allocate.h"
#include "base/array.h"
#include "geometry/mesh/edge_pairs.h"
#include "geometry/mesh/weld.h"
#include "geometry/shapes/check.h"
#include "geometry/shapes/surface_tree.h"
#include <float.h>
#include <string.h>

// Vertices this close, relative to the largest coordinate, are one: float32 rounding apart and no more, so
// that no real feature is lost.
#define WELD_TOLERANCE (4.0f * FLT_EPSILON)
// Sine and cosine of one degree: edges bent less count as flat.
#define SINE_FLAT   0.0174524064f
#define COSINE_FLAT 0.9998476952f

// What is known before the sizes of the final arrays are.
typedef struct draft {
    SN_ARRAY(sn_vec3) vertices;
    SN_ARRAY(uint32_t) triangles;
    SN_ARRAY(int) numbers; // first of welded vertices by vertex, later twins by half-edge
    SN_ARRAY(uint8_t) active_edges;
    SN_ARRAY(sn_surface_node) nodes;
    SN_ARRAY(uint32_t) order;
    int vertex_count, triangle_count, node_count;
} draft;

static void draft_release(draft *d)
{
    sn_array_release(&d->vertices);
    sn_array_release(&d->triangles);
    sn_array_release(&d->numbers);
    sn_array_release(&d->active_edges);
    sn_array_release(&d->nodes);
    sn_array_release(&d->order);
}

// --- welding -------------------------------------------------------------------------------------

static float weld_tolerance(const sn_vec3 *vertices, int count)
{
    sn_vec3 largest = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < count; ++i) {
        largest = sn_max3(largest, sn_abs3(vertices[i]));
    }
    return WELD_TOLERANCE * sn_max(SN_MIN_SIZE, sn_max(largest.x, sn_max(largest.y, largest.z)));
}

// A triangle lower than the tolerance has no direction to speak of.
static bool has_area(const sn_vec3 *v, const uint32_t *t, float tolerance)
{
    sn_vec3 ab = sn_sub(v[t[1]], v[t[0]]), ac = sn_sub(v[t[2]], v[t[0]]), bc = sn_sub(v[t[2]], v[t[1]]);
    float longest =
        sqrtf(sn_max(sn_length_squared(ab), sn_max(sn_length_squared(ac), sn_length_squared(bc))));
    return sn_length(sn_cross(ab, ac)) > tolerance * longest;
}

// Copies the vertices that triangles use, welds them, and keeps the triangles that have an area. False
// without memory.
static bool weld(draft *d, const sn_vec3 *vertices, int vertex_count, const uint32_t *triangles,
                 int triangle_count)
{
    if (!sn_array_resize(&d->vertices, vertex_count) || !sn_array_resize(&d->triangles, 3 * triangle_count) ||
        !sn_array_resize(&d->numbers, vertex_count)) {
        return false;
    }
    memcpy(d->vertices.data, vertices, (size_t)vertex_count * sizeof(sn_vec3));
    memset(d->numbers.data, -1, (size_t)vertex_count * sizeof(int));
    for (int i = 0; i < 3 * triangle_count; ++i) {
        d->numbers.data[triangles[i]] = 0;
    }
    float tolerance = weld_tolerance(vertices, vertex_count);
    d->vertex_count = sn_weld(d->vertices.data, vertex_count, tolerance, d->numbers.data);
    if (d->vertex_count < 0) {
        return false;
    }
    for (int i = 0; i < triangle_count; ++i) {
        uint32_t *kept = d->triangles.data + 3 * (size_t)d->triangle_count;
        for (int k = 0; k < 3; ++k) {
            kept[k] = (uint32_t)d->numbers.data[triangles[3 * i + k]];
        }
        d->triangle_count += has_area(d->vertices.data, kept, tolerance);
    }
    return true;
}

// --- edges ---------------------------------------------------------------------------------------

static sn_vec3 triangle_normal(const draft *d, int triangle)
{
    const uint32_t *t = d->triangles.data + 3 * (size_t)triangle;
    const sn_vec3 *v = d->vertices.data;
    return sn_normalize(sn_cross(sn_sub(v[t[1]], v[t[0]]), sn_sub(v[t[2]], v[t[0]])));
}

// Whether the surface bends over an edge by more than a degree: away from the side that collides, or, if
// both do, either way.
static bool sticks_out(const draft *d, int half_edge, int twin, bool double_sided)
{
    sn_vec3 normal = triangle_normal(d, half_edge / 3), other = triangle_normal(d, twin / 3);
    sn_vec3 from = d->vertices.data[d->triangles.data[half_edge]];
    sn_vec3 to = d->vertices.data[d->triangles.data[twin]];
    float cosine = sn_dot(normal, other);
    float sine = sn_dot(sn_cross(normal, other), sn_normalize(sn_sub(to, from)));
    if (cosine < -COSINE_FLAT) {
        return true; // folded flat on itself: which way is not to be told
    }
    float outward = double_sided ? sn_abs(sine) : sine;
    return outward > 0.0f && (outward > SINE_FLAT || cosine < 0.0f);
}

static bool find_active_edges(draft *d, bool double_sided)
{
    if (!sn_array_resize(&d->numbers, 3 * d->triangle_count) ||
        !sn_array_resize(&d->active_edges, d->triangle_count) ||
        !sn_edge_pairs(d->triangles.data, d->triangle_count, d->vertex_count, d->numbers.data)) {
        return false;
    }
    for (int i = 0; i < d->triangle_count; ++i) {
        unsigned bits = 0;
        for (int k = 0; k < 3; ++k) {
            int twin = d->numbers.data[3 * i + k];
            bool active = twin < 0 || sticks_out(d, 3 * i + k, twin, double_sided);
            bits |= (unsigned)active << k;
        }
        d->active_edges.data[i] = (uint8_t)bits;
    }
    return true;
}

static bool build_tree(draft *d)
{
    if (!sn_array_resize(&d->nodes, 2 * d->triangle_count) ||
        !sn_array_resize(&d->order, d->triangle_count)) {
        return false;
    }
    d->node_count = sn_surface_tree_build(d->vertices.data, d->triangles.data, d->triangle_count,
                                          d->nodes.data, d->order.data);
    return d->node_count > 0;
}

// --- making --------------------------------------------------------------------------------------

sn_surface *sn_surface_allocate(int vertex_count, int triangle_count, int node_count)
{
    size_t nodes_at = sizeof(sn_surface);
    size_t vertices_at = nodes_at + (size_t)node_count * sizeof(sn_surface_node);
    size_t triangles_at = vertices_at + (size_t)vertex_count * sizeof(sn_vec3);
    size_t order_at = triangles_at + (size_t)triangle_count * 3 * sizeof(uint32_t);
    size_t active_edges_at = order_at + (size_t)triangle_count * sizeof(uint32_t);
    size_t bytes = active_edges_at + (size_t)triangle_count;
    char *block = sn_allocate_zero(1, bytes);
    if (!block) {
        return NULL;
    }
    sn_surface *surface = (sn_surface *)(void *)block;
    surface->reference_count = 1;
    surface->vertex_count = vertex_count;
    surface->triangle_count = triangle_count;
    surface->node_count = node_count;
    surface->nodes = (sn_surface_node *)(void *)(block + nodes_at);
    surface->vertices = (sn_vec3 *)(void *)(block + vertices_at);
    surface->triangles = (uint32_t *)(void *)(block + triangles_at);
    surface->order = (uint32_t *)(void *)(block + order_at);
    surface->active_edges = (uint8_t *)(block + active_edges_at);
    surface->bytes = bytes;
    return surface;
}

static sn_surface *surface_from_draft(const draft *d, bool double_sided)
{
    sn_surface *surface = sn_surface_allocate(d->vertex_count, d->triangle_count, d->node_count);
    if (surface) {
        size_t triangle_count = (size_t)d->triangle_count;
        memcpy(surface->vertices, d->vertices.data, (size_t)d->vertex_count * sizeof(sn_vec3));
        memcpy(surface->triangles, d->triangles.data, triangle_count * 3 * sizeof(uint32_t));
        memcpy(surface->active_edges, d->active_edges.data, triangle_count);
        memcpy(surface->nodes, d->nodes.data, (size_t)d->node_count * sizeof(sn_surface_node));
        memcpy(surface->order, d->order.data, triangle_count * sizeof(uint32_t));
        surface->double_sided = double_sided;
        surface->bounds = surface->nodes[0].bounds;
    }
    return surface;
}

sn_status sn_surface_create(const sn_vec3 *vertices, int vertex_count, const uint32_t *triangles,
                            int triangle_count, bool double_sided, sn_surface **surface)
{
    if (!surface) {
        return sn_fail(NULL, SN_ERROR_NULL, "surface: surface is null");
    }
    sn_status status = sn_check_triangles(vertices, vertex_count, triangles, triangle_count, NULL, "surface");
    if (status) {
        return status;
    }
    draft d = {0};
    sn_surface *made = NULL;
    bool enough = weld(&d, vertices, vertex_count, triangles, triangle_count);
    bool flat = enough && d.triangle_count == 0;
    if (enough && !flat && find_active_edges(&d, double_sided) && build_tree(&d)) {
        made = surface_from_draft(&d, double_sided);
    }
    draft_release(&d);
    if (flat) {
        return sn_fail(NULL, SN_ERROR_GEOMETRY, "surface: none of the %d triangles has an area",
                       triangle_count);
    }
    if (!made) {
        return sn_fail(NULL, SN_ERROR_MEMORY, "surface: no memory for %d triangles", triangle_count);
    }
    *surface = made;
    return SN_OK;
}

void sn_surface_retain(const sn_surface *surface)
{
    ((sn_surface *)surface)->reference_count++;
}

void sn_surface_destroy(sn_surface *surface)
{
    if (surface && --surface->reference_count == 0) {
        sn_release(surface, surface->bytes);
    }
}

bool sn_surface_is_double_sided(const sn_surface *surface)
{
    return surface != NULL && surface->double_sided;
}

int sn_surface_triangle_count(const sn_surface *surface)
{
    return surface ? surface->triangle_count : 0;
}

void sn_surface_triangle(const sn_surface *surface, int triangle, sn_vec3 corners[3])
{
    if (!corners) {
        return;
    }
    bool exists = surface && triangle >= 0 && triangle < surface->triangle_count;
    for (int k = 0; k < 3; ++k) {
        corners[k] = exists ? surface->vertices[surface->triangles[3 * (size_t)triangle + (size_t)k]]
                            : sn_v(0.0f, 0.0f, 0.0f);
    }
}

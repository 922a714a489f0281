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
    SN_ARRAY(int) numbers; // first of welded vertices, by vertex
    int vertex_count, triangle_count;
} draft;

static void draft_release(draft *d)
{
    sn_array_release(&d->vertices);
    sn_array_release(&d->triangles);
    sn_array_release(&d->numbers);
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

// --- making --------------------------------------------------------------------------------------

// An empty surface of these counts, held once, all in one block: the object, then its arrays in falling order
// of alignment. Null without memory.
static sn_surface *allocate(int vertex_count, int triangle_count, int node_count)
{
    size_t nodes_at = sizeof(sn_surface);
    size_t vertices_at = nodes_at + (size_t)node_count * sizeof(sn_surface_node);
    size_t triangles_at = vertices_at + (size_t)vertex_count * sizeof(sn_vec3);
    size_t order_at = triangles_at + (size_t)triangle_count * 3 * sizeof(uint32_t);
    size_t bends_at = order_at + (size_t)triangle_count * sizeof(uint32_t);
    size_t corner_cosines_at = bends_at + (size_t)triangle_count * 3 * sizeof(sn_bend);
    size_t active_edges_at = corner_cosines_at + (size_t)triangle_count * 3 * sizeof(float);
    size_t owned_at = active_edges_at + (size_t)triangle_count;
    size_t bytes = owned_at + (size_t)triangle_count;
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
    surface->bends = (sn_bend *)(void *)(block + bends_at);
    surface->corner_cosines = (float *)(void *)(block + corner_cosines_at);
    surface->active_edges = (uint8_t *)(block + active_edges_at);
    surface->owned = (uint8_t *)(block + owned_at);
    surface->bytes = bytes;
    return surface;
}

// --- edges -------------------------------------------------------------------------------------------------

static sn_vec3 triangle_normal(const sn_surface *surface, int triangle)
{
    const uint32_t *t = surface->triangles + 3 * (size_t)triangle;
    const sn_vec3 *v = surface->vertices;
    return sn_normalize(sn_cross(sn_sub(v[t[1]], v[t[0]]), sn_sub(v[t[2]], v[t[0]])));
}

static sn_bend bend_over(const sn_surface *surface, int half_edge, int twin)
{
    if (twin < 0) {
        return (sn_bend){-1.0f, 0.0f};
    }
    sn_vec3 normal = triangle_normal(surface, half_edge / 3), other = triangle_normal(surface, twin / 3);
    sn_vec3 from = surface->vertices[surface->triangles[half_edge]];
    sn_vec3 to = surface->vertices[surface->triangles[twin]];
    return (sn_bend){sn_dot(normal, other), sn_dot(sn_cross(normal, other), sn_normalize(sn_sub(to, from)))};
}

// Whether the surface bends over an edge by more than a degree: away from the side that collides, or, if
// both do, either way.
static bool sticks_out(sn_bend bend, bool double_sided)
{
    if (bend.cosine < -COSINE_FLAT) {
        return true; // open, or folded flat on itself: which way is not to be told
    }
    float outward = double_sided ? sn_abs(bend.sine) : bend.sine;
    return outward > 0.0f && (outward > SINE_FLAT || bend.cosine < 0.0f);
}

// `owners`, by vertex: the triangle's corner that owns it, + 1; 0 for none yet.
static unsigned find_owned(const sn_surface *surface, int triangle, const int *twins, int *owners)
{
    unsigned bits = 0, active = surface->active_edges[triangle];
    for (unsigned k = 0; k < 3; ++k) {
        int *owner = &owners[surface->triangles[3 * (size_t)triangle + k]];
        bool is_active = (active >> k & 1u) != 0 || (active >> (k + 2) % 3 & 1u) != 0;
        bool owns = is_active && *owner == 0;
        bits |= (unsigned)(twins[k] < 0 || twins[k] / 3 > triangle) << k | (unsigned)owns << (k + 3);
        *owner = owns ? 3 * triangle + (int)k + 1 : *owner;
    }
    return bits;
}

static void find_corners(sn_surface *surface, const int *owners)
{
    for (int i = 0; i < 3 * surface->triangle_count; ++i) {
        surface->corner_cosines[i] = 1.0f;
    }
    for (int i = 0; i < 3 * surface->triangle_count; ++i) {
        int owner = owners[surface->triangles[i]] - 1, before = i % 3 == 0 ? i + 2 : i - 1;
        if (owner >= 0) {
            bool is_rim =
                surface->bends[i].cosine < -COSINE_FLAT || surface->bends[before].cosine < -COSINE_FLAT;
            float cosine = sn_dot(triangle_normal(surface, owner / 3), triangle_normal(surface, i / 3));
            float widest = is_rim || cosine < 0.0f ? -1.0f : cosine; // more than a half-space may be anything
            surface->corner_cosines[owner] = sn_min(surface->corner_cosines[owner], widest);
        }
    }
}

// Finds active edges, bends, owned edges and corners, from vertices and triangles. False without memory.
static bool find_bends(sn_surface *surface)
{
    SN_ARRAY(int) twins = {0}, owners = {0};
    bool enough =
        sn_array_resize(&twins, 3 * surface->triangle_count) &&
        sn_array_resize(&owners, surface->vertex_count) &&
        sn_edge_pairs(surface->triangles, surface->triangle_count, surface->vertex_count, twins.data);
    for (int i = 0; enough && i < surface->triangle_count; ++i) {
        unsigned bits = 0;
        for (int k = 0; k < 3; ++k) {
            sn_bend *bend = &surface->bends[3 * i + k];
            *bend = bend_over(surface, 3 * i + k, twins.data[3 * i + k]);
            bits |= (unsigned)sticks_out(*bend, surface->double_sided) << k;
        }
        surface->active_edges[i] = (uint8_t)bits;
        surface->owned[i] = (uint8_t)find_owned(surface, i, twins.data + 3 * (size_t)i, owners.data);
    }
    if (enough) {
        find_corners(surface, owners.data);
    }
    sn_array_release(&twins);
    sn_array_release(&owners);
    return enough;
}

sn_surface *sn_surface_make(const sn_vec3 *vertices, int vertex_count, const uint32_t *triangles,
                            int triangle_count, bool double_sided)
{
    SN_ARRAY(sn_surface_node) nodes = {0};
    SN_ARRAY(uint32_t) order = {0};
    int node_count = 0;
    if (sn_array_resize(&nodes, 2 * triangle_count) && sn_array_resize(&order, triangle_count)) {
        node_count = sn_surface_tree_build(vertices, triangles, triangle_count, nodes.data, order.data);
    }
    sn_surface *surface = node_count > 0 ? allocate(vertex_count, triangle_count, node_count) : NULL;
    if (surface) {
        memcpy(surface->vertices, vertices, (size_t)vertex_count * sizeof(sn_vec3));
        memcpy(surface->triangles, triangles, (size_t)triangle_count * 3 * sizeof(uint32_t));
        memcpy(surface->nodes, nodes.data, (size_t)node_count * sizeof(sn_surface_node));
        memcpy(surface->order, order.data, (size_t)triangle_count * sizeof(uint32_t));
        surface->double_sided = double_sided;
        surface->bounds = surface->nodes[0].bounds;
        if (!find_bends(surface)) {
            sn_surface_destroy(surface);
            surface = NULL;
        }
    }
    sn_array_release(&nodes);
    sn_array_release(&order);
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
    if (enough && !flat) {
        made = sn_surface_make(d.vertices.data, d.vertex_count, d.triangles.data, d.triangle_count,
                               double_sided);
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

// Inside or outside. Winding numbers are asked where triangles are near; elsewhere, if the surface is closed,
// they cannot change from node to node, so one answer floods the region.
#include "geometry/meshing/lattice_sign.h"
#include <string.h>

// Signs while they are being found.
#define UNKNOWN 0
#define NEAR    2 // shares a cube with a triangle

// Triangles are taken this much thicker, so that rounding never hides a cube from one. [half cells]
#define THICKNESS 0.01f

// --- near the surface --------------------------------------------------------------------------------------

// A triangle, cut by at most four planes. Each cut adds one point, or with bad luck in rounding half as many
// again: 3, 4, 6, 9, 13.
typedef struct polygon {
    sn_vec3 points[13];
    int count;
} polygon;

static float along(sn_vec3 p, int axis)
{
    return axis == 0 ? p.x : (axis == 1 ? p.y : p.z);
}

// What of a polygon has side × coordinate ≤ side × limit.
static polygon cut_polygon(const polygon *p, int axis, float limit, float side)
{
    polygon rest = {.count = 0};
    for (int i = 0; i < p->count; ++i) {
        sn_vec3 a = p->points[i], b = p->points[i + 1 < p->count ? i + 1 : 0];
        float above_a = side * (along(a, axis) - limit), above_b = side * (along(b, axis) - limit);
        if (above_a <= 0.0f) {
            rest.points[rest.count++] = a;
        }
        if ((above_a < 0.0f && above_b > 0.0f) || (above_a > 0.0f && above_b < 0.0f)) {
            rest.points[rest.count++] = sn_lerp(a, b, above_a / (above_a - above_b));
        }
    }
    return rest;
}

// The cubes from the lowest to the highest that a polygon reaches along an axis.
typedef struct cube_range {
    int first, last;
} cube_range;

static cube_range reach_of(const polygon *p, int axis, int corner_count)
{
    float lower = along(p->points[0], axis), upper = lower;
    for (int i = 1; i < p->count; ++i) {
        lower = sn_min(lower, along(p->points[i], axis));
        upper = sn_max(upper, along(p->points[i], axis));
    }
    float last_cube = (float)(corner_count - 2);
    return (cube_range){(int)sn_clamp(floorf(0.5f * (lower - THICKNESS)), 0.0f, last_cube),
                        (int)sn_clamp(floorf(0.5f * (upper + THICKNESS)), 0.0f, last_cube)};
}

static polygon cut_to_cube(const polygon *p, int axis, int cube)
{
    polygon below = cut_polygon(p, axis, 2.0f * (float)(cube + 1) + THICKNESS, 1.0f);
    return cut_polygon(&below, axis, 2.0f * (float)cube - THICKNESS, -1.0f);
}

static void mark_node(sn_lattice *lattice, int x, int y, int z, bool is_center)
{
    int8_t *sign = &lattice->sign[sn_lattice_node(lattice, (sn_lattice_place){x, y, z, is_center})];
    *sign = *sign == UNKNOWN ? NEAR : *sign;
}

static void mark_cubes(sn_lattice *lattice, cube_range xs, int y, int z)
{
    for (int x = xs.first; x <= xs.last; ++x) {
        mark_node(lattice, x, y, z, true);
        for (int corner = 0; corner < 8; ++corner) {
            mark_node(lattice, x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2), false);
        }
    }
}

static void mark_triangle(sn_lattice *lattice, const sn_surface *surface, int triangle)
{
    polygon whole = {.count = 3};
    for (int k = 0; k < 3; ++k) {
        whole.points[k] = surface->vertices[surface->triangles[3 * (size_t)triangle + (size_t)k]];
    }
    cube_range zs = reach_of(&whole, 2, lattice->depth);
    for (int z = zs.first; z <= zs.last; ++z) {
        polygon slice = zs.first == zs.last ? whole : cut_to_cube(&whole, 2, z);
        if (slice.count == 0) {
            continue;
        }
        cube_range ys = reach_of(&slice, 1, lattice->height);
        for (int y = ys.first; y <= ys.last; ++y) {
            polygon strip = ys.first == ys.last ? slice : cut_to_cube(&slice, 1, y);
            if (strip.count > 0) {
                mark_cubes(lattice, reach_of(&strip, 0, lattice->width), y, z);
            }
        }
    }
}

// --- signs -------------------------------------------------------------------------------------------------

// Nodes beyond the surface's bounds are outside, whatever an open surface makes of them: nothing is inside
// that is not surrounded.
static void mark_bounds(sn_lattice *lattice, sn_bounds bounds)
{
    memset(lattice->sign, -1, (size_t)lattice->node_count);
    for (int node = 0; node < lattice->node_count; ++node) {
        sn_vec3 p = sn_lattice_position(lattice, node);
        if (sn_bounds_contain(bounds, (sn_bounds){p, p})) {
            lattice->sign[node] = UNKNOWN;
        }
    }
}

static int8_t ask(const sn_lattice *lattice, const sn_winding *winding, int node)
{
    return sn_winding_is_inside(winding, sn_lattice_position(lattice, node)) ? 1 : -1;
}

// Gives the sign to all unknown nodes that short edges lead to. Each is stacked once, so the lattice's
// numbers are room enough.
static void flood(sn_lattice *lattice, int start, int8_t sign)
{
    int *stack = lattice->number, count = 0;
    lattice->sign[start] = sign;
    stack[count++] = start;
    while (count > 0) {
        int node = stack[--count];
        const int *neighbors = lattice->neighbors[node % 2];
        for (int k = 0; k < SN_LATTICE_NEIGHBORS; ++k) {
            int next = node + neighbors[k];
            if (!sn_lattice_is_long(node, next) && lattice->sign[next] == UNKNOWN) {
                lattice->sign[next] = sign;
                stack[count++] = next;
            }
        }
    }
}

void sn_lattice_find_signs(sn_lattice *lattice, const sn_winding *winding, bool closed)
{
    mark_bounds(lattice, winding->surface->bounds);
    for (int i = 0; closed && i < winding->surface->triangle_count; ++i) {
        mark_triangle(lattice, winding->surface, i);
    }
    for (int node = 0; node < lattice->node_count; ++node) {
        if (lattice->sign[node] == NEAR || (lattice->sign[node] == UNKNOWN && !closed)) {
            lattice->sign[node] = ask(lattice, winding, node);
        } else if (lattice->sign[node] == UNKNOWN) {
            flood(lattice, node, ask(lattice, winding, node));
        }
    }
}

// Static triangle meshes: welded vertices, active edges, and a bounds tree built once. Knows nothing of
// bodies.
#ifndef SN_GEOMETRY_SHAPES_SURFACE_H
#define SN_GEOMETRY_SHAPES_SURFACE_H

#include "sinew/shape.h"

typedef struct sn_surface_node {
    sn_bounds bounds;
    int first; // leaf: first entry of `order`; inner: index of the left child (right is first + 1)
    int count; // leaf: number of triangles; inner: 0
} sn_surface_node;

// How the surface bends over an edge: the angle from the normal of a triangle to that of its neighbour,
// positive where it is convex. 180° for an edge that is open or of more than two triangles.
typedef struct sn_bend {
    float cosine, sine;
} sn_bend;

struct sn_surface {
    int reference_count;
    bool double_sided;
    int vertex_count, triangle_count, node_count;
    sn_vec3 *vertices;
    uint32_t *triangles; // 3 per triangle, degenerate ones removed
    // Bit k (0…2): the edge from corner k to corner k+1 sticks out (convex by more than a degree, or open, or
    // of more than two triangles), so a contact may point sideways from it. Flat and concave inner edges have
    // the bit clear and only push along the face normal. If double-sided, an edge is convex from one side
    // when it is concave from the other, so only flat ones have it clear.
    uint8_t *active_edges;
    sn_bend *bends; // by triangle and edge k
    // Bit k: the triangle is the first that has its edge k; bit 3 + k: the first with an active edge that has
    // its corner k. What happens at an edge or a corner is told once.
    uint8_t *owned;
    // By triangle and corner it owns: cosine of the angle around its normal in which those of all triangles
    // around the corner are; −1 on a rim.
    float *corner_cosines;
    sn_surface_node *nodes; // nodes[0] is the root
    uint32_t *order;        // triangle numbers by leaf
    sn_bounds bounds;
    size_t bytes; // of the one allocation that holds all this
};

void sn_surface_retain(const sn_surface *surface);
// From vertices that are welded and triangles that have an area, held once. Null without memory.
sn_surface *sn_surface_make(const sn_vec3 *vertices, int vertex_count, const uint32_t *triangles,
                            int triangle_count, bool double_sided);

// Calls back for every triangle whose bounds overlap `bounds`, in ascending triangle order within a leaf,
// leaves in tree order; return false to stop.
typedef bool (*sn_surface_function)(void *context, int triangle);
void sn_surface_overlap(const sn_surface *surface, sn_bounds bounds, sn_surface_function function,
                        void *context);

// Nearest hit of the segment with a triangle (front faces only unless double-sided); of equally near ones the
// lowest. Returns the triangle or −1. `normal` is the face's, turned against the ray if double-sided.
int sn_surface_ray(const sn_surface *surface, sn_vec3 origin, sn_vec3 translation, float *fraction,
                   sn_vec3 *normal);

#endif

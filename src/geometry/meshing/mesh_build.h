// What builders of meshes share: growing lists of nodes and elements, and their limits.
#ifndef SN_GEOMETRY_MESHING_MESH_BUILD_H
#define SN_GEOMETRY_MESHING_MESH_BUILD_H

#include "base/array.h"
#include "sinew/mesh.h"

typedef struct sn_mesh_parts {
    SN_ARRAY(sn_vec3) nodes;
    SN_ARRAY(uint32_t) edges, triangles, tetrahedra; // 2, 3, 4 nodes each
} sn_mesh_parts;

// How many of each a builder is going to add. In double, so that any product of ints can be written down
// before it is judged.
typedef struct sn_mesh_counts {
    double nodes, edges, triangles, tetrahedra;
} sn_mesh_counts;

// SN_ERROR_NULL for no `mesh`, SN_ERROR_RANGE for counts beyond SN_MAX_MESH_COUNT, SN_ERROR_MEMORY; then
// adding that many needs no checks.
sn_status sn_mesh_parts_reserve(sn_mesh_parts *parts, sn_mesh_counts counts, const char *object,
                                sn_mesh **mesh);
// Makes the mesh of what was added.
sn_status sn_mesh_parts_create(const sn_mesh_parts *parts, sn_mesh **mesh);
void sn_mesh_parts_release(sn_mesh_parts *parts);
// SN_ERROR_RANGE unless `lower` ≤ cells ≤ SN_MAX_MESH_COUNT.
sn_status sn_mesh_check_cells(int cells, int lower, const char *object, const char *field);

static inline void sn_mesh_add_node(sn_mesh_parts *parts, sn_vec3 position)
{
    parts->nodes.data[parts->nodes.count++] = position;
}
static inline void sn_mesh_add_edge(sn_mesh_parts *parts, int a, int b)
{
    uint32_t *corners = parts->edges.data + parts->edges.count;
    corners[0] = (uint32_t)a;
    corners[1] = (uint32_t)b;
    parts->edges.count += 2;
}
static inline void sn_mesh_add_triangle(sn_mesh_parts *parts, int a, int b, int c)
{
    uint32_t *corners = parts->triangles.data + parts->triangles.count;
    corners[0] = (uint32_t)a;
    corners[1] = (uint32_t)b;
    corners[2] = (uint32_t)c;
    parts->triangles.count += 3;
}
static inline void sn_mesh_add_tetrahedron(sn_mesh_parts *parts, int a, int b, int c, int d)
{
    uint32_t *corners = parts->tetrahedra.data + parts->tetrahedra.count;
    corners[0] = (uint32_t)a;
    corners[1] = (uint32_t)b;
    corners[2] = (uint32_t)c;
    corners[3] = (uint32_t)d;
    parts->tetrahedra.count += 4;
}
// Corners a, b, c, d counter-clockwise; the diagonal joins a and c, or b and d.
static inline void sn_mesh_add_square(sn_mesh_parts *parts, int a, int b, int c, int d, bool joins_a_and_c)
{
    if (joins_a_and_c) {
        sn_mesh_add_triangle(parts, a, b, c);
        sn_mesh_add_triangle(parts, a, c, d);
    } else {
        sn_mesh_add_triangle(parts, a, b, d);
        sn_mesh_add_triangle(parts, b, c, d);
    }
}

#endif

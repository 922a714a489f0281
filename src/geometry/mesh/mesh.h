// Meshes of deformables: nodes at rest, edges, triangles, tetrahedra. Knows nothing of materials, bodies or
// worlds.
#ifndef SN_GEOMETRY_MESH_MESH_H
#define SN_GEOMETRY_MESH_MESH_H

#include "sinew/mesh.h"

#define SN_COOKIE_MESH 0x534e4d45u

struct sn_mesh {
    int reference_count;
    int node_count, edge_count, triangle_count, tetrahedron_count;
    sn_vec3 *nodes;
    uint32_t *edges;      // 2 each, lower first, sorted
    uint32_t *triangles;  // 3 each; of tetrahedra the boundary, outward
    uint32_t *tetrahedra; // 4 each, right-handed
    bool closed, manifold;
    float length, area, volume;
    sn_bounds bounds;
    size_t bytes; // of the one allocation that holds all this
};

void sn_mesh_retain(const sn_mesh *mesh);
// An empty mesh of these counts, held once, all in one block: the object, then its arrays. Null without
// memory.
sn_mesh *sn_mesh_allocate(int node_count, int edge_count, int triangle_count, int tetrahedron_count);

// The number of the edge between two nodes, or −1 if there is none.
int sn_mesh_find_edge(const sn_mesh *mesh, uint32_t a, uint32_t b);

#endif

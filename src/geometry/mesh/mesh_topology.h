// How the elements of a mesh hang together: what is there twice, which edges they have, which faces of
// tetrahedra are boundary, whether triangles form a surface. Knows node numbers, not positions.
#ifndef SN_GEOMETRY_MESH_MESH_TOPOLOGY_H
#define SN_GEOMETRY_MESH_MESH_TOPOLOGY_H

#include "base/array.h"
#include "sinew/mesh.h"

typedef struct sn_index_list {
    SN_ARRAY(uint32_t) indices;
} sn_index_list;

// SN_ERROR_GEOMETRY if two of the elements have the same corners, in whatever order; `noun` names them.
// SN_ERROR_MEMORY.
sn_status sn_mesh_check_repeated(const uint32_t *elements, int width, int count, int node_count,
                                 const char *noun);
// Appends (3 each, outward) the faces of right-handed tetrahedra that only one of them has. SN_ERROR_GEOMETRY
// if a face has more than two, or two on the same side. SN_ERROR_MEMORY.
sn_status sn_mesh_find_boundary(const uint32_t *tetrahedra, int count, int node_count,
                                sn_index_list *triangles);
// Appends (2 each, lower first, sorted) every edge of the elements of a definition once. False without
// memory.
bool sn_mesh_find_edges(const sn_mesh_def *def, sn_index_list *edges);
// As sn_mesh_is_closed and sn_mesh_is_manifold say. False without memory.
bool sn_mesh_inspect_surface(const uint32_t *triangles, int count, int node_count, bool *closed,
                             bool *manifold);

#endif

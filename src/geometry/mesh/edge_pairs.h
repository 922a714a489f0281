// Which edges of a triangle list belong together. Half-edge 3t + k runs from corner k of triangle t to corner
// k + 1. Knows nothing of positions.
#ifndef SN_GEOMETRY_MESH_EDGE_PAIRS_H
#define SN_GEOMETRY_MESH_EDGE_PAIRS_H

#include "sinew/base.h"

#define SN_EDGE_OPEN    (-1) // no other triangle has this edge
#define SN_EDGE_CROWDED (-2) // more than one other has it, or one that runs the same way

// Fills `twins` (3 × triangle_count): the half-edge that runs the other way, or one of the above. Indices
// must be below vertex_count. False without memory.
bool sn_edge_pairs(const uint32_t *triangles, int triangle_count, int vertex_count, int *twins);

#endif

// Which edges of a sheet are the diagonals of its cells: the long side of two triangles with right angles.
#ifndef SN_GEOMETRY_MESH_DIAGONALS_H
#define SN_GEOMETRY_MESH_DIAGONALS_H

#include "geometry/mesh/mesh.h"

// Sets flags[e] (one for each edge of the mesh) to 1 for a diagonal, and for an edge of no triangle that
// crosses one. False without memory.
bool sn_mesh_find_diagonals(const sn_mesh *mesh, uint8_t *flags);

#endif

// Makes the boundary of tetrahedra a manifold. Where stuffed tetrahedra touch at a single node or edge, as
// they do where the surface is finer than the lattice, they are set apart; where that is impossible, a few
// are dropped. Knows topology only.
#ifndef SN_GEOMETRY_MESHING_LATTICE_MANIFOLD_H
#define SN_GEOMETRY_MESHING_LATTICE_MANIFOLD_H

#include "geometry/meshing/mesh_build.h"

// Changes nodes and tetrahedra so that the tetrahedra around every node form a ball, or half of one if the
// node is on the boundary. Only nodes with `suspects` set are looked at first (one for each node); nodes that
// lose tetrahedra follow. Unused nodes are removed. All tetrahedra may go. False without memory.
bool sn_lattice_make_manifold(sn_mesh_parts *parts, const uint8_t *suspects);

#endif

// What a mesh's definition must be like, element by element. How elements hang together is
// mesh_topology.h's business.
#ifndef SN_GEOMETRY_MESH_MESH_CHECK_H
#define SN_GEOMETRY_MESH_MESH_CHECK_H

#include "sinew/mesh.h"

// Counts, pointers, indices, positions, the size of every element, and that every node is used. Statuses as
// sn_mesh_create's; message in the thread's own buffer.
sn_status sn_mesh_check(const sn_mesh_def *def);

#endif

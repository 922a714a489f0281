// Meshes of deformables as scene files describe them.
#ifndef SN_SCENE_DEFORMABLE_MESH_H
#define SN_SCENE_DEFORMABLE_MESH_H

#include "scene/reader.h"

extern const sn_family sn_family_mesh;

// Makes the mesh of a node, or complains. To be destroyed by the caller.
bool sn_reader_mesh(sn_reader *reader, const sn_node *node, sn_mesh **mesh);

// The mesh written out, nodes and elements.
json_t *sn_writer_mesh(const sn_mesh *mesh);

#endif

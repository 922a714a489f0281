// Meshes of deformables as scene files describe them.
#ifndef SN_SCENE_DEFORMABLE_MESH_H
#define SN_SCENE_DEFORMABLE_MESH_H

#include "scene/reader.h"

extern const sn_family sn_family_mesh;

// The mesh of a node, or null after a complaint. Copies share it; the reader lets go of it.
bool sn_reader_mesh(sn_reader *reader, const sn_node *node, sn_mesh **mesh);

// The mesh written out, nodes and elements.
json_t *sn_writer_mesh(const sn_mesh *mesh);

#endif

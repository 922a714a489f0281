// Meshes put together from copies of others: many separate pieces, one deformable.
#ifndef SN_SCENE_MESH_PIECES_H
#define SN_SCENE_MESH_PIECES_H

#include "scene/reader.h"

extern const sn_family sn_family_pieces;

// The mesh of a list of pieces, or a complaint. Nodes and elements are in the order of the pieces and their
// copies.
bool sn_reader_pieces(sn_reader *reader, const sn_node *list, sn_mesh **mesh);

#endif

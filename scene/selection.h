// Nodes of a deformable picked out by a scene file: by their numbers, by where they are in the rest shape, or
// as a part of it that every mesh has.
#ifndef SN_SCENE_SELECTION_H
#define SN_SCENE_SELECTION_H

#include "scene/reader.h"

extern const sn_family sn_family_selection;

typedef SN_LIST(int) sn_node_list;

// The numbers of the nodes that a value, or any value of a list, picks out of a mesh of that scale: each
// once, in ascending order. Complains, and returns false, if one picks none. The list is to be freed.
bool sn_reader_select(const sn_node *node, const sn_mesh *mesh, float scale, sn_node_list *chosen);

// Reads the number of one of `count` nodes, or complains.
bool sn_reader_node_number(const sn_node *node, int count, int *number);

// JSON of a selection by numbers.
json_t *sn_writer_selection(const int *nodes, int count);

#endif

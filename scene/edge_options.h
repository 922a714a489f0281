// Edges of a deformable that are held in a way of their own.
#ifndef SN_SCENE_EDGE_OPTIONS_H
#define SN_SCENE_EDGE_OPTIONS_H

#include "scene/selection.h"

extern const sn_family sn_family_edges;

typedef SN_LIST(sn_edge_option) sn_edge_option_list;

// Options for every edge that a value, or any value of a list, is about; false after a complaint. The list is
// to be freed.
bool sn_reader_edge_options(const sn_node *node, const sn_mesh *mesh, float scale,
                            sn_edge_option_list *options);

// The options of a definition, one by one; null if there are none.
json_t *sn_writer_edge_options(sn_writer *writer, const sn_deformable_def *def, const sn_mesh *mesh);

#endif

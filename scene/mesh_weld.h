// Joins equal nodes while a mesh is read, for files that repeat the corners of every triangle.
#ifndef SN_SCENE_MESH_WELD_H
#define SN_SCENE_MESH_WELD_H

#include "scene/mesh_builder.h"

// All zeros is empty.
typedef struct sn_mesh_weld {
    uint32_t *slots; // index of a node + 1; 0 is empty
    size_t slot_count;
} sn_mesh_weld;

// The index of the node at this very position, which is added if it is new. Nodes of the builder must all
// have come this way. 0 and −0 are the same.
sn_status sn_mesh_weld_node(sn_mesh_weld *weld, sn_mesh_builder *mesh, const sn_text_reader *reader,
                            sn_vec3 position, uint32_t *index);
void sn_mesh_weld_release(sn_mesh_weld *weld);

#endif

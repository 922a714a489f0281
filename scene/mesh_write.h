// What the writers of mesh files share: coordinates and indices as text.
#ifndef SN_SCENE_MESH_WRITE_H
#define SN_SCENE_MESH_WRITE_H

#include "scene/output.h"

// "x y z" and the end of the line, with as many digits as tell all floats apart.
void sn_mesh_write_position(sn_output *output, sn_vec3 position);
// " a b c" and the end of the line, each index counted from `first`.
void sn_mesh_write_indices(sn_output *output, const uint32_t *indices, int count, uint32_t first);

#endif

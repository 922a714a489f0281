/// \file
/// Mesh files: surfaces and tetrahedra. Reading tells formats apart by the ending of the name:
/// .obj, .stl (text and binary), .msh (Gmsh 2.2 and 4.1, text), .node/.ele (TetGen, either names both,
/// and .face if it is beside them), .vtk (legacy, text), and whatever else assimp knows, where it is built
/// in.
#ifndef SINEW_SCENE_MESH_FILE_H
#define SINEW_SCENE_MESH_FILE_H

#include "sinew/sinew.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Most nodes, triangles or tetrahedra a mesh file may hold.
#define SN_MAX_MESH_COUNT 16777216

/// A mesh as files hold it. Polygons come as triangle fans. Zero-initialised is empty.
typedef struct sn_mesh_data {
    sn_vec3 *nodes; ///< finite, each coordinate within ± SN_MAX_COORDINATE [m]
    int node_count;
    uint32_t *edges; ///< 2 node indices each: lines, strands
    int edge_count;
    uint32_t *triangles; ///< 3 each, counter-clockwise from outside
    int triangle_count;
    uint32_t *tetrahedra; ///< 4 each, right-handed: (b − a) × (c − a) · (d − a) > 0
    int tetrahedron_count;
} sn_mesh_data;

/// Reads a mesh. The file is hostile until proven otherwise: SN_ERROR_FORMAT names file and line (binary
/// files: byte), value and what was expected; SN_ERROR_FILE if it cannot be read; SN_ERROR_NAME for an
/// unknown ending; SN_ERROR_NULL; SN_ERROR_MEMORY. On failure `*data` is empty. Left-handed tetrahedra are
/// turned over, and triangles that bound tetrahedra outward; equal nodes of STL files are joined. Message in
/// sn_scene_error().
SN_API sn_status sn_mesh_file_read(const char *path, sn_mesh_data *data);
/// Writes a mesh in the format of the ending: .obj and .stl surfaces (the boundary of tetrahedra if there are
/// no triangles), .msh (4.1), .node (with .ele and .face beside it), .vtk. SN_ERROR_FILE, SN_ERROR_NAME,
/// SN_ERROR_NULL, SN_ERROR_MEMORY, SN_ERROR_GEOMETRY if the mesh breaks its promises or the format cannot
/// hold anything of it.
SN_API sn_status sn_mesh_file_write(const char *path, const sn_mesh_data *data);
/// Frees the arrays and empties the struct. Null is fine.
SN_API void sn_mesh_data_release(sn_mesh_data *data);
/// The endings that can be read or written, for help texts: ".obj .stl …".
SN_API const char *sn_mesh_file_endings(bool writing);

#ifdef __cplusplus
}
#endif
#endif

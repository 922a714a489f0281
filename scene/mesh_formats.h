// The formats of mesh files, one source file each. A parser puts what a text in memory says into a builder; a
// writer gets a mesh that mesh_file.c has checked: indices in range, coordinates finite.
#ifndef SN_SCENE_MESH_FORMATS_H
#define SN_SCENE_MESH_FORMATS_H

#include "scene/mesh_builder.h"

// What a mesh consists of and a format can hold.
enum {
    SN_MESH_NODES = 1, // nodes of no element
    SN_MESH_EDGES = 2,
    SN_MESH_TRIANGLES = 4,
    SN_MESH_TETRAHEDRA = 8
};

typedef struct sn_mesh_format {
    const char *ending; // ".obj"
    int holds;          // SN_MESH_… of what can be written
    sn_status (*parse)(sn_text_reader *reader, sn_mesh_builder *mesh);
    sn_status (*read)(const char *path, sn_mesh_builder *mesh); // for meshes in several files; else null
    sn_status (*write)(const char *path, const sn_mesh_data *data);
} sn_mesh_format;

// Reads a mesh from memory in the format of the path's ending; `path` is not opened. The files of TetGen come
// one by one here, so elements find no nodes. Otherwise as sn_mesh_file_read.
sn_status sn_mesh_parse(const char *text, size_t size, const char *path, sn_mesh_data *data);

sn_status sn_obj_parse(sn_text_reader *reader, sn_mesh_builder *mesh);
sn_status sn_obj_write(const char *path, const sn_mesh_data *data);

sn_status sn_stl_parse(sn_text_reader *reader, sn_mesh_builder *mesh);
sn_status sn_stl_write(const char *path, const sn_mesh_data *data);

sn_status sn_gmsh_parse(sn_text_reader *reader, sn_mesh_builder *mesh);
sn_status sn_gmsh_write(const char *path, const sn_mesh_data *data);

sn_status sn_vtk_parse(sn_text_reader *reader, sn_mesh_builder *mesh);
sn_status sn_vtk_write(const char *path, const sn_mesh_data *data);

// TetGen's files, in this order into the same builder.
sn_status sn_tetgen_parse_nodes(sn_text_reader *reader, sn_mesh_builder *mesh);
sn_status sn_tetgen_parse_elements(sn_text_reader *reader, sn_mesh_builder *mesh);
sn_status sn_tetgen_parse_faces(sn_text_reader *reader, sn_mesh_builder *mesh);
// `path` names any of them.
sn_status sn_tetgen_read(const char *path, sn_mesh_builder *mesh);
sn_status sn_tetgen_write(const char *path, const sn_mesh_data *data);

// sn_mesh_file_read of a file that a scene names.
sn_status sn_mesh_source_read(sn_sources *sources, const char *path, sn_mesh_data *data);

// The library assimp, where it is built in: whether it knows files of this ending (with its dot), and reading
// one. Always false and SN_ERROR_NAME where it is not.
bool sn_assimp_knows(const char *ending);
sn_status sn_assimp_read(const char *path, sn_mesh_builder *mesh);

#endif

// A mesh while a file is being read: lists that grow, and the checks every format needs. What it hands over
// in the end keeps the promises of sn_mesh_data.
#ifndef SN_SCENE_MESH_BUILDER_H
#define SN_SCENE_MESH_BUILDER_H

#include "scene/sources.h"
#include "scene/text_reader.h"
#include "sinew_scene/mesh_file.h"

typedef struct sn_mesh_edge {
    uint32_t nodes[2];
} sn_mesh_edge;

typedef struct sn_mesh_triangle {
    uint32_t nodes[3];
} sn_mesh_triangle;

typedef struct sn_mesh_tetrahedron {
    uint32_t nodes[4];
} sn_mesh_tetrahedron;

// All zeros is empty.
typedef struct sn_mesh_builder {
    SN_LIST(sn_vec3) nodes;
    SN_LIST(sn_mesh_edge) edges;
    SN_LIST(sn_mesh_triangle) triangles;
    SN_LIST(sn_mesh_tetrahedron) tetrahedra;
    sn_sources *sources;  // where files of several parts may lie; null: anywhere
    int64_t first_number; // what the file calls its first node, where nodes are numbered one after the other
} sn_mesh_builder;

// The reader is where messages say the trouble is. Node indices must be below the count of nodes (in OBJ
// files, of those the file will have in the end), except for tetrahedra, whose nodes must be there: they are
// turned right-handed, and flat ones are refused.
sn_status sn_mesh_add_node(sn_mesh_builder *mesh, const sn_text_reader *reader, sn_vec3 position);
sn_status sn_mesh_add_edge(sn_mesh_builder *mesh, const sn_text_reader *reader, uint32_t a, uint32_t b);
sn_status sn_mesh_add_triangle(sn_mesh_builder *mesh, const sn_text_reader *reader, uint32_t a, uint32_t b,
                               uint32_t c);
sn_status sn_mesh_add_tetrahedron(sn_mesh_builder *mesh, const sn_text_reader *reader,
                                  const uint32_t nodes[4]);

// A polygon given corner by corner, which becomes a fan of triangles around its first. All zeros begins one.
typedef struct sn_mesh_fan {
    uint32_t first, previous;
    int64_t corners;
} sn_mesh_fan;

sn_status sn_mesh_fan_add(sn_mesh_builder *mesh, const sn_text_reader *reader, sn_mesh_fan *fan,
                          uint32_t node);

// Three coordinates. [m]
sn_status sn_mesh_read_position(sn_text_reader *reader, sn_vec3 *position);
// The number of a node that is there already, `first_number` being the first.
sn_status sn_mesh_read_node(sn_text_reader *reader, const sn_mesh_builder *mesh, uint32_t *node);
// "node 99 does not exist, expected 1 to 8".
sn_status sn_mesh_no_such_node(const sn_text_reader *reader, const char *what, int64_t number, int64_t first,
                               int64_t last);

// Hands the lists over and empties the builder. Triangles that bound the tetrahedra are turned outward.
// SN_ERROR_MEMORY; the builder keeps everything then.
sn_status sn_mesh_finish(sn_mesh_builder *mesh, sn_mesh_data *data);
void sn_mesh_builder_release(sn_mesh_builder *mesh);

#endif

// A glTF document while it is made: the JSON lists, and what bytes they speak of. Known to the files that
// write glTF only.
#ifndef SN_SCENE_EXPORT_GLTF_DOCUMENT_H
#define SN_SCENE_EXPORT_GLTF_DOCUMENT_H

#include "scene/export_gltf.h"
#include "scene/output.h"

#include <jansson.h>

enum { FLOATS = 5126, SHORTS = 5123, INTEGERS = 5125, VERTEX_ARRAY = 34962, ELEMENT_ARRAY = 34963 };
enum { VERTEX_VIEW, CORNER_VIEW };

// Keys of one sampler, remembered for the second pass.
typedef struct sn_gltf_key_run {
    const float *values;
    int count;
} sn_gltf_key_run;

typedef struct sn_gltf_document {
    const sn_export *writer;
    const sn_gltf_state *state;
    json_t *accessors, *nodes, *samplers, *channels;
    uint64_t vertex_bytes, corner_bytes, key_bytes;
    SN_LIST(sn_gltf_key_run) keys;
    SN_LIST(float) visibility; // times and scales of bodies that come or go
    int key_view;              // the first view if there are no meshes, else the third
    int times_accessor;        // −1 until somebody moves
    SN_LIST(float *) weights;  // of the keys of deformables, one list each
    int first_soft_accessor;
    bool enough; // memory, so far
} sn_gltf_document;

// Corners are numbered with two bytes up to so many vertices.
enum { SN_GLTF_MOST_SHORT = UINT16_MAX };

enum { VISIBILITY_ROOM = 12 }; // three times and three scales

// Both note a lack of memory. The entry appended.
int sn_gltf_append(sn_gltf_document *d, json_t *list, json_t *item);
void sn_gltf_set(sn_gltf_document *d, json_t *object, const char *key, json_t *value);

json_t *sn_gltf_vector(sn_vec3 v);
// An accessor of positions at the present end of the vertices, with their bounds.
json_t *sn_gltf_positions(const sn_gltf_document *d, const sn_vec3 *positions, int count);

// Accessors of keys, which must outlive the document.
int sn_gltf_add_keys(sn_gltf_document *d, const float *values, int count, int components, const char *type);
int sn_gltf_add_times(sn_gltf_document *d, const float *times, int count);
void sn_gltf_add_channel(sn_gltf_document *d, int node, const char *path, int input, int output,
                         const char *interpolation);
// A node that has a mesh or a camera.
int sn_gltf_add_node(sn_gltf_document *d, const char *name, sn_pose pose, const char *what, int index);
// Scales what comes or goes to nothing before it appears and after it is gone.
void sn_gltf_add_visibility(sn_gltf_document *d, int appeared, int gone, int node);
// Corners of triangles, to a multiple of four bytes.
void sn_gltf_write_corners(sn_output *o, const uint32_t *indices, int triangle_count, int vertex_count);

// Deformables (export_gltf_morph.c): their accessors, meshes, one's node, and the bytes.
void sn_gltf_add_soft_accessors(sn_gltf_document *d);
void sn_gltf_add_soft_meshes(sn_gltf_document *d, json_t *meshes);
int sn_gltf_add_soft_node(sn_gltf_document *d, int index);
void sn_gltf_write_soft_vertices(const sn_gltf_document *d, sn_output *o);
void sn_gltf_write_soft_corners(const sn_gltf_document *d, sn_output *o);
void sn_gltf_release_weights(sn_gltf_document *d);

#endif

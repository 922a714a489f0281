// A run as glTF sees it: nodes that move along tracks, meshes they share, and the times of the keys.
#ifndef SN_SCENE_EXPORT_GLTF_H
#define SN_SCENE_EXPORT_GLTF_H

#include "scene/export_parts.h"
#include "sinew_scene/scene.h"

// The way of a node: one key a frame, or none while it has stood still.
typedef struct sn_gltf_track {
    sn_pose first;
    SN_LIST(sn_vec3) positions;
    SN_LIST(sn_quat) rotations; // neighbours never more than half a turn of the quaternion apart
} sn_gltf_track;

typedef struct sn_gltf_body {
    sn_rigid rigid;
    char name[SN_MAX_NAME + 1];
    int mesh;
    int appeared; // frame
    int gone;     // frame, −1 if it is still there
    sn_gltf_track track;
} sn_gltf_body;

// Where the vertices of a deformable were in one frame.
typedef struct sn_gltf_shape {
    int frame;
    sn_vec3 *vertices; // positions, then normals
} sn_gltf_shape;

typedef SN_LIST(sn_gltf_shape) sn_gltf_shape_list;

// A deformable: its shapes at the frames from which all others are interpolated.
typedef struct sn_gltf_soft {
    sn_deformable deformable;
    char name[SN_MAX_NAME + 1];
    int material;
    int appeared; // frame
    int gone;     // frame, −1 if it is still there
    uint32_t *indices;
    int vertex_count, triangle_count;
    float tolerance; // of interpolated positions [m]
    sn_gltf_shape_list keys;
    sn_gltf_shape_list waiting; // frames since the last key
} sn_gltf_soft;

typedef struct sn_gltf_camera {
    char name[SN_MAX_NAME + 1];
    float field_of_view; // [rad]
    float nearest;       // what lies nearer is cut off [m]
    sn_gltf_track track;
} sn_gltf_camera;

typedef struct sn_gltf_material {
    sn_color color;
    float opacity;
    bool thin;
} sn_gltf_material;

// A part of a mesh: triangles (an entry of `geometries`) in a material.
typedef struct sn_gltf_part {
    int geometry, material;
} sn_gltf_part;

typedef struct sn_gltf_mesh {
    int first_part, part_count;
} sn_gltf_mesh;

typedef struct sn_gltf_state {
    SN_LIST(float) times; // of the keys, ascending, from 0 [s]
    double start;         // world time of the first
    SN_LIST(sn_gltf_body) bodies;
    SN_LIST(int) body_at; // entry of `bodies` by index of the rigid body, −1 for none
    SN_LIST(sn_gltf_soft) softs;
    SN_LIST(sn_gltf_camera) cameras;
    SN_LIST(int) geometries;  // numbers in the store
    SN_LIST(int) geometry_at; // entry of `geometries` by number in the store, −1 for none
    SN_LIST(sn_gltf_material) materials;
    SN_LIST(sn_gltf_part) parts;
    SN_LIST(sn_gltf_mesh) meshes;
    sn_names material_names, mesh_names; // what each is made of, as text, to find equal ones
} sn_gltf_state;

// The entry of a material, made if there is none like it yet; −1 without memory.
int sn_gltf_find_material(sn_gltf_state *state, sn_color color, float opacity, bool thin);

// Adds the deformables of the present frame; false without memory.
bool sn_gltf_record_softs(const sn_export *writer, sn_gltf_state *state, int frame);
// Makes the last frames keys, before the writing.
bool sn_gltf_finish_softs(sn_gltf_state *state);
void sn_gltf_release_softs(sn_gltf_state *state);

// Writes NAME.glb.
sn_status sn_gltf_write(const sn_export *writer, const sn_gltf_state *state);

#endif

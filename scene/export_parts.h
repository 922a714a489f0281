// What the exporters share: the scene as bodies of pieces of triangles, gathered anew for every frame, and
// the interface a format fills in. Formats see this frame only, never the world, so that whatever makes
// pieces can be exported.
#ifndef SN_SCENE_EXPORT_PARTS_H
#define SN_SCENE_EXPORT_PARTS_H

#include "scene/list.h"
#include "scene/names.h"
#include "scene/output.h"
#include "sinew_scene/export.h"
#include "sinew_scene/skin.h"
#include "sinew_scene/triangles.h"

// --- shapes as triangles, each made once -------------------------------------------------------------------

typedef struct sn_export_geometry {
    sn_shape owner; // the shape it was made for: while it exists, so does the hull or surface it stands for
    sn_triangles triangles;
    int successor; // what took its place when its owner had gone; −1 for none
} sn_export_geometry;

// Triangles by what decides them: type, size, place in the body. Numbers of geometries stay the same until
// the store is emptied.
typedef struct sn_export_store {
    sn_names keys;
    SN_LIST(sn_export_geometry) geometries;
    int64_t vertex_count;
} sn_export_store;

// The number of the shape's geometry, made if there is none like it yet; −1 on failure, with its message.
int sn_export_store_find(sn_export_store *store, const sn_world *world, sn_shape shape, float plane_size,
                         sn_status *status);
void sn_export_store_empty(sn_export_store *store);

// --- a frame -----------------------------------------------------------------------------------------------

// Triangles of one colour, in the frame of their body.
typedef struct sn_export_piece {
    sn_triangles triangles; // borrowed, good for this frame
    int geometry;           // pieces with equal numbers have equal triangles
    sn_color color;
    bool thin; // seen from both sides: planes and surfaces
} sn_export_piece;

typedef struct sn_export_body {
    sn_rigid rigid;
    char name[SN_MAX_NAME + 1]; // never empty, free of control characters
    sn_pose pose;
    float speed;                  // of the mass centre [m/s]
    int first_piece, piece_count; // in the frame's pieces
} sn_export_body;

// A deformable as it is in this frame.
typedef struct sn_export_soft {
    sn_deformable deformable;
    char name[SN_MAX_NAME + 1]; // never empty, free of control characters
    sn_color color;
    float opacity;
    const sn_skin *skin; // through the nodes; tubes of strands. In the frame of the world
    const sn_mesh *mesh;
    const sn_node_state *nodes;
    const sn_node_velocity *velocities;
} sn_export_soft;

// The skin made for a deformable, at its index.
typedef struct sn_export_skin {
    sn_deformable owner;
    const sn_mesh *mesh;
    sn_skin skin;
} sn_export_skin;

// A point where two bodies touch.
typedef struct sn_export_contact {
    sn_vec3 position, normal; // from body a to body b
    float separation;         // negative when penetrating [m]
    float impulse;            // along the normal, of the last step [N s]
    int32_t a, b;             // indices of the bodies; −1 − index of deformables
} sn_export_contact;

struct sn_export_format_parts;

struct sn_export {
    const sn_scene *scene;
    const struct sn_export_format_parts *format;
    char *directory, *name;
    float plane_size;               // [m]
    sn_status status;               // of the first frame that failed; no more are taken then
    char failure[512];              // the message that went with it
    int frame_count;                // frames written before the present one
    double time;                    // of the present frame [s]
    SN_LIST(sn_export_body) bodies; // those that have pieces
    SN_LIST(sn_export_piece) pieces;
    SN_LIST(sn_export_soft) softs;
    SN_LIST(sn_export_skin) skins;
    SN_LIST(sn_export_contact) contacts; // of formats that want them
    sn_export_store store;
    void *state; // the format's own
};

// A format. `begin` makes the state, `frame` adds the gathered frame, `end` ties the frames together; all
// leave a message when they fail. `release` frees the state, which may be null.
typedef struct sn_export_format_parts {
    const char *opens; // ending of the file to open, after the name
    bool wants_contacts;
    bool whole_frames; // frames are done with once they are written, so triangles may be forgotten
    sn_status (*begin)(sn_export *writer);
    sn_status (*frame)(sn_export *writer);
    sn_status (*end)(sn_export *writer);
    void (*release)(sn_export *writer);
} sn_export_format_parts;

extern const sn_export_format_parts sn_export_vtk, sn_export_obj, sn_export_gltf;

// Deformables of the present frame, and what they touch; false without memory.
sn_status sn_export_gather_softs(sn_export *writer);
bool sn_export_add_soft_contacts(sn_export *writer, const sn_export_soft *soft);
// What is kept of them.
void sn_export_release_softs(sn_export *writer);

// Makes a name for files: `given`, or `kind` and the number, without control characters.
void sn_export_name(char name[SN_MAX_NAME + 1], const char *given, const char *kind, uint32_t number);

// "directory/name" and an ending, to be freed; null, after its message, without memory.
char *sn_export_path(const sn_export *writer, const char *ending);
// The same with the number of the present frame between: "directory/name_0012.obj".
char *sn_export_frame_path(const sn_export *writer, int frame, const char *suffix, const char *ending);
// Opens such a path, which may be null, and frees it. SN_ERROR_FILE also for a file the scene was read from.
sn_status sn_export_open(const sn_export *writer, char *path, sn_output *output);
// Vertices and triangles of the frame, of skins too if they are asked for. SN_ERROR_CAPACITY if a file's
// 32-bit numbers cannot count them.
sn_status sn_export_count(const sn_export *writer, bool with_skins, int *vertex_count, int *triangle_count);

#endif

// The skins of all deformables in a picture, as one heap of triangles. Made from the scene anew for each
// picture; which triangles a mesh has is remembered. No OpenGL.
#ifndef SINEW_RENDER_DRAWN_SKINS_H
#define SINEW_RENDER_DRAWN_SKINS_H

#include "apps/render/renderer.h"
#include "apps/render/rounding.h"
#include "apps/render/view.h"
#include "scene/list.h"
#include "sinew_scene/skin.h"

// What light does with a surface; the surface buffer has two bits for it.
typedef enum skin_material {
    SKIN_JELLY = 1, // lets some through
    SKIN_CLOTH = 2, // scatters it
    SKIN_PLAIN = 3  // as bodies
} skin_material;

// As the vertex shader reads it. Places are relative to the eye.
typedef struct skin_vertex {
    sn_vec3 position, normal;
    float grain[4];   // threads: where in the weave of a sheet, in threads; on strands cosine and sine of the
                      // angle around and the way along, in turns; how strongly they show, 0…1
    float material;   // 0…1 in thirds; of clear skins: how opaque they are
    uint8_t color[4]; // red, green, blue as on the screen; a number that tells it from others, 1…255
} skin_vertex;

enum { MOST_ROUNDINGS = 2 };

// A deformable's skin and what it was made for.
typedef struct kept_skin {
    sn_skin skin; // empty if there is none
    rounding
        roundings[MOST_ROUNDINGS]; // of the skin, and of what comes from the one before; empty until needed
    float edge_length;             // of its triangles in the rest shape, on average [m]
    const sn_mesh *mesh;
    uint64_t fingerprint; // of the mesh's data, as another may later live at the same address
    float thickness;
    bool solid;
} kept_skin;

// One deformable in the picture.
typedef struct drawn_skin {
    sn_deformable deformable;
    sn_vec3 center; // of a sphere around it, relative to the eye
    float reach;    // its radius [m]
    float heat;     // the largest of its values; negative for its own colour
} drawn_skin;

// Indices of a skin that lets light through.
typedef struct clear_skin {
    float depth; // of its middle [m]
    int first, count;
    float opacity; // 0…1
    render_rectangle around;
} clear_skin;

typedef struct drawn_skins {
    SN_LIST(drawn_skin) skins;
    SN_LIST(skin_vertex) vertices;
    SN_LIST(uint32_t) indices;          // of all
    int opaque_count;                   // of the first of them
    SN_LIST(clear_skin) clear_skins;    // of the others, from far to near
    SN_LIST(float) heats;               // of vertices; empty for their own colours
    SN_LIST(kept_skin) kept;            // at the deformable's index
    SN_LIST(sn_deformable) deformables; // scratch
    SN_LIST(uint32_t) clear;            // scratch: indices of clear skins
    SN_LIST(float) values;              // of nodes; scratch
    SN_LIST(sn_vec3) positions;         // of a rounded skin; scratch
    SN_LIST(sn_vec3) normals;           // of it; scratch
} drawn_skins;

// Fills the heap with the scene as it is now. Outlines of deformables go through their
// nodes, and so do surfaces if they are to be drawn. False without memory: sn_scene_error().
bool drawn_skins_fill(drawn_skins *skins, const sn_scene *scene, const render_options *options,
                      const render_view *view);
// Colours the vertices by their values; `limit` is fully red.
void drawn_skins_paint(drawn_skins *skins, float limit);
void drawn_skins_release(drawn_skins *skins);

#endif

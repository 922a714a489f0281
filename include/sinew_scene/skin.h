/// \file
/// The visible surface of deformables, for drawing and for export: triangles with smooth normals that stay
/// the same from frame to frame while their vertices move with the nodes.
#ifndef SINEW_SCENE_SKIN_H
#define SINEW_SCENE_SKIN_H

#include "sinew/sinew.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which part of a skin a vertex is on.
typedef enum sn_skin_side {
    SN_SKIN_FRONT, ///< where the triangles of a mesh face, and all of strands
    SN_SKIN_BACK,  ///< the other side of a sheet
    SN_SKIN_RIM    ///< between the two
} sn_skin_side;

/// Where a vertex comes from: between two nodes of the mesh.
typedef struct sn_skin_source {
    uint32_t from, to;
    float share; ///< 0 at `from`, 1 at `to`
    sn_skin_side side;
} sn_skin_source;

/// Triangles, fixed, and their vertices as of the last update.
typedef struct sn_skin {
    uint32_t *indices;            ///< 3 for each triangle, counter-clockwise from outside
    sn_skin_source *sources;      ///< one for each vertex
    sn_vec3 *positions, *normals; ///< one for each vertex; zero before the first update
    sn_vec3 *rest; ///< one for each vertex: where it is in the rest shape [m]; on strands cosine
                   ///< and sine of the angle around, and the way along [m]
    int vertex_count, triangle_count;
    float radius;              ///< of tubes [m]; 0 for surfaces
    bool closed;               ///< seen from outside only; if not, both sides of a triangle may be seen
    struct sn_skin_plan *plan; ///< how vertices are found
} sn_skin;

/// The skin of a mesh: of volumes the boundary, of sheets the triangles, of strands round tubes of
/// `thickness` [m], smooth through their nodes. The solid skin of a mesh that is twenty times as long as it
/// is wide is a tube, too: a rope, as thick as the smaller of its sides, at least a fifth of its width, and
/// `thickness`. Where the rest shape has an outward edge sharper than 78°, so has the skin. A `solid` skin
/// stands off the nodes by half the thickness, as contacts do, and sheets have two sides and a rim; else
/// surfaces go through the nodes. SN_ERROR_NULL, SN_ERROR_RANGE for a thickness that is not above 0 and
/// finite, SN_ERROR_MEMORY; the skin is empty then. Message in sn_scene_error().
SN_API sn_status sn_skin_create(const sn_mesh *mesh, float thickness, bool solid, sn_skin *skin);
/// Moves the vertices to where the nodes are, relative to `origin`. `nodes` are as many as the mesh has.
SN_API void sn_skin_update(sn_skin *skin, const sn_node_state *nodes, sn_vec3 origin);
/// Frees the arrays and empties the struct. Null is fine.
SN_API void sn_skin_release(sn_skin *skin);

#ifdef __cplusplus
}
#endif
#endif

// The foot of a point on a surface that deforms: its nearest point, followed from triangle to triangle (or
// from edge to edge of a strand) as both move (Gissler 2006, point to surface; methods C). It goes from a
// piece only to one that holds the corner or the edge it stands on, so rims, ends and holes stop it. Knows
// places of nodes only.
#ifndef SN_GEOMETRY_FOOT_H
#define SN_GEOMETRY_FOOT_H

#include "geometry/mesh.h"
#include "sinew/deformable.h"

// The pieces of a mesh a foot can be on: boundary faces of solids, triangles of sheets, edges of strands.
typedef struct sn_foot_surface {
    int corner_count; // of a piece: 3 or 2
    int piece_count;
    uint32_t *corners; // node numbers, corner_count a piece
    int *pieces_of;    // by node: the pieces around it, from pieces_begin[node] to pieces_begin[node + 1]
    int *pieces_begin;
    int node_count;
} sn_foot_surface;

typedef struct sn_foot {
    int piece;        // negative for nowhere
    float weights[3]; // of its corners, ≥ 0, their sum one; exactly 0 of those away from the edge or corner
                      // it stands on
} sn_foot;

// False without memory; a mesh without triangles and edges gives no pieces.
bool sn_foot_surface_make(sn_foot_surface *surface, const sn_mesh *mesh);
void sn_foot_surface_release(sn_foot_surface *surface);

// The nearest of all pieces; nowhere if there are none, or no distance is a number.
sn_foot sn_foot_find(const sn_foot_surface *surface, const sn_node_state *nodes, sn_vec3 point);
// From where it was, downhill, until nothing is nearer; from nowhere to the nearest of all. Returns the
// distance.
float sn_foot_follow(const sn_foot_surface *surface, const sn_node_state *nodes, sn_vec3 point,
                     sn_foot *foot);
// The nearest point of the piece it is on,
void sn_foot_stay(const sn_foot_surface *surface, const sn_node_state *nodes, sn_vec3 point, sn_foot *foot);
// or of the edge it stands on: only if it stands on two corners.
void sn_foot_stay_on_edge(const sn_foot_surface *surface, const sn_node_state *nodes, sn_vec3 point,
                          sn_foot *foot);
// The corners of its piece it stands on: all, the ends of an edge, or one. Returns how many.
int sn_foot_support(const sn_foot_surface *surface, const sn_foot *foot, int support[3]);
// Where a foot is.
sn_vec3 sn_foot_place(const sn_foot_surface *surface, const sn_node_state *nodes, const sn_foot *foot);
// Whether it stands on a rim, or on an end of a strand.
bool sn_foot_is_on_rim(const sn_foot_surface *surface, const sn_foot *foot);

#endif

// The closest point of a surface that deforms to a point, followed from triangle to triangle (or from edge to
// edge of a strand) as both move (Gissler 2006, point to surface; methods C). From a piece it goes only to
// one that shares the corner or the edge it is on, so rims, ends and holes stop it. Knows positions of nodes
// only.
#ifndef SN_GEOMETRY_SHAPES_CLOSEST_POINT_H
#define SN_GEOMETRY_SHAPES_CLOSEST_POINT_H

#include "geometry/mesh/mesh.h"
#include "sinew/deformable.h"

// The pieces of a mesh it can be on: boundary faces of solids, triangles of sheets, edges of strands.
typedef struct sn_closest_surface {
    int corner_count; // of a piece: 3 or 2
    int piece_count;
    uint32_t *corners; // node numbers, corner_count a piece
    int *pieces_of;    // by node: the pieces around it, from pieces_begin[node] to pieces_begin[node + 1]
    int *pieces_begin;
    int node_count;
} sn_closest_surface;

typedef struct sn_closest_point {
    int piece;        // negative for nowhere
    float weights[3]; // of its corners, ≥ 0, their sum one; exactly 0 of those away from the edge or corner
                      // it is on
} sn_closest_point;

// False without memory; a mesh without triangles and edges gives no pieces.
bool sn_closest_surface_make(sn_closest_surface *surface, const sn_mesh *mesh);
void sn_closest_surface_release(sn_closest_surface *surface);

// The closest of all pieces; nowhere if there are none, or no distance is finite.
sn_closest_point sn_closest_point_find(const sn_closest_surface *surface, const sn_node_state *nodes,
                                       sn_vec3 point);
// From where it was, downhill, until nothing is closer; from nowhere to the closest of all. Returns the
// distance.
float sn_closest_point_follow(const sn_closest_surface *surface, const sn_node_state *nodes, sn_vec3 point,
                              sn_closest_point *closest);
// The closest point of the piece it is on,
void sn_closest_point_stay(const sn_closest_surface *surface, const sn_node_state *nodes, sn_vec3 point,
                           sn_closest_point *closest);
// or of the edge it is on: only if it is between two corners.
void sn_closest_point_stay_on_edge(const sn_closest_surface *surface, const sn_node_state *nodes,
                                   sn_vec3 point, sn_closest_point *closest);
// The corners of its piece that have a weight: all, the ends of an edge, or one. Returns how many.
int sn_closest_point_support(const sn_closest_surface *surface, const sn_closest_point *closest,
                             int support[3]);
// Where a closest point is.
sn_vec3 sn_closest_point_place(const sn_closest_surface *surface, const sn_node_state *nodes,
                               const sn_closest_point *closest);
// Whether it is on a rim, or on an end of a strand.
bool sn_closest_point_is_on_rim(const sn_closest_surface *surface, const sn_closest_point *closest);

#endif

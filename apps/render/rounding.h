// Makes coarse triangles look round: every triangle becomes four, and new vertices in the middle of edges lie
// where a surface with the normals at the ends of the edge would be (curved triangles after Boubekeur and
// Alexa 2008, with the height that is right for spheres). What is closed stays closed. No OpenGL.
#ifndef SINEW_RENDER_ROUNDING_H
#define SINEW_RENDER_ROUNDING_H

#include "scene/list.h"
#include "sinew/math.h"

// An edge, whose middle is a new vertex.
typedef struct rounding_edge {
    uint32_t a, b;
    int next; // another edge at the same place, of the other side of a sharp edge; the edge itself for none
} rounding_edge;

// Which vertices and triangles there are after rounding; the same for all shapes of a mesh.
typedef struct rounding {
    int vertex_count; // before; the middle of edge i is vertex `vertex_count` + i
    SN_LIST(rounding_edge) edges;
    SN_LIST(uint32_t) indices; // after
} rounding;

// Plans a mesh. With `positions`, edges between the same places are one sharp edge, and get one middle; null
// where no two vertices are at the same place. False without memory.
bool rounding_plan(rounding *plan, const uint32_t *indices, int index_count, int vertex_count,
                   const sn_vec3 *positions);
// Fills in the middles behind the vertices that are there; both arrays have room for all of them.
void rounding_apply(const rounding *plan, sn_vec3 *positions, sn_vec3 *normals);
void rounding_release(rounding *plan);

#endif

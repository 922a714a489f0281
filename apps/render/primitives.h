// Triangles of balls, capsules and boxes of every size, made once, and of hulls. A vertex is placed in its
// body's frame at
//     extent · corner + radius · normal
// with an extent and a radius for each instance. So the same triangles serve all balls (corners at the
// centre), all capsules (corners at the ends of the axis), all boxes (radius 0), and, with extent 1 and
// radius 0, any mesh (corners are its vertices). No OpenGL.
#ifndef SINEW_RENDER_PRIMITIVES_H
#define SINEW_RENDER_PRIMITIVES_H

#include "sinew/shape.h"

typedef struct solid_vertex {
    sn_vec3 corner, normal;
} solid_vertex;

typedef struct solid_mesh {
    solid_vertex *vertices;
    uint32_t *indices; // 3 for each triangle, counter-clockwise from outside
    int vertex_count, index_count;
} solid_mesh;

// A ball of 8 × rings² triangles, 4 × rings around its equator. False without memory; the mesh is empty then.
bool solid_mesh_ball(int rings, solid_mesh *mesh);
// A capsule along y, as finely divided.
bool solid_mesh_capsule(int rings, solid_mesh *mesh);
// A box.
bool solid_mesh_box(solid_mesh *mesh);
// A hull. Faces that bend little against each other share normals, so that a cylinder looks round.
bool solid_mesh_hull(const sn_hull *hull, solid_mesh *mesh);
void solid_mesh_release(solid_mesh *mesh);

#endif

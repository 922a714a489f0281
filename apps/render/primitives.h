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
// Hulls, each with its pose in a common frame; other solids are left out. Faces that bend little against each
// other share normals, so that a cylinder looks round, and so does a ring of many hulls.
bool solid_mesh_hulls(const sn_solid *solids, int count, solid_mesh *mesh);
// Divides what is bent until it looks round; what is flat stays as it is.
bool solid_mesh_round(solid_mesh *mesh);
void solid_mesh_release(solid_mesh *mesh);

#endif

// Convex polyhedra: vertices, faces with planes, half-edges. Boxes and triangles are seen through the same
// view, so that the narrow phase knows one kind of polyhedron. Knows nothing of bodies or poses.
#ifndef SN_GEOMETRY_SHAPES_HULL_H
#define SN_GEOMETRY_SHAPES_HULL_H

#include "sinew/shape.h"

// Half-edges 2k and 2k+1 are twins. `next` runs counter-clockwise round the face seen from outside.
typedef struct sn_half_edge {
    uint16_t origin; // vertex it starts from
    uint16_t next;
    uint16_t face;
    uint16_t unused;
} sn_half_edge;

// normal · p ≤ offset inside.
typedef struct sn_face_plane {
    sn_vec3 normal;
    float offset;
} sn_face_plane;

// A borrowed view of any polyhedron.
typedef struct sn_polyhedron {
    const sn_vec3 *vertices;
    const sn_face_plane *planes; // by face
    const sn_half_edge *half_edges;
    const uint16_t *face_edges; // one half-edge of each face
    int vertex_count, face_count, half_edge_count;
    sn_vec3 center; // an inner point
} sn_polyhedron;

struct sn_hull {
    int reference_count;
    sn_polyhedron polyhedron; // points into the arrays below
    sn_vec3 *vertices;
    sn_face_plane *planes;
    sn_half_edge *half_edges;
    uint16_t *face_edges;
    float inner_radius; // of a ball about the centre that fits inside; the centre is that of mass
    sn_bounds bounds;
    sn_mass unit_mass; // at density 1
    size_t bytes;      // of the one allocation that holds all this
};

// A box's own vertices and planes; topology is shared by all boxes.
typedef struct sn_box_hull {
    sn_vec3 vertices[8];
    sn_face_plane planes[6];
} sn_box_hull;

// Fills `storage`. Vertex i has the sign of x, y, z by bits 0, 1, 2 of i (set = positive). Faces: −x +x −y +y
// −z +z.
void sn_box_hull_make(sn_box_hull *storage, sn_vec3 half_extents);
sn_polyhedron sn_box_hull_view(const sn_box_hull *storage);

// A triangle as a polyhedron of two faces: face 0 has the normal (b−a)×(c−a), face 1 the opposite. Half-edges
// 0, 2, 4 are a→b, b→c, c→a on face 0.
typedef struct sn_triangle_hull {
    sn_vec3 vertices[3];
    sn_face_plane planes[2];
} sn_triangle_hull;

void sn_triangle_hull_make(sn_triangle_hull *storage, sn_vec3 a, sn_vec3 b, sn_vec3 c);
sn_polyhedron sn_triangle_hull_view(const sn_triangle_hull *storage);

void sn_hull_retain(const sn_hull *hull);
// An empty hull of these counts, held once, all in one block: the object, then its arrays in falling order of
// alignment. Null without memory.
sn_hull *sn_hull_allocate(int vertex_count, int face_count, int half_edge_count);
// Finds what follows from vertices, mass, and the origins and faces of half-edges. False if they make no
// closed polyhedron with faces that are flat and stick out of nothing to a tolerance [m], around the mass
// centre. Indices may be anything, with at most SN_MAX_HULL_VERTICES vertices.
bool sn_hull_complete(sn_hull *hull, float tolerance);

#endif

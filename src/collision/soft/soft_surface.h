// The surface by which a deformable collides: its triangles (of a strand, its edges as triangles without
// area) with a tree of boxes over them. Built once; the boxes are fitted anew every step. Knows the nodes of
// its own deformable only, by their own numbers.
#ifndef SN_COLLISION_SOFT_SOFT_SURFACE_H
#define SN_COLLISION_SOFT_SOFT_SURFACE_H

#include "base/array.h"
#include "base/simd.h"
#include "collision/soft/verlet_list.h"
#include "geometry/mesh/mesh.h"
#include "geometry/shapes/surface.h"
#include "sinew/deformable.h"

// The directions that the faces of a part of the surface look in: within an angle, given by its cosine, about
// an axis; −1 if they look everywhere.
typedef struct sn_soft_cone {
    sn_vec3 axis;
    float cosine;
    sn_bounds rest; // box of the part at rest
} sn_soft_cone;

// A part of the surface when the step begins and where its ways take it. Nodes go straight, so that two parts
// between which an axis has room at both times, on the same side, do not meet: much less than the boxes of
// all they sweep over, for parts that move together.
typedef struct sn_soft_box {
    sn_f4 lower[2], upper[2]; // now and then
} sn_soft_box;

SN_INLINE bool sn_soft_boxes_overlap(const sn_soft_box *a, const sn_soft_box *b)
{
    sn_f4 above = sn_f4_min(a->lower[0] - b->upper[0], a->lower[1] - b->upper[1]);
    sn_f4 below = sn_f4_min(b->lower[0] - a->upper[0], b->lower[1] - a->upper[1]);
    return !sn_i4_any(sn_f4_max(above, below) > sn_f4_set(0.0f));
}

sn_soft_box sn_soft_box_union(const sn_soft_box *a, const sn_soft_box *b);
sn_soft_box sn_soft_box_grown(const sn_soft_box *box, float growth);

// What tells whether two faces of one surface are parts of a patch, in the order of the leaves.
typedef struct sn_soft_leaf_face {
    sn_vec3 normal; // as of the surface
    sn_vec3 corner; // one of the face's, at rest
} sn_soft_leaf_face;

typedef struct sn_soft_surface {
    const sn_mesh *mesh; // borrowed
    bool one_sided;      // the boundary of a volume: what is behind a face is inside
    int face_count;
    SN_ARRAY(uint32_t) faces;      // 3 nodes each; of a strand a, b, b
    SN_ARRAY(uint32_t) face_edges; // 3 each: number in the mesh of the edge from corner k to the next one
    // Bits 0…2: the face stands for its corner k, bits 3…5: for its edge k. Every node and edge of the
    // surface has one face that does, so that it is looked at once.
    SN_ARRAY(uint8_t) owned;
    SN_ARRAY(int) edge_faces; // 2 for each edge of the mesh: the faces beside it, negative for none
    SN_ARRAY(uint8_t) rim;    // by node: whether it lies on the rim of a sheet, where things may go round
    SN_ARRAY(sn_surface_node) tree; // parents before children
    SN_ARRAY(uint32_t) order;       // face numbers by leaf
    // If it collides with itself; else they are empty.
    SN_ARRAY(sn_soft_cone) cones; // by node of the tree
    SN_ARRAY(sn_soft_leaf_face) leaf_faces;
    sn_verlet_list verlet_list; // its faces that are near each other, from step to step
    // Of the present step; see sn_soft_surface_box_nodes. Those of faces only if it meets deformables.
    SN_ARRAY(sn_soft_box) node_boxes; // by node
    bool all_finite;                  // no node is without a box
    SN_ARRAY(sn_soft_box) boxes;      // by node of the tree
    SN_ARRAY(sn_soft_box) face_boxes; // in the order of the leaves
    bool has_boxes;                   // whether they were found in this step
    bool meets_others;                // deformables, in this step
    // Of the present step, for those that meet deformables or something small; see
    // sn_soft_surface_fit_normals.
    SN_ARRAY(sn_vec3) normals;  // by face: unit, or zero for one without area
    SN_ARRAY(uint8_t) sharp;    // by edge: whether it stands out of the flat
    sn_vec3 frame_displacement; // of what holds it: the fixed nodes; or the mean of all, if there are none
    bool has_normals;           // whether they were found in this step
    float scale;                // of the mesh
    float largest_edge;         // at rest [m]
} sn_soft_surface;

// False without memory; what was made is left for sn_soft_surface_release.
bool sn_soft_surface_make(sn_soft_surface *surface, const sn_mesh *mesh, float scale, bool self_collide);
void sn_soft_surface_release(sn_soft_surface *surface);

// Deformables shake: where a node is going to be is the less certain the more its way differs from that of
// what holds it.
#define SN_SOFT_MARGIN 0.5f

// Boxes of the nodes (of this deformable) in this step, grown by `growth` and, at the end of their ways, by
// how uncertain that is: seen from a frame that goes its own way. Nodes whose places or ways are no numbers
// are in no box. Without ways (null) nothing moves. False without memory.
bool sn_soft_surface_box_nodes(sn_soft_surface *surface, const sn_node_state *nodes,
                               const sn_vec3 *displacements, sn_vec3 frame_displacement, float growth);
// From these: the bounds of the tree, which sweep over all the way, grown by so much again.
void sn_soft_surface_refit(sn_soft_surface *surface, float growth);
// And boxes of the faces, none for one with a node in no box; and from them, of the parts of the tree.
bool sn_soft_surface_box_faces(sn_soft_surface *surface);
void sn_soft_surface_box_parts(sn_soft_surface *surface);

// Normals of faces where the nodes are now; edges that stand out by more than `height` over a straight line
// across a cell. The rim of a sheet, and strands, always do.
void sn_soft_surface_fit_normals(sn_soft_surface *surface, const sn_node_state *nodes, float height);
// The cones of the step: from the normals, and from where the ways (null: nowhere) take the nodes.
void sn_soft_surface_fit_cones(sn_soft_surface *surface, const sn_node_state *nodes,
                               const sn_vec3 *displacements);
// The least cone about two.
sn_soft_cone sn_soft_cone_join(const sn_soft_cone *a, const sn_soft_cone *b);

static inline sn_bounds sn_soft_surface_bounds(const sn_soft_surface *surface)
{
    return surface->tree.data[0].bounds;
}

#endif

// The surface by which a deformable collides: its triangles (for a strand, its edges as triangles without
// area) and a tree of boxes over them. Built once; boxes are fitted in every step. Knows the nodes of its own
// deformable only, by their own numbers.
#ifndef SN_COLLISION_SOFT_SOFT_SURFACE_H
#define SN_COLLISION_SOFT_SOFT_SURFACE_H

#include "base/array.h"
#include "base/simd.h"
#include "collision/soft/verlet_list.h"
#include "geometry/mesh/mesh.h"
#include "geometry/shapes/surface.h"
#include "sinew/deformable.h"

// Normal cone of a part of the surface: all normals are within an angle of an axis.
typedef struct sn_soft_cone {
    sn_vec3 axis;
    float cosine;   // of that angle; −1 if normals point everywhere
    sn_bounds rest; // box of the part at rest
} sn_soft_cone;

// Box of a part of the surface when the step begins and where its displacements take it. Nodes move straight,
// so two parts that are separated along an axis at both times, on the same side, do not meet. That is much
// tighter than boxes around the whole motion for parts that move together.
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

// What is needed to tell whether two faces of one surface are neighbours that face the same way.
typedef struct sn_soft_leaf_face {
    sn_vec3 normal;
    sn_vec3 corner; // one of its corners, at rest
    float altitude; // square of the smallest one at most [m²]
} sn_soft_leaf_face;

// Cosine of the angle between the normals of neighbours, 100°, from which on they are folded.
#define SN_SOFT_FOLDED (-0.17f)
// Two faces around a node are folded only if an edge there is bent by a quarter of that (no more than eight
// faces meet there as a rule), and one of the two is off their mean by half of it. Cosines of 25° and 50°.
#define SN_SOFT_BENT     0.9f
#define SN_SOFT_OFF_MEAN 0.64f

// What boxes of something asleep depend on: they are fitted again only if that changes.
typedef struct sn_soft_rest {
    bool is_fitted;
    float growth, more; // of boxes of nodes, and of the bounds of the tree beyond that
} sn_soft_rest;

// Of a node: an edge at it is bent; faces around it may be folded; a face around it has an edge that is bent
// by half of that, so that six such edges are a full turn, behind which faces two cells apart face the same
// way.
enum { SN_SOFT_NODE_BENT = 1, SN_SOFT_NODE_FOLDED = 2, SN_SOFT_NODE_BY_BEND = 4 };

typedef struct sn_soft_surface {
    const sn_mesh *mesh; // borrowed
    bool one_sided;      // the boundary of a volume: behind a face is its inside
    int face_count;
    SN_ARRAY(uint32_t) faces;      // 3 nodes each; of a strand a, b, b
    SN_ARRAY(uint32_t) face_edges; // 3 each: number in the mesh of the edge from corner k to the next one
    // Bits 0…2: the face owns its corner k, bits 3…5: its edge k. Every node and edge of the surface is owned
    // by one face, so that it is tested once.
    SN_ARRAY(uint8_t) owned;
    SN_ARRAY(uint32_t) inner; // of a volume, by face: the node behind it; UINT32_MAX if unknown
    SN_ARRAY(int) edge_faces; // 2 for each edge of the mesh: the faces beside it, negative for none
    SN_ARRAY(uint8_t) rim; // by node: whether it lies on the boundary of a sheet, around which things can go
    SN_ARRAY(sn_surface_node) tree; // parents before children
    SN_ARRAY(uint32_t) order; // face numbers in the order of the leaves; a face's place is its index here
    // If it collides with itself; else empty.
    SN_ARRAY(sn_soft_cone) cones;           // by node of the tree
    SN_ARRAY(sn_soft_leaf_face) leaf_faces; // by place
    sn_verlet_list verlet_list;
    sn_verlet_list between; // with other surfaces
    // Of the present step. Boxes of faces and of the tree only if it may meet deformables.
    SN_ARRAY(sn_soft_box) node_boxes; // by node
    bool all_finite;                  // every node has a box
    SN_ARRAY(sn_soft_box) boxes;      // by node of the tree
    SN_ARRAY(sn_soft_box) face_boxes; // by place
    bool has_boxes;                   // were fitted in this step
    sn_soft_rest rest;                // what boxes of nodes and bounds of the tree were fitted with, asleep
    bool meets_others;                // may meet other deformables
    bool knows_near;            // for the guard: Verlet lists have all of its faces that may meet another
    sn_vec3 frame_displacement; // mean over the fixed nodes, or over all if none is fixed
    // By node: it is not where its box let expect it. By place and by node of the tree: faces that may meet
    // what detection did not see.
    SN_ARRAY(uint8_t) surprising, suspects, suspect_parts;
    // Of the present step, if it may meet deformables or something small.
    SN_ARRAY(sn_vec3) normals; // by face: unit, or zero if it has no area
    SN_ARRAY(uint8_t) sharp;   // by edge: the faces beside it make an angle
    SN_ARRAY(uint8_t) folds;   // by node: SN_SOFT_NODE_FOLDED and the like
    bool has_normals;          // were found in this step
    float scale;               // of the mesh
    float largest_edge;        // at rest [m]
    float most_uncertain;      // see sn_soft_uncertainty [m]
} sn_soft_surface;

// False without memory; what was made is left for sn_soft_surface_release.
bool sn_soft_surface_make(sn_soft_surface *surface, const sn_mesh *mesh, float scale, bool self_collide);
void sn_soft_surface_release(sn_soft_surface *surface);

// --- soft_surface_fit.c ------------------------------------------------------------------------------------

// Uncertainty of where a node will be, as a part of its displacement relative to the frame of its deformable.
#define SN_SOFT_MARGIN 0.5f

// That uncertainty, at most so large that features of neighbouring cells are found: what comes from farther
// is stopped by the guard and found in the next step. Without a bound, the fast would have contacts with
// everything.
static inline float sn_soft_uncertainty(const sn_soft_surface *surface, float displacement)
{
    float uncertain = SN_SOFT_MARGIN * displacement;
    return uncertain < surface->most_uncertain ? uncertain : surface->most_uncertain;
}

// Mean over the fixed nodes, or over all if none is fixed, of the displacements or, if these are null, of how
// far nodes are from where they were in `before`. Non-finite ones do not count.
sn_vec3 sn_soft_frame_mean(const sn_node_state *nodes, const sn_vec3 *displacements,
                           const sn_node_state *before, int count);

// Boxes of the nodes in this step, grown by `growth` and, at the end of the displacements, by their
// uncertainty. Nodes with a non-finite position or displacement have no box. Without displacements (null)
// nothing moves. False without memory.
bool sn_soft_surface_box_nodes(sn_soft_surface *surface, const sn_node_state *nodes,
                               const sn_vec3 *displacements, sn_vec3 frame_displacement, float growth);
// The same around displacements that are known: boxes that are apart are so by `gap` at least. Their lower
// corners are where nodes are.
bool sn_soft_surface_box_motion(sn_soft_surface *surface, const sn_node_state *nodes,
                                const sn_vec3 *displacements, float gap);
// From these: the bounds of the tree, around the whole motion, grown by so much again.
void sn_soft_surface_refit(sn_soft_surface *surface, float growth);
// And boxes of the faces (none for a face with a node without a box), and from them those of the tree.
bool sn_soft_surface_box_faces(sn_soft_surface *surface);
void sn_soft_surface_box_parts(sn_soft_surface *surface);

// Faces with a node that is not where its box of the step let expect it become suspect. Whether there are
// any.
bool sn_soft_surface_suspect(sn_soft_surface *surface, const sn_node_state *nodes);
// From marks of faces, by place: those of the nodes of the tree, with every bit that one of its faces has.
void sn_soft_surface_mark_parts(const sn_soft_surface *surface, const uint8_t *faces, uint8_t *parts);

// The unit normal of a face; false if it has no area.
bool sn_soft_find_face_normal(const sn_soft_surface *surface, uint32_t face, const sn_node_state *nodes,
                              sn_vec3 *normal);
// Normals of all faces, and the edges that stand out by more than `height` over a straight line across a
// cell. The boundary of a sheet, and strands, always do.
void sn_soft_surface_fit_normals(sn_soft_surface *surface, const sn_node_state *nodes, float height);
// From these, by node: their sums, and which nodes may have folded faces.
void sn_soft_surface_sum_normals(sn_soft_surface *surface, sn_vec3 *sums);
// Cones around the normals now and at the end of the displacements (null: of now alone).
void sn_soft_surface_fit_cones(sn_soft_surface *surface, const sn_node_state *nodes,
                               const sn_vec3 *displacements);
// The smallest cone around two.
sn_soft_cone sn_soft_cone_join(const sn_soft_cone *a, const sn_soft_cone *b);

static inline sn_bounds sn_soft_surface_bounds(const sn_soft_surface *surface)
{
    return surface->tree.data[0].bounds;
}

#endif

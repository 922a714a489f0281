// Narrow phase of deformables: features of a surface (nodes, edges, faces) against obstacles and against
// features of other surfaces. Each pair of features makes one contact or none (methods G).
//
// Against an obstacle: nodes against all of it, faces and edges against its corners, edges against its edges.
// A node leaves along the obstacle's own normal. For the others the normal follows from the two features and
// must lie in the obstacle's cone of normals there. A face of a sheet has two sides: the contact remembers
// the one on which the obstacle was when they first met, so that a sheet that was pushed too far comes back.
#ifndef SN_COLLISION_SOFT_SOFT_VIEW_H
#define SN_COLLISION_SOFT_SOFT_VIEW_H

#include "collision/narrow/segments.h"
#include "collision/soft/obstacle.h"
#include "collision/soft/soft_contact.h"
#include "collision/soft/soft_surface.h"

// A deformable as the narrow phase sees it.
typedef struct sn_soft_view {
    const sn_soft_surface *surface;
    const sn_node_state *nodes;   // its own
    const sn_vec3 *displacements; // of its nodes in this step; a node with a non-finite one meets nothing
    int first_node;               // the world's number of its first node
    float half_thickness;
    float margin;               // contacts are made at this distance [m]
    sn_vec3 frame_displacement; // as of the surface
    bool has_normals;           // the surface has the normals of this step
    // By node: sum of the unit normals of the faces around it; null if nothing needs them.
    const sn_vec3 *node_normals;
    // The side of the surface on which all contacts of the last step had the obstacle; 0 if unknown.
    float side;
} sn_soft_view;

// Each function fills in nodes, weights, normal, point, separation and side of `contact`, or returns false if
// the two are too far apart to meet in this step. `previous` is the contact of the same features in the last
// step, or null.

// soft_meets_obstacle.c
bool sn_soft_node_meets(const sn_soft_view *view, uint32_t node, const sn_obstacle *obstacle,
                        const sn_soft_contact_data *previous, sn_soft_contact_data *contact);
bool sn_soft_face_meets_corner(const sn_soft_view *view, uint32_t face, const sn_obstacle *obstacle,
                               int corner, const sn_soft_contact_data *previous,
                               sn_soft_contact_data *contact);
bool sn_soft_edge_meets_corner(const sn_soft_view *view, uint32_t edge, const sn_obstacle *obstacle,
                               int corner, sn_soft_contact_data *contact);
bool sn_soft_edge_meets_edge(const sn_soft_view *view, uint32_t edge, const sn_obstacle *obstacle,
                             int obstacle_edge, const sn_soft_contact_data *previous,
                             sn_soft_contact_data *contact);

// soft_meets_ball.c: any feature and the ball around a corner of a small round obstacle. What is not even
// close to it in this step does not meet it; that is the cheaper question, and most are not.
bool sn_soft_is_near_ball(const sn_soft_view *view, uint32_t feature, const sn_obstacle *obstacle,
                          int corner);
bool sn_soft_meets_ball(const sn_soft_view *view, uint32_t feature, const sn_obstacle *obstacle, int corner,
                        const sn_soft_contact_data *previous, sn_soft_contact_data *contact);

// soft_meets_surface.c: a node of a and a face of b, edges of a and b. The normal points from b to a; weights
// of nodes of b are negative.
bool sn_soft_node_meets_face(const sn_soft_view *a, uint32_t node, const sn_soft_view *b, uint32_t face,
                             const sn_soft_contact_data *previous, sn_soft_contact_data *contact);
bool sn_soft_edges_meet(const sn_soft_view *a, uint32_t edge_a, const sn_soft_view *b, uint32_t edge_b,
                        const sn_soft_contact_data *previous, sn_soft_contact_data *contact);

// Whether they may meet at all, whatever the last step was: most that are close do not, since the point of
// contact belongs to other features, and need not be looked up.
bool sn_soft_may_meet(const sn_soft_view *a, uint32_t feature, const sn_soft_view *b, uint32_t other);

// --- shared by these (soft_view.c) -------------------------------------------------------------------------

// How much a displacement may turn out to differ from what is expected now.
static inline float sn_soft_margin(const sn_soft_view *view, sn_vec3 displacement)
{
    return sn_soft_uncertainty(view->surface, sn_distance_between(displacement, view->frame_displacement));
}
// The same for two nodes that may meet. Nodes of one surface move along with its frame; two deformables may
// each be stopped as a body, one before the other.
static inline float sn_soft_pair_margin(const sn_soft_view *a, uint32_t node_a, const sn_soft_view *b,
                                        uint32_t node_b)
{
    if (a->surface == b->surface) {
        return sn_max(sn_soft_margin(a, a->displacements[node_a]),
                      sn_soft_margin(b, b->displacements[node_b]));
    }
    return sn_max(sn_soft_uncertainty(a->surface, sn_length(a->displacements[node_a])),
                  sn_soft_uncertainty(b->surface, sn_length(b->displacements[node_b])));
}

// The unit normal of a face; false if it has no area.
bool sn_soft_face_normal(const sn_soft_view *view, uint32_t face, sn_vec3 *normal);
// Whether a face of a volume is turned inside out: what should be behind it is before it. Then its sides are
// those of a sheet.
bool sn_soft_is_flipped(const sn_soft_view *view, uint32_t face);
bool sn_soft_edge_is_flipped(const sn_soft_view *view, uint32_t edge);
// The mean normal of the two faces beside an edge; false if there are not two, or they are folded together.
bool sn_soft_edge_normal(const sn_soft_view *view, uint32_t edge, sn_vec3 *normal);
// Whether the projection of a point on a face beside the edge lies inside that face.
bool sn_soft_is_over_faces(const sn_soft_view *view, uint32_t edge, sn_vec3 point);
// Barycentric weights of the projection of `p` on a triangle's plane; false if it lies outside the triangle
// or that has no area.
bool sn_triangle_weights(sn_vec3 a, sn_vec3 b, sn_vec3 c, sn_vec3 p, float weights[3]);
// Where on a triangle the point closest to `p` lies, with its barycentric weights: inside, on edge k (from
// corner k to the next), or in corner k.
typedef enum sn_triangle_region {
    SN_TRIANGLE_INSIDE,
    SN_TRIANGLE_EDGE,                          // + k
    SN_TRIANGLE_CORNER = SN_TRIANGLE_EDGE + 3, // + k
} sn_triangle_region;
sn_triangle_region sn_triangle_nearest(const sn_vec3 corners[3], sn_vec3 p, float weights[3]);
// Whether a fraction of an edge lies between its ends; contacts at the ends belong to other features.
static inline bool sn_is_inside_edge(float t)
{
    const float end = 1.0e-3f;
    return t > end && t < 1.0f - end;
}
// Whether normal, point and separation are finite.
bool sn_soft_contact_is_sound(const sn_soft_contact_data *contact);
// Fills in nodes and weights, and the point that follows from them. Whether the contact is sound.
bool sn_soft_contact_put(sn_soft_contact_data *contact, const sn_soft_view *view, const uint32_t *nodes,
                         const float *weights, int width);

// --- distances of features: cheap questions that most pairs fail, and distances for Verlet lists
// ------------

// Whether a node may come close enough to the plane of a face within the step, and two edges to each other.
bool sn_soft_may_meet_face(const sn_soft_view *a, uint32_t node, const sn_soft_view *b, uint32_t face);
bool sn_soft_may_meet_edge(const sn_soft_view *a, const uint32_t *nodes_a, const sn_soft_view *b,
                           const uint32_t *nodes_b);

// Whether two edges may be within `reach` of each other: the balls around them and their lines are.
bool sn_soft_are_edges_close(const sn_node_state *nodes, const uint32_t *edge, const sn_node_state *others,
                             const uint32_t *other, float reach);
// Between two edges: where their lines are closest, if that is on both, or at an end.
float sn_soft_edge_distance(const sn_node_state *nodes, const uint32_t *edge, const sn_node_state *others,
                            const uint32_t *other);
// Two triangles are no closer than this: how far they are apart along the line between their middles, or
// along their normals; negative or zero if they overlap along all.
float sn_soft_face_gap(const sn_vec3 a[3], const sn_vec3 b[3]);

#endif

// Features of a deformable's surface against obstacles: one contact for each pair, or none.
//
// Pairs that are looked at (methods G): nodes against the whole obstacle; faces and edges against its
// corners; edges against its edges. Nodes always leave by the obstacle's own normal. For the others the
// normal follows from the two features and must lie in the obstacle's cone of normals there. A face also has
// two sides: the one the obstacle was on when they first met is remembered with the contact and kept while
// that lives, so that a sheet that was pushed a little too far comes back.
#ifndef SN_COLLISION_SOFT_SOFT_VIEW_H
#define SN_COLLISION_SOFT_SOFT_VIEW_H

#include "collision/soft/obstacle.h"
#include "collision/soft/soft_contact.h"
#include "collision/soft/soft_surface.h"

// A deformable as the narrow phase sees it.
typedef struct sn_soft_view {
    const sn_soft_surface *surface;
    const sn_node_state *nodes;   // its own
    const sn_vec3 *displacements; // of its nodes in this step; not a number for nodes that meet nothing
    int first_node;               // the world's number of its first one
    float half_thickness;
    float margin;               // contacts are made this early [m]
    sn_vec3 frame_displacement; // as of the surface
    bool has_normals;           // sn_soft_surface_fit_normals was called in this step
    // Sums of the unit normals of the faces around each node, not of unit length; null if nothing small is
    // near.
    const sn_vec3 *node_normals;
    // The side of the surface on which the obstacle was found by all contacts of the last step; 0 if unknown.
    float side;
} sn_soft_view;

// Each fills in the geometry of `contact` (nodes, weights, normal, point, separation, side), or returns false
// if the two are too far apart to meet in this step. `previous` is the contact of the same features in the
// last step, or null.
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

// Any feature against the ball around a corner of something round that is small for the cells; see
// soft_ball.c. What is not even near it in this step does not meet it, and most are not.
bool sn_soft_is_near_ball(const sn_soft_view *view, uint32_t feature, const sn_obstacle *obstacle,
                          int corner);
bool sn_soft_meets_ball(const sn_soft_view *view, uint32_t feature, const sn_obstacle *obstacle, int corner,
                        const sn_soft_contact_data *previous, sn_soft_contact_data *contact);

// --- shared by the files of the narrow phase -----------------------------------------------------

// How much a way of this step may turn out to differ from what is expected now.
static inline float sn_soft_margin(const sn_soft_view *view, sn_vec3 displacement)
{
    return SN_SOFT_MARGIN * sn_distance_between(displacement, view->frame_displacement);
}
// Of two nodes that may meet: what goes along with another is not stopped by what stops that one. Two
// deformables may be stopped as wholes, one before the other.
static inline float sn_soft_pair_margin(const sn_soft_view *a, uint32_t node_a, const sn_soft_view *b,
                                        uint32_t node_b)
{
    if (a->surface == b->surface) {
        return sn_max(sn_soft_margin(a, a->displacements[node_a]),
                      sn_soft_margin(b, b->displacements[node_b]));
    }
    return SN_SOFT_MARGIN * sn_max(sn_length(a->displacements[node_a]), sn_length(b->displacements[node_b]));
}

// The unit normal of a face where its nodes are; false if it has none.
bool sn_soft_face_normal(const sn_soft_view *view, uint32_t face, sn_vec3 *normal);
// The mean normal of the two faces beside an edge; false if there are not two, or they are folded together.
bool sn_soft_edge_normal(const sn_soft_view *view, uint32_t edge, sn_vec3 *normal);
// Weights of the corners for the point of a triangle's plane nearest to `p`; false if it lies outside the
// triangle or that has no area.
bool sn_triangle_weights(sn_vec3 a, sn_vec3 b, sn_vec3 c, sn_vec3 p, float weights[3]);
// Where on a triangle the point nearest to `p` lies, with weights of the corners: inside, on edge k (from
// corner k to the next), or in a corner.
typedef enum sn_triangle_region {
    SN_TRIANGLE_INSIDE,
    SN_TRIANGLE_EDGE,                          // + k
    SN_TRIANGLE_CORNER = SN_TRIANGLE_EDGE + 3, // + k
} sn_triangle_region;
sn_triangle_region sn_triangle_nearest(const sn_vec3 corners[3], sn_vec3 p, float weights[3]);
// Whether a face beside the edge has the point over it.
bool sn_soft_is_over_faces(const sn_soft_view *view, uint32_t edge, sn_vec3 point);
// Where two lines come nearest to each other, as parts of the segments a and b; false if they are parallel.
bool sn_nearest_on_lines(const sn_vec3 a[2], const sn_vec3 b[2], float *on_a, float *on_b);
// Whether all of its geometry is numbers.
bool sn_soft_contact_is_sound(const sn_soft_contact_data *contact);
// Fills in nodes and weights and the point they make.
void sn_soft_contact_put(sn_soft_contact_data *contact, const sn_soft_view *view, const uint32_t *nodes,
                         const float *weights, int width);

#endif

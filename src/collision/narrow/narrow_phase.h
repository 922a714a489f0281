// Shared by the files of the narrow phase: a pair of convex shapes in the frame of a, and the parts of
// sn_collide_convex and sn_collide_triangle (manifold.h). Private to src/collision.
// Tested by tests/collision/narrow/test_manifold.c.
#ifndef SN_COLLISION_NARROW_NARROW_PHASE_H
#define SN_COLLISION_NARROW_NARROW_PHASE_H

#include "collision/narrow/gjk.h"
#include "collision/narrow/manifold.h"

// A pose with its rotation as a matrix: for applying to many points.
typedef struct sn_frame {
    sn_mat3 rotation;
    sn_vec3 position;
} sn_frame;

static inline sn_frame sn_frame_from_pose(sn_pose pose)
{
    return (sn_frame){sn_mat3_from_quat(pose.rotation), pose.position};
}
static inline sn_vec3 sn_frame_apply(const sn_frame *frame, sn_vec3 p)
{
    return sn_add(sn_mat3_apply(frame->rotation, p), frame->position);
}
static inline sn_frame sn_frame_inverse(const sn_frame *frame)
{
    sn_mat3 back = sn_mat3_transpose(frame->rotation);
    return (sn_frame){back, sn_neg(sn_mat3_apply(back, frame->position))};
}

// Two convex shapes to be collided.
typedef struct sn_convex_pair {
    const sn_convex *a, *b;
    sn_pose pose;   // of b in a
    sn_frame frame; // the same
    float margin;   // largest separation of the surfaces that is still a contact
    // Tolerance [m], a small part of the smaller shape's size: axes that differ by less are chosen by a fixed
    // preference, not by depth, and faces are that much wider.
    float tolerance;
    float size_b; // half its greatest width, about [m]
    // Normals more than 120° away from this direction are not allowed: a one-sided triangle does not push
    // backwards. Zero for solids, which have no such limit.
    sn_vec3 front;
} sn_convex_pair;

sn_convex_pair sn_convex_pair_make(const sn_convex *a, const sn_convex *b, sn_pose pose, float margin);

static inline bool sn_pair_allows(const sn_convex_pair *pair, sn_vec3 normal)
{
    return sn_dot(normal, pair->front) >= -0.5f;
}
// The largest separation of the cores that is still a contact.
static inline float sn_pair_reach(const sn_convex_pair *pair)
{
    return pair->margin + pair->a->radius + pair->b->radius;
}

// Two normals this close (2°) count as equal: a fixed preference decides between them, not depth.
#define SN_SAME_NORMAL 0.9994f

// --- results -------------------------------------------------------------------------------------

// Puts up to four of the points into the manifold. They are on the core of b, with separations of the cores;
// in the manifold they are halfway between the surfaces, with unique features. The array is overwritten.
void sn_manifold_set(sn_manifold *manifold, const sn_convex_pair *pair, sn_vec3 normal,
                     sn_manifold_point *points, int count);
// Where the points found along `normal` are not as deep as the separating axis says, the true distance or
// depth decides. If its direction is the normal, the points are the contact, with the closest one added if it
// is deeper; the array needs room for one more. Otherwise the closest points are: returns true with these
// points of the cores, for the caller to set.
bool sn_manifold_settle(sn_manifold *manifold, const sn_convex_pair *pair, sn_vec3 normal,
                        sn_manifold_point *points, int count, sn_separation_result *closest);
// Infinite if there are no points.
float sn_lowest_separation(const sn_manifold_point *points, int count);
// One point between core points `on_a` and `on_b` (a's frame).
void sn_manifold_set_single(sn_manifold *manifold, const sn_convex_pair *pair, sn_vec3 normal, sn_vec3 on_a,
                            sn_vec3 on_b, uint32_t feature);
// Coordinates so large that their products overflow give no contact rather than infinite ones.
void sn_manifold_drop_unless_finite(sn_manifold *manifold);

// --- pairs ---------------------------------------------------------------------------------------
// Each fills the manifold; count is 0 when there is no contact.

// Sphere or capsule with sphere or capsule.
void sn_collide_round(const sn_convex_pair *pair, sn_manifold *manifold);
// a is a polyhedron; b is a sphere or a capsule.
void sn_collide_polyhedron_sphere(const sn_convex_pair *pair, sn_manifold *manifold);
void sn_collide_polyhedron_capsule(const sn_convex_pair *pair, sn_manifold *manifold);
void sn_collide_polyhedra(const sn_convex_pair *pair, sn_manifold *manifold);

// Signed distance of a point from a box with these half-extents around the origin, with the outward normal
// and the closest point of the surface. A distance up to `least` has no direction: as inside, the face with
// the smallest depth gives the normal, where faces with a normal along `before` are preferred by `bonus`.
float sn_box_distance(sn_vec3 half, sn_vec3 point, float least, sn_vec3 before, float bonus, sn_vec3 *normal,
                      sn_vec3 *closest);

// Only the part of b over one face of the polyhedron a, with that face's normal.
void sn_collide_face_with_polyhedron(const sn_convex_pair *pair, int face, sn_manifold *manifold);
void sn_collide_face_with_round(const sn_convex_pair *pair, int face, sn_manifold *manifold);

#endif

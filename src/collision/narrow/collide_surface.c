// Half-spaces and triangles of surfaces against convex shapes. At an edge where neighbouring triangles are
// coplanar or form a valley no shape may feel the seam, so the normal of a contact there is that of the face.
// Edges that stick out act as edges.
#include "collision/narrow/manifold.h"

#include "collision/narrow/clip.h"
#include "collision/narrow/narrow_phase.h"

// Seams stick out by up to a degree without being active: round shapes that lean over one by as much are
// still over the face. Twice the tangent of that.
#define SEAM_SLOPE 0.035f
// Depths below this many tolerances (1 % of the size) are shallow.
#define SHALLOW 30.0f
// A depth along the face normal that is a larger part of the shape's size, and a larger multiple of the depth
// sideways, is ignored.
#define LEDGE_DEPTH 0.05f
#define LEDGE_RATIO 4.0f

// --- half-spaces ---------------------------------------------------------------------------------

void sn_collide_plane(sn_plane plane, const sn_convex *b, sn_pose b_in_a, float margin, sn_manifold *manifold)
{
    // For sn_manifold_set the half-space is a core without radius.
    const sn_convex half_space = {.radius = 0.0f};
    const sn_convex_pair pair = {.a = &half_space, .b = b, .margin = margin};
    sn_frame frame = sn_frame_from_pose(b_in_a);
    sn_manifold_point points[SN_CLIP_CORNERS];
    int count = 0;
    for (int i = 0; i < b->point_count && count < SN_CLIP_CORNERS; ++i) {
        sn_vec3 position = sn_frame_apply(&frame, b->points[i]);
        float height = sn_dot(plane.normal, position) - plane.offset;
        if (height <= sn_pair_reach(&pair)) {
            points[count++] = (sn_manifold_point){position, height, sn_feature_vertex(i)};
        }
    }
    *manifold = (sn_manifold){.count = 0};
    sn_manifold_set(manifold, &pair, plane.normal, points, count);
    sn_manifold_drop_unless_finite(manifold);
}

// --- triangles -----------------------------------------------------------------------------------

// Only the part over the triangle, along its normal.
static void collide_upright(const sn_convex_pair *pair, sn_manifold *manifold)
{
    sn_convex_pair wider = *pair;
    wider.tolerance += SEAM_SLOPE * pair->b->radius;
    *manifold = (sn_manifold){.count = 0};
    if (pair->b->is_polyhedron) {
        sn_collide_face_with_polyhedron(&wider, 0, manifold);
    } else {
        sn_collide_face_with_round(&wider, 0, manifold);
    }
}

// A polyhedron at a shallow depth, or just above the surface, with its lowest vertex over the triangle needs
// no search for another normal; nor does one that is beyond reach.
static void collide_polyhedron(const sn_convex_pair *pair, sn_manifold *manifold)
{
    sn_face_plane face = pair->a->polyhedron.planes[0];
    sn_vec3 down = sn_neg(sn_mat3_apply(sn_mat3_transpose(pair->frame.rotation), face.normal));
    sn_vec3 lowest = sn_frame_apply(&pair->frame, pair->b->points[sn_convex_support(pair->b, down)]);
    float height = sn_dot(face.normal, lowest) - face.offset;
    if (height > sn_pair_reach(pair)) {
        return;
    }
    if (height > -SHALLOW * pair->tolerance) {
        collide_upright(pair, manifold);
        float surface_height = height - pair->b->radius;
        if (sn_lowest_separation(manifold->points, manifold->count) <= surface_height + pair->tolerance) {
            return;
        }
    }
    sn_collide_polyhedra(pair, manifold);
}

static void collide_whole(const sn_convex_pair *pair, sn_manifold *manifold)
{
    if (pair->b->is_polyhedron) {
        collide_polyhedron(pair, manifold);
    } else if (pair->b->point_count == 1) {
        sn_collide_polyhedron_sphere(pair, manifold);
    } else {
        sn_collide_polyhedron_capsule(pair, manifold);
    }
}

// The edge over which a normal leans: of the two edges at the corner farthest along it, the one whose outward
// direction is closer.
static int edge_leaned_over(const sn_vec3 corners[3], sn_vec3 face_normal, sn_vec3 normal)
{
    int top = 0;
    for (int i = 1; i < 3; ++i) {
        if (sn_dot(normal, corners[i]) > sn_dot(normal, corners[top])) {
            top = i;
        }
    }
    int after = top, before = top == 0 ? 2 : top - 1, next = top == 2 ? 0 : top + 1;
    sn_vec3 outward_after = sn_normalize(sn_cross(sn_sub(corners[next], corners[top]), face_normal));
    sn_vec3 outward_before = sn_normalize(sn_cross(sn_sub(corners[top], corners[before]), face_normal));
    return sn_dot(normal, outward_after) >= sn_dot(normal, outward_before) ? after : before;
}

// The other side of a triangle: corners 1 and 2 exchanged, and with them edges 0 and 2.
static void turn_over(sn_vec3 corners[3], uint8_t *active_edges)
{
    sn_vec3 corner = corners[1];
    corners[1] = corners[2];
    corners[2] = corner;
    uint8_t edges = *active_edges;
    *active_edges = (uint8_t)((edges & 2u) | (edges & 1u) << 2 | (edges & 4u) >> 2);
}

// A triangle that has only a corner on the edge of a ledge does not know that the edge is active there. A
// shape that comes against the ledge from the side overlaps that corner by little sideways but by much
// upwards, and must not be pushed up; the triangles along the edge push it back.
static bool is_beside_a_ledge(const sn_convex_pair *pair, const sn_manifold *sideways,
                              const sn_manifold *upright)
{
    float depth = -sn_lowest_separation(upright->points, upright->count),
          depth_sideways = -sn_lowest_separation(sideways->points, sideways->count);
    return depth > LEDGE_DEPTH * pair->size_b && depth > LEDGE_RATIO * depth_sideways;
}

// Gives contacts at seams the normal of the face.
static void smooth_seams(const sn_convex_pair *pair, uint8_t active_edges, sn_manifold *manifold)
{
    const sn_polyhedron *triangle = &pair->a->polyhedron;
    sn_vec3 up = triangle->planes[0].normal, n = manifold->normal;
    if (n.x == up.x && n.y == up.y && n.z == up.z) {
        return;
    }
    bool nearly_upright = sn_dot(n, up) > SN_SAME_NORMAL;
    int edge = edge_leaned_over(triangle->vertices, up, n);
    bool active = (active_edges >> edge & 1u) != 0;
    if (nearly_upright || !active) {
        sn_manifold upright;
        collide_upright(pair, &upright);
        if (!nearly_upright && upright.count > 0 && is_beside_a_ledge(pair, manifold, &upright)) {
            upright.count = 0;
        }
        if (upright.count > 0 || !active) {
            *manifold = upright;
        }
    }
}

void sn_collide_triangle(const sn_vec3 corners[3], uint8_t active_edges, bool double_sided,
                         const sn_convex *b, sn_pose b_in_a, float margin, sn_manifold *manifold)
{
    sn_vec3 own[3] = {corners[0], corners[1], corners[2]};
    sn_convex_storage storage;
    sn_convex triangle = sn_convex_triangle(&storage, own[0], own[1], own[2]);
    sn_vec3 center = sn_pose_apply(b_in_a, sn_convex_center(b));
    float height = sn_dot(storage.triangle.planes[0].normal, center) - storage.triangle.planes[0].offset;
    *manifold = (sn_manifold){.count = 0};
    if (height < 0.0f) {
        if (!double_sided) {
            return;
        }
        turn_over(own, &active_edges);
        triangle = sn_convex_triangle(&storage, own[0], own[1], own[2]);
    }
    sn_convex_pair pair = sn_convex_pair_make(&triangle, b, b_in_a, margin);
    pair.front = triangle.polyhedron.planes[0].normal;
    collide_whole(&pair, manifold);
    if (manifold->count > 0) {
        smooth_seams(&pair, active_edges, manifold);
    }
    sn_manifold_drop_unless_finite(manifold);
}

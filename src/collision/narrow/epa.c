// Penetration depth of two overlapping cores. It is the least distance from the origin to a face of the
// difference b − a, and those faces are known: each has the normal of a face of a or of b, or belongs to an
// edge of each whose arcs cross on the Gauss map (Gregorius, GDC 2013). Testing all of them gives what the
// expanding polytope algorithm (van den Bergen 2001) converges to, without its failures on flat and touching
// cores: the result is always the overlap along a true axis, exact but for rounding.
//
// A segment is an edge whose arc is the whole circle, a point has no axes at all; so spheres and capsules
// need no code of their own. Knows nothing of radii.
#include "collision/narrow/gjk.h"

// Of a polyhedron without holes (Euler).
#define MAX_FACES (2 * SN_MAX_HULL_VERTICES - 4)
#define MAX_EDGES (3 * SN_MAX_HULL_VERTICES - 6)
// An edge pair must be better than the best face by this factor: of equal axes the face is more stable.
#define EDGE_ADVANTAGE 0.9999f
// Sine below which two edges are parallel; the faces beside them then give the same depth.
#define PARALLEL_SINE 1.0e-4f
// How far, as a sine, an axis may leave the arc of an edge by rounding error.
#define ARC_TOLERANCE 1.0e-6f
// Cosine between the faces of an edge below which its arc is so close to a half circle that the bound of
// edge_is_hopeless amplifies rounding errors too much.
#define WIDE_ARC_COSINE (-0.9f)

// A core in the common frame, which is that of a.
typedef struct placed_core {
    const sn_convex *convex;
    sn_mat3 rotation, inverse_rotation;
    sn_vec3 position;
    uint16_t deepest[MAX_FACES]; // by face: the point of the other core farthest below it
} placed_core;

// An edge in the common frame. The face at its left (seen from outside) has the normal `left`; for a segment
// both normals are zero.
typedef struct gauss_edge {
    sn_vec3 point, direction; // unit
    sn_vec3 left, right;
} gauss_edge;

typedef struct least_axis {
    float depth;
    sn_vec3 normal; // unit, from a to b
} least_axis;

// --- cores ---------------------------------------------------------------------------------------

static void place(placed_core *core, const sn_convex *convex, sn_pose pose)
{
    core->convex = convex;
    core->rotation = sn_mat3_from_quat(pose.rotation);
    core->inverse_rotation = sn_mat3_transpose(core->rotation);
    core->position = pose.position;
}

static sn_vec3 point_of(const placed_core *core, int index)
{
    return sn_add(sn_mat3_apply(core->rotation, core->convex->points[index]), core->position);
}

static int support_of(const placed_core *core, sn_vec3 direction)
{
    return sn_convex_support(core->convex, sn_mat3_apply(core->inverse_rotation, direction));
}

static float overlap_along(const placed_core *a, const placed_core *b, sn_vec3 normal)
{
    sn_vec3 top_of_a = point_of(a, support_of(a, normal));
    sn_vec3 bottom_of_b = point_of(b, support_of(b, sn_neg(normal)));
    return sn_dot(normal, sn_sub(top_of_a, bottom_of_b));
}

static float core_size(const sn_convex *convex)
{
    float squared = 0.0f;
    for (int i = 1; i < convex->point_count; ++i) {
        squared = sn_max(squared, sn_length_squared(sn_sub(convex->points[i], convex->points[0])));
    }
    return sqrtf(squared);
}

// --- face normals --------------------------------------------------------------------------------

// `sign` turns the outward normals of this core into directions from a to b.
static void try_faces(least_axis *least, placed_core *core, const placed_core *other, float sign)
{
    const sn_polyhedron *polyhedron = &core->convex->polyhedron;
    int face_count = core->convex->is_polyhedron ? polyhedron->face_count : 0;
    for (int f = 0; f < face_count; ++f) {
        sn_face_plane plane = polyhedron->planes[f];
        sn_vec3 normal = sn_mat3_apply(core->rotation, plane.normal);
        int deepest = support_of(other, sn_neg(normal));
        core->deepest[f] = (uint16_t)deepest;
        float depth = plane.offset - sn_dot(normal, sn_sub(point_of(other, deepest), core->position));
        if (depth < least->depth) {
            *least = (least_axis){depth, sn_scale(normal, sign)};
        }
    }
}

// --- pairs of edges ------------------------------------------------------------------------------

// Whether no axis in the edge's arc can have less depth than found already. On the arc the core's support is
// p, a point of the edge, and every axis is s·left + t·right with s, t ≥ 0 and s + t ≥ 1; so for any point q
// of the other core the overlap is at least axis·(p − q) ≥ min(left·(p − q), right·(p − q)) where that is
// positive.
static bool edge_is_hopeless(const gauss_edge *edge, sn_vec3 other_left, sn_vec3 other_right, float depth)
{
    if (sn_dot(edge->left, edge->right) < WIDE_ARC_COSINE) {
        return false;
    }
    sn_vec3 d = sn_sub(edge->point, other_left), e = sn_sub(edge->point, other_right);
    return sn_min(sn_dot(edge->left, d), sn_dot(edge->right, d)) >= depth ||
           sn_min(sn_dot(edge->left, e), sn_dot(edge->right, e)) >= depth;
}

static int edge_count_of(const sn_convex *convex)
{
    return convex->is_polyhedron ? convex->polyhedron.half_edge_count / 2 : convex->point_count - 1;
}

// False for an edge without length.
static bool segment_edge(const placed_core *core, gauss_edge *edge)
{
    sn_vec3 start = point_of(core, 0);
    sn_vec3 direction = sn_normalize(sn_sub(point_of(core, core->convex->point_count - 1), start));
    *edge = (gauss_edge){.point = start, .direction = direction};
    return sn_length_squared(direction) > 0.0f;
}

// False for an edge whose arc holds no axis better than `depth`.
static bool useful_edge(const placed_core *core, const placed_core *other, int index, float depth,
                        gauss_edge *edge)
{
    if (!core->convex->is_polyhedron) {
        return segment_edge(core, edge);
    }
    const sn_polyhedron *polyhedron = &core->convex->polyhedron;
    sn_half_edge half = polyhedron->half_edges[2 * index], twin = polyhedron->half_edges[2 * index + 1];
    edge->point = point_of(core, half.origin);
    edge->left = sn_mat3_apply(core->rotation, polyhedron->planes[half.face].normal);
    edge->right = sn_mat3_apply(core->rotation, polyhedron->planes[twin.face].normal);
    sn_vec3 other_left = point_of(other, core->deepest[half.face]);
    sn_vec3 other_right = point_of(other, core->deepest[twin.face]);
    if (edge_is_hopeless(edge, other_left, other_right, depth)) {
        return false;
    }
    sn_vec3 span = sn_sub(polyhedron->vertices[twin.origin], polyhedron->vertices[half.origin]);
    edge->direction = sn_normalize(sn_mat3_apply(core->rotation, span));
    return sn_length_squared(edge->direction) > 0.0f;
}

// Whether sign·(edge × other) lies in the arc of `edge`, from its left normal to its right one.
static bool axis_is_in_arc(const gauss_edge *edge, sn_vec3 other_direction, float sign)
{
    return sign * sn_dot(other_direction, edge->left) >= -ARC_TOLERANCE &&
           sign * sn_dot(other_direction, edge->right) <= ARC_TOLERANCE;
}

static void try_edge_pair(least_axis *least, const placed_core *a, const placed_core *b,
                          const gauss_edge *edge_a, const gauss_edge *edge_b, float sign)
{
    if (!axis_is_in_arc(edge_a, edge_b->direction, sign) ||
        !axis_is_in_arc(edge_b, edge_a->direction, sign)) {
        return;
    }
    sn_vec3 axis = sn_cross(edge_a->direction, edge_b->direction);
    float sine = sn_length(axis);
    if (!(sine > PARALLEL_SINE)) {
        return;
    }
    sn_vec3 normal = sn_scale(axis, sign / sine);
    float enough = EDGE_ADVANTAGE * least->depth;
    if (!(sn_dot(normal, sn_sub(edge_a->point, edge_b->point)) < enough)) {
        return;
    }
    // Between nearly parallel edges the axis is inexact and the edges may not be the support along it.
    float depth = overlap_along(a, b, normal);
    if (depth < enough) {
        *least = (least_axis){depth, normal};
    }
}

static void try_edges(least_axis *least, const placed_core *a, const placed_core *b)
{
    gauss_edge edges_b[MAX_EDGES];
    int count_b = 0;
    for (int j = 0; j < edge_count_of(b->convex); ++j) {
        count_b += useful_edge(b, a, j, least->depth, &edges_b[count_b]);
    }
    for (int i = 0; count_b > 0 && i < edge_count_of(a->convex); ++i) {
        gauss_edge edge_a;
        if (!useful_edge(a, b, i, least->depth, &edge_a)) {
            continue;
        }
        for (int j = 0; j < count_b; ++j) {
            try_edge_pair(least, a, b, &edge_a, &edges_b[j], 1.0f);
            try_edge_pair(least, a, b, &edge_a, &edges_b[j], -1.0f);
        }
    }
}

// --- result --------------------------------------------------------------------------------------

// Points and parallel segments have no axes: any direction across the longer one separates them.
static least_axis axis_across(const placed_core *a, const placed_core *b)
{
    gauss_edge edge_a, edge_b;
    bool long_a = segment_edge(a, &edge_a), long_b = segment_edge(b, &edge_b);
    bool along_a = long_a && !(long_b && core_size(b->convex) > core_size(a->convex));
    sn_vec3 normal = sn_v(0.0f, 1.0f, 0.0f);
    if (along_a) {
        normal = sn_perpendicular(edge_a.direction);
    } else if (long_b) {
        normal = sn_perpendicular(edge_b.direction);
    }
    return (least_axis){overlap_along(a, b, normal), normal};
}

// Moved apart by a little more than the depth, the cores are closest at the points that touch last, so GJK
// finds points that lie on both.
static void find_deepest_points(sn_depth_result *result, const placed_core *a, const placed_core *b,
                                sn_pose b_in_a)
{
    if (b->convex->point_count == 1) {
        result->point_b = point_of(b, 0);
        result->point_a = sn_add_scaled(result->point_b, result->depth, result->normal);
        return;
    }
    if (a->convex->point_count == 1) {
        result->point_a = point_of(a, 0);
        result->point_b = sn_add_scaled(result->point_a, -result->depth, result->normal);
        return;
    }
    float gap = 0.1f * sn_max(core_size(a->convex), core_size(b->convex));
    sn_vec3 move = sn_scale(result->normal, result->depth + gap);
    sn_pose apart = {sn_add(b_in_a.position, move), b_in_a.rotation};
    sn_gjk_result nearest = sn_gjk_distance(a->convex, b->convex, apart);
    result->point_a = nearest.point_a;
    result->point_b = sn_sub(nearest.point_b, move);
}

sn_depth_result sn_penetration_depth(const sn_convex *a, const sn_convex *b, sn_pose b_in_a)
{
    placed_core core_a, core_b;
    place(&core_a, a, sn_pose_identity);
    place(&core_b, b, b_in_a);
    least_axis least = {INFINITY, {0.0f, 0.0f, 0.0f}};
    try_faces(&least, &core_a, &core_b, 1.0f);
    try_faces(&least, &core_b, &core_a, -1.0f);
    try_edges(&least, &core_a, &core_b);
    if (!(least.depth < INFINITY)) {
        least = axis_across(&core_a, &core_b);
    }
    // Points of a core may lie outside the planes of its faces that have nearly no area.
    float depth = sn_max(least.depth, overlap_along(&core_a, &core_b, least.normal));
    sn_depth_result result = {.depth = sn_max(depth, 0.0f), .normal = least.normal};
    find_deepest_points(&result, &core_a, &core_b, b_in_a);
    return result;
}

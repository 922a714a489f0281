// Drawing shapes: outlines by lines, faces by triangles.
#include "world/draw/draw.h"

// A plane is shown by a square patch of its surface. [m]
#define PATCH_HALF_SIZE 10.0f
#define PATCH_CELLS     10

// --- spheres and capsules ------------------------------------------------------------------------

// A round shape in the world; for a sphere the ends are the same and the axis is any.
typedef struct round_shape {
    sn_vec3 ends[2];
    sn_vec3 u, v, axis; // right-handed, of length radius
    bool is_sphere;
} round_shape;

static round_shape round_make(const sn_convex *convex, sn_pose pose)
{
    round_shape round = {.is_sphere = convex->point_count == 1};
    sn_vec3 u = sn_v(1.0f, 0.0f, 0.0f), axis = sn_v(0.0f, 0.0f, 1.0f);
    if (!round.is_sphere) {
        axis = sn_normalize(sn_sub(convex->points[1], convex->points[0]));
        u = sn_perpendicular(axis);
    }
    round.ends[0] = sn_pose_apply(pose, convex->points[0]);
    round.ends[1] = sn_pose_apply(pose, convex->points[convex->point_count - 1]);
    round.axis = sn_rotate(pose.rotation, sn_scale(axis, convex->radius));
    round.u = sn_rotate(pose.rotation, sn_scale(u, convex->radius));
    round.v = sn_rotate(pose.rotation, sn_scale(sn_cross(axis, u), convex->radius));
    return round;
}

static void outline_sphere(const sn_pencil *pencil, const round_shape *round)
{
    sn_pencil_arc(pencil, round->ends[0], round->u, round->v, SN_CIRCLE_LINES);
    sn_pencil_arc(pencil, round->ends[0], round->v, round->axis, SN_CIRCLE_LINES);
    sn_pencil_arc(pencil, round->ends[0], round->axis, round->u, SN_CIRCLE_LINES);
}

static void outline_capsule(const sn_pencil *pencil, const round_shape *round)
{
    for (int end = 0; end < 2; ++end) {
        sn_vec3 outwards = end == 0 ? sn_neg(round->axis) : round->axis;
        sn_pencil_arc(pencil, round->ends[end], round->u, round->v, SN_CIRCLE_LINES);
        sn_pencil_arc(pencil, round->ends[end], round->u, outwards, SN_CIRCLE_LINES / 2);
        sn_pencil_arc(pencil, round->ends[end], round->v, outwards, SN_CIRCLE_LINES / 2);
    }
    sn_vec3 sides[4] = {round->u, round->v, sn_neg(round->u), sn_neg(round->v)};
    for (int i = 0; i < 4; ++i) {
        sn_pencil_line(pencil, sn_add(round->ends[0], sides[i]), sn_add(round->ends[1], sides[i]));
    }
}

// Rings of points from the pole behind end 0 to the pole before end 1; both ends have an equator.
enum { QUARTER = SN_CIRCLE_LINES / 4, LAST_RING = 2 * QUARTER + 1 };

static sn_vec3 ring_point(const sn_pencil *pencil, const round_shape *round, int ring, int place)
{
    bool first_end = ring <= QUARTER;
    int latitude = (first_end ? ring : ring - 1) - QUARTER;
    sn_vec3 up = pencil->circle[(latitude + SN_CIRCLE_LINES) % SN_CIRCLE_LINES];
    sn_vec3 around = pencil->circle[place];
    sn_vec3 across = sn_add_scaled(sn_scale(round->u, around.x), around.y, round->v);
    sn_vec3 arm = sn_add_scaled(sn_scale(across, up.x), up.y, round->axis);
    return sn_add(round->ends[first_end ? 0 : 1], arm);
}

static void fill_round(const sn_pencil *pencil, const round_shape *round)
{
    for (int ring = 0; ring < LAST_RING; ++ring) {
        if (round->is_sphere && ring == QUARTER) {
            continue; // the two equators are one
        }
        for (int place = 0; place < SN_CIRCLE_LINES; ++place) {
            sn_vec3 a = ring_point(pencil, round, ring, place);
            sn_vec3 b = ring_point(pencil, round, ring, place + 1);
            sn_vec3 c = ring_point(pencil, round, ring + 1, place + 1);
            sn_vec3 d = ring_point(pencil, round, ring + 1, place);
            if (ring + 1 < LAST_RING) {
                sn_pencil_triangle(pencil, a, c, d);
            }
            if (ring > 0) {
                sn_pencil_triangle(pencil, a, b, c);
            }
        }
    }
}

static void draw_round(const sn_pencil *pencil, const sn_convex *convex, sn_pose pose)
{
    const sn_draw *draw = pencil->draw;
    round_shape round = round_make(convex, pose);
    if (draw->capsule != NULL && (draw->shapes || draw->solid)) {
        draw->capsule(round.ends[0], round.ends[1], convex->radius, pencil->color, draw->user);
        return;
    }
    if (draw->shapes && round.is_sphere) {
        outline_sphere(pencil, &round);
    } else if (draw->shapes) {
        outline_capsule(pencil, &round);
    }
    if (draw->solid) {
        fill_round(pencil, &round);
    }
}

// --- flat shapes ---------------------------------------------------------------------------------

static void fill_face(const sn_pencil *pencil, const sn_polyhedron *polyhedron, sn_pose pose, int face)
{
    const sn_half_edge *edges = polyhedron->half_edges;
    int start = polyhedron->face_edges[face];
    sn_vec3 first = sn_pose_apply(pose, polyhedron->vertices[edges[start].origin]);
    for (int edge = edges[start].next; edges[edge].next != start; edge = edges[edge].next) {
        sn_vec3 a = sn_pose_apply(pose, polyhedron->vertices[edges[edge].origin]);
        sn_vec3 b = sn_pose_apply(pose, polyhedron->vertices[edges[edges[edge].next].origin]);
        sn_pencil_triangle(pencil, first, a, b);
    }
}

static void draw_polyhedron(const sn_pencil *pencil, const sn_polyhedron *polyhedron, sn_pose pose)
{
    for (int i = 0; pencil->draw->shapes && i < polyhedron->half_edge_count; i += 2) {
        sn_vec3 a = polyhedron->vertices[polyhedron->half_edges[i].origin];
        sn_vec3 b = polyhedron->vertices[polyhedron->half_edges[i + 1].origin];
        sn_pencil_line(pencil, sn_pose_apply(pose, a), sn_pose_apply(pose, b));
    }
    for (int i = 0; pencil->draw->solid && i < polyhedron->face_count; ++i) {
        fill_face(pencil, polyhedron, pose, i);
    }
}

// A grid about the point of the plane nearest to the world's origin, and the normal there.
static void draw_plane(const sn_pencil *pencil, sn_plane plane, sn_pose pose)
{
    sn_vec3 normal = sn_rotate(pose.rotation, plane.normal);
    float offset = plane.offset + sn_dot(normal, pose.position);
    sn_vec3 center = sn_scale(normal, offset);
    sn_vec3 u = sn_scale(sn_perpendicular(normal), PATCH_HALF_SIZE), v = sn_cross(normal, u);
    for (int i = 0; pencil->draw->shapes && i <= PATCH_CELLS; ++i) {
        float along = 2.0f * (float)i / PATCH_CELLS - 1.0f;
        sn_vec3 on_u = sn_add_scaled(center, along, u), on_v = sn_add_scaled(center, along, v);
        sn_pencil_line(pencil, sn_sub(on_u, v), sn_add(on_u, v));
        sn_pencil_line(pencil, sn_sub(on_v, u), sn_add(on_v, u));
    }
    if (pencil->draw->shapes) {
        sn_pencil_line(pencil, center, sn_add(center, normal));
    }
    if (pencil->draw->solid) {
        sn_vec3 right = sn_add(center, u), left = sn_sub(center, u);
        sn_pencil_triangle(pencil, sn_sub(left, v), sn_sub(right, v), sn_add(right, v));
        sn_pencil_triangle(pencil, sn_sub(left, v), sn_add(right, v), sn_add(left, v));
    }
}

// An inner edge is in two triangles, in opposite directions: the triangle in which it ascends draws it.
// Active edges are drawn in both directions, because open edges, which are active, are in one triangle only.
static bool draws_edge(const sn_surface *surface, int triangle, int k)
{
    const uint32_t *corners = surface->triangles + 3 * (size_t)triangle;
    return corners[k] < corners[(k + 1) % 3] || (surface->active_edges[triangle] >> k & 1) != 0;
}

static void draw_surface(const sn_pencil *pencil, const sn_surface *surface, sn_pose pose)
{
    for (int i = 0; i < surface->triangle_count; ++i) {
        sn_vec3 corners[3];
        sn_surface_triangle(surface, i, corners);
        for (int k = 0; k < 3; ++k) {
            corners[k] = sn_pose_apply(pose, corners[k]);
        }
        for (int k = 0; pencil->draw->shapes && k < 3; ++k) {
            if (draws_edge(surface, i, k)) {
                sn_pencil_line(pencil, corners[k], corners[(k + 1) % 3]);
            }
        }
        if (pencil->draw->solid) {
            sn_pencil_triangle(pencil, corners[0], corners[1], corners[2]);
        }
    }
}

// --- all shapes ----------------------------------------------------------------------------------

static void draw_convex(const sn_pencil *pencil, const sn_convex *convex, sn_pose pose)
{
    if (convex->is_polyhedron) {
        draw_polyhedron(pencil, &convex->polyhedron, pose);
    } else {
        draw_round(pencil, convex, pose);
    }
}

void sn_draw_shape(const sn_pencil *pencil, const sn_shape_data *shape, sn_pose pose)
{
    switch (shape->type) {
    case SN_PLANE:
        draw_plane(pencil, shape->plane, pose);
        break;
    case SN_SURFACE:
        draw_surface(pencil, shape->surface, pose);
        break;
    case SN_COMPOUND:
        for (int i = 0; i < shape->compound->part_count; ++i) {
            sn_convex convex = sn_compound_convex(shape->compound, i);
            draw_convex(pencil, &convex, sn_pose_multiply(pose, shape->compound->parts[i].solid.pose));
        }
        break;
    default: {
        sn_convex convex = sn_shape_convex(shape);
        draw_convex(pencil, &convex, pose);
        break;
    }
    }
}

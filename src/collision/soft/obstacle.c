// Distances of points from obstacles, in closed form where there is one, and casts of balls against them.
#include "collision/soft/obstacle.h"

#include "collision/narrow/cast.h"
#include "collision/narrow/gjk.h"
#include "collision/narrow/narrow_phase.h"
#include "collision/narrow/segments.h"

#include <float.h>
#include <math.h>

// Along the direction from a core point to `point`, or any if they coincide.
static float from_core(sn_vec3 core, sn_vec3 point, float radius, sn_vec3 *normal)
{
    sn_vec3 out = sn_sub(point, core);
    float distance = sn_length(out);
    *normal = distance > 1.0e-9f ? sn_scale(out, 1.0f / distance) : sn_v(0.0f, 1.0f, 0.0f);
    return distance - radius;
}

// The face over which the point is highest, and that height. Faces with a normal close to `before` are
// preferred by `bonus`.
static float highest_plane(const sn_polyhedron *polyhedron, sn_vec3 p, sn_vec3 before, float bonus, int *face)
{
    float highest = -FLT_MAX, best = -FLT_MAX;
    for (int i = 0; i < polyhedron->face_count; ++i) {
        sn_vec3 normal = polyhedron->planes[i].normal;
        float height = sn_dot(normal, p) - polyhedron->planes[i].offset;
        float alike = sn_dot(normal, before), rank = height + (alike > 0.7f ? bonus : 0.0f);
        highest = sn_max(highest, height);
        if (rank > best) {
            best = rank;
            *face = i;
        }
    }
    return highest;
}

static float height_over(const sn_polyhedron *polyhedron, int face, sn_vec3 p)
{
    return sn_dot(polyhedron->planes[face].normal, p) - polyhedron->planes[face].offset;
}

// In the hull's frame: over a face or inside, it is the distance from a plane; beside it, GJK finds the
// closest edge or vertex.
static float hull_distance(const sn_convex *convex, sn_vec3 p, sn_vec3 before, float bonus, sn_vec3 *normal)
{
    const sn_polyhedron *polyhedron = &convex->polyhedron;
    int face = 0, unused = 0;
    bool inside = highest_plane(polyhedron, p, before, bonus, &face) <= 0.0f;
    if (!inside) {
        (void)highest_plane(polyhedron, p, before, 0.0f, &face);
    }
    float height = height_over(polyhedron, face, p);
    *normal = polyhedron->planes[face].normal;
    sn_vec3 closest = sn_add_scaled(p, -height, *normal);
    if (inside || highest_plane(polyhedron, closest, before, 0.0f, &unused) <= 1.0e-6f * (1.0f + height)) {
        return height;
    }
    sn_convex single = {.points = &p, .point_count = 1};
    sn_gjk_result nearest = sn_gjk_distance(convex, &single, sn_pose_identity);
    if (nearest.simplex_count < 4 && nearest.distance > 1.0e-7f) {
        *normal = nearest.normal;
        return nearest.distance;
    }
    return height;
}

// Where a point beside a triangle is closest to it.
typedef struct beside {
    int edge;     // −1: over the face
    float at;     // fraction of the edge; 0 or 1 at its ends
    sn_vec3 away; // from there to the point
    float distance;
} beside;

static beside find_beside(const sn_obstacle *obstacle, sn_vec3 p)
{
    beside nearest = {.edge = -1, .distance = INFINITY};
    for (int k = 0; k < 3; ++k) {
        sn_vec3 a = obstacle->corners[k], along = sn_sub(obstacle->corners[(k + 1) % 3], a),
                from = sn_sub(p, a);
        if (sn_dot(sn_cross(obstacle->plane.normal, along), from) >= 0.0f) {
            continue;
        }
        float at = sn_clamp(sn_dot(from, along) / sn_max(sn_length_squared(along), FLT_MIN), 0.0f, 1.0f);
        sn_vec3 away = sn_add_scaled(from, -at, along);
        float distance = sn_length(away);
        if (distance < nearest.distance) {
            nearest = (beside){k, at, away, distance};
        }
    }
    return nearest;
}

// Whether a point is closest to an edge or corner that sticks out: a neighbour tells of what lies over it,
// and what several triangles have is told by one. `sign` is −1 behind the triangle.
static bool is_closest_to(const sn_obstacle *obstacle, const beside *b, float sign)
{
    bool is_inner = b->at > 0.0f && b->at < 1.0f;
    int k = b->edge, corner = b->at <= 0.0f ? k : (k + 1) % 3;
    float height = sign * sn_dot(b->away, obstacle->plane.normal);
    if (!is_inner) {
        return (obstacle->owned >> (3 + corner) & 1u) != 0 &&
               height >= (obstacle->corner_cosines[corner] - 1.0e-3f) * b->distance;
    }
    // Into the neighbour, from the edge: how far the point is over it.
    sn_vec3 along = sn_sub(obstacle->corners[(k + 1) % 3], obstacle->corners[k]);
    float length = sn_length(along), out = sn_dot(b->away, sn_cross(along, obstacle->plane.normal));
    float over = obstacle->bends[k].cosine * out - sign * obstacle->bends[k].sine * height * length;
    return (obstacle->active_edges & obstacle->owned & 1u << k) != 0 && over <= 1.0e-4f * length * length;
}

// Over the face, from its plane; beside it, from the closest edge that sticks out. A point deeper behind than
// the thickness is not in contact.
static float triangle_distance(const sn_obstacle *obstacle, sn_vec3 p, const sn_vec3 *before, float thickness,
                               sn_vec3 *normal)
{
    float height = sn_dot(obstacle->plane.normal, p) - obstacle->plane.offset;
    bool is_behind = obstacle->double_sided &&
                     (before != NULL ? sn_dot(*before, obstacle->plane.normal) < 0.0f : height < 0.0f);
    float sign = is_behind ? -1.0f : 1.0f;
    *normal = sn_scale(obstacle->plane.normal, sign);
    height *= sign;
    if (height < -thickness) {
        return INFINITY;
    }
    beside nearest = find_beside(obstacle, p);
    if (nearest.edge < 0) {
        return height;
    }
    if (!(height > 0.0f) || !is_closest_to(obstacle, &nearest, sign)) {
        return INFINITY;
    }
    *normal = nearest.distance > 1.0e-9f ? sn_scale(nearest.away, 1.0f / nearest.distance) : *normal;
    return nearest.distance;
}

float sn_obstacle_distance(const sn_obstacle *obstacle, sn_vec3 point, const sn_vec3 *before, float thickness,
                           sn_vec3 *normal)
{
    const sn_convex *convex = &obstacle->convex;
    if (obstacle->kind == SN_OBSTACLE_PLANE) {
        *normal = obstacle->plane.normal;
        return sn_dot(obstacle->plane.normal, point) - obstacle->plane.offset;
    }
    if (obstacle->kind == SN_OBSTACLE_TRIANGLE) {
        return triangle_distance(obstacle, point, before, thickness, normal);
    }
    if (!convex->is_polyhedron) {
        sn_vec3 a = sn_pose_apply(obstacle->pose, convex->points[0]);
        sn_vec3 core =
            convex->point_count == 1
                ? a
                : sn_nearest_on_segment(a, sn_pose_apply(obstacle->pose, convex->points[1]), point);
        return from_core(core, point, convex->radius, normal);
    }
    sn_vec3 local = sn_pose_apply_inverse(obstacle->pose, point), local_normal, closest;
    sn_vec3 local_before =
        before != NULL ? sn_rotate_inverse(obstacle->pose.rotation, *before) : sn_v(0.0f, 0.0f, 0.0f);
    float distance = convex->is_box ? sn_box_distance(convex->points[7], local, 1.0e-7f, local_before,
                                                      thickness, &local_normal, &closest)
                                    : hull_distance(convex, local, local_before, thickness, &local_normal);
    *normal = sn_rotate(obstacle->pose.rotation, local_normal);
    return distance - convex->radius;
}

static bool cast_on_triangle(const sn_obstacle *obstacle, sn_vec3 point, sn_vec3 displacement, float radius,
                             sn_vec3 *normal, float *distance)
{
    // The face raised by the radius: where the centre of the ball is when it touches.
    bool is_behind = obstacle->double_sided && sn_dot(obstacle->plane.normal, point) < obstacle->plane.offset;
    *normal = is_behind ? sn_neg(obstacle->plane.normal) : obstacle->plane.normal;
    sn_vec3 raised[3];
    for (int k = 0; k < 3; ++k) {
        raised[k] = sn_add_scaled(obstacle->corners[k], radius, *normal);
    }
    sn_cast_result cast = sn_ray_triangle(raised, obstacle->double_sided, point, displacement);
    *distance = -cast.fraction * sn_dot(displacement, *normal);
    return cast.hit && *distance > 0.0f;
}

bool sn_obstacle_cast(const sn_obstacle *obstacle, sn_vec3 point, sn_vec3 displacement, float radius,
                      sn_vec3 *normal, float *distance)
{
    if (obstacle->kind == SN_OBSTACLE_PLANE) {
        return false; // sn_obstacle_distance suffices
    }
    if (obstacle->kind == SN_OBSTACLE_TRIANGLE) {
        return cast_on_triangle(obstacle, point, displacement, radius, normal, distance);
    }
    sn_convex swollen = obstacle->convex;
    swollen.radius += radius;
    sn_cast_result cast = sn_ray_convex(&swollen, sn_pose_apply_inverse(obstacle->pose, point),
                                        sn_rotate_inverse(obstacle->pose.rotation, displacement));
    if (!cast.hit || cast.fraction == 0.0f) {
        return false;
    }
    *normal = sn_rotate(obstacle->pose.rotation, cast.normal);
    *distance = -cast.fraction * sn_dot(displacement, *normal);
    return *distance > 0.0f;
}

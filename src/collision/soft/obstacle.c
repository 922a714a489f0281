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

// Over the face, from its plane; beside it, from the closest edge that sticks out. A point deeper behind than
// the thickness is not in contact.
static float triangle_distance(const sn_obstacle *obstacle, sn_vec3 p, const sn_vec3 *before, float thickness,
                               sn_vec3 *normal)
{
    const sn_vec3 *corners = obstacle->corners;
    float height = sn_dot(obstacle->plane.normal, p) - obstacle->plane.offset;
    bool is_behind = obstacle->double_sided &&
                     (before != NULL ? sn_dot(*before, obstacle->plane.normal) < 0.0f : height < 0.0f);
    *normal = is_behind ? sn_neg(obstacle->plane.normal) : obstacle->plane.normal;
    height = is_behind ? -height : height;
    if (height < -thickness) {
        return INFINITY;
    }
    float nearest = INFINITY;
    bool over = true;
    for (int k = 0; k < 3; ++k) {
        sn_vec3 a = corners[k], b = corners[(k + 1) % 3];
        sn_vec3 inward = sn_cross(obstacle->plane.normal, sn_sub(b, a));
        if (sn_dot(inward, sn_sub(p, a)) >= 0.0f) {
            continue;
        }
        over = false;
        sn_vec3 out = sn_sub(p, sn_nearest_on_segment(a, b, p));
        float distance = sn_length(out);
        if ((obstacle->active_edges >> k & 1u) != 0 && height > 0.0f && distance < nearest) {
            nearest = distance;
            *normal = distance > 1.0e-9f ? sn_scale(out, 1.0f / distance) : *normal;
        }
    }
    return over ? height : nearest;
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

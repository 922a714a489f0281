// Rays and translating solids against convex shapes. Rays hit spheres, capsules, planes and polyhedra in
// closed form. Everything else advances along the path as far as the separating plane of the closest points
// allows (van den Bergen 2004; exact for faces, quadratic for curved parts): as the shapes do not turn, that
// plane separates them until the path crosses it, so no hit is missed.
#include "collision/narrow/cast.h"
#include "collision/narrow/gjk.h"
#include "collision/narrow/segments.h"

#define MAX_ADVANCES 64
// Shapes closer than this part of their size are in contact.
#define CONTACT_TOLERANCE 1.0e-5f

static const sn_cast_result no_hit = {0};

// A path in metres, in which closed forms are best conditioned.
typedef struct ray {
    sn_vec3 origin, direction; // unit; zero if the path has no length
    float length;
} ray;

static ray ray_along(sn_vec3 origin, sn_vec3 translation)
{
    float length = sn_length(translation);
    return (ray){origin, sn_normalize(translation), length};
}

static sn_cast_result hit_at(const ray *path, float distance, sn_vec3 point, sn_vec3 normal)
{
    float fraction = path->length > 0.0f ? sn_clamp(distance / path->length, 0.0f, 1.0f) : 0.0f;
    return (sn_cast_result){true, fraction, point, normal};
}

// A path without length has no direction; the normal is zero then.
static sn_cast_result hit_from_inside(sn_vec3 point, sn_vec3 translation)
{
    return (sn_cast_result){true, 0.0f, point, sn_normalize(sn_neg(translation))};
}

static sn_cast_result nearer_hit(sn_cast_result p, sn_cast_result q)
{
    return !p.hit || (q.hit && q.fraction < p.fraction) ? q : p;
}

// --- round shapes --------------------------------------------------------------------------------

// Where a path enters the circle of `radius` around a centre (or an axis).
typedef struct circle_entry {
    bool hit;
    float distance; // along the path, may be negative
    sn_vec3 normal; // from the centre, of length radius
} circle_entry;

// `offset` is the path's origin from the centre, `direction` need not be unit. The discriminant is taken from
// the point of closest approach (Haines et al., Ray Tracing Gems 2019, ch. 7): b² − 4ac would lose all digits
// for a small sphere far away.
static circle_entry enter_circle(sn_vec3 offset, sn_vec3 direction, float radius)
{
    float speed_squared = sn_length_squared(direction);
    float nearest_at = -sn_dot(offset, direction) / speed_squared;
    sn_vec3 nearest = sn_add_scaled(offset, nearest_at, direction);
    float correction = -sn_dot(nearest, direction) / speed_squared;
    nearest_at += correction;
    nearest = sn_add_scaled(nearest, correction, direction);
    float discriminant = radius * radius - sn_length_squared(nearest);
    if (!(discriminant >= 0.0f && nearest_at >= 0.0f)) {
        return (circle_entry){0};
    }
    float back = sqrtf(discriminant / speed_squared);
    return (circle_entry){true, nearest_at - back, sn_add_scaled(nearest, -back, direction)};
}

// The origin must be outside.
static sn_cast_result ray_sphere(const ray *path, sn_vec3 center, float radius)
{
    circle_entry entry = enter_circle(sn_sub(path->origin, center), path->direction, radius);
    if (!entry.hit || entry.distance > path->length) {
        return no_hit;
    }
    sn_vec3 normal = sn_normalize(entry.normal);
    return hit_at(path, entry.distance, sn_add_scaled(center, radius, normal), normal);
}

// The curved surface between the ends. The origin must be outside the capsule.
static sn_cast_result ray_cylinder(const ray *path, const sn_vec3 ends[2], float radius)
{
    sn_vec3 span = sn_sub(ends[1], ends[0]), offset = sn_sub(path->origin, ends[0]);
    float length = sn_length(span);
    sn_vec3 axis = sn_normalize(span);
    float height = sn_dot(offset, axis), rise = sn_dot(path->direction, axis);
    sn_vec3 across = sn_add_scaled(path->direction, -rise, axis);
    if (!(sn_length_squared(across) > 1.0e-12f)) {
        return no_hit;
    }
    circle_entry entry = enter_circle(sn_add_scaled(offset, -height, axis), across, radius);
    // Negative if the origin is within the infinite cylinder: beyond an end, or on its surface by rounding.
    bool beside = height >= 0.0f && height <= length;
    if (!entry.hit || entry.distance > path->length || (entry.distance < 0.0f && !beside)) {
        return no_hit;
    }
    float hit_height = height + rise * sn_max(entry.distance, 0.0f);
    if (!(hit_height >= 0.0f && hit_height <= length)) {
        return no_hit;
    }
    sn_vec3 normal = sn_normalize(entry.normal);
    sn_vec3 center = sn_add_scaled(ends[0], hit_height, axis);
    return hit_at(path, entry.distance, sn_add_scaled(center, radius, normal), normal);
}

static sn_cast_result ray_capsule(const sn_vec3 ends[2], float radius, sn_vec3 origin, sn_vec3 translation)
{
    sn_vec3 from_axis = sn_sub(origin, sn_nearest_on_segment(ends[0], ends[1], origin));
    if (sn_length_squared(from_axis) < radius * radius) {
        return hit_from_inside(origin, translation);
    }
    ray path = ray_along(origin, translation);
    sn_cast_result hit = ray_cylinder(&path, ends, radius);
    hit = nearer_hit(hit, ray_sphere(&path, ends[0], radius));
    return nearer_hit(hit, ray_sphere(&path, ends[1], radius));
}

// --- flat shapes ---------------------------------------------------------------------------------

sn_cast_result sn_ray_plane(sn_plane plane, sn_vec3 origin, sn_vec3 translation)
{
    float height = sn_dot(plane.normal, origin) - plane.offset;
    float descent = -sn_dot(plane.normal, translation);
    if (height < 0.0f) {
        return hit_from_inside(origin, translation);
    }
    if (!(descent > 0.0f && height <= descent)) {
        return no_hit;
    }
    float fraction = height / descent;
    sn_vec3 point = sn_add_scaled(origin, fraction, translation);
    point = sn_add_scaled(point, plane.offset - sn_dot(plane.normal, point), plane.normal);
    return (sn_cast_result){true, fraction, point, plane.normal};
}

// The side of an edge follows from a triple product that only changes its sign with the edge's direction, so
// a path through an edge that two triangles share hits at least one of them.
sn_cast_result sn_ray_triangle(const sn_vec3 corners[3], bool double_sided, sn_vec3 origin,
                               sn_vec3 translation)
{
    sn_vec3 normal = sn_cross(sn_sub(corners[1], corners[0]), sn_sub(corners[2], corners[0]));
    sn_vec3 a = sn_sub(corners[0], origin), b = sn_sub(corners[1], origin), c = sn_sub(corners[2], origin);
    float descent = -sn_dot(normal, translation), height = -sn_dot(normal, a);
    float side = descent < 0.0f ? -1.0f : 1.0f;
    if (descent == 0.0f || (side < 0.0f && !double_sided)) {
        return no_hit;
    }
    float past_ab = -side * sn_dot(translation, sn_cross(a, b));
    float past_bc = -side * sn_dot(translation, sn_cross(b, c));
    float past_ca = -side * sn_dot(translation, sn_cross(c, a));
    if (!(past_ab >= 0.0f && past_bc >= 0.0f && past_ca >= 0.0f)) {
        return no_hit;
    }
    float fraction = height / descent;
    if (!(fraction >= 0.0f && fraction <= 1.0f)) {
        return no_hit;
    }
    sn_vec3 outwards = sn_normalize(sn_scale(normal, side));
    return (sn_cast_result){true, fraction, sn_add_scaled(origin, fraction, translation), outwards};
}

// Clips the path by every face (Cyrus and Beck 1978).
static sn_cast_result ray_polyhedron(const sn_polyhedron *polyhedron, sn_vec3 origin, sn_vec3 translation)
{
    float enter = 0.0f, leave = INFINITY;
    int face = -1;
    for (int f = 0; f < polyhedron->face_count; ++f) {
        sn_face_plane plane = polyhedron->planes[f];
        float height = sn_dot(plane.normal, origin) - plane.offset;
        float descent = -sn_dot(plane.normal, translation);
        if (height > 0.0f) {
            if (!(descent > 0.0f && height <= descent)) {
                return no_hit;
            }
            if (face < 0 || height / descent > enter) {
                enter = height / descent;
                face = f;
            }
        } else if (descent < 0.0f) {
            leave = sn_min(leave, height / descent);
        }
    }
    if (enter > leave || leave == 0.0f) {
        return no_hit;
    }
    if (face < 0) {
        return hit_from_inside(origin, translation);
    }
    sn_vec3 point = sn_add_scaled(origin, enter, translation);
    return (sn_cast_result){true, enter, point, polyhedron->planes[face].normal};
}

// --- advancing -----------------------------------------------------------------------------------

static float largest_coordinate(const sn_convex *convex)
{
    float squared = 0.0f;
    for (int i = 0; i < convex->point_count; ++i) {
        squared = sn_max(squared, sn_length_squared(convex->points[i]));
    }
    return sqrtf(squared) + convex->radius;
}

static sn_cast_result advance(const sn_convex *a, const sn_convex *b, sn_pose b_in_a, sn_vec3 translation)
{
    float tolerance = CONTACT_TOLERANCE * (largest_coordinate(a) + largest_coordinate(b));
    float fraction = 0.0f;
    sn_separation_result nearest = sn_separation(a, b, b_in_a);
    if (nearest.distance < -tolerance) {
        return hit_from_inside(nearest.point_a, translation);
    }
    for (int i = 0; i < MAX_ADVANCES; ++i) {
        float approach = -sn_dot(nearest.normal, translation);
        // Shapes that touch at the start may slide; only penetration counts.
        if (!(nearest.distance - approach * (1.0f - fraction) < -0.5f * tolerance) || !(approach > 0.0f)) {
            return no_hit;
        }
        if (nearest.distance <= tolerance) {
            fraction += sn_max(nearest.distance, 0.0f) / approach;
            break;
        }
        // Stopping half the tolerance before contact keeps the normal of the closest points well defined.
        float next = fraction + (nearest.distance - 0.5f * tolerance) / approach;
        if (!(next > fraction)) {
            break;
        }
        fraction = sn_min(next, 1.0f);
        sn_pose pose = {sn_add_scaled(b_in_a.position, fraction, translation), b_in_a.rotation};
        nearest = sn_separation(a, b, pose);
    }
    return (sn_cast_result){true, sn_min(fraction, 1.0f), nearest.point_a, nearest.normal};
}

// --- any convex ----------------------------------------------------------------------------------

sn_cast_result sn_ray_convex(const sn_convex *convex, sn_vec3 origin, sn_vec3 translation)
{
    if (!convex->is_polyhedron) {
        sn_vec3 ends[2] = {convex->points[0], convex->points[convex->point_count - 1]};
        return ray_capsule(ends, convex->radius, origin, translation);
    }
    if (convex->radius > 0.0f) {
        sn_vec3 zero = {0.0f, 0.0f, 0.0f};
        sn_convex point = {.points = &zero, .point_count = 1};
        return advance(convex, &point, (sn_pose){origin, sn_quat_identity}, translation);
    }
    if (convex->polyhedron.face_count == 2) {
        return sn_ray_triangle(convex->polyhedron.vertices, true, origin, translation);
    }
    return ray_polyhedron(&convex->polyhedron, origin, translation);
}

// A ball that moves against a ball or a capsule is a ray against the other one grown by its radius.
static sn_cast_result cast_ball(const sn_convex *a, const sn_convex *b, sn_pose b_in_a, sn_vec3 translation)
{
    sn_convex grown = *a;
    grown.radius += b->radius;
    sn_cast_result hit = sn_ray_convex(&grown, sn_pose_apply(b_in_a, b->points[0]), translation);
    hit.point = sn_add_scaled(hit.point, -b->radius, hit.normal);
    if (hit.hit && hit.fraction == 0.0f) {
        hit.point = sn_separation(a, b, b_in_a).point_a;
    }
    return hit;
}

sn_cast_result sn_cast_convex(const sn_convex *a, const sn_convex *b, sn_pose b_in_a, sn_vec3 translation)
{
    if (b->point_count == 1 && !a->is_polyhedron) {
        return cast_ball(a, b, b_in_a, translation);
    }
    return advance(a, b, b_in_a, translation);
}

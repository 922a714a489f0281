// Spheres and capsules, with each other and with polyhedra. Their cores are points and segments, nearly
// always outside the other core, so the normal is the direction of the distance; deep inside a polyhedron it
// is the shortest direction out. Capsules that lie along an edge or a face get two points.
#include "collision/narrow/narrow_phase.h"

#include "collision/narrow/clip.h"
#include "collision/narrow/gjk.h"
#include "collision/narrow/sat.h"

// Segments at an angle with a smaller squared sine (1.7°) are parallel.
#define ALONG 9.0e-4f
// A distance below this part of the tolerance has no direction.
#define NO_DISTANCE 0.02f

// The core's two ends in the frame of a; both the same for a sphere.
static void core_ends(const sn_convex *convex, const sn_frame *frame, sn_vec3 ends[2])
{
    sn_vec3 start = convex->points[0], end = convex->points[convex->point_count - 1];
    ends[0] = frame != NULL ? sn_frame_apply(frame, start) : start;
    ends[1] = frame != NULL ? sn_frame_apply(frame, end) : end;
}

// --- two segments --------------------------------------------------------------------------------

// The closest points of two segments (Ericson, "Real-time collision detection", 5.1.9); either may be a
// point.
static void nearest_of_segments(const sn_vec3 a[2], const sn_vec3 b[2], sn_vec3 *on_a, sn_vec3 *on_b)
{
    sn_vec3 u = sn_sub(a[1], a[0]), v = sn_sub(b[1], b[0]), w = sn_sub(a[0], b[0]);
    float uu = sn_dot(u, u), uv = sn_dot(u, v), vv = sn_dot(v, v), uw = sn_dot(u, w), vw = sn_dot(v, w);
    float determinant = uu * vv - uv * uv;
    float s = 0.0f, t = 0.0f;
    if (determinant > 1.0e-7f * uu * vv) {
        s = sn_clamp((uv * vw - uw * vv) / determinant, 0.0f, 1.0f);
    }
    if (vv > 0.0f) {
        t = (uv * s + vw) / vv;
    }
    if (!(t > 0.0f && t < 1.0f)) {
        t = sn_clamp(t, 0.0f, 1.0f);
        s = uu > 0.0f ? sn_clamp((uv * t - uw) / uu, 0.0f, 1.0f) : 0.0f;
    }
    *on_a = sn_add_scaled(a[0], s, u);
    *on_b = sn_add_scaled(b[0], t, v);
}

// A normal for segments that cross, from the middle of a to that of b if possible.
static sn_vec3 crossing_normal(const sn_vec3 a[2], const sn_vec3 b[2])
{
    sn_vec3 u = sn_sub(a[1], a[0]), v = sn_sub(b[1], b[0]);
    sn_vec3 normal = sn_normalize(sn_cross(sn_normalize(u), sn_normalize(v)));
    if (sn_length_squared(normal) == 0.0f) {
        sn_vec3 axis = sn_normalize(sn_length_squared(u) > sn_length_squared(v) ? u : v);
        normal = sn_length_squared(axis) > 0.0f ? sn_perpendicular(axis) : sn_v(0.0f, 1.0f, 0.0f);
    }
    sn_vec3 between = sn_sub(sn_lerp(b[0], b[1], 0.5f), sn_lerp(a[0], a[1], 0.5f));
    return sn_dot(normal, between) < 0.0f ? sn_neg(normal) : normal;
}

// Coordinates of a segment's ends along a direction, and the point of the segment at a coordinate.
typedef struct span {
    sn_vec3 start, along;
    float low, length;
} span;

static span span_along(const sn_vec3 ends[2], sn_vec3 direction)
{
    float start = sn_dot(direction, ends[0]), end = sn_dot(direction, ends[1]);
    bool turned = end < start;
    return (span){ends[turned], sn_sub(ends[!turned], ends[turned]), sn_min(start, end), sn_abs(end - start)};
}

static sn_vec3 span_at(const span *s, float coordinate)
{
    return sn_add_scaled(s->start, sn_clamp((coordinate - s->low) / s->length, 0.0f, 1.0f), s->along);
}

// Two points at the ends of the overlap of two parallel segments; false if they are not, or do not overlap.
static bool set_along(sn_manifold *manifold, const sn_convex_pair *pair, const sn_vec3 a[2],
                      const sn_vec3 b[2], sn_vec3 normal)
{
    sn_vec3 u = sn_normalize(sn_sub(a[1], a[0])), v = sn_normalize(sn_sub(b[1], b[0]));
    v = sn_dot(u, v) < 0.0f ? sn_neg(v) : v;
    sn_vec3 direction = sn_normalize(sn_add(u, v));
    bool points = sn_length_squared(u) == 0.0f || sn_length_squared(v) == 0.0f;
    if (points || sn_length_squared(sn_cross(u, v)) > ALONG) {
        return false;
    }
    span on_a = span_along(a, direction), on_b = span_along(b, direction);
    float low = sn_max(on_a.low, on_b.low);
    float high = sn_min(on_a.low + on_a.length, on_b.low + on_b.length);
    if (!(high - low > pair->tolerance)) {
        return false;
    }
    sn_manifold_point ends[2];
    for (int i = 0; i < 2; ++i) {
        sn_vec3 point_b = span_at(&on_b, i == 0 ? low : high);
        sn_vec3 point_a = span_at(&on_a, i == 0 ? low : high);
        ends[i] = (sn_manifold_point){point_b, sn_dot(normal, sn_sub(point_b, point_a)), (uint32_t)i};
        if (!(ends[i].separation <= sn_pair_reach(pair))) {
            return false;
        }
    }
    sn_manifold_set(manifold, pair, normal, ends, 2);
    return true;
}

void sn_collide_round(const sn_convex_pair *pair, sn_manifold *manifold)
{
    sn_vec3 a[2], b[2], on_a, on_b;
    core_ends(pair->a, NULL, a);
    core_ends(pair->b, &pair->frame, b);
    nearest_of_segments(a, b, &on_a, &on_b);
    sn_vec3 between = sn_sub(on_b, on_a);
    float distance = sn_length(between);
    manifold->count = 0;
    if (!(distance <= sn_pair_reach(pair))) {
        return;
    }
    bool crossing = !(distance > NO_DISTANCE * pair->tolerance);
    sn_vec3 normal = crossing ? crossing_normal(a, b) : sn_scale(between, 1.0f / distance);
    if (!set_along(manifold, pair, a, b, normal)) {
        sn_manifold_set_single(manifold, pair, normal, on_a, on_b, SN_FEATURE_CLOSEST);
    }
}

// --- polyhedron and sphere -----------------------------------------------------------------------

float sn_box_distance(sn_vec3 half, sn_vec3 point, float least, sn_vec3 before, float bonus, sn_vec3 *normal,
                      sn_vec3 *closest)
{
    *closest = sn_max3(sn_neg(half), sn_min3(point, half));
    sn_vec3 out = sn_sub(point, *closest);
    float distance = sn_length(out);
    if (distance > least) {
        *normal = sn_scale(out, 1.0f / distance);
        return distance;
    }
    sn_vec3 depth = sn_sub(half, sn_abs3(point));
    sn_vec3 rank = sn_sub(depth, sn_scale(sn_mul(before, before), bonus));
    if (rank.x <= rank.y && rank.x <= rank.z) {
        *normal = sn_v(point.x < 0.0f ? -1.0f : 1.0f, 0.0f, 0.0f);
        distance = -depth.x;
    } else if (rank.y <= rank.z) {
        *normal = sn_v(0.0f, point.y < 0.0f ? -1.0f : 1.0f, 0.0f);
        distance = -depth.y;
    } else {
        *normal = sn_v(0.0f, 0.0f, point.z < 0.0f ? -1.0f : 1.0f);
        distance = -depth.z;
    }
    *closest = sn_add_scaled(point, -distance, *normal);
    return distance;
}

static void collide_box_sphere(const sn_convex_pair *pair, sn_vec3 center, sn_manifold *manifold)
{
    sn_vec3 normal, closest, none = {0.0f, 0.0f, 0.0f};
    float distance = sn_box_distance(pair->a->points[7], center, NO_DISTANCE * pair->tolerance, none, 0.0f,
                                     &normal, &closest);
    if (distance <= sn_pair_reach(pair)) {
        sn_manifold_set_single(manifold, pair, normal, closest, center, SN_FEATURE_CLOSEST);
    }
}

static bool is_over(const sn_polyhedron *polyhedron, int face, sn_vec3 point)
{
    sn_clip_side sides[SN_MAX_HULL_VERTICES];
    int count = sn_clip_sides(polyhedron, face, 0.0f, sides);
    for (int k = 0; k < count; ++k) {
        if (sn_dot(sides[k].normal, point) > sides[k].offset) {
            return false;
        }
    }
    return true;
}

static sn_vec3 nearest_on_outline(const sn_polyhedron *polyhedron, int face, sn_vec3 point)
{
    int first = polyhedron->face_edges[face], edge = first, guard = SN_MAX_HULL_VERTICES;
    sn_vec3 nearest = point;
    float nearest_squared = INFINITY;
    do {
        const sn_half_edge *half_edge = &polyhedron->half_edges[edge];
        sn_vec3 start = polyhedron->vertices[half_edge->origin];
        sn_vec3 along = sn_sub(polyhedron->vertices[polyhedron->half_edges[half_edge->next].origin], start);
        float t = sn_dot(sn_sub(point, start), along) / sn_length_squared(along);
        sn_vec3 candidate = sn_add_scaled(start, sn_clamp(t, 0.0f, 1.0f), along);
        float squared = sn_length_squared(sn_sub(point, candidate));
        if (squared < nearest_squared) {
            nearest_squared = squared;
            nearest = candidate;
        }
        edge = half_edge->next;
    } while (edge != first && --guard > 0);
    return nearest;
}

// The point of the polyhedron closest to a centre that is outside the given face, but not over it; the centre
// itself if they touch.
static sn_vec3 nearest_on_polyhedron(const sn_convex_pair *pair, int face, sn_vec3 center)
{
    if (pair->a->polyhedron.face_count == 2) {
        return nearest_on_outline(&pair->a->polyhedron, face, center);
    }
    sn_gjk_result gjk = sn_gjk_distance(pair->a, pair->b, pair->pose);
    return gjk.distance > 0.0f ? gjk.point_a : center;
}

void sn_collide_polyhedron_sphere(const sn_convex_pair *pair, sn_manifold *manifold)
{
    sn_vec3 center = sn_frame_apply(&pair->frame, pair->b->points[0]);
    manifold->count = 0;
    if (pair->a->is_box) {
        collide_box_sphere(pair, center, manifold);
        return;
    }
    const sn_polyhedron *a = &pair->a->polyhedron;
    int face = 0;
    float height = -INFINITY;
    for (int f = 0; f < a->face_count; ++f) {
        float above = sn_dot(a->planes[f].normal, center) - a->planes[f].offset;
        if (above > height && sn_pair_allows(pair, a->planes[f].normal)) {
            height = above;
            face = f;
        }
    }
    sn_vec3 normal = a->planes[face].normal, on_a = sn_add_scaled(center, -height, normal);
    if (height > NO_DISTANCE * pair->tolerance && !is_over(a, face, center)) {
        sn_vec3 nearest = nearest_on_polyhedron(pair, face, center);
        sn_vec3 between = sn_sub(center, nearest);
        float distance = sn_length(between);
        if (distance > NO_DISTANCE * pair->tolerance) {
            on_a = nearest;
            normal = sn_scale(between, 1.0f / distance);
            height = distance;
        }
    }
    if (height <= sn_pair_reach(pair)) {
        sn_manifold_set_single(manifold, pair, normal, on_a, center, SN_FEATURE_CLOSEST);
    }
}

// --- polyhedron and capsule ----------------------------------------------------------------------

// The part of the segment over a face: up to two points, heights above the face.
static int points_over_face(const sn_convex_pair *pair, int face, const sn_vec3 ends[2],
                            sn_manifold_point points[2])
{
    const sn_polyhedron *a = &pair->a->polyhedron;
    sn_clip_side sides[SN_MAX_HULL_VERTICES];
    int side_count = sn_clip_sides(a, face, pair->tolerance, sides);
    sn_clip_segment left = {{ends[0], ends[1]}, {sn_feature_vertex(0), sn_feature_vertex(1)}};
    if (!sn_clip_segment_cut(&left, sides, side_count)) {
        return 0;
    }
    int count = 0;
    for (int i = 0; i < 2; ++i) {
        float height = sn_dot(a->planes[face].normal, left.ends[i]) - a->planes[face].offset;
        if (height <= sn_pair_reach(pair)) {
            points[count++] =
                (sn_manifold_point){left.ends[i], height, left.features[i] | sn_feature_face(face)};
        }
    }
    return count;
}

// An edge of the polyhedron through `point` that is parallel to the segment; false if there is none.
static bool find_edge_along(const sn_convex_pair *pair, const sn_vec3 ends[2], sn_vec3 point, sn_vec3 edge[2])
{
    const sn_polyhedron *a = &pair->a->polyhedron;
    sn_vec3 along = sn_normalize(sn_sub(ends[1], ends[0]));
    for (int k = 0; 2 * k < a->half_edge_count; ++k) {
        edge[0] = a->vertices[a->half_edges[2 * k].origin];
        edge[1] = a->vertices[a->half_edges[2 * k + 1].origin];
        sn_vec3 direction = sn_normalize(sn_sub(edge[1], edge[0]));
        if (sn_length_squared(sn_cross(direction, along)) <= ALONG) {
            sn_vec3 offset = sn_cross(direction, sn_sub(point, edge[0]));
            if (sn_length_squared(offset) <= pair->tolerance * pair->tolerance) {
                return true;
            }
        }
    }
    return false;
}

// A segment beside an edge or a vertex of the polyhedron: two points if it is parallel to the edge.
static void set_beside(sn_manifold *manifold, const sn_convex_pair *pair, const sn_vec3 ends[2],
                       sn_vec3 normal, sn_vec3 on_a, sn_vec3 on_b)
{
    sn_vec3 edge[2];
    if (!find_edge_along(pair, ends, on_a, edge) || !set_along(manifold, pair, edge, ends, normal)) {
        sn_manifold_set_single(manifold, pair, normal, on_a, on_b, SN_FEATURE_CLOSEST);
    }
}

void sn_collide_polyhedron_capsule(const sn_convex_pair *pair, sn_manifold *manifold)
{
    sn_vec3 ends[2];
    core_ends(pair->b, &pair->frame, ends);
    sn_sat_axis axis = sn_sat_segment(pair, ends);
    manifold->count = 0;
    if (!(axis.separation <= sn_pair_reach(pair))) {
        return;
    }
    sn_manifold_point points[3];
    int count = 0;
    if (axis.kind == SN_SAT_FACE_A) {
        count = points_over_face(pair, axis.face, ends, points);
        if (sn_lowest_separation(points, count) <= axis.separation + pair->tolerance) {
            sn_manifold_set(manifold, pair, axis.normal, points, count);
            return;
        }
    } else if (axis.separation <= 0.0f) {
        const sn_vec3 *vertices = pair->a->polyhedron.vertices;
        sn_vec3 edge[2] = {vertices[axis.edge_a[0]], vertices[axis.edge_a[1]]}, on_a, on_b;
        nearest_of_segments(edge, ends, &on_a, &on_b);
        set_beside(manifold, pair, ends, axis.normal, on_a, on_b);
        return;
    }
    sn_separation_result closest;
    if (sn_manifold_settle(manifold, pair, axis.normal, points, count, &closest)) {
        set_beside(manifold, pair, ends, closest.normal, closest.point_a, closest.point_b);
    }
}

void sn_collide_face_with_round(const sn_convex_pair *pair, int face, sn_manifold *manifold)
{
    sn_vec3 ends[2];
    sn_manifold_point points[2];
    core_ends(pair->b, &pair->frame, ends);
    int count = points_over_face(pair, face, ends, points);
    count = pair->b->point_count == 1 && count == 2 ? 1 : count;
    sn_manifold_set(manifold, pair, pair->a->polyhedron.planes[face].normal, points, count);
}

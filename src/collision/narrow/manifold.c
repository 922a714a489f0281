// Contact manifolds: dispatch by the kinds of cores, finishing of a manifold, and reduction to four points.
// Knows nothing of how the points are found.
#include "collision/narrow/manifold.h"

#include "collision/narrow/clip.h"
#include "collision/narrow/narrow_phase.h"

// Tolerance as a part of the smaller shape's size, and rounding error as a part of the larger one's.
#define RELATIVE_TOLERANCE 3.0e-4f
#define ROUNDING           1.0e-6f

// --- reduction -----------------------------------------------------------------------------------

#define MAX_CANDIDATES SN_CLIP_CORNERS
// Scores within this factor of the best count as equal: the lower feature wins, so that noise does not
// decide.
#define NEARLY_BEST 0.98f
// Separations this close, as a part of the patch's size, are equally deep.
#define EQUALLY_DEEP 2.0e-4f
// Triangles smaller than this part of the squared size add nothing.
#define NO_AREA 1.0e-5f

// The points as seen along the normal.
typedef struct flat_patch {
    const sn_manifold_point *points;
    int count;
    float size; // greatest distance from the first
    float x[MAX_CANDIDATES], y[MAX_CANDIDATES];
    float scores[MAX_CANDIDATES];
} flat_patch;

static void flatten(flat_patch *flat, const sn_manifold_point *points, int count, sn_vec3 normal)
{
    sn_vec3 across = sn_perpendicular(normal), up = sn_cross(normal, across);
    float squared = 0.0f;
    flat->points = points;
    flat->count = count;
    for (int i = 0; i < count; ++i) {
        sn_vec3 offset = sn_sub(points[i].position, points[0].position);
        flat->x[i] = sn_dot(across, offset);
        flat->y[i] = sn_dot(up, offset);
        squared = sn_max(squared, flat->x[i] * flat->x[i] + flat->y[i] * flat->y[i]);
    }
    flat->size = sqrtf(squared);
}

static float best_score(const flat_patch *flat)
{
    float result = flat->scores[0];
    for (int i = 1; i < flat->count; ++i) {
        result = sn_max(result, flat->scores[i]);
    }
    return result;
}

static int lowest_feature_scoring(const flat_patch *flat, float threshold)
{
    int best = -1;
    for (int i = 0; i < flat->count; ++i) {
        if (flat->scores[i] >= threshold &&
            (best < 0 || flat->points[i].feature < flat->points[best].feature)) {
            best = i;
        }
    }
    return best;
}

// Of the points as deep as the deepest, the one farthest from the middle: a corner of a flat patch.
static int pick_deepest(flat_patch *flat)
{
    float middle_x = 0.0f, middle_y = 0.0f, deepest = -INFINITY;
    for (int i = 0; i < flat->count; ++i) {
        middle_x += flat->x[i] / (float)flat->count;
        middle_y += flat->y[i] / (float)flat->count;
        deepest = sn_max(deepest, -flat->points[i].separation);
    }
    for (int i = 0; i < flat->count; ++i) {
        float x = flat->x[i] - middle_x, y = flat->y[i] - middle_y;
        bool deep = -flat->points[i].separation >= deepest - EQUALLY_DEEP * flat->size;
        flat->scores[i] = deep ? x * x + y * y : -1.0f;
    }
    return lowest_feature_scoring(flat, NEARLY_BEST * best_score(flat));
}

static int pick_farthest(flat_patch *flat, int from)
{
    for (int i = 0; i < flat->count; ++i) {
        float x = flat->x[i] - flat->x[from], y = flat->y[i] - flat->y[from];
        flat->scores[i] = x * x + y * y;
    }
    return lowest_feature_scoring(flat, NEARLY_BEST * best_score(flat));
}

// Twice the area of the triangle of points a, b and i, positive if it runs counter-clockwise.
static float signed_area(const flat_patch *flat, int a, int b, int i)
{
    float side_x = flat->x[b] - flat->x[a], side_y = flat->y[b] - flat->y[a];
    return side_x * (flat->y[i] - flat->y[a]) - side_y * (flat->x[i] - flat->x[a]);
}

static int pick_largest_area(flat_patch *flat)
{
    float best = best_score(flat);
    return best > NO_AREA * flat->size * flat->size ? lowest_feature_scoring(flat, NEARLY_BEST * best) : -1;
}

// The point that makes the largest triangle with a and b; −1 if all are in line.
static int pick_beside_line(flat_patch *flat, int a, int b)
{
    for (int i = 0; i < flat->count; ++i) {
        flat->scores[i] = sn_abs(signed_area(flat, a, b, i));
    }
    return pick_largest_area(flat);
}

// The point that adds the largest triangle to a, b, c; −1 if all are inside.
static int pick_outside_triangle(flat_patch *flat, int a, int b, int c)
{
    if (signed_area(flat, a, b, c) < 0.0f) {
        int swap = b;
        b = c;
        c = swap;
    }
    for (int i = 0; i < flat->count; ++i) {
        float inside_ab = signed_area(flat, a, b, i), inside_bc = signed_area(flat, b, c, i);
        flat->scores[i] = -sn_min(sn_min(inside_ab, inside_bc), signed_area(flat, c, a, i));
    }
    return pick_largest_area(flat);
}

// Keeps the picked points, in the order they had.
static int keep_only(sn_manifold_point *points, int count, const int *picked, int picked_count)
{
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < picked_count; ++k) {
            if (picked[k] == i) {
                points[kept++] = points[i];
                break;
            }
        }
    }
    return kept;
}

// Of points in a line: both ends, and the deepest if it is deeper than they are.
static int keep_line(flat_patch *flat, sn_manifold_point *points, int deepest, int end)
{
    int picked[3] = {end, pick_farthest(flat, end), deepest};
    float ends = sn_min(points[picked[0]].separation, points[picked[1]].separation);
    bool sags = points[deepest].separation < ends - EQUALLY_DEEP * flat->size;
    return keep_only(points, flat->count, picked, sags ? 3 : 2);
}

int sn_manifold_reduce(sn_manifold_point *points, int count, sn_vec3 normal)
{
    if (count <= SN_MANIFOLD_POINTS) {
        return count;
    }
    count = count < MAX_CANDIDATES ? count : MAX_CANDIDATES;
    flat_patch flat;
    flatten(&flat, points, count, normal);
    int picked[SN_MANIFOLD_POINTS];
    picked[0] = pick_deepest(&flat);
    if (picked[0] < 0) {
        return 0;
    }
    picked[1] = pick_farthest(&flat, picked[0]);
    if (picked[1] < 0 || picked[1] == picked[0]) {
        return keep_only(points, count, picked, 1);
    }
    picked[2] = pick_beside_line(&flat, picked[0], picked[1]);
    if (picked[2] < 0) {
        return keep_line(&flat, points, picked[0], picked[1]);
    }
    picked[3] = pick_outside_triangle(&flat, picked[0], picked[1], picked[2]);
    return keep_only(points, count, picked, picked[3] < 0 ? 3 : 4);
}

// --- finishing -----------------------------------------------------------------------------------

static bool has_feature(const sn_manifold *manifold, uint32_t feature)
{
    for (int i = 0; i < manifold->count; ++i) {
        if (manifold->points[i].feature == feature) {
            return true;
        }
    }
    return false;
}

// From a point of b's core to the middle between the surfaces, along the normal.
static float to_middle(const sn_convex_pair *pair, float core_separation)
{
    return 0.5f * (pair->a->radius - pair->b->radius - core_separation);
}

void sn_manifold_set(sn_manifold *manifold, const sn_convex_pair *pair, sn_vec3 normal,
                     sn_manifold_point *points, int count)
{
    count = sn_manifold_reduce(points, count, normal);
    manifold->normal = normal;
    manifold->count = 0;
    for (int i = 0; i < count; ++i) {
        if (has_feature(manifold, points[i].feature)) {
            continue;
        }
        float separation = points[i].separation;
        manifold->points[manifold->count++] = (sn_manifold_point){
            .position = sn_add_scaled(points[i].position, to_middle(pair, separation), normal),
            .separation = separation - pair->a->radius - pair->b->radius,
            .feature = points[i].feature,
        };
    }
}

float sn_lowest_separation(const sn_manifold_point *points, int count)
{
    float lowest = INFINITY;
    for (int i = 0; i < count; ++i) {
        lowest = sn_min(lowest, points[i].separation);
    }
    return lowest;
}

// A point for sn_manifold_set from the closest points of the surfaces.
static sn_manifold_point closest_point(const sn_convex_pair *pair, sn_vec3 normal,
                                       const sn_separation_result *closest)
{
    sn_vec3 middle = sn_lerp(closest->point_a, closest->point_b, 0.5f);
    float separation =
        sn_dot(normal, sn_sub(closest->point_b, closest->point_a)) + pair->a->radius + pair->b->radius;
    return (sn_manifold_point){
        .position = sn_add_scaled(middle, -to_middle(pair, separation), normal),
        .separation = separation,
        .feature = SN_FEATURE_CLOSEST,
    };
}

bool sn_manifold_settle(sn_manifold *manifold, const sn_convex_pair *pair, sn_vec3 normal,
                        sn_manifold_point *points, int count, sn_separation_result *closest)
{
    *closest = sn_separation(pair->a, pair->b, pair->pose);
    if (!(closest->distance <= pair->margin)) {
        return false;
    }
    bool agrees = sn_dot(closest->normal, normal) > SN_SAME_NORMAL;
    bool allowed = sn_pair_allows(pair, closest->normal);
    // A one-sided triangle keeps its points where the shortest direction out is backwards.
    if (count > 0 && (agrees || !allowed)) {
        sn_manifold_point point = closest_point(pair, normal, closest);
        if (agrees && point.separation < sn_lowest_separation(points, count) - pair->tolerance) {
            points[count++] = point;
        }
        sn_manifold_set(manifold, pair, normal, points, count);
        return false;
    }
    closest->point_a = sn_add_scaled(closest->point_a, -pair->a->radius, closest->normal);
    closest->point_b = sn_add_scaled(closest->point_b, pair->b->radius, closest->normal);
    return allowed;
}

void sn_manifold_set_single(sn_manifold *manifold, const sn_convex_pair *pair, sn_vec3 normal, sn_vec3 on_a,
                            sn_vec3 on_b, uint32_t feature)
{
    sn_vec3 middle = sn_lerp(on_a, on_b, 0.5f);
    manifold->normal = normal;
    manifold->count = 1;
    manifold->points[0] = (sn_manifold_point){
        .position = sn_add_scaled(middle, 0.5f * (pair->a->radius - pair->b->radius), normal),
        .separation = sn_dot(normal, sn_sub(on_b, on_a)) - pair->a->radius - pair->b->radius,
        .feature = feature,
    };
}

// The same contact seen with a and b exchanged; `pose` is that of the old b in the old a.
static void exchange(sn_manifold *manifold, sn_pose pose)
{
    manifold->normal = sn_neg(sn_rotate(pose.rotation, manifold->normal));
    for (int i = 0; i < manifold->count; ++i) {
        manifold->points[i].position = sn_pose_apply(pose, manifold->points[i].position);
    }
}

void sn_manifold_drop_unless_finite(sn_manifold *manifold)
{
    bool finite = sn_vec3_is_finite(manifold->normal);
    for (int i = 0; i < manifold->count; ++i) {
        const sn_manifold_point *point = &manifold->points[i];
        finite = finite && sn_vec3_is_finite(point->position) && sn_is_finite(point->separation);
    }
    if (!finite) {
        manifold->count = 0;
    }
}

// --- pairs ---------------------------------------------------------------------------------------

static float size_of(const sn_convex *convex)
{
    if (convex->is_box) {
        return sn_length(convex->points[7]);
    }
    sn_vec3 center = convex->is_polyhedron ? convex->polyhedron.center : convex->points[0];
    float squared = 0.0f;
    for (int i = 0; i < convex->point_count; ++i) {
        squared = sn_max(squared, sn_length_squared(sn_sub(convex->points[i], center)));
    }
    return sqrtf(squared) + convex->radius;
}

sn_convex_pair sn_convex_pair_make(const sn_convex *a, const sn_convex *b, sn_pose pose, float margin)
{
    float size_a = size_of(a), size_b = size_of(b);
    return (sn_convex_pair){
        .a = a,
        .b = b,
        .pose = pose,
        .frame = sn_frame_from_pose(pose),
        .margin = margin,
        .tolerance = RELATIVE_TOLERANCE * sn_min(size_a, size_b) + ROUNDING * sn_max(size_a, size_b),
        .size_b = size_b,
    };
}

// If only one is a polyhedron, it is a.
static void collide_in_order(const sn_convex *a, const sn_convex *b, sn_pose pose, float margin,
                             sn_manifold *manifold)
{
    sn_convex_pair pair = sn_convex_pair_make(a, b, pose, margin);
    if (!a->is_polyhedron) {
        sn_collide_round(&pair, manifold);
    } else if (b->is_polyhedron) {
        sn_collide_polyhedra(&pair, manifold);
    } else if (b->point_count == 1) {
        sn_collide_polyhedron_sphere(&pair, manifold);
    } else {
        sn_collide_polyhedron_capsule(&pair, manifold);
    }
}

void sn_collide_convex(const sn_convex *a, const sn_convex *b, sn_pose b_in_a, float margin,
                       sn_manifold *manifold)
{
    *manifold = (sn_manifold){.count = 0};
    if (b->is_polyhedron && !a->is_polyhedron) {
        collide_in_order(b, a, sn_pose_relative(b_in_a, sn_pose_identity), margin, manifold);
        exchange(manifold, b_in_a);
    } else {
        collide_in_order(a, b, b_in_a, margin, manifold);
    }
    sn_manifold_drop_unless_finite(manifold);
}

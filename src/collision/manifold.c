// Contact patches: which pair of cores goes to which routine, how a patch is finished, and how many points
// are reduced to four. Knows nothing of how the points are found.
#include "collision/manifold.h"

#include "collision/clip.h"
#include "collision/collide.h"

// The part of the smaller shape's size that makes no difference, and of the larger one's: rounding error.
#define RELATIVE_TOLERANCE 3.0e-4f
#define ROUNDING           1.0e-6f

// --- reduction -----------------------------------------------------------------------------------

#define MAX_CANDIDATES SN_CLIP_CORNERS
// Scores within this part of the best are as good; the lower feature wins, so that noise does not choose.
#define NEARLY_BEST 0.98f
// Separations this close, as a part of the patch's size, are equally deep.
#define EQUALLY_DEEP 2.0e-4f
// Triangles smaller than this part of the squared size add nothing.
#define NO_AREA 1.0e-5f

static int lowest_feature_at_least(const sn_manifold_point *points, const float *scores, int count,
                                   float threshold)
{
    int best = -1;
    for (int i = 0; i < count; ++i) {
        if (scores[i] >= threshold && (best < 0 || points[i].feature < points[best].feature)) {
            best = i;
        }
    }
    return best;
}

static float largest(const float *scores, int count)
{
    float result = scores[0];
    for (int i = 1; i < count; ++i) {
        result = sn_max(result, scores[i]);
    }
    return result;
}

static float patch_size(const sn_manifold_point *points, int count)
{
    float squared = 0.0f;
    for (int i = 1; i < count; ++i) {
        squared = sn_max(squared, sn_length_squared(sn_sub(points[i].position, points[0].position)));
    }
    return sqrtf(squared);
}

static int pick_deepest(const sn_manifold_point *points, int count, float size)
{
    float depths[MAX_CANDIDATES];
    for (int i = 0; i < count; ++i) {
        depths[i] = -points[i].separation;
    }
    return lowest_feature_at_least(points, depths, count, largest(depths, count) - EQUALLY_DEEP * size);
}

static int pick_farthest(const sn_manifold_point *points, int count, int from)
{
    float distances[MAX_CANDIDATES];
    for (int i = 0; i < count; ++i) {
        distances[i] = sn_length_squared(sn_sub(points[i].position, points[from].position));
    }
    return lowest_feature_at_least(points, distances, count, NEARLY_BEST * largest(distances, count));
}

// Twice the area of the triangle, positive if it runs counter-clockwise seen against the normal.
static float signed_area(sn_vec3 normal, sn_vec3 a, sn_vec3 b, sn_vec3 c)
{
    return sn_dot(normal, sn_cross(sn_sub(b, a), sn_sub(c, a)));
}

// The point that adds the largest area to the line or triangle of the picked ones; −1 if none adds any.
static int pick_widest(const sn_manifold_point *points, int count, const int *picked, int picked_count,
                       sn_vec3 normal, float size)
{
    sn_vec3 a = points[picked[0]].position, b = points[picked[1]].position;
    sn_vec3 c = points[picked[picked_count - 1]].position;
    float turn = signed_area(normal, a, b, c) >= 0.0f ? -1.0f : 1.0f;
    float areas[MAX_CANDIDATES];
    for (int i = 0; i < count; ++i) {
        sn_vec3 p = points[i].position;
        float beyond_ab = signed_area(normal, a, b, p);
        if (picked_count == 2) {
            areas[i] = sn_abs(beyond_ab);
        } else {
            float beyond_bc = turn * signed_area(normal, b, c, p);
            float beyond_ca = turn * signed_area(normal, c, a, p);
            areas[i] = sn_max(turn * beyond_ab, sn_max(beyond_bc, beyond_ca));
        }
    }
    float best = largest(areas, count);
    return best > NO_AREA * size * size ? lowest_feature_at_least(points, areas, count, NEARLY_BEST * best)
                                        : -1;
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

int sn_manifold_reduce(sn_manifold_point *points, int count, sn_vec3 normal)
{
    if (count <= SN_MANIFOLD_POINTS) {
        return count;
    }
    count = count < MAX_CANDIDATES ? count : MAX_CANDIDATES;
    float size = patch_size(points, count);
    int picked[SN_MANIFOLD_POINTS];
    picked[0] = pick_deepest(points, count, size);
    if (picked[0] < 0) {
        return 0;
    }
    picked[1] = pick_farthest(points, count, picked[0]);
    if (picked[1] < 0 || picked[1] == picked[0]) {
        return keep_only(points, count, picked, 1);
    }
    int picked_count = 2;
    while (picked_count < SN_MANIFOLD_POINTS) {
        int next = pick_widest(points, count, picked, picked_count, normal, size);
        if (next < 0) {
            break;
        }
        picked[picked_count++] = next;
    }
    return keep_only(points, count, picked, picked_count);
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

void sn_manifold_set(sn_manifold *manifold, const sn_convex_pair *pair, sn_vec3 normal,
                     sn_manifold_point *points, int count)
{
    float radius_a = pair->a->radius, radius_b = pair->b->radius;
    count = sn_manifold_reduce(points, count, normal);
    manifold->normal = normal;
    manifold->count = 0;
    for (int i = 0; i < count; ++i) {
        if (has_feature(manifold, points[i].feature)) {
            continue;
        }
        float to_middle = 0.5f * (radius_a - radius_b - points[i].separation);
        manifold->points[manifold->count++] = (sn_manifold_point){
            .position = sn_add_scaled(points[i].position, to_middle, normal),
            .separation = points[i].separation - radius_a - radius_b,
            .feature = points[i].feature,
        };
    }
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

void sn_manifold_exchange(sn_manifold *manifold, sn_pose pose)
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
    };
}

// Polyhedra come first, for the routines that have one of each.
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
        sn_manifold_exchange(manifold, b_in_a);
    } else {
        collide_in_order(a, b, b_in_a, margin, manifold);
    }
    sn_manifold_drop_unless_finite(manifold);
}

// Separating planes of moving convex sets.
#include "collision/narrow/moving_sets.h"

#include "collision/narrow/gjk.h"

#include <float.h>

// Points of a set that can be looked at between start and end; larger sets are judged by their first plane
// alone.
#define MOST_POINTS 64
// Planes tried one after the other along the way.
#define MOST_PLANES 12
// A plane serves until this part of its gap is left.
static const float gap_left = 0.25f;
// The shortest part of the way that a new plane must cover.
static const float least_advance = 1.0e-3f;
// What is apart when a step ends must not overlap when the next one begins, for rounding alone: it is held to
// so many times the distance below which that decides.
static const float kept_gap = 2.0f;
// The part of the gap that the two sides share, and that one of them may take by force.
static const float shared_gap = 0.5f, forced_gap = 0.95f;
// Of sets that nearly touch, the part of the gap that a step may use, beyond the part of `least` that
// rounding of places takes.
static const float near_part = 0.125f, rounded = 0.5f;

static sn_vec3 point_at(const sn_moving_set *set, int i, float t)
{
    return t == 0.0f ? set->start[i] : t == 1.0f ? set->end[i] : sn_lerp(set->start[i], set->end[i], t);
}

// The lowest point along the normal, less the radius; with −normal, the highest.
static float lowest(const sn_moving_set *set, sn_vec3 normal, float t)
{
    float least = FLT_MAX;
    for (int i = 0; i < set->count; ++i) {
        least = sn_min(least, sn_dot(normal, point_at(set, i, t)));
    }
    return least - set->radius;
}

// How far the plane across the normal keeps a above b.
static float gap_at(const sn_moving_set *a, const sn_moving_set *b, sn_vec3 normal, float t)
{
    return lowest(a, normal, t) + lowest(b, sn_neg(normal), t);
}

bool sn_moving_sets_separate(const sn_moving_set *a, const sn_moving_set *b, sn_vec3 normal, float least)
{
    return gap_at(a, b, normal, 0.0f) > least && gap_at(a, b, normal, 1.0f) > least;
}

// --- planes along the way ----------------------------------------------------------------------------------

static sn_convex convex_at(const sn_moving_set *set, float t, sn_vec3 *storage)
{
    if (t == 0.0f) {
        return (sn_convex){.points = set->start, .point_count = set->count};
    }
    for (int i = 0; i < set->count; ++i) {
        storage[i] = point_at(set, i, t);
    }
    return (sn_convex){.points = storage, .point_count = set->count};
}

// The normal of the plane between the closest points, from b to a; zero if they overlap.
static sn_vec3 normal_at(const sn_moving_set *a, const sn_moving_set *b, float t)
{
    sn_vec3 points_a[MOST_POINTS], points_b[MOST_POINTS];
    sn_convex convex_a = convex_at(a, t, points_a), convex_b = convex_at(b, t, points_b);
    return sn_gjk_distance(&convex_b, &convex_a, sn_pose_identity).normal;
}

// --- sets that nearly touch --------------------------------------------------------------------------------

// Points of sets for which planes are known without a search: faces, edges, nodes.
enum { FEW_POINTS = 3 };

static sn_vec3 edge_of(const sn_moving_set *set, int i)
{
    return sn_sub(set->start[(i + 1) % set->count], set->start[i]);
}

// Takes the axis over if it keeps the two farther apart at the start, one way or the other.
static void try_axis(const sn_moving_set *a, const sn_moving_set *b, sn_vec3 axis, sn_vec3 *best, float *gap)
{
    float length = sn_length(axis);
    for (int sign = -1; length > 0.0f && sign <= 1; sign += 2) {
        sn_vec3 normal = sn_scale(axis, (float)sign / length);
        float own = gap_at(a, b, normal, 0.0f);
        *best = own > *gap ? normal : *best;
        *gap = sn_max(*gap, own);
    }
}

// Normals of a face, and across its edges in its plane.
static void try_own_axes(const sn_moving_set *a, const sn_moving_set *b, const sn_moving_set *set,
                         sn_vec3 *best, float *gap)
{
    sn_vec3 normal = set->count < 3 ? sn_v(0.0f, 0.0f, 0.0f) : sn_cross(edge_of(set, 0), edge_of(set, 1));
    try_axis(a, b, normal, best, gap);
    for (int i = 0; set->count > 2 && i < set->count; ++i) {
        try_axis(a, b, sn_cross(normal, edge_of(set, i)), best, gap);
    }
}

// The plane that keeps two sets of few points farthest apart at the start, of those that can if any does
// (separating axes): the closest points of sets that nearly touch have no direction.
static sn_vec3 normal_of_touching(const sn_moving_set *a, const sn_moving_set *b, sn_vec3 normal)
{
    float gap = gap_at(a, b, normal, 0.0f);
    if (a->count > FEW_POINTS || b->count > FEW_POINTS) {
        return normal;
    }
    try_own_axes(a, b, a, &normal, &gap);
    try_own_axes(a, b, b, &normal, &gap);
    for (int i = 0; i < a->count; ++i) {
        for (int k = 0; k < b->count; ++k) {
            try_axis(a, b, sn_cross(edge_of(a, i), edge_of(b, k)), &normal, &gap);
        }
    }
    return normal;
}

// Heights of the points over the plane at the start, and how they change; of b with the sign turned.
typedef struct moving_heights {
    int count_a, count_b;
    float start[2 * MOST_POINTS], change[2 * MOST_POINTS];
} moving_heights;

static void add_heights(moving_heights *heights, int first, const sn_moving_set *set, sn_vec3 normal)
{
    for (int i = 0; i < set->count; ++i) {
        heights->start[first + i] = sn_dot(normal, set->start[i]);
        heights->change[first + i] = sn_dot(normal, set->end[i]) - heights->start[first + i];
    }
}

static float gap_of(const moving_heights *heights, float t)
{
    float lowest[2] = {FLT_MAX, FLT_MAX};
    for (int i = 0; i < heights->count_a + heights->count_b; ++i) {
        float *least = &lowest[i < heights->count_a ? 0 : 1];
        // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): add_heights() wrote them all
        *least = sn_min(*least, heights->start[i] + t * heights->change[i]);
    }
    return lowest[0] + lowest[1];
}

// The gap of a plane is a concave function of time, so the times at which it is wide enough are one interval.
static float advance(const sn_moving_set *a, const sn_moving_set *b, sn_vec3 normal, float t, float gap)
{
    moving_heights heights;
    heights.count_a = a->count;
    heights.count_b = b->count;
    float low = t, high = 1.0f, radii = a->radius + b->radius;
    add_heights(&heights, 0, a, normal);
    add_heights(&heights, a->count, b, sn_neg(normal));
    for (int i = 0; i < 10; ++i) {
        float middle = 0.5f * (low + high);
        if (gap_of(&heights, middle) - radii > gap) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

sn_meeting sn_moving_sets_meet(const sn_moving_set *a, const sn_moving_set *b, float least)
{
    bool is_large = a->count > MOST_POINTS || b->count > MOST_POINTS;
    float t = 0.0f;
    for (int i = 0; i < MOST_PLANES; ++i) {
        sn_vec3 normal = normal_at(a, b, t);
        float gap = gap_at(a, b, normal, t);
        if (!(gap > least) && i == 0) {
            normal = normal_of_touching(a, b, normal);
            bool parts = gap_at(a, b, normal, 1.0f) > least;
            return !(gap_at(a, b, normal, 0.0f) > 0.0f) ? SN_SETS_OVERLAP
                   : parts                              ? SN_SETS_APART
                                                        : SN_SETS_MEET;
        }
        if (!(gap > least)) {
            return SN_SETS_MEET;
        }
        if (gap_at(a, b, normal, 1.0f) > kept_gap * least) {
            return SN_SETS_APART;
        }
        float next = is_large ? t : advance(a, b, normal, t, sn_max(gap_left * gap, least));
        if (next - t < least_advance) {
            return SN_SETS_MEET;
        }
        t = next;
    }
    return SN_SETS_MEET;
}

// --- truncation --------------------------------------------------------------------------------------------

// What two motions along one line have in common.
static float common_motion(float a, float b)
{
    return a > 0.0f && b > 0.0f ? sn_min(a, b) : a < 0.0f && b < 0.0f ? sn_max(a, b) : 0.0f;
}

bool sn_moving_sets_part(const sn_moving_set *a, const sn_moving_set *b, float least, sn_parting *parting)
{
    sn_vec3 normal = normal_at(a, b, 0.0f);
    if (!(gap_at(a, b, normal, 0.0f) > least)) {
        normal = normal_of_touching(a, b, normal);
    }
    sn_vec3 opposite = sn_neg(normal);
    float low_a = lowest(a, normal, 0.0f), high_b = -lowest(b, opposite, 0.0f), gap = low_a - high_b;
    if (!(gap > 0.0f)) {
        return false;
    }
    float moved_a = lowest(a, normal, 1.0f) - low_a, moved_b = -lowest(b, opposite, 1.0f) - high_b;
    float shift = common_motion(moved_a, moved_b);
    float into_a = sn_max(0.0f, shift - moved_a), into_b = sn_max(0.0f, moved_b - shift);
    float usable = sn_max(sn_max(0.0f, gap - 4.0f * least), near_part * (gap - rounded * least)),
          sum = sn_max(into_a + into_b, FLT_MIN);
    float share_a = shared_gap * usable * (into_a / sum), share_b = shared_gap * usable * (into_b / sum);
    if (a->is_forced != b->is_forced) {
        float forced = sn_min(a->is_forced ? into_a : into_b, forced_gap * usable);
        share_a = a->is_forced ? sn_max(share_a, forced) : sn_min(share_a, shared_gap * (usable - forced));
        share_b = b->is_forced ? sn_max(share_b, forced) : sn_min(share_b, shared_gap * (usable - forced));
    }
    *parting = (sn_parting){normal, low_a - share_a, high_b + share_b, shift};
    return true;
}

float sn_motion_above(sn_vec3 start, sn_vec3 end, sn_vec3 normal, float level, float sign)
{
    float before = sign * (sn_dot(normal, start) - level), after = sign * (sn_dot(normal, end) - level);
    if (after >= 0.0f || !(before - after > 0.0f)) {
        return 1.0f;
    }
    return before > 0.0f ? before / (before - after) : 0.0f;
}

// The time when two shapes that move and turn first come within a distance of each other: conservative
// advancement (Mirtich 1996) with bounds of second order.
//
// The closest points at time t give an axis n. Along it the gap of any two points, one of each shape, is a
// function f of time with |f''| ≤ K, where K = Σ |ω|·max|ω × r|: centres move straight, only rotation bends
// the paths. Over a step from t to t + s such a function stays above its chord less K s²/8, and if it falls
// by K s²/2 or more it is monotonic. Both hold for the minimum of all those functions, the gap of the shapes,
// so the exact gaps at both ends of a step prove the whole step safe. Where no longer step can be proved, the
// first-order bound is used: the gap closes no faster than the shapes approach and turn.
#include "collision/narrow/cast.h"
#include "collision/narrow/gjk.h"

#define MAX_ADVANCES   128
#define MAX_STEP_TRIES 10
// Distance that counts as contact, as a part of the smaller shape's size, and what float32 can resolve, as a
// part of the larger one's.
#define ARRIVAL_TOLERANCE  1.0e-4f
#define ROUNDING_TOLERANCE 2.0e-6f
// Shapes in contact that can move by no more than this part of the whole motion are at their impact.
#define SHORT_STEP 1.0e-3f

typedef struct mover {
    const sn_convex *convex;
    sn_vec3 local_center;
    sn_quat rotation_start;
    sn_vec3 spin;       // rotation vector of the whole motion, in the shape's own frame [rad]
    float speed;        // largest |spin × r| of a core point: how far rotation can move it [m]
    float acceleration; // |spin| · speed [m]
    float size;         // farthest surface point from the centre [m]
} mover;

// Motion relative to the centre of a, in world axes.
typedef struct moving_pair {
    mover a, b;
    sn_vec3 offset_start, offset_change; // of the centre of b
    float radii, target;
    float curvature; // the K above [m]
    float tolerance; // [m]
} moving_pair;

// --- motion --------------------------------------------------------------------------------------

static sn_vec3 spin_of(const sn_motion *motion)
{
    sn_quat turn = sn_quat_multiply(sn_quat_conjugate(motion->rotation_start), motion->rotation_end);
    return sn_quat_logarithm(turn);
}

static sn_quat rotation_at(sn_quat start, sn_vec3 spin, float t)
{
    return sn_quat_normalize(sn_quat_multiply(start, sn_quat_exponential(sn_scale(spin, t))));
}

sn_pose sn_motion_at(const sn_motion *motion, float t)
{
    sn_quat rotation = rotation_at(motion->rotation_start, spin_of(motion), t);
    sn_vec3 center = sn_lerp(motion->center_start, motion->center_end, t);
    return (sn_pose){sn_sub(center, sn_rotate(rotation, motion->local_center)), rotation};
}

static mover mover_make(const sn_convex *convex, const sn_motion *motion)
{
    mover m = {convex, motion->local_center, motion->rotation_start, spin_of(motion), 0.0f, 0.0f, 0.0f};
    float speed_squared = 0.0f, size_squared = 0.0f;
    for (int i = 0; i < convex->point_count; ++i) {
        sn_vec3 arm = sn_sub(convex->points[i], m.local_center);
        speed_squared = sn_max(speed_squared, sn_length_squared(sn_cross(m.spin, arm)));
        size_squared = sn_max(size_squared, sn_length_squared(arm));
    }
    m.speed = sqrtf(speed_squared);
    m.acceleration = sn_length(m.spin) * m.speed;
    m.size = sqrtf(size_squared) + convex->radius;
    return m;
}

static moving_pair moving_pair_make(const sn_convex *a, const sn_motion *motion_a, const sn_convex *b,
                                    const sn_motion *motion_b, float target)
{
    moving_pair e = {.a = mover_make(a, motion_a), .b = mover_make(b, motion_b), .target = target};
    e.offset_start = sn_sub(motion_b->center_start, motion_a->center_start);
    sn_vec3 change_a = sn_sub(motion_a->center_end, motion_a->center_start);
    sn_vec3 change_b = sn_sub(motion_b->center_end, motion_b->center_start);
    e.offset_change = sn_sub(change_b, change_a);
    e.radii = a->radius + b->radius;
    e.curvature = e.a.acceleration + e.b.acceleration;
    e.tolerance =
        ARRIVAL_TOLERANCE * sn_min(e.a.size, e.b.size) + ROUNDING_TOLERANCE * sn_max(e.a.size, e.b.size);
    return e;
}

// --- gaps ----------------------------------------------------------------------------------------

// Extent of the core from its centre along a world direction.
static float reach(const mover *m, sn_quat rotation, sn_vec3 direction)
{
    sn_vec3 local = sn_rotate_inverse(rotation, direction);
    int index = sn_convex_support(m->convex, local);
    return sn_dot(local, sn_sub(m->convex->points[index], m->local_center));
}

static sn_vec3 offset_at(const moving_pair *e, float t)
{
    return sn_add_scaled(e->offset_start, t, e->offset_change);
}

// Between the surfaces at time t, along the world axis `normal` (unit, from a to b): a lower bound of their
// distance, and equal to it for the right axis.
static float gap_along(const moving_pair *e, sn_vec3 normal, float t)
{
    float reach_a = reach(&e->a, rotation_at(e->a.rotation_start, e->a.spin, t), normal);
    float reach_b = reach(&e->b, rotation_at(e->b.rotation_start, e->b.spin, t), sn_neg(normal));
    return sn_dot(normal, offset_at(e, t)) - reach_a - reach_b - e->radii;
}

// The axis between the closest points at time t; zero when the cores overlap.
static sn_vec3 nearest_axis(const moving_pair *e, float t)
{
    sn_quat rotation_a = rotation_at(e->a.rotation_start, e->a.spin, t);
    sn_quat rotation_b = rotation_at(e->b.rotation_start, e->b.spin, t);
    sn_vec3 origin_b = sn_sub(offset_at(e, t), sn_rotate(rotation_b, e->b.local_center));
    sn_pose b_in_a = {sn_add(sn_rotate_inverse(rotation_a, origin_b), e->a.local_center),
                      sn_quat_normalize(sn_quat_multiply(sn_quat_conjugate(rotation_a), rotation_b))};
    sn_gjk_result nearest = sn_gjk_distance(e->a.convex, e->b.convex, b_in_a);
    return sn_rotate(rotation_a, nearest.normal);
}

// --- steps ---------------------------------------------------------------------------------------

static bool step_is_safe(const moving_pair *e, float step, float gap, float end_gap)
{
    float bend = e->curvature * step * step;
    bool is_monotonic = gap - end_gap >= 0.5f * bend;
    bool stays_above = sn_min(gap, end_gap) - e->target >= 0.125f * bend;
    return end_gap >= e->target && (is_monotonic || stays_above);
}

// A shorter step that is likely to be safe: to where the chord reaches the target, or to where the bend fits.
static float shorter_step(const moving_pair *e, float step, float gap, float end_gap)
{
    float room = gap - e->target, end_room = end_gap - e->target;
    float aim = 0.25f * sn_min(e->tolerance, room);
    float guess = 0.5f * step;
    if (end_room < aim) {
        guess = step * (room - aim) / (room - end_room);
    } else {
        guess = sn_max(guess, sqrtf(8.0f * sn_min(room, end_room) / e->curvature));
    }
    return sn_clamp(guess, 0.1f * step, 0.95f * step);
}

// The longest step from t that is proved safe, given the gap along the axis at t.
static float safe_step(const moving_pair *e, sn_vec3 normal, float t, float gap)
{
    float rest = 1.0f - t, room = gap - e->target;
    float approach = e->a.speed + e->b.speed - sn_dot(normal, e->offset_change);
    if (!(approach * rest > room)) {
        return rest;
    }
    float certain = room / approach;
    float step = rest;
    for (int i = 0; i < MAX_STEP_TRIES && e->curvature > 0.0f && step > certain; ++i) {
        float end_gap = gap_along(e, normal, t + step);
        if (step_is_safe(e, step, gap, end_gap)) {
            return step;
        }
        step = shorter_step(e, step, gap, end_gap);
    }
    return certain;
}

float sn_time_of_impact(const sn_convex *a, const sn_motion *motion_a, const sn_convex *b,
                        const sn_motion *motion_b, float target)
{
    moving_pair e = moving_pair_make(a, motion_a, b, motion_b, target);
    float t = 0.0f;
    for (int i = 0; i < MAX_ADVANCES; ++i) {
        sn_vec3 normal = nearest_axis(&e, t);
        float gap = gap_along(&e, normal, t);
        if (!(gap >= target) || sn_length_squared(normal) == 0.0f) {
            return t;
        }
        float step = safe_step(&e, normal, t, gap);
        float next = t + step;
        if (next >= 1.0f) {
            return 1.0f;
        }
        bool arrived = gap - target <= e.tolerance && step < SHORT_STEP;
        if (!(next > t) || arrived) {
            return t;
        }
        t = next;
    }
    return t;
}

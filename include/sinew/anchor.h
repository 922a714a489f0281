/// \file
/// Anchors: two points held together. They are constraints of kind SN_BALL that hold nothing but a point,
/// told in fewer words: every function here is a thin alias of one in constraint.h, which serves as well.
///
/// What a hard anchor holds together does not collide there: the faces and edges around its nodes pass
/// through the body, or the faces and edges of the deformable, at its other end. What slides along a surface
/// does not collide with it at all. Two bodies that an anchor holds may touch (`collide_connected`).
///
/// An anchor is made of rows, solved together with all others, unless it is exact: then its points coincide
/// to rounding error after every step, without iterations, whatever integrator moves them (docs/exact.md).
/// Exact anchors that share nodes are made one where they can be: nodes held together merge into one point,
/// a nail or a body that cannot be moved wins over one that can, and the first anchor over later ones. What
/// cannot be merged is held by rows instead: see sn_constraint_hold_now.
#ifndef SINEW_ANCHOR_H
#define SINEW_ANCHOR_H

#include "constraint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_anchor_def {
    uint32_t cookie;    ///< set by sn_anchor_def_default; do not touch
    sn_point a, b;      ///< what is held together; at least one can move
    float compliance;   ///< ≥ 0 [m/N]; default 0, hard
    float damping;      ///< with compliance > 0: ≥ 0 [N s/m]
    float max_force;    ///< > 0 [N]: it pulls no harder and lets its points part; default infinite
    float break_force;  ///< > 0 [N]; default infinite
    bool active;        ///< default true; see sn_constraint_active_set
    float active_from;  ///< the world's time from which on it holds [s]; default 0
    float active_until; ///< and until which; > active_from [s]; default infinite
    bool exact;         ///< met to rounding error; needs compliance 0 and max_force infinite; default false
    int ramp_steps; ///< of exact ones: 1…1,000,000 steps until it holds fully (self-assembly): step j of n
                    ///< takes away j/n of how far its ends are apart; default 1
    float friction; ///< of exact ones with a surface: Coulomb's coefficient, 0…1000; default 0
    const char *name; ///< for messages; copied; null or at most SN_MAX_NAME bytes
    void *user;
} sn_anchor_def;

/// Hard, unbreakable, between two places in the world (which cannot move: set a or b).
SN_API sn_anchor_def sn_anchor_def_default(void);
/// As sn_ball_add. `anchor` may be null.
SN_API sn_status sn_anchor_add(sn_world *world, const sn_anchor_def *def, sn_anchor *anchor);
/// As sn_constraint_remove.
static inline sn_status sn_anchor_remove(sn_world *world, sn_anchor anchor)
{
    return sn_constraint_remove(world, anchor);
}
/// As sn_constraint_is_valid.
static inline bool sn_anchor_is_valid(const sn_world *world, sn_anchor anchor)
{
    return sn_constraint_is_valid(world, anchor);
}
/// As sn_constraint_point_set.
static inline sn_status sn_anchor_point_set(sn_world *world, sn_anchor anchor, int end, const sn_point *point)
{
    return sn_constraint_point_set(world, anchor, end, point);
}
/// As sn_constraint_active_set.
static inline sn_status sn_anchor_active_set(sn_world *world, sn_anchor anchor, bool active)
{
    return sn_constraint_active_set(world, anchor, active);
}

typedef sn_constraint_hold sn_anchor_hold;
#define SN_ANCHOR_OFF          SN_CONSTRAINT_OFF
#define SN_ANCHOR_ROWS         SN_CONSTRAINT_ROWS
#define SN_ANCHOR_EXACT        SN_CONSTRAINT_EXACT
#define SN_ANCHOR_ROWS_INSTEAD SN_CONSTRAINT_ROWS_INSTEAD

/// As sn_constraint_hold_now.
static inline sn_anchor_hold sn_anchor_hold_now(const sn_world *world, sn_anchor anchor)
{
    return sn_constraint_hold_now(world, anchor);
}
/// As sn_constraint_force.
static inline sn_vec3 sn_anchor_force(const sn_world *world, sn_anchor anchor)
{
    return sn_constraint_force(world, anchor);
}
/// How far the two points of any constraint are apart now [m].
SN_API float sn_anchor_error(const sn_world *world, sn_anchor anchor);
/// The definition that would make it as it is now; all zeros and a message for what is no ball.
SN_API sn_anchor_def sn_anchor_definition(const sn_world *world, sn_anchor anchor);
/// Whether sn_world_anchors lists a constraint.
SN_API bool sn_constraint_is_anchor(const sn_world *world, sn_constraint constraint);
/// Writes up to `capacity` ids (null `out` with 0 to count) and returns how many there are, in index order:
/// of the balls without limits, motor and spring those that hold a deformable, or something at a place in the
/// world, or that are exact.
SN_API int sn_world_anchors(const sn_world *world, sn_anchor *out, int capacity);

#ifdef __cplusplus
}
#endif
#endif

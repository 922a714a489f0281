/// \file
/// Points of anything, and anchors that hold two of them together: a place in the world, a point of a rigid
/// body, or a weighted sum of up to four nodes of a deformable (a node, an edge, a face, a tetrahedron). So
/// soft–soft, soft–rigid, soft–world and rigid–rigid need no kinds of their own. What a hard anchor holds
/// together does not collide there: the faces and edges around its nodes pass through the body, or the faces
/// and edges of the deformable, at its other end. What slides along a surface does not collide with it at
/// all.
///
/// An anchor is made of rows, solved together with all others, unless it is exact: then its points coincide
/// to rounding error after every step, without iterations, whatever integrator moves them (docs/exact.md).
/// Exact anchors that share nodes are made one where they can be: nodes held together merge into one point,
/// a nail or a body that cannot be moved wins over one that can, and the first anchor over later ones. What
/// cannot be merged is held by rows instead: see sn_anchor_hold_now.
#ifndef SINEW_ANCHOR_H
#define SINEW_ANCHOR_H

#include "point.h"

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
    bool active;        ///< default true; see sn_anchor_active_set
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
/// Adds an anchor. `anchor` may be null. SN_ERROR_NULL, SN_ERROR_DEFINITION, SN_ERROR_ID, SN_ERROR_RANGE
/// (weights that are negative or do not sum to one, nodes that do not exist, exact but compliant or with a
/// largest force), SN_ERROR_KIND (a surface at both ends, or of an anchor that is not exact),
/// SN_ERROR_NOT_FINITE, SN_ERROR_IMMOVABLE, SN_ERROR_NAME, SN_ERROR_LOCKED, SN_ERROR_MEMORY.
SN_API sn_status sn_anchor_add(sn_world *world, const sn_anchor_def *def, sn_anchor *anchor);
/// Removes an anchor; what it held wakes.
SN_API sn_status sn_anchor_remove(sn_world *world, sn_anchor anchor);
/// Whether the id names an anchor that exists; broken ones do not.
SN_API bool sn_anchor_is_valid(const sn_world *world, sn_anchor anchor);
/// Moves one end (0 for a, 1 for b) to another point: dragging. If it is exact and both are places in the
/// world, the end goes there evenly during the next step. Errors as for sn_anchor_add.
SN_API sn_status sn_anchor_point_set(sn_world *world, sn_anchor anchor, int end, const sn_point *point);
/// Switches an anchor on or off, which need not be a change. If it is one, what it holds wakes; one that is
/// switched on begins its ramp anew and finds its surface wherever that is nearest then. What is off exerts
/// no force, and neither keeps its ends from colliding nor from sleeping one without the other.
/// SN_ERROR_NULL, SN_ERROR_ID, SN_ERROR_LOCKED.
SN_API sn_status sn_anchor_active_set(sn_world *world, sn_anchor anchor, bool active);

/// How an anchor is held.
typedef enum sn_anchor_hold {
    SN_ANCHOR_OFF,          ///< it is switched off, its time has not come or is over, or the id is bad
    SN_ANCHOR_ROWS,         ///< by rows, as asked for
    SN_ANCHOR_EXACT,        ///< exactly
    SN_ANCHOR_ROWS_INSTEAD, ///< by rows although asked to be exact: other exact anchors hold the same nodes
                            ///< or body in a way that cannot be merged; an end on a surface then stays where
                            ///< it is
} sn_anchor_hold;

/// How it would be held if the next step began now.
SN_API sn_anchor_hold sn_anchor_hold_now(const sn_world *world, sn_anchor anchor);
/// The force it exerted on b, averaged over the last step [N].
SN_API sn_vec3 sn_anchor_force(const sn_world *world, sn_anchor anchor);
/// How far its two points are apart now [m].
SN_API float sn_anchor_error(const sn_world *world, sn_anchor anchor);
/// The definition that would make it as it is now.
SN_API sn_anchor_def sn_anchor_definition(const sn_world *world, sn_anchor anchor);
/// Writes up to `capacity` ids (null `out` with 0 to count) and returns how many there are, in index order.
SN_API int sn_world_anchors(const sn_world *world, sn_anchor *out, int capacity);

#ifdef __cplusplus
}
#endif
#endif

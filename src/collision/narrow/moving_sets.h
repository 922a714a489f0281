// Two convex sets whose points move straight, each from where it starts to where it ends: whether they meet
// on the way, and how far each may go so that they do not, whatever the other does (planes between the sets
// and truncation, after Chen et al. 2025). No roots of polynomials: all answers follow from planes that keep
// the sets apart, so that "apart" is certain and "meet" may be too careful.
#ifndef SN_COLLISION_NARROW_MOVING_SETS_H
#define SN_COLLISION_NARROW_MOVING_SETS_H

#include "sinew/math.h"

#include <stdbool.h>

// The hull of points, with a radius around it.
typedef struct sn_moving_set {
    const sn_vec3 *start, *end;
    int count;
    float radius;
    bool is_forced; // nothing holds it back
} sn_moving_set;

typedef enum sn_meeting {
    SN_SETS_APART,   // at all times
    SN_SETS_MEET,    // or come so close that rounding decides
    SN_SETS_OVERLAP, // already at the start; with more than three points also if rounding decides that
} sn_meeting;

// Whether a plane across `normal` (unit), moving as it likes, keeps a above b by more than `least` at the
// start and at the end, and so at all times.
bool sn_moving_sets_separate(const sn_moving_set *a, const sn_moving_set *b, sn_vec3 normal, float least);

// `least` is the distance below which rounding decides. [m]
sn_meeting sn_moving_sets_meet(const sn_moving_set *a, const sn_moving_set *b, float least);

// A slab between the two at the start, which moves along its normal by `shift` as far as both sets move that
// way: as long as every point of a, less its radius, ends above level_a + shift, and every point of b, with
// its radius, below level_b + shift, they do not meet. So what moves together is not held back.
typedef struct sn_parting {
    sn_vec3 normal; // unit, from b to a
    float level_a, level_b, shift;
} sn_parting;

// Half the gap is shared in proportion to how far each side would go into it; a side that is forced takes
// what it needs, up to nearly all. False if they overlap at the start.
bool sn_moving_sets_part(const sn_moving_set *a, const sn_moving_set *b, float least, sn_parting *parting);

// The largest part of its motion, 0…1, for which a point stays above the level (below it for −1).
float sn_motion_above(sn_vec3 start, sn_vec3 end, sn_vec3 normal, float level, float sign);

#endif

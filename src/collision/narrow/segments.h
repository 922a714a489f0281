// Closest points of segments and lines.
// Tested by tests/collision/narrow/test_collide_round.c.
#ifndef SN_COLLISION_NARROW_SEGMENTS_H
#define SN_COLLISION_NARROW_SEGMENTS_H

#include "sinew/math.h"

// Where on the line from a to b the point closest to `p` is: 0 at a, 1 at b. A segment without length is a.
static inline float sn_nearest_on_line(sn_vec3 a, sn_vec3 b, sn_vec3 p)
{
    sn_vec3 along = sn_sub(b, a);
    float squared = sn_length_squared(along);
    return squared > 0.0f ? sn_dot(sn_sub(p, a), along) / squared : 0.0f;
}

static inline sn_vec3 sn_nearest_on_segment(sn_vec3 a, sn_vec3 b, sn_vec3 p)
{
    return sn_add_scaled(a, sn_clamp(sn_nearest_on_line(a, b, p), 0.0f, 1.0f), sn_sub(b, a));
}

// Where two lines are closest, as fractions of the segments a and b; meaningless for parallel lines. False if
// they are nearly so: less than half a degree.
static inline bool sn_nearest_on_lines(const sn_vec3 a[2], const sn_vec3 b[2], float *on_a, float *on_b)
{
    sn_vec3 u = sn_sub(a[1], a[0]), v = sn_sub(b[1], b[0]), w = sn_sub(b[0], a[0]);
    float uu = sn_length_squared(u), vv = sn_length_squared(v), uv = sn_dot(u, v);
    float uw = sn_dot(u, w), vw = sn_dot(v, w), determinant = uu * vv - uv * uv;
    *on_a = (uw * vv - vw * uv) / determinant;
    *on_b = (uw * uv - vw * uu) / determinant;
    return determinant > 1.0e-4f * uu * vv;
}

#endif

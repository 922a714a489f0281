// Casts against convex shapes: rays, translating solids, and the time of impact of two shapes that move and
// turn (conservative advancement over GJK).
#ifndef SN_COLLISION_NARROW_CAST_H
#define SN_COLLISION_NARROW_CAST_H

#include "geometry/shapes/convex.h"

typedef struct sn_cast_result {
    bool hit;
    float fraction; // 0…1
    sn_vec3 point;  // on the shape
    sn_vec3 normal; // of the shape, outwards; −direction if the start is inside (fraction 0)
} sn_cast_result;

// A segment against a convex (in the convex's frame), radius included: a ray against capsule, rounded hull, …
sn_cast_result sn_ray_convex(const sn_convex *convex, sn_vec3 origin, sn_vec3 translation);
// A segment against the half-space normal · p ≤ offset.
sn_cast_result sn_ray_plane(sn_plane plane, sn_vec3 origin, sn_vec3 translation);
// A segment against one triangle; back faces only if double_sided.
sn_cast_result sn_ray_triangle(const sn_vec3 corners[3], bool double_sided, sn_vec3 origin,
                               sn_vec3 translation);

// b, at b_in_a, moves by `translation` (a's frame) without turning. Point and normal are on a, in a's frame.
sn_cast_result sn_cast_convex(const sn_convex *a, const sn_convex *b, sn_pose b_in_a, sn_vec3 translation);

// A rigid motion over t in [0, 1]: the centre moves straight, the rotation is at constant rate along the
// shorter arc. `local_center` is the point of the shape's frame that moves straight.
typedef struct sn_motion {
    sn_vec3 local_center;
    sn_vec3 center_start, center_end;
    sn_quat rotation_start, rotation_end;
} sn_motion;

sn_pose sn_motion_at(const sn_motion *motion, float t);

// The largest t for which the shapes are certain to be at least `target` apart (surfaces, radii included) on
// all of [0, t]; 1 if they never come that close; 0 if they start closer. Conservative: never past the first
// approach.
float sn_time_of_impact(const sn_convex *a, const sn_motion *motion_a, const sn_convex *b,
                        const sn_motion *motion_b, float target);

#endif

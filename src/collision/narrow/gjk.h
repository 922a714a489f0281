// Distance of two convex cores (Gilbert–Johnson–Keerthi), and penetration depth of overlapping cores (the
// least overlap over all axes). In the frame of a. Radii are left to the caller (separation = distance − ra −
// rb).
#ifndef SN_COLLISION_NARROW_GJK_H
#define SN_COLLISION_NARROW_GJK_H

#include "geometry/shapes/convex.h"

typedef struct sn_gjk_result {
    float distance;             // of the cores; 0 when they overlap
    sn_vec3 point_a, point_b;   // closest points, both in the frame of a
    sn_vec3 normal;             // unit, from a to b; zero when the cores overlap
    int index_a[3], index_b[3]; // core points that support the closest features
    int simplex_count;          // 1…3; 4 when overlapping
    int iterations;
} sn_gjk_result;

// `b_in_a` is the pose of b in a's frame. At most 32 iterations.
sn_gjk_result sn_gjk_distance(const sn_convex *a, const sn_convex *b, sn_pose b_in_a);

typedef struct sn_depth_result {
    float depth;              // ≥ 0: how far b must move along normal to just touch
    sn_vec3 normal;           // unit, from a to b
    sn_vec3 point_a, point_b; // deepest points, in the frame of a
} sn_depth_result;

// For overlapping cores. Never fails: degenerate cases (point in point, flat) give a valid normal and a
// depth.
sn_depth_result sn_penetration_depth(const sn_convex *a, const sn_convex *b, sn_pose b_in_a);

// Signed distance including radii, with witness points on the surfaces: distance < 0 means penetration.
typedef struct sn_separation_result {
    float distance;
    sn_vec3 normal;           // unit, from a to b
    sn_vec3 point_a, point_b; // on the surfaces, in the frame of a
} sn_separation_result;
sn_separation_result sn_separation(const sn_convex *a, const sn_convex *b, sn_pose b_in_a);

#endif

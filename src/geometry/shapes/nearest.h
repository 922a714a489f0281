// The points of an edge and of a triangle nearest to a given one, as weights of their corners.
// Tested by tests/geometry/shapes/test_closest_point.c.
#ifndef SN_GEOMETRY_SHAPES_NEAREST_H
#define SN_GEOMETRY_SHAPES_NEAREST_H

#include "sinew/math.h"

#include <math.h>

// Returns the distance. An edge of no length is its first end.
static inline float sn_nearest_on_edge(sn_vec3 a, sn_vec3 b, sn_vec3 p, float weights[2])
{
    sn_vec3 along = sn_sub(b, a);
    float length2 = sn_length_squared(along);
    float t = length2 > 0.0f ? sn_clamp(sn_dot(sn_sub(p, a), along) / length2, 0.0f, 1.0f) : 0.0f;
    weights[0] = 1.0f - t;
    weights[1] = t;
    return sn_distance_between(p, sn_add_scaled(a, t, along));
}

// The closest point: its projection if that lies inside, else the closest on the edges. Returns the distance.
static inline float sn_nearest_on_triangle(const sn_vec3 corners[3], sn_vec3 p, float weights[3])
{
    sn_vec3 u = sn_sub(corners[1], corners[0]), v = sn_sub(corners[2], corners[0]);
    sn_vec3 w = sn_sub(p, corners[0]);
    float uu = sn_dot(u, u), uv = sn_dot(u, v), vv = sn_dot(v, v), wu = sn_dot(w, u), wv = sn_dot(w, v);
    float determinant = uu * vv - uv * uv, s = vv * wu - uv * wv, t = uu * wv - uv * wu;
    if (determinant > 0.0f && s >= 0.0f && t >= 0.0f && s + t <= determinant) {
        weights[1] = s / determinant;
        weights[2] = t / determinant;
        weights[0] = sn_max(1.0f - weights[1] - weights[2], 0.0f);
        return sn_distance_between(w, sn_add_scaled(sn_scale(u, weights[1]), weights[2], v));
    }
    float nearest = INFINITY;
    for (int k = 0; k < 3; ++k) {
        int next = (k + 1) % 3;
        float on_edge[2], distance = sn_nearest_on_edge(corners[k], corners[next], p, on_edge);
        if (distance < nearest) {
            nearest = distance;
            weights[k] = on_edge[0];
            weights[next] = on_edge[1];
            weights[(k + 2) % 3] = 0.0f;
        }
    }
    return nearest;
}

#endif

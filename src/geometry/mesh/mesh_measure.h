// Length, area and volume of a mesh's elements. In double: differences of products of coordinates cancel, and
// sums run over millions of elements.
#ifndef SN_GEOMETRY_MESH_MESH_MEASURE_H
#define SN_GEOMETRY_MESH_MESH_MEASURE_H

#include "sinew/math.h"

typedef struct sn_wide_vec3 {
    double x, y, z;
} sn_wide_vec3;

static inline sn_wide_vec3 sn_wide_between(sn_vec3 from, sn_vec3 to)
{
    return (sn_wide_vec3){(double)to.x - from.x, (double)to.y - from.y, (double)to.z - from.z};
}
static inline sn_wide_vec3 sn_wide_cross(sn_wide_vec3 a, sn_wide_vec3 b)
{
    return (sn_wide_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double sn_wide_dot(sn_wide_vec3 a, sn_wide_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline double sn_length_of_edge(const sn_vec3 *nodes, const uint32_t *corners)
{
    sn_wide_vec3 along = sn_wide_between(nodes[corners[0]], nodes[corners[1]]);
    return sqrt(sn_wide_dot(along, along));
}

static inline double sn_area_of_triangle(const sn_vec3 *nodes, const uint32_t *corners)
{
    sn_wide_vec3 normal = sn_wide_cross(sn_wide_between(nodes[corners[0]], nodes[corners[1]]),
                                        sn_wide_between(nodes[corners[0]], nodes[corners[2]]));
    return 0.5 * sqrt(sn_wide_dot(normal, normal));
}

// Of four points; positive if right-handed.
static inline double sn_volume_between(sn_vec3 a, sn_vec3 b, sn_vec3 c, sn_vec3 d)
{
    sn_wide_vec3 normal = sn_wide_cross(sn_wide_between(a, b), sn_wide_between(a, c));
    return sn_wide_dot(normal, sn_wide_between(a, d)) / 6.0;
}

static inline double sn_volume_of_tetrahedron(const sn_vec3 *nodes, const uint32_t *corners)
{
    return sn_volume_between(nodes[corners[0]], nodes[corners[1]], nodes[corners[2]], nodes[corners[3]]);
}

#endif

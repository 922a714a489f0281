// Length, area and volume of a mesh's elements. In double: differences of products of coordinates cancel, and
// sums run over millions of elements.
#ifndef SN_GEOMETRY_MESH_MESH_MEASURE_H
#define SN_GEOMETRY_MESH_MESH_MEASURE_H

#include "math/wide.h"

static inline double sn_length_of_edge(const sn_vec3 *nodes, const uint32_t *corners)
{
    return sn_length_wide(sn_between_wide(nodes[corners[0]], nodes[corners[1]]));
}

static inline double sn_area_of_triangle(const sn_vec3 *nodes, const uint32_t *corners)
{
    sn_vec3d normal = sn_cross_wide(sn_between_wide(nodes[corners[0]], nodes[corners[1]]),
                                    sn_between_wide(nodes[corners[0]], nodes[corners[2]]));
    return 0.5 * sn_length_wide(normal);
}

// Of four points; positive if right-handed.
static inline double sn_volume_between(sn_vec3 a, sn_vec3 b, sn_vec3 c, sn_vec3 d)
{
    sn_vec3d normal = sn_cross_wide(sn_between_wide(a, b), sn_between_wide(a, c));
    return sn_dot_wide(normal, sn_between_wide(a, d)) / 6.0;
}

static inline double sn_volume_of_tetrahedron(const sn_vec3 *nodes, const uint32_t *corners)
{
    return sn_volume_between(nodes[corners[0]], nodes[corners[1]], nodes[corners[2]], nodes[corners[3]]);
}

#endif

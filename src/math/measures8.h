// What eight edges, triangles and tetrahedra measure, and how that changes with their nodes: lengths, areas
// and volumes. Edges as rows, positions that are projected and energies that are forces all take theirs from
// here. Tested by tests/solver/elements/test_edge_kernel.c and tests/model/forces/test_terms.c.
#ifndef SN_MATH_MEASURES8_H
#define SN_MATH_MEASURES8_H

#include "base/simd.h"

// ℓ = |x_b − x_a|, ∂ℓ/∂x_b = along/ℓ = −∂ℓ/∂x_a.
typedef struct sn_length8 {
    sn_vec3x8 along; // from a to b
    sn_f8 length;
} sn_length8;

SN_INLINE sn_length8 sn_length8_between(sn_vec3x8 a, sn_vec3x8 b)
{
    sn_vec3x8 along = sn_vec3x8_sub(b, a);
    return (sn_length8){along, sn_f8_sqrt(sn_vec3x8_dot(along, along))};
}

// A = ½ twice, ∂A/∂x_a = ½ slope_a/twice; slope_a = (the normal) × (the edge opposite a, from the next node
// to the one before).
typedef struct sn_area8 {
    sn_vec3x8 slope[3];
    sn_f8 twice;
    sn_vec3x8 opposite[3];
} sn_area8;

SN_INLINE sn_area8 sn_area8_of(const sn_vec3x8 x[3])
{
    sn_area8 area = {
        .opposite = {sn_vec3x8_sub(x[2], x[1]), sn_vec3x8_sub(x[0], x[2]), sn_vec3x8_sub(x[1], x[0])}};
    sn_vec3x8 normal = sn_vec3x8_cross(area.opposite[1], area.opposite[2]);
    for (int a = 0; a < 3; ++a) {
        area.slope[a] = sn_vec3x8_cross(normal, area.opposite[a]);
    }
    area.twice = sn_f8_sqrt(sn_vec3x8_dot(normal, normal));
    return area;
}

// V = six_fold/6, ∂V/∂x_a = slope_a/6; slope_a of nodes 1 to 3 = e_(a+1) × e_(a+2) of the edges from node 0.
typedef struct sn_volume8 {
    sn_vec3x8 slope[4];
    sn_f8 six_fold;
    sn_vec3x8 edge[3]; // from node 0
} sn_volume8;

SN_INLINE sn_volume8 sn_volume8_of(const sn_vec3x8 x[4])
{
    sn_volume8 volume;
    for (int k = 0; k < 3; ++k) {
        volume.edge[k] = sn_vec3x8_sub(x[k + 1], x[0]);
    }
    for (int k = 0; k < 3; ++k) {
        volume.slope[k + 1] = sn_vec3x8_cross(volume.edge[(k + 1) % 3], volume.edge[(k + 2) % 3]);
    }
    sn_vec3x8 sum = sn_vec3x8_add(sn_vec3x8_add(volume.slope[1], volume.slope[2]), volume.slope[3]);
    volume.slope[0] = sn_vec3x8_scale(sum, sn_f8_set(-1.0f));
    volume.six_fold = sn_vec3x8_dot(volume.edge[0], volume.slope[1]);
    return volume;
}

#endif

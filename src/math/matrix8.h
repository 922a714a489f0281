// Eight 3 × 3 matrices at a time, by columns, and eight symmetric ones.
// Tested by tests/solver/elements/test_neo_hookean_kernel.c.
#ifndef SN_MATH_MATRIX8_H
#define SN_MATH_MATRIX8_H

#include "base/simd.h"

typedef struct sn_mat3x8 {
    sn_vec3x8 x, y, z; // columns
} sn_mat3x8;

typedef struct sn_sym3x8 {
    sn_f8 xx, yy, zz, yz, xz, xy;
} sn_sym3x8;

SN_INLINE sn_mat3x8 sn_load_mat3x8(const sn_lanes *m)
{
    return (sn_mat3x8){sn_load3(&m[0]), sn_load3(&m[3]), sn_load3(&m[6])};
}
SN_INLINE void sn_store_mat3x8(sn_lanes *m, sn_mat3x8 a)
{
    sn_store3(&m[0], a.x);
    sn_store3(&m[3], a.y);
    sn_store3(&m[6], a.z);
}
SN_INLINE sn_sym3x8 sn_load_sym3x8(const sn_lanes *m)
{
    return (sn_sym3x8){sn_load(&m[0]), sn_load(&m[1]), sn_load(&m[2]),
                       sn_load(&m[3]), sn_load(&m[4]), sn_load(&m[5])};
}
SN_INLINE void sn_store_sym3x8(sn_lanes *m, sn_sym3x8 a)
{
    sn_store(&m[0], a.xx);
    sn_store(&m[1], a.yy);
    sn_store(&m[2], a.zz);
    sn_store(&m[3], a.yz);
    sn_store(&m[4], a.xz);
    sn_store(&m[5], a.xy);
}

// Inertias of bodies have another order: xx yy zz xy xz yz.
SN_INLINE sn_sym3x8 sn_load_inertia8(const sn_lanes *m)
{
    return (sn_sym3x8){sn_load(&m[0]), sn_load(&m[1]), sn_load(&m[2]),
                       sn_load(&m[5]), sn_load(&m[4]), sn_load(&m[3])};
}
SN_INLINE void sn_store_inertia8(sn_lanes *m, sn_sym3x8 a)
{
    sn_lanes *order[6] = {&m[0], &m[1], &m[2], &m[5], &m[4], &m[3]};
    sn_f8 values[6] = {a.xx, a.yy, a.zz, a.yz, a.xz, a.xy};
    for (int i = 0; i < 6; ++i) {
        sn_store(order[i], values[i]);
    }
}

SN_INLINE sn_mat3x8 sn_mat3x8_add(sn_mat3x8 a, sn_mat3x8 b)
{
    return (sn_mat3x8){sn_vec3x8_add(a.x, b.x), sn_vec3x8_add(a.y, b.y), sn_vec3x8_add(a.z, b.z)};
}
SN_INLINE sn_mat3x8 sn_mat3x8_sub(sn_mat3x8 a, sn_mat3x8 b)
{
    return (sn_mat3x8){sn_vec3x8_sub(a.x, b.x), sn_vec3x8_sub(a.y, b.y), sn_vec3x8_sub(a.z, b.z)};
}
SN_INLINE sn_mat3x8 sn_mat3x8_scale(sn_mat3x8 a, sn_f8 s)
{
    return (sn_mat3x8){sn_vec3x8_scale(a.x, s), sn_vec3x8_scale(a.y, s), sn_vec3x8_scale(a.z, s)};
}
// Sum of the products of entries.
SN_INLINE sn_f8 sn_mat3x8_dot(sn_mat3x8 a, sn_mat3x8 b)
{
    return sn_vec3x8_dot(a.x, b.x) + sn_vec3x8_dot(a.y, b.y) + sn_vec3x8_dot(a.z, b.z);
}
SN_INLINE sn_vec3x8 sn_mat3x8_apply(sn_mat3x8 a, sn_vec3x8 v)
{
    return sn_vec3x8_add(sn_vec3x8_add(sn_vec3x8_scale(a.x, v.x), sn_vec3x8_scale(a.y, v.y)),
                         sn_vec3x8_scale(a.z, v.z));
}
SN_INLINE sn_vec3x8 sn_sym3x8_apply(sn_sym3x8 a, sn_vec3x8 v)
{
    return (sn_vec3x8){a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
                       a.xz * v.x + a.yz * v.y + a.zz * v.z};
}
SN_INLINE sn_vec3x8 sn_mat3x8_apply_transposed(sn_mat3x8 a, sn_vec3x8 v)
{
    return (sn_vec3x8){sn_vec3x8_dot(a.x, v), sn_vec3x8_dot(a.y, v), sn_vec3x8_dot(a.z, v)};
}
SN_INLINE sn_sym3x8 sn_sym3x8_scale(sn_sym3x8 a, sn_f8 s)
{
    return (sn_sym3x8){a.xx * s, a.yy * s, a.zz * s, a.yz * s, a.xz * s, a.xy * s};
}
// Cofactors: the inverse times the determinant.
SN_INLINE sn_sym3x8 sn_sym3x8_adjugate(sn_sym3x8 a, sn_f8 *determinant)
{
    sn_sym3x8 c = {a.yy * a.zz - a.yz * a.yz, a.xx * a.zz - a.xz * a.xz, a.xx * a.yy - a.xy * a.xy,
                   a.xy * a.xz - a.xx * a.yz, a.xy * a.yz - a.xz * a.yy, a.xz * a.yz - a.xy * a.zz};
    *determinant = a.xx * c.xx + a.xy * c.xy + a.xz * c.xz;
    return c;
}
// A S.
SN_INLINE sn_mat3x8 sn_mat3x8_times_symmetric(sn_mat3x8 a, sn_sym3x8 s)
{
    return (sn_mat3x8){sn_mat3x8_apply(a, (sn_vec3x8){s.xx, s.xy, s.xz}),
                       sn_mat3x8_apply(a, (sn_vec3x8){s.xy, s.yy, s.yz}),
                       sn_mat3x8_apply(a, (sn_vec3x8){s.xz, s.yz, s.zz})};
}
// a₀ b₀ᵀ + a₁ b₁ᵀ + a₂ b₂ᵀ.
SN_INLINE sn_mat3x8 sn_outer_sum3x8(const sn_vec3x8 a[3], const sn_vec3x8 b[3])
{
    sn_mat3x8 m = {a[0], a[1], a[2]};
    return (sn_mat3x8){sn_mat3x8_apply(m, (sn_vec3x8){b[0].x, b[1].x, b[2].x}),
                       sn_mat3x8_apply(m, (sn_vec3x8){b[0].y, b[1].y, b[2].y}),
                       sn_mat3x8_apply(m, (sn_vec3x8){b[0].z, b[1].z, b[2].z})};
}

#endif

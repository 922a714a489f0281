// The rotation in the deformation of eight bodies, F = R U, and how stretches and forces go with it (methods
// B.2): Newton's search for R, the rate of U with R's own change included, and forces of a stress without a
// torque. Elements that are rows and those that are forces both take theirs from here.
// Tested by tests/solver/elements/test_elements_gauntlet.c and tests/model/test_model.c.
#ifndef SN_MATH_COROTATION8_H
#define SN_MATH_COROTATION8_H

#include "math/matrix8.h"
#include "sinew/math.h"

typedef struct sn_quat8 {
    sn_f8 x, y, z, w;
} sn_quat8;

SN_INLINE sn_mat3x8 sn_quat8_matrix(sn_quat8 q)
{
    sn_f8 one = sn_f8_set(1.0f), two = sn_f8_set(2.0f);
    sn_f8 xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    sn_f8 xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z, wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (sn_mat3x8){{one - two * (yy + zz), two * (xy + wz), two * (xz - wy)},
                       {two * (xy - wz), one - two * (xx + zz), two * (yz + wx)},
                       {two * (xz + wy), two * (yz - wx), one - two * (xx + yy)}};
}

// q turned by the rotation vector v, given in q's own axes, to first order; of unit length again.
SN_INLINE sn_quat8 sn_quat8_turned(sn_quat8 q, sn_vec3x8 v)
{
    sn_f8 half = sn_f8_set(0.5f);
    sn_quat8 r = {
        q.x + half * (q.w * v.x + q.y * v.z - q.z * v.y), q.y + half * (q.w * v.y + q.z * v.x - q.x * v.z),
        q.z + half * (q.w * v.z + q.x * v.y - q.y * v.x), q.w - half * (q.x * v.x + q.y * v.y + q.z * v.z)};
    sn_f8 inverse = sn_f8_set(1.0f) / sn_f8_sqrt(r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w);
    return (sn_quat8){r.x * inverse, r.y * inverse, r.z * inverse, r.w * inverse};
}

// (tr U · 1 − U)⁻¹ in the lanes of `wanted`, zero in others.
SN_INLINE sn_sym3x8 sn_spin_inverse8(sn_sym3x8 u, sn_i8 wanted)
{
    sn_f8 xx = u.yy + u.zz, yy = u.xx + u.zz, zz = u.xx + u.yy;
    sn_f8 determinant, limit = sn_f8_set(1.0e-6f);
    sn_sym3x8 c = sn_sym3x8_adjugate((sn_sym3x8){xx, yy, zz, -u.yz, -u.xz, -u.xy}, &determinant);
    sn_i8 is_good = wanted & (determinant > limit) & (xx > limit) & (c.xx > limit);
    sn_f8 inverse = sn_f8_inverse_where(is_good, determinant);
    return sn_sym3x8_scale(c, inverse);
}

// Where U is positive definite: the element is neither flat nor inverted.
SN_INLINE sn_i8 sn_is_stretch8(sn_sym3x8 u)
{
    sn_f8 minor = u.xx * u.yy - u.xy * u.xy;
    sn_f8 determinant =
        u.zz * minor + u.xz * (u.xy * u.yz - u.xz * u.yy) + u.yz * (u.xy * u.xz - u.xx * u.yz);
    return (u.xx > sn_f8_set(1.0e-3f)) & (minor > sn_f8_set(1.0e-6f)) & (determinant > sn_f8_set(1.0e-9f));
}

// Rᵀ F, symmetric when R is the rotation of F.
SN_INLINE sn_mat3x8 sn_unturned8(const sn_mat3x8 *r, const sn_mat3x8 *f)
{
    return (sn_mat3x8){sn_mat3x8_apply_transposed(*r, f->x), sn_mat3x8_apply_transposed(*r, f->y),
                       sn_mat3x8_apply_transposed(*r, f->z)};
}

SN_INLINE sn_sym3x8 sn_symmetric8(const sn_mat3x8 *m)
{
    sn_f8 half = sn_f8_set(0.5f);
    return (sn_sym3x8){
        m->x.x, m->y.y, m->z.z, half * (m->z.y + m->y.z), half * (m->z.x + m->x.z), half * (m->y.x + m->x.y)};
}

// Axial vector of M − Mᵀ.
SN_INLINE sn_vec3x8 sn_axial8(const sn_mat3x8 *m)
{
    return (sn_vec3x8){m->y.z - m->z.y, m->z.x - m->x.z, m->x.y - m->y.x};
}

// Where U is so near to positive definite that Newton converges to the rotation of F.
SN_INLINE sn_i8 sn_is_near_stretch8(sn_sym3x8 u)
{
    sn_f8 xx = u.yy + u.zz, yy = u.xx + u.zz, zz = u.xx + u.yy;
    sn_f8 minor = yy * zz - u.yz * u.yz, limit = sn_f8_set(0.25f);
    sn_f8 determinant = xx * minor - u.xy * (u.xz * u.yz + u.xy * zz) - u.xz * (u.xy * u.yz + u.xz * yy);
    return (determinant > limit) & (xx > limit) & (yy > limit) & (zz > limit) & (minor > limit * limit);
}

// Rotations of lanes that are flat or inverted, one by one: they are rare and soon recover.
static void sn_search_rotations8(const sn_mat3x8 *f, sn_i8 lost, sn_quat8 *q)
{
    for (int lane = 0; lane < SN_WIDTH; ++lane) {
        if (lost[lane]) {
            sn_mat3 m = {{f->x.x[lane], f->x.y[lane], f->x.z[lane]},
                         {f->y.x[lane], f->y.y[lane], f->y.z[lane]},
                         {f->z.x[lane], f->z.y[lane], f->z.z[lane]}};
            sn_quat found = sn_mat3_polar(m, (sn_quat){q->x[lane], q->y[lane], q->z[lane], q->w[lane]});
            q->x[lane] = found.x, q->y[lane] = found.y, q->z[lane] = found.z, q->w[lane] = found.w;
        }
    }
}

// The rotation nearest to F, starting from the last one, by Newton's step (tr U · 1 − U) ω = sn_axial8(Rᵀ F −
// Fᵀ R), which converges quadratically. Where U is not positive definite, and other rotations may be nearer,
// sn_mat3_polar searches all.
SN_INLINE sn_quat8 sn_polar8(sn_quat8 q, const sn_mat3x8 *f, int steps)
{
    sn_i8 is_good = {0};
    for (int i = 0; i < steps; ++i) {
        sn_mat3x8 r = sn_quat8_matrix(q), u = sn_unturned8(&r, f);
        sn_sym3x8 stretch = sn_symmetric8(&u);
        is_good = sn_is_near_stretch8(stretch);
        q = sn_quat8_turned(q, sn_sym3x8_apply(sn_spin_inverse8(stretch, is_good), sn_axial8(&u)));
    }
    sn_f8 size = sn_vec3x8_dot(f->x, f->x) + sn_vec3x8_dot(f->y, f->y) + sn_vec3x8_dot(f->z, f->z);
    sn_i8 lost = ~is_good & (size > sn_f8_set(0.0f));
    if (sn_i8_any(lost)) {
        sn_search_rotations8(f, lost, &q);
    }
    return q;
}

// Axial vector of T − Tᵀ for T = A B, A and B symmetric.
SN_INLINE sn_vec3x8 sn_axial_of_product8(sn_sym3x8 a, sn_sym3x8 b)
{
    sn_f8 zy = a.xz * b.xy + a.yz * b.yy + a.zz * b.yz, yz = a.xy * b.xz + a.yy * b.yz + a.yz * b.zz;
    sn_f8 xz = a.xx * b.xz + a.xy * b.yz + a.xz * b.zz, zx = a.xz * b.xx + a.yz * b.xy + a.zz * b.xz;
    sn_f8 yx = a.xy * b.xx + a.yy * b.xy + a.yz * b.xz, xy = a.xx * b.xy + a.xy * b.yy + a.xz * b.yz;
    return (sn_vec3x8){zy - yz, xz - zx, yx - xy};
}

// Where eight bodies are: R by columns, U, and (tr U · 1 − U)⁻¹.
typedef struct sn_corotation8 {
    sn_mat3x8 turn;
    sn_sym3x8 stretch, spin_inverse;
} sn_corotation8;

// U̇ = L − [ω]× U for L = Rᵀ Ḟ, with (tr U · 1 − U) ω = axial(L − Lᵀ).
SN_INLINE sn_sym3x8 sn_stretch_rate8(const sn_corotation8 *now, const sn_mat3x8 *l)
{
    sn_sym3x8 u = now->stretch;
    sn_vec3x8 spin = sn_sym3x8_apply(now->spin_inverse, sn_axial8(l));
    sn_mat3x8 rate = {sn_vec3x8_sub(l->x, sn_vec3x8_cross(spin, (sn_vec3x8){u.xx, u.xy, u.xz})),
                      sn_vec3x8_sub(l->y, sn_vec3x8_cross(spin, (sn_vec3x8){u.xy, u.yy, u.yz})),
                      sn_vec3x8_sub(l->z, sn_vec3x8_cross(spin, (sn_vec3x8){u.xz, u.yz, u.zz}))};
    return sn_symmetric8(&rate);
}

// What a stress S does to the nodes with the shape gradients b: R (S + [y]×) b, with (tr U · 1 − U) y =
// axial(U S − S U), which has no torque.
SN_INLINE void sn_stress_forces8(const sn_corotation8 *now, sn_sym3x8 stress, const sn_vec3x8 b[3],
                                 sn_vec3x8 forces[3])
{
    sn_vec3x8 y = sn_sym3x8_apply(now->spin_inverse, sn_axial_of_product8(now->stretch, stress));
    for (int k = 0; k < 3; ++k) {
        sn_vec3x8 along = sn_vec3x8_add(sn_sym3x8_apply(stress, b[k]), sn_vec3x8_cross(y, b[k]));
        forces[k] = sn_mat3x8_apply(now->turn, along);
    }
}

#endif

// Vectors and matrices in double, for the few places where sums or differences of floats are not enough.
// Tested by tests/matter/test_rigid.c.
#ifndef SN_MATH_WIDE_H
#define SN_MATH_WIDE_H

#include "sinew/math.h"

typedef struct sn_vec3d {
    double x, y, z;
} sn_vec3d;

typedef struct sn_mat3d {
    sn_vec3d x, y, z; // columns
} sn_mat3d;

// Symmetric, by its upper triangle.
typedef struct sn_sym3d {
    double xx, yy, zz, xy, xz, yz;
} sn_sym3d;

static inline sn_vec3d sn_widen(sn_vec3 v)
{
    return (sn_vec3d){(double)v.x, (double)v.y, (double)v.z};
}

// The nearest floats. Volatile, because gcc 12's vectoriser takes (double)(float)x for x.
static inline sn_vec3 sn_narrow(sn_vec3d v)
{
    volatile float x = (float)v.x, y = (float)v.y, z = (float)v.z;
    return sn_v(x, y, z);
}

static inline sn_vec3d sn_between_wide(sn_vec3 from, sn_vec3 to)
{
    return (sn_vec3d){(double)to.x - from.x, (double)to.y - from.y, (double)to.z - from.z};
}

static inline sn_vec3d sn_add_wide(sn_vec3d a, sn_vec3d b)
{
    return (sn_vec3d){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline sn_vec3d sn_add_scaled_wide(sn_vec3d a, double s, sn_vec3d b)
{
    return (sn_vec3d){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline sn_vec3d sn_sub_wide(sn_vec3d a, sn_vec3d b)
{
    return (sn_vec3d){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline sn_vec3d sn_scale_wide(sn_vec3d v, double s)
{
    return (sn_vec3d){s * v.x, s * v.y, s * v.z};
}

// Splits v into the nearest floats and what they cut off.
static inline void sn_split(sn_vec3d v, sn_vec3 *nearest, sn_vec3 *rest)
{
    *nearest = sn_narrow(v);
    *rest = sn_narrow(sn_sub_wide(v, sn_widen(*nearest)));
}

static inline double sn_dot_wide(sn_vec3d a, sn_vec3d b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline double sn_length_wide(sn_vec3d v)
{
    return sqrt(sn_dot_wide(v, v));
}

static inline sn_vec3d sn_mul_wide(sn_vec3d a, sn_vec3d b)
{
    return (sn_vec3d){a.x * b.x, a.y * b.y, a.z * b.z};
}

static inline sn_vec3d sn_cross_wide(sn_vec3d a, sn_vec3d b)
{
    return (sn_vec3d){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline sn_vec3d sn_mat3d_apply(const sn_mat3d *m, sn_vec3d v)
{
    return (sn_vec3d){m->x.x * v.x + m->y.x * v.y + m->z.x * v.z, m->x.y * v.x + m->y.y * v.y + m->z.y * v.z,
                      m->x.z * v.x + m->y.z * v.y + m->z.z * v.z};
}

// Adds s v vᵀ.
static inline void sn_sym3d_add_outer(sn_sym3d *m, double s, sn_vec3d v)
{
    m->xx += s * v.x * v.x;
    m->yy += s * v.y * v.y;
    m->zz += s * v.z * v.z;
    m->xy += s * v.x * v.y;
    m->xz += s * v.x * v.z;
    m->yz += s * v.y * v.z;
}

static inline sn_vec3d sn_sym3d_apply(const sn_sym3d *m, sn_vec3d v)
{
    return (sn_vec3d){m->xx * v.x + m->xy * v.y + m->xz * v.z, m->xy * v.x + m->yy * v.y + m->yz * v.z,
                      m->xz * v.x + m->yz * v.y + m->zz * v.z};
}

// Exactly orthogonal for a quaternion of any length.
static inline sn_mat3d sn_mat3d_from_quat(sn_quat q)
{
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    double s = 2.0 / (x * x + y * y + z * z + w * w);
    double xs = x * s, ys = y * s, zs = z * s;
    double xx = x * xs, yy = y * ys, zz = z * zs, xy = x * ys, xz = x * zs, yz = y * zs;
    double wx = w * xs, wy = w * ys, wz = w * zs;
    return (sn_mat3d){{1.0 - (yy + zz), xy + wz, xz - wy},
                      {xy - wz, 1.0 - (xx + zz), yz + wx},
                      {xz + wy, yz - wx, 1.0 - (xx + yy)}};
}

// R M.
static inline sn_mat3d sn_mat3d_times_sym(const sn_mat3d *r, const sn_sym3d *m)
{
    return (sn_mat3d){
        {r->x.x * m->xx + r->y.x * m->xy + r->z.x * m->xz, r->x.y * m->xx + r->y.y * m->xy + r->z.y * m->xz,
         r->x.z * m->xx + r->y.z * m->xy + r->z.z * m->xz},
        {r->x.x * m->xy + r->y.x * m->yy + r->z.x * m->yz, r->x.y * m->xy + r->y.y * m->yy + r->z.y * m->yz,
         r->x.z * m->xy + r->y.z * m->yy + r->z.z * m->yz},
        {r->x.x * m->xz + r->y.x * m->yz + r->z.x * m->zz, r->x.y * m->xz + r->y.y * m->yz + r->z.y * m->zz,
         r->x.z * m->xz + r->y.z * m->yz + r->z.z * m->zz}};
}

// R M Rᵀ.
static inline sn_sym3d sn_sym3d_turned(const sn_sym3d *m, const sn_mat3d *r)
{
    sn_mat3d p = sn_mat3d_times_sym(r, m);
    return (sn_sym3d){
        p.x.x * r->x.x + p.y.x * r->y.x + p.z.x * r->z.x, p.x.y * r->x.y + p.y.y * r->y.y + p.z.y * r->z.y,
        p.x.z * r->x.z + p.y.z * r->y.z + p.z.z * r->z.z, p.x.x * r->x.y + p.y.x * r->y.y + p.z.x * r->z.y,
        p.x.x * r->x.z + p.y.x * r->y.z + p.z.x * r->z.z, p.x.y * r->x.z + p.y.y * r->y.z + p.z.y * r->z.z};
}

#endif

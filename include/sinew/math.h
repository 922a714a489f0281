/// \file
/// Vectors, quaternions, 3×3 matrices. Plain structs of floats, inline functions, no library calls beyond
/// square root and absolute value (exactly rounded), so that results are bit-identical everywhere. Functions
/// without a noun in their name (`sn_add`, `sn_dot`, …) are those of `sn_vec3`.
#ifndef SINEW_MATH_H
#define SINEW_MATH_H

#include "base.h"
#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SN_PI 3.14159265358979f

typedef struct sn_vec3 {
    float x, y, z;
} sn_vec3;

/// Rotation as a unit quaternion; w is the real part.
typedef struct sn_quat {
    float x, y, z, w;
} sn_quat;

/// 3×3 matrix by columns: M v = x·v.x + y·v.y + z·v.z.
typedef struct sn_mat3 {
    sn_vec3 x, y, z;
} sn_mat3;

/// Rigid transform: p ↦ rotation · p + position.
typedef struct sn_pose {
    sn_vec3 position;
    sn_quat rotation;
} sn_pose;

/// Axis-aligned box.
typedef struct sn_bounds {
    sn_vec3 lower, upper;
} sn_bounds;

static const sn_quat sn_quat_identity = {0.0f, 0.0f, 0.0f, 1.0f};
static const sn_pose sn_pose_identity = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};

/// Deterministic transcendental functions: the same bits on every platform; angles in radians. Each is within
/// 0.51 units in the last place of the true value, hence an absolute error below 3.1e-8 for sine and cosine
/// and below 1.3e-7 for the inverse functions. An argument that is not finite gives 0. Angles beyond 2^28
/// (2.7e8, where neighbouring floats are 32 rad apart) count as 0.
SN_API float sn_sin(float angle);
/// Cosine; as sn_sin.
SN_API float sn_cos(float angle);
/// The angle of the point (x, y) from the x axis, in [-π, π] with the sign of y (that of a zero too); 0 for
/// the origin.
SN_API float sn_atan2(float y, float x);
/// Arguments outside [-1, 1] are clamped, infinite ones too.
SN_API float sn_acos(float x);
/// Inverse sine in [−π/2, π/2]; as sn_acos.
SN_API float sn_asin(float x);

// --- scalars -----------------------------------------------------------------------------------------------

static inline float sn_min(float a, float b)
{
    return a < b ? a : b;
}
static inline float sn_max(float a, float b)
{
    return a > b ? a : b;
}
static inline float sn_abs(float a)
{
    return fabsf(a);
}
static inline float sn_clamp(float a, float lower, float upper)
{
    return a < lower ? lower : (a > upper ? upper : a);
}

// --- vectors -----------------------------------------------------------------------------------------------

static inline sn_vec3 sn_v(float x, float y, float z)
{
    sn_vec3 v = {x, y, z};
    return v;
}
static inline sn_vec3 sn_add(sn_vec3 a, sn_vec3 b)
{
    return sn_v(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline sn_vec3 sn_sub(sn_vec3 a, sn_vec3 b)
{
    return sn_v(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline sn_vec3 sn_neg(sn_vec3 a)
{
    return sn_v(-a.x, -a.y, -a.z);
}
static inline sn_vec3 sn_scale(sn_vec3 a, float s)
{
    return sn_v(a.x * s, a.y * s, a.z * s);
}
/// a + s·b
static inline sn_vec3 sn_add_scaled(sn_vec3 a, float s, sn_vec3 b)
{
    return sn_v(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
/// Component by component.
static inline sn_vec3 sn_mul(sn_vec3 a, sn_vec3 b)
{
    return sn_v(a.x * b.x, a.y * b.y, a.z * b.z);
}
static inline float sn_dot(sn_vec3 a, sn_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline sn_vec3 sn_cross(sn_vec3 a, sn_vec3 b)
{
    return sn_v(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline float sn_length_squared(sn_vec3 a)
{
    return sn_dot(a, a);
}
static inline float sn_length(sn_vec3 a)
{
    return sqrtf(sn_dot(a, a));
}
static inline float sn_distance_between(sn_vec3 a, sn_vec3 b)
{
    return sn_length(sn_sub(a, b));
}
/// Unit vector, or zero for a finite vector too short to have a direction (below 1e-18) or too long for its
/// square (above 1.8e19).
static inline sn_vec3 sn_normalize(sn_vec3 a)
{
    float length = sn_length(a);
    return length > 1.0e-18f ? sn_scale(a, 1.0f / length) : sn_v(0.0f, 0.0f, 0.0f);
}
static inline sn_vec3 sn_lerp(sn_vec3 a, sn_vec3 b, float t)
{
    return sn_add_scaled(sn_scale(a, 1.0f - t), t, b);
}
static inline sn_vec3 sn_min3(sn_vec3 a, sn_vec3 b)
{
    return sn_v(sn_min(a.x, b.x), sn_min(a.y, b.y), sn_min(a.z, b.z));
}
static inline sn_vec3 sn_max3(sn_vec3 a, sn_vec3 b)
{
    return sn_v(sn_max(a.x, b.x), sn_max(a.y, b.y), sn_max(a.z, b.z));
}
static inline sn_vec3 sn_abs3(sn_vec3 a)
{
    return sn_v(sn_abs(a.x), sn_abs(a.y), sn_abs(a.z));
}
/// A unit vector perpendicular to the unit vector `a`; a continuous choice away from one switch.
static inline sn_vec3 sn_perpendicular(sn_vec3 a)
{
    // A cross product with the z or the x axis; what it keeps of the unit vector is at least 1/√3 long.
    sn_vec3 p = sn_abs(a.x) > 0.57735027f ? sn_v(a.y, -a.x, 0.0f) : sn_v(0.0f, a.z, -a.y);
    return sn_normalize(p);
}

// --- quaternions -------------------------------------------------------------------------------------------

static inline sn_quat sn_quat_conjugate(sn_quat q)
{
    sn_quat r = {-q.x, -q.y, -q.z, q.w};
    return r;
}
/// Rotation b first, then a.
static inline sn_quat sn_quat_multiply(sn_quat a, sn_quat b)
{
    sn_quat r = {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                 a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                 a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
    return r;
}
/// Unit quaternion, or the identity for one of no length (below 1e-18, or above 1e19 or not finite).
static inline sn_quat sn_quat_normalize(sn_quat q)
{
    float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (!(length > 1.0e-18f && length < 1.0e19f)) {
        return sn_quat_identity;
    }
    float s = 1.0f / length;
    sn_quat r = {q.x * s, q.y * s, q.z * s, q.w * s};
    return r;
}
static inline sn_vec3 sn_rotate(sn_quat q, sn_vec3 v)
{
    sn_vec3 u = sn_v(q.x, q.y, q.z);
    sn_vec3 t = sn_scale(sn_cross(u, v), 2.0f);
    return sn_add(sn_add_scaled(v, q.w, t), sn_cross(u, t));
}
static inline sn_vec3 sn_rotate_inverse(sn_quat q, sn_vec3 v)
{
    return sn_rotate(sn_quat_conjugate(q), v);
}
/// Rotation by `angle` about the unit vector `axis`.
static inline sn_quat sn_quat_axis_angle(sn_vec3 axis, float angle)
{
    float s = sn_sin(0.5f * angle);
    sn_quat q = {axis.x * s, axis.y * s, axis.z * s, sn_cos(0.5f * angle)};
    return sn_quat_normalize(q);
}
/// The shortest rotation that turns unit vector `from` into unit vector `to`; for opposite vectors a
/// half-turn about some axis perpendicular to them, for vectors of no length the identity.
SN_API sn_quat sn_quat_between(sn_vec3 from, sn_vec3 to);
/// exp(½ v): rotation by |v| about v. Absolute error below 4e-7 for |v| ≤ 2π.
SN_API sn_quat sn_quat_exponential(sn_vec3 rotation_vector);
/// The rotation vector (axis × angle, angle ≤ π) of a unit quaternion. Relative error below 2.5e-7, for tiny
/// angles and those near π as well.
SN_API sn_vec3 sn_quat_logarithm(sn_quat q);

// --- matrices ----------------------------------------------------------------------------------------------

static inline sn_mat3 sn_mat3_diagonal(float x, float y, float z)
{
    sn_mat3 m = {{x, 0.0f, 0.0f}, {0.0f, y, 0.0f}, {0.0f, 0.0f, z}};
    return m;
}
static inline sn_vec3 sn_mat3_apply(sn_mat3 m, sn_vec3 v)
{
    return sn_v(m.x.x * v.x + m.y.x * v.y + m.z.x * v.z, m.x.y * v.x + m.y.y * v.y + m.z.y * v.z,
                m.x.z * v.x + m.y.z * v.y + m.z.z * v.z);
}
static inline sn_mat3 sn_mat3_transpose(sn_mat3 m)
{
    sn_mat3 r = {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
    return r;
}
static inline sn_mat3 sn_mat3_multiply(sn_mat3 a, sn_mat3 b)
{
    sn_mat3 r = {sn_mat3_apply(a, b.x), sn_mat3_apply(a, b.y), sn_mat3_apply(a, b.z)};
    return r;
}
static inline sn_mat3 sn_mat3_add(sn_mat3 a, sn_mat3 b)
{
    sn_mat3 r = {sn_add(a.x, b.x), sn_add(a.y, b.y), sn_add(a.z, b.z)};
    return r;
}
static inline sn_mat3 sn_mat3_scale(sn_mat3 m, float s)
{
    sn_mat3 r = {sn_scale(m.x, s), sn_scale(m.y, s), sn_scale(m.z, s)};
    return r;
}
static inline float sn_mat3_determinant(sn_mat3 m)
{
    return sn_dot(m.x, sn_cross(m.y, m.z));
}
static inline sn_mat3 sn_mat3_from_quat(sn_quat q)
{
    float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    float xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    float xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    float wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    sn_mat3 m = {{1.0f - (yy + zz), xy + wz, xz - wy},
                 {xy - wz, 1.0f - (xx + zz), yz + wx},
                 {xz + wy, yz - wx, 1.0f - (xx + yy)}};
    return m;
}
/// The unit quaternion of a rotation matrix (columns orthonormal, determinant 1).
SN_API sn_quat sn_quat_from_mat3(sn_mat3 rotation);
/// The inverse; a matrix that has none (singular, not finite, or an inverse too large for floats) gives
/// zeros.
SN_API sn_mat3 sn_mat3_inverse(sn_mat3 m);
/// The rotation R nearest to `m`: the one with the largest tr(Rᵀ m), the polar factor, never a reflection.
/// Never fails: singular, reflected and scaled matrices have one too. Where several are equally near (a
/// matrix flattened to a line or a point, a sphere turned inside out) it is the one nearest to `guess`, which
/// is also what makes the search short; pass the identity when there is none. A matrix that is not finite
/// gives the guess, a guess that is not a rotation counts as the identity.
SN_API sn_quat sn_mat3_polar(sn_mat3 m, sn_quat guess);
/// Eigenvalues (ascending) and orthonormal right-handed eigenvectors (columns; null if unwanted) of a
/// symmetric matrix; of any other, those of its symmetric part. A matrix that is not finite gives zeros and
/// the axes.
SN_API sn_vec3 sn_mat3_eigen(sn_mat3 symmetric, sn_mat3 *vectors);

// --- poses -------------------------------------------------------------------------------------------------

static inline sn_vec3 sn_pose_apply(sn_pose pose, sn_vec3 p)
{
    return sn_add(sn_rotate(pose.rotation, p), pose.position);
}
static inline sn_vec3 sn_pose_apply_inverse(sn_pose pose, sn_vec3 p)
{
    return sn_rotate_inverse(pose.rotation, sn_sub(p, pose.position));
}
/// b first, then a.
static inline sn_pose sn_pose_multiply(sn_pose a, sn_pose b)
{
    sn_pose r = {sn_pose_apply(a, b.position), sn_quat_normalize(sn_quat_multiply(a.rotation, b.rotation))};
    return r;
}
/// b as seen from a: a⁻¹ b.
static inline sn_pose sn_pose_relative(sn_pose a, sn_pose b)
{
    sn_pose r = {sn_pose_apply_inverse(a, b.position),
                 sn_quat_normalize(sn_quat_multiply(sn_quat_conjugate(a.rotation), b.rotation))};
    return r;
}

// --- bounds ------------------------------------------------------------------------------------------------

static inline bool sn_bounds_overlap(sn_bounds a, sn_bounds b)
{
    return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
           b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}
static inline bool sn_bounds_contain(sn_bounds outer, sn_bounds inner)
{
    return outer.lower.x <= inner.lower.x && outer.lower.y <= inner.lower.y &&
           outer.lower.z <= inner.lower.z && inner.upper.x <= outer.upper.x &&
           inner.upper.y <= outer.upper.y && inner.upper.z <= outer.upper.z;
}
static inline sn_bounds sn_bounds_union(sn_bounds a, sn_bounds b)
{
    sn_bounds r = {sn_min3(a.lower, b.lower), sn_max3(a.upper, b.upper)};
    return r;
}
static inline sn_bounds sn_bounds_grow(sn_bounds a, float margin)
{
    sn_vec3 m = {margin, margin, margin};
    sn_bounds r = {sn_sub(a.lower, m), sn_add(a.upper, m)};
    return r;
}

// --- checks ------------------------------------------------------------------------------------------------

static inline bool sn_is_finite(float a)
{
    return a - a == 0.0f;
}
static inline bool sn_vec3_is_finite(sn_vec3 a)
{
    return sn_is_finite(a.x) && sn_is_finite(a.y) && sn_is_finite(a.z);
}
static inline bool sn_quat_is_finite(sn_quat q)
{
    return sn_is_finite(q.x) && sn_is_finite(q.y) && sn_is_finite(q.z) && sn_is_finite(q.w);
}

#ifdef __cplusplus
}
#endif
#endif

// Rotations made from vectors, rotation vectors and matrices. What is a line or two is inline in
// sinew/math.h.
#include "sinew/math.h"

// With unit vectors f and t at the angle θ, f × t = sin θ·axis and 1 + f·t = 1 + cos θ are in the ratio of
// sin ½θ·axis to cos ½θ. Double keeps the sum exact enough until the two are opposite to a float's precision;
// from there on any axis perpendicular to them will do.
sn_quat sn_quat_between(sn_vec3 from, sn_vec3 to)
{
    if (!sn_vec3_is_finite(from) || !sn_vec3_is_finite(to)) {
        return sn_quat_identity;
    }
    double fx = (double)from.x, fy = (double)from.y, fz = (double)from.z;
    double tx = (double)to.x, ty = (double)to.y, tz = (double)to.z;
    double x = fy * tz - fz * ty, y = fz * tx - fx * tz, z = fx * ty - fy * tx;
    double cosine = fx * tx + fy * ty + fz * tz;
    // The lengths are 1 but for rounding, which would drown the sum near opposite vectors.
    double lengths = sqrt((fx * fx + fy * fy + fz * fz) * (tx * tx + ty * ty + tz * tz));
    double w = lengths + cosine;
    if (cosine < 0.0 && x * x + y * y + z * z <= 1.0e-15 * lengths * lengths) {
        sn_vec3 axis = sn_perpendicular(sn_normalize(from));
        x = (double)axis.x;
        y = (double)axis.y;
        z = (double)axis.z;
        w = 0.0;
    }
    double norm = sqrt(x * x + y * y + z * z + w * w);
    if (!(norm > 0.0)) {
        return sn_quat_identity;
    }
    sn_quat q = {(float)(x / norm), (float)(y / norm), (float)(z / norm), (float)(w / norm)};
    return q;
}

sn_quat sn_quat_exponential(sn_vec3 rotation_vector)
{
    float angle = sn_length(rotation_vector);
    if (!sn_is_finite(angle)) {
        return sn_quat_identity;
    }
    // sin(½a)/a needs no series for small a: numerator and denominator are both good to the last bit.
    float scale = angle > 0.0f ? sn_sin(0.5f * angle) / angle : 0.5f;
    sn_vec3 v = sn_scale(rotation_vector, scale);
    sn_quat q = {v.x, v.y, v.z, sn_cos(0.5f * angle)};
    return q;
}

// The arctangent is well-conditioned at both ends, unlike the arccosine of w (tiny angles) and the arcsine of
// the vector part (angles near π); it also forgives a quaternion that is not quite of unit length.
sn_vec3 sn_quat_logarithm(sn_quat q)
{
    if (!sn_quat_is_finite(q)) {
        return sn_v(0.0f, 0.0f, 0.0f);
    }
    // q and −q are the same rotation; the one with w ≥ 0 has the angle of at most π.
    float sign = q.w < 0.0f ? -1.0f : 1.0f;
    sn_vec3 v = sn_scale(sn_v(q.x, q.y, q.z), sign);
    float sine = sn_length(v);
    // Below this the angle is 2·sine to the last bit, and the square in the length may have lost its own.
    if (sine < 1.0e-12f) {
        return sn_scale(v, 2.0f);
    }
    return sn_scale(v, 2.0f * sn_atan2(sine, sign * q.w) / sine);
}

// The entries of a rotation matrix add up to those of 4·q·qᵀ, each row of which is parallel to q. The row of
// the largest diagonal entry (at least 1, as the four sum to 4) is the one with the smallest rounding error.
// (Shepperd 1978, without his square root.)
sn_quat sn_quat_from_mat3(sn_mat3 rotation)
{
    sn_mat3 m = rotation;
    float ww = 1.0f + m.x.x + m.y.y + m.z.z;
    float xx = 1.0f + m.x.x - m.y.y - m.z.z;
    float yy = 1.0f - m.x.x + m.y.y - m.z.z;
    float zz = 1.0f - m.x.x - m.y.y + m.z.z;
    float wx = m.y.z - m.z.y, wy = m.z.x - m.x.z, wz = m.x.y - m.y.x;
    float xy = m.x.y + m.y.x, xz = m.x.z + m.z.x, yz = m.y.z + m.z.y;
    sn_quat row_w = {wx, wy, wz, ww}, row_x = {xx, xy, xz, wx};
    sn_quat row_y = {xy, yy, yz, wy}, row_z = {xz, yz, zz, wz};
    float largest = sn_max(sn_max(ww, xx), sn_max(yy, zz));
    sn_quat longest = largest == ww ? row_w : largest == xx ? row_x : largest == yy ? row_y : row_z;
    return sn_quat_normalize(longest);
}

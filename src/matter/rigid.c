// Mass and motion of a single rigid body (methods, sections 0 and A.9).
#include "matter/rigid.h"

void sn_body_place(sn_body *body, sn_pose pose)
{
    body->rotation = pose.rotation;
    body->center = sn_add(pose.position, sn_rotate(pose.rotation, body->local_center));
}

sn_sym3 sn_sym3_from(sn_mat3 m)
{
    sn_sym3 s = {m.x.x, m.y.y, m.z.z, 0.5f * (m.y.x + m.x.y), 0.5f * (m.z.x + m.x.z), 0.5f * (m.z.y + m.y.z)};
    return s;
}

sn_sym3 sn_sym3_turned(sn_sym3 m, sn_quat rotation)
{
    sn_mat3 r = sn_mat3_from_quat(rotation);
    sn_mat3 columns = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
    return sn_sym3_from(sn_mat3_multiply(sn_mat3_multiply(r, columns), sn_mat3_transpose(r)));
}

sn_sym3 sn_sym3_inverse(sn_sym3 m)
{
    // Scaled to order one first: the determinant of a pebble's inertia would underflow.
    float size = sn_max(sn_abs(m.xx), sn_max(sn_abs(m.yy), sn_abs(m.zz)));
    if (!(size > 0.0f)) {
        return (sn_sym3){0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    }
    float s = 1.0f / size;
    sn_sym3 a = {m.xx * s, m.yy * s, m.zz * s, m.xy * s, m.xz * s, m.yz * s};
    float c_xx = a.yy * a.zz - a.yz * a.yz;
    float c_xy = a.xz * a.yz - a.xy * a.zz;
    float c_xz = a.xy * a.yz - a.xz * a.yy;
    float determinant = a.xx * c_xx + a.xy * c_xy + a.xz * c_xz;
    float scale = determinant != 0.0f ? s / determinant : 0.0f;
    sn_sym3 r = {
        c_xx * scale, (a.xx * a.zz - a.xz * a.xz) * scale, (a.xx * a.yy - a.xy * a.xy) * scale, c_xy * scale,
        c_xz * scale, (a.xy * a.xz - a.xx * a.yz) * scale};
    return r;
}

sn_sym3 sn_inverse_inertia(sn_sym3 body_inertia, sn_quat rotation, uint32_t locks)
{
    sn_sym3 world = sn_sym3_turned(body_inertia, rotation);
    if (locks & (SN_LOCK_ROTATION_X | SN_LOCK_ROTATION_Y | SN_LOCK_ROTATION_Z)) {
        // A locked axis is a degree of freedom that does not exist: drop its row and column before inverting,
        // put zeros back afterwards. A unit on the diagonal keeps the matrix regular.
        bool x = locks & SN_LOCK_ROTATION_X, y = locks & SN_LOCK_ROTATION_Y, z = locks & SN_LOCK_ROTATION_Z;
        world.xx = x ? 1.0f : world.xx;
        world.yy = y ? 1.0f : world.yy;
        world.zz = z ? 1.0f : world.zz;
        world.xy = x || y ? 0.0f : world.xy;
        world.xz = x || z ? 0.0f : world.xz;
        world.yz = y || z ? 0.0f : world.yz;
        sn_sym3 inverse = sn_sym3_inverse(world);
        inverse.xx = x ? 0.0f : inverse.xx;
        inverse.yy = y ? 0.0f : inverse.yy;
        inverse.zz = z ? 0.0f : inverse.zz;
        return inverse;
    }
    return sn_sym3_inverse(world);
}

sn_response sn_body_response(const sn_body *body)
{
    sn_response response = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f}};
    if (!sn_body_is_dynamic(body)) {
        return response;
    }
    float w = 1.0f / body->mass;
    response.inverse_mass = sn_v(body->locks & SN_LOCK_X ? 0.0f : w, body->locks & SN_LOCK_Y ? 0.0f : w,
                                 body->locks & SN_LOCK_Z ? 0.0f : w);
    response.inverse_inertia = sn_inverse_inertia(sn_sym3_from(body->inertia), body->rotation, body->locks);
    return response;
}

sn_quat sn_quat_turned(sn_quat q, sn_vec3 v)
{
    // Below a fifth of a radian two terms of sine and cosine each are exact to float's last digit.
    float squared = sn_length_squared(v);
    if (squared > 0.04f) {
        return sn_quat_normalize(sn_quat_multiply(sn_quat_exponential(v), q));
    }
    float sine = 0.5f - squared * (1.0f / 48.0f),
          cosine = 1.0f - squared * (0.125f - squared * (1.0f / 384.0f));
    sn_quat turn = {sine * v.x, sine * v.y, sine * v.z, cosine};
    return sn_quat_normalize(sn_quat_multiply(turn, q));
}

// R M Rᵀ v without building the product.
static sn_vec3 apply_turned(sn_sym3 m, sn_mat3 r, sn_vec3 v)
{
    sn_vec3 local = sn_v(sn_dot(r.x, v), sn_dot(r.y, v), sn_dot(r.z, v));
    return sn_mat3_apply(r, sn_sym3_apply(m, local));
}

// ω = I(q)⁻¹ L, on free axes only.
static sn_vec3 spin_at(const sn_spin *spin, sn_quat q, sn_vec3 momentum)
{
    if (spin->locks >> 3) {
        return sn_sym3_apply(sn_inverse_inertia(spin->inertia, q, spin->locks), momentum);
    }
    return apply_turned(spin->inverse_inertia, sn_mat3_from_quat(q), momentum);
}

static bool is_isotropic(sn_sym3 m)
{
    return m.xx == m.yy && m.yy == m.zz && m.xy == 0.0f && m.xz == 0.0f && m.yz == 0.0f;
}

sn_sym3 sn_rotate_freely(const sn_spin *spin, float h, sn_quat *rotation, sn_vec3 *angular_velocity)
{
    bool locked = spin->locks >> 3 != 0;
    sn_quat q = *rotation;
    if (!locked && is_isotropic(spin->inertia)) {
        *rotation = sn_quat_turned(q, sn_scale(*angular_velocity, h));
        return spin->inverse_inertia;
    }
    sn_vec3 momentum = apply_turned(spin->inertia, sn_mat3_from_quat(q), *angular_velocity);
    sn_vec3 omega_middle = spin_at(spin, sn_quat_turned(q, sn_scale(*angular_velocity, 0.5f * h)), momentum);
    q = sn_quat_turned(q, sn_scale(omega_middle, h));
    sn_vec3 omega = spin_at(spin, q, momentum);
    *rotation = q;
    if (locked) {
        *angular_velocity = omega;
        return sn_inverse_inertia(spin->inertia, q, spin->locks);
    }
    // R of a float quaternion is a hair off orthogonal, always the same way, which would wind the body up
    // over a thousand turns: let |L| as the next sub-step will compute it be what it was.
    float before = sn_length_squared(momentum);
    float after = sn_length_squared(apply_turned(spin->inertia, sn_mat3_from_quat(q), omega));
    *angular_velocity = after > 0.0f ? sn_scale(omega, sqrtf(before / after)) : omega;
    return sn_sym3_turned(spin->inverse_inertia, q);
}

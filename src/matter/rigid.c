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

// --- free rotation -------------------------------------------------------------------------------

static sn_sym3d invert(const sn_sym3d *m)
{
    double c_xx = m->yy * m->zz - m->yz * m->yz;
    double c_xy = m->xz * m->yz - m->xy * m->zz;
    double c_xz = m->xy * m->yz - m->xz * m->yy;
    double scale = 1.0 / (m->xx * c_xx + m->xy * c_xy + m->xz * c_xz);
    return (sn_sym3d){c_xx * scale,
                      (m->xx * m->zz - m->xz * m->xz) * scale,
                      (m->xx * m->yy - m->xy * m->xy) * scale,
                      c_xy * scale,
                      c_xz * scale,
                      (m->xy * m->xz - m->xx * m->yz) * scale};
}

// q turned half-way by a rotation vector; of any length, which sn_mat3d_from_quat does not mind.
static sn_quat half_turned(sn_quat q, sn_vec3 v)
{
    sn_quat quarter = {0.25f * v.x, 0.25f * v.y, 0.25f * v.z, 1.0f};
    return sn_quat_multiply(quarter, q);
}

// R M Rᵀ v.
static sn_vec3d apply_turned(const sn_sym3d *m, const sn_mat3d *r, sn_vec3d v)
{
    sn_vec3d a = {r->x.x * v.x + r->x.y * v.y + r->x.z * v.z, r->y.x * v.x + r->y.y * v.y + r->y.z * v.z,
                  r->z.x * v.x + r->z.y * v.y + r->z.z * v.z};
    return sn_mat3d_apply(r, sn_sym3d_apply(m, a));
}

// R M Rᵀ.
static sn_sym3 turned(const sn_sym3d *m, const sn_mat3d *r)
{
    sn_sym3d t = sn_sym3d_turned(m, r);
    return (sn_sym3){(float)t.xx, (float)t.yy, (float)t.zz, (float)t.xy, (float)t.xz, (float)t.yz};
}

sn_spin sn_body_spin(const sn_body *body)
{
    sn_sym3 m = sn_sym3_from(body->inertia);
    sn_spin spin = {
        .inertia = {(double)m.xx, (double)m.yy, (double)m.zz, (double)m.xy, (double)m.xz, (double)m.yz},
        .locks = body->locks};
    spin.inverse_inertia = invert(&spin.inertia);
    return spin;
}

static bool is_isotropic(const sn_sym3d *m)
{
    return m->xx == m->yy && m->yy == m->zz && m->xy == 0.0 && m->xz == 0.0 && m->yz == 0.0;
}

// Rotations below this in one sub-step change neither the inertia nor, by gyroscopic motion, ω, as far as
// float can see. [rad]
static const float no_turn = 1.0e-7f;

// Beyond a quarter of a radian the midpoint rule begins to make energy out of nothing: fast spins are done in
// parts.
static int parts_of_turn(float angle)
{
    return angle < 0.25f ? 1 : (int)sn_min(4.0f * angle, 64.0f) + 1;
}

static sn_sym3 locked_inverse(const sn_spin *spin, sn_quat rotation)
{
    const sn_sym3d *i = &spin->inertia;
    sn_sym3 inertia = {(float)i->xx, (float)i->yy, (float)i->zz, (float)i->xy, (float)i->xz, (float)i->yz};
    return sn_inverse_inertia(inertia, rotation, spin->locks);
}

void sn_rotate_freely(const sn_spin *spin, float h, sn_quat *rotation, sn_vec3 *angular_velocity,
                      sn_vec3 *residue, sn_sym3 *inverse_inertia)
{
    sn_vec3 omega = *angular_velocity;
    sn_vec3 turn = sn_scale(omega, h);
    bool locked = spin->locks >> 3 != 0;
    if (locked || is_isotropic(&spin->inertia) || sn_length_squared(turn) < no_turn * no_turn) {
        *rotation = sn_quat_turned(*rotation, turn);
        if (locked) {
            // The lock takes up gyroscopic motion.
            *inverse_inertia = locked_inverse(spin, *rotation);
        }
        return;
    }
    sn_mat3d r = sn_mat3d_from_quat(*rotation);
    sn_vec3d exact = sn_add_wide(sn_widen(omega), sn_widen(*residue));
    sn_vec3d momentum = apply_turned(&spin->inertia, &r, exact);
    int parts = parts_of_turn(sn_length(turn));
    float part = h / (float)parts;
    for (int i = 0; i < parts; ++i) {
        sn_mat3d middle = sn_mat3d_from_quat(half_turned(*rotation, sn_scale(sn_narrow(exact), part)));
        sn_vec3 omega_middle = sn_narrow(apply_turned(&spin->inverse_inertia, &middle, momentum));
        if (parts > 1) { // a second iteration at the midpoint: the error of the first always adds energy
            middle = sn_mat3d_from_quat(half_turned(*rotation, sn_scale(omega_middle, part)));
            omega_middle = sn_narrow(apply_turned(&spin->inverse_inertia, &middle, momentum));
        }
        *rotation = sn_quat_turned(*rotation, sn_scale(omega_middle, part));
        r = sn_mat3d_from_quat(*rotation);
        exact = apply_turned(&spin->inverse_inertia, &r, momentum);
    }
    sn_split(exact, angular_velocity, residue);
    *inverse_inertia = turned(&spin->inverse_inertia, &r);
}

void sn_rotate_to(const sn_spin *spin, sn_quat orientation, sn_vec3 angular_impulse, sn_quat *rotation,
                  sn_vec3 *angular_velocity, sn_vec3 *residue, sn_sym3 *inverse_inertia)
{
    sn_mat3d r = sn_mat3d_from_quat(*rotation);
    sn_vec3d exact = sn_add_wide(sn_widen(*angular_velocity), sn_widen(*residue));
    *rotation = orientation;
    if (spin->locks >> 3 != 0) {
        *inverse_inertia = locked_inverse(spin, orientation);
        exact = sn_add_wide(exact, sn_widen(sn_sym3_apply(*inverse_inertia, angular_impulse)));
    } else {
        sn_vec3d momentum = apply_turned(&spin->inertia, &r, exact);
        momentum = sn_add_wide(momentum, sn_widen(angular_impulse));
        r = sn_mat3d_from_quat(orientation);
        exact = apply_turned(&spin->inverse_inertia, &r, momentum);
        *inverse_inertia = turned(&spin->inverse_inertia, &r);
    }
    sn_split(exact, angular_velocity, residue);
}

// Rigid bodies: one of the two kinds of matter. State, mass, and the equations of motion of a single free
// body. Knows nothing of shapes, contacts or constraints beyond the heads of the lists they hang on.
#ifndef SN_MATTER_RIGID_H
#define SN_MATTER_RIGID_H

#include "math/wide.h"
#include "matter/energy_share.h"
#include "sinew/rigid.h"

typedef struct sn_body {
    sn_rigid_type type;
    // Motion. The origin is derived: centre − rotation · local_center.
    sn_vec3 center;
    sn_quat rotation;
    sn_vec3 linear_velocity, angular_velocity;
    sn_vec3 linear_acceleration, angular_acceleration; // of Newmark's rule: where the last step ended
    sn_vec3 force, torque;                             // user's, for the next step
    sn_pose target;                                    // of a kinematic body, if has_target
    // Mass. Inverses are zero for what cannot move; both inertias are about the mass centre, in body axes.
    float mass;
    sn_vec3 local_center;
    sn_mat3 inertia;
    bool mass_is_set; // by the user, not from shapes
    bool is_new;      // has not been solved yet
    // Settings.
    float linear_damping, angular_damping, gravity_scale;
    uint32_t locks;
    bool allow_sleep, bullet, has_target, frozen;
    // Support (support.c): whether contacts hold it and it is not solved; whether it is to be released with
    // all that stands with it; whether a deformable touches it.
    bool is_supported, releases, touches_soft;
    char *name; // null for none; the world's to release
    void *user;
    // Size, from the shapes: farthest point from the mass centre, and the radius of the largest ball surely
    // inside.
    float outer_radius, inner_radius;
    // Lists: first shape; contact and constraint edges are numbered 2·index + side. −1 ends a list.
    int first_shape, first_contact, first_constraint;
    // Sleep. Awake bodies have a place in the world's list; sleeping ones form a ring with their island.
    int awake_index;  // −1 when not awake
    int island_next;  // ring of bodies that fell asleep together; −1 when awake
    float rest_time;  // how long slow enough to sleep [s]
    float still_time; // how long it has stood still [s]
    sn_energy_share energy;
} sn_body;

static inline bool sn_body_is_dynamic(const sn_body *body)
{
    return body->type == SN_DYNAMIC && !body->frozen;
}

// Whether a kinematic body moves, or is about to.
static inline bool sn_body_is_driven(const sn_body *body)
{
    sn_vec3 v = body->linear_velocity, w = body->angular_velocity;
    return body->type == SN_KINEMATIC && (body->has_target || v.x != 0.0f || v.y != 0.0f || v.z != 0.0f ||
                                          w.x != 0.0f || w.y != 0.0f || w.z != 0.0f);
}

static inline sn_pose sn_body_pose(const sn_body *body)
{
    sn_pose pose = {sn_sub(body->center, sn_rotate(body->rotation, body->local_center)), body->rotation};
    return pose;
}

// Puts the origin there; the mass centre follows.
void sn_body_place(sn_body *body, sn_pose pose);

// Symmetric 3×3 matrix by its upper triangle.
typedef struct sn_sym3 {
    float xx, yy, zz, xy, xz, yz;
} sn_sym3;

static inline sn_vec3 sn_sym3_apply(sn_sym3 m, sn_vec3 v)
{
    return sn_v(m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
                m.xz * v.x + m.yz * v.y + m.zz * v.z);
}
// Adds along × g gᵀ + across × (|g|² 1 − g gᵀ).
static inline void sn_sym3_add_outer(sn_sym3 *m, sn_vec3 g, float along, float across)
{
    float outer = along - across, round = across * sn_length_squared(g);
    m->xx += outer * g.x * g.x + round;
    m->yy += outer * g.y * g.y + round;
    m->zz += outer * g.z * g.z + round;
    m->xy += outer * g.x * g.y;
    m->xz += outer * g.x * g.z;
    m->yz += outer * g.y * g.z;
}
sn_sym3 sn_sym3_from(sn_mat3 m);
// R M Rᵀ.
sn_sym3 sn_sym3_turned(sn_sym3 m, sn_quat rotation);
// Zeros if it has none.
sn_sym3 sn_sym3_inverse(sn_sym3 m);

// The response of a body to impulses, in world axes, locks obeyed: Δv = inverse_mass ∘ P, Δω =
// inverse_inertia · L.
typedef struct sn_response {
    sn_vec3 inverse_mass;
    sn_sym3 inverse_inertia;
} sn_response;

sn_response sn_body_response(const sn_body *body);

// The inverse of the world inertia R I Rᵀ restricted to the free axes; locked ones respond with zero.
sn_sym3 sn_inverse_inertia(sn_sym3 body_inertia, sn_quat rotation, uint32_t locks);

// q turned by the rotation vector v (world axes).
sn_quat sn_quat_turned(sn_quat q, sn_vec3 v);

// What free rotation needs to know of a body: inertia and its inverse, body axes. In double, because turning
// ω into L and back rounds a thousand times a second: in float I⁻¹ I is off by 1e-7, and a body would wind
// itself up by a percent in a minute.
typedef struct sn_spin {
    sn_sym3d inertia, inverse_inertia;
    uint32_t locks;
} sn_spin;

sn_spin sn_body_spin(const sn_body *body);

// Free rotation over h by midpoint transport of the angular momentum L (methods A.9): |L| is kept to rounding
// and energy to 2e-5 over long spins. Updates rotation, angular velocity with the residue that rounding cuts
// off it, and the inverse inertia in world axes.
void sn_rotate_freely(const sn_spin *spin, float h, sn_quat *rotation, sn_vec3 *angular_velocity,
                      sn_vec3 *residue, sn_sym3 *inverse_inertia);

// Turns a body to an orientation at once, with the angular momentum it has and an impulse on top of it.
// Updates what sn_rotate_freely does.
void sn_rotate_to(const sn_spin *spin, sn_quat orientation, sn_vec3 angular_impulse, sn_quat *rotation,
                  sn_vec3 *angular_velocity, sn_vec3 *residue, sn_sym3 *inverse_inertia);

#endif

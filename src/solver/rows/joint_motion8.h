// How eight joints see their two ends, and act on them: velocities are gathered, impulses scattered, and
// gradients loaded, stored and multiplied. Included by joint_kernel.h alone, once per instruction set; what
// rows are and how they are solved is not known here.
// Tested by tests/solver/rows/test_joint_kernel.c.
#ifndef SN_SOLVER_ROWS_JOINT_MOTION8_H
#define SN_SOLVER_ROWS_JOINT_MOTION8_H

#include "constraint/gradient.h"
#include "solver/rows/joint_block.h"

// Velocity of an end, or an impulse on it.
typedef struct motion8 {
    sn_vec3x8 linear, angular;
} motion8;

typedef struct pair8 {
    motion8 a, b;
} pair8;

static inline sn_vec3x8 zero8(void)
{
    return (sn_vec3x8){sn_f8_set(0.0f), sn_f8_set(0.0f), sn_f8_set(0.0f)};
}

SN_INLINE pair8 no_motion(void)
{
    return (pair8){{zero8(), zero8()}, {zero8(), zero8()}};
}

// --- velocities ----------------------------------------------------------------------------------

static const int32_t lane_order[SN_LANES] = {0, 1, 2, 3, 4, 5, 6, 7};

// The same, where ends may be made of nodes.
static pair8 gather_coupling(const sn_joint_pass *pass, const sn_joint_block *block)
{
    sn_solver_velocity a[SN_WIDTH], b[SN_WIDTH];
    for (int i = 0; i < SN_WIDTH; ++i) {
        a[i] = pass->velocities[block->body_a[i]];
        b[i] = pass->velocities[block->body_b[i]];
    }
    sn_joint_gather_nodes(pass, block, SN_WIDTH, a, b);
    pair8 u;
    sn_gather_records(a->linear, lane_order, &u.a.linear, &u.a.angular);
    sn_gather_records(b->linear, lane_order, &u.b.linear, &u.b.angular);
    return u;
}

SN_INLINE pair8 gather(const sn_joint_pass *pass, const sn_joint_block *block)
{
    if (block->first_node_end >= 0) {
        return gather_coupling(pass, block);
    }
    pair8 u;
    sn_gather_records(pass->velocities->linear, block->body_a, &u.a.linear, &u.a.angular);
    sn_gather_records(pass->velocities->linear, block->body_b, &u.b.linear, &u.b.angular);
    return u;
}

// Changes the velocities of bodies: velocity + residue += change, exactly but for the residue's own last bit
// (Kahan). Those that are not dynamic are shared between threads: never written.
SN_INLINE void change_bodies(const sn_joint_pass *pass, const int32_t *index, const motion8 *change)
{
    sn_record by[SN_WIDTH];
    sn_wide_records_of(change->linear, change->angular, by);
    for (int i = 0; i < SN_WIDTH; ++i) {
        if (index[i] >= pass->dynamic_begin) {
            sn_solver_velocity *velocity = &pass->velocities[index[i]], *residue = &pass->residues[index[i]];
            sn_record old, rest;
            memcpy(&old, velocity, sizeof old);
            memcpy(&rest, residue, sizeof rest);
            sn_record wanted = by[i] + rest, sum = old + wanted;
            rest = wanted - (sum - old);
            memcpy(velocity, &sum, sizeof sum);
            memcpy(residue, &rest, sizeof rest);
        }
    }
}

// xx yy zz xy xz yz applied to a vector.
SN_INLINE sn_vec3x8 apply_symmetric(const sn_lanes *m, sn_vec3x8 v)
{
    sn_f8 xy = sn_load(&m[3]), xz = sn_load(&m[4]), yz = sn_load(&m[5]);
    return (sn_vec3x8){sn_load(&m[0]) * v.x + xy * v.y + xz * v.z, xy * v.x + sn_load(&m[1]) * v.y + yz * v.z,
                       xz * v.x + yz * v.y + sn_load(&m[2]) * v.z};
}

// What impulses do to velocities.
SN_INLINE pair8 respond(const sn_joint_block *block, const pair8 *impulse)
{
    return (pair8){{sn_vec3x8_mul(sn_load3(block->inverse_mass_a), impulse->a.linear),
                    apply_symmetric(block->inverse_inertia_a, impulse->a.angular)},
                   {sn_vec3x8_mul(sn_load3(block->inverse_mass_b), impulse->b.linear),
                    apply_symmetric(block->inverse_inertia_b, impulse->b.angular)}};
}

SN_INLINE void add_motion(pair8 *u, const pair8 *change)
{
    u->a.linear = sn_vec3x8_add(u->a.linear, change->a.linear);
    u->a.angular = sn_vec3x8_add(u->a.angular, change->a.angular);
    u->b.linear = sn_vec3x8_add(u->b.linear, change->b.linear);
    u->b.angular = sn_vec3x8_add(u->b.angular, change->b.angular);
}

static void push_nodes(const sn_joint_pass *pass, const sn_joint_block *block, const pair8 *impulse)
{
    sn_solver_velocity ends[2][SN_WIDTH];
    for (int k = 0; k < 2; ++k) {
        const motion8 *end = k == 0 ? &impulse->a : &impulse->b;
        sn_record record[SN_WIDTH];
        sn_wide_records_of(end->linear, end->angular, record);
        memcpy(ends[k], record, sizeof ends[k]);
    }
    sn_joint_push_nodes(pass, block, SN_WIDTH, ends[0], ends[1]);
}

// Impulses reach what the ends are made of; `change` is what they do to bodies.
SN_INLINE void scatter(const sn_joint_pass *pass, sn_joint_block *block, const pair8 *impulse,
                       const pair8 *change)
{
    change_bodies(pass, block->body_a, &change->a);
    change_bodies(pass, block->body_b, &change->b);
    if (block->first_node_end >= 0) {
        push_nodes(pass, block, impulse);
    }
}

// --- rows ----------------------------------------------------------------------------------------

SN_INLINE pair8 load_gradient(const sn_lanes *g)
{
    return (pair8){{sn_load3(&g[SN_LINEAR_A]), sn_load3(&g[SN_ANGULAR_A])},
                   {sn_load3(&g[SN_LINEAR_B]), sn_load3(&g[SN_ANGULAR_B])}};
}

SN_INLINE void store_gradient(sn_lanes *g, const pair8 *gradient)
{
    sn_store3(&g[SN_LINEAR_A], gradient->a.linear);
    sn_store3(&g[SN_ANGULAR_A], gradient->a.angular);
    sn_store3(&g[SN_LINEAR_B], gradient->b.linear);
    sn_store3(&g[SN_ANGULAR_B], gradient->b.angular);
}

// J·u.
SN_INLINE sn_f8 speed_of(const pair8 *gradient, const pair8 *u)
{
    return sn_vec3x8_dot(gradient->a.linear, u->a.linear) + sn_vec3x8_dot(gradient->b.linear, u->b.linear) +
           sn_vec3x8_dot(gradient->a.angular, u->a.angular) +
           sn_vec3x8_dot(gradient->b.angular, u->b.angular);
}

SN_INLINE sn_vec3x8 add_scaled8(sn_vec3x8 a, sn_f8 s, sn_vec3x8 b)
{
    return (sn_vec3x8){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

SN_INLINE void add_scaled_pair(pair8 *sum, sn_f8 scale, const pair8 *gradient)
{
    sum->a.linear = add_scaled8(sum->a.linear, scale, gradient->a.linear);
    sum->a.angular = add_scaled8(sum->a.angular, scale, gradient->a.angular);
    sum->b.linear = add_scaled8(sum->b.linear, scale, gradient->b.linear);
    sum->b.angular = add_scaled8(sum->b.angular, scale, gradient->b.angular);
}

// --- joints that hold points ---------------------------------------------------------------------

// The motion of b against a at the point of b.
SN_INLINE motion8 relative_motion(const sn_joint_block *block, const pair8 *u)
{
    sn_vec3x8 at_a = sn_vec3x8_add(u->a.linear, sn_vec3x8_cross(u->a.angular, sn_load3(block->reach_a)));
    sn_vec3x8 at_b = sn_vec3x8_add(u->b.linear, sn_vec3x8_cross(u->b.angular, sn_load3(block->arm_b)));
    return (motion8){sn_vec3x8_sub(at_b, at_a), sn_vec3x8_sub(u->b.angular, u->a.angular)};
}

// The impulses on both ends of a force and a torque on b, and of the opposite ones on a.
SN_INLINE pair8 act_between(const sn_joint_block *block, const motion8 *wrench)
{
    sn_vec3x8 on_a =
        sn_vec3x8_add(wrench->angular, sn_vec3x8_cross(sn_load3(block->reach_a), wrench->linear));
    sn_vec3x8 on_b = sn_vec3x8_add(wrench->angular, sn_vec3x8_cross(sn_load3(block->arm_b), wrench->linear));
    sn_f8 opposite = sn_f8_set(-1.0f);
    return (pair8){{sn_vec3x8_scale(wrench->linear, opposite), sn_vec3x8_scale(on_a, opposite)},
                   {wrench->linear, on_b}};
}

// Axis i of such a joint.
SN_INLINE sn_vec3x8 row_axis(const sn_lanes *gradients, int i)
{
    return sn_load3(&gradients[i * SN_AXIS_LANES]);
}

SN_INLINE sn_f8 speed_along(const sn_lanes *gradients, int i, const motion8 *relative)
{
    return sn_vec3x8_dot(row_axis(gradients, i), i < SN_POINT_ROWS ? relative->linear : relative->angular);
}

SN_INLINE void add_to_wrench(motion8 *wrench, const sn_lanes *gradients, int i, sn_f8 impulse)
{
    sn_vec3x8 *part = i < SN_POINT_ROWS ? &wrench->linear : &wrench->angular;
    *part = add_scaled8(*part, impulse, row_axis(gradients, i));
}

// --- held rows -----------------------------------------------------------------------------------

// J of a held row.
SN_INLINE pair8 held_gradient(const sn_joint_block *block, const sn_lanes *gradients, int i,
                              const bool holds_point)
{
    motion8 wrench = {zero8(), zero8()};
    if (!holds_point) {
        return load_gradient(&gradients[i * SN_GRADIENT]);
    }
    *(i < SN_POINT_ROWS ? &wrench.linear : &wrench.angular) = row_axis(gradients, i);
    return act_between(block, &wrench);
}

// J·u of the held rows.
SN_INLINE void held_speeds(const sn_joint_block *block, const sn_lanes *gradients, const pair8 *u,
                           const int n, const bool holds_point, sn_f8 *speed)
{
    motion8 relative = holds_point ? relative_motion(block, u) : (motion8){zero8(), zero8()};
    for (int i = 0; i < n; ++i) {
        pair8 gradient = holds_point ? no_motion() : load_gradient(&gradients[i * SN_GRADIENT]);
        speed[i] = holds_point ? speed_along(gradients, i, &relative) : speed_of(&gradient, u);
    }
}

// Jᵀ Λ of the held rows.
SN_INLINE pair8 held_impulses(const sn_joint_block *block, const sn_lanes *gradients, const sn_f8 *impulse,
                              const int n, const bool holds_point)
{
    pair8 sum = no_motion();
    motion8 wrench = {zero8(), zero8()};
    for (int i = 0; i < n; ++i) {
        if (holds_point) {
            add_to_wrench(&wrench, gradients, i, impulse[i]);
        } else {
            pair8 gradient = load_gradient(&gradients[i * SN_GRADIENT]);
            add_scaled_pair(&sum, impulse[i], &gradient);
        }
    }
    return holds_point ? act_between(block, &wrench) : sum;
}

SN_INLINE pair8 all_held_impulses(const sn_joint_block *block, const sn_lanes *gradients,
                                  const sn_f8 *impulse)
{
    bool holds_point = sn_joint_form_holds(block->form);
    return holds_point ? held_impulses(block, gradients, impulse, block->held_count, true)
                       : held_impulses(block, gradients, impulse, block->held_count, false);
}

// What impulses do to the kinetic energy if velocities go from u to u + change meanwhile.
SN_INLINE sn_f8 work_of(const pair8 *impulse, const pair8 *u, const pair8 *change)
{
    pair8 mean = *u;
    add_scaled_pair(&mean, sn_f8_set(0.5f), change);
    return speed_of(impulse, &mean);
}

#endif

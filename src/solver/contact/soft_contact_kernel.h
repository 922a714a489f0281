// The kernels of contacts of deformables, eight at a time (see summing_kernels.h).
//
// The point of contact has the velocity Σ αₖ vₖ on the nodes' side (weights carry the sign of their side) and
// v + ω × r on the body's, with one arm r to one common point, so that equal and opposite impulses have no
// torque. Nodes respond alike in all directions: κ = Σ αₖ² wₖ, the same for normal and friction.
// Tested by tests/solver/contact/test_soft_contact_rows.c.
#include "math/matrix8.h"
#include "solver/contact/friction_cone8.h"
#include "solver/contact/soft_contact_block.h"
#include "solver/contact/soft_contact_follow.h"

// Velocities of the nodes and bodies of a block.
typedef struct state8 {
    sn_vec3x8 node[SN_SOFT_NODES]; // velocities
    // Of the body or bodies: velocities, and what rounding cut off them. A heavy body under a cloth is pushed
    // ten thousand times a step; without the rest it would lose momentum to rounding.
    sn_vec3x8 linear, angular, linear_rest, angular_rest;
} state8;

// A heavy body while a batch of blocks is solved: all blocks see the same velocity, and their impulses are
// summed lane by lane. No block waits for another.
typedef struct batch8 {
    sn_vec3x8 linear, angular; // velocity
    sn_vec3x8 impulse, moment; // sums
} batch8;

SN_INLINE sn_f8 first_of(const float *value)
{
    return sn_f8_set(*value);
}

// The same record in all lanes.
SN_INLINE void spread(const float *record, sn_vec3x8 *first, sn_vec3x8 *second)
{
    *first = (sn_vec3x8){first_of(record), first_of(record + 1), first_of(record + 2)};
    *second = (sn_vec3x8){first_of(record + 4), first_of(record + 5), first_of(record + 6)};
}

SN_INLINE void gather_records(const sn_soft_block *block, const float *records, sn_soft_partner partner,
                              sn_vec3x8 *first, sn_vec3x8 *second)
{
    if (partner == SN_PARTNER_SHARED || partner == SN_PARTNER_HEAVY) {
        spread(records + 8 * (size_t)block->body[0], first, second);
    } else if (partner == SN_PARTNER_OWN) {
        sn_gather_records(records, block->body, first, second);
    }
}

SN_INLINE void gather_state(const sn_soft_pass *pass, const sn_soft_block *block, int width,
                            sn_soft_partner partner, const batch8 *batch, state8 *s)
{
    for (int k = 0; k < width; ++k) {
        s->node[k] = sn_gather_velocities(pass->nodes->velocities, block->node[k]);
    }
    if (partner == SN_PARTNER_HEAVY) {
        s->linear = batch->linear;
        s->angular = batch->angular;
    } else {
        gather_records(block, pass->velocities->linear, partner, &s->linear, &s->angular);
        gather_records(block, pass->residues->linear, partner, &s->linear_rest, &s->angular_rest);
    }
}

SN_INLINE void scatter_state(const sn_soft_pass *pass, const sn_soft_block *block, int width,
                             sn_soft_partner partner, const state8 *s)
{
    for (int k = 0; k < width; ++k) {
        sn_scatter_velocities(pass->nodes->velocities, block->node[k], s->node[k]);
    }
    if (partner == SN_PARTNER_NONE || partner == SN_PARTNER_HEAVY) {
        return;
    }
    for (int i = 0; i < (partner == SN_PARTNER_SHARED ? 1 : SN_LANES); ++i) {
        if (block->body[i] >= pass->dynamic_begin) {
            sn_solver_velocity *v = &pass->velocities[block->body[i]],
                               *rest = &pass->residues[block->body[i]];
            sn_put3(v->linear, sn_v(s->linear.x[i], s->linear.y[i], s->linear.z[i]));
            sn_put3(v->angular, sn_v(s->angular.x[i], s->angular.y[i], s->angular.z[i]));
            sn_put3(rest->linear, sn_v(s->linear_rest.x[i], s->linear_rest.y[i], s->linear_rest.z[i]));
            sn_put3(rest->angular, sn_v(s->angular_rest.x[i], s->angular_rest.y[i], s->angular_rest.z[i]));
        }
    }
}

// Velocity of the nodes' side against the other.
SN_INLINE sn_vec3x8 soft_relative_velocity(const sn_soft_block *block, const state8 *s, int width,
                                           sn_soft_partner partner)
{
    sn_vec3x8 v = sn_vec3x8_scale(s->node[0], sn_load(&block->weight[0]));
    for (int k = 1; k < width; ++k) {
        v = sn_vec3x8_add(v, sn_vec3x8_scale(s->node[k], sn_load(&block->weight[k])));
    }
    if (partner != SN_PARTNER_NONE) {
        sn_vec3x8 arm = sn_load3(block->arm);
        v = sn_vec3x8_sub(v, sn_vec3x8_add(s->linear, sn_vec3x8_cross(s->angular, arm)));
    }
    return v;
}

// Pairs of lanes, then pairs of pairs: an order of its own, whatever the machine; in all lanes.
SN_INLINE sn_f8 sum_lanes(sn_f8 a)
{
    sn_f4 half = sn_f8_low(a) + sn_f8_high(a);
    float sum = (half[0] + half[1]) + (half[2] + half[3]);
    return sn_f8_set(sum);
}

SN_INLINE sn_vec3x8 sum_lanes3(sn_vec3x8 a)
{
    return (sn_vec3x8){sum_lanes(a.x), sum_lanes(a.y), sum_lanes(a.z)};
}

// velocity + rest −= change, exactly but for the rest's own last bit (Kahan).
SN_INLINE void take_exactly(sn_vec3x8 *velocity, sn_vec3x8 *rest, sn_vec3x8 change)
{
    sn_vec3x8 wanted = sn_vec3x8_sub(*rest, change), sum = sn_vec3x8_add(*velocity, wanted);
    *rest = sn_vec3x8_sub(wanted, sn_vec3x8_sub(sum, *velocity));
    *velocity = sum;
}

SN_INLINE void push_body(const sn_soft_block *block, state8 *s, sn_vec3x8 impulse, sn_vec3x8 moment)
{
    take_exactly(&s->linear, &s->linear_rest, sn_vec3x8_mul(sn_load3(block->inverse_mass), impulse));
    take_exactly(&s->angular, &s->angular_rest,
                 sn_sym3x8_apply(sn_load_inertia8(block->inverse_inertia), moment));
}

// An impulse on the nodes' side, its opposite on the body; a shared one gets those of all lanes, a heavy one
// those of all its blocks when they are through.
SN_INLINE void apply_to_body(const sn_soft_block *block, state8 *s, sn_soft_partner partner, batch8 *batch,
                             sn_vec3x8 impulse)
{
    if (partner == SN_PARTNER_NONE) {
        return;
    }
    sn_vec3x8 moment = sn_vec3x8_cross(sn_load3(block->arm), impulse);
    if (partner == SN_PARTNER_HEAVY) {
        batch->impulse = sn_vec3x8_add(batch->impulse, impulse);
        batch->moment = sn_vec3x8_add(batch->moment, moment);
        return;
    }
    if (partner == SN_PARTNER_SHARED) {
        impulse = sum_lanes3(impulse);
        moment = sum_lanes3(moment);
    }
    push_body(block, s, impulse, moment);
}

SN_INLINE batch8 open_batch(const sn_soft_pass *pass, const sn_soft_block *block)
{
    sn_f8 zero = sn_f8_set(0.0f);
    batch8 batch = {.impulse = {zero, zero, zero}, .moment = {zero, zero, zero}};
    spread(pass->velocities[block->body[0]].linear, &batch.linear, &batch.angular);
    return batch;
}

SN_INLINE void close_batch(const sn_soft_pass *pass, const sn_soft_block *block, const batch8 *batch)
{
    state8 s;
    int body = block->body[0];
    s.linear = batch->linear;
    s.angular = batch->angular;
    spread(pass->residues[body].linear, &s.linear_rest, &s.angular_rest);
    push_body(block, &s, sum_lanes3(batch->impulse), sum_lanes3(batch->moment));
    scatter_state(pass, block, 0, SN_PARTNER_SHARED, &s);
}

SN_INLINE void apply_to_nodes(const sn_soft_block *block, state8 *s, int width, sn_vec3x8 impulse)
{
    for (int k = 0; k < width; ++k) {
        s->node[k] = sn_vec3x8_add(s->node[k], sn_vec3x8_scale(impulse, sn_load(&block->push[k])));
    }
}

// --- sub-step ----------------------------------------------------------------------------------------------

// κ along the normal, and the largest along the surface: the eigenvalue of a 2 × 2 matrix. A small body's arm
// may grow to many times what it was when the step began; a heavy body hardly counts.
SN_INLINE void soft_refresh_masses(sn_soft_block *block, sn_vec3x8 arm)
{
    sn_vec3x8 n = sn_load3(block->normal), t1 = sn_load3(block->tangent), t2 = sn_load3(block->bitangent);
    sn_vec3x8 mass = sn_load3(block->inverse_mass);
    sn_vec3x8 turn = sn_vec3x8_cross(arm, n), turn_1 = sn_vec3x8_cross(arm, t1);
    sn_vec3x8 turn_2 = sn_vec3x8_cross(arm, t2),
              by_1 = sn_sym3x8_apply(sn_load_inertia8(block->inverse_inertia), turn_1);
    sn_vec3x8 by_2 = sn_sym3x8_apply(sn_load_inertia8(block->inverse_inertia), turn_2);
    sn_vec3x8 by_n = sn_sym3x8_apply(sn_load_inertia8(block->inverse_inertia), turn);
    sn_vec3x8 mass_1 = sn_vec3x8_mul(mass, t1);
    sn_f8 kn = sn_vec3x8_dot(n, sn_vec3x8_mul(mass, n)) + sn_vec3x8_dot(turn, by_n);
    sn_f8 k11 = sn_vec3x8_dot(t1, mass_1) + sn_vec3x8_dot(turn_1, by_1);
    sn_f8 k12 = sn_vec3x8_dot(t2, mass_1) + sn_vec3x8_dot(turn_2, by_1);
    sn_f8 k22 = sn_vec3x8_dot(t2, sn_vec3x8_mul(mass, t2)) + sn_vec3x8_dot(turn_2, by_2);
    sn_f8 half = sn_f8_set(0.5f), tilt = half * (k11 - k22);
    sn_f8 kt = half * (k11 + k22) + sn_f8_sqrt(tilt * tilt + k12 * k12);
    sn_f8 nodes = sn_load(&block->node_kappa), sharing = sn_load(&block->sharing);
    sn_store(&block->normal_mass, sn_f8_inverse_positive(nodes + sharing * kn));
    sn_store(&block->tangent_mass, sn_f8_inverse_positive(nodes + sharing * kt));
}

// The speed at which penetration is undone.
SN_INLINE sn_f8 push_of(const sn_soft_pass *pass, const sn_soft_block *block, sn_f8 separation)
{
    sn_f8 wanted = sn_f8_max(-sn_load(&block->bias_rate) * separation, sn_f8_set(0.0f));
    return sn_f8_min(wanted, sn_f8_set(pass->push_speed));
}

SN_INLINE float largest(sn_f8 a)
{
    sn_f4 half = sn_f4_max(sn_f8_low(a), sn_f8_high(a));
    return sn_max(sn_max(half[0], half[1]), sn_max(half[2], half[3]));
}

// Where the points are now. The separation follows from how far the two sides have moved along the normal,
// unless that has changed; the arm leads to the nodes' side of it.
SN_INLINE void soft_refresh_block(const sn_soft_pass *pass, sn_soft_block *block, int width,
                                  sn_soft_partner partner)
{
    place8 place;
    place.node[0] = sn_gather_nodes(pass->nodes->felt, block->node[0], &place.inverse_mass[0]);
    for (int k = 1; k < width; ++k) {
        place.node[k] = sn_gather_nodes(pass->nodes->felt, block->node[k], &place.inverse_mass[k]);
    }
    gather_records(block, pass->shifts->moved, partner, &place.moved, &place.turned);
    sn_f8 separation = sn_load(&block->start_separation);
    if (block->follows) {
        separation = follow_ball(block, &place, block->width, partner);
    }
    sn_vec3x8 parted = sn_vec3x8_sub(point_of(block, &place, width), sn_load3(block->start_point));
    if (partner != SN_PARTNER_NONE) {
        sn_vec3x8 start_arm = sn_load3(block->start_arm), diagonal, off_diagonal;
        parted = sn_vec3x8_sub(parted, place.moved);
        sn_vec3x8 arm = sn_vec3x8_add(start_arm, sn_vec3x8_scale(parted, sn_load(&block->goes)));
        sn_store3(block->arm, arm);
        gather_records(block, pass->inertias->diagonal, partner, &diagonal, &off_diagonal);
        sn_store3(block->inverse_inertia, diagonal);
        sn_store3(block->inverse_inertia + 3, off_diagonal);
        if (block->partner != SN_PARTNER_HEAVY || block->follows || pass->is_first) {
            soft_refresh_masses(block, arm);
        }
        parted = sn_vec3x8_sub(parted, sn_vec3x8_cross(place.turned, start_arm));
    }
    if (!block->follows) {
        separation = separation + sn_vec3x8_dot(parted, sn_load3(block->normal));
    }
    if (pass->nodes->ahead != 0.0f) {
        state8 s;
        gather_state(pass, block, width, partner == SN_PARTNER_HEAVY ? SN_PARTNER_SHARED : partner, NULL, &s);
        sn_f8 speed =
            sn_vec3x8_dot(soft_relative_velocity(block, &s, width, partner), sn_load3(block->normal));
        sn_store(&block->now, separation);
        separation = separation - sn_f8_set(pass->nodes->ahead) * speed;
    }
    sn_store(&block->separation, separation);
    float *fastest = &pass->fastest[block - pass->blocks];
    *fastest = sn_max(*fastest, largest(push_of(pass, block, separation)));
}

// How fast the sides approach before any impulse of this sub-step, for restitution. A block is left out of
// the sub-step if all of its lanes are so far apart that twice that speed, and what other contacts may add to
// it, would not close the gap: most contacts are found early.
SN_INLINE void soft_measure_block(const sn_soft_pass *pass, sn_soft_block *block, int width,
                                  sn_soft_partner partner)
{
    state8 s;
    gather_state(pass, block, width, partner, NULL, &s);
    sn_vec3x8 v = soft_relative_velocity(block, &s, width, partner);
    sn_f8 approach = sn_vec3x8_dot(v, sn_load3(block->normal)), zero = sn_f8_set(0.0f);
    sn_store(&block->approach, approach);
    sn_store(&block->peak, zero);
    sn_f8 speed = sn_f8_max(-approach, zero);
    sn_f8 closing = sn_f8_set(2.0f) * speed + sn_f8_set(pass->wake_speed);
    sn_f8 gap = sn_load(&block->separation) - sn_f8_set(pass->nodes->h) * closing;
    sn_i8 may_act = ~(gap > zero) | (sn_load(&block->normal_impulse) > zero);
    pass->rests[block - pass->blocks] = !sn_i8_any(may_act);
    pass->fastest[block - pass->blocks] = largest(speed);
}

SN_INLINE void soft_warm_start_block(const sn_soft_pass *pass, sn_soft_block *block, int width,
                                     sn_soft_partner partner, batch8 *batch)
{
    state8 s;
    gather_state(pass, block, width, partner, batch, &s);
    sn_vec3x8 impulse = sn_vec3x8_scale(sn_load3(block->normal), sn_load(&block->normal_impulse));
    impulse = sn_vec3x8_add(impulse,
                            sn_vec3x8_scale(sn_load3(block->tangent), sn_load(&block->tangent_impulse[0])));
    impulse = sn_vec3x8_add(impulse,
                            sn_vec3x8_scale(sn_load3(block->bitangent), sn_load(&block->tangent_impulse[1])));
    apply_to_nodes(block, &s, width, impulse);
    apply_to_body(block, &s, partner, batch, impulse);
    scatter_state(pass, block, width, partner, &s);
}

// A contact that is apart may approach by its separation; one that penetrates is pushed out slowly or, in
// relaxing, merely stopped.
SN_INLINE sn_f8 soft_bias(const sn_soft_pass *pass, const sn_soft_block *block)
{
    sn_f8 zero = sn_f8_set(0.0f), separation = sn_load(&block->separation);
    sn_f8 push = sn_f8_max(sn_load(&block->bias_rate) * separation, sn_f8_set(-pass->push_speed));
    return sn_f8_select(separation > zero, separation * sn_f8_set(pass->nodes->inverse_h),
                        pass->use_bias ? push : zero);
}

// Λₙ. The row is hard: with the frequency of its own effective mass, as between rigid bodies, it would yield
// by centimetres where heavy bodies lie on light nodes. Returns the change.
SN_INLINE sn_f8 soft_solve_normal(const sn_soft_pass *pass, sn_soft_block *block, sn_f8 speed)
{
    sn_f8 old = sn_load(&block->normal_impulse), bias = soft_bias(pass, block);
    sn_f8 impulse = sn_f8_max(old - sn_load(&block->normal_mass) * (speed + bias), sn_f8_set(0.0f));
    sn_store(&block->normal_impulse, impulse);
    if (block->has_restitution) {
        sn_store(&block->peak, sn_f8_max(sn_load(&block->peak), impulse));
    }
    return impulse - old;
}

// Against the surface of a conveyor belt, which moves along itself.
SN_INLINE sn_vec3x8 slip_on_surface(const sn_soft_block *block, sn_vec3x8 slip)
{
    return block->has_surface_velocity ? sn_vec3x8_sub(slip, sn_load3(block->surface_velocity)) : slip;
}

// Friction inside Coulomb's disc; returns the change as a vector.
SN_INLINE sn_vec3x8 solve_friction(sn_soft_block *block, sn_vec3x8 slip)
{
    slip = slip_on_surface(block, slip);
    sn_vec3x8 tangent = sn_load3(block->tangent), bitangent = sn_load3(block->bitangent);
    sn_f8 mass = sn_load(&block->tangent_mass), one = sn_f8_set(1.0f);
    sn_f8 old_1 = sn_load(&block->tangent_impulse[0]), old_2 = sn_load(&block->tangent_impulse[1]);
    sn_f8 new_1 = old_1 - mass * sn_vec3x8_dot(slip, tangent);
    sn_f8 new_2 = old_2 - mass * sn_vec3x8_dot(slip, bitangent);
    sn_f8 pressed = sn_load(&block->normal_impulse);
    pressed = block->has_borne ? pressed + sn_load(&block->borne) : pressed;
    sn_f8 limit = sn_load(&block->friction) * pressed;
    sn_f8 squared = new_1 * new_1 + new_2 * new_2;
    sn_i8 slides = squared > limit * limit;
    sn_f8 scale = sn_f8_select(slides, limit / sn_f8_sqrt(sn_f8_select(slides, squared, one)), one);
    new_1 = new_1 * scale;
    new_2 = new_2 * scale;
    sn_store(&block->tangent_impulse[0], new_1);
    sn_store(&block->tangent_impulse[1], new_2);
    return sn_vec3x8_add(sn_vec3x8_scale(tangent, new_1 - old_1), sn_vec3x8_scale(bitangent, new_2 - old_2));
}

// Normal, then friction. On the nodes' side the one does not change what the other sees.
SN_INLINE void soft_solve_block(const sn_soft_pass *pass, sn_soft_block *block, int width,
                                sn_soft_partner partner, batch8 *batch)
{
    state8 s;
    gather_state(pass, block, width, partner, batch, &s);
    sn_vec3x8 normal = sn_load3(block->normal);
    sn_vec3x8 v = soft_relative_velocity(block, &s, width, partner);
    sn_vec3x8 impulse = sn_vec3x8_scale(normal, soft_solve_normal(pass, block, sn_vec3x8_dot(v, normal)));
    if (partner == SN_PARTNER_OWN || partner == SN_PARTNER_SHARED) {
        apply_to_body(block, &s, partner, NULL, impulse);
        v = soft_relative_velocity(block, &s, width, partner);
    }
    sn_vec3x8 rub = solve_friction(block, v), both = sn_vec3x8_add(impulse, rub);
    apply_to_body(block, &s, partner, batch, partner == SN_PARTNER_HEAVY ? both : rub);
    apply_to_nodes(block, &s, width, both);
    scatter_state(pass, block, width, partner, &s);
}

// All contacts at once (jacobi.c): each changes its impulses on its friction cone by what it sees. The step
// is safe for nodes and bodies that are split among the contacts that act.
SN_INLINE void soft_project_block(const sn_soft_pass *pass, sn_soft_block *block, int width,
                                  sn_soft_partner partner)
{
    state8 s;
    gather_state(pass, block, width, partner, NULL, &s);
    sn_vec3x8 v = soft_relative_velocity(block, &s, width, partner);
    sn_f8 residual = sn_vec3x8_dot(v, sn_load3(block->normal)) + soft_bias(pass, block);
    sn_vec3x8 slip = slip_on_surface(block, v);
    sn_f8 slips[2] = {sn_vec3x8_dot(slip, sn_load3(block->tangent)),
                      sn_vec3x8_dot(slip, sn_load3(block->bitangent))};
    sn_f8 of_nodes = sn_load(&block->node_kappa);
    sn_f8 of_body = sn_f8_inverse_positive(sn_load(&block->normal_mass)) +
                    sn_f8_inverse_positive(sn_load(&block->tangent_mass)) - of_nodes - of_nodes;
    sn_f8 size =
        sn_load(&block->parts) * of_nodes + sn_load(&block->body_parts) * sn_f8_max(of_body, sn_f8_set(0.0f));
    sn_f8 impulse = sn_load(&block->normal_impulse);
    sn_f8 rub[2] = {sn_load(&block->tangent_impulse[0]), sn_load(&block->tangent_impulse[1])};
    sn_step_on_cone(&impulse, &residual, 1, rub, slips, sn_load(&block->friction),
                    sn_f8_inverse_positive(size));
    sn_store(&block->normal_impulse, impulse);
    sn_store(&block->tangent_impulse[0], rub[0]);
    sn_store(&block->tangent_impulse[1], rub[1]);
    sn_store(&block->peak, sn_f8_max(sn_load(&block->peak), impulse));
}

// --- end of the sub-step -----------------------------------------------------------------------------------

// Lanes that bounce: hit faster than the threshold.
SN_INLINE sn_i8 soft_was_hit(const sn_soft_pass *pass, const sn_soft_block *block)
{
    sn_f8 zero = sn_f8_set(0.0f);
    return (sn_load(&block->approach) < sn_f8_set(-pass->restitution_threshold)) &
           (sn_load(&block->peak) > zero) & (sn_load(&block->restitution) > zero);
}

// What was hit leaves with e times the speed it came with (Newton).
SN_INLINE void soft_bounce_block(const sn_soft_pass *pass, sn_soft_block *block, int width,
                                 sn_soft_partner partner, sn_i8 hit)
{
    state8 s;
    gather_state(pass, block, width, partner, NULL, &s);
    sn_vec3x8 normal = sn_load3(block->normal);
    sn_f8 zero = sn_f8_set(0.0f);
    sn_f8 speed = sn_vec3x8_dot(soft_relative_velocity(block, &s, width, partner), normal);
    sn_f8 wanted = -sn_load(&block->restitution) * sn_load(&block->approach);
    sn_f8 old = sn_load(&block->normal_impulse);
    sn_f8 new = sn_f8_max(old + sn_load(&block->normal_mass) * (wanted - speed), zero);
    new = sn_f8_select(hit, new, old);
    sn_store(&block->normal_impulse, new);
    sn_vec3x8 impulse = sn_vec3x8_scale(normal, new - old);
    apply_to_nodes(block, &s, width, impulse);
    apply_to_body(block, &s, partner, NULL, impulse);
    scatter_state(pass, block, width, partner, &s);
}

SN_INLINE void add_to(sn_lanes *sum, const sn_lanes *part)
{
    sn_store(sum, sn_load(sum) + sn_load(part));
}

// Sums up the sub-step. The impulse of a bounce says nothing about the next sub-step, so it is not kept for
// warm starting.
SN_INLINE void soft_finish_block(const sn_soft_pass *pass, sn_soft_block *block, int width,
                                 sn_soft_partner partner)
{
    sn_f8 zero = sn_f8_set(0.0f);
    sn_i8 hit = block->has_restitution ? soft_was_hit(pass, block) : (sn_i8){0};
    bool bounces = sn_i8_any(hit);
    if (bounces) {
        soft_bounce_block(pass, block, width, partner, hit);
    }
    add_to(&block->total_normal, &block->normal_impulse);
    add_to(&block->total_tangent[0], &block->tangent_impulse[0]);
    add_to(&block->total_tangent[1], &block->tangent_impulse[1]);
    if (bounces) {
        sn_store(&block->normal_impulse, sn_f8_select(hit, zero, sn_load(&block->normal_impulse)));
        sn_store(&block->tangent_impulse[0], sn_f8_select(hit, zero, sn_load(&block->tangent_impulse[0])));
        sn_store(&block->tangent_impulse[1], sn_f8_select(hit, zero, sn_load(&block->tangent_impulse[1])));
    }
}

// --- over ranges -------------------------------------------------------------------------------------------

// The block a loop over [begin, end) visits at its i-th turn.
SN_INLINE int turn_of(const sn_soft_pass *pass, int begin, int end, int i)
{
    return pass->nodes->backwards ? end - 1 - (i - begin) : i;
}

// Single nodes are by far the most frequent: the compiler sees their number. Lanes of other blocks with less
// than all nodes refer to the dummy. Outside of batches a heavy body is one like others. A module of
// WebAssembly is fetched before it runs, and one version for all blocks is no slower there.
#ifdef __wasm__
#define SN_SOFT_BLOCK(name)                                                                                  \
    static void name##_one(const sn_soft_pass *pass, sn_soft_block *block)                                   \
    {                                                                                                        \
        bool heavy = block->partner == SN_PARTNER_HEAVY;                                                     \
        name##_block(pass, block, block->width == 1 ? 1 : SN_SOFT_NODES,                                     \
                     heavy ? SN_PARTNER_SHARED : block->partner);                                            \
    }
#define SN_SOFT_BATCHED(name)                                                                                \
    static void name##_batched(const sn_soft_pass *pass, sn_soft_block *block, batch8 *batch)                \
    {                                                                                                        \
        name##_block(pass, block, block->width == 1 ? 1 : SN_SOFT_NODES, block->partner, batch);             \
    }
#else
#define SN_SOFT_BLOCK(name)                                                                                  \
    static void name##_one(const sn_soft_pass *pass, sn_soft_block *block)                                   \
    {                                                                                                        \
        bool single = block->width == 1;                                                                     \
        if (block->partner == SN_PARTNER_NONE && single) {                                                   \
            name##_block(pass, block, 1, SN_PARTNER_NONE);                                                   \
        } else if (block->partner == SN_PARTNER_NONE) {                                                      \
            name##_block(pass, block, SN_SOFT_NODES, SN_PARTNER_NONE);                                       \
        } else if (block->partner == SN_PARTNER_OWN && single) {                                             \
            name##_block(pass, block, 1, SN_PARTNER_OWN);                                                    \
        } else if (block->partner == SN_PARTNER_OWN) {                                                       \
            name##_block(pass, block, SN_SOFT_NODES, SN_PARTNER_OWN);                                        \
        } else if (single) {                                                                                 \
            name##_block(pass, block, 1, SN_PARTNER_SHARED);                                                 \
        } else {                                                                                             \
            name##_block(pass, block, SN_SOFT_NODES, SN_PARTNER_SHARED);                                     \
        }                                                                                                    \
    }
#define SN_SOFT_BATCHED(name)                                                                                \
    SN_INLINE void name##_lone_block(const sn_soft_pass *pass, sn_soft_block *block, int width,              \
                                     sn_soft_partner partner)                                                \
    {                                                                                                        \
        name##_block(pass, block, width, partner, NULL);                                                     \
    }                                                                                                        \
    SN_SOFT_BLOCK(name##_lone)                                                                               \
    static void name##_batched(const sn_soft_pass *pass, sn_soft_block *block, batch8 *batch)                \
    {                                                                                                        \
        if (block->partner != SN_PARTNER_HEAVY) {                                                            \
            name##_lone_one(pass, block);                                                                    \
        } else if (block->width == 1) {                                                                      \
            name##_block(pass, block, 1, SN_PARTNER_HEAVY, batch);                                           \
        } else {                                                                                             \
            name##_block(pass, block, SN_SOFT_NODES, SN_PARTNER_HEAVY, batch);                               \
        }                                                                                                    \
    }
#endif

// `always`: even blocks that rest.
#define SN_SOFT_KERNEL(name, always)                                                                         \
    SN_SOFT_BLOCK(name)                                                                                      \
    static void name##_blocks(const sn_soft_pass *pass, int begin, int end)                                  \
    {                                                                                                        \
        for (int i = begin; i < end; ++i) {                                                                  \
            int turn = turn_of(pass, begin, end, i);                                                         \
            if ((always) || !pass->rests[turn]) {                                                            \
                name##_one(pass, &pass->blocks[turn]);                                                       \
            }                                                                                                \
        }                                                                                                    \
    }

// What changes velocities in every sub-step takes the blocks of a heavy body in batches.
#define SN_SOFT_SWEEP(name)                                                                                  \
    SN_SOFT_BATCHED(name)                                                                                    \
    static void name##_blocks(const sn_soft_pass *pass, int begin, int end)                                  \
    {                                                                                                        \
        const sn_soft_block *first = NULL; /* of the batch, if there is one */                               \
        batch8 batch;                                                                                        \
        for (int i = begin; i < end; ++i) {                                                                  \
            int turn = turn_of(pass, begin, end, i);                                                         \
            sn_soft_block *block = &pass->blocks[turn];                                                      \
            if (pass->rests[turn]) {                                                                         \
                continue;                                                                                    \
            }                                                                                                \
            if (first != NULL && (block->partner != SN_PARTNER_HEAVY || block->batch != first->batch)) {     \
                close_batch(pass, first, &batch);                                                            \
                first = NULL;                                                                                \
            }                                                                                                \
            if (first == NULL && block->partner == SN_PARTNER_HEAVY) {                                       \
                first = block;                                                                               \
                batch = open_batch(pass, first);                                                             \
            }                                                                                                \
            name##_batched(pass, block, &batch);                                                             \
        }                                                                                                    \
        if (first != NULL) {                                                                                 \
            close_batch(pass, first, &batch);                                                                \
        }                                                                                                    \
    }

SN_SOFT_KERNEL(soft_measure, true)
SN_SOFT_SWEEP(soft_warm_start)
SN_SOFT_SWEEP(soft_solve)
SN_SOFT_KERNEL(soft_project, false)
SN_SOFT_KERNEL(soft_refresh, true)
SN_SOFT_KERNEL(soft_finish, false)

const sn_soft_kernels SN_BUILD(sn_soft_kernels) = {.measure = soft_measure_blocks,
                                                   .warm_start = soft_warm_start_blocks,
                                                   .solve = soft_solve_blocks,
                                                   .project = soft_project_blocks,
                                                   .refresh = soft_refresh_blocks,
                                                   .finish = soft_finish_blocks};

// The wide kernels of joints, included once per instruction set with SN_JOINT_KERNELS naming the table
// to define. Everything is static and inlined, so that the two builds do not share code.
//
// Held rows of a joint are solved together (methods 0.1, 0.2): ΔΛ = −(K + Γ)⁻¹ (J·u − aim + bias + ΓΛ),
// K = J W Jᵀ, Γ the γ of springs; of what comes out hard rows take the part that their softness leaves them,
// ΔΛ ← (ΔΛ − ΛΓ_h)/(1 + Γ_h) with Γ_h in units of K. Hard rows come first, so that the factor of K + Γ begins
// with that of the hard rows alone: relaxing uses just this part. Then single rows, one by one.
#define SN_IN_HALVES
#include "math/dense8.h"
#include "solver/rows/joint_evaluate8.h"
#include "solver/rows/joint_motion8.h"

// --- held rows -----------------------------------------------------------------------------------

SN_INLINE sn_i8 is_hard(const sn_held_row *row)
{
    return sn_load(&row->gamma) == sn_f8_set(0.0f);
}

// --- preparing -----------------------------------------------------------------------------------

SN_INLINE void measure_block(const sn_joint_pass *pass, sn_joint_block *block)
{
    pair8 u = gather(pass, block);
    sn_held_row *rows = &pass->held[block->first_held];
    const sn_lanes *gradients = &pass->gradients[block->first_gradient];
    sn_f8 speed[SN_HELD_ROWS];
    if (sn_joint_form_holds(block->form)) {
        held_speeds(block, gradients, &u, block->held_count, true, speed);
    } else {
        held_speeds(block, gradients, &u, block->held_count, false, speed);
    }
    for (int i = 0; i < block->held_count; ++i) {
        sn_store(&rows[i].half_turn, speed[i]);
    }
}

// The inertia of this sub-step, so that angular momentum is exchanged exactly.
SN_INLINE void refresh_inertia(const sn_joint_pass *pass, const int32_t *index, sn_lanes *target)
{
    sn_vec3x8 diagonal, off_diagonal;
    sn_gather_records(pass->inertias->diagonal, index, &diagonal, &off_diagonal);
    sn_store3(&target[0], diagonal);
    sn_store3(&target[3], off_diagonal);
}

// The bias of C taken back to where the sub-step began.
SN_INLINE void take_back_motion(const sn_joint_pass *pass, sn_lanes *bias, const sn_lanes *rate, sn_f8 speed)
{
    if (pass->ahead != 0.0f) {
        sn_store(bias, sn_load(bias) - sn_f8_set(pass->ahead) * sn_load(rate) * speed);
    }
}

// ½ C²/α of a spring by its bias rC, with γ = α r/h; 0 of other rows.
SN_INLINE sn_f8 stored_in(const sn_joint_pass *pass, const sn_lanes *bias, const sn_lanes *rate,
                          const sn_lanes *gamma)
{
    sn_f8 zero = sn_f8_set(0.0f), b = sn_load(bias),
          divisor = sn_f8_set(pass->h) * sn_load(rate) * sn_load(gamma);
    sn_i8 is_spring = divisor > zero;
    return sn_f8_select(is_spring,
                        sn_f8_set(0.5f) * b * b / sn_f8_select(is_spring, divisor, sn_f8_set(1.0f)), zero);
}

// What springs store now, and how much more that is than before.
SN_INLINE void store_springs(const sn_joint_pass *pass, sn_joint_block *block)
{
    sn_f8 stored = sn_f8_set(0.0f);
    for (int i = 0; i < block->held_count; ++i) {
        const sn_held_row *row = &pass->held[block->first_held + i];
        stored = stored + stored_in(pass, &row->bias, &row->rate, &row->gamma);
    }
    for (int i = 0; i < block->single_count; ++i) {
        const sn_single_row *row = &pass->singles[block->first_single + i];
        stored = stored + stored_in(pass, &row->bias, &row->rate, &row->gamma);
    }
    sn_store(&block->springs, sn_load(&block->springs) + stored - sn_load(&block->stored));
    sn_store(&block->stored, stored);
}

// K = J W Jᵀ of the held rows, its packed triangle.
SN_INLINE void held_matrix(const sn_joint_block *block, const sn_lanes *gradients, const int n,
                           const bool holds_point, sn_f8 *m)
{
    for (int i = 0; i < n; ++i) {
        sn_f8 speed[SN_HELD_ROWS];
        pair8 impulse = held_gradient(block, gradients, i, holds_point);
        pair8 response = respond(block, &impulse);
        held_speeds(block, gradients, &response, i + 1, holds_point, speed);
        for (int j = 0; j <= i; ++j) {
            m[sn_packed(i, j)] = speed[j];
        }
    }
}

SN_INLINE void prepare_held(const sn_joint_pass *pass, const sn_joint_block *block, const pair8 *u,
                            const int n, const bool holds_point)
{
    sn_held_row *rows = &pass->held[block->first_held];
    const sn_lanes *gradients = &pass->gradients[block->first_gradient];
    sn_f8 m[SN_FACTOR_ENTRIES(SN_HELD_ROWS)], speed[SN_HELD_ROWS], zero = sn_f8_set(0.0f);
    held_speeds(block, gradients, u, n, holds_point, speed);
    held_matrix(block, gradients, n, holds_point, m);
    for (int i = 0; i < n; ++i) {
        m[sn_packed(i, i)] = m[sn_packed(i, i)] + sn_load(&rows[i].gamma);
        take_back_motion(pass, &rows[i].bias, &rows[i].rate, speed[i]);
        sn_f8 turn = sn_f8_set(pass->chord) * (speed[i] - sn_load(&rows[i].half_turn));
        sn_store(&rows[i].half_turn, sn_f8_select(is_hard(&rows[i]), turn, zero));
    }
    sn_ldl8_factor(m, n);
    for (int i = 0; i < SN_FACTOR_ENTRIES(n); ++i) {
        sn_store(&pass->factors[block->first_factor + i], m[i]);
    }
}

// Takes out of a single row what it would do to the hard rows of its joint: J − K_lE K_EE⁻¹ J_E. A stop
// or motor then moves the bodies only as the joint lets them, with the effective mass they have there (the
// Schur complement), and leaves the joint's own rows, bias and softness alone.
SN_INLINE void act_through_held(const sn_joint_pass *pass, const sn_joint_block *block, sn_single_row *single)
{
    const sn_held_row *rows = &pass->held[block->first_held];
    const sn_lanes *gradients = &pass->gradients[block->first_gradient];
    pair8 gradient = load_gradient(single->gradient), response = respond(block, &gradient);
    sn_f8 free_kappa = speed_of(&gradient, &response), share[SN_HELD_ROWS];
    sn_i8 hard[SN_HELD_ROWS];
    for (int i = 0; i < block->held_count; ++i) {
        pair8 held = load_gradient(&gradients[i * SN_GRADIENT]);
        share[i] = speed_of(&held, &response);
        hard[i] = is_hard(&rows[i]);
    }
    sn_ldl8_solve(&pass->factors[block->first_factor], block->held_count, hard, share);
    for (int i = 0; i < block->held_count; ++i) {
        pair8 held = load_gradient(&gradients[i * SN_GRADIENT]);
        add_scaled_pair(&gradient, -share[i], &held);
    }
    response = respond(block, &gradient);
    // Where the joint leaves it nothing to move, what is left is rounding.
    sn_f8 kappa = speed_of(&gradient, &response), zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f);
    sn_i8 moves = kappa > sn_f8_set(1.0e-5f) * free_kappa;
    pair8 moved = no_motion();
    add_scaled_pair(&moved, sn_f8_select(moves, one, zero), &gradient);
    store_gradient(single->gradient, &moved);
    sn_f8 resistance = sn_f8_select(moves, kappa + sn_load(&single->gamma), one);
    sn_f8 mass = sn_f8_select(moves, one / resistance, zero);
    sn_store(&single->mass, mass);
}

SN_INLINE void prepare_block(const sn_joint_pass *pass, sn_joint_block *block)
{
    if (block->first_node_end < 0) {
        refresh_inertia(pass, block->body_a, block->inverse_inertia_a);
        refresh_inertia(pass, block->body_b, block->inverse_inertia_b);
    }
    store_springs(pass, block);
    pair8 u = gather(pass, block);
    switch (block->form) {
    case SN_JOINT_POINT:
        prepare_held(pass, block, &u, 3, true);
        break;
    case SN_JOINT_HINGE:
        prepare_held(pass, block, &u, 5, true);
        break;
    case SN_JOINT_FIXED:
        prepare_held(pass, block, &u, 6, true);
        break;
    default:
        prepare_held(pass, block, &u, block->held_count, false);
        break;
    }
    for (int i = 0; i < block->single_count; ++i) {
        sn_single_row *row = &pass->singles[block->first_single + i];
        act_through_held(pass, block, row);
        pair8 gradient = load_gradient(row->gradient);
        take_back_motion(pass, &row->bias, &row->rate, speed_of(&gradient, &u));
    }
}

// --- warm start ----------------------------------------------------------------------------------

// What an impulse of a single row does to the kinetic energy, the speed along it being as given before:
// counted with stops or with springs. Motors may do work.
SN_INLINE void count_single(sn_joint_block *block, const sn_single_row *row, sn_f8 impulse, sn_f8 speed)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f), mass = sn_load(&row->mass),
          gamma = sn_load(&row->gamma);
    sn_i8 moves = mass > zero;
    sn_f8 kappa = one / sn_f8_select(moves, mass, one) - gamma;
    sn_f8 work = sn_f8_select(moves, impulse * (speed + sn_f8_set(0.5f) * impulse * kappa), zero);
    sn_store(&block->stops, sn_load(&block->stops) + sn_load(&row->is_stop) * work);
    sn_store(&block->springs, sn_load(&block->springs) + sn_f8_select(gamma > zero, work, zero));
}

// What a row begins a sub-step with. Of springs it is no more than −hkC, the force that they have where they
// are: what damping gave says nothing about the next sub-step, and throws light bodies.
SN_INLINE sn_f8 kept_of(const sn_lanes *impulse, const sn_lanes *bias, const sn_lanes *gamma)
{
    sn_f8 zero = sn_f8_set(0.0f), old = sn_load(impulse), soft = sn_load(gamma);
    sn_i8 is_spring = soft > zero;
    sn_f8 elastic = -sn_load(bias) / sn_f8_select(is_spring, soft, sn_f8_set(1.0f));
    sn_f8 kept = sn_f8_max(sn_f8_min(old, sn_f8_max(elastic, zero)), sn_f8_min(elastic, zero));
    return sn_f8_select(is_spring, kept, old);
}

// Springs, stops and motors. `stops` and `springs` begin with the work that these do.
SN_INLINE void warm_start_loose(const sn_joint_pass *pass, sn_joint_block *block)
{
    pair8 impulse = no_motion(), u = gather(pass, block);
    sn_held_row *rows = &pass->held[block->first_held];
    sn_store(&block->stops, sn_f8_set(0.0f));
    if (block->has_springs) {
        sn_f8 kept[SN_HELD_ROWS];
        for (int i = 0; i < block->held_count; ++i) {
            sn_store(&rows[i].impulse, kept_of(&rows[i].impulse, &rows[i].bias, &rows[i].gamma));
            kept[i] = sn_f8_select(is_hard(&rows[i]), sn_f8_set(0.0f), sn_load(&rows[i].impulse));
        }
        impulse = all_held_impulses(block, &pass->gradients[block->first_gradient], kept);
    }
    pair8 change = respond(block, &impulse);
    sn_store(&block->springs, work_of(&impulse, &u, &change));
    add_motion(&u, &change);
    for (int i = 0; i < block->single_count; ++i) {
        sn_single_row *row = &pass->singles[block->first_single + i];
        pair8 gradient = load_gradient(row->gradient);
        sn_f8 kept = kept_of(&row->impulse, &row->bias, &row->gamma);
        kept = sn_f8_max(sn_f8_min(kept, sn_load(&row->upper)), sn_load(&row->lower));
        sn_store(&row->impulse, kept);
        count_single(block, row, kept, speed_of(&gradient, &u));
        pair8 given = no_motion();
        add_scaled_pair(&given, kept, &gradient);
        add_motion(&impulse, &given);
        given = respond(block, &given);
        add_motion(&u, &given);
    }
    change = respond(block, &impulse);
    scatter(pass, block, &impulse, &change);
}

// Hard rows; `balance` begins with the work they do.
SN_INLINE void warm_start_hard(const sn_joint_pass *pass, sn_joint_block *block)
{
    pair8 u = gather(pass, block), still = no_motion();
    const sn_held_row *rows = &pass->held[block->first_held];
    sn_f8 kept[SN_HELD_ROWS], zero = sn_f8_set(0.0f);
    for (int i = 0; i < block->held_count; ++i) {
        kept[i] = sn_load(&rows[i].impulse);
        kept[i] = block->has_springs ? sn_f8_select(is_hard(&rows[i]), kept[i], zero) : kept[i];
    }
    pair8 impulse = all_held_impulses(block, &pass->gradients[block->first_gradient], kept);
    pair8 change = respond(block, &impulse);
    sn_store(&block->balance, work_of(&impulse, &u, &change));
    sn_store(&block->effort, work_of(&impulse, &still, &change));
    scatter(pass, block, &impulse, &change);
}

// --- solve and relax -----------------------------------------------------------------------------

// Shortens the change so that the held rows together pull no harder than they may.
SN_INLINE void limit_held(const sn_joint_block *block, const sn_held_row *rows, sn_f8 *change, const int n)
{
    sn_f8 squared = sn_f8_set(0.0f), most = sn_load(&block->most), one = sn_f8_set(1.0f);
    for (int i = 0; i < n; ++i) {
        sn_f8 wanted = sn_load(&rows[i].impulse) + change[i];
        squared = squared + wanted * wanted;
    }
    sn_i8 too_much = squared > most * most;
    sn_f8 scale = sn_f8_select(too_much, most / sn_f8_sqrt(sn_f8_select(too_much, squared, one)), one);
    for (int i = 0; i < n; ++i) {
        sn_f8 old = sn_load(&rows[i].impulse);
        change[i] = sn_f8_select(too_much, (old + change[i]) * scale - old, change[i]);
    }
}

// Impulses of held rows, and of the hard ones among them.
typedef struct held_impulse {
    pair8 all, hard;
} held_impulse;

SN_INLINE void give_held(const sn_joint_pass *pass, const sn_joint_block *block, sn_f8 *change,
                         held_impulse *impulse, const int n, const bool holds_point)
{
    sn_held_row *rows = &pass->held[block->first_held];
    const sn_lanes *gradients = &pass->gradients[block->first_gradient];
    if (block->has_limit) {
        limit_held(block, rows, change, n);
    }
    for (int i = 0; i < n; ++i) {
        sn_store(&rows[i].impulse, sn_load(&rows[i].impulse) + change[i]);
    }
    impulse->all = impulse->hard = held_impulses(block, gradients, change, n, holds_point);
    if (block->has_springs) {
        for (int i = 0; i < n; ++i) {
            change[i] = sn_f8_select(is_hard(&rows[i]), change[i], sn_f8_set(0.0f));
        }
        impulse->hard = held_impulses(block, gradients, change, n, holds_point);
    }
}

SN_INLINE void solve_held(const sn_joint_pass *pass, const sn_joint_block *block, const pair8 *u,
                          held_impulse *impulse, const int n, const bool holds_point)
{
    sn_held_row *rows = &pass->held[block->first_held];
    sn_f8 speed[SN_HELD_ROWS], change[SN_HELD_ROWS], mass_scale = sn_load(&block->mass_scale);
    sn_f8 impulse_scale = sn_load(&block->impulse_scale);
    sn_i8 all[SN_HELD_ROWS];
    held_speeds(block, &pass->gradients[block->first_gradient], u, n, holds_point, speed);
    for (int i = 0; i < n; ++i) {
        sn_f8 error = speed[i] + sn_load(&rows[i].half_turn) + sn_load(&rows[i].bias);
        change[i] = -(error + sn_load(&rows[i].gamma) * sn_load(&rows[i].impulse));
        all[i] = ~(sn_i8){0};
    }
    sn_ldl8_solve(&pass->factors[block->first_factor], n, all, change);
    for (int i = 0; i < n; ++i) {
        sn_f8 beyond = sn_load(&rows[i].impulse) - sn_load(&rows[i].reference);
        sn_f8 softened = mass_scale * change[i] - impulse_scale * beyond;
        change[i] = sn_f8_select(is_hard(&rows[i]), softened, change[i]);
    }
    give_held(pass, block, change, impulse, n, holds_point);
}

// Hard rows aim at the chord's t, unless that would take more energy than they have: where the motion is not
// smooth (a light body whips round within a sub-step) t means nothing. Relaxing a speed y to t changes the
// kinetic energy by ½ (tᵀK⁻¹t − yᵀK⁻¹y), so t is shortened until that is not positive.
SN_INLINE void relax_held(const sn_joint_pass *pass, const sn_joint_block *block, const pair8 *u,
                          held_impulse *impulse, const int n, const bool holds_point)
{
    sn_held_row *rows = &pass->held[block->first_held];
    const sn_lanes *factor = &pass->factors[block->first_factor];
    sn_f8 speed[SN_HELD_ROWS], aim[SN_HELD_ROWS], zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f);
    sn_f8 energy = zero, wanted = zero;
    sn_i8 hard[SN_HELD_ROWS];
    held_speeds(block, &pass->gradients[block->first_gradient], u, n, holds_point, speed);
    for (int i = 0; i < n; ++i) {
        aim[i] = sn_load(&rows[i].half_turn);
        hard[i] = is_hard(&rows[i]);
    }
    sn_ldl8_forward(factor, n, speed);
    sn_ldl8_forward(factor, n, aim);
    for (int i = 0; i < n; ++i) {
        sn_f8 inverse = sn_f8_select(hard[i], sn_load(&factor[sn_packed(i, i)]), zero);
        energy = energy + inverse * speed[i] * speed[i];
        wanted = wanted + inverse * aim[i] * aim[i];
    }
    sn_i8 too_much = wanted > energy;
    sn_f8 scale = sn_f8_select(too_much, sn_f8_sqrt(energy / sn_f8_select(too_much, wanted, one)), one);
    for (int i = 0; i < n; ++i) {
        sn_store(&rows[i].half_turn, scale * sn_load(&rows[i].half_turn));
        speed[i] = scale * aim[i] - speed[i];
    }
    sn_ldl8_back(factor, n, hard, speed);
    give_held(pass, block, speed, impulse, n, holds_point);
}

SN_INLINE void visit_held(const sn_joint_pass *pass, const sn_joint_block *block, const pair8 *u,
                          held_impulse *impulse, const int n, const bool holds_point)
{
    if (pass->use_bias) {
        solve_held(pass, block, u, impulse, n, holds_point);
    } else {
        relax_held(pass, block, u, impulse, n, holds_point);
    }
}

SN_INLINE void solve_single(const sn_joint_pass *pass, sn_joint_block *block, sn_single_row *row, pair8 *u,
                            pair8 *impulse)
{
    pair8 gradient = load_gradient(row->gradient);
    sn_f8 speed = speed_of(&gradient, u), old = sn_load(&row->impulse), mass = sn_load(&row->mass), change;
    if (pass->use_bias) {
        sn_f8 error = speed + sn_load(&row->bias) + sn_load(&row->gamma) * old;
        change = -mass * sn_load(&row->mass_scale) * error - sn_load(&row->impulse_scale) * old;
    } else {
        change = -mass * sn_load(&row->relaxes) * (speed + sn_load(&row->relax_bias));
    }
    sn_f8 new = sn_f8_max(sn_f8_min(old + change, sn_load(&row->upper)), sn_load(&row->lower));
    sn_store(&row->impulse, pass->use_bias || pass->is_projected ? new : new *sn_load(&row->kept));
    count_single(block, row, new - old, speed);
    pair8 given = no_motion();
    add_scaled_pair(&given, new - old, &gradient);
    add_motion(impulse, &given);
    given = respond(block, &given);
    add_motion(u, &given);
}

SN_INLINE void solve_block(const sn_joint_pass *pass, sn_joint_block *block)
{
    pair8 u = gather(pass, block);
    held_impulse held = {no_motion(), no_motion()};
    switch (block->form) {
    case SN_JOINT_POINT:
        visit_held(pass, block, &u, &held, 3, true);
        break;
    case SN_JOINT_HINGE:
        visit_held(pass, block, &u, &held, 5, true);
        break;
    case SN_JOINT_FIXED:
        visit_held(pass, block, &u, &held, 6, true);
        break;
    case SN_JOINT_ROPE:
        break;
    default:
        visit_held(pass, block, &u, &held, block->held_count, false);
        break;
    }
    pair8 change = respond(block, &held.all), impulse = held.all;
    sn_f8 work = work_of(&held.all, &u, &change);
    sn_f8 hard = block->has_springs ? work_of(&held.hard, &u, &change) : work;
    sn_store(&block->balance, sn_load(&block->balance) + hard);
    sn_store(&block->springs, sn_load(&block->springs) + (work - hard));
    if (block->single_count > 0) {
        add_motion(&u, &change);
        for (int i = 0; i < block->single_count; ++i) {
            solve_single(pass, block, &pass->singles[block->first_single + i], &u, &impulse);
        }
        change = respond(block, &impulse);
    }
    scatter(pass, block, &impulse, &change);
}

// --- end of the sub-step -------------------------------------------------------------------------

SN_INLINE void settle_row(const sn_joint_block *block, sn_held_row *row)
{
    sn_f8 reference = sn_load(&block->settle_kept) * sn_load(&row->reference) +
                      sn_load(&block->settle_rate) * sn_load(&row->impulse);
    sn_store(&row->reference, sn_f8_select(is_hard(row), reference, sn_f8_set(0.0f)));
}

// Sums up what was done to b, and forgets the impulses of stops that were just run into: a blow says nothing
// about the next sub-step.
SN_INLINE void finish_block(const sn_joint_pass *pass, sn_joint_block *block)
{
    sn_held_row *rows = &pass->held[block->first_held];
    sn_f8 impulse[SN_HELD_ROWS];
    for (int i = 0; i < block->held_count; ++i) {
        settle_row(block, &rows[i]);
        impulse[i] = sn_load(&rows[i].impulse);
    }
    motion8 on_b = all_held_impulses(block, &pass->gradients[block->first_gradient], impulse).b;
    sn_vec3x8 linear = on_b.linear, angular = on_b.angular;
    for (int i = 0; i < block->single_count; ++i) {
        sn_single_row *row = &pass->singles[block->first_single + i];
        linear = add_scaled8(linear, sn_load(&row->impulse), sn_load3(&row->gradient[SN_LINEAR_B]));
        angular = add_scaled8(angular, sn_load(&row->impulse), sn_load3(&row->gradient[SN_ANGULAR_B]));
        sn_store(&row->impulse, sn_load(&row->kept) * sn_load(&row->impulse));
    }
    sn_vec3x8 torque = sn_vec3x8_sub(angular, sn_vec3x8_cross(sn_load3(block->arm_b), linear));
    sn_store3(block->force, sn_vec3x8_add(sn_load3(block->force), linear));
    sn_store3(block->torque, sn_vec3x8_add(sn_load3(block->torque), torque));
}

// --- over ranges of blocks -----------------------------------------------------------------------

typedef void (*joint_visitor)(const sn_joint_pass *pass, sn_joint_block *block);

// All parts of blocks, one after the other, with the arrays of the pass as the part sees them. Parts without
// joints are left out.
SN_INLINE void visit_blocks(const sn_joint_pass *pass, int begin, int end, joint_visitor visit)
{
    if (SN_PARTS == 1) {
        for (int i = begin; i < end; ++i) {
            visit(pass, &pass->blocks[i]);
        }
        return;
    }
    sn_joint_pass parts[2] = {*pass, *pass}, *second = &parts[1];
    second->held = sn_second_part(pass->held);
    second->gradients = sn_second_part(pass->gradients);
    second->singles = sn_second_part(pass->singles);
    second->factors = sn_second_part(pass->factors);
    second->points = sn_second_part(pass->points);
    second->node_ends += pass->node_ends == NULL ? 0 : SN_WIDTH;
    for (int k = 2 * begin; k < 2 * end; ++k) {
        sn_joint_block *block = &pass->blocks[k / 2];
        if (k % 2 == 0) {
            sn_repeat_scalars(&block->counts);
            sn_repeat_scalars(&block->places);
            sn_repeat_scalars(&block->others);
        } else if (sn_is_half_empty(block->group)) {
            continue;
        }
        visit(&parts[k % 2], sn_part_of(block, 0, k % 2));
    }
}

SN_INLINE void evaluate_block_before(const sn_joint_pass *pass, sn_joint_block *block)
{
    if (sn_joint_form_holds(block->form)) {
        evaluate_held(pass, block, -pass->h);
    }
}

SN_INLINE void evaluate_block(const sn_joint_pass *pass, sn_joint_block *block)
{
    if (sn_joint_form_holds(block->form)) {
        evaluate_held(pass, block, 0.0f);
    } else if (block->form == SN_JOINT_ROPE) {
        evaluate_ropes(pass, block);
    }
}

SN_INLINE void warm_start_loose_block(const sn_joint_pass *pass, sn_joint_block *block)
{
    if (block->single_count > 0 || block->has_springs) {
        warm_start_loose(pass, block);
    }
}

#define SN_JOINT_LOOP(name, visit)                                                                           \
    static void name(const sn_joint_pass *pass, int begin, int end)                                          \
    {                                                                                                        \
        visit_blocks(pass, begin, end, visit);                                                               \
    }
SN_JOINT_LOOP(measure_blocks, measure_block)
SN_JOINT_LOOP(evaluate_blocks_before, evaluate_block_before)
SN_JOINT_LOOP(evaluate_blocks, evaluate_block)
SN_JOINT_LOOP(prepare_blocks, prepare_block)
SN_JOINT_LOOP(warm_start_loose_blocks, warm_start_loose_block)
SN_JOINT_LOOP(warm_start_hard_blocks, warm_start_hard)
SN_JOINT_LOOP(solve_blocks, solve_block)
SN_JOINT_LOOP(finish_blocks, finish_block)

const sn_joint_kernels SN_JOINT_KERNELS = {
    measure_blocks,          evaluate_blocks_before, evaluate_blocks, prepare_blocks,
    warm_start_loose_blocks, warm_start_hard_blocks, solve_blocks,    finish_blocks};

// The kernels of bounds, eight at a time (solver_kernels.h).
// Tested by tests/world/core/test_loads.c.
#include "math/measures8.h"
#include "solver/elements/bound_block.h"
#include "solver/rows/row_softness.h"

// So many times in a row a block of slack bounds is left out of the sub-steps of a step: none of them becomes
// taut at twice the rate at which their ends part now plus this share of their length a sub-step.
#define BOUND_IDLE   15
#define BOUND_SHARES 0.005f

// Bounds where their nodes are now.
typedef struct bound8 {
    sn_length8 now;
    sn_f8 inverse_mass[2];
    sn_f8 error, growth; // C, and by how much it grows in a sub-step, as far as is known
} bound8;

// `stands` is that of the whole block.
SN_INLINE bound8 bound_look(const sn_element_pass *pass, sn_bound_block *block, bool stands, bool first)
{
    bound8 bound = {.inverse_mass = {sn_f8_set(0.0f), sn_f8_set(0.0f)}};
    sn_vec3x8 a = sn_gather_nodes_at(pass->felt, &block->node[0], &bound.inverse_mass[0]), b;
    sn_f8 rest = sn_load(&block->rest);
    if (first || !stands) {
        b = sn_gather_nodes_at(pass->felt, &block->node[1], &bound.inverse_mass[1]);
    } else {
        b = sn_load3(block->end);
    }
    if (first) {
        sn_store3(block->end, b);
    }
    bound.now = sn_length8_between(a, b);
    bound.error = bound.now.length - rest;
    bound.growth =
        first ? sn_f8_set(0.02f) * rest : sn_f8_max(bound.error - sn_load(&block->error), sn_f8_set(0.0f));
    sn_store(&block->error, bound.error);
    return bound;
}

// Whether nothing moves the ends b of a part in this step, whose inverse masses are given.
SN_INLINE bool bound_stands(const sn_element_pass *pass, const sn_bound_block *block, bool moves_b,
                            sn_f8 inverse_mass)
{
    sn_vec3x8 velocity = sn_gather_velocities_at(pass->velocities, &block->node[1]);
    sn_f8 zero = sn_f8_set(0.0f), motion = sn_vec3x8_dot(velocity, velocity);
    return !moves_b && !sn_i8_any((inverse_mass != zero) | (motion != zero));
}

SN_INLINE sn_i8 bound_may_act(const sn_bound_block *block, const bound8 *bound)
{
    sn_f8 zero = sn_f8_set(0.0f);
    return (bound->error + bound->growth + bound->growth > zero) | (sn_load(&block->impulse) != zero);
}

SN_INLINE uint8_t bound_idle_of(const sn_bound_block *whole, const bound8 bound[SN_PARTS])
{
    for (int idle = BOUND_IDLE; idle > 0; idle /= 4) {
        sn_i8 acts = {0};
        for (int i = 0; i < SN_PARTS; ++i) {
            const sn_bound_block *block = sn_part_of(whole, 0, i);
            sn_f8 growth = bound[i].growth,
                  most = growth + growth + sn_f8_set(BOUND_SHARES) * sn_load(&block->rest);
            acts |= bound[i].error + sn_f8_set((float)(idle + 1)) * most > sn_f8_set(0.0f);
        }
        if (!sn_i8_any(acts)) {
            return (uint8_t)idle;
        }
    }
    return 0;
}

// Everything that depends only on masses and the length of sub-steps. `first`: when a step begins; within it,
// masses seldom change.
SN_INLINE void bound_soften(const sn_element_pass *pass, sn_bound_block *block, bound8 *bound, bool first)
{
    sn_i8 is_free;
    memcpy(&is_free, block->moved.offset, sizeof is_free);
    sn_f8 *inverse_mass = bound->inverse_mass;
    inverse_mass[1] = sn_f8_select(is_free != 0, inverse_mass[1], sn_f8_set(0.0f));
    sn_i8 differs = (inverse_mass[0] != sn_load(&block->inverse_mass[0])) |
                    (inverse_mass[1] != sn_load(&block->inverse_mass[1]));
    if (!first && !sn_i8_any(differs)) {
        return;
    }
    sn_f8 zero = sn_f8_set(0.0f), kappa = inverse_mass[0] + inverse_mass[1];
    sn_i8 moves = kappa > zero;
    sn_row_softness soft = sn_row_softness_of(pass, sn_f8_select(moves, kappa, sn_f8_set(1.0f)), zero, zero);
    sn_store(&block->inverse_mass[0], inverse_mass[0]);
    sn_store(&block->inverse_mass[1], inverse_mass[1]);
    sn_store(&block->relax_mass, sn_f8_select(moves, soft.inverse_kappa, zero));
    sn_store(&block->taut_mass, sn_f8_select(moves, soft.mass, zero));
    sn_store(&block->taut_softness, soft.softness);
    sn_store(&block->pull, sn_f8_select(moves, soft.pull, zero));
}

// A bound is taut, and as soft as hard rows are, where C ≥ 0; where it is slack it may use up what is left:
// J·u ≤ −C/h.
SN_INLINE void bound_make_row(const sn_element_pass *pass, sn_bound_block *block, const bound8 *bound)
{
    sn_f8 zero = sn_f8_set(0.0f), error = bound->error;
    sn_f8 inverse_length = sn_f8_set(1.0f) / sn_f8_max(bound->now.length, sn_f8_set(1.0e-12f));
    sn_vec3x8 normal = sn_vec3x8_scale(bound->now.along, inverse_length);
    if (pass->ahead != 0.0f) {
        sn_vec3x8 parting = sn_vec3x8_sub(sn_gather_velocities_at(pass->velocities, &block->node[1]),
                                          sn_gather_velocities_at(pass->velocities, &block->node[0]));
        error = error - sn_f8_set(pass->ahead) * sn_vec3x8_dot(normal, parting);
    }
    sn_i8 is_taut = error >= zero;
    sn_f8 relax_mass = sn_load(&block->relax_mass);
    sn_f8 slack_bias = error * sn_f8_set(pass->inverse_h) * relax_mass;
    sn_store3(block->normal, normal);
    sn_store(&block->mass, sn_f8_select(is_taut, sn_load(&block->taut_mass), relax_mass));
    sn_store(&block->softness, sn_f8_select(is_taut, sn_load(&block->taut_softness), zero));
    sn_store(&block->bias, sn_f8_select(is_taut, sn_load(&block->pull) * error, slack_bias));
    sn_store(&block->relax_bias, sn_f8_select(is_taut, zero, slack_bias));
}

// Where the nodes are now. A block none of whose bounds can become taut within the sub-step, at the rate
// their ends part now, is left out.
SN_INLINE void bound_refresh_block(const sn_element_pass *pass, sn_bound_block *whole, bool first)
{
    if (!first && whole->idle > 0) {
        --whole->idle;
        return;
    }
    bound8 bound[SN_PARTS];
    sn_i8 acts = {0};
    bool stands = true;
    for (int i = 0; i < SN_PARTS; ++i) {
        sn_bound_block *block = sn_part_of(whole, 0, i);
        bound[i] = bound_look(pass, block, whole->stands, first);
        stands = first && stands && bound_stands(pass, block, whole->moves_b, bound[i].inverse_mass[1]);
        bound_soften(pass, block, &bound[i], first);
        acts |= bound_may_act(block, &bound[i]);
    }
    whole->stands = first ? stands : whole->stands;
    whole->is_active = sn_i8_any(acts);
    whole->idle = whole->is_active ? 0 : bound_idle_of(whole, bound);
    for (int i = 0; i < SN_PARTS && whole->is_active; ++i) {
        bound_make_row(pass, sn_part_of(whole, 0, i), &bound[i]);
    }
}

// `moves_b`: the velocity of b is written, and need be known.
SN_INLINE void bound_push(const sn_element_pass *pass, const sn_bound_block *block, bool moves_b,
                          sn_vec3x8 velocity_a, const sn_vec3x8 *velocity_b, sn_f8 impulse)
{
    sn_vec3x8 normal = sn_load3(block->normal);
    sn_f8 on_a = impulse * sn_load(&block->inverse_mass[0]);
    velocity_a = sn_vec3x8_sub(velocity_a, sn_vec3x8_scale(normal, on_a));
    sn_scatter_velocities_at(pass->velocities, &block->node[0], velocity_a);
    if (moves_b) {
        sn_f8 on_b = impulse * sn_load(&block->inverse_mass[1]);
        sn_scatter_velocities_at(pass->velocities, &block->moved,
                                 sn_vec3x8_add(*velocity_b, sn_vec3x8_scale(normal, on_b)));
    }
}

// ΔΛ = −m J·u − bias − s Λ; the sum pulls only.
SN_INLINE void bound_sweep_block(const sn_element_pass *pass, const sn_bound_block *whole,
                                 sn_bound_block *block, bool use_bias)
{
    sn_f8 zero = sn_f8_set(0.0f), old = sn_load(&block->impulse);
    sn_vec3x8 velocity_a = sn_gather_velocities_at(pass->velocities, &block->node[0]);
    sn_vec3x8 velocity_b = {zero, zero, zero};
    if (!whole->stands) {
        velocity_b = sn_gather_velocities_at(pass->velocities, &block->node[1]);
    }
    sn_f8 speed = sn_vec3x8_dot(sn_load3(block->normal), sn_vec3x8_sub(velocity_b, velocity_a));
    sn_f8 mass = sn_load(use_bias ? &block->mass : &block->relax_mass);
    sn_f8 kept = use_bias ? old - sn_load(&block->softness) * (old - sn_load(&block->reference)) -
                                sn_load(&block->bias)
                          : old - sn_load(&block->relax_bias);
    sn_f8 impulse = sn_f8_min(kept - mass * speed, zero);
    sn_store(&block->impulse, impulse);
    if (!use_bias) {
        sn_f8 reference = sn_load(&block->reference);
        reference = sn_reference_kept(pass, reference, impulse) * reference +
                    sn_f8_set(pass->reference_rate) * (impulse - reference);
        sn_store(&block->reference, sn_f8_select((impulse < zero) | (reference > zero), reference, zero));
        sn_vec3x8 pull = sn_vec3x8_scale(sn_load3(block->normal), impulse);
        sn_store3(block->total, sn_vec3x8_add(sn_load3(block->total), pull));
    }
    bound_push(pass, block, whole->moves_b, velocity_a, &velocity_b, impulse - old);
}

static void bounds_refresh(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        bound_refresh_block(pass, (sn_bound_block *)blocks + i, true);
    }
}

static void bounds_warm_start(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int k = SN_PARTS * begin; k < SN_PARTS * end; ++k) {
        sn_bound_block *whole = (sn_bound_block *)blocks + k / SN_PARTS,
                       *block = sn_part_of(blocks, sizeof *block, k);
        if (whole->is_active) {
            sn_vec3x8 velocity_b;
            if (whole->moves_b) {
                velocity_b = sn_gather_velocities_at(pass->velocities, &block->node[1]);
            }
            bound_push(pass, block, whole->moves_b,
                       sn_gather_velocities_at(pass->velocities, &block->node[0]), &velocity_b,
                       sn_load(&block->impulse));
        }
    }
}

SN_INLINE void bound_sweep_whole(const sn_element_pass *pass, sn_bound_block *whole, bool use_bias)
{
    for (int i = 0; i < SN_PARTS && whole->is_active; ++i) {
        bound_sweep_block(pass, whole, sn_part_of(whole, 0, i), use_bias);
    }
}

static void bounds_solve(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int k = begin; k < end; ++k) {
        bound_sweep_whole(pass, (sn_bound_block *)blocks + sn_element_turn(pass, begin, end, k), true);
    }
}

static void bounds_relax(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int k = begin; k < end; ++k) {
        sn_bound_block *block = (sn_bound_block *)blocks + sn_element_turn(pass, begin, end, k);
        bound_refresh_block(pass, block, false);
        bound_sweep_whole(pass, block, false);
    }
}

const sn_element_kind SN_BUILD(sn_element_bounds) = {
    .name = "bounds",
    .block_size = sizeof(sn_bound_block),
    .memory = {{offsetof(sn_bound_block, impulse), 2, 0.0f, false}},
    .refresh = bounds_refresh,
    .warm_start = bounds_warm_start,
    .solve = bounds_solve,
    .relax = bounds_relax,
    .direction = offsetof(sn_bound_block, normal),
    .relax_refreshes = true};

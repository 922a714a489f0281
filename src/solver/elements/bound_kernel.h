// The kernels of bounds, eight at a time (solver_kernels.h).
// Tested by tests/world/core/test_loads.c.
#include "math/measures8.h"
#include "solver/elements/bound_block.h"
#include "solver/rows/row_softness.h"

// So many times in a row a block of slack bounds is left out of the sub-steps of a step: none of them becomes
// taut at twice the rate at which their ends part now plus this share of their length a sub-step.
#define BOUND_IDLE   15
#define BOUND_SHARES 0.005f

// Bounds rest where a sub-step changes what they carry, and their references, by less than one over this of
// it, and moves their ends against each other by less than this part of their length, which rounding would:
// they do not turn, and there is nothing to relax.
#define BOUND_STEADY  1.0e3f
#define BOUND_SETTLED 1.0e2f
#define BOUND_STILL   1.0e-7f

// The softness of taut bounds, as that of hard rows (row_softness.h): s, and m and p times κ over s.
typedef struct bound_law {
    sn_f8 softness, mass, pull;
} bound_law;

SN_INLINE bound_law bound_law_of(const sn_element_pass *pass)
{
    sn_f8 one = sn_f8_set(1.0f), firm = one / sn_f8_set(pass->hard.inverse_a2);
    return (bound_law){one / (one + firm), firm, sn_f8_set(pass->hard.bias_rate) * firm};
}

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

// Masses of the row. `first`: when a step begins; within it, they seldom change.
SN_INLINE void bound_weigh(sn_bound_block *block, bound8 *bound, bool first)
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
    sn_f8 one = sn_f8_set(1.0f), inverse_kappa = one / sn_f8_select(moves, kappa, one);
    sn_store(&block->inverse_mass[0], inverse_mass[0]);
    sn_store(&block->inverse_mass[1], inverse_mass[1]);
    sn_store(&block->inverse_kappa, sn_f8_select(moves, inverse_kappa, zero));
}

// A bound is taut, and as soft as hard rows are, where C ≥ 0; where it is slack it may use up what is left:
// J·u ≤ −C/h.
SN_INLINE void bound_make_row(const sn_element_pass *pass, const bound_law *taut, sn_bound_block *block,
                              const bound8 *bound)
{
    sn_f8 error = bound->error, inverse_kappa = sn_load(&block->inverse_kappa);
    sn_f8 inverse_length = sn_f8_set(1.0f) / sn_f8_max(bound->now.length, sn_f8_set(1.0e-12f));
    sn_vec3x8 normal = sn_vec3x8_scale(bound->now.along, inverse_length);
    if (pass->ahead != 0.0f) {
        sn_vec3x8 parting = sn_vec3x8_sub(sn_gather_velocities_at(pass->velocities, &block->node[1]),
                                          sn_gather_velocities_at(pass->velocities, &block->node[0]));
        error = error - sn_f8_set(pass->ahead) * sn_vec3x8_dot(normal, parting);
    }
    sn_f8 taut_bias = taut->pull * (taut->softness * inverse_kappa) * error;
    sn_f8 slack_bias = error * sn_f8_set(pass->inverse_h) * inverse_kappa;
    sn_store3(block->normal, normal);
    sn_store(&block->bias, sn_f8_select(error >= sn_f8_set(0.0f), taut_bias, slack_bias));
}

// Where the nodes are now. A block none of whose bounds can become taut within the sub-step, at the rate
// their ends part now, is left out.
SN_INLINE void bound_refresh_block(const sn_element_pass *pass, const bound_law *taut, sn_bound_block *whole,
                                   bool first)
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
        bound_weigh(block, &bound[i], first);
        acts |= bound_may_act(block, &bound[i]);
    }
    whole->stands = first ? stands : whole->stands;
    whole->rests = first && !pass->is_implicit;
    whole->is_active = sn_i8_any(acts);
    whole->idle = whole->is_active ? 0 : bound_idle_of(whole, bound);
    for (int i = 0; i < SN_PARTS && whole->is_active; ++i) {
        bound_make_row(pass, taut, sn_part_of(whole, 0, i), &bound[i]);
    }
}

SN_INLINE void bound_add_pull(sn_bound_block *block, sn_f8 impulse)
{
    sn_vec3x8 pull = sn_vec3x8_scale(sn_load3(block->normal), impulse);
    sn_store3(block->total, sn_vec3x8_add(sn_load3(block->total), pull));
}

// Where b of the whole block moves its velocity is written, and need be known.
SN_INLINE void bound_push(const sn_element_pass *pass, const sn_bound_block *whole, sn_bound_block *block,
                          sn_vec3x8 velocity_a, const sn_vec3x8 *velocity_b, sn_f8 impulse)
{
    sn_vec3x8 normal = sn_load3(block->normal);
    sn_f8 on_a = impulse * sn_load(&block->inverse_mass[0]);
    velocity_a = sn_vec3x8_sub(velocity_a, sn_vec3x8_scale(normal, on_a));
    sn_scatter_velocities_at(pass->velocities, &block->node[0], velocity_a);
    if (whole->gives_way) {
        bound_add_pull(block, impulse);
    }
    if (whole->moves_b) {
        sn_f8 on_b = impulse * sn_load(&block->inverse_mass[1]);
        sn_scatter_velocities_at(pass->velocities, &block->moved,
                                 sn_vec3x8_add(*velocity_b, sn_vec3x8_scale(normal, on_b)));
    }
}

typedef struct bound_ends {
    sn_vec3x8 velocity_a, velocity_b, parting; // parting: of b from a
    sn_f8 speed;                               // of that along the bound
} bound_ends;

SN_INLINE bound_ends bound_look_at_ends(const sn_element_pass *pass, const sn_bound_block *whole,
                                        const sn_bound_block *block)
{
    sn_f8 zero = sn_f8_set(0.0f);
    bound_ends ends = {.velocity_a = sn_gather_velocities_at(pass->velocities, &block->node[0]),
                       .velocity_b = {zero, zero, zero}};
    if (!whole->stands) {
        ends.velocity_b = sn_gather_velocities_at(pass->velocities, &block->node[1]);
    }
    ends.parting = sn_vec3x8_sub(ends.velocity_b, ends.velocity_a);
    ends.speed = sn_vec3x8_dot(sn_load3(block->normal), ends.parting);
    return ends;
}

// What a sweep with bias does.
typedef struct bound_change {
    sn_f8 old, impulse;
    sn_vec3x8 parting;
} bound_change;

// ΔΛ = −m J·u − bias − s Λ; the sum pulls only.
SN_INLINE bound_change bound_solve_block(const sn_element_pass *pass, const bound_law *taut,
                                         const sn_bound_block *whole, sn_bound_block *block)
{
    sn_f8 zero = sn_f8_set(0.0f), old = sn_load(&block->impulse), bias = sn_load(&block->bias);
    bound_ends ends = bound_look_at_ends(pass, whole, block);
    sn_i8 is_taut = bias >= zero;
    sn_f8 inverse_kappa = sn_load(&block->inverse_kappa);
    sn_f8 mass = sn_f8_select(is_taut, taut->mass * (taut->softness * inverse_kappa), inverse_kappa);
    sn_f8 softness = sn_f8_select(is_taut, taut->softness, zero);
    sn_f8 kept = old - softness * (old - sn_load(&block->reference)) - bias;
    sn_f8 impulse = sn_f8_min(kept - mass * ends.speed, zero);
    sn_store(&block->impulse, impulse);
    bound_push(pass, whole, block, ends.velocity_a, &ends.velocity_b, impulse - old);
    return (bound_change){old, impulse, ends.parting};
}

// Which bounds leave something to relax.
SN_INLINE sn_i8 bound_is_busy(const sn_element_pass *pass, const sn_bound_block *block,
                              const bound_change *change)
{
    sn_f8 zero = sn_f8_set(0.0f), reference = sn_load(&block->reference), rest = sn_load(&block->rest);
    sn_f8 still = sn_f8_set(BOUND_STILL * pass->inverse_h) * rest, step = change->impulse - change->old;
    sn_f8 lag = pass->reference_rate > 0.0f ? change->old - reference : reference;
    sn_f8 steady = sn_f8_set(BOUND_STEADY) * sn_f8_max(step, zero - step);
    sn_f8 settled = sn_f8_set(BOUND_SETTLED) * sn_f8_max(lag, zero - lag);
    return (sn_f8_max(steady, settled) + change->old > zero) |
           (sn_vec3x8_dot(change->parting, change->parting) > still * still);
}

// The same without bias.
SN_INLINE void bound_relax_block(const sn_element_pass *pass, const sn_bound_block *whole,
                                 sn_bound_block *block)
{
    sn_f8 zero = sn_f8_set(0.0f), old = sn_load(&block->impulse);
    bound_ends ends = bound_look_at_ends(pass, whole, block);
    sn_f8 kept = old - sn_f8_min(sn_load(&block->bias), zero);
    sn_f8 impulse = sn_f8_min(kept - sn_load(&block->inverse_kappa) * ends.speed, zero);
    sn_store(&block->impulse, impulse);
    sn_f8 reference = sn_load(&block->reference);
    reference = sn_reference_kept(pass, reference, impulse) * reference +
                sn_f8_set(pass->reference_rate) * (impulse - reference);
    sn_store(&block->reference, sn_f8_select((impulse < zero) | (reference > zero), reference, zero));
    if (!whole->gives_way) {
        bound_add_pull(block, impulse);
    }
    bound_push(pass, whole, block, ends.velocity_a, &ends.velocity_b, impulse - old);
}

static void bounds_refresh(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    bound_law taut = bound_law_of(pass);
    for (int i = begin; i < end; ++i) {
        bound_refresh_block(pass, &taut, (sn_bound_block *)blocks + i, true);
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
            bound_push(pass, whole, block, sn_gather_velocities_at(pass->velocities, &block->node[0]),
                       &velocity_b, sn_load(&block->impulse));
        }
    }
}

// Whether the block rests after the sweep.
SN_INLINE bool bound_solve_resting(const sn_element_pass *pass, const bound_law *taut, sn_bound_block *whole)
{
    sn_i8 busy = {0}, pulls = {0};
    for (int i = 0; i < SN_PARTS; ++i) {
        sn_bound_block *block = sn_part_of(whole, 0, i);
        bound_change change = bound_solve_block(pass, taut, whole, block);
        busy |= bound_is_busy(pass, block, &change);
        pulls |= change.impulse < sn_f8_set(0.0f);
    }
    return !sn_i8_any(busy) && sn_i8_any(pulls);
}

// A block that is busy in the first sub-step of a step is not asked again. (The position solver iterates, and
// knows no rest.)
static void bounds_solve(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    bound_law taut = bound_law_of(pass);
    for (int k = begin; k < end; ++k) {
        sn_bound_block *whole = (sn_bound_block *)blocks + sn_element_turn(pass, begin, end, k);
        if (!whole->is_active) {
            whole->rests = false;
        } else if (whole->rests) {
            whole->rests = bound_solve_resting(pass, &taut, whole);
        } else {
            for (int i = 0; i < SN_PARTS; ++i) {
                (void)bound_solve_block(pass, &taut, whole, sn_part_of(whole, 0, i));
            }
        }
    }
}

// What rests is not relaxed.
static void bounds_relax(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    bound_law taut = bound_law_of(pass);
    for (int k = begin; k < end; ++k) {
        sn_bound_block *whole = (sn_bound_block *)blocks + sn_element_turn(pass, begin, end, k);
        bool rests = whole->rests;
        if (!rests) {
            bound_refresh_block(pass, &taut, whole, false);
        }
        for (int i = 0; i < SN_PARTS && whole->is_active; ++i) {
            sn_bound_block *block = sn_part_of(whole, 0, i);
            if (!rests) {
                bound_relax_block(pass, whole, block);
            } else if (!whole->gives_way) {
                bound_add_pull(block, sn_load(&block->impulse));
            }
        }
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

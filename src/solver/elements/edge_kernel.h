// The kernels of edges, eight at a time (see solver_kernels.h).
#include "math/measures8.h"
#include "solver/elements/edge_block.h"
#include "solver/rows/row_softness.h"

// Springs of the position solver that are so many times firmer than its iterations resolve act as hard rows:
// what they stretch is lost in rounding, and what iterations leave of it would be thrown back as velocity
// when sub-steps become shorter.
#define AS_GOOD_AS_HARD 100.0f

// Everything that depends only on masses and the length of sub-steps.
SN_INLINE void soften_block(const sn_element_pass *pass, sn_edge_block *block, sn_f8 mass_a, sn_f8 mass_b)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f);
    sn_f8 kappa = mass_a + mass_b, stiffness = sn_load(&block->stiffness);
    sn_i8 moves = kappa > zero, is_hard = stiffness == zero;
    if (pass->resolved > 0.0f) {
        sn_f8 firm = sn_f8_set(pass->h * pass->h) * kappa * stiffness;
        is_hard |= firm > sn_f8_set(AS_GOOD_AS_HARD * pass->resolved);
    }
    sn_row_softness soft =
        sn_row_softness_of(pass, sn_f8_select(moves, kappa, one), stiffness, sn_load(&block->damping));
    sn_store(&block->inverse_mass[0], mass_a);
    sn_store(&block->inverse_mass[1], mass_b);
    sn_store(&block->mass, sn_f8_select(moves, soft.mass, zero));
    sn_store(&block->softness, sn_f8_select(moves, soft.softness, zero));
    sn_store(&block->pull, sn_f8_select(moves, soft.pull, zero));
    sn_store(&block->relax_mass, sn_f8_select(moves & is_hard, soft.inverse_kappa, zero));
}

// An edge where its nodes are now.
typedef struct edge8 {
    sn_vec3x8 along;      // from a to b
    sn_f8 inverse_length; // 1/|along|
    sn_f8 inverse_mass[2];
} edge8;

// Direction and bias where the nodes are now. `first`: when a step begins; within it, masses seldom change.
SN_INLINE edge8 edge_refresh_block(const sn_element_pass *pass, sn_edge_block *block, bool first)
{
    edge8 edge;
    sn_vec3x8 a = sn_gather_nodes_at(pass->felt, &block->node[0], &edge.inverse_mass[0]);
    sn_vec3x8 b = sn_gather_nodes_at(pass->felt, &block->node[1], &edge.inverse_mass[1]);
    sn_i8 differs = (edge.inverse_mass[0] != sn_load(&block->inverse_mass[0])) |
                    (edge.inverse_mass[1] != sn_load(&block->inverse_mass[1]));
    if (first || sn_i8_any(differs)) {
        soften_block(pass, block, edge.inverse_mass[0], edge.inverse_mass[1]);
    }
    sn_length8 now = sn_length8_between(a, b);
    sn_f8 length = now.length;
    edge.along = now.along;
    // An edge of no length has no direction, hence no force.
    edge.inverse_length = sn_f8_set(1.0f) / sn_f8_max(length, sn_f8_set(1.0e-12f));
    sn_vec3x8 normal = sn_vec3x8_scale(edge.along, edge.inverse_length);
    sn_f8 error = length - sn_load(&block->rest);
    if (pass->ahead != 0.0f) {
        sn_vec3x8 parting = sn_vec3x8_sub(sn_gather_velocities_at(pass->velocities, &block->node[1]),
                                          sn_gather_velocities_at(pass->velocities, &block->node[0]));
        error = error - sn_f8_set(pass->ahead) * sn_vec3x8_dot(normal, parting);
    }
    sn_store3(block->normal, normal);
    sn_store(&block->bias, error * sn_load(&block->pull));
    return edge;
}

// Adds an impulse along a direction to both ends.
SN_INLINE void edge_push(sn_vec3x8 direction, sn_f8 on_a, sn_f8 on_b, sn_vec3x8 *velocity_a,
                         sn_vec3x8 *velocity_b)
{
    *velocity_a = sn_vec3x8_sub(*velocity_a, sn_vec3x8_scale(direction, on_a));
    *velocity_b = sn_vec3x8_add(*velocity_b, sn_vec3x8_scale(direction, on_b));
}

// Stores an impulse, clamped, and returns its change.
SN_INLINE sn_f8 change_impulse(const sn_element_pass *pass, sn_edge_block *block, sn_f8 old, sn_f8 wanted)
{
    sn_f8 h = sn_f8_set(pass->h);
    sn_f8 impulse = sn_f8_min(sn_f8_max(wanted, h * sn_load(&block->lower)), h * sn_load(&block->upper));
    sn_store(&block->impulse, impulse);
    return impulse - old;
}

// One row with bias: ΔΛ = −m J·u − bias − s Λ, clamped.
SN_INLINE void edge_solve_block(const sn_element_pass *pass, sn_edge_block *block)
{
    sn_vec3x8 velocity_a = sn_gather_velocities_at(pass->velocities, &block->node[0]);
    sn_vec3x8 velocity_b = sn_gather_velocities_at(pass->velocities, &block->node[1]);
    sn_vec3x8 normal = sn_load3(block->normal);
    sn_f8 speed = sn_vec3x8_dot(normal, sn_vec3x8_sub(velocity_b, velocity_a));
    sn_f8 old = sn_load(&block->impulse);
    sn_f8 kept = old - sn_load(&block->softness) * (old - sn_load(&block->reference)) - sn_load(&block->bias);
    sn_f8 change = change_impulse(pass, block, old, kept - sn_load(&block->mass) * speed);
    edge_push(normal, change * sn_load(&block->inverse_mass[0]), change * sn_load(&block->inverse_mass[1]),
              &velocity_a, &velocity_b);
    sn_scatter_velocities_at(pass->velocities, &block->node[0], velocity_a);
    sn_scatter_velocities_at(pass->velocities, &block->node[1], velocity_b);
}

// The reference of rows after a sub-step (methods J.3). It rests where an edge is nearly as long as it
// should, and follows what pulls alone: where bounds carry what nodes weigh, edges carry next to nothing, and
// a reference that pushed, be it by rounding, would let them buckle.
SN_INLINE sn_f8 edge_reference(const sn_element_pass *pass, const sn_edge_block *block)
{
    sn_f8 zero = sn_f8_set(0.0f), reference = sn_load(&block->reference), bias = sn_load(&block->bias);
    sn_f8 settled = sn_f8_set(pass->settled) * sn_load(&block->rest) * sn_load(&block->pull);
    sn_f8 rate =
        sn_f8_select((bias >= settled) | (bias <= zero - settled), sn_f8_set(pass->reference_rate), zero);
    sn_f8 load = sn_f8_min(sn_load(&block->impulse), zero), kept = sn_reference_kept(pass, reference, load);
    reference = kept * reference + rate * (load - reference);
    return sn_f8_select(sn_load(&block->relax_mass) > zero, reference, zero);
}

// One row without bias, ΔΛ = −m J·u, at the present positions. It uses products with the edge instead of the
// normal, so as not to wait for the length.
SN_INLINE void relax_block(const sn_element_pass *pass, sn_edge_block *block, const edge8 *edge)
{
    sn_vec3x8 velocity_a = sn_gather_velocities_at(pass->velocities, &block->node[0]);
    sn_vec3x8 velocity_b = sn_gather_velocities_at(pass->velocities, &block->node[1]);
    sn_f8 speed = sn_vec3x8_dot(edge->along, sn_vec3x8_sub(velocity_b, velocity_a));
    sn_f8 old = sn_load(&block->impulse), mass = sn_load(&block->relax_mass);
    sn_f8 change = change_impulse(pass, block, old, old - mass * edge->inverse_length * speed);
    change = change * edge->inverse_length;
    sn_store(&block->reference, edge_reference(pass, block));
    edge_push(edge->along, change * sn_load(&block->inverse_mass[0]),
              change * sn_load(&block->inverse_mass[1]), &velocity_a, &velocity_b);
    sn_scatter_velocities_at(pass->velocities, &block->node[0], velocity_a);
    sn_scatter_velocities_at(pass->velocities, &block->node[1], velocity_b);
}

static void edges_refresh(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int k = SN_PARTS * begin; k < SN_PARTS * end; ++k) {
        edge_refresh_block(pass, sn_part_of(blocks, sizeof(sn_edge_block), k), true);
    }
}

static void edges_warm_start(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int k = SN_PARTS * begin; k < SN_PARTS * end; ++k) {
        sn_edge_block *block = sn_part_of(blocks, sizeof *block, k);
        sn_vec3x8 velocity_a = sn_gather_velocities_at(pass->velocities, &block->node[0]);
        sn_vec3x8 velocity_b = sn_gather_velocities_at(pass->velocities, &block->node[1]);
        sn_f8 impulse = sn_load(&block->impulse);
        edge_push(sn_load3(block->normal), impulse * sn_load(&block->inverse_mass[0]),
                  impulse * sn_load(&block->inverse_mass[1]), &velocity_a, &velocity_b);
        sn_scatter_velocities_at(pass->velocities, &block->node[0], velocity_a);
        sn_scatter_velocities_at(pass->velocities, &block->node[1], velocity_b);
    }
}

static void edges_solve(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int k = SN_PARTS * begin; k < SN_PARTS * end; ++k) {
        edge_solve_block(pass, sn_element_part(pass, blocks, sizeof(sn_edge_block), begin, end, k));
    }
}

// Blocks of springs only are refreshed, not relaxed.
static void edges_relax(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int k = begin; k < end; ++k) {
        sn_edge_block *whole = (sn_edge_block *)blocks + sn_element_turn(pass, begin, end, k);
        edge8 edge[SN_PARTS];
        for (int i = 0; i < SN_PARTS; ++i) {
            edge[i] = edge_refresh_block(pass, sn_part_of(whole, 0, i), false);
        }
        bool relaxes = sn_any_lane_above(&whole->relax_mass, 0, 1, 0.0f);
        for (int i = 0; i < SN_PARTS && relaxes; ++i) {
            relax_block(pass, sn_part_of(whole, 0, i), &edge[i]);
        }
    }
}

// ½ k C² of a spring that is as stiff as rows can be at most, while its force has the sign it may have;
// F²/(2k) at the largest force. Hard edges store no energy, and their stretch is measured instead.
static double edge_energy(const sn_edge_block *block, int lane, double error, double kappa, double stiffest)
{
    double stiffness = (double)block->stiffness.lane[lane];
    stiffness = stiffness * kappa > stiffest ? stiffest / kappa : stiffness;
    double force = -stiffness * error, lower = (double)block->lower.lane[lane],
           upper = (double)block->upper.lane[lane];
    force = force < lower ? lower : force > upper ? upper : force;
    return stiffness > 0.0 ? 0.5 * force * force / stiffness : 0.0;
}

static void edges_measure(const sn_node_state *nodes, const void *blocks, int block_count,
                          sn_element_measure *sum)
{
    for (int k = 0; k < SN_PARTS * block_count; ++k) {
        const sn_edge_block *block = sn_part_of(blocks, sizeof *block, k);
        sn_f8 mass_a, mass_b;
        sn_vec3x8 a = sn_gather_nodes_at(nodes, &block->node[0], &mass_a);
        sn_length8 now = sn_length8_between(a, sn_gather_nodes_at(nodes, &block->node[1], &mass_b));
        sn_f8 kappa = mass_a + mass_b;
        for (int lane = 0; lane < SN_WIDTH; ++lane) {
            double rest = (double)block->rest.lane[lane], error = (double)now.length[lane] - rest;
            sum->energy += edge_energy(block, lane, error, (double)kappa[lane], sum->stiffest);
            if (block->stiffness.lane[lane] == 0.0f && rest > 0.0) {
                double size = error > 0.0 ? error : -error, stretch = size / rest;
                sum->largest_stretch = stretch > sum->largest_stretch ? stretch : sum->largest_stretch;
                sum->stretches += stretch;
                sum->largest_error = size > sum->largest_error ? size : sum->largest_error;
                ++sum->hard_edges;
            }
        }
    }
}

const sn_element_kind SN_BUILD(sn_element_edges) = {
    .name = "edges",
    .block_size = sizeof(sn_edge_block),
    .memory = {{offsetof(sn_edge_block, impulse), 2, 0.0f, false}},
    .refresh = edges_refresh,
    .warm_start = edges_warm_start,
    .solve = edges_solve,
    .relax = edges_relax,
    .direction = offsetof(sn_edge_block, normal),
    .relax_refreshes = true,
    .is_stiff = sn_edges_are_stiff,
    .count_unresolved = sn_edges_unresolved,
    .scale_warm_start = sn_edges_scale_warm_start,
    .measure = edges_measure};

// The kernels of edges, eight at a time. Included by one file for each instruction set, which defines
// SN_EDGE_KIND.
#include "solver/edge_block.h"
#include "solver/row_softness.h"

// What depends on masses and the length of sub-steps alone.
SN_INLINE void soften_block(const sn_element_pass *pass, sn_edge_block *block, sn_f8 mass_a, sn_f8 mass_b)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f);
    sn_f8 kappa = mass_a + mass_b, stiffness = sn_load(&block->stiffness);
    sn_i8 moves = kappa > zero, is_hard = stiffness == zero;
    sn_row_softness soft =
        sn_row_softness_of(pass, sn_f8_select(moves, kappa, one), stiffness, sn_load(&block->damping));
    sn_store(&block->inverse_mass[0], mass_a);
    sn_store(&block->inverse_mass[1], mass_b);
    sn_store(&block->mass, sn_f8_select(moves, soft.mass, zero));
    sn_store(&block->softness, sn_f8_select(moves, soft.softness, zero));
    sn_store(&block->pull, sn_f8_select(moves, soft.pull, zero));
    sn_store(&block->relax_mass, sn_f8_select(moves & is_hard, soft.inverse_kappa, zero));
}

// Direction and bias where the nodes are now. `first`: when a step begins; within it, masses seldom change.
SN_INLINE void refresh_block(const sn_element_pass *pass, sn_edge_block *block, bool first)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f);
    sn_f8 mass_a, mass_b;
    sn_vec3x8 a = sn_gather_nodes_at(pass->nodes, &block->node[0], &mass_a);
    sn_vec3x8 b = sn_gather_nodes_at(pass->nodes, &block->node[1], &mass_b);
    sn_i8 differs =
        (mass_a != sn_load(&block->inverse_mass[0])) | (mass_b != sn_load(&block->inverse_mass[1]));
    if (first || sn_i8_any(differs)) {
        soften_block(pass, block, mass_a, mass_b);
    }
    sn_vec3x8 along = sn_vec3x8_sub(b, a);
    sn_f8 length = sn_f8_sqrt(sn_vec3x8_dot(along, along));
    // An edge of no length has no direction, hence no force.
    sn_i8 has_length = length > sn_f8_set(1.0e-12f);
    sn_f8 inverse_length = sn_f8_select(has_length, one / sn_f8_select(has_length, length, one), zero);
    sn_f8 error = length - sn_load(&block->rest);
    sn_store3(block->normal, sn_vec3x8_scale(along, inverse_length));
    sn_i8 moves = mass_a + mass_b > zero;
    sn_store(&block->bias, sn_f8_select(moves, error * sn_load(&block->pull), zero));
}

// Adds an impulse along the normal to both ends.
SN_INLINE void push(const sn_edge_block *block, sn_f8 impulse, sn_vec3x8 *velocity_a, sn_vec3x8 *velocity_b)
{
    sn_vec3x8 normal = sn_load3(block->normal);
    sn_f8 on_a = impulse * sn_load(&block->inverse_mass[0]),
          on_b = impulse * sn_load(&block->inverse_mass[1]);
    *velocity_a = sn_vec3x8_sub(*velocity_a, sn_vec3x8_scale(normal, on_a));
    *velocity_b = sn_vec3x8_add(*velocity_b, sn_vec3x8_scale(normal, on_b));
}

// One row: ΔΛ = −m J·u − bias − s Λ, clamped.
SN_INLINE void solve_block(const sn_element_pass *pass, sn_edge_block *block, sn_f8 mass, sn_f8 softness,
                           sn_f8 bias)
{
    sn_vec3x8 velocity_a = sn_gather_velocities_at(pass->velocities, &block->node[0]);
    sn_vec3x8 velocity_b = sn_gather_velocities_at(pass->velocities, &block->node[1]);
    sn_f8 speed = sn_vec3x8_dot(sn_load3(block->normal), sn_vec3x8_sub(velocity_b, velocity_a));
    sn_f8 old = sn_load(&block->impulse), h = sn_f8_set(pass->h);
    sn_f8 wanted = old - mass * speed - bias - softness * old;
    sn_f8 impulse = sn_f8_min(sn_f8_max(wanted, h * sn_load(&block->lower)), h * sn_load(&block->upper));
    push(block, impulse - old, &velocity_a, &velocity_b);
    sn_store(&block->impulse, impulse);
    sn_scatter_velocities_at(pass->velocities, &block->node[0], velocity_a);
    sn_scatter_velocities_at(pass->velocities, &block->node[1], velocity_b);
}

static void edges_refresh(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        refresh_block(pass, (sn_edge_block *)blocks + i, true);
    }
}

static void edges_warm_start(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        sn_edge_block *block = (sn_edge_block *)blocks + i;
        sn_vec3x8 velocity_a = sn_gather_velocities_at(pass->velocities, &block->node[0]);
        sn_vec3x8 velocity_b = sn_gather_velocities_at(pass->velocities, &block->node[1]);
        push(block, sn_load(&block->impulse), &velocity_a, &velocity_b);
        sn_scatter_velocities_at(pass->velocities, &block->node[0], velocity_a);
        sn_scatter_velocities_at(pass->velocities, &block->node[1], velocity_b);
    }
}

static void edges_solve(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int k = begin; k < end; ++k) {
        sn_edge_block *block = (sn_edge_block *)blocks + sn_element_turn(pass, begin, end, k);
        solve_block(pass, block, sn_load(&block->mass), sn_load(&block->softness), sn_load(&block->bias));
    }
}

// Springs have nothing to relax.
static void edges_relax(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    sn_f8 zero = sn_f8_set(0.0f);
    for (int k = begin; k < end; ++k) {
        sn_edge_block *block = (sn_edge_block *)blocks + sn_element_turn(pass, begin, end, k);
        sn_f8 mass = sn_load(&block->relax_mass);
        refresh_block(pass, block, false);
        if (sn_i8_any(mass > zero)) {
            solve_block(pass, block, mass, zero, zero);
        }
    }
}

const sn_element_kind SN_EDGE_KIND = {.name = "edges",
                                      .block_size = sizeof(sn_edge_block),
                                      .memory = {{offsetof(sn_edge_block, impulse), 1, 0.0f, false}},
                                      .refresh = edges_refresh,
                                      .warm_start = edges_warm_start,
                                      .solve = edges_solve,
                                      .relax = edges_relax,
                                      .relax_refreshes = true,
                                      .is_stiff = sn_edges_are_stiff,
                                      .fade = sn_edges_fade,
                                      .measure = sn_edges_measure};

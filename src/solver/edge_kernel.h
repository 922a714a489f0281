// The kernels of edges, eight at a time. Included by one file for each instruction set, which defines
// SN_EDGE_KIND.
#include "solver/edge_block.h"

SN_INLINE void refresh_block(const sn_element_pass *pass, sn_edge_block *block)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f), h = sn_f8_set(pass->h);
    sn_f8 mass_a, mass_b;
    sn_vec3x8 a = sn_gather_nodes(pass->nodes, block->node[0], &mass_a);
    sn_vec3x8 b = sn_gather_nodes(pass->nodes, block->node[1], &mass_b);
    sn_vec3x8 along = sn_vec3x8_sub(b, a);
    sn_f8 length = sn_f8_sqrt(sn_vec3x8_dot(along, along));
    // An edge of no length has no direction, hence no force.
    sn_i8 has_length = length > sn_f8_set(1.0e-12f);
    sn_f8 inverse_length = sn_f8_select(has_length, one / sn_f8_select(has_length, length, one), zero);
    sn_f8 kappa = mass_a + mass_b;
    sn_i8 moves = kappa > zero;
    sn_f8 safe_kappa = sn_f8_select(moves, kappa, one);
    sn_f8 error = length - sn_load(&block->rest);
    sn_f8 k = sn_load(&block->stiffness), d = sn_load(&block->damping);
    sn_i8 is_soft = k > zero;
    // Soft rows (methods 0.1): γ = 1/(h(d + hk)), bias = C k/(d + hk). Hard ones (0.2): γ = κ/a₂; and no soft
    // one is held harder than that.
    sn_f8 drag = sn_f8_select(is_soft, d + h * k, one);
    sn_f8 least = safe_kappa * sn_f8_set(pass->hard.inverse_a2), fastest = sn_f8_set(pass->hard.bias_rate);
    sn_f8 gamma = sn_f8_max(sn_f8_select(is_soft, one / (h * drag), least), least);
    sn_f8 bias = error * sn_f8_min(sn_f8_select(is_soft, k / drag, fastest), fastest);
    sn_f8 mass = sn_f8_select(moves, one / (safe_kappa + gamma), zero);
    sn_store3(block->normal, sn_vec3x8_scale(along, inverse_length));
    sn_store(&block->inverse_mass[0], mass_a);
    sn_store(&block->inverse_mass[1], mass_b);
    sn_store(&block->mass, mass);
    sn_store(&block->softness, gamma * mass);
    sn_store(&block->bias, bias);
    sn_store(&block->relax_mass, sn_f8_select(moves & ~is_soft, one / safe_kappa, zero));
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

// One row: ΔΛ = −m (J·u + bias) − s Λ, clamped.
SN_INLINE void solve_block(const sn_element_pass *pass, sn_edge_block *block, sn_f8 mass, sn_f8 softness,
                           sn_f8 bias)
{
    sn_vec3x8 velocity_a = sn_gather_velocities(pass->velocities, block->node[0]);
    sn_vec3x8 velocity_b = sn_gather_velocities(pass->velocities, block->node[1]);
    sn_f8 speed = sn_vec3x8_dot(sn_load3(block->normal), sn_vec3x8_sub(velocity_b, velocity_a));
    sn_f8 old = sn_load(&block->impulse), h = sn_f8_set(pass->h);
    sn_f8 wanted = old - mass * (speed + bias) - softness * old;
    sn_f8 impulse = sn_f8_min(sn_f8_max(wanted, h * sn_load(&block->lower)), h * sn_load(&block->upper));
    push(block, impulse - old, &velocity_a, &velocity_b);
    sn_store(&block->impulse, impulse);
    sn_scatter_velocities(pass->velocities, block->node[0], velocity_a);
    sn_scatter_velocities(pass->velocities, block->node[1], velocity_b);
}

static void edges_refresh(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        refresh_block(pass, (sn_edge_block *)blocks + i);
    }
}

static void edges_warm_start(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        sn_edge_block *block = (sn_edge_block *)blocks + i;
        sn_vec3x8 velocity_a = sn_gather_velocities(pass->velocities, block->node[0]);
        sn_vec3x8 velocity_b = sn_gather_velocities(pass->velocities, block->node[1]);
        push(block, sn_load(&block->impulse), &velocity_a, &velocity_b);
        sn_scatter_velocities(pass->velocities, block->node[0], velocity_a);
        sn_scatter_velocities(pass->velocities, block->node[1], velocity_b);
    }
}

static void edges_solve(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int k = begin; k < end; ++k) {
        sn_edge_block *block = (sn_edge_block *)blocks + sn_element_turn(pass, begin, end, k);
        solve_block(pass, block, sn_load(&block->mass), sn_load(&block->softness), sn_load(&block->bias));
    }
}

static void edges_relax(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    sn_f8 zero = sn_f8_set(0.0f);
    for (int k = begin; k < end; ++k) {
        sn_edge_block *block = (sn_edge_block *)blocks + sn_element_turn(pass, begin, end, k);
        solve_block(pass, block, sn_load(&block->relax_mass), zero, zero);
    }
}

const sn_element_kind SN_EDGE_KIND = {.name = "edges",
                                      .block_size = sizeof(sn_edge_block),
                                      .memory = {{offsetof(sn_edge_block, impulse), 1, 0.0f}},
                                      .refresh = edges_refresh,
                                      .warm_start = edges_warm_start,
                                      .solve = edges_solve,
                                      .relax = edges_relax,
                                      .is_stiff = sn_edges_are_stiff,
                                      .measure = sn_edges_measure};

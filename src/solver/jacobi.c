// See jacobi.h. Loops over nodes and rows run in one order, so the bits are those of any number of
// threads.
// Tested by tests/physics/test_position_jacobi.c and test_position_cone.c.
#include "solver/position.h"
#include "solver/residual.h"

#include <math.h>
#include <string.h>

// --- memory ------------------------------------------------------------------------------------------------

// Patches split bodies, but for immovable ones.
static void split_bodies(const sn_run *run, int *patches)
{
    const sn_solver *solver = run->solver;
    for (int i = 0; i < solver->contact_count; ++i) {
        ++patches[solver->contacts[i].body_a];
        ++patches[solver->contacts[i].body_b];
    }
    for (int i = 0; i < solver->dynamic_begin; ++i) {
        patches[i] = 1;
    }
    for (int k = 0; k < run->packing.block_count * SN_LANES; ++k) {
        sn_contact_block *block = &run->packing.blocks[k / SN_LANES];
        int lane = k % SN_LANES, a = patches[block->body_a[lane]], b = patches[block->body_b[lane]];
        block->parts.lane[lane] = (float)(a > b ? a : b);
    }
}

bool sn_jacobi_make(sn_run *run)
{
    sn_jacobi *jacobi = &run->projection->jacobi;
    sn_solver *solver = run->solver;
    size_t count = sn_node_count_of(solver) + 1;
    solver->sharing =
        sn_arena_take_zero(solver->arena, count + (size_t)solver->body_count, sizeof *solver->sharing);
    jacobi->is_accelerated = solver->settings.position.method == SN_POSITION_JACOBI_ACCELERATED;
    jacobi->split = sn_arena_take_zero(solver->arena, count, sizeof *jacobi->split);
    jacobi->directions = sn_arena_take_zero(solver->arena, count, sizeof *jacobi->directions);
    jacobi->parts = sn_arena_take_zero(solver->arena, count, sizeof *jacobi->parts);
    jacobi->sum = sn_arena_take_zero(solver->arena, count, sizeof *jacobi->sum);
    if (!(solver->sharing && jacobi->split && jacobi->directions && jacobi->parts && jacobi->sum &&
          sn_velocities_make(solver, &solver->base) && sn_velocities_make(solver, &jacobi->begun) &&
          sn_velocities_make(solver, &jacobi->last))) {
        return false;
    }
    split_bodies(run, solver->sharing);
    run->pass.base = solver->base.bodies;
    return true;
}

// --- impulses ----------------------------------------------------------------------------------------------

// Rows that push two nodes along one direction each.
static bool is_at_once(const sn_element_group *group)
{
    return group->kind->direction > 0;
}

static void list(sn_jacobi *jacobi, void *blocks, size_t stride, int block_count, int count)
{
    for (int i = 0; i < block_count * count; ++i, ++jacobi->impulse_count) {
        if (jacobi->impulse_count < jacobi->impulse_room) {
            char *block = (char *)blocks + (size_t)(i / count) * stride;
            jacobi->impulses[jacobi->impulse_count] = (sn_lanes *)(void *)block + i % count;
        }
    }
}

static void list_impulses(const sn_run *run, sn_jacobi *jacobi)
{
    const sn_node_solver *nodes = &run->solver->nodes;
    sn_contact_lane_point *point = run->packing.points;
    sn_contact_block *block = run->packing.blocks;
    int count = run->packing.block_count;
    jacobi->impulse_count = 0;
    list(jacobi, &point->normal_impulse, sizeof *point, run->packing.point_count, 1);
    list(jacobi, block->tangent_impulse, sizeof *block, count, 2);
    list(jacobi, &block->twist_impulse, sizeof *block, count, 1);
    list(jacobi, block->rolling_impulse, sizeof *block, count, 3);
    for (int g = 0; g < nodes->group_count; ++g) {
        const sn_element_group *group = nodes->groups[g];
        const sn_element_memory *memory = &group->kind->memory[0];
        list(jacobi, (char *)group->blocks + memory->offset, group->kind->block_size,
             is_at_once(group) ? group->block_count : 0, memory->count);
    }
    for (int i = 0; i < nodes->coupling_count; ++i) {
        const sn_coupling_stage *stage = &nodes->coupling[i];
        size_t stride = 0;
        if (stage->rows != NULL) {
            sn_lanes *first = stage->rows(stage->data, &stride, &count);
            list(jacobi, first + 1, stride, count, 3);
        }
    }
}

// Contacts may have been detected again. Without memory nothing is accelerated.
void sn_jacobi_begin(sn_run *run)
{
    sn_jacobi *jacobi = &run->projection->jacobi;
    sn_arena *arena = run->solver->arena;
    jacobi->theta = 1.0f;
    list_impulses(run, jacobi);
    if (jacobi->impulse_count > jacobi->impulse_room) {
        size_t room = (size_t)jacobi->impulse_count;
        jacobi->impulses = sn_arena_take(arena, room, sizeof *jacobi->impulses);
        jacobi->last_impulses = sn_arena_take(arena, room, sizeof *jacobi->last_impulses);
        jacobi->changes = sn_arena_take(arena, room, sizeof *jacobi->changes);
        bool is_good = jacobi->impulses && jacobi->last_impulses && jacobi->changes;
        jacobi->impulse_room = is_good ? jacobi->impulse_count : 0;
        list_impulses(run, jacobi);
        jacobi->impulse_count = jacobi->impulse_room;
    }
    for (int k = 0; k < jacobi->impulse_count; ++k) {
        jacobi->last_impulses[k] = *jacobi->impulses[k];
    }
    sn_velocities_keep(run->solver, &jacobi->begun);
    sn_velocities_keep(run->solver, &jacobi->last);
}

// --- loops -------------------------------------------------------------------------------------------------

typedef void (*node_function)(const sn_run *run, const sn_jacobi *jacobi, int node);

static void for_nodes(const sn_run *run, const sn_jacobi *jacobi, node_function function)
{
    for (int r = 0; r < run->solver->nodes.range_count; ++r) {
        const sn_node_range *range = &run->solver->nodes.ranges[r];
        for (int i = range->first; i < range->first + range->count; ++i) {
            function(run, jacobi, i);
        }
    }
}

// --- parts -------------------------------------------------------------------------------------------------

// By this much above what it should be: directions turn within an iteration, and floats round.
#define MARGIN 1.02f

static sn_sym3 square_of(sn_sym3 m)
{
    return (sn_sym3){m.xx * m.xx + m.xy * m.xy + m.xz * m.xz, m.xy * m.xy + m.yy * m.yy + m.yz * m.yz,
                     m.xz * m.xz + m.yz * m.yz + m.zz * m.zz, m.xx * m.xy + m.xy * m.yy + m.xz * m.yz,
                     m.xx * m.xz + m.xy * m.yz + m.xz * m.zz, m.xy * m.xz + m.yy * m.yz + m.yz * m.zz};
}

// No less than the largest eigenvalue, and seldom more than by a tenth: the eighth root of the trace of m⁸.
static float largest_of(sn_sym3 m)
{
    sn_sym3 eighth = square_of(square_of(square_of(m)));
    return MARGIN * sqrtf(sqrtf(sqrtf(eighth.xx + eighth.yy + eighth.zz)));
}

static void add_directions(const sn_jacobi *jacobi, const sn_element_group *group)
{
    for (int b = 0; b < group->block_count; ++b) {
        const char *block = (const char *)group->blocks + (size_t)b * group->kind->block_size;
        const sn_places *ends = (const sn_places *)(const void *)block;
        const sn_lanes *n = (const sn_lanes *)(const void *)(block + group->kind->direction);
        for (int k = 0; k < 2 * SN_LANES; ++k) {
            int lane = k / 2;
            sn_sym3 *sum = &jacobi->directions[sn_places_node(&ends[k % 2], lane)];
            sn_vec3 d = sn_v(n[0].lane[lane], n[1].lane[lane], n[2].lane[lane]);
            *sum = (sn_sym3){sum->xx + d.x * d.x, sum->yy + d.y * d.y, sum->zz + d.z * d.z,
                             sum->xy + d.x * d.y, sum->xz + d.x * d.z, sum->yz + d.y * d.z};
        }
    }
}

static void split(const sn_run *run, const sn_jacobi *jacobi, int i)
{
    jacobi->split[i] = run->solver->nodes.pass.felt[i];
    jacobi->parts[i] = sn_max(1.0f, largest_of(jacobi->directions[i]));
    jacobi->split[i].inverse_mass *= jacobi->parts[i];
}

static void keep_base(const sn_run *run, const sn_jacobi *jacobi)
{
    sn_velocities_keep(run->solver, &run->solver->base);
    memset(jacobi->sum, 0, sn_node_count_of(run->solver) * sizeof *jacobi->sum);
}

// What rows have changed is added up, and forgotten.
static void take_change(const sn_run *run, const sn_jacobi *jacobi, int i)
{
    sn_node_velocity *v = &run->solver->nodes.pass.velocities[i];
    jacobi->sum[i] = sn_add(jacobi->sum[i], sn_sub(v->velocity, run->solver->base.nodes[i].velocity));
    *v = run->solver->base.nodes[i];
}

static void apply_mean(const sn_run *run, const sn_jacobi *jacobi, int i)
{
    run->solver->nodes.pass.velocities[i].velocity =
        sn_add_scaled(run->solver->base.nodes[i].velocity, 1.0f / jacobi->parts[i], jacobi->sum[i]);
}

// --- stages ------------------------------------------------------------------------------------------------

void sn_jacobi_linearise(sn_run *run)
{
    sn_jacobi *jacobi = &run->projection->jacobi;
    sn_node_solver *nodes = &run->solver->nodes;
    const sn_node_state *felt = nodes->pass.felt;
    memset(jacobi->directions, 0, sn_node_count_of(run->solver) * sizeof *jacobi->directions);
    for (int g = 0; g < nodes->group_count; ++g) {
        if (is_at_once(nodes->groups[g])) {
            add_directions(jacobi, nodes->groups[g]);
        }
    }
    for_nodes(run, jacobi, split);
    for (int g = 0; g < nodes->group_count; ++g) {
        nodes->pass.felt = is_at_once(nodes->groups[g]) ? jacobi->split : felt;
        sn_nodes_refresh_group(nodes, nodes->groups[g]);
    }
    nodes->pass.felt = felt;
    sn_nodes_refresh_coupling(nodes);
}

static void sweep_group(const sn_run *run, const sn_jacobi *jacobi, sn_element_group *group)
{
    for (int c = 0; c <= SN_ELEMENT_COLORS; ++c) {
        if (sn_nodes_run_color(&run->solver->nodes, group, c, group->kind->solve)) {
            for_nodes(run, jacobi, take_change);
        }
    }
}

void sn_jacobi_sweep(sn_run *run)
{
    sn_jacobi *jacobi = &run->projection->jacobi;
    sn_node_solver *nodes = &run->solver->nodes;
    keep_base(run, jacobi);
    for (int g = 0; g < nodes->group_count; ++g) {
        if (is_at_once(nodes->groups[g])) {
            sweep_group(run, jacobi, nodes->groups[g]);
        }
    }
    for_nodes(run, jacobi, apply_mean);
    for (int k = 0; k < nodes->group_count; ++k) {
        sn_element_group *group = sn_nodes_group_at(nodes, k);
        if (!is_at_once(group)) {
            sn_nodes_sweep_group(nodes, group, group->kind->solve);
        }
    }
}

// The kernels of warm starts make velocities of impulses.
static void push_by_impulses(sn_run *run, const sn_jacobi *jacobi)
{
    sn_node_solver *nodes = &run->solver->nodes;
    sn_run_warm_start(run);
    keep_base(run, jacobi);
    for (int g = 0; g < nodes->group_count; ++g) {
        if (is_at_once(nodes->groups[g])) {
            sn_nodes_run_colors(nodes, nodes->groups[g], nodes->groups[g]->kind->warm_start);
        }
    }
    for_nodes(run, jacobi, take_change);
    for_nodes(run, jacobi, apply_mean);
    for (int i = 0; i < nodes->coupling_count; ++i) {
        if (nodes->coupling[i].rows != NULL) {
            nodes->coupling[i].warm_start(nodes->coupling[i].data, &nodes->pass);
        }
    }
}

// Nesterov's step, y_k+1 = x_k+1 + part (x_k+1 − x_k), and a fresh start where x_k+1 − x_k leads uphill: the
// gradient at y_k is about minus the last change, x_k+1 − y_k.
void sn_jacobi_carry_on(sn_run *run)
{
    sn_jacobi *jacobi = &run->projection->jacobi;
    bool is_last = run->iteration + 1 == run->solver->settings.position.iterations;
    float theta = jacobi->theta, square = theta * theta;
    float next = 0.5f * (theta * sqrtf(square + 4.0f) - square);
    float part = theta * (1.0f - theta) / (square + next);
    bool restarts =
        is_last || !jacobi->is_accelerated || sn_change_product(run, &jacobi->begun, &jacobi->last) < 0.0;
    jacobi->theta = restarts ? 1.0f : next;
    sn_velocities_keep(run->solver, &jacobi->last);
    for (int k = 0; k < jacobi->impulse_count; ++k) {
        sn_f8 now = sn_load(jacobi->impulses[k]), change = now - sn_load(&jacobi->last_impulses[k]);
        sn_store(&jacobi->last_impulses[k], now);
        sn_store(&jacobi->changes[k], sn_f8_set(part) * change);
        *jacobi->impulses[k] = restarts ? *jacobi->impulses[k] : jacobi->changes[k];
    }
    if (!restarts) {
        push_by_impulses(run, jacobi);
        for (int k = 0; k < jacobi->impulse_count; ++k) {
            sn_store(jacobi->impulses[k], sn_load(&jacobi->changes[k]) + sn_load(&jacobi->last_impulses[k]));
        }
    }
    sn_velocities_keep(run->solver, &jacobi->begun);
}

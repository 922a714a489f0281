// See jacobi.h. Loops over nodes and rows run in one order, so the bits are those of any number of
// threads.
// Tested by tests/physics/test_position_jacobi.c.
#include "solver/jacobi.h"

#include <math.h>
#include <string.h>

// --- memory ------------------------------------------------------------------------------------------------

// Lanes of impulses of a group: those of its first memory.
static int lanes_of(const sn_element_group *group)
{
    return group->block_count * group->kind->memory[0].count;
}

static sn_lanes *impulses_of(const sn_element_group *group, int block)
{
    char *blocks = (char *)group->blocks + (size_t)block * group->kind->block_size;
    return (sn_lanes *)(void *)(blocks + group->kind->memory[0].offset);
}

static bool take_impulses(const sn_run *run, sn_jacobi *jacobi)
{
    const sn_node_solver *nodes = &run->solver->nodes;
    jacobi->last_impulses =
        sn_arena_take_zero(run->solver->arena, (size_t)nodes->group_count, sizeof(sn_lanes *));
    for (int g = 0; jacobi->last_impulses != NULL && g < nodes->group_count; ++g) {
        jacobi->last_impulses[g] =
            sn_arena_take(run->solver->arena, (size_t)lanes_of(nodes->groups[g]) + 1, sizeof(sn_lanes));
        if (jacobi->last_impulses[g] == NULL) {
            return false;
        }
    }
    return jacobi->last_impulses != NULL;
}

bool sn_jacobi_make(sn_run *run, sn_jacobi *jacobi)
{
    sn_arena *arena = run->solver->arena;
    jacobi->is_accelerated = run->solver->settings.position.method == SN_POSITION_JACOBI_ACCELERATED;
    if (!sn_cone_make(run, &jacobi->cone)) {
        return false;
    }
    run->cone = &jacobi->cone;
    if (run->solver->nodes.nodes == NULL) {
        return true;
    }
    size_t count = (size_t)run->solver->nodes.nodes->states.count;
    jacobi->split = sn_arena_take_zero(arena, count, sizeof *jacobi->split);
    jacobi->directions = sn_arena_take_zero(arena, count, sizeof *jacobi->directions);
    jacobi->parts = sn_arena_take_zero(arena, count, sizeof *jacobi->parts);
    jacobi->base = sn_arena_take_zero(arena, count, sizeof *jacobi->base);
    jacobi->sum = sn_arena_take_zero(arena, count, sizeof *jacobi->sum);
    jacobi->made = sn_arena_take_zero(arena, count, sizeof *jacobi->made);
    jacobi->last_made = sn_arena_take_zero(arena, count, sizeof *jacobi->last_made);
    return jacobi->split && jacobi->directions && jacobi->parts && jacobi->base && jacobi->sum &&
           jacobi->made && jacobi->last_made && take_impulses(run, jacobi);
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

static void forget_directions(const sn_run *run, const sn_jacobi *jacobi, int i)
{
    (void)run;
    jacobi->directions[i] = (sn_sym3){0};
}

static void clear(const sn_run *run, const sn_jacobi *jacobi, int i)
{
    (void)run;
    jacobi->made[i] = jacobi->last_made[i] = sn_v(0.0f, 0.0f, 0.0f);
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

// Rows of unknown directions: one of each colour at every node of the group.
static void add_identities(const sn_jacobi *jacobi, const sn_element_group *group)
{
    float count = (float)group->color_count;
    for (int i = group->first_node; i < group->first_node + group->node_count; ++i) {
        jacobi->directions[i].xx += count;
        jacobi->directions[i].yy += count;
        jacobi->directions[i].zz += count;
    }
}

static void split(const sn_run *run, const sn_jacobi *jacobi, int i)
{
    jacobi->split[i] = run->solver->nodes.pass.felt[i];
    jacobi->parts[i] = sn_max(1.0f, largest_of(jacobi->directions[i]));
    jacobi->split[i].inverse_mass *= jacobi->parts[i];
}

static void keep_base(const sn_run *run, const sn_jacobi *jacobi, int i)
{
    jacobi->base[i] = run->solver->nodes.pass.velocities[i];
    jacobi->sum[i].velocity = sn_v(0.0f, 0.0f, 0.0f);
}

// What rows have changed is added up, and forgotten.
static void take_change(const sn_run *run, const sn_jacobi *jacobi, int i)
{
    sn_node_velocity *v = &run->solver->nodes.pass.velocities[i];
    jacobi->sum[i].velocity = sn_add(jacobi->sum[i].velocity, sn_sub(v->velocity, jacobi->base[i].velocity));
    *v = jacobi->base[i];
}

static void apply_mean(const sn_run *run, const sn_jacobi *jacobi, int i)
{
    sn_vec3 change = sn_scale(jacobi->sum[i].velocity, 1.0f / jacobi->parts[i]);
    sn_node_velocity *v = &run->solver->nodes.pass.velocities[i];
    v->velocity = sn_add(jacobi->base[i].velocity, change);
    jacobi->made[i] = sn_add(jacobi->made[i], change);
    jacobi->sum[i].velocity = change;
}

// --- stages ------------------------------------------------------------------------------------------------

static void keep_impulses(const sn_run *run, const sn_jacobi *jacobi)
{
    const sn_node_solver *nodes = &run->solver->nodes;
    for (int g = 0; g < nodes->group_count; ++g) {
        const sn_element_group *group = nodes->groups[g];
        int count = group->kind->memory[0].count;
        for (int b = 0; b < group->block_count; ++b) {
            memcpy(&jacobi->last_impulses[g][b * count], impulses_of(group, b),
                   (size_t)count * sizeof(sn_lanes));
        }
    }
}

void sn_jacobi_begin(const sn_run *run, sn_jacobi *jacobi)
{
    jacobi->theta = 1.0f;
    sn_cone_begin(run, &jacobi->cone);
    if (run->solver->nodes.nodes != NULL) {
        for_nodes(run, jacobi, clear);
        keep_impulses(run, jacobi);
    }
}

void sn_jacobi_linearise(const sn_run *run, const sn_jacobi *jacobi)
{
    sn_node_solver *nodes = &run->solver->nodes;
    const sn_node_state *felt = nodes->pass.felt;
    for_nodes(run, jacobi, forget_directions);
    for (int g = 0; g < nodes->group_count; ++g) {
        (nodes->groups[g]->kind->direction > 0 ? add_directions : add_identities)(jacobi, nodes->groups[g]);
    }
    for_nodes(run, jacobi, split);
    nodes->pass.felt = jacobi->split;
    sn_nodes_refresh_elements(nodes);
    nodes->pass.felt = felt;
    sn_nodes_refresh_coupling(nodes);
}

static void sweep_group(const sn_run *run, const sn_jacobi *jacobi, sn_element_group *group)
{
    sn_element_group one = *group;
    for (int c = 0; c <= SN_ELEMENT_COLORS; ++c) {
        if (group->color_begin[c + 1] == group->color_begin[c]) {
            continue;
        }
        for (int k = 0; k <= SN_ELEMENT_COLORS + 1; ++k) { // this colour alone
            one.color_begin[k] = k <= c ? group->color_begin[c] : group->color_begin[c + 1];
        }
        sn_nodes_run_colors(&run->solver->nodes, &one, group->kind->solve);
        for_nodes(run, jacobi, take_change);
    }
}

// Whether the step from x_k to x_k+1 leads uphill: the gradient at y_k is about minus the last change.
static bool leads_uphill(const sn_run *run, const sn_jacobi *jacobi)
{
    double sum = sn_cone_slope(run, &jacobi->cone);
    for (int r = 0; r < run->solver->nodes.range_count; ++r) {
        const sn_node_range *range = &run->solver->nodes.ranges[r];
        for (int i = range->first; i < range->first + range->count; ++i) {
            float w = run->solver->nodes.pass.nodes[i].inverse_mass;
            sn_vec3 way = sn_sub(jacobi->made[i], jacobi->last_made[i]);
            sum += w > 0.0f ? (double)(sn_dot(jacobi->sum[i].velocity, way) / w) : 0.0;
        }
    }
    return sum < 0.0;
}

// y_k+1 = x_k+1 + part (x_k+1 − x_k), of velocities and of impulses.
static void carry_on(const sn_run *run, sn_jacobi *jacobi, float part)
{
    const sn_node_solver *nodes = &run->solver->nodes;
    for (int r = 0; r < nodes->range_count; ++r) {
        for (int i = nodes->ranges[r].first; i < nodes->ranges[r].first + nodes->ranges[r].count; ++i) {
            sn_vec3 now = jacobi->made[i], more = sn_scale(sn_sub(now, jacobi->last_made[i]), part);
            nodes->pass.velocities[i].velocity = sn_add(nodes->pass.velocities[i].velocity, more);
            jacobi->made[i] = sn_add(now, more);
            jacobi->last_made[i] = now;
        }
    }
    for (int g = 0; g < nodes->group_count; ++g) {
        const sn_element_group *group = nodes->groups[g];
        int count = group->kind->memory[0].count;
        for (int k = 0; k < group->block_count * count; ++k) {
            sn_lanes *lanes = &impulses_of(group, k / count)[k % count], *last = &jacobi->last_impulses[g][k];
            sn_f8 now = sn_load(lanes);
            sn_store(lanes, now + sn_f8_set(part) * (now - sn_load(last)));
            sn_store(last, now);
        }
    }
}

void sn_jacobi_sweep(const sn_run *run, const sn_jacobi *jacobi)
{
    const sn_node_solver *nodes = &run->solver->nodes;
    for_nodes(run, jacobi, keep_base);
    for (int g = 0; g < nodes->group_count; ++g) {
        if (nodes->groups[g]->kind->solve != NULL) {
            sweep_group(run, jacobi, nodes->groups[g]);
        }
    }
    for_nodes(run, jacobi, apply_mean);
}

void sn_jacobi_carry_on(sn_run *run, sn_jacobi *jacobi)
{
    bool is_last = run->iteration + 1 == run->solver->settings.position.iterations;
    float theta = jacobi->theta, square = theta * theta;
    float next = 0.5f * (theta * sqrtf(square + 4.0f) - square);
    float part = theta * (1.0f - theta) / (square + next);
    if (is_last || !jacobi->is_accelerated || leads_uphill(run, jacobi)) {
        part = 0.0f;
        next = 1.0f;
    }
    jacobi->theta = next;
    sn_cone_carry_on(run, &jacobi->cone, part);
    if (run->solver->nodes.nodes != NULL) {
        carry_on(run, jacobi, part);
    }
}

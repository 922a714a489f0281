// Projected Jacobi, plain or with Nesterov's acceleration and restarts (methods D.3, D.6): rows that all see
// the same velocities. Such are the edges and bounds of deformables, contacts of bodies, and contacts of
// nodes: kinds that are taken in turn. Rows of a kind change their impulses alone; then these are carried on
// in the direction in which they changed, unless that leads uphill, and the kernels of warm starts make
// velocities of what they changed by.
//
// **Edges** solve themselves by their own kernels, as if each were alone, and take the part 1/f of that step.
// It is safe if D ≥ N for the rows' N = Σ_a w_a G_a G_aᵀ, G_a their gradients at node a, and D_i = f Σ_a w_a
// |g_ia|², as f is no less at either node than the largest eigenvalue of Σ_i ĝ_ia ĝ_iaᵀ, a sum of 3 × 3
// matrices: 2 where threads of cloth cross, whose rows number 4. No row sum of N is smaller.
//
// **Contacts** step against their residuals and are projected on their friction cones (friction_cone8.h).
// Bodies are split into as many parts as they have patches, and bodies and nodes that deformables touch into
// as many as they have contacts that act.
//
// Other rows are swept one after the other, as in Gauss–Seidel: joints, bending, volumes and tetrahedra.
// (Some forty tetrahedra meet at a node: steps of that many parts resolve next to nothing.)
//
// Loops over nodes and rows run in one order, so the bits are those of any number of threads.
// Tested by tests/physics/test_position_jacobi.c and test_position_cone.c.
#include "solver/position.h"

#include <math.h>
#include <string.h>

enum { SN_JACOBI_CONTACTS, SN_JACOBI_EDGES, SN_JACOBI_SOFT, SN_JACOBI_KINDS }; // soft: contacts of nodes

typedef struct jacobi_impulse {
    sn_lanes *now;
    sn_lanes begun, last; // y_k, which an iteration begins with, and x_k
} jacobi_impulse;

typedef struct sn_jacobi {
    sn_sym3 *directions;           // Σ ĝ ĝᵀ of each node's rows, of which f
    sn_node_velocity *base;        // of nodes, before edges
    jacobi_impulse *impulses;      // by kind
    int room;                      // for so many of them
    const sn_coupling_stage *soft; // contacts of nodes
    int begin[SN_JACOBI_KINDS + 1];
    float theta[SN_JACOBI_KINDS]; // Nesterov's
} sn_jacobi;

// --- impulses ----------------------------------------------------------------------------------------------

// Rows that push two nodes along one direction each.
static bool is_at_once(const sn_element_group *group)
{
    return group->kind->direction > 0;
}

// `count` impulses of each block. Those of a kind follow those of the kinds before.
static void list(sn_jacobi *jacobi, int kind, void *first, size_t stride, int block_count, int count)
{
    for (int i = 0; i < block_count * count; ++i) {
        int next = jacobi->begin[kind + 1]++;
        if (next < jacobi->room) {
            char *block = (char *)first + (size_t)(i / count) * stride;
            jacobi->impulses[next].now = (sn_lanes *)(void *)block + i % count;
        }
    }
}

// Returns how many there are.
static int list_impulses(const sn_run *run, sn_jacobi *jacobi)
{
    const sn_node_solver *nodes = &run->solver->nodes;
    sn_contact_lane_point *point = run->packing.points;
    sn_contact_block *block = run->packing.blocks;
    int count = run->packing.block_count, *begin = jacobi->begin;
    begin[SN_JACOBI_CONTACTS] = begin[SN_JACOBI_EDGES] = 0;
    list(jacobi, SN_JACOBI_CONTACTS, &point->normal_impulse, sizeof *point, run->packing.point_count, 1);
    list(jacobi, SN_JACOBI_CONTACTS, block->tangent_impulse, sizeof *block, count, 6); // twist, rolling
    begin[SN_JACOBI_SOFT] = begin[SN_JACOBI_EDGES];
    for (int g = 0; g < nodes->group_count; ++g) {
        const sn_element_group *group = nodes->groups[g];
        const sn_element_memory *memory = &group->kind->memory[0];
        list(jacobi, SN_JACOBI_EDGES, (char *)group->blocks + memory->offset, group->kind->block_size,
             is_at_once(group) ? group->block_count : 0, memory->count);
    }
    begin[SN_JACOBI_SOFT + 1] = begin[SN_JACOBI_SOFT];
    for (int i = 0; i < nodes->coupling_count; ++i) {
        const sn_coupling_stage *stage = &nodes->coupling[i];
        size_t stride = 0;
        if (stage->rows != NULL) {
            sn_lanes *first = stage->rows(stage->data, &stride, &count);
            list(jacobi, SN_JACOBI_SOFT, first + 1, stride, count, 3);
            jacobi->soft = stage;
        }
    }
    return begin[SN_JACOBI_KINDS];
}

// --- parts -------------------------------------------------------------------------------------------------

// Patches split bodies, but for immovable ones.
static void split_bodies(const sn_run *run, int *patches)
{
    const sn_solver *solver = run->solver;
    for (int i = 0; i < solver->contact_count; ++i) {
        ++patches[solver->contacts[i].body_a];
        ++patches[solver->contacts[i].body_b];
    }
    memset(patches, 0, (size_t)solver->dynamic_begin * sizeof *patches);
    for (int k = 0; k < run->packing.block_count * SN_LANES; ++k) {
        sn_contact_block *block = &run->packing.blocks[k / SN_LANES];
        int lane = k % SN_LANES, a = patches[block->body_a[lane]], b = patches[block->body_b[lane]];
        block->parts.lane[lane] = sn_max((float)(a > b ? a : b), 1.0f);
    }
}

// By this much above what it should be: directions turn within an iteration, and floats round.
#define MARGIN 1.02f

// No less than the largest eigenvalue, which follows from the mean of all and from their squares (Wolkowicz
// and Styan 1980), nor than 1, the part of a row alone.
static float largest_of(sn_sym3 m)
{
    float mean = (m.xx + m.yy + m.zz) / 3.0f, x = m.xx - mean, y = m.yy - mean, z = m.zz - mean;
    float aside = m.xy * m.xy + m.xz * m.xz + m.yz * m.yz;
    return sn_max(1.0f, MARGIN * (mean + sqrtf((x * x + y * y + z * z + 2.0f * aside) * (2.0f / 3.0f))));
}

static const sn_places *ends_of(const sn_element_group *group, int block)
{
    return (const sn_places *)(const void *)((const char *)group->blocks +
                                             (size_t)block * group->kind->block_size);
}

static void add_directions(const sn_jacobi *jacobi, const sn_element_group *group, const sn_node_state *felt)
{
    for (int k = 0; k < group->block_count * 2 * SN_LANES; ++k) {
        const sn_places *ends = ends_of(group, k / SN_LANES / 2);
        const sn_lanes *n = (const sn_lanes *)(const void *)((const char *)ends + group->kind->direction);
        int lane = k / 2 % SN_LANES, node = sn_places_node(&ends[k % 2], lane);
        sn_sym3 *sum = &jacobi->directions[node];
        sn_vec3 d = sn_scale(sn_lanes_take3(n, lane), felt[node].inverse_mass > 0.0f ? 1.0f : 0.0f);
        *sum = (sn_sym3){sum->xx + d.x * d.x, sum->yy + d.y * d.y, sum->zz + d.z * d.z,
                         sum->xy + d.x * d.y, sum->xz + d.x * d.z, sum->yz + d.y * d.z};
    }
}

// Rows that have solved themselves alone take the part of their step that is safe. Returns the number of the
// impulse after theirs.
static int shorten(const sn_jacobi *jacobi, const sn_element_group *group, int first)
{
    int count = group->kind->memory[0].count, end = first + group->block_count * count;
    for (int k = first * SN_LANES; k < end * SN_LANES; ++k) {
        int i = k / SN_LANES, lane = k % SN_LANES;
        const sn_places *ends = ends_of(group, (i - first) / count);
        float most = sn_max(largest_of(jacobi->directions[sn_places_node(&ends[0], lane)]),
                            largest_of(jacobi->directions[sn_places_node(&ends[1], lane)]));
        float *impulse = &jacobi->impulses[i].now->lane[lane], old = jacobi->impulses[i].begun.lane[lane];
        *impulse = old + (*impulse - old) / most;
    }
    return end;
}

static void project_edges(const sn_jacobi *jacobi, sn_node_solver *nodes, size_t count)
{
    memcpy(jacobi->base, nodes->pass.velocities, count * sizeof *jacobi->base);
    memset(jacobi->directions, 0, count * sizeof *jacobi->directions);
    for (int g = 0; g < nodes->group_count; ++g) {
        sn_element_group *group = nodes->groups[g];
        for (int c = 0; c <= SN_ELEMENT_COLORS && is_at_once(group); ++c) {
            if (sn_nodes_run_color(nodes, group, c, group->kind->solve)) {
                memcpy(nodes->pass.velocities, jacobi->base, count * sizeof *jacobi->base);
            }
        }
        if (is_at_once(group)) {
            add_directions(jacobi, group, nodes->pass.felt);
        }
    }
    for (int g = 0, k = jacobi->begin[SN_JACOBI_EDGES]; g < nodes->group_count; ++g) {
        k = is_at_once(nodes->groups[g]) ? shorten(jacobi, nodes->groups[g], k) : k;
    }
}

static void push_edges(sn_node_solver *nodes)
{
    for (int g = 0; g < nodes->group_count; ++g) {
        if (is_at_once(nodes->groups[g])) {
            sn_nodes_run_colors(nodes, nodes->groups[g], nodes->groups[g]->kind->warm_start);
        }
    }
}

// --- steps -------------------------------------------------------------------------------------------------

// Changes the impulses of a kind, or pushes by them.
static void run_kind(sn_run *run, int kind, bool pushes)
{
    sn_node_solver *nodes = &run->solver->nodes;
    const sn_coupling_stage *stage = run->projection->jacobi->soft;
    if (kind == SN_JACOBI_CONTACTS) {
        sn_run_sweep_blocks(run, pushes ? run->kernels->warm_start : run->kernels->project);
    } else if (kind == SN_JACOBI_EDGES && pushes) {
        push_edges(nodes);
    } else if (kind == SN_JACOBI_EDGES) {
        project_edges(run->projection->jacobi, nodes, sn_node_count_of(run->solver));
    } else if (pushes) {
        stage->warm_start(stage->data, &nodes->pass);
    } else {
        stage->project(stage->data);
    }
}

// Nesterov's step, y_k+1 = x_k+1 + part (x_k+1 − x_k), and a fresh start where x_k+1 − x_k leads uphill: the
// gradient at y_k is about minus the last change, x_k+1 − y_k.
static void step(sn_run *run, int kind)
{
    sn_jacobi *jacobi = run->projection->jacobi;
    const sn_position *position = &run->solver->settings.position;
    bool is_first = run->iteration == 0, is_last = run->iteration + 1 == position->iterations;
    int begin = jacobi->begin[kind], end = jacobi->begin[kind + 1];
    float theta = is_first ? 1.0f : jacobi->theta[kind], square = theta * theta;
    float next = 0.5f * (theta * sqrtf(square + 4.0f) - square);
    double uphill = 0.0;
    if (end > jacobi->room) {
        return;
    }
    for (int k = begin; k < end; ++k) {
        jacobi_impulse *impulse = &jacobi->impulses[k];
        impulse->begun = *impulse->now;
        impulse->last = is_first ? *impulse->now : impulse->last;
    }
    run_kind(run, kind, false);
    for (int k = begin * SN_LANES; k < end * SN_LANES; ++k) {
        const jacobi_impulse *impulse = &jacobi->impulses[k / SN_LANES];
        float now = impulse->now->lane[k % SN_LANES], last = impulse->last.lane[k % SN_LANES];
        uphill += (double)((impulse->begun.lane[k % SN_LANES] - now) * (now - last));
    }
    bool restarts = is_last || position->method != SN_POSITION_JACOBI_ACCELERATED || uphill > 0.0;
    sn_f8 part = sn_f8_set(restarts ? 0.0f : theta * (1.0f - theta) / (square + next));
    jacobi->theta[kind] = restarts ? 1.0f : next;
    for (int k = begin; k < end; ++k) {
        jacobi_impulse *impulse = &jacobi->impulses[k];
        sn_f8 now = sn_load(impulse->now), ahead = now + part * (now - sn_load(&impulse->last));
        sn_store(&impulse->last, now);
        sn_store(impulse->now, ahead - sn_load(&impulse->begun));
        sn_store(&impulse->begun, ahead);
    }
    run_kind(run, kind, true);
    for (int k = begin; k < end; ++k) {
        *jacobi->impulses[k].now = jacobi->impulses[k].begun;
    }
}

// They come first in an iteration, and may have been detected again. Kinds that there is no memory for are
// left out.
static void sweep_contacts(sn_run *run)
{
    sn_jacobi *jacobi = run->projection->jacobi;
    int count = run->iteration == 0 ? list_impulses(run, jacobi) : 0;
    if (count > jacobi->room) {
        jacobi->impulses = sn_arena_take(run->solver->arena, (size_t)count, sizeof *jacobi->impulses);
        jacobi->room = jacobi->impulses != NULL ? count : 0;
        list_impulses(run, jacobi);
    }
    step(run, SN_JACOBI_CONTACTS);
}

void sn_jacobi_sweep_elements(sn_run *run)
{
    sn_node_solver *nodes = &run->solver->nodes;
    step(run, SN_JACOBI_EDGES);
    for (int k = 0; k < nodes->group_count; ++k) {
        sn_element_group *group = sn_nodes_group_at(nodes, k);
        if (!is_at_once(group)) {
            sn_nodes_sweep_group(nodes, group, group->kind->solve);
        }
    }
}

void sn_jacobi_sweep_coupling(sn_run *run)
{
    sn_node_solver *nodes = &run->solver->nodes;
    for (int i = 0; i < nodes->coupling_count; ++i) {
        if (nodes->coupling[i].rows != NULL) {
            step(run, SN_JACOBI_SOFT);
        } else {
            nodes->coupling[i].sweep(nodes->coupling[i].data, &nodes->pass, true);
        }
    }
}

bool sn_jacobi_make(sn_run *run)
{
    sn_solver *solver = run->solver;
    size_t count = sn_node_count_of(solver) + 1;
    sn_jacobi *jacobi = run->projection->jacobi = sn_arena_take_zero(solver->arena, 1, sizeof *jacobi);
    if (jacobi == NULL) {
        return false;
    }
    solver->sharing =
        sn_arena_take_zero(solver->arena, count + (size_t)solver->body_count, sizeof *solver->sharing);
    jacobi->directions = sn_arena_take_zero(solver->arena, count, sizeof *jacobi->directions);
    jacobi->base = sn_arena_take_zero(solver->arena, count, sizeof *jacobi->base);
    if (!(solver->sharing && jacobi->directions && jacobi->base)) {
        return false;
    }
    split_bodies(run, solver->sharing);
    run->sweep_contacts = sweep_contacts;
    return true;
}

// What schemes share: the table of them, their room, damping around them.
// Tested by tests/model/test_integrators.c.
#include "model/integrators/integrator.h"

#include "base/allocate.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { NODE_GRAIN = 512 };

static const sn_integrator_kind *const kinds[SN_INTEGRATOR_COUNT] = {
    [SN_INTEGRATOR_EULER_CROMER] = &sn_euler_cromer_kind,
    [SN_INTEGRATOR_EXPLICIT_EULER] = &sn_explicit_euler_kind,
    [SN_INTEGRATOR_MIDPOINT] = &sn_midpoint_kind,
    [SN_INTEGRATOR_HEUN] = &sn_heun_kind,
    [SN_INTEGRATOR_VERLET] = &sn_verlet_kind,
    [SN_INTEGRATOR_IMPLICIT_EULER] = &sn_implicit_euler_kind,
};

const sn_integrator_kind *sn_integrator_kind_of(sn_integrator integrator)
{
    return (int)integrator >= 0 && integrator < SN_INTEGRATOR_COUNT ? kinds[integrator] : NULL;
}

// --- making ------------------------------------------------------------------------------------------------

void sn_integration_destroy(sn_integration *it)
{
    if (it == NULL) {
        return;
    }
    size_t nodes = (size_t)it->node_count;
    sn_release(it->forces, nodes * sizeof *it->forces);
    sn_release(it->middle_states, nodes * sizeof *it->middle_states);
    sn_release(it->middle_velocities, nodes * sizeof *it->middle_velocities);
    sn_release(it->change, nodes * sizeof *it->change);
    sn_conjugate_release(&it->room);
    sn_release(it->memory, it->memory_size);
    sn_release(it, sizeof *it);
}

// No node was ever where memory begins: nodes so far away are frozen.
void sn_integration_forget_forces(sn_integration *it)
{
    for (int i = 0; it->remembered != NULL && i < it->node_count; ++i) {
        it->remembered[i] = (sn_node_force){0};
        it->places[i] = sn_v(FLT_MAX, FLT_MAX, FLT_MAX);
    }
}

static bool make_memory(sn_integration *it)
{
    size_t nodes = (size_t)it->node_count;
    size_t kept = it->kind->keeps_forces && it->field.forces != NULL ? nodes : 0;
    it->memory_size = kept * (sizeof *it->remembered + sizeof *it->places) + nodes * sizeof *it->remainders;
    it->memory = sn_allocate_zero(1, it->memory_size);
    if (it->memory == NULL) {
        return false;
    }
    if (kept > 0) {
        it->remembered = it->memory;
        it->places = (sn_vec3 *)(void *)(it->remembered + kept);
    }
    it->remainders = kept > 0 ? it->places + kept : it->memory;
    sn_integration_forget_forces(it);
    return true;
}

static bool make_room(sn_integration *it)
{
    const sn_integrator_kind *kind = it->kind;
    size_t nodes = (size_t)it->node_count;
    it->forces = sn_allocate_zero(nodes, sizeof *it->forces);
    it->change = kind->has_change ? sn_allocate_zero(nodes, sizeof *it->change) : NULL;
    if (kind->has_middle) {
        it->middle_states = sn_allocate_zero(nodes, sizeof *it->middle_states);
        it->middle_velocities = sn_allocate_zero(nodes, sizeof *it->middle_velocities);
    }
    return it->forces != NULL && (it->change != NULL || !kind->has_change) &&
           ((it->middle_states != NULL && it->middle_velocities != NULL) || !kind->has_middle) &&
           (it->field.add_diagonal == NULL || sn_conjugate_make(&it->room, it->node_count)) &&
           make_memory(it);
}

sn_integration *sn_integration_create(const sn_integrator_kind *kind, sn_force_field field, int first_node,
                                      int node_count)
{
    sn_integration *it = sn_allocate_zero(1, sizeof *it);
    if (it == NULL) {
        return NULL;
    }
    *it = (sn_integration){.kind = kind, .field = field, .first_node = first_node, .node_count = node_count};
    if (!make_room(it)) {
        sn_integration_destroy(it);
        return NULL;
    }
    return it;
}

// --- loops -------------------------------------------------------------------------------------------------

void sn_integration_nodes(sn_integration *it, const sn_element_pass *pass, sn_tasks *tasks,
                          sn_task_function function)
{
    sn_integration_loop loop = {it, pass, pass->nodes + it->first_node, pass->velocities + it->first_node};
    sn_tasks_for(tasks, it->node_count, NODE_GRAIN, function, &loop);
}

// The model's forces, and the damping that is added.
static void find_forces(sn_integration *it, const sn_node_state *states, const sn_node_velocity *velocities,
                        sn_node_force *forces, sn_tasks *tasks)
{
    const sn_force_field *field = &it->field;
    field->forces(field->model, states, velocities, forces, tasks);
    if (!(it->least_damping > 0.0f)) {
        return;
    }
    // Relative to one of them: K takes no notice of a common velocity but by rounding, which costs momentum.
    for (int i = 0; i < it->node_count; ++i) {
        it->room.direction[i] = sn_sub(velocities[i].velocity, velocities[0].velocity);
    }
    field->resist(field->model, states, (sn_resistance){it->least_damping, 0.0f}, it->room.direction,
                  it->room.image, tasks);
    for (int i = 0; i < it->node_count; ++i) {
        forces[i].force = sn_add(forces[i].force, it->room.image[i]);
    }
}

void sn_integration_forces(sn_integration *it, const sn_element_pass *pass, sn_node_force *forces,
                           sn_tasks *tasks)
{
    if (it->field.forces != NULL) {
        find_forces(it, pass->nodes + it->first_node, pass->velocities + it->first_node, forces, tasks);
    }
}

// --- the halves of Heun and midpoint -----------------------------------------------------------------------

static void go_half(void *context, int begin, int end)
{
    const sn_integration_loop *loop = context;
    sn_integration *it = loop->it;
    for (int i = begin; i < end; ++i) {
        sn_vec3 acceleration = sn_integration_acceleration(loop, i, it->forces[i].force);
        it->middle_states[i] = loop->states[i];
        it->middle_velocities[i] = loop->velocities[i];
        it->change[i] = sn_scale(acceleration, 0.5f * loop->pass->h);
        sn_integration_set(loop, i, sn_add(loop->velocities[i].velocity, it->change[i]));
    }
}

void sn_integration_half_way(sn_integration *it, const sn_element_pass *pass, sn_tasks *tasks)
{
    sn_integration_forces(it, pass, it->forces, tasks);
    sn_integration_nodes(it, pass, tasks, go_half);
}

void sn_integration_add_change(void *context, int begin, int end)
{
    const sn_integration_loop *loop = context;
    for (int i = begin; i < end; ++i) {
        sn_integration_finish(loop, i, loop->velocities[i].velocity, loop->it->change[i]);
    }
}

// --- a sub-step --------------------------------------------------------------------------------------------

static void damp_half(void *context, int begin, int end)
{
    const sn_integration_loop *loop = context;
    float decay = sn_decay(0.5f * loop->pass->h * loop->it->linear_damping);
    for (int i = begin; i < end; ++i) {
        sn_vec3 *velocity = &loop->velocities[i].velocity;
        if (loop->states[i].inverse_mass > 0.0f) {
            *velocity = sn_add_scaled(*velocity, -decay, *velocity);
        }
    }
}

// A bound: the lesser of the largest sum of a row and of the root of the sum of squares.
static float largest_eigenvalue(const sn_sym3 *b)
{
    float xy = sn_abs(b->xy), xz = sn_abs(b->xz), yz = sn_abs(b->yz);
    float row = sn_max(sn_abs(b->xx) + xy + xz, sn_max(sn_abs(b->yy) + xy + yz, sn_abs(b->zz) + xz + yz));
    float squares = b->xx * b->xx + b->yy * b->yy + b->zz * b->zz + 2.0f * (xy * xy + xz * xz + yz * yz);
    return sn_min(row, sqrtf(squares));
}

// A bound of (ωh)² + 2hd: a motion of all nodes is at most twice as fast, by ω², as that of one among resting
// ones.
static float stiffness_in(sn_integration *it, const sn_element_pass *pass)
{
    const sn_node_state *states = pass->nodes + it->first_node;
    sn_sym3 *blocks = it->room.blocks;
    float most = 0.0f, h = pass->h;
    memset(blocks, 0, (size_t)it->node_count * sizeof *blocks);
    it->field.add_diagonal(it->field.model, states, (sn_resistance){h * h, 2.0f * h}, blocks);
    for (int i = 0; i < it->node_count; ++i) {
        most = sn_max(most, 2.0f * states[i].inverse_mass * largest_eigenvalue(&blocks[i]));
    }
    return most;
}

// Whether a bound that is found sooner tells that the scheme bears the stiffness. A growth of 4 needs to know
// it in any case.
static bool is_surely_borne(const sn_integration *it, const sn_element_pass *pass)
{
    const sn_node_state *states = pass->nodes + it->first_node;
    sn_resistance resistance = {pass->h * pass->h, 2.0f * pass->h};
    return it->kind->growth != 4 && it->field.diagonal_bound != NULL &&
           2.0f * it->field.diagonal_bound(it->field.model, states, resistance) <= it->kind->most;
}

// How the present sub-step goes.
static void choose(sn_integration *it, const sn_element_pass *pass)
{
    const sn_integrator_kind *kind = it->kind;
    it->now = kind;
    it->least_damping = 0.0f;
    if (kind->most == 0.0f || it->field.add_diagonal == NULL) {
        return;
    }
    float stiffness = is_surely_borne(it, pass) ? 0.0f : stiffness_in(it, pass);
    if (stiffness > kind->most) {
        it->now = &sn_implicit_euler_kind;
    } else if (kind->growth > 0) {
        it->least_damping = kind->growth == 2 ? pass->h : 0.25f * stiffness * pass->h;
    }
}

void sn_integration_predict(void *integration, const sn_element_pass *pass, sn_tasks *tasks)
{
    sn_integration *it = integration;
    if (it->linear_damping > 0.0f) {
        sn_integration_nodes(it, pass, tasks, damp_half);
    }
    choose(it, pass);
    it->now->predict(it, pass, tasks);
}

void sn_integration_complete(void *integration, const sn_element_pass *pass, sn_tasks *tasks)
{
    sn_integration *it = integration;
    const sn_integrator_kind *now = it->now;
    if (now->place_middle != NULL && it->field.forces != NULL) {
        sn_integration_nodes(it, pass, tasks, now->place_middle);
        find_forces(it, it->middle_states, it->middle_velocities, it->forces, tasks);
    }
    if (now->keeps_forces && it->remembered != NULL) {
        sn_integration_forces(it, pass, it->remembered, tasks);
    }
    if (now->go_on != NULL) {
        sn_integration_nodes(it, pass, tasks, now->go_on);
    }
    if (it->linear_damping > 0.0f) {
        sn_integration_nodes(it, pass, tasks, damp_half);
    }
}

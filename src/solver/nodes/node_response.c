// Touched nodes of implicit models: their felt masses, and the answers of models to impulses.
#include "solver/nodes/node_response.h"
#include "solver/nodes/node_felt.h"

#include <string.h>

// Least felt inverse mass of a touched node, as a part of its own: rows need some.
#define LEAST_GIVEN 1.0e-3f

// --- making them -------------------------------------------------------------------------------------------

// Clears the mark of fixed nodes and of those that exact attachments hold. Returns how many are left.
static int count_touched(const sn_node_solver *solver, const sn_model_stage *stage, uint8_t *touched)
{
    int count = 0;
    for (int i = stage->first_node; i < stage->first_node + stage->node_count; ++i) {
        bool can_move = solver->pass.nodes[i].inverse_mass > 0.0f;
        touched[i] = touched[i] && can_move && !sn_felt_is_set(solver, i);
        count += touched[i] ? 1 : 0;
    }
    return count;
}

static bool make_response(sn_node_solver *solver, uint8_t *touched, const sn_model_stage *stage,
                          sn_node_response *response)
{
    sn_arena *arena = solver->arena;
    int count = count_touched(solver, stage, touched);
    float *given = sn_arena_take(arena, (size_t)stage->node_count, sizeof *given);
    *response = (sn_node_response){.stage = stage,
                                   .nodes = sn_arena_take(arena, (size_t)count, sizeof *response->nodes),
                                   .before = sn_arena_take(arena, (size_t)count, sizeof *response->before),
                                   .field = sn_arena_take(arena, (size_t)stage->node_count, sizeof(sn_vec3))};
    if (!given || !response->nodes || !response->before || !response->field) {
        return false;
    }
    if (count == 0) {
        return true;
    }
    stage->estimate_response(stage->model, &solver->pass, touched + stage->first_node, given, solver->tasks);
    for (int i = 0; i < stage->node_count; ++i) {
        int node = stage->first_node + i;
        if (touched[node]) {
            float part = given[i] < 1.0f ? sn_max(given[i], LEAST_GIVEN) : 1.0f; // 1 if it is not finite
            response->nodes[response->count++] = node;
            if (!sn_felt_set(solver, node, solver->pass.nodes[node].inverse_mass * part)) {
                return false;
            }
        }
    }
    return true;
}

// Models that respond, with the nodes that coupling rows touch.
static bool make_responses(sn_node_solver *solver, sn_node_responses *responses, uint8_t *touched)
{
    for (int i = 0; i < solver->model_count; ++i) {
        sn_node_response *next = &responses->items[responses->count];
        if (solver->models[i].respond == NULL) {
            continue;
        }
        if (!make_response(solver, touched, &solver->models[i], next)) {
            return false;
        }
        responses->count += next->count > 0 ? 1 : 0;
    }
    return true;
}

bool sn_responses_begin(sn_node_solver *solver)
{
    int able = 0;
    for (int i = 0; i < solver->model_count; ++i) {
        able += solver->models[i].respond != NULL ? 1 : 0;
    }
    if (able == 0) {
        return true;
    }
    uint8_t *touched = sn_arena_take_zero(solver->arena, (size_t)solver->nodes->states.count, 1);
    sn_node_responses *responses = sn_arena_take_zero(solver->arena, 1, sizeof *responses);
    sn_node_response *items = sn_arena_take(solver->arena, (size_t)able, sizeof *items);
    if (touched == NULL || responses == NULL || items == NULL) {
        return false;
    }
    for (int i = 0; i < solver->coupling_count; ++i) {
        if (solver->coupling[i].touch != NULL) {
            solver->coupling[i].touch(solver->coupling[i].data, touched);
        }
    }
    responses->items = items;
    if (!make_responses(solver, responses, touched)) {
        return false;
    }
    solver->responses = responses->count > 0 ? responses : NULL;
    return true;
}

bool sn_responses_has(const sn_node_solver *solver, const sn_model_stage *stage)
{
    for (int r = 0; solver->responses != NULL && r < solver->responses->count; ++r) {
        if (solver->responses->items[r].stage == stage) {
            return true;
        }
    }
    return false;
}

// --- around rows -------------------------------------------------------------------------------------------

void sn_responses_open(const sn_node_solver *solver)
{
    for (int r = 0; r < solver->responses->count; ++r) {
        const sn_node_response *response = &solver->responses->items[r];
        for (int k = 0; k < response->count; ++k) {
            response->before[k] = solver->pass.velocities[response->nodes[k]].velocity;
        }
    }
}

static void take_back(const sn_node_solver *solver, sn_node_response *response)
{
    const sn_model_stage *stage = response->stage;
    response->is_pushed = false;
    memset(response->field, 0, (size_t)stage->node_count * sizeof *response->field);
    for (int k = 0; k < response->count; ++k) {
        int node = response->nodes[k];
        sn_vec3 *velocity = &solver->pass.velocities[node].velocity;
        sn_vec3 change = sn_sub(*velocity, response->before[k]);
        response->field[node - stage->first_node] =
            sn_scale(change, 1.0f / solver->pass.felt[node].inverse_mass);
        *velocity = response->before[k];
        response->is_pushed |= change.x != 0.0f || change.y != 0.0f || change.z != 0.0f;
    }
}

void sn_responses_take(const sn_node_solver *solver)
{
    for (int r = 0; r < solver->responses->count; ++r) {
        take_back(solver, &solver->responses->items[r]);
    }
}

void sn_responses_answer(const sn_node_solver *solver)
{
    for (int r = 0; r < solver->responses->count; ++r) {
        const sn_node_response *response = &solver->responses->items[r];
        const sn_model_stage *stage = response->stage;
        if (response->is_pushed) {
            stage->respond(stage->model, &solver->pass, response->field, solver->tasks);
            for (int i = 0; i < stage->node_count; ++i) {
                sn_vec3 *velocity = &solver->pass.velocities[stage->first_node + i].velocity;
                *velocity = sn_add(*velocity, response->field[i]);
            }
        }
    }
}

void sn_responses_start(const sn_node_solver *solver)
{
    for (int r = 0; r < solver->responses->count; ++r) {
        const sn_node_response *response = &solver->responses->items[r];
        const sn_model_stage *stage = response->stage;
        for (int k = 0; k < response->count && response->is_pushed; ++k) {
            int node = response->nodes[k];
            sn_vec3 *velocity = &solver->pass.velocities[node].velocity;
            *velocity = sn_add_scaled(*velocity, solver->pass.nodes[node].inverse_mass,
                                      response->field[node - stage->first_node]);
        }
        stage->apply(stage->model, &solver->pass, solver->tasks);
    }
}

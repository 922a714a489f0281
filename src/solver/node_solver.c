// The stages of nodes in a sub-step: forces, elements, motion.
#include "solver/node_solver.h"

#include "base/clock.h"
#include "solver/exact.h"
#include "solver/node_felt.h"
#include "solver/node_motion.h"
#include "solver/node_response.h"
#include "solver/staggered_whole.h"
#include "solver/weak_push.h"

enum { NODE_GRAIN = 512, BLOCK_GRAIN = 16 };

// --- elements ----------------------------------------------------------------------------------------------

typedef struct block_loop {
    const sn_element_pass *pass;
    sn_element_function function;
    void *blocks;
    int offset;
} block_loop;

static void do_blocks(void *context, int begin, int end)
{
    const block_loop *loop = context;
    loop->function(loop->pass, loop->blocks, loop->offset + begin, loop->offset + end);
}

void sn_nodes_run_colors(sn_node_solver *solver, sn_element_group *group, sn_element_function function)
{
    for (int k = 0; k <= SN_ELEMENT_COLORS; ++k) {
        int color = solver->pass.backwards ? SN_ELEMENT_COLORS - k : k;
        int begin = group->color_begin[color], count = group->color_begin[color + 1] - begin;
        if (count > 0) {
            block_loop loop = {&solver->pass, function, group->blocks, begin};
            sn_tasks_for(solver->tasks, count, color == SN_ELEMENT_COLORS ? count : BLOCK_GRAIN, do_blocks,
                         &loop);
        }
    }
}

// Refreshing reads positions and writes blocks only, so all colours go at once.
static void refresh_group(sn_node_solver *solver, sn_element_group *group)
{
    block_loop loop = {&solver->pass, group->kind->refresh, group->blocks, 0};
    sn_tasks_for(solver->tasks, group->block_count, BLOCK_GRAIN, do_blocks, &loop);
}

sn_element_group *sn_nodes_group_at(const sn_node_solver *solver, int k)
{
    return solver->groups[solver->pass.backwards ? solver->group_count - 1 - k : k];
}

// --- nodes -------------------------------------------------------------------------------------------------

typedef struct node_loop {
    sn_node_solver *solver;
    const sn_node_range *range;
} node_loop;

static sn_node_run run_of(const node_loop *loop)
{
    const sn_node_solver *solver = loop->solver;
    int first = loop->range->first;
    return (sn_node_run){.states = solver->nodes->states.data + first,
                         .velocities = solver->nodes->velocities.data + first,
                         .forces = solver->nodes->forces.data + first,
                         .starts = solver->starts + first,
                         .moved = solver->moved + first};
}

static void apply_forces(void *context, int begin, int end)
{
    const node_loop *loop = context;
    sn_node_run_push(run_of(loop), loop->range, loop->solver->pass.h, begin, end);
}

static void integrate(void *context, int begin, int end)
{
    const node_loop *loop = context;
    sn_node_run_move(run_of(loop), loop->solver->pass.h, begin, end);
}

static void for_nodes(sn_node_solver *solver, sn_task_function function)
{
    for (int r = 0; r < solver->range_count; ++r) {
        if (function == apply_forces && solver->ranges[r].has_integrator) {
            continue;
        }
        node_loop loop = {solver, &solver->ranges[r]};
        sn_tasks_for(solver->tasks, solver->ranges[r].count, NODE_GRAIN, function, &loop);
    }
}

// Fixed nodes that were told where to go get the velocity that takes them there; other fixed ones stand.
static void aim_fixed_nodes(sn_node_solver *solver, float duration)
{
    sn_nodes *nodes = solver->nodes;
    for (int r = 0; r < solver->range_count; ++r) {
        for (int i = solver->ranges[r].first; i < solver->ranges[r].first + solver->ranges[r].count; ++i) {
            if (nodes->states.data[i].inverse_mass > 0.0f) {
                continue;
            }
            sn_vec3 way = sn_sub(nodes->targets.data[i], nodes->states.data[i].position);
            nodes->velocities.data[i].velocity =
                nodes->has_target.data[i] ? sn_scale(way, 1.0f / duration) : sn_v(0.0f, 0.0f, 0.0f);
        }
    }
}

// --- around rows -------------------------------------------------------------------------------------------

void sn_nodes_open(sn_node_solver *solver)
{
    if (solver->exact != NULL) {
        sn_exact_open(solver->exact);
    }
    if (solver->responses != NULL) {
        sn_responses_open(solver);
    }
}

// What models make of pushes is no push on what is held exactly: that is looked at before.
static void take_pushes(sn_node_solver *solver)
{
    if (solver->responses != NULL) {
        sn_responses_take(solver);
    }
    if (solver->exact != NULL) {
        sn_exact_close(solver->exact);
    }
}

void sn_nodes_close(sn_node_solver *solver)
{
    take_pushes(solver);
    if (solver->responses != NULL) {
        sn_responses_answer(solver);
    }
}

void sn_nodes_close_start(sn_node_solver *solver)
{
    take_pushes(solver);
    if (solver->responses != NULL) {
        sn_responses_start(solver);
    }
}

// --- stages ------------------------------------------------------------------------------------------------

// Of the nodes of the ranges only: what sleeps is not even looked at.
static void remember_starts(void *context, int begin, int end)
{
    const node_loop *loop = context;
    const sn_node_solver *solver = loop->solver;
    for (int i = loop->range->first + begin; i < loop->range->first + end; ++i) {
        solver->starts[i] = solver->nodes->states.data[i].position;
        solver->start_velocities[i] = solver->nodes->velocities.data[i].velocity;
        solver->moved[i] = sn_v(0.0f, 0.0f, 0.0f);
    }
}

static void begin_group(sn_node_solver *solver, sn_element_group *group)
{
    const sn_element_kind *kind = group->kind;
    group->weak_span =
        kind->push == NULL ? 0 : kind->weak_span(&solver->pass, group->blocks, group->block_count);
    if (group->weak_span == 0) {
        refresh_group(solver, group);
    }
    group->is_stiff =
        group->weak_span == 0 && kind->is_stiff != NULL && kind->is_stiff(group->blocks, group->block_count);
}

static bool prepare_mixed(sn_node_solver *solver, sn_solver *rigid)
{
    bool good = true;
    for (int i = 0; i < solver->mixed_count && good; ++i) {
        good = solver->mixed[i].prepare == NULL ||
               solver->mixed[i].prepare(solver->mixed[i].data, rigid, &solver->pass);
    }
    return good;
}

// What nodes weigh is told, and rows are made. The staggered schedule reckons with bodies in another way
// (staggered_whole.h).
static bool begin_rows(sn_node_solver *solver, sn_solver *rigid)
{
    if ((!rigid->settings.is_staggered && !sn_responses_begin(solver)) ||
        !sn_wholes_begin(solver, &solver->wholes) || !prepare_mixed(solver, rigid)) {
        return false;
    }
    for (int i = 0; i < solver->group_count; ++i) {
        begin_group(solver, solver->groups[i]);
    }
    sn_nodes_refresh_mixed(solver);
    return sn_weak_begin(solver);
}

// What elements of solids hold at most. Where contacts reckon with deformables as wholes, loads need not go
// through elements node by node, and these may be as stiff as springs.
static float stiffness_limit(const sn_solver_settings *settings)
{
    return settings->is_staggered ? 1.0f / sn_spring_limit(settings).inverse_a2 : SN_STIFFEST;
}

bool sn_nodes_begin(sn_node_solver *solver, sn_solver *rigid)
{
    const sn_solver_settings *settings = &rigid->settings;
    size_t count = (size_t)solver->nodes->states.count;
    solver->starts = sn_arena_take(solver->arena, count, sizeof *solver->starts);
    solver->start_velocities = sn_arena_take(solver->arena, count, sizeof *solver->start_velocities);
    solver->moved = sn_arena_take(solver->arena, count, sizeof *solver->moved);
    if (solver->starts == NULL || solver->start_velocities == NULL || solver->moved == NULL) {
        return false;
    }
    for_nodes(solver, remember_starts);
    float h = sn_sub_step_length(settings);
    solver->pass = (sn_element_pass){.nodes = solver->nodes->states.data,
                                     .velocities = solver->nodes->velocities.data,
                                     .user_forces = solver->nodes->forces.data,
                                     .h = h,
                                     .inverse_h = 1.0f / h,
                                     .wind = settings->wind,
                                     .hard = sn_hard_softness(settings),
                                     .firmest = sn_spring_limit(settings),
                                     .stiffest = stiffness_limit(settings)};
    solver->rigid = rigid;
    solver->sub_step = 0;
    solver->sub_step_count = settings->sub_steps;
    aim_fixed_nodes(solver, settings->duration);
    sn_felt_begin(solver);
    double mark = sn_clock();
    if (solver->exact != NULL && !sn_exact_begin(solver->exact, rigid)) {
        return false;
    }
    sn_lap(&mark, &rigid->times.exact);
    return begin_rows(solver, rigid);
}

static void detect_again(sn_node_solver *solver)
{
    const sn_redetection *again = &solver->redetection;
    int left = solver->sub_step_count - solver->sub_step;
    if (again->function != NULL && solver->sub_step > 0 && solver->sub_step == solver->sub_step_count / 2) {
        again->function(again->context, solver->rigid, &solver->pass, (float)left * solver->pass.h);
    }
}

void sn_nodes_apply_forces(sn_node_solver *solver)
{
    detect_again(solver);
    for (int i = 0; i < solver->mixed_count; ++i) {
        if (solver->mixed[i].measure != NULL) {
            solver->mixed[i].measure(solver->mixed[i].data, &solver->pass);
        }
    }
    sn_weak_push(solver);
    ++solver->sub_step;
    for_nodes(solver, apply_forces);
}

void sn_nodes_apply_models(sn_node_solver *solver)
{
    for (int i = 0; i < solver->model_count; ++i) {
        if (!sn_responses_has(solver, &solver->models[i])) {
            solver->models[i].apply(solver->models[i].model, &solver->pass, solver->tasks);
        }
    }
}

void sn_nodes_apply_models_of(sn_node_solver *solver, bool wholes)
{
    for (int i = 0; i < solver->model_count; ++i) {
        if (solver->models[i].is_whole == wholes) {
            solver->models[i].apply(solver->models[i].model, &solver->pass, solver->tasks);
        }
    }
}

void sn_nodes_complete_models(sn_node_solver *solver)
{
    for (int i = 0; i < solver->model_count; ++i) {
        if (solver->models[i].complete != NULL) {
            solver->models[i].complete(solver->models[i].model, &solver->pass, solver->tasks);
        }
    }
}

void sn_nodes_warm_start(sn_node_solver *solver)
{
    for (int k = 0; k < solver->group_count; ++k) {
        if (solver->groups[k]->weak_span == 0) {
            sn_nodes_run_colors(solver, solver->groups[k], solver->groups[k]->kind->warm_start);
        }
    }
    for (int i = 0; i < solver->mixed_count; ++i) {
        solver->mixed[i].warm_start(solver->mixed[i].data, &solver->pass);
    }
}

// Of impulses of all rows of a group.
static void fade_group(const sn_element_group *group, float part)
{
    const sn_element_memory *impulses = &group->kind->memory[0];
    for (int b = 0; b < group->block_count; ++b) {
        char *block = (char *)group->blocks + (size_t)b * group->kind->block_size;
        sn_lanes *lanes = (sn_lanes *)(void *)(block + impulses->offset);
        for (int k = 0; k < impulses->count; ++k) {
            sn_store(&lanes[k], sn_load(&lanes[k]) * sn_f8_set(part));
        }
    }
}

// Hard edges of a solid are more than it takes to hold its nodes, and fight each other and its model: with
// all of their impulses kept they shake it to pieces.
void sn_nodes_fade(sn_node_solver *solver, float hard_part, float soft_part)
{
    for (int g = 0; g < solver->group_count; ++g) {
        const sn_element_group *group = solver->groups[g];
        float part = group->is_held ? soft_part : hard_part;
        if (group->kind->fade != NULL) {
            group->kind->fade(group->blocks, group->block_count, part, soft_part);
        } else {
            bool is_hard = group->kind->relax != NULL && !group->kind->is_elastic;
            fade_group(group, is_hard ? part : soft_part);
        }
    }
}

static void sweep_elements(sn_node_solver *solver, bool use_bias)
{
    for (int k = 0; k < solver->group_count; ++k) {
        sn_element_group *group = sn_nodes_group_at(solver, k);
        sn_element_function function = use_bias ? group->kind->solve : group->kind->relax;
        if (function == NULL || group->weak_span > 0) {
            continue;
        }
        sn_nodes_run_colors(solver, group, function);
    }
}

// Stiff elements once more, the other way round.
static void sweep_stiff(sn_node_solver *solver)
{
    solver->pass.backwards = !solver->pass.backwards;
    for (int k = 0; k < solver->group_count; ++k) {
        sn_element_group *group = sn_nodes_group_at(solver, k);
        if (group->is_stiff) {
            sn_nodes_run_colors(solver, group, group->kind->solve);
        }
    }
    solver->pass.backwards = !solver->pass.backwards;
}

static bool has_stiff(const sn_node_solver *solver)
{
    for (int k = 0; k < solver->group_count; ++k) {
        if (solver->groups[k]->is_stiff) {
            return true;
        }
    }
    return false;
}

static void sweep_mixed(sn_node_solver *solver, bool use_bias)
{
    for (int i = 0; i < solver->mixed_count; ++i) {
        int turn = solver->pass.backwards ? solver->mixed_count - 1 - i : i;
        solver->mixed[turn].sweep(solver->mixed[turn].data, &solver->pass, use_bias);
    }
}

// Models answer what contacts and anchors did before these look at their nodes again.
static void answer(sn_node_solver *solver)
{
    if (solver->responses != NULL) {
        sn_nodes_close(solver);
        sn_nodes_open(solver);
    }
}

// What ties elements to the rest, before and after them: light nodes between heavy bodies and stiff elements
// must listen to both, and nothing may enter a body because the elements had the last word. Read backwards it
// is the same order. Between the two sweeps of stiff elements too: friction that hears of them once only
// lags behind, and feeds them.
//
// Relaxing goes the other way than solving, and so the same way as the solving of the sub-step after it. A
// sweep that turns round finds the rows it begins with solved already, and brings loads no further: ropes
// with bodies a thousand times heavier then bounce for long.
void sn_nodes_sweep(sn_node_solver *solver, bool use_bias)
{
    bool backwards = solver->pass.backwards;
    solver->pass.backwards = use_bias ? backwards : !backwards;
    sweep_mixed(solver, use_bias);
    answer(solver);
    sweep_elements(solver, use_bias);
    if (use_bias && has_stiff(solver)) {
        sweep_mixed(solver, use_bias);
        answer(solver);
        sweep_stiff(solver);
    }
    sweep_mixed(solver, use_bias);
    solver->pass.backwards = backwards;
}

void sn_nodes_sweep_once(sn_node_solver *solver)
{
    if (solver->pass.backwards) {
        sweep_elements(solver, true);
    }
    sweep_mixed(solver, true);
    if (!solver->pass.backwards) {
        sweep_elements(solver, true);
    }
}

void sn_nodes_integrate(sn_node_solver *solver)
{
    for_nodes(solver, integrate);
}

void sn_nodes_refresh_mixed(sn_node_solver *solver)
{
    for (int i = 0; i < solver->mixed_count; ++i) {
        solver->mixed[i].refresh(solver->mixed[i].data, &solver->pass);
    }
}

void sn_nodes_refresh(sn_node_solver *solver)
{
    for (int k = 0; k < solver->group_count; ++k) {
        if (solver->groups[k]->weak_span == 0 && !solver->groups[k]->kind->relax_refreshes) {
            refresh_group(solver, solver->groups[k]);
        }
    }
    sn_nodes_refresh_mixed(solver);
}

void sn_nodes_finish_sub_step(sn_node_solver *solver)
{
    for (int i = 0; i < solver->mixed_count; ++i) {
        if (solver->mixed[i].finish != NULL) {
            solver->mixed[i].finish(solver->mixed[i].data, &solver->pass);
        }
    }
}

void sn_nodes_end(sn_node_solver *solver)
{
    sn_nodes *nodes = solver->nodes;
    for (int i = 0; i < solver->mixed_count; ++i) {
        solver->mixed[i].store(solver->mixed[i].data);
    }
    for (int r = 0; r < solver->range_count; ++r) {
        for (int i = solver->ranges[r].first; i < solver->ranges[r].first + solver->ranges[r].count; ++i) {
            nodes->forces.data[i] = sn_v(0.0f, 0.0f, 0.0f);
            if (nodes->has_target.data[i]) {
                nodes->states.data[i].position = nodes->targets.data[i];
                nodes->velocities.data[i].velocity = sn_v(0.0f, 0.0f, 0.0f);
                nodes->has_target.data[i] = 0;
            }
        }
    }
}

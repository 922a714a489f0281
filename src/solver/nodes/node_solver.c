// The stages of nodes in a sub-step: forces, elements, motion.
// Tested by tests/solver/elements/test_elements_gauntlet.c.
#include "solver/nodes/node_solver.h"

#include "base/clock.h"
#include "solver/exact/exact.h"
#include "solver/nodes/multirate_force.h"
#include "solver/nodes/node_felt.h"
#include "solver/nodes/node_motion.h"
#include "solver/nodes/node_response.h"
#include "solver/solver.h"

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

bool sn_nodes_run_color(sn_node_solver *solver, sn_element_group *group, int color,
                        sn_element_function function)
{
    int begin = group->color_begin[color], count = group->color_begin[color + 1] - begin;
    if (count > 0) {
        block_loop loop = {&solver->pass, function, group->blocks, begin};
        sn_tasks_for(solver->tasks, count, color == SN_ELEMENT_COLORS ? count : BLOCK_GRAIN, do_blocks,
                     &loop);
    }
    return count > 0;
}

void sn_nodes_run_colors(sn_node_solver *solver, sn_element_group *group, sn_element_function function)
{
    const int *begin = group->color_begin + SN_ELEMENT_COLORS;
    int last = begin[1] > begin[0] ? SN_ELEMENT_COLORS : group->color_count - 1; // the serial colour if any
    for (int k = 0; k <= last; ++k) {
        sn_nodes_run_color(solver, group, solver->pass.backwards ? last - k : k, function);
    }
}

// Puts the laws that a group has of its own in force; returns those of all others.
static sn_softness obey_group(sn_node_solver *solver, const sn_element_group *group)
{
    sn_softness others = solver->pass.hard;
    solver->pass.reference_rate = group->reference_rate;
    solver->pass.reference_kept = group->reference_kept;
    solver->pass.yielding_kept = group->yielding_kept;
    solver->pass.settled = group->settled;
    solver->pass.hard = group->has_hard ? group->hard : others;
    return others;
}

// Refreshing reads positions and writes blocks only, so all colours go at once.
void sn_nodes_refresh_group(sn_node_solver *solver, sn_element_group *group)
{
    sn_softness others = obey_group(solver, group);
    block_loop loop = {&solver->pass, group->kind->refresh, group->blocks, 0};
    sn_tasks_for(solver->tasks, group->block_count, BLOCK_GRAIN, do_blocks, &loop);
    solver->pass.hard = others;
}

sn_node_range *sn_nodes_range_of(const sn_node_solver *solver, const sn_element_group *group)
{
    int r = 0;
    while (solver->ranges[r].first != group->first_node) {
        ++r;
    }
    return &solver->ranges[r];
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
    if (loop->range->has_integrator) {
        sn_node_run_share(run_of(loop), loop->range, begin, end);
    } else {
        sn_node_run_push(run_of(loop), loop->range, loop->solver->pass.h, begin, end);
    }
}

static void integrate(void *context, int begin, int end)
{
    const node_loop *loop = context;
    sn_node_run_move(run_of(loop), loop->solver->pass.h, begin, end);
}

static void for_nodes(sn_node_solver *solver, sn_task_function function)
{
    for (int r = 0; r < solver->range_count; ++r) {
        node_loop loop = {solver, &solver->ranges[r]};
        sn_tasks_for(solver->tasks, solver->ranges[r].count, NODE_GRAIN, function, &loop);
    }
}

// Fixed nodes with a target get the velocity that takes them there; other fixed nodes stand still.
static void aim_fixed_nodes(sn_node_solver *solver, float duration)
{
    sn_nodes *nodes = solver->nodes;
    for (int r = 0; r < solver->range_count; ++r) {
        for (int i = solver->ranges[r].first; i < solver->ranges[r].first + solver->ranges[r].count; ++i) {
            if (nodes->states.data[i].inverse_mass > 0.0f) {
                continue;
            }
            sn_vec3 displacement = sn_sub(nodes->targets.data[i], nodes->states.data[i].position);
            nodes->velocities.data[i].velocity =
                nodes->has_target.data[i] ? sn_scale(displacement, 1.0f / duration) : sn_v(0.0f, 0.0f, 0.0f);
        }
    }
}

// --- stages ------------------------------------------------------------------------------------------------

// Nodes of the ranges only: sleeping deformables are not touched.
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
    group->multirate_span = kind->push == NULL || solver->pass.is_implicit
                                ? 0
                                : kind->multirate_span(&solver->pass, group->blocks, group->block_count);
    if (group->multirate_span == 0) {
        sn_nodes_refresh_group(solver, group);
    }
    bool is_two_way = group->multirate_span == 0 && kind->is_stiff != NULL;
    group->is_stiff = is_two_way && kind->is_stiff(group->blocks, group->block_count, SN_FIRM);
    // One sweep of rows that share nodes makes them about as stiff, while loads move, as their law is at
    // rest, 2.5/(κh²). What yields the same at any rate is not damped, whatever its dampers; two sweeps leave
    // these half of it.
    group->is_swept_back = group->is_stiff || (is_two_way && group->has_hard);
}

static bool prepare_coupling(sn_node_solver *nodes, sn_solver *solver)
{
    bool good = true;
    for (int i = 0; i < nodes->coupling_count && good; ++i) {
        good = nodes->coupling[i].prepare == NULL ||
               nodes->coupling[i].prepare(nodes->coupling[i].data, solver, &nodes->pass);
    }
    return good;
}

static int count_unresolved(const sn_node_solver *nodes, const sn_element_group *group)
{
    int count = 0;
    const char *blocks = group->blocks;
    bool has_any = group->multirate_span == 0 && group->kind->count_unresolved != NULL;
    for (int b = 0; has_any && b < group->block_count; ++b) {
        count += group->kind->count_unresolved(&nodes->pass, blocks + (size_t)b * group->kind->block_size);
    }
    return count;
}

static bool begin_rows(sn_node_solver *nodes, sn_solver *solver)
{
    if (!prepare_coupling(nodes, solver)) {
        return false;
    }
    for (int i = 0; i < nodes->group_count; ++i) {
        begin_group(nodes, nodes->groups[i]);
        solver->unresolved_count += count_unresolved(nodes, nodes->groups[i]);
    }
    sn_nodes_refresh_coupling(nodes);
    return sn_multirate_begin(nodes);
}

// Felt masses. Exact attachments first: the nodes they hold do not respond through models.
static bool tell_masses(sn_node_solver *nodes, sn_solver *solver)
{
    double mark = sn_clock();
    sn_felt_begin(nodes);
    if (nodes->exact != NULL && !sn_exact_begin(nodes->exact, solver)) {
        return false;
    }
    sn_lap(&mark, &solver->times.exact);
    return solver->settings.laws.begin_nodes(nodes);
}

bool sn_nodes_begin(sn_solver *solver)
{
    sn_node_solver *nodes = &solver->nodes;
    const sn_solver_settings *settings = &solver->settings;
    if (nodes->nodes == NULL) {
        return true;
    }
    size_t count = (size_t)nodes->nodes->states.count;
    if (nodes->starts == NULL) {
        nodes->starts = sn_arena_take(nodes->arena, count, sizeof *nodes->starts);
        nodes->start_velocities = sn_arena_take(nodes->arena, count, sizeof *nodes->start_velocities);
    }
    nodes->moved = sn_arena_take(nodes->arena, count, sizeof *nodes->moved);
    if (nodes->starts == NULL || nodes->start_velocities == NULL || nodes->moved == NULL) {
        return false;
    }
    for_nodes(nodes, remember_starts);
    float h = sn_sub_step_length(settings);
    nodes->pass = (sn_element_pass){.nodes = nodes->nodes->states.data,
                                    .velocities = nodes->nodes->velocities.data,
                                    .user_forces = nodes->nodes->forces.data,
                                    .h = h,
                                    .inverse_h = 1.0f / h,
                                    .wind = settings->wind,
                                    .is_implicit = settings->laws.is_projected,
                                    .resolved = settings->laws.resolved,
                                    .hard = settings->laws.hard,
                                    .firmest = settings->laws.firmest,
                                    .stiffest = settings->laws.stiffest,
                                    .most_damped = settings->laws.most_damped,
                                    .bearing = settings->laws.bearing};
    nodes->sub_step = 0;
    nodes->shared_motion = NULL;
    nodes->sub_step_count = settings->sub_steps;
    aim_fixed_nodes(nodes, settings->duration);
    return tell_masses(nodes, solver) && begin_rows(nodes, solver);
}

void sn_nodes_measure(sn_node_solver *solver)
{
    for (int i = 0; i < solver->coupling_count; ++i) {
        if (solver->coupling[i].measure != NULL) {
            solver->coupling[i].measure(solver->coupling[i].data, &solver->pass);
        }
    }
}

void sn_nodes_apply_forces(sn_node_solver *solver)
{
    sn_multirate_force(solver);
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

void sn_nodes_complete_models(sn_node_solver *solver)
{
    for (int i = 0; i < solver->model_count; ++i) {
        if (solver->models[i].complete != NULL) {
            solver->models[i].complete(solver->models[i].model, &solver->pass, solver->tasks);
        }
    }
}

// Σ m v · wind, and Σ m.
static double momentum_with_wind(const sn_node_solver *solver, const sn_node_range *range, double *mass)
{
    double sum = 0.0;
    *mass = 0.0;
    for (int i = range->first; i < range->first + range->count; ++i) {
        float inverse_mass = solver->pass.felt[i].inverse_mass;
        double own = inverse_mass > 0.0f ? 1.0 / (double)inverse_mass : 0.0;
        sum += own * (double)sn_dot(solver->nodes->velocities.data[i].velocity, solver->pass.wind);
        *mass += own;
    }
    return sum;
}

// Air does the work of its impulses times the wind: what it does beyond that is drag. It gives nothing more
// than its own speed to all it blows at.
static void push_by_air(sn_node_solver *solver, sn_element_group *group)
{
    const sn_node_range *range = sn_nodes_range_of(solver, group);
    double mass, before = momentum_with_wind(solver, range, &mass);
    sn_nodes_run_colors(solver, group, group->kind->warm_start);
    double work = momentum_with_wind(solver, range, &mass) - before;
    double most = mass * (double)sn_length_squared(solver->pass.wind);
    solver->blown[range - solver->ranges] += work < most ? work : most;
}

void sn_nodes_warm_start(sn_node_solver *solver)
{
    for (int k = 0; k < solver->group_count; ++k) {
        sn_element_group *group = solver->groups[k];
        if (group->kind->is_air && solver->blown != NULL) {
            push_by_air(solver, group);
        } else if (group->multirate_span == 0) {
            sn_nodes_run_colors(solver, group, group->kind->warm_start);
        }
    }
    for (int i = 0; i < solver->coupling_count; ++i) {
        solver->coupling[i].warm_start(solver->coupling[i].data, &solver->pass);
    }
}

void sn_nodes_sweep_group(sn_node_solver *solver, sn_element_group *group, sn_element_function function)
{
    if (function == NULL || group->multirate_span > 0) {
        return;
    }
    sn_softness others = obey_group(solver, group);
    bool backwards = solver->pass.backwards;
    solver->pass.backwards = backwards != (group->is_stiff && solver->turns_stiff);
    sn_nodes_run_colors(solver, group, function);
    solver->pass.backwards = backwards;
    solver->pass.hard = others;
}

void sn_nodes_sweep_elements(sn_node_solver *solver, bool use_bias)
{
    for (int k = 0; k < solver->group_count; ++k) {
        sn_element_group *group = sn_nodes_group_at(solver, k);
        sn_nodes_sweep_group(solver, group, use_bias ? group->kind->solve : group->kind->relax);
    }
}

void sn_nodes_sweep_stiff(sn_node_solver *solver)
{
    solver->pass.backwards = !solver->pass.backwards;
    for (int k = 0; k < solver->group_count; ++k) {
        sn_element_group *group = sn_nodes_group_at(solver, k);
        if (group->is_swept_back) {
            sn_nodes_run_colors(solver, group, group->kind->solve);
        }
    }
    solver->pass.backwards = !solver->pass.backwards;
}

bool sn_nodes_sweep_back(const sn_node_solver *solver, bool *has_stiff)
{
    bool any = *has_stiff = false;
    for (int k = 0; k < solver->group_count; ++k) {
        any = any || solver->groups[k]->is_swept_back;
        *has_stiff = *has_stiff || solver->groups[k]->is_stiff;
    }
    return any;
}

void sn_nodes_sweep_coupling(sn_node_solver *solver, bool use_bias)
{
    for (int i = 0; i < solver->coupling_count; ++i) {
        int turn = solver->pass.backwards ? solver->coupling_count - 1 - i : i;
        solver->coupling[turn].sweep(solver->coupling[turn].data, &solver->pass, use_bias);
    }
}

void sn_nodes_integrate(sn_node_solver *solver)
{
    for_nodes(solver, integrate);
}

void sn_nodes_refresh_coupling(sn_node_solver *solver)
{
    for (int i = 0; i < solver->coupling_count; ++i) {
        solver->coupling[i].refresh(solver->coupling[i].data, &solver->pass);
    }
}

static void refresh_groups(sn_node_solver *solver, bool all)
{
    for (int k = 0; k < solver->group_count; ++k) {
        if (solver->groups[k]->multirate_span == 0 && (all || !solver->groups[k]->kind->relax_refreshes)) {
            sn_nodes_refresh_group(solver, solver->groups[k]);
        }
    }
}

void sn_nodes_refresh(sn_node_solver *solver)
{
    refresh_groups(solver, false);
    sn_nodes_refresh_coupling(solver);
}

void sn_nodes_refresh_elements(sn_node_solver *solver)
{
    refresh_groups(solver, true);
}

// Impulses of all rows of a group.
static void scale_group(const sn_element_group *group, float part)
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

void sn_nodes_scale_warm_start(const sn_element_group *group, float hard_part, float soft_part)
{
    if (group->kind->scale_warm_start != NULL) {
        group->kind->scale_warm_start(group->blocks, group->block_count, hard_part, soft_part);
    } else {
        bool is_hard = group->kind->relax != NULL && !group->kind->is_elastic;
        scale_group(group, is_hard ? hard_part : soft_part);
    }
}

void sn_nodes_finish_sub_step(sn_node_solver *solver)
{
    for (int i = 0; i < solver->coupling_count; ++i) {
        if (solver->coupling[i].finish != NULL) {
            solver->coupling[i].finish(solver->coupling[i].data, &solver->pass);
        }
    }
}

void sn_nodes_end(sn_node_solver *solver)
{
    sn_nodes *nodes = solver->nodes;
    for (int i = 0; i < solver->coupling_count; ++i) {
        solver->coupling[i].store(solver->coupling[i].data);
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

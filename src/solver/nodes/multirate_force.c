// Explicit forces of soft elements: computed on a copy of the velocities, and divided among the sub-steps of
// a span.
#include "solver/nodes/multirate_force.h"

#include <string.h>

enum { NODE_GRAIN = 1024 };

// One group, and the part of its impulse that a sub-step gets.
typedef struct share_loop {
    const sn_node_solver *solver;
    sn_element_group *group;
    float part;
} share_loop;

bool sn_multirate_begin(sn_node_solver *solver)
{
    bool holds = false;
    for (int i = 0; i < solver->group_count; ++i) {
        sn_element_group *group = solver->groups[i];
        group->pushed = NULL;
        if (group->multirate_span > 1) {
            holds = true;
            group->pushed = sn_arena_take(solver->arena, (size_t)group->node_count, sizeof *group->pushed);
            if (group->pushed == NULL) {
                return false;
            }
        }
    }
    size_t count = (size_t)solver->nodes->velocities.count;
    solver->trial = holds ? sn_arena_take(solver->arena, count, sizeof *solver->trial) : NULL;
    if (solver->trial != NULL) {
        solver->trial[0] = (sn_node_velocity){0}; // the dummy's
    }
    return !holds || solver->trial != NULL;
}

static void copy_velocities(void *context, int begin, int end)
{
    const share_loop *loop = context;
    int first = loop->group->first_node + begin;
    memcpy(loop->solver->trial + first, loop->solver->nodes->velocities.data + first,
           (size_t)(end - begin) * sizeof *loop->solver->trial);
}

static void take_shares(void *context, int begin, int end)
{
    const share_loop *loop = context;
    const sn_node_velocity *before = loop->solver->nodes->velocities.data + loop->group->first_node;
    const sn_node_velocity *after = loop->solver->trial + loop->group->first_node;
    for (int i = begin; i < end; ++i) {
        loop->group->pushed[i] = sn_scale(sn_sub(after[i].velocity, before[i].velocity), loop->part);
    }
}

// Computes the impulse of a span, or of the sub-steps that are left.
static void try_push(sn_node_solver *solver, share_loop *loop)
{
    sn_element_pass *pass = &solver->pass;
    float h = pass->h;
    int left = solver->sub_step_count - solver->sub_step;
    int span = loop->group->multirate_span < left ? loop->group->multirate_span : left;
    sn_tasks_for(solver->tasks, loop->group->node_count, NODE_GRAIN, copy_velocities, loop);
    pass->h = h * (float)span;
    pass->velocities = solver->trial;
    sn_nodes_run_colors(solver, loop->group, loop->group->kind->push);
    pass->velocities = solver->nodes->velocities.data;
    pass->h = h;
    loop->part = 1.0f / (float)span;
    sn_tasks_for(solver->tasks, loop->group->node_count, NODE_GRAIN, take_shares, loop);
}

void sn_multirate_force(sn_node_solver *solver)
{
    for (int k = 0; k < solver->group_count; ++k) {
        sn_element_group *group = sn_nodes_group_at(solver, k);
        share_loop loop = {.solver = solver, .group = group};
        if (group->multirate_span == 1) {
            sn_nodes_run_colors(solver, group, group->kind->push);
        } else if (group->multirate_span > 1) {
            if (solver->sub_step % group->multirate_span == 0) {
                try_push(solver, &loop);
            }
            sn_nodes_range_of(solver, group)->share = group->pushed;
        }
    }
}

// Positions and felt inverse masses, by node (node_felt.h). Tested in test_node_response.c and the tests of
// exact.
// Tested by tests/solver/nodes/test_node_response.c.
#include "solver/nodes/node_felt.h"

#include <string.h>

enum { NODE_GRAIN = 1024 };

void sn_felt_begin(sn_node_solver *solver)
{
    solver->felt = NULL;
    solver->pass.felt = solver->pass.nodes;
}

bool sn_felt_set(sn_node_solver *solver, int node, float inverse_mass)
{
    size_t count = (size_t)solver->nodes->states.count;
    if (solver->felt == NULL) {
        solver->felt = sn_arena_take(solver->arena, count, sizeof *solver->felt);
        if (solver->felt == NULL) {
            return false;
        }
        memcpy(solver->felt, solver->pass.nodes, count * sizeof *solver->felt);
        solver->pass.felt = solver->felt;
    }
    solver->felt[node].inverse_mass = inverse_mass;
    return true;
}

typedef struct follow_loop {
    const sn_node_solver *solver;
    int first;
} follow_loop;

static void follow(void *context, int begin, int end)
{
    const follow_loop *loop = context;
    for (int i = loop->first + begin; i < loop->first + end; ++i) {
        loop->solver->felt[i].position = loop->solver->pass.nodes[i].position;
    }
}

void sn_felt_follow(sn_node_solver *solver)
{
    for (int r = 0; solver->felt != NULL && r < solver->range_count; ++r) {
        follow_loop loop = {solver, solver->ranges[r].first};
        sn_tasks_for(solver->tasks, solver->ranges[r].count, NODE_GRAIN, follow, &loop);
    }
}

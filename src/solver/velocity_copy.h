// Velocities of all bodies and nodes as they were at some time, in the arena.
// Tested by tests/physics/test_position_jacobi.c and test_position_newmark.c.
#ifndef SN_SOLVER_VELOCITY_COPY_H
#define SN_SOLVER_VELOCITY_COPY_H

#include "solver/solver.h"

#include <string.h>

static inline size_t sn_node_count_of(const sn_solver *solver)
{
    return solver->nodes.nodes != NULL ? (size_t)solver->nodes.nodes->states.count : 0;
}

// Takes memory; false without it.
static inline bool sn_velocities_make(const sn_solver *solver, sn_velocity_copy *copy)
{
    copy->bodies = sn_arena_take_zero(solver->arena, (size_t)solver->body_count, sizeof *copy->bodies);
    copy->nodes = sn_arena_take_zero(solver->arena, sn_node_count_of(solver) + 1, sizeof *copy->nodes);
    return copy->bodies && copy->nodes;
}

// What they are now.
static inline void sn_velocities_keep(const sn_solver *solver, const sn_velocity_copy *copy)
{
    memcpy(copy->bodies, solver->velocities, (size_t)solver->body_count * sizeof *copy->bodies);
    if (sn_node_count_of(solver) > 0) {
        memcpy(copy->nodes, solver->nodes.pass.velocities, sn_node_count_of(solver) * sizeof *copy->nodes);
    }
}

#endif

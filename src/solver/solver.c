// Memory of solvers, and the choice between them.
// Tested by tests/solver/rows/test_joint_rows.c.
#include "solver/solver.h"

#include "solver/staggered/staggered.h"
#include "solver/velocity.h"

bool sn_solver_allocate(sn_solver *solver, int body_count, int contact_count, int constraint_count,
                        int node_constraint_count)
{
    sn_arena *arena = solver->arena;
    solver->velocities = sn_arena_take_zero(arena, (size_t)body_count, sizeof *solver->velocities);
    solver->residues = sn_arena_take_zero(arena, (size_t)body_count, sizeof *solver->residues);
    solver->shifts = sn_arena_take_zero(arena, (size_t)body_count, sizeof *solver->shifts);
    solver->inertias = sn_arena_take_zero(arena, (size_t)body_count, sizeof *solver->inertias);
    solver->bodies = sn_arena_take_zero(arena, (size_t)body_count, sizeof *solver->bodies);
    solver->contacts = sn_arena_take_zero(arena, (size_t)contact_count, sizeof *solver->contacts);
    solver->constraints = sn_arena_take_zero(arena, (size_t)constraint_count, sizeof *solver->constraints);
    solver->node_constraints =
        sn_arena_take_zero(arena, (size_t)node_constraint_count, sizeof *solver->node_constraints);
    return solver->node_constraints && solver->velocities && solver->residues && solver->shifts &&
           solver->inertias && solver->bodies && solver->contacts && solver->constraints;
}

sn_solver_laws sn_laws_of(const sn_solver_settings *settings)
{
    return settings->is_staggered ? sn_staggered_laws(settings) : sn_velocity_laws(settings);
}

bool sn_solver_run(sn_solver *solver)
{
    solver->settings.laws = sn_laws_of(&solver->settings);
    return solver->settings.is_staggered ? sn_staggered_run(solver) : sn_velocity_run(solver);
}

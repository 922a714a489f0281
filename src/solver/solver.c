// Memory of solvers, and the choice between them.
// Tested by tests/solver/rows/test_joint_rows.c.
#include "solver/solver.h"

#include "base/clock.h"
#include "solver/nodes/node_solver.h"
#include "solver/stages.h"
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

bool sn_solver_begin(sn_solver *solver, sn_run *run)
{
    solver->settings.laws = sn_laws_of(&solver->settings);
    *run = (sn_run){.solver = solver};
    double mark = sn_clock(), counted = solver->times.exact;
    bool ready = sn_run_prepare(run) && sn_nodes_begin(solver);
    solver->times.prepare += sn_clock() - mark - (solver->times.exact - counted);
    return ready;
}

void sn_solver_finish(sn_run *run)
{
    if (run->solver->settings.is_staggered) {
        sn_staggered_run(run);
    } else {
        sn_velocity_run(run);
    }
}

bool sn_solver_run(sn_solver *solver)
{
    sn_run run;
    if (!sn_solver_begin(solver, &run)) {
        return false;
    }
    sn_solver_finish(&run);
    return true;
}

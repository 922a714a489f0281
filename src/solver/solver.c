// Memory of solvers, and the choice between them.
// Tested by tests/solver/rows/test_joint_rows.c.
#include "solver/solver.h"

#include "base/clock.h"
#include "solver/energy/energy_ledger.h"
#include "solver/nodes/node_solver.h"
#include "solver/position.h"
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
    solver->contacts = sn_arena_take(arena, (size_t)contact_count, sizeof *solver->contacts);
    solver->constraints = sn_arena_take(arena, (size_t)constraint_count, sizeof *solver->constraints);
    solver->node_constraints =
        sn_arena_take(arena, (size_t)node_constraint_count, sizeof *solver->node_constraints);
    solver->accelerations = sn_arena_take_zero(arena, (size_t)body_count, sizeof *solver->accelerations);
    return solver->accelerations && solver->node_constraints && solver->velocities && solver->residues &&
           solver->shifts && solver->inertias && solver->bodies && solver->contacts && solver->constraints;
}

sn_solver_laws sn_laws_of(const sn_solver_settings *settings)
{
    switch (settings->type) {
    case SN_SOLVER_STAGGERED:
        return sn_staggered_laws(settings);
    case SN_SOLVER_POSITION:
        return sn_position_laws(settings);
    default:
        return sn_velocity_laws(settings);
    }
}

bool sn_solver_begin(sn_solver *solver, sn_run *run)
{
    solver->settings.laws = sn_laws_of(&solver->settings);
    *run = (sn_run){.solver = solver};
    double mark = sn_clock(), counted = solver->times.exact;
    bool ready = sn_run_prepare(run) && sn_nodes_begin(solver) && sn_ledger_begin(solver) &&
                 (solver->settings.type != SN_SOLVER_POSITION || sn_position_begin(run));
    solver->times.prepare += sn_clock() - mark - (solver->times.exact - counted);
    return ready;
}

void sn_solver_finish(sn_run *run)
{
    switch (run->solver->settings.type) {
    case SN_SOLVER_STAGGERED:
        sn_staggered_run(run);
        break;
    case SN_SOLVER_POSITION:
        sn_position_run(run);
        break;
    default:
        sn_velocity_run(run, &(sn_sub_step_plan){0});
        break;
    }
}

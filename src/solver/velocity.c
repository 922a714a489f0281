// The sub-steps of the velocity solver, read top to bottom in sn_velocity_run.
#include "solver/velocity.h"

#include "base/clock.h"
#include "solver/stages.h"

// One sweep over everything, colour by colour, in the sub-step's direction.
static void sweep(sn_run *run, bool use_bias)
{
    sn_node_solver *nodes = run->solver->nodes;
    if (nodes != NULL && run->pass.backwards) {
        sn_nodes_sweep(nodes, use_bias);
    }
    sn_run_sweep_rigid(run, use_bias);
    if (nodes != NULL && !run->pass.backwards) {
        sn_nodes_sweep(nodes, use_bias);
    }
}

bool sn_velocity_run(sn_solver *solver)
{
    sn_run run = {.solver = solver};
    double start = sn_clock();
    sn_node_solver *nodes = solver->nodes;
    if (!sn_run_prepare(&run) || (nodes != NULL && !sn_nodes_begin(nodes, solver))) {
        return false;
    }
    double *times[] = {&solver->times.prepare, &solver->times.solve, &solver->times.integrate,
                       &solver->times.prepare, &solver->times.relax, &solver->times.restitution};
    sn_run_refresh(&run, true);
    for (int i = 0; i < solver->settings.sub_steps; ++i) {
        double marks[7] = {i == 0 ? start : sn_clock()};
        run.pass.backwards = ((i + solver->settings.sub_steps_before) & 1) != 0;
        sn_run_measure(&run);
        sn_run_push(&run);
        if (nodes != NULL) {
            sn_nodes_apply_models(nodes);
        }
        sn_run_warm_start(&run);
        marks[1] = sn_clock();
        sweep(&run, true);
        marks[2] = sn_clock();
        sn_run_move(&run);
        if (solver->constraint_count > 0) {
            sn_run_steady(&run);
        }
        marks[3] = sn_clock();
        sn_run_refresh(&run, false);
        marks[4] = sn_clock();
        sweep(&run, false);
        marks[5] = sn_clock();
        sn_run_finish(&run);
        marks[6] = sn_clock();
        for (int k = 0; k < 6; ++k) {
            *times[k] += marks[k + 1] - marks[k];
        }
    }
    sn_run_store(&run);
    if (nodes != NULL) {
        sn_nodes_end(nodes);
    }
    return true;
}

// The sub-steps of the velocity solver, read top to bottom in sn_velocity_run.
#include "solver/velocity.h"

#include "base/clock.h"
#include "solver/exact.h"
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

// Velocities change positions; what is exact is put in its place; velocities become those of the end of the
// sub-step.
static void move(sn_run *run)
{
    sn_node_solver *nodes = run->solver->nodes;
    sn_exact_stage *exact = nodes != NULL ? nodes->exact : NULL;
    if (exact != NULL) {
        sn_exact_lower(exact);
    }
    sn_run_move(run);
    if (exact != NULL) {
        sn_exact_place(exact);
    }
    if (nodes != NULL) {
        sn_nodes_complete_models(nodes);
    }
}

bool sn_velocity_run(sn_solver *solver)
{
    sn_run run = {.solver = solver};
    double start = sn_clock();
    sn_node_solver *nodes = solver->nodes;
    sn_exact_stage *exact = nodes != NULL ? nodes->exact : NULL;
    if (!sn_run_prepare(&run) || (nodes != NULL && !sn_nodes_begin(nodes, solver)) ||
        (exact != NULL && !sn_exact_begin(exact, solver))) {
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
        if (exact != NULL) {
            sn_exact_lift(exact);
        }
        sn_run_warm_start(&run);
        marks[1] = sn_clock();
        sweep(&run, true);
        marks[2] = sn_clock();
        move(&run);
        if (solver->constraint_count > 0) {
            sn_run_steady(&run);
        }
        marks[3] = sn_clock();
        sn_run_refresh(&run, false);
        marks[4] = sn_clock();
        if (exact != NULL) {
            sn_exact_lift(exact);
        }
        sweep(&run, false);
        marks[5] = sn_clock();
        sn_run_finish(&run);
        if (exact != NULL) {
            sn_exact_lower(exact);
            sn_exact_settle(exact);
        }
        marks[6] = sn_clock();
        for (int k = 0; k < 6; ++k) {
            *times[k] += marks[k + 1] - marks[k];
        }
    }
    sn_run_store(&run);
    if (nodes != NULL) {
        sn_nodes_end(nodes);
    }
    if (exact != NULL) {
        sn_exact_store(exact);
    }
    return true;
}

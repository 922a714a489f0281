// The sub-steps of the velocity solver, read top to bottom in sn_velocity_run.
#include "solver/velocity.h"

#include "base/clock.h"
#include "solver/exact.h"
#include "solver/node_felt.h"
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

// Forces, models and last sub-step's impulses change velocities.
static void push(sn_run *run, double *mark)
{
    sn_solver_times *times = &run->solver->times;
    sn_node_solver *nodes = run->solver->nodes;
    sn_run_measure(run);
    sn_run_push(run);
    if (nodes != NULL) {
        sn_lap(mark, &times->prepare);
        sn_nodes_apply_models(nodes);
        sn_lap(mark, &times->models);
    }
    if (nodes != NULL) {
        sn_nodes_open(nodes);
        sn_lap(mark, &times->exact);
    }
    sn_run_warm_start(run);
    sn_lap(mark, &times->prepare);
    if (nodes != NULL && nodes->responses != NULL) {
        sn_nodes_close_start(nodes);
        sn_nodes_open(nodes);
        sn_lap(mark, &times->models);
    }
}

// Velocities change positions; what is exact is put in its place; velocities become those of the end of the
// sub-step.
static void move(sn_run *run, double *mark)
{
    sn_solver_times *times = &run->solver->times;
    sn_node_solver *nodes = run->solver->nodes;
    sn_exact_stage *exact = nodes != NULL ? nodes->exact : NULL;
    if (nodes != NULL) {
        sn_nodes_close(nodes);
        sn_lap(mark, &times->exact);
    }
    sn_run_move(run);
    sn_lap(mark, &times->integrate);
    if (exact != NULL) {
        sn_exact_place(exact);
        sn_lap(mark, &times->exact);
    }
    if (nodes != NULL) {
        sn_felt_follow(nodes);
        sn_nodes_complete_models(nodes);
        sn_lap(mark, &times->models);
    }
    if (run->solver->constraint_count > 0) {
        sn_run_steady(run);
        sn_lap(mark, &times->integrate);
    }
}

// Rows are refreshed; hard ones take away the velocity that biases put in; what was hit bounces; what is
// exact has one velocity.
static void relax(sn_run *run, double *mark)
{
    sn_solver_times *times = &run->solver->times;
    sn_node_solver *nodes = run->solver->nodes;
    sn_exact_stage *exact = nodes != NULL ? nodes->exact : NULL;
    if (nodes != NULL) {
        sn_nodes_open(nodes);
        sn_lap(mark, &times->exact);
    }
    sn_run_refresh(run, false);
    sn_lap(mark, &times->prepare);
    sweep(run, false);
    sn_lap(mark, &times->relax);
    sn_run_finish(run);
    sn_lap(mark, &times->restitution);
    if (nodes != NULL) {
        sn_nodes_close(nodes);
        sn_lap(mark, &times->exact);
    }
    if (exact != NULL) {
        sn_exact_settle(exact);
        sn_lap(mark, &times->exact);
    }
}

bool sn_velocity_run(sn_solver *solver)
{
    sn_run run = {.solver = solver};
    sn_solver_times *times = &solver->times;
    double mark = sn_clock(), counted = times->exact;
    sn_node_solver *nodes = solver->nodes;
    sn_exact_stage *exact = nodes != NULL ? nodes->exact : NULL;
    if (!sn_run_prepare(&run) || (nodes != NULL && !sn_nodes_begin(nodes, solver))) {
        return false;
    }
    mark += times->exact - counted; // what began there
    sn_run_refresh(&run, true);
    for (int i = 0; i < solver->settings.sub_steps; ++i) {
        run.pass.backwards = ((i + solver->settings.sub_steps_before) & 1) != 0;
        push(&run, &mark);
        sweep(&run, true);
        sn_lap(&mark, &times->solve);
        move(&run, &mark);
        relax(&run, &mark);
    }
    sn_run_store(&run);
    if (nodes != NULL) {
        sn_nodes_end(nodes);
        sn_lap(&mark, &times->restitution);
    }
    if (exact != NULL) {
        sn_exact_store(exact);
        sn_lap(&mark, &times->exact);
    }
    return true;
}

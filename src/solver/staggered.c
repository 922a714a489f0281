// The schedule of the paper, read top to bottom in sn_staggered_run.
#include "solver/staggered.h"

#include "base/clock.h"
#include "solver/exact.h"
#include "solver/node_felt.h"
#include "solver/stages.h"

// Which way a sweep goes is not the paper's concern. There and back in turn makes two of them symmetric,
// which elastic rows need: see is_stiff in element.h.
static void turn(sn_run *run, bool backwards)
{
    run->pass.backwards = backwards;
    if (run->solver->nodes != NULL) {
        run->solver->nodes->pass.backwards = backwards;
    }
}

static void iterate(sn_run *run)
{
    const sn_staggered *counts = &run->solver->settings.staggered;
    int rounds = counts->rigid_iterations > counts->node_iterations ? counts->rigid_iterations
                                                                    : counts->node_iterations;
    for (int i = 0; i < rounds; ++i) {
        turn(run, ((rounds - i) & 1) != 0); // the last one goes back: contacts of nodes have the last word
        if (i < counts->rigid_iterations) {
            sn_run_sweep_rigid(run, true);
        }
        if (i < counts->node_iterations && run->solver->nodes != NULL) {
            sn_nodes_sweep_once(run->solver->nodes);
        }
    }
    turn(run, false);
}

// Contacts and anchors were faded when they were loaded.
static void fade(sn_run *run)
{
    const sn_solver_settings *settings = &run->solver->settings;
    for (int i = 0; i < run->solver->constraint_count; ++i) {
        sn_rows_fade(&run->rows[i], sn_kept_part(settings));
    }
    if (run->solver->nodes != NULL) {
        sn_nodes_fade(run->solver->nodes, sn_kept_part(settings), sn_kept_soft_part(settings));
    }
}

static sn_exact_stage *exact_of(const sn_run *run)
{
    return run->solver->nodes != NULL ? run->solver->nodes->exact : NULL;
}

static void open_rows(const sn_run *run)
{
    if (run->solver->nodes != NULL) {
        sn_nodes_open(run->solver->nodes);
    }
}

static void close_rows(const sn_run *run)
{
    if (run->solver->nodes != NULL) {
        sn_nodes_close(run->solver->nodes);
    }
}

// Velocities change positions; what is exact is put in its place, and has one velocity.
static void move(sn_run *run)
{
    sn_node_solver *nodes = run->solver->nodes;
    sn_run_move(run);
    if (exact_of(run) != NULL) {
        sn_exact_place(exact_of(run));
    }
    if (nodes != NULL) {
        sn_felt_follow(nodes);
        sn_nodes_complete_models(nodes);
    }
    if (exact_of(run) != NULL) {
        sn_exact_settle(exact_of(run));
    }
    if (nodes != NULL) {
        sn_nodes_refresh_mixed(nodes); // for how far apart contacts are now
        sn_nodes_end(nodes);
    }
    if (exact_of(run) != NULL) {
        sn_exact_store(exact_of(run));
    }
}

bool sn_staggered_run(sn_solver *solver)
{
    sn_run run = {.solver = solver};
    sn_solver_times *times = &solver->times;
    double mark = sn_clock();
    sn_node_solver *nodes = solver->nodes;
    if (!sn_run_prepare(&run) || (nodes != NULL && !sn_nodes_begin(nodes, solver))) {
        return false;
    }
    sn_run_refresh(&run, true);
    sn_run_measure(&run);
    sn_run_push(&run);
    fade(&run);
    // Models of what is no whole carry what happens to one node to all of their body, so they see what
    // contacts did last: sheets of goals on a floor would otherwise rest on single nodes. Contacts of wholes
    // have reckoned with that already, and dummies take over what models did.
    bool dummies = solver->settings.staggered.dummy_nodes;
    sn_lap(&mark, &times->prepare);
    if (nodes != NULL) {
        sn_nodes_apply_models_of(nodes, true);
        if (dummies) {
            sn_nodes_apply_models_of(nodes, false);
        }
        sn_lap(&mark, &times->models);
    }
    open_rows(&run);
    sn_run_warm_start(&run);
    close_rows(&run);
    sn_lap(&mark, &times->prepare);
    if (nodes != NULL && !dummies) {
        sn_nodes_apply_models_of(nodes, false);
        sn_lap(&mark, &times->models);
    }
    open_rows(&run);
    iterate(&run);
    sn_lap(&mark, &times->solve);
    sn_run_accumulate(&run);
    sn_run_finish(&run);
    close_rows(&run);
    sn_lap(&mark, &times->restitution);
    move(&run);
    sn_run_store(&run);
    sn_lap(&mark, &times->integrate);
    return true;
}

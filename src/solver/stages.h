// The stages of a step: each goes over all bodies, or over all rows between them, once. Which stages run, and
// in what order, is decided by the schedules (velocity.c, staggered.c). Stages of nodes are in node_stages.h.
#ifndef SN_SOLVER_STAGES_H
#define SN_SOLVER_STAGES_H

#include "solver/contact/contact_block.h"
#include "solver/contact/contact_coloring.h"
#include "solver/nodes/node_solver.h"
#include "solver/rows/joints.h"
#include "solver/schedule.h"

// A step being solved.
struct sn_run {
    sn_solver *solver;
    sn_coloring coloring;
    sn_contact_packing packing;
    int block_begin[SN_COLORS + 2]; // blocks of a colour
    sn_joints joints;               // between bodies
    const sn_contact_kernels *kernels;
    sn_contact_pass pass;
    float h;
    int sub_step;  // the present one, from 0
    int iteration; // of the position solver, likewise
    bool is_trial; // its motion changes positions alone
    // Sweeps over the rows that touch nodes, with and without bias, and which of the two is running.
    sn_schedule node_sweep, node_relax;
    bool use_bias;
    struct sn_projection *projection; // the position solver's own; null under others
    sn_stage_function sweep_contacts; // Jacobi's; null: one after the other
    bool is_deep;                     // some contact overlaps so far that positions push it out
};

// Rows are coloured, packed and made. False, before anything has moved, without memory.
bool sn_run_prepare(sn_run *run);
// Rows where bodies and nodes are now; `first` before anything has moved.
void sn_run_refresh(sn_run *run, bool first);
// Contacts where bodies are now: before forces, with speeds of approach, and while the position solver
// iterates.
void sn_run_measure(sn_run *run);
// Forces change velocities.
void sn_run_push(sn_run *run);
// Kept impulses of contacts are applied, and of constraints.
void sn_run_warm_start(sn_run *run);
void sn_run_warm_start_joints(sn_run *run);
// One sweep over the rows between rigid bodies, colour by colour: contacts in the direction of `pass`,
// constraints always in the same (joints.h), first when contacts go forwards and last when they go backwards.
void sn_run_sweep_rigid(sn_run *run, bool use_bias);
// A kernel over the blocks of contacts, colour by colour.
void sn_run_sweep_blocks(sn_run *run, void (*kernel)(const sn_contact_pass *pass, int begin, int end));
// Restitution; impulses of contacts are summed up.
void sn_run_finish(sn_run *run);
// While something overlaps deeply: finds how bodies move out of it in this sub-step. Velocities do not
// change.
void sn_run_push_apart(sn_run *run);
// Velocities, and pushes, change positions.
void sn_run_move(sn_run *run);
// Impulses and forces are handed back.
void sn_run_store(sn_run *run);

#endif

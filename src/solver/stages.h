// The stages that solvers put a step together from: each goes over all bodies, rows and nodes once. What a
// stage does is told here, when it runs is the schedules' business (velocity.c, staggered.c).
#ifndef SN_SOLVER_STAGES_H
#define SN_SOLVER_STAGES_H

#include "solver/coloring.h"
#include "solver/contact_block.h"
#include "solver/node_solver.h"
#include "solver/joints.h"

// A step being solved.
typedef struct sn_run {
    sn_solver *solver;
    sn_coloring coloring;
    sn_contact_packing packing;
    int block_begin[SN_COLORS + 2]; // blocks of a colour
    sn_joints joints; // between bodies
    const sn_contact_kernels *kernels;
    sn_contact_pass pass;
    float h;
} sn_run;

// Rows are coloured, packed and made. False, before anything has moved, without memory.
bool sn_run_prepare(sn_run *run);
// Rows where bodies and nodes are now; `first` before anything has moved.
void sn_run_refresh(sn_run *run, bool first);
// Speeds of approach, before forces.
void sn_run_measure(sn_run *run);
// Forces change velocities.
void sn_run_push(sn_run *run);
// Kept impulses are applied.
void sn_run_warm_start(sn_run *run);
// One sweep over the rows between rigid bodies, colour by colour: contacts in the direction of `pass`,
// constraints always in the same (joints.h), first when contacts go forwards and last when they go backwards.
void sn_run_sweep_rigid(sn_run *run, bool use_bias);
// What was hit bounces; impulses of contacts are summed up.
void sn_run_finish(sn_run *run);
// Velocities change positions.
void sn_run_move(sn_run *run);
// Impulses and forces are handed back.
void sn_run_store(sn_run *run);

#endif

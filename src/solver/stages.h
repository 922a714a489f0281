// The stages that solvers put a step together from: each goes over all bodies and rows between them once.
// What a stage does is told here, when it runs is the schedules' business (velocity.c, staggered.c). Those of
// nodes are in node_stages.h.
#ifndef SN_SOLVER_STAGES_H
#define SN_SOLVER_STAGES_H

#include "solver/coloring.h"
#include "solver/contact_block.h"
#include "solver/node_solver.h"
#include "solver/rows.h"
#include "solver/schedule.h"

// A step being solved.
typedef struct sn_run {
    sn_solver *solver;
    sn_coloring coloring;
    sn_contact_packing packing;
    int block_begin[SN_COLORS + 2]; // blocks of a colour
    sn_constraint_rows *rows;       // by constraint
    const sn_contact_kernels *kernels;
    sn_contact_pass pass;
    float h;
    // What the current loop over a colour's constraints does.
    enum { SN_WARM_START, SN_SOLVE, SN_RELAX } stage;
    bool first;   // rows are refreshed for the first time in the step
    int sub_step; // the present one, from 0
    // Sweeps over the rows that touch nodes, with and without bias, and which of the two is running.
    sn_schedule node_sweep, node_relax;
    bool use_bias;
    const int *constraint_order;
    float *pulls; // of joints, by body: see sn_run_steady
} sn_run;

// Rows are coloured, packed and made. False, before anything has moved, without memory.
bool sn_run_prepare(sn_run *run);
// Rows where bodies are now; `first` before anything has moved.
void sn_run_refresh(sn_run *run, bool first);
// Speeds of approach, before forces.
void sn_run_measure(sn_run *run);
// Forces change velocities.
void sn_run_push(sn_run *run);
// Kept impulses are applied.
void sn_run_warm_start(sn_run *run);
// One sweep over the rows between rigid bodies, colour by colour, in the direction of `pass`. Without bias
// it is the sub-step's last, and what constraints did is summed up.
void sn_run_sweep_rigid(sn_run *run, bool use_bias);
// Sums up what constraints did where no sweep without bias does.
void sn_run_accumulate(sn_run *run);
// What was hit bounces; impulses of contacts are summed up.
void sn_run_finish(sn_run *run);
// Velocities change positions.
void sn_run_move(sn_run *run);
// Bodies that joints pull at hard count as harder to turn.
void sn_run_steady(sn_run *run);
// Impulses and forces are handed back.
void sn_run_store(sn_run *run);

#endif

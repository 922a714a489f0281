// The velocity solver: see solver.h.
#ifndef SN_SOLVER_VELOCITY_H
#define SN_SOLVER_VELOCITY_H

#include "solver/schedule.h"
#include "solver/solver.h"

// What the position solver does otherwise in a sub-step; null for nothing.
typedef struct sn_sub_step_plan {
    sn_stage_function begin, before_forces, before_warm_start;
    sn_stage_function solve; // in place of one sweep, in the direction of the sub-step
    sn_stage_function before_move, after_move;
    sn_stage_function sweep_elements, sweep_coupling; // in place of one after the other
    bool sweeps_one_way;                              // stiff elements, too
} sn_sub_step_plan;

// Runs all sub-steps of a step whose rows are ready.
void sn_velocity_run(sn_run *run, const sn_sub_step_plan *plan);

// Parts of its table: between these two, rows act on felt masses.
void sn_velocity_list_open(const sn_run *run, sn_schedule *table);
void sn_velocity_list_close(const sn_run *run, sn_schedule *table, sn_stage_function answer);

#endif

// The velocity solver: see solver.h.
#ifndef SN_SOLVER_VELOCITY_H
#define SN_SOLVER_VELOCITY_H

#include "solver/schedule.h"
#include "solver/solver.h"

// Runs all sub-steps of a step whose rows are ready.
void sn_velocity_run(sn_run *run);

// Parts of its table, which the position solver uses too: between these two, rows act on felt masses;
void sn_velocity_list_open(const sn_run *run, sn_schedule *table);
void sn_velocity_list_close(const sn_run *run, sn_schedule *table, sn_stage_function answer);
// one sweep over rows that touch nodes;
void sn_velocity_list_sweep(sn_run *run, sn_schedule *table, bool use_bias);
// what comes before the sweeps, which leaves felt masses open; the motion; and what ends a step.
void sn_velocity_list_push(const sn_run *run, sn_schedule *table);
void sn_velocity_list_move(const sn_run *run, sn_schedule *table);
void sn_velocity_list_end(const sn_run *run, sn_schedule *table);

#endif

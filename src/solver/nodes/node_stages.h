// The stages of nodes, as entries of a schedule (schedule.h). They are documented in node_solver.h, exact.h,
// node_response.h and node_felt.h.
#ifndef SN_SOLVER_NODES_NODE_STAGES_H
#define SN_SOLVER_NODES_NODE_STAGES_H

#include "solver/stages.h"

// Sets the direction of all sweeps.
void sn_run_turn(sn_run *run, bool backwards);

// Detects contacts again, for the rest of the step.
void sn_run_detect_again(sn_run *run);

void sn_run_measure_nodes(sn_run *run);
void sn_run_push_nodes(sn_run *run);
void sn_run_apply_models(sn_run *run);
void sn_run_warm_start_nodes(sn_run *run);
void sn_run_move_nodes(sn_run *run);
void sn_run_complete_models(sn_run *run);
void sn_run_refresh_nodes(sn_run *run);
void sn_run_refresh_coupling(sn_run *run);
void sn_run_finish_nodes(sn_run *run);
void sn_run_end_nodes(sn_run *run);

// One sweep over the rows that touch nodes, by the table made for it. Relaxing goes in the direction opposite
// to solving, and so in the direction of the next sub-step's solving. A sweep that reverses finds the first
// rows solved already and carries loads no further: ropes with bodies a thousand times heavier would bounce
// for long.
void sn_run_sweep_nodes(sn_run *run, bool use_bias);
// The entries of such a table.
void sn_run_sweep_coupling(sn_run *run);
void sn_run_sweep_elements(sn_run *run);
void sn_run_sweep_stiff(sn_run *run);

void sn_run_open_exact(sn_run *run);
void sn_run_close_exact(sn_run *run);
void sn_run_place_exact(sn_run *run);
void sn_run_settle_exact(sn_run *run);
void sn_run_share_exact(sn_run *run); // kept impulses
void sn_run_store_exact(sn_run *run);

void sn_run_open_responses(sn_run *run);
void sn_run_take_responses(sn_run *run);
void sn_run_answer_responses(sn_run *run);
void sn_run_start_responses(sn_run *run);

void sn_run_follow_felt(sn_run *run);

#endif

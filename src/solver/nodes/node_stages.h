// The stages of nodes, as tables of stages have them (schedule.h): what each does is told where it is done,
// in node_solver.h, exact.h, node_response.h and node_felt.h.
#ifndef SN_SOLVER_NODES_NODE_STAGES_H
#define SN_SOLVER_NODES_NODE_STAGES_H

#include "solver/stages.h"

// Which way sweeps go, of all rows.
void sn_run_turn(sn_run *run, bool backwards);

// Contacts are detected again, for what is left of the step.
void sn_run_detect_again(sn_run *run);

void sn_run_push_nodes(sn_run *run);
void sn_run_apply_models(sn_run *run);
void sn_run_warm_start_nodes(sn_run *run);
void sn_run_move_nodes(sn_run *run);
void sn_run_complete_models(sn_run *run);
void sn_run_refresh_nodes(sn_run *run);
void sn_run_refresh_coupling(sn_run *run);
void sn_run_finish_nodes(sn_run *run);
void sn_run_end_nodes(sn_run *run);

// One sweep over the rows that touch nodes: the table made for it. Relaxing goes the other way than solving,
// and so the same way as the solving of the sub-step after it. A sweep that turns round finds the rows it
// begins with solved already, and brings loads no further: ropes with bodies a thousand times heavier then
// bounce for long.
void sn_run_sweep_nodes(sn_run *run, bool use_bias);
// What such tables are made of.
void sn_run_sweep_coupling(sn_run *run);
void sn_run_sweep_elements(sn_run *run);
void sn_run_sweep_stiff(sn_run *run);

void sn_run_open_exact(sn_run *run);
void sn_run_close_exact(sn_run *run);
void sn_run_place_exact(sn_run *run);
void sn_run_settle_exact(sn_run *run);
void sn_run_store_exact(sn_run *run);

void sn_run_open_responses(sn_run *run);
void sn_run_take_responses(sn_run *run);
void sn_run_answer_responses(sn_run *run);
void sn_run_start_responses(sn_run *run);

void sn_run_follow_felt(sn_run *run);

#endif

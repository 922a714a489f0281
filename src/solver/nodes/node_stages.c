// Stages of nodes, each a line: from the state of a step to those who do it.
#include "solver/nodes/node_stages.h"

#include "solver/exact/exact.h"
#include "solver/nodes/node_felt.h"
#include "solver/nodes/node_response.h"

void sn_run_turn(sn_run *run, bool backwards)
{
    run->pass.backwards = run->solver->nodes.pass.backwards = backwards;
}

void sn_run_detect_again(sn_run *run)
{
    sn_node_solver *nodes = &run->solver->nodes;
    int left = run->solver->settings.sub_steps - run->sub_step;
    nodes->redetection.function(nodes->redetection.context, run->solver, &nodes->pass,
                                (float)left * nodes->pass.h);
}

// --- nodes and models --------------------------------------------------------------------------------------

void sn_run_push_nodes(sn_run *run)
{
    sn_nodes_apply_forces(&run->solver->nodes);
}

void sn_run_apply_models(sn_run *run)
{
    sn_nodes_apply_models(&run->solver->nodes);
}

void sn_run_apply_models_of_rigid_modes(sn_run *run)
{
    sn_nodes_apply_models_of(&run->solver->nodes, true);
}

void sn_run_apply_models_of_others(sn_run *run)
{
    sn_nodes_apply_models_of(&run->solver->nodes, false);
}

void sn_run_warm_start_nodes(sn_run *run)
{
    sn_nodes_warm_start(&run->solver->nodes);
}

void sn_run_move_nodes(sn_run *run)
{
    sn_nodes_integrate(&run->solver->nodes);
}

void sn_run_complete_models(sn_run *run)
{
    sn_nodes_complete_models(&run->solver->nodes);
}

void sn_run_refresh_nodes(sn_run *run)
{
    sn_nodes_refresh(&run->solver->nodes);
}

void sn_run_refresh_coupling(sn_run *run)
{
    sn_nodes_refresh_coupling(&run->solver->nodes);
}

void sn_run_finish_nodes(sn_run *run)
{
    sn_nodes_finish_sub_step(&run->solver->nodes);
}

void sn_run_end_nodes(sn_run *run)
{
    sn_nodes_end(&run->solver->nodes);
}

// --- sweeps ------------------------------------------------------------------------------------------------

void sn_run_sweep_nodes(sn_run *run, bool use_bias)
{
    sn_element_pass *pass = &run->solver->nodes.pass;
    bool backwards = pass->backwards;
    pass->backwards = use_bias ? backwards : !backwards;
    run->use_bias = use_bias;
    sn_schedule_run(use_bias ? &run->node_sweep : &run->node_relax, run, NULL);
    pass->backwards = backwards;
}

void sn_run_sweep_coupling(sn_run *run)
{
    sn_nodes_sweep_coupling(&run->solver->nodes, run->use_bias);
}

void sn_run_sweep_elements(sn_run *run)
{
    sn_nodes_sweep_elements(&run->solver->nodes, run->use_bias);
}

void sn_run_sweep_stiff(sn_run *run)
{
    sn_nodes_sweep_stiff(&run->solver->nodes);
}

// --- what nodes feel ---------------------------------------------------------------------------------------

void sn_run_open_exact(sn_run *run)
{
    sn_exact_open(run->solver->nodes.exact);
}

void sn_run_close_exact(sn_run *run)
{
    sn_exact_close(run->solver->nodes.exact);
}

void sn_run_place_exact(sn_run *run)
{
    sn_exact_place(run->solver->nodes.exact);
}

void sn_run_settle_exact(sn_run *run)
{
    sn_exact_settle(run->solver->nodes.exact);
}

void sn_run_store_exact(sn_run *run)
{
    sn_exact_store(run->solver->nodes.exact);
}

void sn_run_open_responses(sn_run *run)
{
    sn_responses_open(&run->solver->nodes);
}

void sn_run_take_responses(sn_run *run)
{
    sn_responses_take(&run->solver->nodes);
}

void sn_run_answer_responses(sn_run *run)
{
    sn_responses_answer(&run->solver->nodes);
}

void sn_run_start_responses(sn_run *run)
{
    sn_responses_start(&run->solver->nodes);
}

void sn_run_follow_felt(sn_run *run)
{
    sn_felt_follow(&run->solver->nodes);
}

// The stages of nodes: most of them call one function of node_solver.h, exact.h, node_response.h or
// node_felt.h.
// Tested by tests/solver/test_schedule.c.
#include "solver/nodes/node_stages.h"

#include "solver/exact/exact.h"
#include "solver/nodes/node_felt.h"
#include "solver/nodes/node_response.h"

#define STAGE(name, call)                                                                                    \
    void sn_run_##name(sn_run *run)                                                                          \
    {                                                                                                        \
        call;                                                                                                \
    }

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

STAGE(measure_nodes, sn_nodes_measure(&run->solver->nodes))
STAGE(push_nodes, sn_nodes_apply_forces(&run->solver->nodes))
STAGE(apply_models, sn_nodes_apply_models(&run->solver->nodes))
STAGE(warm_start_nodes, sn_nodes_warm_start(&run->solver->nodes))
STAGE(move_nodes, sn_nodes_integrate(&run->solver->nodes))
STAGE(complete_models, sn_nodes_complete_models(&run->solver->nodes))
STAGE(refresh_nodes, sn_nodes_refresh(&run->solver->nodes))
STAGE(refresh_coupling, sn_nodes_refresh_coupling(&run->solver->nodes))
STAGE(finish_nodes, sn_nodes_finish_sub_step(&run->solver->nodes))
STAGE(end_nodes, sn_nodes_end(&run->solver->nodes))

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

STAGE(sweep_stiff, sn_nodes_sweep_stiff(&run->solver->nodes))

// --- felt masses -------------------------------------------------------------------------------------------

STAGE(open_exact, sn_exact_open(run->solver->nodes.exact))
STAGE(close_exact, sn_exact_close(run->solver->nodes.exact))
STAGE(place_exact, sn_exact_place(run->solver->nodes.exact))
STAGE(settle_exact, sn_exact_settle(run->solver->nodes.exact))
STAGE(share_exact, sn_exact_share(run->solver->nodes.exact))
STAGE(store_exact, sn_exact_store(run->solver->nodes.exact))
STAGE(open_responses, sn_responses_open(&run->solver->nodes))
STAGE(take_responses, sn_responses_take(&run->solver->nodes))
STAGE(answer_responses, sn_responses_answer(&run->solver->nodes))
STAGE(start_responses, sn_responses_start(&run->solver->nodes))
STAGE(follow_felt, sn_felt_follow(&run->solver->nodes))

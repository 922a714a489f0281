// The velocity solver as a table of stages: list_sub_step is one sub-step, read top to bottom.
// Tested by tests/physics/rigid/test_stack.c.
#include "solver/velocity.h"

#include "base/clock.h"
#include "solver/energy/energy_ledger.h"
#include "solver/nodes/node_response.h"
#include "solver/nodes/node_stages.h"

#define TIME(name) offsetof(sn_solver_times, name)

// --- stages ------------------------------------------------------------------------------------------------

// One sweep over everything, colour by colour, in the sub-step's direction.
static void sweep_all(sn_run *run, bool use_bias)
{
    if (run->pass.backwards) {
        sn_run_sweep_nodes(run, use_bias);
    }
    sn_run_sweep_rigid(run, use_bias);
    if (!run->pass.backwards) {
        sn_run_sweep_nodes(run, use_bias);
    }
}

static void sweep(sn_run *run)
{
    sweep_all(run, true);
}

// Hard rows without bias: removes the velocity that biases put in.
static void relax(sn_run *run)
{
    sweep_all(run, false);
}

// Velocities of the chord by which a hinged body arrived are right as they are in the position solver
// (joint_rows.c).
static void refresh(sn_run *run)
{
    sn_run_refresh(run, run->solver->settings.laws.is_projected);
}

// Velocities push out of overlaps with this part of push_speed, and with no more than OVERLAP_RATE [1/s]
// times push_speed and the length of the sub-step: contacts found in longer sub-steps overlap farther than
// shorter ones need for the same load.
#define OVERLAP_PART 0.01f
#define OVERLAP_RATE 8.0f

// --- laws --------------------------------------------------------------------------------------------------

// Contacts with immovable bodies carry the whole pile: they are twice as stiff, so that they yield least.
sn_solver_laws sn_velocity_laws(const sn_solver_settings *settings)
{
    float h = sn_sub_step_length(settings);
    sn_softness hard = sn_softness_make(settings->constraint_stiffness, settings->constraint_damping, h);
    return (sn_solver_laws){
        .hard = hard,
        .firmest = hard,
        .contact = sn_softness_make(settings->contact_stiffness, settings->contact_damping, h),
        .contact_with_immovable =
            sn_softness_make(2.0f * settings->contact_stiffness, settings->contact_damping / 2.0f, h),
        .stiffest = SN_STIFFEST,
        .most_damped = 1.0f / hard.inverse_a2,
        .bearing = hard.bias_rate * (1.0f / h) / hard.inverse_a2, // (hω)² is the rate of bias times h a₂
        .overlap_speed = sn_min(OVERLAP_PART, OVERLAP_RATE * h) * settings->push_speed,
        .has_position_push = true,
        .kept = 1.0f,
        .kept_soft = 1.0f,
        .has_chords = true,
        .has_firm_anchors = true,
        .begin_nodes = sn_responses_begin};
}

// --- tables ------------------------------------------------------------------------------------------------

// Between these two, rows act on felt masses (node_felt.h). Answers of models are not impulses on exactly
// attached nodes, so these are closed before models answer.
void sn_velocity_list_open(const sn_run *run, sn_schedule *table)
{
    const sn_node_solver *nodes = &run->solver->nodes;
    sn_schedule_add(table, nodes->exact != NULL, sn_run_open_exact, TIME(exact));
    sn_schedule_add(table, nodes->responses != NULL, sn_run_open_responses, TIME(models));
}

void sn_velocity_list_close(const sn_run *run, sn_schedule *table, sn_stage_function answer)
{
    const sn_node_solver *nodes = &run->solver->nodes;
    sn_schedule_add(table, nodes->responses != NULL, sn_run_take_responses, TIME(models));
    sn_schedule_add(table, nodes->exact != NULL, sn_run_close_exact, TIME(exact));
    sn_schedule_add(table, nodes->responses != NULL, answer, TIME(models));
}

// Coupling rows are swept before and after elements: light nodes between heavy bodies and stiff elements need
// both, and elements, if they were last, would push nodes into bodies. Read backwards the order is the same.
// Between the two sweeps of stiff elements too: friction that is solved only once lags behind and feeds
// energy to them. (Hard edges under loads, which are also swept back, do without.) Models answer the impulses
// of contacts and anchors before these are swept again.
static void list_sweep(const sn_run *run, const sn_sub_step_plan *plan, sn_schedule *table, bool use_bias)
{
    const sn_node_solver *nodes = &run->solver->nodes;
    bool has_coupling = nodes->coupling_count > 0, answers = has_coupling && nodes->responses != NULL;
    bool has_stiff, sweeps_back = sn_nodes_sweep_back(nodes, &has_stiff);
    bool is_back = use_bias && !plan->sweeps_one_way && sweeps_back;
    size_t time = use_bias ? TIME(solve) : TIME(relax);
    bool is_at_once = use_bias && plan->sweep_elements != NULL;
    sn_stage_function elements = is_at_once ? plan->sweep_elements : sn_run_sweep_elements;
    sn_stage_function coupling = is_at_once ? plan->sweep_coupling : sn_run_sweep_coupling;
    for (int part = 0; part < (is_back ? 2 : 1); ++part) {
        bool is_swept = part == 0 || has_stiff;
        sn_schedule_add(table, has_coupling && is_swept, coupling, time);
        if (answers && is_swept) {
            sn_velocity_list_close(run, table, sn_run_answer_responses);
            sn_velocity_list_open(run, table);
        }
        sn_schedule_add(table, nodes->group_count > 0, part == 1 ? sn_run_sweep_stiff : elements, time);
    }
    sn_schedule_add(table, has_coupling, coupling, time);
}

// Whether there are any whose impulses are kept.
static bool has_rows(const sn_run *run)
{
    const sn_solver *solver = run->solver;
    return solver->nodes.group_count > 0 || solver->nodes.coupling_count > 0 || solver->contact_count > 0 ||
           solver->constraint_count > 0;
}

// Forces, models and last sub-step's impulses change velocities.
static void list_push(const sn_run *run, const sn_sub_step_plan *plan, sn_schedule *table)
{
    const sn_node_solver *nodes = &run->solver->nodes;
    bool is_soft = nodes->nodes != NULL;
    int middle = run->solver->settings.sub_steps / 2;
    sn_schedule_add_once(table, nodes->redetection.function != NULL && middle > 0, sn_run_detect_again,
                         TIME(prepare), middle);
    sn_schedule_add(table, true, sn_run_measure, TIME(prepare));
    sn_schedule_add(table, nodes->coupling_count > 0, sn_run_measure_nodes, TIME(prepare));
    sn_schedule_add(table, plan->before_forces != NULL, plan->before_forces, TIME(prepare));
    sn_schedule_add(table, is_soft, sn_run_push_nodes, TIME(prepare));
    sn_schedule_add(table, true, sn_run_push, TIME(prepare));
    sn_schedule_add(table, nodes->model_count > 0, sn_run_apply_models, TIME(models));
    sn_schedule_add(table, plan->before_warm_start != NULL, plan->before_warm_start, TIME(prepare));
    sn_velocity_list_open(run, table);
    sn_schedule_add(table, true, sn_run_warm_start, TIME(prepare));
    sn_schedule_add(table, is_soft, sn_run_warm_start_nodes, TIME(prepare));
    if (nodes->responses != NULL) {
        sn_velocity_list_close(run, table, sn_run_start_responses);
        sn_velocity_list_open(run, table);
    }
    sn_schedule_add(table, nodes->exact != NULL && has_rows(run), sn_run_share_exact, TIME(exact));
    // Last: joint_islands.c limits the impulses of joints by the velocities that all else has changed.
    sn_schedule_add(table, run->solver->constraint_count > 0, sn_run_warm_start_joints, TIME(prepare));
}

// Velocities change positions; exact attachments put their nodes in place; integrators make velocities of the
// end of the sub-step.
static void list_move(const sn_run *run, sn_schedule *table)
{
    const sn_node_solver *nodes = &run->solver->nodes;
    sn_schedule_add(table, run->is_deep, sn_run_push_apart, TIME(integrate));
    sn_schedule_add(table, run->is_deep && run->solver->ledger != NULL, sn_run_note_lifts, TIME(integrate));
    sn_schedule_add(table, true, sn_run_move, TIME(integrate));
    sn_schedule_add(table, nodes->nodes != NULL, sn_run_move_nodes, TIME(integrate));
    sn_schedule_add(table, nodes->exact != NULL, sn_run_place_exact, TIME(exact));
    sn_schedule_add(table, nodes->felt != NULL, sn_run_follow_felt, TIME(exact));
    sn_schedule_add(table, nodes->model_count > 0, sn_run_complete_models, TIME(models));
}

static void list_sub_step(const sn_run *run, const sn_sub_step_plan *plan, sn_schedule *table)
{
    const sn_node_solver *nodes = &run->solver->nodes;
    bool has_ledger = run->solver->ledger != NULL, has_exact = nodes->exact != NULL;
    sn_schedule_add(table, has_ledger, sn_run_open_ledger, TIME(prepare));
    sn_schedule_add(table, plan->begin != NULL, plan->begin, TIME(prepare));
    list_push(run, plan, table);
    sn_schedule_add(table, true, plan->solve != NULL ? plan->solve : sweep, TIME(solve));
    sn_velocity_list_close(run, table, sn_run_answer_responses);
    sn_schedule_add(table, has_exact && plan->solve != NULL, sn_run_settle_exact, TIME(exact));
    sn_schedule_add(table, plan->before_move != NULL, plan->before_move, TIME(integrate));
    sn_schedule_add(table, has_ledger, sn_run_check_ledger, TIME(integrate));
    list_move(run, table);
    sn_schedule_add(table, plan->after_move != NULL, plan->after_move, TIME(integrate));
    sn_velocity_list_open(run, table);
    sn_schedule_add(table, true, refresh, TIME(prepare));
    sn_schedule_add(table, nodes->nodes != NULL, sn_run_refresh_nodes, TIME(prepare));
    sn_schedule_add(table, true, relax, TIME(relax));
    sn_schedule_add(table, sn_ledger_has_drivers(run->solver), sn_run_open_work, TIME(restitution));
    sn_schedule_add(table, true, sn_run_finish, TIME(restitution)); // what was hit bounces
    sn_schedule_add(table, nodes->coupling_count > 0, sn_run_finish_nodes, TIME(restitution));
    sn_velocity_list_close(run, table, sn_run_answer_responses);
    sn_schedule_add(table, has_exact, sn_run_settle_exact, TIME(exact));
    sn_schedule_add(table, has_ledger, sn_run_close_ledger, TIME(restitution));
}

static void list_end(const sn_run *run, sn_schedule *table)
{
    const sn_node_solver *nodes = &run->solver->nodes;
    sn_schedule_add(table, true, sn_run_store, TIME(restitution));
    sn_schedule_add(table, nodes->nodes != NULL, sn_run_end_nodes, TIME(restitution));
    sn_schedule_add(table, nodes->exact != NULL, sn_run_store_exact, TIME(exact));
}

void sn_velocity_run(sn_run *run, const sn_sub_step_plan *plan)
{
    sn_solver *solver = run->solver;
    double mark = sn_clock();
    sn_schedule sub_step = {0}, end = {0};
    list_sweep(run, plan, &run->node_sweep, true);
    list_sweep(run, plan, &run->node_relax, false);
    list_sub_step(run, plan, &sub_step);
    list_end(run, &end);
    sn_run_refresh(run, true);
    for (int i = 0; i < solver->settings.sub_steps; ++i) {
        bool is_odd = ((i + solver->settings.sub_steps_before) & 1) != 0;
        sn_run_turn(run, is_odd && plan->solve == NULL);
        run->sub_step = solver->nodes.sub_step = i;
        sn_schedule_run(&sub_step, run, &mark);
    }
    sn_schedule_run(&end, run, &mark);
}

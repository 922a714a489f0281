// The staggered solver as a table of stages; list_step is one step, read top to bottom.
#include "solver/staggered/staggered.h"

#include "base/clock.h"
#include "solver/energy/energy_ledger.h"
#include "solver/nodes/node_stages.h"
#include "solver/staggered/staggered_rigid_mode.h"

#define TIME(name) offsetof(sn_solver_times, name)

// --- laws --------------------------------------------------------------------------------------------------

// Steps of 20 ms are long, and the directions of last step's impulses are out of date after one: with all
// impulses of springs, finite elements and contacts kept, jellies that fall on a floor shake themselves to
// pieces. Two sweeps, one in each direction, with scaled impulses are stable for stiffer springs than one
// sweep with all of them. Contacts that use the rigid mode of a solid need not send loads through its
// elements node by node, so that these may be as stiff as the velocity solver's.
sn_solver_laws sn_staggered_laws(const sn_solver_settings *settings)
{
    float h = sn_sub_step_length(settings), rate = settings->staggered.correction / h;
    // A hard row that moves a part of its error a step, neither softened nor relaxed (Baumgarte).
    sn_softness hard = {.bias_rate = rate, .mass_scale = 1.0f, .inverse_a2 = 1.0e-7f};
    sn_softness firmest = {.bias_rate = 1.0f / h, .mass_scale = 1.0f, .inverse_a2 = 0.01f};
    return (sn_solver_laws){.hard = hard,
                            .firmest = firmest,
                            .contact = hard,
                            .contact_with_immovable = hard,
                            .stiffest = 1.0f / firmest.inverse_a2,
                            .most_damped = 1.0f / firmest.inverse_a2,
                            .bearing = 1.0f / (h * h),
                            .overlap_speed = settings->push_speed,
                            .kept = settings->staggered.warm_start,
                            .kept_soft = 0.5f * settings->staggered.warm_start,
                            .begin_nodes = sn_rigid_modes_begin};
}

// --- stages ------------------------------------------------------------------------------------------------

static void sweep_nodes(sn_node_solver *nodes)
{
    if (nodes->pass.backwards) {
        sn_nodes_sweep_elements(nodes, true);
    }
    sn_nodes_sweep_coupling(nodes, true);
    if (!nodes->pass.backwards) {
        sn_nodes_sweep_elements(nodes, true);
    }
}

// The paper does not say in which direction rows are swept. Alternating directions make two sweeps symmetric,
// which elastic rows need (is_stiff in element.h). The last sweep goes backwards, so that contacts of nodes
// are solved last.
static void iterate(sn_run *run)
{
    const sn_staggered *counts = &run->solver->settings.staggered;
    sn_node_solver *nodes = &run->solver->nodes;
    int rounds = counts->rigid_iterations > counts->node_iterations ? counts->rigid_iterations
                                                                    : counts->node_iterations;
    for (int i = 0; i < rounds; ++i) {
        sn_run_turn(run, ((rounds - i) & 1) != 0);
        if (i < counts->rigid_iterations) {
            sn_run_sweep_rigid(run, true);
        }
        if (i < counts->node_iterations) {
            sweep_nodes(nodes);
        }
    }
    sn_run_turn(run, false);
}

static void refresh_first(sn_run *run)
{
    sn_run_refresh(run, true);
}

// Whether a deformable, named by its first node, moves partly as a rigid body.
static bool is_rigid(const sn_node_solver *nodes, int first_node)
{
    for (int r = 0; r < nodes->range_count; ++r) {
        const sn_node_range *range = &nodes->ranges[r];
        if (range->first == first_node) {
            return range->rigid_share > 0.0f;
        }
    }
    return false;
}

// Impulses of elements, from which the step begins; those of contacts and constraints were scaled when they
// were loaded. A solid has more hard edges than it takes to hold its nodes, and they work against each other
// and its model: with all of their impulses kept, the solid shakes itself to pieces.
static void scale_warm_start(sn_run *run)
{
    const sn_solver_laws *laws = &run->solver->settings.laws;
    const sn_node_solver *nodes = &run->solver->nodes;
    for (int g = 0; g < nodes->group_count; ++g) {
        const sn_element_group *group = nodes->groups[g];
        float part = is_rigid(nodes, group->first_node) ? laws->kept_soft : laws->kept;
        sn_nodes_scale_warm_start(group, part, laws->kept_soft);
    }
}

static void apply_models_of(sn_node_solver *nodes, bool rigid)
{
    for (int i = 0; i < nodes->model_count; ++i) {
        const sn_model_stage *model = &nodes->models[i];
        if (is_rigid(nodes, model->first_node) == rigid) {
            model->apply(model->model, &nodes->pass, nodes->tasks);
        }
    }
}

static void apply_models_of_rigid(sn_run *run)
{
    apply_models_of(&run->solver->nodes, true);
}

static void apply_other_models(sn_run *run)
{
    apply_models_of(&run->solver->nodes, false);
}

// --- the table ---------------------------------------------------------------------------------------------

// Velocities change positions; exact attachments put their nodes in place and give them their velocity.
static void list_move(const sn_run *run, sn_schedule *table)
{
    const sn_node_solver *nodes = &run->solver->nodes;
    bool is_soft = nodes->nodes != NULL, is_exact = nodes->exact != NULL;
    sn_schedule_add(table, run->solver->ledger != NULL, sn_run_check_ledger, TIME(integrate));
    sn_schedule_add(table, true, sn_run_move, TIME(integrate));
    sn_schedule_add(table, is_soft, sn_run_move_nodes, TIME(integrate));
    sn_schedule_add(table, is_exact, sn_run_place_exact, TIME(integrate));
    sn_schedule_add(table, nodes->felt != NULL, sn_run_follow_felt, TIME(integrate));
    sn_schedule_add(table, nodes->model_count > 0, sn_run_complete_models, TIME(integrate));
    sn_schedule_add(table, is_exact, sn_run_settle_exact, TIME(integrate));
    sn_schedule_add(table, run->solver->ledger != NULL, sn_run_close_ledger, TIME(integrate));
    // Contacts report how far apart they are now.
    sn_schedule_add(table, nodes->coupling_count > 0, sn_run_refresh_coupling, TIME(integrate));
    sn_schedule_add(table, is_soft, sn_run_end_nodes, TIME(integrate));
    sn_schedule_add(table, is_exact, sn_run_store_exact, TIME(integrate));
    sn_schedule_add(table, true, sn_run_store, TIME(integrate));
}

// A model spreads what contacts do to one node over its body. Models of sheets and strands therefore run
// after the warm start, or sheets of goals on a floor would rest on single nodes. For solids the rigid mode
// of contacts does that, so their models run before. Dummy nodes take over the velocities that models leave,
// so with them all models run before.
static void list_step(const sn_run *run, sn_schedule *table)
{
    const sn_node_solver *nodes = &run->solver->nodes;
    bool is_soft = nodes->nodes != NULL, is_exact = nodes->exact != NULL, has_models = nodes->model_count > 0;
    bool has_dummies = run->solver->settings.staggered.dummy_nodes;
    sn_schedule_add(table, run->solver->ledger != NULL, sn_run_open_ledger, TIME(prepare));
    sn_schedule_add(table, true, refresh_first, TIME(prepare));
    sn_schedule_add(table, true, sn_run_measure, TIME(prepare));
    sn_schedule_add(table, nodes->coupling_count > 0, sn_run_measure_nodes, TIME(prepare));
    sn_schedule_add(table, is_soft, sn_run_push_nodes, TIME(prepare));
    sn_schedule_add(table, true, sn_run_push, TIME(prepare));
    sn_schedule_add(table, true, scale_warm_start, TIME(prepare));
    sn_schedule_add(table, has_models, apply_models_of_rigid, TIME(models));
    sn_schedule_add(table, has_models && has_dummies, apply_other_models, TIME(models));
    sn_schedule_add(table, is_exact, sn_run_open_exact, TIME(prepare));
    sn_schedule_add(table, true, sn_run_warm_start, TIME(prepare));
    sn_schedule_add(table, is_soft, sn_run_warm_start_nodes, TIME(prepare));
    sn_schedule_add(table, run->solver->constraint_count > 0, sn_run_warm_start_joints, TIME(prepare));
    sn_schedule_add(table, is_exact, sn_run_close_exact, TIME(prepare));
    sn_schedule_add(table, has_models && !has_dummies, apply_other_models, TIME(models));
    sn_schedule_add(table, is_exact, sn_run_open_exact, TIME(solve));
    sn_schedule_add(table, true, iterate, TIME(solve));
    sn_schedule_add(table, sn_ledger_has_drivers(run->solver), sn_run_open_work, TIME(restitution));
    sn_schedule_add(table, true, sn_run_finish, TIME(restitution));
    sn_schedule_add(table, nodes->coupling_count > 0, sn_run_finish_nodes, TIME(restitution));
    sn_schedule_add(table, is_exact, sn_run_close_exact, TIME(restitution));
    list_move(run, table);
}

void sn_staggered_run(sn_run *run)
{
    double mark = sn_clock();
    sn_schedule table = {0};
    list_step(run, &table);
    sn_schedule_run(&table, run, &mark);
}

// The position solver: what it does otherwise in the velocity solver's sub-step (velocity.c), and one
// iteration as a table of stages, list_iteration, read top to bottom. Tested by
// tests/physics/test_position_solver.c.
#include "solver/position.h"

#include "solver/energy/energy_ledger.h"
#include "solver/nodes/node_felt.h"
#include "solver/nodes/node_response.h"
#include "solver/nodes/node_stages.h"
#include "solver/velocity.h"

#include <math.h>
#include <string.h>

#define TIME(name) offsetof(sn_solver_times, name)

enum { BLOCK_GRAIN = 4 }; // blocks a thread takes at a time

// --- laws --------------------------------------------------------------------------------------------------

// Hard rows take all of their error; a trace of compliance keeps redundant ones from fighting. Soft ones have
// their own stiffness, up to what floats can tell from hard.
#define TRACE    1.0e-7f
#define FIRMNESS 1.0e12f

// Contacts of rigid bodies that are apart are hard. Those that overlap are the velocity solver's springs,
// begin with their last impulses, and are swept there and back in turn: piles rest on impulses that are right
// already. (Hard ones that begin without tremble at some g h for ever, hard ones that begin with them gain
// energy.) K iterations resolve springs of √K times the frequency: with this part of it, stacks of 20 boxes
// and towers of 1000 bricks come to rest for K from 1 to 50; with half as much again some do not. Jacobi's
// methods resolve less: theirs are the velocity solver's.
#define CONTACT_GROWTH 0.75f

// Springs (edges, bending, volume, joints) begin with their last impulses, so that they need not find what
// they carry anew in every sub-step, up to this κ/γ for every iteration. Stiffer ones begin with half of
// them: that is stable whatever the stiffness, but what iterations do not carry makes them look softer.
// Statistics count them.
#define RESOLVED_FIRMNESS 16.0f
#define UNRESOLVED_KEPT   0.5f

// Elements of solids always begin with all of them, so they must not be stiffer than iterations resolve. Let
// K of these take the part ε of an error out of a mode of vibration: beginning with the last impulses then
// makes the mode grow unless ε > ½ (ε of what was missing is added to a force that acts on the acceleration,
// two integrations before the error), and slow modes of solids have an ε of about 2 K γ/κ. Stiffer elements
// act as stiff as this for every iteration, and have up to this κ/γ, damping included. A damped cow of 5775
// elements gains no energy so; with twice the stiffness it does. What is gained all the same, by elements
// that are crushed or far too stiff, is taken back (world/energy/energy_accounts.h).
#define SOLID_FIRMNESS 0.4f
#define SOLID_DAMPING  4.0f

// Hard edges bear pressure as springs of this (hω)² for every iteration: with 1, single edges of cushions
// stretch by a half and more in a few sub-steps, as neighbours undo each other's work; with this by 0.1–0.2.
#define BEARING 0.25f

float sn_position_contact_growth(sn_solver_type type, const sn_position *position)
{
    bool grows = type == SN_SOLVER_POSITION && position->method == SN_POSITION_GAUSS_SEIDEL;
    return grows ? sn_max(1.0f, CONTACT_GROWTH * sqrtf((float)position->iterations)) : 1.0f;
}

sn_solver_laws sn_position_laws(const sn_solver_settings *settings)
{
    float h = sn_sub_step_length(settings);
    sn_softness hard = {.bias_rate = 1.0f / h, .mass_scale = 1.0f, .inverse_a2 = TRACE};
    sn_softness firmest = {.bias_rate = 1.0f / h, .mass_scale = 1.0f, .inverse_a2 = 1.0f / FIRMNESS};
    float stiffness =
        settings->contact_stiffness * sn_position_contact_growth(settings->type, &settings->position);
    float resolving = (float)settings->position.iterations;
    return (sn_solver_laws){.hard = hard,
                            .firmest = firmest,
                            .contact = sn_softness_make(stiffness, settings->contact_damping, h),
                            .contact_with_immovable =
                                sn_softness_make(2.0f * stiffness, settings->contact_damping / 2.0f, h),
                            .stiffest = SOLID_FIRMNESS * resolving,
                            .most_damped = SOLID_DAMPING * resolving,
                            .bearing = BEARING * resolving / (h * h),
                            .resolved = RESOLVED_FIRMNESS * resolving,
                            .overlap_speed = settings->push_speed,
                            .kept = 1.0f,
                            .kept_soft = 1.0f,
                            .has_chords = true,
                            .is_projected = true,
                            .begin_nodes = sn_responses_begin};
}

// --- where a sub-step begins -------------------------------------------------------------------------------

static bool keep(const sn_solver *solver, sn_kept **first, void *now, size_t count, size_t size)
{
    sn_kept *kept = sn_arena_take(solver->arena, 1, sizeof *kept);
    void *copy = sn_arena_take(solver->arena, count, size);
    if (kept == NULL || copy == NULL) {
        return false;
    }
    *kept = (sn_kept){*first, now, copy, count * size};
    *first = kept;
    return true;
}

void sn_kept_copy(const sn_kept *first, bool is_back)
{
    for (const sn_kept *kept = first; kept != NULL; kept = kept->next) {
        memcpy(is_back ? kept->now : kept->copy, is_back ? kept->copy : kept->now, kept->size);
    }
}

bool sn_position_begin(sn_run *run)
{
    const sn_solver *solver = run->solver;
    bool is_jacobi = solver->settings.position.method != SN_POSITION_GAUSS_SEIDEL;
    size_t bodies = (size_t)solver->body_count;
    sn_projection *p = run->projection = sn_arena_take_zero(solver->arena, 1, sizeof *p);
    if (p == NULL) {
        return false;
    }
    p->begun_bodies = sn_arena_take(solver->arena, bodies, sizeof *p->begun_bodies);
    p->begun_nodes = sn_arena_take(solver->arena, sn_node_count_of(solver), sizeof *p->begun_nodes);
    bool good = p->begun_bodies && p->begun_nodes && (!is_jacobi || sn_jacobi_make(run)) &&
                keep(solver, &p->start, solver->bodies, bodies, sizeof *solver->bodies) &&
                keep(solver, &p->start, solver->shifts, bodies, sizeof *solver->shifts) &&
                keep(solver, &p->velocities, solver->velocities, bodies, sizeof *solver->velocities);
    for (int r = 0; r < solver->nodes.range_count && good; ++r) {
        sn_nodes *nodes = solver->nodes.nodes;
        int i = solver->nodes.ranges[r].first;
        size_t count = (size_t)solver->nodes.ranges[r].count;
        good = keep(solver, &p->start, &solver->nodes.moved[i], count, sizeof(sn_vec3)) &&
               keep(solver, &p->start, &nodes->states.data[i], count, sizeof(sn_node_state)) &&
               keep(solver, &p->velocities, &nodes->velocities.data[i], count, sizeof(sn_node_velocity));
    }
    return good;
}

static void set_ahead(sn_run *run, float ahead)
{
    run->pass.ahead = run->joints.pass.ahead = run->solver->nodes.pass.ahead = ahead;
    // Velocities of Newmark's rule are those of the end, not of the chord.
    run->joints.pass.chord = ahead == 0.0f && !sn_uses_newmark(&run->solver->settings) ? 0.5f : 0.0f;
}

// Rows are linearised at most so far ahead that no body turns farther than this: gradients of points on arms
// turn with it, and C(x_k) − h J·u_k is no longer C(x₀). [rad]
#define MOST_TURN 0.5f

static float length_of_trial(const sn_run *run)
{
    const sn_solver *solver = run->solver;
    float fastest = 0.0f;
    for (int i = solver->dynamic_begin; i < solver->body_count && solver->constraint_count > 0; ++i) {
        fastest = sn_max(fastest, sn_length_squared(sn_take3(solver->velocities[i].angular)));
    }
    return sn_min(run->h, MOST_TURN / sqrtf(sn_max(fastest, 1.0e-12f)));
}

// Those of bodies that have turned since theirs were found, where they are now.
static void find_patches(void *context, int begin, int end)
{
    sn_run *run = context;
    const sn_solver *solver = run->solver;
    for (int k = begin * SN_LANES; k < end * SN_LANES; ++k) {
        sn_contact_block *block = &run->packing.blocks[k / SN_LANES];
        int number = block->input[k % SN_LANES];
        sn_contact_input *input = &solver->contacts[number >= 0 ? number : 0];
        sn_vec3 a = sn_take3(solver->shifts[input->body_a].turned), old_a = input->turned_a;
        sn_vec3 b = sn_take3(solver->shifts[input->body_b].turned), old_b = input->turned_b;
        if (number >= 0 && sn_turns_far(sn_sub(a, old_a), sn_sub(b, old_b), 1.0f)) {
            sn_patch found;
            input->turned_a = a;
            input->turned_b = b;
            if (solver->find_patch(solver->world, solver, input, &found)) {
                sn_contact_lane_replace(solver, &run->packing, block, k % SN_LANES, &found);
            }
        }
    }
}

// Positions after a sub-step, or that part of it, with the present velocities. Velocities stay those of its
// beginning, and so do inertias: the angular momentum that impulses exchange is exact, and turns with the
// bodies when they move.
static void move_on_trial(sn_run *run)
{
    sn_node_solver *nodes = &run->solver->nodes;
    float whole = run->h;
    sn_kept_copy(run->projection->start, true);
    run->h = nodes->pass.h = length_of_trial(run);
    set_ahead(run, run->h);
    run->is_trial = true;
    sn_run_move(run);
    run->is_trial = false;
    if (nodes->nodes != NULL) {
        sn_nodes_integrate(nodes);
        sn_felt_follow(nodes);
    }
    run->h = nodes->pass.h = whole;
    if (run->solver->find_patch != NULL) {
        sn_tasks_for(run->solver->tasks, run->packing.block_count, BLOCK_GRAIN, find_patches, run);
    }
}

// --- iterations --------------------------------------------------------------------------------------------

static void linearise(sn_run *run)
{
    sn_run_refresh(run, false);
    sn_run_measure(run);
    if (run->solver->nodes.nodes != NULL) {
        sn_nodes_refresh_elements(&run->solver->nodes);
        sn_nodes_refresh_coupling(&run->solver->nodes);
    }
}

void sn_position_sweep(sn_run *run)
{
    sn_run_sweep_rigid(run, true);
    sn_run_sweep_nodes(run, true);
}

static void iterate(sn_run *run)
{
    set_ahead(run, run->h);
    for (int k = 0; k < run->solver->settings.position.iterations; ++k) {
        run->pass.backwards = run->solver->nodes.turns_stiff = (k & 1) != 0;
        run->iteration = k;
        sn_schedule_run(&run->projection->iteration, run, NULL);
    }
    run->pass.backwards = run->solver->nodes.turns_stiff = false;
    set_ahead(run, 0.0f);
}

// --- beginning and end of a sub-step -----------------------------------------------------------------------

// Hard rows begin without impulses: last sub-step's have the directions of last sub-step's end, and what a
// few iterations do not correct of them would be kept for ever.
static void begin(sn_run *run)
{
    const sn_node_solver *nodes = &run->solver->nodes;
    float limit = run->solver->settings.laws.resolved;
    sn_kept_copy(run->projection->start, false);
    sn_run_drop(run, NULL);
    for (int g = 0; g < nodes->group_count; ++g) {
        const sn_element_group *group = nodes->groups[g];
        bool is_firm =
            group->kind->is_stiff != NULL && group->kind->is_stiff(group->blocks, group->block_count, limit);
        sn_nodes_scale_warm_start(group, 0.0f, is_firm ? UNRESOLVED_KEPT : 1.0f);
    }
}

// Newmark's rule keeps energy if forces have the directions of the end: kept impulses of soft rows get those
// of where the sub-step leads without them.
static void aim_warm_start(sn_run *run)
{
    move_on_trial(run);
    linearise(run);
}

static void return_to_start(sn_run *run)
{
    sn_kept_copy(run->projection->start, true);
    if (run->solver->ledger != NULL) {
        sn_run_keep_turning(run);
    }
}

// --- tables ------------------------------------------------------------------------------------------------

// What is held exactly has one velocity before anything moves by it: nodes that parted in trial motions would
// be pulled together by elements, and driven apart by the next iteration.
static void list_iteration(const sn_run *run, sn_schedule *table)
{
    const sn_solver *solver = run->solver;
    sn_velocity_list_close(run, table, sn_run_answer_responses);
    sn_schedule_add(table, solver->nodes.exact != NULL, sn_run_settle_exact, TIME(exact));
    sn_schedule_add(table, true, move_on_trial, TIME(solve));
    sn_velocity_list_open(run, table);
    sn_schedule_add(table, true, linearise, TIME(solve));
    sn_schedule_add(table, true, solver->residuals != NULL ? sn_residual_sweep : sn_position_sweep,
                    TIME(solve));
}

// By Gauss–Seidel, stiff elements are swept there and back as two iterations in turn instead of as one with
// two sweeps.
void sn_position_run(sn_run *run)
{
    const sn_solver_settings *settings = &run->solver->settings;
    sn_stage_function note = run->solver->ledger != NULL ? sn_run_note_turning : NULL;
    bool has_rule = sn_uses_newmark(settings), is_jacobi = run->sweep_contacts != NULL;
    list_iteration(run, &run->projection->iteration);
    sn_velocity_run(run,
                    &(sn_sub_step_plan){.begin = begin,
                                        .before_forces = has_rule ? sn_newmark_begin : NULL,
                                        .before_warm_start = has_rule ? aim_warm_start : note,
                                        .solve = iterate,
                                        .before_move = return_to_start,
                                        .after_move = has_rule ? sn_newmark_end : NULL,
                                        .sweep_elements = is_jacobi ? sn_jacobi_sweep_elements : NULL,
                                        .sweep_coupling = is_jacobi ? sn_jacobi_sweep_coupling : NULL,
                                        .sweeps_one_way = is_jacobi || settings->position.iterations > 1});
}

// The stages of rigid bodies, and of everything in turn.
// Tested by tests/solver/test_schedule.c.
#include "solver/stages.h"

#include "solver/rows/hinge_planes.h"

#include <string.h>

// Items a thread takes at a time.
enum { BODY_GRAIN = 128, BLOCK_GRAIN = 4 };

// --- preparing -----------------------------------------------------------------------------------

// Patches of bodies that turn farther in this step may get more points.
static int room_for_points(const sn_solver *solver, const sn_contact_input *input)
{
    sn_vec3 a = sn_take3(solver->velocities[input->body_a].angular);
    sn_vec3 b = sn_take3(solver->velocities[input->body_b].angular);
    bool is_found_again = solver->settings.laws.is_projected && sn_turns_far(a, b, solver->settings.duration);
    return is_found_again ? SN_MANIFOLD_POINTS : input->patch->count;
}

// Lists which inputs go to which block; false without memory.
static bool pack_contacts(sn_run *run)
{
    sn_solver *solver = run->solver;
    sn_contact_packing *packing = &run->packing;
    int blocks = 0;
    for (int c = 0; c <= SN_COLORS; ++c) {
        int count = run->coloring.contact_begin[c + 1] - run->coloring.contact_begin[c];
        run->block_begin[c] = blocks;
        blocks += c == SN_OVERFLOW ? count : (count + SN_LANES - 1) / SN_LANES;
    }
    run->block_begin[SN_COLORS + 1] = blocks;
    packing->block_count = blocks;
    packing->blocks = sn_arena_take_zero(solver->arena, (size_t)blocks, sizeof *packing->blocks);
    if (packing->blocks == NULL) {
        return false;
    }
    int points = 0;
    for (int c = 0; c <= SN_COLORS; ++c) {
        int next = run->coloring.contact_begin[c], end = run->coloring.contact_begin[c + 1];
        int width = c == SN_OVERFLOW ? 1 : SN_LANES;
        for (int b = run->block_begin[c]; b < run->block_begin[c + 1]; ++b) {
            sn_contact_block *block = &packing->blocks[b];
            for (int lane = 0; lane < SN_LANES; ++lane) {
                bool used = lane < width && next < end;
                block->input[lane] = used ? run->coloring.contact_order[next++] : -1;
                int count = used ? room_for_points(solver, &solver->contacts[block->input[lane]]) : 0;
                block->point_count = count > block->point_count ? count : block->point_count;
            }
            block->first_point = points;
            points += block->point_count;
        }
    }
    packing->point_count = points;
    packing->points = sn_arena_take_zero(solver->arena, (size_t)points, sizeof *packing->points);
    return packing->points != NULL;
}

static void fill_blocks(void *context, int begin, int end)
{
    sn_run *run = context;
    for (int i = begin; i < end; ++i) {
        sn_contact_block_fill(run->solver, &run->packing, i);
    }
}

bool sn_run_prepare(sn_run *run)
{
    sn_solver *solver = run->solver;
    if (!sn_coloring_make(solver, &run->coloring) || !pack_contacts(run)) {
        return false;
    }
    run->joints =
        (sn_joints){.solver = solver, .inputs = solver->constraints, .count = solver->constraint_count};
    // Taken whether or not something overlaps deeply: a warm world must not allocate later.
    sn_solver_velocity *moves = sn_arena_take(solver->arena, (size_t)solver->body_count, sizeof *moves);
    if (moves == NULL || !sn_joints_begin(&run->joints)) {
        return false;
    }
    sn_tasks_for(solver->tasks, run->packing.block_count, BLOCK_GRAIN, fill_blocks, run);
    for (int i = 0; i < run->packing.block_count; ++i) {
        run->is_deep |= run->packing.blocks[i].is_deep;
    }
    run->h = sn_sub_step_length(&solver->settings);
    run->kernels = sn_contact_kernels_pick();
    run->pass = (sn_contact_pass){.velocities = solver->velocities,
                                  .shifts = solver->shifts,
                                  .inertias = solver->inertias,
                                  .dynamic_begin = solver->dynamic_begin,
                                  .blocks = run->packing.blocks,
                                  .points = run->packing.points,
                                  .h = run->h,
                                  .inverse_h = 1.0f / run->h,
                                  .is_projected = solver->settings.laws.is_projected,
                                  .push_speed = solver->settings.push_speed,
                                  .bias_limit = solver->settings.laws.overlap_speed,
                                  .moves = run->is_deep ? moves : solver->velocities,
                                  .restitution_threshold = solver->settings.restitution_threshold};
    return true;
}

// --- bodies --------------------------------------------------------------------------------------

static void add_to4(float *target, float scale, sn_vec3 v)
{
    target[0] += scale * v.x;
    target[1] += scale * v.y;
    target[2] += scale * v.z;
}

// v −= decay·v rather than v *= 1 − decay: the factor would round the same way every time.
static void damp4(float *target, float decay)
{
    target[0] -= decay * target[0];
    target[1] -= decay * target[1];
    target[2] -= decay * target[2];
}

static void apply_forces(void *context, int begin, int end)
{
    const sn_run *run = context;
    const sn_solver *solver = run->solver;
    for (int i = solver->dynamic_begin + begin; i < solver->dynamic_begin + end; ++i) {
        const sn_solver_body *body = &solver->bodies[i];
        sn_solver_velocity *velocity = &solver->velocities[i];
        sn_sym3 inverse = sn_solver_inertia_matrix(&solver->inertias[i]);
        // Damping in two halves around the force: exact decay without one, exact terminal speed with it, both
        // to second order.
        bool damps = body->linear_damping > 0.0f || body->angular_damping > 0.0f;
        float linear_decay = damps ? sn_decay(0.5f * run->h * body->linear_damping) : 0.0f;
        float angular_decay = damps ? sn_decay(0.5f * run->h * body->angular_damping) : 0.0f;
        damp4(velocity->linear, linear_decay);
        damp4(velocity->angular, angular_decay);
        add_to4(velocity->linear, run->h, body->acceleration);
        add_to4(velocity->angular, run->h, sn_sym3_apply(inverse, body->torque));
        damp4(velocity->linear, linear_decay);
        damp4(velocity->angular, angular_decay);
    }
}

static void put_inertia(sn_solver_inertia *target, sn_sym3 m)
{
    *target = (sn_solver_inertia){{m.xx, m.yy, m.zz, 0.0f}, {m.xy, m.xz, m.yz, 0.0f}};
}

// Positions from velocities. Dynamic bodies turn freely (gyroscopic motion included); kinematic ones with
// their velocities.
static void integrate(void *context, int begin, int end)
{
    const sn_run *run = context;
    const sn_solver *solver = run->solver;
    for (int i = begin + 1; i < end + 1; ++i) { // body 0 is the static one
        sn_solver_body *body = &solver->bodies[i];
        sn_solver_velocity *velocity = &solver->velocities[i];
        sn_solver_shift *shift = &solver->shifts[i];
        const sn_solver_velocity *move = &run->pass.moves[i];
        sn_vec3 angular = sn_take3(velocity->angular);
        add_to4(shift->moved, run->h, sn_take3(move->linear));
        body->center = sn_add(body->start, sn_take3(shift->moved));
        add_to4(shift->turned, run->h, sn_take3(move->angular));
        if (i < solver->dynamic_begin) {
            body->rotation = sn_quat_turned(body->rotation, sn_scale(angular, run->h));
            continue;
        }
        sn_sym3 inverse = sn_solver_inertia_matrix(&solver->inertias[i]);
        sn_vec3 residue = sn_take3(solver->residues[i].angular);
        if (run->is_deep) { // motion that is not part of the velocity
            sn_vec3 push = sn_sub(sn_take3(move->angular), angular);
            body->rotation = sn_quat_turned(body->rotation, sn_scale(push, run->h));
        }
        sn_rotate_freely(&body->spin, run->h, &body->rotation, &angular, &residue, &inverse);
        if (!run->is_trial) {
            sn_put3(solver->residues[i].angular, residue);
            put_inertia(&solver->inertias[i], inverse);
            sn_put3(velocity->angular, angular);
        }
    }
}

// --- sweeps --------------------------------------------------------------------------------------

// A kernel over a range of blocks, as a task.
typedef struct block_loop {
    void (*kernel)(const sn_contact_pass *pass, int begin, int end);
    const sn_contact_pass *pass;
    int offset;
} block_loop;

static void do_blocks(void *context, int begin, int end)
{
    const block_loop *loop = context;
    loop->kernel(loop->pass, loop->offset + begin, loop->offset + end);
}

static void sweep_blocks(sn_run *run, int color, void (*kernel)(const sn_contact_pass *, int, int))
{
    int begin = run->block_begin[color], count = run->block_begin[color + 1] - begin;
    block_loop loop = {kernel, &run->pass, begin};
    // Blocks of the overflow share bodies: one thread, in order.
    sn_tasks_for(run->solver->tasks, count, color == SN_OVERFLOW ? count : BLOCK_GRAIN, do_blocks, &loop);
}

// The colours in use, then the overflow.
static void sweep_colors(sn_run *run, void (*kernel)(const sn_contact_pass *, int, int), bool backwards)
{
    int colors = run->coloring.color_count;
    for (int i = 0; i <= colors; ++i) {
        int color = backwards ? colors - i : i;
        sweep_blocks(run, color < colors ? color : SN_OVERFLOW, kernel);
    }
}

// These two read velocities and positions only, so all colours go at once.

void sn_run_refresh(sn_run *run, bool first)
{
    sn_joints_refresh(&run->joints, first);
}

void sn_run_measure(sn_run *run)
{
    block_loop loop = {run->kernels->measure, &run->pass, 0};
    sn_tasks_for(run->solver->tasks, run->packing.block_count, BLOCK_GRAIN, do_blocks, &loop);
}

void sn_run_sweep_blocks(sn_run *run, void (*kernel)(const sn_contact_pass *, int, int))
{
    sweep_colors(run, kernel, false);
}

void sn_run_warm_start(sn_run *run)
{
    sn_run_sweep_blocks(run, run->kernels->warm_start);
}

void sn_run_warm_start_joints(sn_run *run)
{
    sn_joints_warm_start(&run->joints);
}

void sn_run_sweep_rigid(sn_run *run, bool use_bias)
{
    run->pass.use_bias = use_bias;
    if (!run->pass.backwards) {
        sn_joints_sweep(&run->joints, use_bias, false);
    }
    if (use_bias && run->sweep_contacts != NULL) {
        run->sweep_contacts(run);
    } else {
        sweep_colors(run, run->kernels->solve, run->pass.backwards);
    }
    if (run->pass.backwards) {
        sn_joints_sweep(&run->joints, use_bias, false);
    }
    // Last: contacts push single links out of their planes.
    sn_body_motions motions = {run->solver->velocities, run->solver->residues};
    sn_hinge_planes_project(&run->joints, &motions, use_bias);
}

// No body is pushed faster than push_speed, at its mass centre and, by turning, at its radius of gyration.
static void limit_push(const sn_solver *solver, int number, sn_solver_velocity *move)
{
    const sn_solver_velocity *velocity = &solver->velocities[number];
    const float *response = solver->inertias[number].diagonal;
    sn_vec3 w = solver->bodies[number].inverse_mass;
    float limit = solver->settings.push_speed;
    sn_vec3 linear = sn_sub(sn_take3(move->linear), sn_take3(velocity->linear));
    sn_vec3 angular = sn_sub(sn_take3(move->angular), sn_take3(velocity->angular));
    float speed = sn_length(linear), spin = sn_length(angular);
    float mass_response = sn_max(w.x, sn_max(w.y, w.z));
    float turn_response = sn_max(response[0], sn_max(response[1], response[2]));
    float spin_limit = mass_response > 0.0f ? limit * sqrtf(turn_response / mass_response) : limit;
    float part = sn_min(speed > limit ? limit / speed : 1.0f, spin > spin_limit ? spin_limit / spin : 1.0f);
    if (part < 1.0f) {
        sn_put3(move->linear, sn_add_scaled(sn_take3(velocity->linear), part, linear));
        sn_put3(move->angular, sn_add_scaled(sn_take3(velocity->angular), part, angular));
    }
}

void sn_run_push_apart(sn_run *run)
{
    sn_solver *solver = run->solver;
    memcpy(run->pass.moves, solver->velocities, (size_t)solver->body_count * sizeof *run->pass.moves);
    sweep_colors(run, run->kernels->push_apart, run->pass.backwards);
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        limit_push(solver, i, &run->pass.moves[i]);
    }
    sn_body_motions moves = {run->pass.moves, NULL};
    sn_hinge_planes_project(&run->joints, &moves, true);
}

void sn_run_finish(sn_run *run)
{
    sn_joints_finish_sub_step(&run->joints);
    sn_run_sweep_blocks(run, run->kernels->finish);
}

void sn_run_push(sn_run *run)
{
    sn_solver *solver = run->solver;
    sn_tasks_for(solver->tasks, solver->body_count - solver->dynamic_begin, BODY_GRAIN, apply_forces, run);
}

void sn_run_move(sn_run *run)
{
    sn_solver *solver = run->solver;
    sn_tasks_for(solver->tasks, solver->body_count - 1, BODY_GRAIN, integrate, run);
}

// --- results -------------------------------------------------------------------------------------

void sn_run_store(sn_run *run)
{
    sn_solver *solver = run->solver;
    for (int i = 0; i < run->packing.block_count; ++i) {
        sn_contact_block_store(solver, &run->packing, i);
    }
    sn_joints_store(&run->joints);
    int colors = run->coloring.color_count;
    solver->plane_count = run->joints.planes != NULL ? run->joints.planes->count : 0;
    solver->color_count = run->joints.color_count > colors ? run->joints.color_count : colors;
    solver->overflow_count =
        solver->contact_count - run->coloring.contact_begin[SN_OVERFLOW] + run->joints.overflow_count;
}

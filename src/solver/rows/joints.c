// Constraints in a step: coloured, packed, and swept.
#include "solver/rows/joints.h"

#include "base/tuple_sort.h"
#include "solver/nodes/node_solver.h"
#include "solver/rows/hinge_planes.h"

#include <string.h>

// Blocks a thread takes at a time.
enum { SWEEP_GRAIN = 2, REFRESH_GRAIN = 1, FINISH_GRAIN = 16 };

static int largest(int a, int b)
{
    return a > b ? a : b;
}

// --- colours -------------------------------------------------------------------------------------

// Colours around each body and node.
typedef struct palette {
    uint64_t *bodies, *nodes;
    int dynamic_begin;
} palette;

// The lowest colour that is free at all nodes of the ends and at bodies that move.
static int pick_color(const palette *palette, const sn_constraint_input *input)
{
    uint64_t *members[8];
    int count = 0;
    for (int k = 0; k < 2; ++k) {
        const sn_solver_end *end = &input->ends[k];
        for (int i = 0; i < end->node_count; ++i) {
            members[count++] = &palette->nodes[end->nodes[i]];
        }
        if (end->node_count == 0 && end->body >= palette->dynamic_begin) {
            members[count++] = &palette->bodies[end->body];
        }
    }
    return sn_color_take(members, count, SN_COLORS);
}

// --- packing -------------------------------------------------------------------------------------

enum { FORMS = SN_JOINT_FORMS, SHAPES = (SN_HELD_ROWS + 1) * (SN_SINGLE_ROWS + 1) };

// Joints by colour, then by form, then by shape, so that blocks hold joints of one form and, but for some, of
// one shape. A joint's bits do not depend on which others are in its block. The overflow comes right after
// the colours in use: most worlds have few, and sorting by all that there may be took longer than their
// joints.
typedef struct packing {
    int *order, *begin; // groups; by colour, form and shape: the first of these
} packing;

// The constraint whose ends are those of the joint.
static const sn_constraint_input *first_input(const sn_joints *joints, const sn_joint_group *group)
{
    return &joints->inputs[joints->members[group->first_member].input];
}

static bool sort_groups(sn_joints *joints, packing *packing)
{
    sn_solver *solver = joints->solver;
    size_t count = (size_t)joints->group_count, nodes = (size_t)joints->node_count;
    palette palette = {sn_arena_take_zero(solver->arena, (size_t)solver->body_count, sizeof(uint64_t)),
                       sn_arena_take_zero(solver->arena, nodes, sizeof(uint64_t)), solver->dynamic_begin};
    int *bucket = sn_arena_take(solver->arena, count, sizeof *bucket);
    packing->order = sn_arena_take(solver->arena, count, sizeof *packing->order);
    if (!palette.bodies || !palette.nodes || !bucket || !packing->order) {
        return false;
    }
    for (int i = 0; i < joints->group_count; ++i) {
        // Nodes with a shared motion are pushed one after the other.
        bucket[i] = joints->pass.shared_motion != NULL
                        ? SN_OVERFLOW
                        : pick_color(&palette, first_input(joints, &joints->groups[i]));
        if (bucket[i] < SN_OVERFLOW) {
            joints->color_count = largest(joints->color_count, bucket[i] + 1);
        }
    }
    for (int i = 0; i < joints->group_count; ++i) {
        const sn_joint_group *group = &joints->groups[i];
        int color = bucket[i] == SN_OVERFLOW ? joints->color_count : bucket[i];
        bucket[i] = (color * FORMS + (int)group->form) * SHAPES + group->held_count * (SN_SINGLE_ROWS + 1) +
                    group->single_count;
    }
    int buckets = (joints->color_count + 1) * FORMS * SHAPES;
    packing->begin = sn_arena_take(solver->arena, (size_t)buckets + 1, sizeof *packing->begin);
    if (packing->begin == NULL) {
        return false;
    }
    sn_counting_sort(bucket, 1, buckets, NULL, joints->group_count, packing->order, packing->begin);
    return true;
}

// Rows and other memory of the blocks so far.
typedef struct tally {
    int held, gradients, singles, factors, node_ends, points;
} tally;

// Gives the block its joints [next, next + width) of the order, and places for their rows.
static void list_lanes(const sn_joints *joints, const packing *packing, sn_joint_block *block, int next,
                       int width, tally *tally)
{
    bool has_nodes = false;
    block->form = joints->groups[packing->order[next]].form;
    for (int lane = 0; lane < SN_LANES; ++lane) {
        block->group[lane] = lane < width ? packing->order[next + lane] : -1;
        if (lane >= width) {
            continue;
        }
        const sn_joint_group *group = &joints->groups[block->group[lane]];
        const sn_constraint_input *input = first_input(joints, group);
        block->held_count = largest(block->held_count, group->held_count);
        block->single_count = largest(block->single_count, group->single_count);
        block->has_limit = block->has_limit || input->max_force < INFINITY;
        block->has_springs = block->has_springs || group->held_count > group->hard_count;
        block->is_merged = block->is_merged || group->member_count > 1;
        has_nodes = has_nodes || input->ends[0].node_count > 0 || input->ends[1].node_count > 0;
    }
    bool is_wide = block->form != SN_JOINT_ANY;
    block->first_held = tally->held;
    block->first_gradient = tally->gradients;
    block->first_single = tally->singles;
    block->first_factor = tally->factors;
    block->points = is_wide ? tally->points : -1;
    block->first_node_end = has_nodes ? tally->node_ends : -1;
    tally->held += block->held_count;
    tally->gradients += block->held_count * sn_held_gradient_size(block->form);
    tally->singles += block->single_count;
    tally->factors += SN_FACTOR_ENTRIES(block->held_count);
    tally->points += is_wide ? 1 : 0;
    tally->node_ends += has_nodes ? 2 * SN_LANES : 0;
}

static int body_of(const sn_solver_end *end)
{
    return end->node_count > 0 ? 0 : end->body;
}

// The impulse that a row of a joint keeps from step to step.
static float *impulse_of(const sn_joints *joints, const sn_joint_group *group, sn_joint_place place)
{
    const sn_joint_member *member = &joints->members[group->first_member + place.member];
    return &joints->inputs[member->input].impulses[place.row];
}

// And the reference of a hard one; null where there is none.
static float *reference_of(const sn_joints *joints, const sn_joint_group *group, sn_joint_place place)
{
    const sn_joint_member *member = &joints->members[group->first_member + place.member];
    float *references = joints->inputs[member->input].references;
    return references != NULL ? &references[place.row] : NULL;
}

static void load_lane(sn_joints *joints, sn_joint_block *block, int lane)
{
    const sn_solver *solver = joints->solver;
    const sn_joint_group *group = &joints->groups[block->group[lane]];
    const sn_constraint_input *input = first_input(joints, group);
    block->body_a[lane] = body_of(&input->ends[0]);
    block->body_b[lane] = body_of(&input->ends[1]);
    sn_lanes_put3(block->inverse_mass_a, lane, solver->bodies[block->body_a[lane]].inverse_mass);
    sn_lanes_put3(block->inverse_mass_b, lane, solver->bodies[block->body_b[lane]].inverse_mass);
    // Springs are solved with the assumption that the hard rows are met in full.
    bool has_springs = group->held_count > group->hard_count;
    block->mass_scale.lane[lane] = has_springs ? 1.0f : joints->laws.hard.mass_scale;
    block->impulse_scale.lane[lane] = has_springs ? 0.0f : joints->laws.hard.impulse_scale;
    block->most.lane[lane] = input->max_force * joints->laws.h;
    for (int i = 0; i < group->held_count; ++i) {
        float kept = i < group->hard_count ? joints->laws.kept : 1.0f;
        const float *reference = reference_of(joints, group, group->held[i]);
        sn_held_row *row = &joints->pass.held[block->first_held + i];
        row->impulse.lane[lane] = kept * *impulse_of(joints, group, group->held[i]);
        row->reference.lane[lane] = reference != NULL && i < group->hard_count ? *reference : 0.0f;
    }
    for (int i = 0; i < group->single_count; ++i) {
        joints->pass.singles[block->first_single + i].impulse.lane[lane] =
            joints->laws.kept * *impulse_of(joints, group, group->singles[i]);
    }
}

// Joints of one form and colour, the overflow's being the number of colours.
typedef struct joint_run {
    int begin, end, width; // in the order; how many of them a block holds
} joint_run;

static joint_run run_of(const sn_joints *joints, const packing *packing, int color, int form)
{
    int run = color * FORMS + form;
    return (joint_run){packing->begin[run * SHAPES], packing->begin[(run + 1) * SHAPES],
                       color == joints->color_count ? 1 : SN_LANES};
}

static int count_blocks(sn_joints *joints, const packing *packing)
{
    int blocks = 0, begin[SN_COLORS + 2];
    for (int color = 0; color <= joints->color_count; ++color) {
        begin[color] = blocks;
        for (int form = 0; form < FORMS; ++form) {
            joint_run run = run_of(joints, packing, color, form);
            blocks += (run.end - run.begin + run.width - 1) / run.width;
        }
    }
    for (int color = 0; color <= SN_OVERFLOW; ++color) {
        joints->block_begin[color] = begin[color < joints->color_count ? color : joints->color_count];
    }
    joints->block_begin[SN_COLORS + 1] = blocks;
    joints->overflow_count = blocks - joints->block_begin[SN_OVERFLOW];
    return blocks;
}

static void list_blocks(sn_joints *joints, const packing *packing, tally *tally)
{
    int block = 0;
    for (int k = 0; k < (joints->color_count + 1) * FORMS; ++k) {
        joint_run run = run_of(joints, packing, k / FORMS, k % FORMS);
        for (int next = run.begin; next < run.end; next += run.width) {
            int left = run.end - next;
            list_lanes(joints, packing, &joints->pass.blocks[block++], next,
                       left < run.width ? left : run.width, tally);
        }
    }
}

static bool pack(sn_joints *joints, const packing *packing)
{
    sn_arena *arena = joints->solver->arena;
    sn_joint_pass *pass = &joints->pass;
    tally tally = {0};
    joints->block_count = count_blocks(joints, packing);
    pass->blocks = sn_arena_take_zero(arena, (size_t)joints->block_count, sizeof *pass->blocks);
    if (pass->blocks == NULL) {
        return false;
    }
    list_blocks(joints, packing, &tally);
    joints->has_merged = joints->group_count < joints->count;
    pass->held = sn_arena_take_zero(arena, (size_t)tally.held, sizeof *pass->held);
    pass->gradients = sn_arena_take_zero(arena, (size_t)tally.gradients, sizeof *pass->gradients);
    pass->singles = sn_arena_take_zero(arena, (size_t)tally.singles, sizeof *pass->singles);
    pass->factors = sn_arena_take(arena, (size_t)tally.factors, sizeof *pass->factors);
    pass->node_ends = sn_arena_take_zero(arena, (size_t)tally.node_ends, sizeof *pass->node_ends);
    pass->points = sn_arena_take_zero(arena, (size_t)tally.points, sizeof *pass->points);
    if (!pass->points || !pass->held || !pass->gradients || !pass->singles || !pass->factors ||
        !pass->node_ends) {
        return false;
    }
    for (int b = 0; b < joints->block_count; ++b) {
        for (int lane = 0; lane < SN_LANES && pass->blocks[b].group[lane] >= 0; ++lane) {
            load_lane(joints, &pass->blocks[b], lane);
        }
    }
    for (int b = 0; b < joints->block_count; ++b) {
        if (pass->blocks[b].points >= 0) {
            sn_joint_fill_points(joints, &pass->blocks[b]);
        }
    }
    for (int i = 0; i < joints->count; ++i) {
        *joints->inputs[i].force = *joints->inputs[i].torque = sn_v(0.0f, 0.0f, 0.0f);
    }
    return true;
}

// How many constraints touch each body. False without memory.
static bool count_crowds(sn_joints *joints)
{
    const sn_solver *solver = joints->solver;
    joints->crowds = sn_arena_take_zero(solver->arena, (size_t)solver->body_count, sizeof *joints->crowds);
    for (int i = 0; joints->crowds != NULL && i < 2 * joints->count; ++i) {
        ++joints->crowds[body_of(&joints->inputs[i / 2].ends[i % 2])];
    }
    return joints->crowds != NULL;
}

static bool find_planes(sn_joints *joints)
{
    joints->planes = NULL;
    if (joints->holds_nodes || !joints->solver->settings.has_planes) {
        return true;
    }
    joints->planes = sn_arena_take(joints->solver->arena, 1, sizeof *joints->planes);
    return joints->planes != NULL && sn_hinge_planes_find(joints, joints->planes);
}

bool sn_joints_begin(sn_joints *joints)
{
    sn_solver *solver = joints->solver;
    const sn_solver_laws *laws = &solver->settings.laws;
    joints->laws = (sn_joint_laws){.hard = laws->hard,
                                   .h = sn_sub_step_length(&solver->settings),
                                   .push_speed = solver->settings.push_speed,
                                   .kept = laws->kept,
                                   // Nodes change gradients by more than a rotation.
                                   .has_chords = laws->has_chords && !joints->holds_nodes,
                                   .is_firm = laws->has_firm_anchors};
    joints->kernels = sn_joint_kernels_pick();
    joints->color_count = 0;
    joints->pass = (sn_joint_pass){.velocities = solver->velocities,
                                   .residues = solver->residues,
                                   .inertias = solver->inertias,
                                   .bodies = solver->bodies,
                                   .dynamic_begin = solver->dynamic_begin,
                                   .h = joints->laws.h,
                                   .chord = joints->laws.has_chords ? 0.5f : 0.0f,
                                   .hard = joints->laws.hard,
                                   .push_speed = joints->laws.push_speed,
                                   .is_projected = laws->is_projected};
    if (joints->holds_nodes) {
        joints->pass.node_states = solver->nodes.pass.felt;
        joints->pass.node_velocities = solver->nodes.pass.velocities;
        joints->pass.shared_motion = solver->nodes.shared_motion;
        joints->node_count = solver->nodes.nodes->states.count;
    }
    packing packing;
    return count_crowds(joints) && sn_joints_group(joints) && sort_groups(joints, &packing) &&
           pack(joints, &packing) && sn_joint_islands_make(joints) && sn_joint_start_make(joints) &&
           find_planes(joints);
}

// --- loops over blocks ---------------------------------------------------------------------------

typedef void (*block_kernel)(const sn_joint_pass *pass, int begin, int end);

typedef struct block_loop {
    block_kernel kernel;
    const sn_joint_pass *pass;
    int offset;
} block_loop;

static void do_blocks(void *context, int begin, int end)
{
    const block_loop *loop = context;
    loop->kernel(loop->pass, loop->offset + begin, loop->offset + end);
}

// Blocks of the overflow share bodies or nodes: one thread, in order.
static void for_overflow(sn_joints *joints, block_kernel kernel, bool backwards)
{
    int begin = joints->block_begin[SN_OVERFLOW], end = joints->block_begin[SN_OVERFLOW + 1];
    for (int i = begin; i < end; ++i) {
        int block = backwards ? begin + end - 1 - i : i;
        kernel(&joints->pass, block, block + 1);
    }
}

// Colour by colour.
static void for_colors(sn_joints *joints, block_kernel kernel, bool backwards)
{
    if (backwards) {
        for_overflow(joints, kernel, true);
    }
    for (int i = 0; i < joints->color_count; ++i) {
        int c = backwards ? joints->color_count - 1 - i : i;
        int begin = joints->block_begin[c], count = joints->block_begin[c + 1] - begin;
        block_loop loop = {kernel, &joints->pass, begin};
        sn_tasks_for(joints->solver->tasks, count, SWEEP_GRAIN, do_blocks, &loop);
    }
    if (!backwards) {
        for_overflow(joints, kernel, false);
    }
}

static void refresh_blocks(void *context, int begin, int end)
{
    const sn_joints *joints = context;
    if (joints->first && joints->pass.chord != 0.0f) {
        for (int i = begin; i < end; ++i) {
            if (joints->pass.blocks[i].form == SN_JOINT_ANY) {
                sn_joint_evaluate_block(joints, &joints->pass.blocks[i], -joints->laws.h, true);
            }
        }
        joints->kernels->evaluate_before(&joints->pass, begin, end);
    }
    if (joints->pass.chord != 0.0f) {
        joints->kernels->measure(&joints->pass, begin, end);
    }
    for (int i = begin; i < end; ++i) {
        if (joints->pass.blocks[i].form == SN_JOINT_ANY) {
            sn_joint_evaluate_block(joints, &joints->pass.blocks[i], 0.0f, false);
        }
    }
    joints->kernels->evaluate(&joints->pass, begin, end);
    joints->kernels->prepare(&joints->pass, begin, end);
}

void sn_joints_refresh(sn_joints *joints, bool first)
{
    joints->first = first;
    joints->pass.is_anew = first || joints->pass.is_projected;
    // Positions and velocities are read, blocks written, so all colours go at once.
    sn_tasks_for(joints->solver->tasks, joints->block_count, REFRESH_GRAIN, refresh_blocks, joints);
    sn_hinge_planes_refresh(joints);
}

static bool is_wild(const sn_joints *joints, const sn_joint_block *block, int lane, const sn_wild_units *wild)
{
    bool found = wild->bodies[block->body_a[lane]] || wild->bodies[block->body_b[lane]];
    for (int side = 0; block->first_node_end >= 0 && side < 2; ++side) {
        const sn_node_end *end = &joints->pass.node_ends[block->first_node_end + side * SN_LANES + lane];
        found = found || (end->count > 0 && wild->nodes[end->nodes[0]]);
    }
    return found;
}

void sn_joints_drop(sn_joints *joints, const sn_wild_units *wild)
{
    for (int b = 0; b < joints->block_count; ++b) {
        const sn_joint_block *block = &joints->pass.blocks[b];
        for (int lane = 0; lane < SN_LANES && block->group[lane] >= 0; ++lane) {
            if (wild != NULL && !is_wild(joints, block, lane, wild)) {
                continue;
            }
            for (int i = 0; i < block->held_count; ++i) {
                joints->pass.held[block->first_held + i].impulse.lane[lane] = 0.0f;
            }
            for (int i = 0; i < block->single_count; ++i) {
                joints->pass.singles[block->first_single + i].impulse.lane[lane] = 0.0f;
            }
        }
    }
}

void sn_joints_warm_start(sn_joints *joints)
{
    sn_joints_start(joints);
    for_colors(joints, joints->kernels->warm_start_loose, false);
    sn_joint_islands_remember(joints);
    for_colors(joints, joints->kernels->warm_start_hard, false);
    sn_joint_islands_limit(joints);
}

void sn_joints_sweep(sn_joints *joints, bool use_bias, bool backwards)
{
    joints->pass.use_bias = use_bias;
    for_colors(joints, joints->kernels->solve, backwards);
}

// --- results -------------------------------------------------------------------------------------

static sn_vec3 part_of(const sn_lanes *gradient, int part, int lane)
{
    return sn_lanes_take3(&gradient[part], lane);
}

// Sums up what the constraints of merged joints did to their b, by the impulses of this sub-step.
static void accumulate_merged(const sn_joints *joints, const sn_joint_block *block, int lane)
{
    const sn_joint_group *group = &joints->groups[block->group[lane]];
    for (int i = 0; i < group->held_count + group->single_count; ++i) {
        bool held = i < group->held_count;
        sn_joint_place place = held ? group->held[i] : group->singles[i - group->held_count];
        const sn_held_row *hard = &joints->pass.held[block->first_held + i];
        const sn_single_row *single = &joints->pass.singles[block->first_single + i - group->held_count];
        const sn_lanes *gradient = held ? sn_held_gradient(&joints->pass, block, i) : single->gradient;
        float impulse = held ? hard->impulse.lane[lane] : single->impulse.lane[lane];
        const sn_joint_member *member = &joints->members[group->first_member + place.member];
        const sn_constraint_input *input = &joints->inputs[member->input];
        const sn_solver_end *end = &input->ends[1];
        sn_vec3 linear = part_of(gradient, member->is_turned ? SN_LINEAR_A : SN_LINEAR_B, lane);
        sn_vec3 angular = part_of(gradient, member->is_turned ? SN_ANGULAR_A : SN_ANGULAR_B, lane);
        sn_vec3 arm = end->body > 0 ? sn_rotate(joints->solver->bodies[end->body].rotation, end->local)
                                    : sn_v(0.0f, 0.0f, 0.0f);
        sn_vec3 torque = sn_sub(angular, sn_cross(arm, linear));
        *input->force = sn_add_scaled(*input->force, impulse, linear);
        *input->torque = sn_add_scaled(*input->torque, impulse, torque);
    }
}

static void accumulate_all_merged(const sn_joints *joints)
{
    for (int b = 0; b < joints->block_count; ++b) {
        const sn_joint_block *block = &joints->pass.blocks[b];
        for (int lane = 0; block->is_merged && lane < SN_LANES && block->group[lane] >= 0; ++lane) {
            if (joints->groups[block->group[lane]].member_count > 1) {
                accumulate_merged(joints, block, lane);
            }
        }
    }
}

void sn_joints_finish_sub_step(sn_joints *joints)
{
    sn_joint_islands_take_back(joints);
    if (joints->has_merged) {
        accumulate_all_merged(joints);
    }
    // Each block for itself: all colours go at once.
    block_loop loop = {joints->kernels->finish, &joints->pass, 0};
    sn_tasks_for(joints->solver->tasks, joints->block_count, FINISH_GRAIN, do_blocks, &loop);
}

static void store_lane(const sn_joints *joints, const sn_joint_block *block, int lane)
{
    const sn_joint_group *group = &joints->groups[block->group[lane]];
    const sn_solver_settings *settings = &joints->solver->settings;
    float per_second = sn_reported_part(settings) / settings->duration;
    for (int m = 0; m < group->member_count; ++m) {
        const sn_constraint_input *input = &joints->inputs[joints->members[group->first_member + m].input];
        memset(input->impulses, 0, SN_MAX_ROWS * sizeof *input->impulses);
        if (input->references != NULL) {
            memset(input->references, 0, SN_MAX_ROWS * sizeof *input->references);
        }
        bool alone = group->member_count == 1;
        *input->force = sn_scale(alone ? sn_lanes_take3(block->force, lane) : *input->force, per_second);
        *input->torque = sn_scale(alone ? sn_lanes_take3(block->torque, lane) : *input->torque, per_second);
    }
    for (int i = 0; i < group->held_count; ++i) {
        const sn_held_row *row = &joints->pass.held[block->first_held + i];
        float *reference = reference_of(joints, group, group->held[i]);
        *impulse_of(joints, group, group->held[i]) = row->impulse.lane[lane];
        if (reference != NULL) {
            *reference = row->reference.lane[lane];
        }
    }
    for (int i = 0; i < group->single_count; ++i) {
        *impulse_of(joints, group, group->singles[i]) =
            joints->pass.singles[block->first_single + i].impulse.lane[lane];
    }
}

void sn_joints_store(sn_joints *joints)
{
    for (int b = 0; b < joints->block_count; ++b) {
        const sn_joint_block *block = &joints->pass.blocks[b];
        for (int lane = 0; lane < SN_LANES && block->group[lane] >= 0; ++lane) {
            store_lane(joints, block, lane);
        }
    }
    sn_hinge_planes_share(joints);
}

// Which constraints are solved together, and which of their rows.
//
// All constraints between the same two bodies are one joint: two bodies have six degrees of freedom against
// each other, so a joint needs six hard rows at most. Balls at the four corners of a seam are redundant; if
// they were solved one after the other, the load that they share would move to and fro between them and grow.
// Redundant rows are left out. They are found by Gram–Schmidt in the metric W of impulses: a row is kept if
// its part that is orthogonal to the rows chosen before is large enough.
#include "solver/rows/joints.h"

#include "base/tuple_sort.h"
#include "constraint/kind.h"

#include <string.h>

// The most constraints that become one joint; further ones between the same bodies are another.
#define MOST_MEMBERS 16
// The part of a row's κ that must be orthogonal to the other rows for it not to be redundant: sin² of an
// angle. Balls a three-hundredth of a body's size apart still hold its rotation.
#define REDUNDANT 1.0e-5
// The most hard rows of a joint's constraints, of which six at most are held.
#define MOST_CANDIDATES 48

// --- members -------------------------------------------------------------------------------------

// The two bodies of a constraint, the smaller number first; what does not move is body 0.
typedef struct body_pair {
    int low, high;
} body_pair;

// All static bodies count as one; kinematic bodies have motions of their own.
static int body_of(const sn_solver_end *end)
{
    return end->node_count > 0 ? -1 : end->body;
}

static body_pair pair_of(const sn_constraint_input *input)
{
    int a = body_of(&input->ends[0]), b = body_of(&input->ends[1]);
    return a < b ? (body_pair){a, b} : (body_pair){b, a};
}

// Constraints of the same pair lie together, otherwise in their order.
static bool sort_by_pair(const sn_joints *joints, int *order)
{
    sn_solver *solver = joints->solver;
    size_t count = (size_t)joints->count;
    int buckets = solver->body_count + 1;
    int *bucket = sn_arena_take(solver->arena, count, sizeof *bucket);
    int *by_low = sn_arena_take(solver->arena, count, sizeof *by_low);
    int *begin = sn_arena_take(solver->arena, (size_t)buckets + 1, sizeof *begin);
    if (!bucket || !by_low || !begin) {
        return false;
    }
    for (int i = 0; i < joints->count; ++i) {
        bucket[i] = pair_of(&joints->inputs[i]).low + 1;
    }
    sn_counting_sort(bucket, 1, buckets, NULL, joints->count, by_low, begin);
    for (int i = 0; i < joints->count; ++i) {
        bucket[i] = pair_of(&joints->inputs[i]).high + 1;
    }
    sn_counting_sort(bucket, 1, buckets, by_low, joints->count, order, begin);
    return true;
}

static bool touches_nodes(const sn_constraint_input *input)
{
    return input->ends[0].node_count > 0 || input->ends[1].node_count > 0;
}

// A rope whose only row is a hard upper limit: no rod, no spring beside it.
static bool is_rope(const sn_constraint_input *input)
{
    const sn_distance_def *def = input->data;
    return input->evaluate == sn_distance_rows && def->lower == 0.0f && def->upper < INFINITY &&
           def->upper > 0.0f && def->common.compliance == 0.0f && !(def->spring_stiffness > 0.0f);
}

static bool may_join(const sn_joints *joints, const sn_joint_group *group, int input)
{
    const sn_constraint_input *first = &joints->inputs[joints->members[group->first_member].input];
    const sn_constraint_input *next = &joints->inputs[input];
    if (group->member_count == MOST_MEMBERS || touches_nodes(first) || touches_nodes(next) ||
        first->max_force < INFINITY || next->max_force < INFINITY) {
        return false;
    }
    body_pair a = pair_of(first), b = pair_of(next);
    return a.low == b.low && a.high == b.high;
}

static bool can_be_held(const sn_row *row)
{
    return row->type == SN_ROW_EQUAL && row->lower == -INFINITY && row->upper == INFINITY;
}

// Rows of the constraints of a joint: hard ones, and others, which have a place of their own each.
typedef struct row_tally {
    int hard, others;
} row_tally;

static row_tally tally_rows(const sn_joints *joints, int input, row_tally tally)
{
    sn_row rows[SN_MAX_ROWS];
    sn_node_end nodes[2];
    sn_vec3 arms[2];
    sn_rows_clear(rows, SN_MAX_ROWS);
    int count = sn_joint_evaluate(joints, &joints->inputs[input], 0.0f, nodes, rows, arms);
    for (int i = 0; i < count; ++i) {
        bool hard = can_be_held(&rows[i]) && rows[i].compliance == 0.0f;
        tally.hard += hard ? 1 : 0;
        tally.others += hard ? 0 : 1;
    }
    return tally;
}

// Ropes alone between two bodies do not share degrees of freedom as rows that are held do: each is a joint of
// its own, which the wide kernels evaluate. Bounds to what is fixed are many of that sort.
static bool are_ropes(const sn_joints *joints, const int *order, int first)
{
    body_pair pair = pair_of(&joints->inputs[order[first]]);
    for (int i = first; i < joints->count; ++i) {
        body_pair other = pair_of(&joints->inputs[order[i]]);
        if (other.low != pair.low || other.high != pair.high) {
            break;
        }
        if (!is_rope(&joints->inputs[order[i]])) {
            return false;
        }
    }
    return true;
}

static void list_members(sn_joints *joints, const int *order)
{
    row_tally tally = {0, 0};
    sn_joint_group *group = NULL;
    bool stay_apart = false;
    for (int i = 0; i < joints->count; ++i) {
        bool joins = group != NULL && may_join(joints, group, order[i]);
        if (!joins) {
            stay_apart = false;
        } else if (!stay_apart && group->member_count == 1) {
            stay_apart = are_ropes(joints, order, i - 1);
        }
        joins = joins && !stay_apart;
        if (joins) {
            // Most constraints are alone with their pair of bodies: those are not evaluated here.
            tally = group->member_count == 1 ? tally_rows(joints, order[i - 1], (row_tally){0, 0}) : tally;
            tally = tally_rows(joints, order[i], tally);
            joins = tally.hard <= MOST_CANDIDATES && tally.others <= SN_SINGLE_ROWS;
        }
        if (!joins) {
            group = &joints->groups[joints->group_count++];
            *group = (sn_joint_group){.first_member = i};
        }
        ++group->member_count;
        const sn_constraint_input *input = &joints->inputs[order[i]];
        const sn_constraint_input *first = &joints->inputs[order[group->first_member]];
        joints->members[i] = (sn_joint_member){order[i], group->member_count > 1 &&
                                                             input->ends[0].body != first->ends[0].body};
    }
}

// --- rows ----------------------------------------------------------------------------------------

// A hard row that may be chosen: its gradient, and the part of it orthogonal to the rows chosen so far.
typedef struct candidate {
    sn_joint_place place;
    double left[SN_GRADIENT];
    double kappa; // of the whole gradient
} candidate;

typedef struct choice {
    candidate candidates[MOST_CANDIDATES];
    int count;
    double response[SN_GRADIENT][SN_GRADIENT]; // W
} choice;

static void put3(double *target, sn_vec3 v)
{
    target[0] = (double)v.x;
    target[1] = (double)v.y;
    target[2] = (double)v.z;
}

static void fill_response(const sn_solver *solver, const sn_constraint_input *input, choice *choice)
{
    memset(choice->response, 0, sizeof choice->response);
    for (int k = 0; k < 2; ++k) {
        int body = input->ends[k].body, at = 6 * k;
        sn_vec3 mass =
            body >= solver->dynamic_begin ? solver->bodies[body].inverse_mass : sn_v(0.0f, 0.0f, 0.0f);
        sn_sym3 inertia = sn_solver_inertia_matrix(&solver->inertias[body]);
        const double m[3] = {(double)mass.x, (double)mass.y, (double)mass.z};
        const double i[3][3] = {{(double)inertia.xx, (double)inertia.xy, (double)inertia.xz},
                                {(double)inertia.xy, (double)inertia.yy, (double)inertia.yz},
                                {(double)inertia.xz, (double)inertia.yz, (double)inertia.zz}};
        for (int r = 0; r < 3; ++r) {
            choice->response[at + r][at + r] = m[r];
            for (int c = 0; c < 3; ++c) {
                choice->response[at + 3 + r][at + 3 + c] = i[r][c];
            }
        }
    }
}

static double product(const choice *choice, const double *a, const double *b)
{
    double sum = 0.0;
    for (int r = 0; r < SN_GRADIENT; ++r) {
        double row = 0.0;
        for (int c = 0; c < SN_GRADIENT; ++c) {
            row += choice->response[r][c] * b[c];
        }
        sum += a[r] * row;
    }
    return sum;
}

static void add_candidate(choice *choice, sn_joint_place place, const sn_row *row)
{
    if (choice->count == MOST_CANDIDATES) {
        return; // only of a kind whose function is not pure: rows were counted before
    }
    candidate *next = &choice->candidates[choice->count++];
    next->place = place;
    put3(&next->left[SN_LINEAR_A], row->linear[0]);
    put3(&next->left[SN_ANGULAR_A], row->angular[0]);
    put3(&next->left[SN_LINEAR_B], row->linear[1]);
    put3(&next->left[SN_ANGULAR_B], row->angular[1]);
    next->kappa = product(choice, next->left, next->left);
}

// The candidate with the largest orthogonal part, −1 if all are redundant.
static int find_freest(const choice *choice)
{
    int freest = -1;
    double largest = REDUNDANT;
    for (int i = 0; i < choice->count; ++i) {
        const candidate *c = &choice->candidates[i];
        double part = c->kappa > 0.0 ? product(choice, c->left, c->left) / c->kappa : 0.0;
        // Of equals the first one: rows chosen stay the same from step to step.
        if (part > 1.0001 * largest) {
            largest = part;
            freest = i;
        }
    }
    return freest;
}

static void take_out(choice *choice, const double *chosen)
{
    double kappa = product(choice, chosen, chosen);
    for (int i = 0; i < choice->count; ++i) {
        double *left = choice->candidates[i].left, share = product(choice, left, chosen) / kappa;
        for (int k = 0; k < SN_GRADIENT; ++k) {
            left[k] -= share * chosen[k];
        }
    }
}

static void choose_hard_rows(choice *choice, sn_joint_group *group)
{
    while (group->held_count < SN_HELD_ROWS) {
        int freest = find_freest(choice);
        if (freest < 0) {
            break;
        }
        double chosen[SN_GRADIENT];
        memcpy(chosen, choice->candidates[freest].left, sizeof chosen);
        group->held[group->held_count++] = choice->candidates[freest].place;
        take_out(choice, chosen);
    }
}

// Adds the rows of one constraint to the joint. Springs and single rows are added as they are; hard rows of a
// joint of several constraints become candidates first.
static void sort_rows(sn_joint_group *group, int member, const sn_row *rows, int count, choice *choice)
{
    for (int i = 0; i < count; ++i) {
        sn_joint_place place = {(uint8_t)member, (uint8_t)i};
        bool held = can_be_held(&rows[i]);
        if (held && rows[i].compliance == 0.0f && choice != NULL) {
            add_candidate(choice, place, &rows[i]);
        } else if (held && rows[i].compliance == 0.0f && group->held_count < SN_HELD_ROWS) {
            group->held[group->held_count++] = place;
        } else if (!(held && rows[i].compliance > 0.0f) && group->single_count < SN_SINGLE_ROWS) {
            group->singles[group->single_count++] = place;
        }
    }
}

static void add_springs(sn_joint_group *group, int member, const sn_row *rows, int count)
{
    for (int i = 0; i < count; ++i) {
        sn_joint_place place = {(uint8_t)member, (uint8_t)i};
        if (!can_be_held(&rows[i]) || !(rows[i].compliance > 0.0f)) {
            continue;
        }
        if (group->held_count < SN_HELD_ROWS) {
            group->held[group->held_count++] = place;
        } else if (group->single_count < SN_SINGLE_ROWS) {
            group->singles[group->single_count++] = place;
        }
    }
}

// The rows of each member, where it is now.
static int evaluate_member(const sn_joints *joints, const sn_joint_group *group, int member, sn_row *rows)
{
    const sn_joint_member *m = &joints->members[group->first_member + member];
    sn_node_end nodes[2];
    sn_vec3 arms[2];
    sn_rows_clear(rows, SN_MAX_ROWS);
    int count = sn_joint_evaluate(joints, &joints->inputs[m->input], 0.0f, nodes, rows, arms);
    for (int i = 0; i < count && m->is_turned; ++i) {
        sn_joint_turn_row(&rows[i]);
    }
    return count;
}

static void choose_rows(const sn_joints *joints, sn_joint_group *group)
{
    choice choice;
    sn_row rows[SN_MAX_ROWS];
    bool merges = group->member_count > 1;
    if (merges) {
        choice.count = 0;
        fill_response(joints->solver, &joints->inputs[joints->members[group->first_member].input], &choice);
    }
    for (int m = 0; m < group->member_count; ++m) {
        int count = evaluate_member(joints, group, m, rows);
        sort_rows(group, m, rows, count, merges ? &choice : NULL);
        if (!merges) {
            group->hard_count = group->held_count;
            add_springs(group, m, rows, count);
        }
    }
    if (merges) {
        choose_hard_rows(&choice, group);
        group->hard_count = group->held_count;
        for (int m = 0; m < group->member_count; ++m) {
            int count = evaluate_member(joints, group, m, rows);
            add_springs(group, m, rows, count);
        }
    }
}

// A ball without limits, motor or spring.
static bool is_point(const sn_constraint_input *input)
{
    const sn_ball_def *def = input->data;
    return input->evaluate == sn_ball_rows && !def->limit_cone && !def->limit_twist && !def->motor &&
           !(def->spring_stiffness > 0.0f);
}

// A hinge without limits, motor or spring.
static bool is_hinge(const sn_constraint_input *input)
{
    const sn_hinge_def *def = input->data;
    return input->evaluate == sn_hinge_rows && !def->limit && !def->motor && !(def->spring_stiffness > 0.0f);
}

// Whether all rows are hard, or all are springs: hard ones come first in a joint.
static bool is_uniform(const sn_constraint_input *input)
{
    const sn_constraint_common *common = input->data;
    return (common->compliance == 0.0f) == (common->angular_compliance == 0.0f);
}

static sn_joint_form form_of(const sn_joints *joints, const sn_joint_group *group)
{
    const sn_constraint_input *input = &joints->inputs[joints->members[group->first_member].input];
    if (group->member_count > 1 || touches_nodes(input)) {
        return SN_JOINT_ANY;
    }
    if (is_point(input)) {
        return SN_JOINT_POINT;
    }
    if (is_hinge(input) && is_uniform(input)) {
        return SN_JOINT_HINGE;
    }
    if (input->evaluate == sn_fixed_rows && is_uniform(input)) {
        return SN_JOINT_FIXED;
    }
    return is_rope(input) ? SN_JOINT_ROPE : SN_JOINT_ANY;
}

// What the function of its kind would tell: rows that are held, or one stop.
static void list_rows_of_form(const sn_joints *joints, sn_joint_group *group)
{
    const sn_constraint_input *input = &joints->inputs[joints->members[group->first_member].input];
    bool is_hard = ((const sn_constraint_common *)input->data)->compliance == 0.0f;
    static const int held_counts[SN_JOINT_FORMS] = {
        [SN_JOINT_POINT] = 3, [SN_JOINT_HINGE] = 5, [SN_JOINT_FIXED] = 6};
    for (int i = 0; i < held_counts[group->form]; ++i) {
        group->held[group->held_count++] = (sn_joint_place){0, (uint8_t)i};
        group->hard_count += is_hard ? 1 : 0;
    }
    if (group->form == SN_JOINT_ROPE) {
        group->singles[group->single_count++] = (sn_joint_place){0, 0};
    }
}

static void choose_rows_of(void *context, int begin, int end)
{
    const sn_joints *joints = context;
    for (int i = begin; i < end; ++i) {
        sn_joint_group *group = &joints->groups[i];
        group->form = form_of(joints, group);
        if (group->form == SN_JOINT_ANY) {
            choose_rows(joints, group);
        } else {
            list_rows_of_form(joints, group);
        }
    }
}

bool sn_joints_group(sn_joints *joints)
{
    sn_solver *solver = joints->solver;
    size_t count = (size_t)joints->count;
    int *order = sn_arena_take(solver->arena, count, sizeof *order);
    joints->groups = sn_arena_take(solver->arena, count, sizeof *joints->groups);
    joints->members = sn_arena_take(solver->arena, count, sizeof *joints->members);
    joints->group_count = 0;
    if (!order || !joints->groups || !joints->members || !sort_by_pair(joints, order)) {
        return false;
    }
    list_members(joints, order);
    sn_tasks_for(solver->tasks, joints->group_count, SN_LANES, choose_rows_of, joints);
    return true;
}

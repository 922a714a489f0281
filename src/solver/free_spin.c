// See free_spin.h. Sums are in double and in one order, whatever the number of threads.
// Tested by tests/physics/test_position_momentum.c.
#include "solver/position.h"

#include "base/union_find.h"
#include "matter/rigid_motion.h"

// Of an island.
typedef struct sn_spin_sum {
    bool is_held;           // something immovable may touch it
    sn_rigid_motion change; // of the whole, by all impulses: its spin is what they took away
    sn_vec3 turn;           // the angular velocity that gives it back
} sn_spin_sum;

bool sn_free_spin_make(sn_run *run)
{
    const sn_solver *solver = run->solver;
    sn_free_spin *spin = &run->projection->spin;
    sn_arena *arena = solver->arena;
    size_t members = (size_t)solver->body_count + (size_t)solver->nodes.range_count;
    spin->parents = sn_arena_take(arena, members, sizeof *spin->parents);
    spin->sums = sn_arena_take(arena, members, sizeof *spin->sums);
    return spin->parents && spin->sums;
}

// --- islands -----------------------------------------------------------------------------------------------

// The member that a node belongs to; 0, what does not move, for those of ranges that are not solved. Ranges
// are in the order of their nodes.
static int member_of_node(const sn_solver *solver, int node)
{
    int low = 0, high = solver->nodes.range_count;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        low = solver->nodes.ranges[middle].first <= node ? middle : low;
        high = low == middle ? high : middle;
    }
    const sn_node_range *range = &solver->nodes.ranges[low];
    bool is_inside =
        solver->nodes.range_count > 0 && node >= range->first && node < range->first + range->count;
    return is_inside ? solver->body_count + low : 0;
}

// Bodies that do not move hold, and are not members of islands.
static void join(const sn_solver *solver, const sn_free_spin *spin, int a, int b)
{
    bool a_moves = a >= solver->dynamic_begin, b_moves = b >= solver->dynamic_begin;
    if (a_moves && b_moves) {
        sn_union_find_join(spin->parents, NULL, a, b);
    } else if (a_moves || b_moves) {
        spin->sums[a_moves ? a : b].is_held = true;
    }
}

static int member_of_end(const sn_solver *solver, const sn_solver_end *end)
{
    return end->node_count > 0 ? member_of_node(solver, end->nodes[0]) : end->body;
}

static void join_by_rows(const sn_solver *solver, const sn_free_spin *spin)
{
    for (int i = 0; i < solver->contact_count; ++i) {
        join(solver, spin, solver->contacts[i].body_a, solver->contacts[i].body_b);
    }
    for (int i = 0; i < solver->constraint_count + solver->node_constraint_count; ++i) {
        const sn_constraint_input *input = i < solver->constraint_count
                                               ? &solver->constraints[i]
                                               : &solver->node_constraints[i - solver->constraint_count];
        join(solver, spin, member_of_end(solver, &input->ends[0]), member_of_end(solver, &input->ends[1]));
    }
    for (int s = 0; s < solver->nodes.coupling_count; ++s) {
        const sn_coupling_stage *stage = &solver->nodes.coupling[s];
        int nodes[2], body;
        for (int i = 0; stage->ends != NULL && stage->ends(stage->data, i, nodes, &body); ++i) {
            int other = nodes[1] >= 0 ? member_of_node(solver, nodes[1]) : body;
            join(solver, spin, member_of_node(solver, nodes[0]), other);
        }
    }
}

// Bodies that are locked along or about an axis cannot turn freely.
static bool is_locked(const sn_solver *solver, int i)
{
    sn_vec3 w = solver->bodies[i].inverse_mass;
    const float *inertia = solver->inertias[i].diagonal;
    return w.x != w.y || w.y != w.z || w.x <= 0.0f || inertia[0] <= 0.0f || inertia[1] <= 0.0f ||
           inertia[2] <= 0.0f;
}

static bool has_fixed(const sn_solver *solver, const sn_node_range *range)
{
    bool fixed = false;
    for (int i = range->first; !fixed && i < range->first + range->count; ++i) {
        fixed = !(solver->nodes.pass.nodes[i].inverse_mass > 0.0f);
    }
    return fixed;
}

static bool is_held(const sn_solver *solver, int member)
{
    return member < solver->body_count
               ? is_locked(solver, member)
               : has_fixed(solver, &solver->nodes.ranges[member - solver->body_count]);
}

// Exact attachments push outside of rows: where there are any, nothing counts as free.
static void find_islands(const sn_solver *solver, const sn_free_spin *spin)
{
    int members = solver->body_count + solver->nodes.range_count;
    for (int i = 0; i < members; ++i) {
        spin->parents[i] = i;
        spin->sums[i] = (sn_spin_sum){.is_held = solver->nodes.exact != NULL || is_held(solver, i)};
    }
    join_by_rows(solver, spin);
    for (int i = 0; i < members; ++i) {
        spin->sums[sn_union_find_root(spin->parents, i)].is_held |= spin->sums[i].is_held;
    }
}

void sn_free_spin_begin(sn_run *run)
{
    find_islands(run->solver, &run->projection->spin);
    sn_velocities_keep(run->solver, &run->projection->start);
}

// --- sums --------------------------------------------------------------------------------------------------

// −I⁻¹ ΔL; nothing where the island is a line or a point, or something in it is not finite: that is frozen
// when the step ends, and the rest goes on.
static sn_vec3 turn_of(sn_rigid_motion *change)
{
    const double *i = change->inertia; // xx yy zz xy xz yz
    double determinant = i[0] * (i[1] * i[2] - i[5] * i[5]) - i[3] * (i[3] * i[2] - i[5] * i[4]) +
                         i[4] * (i[3] * i[5] - i[1] * i[4]);
    double trace = i[0] + i[1] + i[2];
    sn_motion_find_angular(change);
    bool is_good = determinant > 1.0e-9 * trace * trace * trace && sn_vec3_is_finite(change->angular);
    return is_good ? sn_neg(change->angular) : sn_v(0.0f, 0.0f, 0.0f);
}

// --- loops over members ------------------------------------------------------------------------------------

// One body or node of a free island: where the sub-step began, and what impulses have changed.
typedef struct member {
    sn_spin_sum *sum;
    float mass;
    sn_vec3 x;
    sn_vec3 *velocity;        // of a node
    sn_solver_velocity *body; // of a body, and
    const sn_solver_velocity *before;
    sn_vec3 change;
    sn_sym3 inertia;
} member;

typedef void (*member_function)(const member *member);

static void sum_places(const member *m)
{
    sn_motion_add_mass(&m->sum->change, (double)m->mass, m->x, m->change);
}

static void sum_changes(const member *m)
{
    sn_motion_add_spin(&m->sum->change, m->mass, m->x, m->change);
    if (m->body != NULL) {
        sn_vec3 turned = sn_sub(sn_take3(m->body->angular), sn_take3(m->before->angular));
        sn_motion_add_inertia(&m->sum->change, m->inertia, turned);
    }
}

static void turn_member(const member *m)
{
    sn_vec3 along = sn_cross(m->sum->turn, sn_sub(m->x, m->sum->change.center));
    if (m->body != NULL) {
        sn_put3(m->body->linear, sn_add(sn_take3(m->body->linear), along));
        sn_put3(m->body->angular, sn_add(sn_take3(m->body->angular), m->sum->turn));
    } else {
        *m->velocity = sn_add(*m->velocity, along);
    }
}

static void for_bodies(const sn_run *run, member_function function)
{
    const sn_solver *solver = run->solver;
    const sn_free_spin *spin = &run->projection->spin;
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        sn_spin_sum *sum = &spin->sums[sn_union_find_root(spin->parents, i)];
        if (!sum->is_held) {
            sn_solver_velocity *now = &solver->velocities[i];
            const sn_solver_velocity *before = &run->projection->start.bodies[i];
            member member = {.sum = sum,
                             .mass = 1.0f / solver->bodies[i].inverse_mass.x,
                             .x = sn_add(solver->bodies[i].start, sn_take3(solver->shifts[i].moved)),
                             .body = now,
                             .before = before,
                             .change = sn_sub(sn_take3(now->linear), sn_take3(before->linear)),
                             .inertia = sn_sym3_inverse(sn_solver_inertia_matrix(&solver->inertias[i]))};
            function(&member);
        }
    }
}

static void for_nodes(const sn_run *run, member_function function)
{
    const sn_solver *solver = run->solver;
    const sn_free_spin *spin = &run->projection->spin;
    for (int r = 0; r < solver->nodes.range_count; ++r) {
        const sn_node_range *range = &solver->nodes.ranges[r];
        sn_spin_sum *sum = &spin->sums[sn_union_find_root(spin->parents, solver->body_count + r)];
        for (int i = range->first; !sum->is_held && i < range->first + range->count; ++i) {
            sn_vec3 *now = &solver->nodes.pass.velocities[i].velocity;
            member member = {.sum = sum,
                             .mass = 1.0f / solver->nodes.pass.nodes[i].inverse_mass,
                             .x = sn_add(solver->nodes.starts[i], solver->nodes.moved[i]),
                             .velocity = now,
                             .change = sn_sub(*now, run->projection->start.nodes[i].velocity)};
            function(&member);
        }
    }
}

static void for_members(const sn_run *run, member_function function)
{
    for_bodies(run, function);
    for_nodes(run, function);
}

void sn_free_spin_keep(sn_run *run)
{
    sn_spin_sum *sums = run->projection->spin.sums;
    int members = run->solver->body_count + run->solver->nodes.range_count;
    for_members(run, sum_places);
    for (int i = 0; i < members; ++i) {
        sn_motion_find_linear(&sums[i].change);
    }
    for_members(run, sum_changes);
    for (int i = 0; i < members; ++i) {
        sums[i].turn = turn_of(&sums[i].change);
    }
    for_members(run, turn_member);
}

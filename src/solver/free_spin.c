// See free_spin.h. Sums are in double and in one order, whatever the number of threads.
// Tested by tests/physics/test_position_momentum.c.
#include "solver/position.h"

#include "solver/rigid_motion.h"

#include <string.h>

// Of an island.
typedef struct sn_spin_sum {
    sn_rigid_motion change; // of the whole, by all impulses: its spin is what they took away
    double pushed;          // Σ m |Δv|
    sn_vec3 turn;           // the angular velocity that gives it back
} sn_spin_sum;

bool sn_free_spin_make(sn_run *run)
{
    const sn_solver *solver = run->solver;
    run->projection->sums =
        sn_arena_take(solver->arena, (size_t)solver->island_count, sizeof *run->projection->sums);
    return run->projection->sums != NULL;
}

void sn_free_spin_begin(sn_run *run)
{
    sn_velocities_keep(run->solver, &run->projection->start);
}

// --- sums --------------------------------------------------------------------------------------------------

// Impulses within a free island change its momentum by rounding only. Contacts that are found within a step
// and air change it by more: what they touch is not free.
#define MOST_PUSHED 1.0e-3

// −I⁻¹ ΔL; nothing where the island is a line or a point, or something in it is not finite: that is frozen
// when the step ends, and the rest goes on.
static sn_vec3 turn_of(sn_spin_sum *sum)
{
    sn_rigid_motion *change = &sum->change;
    const double *i = change->inertia; // xx yy zz xy xz yz
    double determinant = i[0] * (i[1] * i[2] - i[5] * i[5]) - i[3] * (i[3] * i[2] - i[5] * i[4]) +
                         i[4] * (i[3] * i[5] - i[1] * i[4]);
    double trace = i[0] + i[1] + i[2];
    sn_motion_find_angular(change);
    bool is_free = change->mass * (double)sn_length(change->linear) <= MOST_PUSHED * sum->pushed;
    bool is_good =
        is_free && determinant > 1.0e-9 * trace * trace * trace && sn_vec3_is_finite(change->angular);
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
    m->sum->pushed += (double)(m->mass * sn_length(m->change));
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
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        if (solver->free_of_body[i] >= 0) {
            sn_solver_velocity *now = &solver->velocities[i];
            const sn_solver_velocity *before = &run->projection->start.bodies[i];
            member member = {.sum = &run->projection->sums[solver->free_of_body[i]],
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
    for (int r = 0; r < solver->nodes.range_count; ++r) {
        const sn_node_range *range = &solver->nodes.ranges[r];
        int island = solver->free_of_range[r];
        for (int i = range->first; island >= 0 && i < range->first + range->count; ++i) {
            sn_vec3 *now = &solver->nodes.pass.velocities[i].velocity;
            member member = {.sum = &run->projection->sums[island],
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
    if (run->solver->island_count > 0) {
        for_bodies(run, function);
        for_nodes(run, function);
    }
}

void sn_free_spin_keep(sn_run *run)
{
    sn_spin_sum *sums = run->projection->sums;
    int count = run->solver->island_count;
    memset(sums, 0, (size_t)count * sizeof *sums);
    for_members(run, sum_places);
    for (int i = 0; i < count; ++i) {
        sn_motion_find_linear(&sums[i].change);
    }
    for_members(run, sum_changes);
    for (int i = 0; i < count; ++i) {
        sums[i].turn = turn_of(&sums[i]);
    }
    for_members(run, turn_member);
}

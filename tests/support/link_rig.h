// Exact links and sets without a world: free nodes, bodies and what holds them, run through the whole
// velocity solver. Include after cmocka.h.
#ifndef TESTS_SUPPORT_LINK_RIG_H
#define TESTS_SUPPORT_LINK_RIG_H

#include "solver/exact/exact.h"
#include "solver/stages.h"
#include "support/solver_rig.h"

#include <string.h>

enum { LINK_RIG_MOST = 64 };

typedef struct link_rig {
    solver_rig rigid;
    sn_arena arena; // of a step
    sn_nodes nodes;
    sn_node_range range;
    sn_exact_stage stage;
    sn_exact_link links[LINK_RIG_MOST];
    union {
        sn_vec3 all_forces[2 * LINK_RIG_MOST]; // by anchor
        struct {
            sn_vec3 forces[LINK_RIG_MOST], member_forces[LINK_RIG_MOST];
        };
    };
    sn_exact_set sets[LINK_RIG_MOST];
    sn_exact_attachment attachments[LINK_RIG_MOST]; // by set, unused unless it says so
    sn_exact_member members[LINK_RIG_MOST];
    sn_exact_sum sum;
    sn_exact_term terms[8];
} link_rig;

// Bodies as of solver_rig_make; nodes of 1 kg at rest at the origin, from number 1 on. The rig must not move
// afterwards.
static inline void link_rig_make(link_rig *rig, int kinematic, int dynamic, int nodes, float h, int sub_steps)
{
    memset(rig, 0, sizeof *rig);
    solver_rig_make(&rig->rigid, kinematic, dynamic, 0, 0, h * (float)sub_steps);
    rig->rigid.solver.settings.sub_steps = sub_steps;
    rig->rigid.solver.arena = &rig->arena;
    rig->rigid.solver.tasks = sn_tasks_create(1, NULL);
    assert_non_null(rig->rigid.solver.tasks);
    assert_int_equal(sn_nodes_take(&rig->nodes, nodes), 1);
    for (int i = 1; i <= nodes; ++i) {
        rig->nodes.states.data[i].inverse_mass = rig->nodes.masses.data[i] = 1.0f;
    }
    rig->range = (sn_node_range){.first = 1, .count = nodes};
    rig->rigid.solver.nodes = (sn_node_solver){.nodes = &rig->nodes,
                                               .ranges = &rig->range,
                                               .range_count = 1,
                                               .exact = &rig->stage,
                                               .tasks = rig->rigid.solver.tasks,
                                               .arena = &rig->arena};
    rig->stage = (sn_exact_stage){.links = rig->links,
                                  .sets = rig->sets,
                                  .attachments = rig->attachments,
                                  .members = rig->members,
                                  .forces = rig->all_forces};
}

static inline void link_rig_free(link_rig *rig)
{
    sn_tasks_destroy(rig->rigid.solver.tasks);
    sn_nodes_release(&rig->nodes);
    sn_arena_release(&rig->arena);
    solver_rig_free(&rig->rigid);
}

static inline void link_rig_node(link_rig *rig, int node, float mass, sn_vec3 place, sn_vec3 velocity)
{
    rig->nodes.states.data[node] = (sn_node_state){place, mass > 0.0f ? 1.0f / mass : 0.0f};
    rig->nodes.masses.data[node] = mass;
    rig->nodes.velocities.data[node].velocity = velocity;
}

static inline sn_vec3 link_rig_place(const link_rig *rig, int node)
{
    return rig->nodes.states.data[node].position;
}

static inline sn_vec3 link_rig_velocity(const link_rig *rig, int node)
{
    return rig->nodes.velocities.data[node].velocity;
}

// --- ends --------------------------------------------------------------------------------------------------

static inline sn_exact_end end_of_node(int node)
{
    return (sn_exact_end){.node_count = 1, .nodes = {node}, .weights = {1.0f}};
}

// Nodes in a row, with random weights.
static inline sn_exact_end end_of_nodes(int first, int count, test_random *random)
{
    sn_exact_end end = {.node_count = count};
    float sum = 0.0f;
    for (int i = 0; i < count; ++i) {
        end.nodes[i] = first + i;
        end.weights[i] = test_random_float(random, 0.1f, 1.0f);
        sum += end.weights[i];
    }
    for (int i = 0; i < count; ++i) {
        end.weights[i] /= sum;
    }
    return end;
}

static inline sn_exact_end end_of_body(int body, sn_vec3 local)
{
    return (sn_exact_end){.body = body, .place = local};
}

static inline sn_exact_end end_of_place(sn_vec3 place)
{
    return (sn_exact_end){.place = place};
}

static inline sn_exact_link *link_rig_add(link_rig *rig, sn_exact_end a, sn_exact_end b)
{
    int number = rig->stage.link_count++;
    assert_true(number < LINK_RIG_MOST);
    rig->links[number] = (sn_exact_link){.ends = {a, b}, .share = 1.0f, .sliding = -1, .anchor = number};
    return &rig->links[number];
}

// A link between nodes as a sum, which is solved in closed form: it leaves the list of links' ends where it
// is, so that tests can measure it as any other one.
static inline void link_rig_make_sum(link_rig *rig)
{
    const sn_exact_link *link = &rig->links[0];
    assert_int_equal(rig->stage.link_count, 1);
    int first_end = link->ends[1].node_count == 1 ? 1 : 0;
    rig->sum = (sn_exact_sum){.anchor = link->anchor, .split = link->ends[first_end].node_count};
    for (int i = 0; i < 8; ++i) {
        int side = i < 4 ? first_end : 1 - first_end;
        const sn_exact_end *end = &link->ends[side];
        if (i % 4 < end->node_count) {
            float weight = side == 0 ? -end->weights[i % 4] : end->weights[i % 4];
            rig->terms[rig->sum.count++] = (sn_exact_term){end->nodes[i % 4], weight};
        }
    }
    rig->stage.sums = &rig->sum;
    rig->stage.terms = rig->terms;
    rig->stage.sum_count = 1;
    rig->stage.link_count = 0;
}

// Free nodes in a row that are one point.
static inline sn_exact_set *link_rig_add_set(link_rig *rig, int first, int count)
{
    sn_exact_set *set = &rig->sets[rig->stage.set_count++];
    rig->stage.pair_begin = rig->stage.set_count;
    *set = (sn_exact_set){.first = rig->stage.member_count, .count = count, .attachment = SN_EXACT_FREE};
    for (int i = 0; i < count; ++i) {
        int member = rig->stage.member_count++;
        rig->members[member] =
            (sn_exact_member){.node = first + i, .parent = i - 1, .end = LINK_RIG_MOST + member};
    }
    return set;
}

// --- running -----------------------------------------------------------------------------------------------

static inline void link_rig_step(link_rig *rig)
{
    sn_solver *solver = &rig->rigid.solver;
    sn_arena_reset(&rig->arena);
    solver->nodes.starts = NULL; // was in the arena
    for (int i = 0; i < solver->body_count; ++i) {
        solver->bodies[i].start = solver->bodies[i].center;
        solver->shifts[i] = (sn_solver_shift){0};
    }
    sn_run run;
    assert_true(sn_solver_begin(solver, &run));
    sn_solver_finish(&run);
    for (int i = 0; i < rig->stage.link_count; ++i) {
        for (int k = 0; k < 2; ++k) {
            if (rig->links[i].ends[k].node_count == 0 && rig->links[i].ends[k].body == 0) {
                rig->links[i].ends[k].place = sn_add(rig->links[i].ends[k].place, rig->links[i].displacement);
            }
        }
    }
}

static inline sn_vec3 link_rig_end(const link_rig *rig, const sn_exact_end *end)
{
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < end->node_count; ++i) {
        sum = sn_add_scaled(sum, end->weights[i], link_rig_place(rig, end->nodes[i]));
    }
    if (end->node_count > 0) {
        return sum;
    }
    const sn_solver_body *body = &rig->rigid.solver.bodies[end->body];
    return end->body > 0 ? sn_add(body->center, sn_rotate(body->rotation, end->place)) : end->place;
}

static inline sn_vec3 link_rig_apart(const link_rig *rig, int link)
{
    return sn_sub(link_rig_end(rig, &rig->links[link].ends[1]), link_rig_end(rig, &rig->links[link].ends[0]));
}

static inline float largest_of(sn_vec3 v)
{
    sn_vec3 size = sn_abs3(v);
    return sn_max(size.x, sn_max(size.y, size.z));
}

// How far its ends are apart, in units in the last place of the largest coordinate that has a part in it, 1
// or more.
static inline float link_rig_ulps(const link_rig *rig, int link)
{
    float largest = 1.0f, power = 1.0f;
    for (int side = 0; side < 2; ++side) {
        const sn_exact_end *end = &rig->links[link].ends[side];
        largest = sn_max(largest, largest_of(link_rig_end(rig, end)));
        for (int i = 0; i < end->node_count; ++i) {
            largest = sn_max(largest, largest_of(link_rig_place(rig, end->nodes[i])));
        }
    }
    while (2.0f * power <= largest) {
        power *= 2.0f;
    }
    return sn_length(link_rig_apart(rig, link)) / (1.1920929e-7f * power);
}

// Of nodes and dynamic bodies, in double: linear, then angular about the origin.
static inline void link_rig_momentum(const link_rig *rig, double momentum[6])
{
    memset(momentum, 0, 6 * sizeof *momentum);
    int nodes = rig->range.count, bodies = rig->rigid.solver.body_count;
    for (int i = 1; i <= nodes + bodies; ++i) {
        double m = 0.0, l[3] = {0.0};
        sn_vec3 x = {0.0f, 0.0f, 0.0f}, v = x;
        if (i <= nodes && rig->nodes.states.data[i].inverse_mass > 0.0f) {
            m = 1.0 / (double)rig->nodes.states.data[i].inverse_mass;
            x = link_rig_place(rig, i);
            v = link_rig_velocity(rig, i);
        } else if (i - nodes >= rig->rigid.solver.dynamic_begin && i - nodes < bodies) {
            int body = i - nodes;
            m = 1.0 / (double)rig->rigid.solver.bodies[body].inverse_mass.x;
            x = rig->rigid.solver.bodies[body].center;
            v = rig_linear(&rig->rigid, body);
            sn_vec3 spin = sn_sym3_apply(rig_inertia(&rig->rigid, body), rig_angular(&rig->rigid, body));
            l[0] = (double)spin.x;
            l[1] = (double)spin.y;
            l[2] = (double)spin.z;
        }
        double p[3] = {m * (double)v.x, m * (double)v.y, m * (double)v.z};
        double r[3] = {(double)x.x, (double)x.y, (double)x.z};
        for (int k = 0; k < 3; ++k) {
            int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            momentum[k] += p[k];
            momentum[3 + k] += l[k] + r[k1] * p[k2] - r[k2] * p[k1];
        }
    }
}

#endif

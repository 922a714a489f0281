// Exact constraints without a world: nodes and bodies that nothing but them holds, run through a
// solver. Include after cmocka.h.
#ifndef TESTS_SUPPORT_EXACT_RIG_H
#define TESTS_SUPPORT_EXACT_RIG_H

#include "solver/exact/exact.h"
#include "solver/stages.h"
#include "support/momenta.h"
#include "support/solver_rig.h"

#include <math.h>
#include <string.h>

enum { EXACT_RIG_SETS = 64, EXACT_RIG_MEMBERS = 512 };

typedef struct exact_rig {
    solver_rig rigid;
    sn_nodes nodes;
    sn_node_range range;
    sn_exact_stage stage;
    sn_exact_set sets[EXACT_RIG_SETS];
    sn_exact_member members[EXACT_RIG_MEMBERS];
    sn_exact_attachment attachments[EXACT_RIG_SETS]; // by set
    union {
        sn_vec3 forces[EXACT_RIG_SETS + EXACT_RIG_MEMBERS]; // by anchor
        struct {
            sn_vec3 set_forces[EXACT_RIG_SETS], member_forces[EXACT_RIG_MEMBERS];
        };
    };
    int first; // node
    // Called after every sub-step, when nodes are in their places, if set.
    void (*look)(struct exact_rig *rig, int sub_step);
    int sub_step;
    sn_model_stage watcher;
} exact_rig;

static inline void exact_rig_apply(void *model, const sn_element_pass *pass, sn_tasks *tasks)
{
    (void)model;
    (void)pass;
    (void)tasks;
}

static inline void exact_rig_complete(void *model, const sn_element_pass *pass, sn_tasks *tasks)
{
    exact_rig *rig = model;
    (void)pass;
    (void)tasks;
    if (rig->look != NULL) {
        rig->look(rig, rig->sub_step);
    }
    ++rig->sub_step;
}

// Nodes of 1 kg at the origin. The rig must not move afterwards.
static inline void exact_rig_make(exact_rig *rig, int kinematic, int dynamic, int nodes)
{
    memset(rig, 0, sizeof *rig);
    solver_rig_make(&rig->rigid, kinematic, dynamic, 0, 0, 0.01f);
    rig->first = sn_nodes_take(&rig->nodes, nodes);
    assert_true(rig->first > 0);
    for (int i = rig->first; i < rig->first + nodes; ++i) {
        rig->nodes.states.data[i].inverse_mass = 1.0f;
    }
    rig->range = (sn_node_range){.first = rig->first, .count = nodes};
    rig->watcher = (sn_model_stage){.apply = exact_rig_apply, .complete = exact_rig_complete, .model = rig};
    rig->rigid.solver.nodes = (sn_node_solver){.nodes = &rig->nodes,
                                               .ranges = &rig->range,
                                               .range_count = 1,
                                               .models = &rig->watcher,
                                               .model_count = 1,
                                               .exact = &rig->stage,
                                               .tasks = sn_tasks_create(1, NULL),
                                               .arena = &rig->rigid.arena};
    rig->stage = (sn_exact_stage){
        .sets = rig->sets, .attachments = rig->attachments, .members = rig->members, .forces = rig->forces};
    rig->rigid.solver.tasks = rig->rigid.solver.nodes.tasks;
    assert_non_null(rig->rigid.solver.tasks);
}

static inline void exact_rig_free(exact_rig *rig)
{
    sn_tasks_destroy(rig->rigid.solver.nodes.tasks);
    solver_rig_free(&rig->rigid);
    sn_nodes_release(&rig->nodes);
}

static inline sn_node_state *exact_rig_state(exact_rig *rig, int node)
{
    return &rig->nodes.states.data[rig->first + node];
}

static inline sn_vec3 *exact_rig_velocity(exact_rig *rig, int node)
{
    return &rig->nodes.velocities.data[rig->first + node].velocity;
}

static inline void exact_rig_put(exact_rig *rig, int node, sn_vec3 place, sn_vec3 velocity, float mass)
{
    *exact_rig_state(rig, node) = (sn_node_state){place, mass > 0.0f ? 1.0f / mass : 0.0f};
    *exact_rig_velocity(rig, node) = velocity;
}

// For exact_rig_set, besides SN_EXACT_FREE and SN_EXACT_FIXED: to the origin, or to what is then filled in.
enum { EXACT_RIG_ATTACHED = 0 };

// A set of `count` nodes, numbers of the rig, in a chain of anchors from each to the next; all forces are on
// b, which is the later one.
static inline sn_exact_set *exact_rig_set(exact_rig *rig, int attachment, int first_node, int count)
{
    sn_exact_stage *stage = &rig->stage;
    assert_true(stage->set_count < EXACT_RIG_SETS);
    assert_true(stage->member_count + count <= EXACT_RIG_MEMBERS);
    int number = stage->set_count++;
    stage->attached_count = stage->pair_begin = stage->set_count;
    rig->attachments[number] = (sn_exact_attachment){.end = number};
    rig->sets[number] = (sn_exact_set){
        .first = stage->member_count, .count = count, .attachment = attachment < 0 ? attachment : number};
    for (int i = 0; i < count; ++i) {
        int member = stage->member_count++;
        rig->members[member] = (sn_exact_member){
            .node = rig->first + first_node + i, .parent = i - 1, .end = EXACT_RIG_SETS + member};
    }
    return &rig->sets[number];
}

// A set on a place, which moves that far in every step.
static inline sn_exact_attachment *exact_rig_nail(exact_rig *rig, sn_vec3 place, int first_node, int count)
{
    const sn_exact_set *set = exact_rig_set(rig, EXACT_RIG_ATTACHED, first_node, count);
    rig->attachments[set->attachment].place = place;
    return &rig->attachments[set->attachment];
}

// A set on a body, at a point from its mass centre in its frame; the nodes are put there.
static inline sn_exact_set *exact_rig_ride(exact_rig *rig, int body, sn_vec3 local, int first_node, int count)
{
    sn_exact_set *set = exact_rig_set(rig, EXACT_RIG_ATTACHED, first_node, count);
    const sn_solver_body *data = &rig->rigid.solver.bodies[body];
    rig->attachments[set->attachment].body = body;
    rig->attachments[set->attachment].place = local;
    for (int i = 0; i < count; ++i) {
        exact_rig_state(rig, first_node + i)->position =
            sn_add(data->center, sn_rotate(data->rotation, local));
    }
    return set;
}

// One step. Bodies start from where they are.
static inline void exact_rig_step(exact_rig *rig, float duration, int sub_steps)
{
    sn_solver *solver = &rig->rigid.solver;
    solver->settings.duration = duration;
    solver->settings.sub_steps = sub_steps;
    rig->sub_step = 0;
    for (int i = 0; i < solver->body_count; ++i) {
        solver->bodies[i].start = solver->bodies[i].center;
        memset(&solver->shifts[i], 0, sizeof solver->shifts[i]);
    }
    sn_run run;
    assert_true(sn_solver_begin(solver, &run));
    sn_solver_finish(&run);
}

// Where the point of a body is that carries a set.
static inline sn_vec3 exact_rig_point(const exact_rig *rig, const sn_exact_set *set)
{
    const sn_exact_attachment *attachment = &rig->attachments[set->attachment];
    const sn_solver_body *body = &rig->rigid.solver.bodies[attachment->body];
    return sn_add(body->center, sn_rotate(body->rotation, attachment->place));
}

// Of all nodes that are not fixed and all dynamic bodies, about the origin.
static inline test_momenta exact_rig_sum(exact_rig *rig)
{
    test_momenta sum = {0};
    for (int i = 0; i < rig->range.count; ++i) {
        float w = exact_rig_state(rig, i)->inverse_mass;
        if (w > 0.0f) {
            test_momenta_add(&sum, 1.0 / (double)w, exact_rig_state(rig, i)->position,
                             *exact_rig_velocity(rig, i));
        }
    }
    for (int i = rig->rigid.solver.dynamic_begin; i < rig->rigid.solver.body_count; ++i) {
        const sn_solver_body *body = &rig->rigid.solver.bodies[i];
        test_momenta_add(&sum, 1.0 / (double)body->inverse_mass.x, body->center, rig_linear(&rig->rigid, i));
        test_momenta_add_spin(&sum, rig_inertia(&rig->rigid, i), rig_angular(&rig->rigid, i));
    }
    return sum;
}

// Within a part of `size`, the momentum that rounding is relative to, and of that at `arm`.
static inline void exact_rig_assert_kept(const test_momenta *before, const test_momenta *after, double size,
                                         double arm, double tolerance)
{
    double linear = 0.0, angular = 0.0;
    for (int k = 0; k < 3; ++k) {
        linear = fmax(linear, fabs(after->linear[k] - before->linear[k]) / size);
        angular = fmax(angular, fabs(after->angular[k] - before->angular[k]) / (size * arm));
    }
    if (!(linear <= tolerance && angular <= tolerance)) {
        fail_msg("linear momentum is off by %.2g, angular by %.2g", linear, angular);
    }
}

static inline bool exact_rig_same(sn_vec3 a, sn_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

#endif

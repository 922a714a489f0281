// Bodies and constraints whose rows are given, without a world: what tests of the joint solver look at.
// Include after cmocka.h.
#ifndef TESTS_SUPPORT_JOINT_RIG_H
#define TESTS_SUPPORT_JOINT_RIG_H

#include "solver/rows/joints.h"
#include "support/momenta.h"
#include "support/solver_rig.h"
#include <stdlib.h>
#include <string.h>

enum { RIG_CONSTRAINTS = 400 };

/// Rows as data; the count may be out of range, as a user's function might return it.
typedef struct given_rows {
    int count;
    sn_row rows[SN_MAX_ROWS];
} given_rows;

typedef struct joint_rig {
    solver_rig rig;
    given_rows given[RIG_CONSTRAINTS];
    sn_constraint_input inputs[RIG_CONSTRAINTS];
    float impulses[RIG_CONSTRAINTS][SN_MAX_ROWS];
    sn_vec3 force[RIG_CONSTRAINTS], torque[RIG_CONSTRAINTS];
    sn_nodes nodes; // none, or from joint_rig_nodes
    sn_joints joints;
} joint_rig;

static inline int give_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    (void)input;
    const given_rows *source = data;
    int count = source->count < 0 ? 0 : (source->count > SN_MAX_ROWS ? SN_MAX_ROWS : source->count);
    memcpy(rows, source->rows, (size_t)count * sizeof *rows);
    return source->count;
}

/// Body 0 is static, then `kinematic` bodies, then `dynamic` ones; one sub-step of h. On the heap, for it is
/// large and must not move.
static inline joint_rig *joint_rig_make(int kinematic, int dynamic, float h)
{
    joint_rig *rig = calloc(1, sizeof *rig);
    assert_non_null(rig);
    solver_rig_make(&rig->rig, kinematic, dynamic, 0, 0, h);
    rig->rig.solver.tasks = sn_tasks_create(1, NULL);
    assert_non_null(rig->rig.solver.tasks);
    rig->joints.solver = &rig->rig.solver;
    rig->joints.inputs = rig->inputs;
    return rig;
}

static inline void joint_rig_free(joint_rig *rig)
{
    sn_nodes_release(&rig->nodes);
    sn_tasks_destroy(rig->rig.solver.tasks);
    solver_rig_free(&rig->rig);
    free(rig);
}

/// Nodes 1 … count, for ends of constraints; without mass, at the origin.
static inline void joint_rig_nodes(joint_rig *rig, int count)
{
    assert_true(sn_nodes_take(&rig->nodes, count + 1) >= 0);
    sn_node_solver *nodes = &rig->rig.solver.nodes;
    nodes->nodes = &rig->nodes;
    nodes->pass.felt = rig->nodes.states.data;
    nodes->pass.velocities = rig->nodes.velocities.data;
    rig->joints.holds_nodes = true;
}

/// A constraint without rows between two bodies, at their mass centres. Returns its number.
static inline int joint_rig_add(joint_rig *rig, int body_a, int body_b)
{
    int i = rig->joints.count++;
    assert_true(i < RIG_CONSTRAINTS);
    rig->inputs[i] = (sn_constraint_input){.evaluate = give_rows,
                                           .data = &rig->given[i],
                                           .ends = {{.body = body_a, .rotation = sn_quat_identity},
                                                    {.body = body_b, .rotation = sn_quat_identity}},
                                           .max_force = INFINITY,
                                           .impulses = rig->impulses[i],
                                           .force = &rig->force[i],
                                           .torque = &rig->torque[i]};
    return i;
}

/// A row of constraint `i` along x between the mass centres: dC/dt = v_b.x − v_a.x.
static inline sn_row *joint_rig_row(joint_rig *rig, int i, sn_row_type type, float value)
{
    given_rows *given = &rig->given[i];
    sn_row *row = &given->rows[given->count++];
    *row = (sn_row){.type = type, .value = value, .lower = -INFINITY, .upper = INFINITY};
    row->lower = type == SN_ROW_ABOVE ? 0.0f : -INFINITY;
    row->linear[0] = sn_v(-1.0f, 0.0f, 0.0f);
    row->linear[1] = sn_v(1.0f, 0.0f, 0.0f);
    return row;
}

static inline sn_vec3 rig_axis(int i)
{
    return sn_v(i == 0 ? 1.0f : 0.0f, i == 1 ? 1.0f : 0.0f, i == 2 ? 1.0f : 0.0f);
}

/// The three rows of a ball, at arms from the mass centres, along the world's axes.
static inline void joint_rig_ball(joint_rig *rig, int i, sn_vec3 arm_a, sn_vec3 arm_b)
{
    for (int k = 0; k < 3; ++k) {
        sn_row *row = joint_rig_row(rig, i, SN_ROW_EQUAL, 0.01f * (float)(k + 1));
        row->linear[0] = sn_neg(rig_axis(k));
        row->linear[1] = rig_axis(k);
        row->angular[0] = sn_neg(sn_cross(arm_a, rig_axis(k)));
        row->angular[1] = sn_cross(arm_b, rig_axis(k));
    }
}

/// A row that keeps the two from turning against each other about an axis.
static inline sn_row *joint_rig_turn(joint_rig *rig, int i, sn_row_type type, float value, sn_vec3 axis)
{
    sn_row *row = joint_rig_row(rig, i, type, value);
    row->linear[0] = row->linear[1] = sn_v(0.0f, 0.0f, 0.0f);
    row->angular[0] = sn_neg(axis);
    row->angular[1] = axis;
    return row;
}

/// A ball at a place in the world.
static inline void joint_rig_ball_at(joint_rig *rig, int i, sn_vec3 place)
{
    sn_vec3 arms[2];
    for (int k = 0; k < 2; ++k) {
        sn_solver_end *end = &rig->inputs[i].ends[k];
        const sn_solver_body *body = &rig->rig.solver.bodies[end->body];
        arms[k] = sn_sub(place, end->body > 0 ? body->center : sn_v(0.0f, 0.0f, 0.0f));
        end->local = sn_rotate_inverse(body->rotation, arms[k]);
        end->fixed = place;
    }
    joint_rig_ball(rig, i, arms[0], arms[1]);
}

/// Begins a step: kept impulses are loaded, rows made, impulses applied.
static inline void joint_rig_begin(joint_rig *rig)
{
    assert_true(sn_joints_begin(&rig->joints));
    sn_joints_refresh(&rig->joints, true);
    sn_joints_warm_start(&rig->joints);
}

static inline void joint_rig_solve(joint_rig *rig)
{
    sn_joints_sweep(&rig->joints, true, false);
}

static inline void joint_rig_relax(joint_rig *rig)
{
    sn_joints_sweep(&rig->joints, false, false);
}

/// How fast C of a row changes.
static inline double joint_rig_speed(const joint_rig *rig, int i, int row)
{
    const sn_row *source = &rig->given[i].rows[row];
    double speed = 0.0;
    for (int k = 0; k < 2; ++k) {
        int body = rig->inputs[i].ends[k].body;
        speed += (double)sn_dot(source->linear[k], rig_linear(&rig->rig, body)) +
                 (double)sn_dot(source->angular[k], rig_angular(&rig->rig, body));
    }
    return speed;
}

/// Of all dynamic bodies.
static inline test_momenta joint_rig_momenta(const joint_rig *rig)
{
    test_momenta sum = {0};
    const sn_solver *solver = &rig->rig.solver;
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        test_momenta_add(&sum, 1.0 / (double)solver->bodies[i].inverse_mass.x, solver->bodies[i].center,
                         rig_linear(&rig->rig, i));
        test_momenta_add_spin(&sum, rig_inertia(&rig->rig, i), rig_angular(&rig->rig, i));
    }
    return sum;
}

/// Rows of the first joint.
static inline sn_held_row *joint_rig_held(const joint_rig *rig, int row)
{
    return &rig->joints.pass.held[rig->joints.pass.blocks[0].first_held + row];
}
static inline sn_single_row *joint_rig_single(const joint_rig *rig, int row)
{
    return &rig->joints.pass.singles[rig->joints.pass.blocks[0].first_single + row];
}

/// A joint of random rows: hard, elastic, stops, motors; some of limited force. Returns its number.
static inline int joint_rig_random(joint_rig *rig, int a, int b, test_random *random)
{
    int i = joint_rig_add(rig, a, b);
    int count = 1 + (int)(test_random_u32(random) % 9);
    for (int k = 0; k < count; ++k) {
        sn_row_type type = (sn_row_type)(k < 3 ? 0u : test_random_u32(random) % 3u);
        sn_row *row = joint_rig_row(rig, i, type, test_random_float(random, -0.01f, 0.01f));
        for (int e = 0; e < 2; ++e) {
            row->linear[e] = test_random_vec3(random, 1.0f);
            row->angular[e] = test_random_vec3(random, 1.0f);
        }
        row->compliance = test_random_u32(random) % 4u == 0u ? test_random_float(random, 0.0f, 1e-3f) : 0.0f;
        row->damping = test_random_float(random, 0.0f, 10.0f);
        row->target_speed = test_random_float(random, -1.0f, 1.0f);
        row->upper = test_random_u32(random) % 4u == 0u ? 500.0f : INFINITY;
        rig->impulses[i][k] = test_random_float(random, -0.1f, 0.1f);
    }
    rig->inputs[i].max_force = test_random_u32(random) % 3u == 0u ? 300.0f : INFINITY;
    return i;
}

/// Three sub-steps in which nothing moves.
static inline void joint_rig_sub_steps(joint_rig *rig)
{
    for (int i = 0; i < 3; ++i) {
        joint_rig_solve(rig);
        sn_joints_refresh(&rig->joints, false);
        joint_rig_relax(rig);
        sn_joints_finish_sub_step(&rig->joints);
        sn_joints_warm_start(&rig->joints);
    }
}

/// A step of them.
static inline void joint_rig_run(joint_rig *rig)
{
    joint_rig_begin(rig);
    joint_rig_sub_steps(rig);
    sn_joints_store(&rig->joints);
}

#endif

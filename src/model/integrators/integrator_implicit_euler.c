// Implicit Euler, linearised once (Baraff and Witkin 1998): with v′ = v + h (g + W f_user)
//
//   (M + h D + h² K) Δv = h f(x, v′) − h² K v′,  û = v⁺ = v′ + Δv
//
// f the model's forces, damping −D v′ among them, K the positive semi-definite part of its stiffness. Solved
// by conjugate gradients, each node's 3 × 3 block as preconditioner. Stable however stiff; oscillations lose
// energy, 1/(1 + (ωh)²) a sub-step.
//
// c is h² (M + h D + h² K)⁻¹ in truth, which ties nodes to each other; rows and exact constraints act with
// h²/m, as if nodes were free, and forces of the next sub-step answer to that.
// Tested by tests/model/test_integrators.c.
#include "model/goals/rigid_part.h"
#include "model/integrators/integrator.h"

#include <string.h>

static void push(void *context, int begin, int end)
{
    const sn_integration_loop *loop = context;
    for (int i = begin; i < end; ++i) {
        sn_vec3 acceleration = sn_integration_acceleration(loop, i, sn_v(0.0f, 0.0f, 0.0f));
        sn_integration_set(loop, i, sn_add_scaled(loop->velocities[i].velocity, loop->pass->h, acceleration));
    }
}

// A system's `resist`: the factor of sn_conjugate is one, the sum is all in here.
typedef struct sum_of_resistances {
    const sn_force_field *field;
    const sn_node_state *nodes;
    sn_resistance resistance;
} sum_of_resistances;

static void resist(void *model, const sn_vec3 *field, sn_vec3 *forces, sn_tasks *tasks)
{
    const sum_of_resistances *sum = model;
    sum->field->resist(sum->field->model, sum->nodes, sum->resistance, field, forces, tasks);
}

static void invert_blocks(sn_integration *it, const sum_of_resistances *sum)
{
    sn_sym3 *blocks = it->room.blocks;
    memset(blocks, 0, (size_t)it->node_count * sizeof *blocks);
    it->field.add_diagonal(it->field.model, sum->nodes, sum->resistance, blocks);
    sn_conjugate_invert_blocks(&it->room, sum->nodes);
}

static void set_right_side(sn_integration *it, const sn_element_pass *pass, sn_tasks *tasks)
{
    const sn_node_state *nodes = pass->nodes + it->first_node;
    sn_conjugate *room = &it->room;
    sn_integration_forces(it, pass, it->forces, tasks);
    for (int i = 0; i < it->node_count; ++i) {
        room->direction[i] = pass->velocities[it->first_node + i].velocity;
    }
    it->field.resist(it->field.model, nodes, (sn_resistance){pass->h * pass->h, 0.0f}, room->direction,
                     room->residual, tasks);
    for (int i = 0; i < it->node_count; ++i) {
        room->residual[i] = sn_add_scaled(room->residual[i], pass->h, it->forces[i].force);
    }
}

static void predict(sn_integration *it, const sn_element_pass *pass, sn_tasks *tasks)
{
    const sn_node_state *nodes = pass->nodes + it->first_node;
    sn_integration_nodes(it, pass, tasks, push);
    if (it->field.forces == NULL) {
        return;
    }
    sum_of_resistances sum = {&it->field, nodes, {pass->h * pass->h, pass->h}};
    sn_conjugate_system system = {nodes, 1.0f, &sum, resist, tasks};
    set_right_side(it, pass, tasks);
    invert_blocks(it, &sum);
    memset(it->change, 0, (size_t)it->node_count * sizeof *it->change);
    sn_conjugate_solve(&it->room, &system, it->change);
    // An iteration that ends early conserves momentum only approximately.
    sn_rigid_part_remove(nodes, it->node_count, it->change);
    sn_integration_nodes(it, pass, tasks, sn_integration_add_change);
}

const sn_integrator_kind sn_implicit_euler_kind = {.name = "implicit Euler",
                                                   .order = 1,
                                                   .c = 1.0f,
                                                   .d = 1.0f,
                                                   .has_change = true,
                                                   .is_implicit = true,
                                                   .predict = predict};

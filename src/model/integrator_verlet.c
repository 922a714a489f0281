// Velocity Verlet: û = v + (h/2) a(x), v⁺ = û⁺ + (h/2) a(x⁺).
//
// Forces at x⁺ are kept, and are those at x of the next sub-step: one evaluation each. Damping goes with û⁺,
// the velocity half a sub-step before: of second order but for that. Symplectic: energy wavers and stays
// while ωh < 2.
#include "model/integrator.h"

// Whether the forces remembered are of where the nodes are now.
static bool is_known(const sn_integration *it, const sn_node_state *states)
{
    for (int i = 0; i < it->node_count; ++i) {
        sn_vec3 now = states[i].position, then = it->places[i];
        if (!(now.x == then.x && now.y == then.y && now.z == then.z)) {
            return false;
        }
    }
    return true;
}

static const sn_node_force *forces_now(const sn_integration *it)
{
    return it->memory != NULL ? it->remembered : it->forces;
}

static void go_half(void *context, int begin, int end)
{
    const sn_integration_loop *loop = context;
    const sn_node_force *forces = forces_now(loop->it);
    float half = 0.5f * loop->pass->h;
    for (int i = begin; i < end; ++i) {
        sn_vec3 acceleration = sn_integration_acceleration(loop, i, forces[i].force);
        sn_integration_set(loop, i, sn_add_scaled(loop->velocities[i].velocity, half, acceleration));
    }
}

static void predict(sn_integration *it, const sn_element_pass *pass, sn_tasks *tasks)
{
    if (it->memory != NULL && !is_known(it, pass->nodes + it->first_node)) {
        sn_integration_forces(it, pass, it->remembered, tasks);
    }
    sn_integration_nodes(it, pass, tasks, go_half);
}

static void go_on(void *context, int begin, int end)
{
    const sn_integration_loop *loop = context;
    const sn_node_force *forces = forces_now(loop->it);
    float half = 0.5f * loop->pass->h;
    for (int i = begin; i < end; ++i) {
        sn_vec3 *velocity = &loop->velocities[i].velocity;
        sn_vec3 acceleration = sn_integration_acceleration(loop, i, forces[i].force);
        *velocity = sn_add_scaled(*velocity, half, acceleration);
        if (loop->it->memory != NULL) {
            loop->it->places[i] = loop->states[i].position;
        }
    }
}

static void complete(sn_integration *it, const sn_element_pass *pass, sn_tasks *tasks)
{
    if (it->memory != NULL) {
        sn_integration_forces(it, pass, it->remembered, tasks);
    }
    sn_integration_nodes(it, pass, tasks, go_on);
}

const sn_integrator_kind sn_verlet_kind = {.name = "Verlet",
                                           .order = 2,
                                           .c = 0.5f,
                                           .d = 1.0f,
                                           .has_memory = true,
                                           .predict = predict,
                                           .complete = complete};

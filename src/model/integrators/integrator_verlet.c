// Velocity Verlet: û = v + (h/2) a(x), v⁺ = û⁺ + (h/2) a(x⁺).
//
// Forces at x⁺ are kept, and are those at x of the next sub-step: one evaluation each. Damping goes with û⁺,
// the velocity half a sub-step before: of second order but for that. Symplectic: energy wavers and stays
// while ωh < 2, with damping d while (ωh)² + 2 hd < 4.
// Tested by tests/model/test_integrators.c.
#include "model/integrators/integrator.h"

// Whether the forces remembered are of where the nodes are now. In batches, which compilers make wide.
static bool is_known(const sn_integration *it, const sn_node_state *states)
{
    enum { BATCH = 64 };
    for (int begin = 0; begin < it->node_count; begin += BATCH) {
        int end = begin + BATCH < it->node_count ? begin + BATCH : it->node_count, different = 0;
        for (int i = begin; i < end; ++i) {
            sn_vec3 now = states[i].position, then = it->places[i];
            different |= !(now.x == then.x) | !(now.y == then.y) | !(now.z == then.z);
        }
        if (different) {
            return false;
        }
    }
    return true;
}

static const sn_node_force *forces_now(const sn_integration *it)
{
    return it->remembered != NULL ? it->remembered : it->forces;
}

static void go_half(void *context, int begin, int end)
{
    const sn_integration_loop *loop = context;
    const sn_node_force *forces = forces_now(loop->it);
    float half = 0.5f * loop->pass->h;
    for (int i = begin; i < end; ++i) {
        sn_vec3 acceleration = sn_integration_acceleration(loop, i, forces[i].force);
        loop->it->change[i] = sn_scale(acceleration, half);
        sn_integration_set(loop, i, sn_add(loop->velocities[i].velocity, loop->it->change[i]));
    }
}

static void predict(sn_integration *it, const sn_element_pass *pass, sn_tasks *tasks)
{
    if (it->remembered != NULL && !is_known(it, pass->nodes + it->first_node)) {
        sn_integration_forces(it, pass, it->remembered, tasks);
    }
    sn_integration_nodes(it, pass, tasks, go_half);
}

// v⁺ = v + (û⁺ − û) + (h/2) (a(x) + a(x⁺)).
static void go_on(void *context, int begin, int end)
{
    const sn_integration_loop *loop = context;
    const sn_node_force *forces = forces_now(loop->it);
    float half = 0.5f * loop->pass->h;
    for (int i = begin; i < end; ++i) {
        sn_vec3 acceleration = sn_integration_acceleration(loop, i, forces[i].force);
        sn_vec3 change = loop->it->change[i], start = sn_sub(loop->velocities[i].velocity, change);
        sn_integration_finish(loop, i, start, sn_add_scaled(change, half, acceleration));
        if (loop->it->places != NULL) {
            loop->it->places[i] = loop->states[i].position;
        }
    }
}

const sn_integrator_kind sn_verlet_kind = {.name = "Verlet",
                                           .order = 2,
                                           .most = 4.0f,
                                           .c = 0.5f,
                                           .d = 1.0f,
                                           .has_change = true,
                                           .keeps_forces = true,
                                           .predict = predict,
                                           .go_on = go_on};

// Explicit midpoint: û = v + (h/2) a(x, v), v̂ = v + h a(x + (h/2) v, û).
//
// Undamped motion gains energy, (1 + (ωh)⁴/4) a sub-step: little, but without end.
#include "model/integrator.h"

// As far as the middle of the sub-step.
static void go_half(void *context, int begin, int end)
{
    const sn_integration_loop *loop = context;
    sn_integration *it = loop->it;
    float half = 0.5f * loop->pass->h;
    for (int i = begin; i < end; ++i) {
        sn_vec3 velocity = loop->velocities[i].velocity;
        sn_vec3 change = sn_scale(sn_integration_acceleration(loop, i, it->forces[i].force), half);
        it->middle_states[i] = loop->states[i];
        it->middle_states[i].position = sn_add_scaled(loop->states[i].position, half, velocity);
        it->middle_velocities[i].velocity = sn_add(velocity, change);
        it->lag[i] = sn_neg(change);
        sn_integration_set(loop, i, it->middle_velocities[i].velocity);
    }
}

static void find_lag(void *context, int begin, int end)
{
    const sn_integration_loop *loop = context;
    sn_integration *it = loop->it;
    for (int i = begin; i < end; ++i) {
        sn_vec3 acceleration = sn_integration_acceleration(loop, i, it->forces[i].force);
        it->lag[i] = sn_add_scaled(it->lag[i], loop->pass->h, acceleration);
    }
}

static void predict(sn_integration *it, const sn_element_pass *pass, sn_tasks *tasks)
{
    sn_integration_forces(it, pass, it->forces, tasks);
    sn_integration_nodes(it, pass, tasks, go_half);
    if (it->field.forces != NULL) {
        it->field.forces(it->field.model, it->middle_states, it->middle_velocities, it->forces, tasks);
    }
    sn_integration_nodes(it, pass, tasks, find_lag);
}

const sn_integrator_kind sn_midpoint_kind = {.name = "midpoint",
                                             .order = 2,
                                             .c = 0.5f,
                                             .d = 1.0f,
                                             .has_lag = true,
                                             .has_middle = true,
                                             .predict = predict,
                                             .complete = sn_integration_add_lag};

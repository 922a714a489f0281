// Heun's method, the paper's RK2: with a₁ = a(x, v) and a₂ = a(x + h v, v + h a₁)
//
//   û = v + (h/2) a₁,  v̂ = v + (h/2) (a₁ + a₂)
//
// Undamped motion gains energy, (1 + (ωh)⁴/4) a sub-step: little, but without end.
#include "model/integrator.h"

// As far as explicit Euler goes.
static void go_whole(void *context, int begin, int end)
{
    const sn_integration_loop *loop = context;
    sn_integration *it = loop->it;
    float h = loop->pass->h;
    for (int i = begin; i < end; ++i) {
        sn_vec3 velocity = loop->velocities[i].velocity;
        sn_vec3 acceleration = sn_integration_acceleration(loop, i, it->forces[i].force);
        it->middle_states[i] = loop->states[i];
        it->middle_states[i].position = sn_add_scaled(loop->states[i].position, h, velocity);
        it->middle_velocities[i].velocity = sn_add_scaled(velocity, h, acceleration);
        sn_integration_set(loop, i, sn_add_scaled(velocity, 0.5f * h, acceleration));
    }
}

static void find_lag(void *context, int begin, int end)
{
    const sn_integration_loop *loop = context;
    for (int i = begin; i < end; ++i) {
        sn_vec3 acceleration = sn_integration_acceleration(loop, i, loop->it->forces[i].force);
        loop->it->lag[i] = sn_scale(acceleration, 0.5f * loop->pass->h);
    }
}

static void predict(sn_integration *it, const sn_element_pass *pass, sn_tasks *tasks)
{
    sn_integration_forces(it, pass, it->forces, tasks);
    sn_integration_nodes(it, pass, tasks, go_whole);
    if (it->field.forces != NULL) {
        it->field.forces(it->field.model, it->middle_states, it->middle_velocities, it->forces, tasks);
    }
    sn_integration_nodes(it, pass, tasks, find_lag);
}

const sn_integrator_kind sn_heun_kind = {.name = "Heun",
                                         .order = 2,
                                         .c = 0.5f,
                                         .d = 1.0f,
                                         .has_lag = true,
                                         .has_middle = true,
                                         .predict = predict,
                                         .complete = sn_integration_add_lag};

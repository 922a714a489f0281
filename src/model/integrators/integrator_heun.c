// Heun's method, the paper's RK2: with a₁ = a(x, v) and a₂ = a(x + h v, v + h a₁)
//
//   û = v + (h/2) a₁,  v̂ = v + (h/2) (a₁ + a₂)
//
// a₂ is evaluated once rows have changed û, so that constraints act on it too. Undamped motion gains energy,
// (1 + (ωh)⁴/4) a sub-step: little, but without end.
// Tested by tests/model/test_integrators.c.
#include "model/integrators/integrator.h"

// As far as explicit Euler goes: from v by v, to v + h a₁.
static void place_end(void *context, int begin, int end)
{
    const sn_integration_loop *loop = context;
    sn_integration *it = loop->it;
    for (int i = begin; i < end; ++i) {
        sn_vec3 mean = loop->velocities[i].velocity, half = sn_integration_half(loop, i);
        sn_vec3 *place = &it->middle_states[i].position;
        *place = sn_add_scaled(*place, loop->pass->h, sn_sub(mean, half));
        it->middle_velocities[i].velocity = sn_add(mean, half);
    }
}

// v⁺ = v + (û⁺ − û) + (h/2) (a₁ + a₂).
static void go_on(void *context, int begin, int end)
{
    const sn_integration_loop *loop = context;
    for (int i = begin; i < end; ++i) {
        sn_vec3 acceleration = sn_integration_acceleration(loop, i, loop->it->forces[i].force);
        sn_vec3 change = loop->it->change[i], start = sn_sub(loop->velocities[i].velocity, change);
        sn_integration_finish(loop, i, start, sn_add_scaled(change, 0.5f * loop->pass->h, acceleration));
    }
}

const sn_integrator_kind sn_heun_kind = {.name = "Heun",
                                         .order = 2,
                                         .growth = 4,
                                         .most = 1.0f,
                                         .c = 0.5f,
                                         .d = 1.0f,
                                         .has_change = true,
                                         .has_middle = true,
                                         .predict = sn_integration_half_way,
                                         .place_middle = place_end,
                                         .go_on = go_on};

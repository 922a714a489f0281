// Explicit midpoint: û = v + (h/2) a(x, v), v̂ = v + h a(x + (h/2) v, û).
//
// Forces in the middle are evaluated once rows have changed û, so that constraints act on them too.
// Undamped motion gains energy, (1 + (ωh)⁴/4) a sub-step: little, but without end.
// Tested by tests/model/test_integrators.c.
#include "model/integrators/integrator.h"

// û⁺ is the velocity of the middle already.
static void place_middle(void *context, int begin, int end)
{
    const sn_integration_loop *loop = context;
    float half = 0.5f * loop->pass->h;
    for (int i = begin; i < end; ++i) {
        sn_vec3 *place = &loop->it->middle_states[i].position;
        sn_vec3 start = sn_sub(loop->velocities[i].velocity, sn_integration_half(loop, i));
        *place = sn_add_scaled(*place, half, start);
        loop->it->middle_velocities[i] = loop->velocities[i];
    }
}

// v⁺ = v + (û⁺ − û) + h a.
static void go_on(void *context, int begin, int end)
{
    const sn_integration_loop *loop = context;
    for (int i = begin; i < end; ++i) {
        sn_vec3 acceleration = sn_integration_acceleration(loop, i, loop->it->forces[i].force);
        sn_vec3 start = sn_sub(loop->velocities[i].velocity, loop->it->change[i]);
        sn_integration_finish(loop, i, start, sn_scale(acceleration, loop->pass->h));
    }
}

const sn_integrator_kind sn_midpoint_kind = {.name = "midpoint",
                                             .order = 2,
                                             .growth = 4,
                                             .most = 1.0f,
                                             .c = 0.5f,
                                             .d = 1.0f,
                                             .has_change = true,
                                             .has_middle = true,
                                             .predict = sn_integration_half_way,
                                             .place_middle = place_middle,
                                             .go_on = go_on};

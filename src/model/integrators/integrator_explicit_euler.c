// Explicit Euler: û = v, v̂ = v + h a(x, v).
//
// A force moves nothing until the next sub-step, c = 0, which is why the paper's exact constraints cannot use
// it; impulses of rows act before the move and can. Undamped motion of any frequency gains energy, (1 +
// (ωh)²) a sub-step.
// Tested by tests/model/test_integrators.c.
#include "model/integrators/integrator.h"

static void find_change(void *context, int begin, int end)
{
    const sn_integration_loop *loop = context;
    for (int i = begin; i < end; ++i) {
        sn_vec3 acceleration = sn_integration_acceleration(loop, i, loop->it->forces[i].force);
        loop->it->change[i] = sn_scale(acceleration, loop->pass->h);
    }
}

static void predict(sn_integration *it, const sn_element_pass *pass, sn_tasks *tasks)
{
    sn_integration_forces(it, pass, it->forces, tasks);
    sn_integration_nodes(it, pass, tasks, find_change);
}

const sn_integrator_kind sn_explicit_euler_kind = {.name = "explicit Euler",
                                                   .order = 1,
                                                   .growth = 2,
                                                   .most = 2.0f,
                                                   .c = 0.0f,
                                                   .d = 1.0f,
                                                   .has_change = true,
                                                   .predict = predict,
                                                   .go_on = sn_integration_add_change};

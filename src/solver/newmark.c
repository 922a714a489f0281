// Newmark's rule around the projection of the position solver (methods D.4).
//
// With a the acceleration of the sub-step before and a⁺ that of its end,
//   x⁺ = x + h v + h² ((½ − β) a + β a⁺),   v⁺ = v + h ((1 − γ) a + γ a⁺),   M a⁺ = f + Jᵀλ at x⁺.
// Written as x⁺ = x + h′ u with h′ = √β h, u begins as (h v + h² (½ − β) a)/h′ and changes by h′ W (f + Jᵀλ):
// that is implicit Euler's sub-step of length h′. So nothing changes but the length (sn_sub_step_length) and
// what velocities are before and after. β = ¼, γ = ½ is the trapezoidal rule, which keeps the energy of
// springs; γ above ½ damps, as hard rows need, with β = (γ + ½)²/4.
// Tested by tests/physics/test_position_newmark.c.
#include "solver/position.h"

// While a sub-step lasts, v + h (1 − γ) a is kept in place of a. What does not answer forces has none.
// `begun` is what u began as.
static void change(const sn_run *run, bool ends, bool moves, float *begun, float *now, float *acceleration)
{
    const sn_position *rule = &run->solver->settings.position;
    float h = run->solver->settings.duration / (float)run->solver->settings.sub_steps;
    sn_vec3 v = sn_take3(now), a = sn_take3(acceleration);
    if (!ends) {
        a = sn_scale(a, moves ? h : 0.0f);
        sn_put3(begun, sn_scale(sn_add_scaled(v, 0.5f - rule->newmark_beta, a), h / run->h));
        sn_put3(now, sn_take3(begun));
        sn_put3(acceleration, sn_add_scaled(v, 1.0f - rule->newmark_gamma, a));
    } else {
        sn_vec3 next = sn_scale(sn_sub(v, sn_take3(begun)), 1.0f / run->h);
        sn_put3(now, sn_add_scaled(a, h * rule->newmark_gamma, next));
        sn_put3(acceleration, next);
    }
}

static void change_all(const sn_run *run, bool ends)
{
    const sn_solver *solver = run->solver;
    const sn_node_solver *nodes = &solver->nodes;
    for (int i = 1; i < solver->body_count; ++i) {
        sn_solver_velocity *v = &solver->velocities[i], *a = &solver->accelerations[i];
        sn_solver_velocity *begun = &run->projection->begun_bodies[i];
        bool moves = i >= solver->dynamic_begin;
        change(run, ends, moves, begun->linear, v->linear, a->linear);
        change(run, ends, moves, begun->angular, v->angular, a->angular);
    }
    for (int r = 0; r < nodes->range_count; ++r) {
        for (int i = nodes->ranges[r].first; i < nodes->ranges[r].first + nodes->ranges[r].count; ++i) {
            change(run, ends, nodes->pass.nodes[i].inverse_mass > 0.0f, &run->projection->begun_nodes[i].x,
                   &nodes->pass.velocities[i].velocity.x, &nodes->nodes->accelerations.data[i].x);
        }
    }
}

void sn_newmark_begin(sn_run *run)
{
    change_all(run, false);
}

void sn_newmark_end(sn_run *run)
{
    change_all(run, true);
}

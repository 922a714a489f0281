// Velocities before and after a projection by Newmark's rule: see newmark.h. What does not answer forces has
// no acceleration: it moves with its velocity.
// Tested by tests/physics/test_position_newmark.c.
#include "solver/newmark.h"

#include "solver/position.h"

// u = by_velocity v + by_acceleration a as it begins; v⁺ = v + by_old a + by_new a⁺ as it ends.
typedef struct rule {
    float by_velocity, by_acceleration, by_old, by_new;
    float inverse_length; // 1/h′
    bool ends;
} rule;

static sn_vec3 velocity_by(const rule *rule, bool moves, sn_vec3 start, sn_vec3 begun, sn_vec3 now,
                           sn_vec3 *acceleration)
{
    sn_vec3 old = *acceleration;
    if (!rule->ends) {
        return sn_add_scaled(sn_scale(now, rule->by_velocity), rule->by_acceleration, old);
    }
    if (!moves) {
        return start;
    }
    *acceleration = sn_scale(sn_sub(now, begun), rule->inverse_length);
    return sn_add_scaled(sn_add_scaled(start, rule->by_old, old), rule->by_new, *acceleration);
}

static void change(const rule *rule, bool moves, const float *start, const float *begun, float *now,
                   float *acceleration)
{
    sn_vec3 a = sn_take3(acceleration);
    sn_put3(now, velocity_by(rule, moves, sn_take3(start), sn_take3(begun), sn_take3(now), &a));
    sn_put3(acceleration, a);
}

static void apply(const sn_run *run, bool ends)
{
    const sn_solver *solver = run->solver;
    const sn_solver_settings *settings = &solver->settings;
    const sn_velocity_copy *start = &run->projection->start, *begun = &run->projection->begun;
    float h = settings->duration / (float)settings->sub_steps, by_velocity = h / run->h;
    rule rule = {.by_velocity = by_velocity,
                 .by_acceleration = by_velocity * h * (0.5f - settings->position.newmark_beta),
                 .by_old = h * (1.0f - settings->position.newmark_gamma),
                 .by_new = h * settings->position.newmark_gamma,
                 .inverse_length = 1.0f / run->h,
                 .ends = ends};
    for (int i = 1; i < solver->body_count; ++i) {
        sn_solver_velocity *v = &solver->velocities[i], *a = &solver->accelerations[i];
        const sn_solver_velocity *old = &start->bodies[i], *first = &begun->bodies[i];
        bool moves = i >= solver->dynamic_begin;
        change(&rule, moves, old->linear, first->linear, v->linear, a->linear);
        change(&rule, moves, old->angular, first->angular, v->angular, a->angular);
    }
    for (int r = 0; r < solver->nodes.range_count; ++r) {
        const sn_node_range *range = &solver->nodes.ranges[r];
        for (int i = range->first; i < range->first + range->count; ++i) {
            sn_vec3 *v = &solver->nodes.pass.velocities[i].velocity;
            *v = velocity_by(&rule, solver->nodes.pass.nodes[i].inverse_mass > 0.0f, start->nodes[i].velocity,
                             begun->nodes[i].velocity, *v, &solver->nodes.nodes->accelerations.data[i]);
        }
    }
}

void sn_newmark_begin(sn_run *run)
{
    sn_velocities_keep(run->solver, &run->projection->start);
    apply(run, false);
    sn_velocities_keep(run->solver, &run->projection->begun);
}

void sn_newmark_end(sn_run *run)
{
    apply(run, true);
}

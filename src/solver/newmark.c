// Velocities before and after a projection by Newmark's rule: see newmark.h. What does not answer forces has
// no acceleration: it moves with its velocity.
// Tested by tests/physics/test_position_newmark.c.
#include "solver/newmark.h"

#include "solver/position.h"

// u = by_velocity v + by_acceleration a as it begins; v⁺ = v + by_old a + by_new a⁺ as it ends.
typedef struct rule {
    float by_velocity, by_acceleration, by_old, by_new;
    float inverse_length; // 1/h′
} rule;

static sn_vec3 begun(const rule *rule, sn_vec3 v, sn_vec3 a)
{
    return sn_add_scaled(sn_scale(v, rule->by_velocity), rule->by_acceleration, a);
}

// `start` is v once the sub-step ends, null as it begins.
static void change(const rule *rule, bool moves, const float *start, float *now, float *acceleration)
{
    sn_vec3 u = sn_take3(now), a = sn_take3(acceleration);
    if (start == NULL) {
        sn_put3(now, begun(rule, u, a));
        return;
    }
    sn_vec3 v = sn_take3(start), next = sn_scale(sn_sub(u, begun(rule, v, a)), rule->inverse_length);
    sn_put3(now, moves ? sn_add_scaled(sn_add_scaled(v, rule->by_old, a), rule->by_new, next) : v);
    sn_put3(acceleration, moves ? next : a);
}

static void apply(const sn_run *run, bool ends)
{
    const sn_solver *solver = run->solver;
    const sn_position *position = &solver->settings.position;
    const sn_velocity_copy *start = &run->projection->start;
    float h = solver->settings.duration / (float)solver->settings.sub_steps, by_velocity = h / run->h;
    rule rule = {.by_velocity = by_velocity,
                 .by_acceleration = by_velocity * h * (0.5f - position->newmark_beta),
                 .by_old = h * (1.0f - position->newmark_gamma),
                 .by_new = h * position->newmark_gamma,
                 .inverse_length = 1.0f / run->h};
    for (int i = 1; i < solver->body_count; ++i) {
        sn_solver_velocity *v = &solver->velocities[i], *a = &solver->accelerations[i];
        const sn_solver_velocity *old = &start->bodies[i];
        bool moves = i >= solver->dynamic_begin;
        change(&rule, moves, ends ? old->linear : NULL, v->linear, a->linear);
        change(&rule, moves, ends ? old->angular : NULL, v->angular, a->angular);
    }
    for (int r = 0; r < solver->nodes.range_count; ++r) {
        const sn_node_range *range = &solver->nodes.ranges[r];
        for (int i = range->first; i < range->first + range->count; ++i) {
            bool moves = solver->nodes.pass.nodes[i].inverse_mass > 0.0f;
            change(&rule, moves, ends ? &start->nodes[i].velocity.x : NULL,
                   &solver->nodes.pass.velocities[i].velocity.x,
                   &solver->nodes.nodes->accelerations.data[i].x);
        }
    }
}

void sn_newmark_begin(sn_run *run)
{
    sn_velocities_keep(run->solver, &run->projection->start);
    apply(run, false);
}

void sn_newmark_end(sn_run *run)
{
    apply(run, true);
}

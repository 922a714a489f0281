// Velocities before and after a projection by Newmark's rule: see newmark.h. What does not answer forces has
// no acceleration: it moves with its velocity.
// Tested by tests/physics/test_position_newmark.c.
#include "solver/newmark.h"

#include "sinew/math.h"

bool sn_newmark_make(const sn_run *run, sn_newmark *newmark)
{
    return sn_velocities_make(run->solver, &newmark->velocities) &&
           sn_velocities_make(run->solver, &newmark->begun);
}

// The rule's factors: u = by_velocity v + by_acceleration a as it begins.
typedef struct rule {
    float by_velocity, by_acceleration;
    float h, inverse_length; // of the sub-step, and 1/h′
    float gamma;
} rule;

static rule rule_of(const sn_run *run)
{
    const sn_solver_settings *settings = &run->solver->settings;
    float h = settings->duration / (float)settings->sub_steps;
    float by_velocity = h / run->h;
    return (rule){.by_velocity = by_velocity,
                  .by_acceleration = by_velocity * h * (0.5f - settings->position.newmark_beta),
                  .h = h,
                  .inverse_length = 1.0f / run->h,
                  .gamma = settings->position.newmark_gamma};
}

static sn_vec3 begun_of(const rule *rule, sn_vec3 velocity, sn_vec3 acceleration)
{
    return sn_add_scaled(sn_scale(velocity, rule->by_velocity), rule->by_acceleration, acceleration);
}

// The velocity and the acceleration at the end.
static sn_vec3 ended(const rule *rule, sn_vec3 velocity, sn_vec3 begun, sn_vec3 now, sn_vec3 *acceleration)
{
    sn_vec3 old = *acceleration;
    *acceleration = sn_scale(sn_sub(now, begun), rule->inverse_length);
    velocity = sn_add_scaled(velocity, rule->h * (1.0f - rule->gamma), old);
    return sn_add_scaled(velocity, rule->h * rule->gamma, *acceleration);
}

void sn_newmark_begin(const sn_run *run, const sn_newmark *newmark)
{
    const sn_solver *solver = run->solver;
    rule rule = rule_of(run);
    sn_velocities_keep(solver, &newmark->velocities);
    for (int i = 1; i < solver->body_count; ++i) {
        sn_solver_velocity *v = &solver->velocities[i];
        const sn_solver_velocity *a = &solver->accelerations[i];
        sn_put3(v->linear, begun_of(&rule, sn_take3(v->linear), sn_take3(a->linear)));
        sn_put3(v->angular, begun_of(&rule, sn_take3(v->angular), sn_take3(a->angular)));
    }
    sn_node_velocity *velocities = solver->nodes.pass.velocities;
    for (int r = 0; r < solver->nodes.range_count; ++r) {
        const sn_node_range *range = &solver->nodes.ranges[r];
        for (int i = range->first; i < range->first + range->count; ++i) {
            velocities[i].velocity =
                begun_of(&rule, velocities[i].velocity, solver->nodes.nodes->accelerations.data[i]);
        }
    }
    sn_velocities_keep(solver, &newmark->begun);
}

void sn_newmark_end(const sn_run *run, const sn_newmark *newmark)
{
    const sn_solver *solver = run->solver;
    rule rule = rule_of(run);
    for (int i = 1; i < solver->body_count; ++i) {
        sn_solver_velocity *v = &solver->velocities[i], *a = &solver->accelerations[i];
        const sn_solver_velocity *begun = &newmark->begun.bodies[i], *old = &newmark->velocities.bodies[i];
        if (i < solver->dynamic_begin) {
            *v = *old;
            continue;
        }
        sn_vec3 linear = sn_take3(a->linear), angular = sn_take3(a->angular);
        sn_put3(v->linear,
                ended(&rule, sn_take3(old->linear), sn_take3(begun->linear), sn_take3(v->linear), &linear));
        sn_put3(v->angular, ended(&rule, sn_take3(old->angular), sn_take3(begun->angular),
                                  sn_take3(v->angular), &angular));
        sn_put3(a->linear, linear);
        sn_put3(a->angular, angular);
    }
    sn_node_velocity *velocities = solver->nodes.pass.velocities;
    for (int r = 0; r < solver->nodes.range_count; ++r) {
        const sn_node_range *range = &solver->nodes.ranges[r];
        for (int i = range->first; i < range->first + range->count; ++i) {
            sn_vec3 old = newmark->velocities.nodes[i].velocity;
            bool moves = solver->nodes.pass.nodes[i].inverse_mass > 0.0f;
            velocities[i].velocity =
                moves ? ended(&rule, old, newmark->begun.nodes[i].velocity, velocities[i].velocity,
                              &solver->nodes.nodes->accelerations.data[i])
                      : old;
        }
    }
}

// Placing links that slide adds no energy, however far light nodes are turned by it.
//
// On a plane, x⁺ is the position nearest to x̂ and û⁺ = û + (x⁺ − x̂)/h the velocity nearest to û: slower than
// that. But closest points lie on planes that turn, and go over edges to others. A light triangle under heavy
// points may turn by any angle in a sub-step, and friction push it from one point to the next: then the
// displacement to where it belongs is longer than the one it would have made. Links that slide may make that
// displacement, but not gain its velocity.
//
// Impulses P of links change the energy by Σ P · (relative velocity of their ends), mean of before and after,
// beyond the work of places and kinematic bodies. If all of them were s times as large,
//
//   E(s) − E(0) = s A + s² B,   A = Σ P · (relative velocity before all of them)
//
// and where that is more than zero at s = 1, velocities change only by the share s of it that makes it zero.
// Momentum is kept for any share. Settling then makes velocities agree. What placing has taken away in a
// sub-step, going over an edge, it may give back when it is repeated.
#include "solver/exact/exact_links.h"

#include <math.h>

sn_vec3 sn_link_driven_velocity(const sn_exact_stage *stage, const sn_exact_link *link, int side)
{
    const sn_exact_end *end = &link->ends[side];
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    if (end->node_count == 0) {
        return sn_link_body_key(stage, end->body) >= 0 ? sum : sn_link_velocity(stage, link, side);
    }
    for (int i = 0; i < end->node_count; ++i) {
        if (stage->link_work->keys[end->nodes[i]] < 0) {
            sum = sn_add_scaled(sum, end->weights[i], sn_link_velocities(stage)[end->nodes[i]].velocity);
        }
    }
    return sum;
}

// The velocity of a unit at a lever, now or when the system was opened.
static sn_vec3d velocity_at(const sn_link_system *system, const sn_link_view *view,
                            const sn_link_lever *lever, bool now)
{
    const sn_exact_stage *stage = system->stage;
    const sn_link_unit *unit = &system->units[lever->unit];
    if (lever->body == 0) {
        return sn_widen(now ? sn_link_velocities(stage)[lever->node].velocity : unit->linear_before);
    }
    const sn_solver_body *body = &stage->solver->bodies[lever->body];
    const sn_solver_velocity *velocity = &stage->solver->velocities[lever->body];
    sn_vec3 arm = lever->node >= 0 ? sn_sub(sn_link_nodes(stage)[lever->node].position, body->center)
                                   : sn_rotate(body->rotation, view->link->ends[lever->side].place);
    sn_vec3d spin = sn_widen(now ? sn_take3(velocity->angular) : unit->angular_before);
    return sn_add_wide(sn_widen(now ? sn_take3(velocity->linear) : unit->linear_before),
                       sn_cross_wide(spin, sn_widen(arm)));
}

double sn_link_work(const sn_link_system *system, const sn_link_view *view, sn_vec3 impulse, bool now)
{
    const sn_exact_stage *stage = system->stage;
    sn_vec3d speed = sn_widen(
        sn_sub(sn_link_driven_velocity(stage, view->link, 1), sn_link_driven_velocity(stage, view->link, 0)));
    for (int i = 0; i < view->lever_count; ++i) {
        speed = sn_add_scaled_wide(speed, (double)view->levers[i].factor,
                                   velocity_at(system, view, &view->levers[i], now));
    }
    return sn_dot_wide(sn_widen(impulse), speed);
}

// The largest share of the impulses that adds no more than it may, squared: the farther placing is from a
// projection, the less of it is velocity. Half of the share would take away most.
static float share_of(double lead, double gain, double most)
{
    double square = gain - lead;
    if (!(square > 0.0)) {
        return 0.0f;
    }
    double root = (double)sqrtf((float)((lead * lead + 4.0 * square * most) / (square * square)));
    float share = sn_clamp((float)(0.5 * (root - lead / square)), 0.0f, 1.0f);
    return share * share;
}

// Takes back what is beyond the share of a unit's change of velocity.
static void take_back(const sn_exact_stage *stage, const sn_link_unit *unit, float share)
{
    if (unit->body > 0) {
        sn_solver_velocity *now = &stage->solver->velocities[unit->body];
        sn_vec3 linear = sn_sub(sn_take3(now->linear), unit->linear_before);
        sn_vec3 angular = sn_sub(sn_take3(now->angular), unit->angular_before);
        sn_put3(now->linear, sn_add_scaled(unit->linear_before, share, linear));
        sn_put3(now->angular, sn_add_scaled(unit->angular_before, share, angular));
        return;
    }
    sn_vec3 change = sn_sub(sn_link_velocities(stage)[unit->node].velocity, unit->linear_before);
    for (int i = 0; i < (unit->set >= 0 ? stage->sets[unit->set].count : 1); ++i) {
        int node = unit->set >= 0 ? stage->members[stage->sets[unit->set].first + i].node : unit->node;
        sn_vec3 *velocity = &sn_link_velocities(stage)[node].velocity;
        *velocity = sn_add_scaled(*velocity, share - 1.0f, change);
    }
}

// Ramps pull things together as they are told, at any speed.
bool sn_link_is_limited(const sn_link_system *system)
{
    bool slides = false, is_ramp = false;
    for (int i = 0; i < system->link_count; ++i) {
        slides |= system->stage->links[system->links[i]].sliding >= 0;
        is_ramp |= system->stage->link_work->shares[system->links[i]] < 1.0f;
    }
    return slides && !is_ramp;
}

void sn_link_limit_energy(const sn_link_system *system)
{
    const sn_exact_stage *stage = system->stage;
    if (!system->is_limited) {
        return;
    }
    double most = 0.0;
    for (int i = 0; i < system->count; ++i) {
        most += (double)system->views[i].state->surplus;
    }
    bool is_too_much = !(system->gain <= most);
    float share = is_too_much ? share_of(system->lead, system->gain, most) : 1.0f;
    for (int i = 0; i < system->unit_count && is_too_much; ++i) {
        take_back(stage, &system->units[i], share);
    }
    for (int i = 0; i < system->count; ++i) {
        sn_link_state *state = system->views[i].state;
        sn_vec3 *sum = &stage->link_impulses[system->views[i].number];
        state->surplus = is_too_much ? 0.0f : (float)((most - system->gain) / (double)system->count);
        state->impulse = sn_add_scaled(state->impulse, share - 1.0f, state->latest);
        *sum = sn_add_scaled(*sum, share - 1.0f, state->latest);
    }
}

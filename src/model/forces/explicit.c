// The impulse of explicit forces in a sub-step; the scheme is explained in explicit.h.
// Tested by tests/model/test_model.c.
#include "model/forces/explicit.h"

#include "base/allocate.h"
#include "model/goals/rigid_part.h"

// Damping of the motion to y, as a part of h.
static const float motion_damping = 0.1f;
// From this damping on, as a part of h, one step is enough (½ is the bound).
static const float damped_enough = 0.6f;
// Part of the stability limit that is used: stiffness grows a little as bodies deform.
static const float safety = 0.8f;

bool sn_explicit_make(sn_explicit *scheme, int first_node, int node_count)
{
    *scheme = (sn_explicit){.first_node = first_node, .node_count = node_count};
    sn_vec3 **arrays[] = {&scheme->places, &scheme->rates, &scheme->moved, &scheme->forces, &scheme->before};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) {
        *arrays[i] = sn_allocate_zero((size_t)node_count, sizeof(sn_vec3));
        if (*arrays[i] == NULL) {
            sn_explicit_release(scheme);
            return false;
        }
    }
    if (!sn_conjugate_make(&scheme->room, node_count)) {
        sn_explicit_release(scheme);
        return false;
    }
    return true;
}

void sn_explicit_release(sn_explicit *scheme)
{
    size_t size = (size_t)scheme->node_count * sizeof(sn_vec3);
    sn_release(scheme->places, size);
    sn_release(scheme->rates, size);
    sn_release(scheme->moved, size);
    sn_release(scheme->forces, size);
    sn_release(scheme->before, size);
    sn_conjugate_release(&scheme->room);
    *scheme = (sn_explicit){0};
}

const sn_vec3 *sn_explicit_places(sn_explicit *scheme, const sn_element_pass *pass)
{
    const sn_node_state *nodes = pass->nodes + scheme->first_node;
    for (int i = 0; i < scheme->node_count; ++i) {
        scheme->places[i] = sn_sub(nodes[i].position, nodes[0].position);
    }
    return scheme->places;
}

// --- how many steps ----------------------------------------------------------------------------------------

// Steps to y for (ωh)² = s: the least n with s/n² + 2 β s/n ≤ 4 (methods B.1, damping β h K), or 1 if s alone
// allows it.
static float steps_for(float s)
{
    float limit = 4.0f * safety;
    if (s <= limit) {
        return 1.0f;
    }
    float half = motion_damping * s;
    return (half + sqrtf(half * half + limit * s)) / limit;
}

float sn_explicit_least_damping(float fastest, float h)
{
    return fastest * h * h <= 4.0f * safety ? 0.0f : motion_damping * h;
}

// 0: more than there may be.
static int elastic_steps(float fastest, float h)
{
    float steps = steps_for(fastest * h * h);
    return steps <= (float)SN_EXPLICIT_STEPS ? -(int)floorf(-steps) : 0;
}

// --- the motion to y
// -----------------------------------------------------------------------------------------------

// From rest at x for a time h: moved = y − x. The first force acts for half a step, as in leapfrog.
static void move_from_rest(sn_explicit *scheme, const sn_node_state *nodes, float h, int steps,
                           const sn_explicit_forces *given, sn_tasks *tasks)
{
    float tau = h / (float)steps, lag = motion_damping * (float)steps;
    for (int k = 0; k < steps; ++k) {
        given->look(given->model, scheme->places, tasks);
        given->elastic(given->model, scheme->forces, tasks);
        for (int i = 0; i < scheme->node_count; ++i) {
            float response = tau * nodes[i].inverse_mass;
            sn_vec3 force = scheme->forces[i];
            if (k == 0) {
                scheme->rates[i] = sn_scale(force, 0.5f * response);
                scheme->moved[i] = sn_scale(scheme->rates[i], tau);
            } else {
                // β h K ẏ is what the force has changed by in the last step, times β h / τ.
                sn_vec3 change = sn_sub(force, scheme->before[i]);
                sn_vec3 damped = sn_add_scaled(force, lag, change);
                scheme->rates[i] = sn_add_scaled(scheme->rates[i], response, damped);
                scheme->moved[i] = sn_add_scaled(scheme->moved[i], tau, scheme->rates[i]);
            }
            scheme->before[i] = force;
            scheme->places[i] = sn_add_scaled(scheme->places[i], tau, scheme->rates[i]);
        }
    }
}

// --- velocities --------------------------------------------------------------------------------------------

// A system's `resist`: the factor of sn_conjugate is one, the sum is all in here.
typedef struct resisting {
    const sn_explicit_forces *given;
    sn_resistance resistance;
} resisting;

static void resist(void *model, const sn_vec3 *field, sn_vec3 *forces, sn_tasks *tasks)
{
    const resisting *sum = model;
    sum->given->resist(sum->given->model, sum->resistance, field, forces, tasks);
}

// With `moved` the change of velocities by the forces and R = h D, or h D + h² K for a sub-step of implicit
// Euler: (M + R) Δv = M moved − R v, moved = Δv.
static void damp(sn_explicit *scheme, const sn_element_pass *pass, const sn_explicit_forces *given,
                 sn_resistance resistance, sn_tasks *tasks)
{
    const sn_node_state *nodes = pass->nodes + scheme->first_node;
    resisting sum = {given, resistance};
    sn_conjugate_system system = {nodes, 1.0f, &sum, resist, tasks};
    for (int i = 0; i < scheme->node_count; ++i) {
        scheme->rates[i] = pass->velocities[scheme->first_node + i].velocity;
    }
    resist(&sum, scheme->rates, scheme->room.residual, tasks);
    for (int i = 0; i < scheme->node_count; ++i) {
        float w = nodes[i].inverse_mass, mass = w > 0.0f ? 1.0f / w : 0.0f;
        sn_vec3 impulse = sn_scale(scheme->moved[i], mass);
        scheme->room.residual[i] = sn_add(impulse, scheme->room.residual[i]);
        scheme->room.blocks[i] = (sn_sym3){w, w, w, 0.0f, 0.0f, 0.0f};
        scheme->moved[i] = sn_v(0.0f, 0.0f, 0.0f);
    }
    sn_conjugate_solve(&scheme->room, &system, scheme->moved);
}

// No node moves by more than half of `reach` relative to the body in a sub-step.
static void limit_speeds(sn_explicit *scheme, const sn_element_pass *pass, float reach)
{
    const sn_node_state *nodes = pass->nodes + scheme->first_node;
    float limit = 0.5f * reach * pass->inverse_h, square = 0.25f * limit * limit;
    bool is_fast = false;
    for (int i = 0; i < scheme->node_count; ++i) {
        scheme->rates[i] = sn_add(pass->velocities[scheme->first_node + i].velocity, scheme->moved[i]);
        is_fast |= sn_length_squared(sn_sub(scheme->rates[i], scheme->rates[0])) > square;
    }
    if (!is_fast) {
        return;
    }
    sn_rigid_part part = sn_rigid_part_of(nodes, scheme->node_count, scheme->rates);
    for (int i = 0; i < scheme->node_count; ++i) {
        sn_vec3 deviation = sn_sub(scheme->rates[i], sn_rigid_part_at(&part, nodes, i));
        float speed = sn_length(deviation);
        if (speed > limit) {
            scheme->moved[i] = sn_add_scaled(scheme->moved[i], limit / speed - 1.0f, deviation);
        }
    }
}

void sn_explicit_apply(sn_explicit *scheme, const sn_element_pass *pass, const sn_explicit_forces *forces,
                       sn_tasks *tasks)
{
    const sn_node_state *nodes = pass->nodes + scheme->first_node;
    sn_node_velocity *velocities = pass->velocities + scheme->first_node;
    // Well damped leapfrog is stable at any stiffness.
    bool is_damped = forces->damping_time >= damped_enough * pass->h;
    int steps = is_damped ? 1 : elastic_steps(forces->fastest, pass->h);
    bool is_implicit = steps == 0;
    (void)sn_explicit_places(scheme, pass);
    move_from_rest(scheme, nodes, pass->h, is_implicit ? 1 : steps, forces, tasks);
    // Damping acts at x, not on the motion to y.
    if (steps > 1 && forces->is_damped) {
        forces->look(forces->model, sn_explicit_places(scheme, pass), tasks);
    }
    for (int i = 0; i < scheme->node_count; ++i) {
        scheme->moved[i] = sn_scale(scheme->moved[i], 2.0f * pass->inverse_h);
    }
    if (is_implicit || forces->is_damped) {
        float stiffness = is_implicit ? pass->h * pass->h : 0.0f;
        damp(scheme, pass, forces, (sn_resistance){stiffness, pass->h}, tasks);
    }
    limit_speeds(scheme, pass, forces->reach);
    // The motion to y and the limits conserve angular momentum about x only approximately.
    sn_rigid_part_remove(nodes, scheme->node_count, scheme->moved);
    for (int i = 0; i < scheme->node_count; ++i) {
        if (nodes[i].inverse_mass > 0.0f) {
            velocities[i].velocity = sn_add(velocities[i].velocity, scheme->moved[i]);
        }
    }
}

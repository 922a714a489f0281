// The impulse of explicit forces in a sub-step; the scheme is explained in explicit.h.
#include "model/explicit.h"

#include "base/allocate.h"
#include "model/rigid_part.h"

// Damping of the way to y, as a part of h.
static const float way_damping = 0.1f;
// A part of what the schemes can bear, for stiffness grows a little as bodies deform.
static const float safety = 0.8f;

bool sn_explicit_make(sn_explicit *scheme, int first_node, int node_count)
{
    *scheme = (sn_explicit){.first_node = first_node, .node_count = node_count};
    sn_vec3 **arrays[] = {&scheme->places, &scheme->velocities, &scheme->rates,
                          &scheme->moved,  &scheme->forces,     &scheme->forces_before};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) {
        *arrays[i] = sn_allocate_zero((size_t)node_count, sizeof(sn_vec3));
        if (*arrays[i] == NULL) {
            sn_explicit_release(scheme);
            return false;
        }
    }
    return true;
}

void sn_explicit_release(sn_explicit *scheme)
{
    size_t size = (size_t)scheme->node_count * sizeof(sn_vec3);
    sn_release(scheme->places, size);
    sn_release(scheme->velocities, size);
    sn_release(scheme->rates, size);
    sn_release(scheme->moved, size);
    sn_release(scheme->forces, size);
    sn_release(scheme->forces_before, size);
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
    float half = way_damping * s;
    return (half + sqrtf(half * half + limit * s)) / limit;
}

static int round_up(float steps)
{
    return -(int)floorf(-steps);
}

typedef struct small_steps {
    int count;
    float scale; // of the forces: below one if even the most steps do not bear them
} small_steps;

static small_steps elastic_steps(float fastest, float h)
{
    const float most = (float)SN_EXPLICIT_STEPS;
    float s = fastest * h * h, steps = steps_for(s);
    if (steps <= most) {
        return (small_steps){round_up(steps), 1.0f};
    }
    // steps_for(s) = most, solved for s.
    float bearable = 4.0f * safety * most * most / (1.0f + 2.0f * way_damping * most);
    return (small_steps){SN_EXPLICIT_STEPS, bearable / s};
}

static small_steps damping_steps(float rate, float h)
{
    const float most = (float)SN_EXPLICIT_STEPS;
    float steps = 2.0f * rate * h; // none takes away more than half
    if (steps <= most) {
        return (small_steps){steps > 1.0f ? round_up(steps) : 1, 1.0f};
    }
    return (small_steps){SN_EXPLICIT_STEPS, most / steps};
}

// --- the way -----------------------------------------------------------------------------------------------

// From rest at x for a time h: moved = y − x. The first force acts for half a step, as in leapfrog.
static void go_from_rest(sn_explicit *scheme, const sn_node_state *nodes, float h, small_steps steps,
                         const sn_explicit_forces *given, sn_tasks *tasks)
{
    float tau = h / (float)steps.count, lag = way_damping * (float)steps.count;
    for (int k = 0; k < steps.count; ++k) {
        given->look(given->model, scheme->places, tasks);
        given->elastic(given->model, scheme->forces, tasks);
        for (int i = 0; i < scheme->node_count; ++i) {
            float response = tau * steps.scale * nodes[i].inverse_mass;
            sn_vec3 force = scheme->forces[i];
            if (k == 0) {
                scheme->rates[i] = sn_scale(force, 0.5f * response);
                scheme->moved[i] = sn_scale(scheme->rates[i], tau);
            } else {
                // β h K ẏ is what the force has changed by in the last step, times β h / τ.
                sn_vec3 change = sn_sub(force, scheme->forces_before[i]);
                sn_vec3 damped = sn_add_scaled(force, lag, change);
                scheme->rates[i] = sn_add_scaled(scheme->rates[i], response, damped);
                scheme->moved[i] = sn_add_scaled(scheme->moved[i], tau, scheme->rates[i]);
            }
            scheme->forces_before[i] = force;
            scheme->places[i] = sn_add_scaled(scheme->places[i], tau, scheme->rates[i]);
        }
    }
}

// The impulse (2/h)(y − x), and damping meanwhile: leaves in `moved` the whole change of velocity.
static void push_and_damp(sn_explicit *scheme, const sn_element_pass *pass, const sn_explicit_forces *given,
                          sn_tasks *tasks)
{
    const sn_node_state *nodes = pass->nodes + scheme->first_node;
    small_steps steps = damping_steps(given->damping_rate, pass->h);
    float tau = pass->h / (float)steps.count, share = 2.0f * pass->inverse_h / (float)steps.count;
    for (int i = 0; i < scheme->node_count; ++i) {
        scheme->velocities[i] = pass->velocities[scheme->first_node + i].velocity;
        scheme->rates[i] = sn_scale(scheme->moved[i], share);
        scheme->moved[i] = sn_v(0.0f, 0.0f, 0.0f);
    }
    for (int k = 0; k < steps.count; ++k) {
        for (int i = 0; i < scheme->node_count; ++i) {
            scheme->velocities[i] = sn_add(scheme->velocities[i], scheme->rates[i]);
            scheme->moved[i] = sn_add(scheme->moved[i], scheme->rates[i]);
        }
        if (given->damping == NULL) {
            return;
        }
        given->damping(given->model, scheme->velocities, scheme->forces, tasks);
        for (int i = 0; i < scheme->node_count; ++i) {
            float response = tau * steps.scale * nodes[i].inverse_mass;
            scheme->velocities[i] = sn_add_scaled(scheme->velocities[i], response, scheme->forces[i]);
            scheme->moved[i] = sn_add_scaled(scheme->moved[i], response, scheme->forces[i]);
        }
    }
}

void sn_explicit_apply(sn_explicit *scheme, const sn_element_pass *pass, const sn_explicit_forces *forces,
                       sn_tasks *tasks)
{
    const sn_node_state *nodes = pass->nodes + scheme->first_node;
    sn_node_velocity *velocities = pass->velocities + scheme->first_node;
    small_steps steps = elastic_steps(forces->fastest, pass->h);
    (void)sn_explicit_places(scheme, pass);
    go_from_rest(scheme, nodes, pass->h, steps, forces, tasks);
    if (steps.count > 1 && forces->damping != NULL) {
        forces->look(forces->model, sn_explicit_places(scheme, pass), tasks);
    }
    push_and_damp(scheme, pass, forces, tasks);
    // On the way to y angular momentum about x is kept only to first order.
    sn_rigid_part_remove(nodes, scheme->node_count, scheme->moved);
    for (int i = 0; i < scheme->node_count; ++i) {
        if (nodes[i].inverse_mass > 0.0f) {
            velocities[i].velocity = sn_add(velocities[i].velocity, scheme->moved[i]);
        }
    }
}

// The rows of anchors. There are few of them, so they go one by one, in order.
#include "solver/anchor_rows.h"

#include "solver/soft.h"
#include "solver/staggered_whole.h"

#include <math.h>

// Anchors of light nodes on a heavy body are up to this much stiffer, by frequency, than other hard rows, and
// as much more damped, which leaves their rate of bias. They come last in a sweep, so one sweep solves them;
// with the softness of other rows, which keeps long chains of them stable, a body of 10 kg on nodes of 10 g
// would hang millimetres below them. Not quite hard, so that anchors that cannot all be met pull with bounded
// forces. Anchors of many nodes that together are heavy for their body are softer: else they gain energy.
#define ANCHOR_FIRMNESS 8.0f

struct sn_anchor_rows {
    sn_mat3 inverse; // K⁻¹, or (K + γ)⁻¹ of soft ones
    bool is_soft;
    float gamma;      // of soft ones
    sn_softness hard; // of the others
    int crowd[2];     // how many anchors the bodies have
    sn_vec3 bias;
    sn_vec3 arms[2]; // of bodies, from the mass centre to the place of action
    sn_vec3 impulse, sum;
};

static sn_vec3 zero3(void)
{
    return sn_v(0.0f, 0.0f, 0.0f);
}

static sn_vec3 place_of(const sn_anchor_stage *stage, const sn_element_pass *pass, const sn_anchor_end *end)
{
    if (end->node_count > 0) {
        sn_vec3 sum = zero3();
        for (int i = 0; i < end->node_count; ++i) {
            sum = sn_add_scaled(sum, end->weights[i], pass->nodes[end->nodes[i]].position);
        }
        return sum;
    }
    if (end->body == 0) {
        return end->fixed;
    }
    const sn_solver_body *body = &stage->solver->bodies[end->body];
    return sn_add(body->center, sn_rotate(body->rotation, end->local));
}

// The whole that the nodes of an end belong to, if the staggered schedule has such, and where the end is on
// it; null for none.
static sn_whole *whole_of(const sn_anchor_stage *stage, const sn_element_pass *pass, const sn_anchor_end *end,
                          sn_whole_point *point)
{
    const sn_wholes *wholes = stage->solver->nodes.wholes;
    if (wholes == NULL || end->node_count == 0) {
        return NULL;
    }
    sn_whole *whole = &wholes->items[wholes->of[end->nodes[0]]];
    *point = (sn_whole_point){0};
    for (int i = 0; i < end->node_count; ++i) {
        sn_vec3 arm = sn_sub(pass->nodes[end->nodes[i]].position, whole->center);
        point->weight += end->weights[i];
        point->arm = sn_add_scaled(point->arm, end->weights[i], arm);
    }
    return whole->held > 0.0f ? whole : NULL;
}

static sn_vec3 velocity_of(const sn_anchor_stage *stage, const sn_element_pass *pass,
                           const sn_anchor_end *end, sn_vec3 arm)
{
    if (end->node_count > 0) {
        sn_vec3 sum = zero3();
        for (int i = 0; i < end->node_count; ++i) {
            sum = sn_add_scaled(sum, end->weights[i], pass->velocities[end->nodes[i]].velocity);
        }
        sn_whole_point point;
        const sn_whole *whole = whole_of(stage, pass, end, &point);
        return whole != NULL ? sn_add(sum, sn_whole_velocity(whole, &point)) : sum;
    }
    if (end->body == 0) {
        return zero3();
    }
    const sn_solver_velocity *velocity = &stage->solver->velocities[end->body];
    return sn_add(sn_take3(velocity->linear), sn_cross(sn_take3(velocity->angular), arm));
}

static bool is_pushed(const sn_anchor_stage *stage, const sn_anchor_end *end)
{
    return end->node_count == 0 && end->body >= stage->solver->dynamic_begin;
}

// A body glued to a jelly is pushed thousands of times a step: without the rest that rounding cuts off it
// would lose momentum.
static void add_to(float *velocity, float *residue, sn_vec3 change)
{
    sn_vec3 sum = sn_take3(velocity), rest = sn_take3(residue);
    sn_add_exactly(&sum, &rest, change);
    sn_put3(velocity, sum);
    sn_put3(residue, rest);
}

// Adds an impulse to one end.
static void push(const sn_anchor_stage *stage, const sn_element_pass *pass, const sn_anchor_end *end,
                 sn_vec3 arm, sn_vec3 impulse)
{
    sn_whole_point point;
    sn_whole *whole = whole_of(stage, pass, end, &point);
    float own = whole != NULL ? 1.0f - whole->held : 1.0f;
    for (int i = 0; i < end->node_count; ++i) {
        float share = end->weights[i] * pass->felt[end->nodes[i]].inverse_mass * own;
        sn_vec3 *velocity = &pass->velocities[end->nodes[i]].velocity;
        *velocity = sn_add_scaled(*velocity, share, impulse);
    }
    if (whole != NULL) {
        sn_whole_push(whole, &point, impulse);
    }
    if (is_pushed(stage, end)) {
        sn_solver_velocity *velocity = &stage->solver->velocities[end->body];
        sn_solver_velocity *residue = &stage->solver->residues[end->body];
        sn_sym3 inverse = sn_solver_inertia_matrix(&stage->solver->inertias[end->body]);
        sn_vec3 linear = sn_mul(stage->solver->bodies[end->body].inverse_mass, impulse);
        sn_vec3 angular = sn_sym3_apply(inverse, sn_cross(arm, impulse));
        add_to(velocity->linear, residue->linear, linear);
        add_to(velocity->angular, residue->angular, angular);
    }
}

// What a unit impulse does to the velocity of the nodes of an end.
static float node_response(const sn_element_pass *pass, const sn_anchor_end *end)
{
    float sum = 0.0f;
    for (int i = 0; i < end->node_count; ++i) {
        sum += end->weights[i] * end->weights[i] * pass->felt[end->nodes[i]].inverse_mass;
    }
    return sum;
}

// The same of their whole, along each axis; zero without one. `own` is what is left to the nodes.
static sn_mat3 whole_response(const sn_anchor_stage *stage, const sn_element_pass *pass,
                              const sn_anchor_end *end, float *own)
{
    sn_whole_point point;
    const sn_whole *whole = whole_of(stage, pass, end, &point);
    sn_vec3 axes[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}, columns[3];
    *own = whole != NULL ? 1.0f - whole->held : 1.0f;
    for (int i = 0; i < 3; ++i) {
        columns[i] = zero3();
        if (whole != NULL) {
            columns[i] = sn_v(sn_whole_response(whole, &point, axes[0], axes[i]),
                              sn_whole_response(whole, &point, axes[1], axes[i]),
                              sn_whole_response(whole, &point, axes[2], axes[i]));
        }
    }
    return (sn_mat3){columns[0], columns[1], columns[2]};
}

// What a unit impulse along each axis does to the velocity of the body of an end.
static sn_mat3 body_response(const sn_anchor_stage *stage, const sn_anchor_end *end, sn_vec3 arm)
{
    if (!is_pushed(stage, end)) {
        return sn_mat3_diagonal(0.0f, 0.0f, 0.0f);
    }
    sn_sym3 inverse = sn_solver_inertia_matrix(&stage->solver->inertias[end->body]);
    sn_vec3 w = stage->solver->bodies[end->body].inverse_mass;
    sn_vec3 axes[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}, columns[3];
    for (int i = 0; i < 3; ++i) {
        sn_vec3 spin = sn_sym3_apply(inverse, sn_cross(arm, axes[i]));
        columns[i] = sn_add(sn_mul(w, axes[i]), sn_cross(spin, arm));
    }
    return (sn_mat3){columns[0], columns[1], columns[2]};
}

static float mean_diagonal(sn_mat3 m)
{
    return (m.x.x + m.y.y + m.z.z) / 3.0f;
}

static float power8(float x)
{
    float square = x * x, fourth = square * square;
    return fourth * fourth;
}

// How firm a hard anchor may be that moves nodes and bodies by these for a unit impulse; `crowded` is the sum
// of what its bodies' anchors together do to them. Firm only where the bodies are heavier by far, for nodes
// that elements hold together are heavier than they look. Where the load is heavier than the bodies, the
// anchors are springs side by side, and each takes its share of what one may have.
static float firmness_of(float nodes, float bodies, float crowded)
{
    float share = nodes > 0.0f ? nodes / (nodes + crowded) : 0.0f;
    float load = nodes + bodies > 0.0f ? crowded / (nodes + bodies) : 0.0f;
    return (1.0f + (ANCHOR_FIRMNESS - 1.0f) * power8(share)) / sqrtf(sn_max(load, 1.0f));
}

// K, and the softness of a hard anchor.
static sn_mat3 measure_response(const sn_anchor_stage *stage, const sn_element_pass *pass,
                                const sn_anchor_input *input, sn_anchor_rows *rows)
{
    sn_mat3 k = sn_mat3_diagonal(0.0f, 0.0f, 0.0f), wholes = k;
    float nodes = 0.0f, crowded = 0.0f;
    for (int end = 0; end < 2; ++end) {
        float own;
        sn_mat3 body = body_response(stage, &input->ends[end], rows->arms[end]);
        k = sn_mat3_add(k, body);
        wholes = sn_mat3_add(wholes, whole_response(stage, pass, &input->ends[end], &own));
        nodes += own * node_response(pass, &input->ends[end]);
        crowded += mean_diagonal(body) * (float)rows->crowd[end];
    }
    const sn_solver_settings *settings = &stage->solver->settings;
    float firmness = firmness_of(nodes, mean_diagonal(k), crowded);
    rows->hard = settings->is_staggered ? settings->laws.hard
                                        : sn_softness_make(firmness * settings->constraint_stiffness,
                                                           firmness * settings->constraint_damping, pass->h);
    return sn_mat3_add(sn_mat3_add(k, sn_mat3_diagonal(nodes, nodes, nodes)), wholes);
}

static sn_mat3 inverse_of(sn_mat3 m)
{
    sn_vec3 yz = sn_cross(m.y, m.z), zx = sn_cross(m.z, m.x), xy = sn_cross(m.x, m.y);
    float determinant = sn_dot(m.x, yz);
    float size = sn_max(sn_length(m.x), sn_max(sn_length(m.y), sn_length(m.z)));
    if (!(determinant > 1.0e-12f * size * size * size)) {
        return sn_mat3_diagonal(0.0f, 0.0f, 0.0f);
    }
    float inverse = 1.0f / determinant;
    return sn_mat3_transpose((sn_mat3){sn_scale(yz, inverse), sn_scale(zx, inverse), sn_scale(xy, inverse)});
}

static void refresh_one(const sn_anchor_stage *stage, const sn_element_pass *pass,
                        const sn_anchor_input *input, sn_anchor_rows *rows)
{
    const sn_anchor_end *a = &input->ends[0], *b = &input->ends[1];
    sn_vec3 place_a = place_of(stage, pass, a), place_b = place_of(stage, pass, b);
    // Nodes cannot be pushed elsewhere, bodies can: the place of action is the nodes', or half way.
    sn_vec3 action = a->node_count > 0   ? place_a
                     : b->node_count > 0 ? place_b
                                         : sn_scale(sn_add(place_a, place_b), 0.5f);
    rows->arms[0] = sn_sub(action, stage->solver->bodies[a->body].center);
    rows->arms[1] = sn_sub(action, stage->solver->bodies[b->body].center);
    sn_mat3 k = measure_response(stage, pass, input, rows);
    sn_vec3 apart = sn_sub(place_b, place_a);
    rows->is_soft = input->compliance > 0.0f;
    float rate = rows->hard.bias_rate;
    if (rows->is_soft) {
        float stiffness = 1.0f / input->compliance, drag = input->damping + pass->h * stiffness;
        rows->gamma = 1.0f / (pass->h * drag);
        rate = stiffness / drag;
        k = sn_mat3_add(k, sn_mat3_diagonal(rows->gamma, rows->gamma, rows->gamma));
    }
    rows->inverse = inverse_of(k);
    rows->bias = sn_scale(apart, rate);
}

// What is left of a change of the impulse if that may be `most` long at most.
static sn_vec3 limited(sn_vec3 impulse, sn_vec3 change, float most)
{
    sn_vec3 wanted = sn_add(impulse, change);
    float length = sn_length(wanted);
    return length > most ? sn_sub(sn_scale(wanted, most / length), impulse) : change;
}

static void solve_one(const sn_anchor_stage *stage, const sn_element_pass *pass, const sn_anchor_input *input,
                      sn_anchor_rows *rows, bool use_bias)
{
    const sn_anchor_end *a = &input->ends[0], *b = &input->ends[1];
    sn_vec3 speed =
        sn_sub(velocity_of(stage, pass, b, rows->arms[1]), velocity_of(stage, pass, a, rows->arms[0]));
    sn_vec3 change;
    if (rows->is_soft) {
        sn_vec3 residual = sn_add(sn_add(speed, rows->bias), sn_scale(rows->impulse, rows->gamma));
        change = sn_neg(sn_mat3_apply(rows->inverse, residual));
    } else if (use_bias) {
        sn_vec3 wanted = sn_mat3_apply(rows->inverse, sn_add(speed, rows->bias));
        change = sn_neg(sn_add(sn_scale(wanted, rows->hard.mass_scale),
                               sn_scale(rows->impulse, rows->hard.impulse_scale)));
    } else {
        change = sn_neg(sn_mat3_apply(rows->inverse, speed));
    }
    change = limited(rows->impulse, change, input->max_force * pass->h);
    rows->impulse = sn_add(rows->impulse, change);
    push(stage, pass, a, rows->arms[0], sn_neg(change));
    push(stage, pass, b, rows->arms[1], change);
}

// --- the stage ---------------------------------------------------------------------------------------------

// How many anchors every body has; null without memory.
static int *count_anchors(const sn_anchor_stage *stage)
{
    int *counts = sn_arena_take_zero(stage->solver->arena, (size_t)stage->solver->body_count, sizeof *counts);
    for (int i = 0; counts != NULL && i < stage->count; ++i) {
        for (int end = 0; end < 2; ++end) {
            if (is_pushed(stage, &stage->inputs[i].ends[end])) {
                ++counts[stage->inputs[i].ends[end].body];
            }
        }
    }
    return counts;
}

static bool prepare(void *data, sn_solver *solver, const sn_element_pass *pass)
{
    (void)pass;
    sn_anchor_stage *stage = data;
    stage->solver = solver;
    const int *counts = count_anchors(stage);
    if (counts == NULL) {
        return false;
    }
    stage->rows = sn_arena_take_zero(solver->arena, (size_t)stage->count, sizeof *stage->rows);
    for (int i = 0; stage->rows != NULL && i < stage->count; ++i) {
        float kept = stage->inputs[i].compliance > 0.0f ? 1.0f : solver->settings.laws.kept;
        stage->rows[i].impulse = sn_scale(*stage->inputs[i].impulse, kept);
        for (int end = 0; end < 2; ++end) {
            stage->rows[i].crowd[end] = counts[stage->inputs[i].ends[end].body];
        }
    }
    return stage->rows != NULL;
}

static void hand_out(const sn_anchor_stage *stage, const sn_element_pass *pass)
{
    if (stage->solver->nodes.wholes != NULL) {
        sn_wholes_hand_out(stage->solver->nodes.wholes, pass);
    }
}

static void warm_start(void *data, const sn_element_pass *pass)
{
    const sn_anchor_stage *stage = data;
    for (int i = 0; i < stage->count; ++i) {
        const sn_anchor_rows *rows = &stage->rows[i];
        push(stage, pass, &stage->inputs[i].ends[0], rows->arms[0], sn_neg(rows->impulse));
        push(stage, pass, &stage->inputs[i].ends[1], rows->arms[1], rows->impulse);
    }
    hand_out(stage, pass);
}

static void sweep(void *data, const sn_element_pass *pass, bool use_bias)
{
    const sn_anchor_stage *stage = data;
    for (int k = 0; k < stage->count; ++k) {
        int i = pass->backwards ? stage->count - 1 - k : k;
        sn_anchor_rows *rows = &stage->rows[i];
        if (use_bias || !rows->is_soft) {
            solve_one(stage, pass, &stage->inputs[i], rows, use_bias);
        }
    }
    hand_out(stage, pass);
}

static void refresh(void *data, const sn_element_pass *pass)
{
    const sn_anchor_stage *stage = data;
    for (int i = 0; i < stage->count; ++i) {
        refresh_one(stage, pass, &stage->inputs[i], &stage->rows[i]);
    }
}

static void finish(void *data, const sn_element_pass *pass)
{
    (void)pass;
    const sn_anchor_stage *stage = data;
    for (int i = 0; i < stage->count; ++i) {
        stage->rows[i].sum = sn_add(stage->rows[i].sum, stage->rows[i].impulse);
    }
}

static void store(void *data)
{
    const sn_anchor_stage *stage = data;
    for (int i = 0; i < stage->count; ++i) {
        *stage->inputs[i].impulse = stage->rows[i].impulse;
        *stage->inputs[i].force = sn_scale(stage->rows[i].sum, 1.0f / stage->solver->settings.duration);
    }
}

static void touch(const void *data, uint8_t *touched)
{
    const sn_anchor_stage *stage = data;
    for (int i = 0; i < 2 * stage->count; ++i) {
        const sn_anchor_end *end = &stage->inputs[i / 2].ends[i % 2];
        for (int k = 0; k < end->node_count; ++k) {
            touched[end->nodes[k]] = 1;
        }
    }
}

sn_mixed_stage sn_anchor_mixed_stage(sn_anchor_stage *stage)
{
    return (sn_mixed_stage){.data = stage,
                            .touch = touch,
                            .prepare = prepare,
                            .warm_start = warm_start,
                            .sweep = sweep,
                            .refresh = refresh,
                            .finish = finish,
                            .store = store};
}

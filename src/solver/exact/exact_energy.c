// Placing adds no energy, however far light nodes are turned by it.
//
// On a plane, x⁺ is the place nearest to x̂ and û⁺ = û + (x⁺ − x̂)/h the velocity nearest to û: slower than
// that. But feet hold planes that turn, and go over edges to others. A light triangle under heavy feet may
// turn by any angle in a sub-step, and friction push it from one foot to the next: then the way to where it
// belongs is longer than the one it would have gone. Links that slide may go that way, but not gain its
// velocity.
//
// Impulses P of links change the energy by Σ P · (relative velocity of their ends), mean of before and after,
// beyond what nails and other things that nothing moves put in. If all of them are taken s times,
//
//   E(s) − E(0) = s A + s² B,   A = Σ P · (relative velocity before all of them)
//
// and where that is more than nothing at s = 1, velocities change only by the share s of it that makes it
// nothing. Momentum is kept for any share. Settling then makes velocities agree. What one pass of a sub-step
// has taken away, going over an edge, the next one may give back.
#include "solver/exact/exact_views.h"

#include <math.h>

bool sn_link_energy_begin(sn_exact_stage *stage)
{
    sn_arena *arena = stage->solver->arena;
    sn_exact_links *work = stage->link_work;
    size_t nodes = (size_t)stage->solver->nodes.nodes->states.count;
    work->node_velocities = sn_arena_take(arena, nodes, sizeof *work->node_velocities);
    work->body_velocities =
        sn_arena_take(arena, (size_t)stage->solver->body_count, sizeof *work->body_velocities);
    return work->node_velocities != NULL && work->body_velocities != NULL;
}

// --- velocities --------------------------------------------------------------------------------------------

// What is kept of velocities, or how far they are turned back to what was.
typedef struct recall {
    bool keeps;
    float share; // of the change that stays
} recall;

static sn_vec3 mix(sn_vec3 before, sn_vec3 after, float share)
{
    return sn_add_scaled(before, share, sn_sub(after, before));
}

// Those that are met again stay as they are.
static void recall_node(const sn_exact_stage *stage, recall recall, int node)
{
    sn_node_velocity *before = &stage->link_work->node_velocities[node];
    sn_node_velocity *now = &sn_link_velocities(stage)[node];
    if (!recall.keeps) {
        now->velocity = mix(before->velocity, now->velocity, recall.share);
    }
    *before = *now;
}

static void recall_body(const sn_exact_stage *stage, recall recall, int body)
{
    sn_solver_velocity *before = &stage->link_work->body_velocities[body];
    sn_solver_velocity *now = &stage->solver->velocities[body];
    if (!recall.keeps) {
        sn_put3(now->linear, mix(sn_take3(before->linear), sn_take3(now->linear), recall.share));
        sn_put3(now->angular, mix(sn_take3(before->angular), sn_take3(now->angular), recall.share));
    }
    *before = *now;
}

static void recall_end(const sn_exact_stage *stage, recall recall, const sn_solver_end *end)
{
    for (int i = 0; i < end->node_count; ++i) {
        int set = stage->set_of[end->nodes[i]], parent = sn_link_parent(stage, end->nodes[i]);
        recall_node(stage, recall, end->nodes[i]);
        for (int k = 0; set >= 0 && k < stage->sets[set].count; ++k) {
            recall_node(stage, recall, stage->members[stage->sets[set].first + k].node);
        }
        if (parent > 0) {
            recall_body(stage, recall, parent);
        }
    }
    if (end->node_count == 0 && end->body > 0) {
        recall_body(stage, recall, end->body);
    }
}

static void recall_all(const sn_link_equations *equations, recall recall)
{
    for (int i = 0; i < equations->link_count; ++i) {
        sn_solver_end ends[3];
        for (int k = sn_link_list_ends(equations->stage, equations->links[i], ends); k-- > 0;) {
            recall_end(equations->stage, recall, &ends[k]);
        }
    }
}

// --- what impulses do --------------------------------------------------------------------------------------

// Velocities of nodes and bodies, now or before.
typedef struct speeds {
    const sn_node_velocity *nodes;
    const sn_solver_velocity *bodies;
} speeds;

static sn_vec3d speed_on_body(const speeds *speeds, int body, sn_vec3 arm)
{
    sn_vec3d spin = sn_widen(sn_take3(speeds->bodies[body].angular));
    return sn_add_wide(sn_widen(sn_take3(speeds->bodies[body].linear)), sn_cross_wide(spin, sn_widen(arm)));
}

// Nodes that bodies carry go with these.
static sn_vec3d speed_of_end(const sn_exact_stage *stage, const speeds *speeds, const sn_exact_link *link,
                             int side)
{
    const sn_solver_end *end = &link->ends[side];
    const sn_solver_body *bodies = stage->solver->bodies;
    if (end->node_count == 0 && end->body == 0) {
        return sn_widen(sn_link_velocity(stage, link, side));
    }
    if (end->node_count == 0) {
        return speed_on_body(speeds, end->body, sn_rotate(bodies[end->body].rotation, end->local));
    }
    sn_vec3d sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < end->node_count; ++i) {
        int node = end->nodes[i], parent = sn_link_parent(stage, node);
        sn_vec3 arm = sn_sub(sn_link_nodes(stage)[node].position, bodies[parent].center);
        sn_vec3d speed =
            parent > 0 ? speed_on_body(speeds, parent, arm) : sn_widen(speeds->nodes[node].velocity);
        sum = sn_add_scaled_wide(sum, (double)end->weights[i], speed);
    }
    return sum;
}

static double power_of(const sn_exact_stage *stage, const speeds *speeds, const sn_exact_link *link,
                       sn_vec3 impulse)
{
    sn_vec3d a = speed_of_end(stage, speeds, link, 0), b = speed_of_end(stage, speeds, link, 1);
    return sn_dot_wide(sn_widen(impulse), sn_sub_wide(b, a));
}

void sn_link_energy_count(sn_link_equations *equations, const sn_link_view *view, sn_vec3 impulse,
                          bool is_first)
{
    const sn_exact_stage *stage = equations->stage;
    const sn_exact_links *work = stage->link_work;
    speeds now = {sn_link_velocities(stage), stage->solver->velocities};
    speeds before = {work->node_velocities, work->body_velocities};
    if (!equations->is_watched) {
        return;
    }
    equations->gain += 0.5 * power_of(stage, &now, view->link, impulse);
    if (is_first) {
        equations->lead += power_of(stage, &before, view->link, impulse);
        view->state->latest = sn_add(view->state->latest, impulse);
    }
}

// --- the share ---------------------------------------------------------------------------------------------

// Ramps throw things together as they are told.
void sn_link_energy_watch(sn_link_equations *equations)
{
    bool slides = false, is_ramp = false;
    for (int i = 0; i < equations->link_count; ++i) {
        int number = equations->links[i];
        slides |= equations->stage->links[number].sliding >= 0;
        is_ramp |= equations->stage->link_work->shares[number] < 1.0f;
        equations->stage->link_work->states[number].latest = sn_v(0.0f, 0.0f, 0.0f);
    }
    equations->is_watched = slides && !is_ramp;
    equations->gain = equations->lead = 0.0;
    if (equations->is_watched) {
        recall_all(equations, (recall){.keeps = true});
    }
}

// The largest share of the impulses that adds no more than it may, squared: the farther what placing does is
// from a projection, the less of it is velocity. Half of the share would take away most.
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

void sn_link_energy_tame(sn_link_equations *equations)
{
    const sn_exact_stage *stage = equations->stage;
    if (!equations->is_watched) {
        return;
    }
    double most = 0.0; // what earlier passes of the sub-step have taken away
    for (int i = 0; i < equations->link_count; ++i) {
        most += (double)stage->link_work->states[equations->links[i]].taken;
    }
    bool is_too_much = !(equations->gain <= most);
    float share = is_too_much ? share_of(equations->lead, equations->gain, most) : 1.0f;
    float left = is_too_much ? 0.0f : (float)((most - equations->gain) / (double)equations->link_count);
    if (is_too_much) {
        recall_all(equations, (recall){.share = share});
    }
    for (int i = 0; i < equations->link_count; ++i) {
        int number = equations->links[i];
        sn_link_state *state = &stage->link_work->states[number];
        state->taken = left;
        state->impulse = sn_add_scaled(state->impulse, share - 1.0f, state->latest);
        stage->link_impulses[number] =
            sn_add_scaled(stage->link_impulses[number], share - 1.0f, state->latest);
    }
}

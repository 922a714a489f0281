// Nodes on spots: a free node that is where a weighted sum of up to four free nodes is, a point of a line, a
// triangle or a tetrahedron, where neither has a part in anything else that is exact (Gissler 2006, equations
// 26 to 28; methods C):
//
//   P = (Σ α_i x̂_i − x̂)/(h (w + Σ w_i α_i²)) on the node, −α_i P on the others
//
// and the same with velocities at the end of the sub-step. As other links are (exact_links.c), but planned as
// such: nothing is looked up in a step.
#include "solver/exact/exact.h"

// Spots a thread takes at a time.
enum { SPOT_GRAIN = 512 };

bool sn_exact_spots_begin(sn_exact_stage *stage)
{
    stage->spot_impulses =
        sn_arena_take_zero(stage->solver->arena, (size_t)stage->spot_count, sizeof *stage->spot_impulses);
    return stage->spot_impulses != NULL;
}

// What resists a push between the node and its spot; nothing is pushed that users have fixed.
static float mass_of(const sn_node_state *states, const sn_exact_spot *spot)
{
    float sum = states[spot->node].inverse_mass;
    for (int i = 0; i < spot->count; ++i) {
        sum += states[spot->nodes[i]].inverse_mass * spot->weights[i] * spot->weights[i];
    }
    return sum > 0.0f ? 1.0f / sum : 0.0f;
}

sn_vec3 sn_exact_spot_place(const sn_node_state *states, const sn_exact_spot *spot)
{
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < spot->count; ++i) {
        sum = sn_add_scaled(sum, spot->weights[i], states[spot->nodes[i]].position);
    }
    return sum;
}

// Moves a node as an impulse at the beginning of the sub-step would, times h.
static void shift(const sn_node_solver *nodes, int node, float weight, sn_vec3 impulse)
{
    sn_vec3 displacement = sn_scale(impulse, weight), moved = sn_add(nodes->moved[node], displacement);
    sn_vec3 *velocity = &nodes->nodes->velocities.data[node].velocity;
    nodes->moved[node] = moved;
    nodes->nodes->states.data[node].position = sn_add(nodes->starts[node], moved);
    *velocity = sn_add_scaled(*velocity, nodes->pass.inverse_h, displacement);
}

static void place_spots(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    const sn_node_solver *nodes = &stage->solver->nodes;
    sn_node_state *states = nodes->nodes->states.data;
    for (int i = begin; i < end; ++i) {
        const sn_exact_spot *spot = &stage->spots[i];
        sn_vec3 apart = sn_sub(sn_exact_spot_place(states, spot), states[spot->node].position);
        sn_vec3 push = sn_scale(apart, mass_of(states, spot));
        shift(nodes, spot->node, states[spot->node].inverse_mass, push);
        for (int k = 0; k < spot->count; ++k) {
            int node = spot->nodes[k];
            shift(nodes, node, -states[node].inverse_mass * spot->weights[k], push);
        }
        stage->spot_impulses[i] = sn_add_scaled(stage->spot_impulses[i], nodes->pass.inverse_h, push);
        // By the last bit: where the others are now, as they are rounded.
        sn_vec3 place = sn_exact_spot_place(states, spot);
        states[spot->node].position = place;
        nodes->moved[spot->node] = sn_sub(place, nodes->starts[spot->node]);
    }
}

static void settle_spots(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    const sn_node_state *states = stage->solver->nodes.nodes->states.data;
    sn_node_velocity *velocities = stage->solver->nodes.nodes->velocities.data;
    for (int i = begin; i < end; ++i) {
        const sn_exact_spot *spot = &stage->spots[i];
        sn_vec3 *own = &velocities[spot->node].velocity, sum = sn_neg(*own);
        for (int k = 0; k < spot->count; ++k) {
            sum = sn_add_scaled(sum, spot->weights[k], velocities[spot->nodes[k]].velocity);
        }
        sn_vec3 push = sn_scale(sum, mass_of(states, spot));
        *own = sn_add_scaled(*own, states[spot->node].inverse_mass, push);
        for (int k = 0; k < spot->count; ++k) {
            sn_vec3 *other = &velocities[spot->nodes[k]].velocity;
            *other = sn_add_scaled(*other, -states[spot->nodes[k]].inverse_mass * spot->weights[k], push);
        }
        stage->spot_impulses[i] = sn_add(stage->spot_impulses[i], push);
    }
}

void sn_exact_spots_place(sn_exact_stage *stage)
{
    sn_tasks_for(stage->solver->tasks, stage->spot_count, SPOT_GRAIN, place_spots, stage);
}

void sn_exact_spots_settle(sn_exact_stage *stage)
{
    sn_tasks_for(stage->solver->tasks, stage->spot_count, SPOT_GRAIN, settle_spots, stage);
}

void sn_exact_spots_store(sn_exact_stage *stage)
{
    float scale = 1.0f / stage->solver->settings.duration;
    for (int i = 0; i < stage->spot_count; ++i) {
        const sn_exact_spot *spot = &stage->spots[i];
        stage->forces[spot->anchor] = sn_scale(stage->spot_impulses[i], spot->is_b ? scale : -scale);
    }
}

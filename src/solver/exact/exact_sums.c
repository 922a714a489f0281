// Weighted sums of free nodes that are zero, where no other set or link holds these nodes: a node on a point
// of a line, a triangle or a tetrahedron, or two such points held together (Gissler 2006, equations 26 to 31;
// methods C). With weights a_i, which are negative at one end,
//
//   C = Σ a_i x̂_i,   λ = −C/(Σ w_i a_i²),   x⁺_i = x̂_i + w_i a_i λ
//
// and the same for velocities at the end of the sub-step. The forces sum to zero and have no torque about the
// positions x̂, since λ is along C. Links that share nodes, or hold something else, are in exact_links.c.
// Tested by tests/solver/exact/test_exact_links.c.
#include "base/simd.h"
#include "solver/exact/exact.h"

// Sums that a thread takes at a time.
enum { SUM_GRAIN = 512 };

// λ for given C; zero if users have fixed all nodes.
SN_INLINE sn_vec3 solve(const sn_node_state *states, const sn_exact_term *terms, int count, sn_vec3 error)
{
    float response = 0.0f;
    for (int i = 0; i < count; ++i) {
        response += states[terms[i].node].inverse_mass * terms[i].weight * terms[i].weight;
    }
    return sn_scale(error, response > 0.0f ? -1.0f / response : 0.0f);
}

// The first node, where its weight is one, goes to the last bit where the others want it.
SN_INLINE void snap(const sn_node_solver *nodes, sn_node_state *states, const sn_exact_term *terms, int count)
{
    sn_vec3 place = {0.0f, 0.0f, 0.0f};
    for (int i = 1; i < count; ++i) {
        place = sn_add_scaled(place, -terms[0].weight * terms[i].weight, states[terms[i].node].position);
    }
    states[terms[0].node].position = place;
    nodes->moved[terms[0].node] = sn_sub(place, nodes->starts[terms[0].node]);
}

static void place_sums(void *data, int begin, int end)
{
    const sn_exact_stage *stage = data;
    const sn_node_solver *nodes = &stage->solver->nodes;
    sn_node_state *states = nodes->nodes->states.data;
    sn_node_velocity *velocities = nodes->nodes->velocities.data;
    float inverse_h = nodes->pass.inverse_h;
    for (int i = begin; i < end; ++i) {
        int count = stage->sums[i].count;
        const sn_exact_term *terms = &stage->terms[stage->sums[i].first];
        sn_vec3 push = solve(states, terms, count, sn_exact_sum_error(states, &stage->sums[i], terms));
        for (int k = 0; k < count; ++k) {
            int node = terms[k].node;
            sn_vec3 displacement = sn_scale(push, states[node].inverse_mass * terms[k].weight);
            sn_vec3 moved = sn_add(nodes->moved[node], displacement), *velocity = &velocities[node].velocity;
            nodes->moved[node] = moved;
            states[node].position = sn_add(nodes->starts[node], moved);
            *velocity = sn_add_scaled(*velocity, inverse_h, displacement);
        }
        stage->sum_impulses[i] = sn_add_scaled(stage->sum_impulses[i], inverse_h, push);
        if (sn_abs(terms[0].weight) == 1.0f && states[terms[0].node].inverse_mass > 0.0f) {
            snap(nodes, states, terms, count);
        }
    }
}

static void settle_sums(void *data, int begin, int end)
{
    const sn_exact_stage *stage = data;
    const sn_node_state *states = stage->solver->nodes.nodes->states.data;
    sn_node_velocity *velocities = stage->solver->nodes.nodes->velocities.data;
    for (int i = begin; i < end; ++i) {
        int count = stage->sums[i].count;
        const sn_exact_term *terms = &stage->terms[stage->sums[i].first];
        sn_vec3 speed = {0.0f, 0.0f, 0.0f};
        for (int k = 0; k < count; ++k) {
            speed = sn_add_scaled(speed, terms[k].weight, velocities[terms[k].node].velocity);
        }
        sn_vec3 push = solve(states, terms, count, speed);
        for (int k = 0; k < count; ++k) {
            sn_vec3 *velocity = &velocities[terms[k].node].velocity;
            float weight = states[terms[k].node].inverse_mass * terms[k].weight;
            *velocity = sn_add_scaled(*velocity, weight, push);
        }
        stage->sum_impulses[i] = sn_add(stage->sum_impulses[i], push);
    }
}

bool sn_exact_sums_begin(sn_exact_stage *stage)
{
    stage->sum_impulses =
        sn_arena_take_zero(stage->solver->arena, (size_t)stage->sum_count, sizeof *stage->sum_impulses);
    return stage->sum_impulses != NULL;
}

void sn_exact_sums_place(sn_exact_stage *stage)
{
    sn_tasks_for(stage->solver->tasks, stage->sum_count, SUM_GRAIN, place_sums, stage);
}

void sn_exact_sums_settle(sn_exact_stage *stage)
{
    sn_tasks_for(stage->solver->tasks, stage->sum_count, SUM_GRAIN, settle_sums, stage);
}

void sn_exact_sums_store(sn_exact_stage *stage)
{
    float inverse_duration = 1.0f / stage->solver->settings.duration;
    for (int i = 0; i < stage->sum_count; ++i) {
        sn_exact_store_force(stage, stage->sums[i].anchor, stage->sum_impulses[i], inverse_duration);
    }
}

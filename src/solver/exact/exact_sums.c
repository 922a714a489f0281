// Weighted sums of free nodes that are zero, where no other set or link holds these nodes: a node on a point
// of a line, a triangle or a tetrahedron, or two such points held together (Gissler 2006, equations 26 to 31;
// methods C). With weights a_i, which are negative at end a,
//
//   C = Σ a_i x̂_i,   λ = −C/(Σ w_i a_i²),   x⁺_i = x̂_i + w_i a_i λ
//
// and the same for velocities at the end of the sub-step. The forces sum to zero and have no torque about the
// positions x̂, since λ is along C. Links that share nodes, or hold something else, are in exact_links.c.
// Tested by tests/solver/exact/test_exact_links.c.
#include "base/simd.h"
#include "solver/exact/exact_links.h"

// Sums that a thread takes at a time.
enum { SUM_GRAIN = 512 };

// The nodes of a sum, those of an end that is one node first.
typedef struct terms {
    int nodes[8], count;
    float weights[8], response; // Σ w a²
} terms;

SN_INLINE terms terms_of(const sn_node_state *states, const sn_exact_link *sum)
{
    terms terms;
    terms.count = 0;
    terms.response = 0.0f;
    int first = sum->ends[1].node_count == 1 ? 1 : 0;
    for (int k = 0; k < 2; ++k) {
        int side = k == 0 ? first : 1 - first;
        const sn_exact_end *end = &sum->ends[side];
        for (int i = 0; i < end->node_count; ++i) {
            float weight = side == 0 ? -end->weights[i] : end->weights[i];
            terms.response += states[end->nodes[i]].inverse_mass * weight * weight;
            terms.nodes[terms.count] = end->nodes[i];
            terms.weights[terms.count++] = weight;
        }
    }
    return terms;
}

// λ for given C; zero if users have fixed all nodes.
SN_INLINE sn_vec3 solve(const terms *terms, sn_vec3 error)
{
    return sn_scale(error, terms->response > 0.0f ? -1.0f / terms->response : 0.0f);
}

// The first node, where its weight is one, goes to the last bit where the others want it.
SN_INLINE void snap(const sn_exact_stage *stage, const sn_node_state *states, const terms *terms)
{
    sn_vec3 place = {0.0f, 0.0f, 0.0f};
    for (int i = 1; i < terms->count; ++i) {
        place =
            sn_add_scaled(place, -terms->weights[0] * terms->weights[i], states[terms->nodes[i]].position);
    }
    sn_link_snap(stage, terms->nodes[0], place);
}

static void place_sums(void *data, int begin, int end)
{
    const sn_exact_stage *stage = data;
    const sn_node_solver *nodes = &stage->solver->nodes;
    sn_node_state *states = nodes->nodes->states.data;
    sn_node_velocity *velocities = nodes->nodes->velocities.data;
    float inverse_h = nodes->pass.inverse_h;
    for (int i = begin; i < end; ++i) {
        terms terms = terms_of(states, &stage->sums[i]);
        sn_vec3 push = solve(&terms, sn_exact_sum_error(states, &stage->sums[i]));
        for (int k = 0; k < terms.count; ++k) {
            int node = terms.nodes[k];
            sn_vec3 displacement = sn_scale(push, states[node].inverse_mass * terms.weights[k]);
            sn_vec3 moved = sn_add(nodes->moved[node], displacement), *velocity = &velocities[node].velocity;
            nodes->moved[node] = moved;
            states[node].position = sn_add(nodes->starts[node], moved);
            *velocity = sn_add_scaled(*velocity, inverse_h, displacement);
        }
        stage->sum_impulses[i] = sn_add_scaled(stage->sum_impulses[i], inverse_h, push);
        if (sn_abs(terms.weights[0]) == 1.0f && states[terms.nodes[0]].inverse_mass > 0.0f) {
            snap(stage, states, &terms);
        }
    }
}

static void settle_sums(void *data, int begin, int end)
{
    const sn_exact_stage *stage = data;
    const sn_node_state *states = sn_link_nodes(stage);
    sn_node_velocity *velocities = sn_link_velocities(stage);
    for (int i = begin; i < end; ++i) {
        terms terms = terms_of(states, &stage->sums[i]);
        sn_vec3 speed = {0.0f, 0.0f, 0.0f};
        for (int k = 0; k < terms.count; ++k) {
            speed = sn_add_scaled(speed, terms.weights[k], velocities[terms.nodes[k]].velocity);
        }
        sn_vec3 push = solve(&terms, speed);
        for (int k = 0; k < terms.count; ++k) {
            sn_vec3 *velocity = &velocities[terms.nodes[k]].velocity;
            float weight = states[terms.nodes[k]].inverse_mass * terms.weights[k];
            *velocity = sn_add_scaled(*velocity, weight, push);
        }
        stage->sum_impulses[i] = sn_add(stage->sum_impulses[i], push);
    }
}

void sn_exact_sums_place(sn_exact_stage *stage)
{
    sn_tasks_for(stage->solver->tasks, stage->sum_count, SUM_GRAIN, place_sums, stage);
}

void sn_exact_sums_settle(sn_exact_stage *stage)
{
    sn_tasks_for(stage->solver->tasks, stage->sum_count, SUM_GRAIN, settle_sums, stage);
}

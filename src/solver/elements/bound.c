// Filling in bounds, and what the solver asks of all of them.
// Tested by tests/world/core/test_loads.c.
#include "solver/elements/bound_block.h"

#include <math.h>

// Lengths whose squares differ by less are the same: rounding must not make a thread slack.
#define SAME_LENGTH (1.0f - 1.0e-6f)

void sn_bound_put(sn_element_group *group, int lane, int node_a, int node_b, bool is_held, float length)
{
    sn_bound_block *block = (sn_bound_block *)group->blocks + lane / SN_LANES;
    int i = lane % SN_LANES;
    sn_places_put(&block->node[0], i, node_a);
    sn_places_put(&block->node[1], i, node_b);
    sn_places_put(&block->moved, i, is_held ? 0 : node_b);
    sn_places_put(&block->far, i, node_b);
    block->moves_b = block->moves_b || !is_held;
    block->rest.lane[i] = length;
}

void sn_bound_put_between(sn_element_group *group, int lane, int far, float share, float span)
{
    sn_bound_block *block = (sn_bound_block *)group->blocks + lane / SN_LANES;
    int i = lane % SN_LANES;
    sn_places_put(&block->far, i, far);
    block->share.lane[i] = share;
    block->spread.lane[i] = share * (1.0f - share);
    block->span2.lane[i] = SAME_LENGTH * span * span;
    block->is_between = true;
}

sn_bound_end sn_bound_end_of(const sn_bound_block *block, int lane, const sn_node_state *nodes)
{
    sn_vec3 near = nodes[sn_places_node(&block->node[1], lane)].position;
    sn_vec3 apart = sn_sub(nodes[sn_places_node(&block->far, lane)].position, near);
    float room = block->spread.lane[lane] * (block->span2.lane[lane] - sn_length_squared(apart));
    return (sn_bound_end){sn_add_scaled(near, block->share.lane[lane], apart),
                          block->rest.lane[lane] + sqrtf(sn_max(room, 0.0f))};
}

double sn_bounds_yield(const sn_element_group *group, const sn_node_state *nodes)
{
    const sn_bound_block *block = group->blocks;
    double sum = 0.0;
    for (int i = 0; i < group->block_count; ++i) {
        for (int lane = 0; lane < SN_LANES; ++lane) {
            float impulse = block[i].impulse.lane[lane];
            sum += (double)(impulse * impulse *
                            (nodes[sn_places_node(&block[i].node[0], lane)].inverse_mass +
                             nodes[sn_places_node(&block[i].moved, lane)].inverse_mass));
        }
    }
    return sum;
}

void sn_bounds_keep_forces(sn_element_group *group, const sn_node_state *nodes, float stiffer)
{
    sn_bound_block *block = group->blocks;
    for (int i = 0; i < group->block_count; ++i) {
        for (int lane = 0; lane < SN_LANES; ++lane) {
            const sn_node_state *a = &nodes[sn_places_node(&block[i].node[0], lane)];
            sn_bound_end b = sn_bound_end_of(&block[i], lane, nodes);
            float error = sn_distance_between(a->position, b.place) - b.length;
            float kappa = a->inverse_mass + nodes[sn_places_node(&block[i].moved, lane)].inverse_mass;
            if (block[i].impulse.lane[lane] < 0.0f && error > 0.0f) {
                block[i].reference.lane[lane] += stiffer * error / kappa;
            }
        }
    }
}

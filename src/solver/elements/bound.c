// Filling in bounds, and what the solver asks of all of them.
// Tested by tests/world/core/test_loads.c.
#include "solver/elements/bound_block.h"

#include "solver/rows/row_softness.h"

void sn_bound_put(sn_element_group *group, int lane, int node_a, int node_b, bool is_held, float length)
{
    sn_bound_block *block = (sn_bound_block *)group->blocks + lane / SN_LANES;
    int i = lane % SN_LANES;
    sn_places_put(&block->node[0], i, node_a);
    sn_places_put(&block->node[1], i, node_b);
    sn_places_put(&block->moved, i, is_held ? 0 : node_b);
    block->moves_b = block->moves_b || !is_held;
    block->rest.lane[i] = length;
}

void sn_bounds_give_way(sn_element_group *group, bool gives_way)
{
    sn_bound_block *block = group->blocks;
    for (int i = 0; i < group->block_count; ++i) {
        block[i].gives_way = gives_way;
    }
}

static bool pulls_some(const sn_bound_block *block)
{
    sn_i8 pulls = {0};
    for (int i = 0; i < SN_PARTS; ++i) {
        pulls |= sn_load(sn_part_of(&block->impulse, 0, i)) < sn_f8_set(0.0f);
    }
    return sn_i8_any(pulls);
}

double sn_bounds_yield(const sn_element_group *group, const sn_node_state *nodes)
{
    const sn_bound_block *block = group->blocks;
    double sum = 0.0;
    for (int i = 0; i < group->block_count; ++i) {
        bool pulls = pulls_some(&block[i]);
        for (int lane = 0; pulls && lane < SN_LANES; ++lane) {
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
            const sn_node_state *b = &nodes[sn_places_node(&block[i].node[1], lane)];
            float error = sn_distance_between(a->position, b->position) - block[i].rest.lane[lane];
            float kappa = a->inverse_mass + nodes[sn_places_node(&block[i].moved, lane)].inverse_mass;
            if (block[i].impulse.lane[lane] < 0.0f && error > 0.0f) {
                block[i].reference.lane[lane] += stiffer * error / kappa;
            }
        }
    }
}

void sn_bounds_keep_lengths(sn_element_group *group, float part)
{
    sn_bound_block *block = group->blocks;
    for (int i = 0; i < group->block_count; ++i) {
        sn_keep_lengths(&block[i].reference, part);
    }
}

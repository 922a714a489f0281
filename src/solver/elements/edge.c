// Filling in edges, and what the solver asks of all of them. Tested in test_edge_kernel.c.
// Tested by tests/solver/elements/test_edge_kernel.c.
#include "solver/elements/edge_block.h"

#include "math/measures8.h"
#include "solver/rows/row_softness.h"

#include <math.h>

bool sn_edges_are_stiff(const void *blocks, int block_count, float limit)
{
    const sn_edge_block *block = blocks;
    for (int i = 0; i < block_count; ++i) {
        if (sn_rows_are_firm(&block[i].stiffness, &block[i].softness, limit)) {
            return true;
        }
    }
    return false;
}

int sn_edges_unresolved(const sn_element_pass *pass, const void *block)
{
    const sn_edge_block *edges = block;
    int count = 0;
    for (int i = 0; i < SN_LANES; ++i) {
        float kappa = edges->inverse_mass[0].lane[i] + edges->inverse_mass[1].lane[i];
        count += sn_row_is_unresolved(pass, kappa, edges->stiffness.lane[i]) ? 1 : 0;
    }
    return count;
}

bool sn_edge_is_hard(const sn_edge_block *block, int lane)
{
    return sn_places_node(&block->node[0], lane) != 0 && block->stiffness.lane[lane] == 0.0f &&
           block->lower.lane[lane] == -INFINITY;
}

double sn_edges_yield(const sn_element_group *group, const sn_node_state *nodes)
{
    const sn_edge_block *block = group->blocks;
    double sum = 0.0;
    for (int i = 0; i < group->block_count; ++i) {
        for (int lane = 0; lane < SN_LANES; ++lane) {
            float impulse = block[i].stiffness.lane[lane] == 0.0f ? block[i].impulse.lane[lane] : 0.0f;
            sum += (double)(impulse * impulse *
                            (nodes[sn_places_node(&block[i].node[0], lane)].inverse_mass +
                             nodes[sn_places_node(&block[i].node[1], lane)].inverse_mass));
        }
    }
    return sum;
}

void sn_edges_keep_forces(sn_element_group *group, const sn_node_state *nodes, float stiffer)
{
    sn_edge_block *block = group->blocks;
    for (int i = 0; i < group->block_count; ++i) {
        for (int lane = 0; lane < SN_LANES; ++lane) {
            const sn_node_state *a = &nodes[sn_places_node(&block[i].node[0], lane)];
            const sn_node_state *b = &nodes[sn_places_node(&block[i].node[1], lane)];
            float error = sn_distance_between(a->position, b->position) - block[i].rest.lane[lane];
            float kappa = a->inverse_mass + b->inverse_mass;
            if (block[i].stiffness.lane[lane] == 0.0f && block[i].impulse.lane[lane] * error < 0.0f) {
                block[i].reference.lane[lane] += stiffer * error / kappa;
            }
        }
    }
}

void sn_edges_keep_lengths(sn_element_group *group, float part)
{
    sn_edge_block *block = group->blocks;
    for (int i = 0; i < group->block_count; ++i) {
        sn_keep_lengths(&block[i].reference, part);
    }
}

static float largest_lane(sn_f8 values)
{
    sn_lanes lanes;
    sn_store(&lanes, values);
    float most = 0.0f;
    for (int lane = 0; lane < SN_LANES; ++lane) {
        most = sn_max(most, lanes.lane[lane]);
    }
    return most;
}

float sn_edges_stretch(const sn_element_group *group, const sn_node_state *nodes)
{
    const sn_edge_block *block = group->blocks;
    sn_f8 largest = sn_f8_set(0.0f), least = sn_f8_set(1.0e-12f);
    for (int i = 0; i < group->block_count; ++i) {
        sn_f8 unused, rest = sn_load(&block[i].rest);
        sn_length8 now = sn_length8_between(sn_gather_nodes_at(nodes, &block[i].node[0], &unused),
                                            sn_gather_nodes_at(nodes, &block[i].node[1], &unused));
        sn_i8 is_hard = (sn_load(&block[i].stiffness) == sn_f8_set(0.0f)) & (rest > least);
        sn_f8 stretch = (now.length - rest) / sn_f8_max(rest, least);
        largest = sn_f8_max(largest, sn_f8_select(is_hard, stretch, sn_f8_set(0.0f)));
    }
    return largest_lane(largest);
}

float sn_edges_swing(const sn_element_group *group, const sn_node_state *nodes)
{
    const sn_edge_block *block = group->blocks;
    sn_f8 largest = sn_f8_set(0.0f);
    for (int i = 0; i < group->block_count; ++i) {
        sn_f8 inverse_masses[2];
        sn_gather_nodes_at(nodes, &block[i].node[0], &inverse_masses[0]);
        sn_gather_nodes_at(nodes, &block[i].node[1], &inverse_masses[1]);
        sn_f8 lightest = sn_f8_max(inverse_masses[0], inverse_masses[1]);
        sn_f8 rest = sn_f8_max(sn_load(&block[i].rest), sn_f8_set(1.0e-12f));
        largest = sn_f8_max(largest, -sn_load(&block[i].impulse) * lightest / rest);
    }
    return largest_lane(largest);
}

void sn_edges_scale_warm_start(void *blocks, int block_count, float hard_part, float soft_part)
{
    sn_edge_block *block = blocks;
    for (int i = 0; i < block_count; ++i) {
        sn_f8 zero = sn_f8_set(0.0f);
        sn_i8 is_hard = (sn_load(&block[i].stiffness) == zero) | (sn_load(&block[i].relax_mass) > zero);
        sn_f8 part = sn_f8_select(is_hard, sn_f8_set(hard_part), sn_f8_set(soft_part));
        sn_store(&block[i].impulse, part * sn_load(&block[i].impulse));
    }
}

void sn_edge_put(sn_element_group *group, int lane, int node_a, int node_b, sn_edge edge)
{
    sn_edge_block *block = (sn_edge_block *)group->blocks + lane / SN_LANES;
    int i = lane % SN_LANES;
    sn_places_put(&block->node[0], i, node_a);
    sn_places_put(&block->node[1], i, node_b);
    block->rest.lane[i] = edge.rest;
    block->stiffness.lane[i] = edge.stiffness;
    block->damping.lane[i] = edge.damping;
    block->lower.lane[i] = edge.lower;
    block->upper.lane[i] = edge.upper;
}

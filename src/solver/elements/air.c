// Filling in blocks of air drag and lift. Tested in test_air_kernel.c.
// Tested by tests/solver/elements/test_air_kernel.c.
#include "solver/elements/air_block.h"

void sn_air_tune(sn_element_group *group, int lane, float drag, float lift, float width)
{
    sn_air_block *block = (sn_air_block *)group->blocks + lane / SN_LANES;
    int i = lane % SN_LANES;
    block->drag.lane[i] = 0.5f * SN_AIR_DENSITY * drag;
    block->lift.lane[i] = 0.5f * SN_AIR_DENSITY * lift;
    block->width.lane[i] = width;
}

void sn_air_put(sn_element_group *group, int lane, const sn_air_row *row)
{
    sn_air_block *block = (sn_air_block *)group->blocks + lane / SN_LANES;
    int i = lane % SN_LANES;
    for (int a = 0; a < 3; ++a) {
        block->node[a][i] = row->node[a];
    }
    block->response.lane[i] = row->mass > 0.0f ? 1.0f / row->mass : 0.0f;
    block->one_sided[i] = row->one_sided ? -1 : 0;
    sn_air_tune(group, lane, row->drag, row->lift, row->width);
}

// Of a triangle with the edges d and e at most (drag + lift) |½ d × e · r| |r|, of an edge of a strand drag
// times thickness |d × r| |r|.
double sn_air_load(const sn_element_group *group, const sn_node_state *nodes,
                   const sn_node_velocity *velocities, sn_vec3 wind)
{
    const sn_air_block *block = group->blocks;
    bool is_strand = group->kind == &(*sn_element_air_pick())[SN_AIR_STRANDS];
    double sum = 0.0;
    for (int i = 0; i < group->block_count; ++i) {
        for (int lane = 0; lane < SN_LANES; ++lane) {
            int a = block[i].node[0][lane], b = block[i].node[1][lane], c = block[i].node[2][lane];
            sn_vec3 along = sn_sub(nodes[b].position, nodes[a].position);
            sn_vec3 area = sn_scale(sn_cross(along, sn_sub(nodes[c].position, nodes[a].position)), 0.5f);
            sn_vec3 r = sn_sub(wind, sn_scale(sn_add(velocities[a].velocity, velocities[b].velocity), 0.5f));
            float flow = is_strand ? block[i].width.lane[lane] * sn_length(sn_cross(along, r))
                                   : sn_abs(sn_dot(area, r));
            sum += (double)((block[i].drag.lane[lane] + block[i].lift.lane[lane]) * flow * sn_length(r));
        }
    }
    return sum;
}

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

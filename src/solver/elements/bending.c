// Filling in bending rows, and what the solver asks of all of them. Tested in test_bending_kernel.c.
// Tested by tests/solver/elements/test_bending_kernel.c.
#include "solver/elements/bending_block.h"
#include "solver/rows/row_softness.h"

bool sn_bending_is_stiff(const void *blocks, int block_count, float limit)
{
    const sn_bending_block *block = blocks;
    for (int i = 0; i < block_count; ++i) {
        if (sn_rows_are_firm(&block[i].stiffness, &block[i].softness, limit)) {
            return true;
        }
    }
    return false;
}

bool sn_hard_bending_is_stiff(const void *blocks, int block_count, float limit)
{
    (void)blocks;
    (void)block_count;
    return limit <= SN_FIRM;
}

int sn_bending_unresolved(const sn_element_pass *pass, const void *block)
{
    const sn_bending_block *rows = block;
    int count = 0;
    for (int i = 0; i < SN_LANES; ++i) {
        float inverse = rows->relax_mass.lane[i], kappa = inverse > 0.0f ? 1.0f / inverse : 0.0f;
        count += sn_row_is_unresolved(pass, kappa, rows->stiffness.lane[i]) ? 1 : 0;
    }
    return count;
}

void sn_bending_put(sn_element_group *group, int lane, const sn_bending_row *row)
{
    sn_bending_block *block = (sn_bending_block *)group->blocks + lane / SN_LANES;
    int i = lane % SN_LANES;
    for (int a = 0; a < 4; ++a) {
        sn_places_put(&block->node[a], i, row->node[a]);
    }
    block->stiffness.lane[i] = row->stiffness;
    block->damping.lane[i] = row->damping;
    block->limit.lane[i] = row->limit;
    block->rest.lane[i] = row->rest;
    for (int a = 0; a < 3; ++a) {
        block->weight[a].lane[i] = row->weight[a];
    }
    block->share[0].lane[i] = row->share[0];
    block->share[1].lane[i] = row->share[1];
    block->measure[i] = (int32_t)row->measure;
}

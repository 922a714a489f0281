// The kernels of bending rows for the instruction set the library is built for, and what both builds share.
#define SN_BENDING_KINDS sn_element_bending_base
#include "solver/elements/bending_kernel.h"

#include "base/processor.h"

const sn_element_kind *sn_element_bending(sn_bending_measure measure, bool hard)
{
#ifdef SN_HAS_AVX2_KERNELS
    if (sn_has_avx2()) {
        return &sn_element_bending_avx2[measure][hard ? 1 : 0];
    }
#endif
    return &sn_element_bending_base[measure][hard ? 1 : 0];
}

bool sn_bending_is_stiff(const void *blocks, int block_count)
{
    const sn_bending_block *block = blocks;
    for (int i = 0; i < block_count; ++i) {
        if (sn_rows_are_firm(&block[i].stiffness, &block[i].softness)) {
            return true;
        }
    }
    return false;
}

bool sn_hard_bending_is_stiff(const void *blocks, int block_count)
{
    (void)blocks;
    (void)block_count;
    return true;
}

void sn_bending_measure_now(const sn_node_state *nodes, const void *blocks, int block_count,
                            sn_element_measure *sum)
{
    const sn_bending_block *block = blocks;
    for (int i = 0; i < block_count; ++i, ++block) {
        sn_f8 unused;
        sn_vec3x8 x[4];
        for (int a = 0; a < 4; ++a) {
            x[a] = sn_gather_nodes_at(nodes, &block->node[a], &unused);
        }
        // All rows of a group have the same measure, and every block has a first row.
        row8 row = row_of(block, x, (sn_bending_measure)block->measure[0]);
        for (int lane = 0; lane < SN_LANES; ++lane) {
            double error = (double)row.error[lane];
            sum->energy += 0.5 * (double)block->stiffness.lane[lane] * error * error;
        }
    }
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

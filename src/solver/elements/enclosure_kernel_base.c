// The kernels of enclosures for the instruction set the library is built for, and what both builds share.
#define SN_ENCLOSURE_KIND sn_element_enclosure_base
#include "solver/elements/enclosure_kernel.h"

#include "base/processor.h"
#include "geometry/mesh/mesh_measure.h"

const sn_element_kind *sn_element_enclosure(void)
{
#ifdef SN_HAS_AVX2_KERNELS
    if (sn_has_avx2()) {
        return &sn_element_enclosure_avx2;
    }
#endif
    return &sn_element_enclosure_base;
}

bool sn_enclosure_is_stiff(const void *blocks, int block_count)
{
    (void)block_count;
    const sn_enclosure_row *row = &((const sn_enclosure_block *)blocks)->row;
    // κ/γ = (1 − s)/s with s = γ/(κ + γ).
    return row->stiffness > 0.0f && 1.0f - row->softness > SN_FIRM * row->softness;
}

void sn_enclosure_measure(const sn_node_state *nodes, const void *blocks, int block_count,
                          sn_element_measure *sum)
{
    const sn_enclosure_block *block = blocks;
    const sn_enclosure_row *row = &block->row;
    sn_vec3 origin = nodes[block->corner[0][0]].position;
    double volume = 0.0;
    for (int i = 0; i < block_count * SN_LANES; ++i) {
        const sn_enclosure_block *b = &block[i / SN_LANES];
        int lane = i % SN_LANES;
        volume += sn_volume_between(origin, nodes[b->corner[0][lane]].position,
                                    nodes[b->corner[1][lane]].position, nodes[b->corner[2][lane]].position);
    }
    double error = volume - (double)row->target;
    sum->energy += row->holds != 0 ? 0.5 * (double)row->stiffness * error * error : 0.0;
    sum->energy -= (double)row->pressure * volume;
}

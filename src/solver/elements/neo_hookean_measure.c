// What energy deformed neo-Hookean tetrahedra hold. Asked for by users, not by steps: one tetrahedron
// at a time, where the nodes are now.
#include "solver/elements/neo_hookean_block.h"
#include "solver/elements/tetrahedron_lane.h"

#include <math.h>

// Natural logarithm of what is 1/16 or more, to about 1e-15 of 1, by +, −, ×, ÷ and √ only. Roots are taken
// until the argument is near 1, where log x = 2 artanh((x − 1)/(x + 1)) has a short series.
static double logarithm(double x)
{
    double factor = 2.0;
    for (int i = 0; i < 64 && (x > 1.1 || x < 0.9); ++i) { // infinity has no end of roots
        x = sqrt(x);
        factor *= 2.0;
    }
    double t = (x - 1.0) / (x + 1.0), s = t * t;
    return factor * t * (1.0 + s * (1.0 / 3 + s * (1.0 / 5 + s * (1.0 / 7 + s * (1.0 / 9)))));
}

static double energy_of(const sn_neo_hookean_block *block, int lane, sn_mat3 f)
{
    double mu = (double)block->lame[0].lane[lane], lambda = (double)block->lame[1].lane[lane];
    double size = (double)sn_dot(f.x, f.x) + (double)sn_dot(f.y, f.y) + (double)sn_dot(f.z, f.z);
    double growth = (double)sn_dot(f.x, sn_cross(f.y, f.z)) - 1.0;
    return mu * (2.0 / 3.0 * (size - 3.0 - logarithm(0.25 * (size + 1.0))) - growth) +
           0.5 * (lambda + 5.0 / 6.0 * mu) * growth * growth;
}

void sn_neo_hookean_measure(const sn_node_state *nodes, const void *blocks, int block_count,
                            sn_element_measure *sum)
{
    const sn_neo_hookean_block *block = blocks;
    for (int i = 0; i < block_count * SN_LANES; ++i) {
        const sn_neo_hookean_block *b = &block[i / SN_LANES];
        int lane = i % SN_LANES;
        if (b->node[0][lane] == 0) {
            continue; // padding
        }
        sum->energy += energy_of(b, lane, sn_tetrahedron_lane_deformation(nodes, b->node, b->gradient, lane));
    }
}

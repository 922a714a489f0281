// What energy deformed edges and tetrahedra hold. Asked for by users, not by steps: one element at a
// time, where the nodes are now.
#include "solver/elements/edge_block.h"
#include "solver/elements/tetrahedron_block.h"
#include "solver/elements/tetrahedron_lane.h"

// ½ k (|x_b − x_a| − L)² of springs; hard edges hold none.
void sn_edges_measure(const sn_node_state *nodes, const void *blocks, int block_count,
                      sn_element_measure *sum)
{
    const sn_edge_block *block = blocks;
    for (int i = 0; i < block_count * SN_LANES; ++i) {
        const sn_edge_block *b = &block[i / SN_LANES];
        int lane = i % SN_LANES;
        double length = sn_distance_between(nodes[sn_places_node(&b->node[0], lane)].position,
                                            nodes[sn_places_node(&b->node[1], lane)].position);
        double rest = (double)b->rest.lane[lane], error = length - rest;
        sum->energy += 0.5 * (double)b->stiffness.lane[lane] * error * error;
        if (b->stiffness.lane[lane] == 0.0f && rest > 0.0) {
            double stretch = error > 0.0 ? error / rest : -error / rest;
            sum->largest_stretch = stretch > sum->largest_stretch ? stretch : sum->largest_stretch;
            sum->stretches += stretch;
            ++sum->hard_edges;
        }
    }
}

// U − 1 of F = R U.
static sn_mat3 strain_of(const sn_tetrahedron_block *block, int lane, sn_mat3 f)
{
    sn_quat guess = {block->rotation[0].lane[lane], block->rotation[1].lane[lane],
                     block->rotation[2].lane[lane], block->rotation[3].lane[lane]};
    sn_mat3 turn = sn_mat3_from_quat(sn_mat3_polar(f, guess));
    sn_mat3 u = sn_mat3_multiply(sn_mat3_transpose(turn), f);
    return sn_mat3_add(u, sn_mat3_diagonal(-1.0f, -1.0f, -1.0f));
}

// ½ Σ C²/α over the six rows of tetrahedron_block.h.
static double energy_of(const sn_tetrahedron_block *block, int lane, sn_mat3 e)
{
    double bulk = (double)e.x.x + e.y.y + e.z.z, side = (double)e.x.x - e.y.y;
    double height = (double)e.x.x + e.y.y - 2.0 * (double)e.z.z;
    double yz = (double)e.y.z + e.z.y, xz = (double)e.x.z + e.z.x, xy = (double)e.x.y + e.y.x;
    return 0.5 * (bulk * bulk / 3.0 / (double)block->compliance[0].lane[lane] +
                  (side * side / 2.0 + height * height / 6.0) / (double)block->compliance[1].lane[lane] +
                  (yz * yz + xz * xz + xy * xy) / (double)block->compliance[2].lane[lane]);
}

void sn_tetrahedra_measure(const sn_node_state *nodes, const void *blocks, int block_count,
                           sn_element_measure *sum)
{
    const sn_tetrahedron_block *block = blocks;
    for (int i = 0; i < block_count * SN_LANES; ++i) {
        const sn_tetrahedron_block *b = &block[i / SN_LANES];
        int lane = i % SN_LANES;
        if (b->node[0][lane] == 0) {
            continue; // padding
        }
        sn_mat3 strain =
            strain_of(b, lane, sn_tetrahedron_lane_deformation(nodes, b->node, b->gradient, lane));
        sum->energy += energy_of(b, lane, strain);
    }
}

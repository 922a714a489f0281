// What blocks of tetrahedra of every material share: four nodes and the gradients of three shape functions.
#ifndef SN_SOLVER_ELEMENTS_TETRAHEDRON_LANE_H
#define SN_SOLVER_ELEMENTS_TETRAHEDRON_LANE_H

#include "solver/elements/element.h"

// Writes one tetrahedron into its lane.
static inline void sn_tetrahedron_lane_put(int32_t node[4][SN_LANES], sn_lanes gradient[3][3], int lane,
                                           const int nodes[4], const sn_vec3 gradients[3])
{
    for (int a = 0; a < 4; ++a) {
        node[a][lane] = nodes[a];
    }
    for (int k = 0; k < 3; ++k) {
        sn_lanes_put3(gradient[k], lane, gradients[k]);
    }
}

// F = Σ (x_a − x₀) b_aᵀ, by columns, where the nodes are now.
static inline sn_mat3 sn_tetrahedron_lane_deformation(const sn_node_state *nodes,
                                                      const int32_t (*node)[SN_LANES],
                                                      const sn_lanes (*gradient)[3], int lane)
{
    sn_mat3 f = sn_mat3_diagonal(0.0f, 0.0f, 0.0f);
    sn_vec3 origin = nodes[node[0][lane]].position;
    for (int a = 0; a < 3; ++a) {
        sn_vec3 along = sn_sub(nodes[node[a + 1][lane]].position, origin);
        f.x = sn_add_scaled(f.x, gradient[a][0].lane[lane], along);
        f.y = sn_add_scaled(f.y, gradient[a][1].lane[lane], along);
        f.z = sn_add_scaled(f.z, gradient[a][2].lane[lane], along);
    }
    return f;
}

#endif

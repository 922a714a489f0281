// The volume inside a closed surface: one row over all its nodes. C = V − V*, with V = Σ a·((b − a) × (c −
// a))/6 over the triangles abc. The gradient of a node is one sixth of Σ (b − a) × (c − a) over the triangles
// around it: a third of their area, along their normals. λ is the pressure inside [Pa]; a constant pressure p
// is the impulse h p along the same gradient, applied with the warm start. Over a closed surface the
// gradients and their torques sum to zero, up to rounding.
//
// Hard edges hold a surface together only as stiffly as sub-steps allow. Inflating it by a strain δ costs Σ
// l²/(w_a + w_b) ω² δ over the edges and gains p 3V δ; beyond δ of about 0.3 the gain grows faster than the
// resistance, and the surface would burst. So pressures are limited to those that would stretch it by the
// constants below. A surface that needs more is squashed, and needs more sub-steps, more mass or larger
// cells. Springs and compliant edges stretch as they should and are not limited.
//
// All nodes are in the one row, so one call works on all blocks in order: the one whose range begins with
// block 0. Other ranges do nothing. Sums run in the order of blocks, within a block as a tree: the same for
// any number of threads.
#ifndef SN_SOLVER_ELEMENTS_ENCLOSURE_BLOCK_H
#define SN_SOLVER_ELEMENTS_ENCLOSURE_BLOCK_H

#include "solver/elements/element.h"

#define SN_MOST_INFLATION 0.1f // by a constant pressure, which grows with what it blows up
#define SN_MOST_KEEPING   0.6f // by a kept volume, which does not
#define SN_NO_LIMIT       1.0e30f

// The row itself, in the first block.
typedef struct sn_enclosure_row {
    int32_t block_count, node_block_count; // with triangles; with nodes
    float target;                          // V* [m³]
    float stiffness;                       // 1/compliance [Pa/m³]; 0 for hard
    float pressure;                        // constant [Pa]
    int32_t holds;                         // 0 if there is a pressure only
    float holding; // largest pressure of hard edges, divided by ω²; 0: no limit [kg/m]
    // Of the present positions.
    float mass;       // 1/(κ + γ)
    float softness;   // γ/(κ + γ)
    float bias;       // as an impulse
    float relax_mass; // 1/κ of a hard row, else 0
    float volume;     // V [m³]
    float most;       // largest pressure, positive or negative [Pa]
    float unused[3];
} sn_enclosure_row;

// Eight triangles, and eight nodes, which need not be corners of these triangles.
typedef struct sn_enclosure_block {
    sn_enclosure_row row;
    sn_lanes impulse;            // Λ of the last sub-step, in the first lane of the first block [Pa s]
    int32_t corner[3][SN_LANES]; // of triangles: the world's numbers of nodes
    int32_t place[3][SN_LANES];  // the same as places in the list of nodes that goes through all blocks
    int32_t node[SN_LANES];      // of the list: the world's numbers
    float gradient[SN_LANES][4]; // of the nodes; the fourth is unused, zero [m²]
    sn_lanes inverse_mass;       // of the nodes
} sn_enclosure_block;

SN_DECLARE_KERNELS(sn_element_kind, sn_element_enclosure);

#endif

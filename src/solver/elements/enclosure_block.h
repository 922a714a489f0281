// The volume inside a closed surface: one row over all its nodes. C = V − V*, with
// V = Σ a·((b − a) × (c − a))/6 over the triangles abc, and the gradient of a node one sixth of Σ (b − a) ×
// (c − a) over the triangles around it: a third of their area, along their normals. λ is the pressure inside
// [Pa], so a constant pressure is the same gradient times h p, given with the warm start. Sums of gradients
// vanish over a closed surface, and so do their torques, to rounding.
//
// Hard edges hold a surface together only as stiffly as sub-steps allow: blown up by a share δ against
// Σ l²/(w_a + w_b) ω² δ over the edges, it has p 3V δ to gain, and beyond δ of some 0.3 what p gains grows
// faster than what edges resist: it would burst into thin air. So pressures are limited to those that would
// stretch it by so much. Then it is squashed where more would be needed, and wants more sub-steps, more
// mass or larger cells. Springs and compliant edges give way as they should, and are not looked after.
//
// All nodes are in the one row, so all blocks are worked on in one call, in order: the one whose range begins
// with block 0. Other ranges are left alone. Sums run in the order of blocks, within a block as a tree: the
// same for any number of threads.
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
    float holding; // what edges that keep their length bear by (hω)²/h²; 0: no limit [kg/m]
    // Of the present positions.
    float mass;       // 1/(κ + γ)
    float softness;   // γ/(κ + γ)
    float bias;       // as an impulse
    float relax_mass; // 1/κ of a hard row, else 0
    float volume;     // V [m³]
    float most;       // largest pressure, either way [Pa]
    float unused[3];
} sn_enclosure_row;

// Eight triangles and eight nodes, which need not be theirs.
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

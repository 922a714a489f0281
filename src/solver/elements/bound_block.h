// Bounds: two nodes that may come no farther apart than a length (long-range constraints, Müller et al. 2017;
// methods E.1 and J.2). C = |x_b − x_a| − L ≤ 0. The length is that of the shortest connection within the
// deformable, so that no shape it can take violates one; where it would be stretched, a bound carries the
// load past all the light rows between.
//
// One end may be held in place: it takes part as if it had infinite mass and its velocity is not written, so
// that any number of bounds may share it. A body that holds it gets what it was given: bound_reactions.h.
#ifndef SN_SOLVER_ELEMENTS_BOUND_BLOCK_H
#define SN_SOLVER_ELEMENTS_BOUND_BLOCK_H

#include "solver/elements/element.h"

typedef struct sn_bound_block {
    sn_places node[2];  // a, b: where they are looked up
    sn_places moved;    // b again where it moves, the dummy where it is held in place
    sn_lanes rest;      // L [m]
    sn_lanes impulse;   // Λ of the last sub-step, ≤ 0 [N s]
    sn_lanes reference; // Λ_ref
    sn_lanes error;     // C [m]
    sn_lanes normal[3];
    sn_lanes inverse_mass[2];
    sn_lanes inverse_kappa; // 1/κ; 0 where neither end moves
    sn_lanes bias;          // of the present positions, as an impulse: ≥ 0 of a taut one [N s]
    sn_lanes end[3];        // where b is when a step begins
    sn_lanes total[3]; // Σ ΔΛ n, what a gave b, until it is read (bound_reactions.h, build_bounds.c) [N s]
    bool moves_b;      // some lane's b moves
    bool gives_way;    // what holds b gets every ΔΛ n at once; else the total is Σ Λ n of sub-steps
    bool stands;       // all lanes' b stand still when the step begins, at `end`, and cannot be pushed
    bool rests;        // all lanes did in the last sweep with bias: there is nothing to relax
    bool is_active;    // some lane is taut, or may become so in this sub-step
    uint8_t idle;      // sub-steps in which none can, as far as is known
} sn_bound_block;

// Writes a bound into its lane; `is_held`: b is held in place.
void sn_bound_put(sn_element_group *group, int lane, int node_a, int node_b, bool is_held, float length);

// Whether what holds their ends is a body that they pull.
void sn_bounds_give_way(sn_element_group *group, bool gives_way);

// As sn_edges_yield.
double sn_bounds_yield(const sn_element_group *group, const sn_node_state *nodes);

// As sn_edges_keep_forces.
void sn_bounds_keep_forces(sn_element_group *group, const sn_node_state *nodes, float stiffer);
// As sn_edges_keep_lengths.
void sn_bounds_keep_lengths(sn_element_group *group, float part);

SN_DECLARE_KERNELS(sn_element_kind, sn_element_bounds);

#endif

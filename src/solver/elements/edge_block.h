// Edges: two nodes and a length (methods A.4). C = |x_b − x_a| − L, J_b = n = −J_a. Hard (inextensible), or
// with a spring's compliance and damping; against stretch and compression, or against one of them only.
#ifndef SN_SOLVER_ELEMENTS_EDGE_BLOCK_H
#define SN_SOLVER_ELEMENTS_EDGE_BLOCK_H

#include "solver/elements/element.h"

// Fields that every pass reads come first, those that only the beginning of a step reads last.
typedef struct sn_edge_block {
    sn_places node[2];  // a, b
    sn_lanes normal[3]; // of the present positions
    sn_lanes inverse_mass[2];
    sn_lanes impulse;   // Λ of the last sub-step [N s]
    sn_lanes reference; // Λ_ref of hard rows: what softness does not pull Λ away from [N s]
    sn_lanes bias;      // of the present positions, as an impulse [N s]
    // Of the masses and the length of sub-steps.
    sn_lanes mass;       // 1/(κ + γ)
    sn_lanes softness;   // γ/(κ + γ)
    sn_lanes pull;       // bias by error [N s/m]
    sn_lanes relax_mass; // 1/κ of hard rows, 0 of soft ones
    // Parameters.
    sn_lanes lower, upper; // of the force [N]: positive pushes apart
    sn_lanes rest;         // L [m]
    sn_lanes stiffness;    // k [N/m]; 0 for hard
    sn_lanes damping;      // d [N s/m]
} sn_edge_block;

// One edge between two nodes of a deformable whose nodes begin at `first`.
typedef struct sn_edge {
    float rest, stiffness, damping, lower, upper;
} sn_edge;

// Whether an edge keeps its length against any force.
bool sn_edge_is_hard(const sn_edge_block *block, int lane);

// The largest tension impulse over mass of the lighter end and length, −Λ w/L, of its edges [1/s]. Masses
// here and below are those of the nodes: what rows felt in the last step is not part of a world's state.
float sn_edges_swing(const sn_element_group *group, const sn_node_state *nodes);

// The largest length/rest − 1 of hard edges.
float sn_edges_stretch(const sn_element_group *group, const sn_node_state *nodes);

// Σ Λ²κ of hard edges [N² s² / kg]: what their softness lets them give way by, times their impulses, as a
// sum.
double sn_edges_yield(const sn_element_group *group, const sn_node_state *nodes);

// Hard edges become stiffer, k h by `stiffer`/κ [1/s], and pull as before: their references take the
// difference, and let go of it slowly. Without, each edge that is stretched would gain energy.
void sn_edges_keep_forces(sn_element_group *group, const sn_node_state *nodes, float stiffer);
// They become softer again, k by `part`: what is left of the difference goes on to lengthen them by as much as
// before. As a force it would push against a spring that no longer pulls as hard, and let go of the load.
void sn_edges_keep_lengths(sn_element_group *group, float part);

// Whether some spring needs sweeps in both directions (is_stiff in element.h). Hard edges do not: their
// relaxing sweep removes the velocity of the bias.
bool sn_edges_are_stiff(const void *blocks, int block_count, float limit);

// Springs of a block that are stiffer than the pass resolves.
int sn_edges_unresolved(const sn_element_pass *pass, const void *block);

// Scales impulses by one factor for inextensible edges, another for springs.
void sn_edges_scale_warm_start(void *blocks, int block_count, float hard_part, float soft_part);

// Writes an edge into its lane.
void sn_edge_put(sn_element_group *group, int lane, int node_a, int node_b, sn_edge edge);

SN_DECLARE_KERNELS(sn_element_kind, sn_element_edges);

#endif

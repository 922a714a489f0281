// Energies E = ½ k C² of edges, triangles and tetrahedra as a field of forces for any integrator: springs,
// and the distances, areas and volumes of Teschner et al. 2004 (methods B.1, B.5). Forces are
//
//   f_i = −(k C + d Σ_j ∂C/∂x_j · v_j) ∂C/∂x_i,   C = (m − m₀) s
//
// with m the length, area or volume; s = 1 of springs, 1/m₀ of the energies of Teschner et al. Edges alone
// have damping; |C| of areas and volumes is at most SN_TERM_LIMIT.
//
// Eight terms at a time, in blocks by lane; kernels come in two builds (term_kernel.h). Sums are made in the
// order of terms on one thread.
#ifndef SN_MODEL_FORCES_TERMS_H
#define SN_MODEL_FORCES_TERMS_H

#include "base/processor.h"
#include "base/simd.h"
#include "model/forces/explicit.h"
#include "model/forces/force_field.h"

// Gradients of areas and volumes grow with the size, and with C the forces of a jelly torn to many times its
// size would grow with its fifth power.
#define SN_TERM_LIMIT 2.0f

typedef enum sn_term_family {
    SN_TERM_EDGES,
    SN_TERM_AREAS,
    SN_TERM_VOLUMES,
    SN_TERM_FAMILIES
} sn_term_family;

// Nodes of a term, by family.
static const int sn_term_widths[SN_TERM_FAMILIES] = {2, 3, 4};

// Eight terms of one family. Lanes without a term have the inverse scale 0.
typedef struct sn_term_block {
    int32_t node[4][SN_LANES]; // the model's own numbers
    sn_lanes rest;             // m₀: length, area or volume at rest [m, m², m³]
    sn_lanes inverse_scale;    // s
} sn_term_block;

// The blocks of a family, and the k and d of all of them.
typedef struct sn_term_set {
    int count; // of blocks
    sn_term_block *blocks;
    float stiffness; // k
    float damping;   // d
} sn_term_set;

// Functions over the terms of each family.
typedef struct sn_term_kernels {
    // Add the forces; without damping if `velocities` is null.
    void (*forces[SN_TERM_FAMILIES])(const sn_term_set *set, const sn_node_state *nodes,
                                     const sn_node_velocity *velocities, sn_node_force *forces);
    // Add −(s K + t D) field.
    void (*resist[SN_TERM_FAMILIES])(const sn_term_set *set, const sn_node_state *nodes,
                                     sn_resistance resistance, const sn_node_velocity *field,
                                     sn_node_force *forces);
    // Add the diagonal blocks of s K + t D, one a node.
    void (*diagonal[SN_TERM_FAMILIES])(const sn_term_set *set, const sn_node_state *nodes,
                                       sn_resistance resistance, sn_sym3 *blocks);
    // The largest |∂C/∂x_i|² of all terms and nodes.
    float (*steepest[SN_TERM_FAMILIES])(const sn_term_set *set, const sn_node_state *nodes);
    // Add a bound of Σ_j |K_ij| of every node i.
    void (*bounds[SN_TERM_FAMILIES])(const sn_term_set *set, const sn_node_state *nodes, float *sums);
    // The energy [J].
    double (*energy[SN_TERM_FAMILIES])(const sn_term_set *set, const sn_node_state *nodes);
} sn_term_kernels;

SN_DECLARE_KERNELS(sn_term_kernels, sn_term_kernels);

typedef struct sn_terms {
    int node_count;
    sn_term_set sets[SN_TERM_FAMILIES];
    const sn_term_kernels *kernels;
    // Memory by node: where nodes are looked at, a field, the forces that answer it, sums of stiffness.
    sn_node_state *places;
    sn_node_velocity *field;
    sn_node_force *answer;
    float *sums;
    int (*touching)[SN_TERM_FAMILIES]; // by node: how many terms of each family it is part of
} sn_terms;

// One term.
typedef struct sn_term {
    int node[4];
    float rest, inverse_scale; // m₀, s
} sn_term;

// Memory for so many terms of each family, all empty. False without memory, with nothing left to release.
bool sn_terms_make(sn_terms *terms, int node_count, const int counts[SN_TERM_FAMILIES]);
void sn_terms_release(sn_terms *terms);
void sn_terms_put(sn_terms *terms, sn_term_family family, int index, sn_term term);

// Valid as long as the terms are not moved or released.
sn_force_field sn_terms_field(sn_terms *terms);
double sn_terms_energy(const sn_terms *terms, const sn_node_state *nodes);

// Changes velocities by the impulses of the forces in a sub-step, sub-stepped by Gershgorin's bound (see
// explicit.h); `shortest` is that of the edges at rest [m].
void sn_terms_apply(sn_terms *terms, sn_explicit *scheme, float shortest, const sn_element_pass *pass,
                    sn_tasks *tasks);

#endif

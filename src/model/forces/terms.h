// Energies ½ k C² of edges, triangles and tetrahedra as a field of forces for any integrator: springs, and
// the distances, areas and volumes of Teschner et al. 2004 (methods B.1, B.5). Forces are
//
//   f_i = −(k C + d Σ_j ∂C/∂x_j · v_j) ∂C/∂x_i
//
// C = ℓ − ℓ₀ of edges, which alone have damping; C = (A − A₀)/A₀, (V − V₀)/Ṽ of the others, at most
// SN_TERM_LIMIT in size.
//
// Eight terms at a time, in blocks by lane; kernels come in two builds (term_kernel.h). Sums are made in the
// order of terms on one thread.
#ifndef SN_MODEL_FORCES_TERMS_H
#define SN_MODEL_FORCES_TERMS_H

#include "base/processor.h"
#include "base/simd.h"
#include "model/forces/force_field.h"

// |C| of areas and volumes is limited to this: their gradients grow with the size, and with C the forces of a
// jelly torn to many times its size would grow with its fifth power.
#define SN_TERM_LIMIT 2.0f

typedef enum sn_term_family {
    SN_TERM_EDGES,
    SN_TERM_AREAS,
    SN_TERM_VOLUMES,
    SN_TERM_FAMILIES
} sn_term_family;

// Nodes of a term, by family.
static const int sn_term_widths[SN_TERM_FAMILIES] = {2, 3, 4};

// Eight terms of one family. Lanes without a term have no stiffness.
typedef struct sn_term_block {
    int32_t node[4][SN_LANES]; // the model's own numbers
    sn_lanes rest;             // length, area or volume at rest [m, m², m³]
    sn_lanes inverse_scale;    // of areas and volumes: C = (measure − rest) × this [1/m², 1/m³]
    sn_lanes stiffness;        // k [N/m]; of areas and volumes k × inverse_scale
    sn_lanes damping;          // of edges [N s/m]
} sn_term_block;

// Functions over blocks of each family.
typedef struct sn_term_kernels {
    // Add the forces; without damping if `velocities` is null.
    void (*forces[SN_TERM_FAMILIES])(const sn_term_block *blocks, int count, const sn_node_state *nodes,
                                     const sn_node_velocity *velocities, sn_node_force *forces);
    // Add −(s K + t D) field.
    void (*resist[SN_TERM_FAMILIES])(const sn_term_block *blocks, int count, const sn_node_state *nodes,
                                     sn_resistance resistance, const sn_node_velocity *field,
                                     sn_node_force *forces);
} sn_term_kernels;

SN_DECLARE_KERNELS(sn_term_kernels, sn_term_kernels);

typedef struct sn_terms {
    int node_count;
    int counts[SN_TERM_FAMILIES]; // of blocks
    sn_term_block *blocks[SN_TERM_FAMILIES];
    bool has_damping;
    const sn_term_kernels *kernels;
    // Memory of `resist`, by node.
    sn_node_velocity *field;
    sn_node_force *answer;
} sn_terms;

// One term.
typedef struct sn_term {
    const int *node;
    float rest, stiffness; // k
    float damping;         // of edges
    float inverse_scale;   // of areas and volumes
} sn_term;

// Memory for so many terms of each family, all without stiffness. False without memory, with nothing left to
// release.
bool sn_terms_make(sn_terms *terms, int node_count, const int counts[SN_TERM_FAMILIES]);
void sn_terms_release(sn_terms *terms);
void sn_terms_put(sn_terms *terms, sn_term_family family, int index, sn_term term);

// Valid as long as the terms are not moved or released.
sn_force_field sn_terms_field(sn_terms *terms);

#endif

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

// Lanes without a term have no stiffness, and one node throughout.
typedef struct sn_edge_terms {
    int32_t node[2][SN_LANES]; // the model's own numbers
    sn_lanes rest;             // [m]
    sn_lanes stiffness;        // [N/m]
    sn_lanes damping;          // [N s/m]
} sn_edge_terms;

typedef struct sn_area_terms {
    int32_t node[3][SN_LANES];
    sn_lanes rest;          // [m²]
    sn_lanes inverse_scale; // C = (A − A₀) × this [1/m²]
    sn_lanes stiffness;     // k × inverse_scale [N/m]
} sn_area_terms;

typedef struct sn_volume_terms {
    int32_t node[4][SN_LANES];
    sn_lanes rest;          // [m³]
    sn_lanes inverse_scale; // C = (V − V₀) × this [1/m³]
    sn_lanes stiffness;     // k × inverse_scale [N/m²]
} sn_volume_terms;

// Add forces of blocks; of edges without damping if `velocities` is null.
typedef struct sn_term_kernels {
    void (*edges)(const sn_edge_terms *blocks, int count, const sn_node_state *nodes,
                  const sn_node_velocity *velocities, sn_node_force *forces);
    void (*areas)(const sn_area_terms *blocks, int count, const sn_node_state *nodes, sn_node_force *forces);
    void (*volumes)(const sn_volume_terms *blocks, int count, const sn_node_state *nodes,
                    sn_node_force *forces);
    // Add −(s K + t D) field.
    void (*resist_edges)(const sn_edge_terms *blocks, int count, const sn_node_state *nodes,
                         sn_resistance resistance, const sn_node_velocity *field, sn_node_force *forces);
    void (*resist_areas)(const sn_area_terms *blocks, int count, const sn_node_state *nodes,
                         sn_resistance resistance, const sn_node_velocity *field, sn_node_force *forces);
    void (*resist_volumes)(const sn_volume_terms *blocks, int count, const sn_node_state *nodes,
                           sn_resistance resistance, const sn_node_velocity *field, sn_node_force *forces);
} sn_term_kernels;

SN_DECLARE_KERNELS(sn_term_kernels, sn_term_kernels);

// Blocks.
typedef struct sn_terms {
    int node_count;
    int edges, areas, volumes; // how many blocks of each
    sn_edge_terms *edge_blocks;
    sn_area_terms *area_blocks;
    sn_volume_terms *volume_blocks;
    bool has_damping;
    const sn_term_kernels *kernels;
    // Memory of `resist`, by node: for implicit Euler only.
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

// Memory for so many terms, all without stiffness; `resist` works if the integrator is implicit. False
// without memory, with nothing left to release.
bool sn_terms_make(sn_terms *terms, sn_integrator integrator, int node_count, int edge_count, int area_count,
                   int volume_count);
void sn_terms_release(sn_terms *terms);
void sn_terms_put_edge(sn_terms *terms, int index, sn_term term);
void sn_terms_put_area(sn_terms *terms, int index, sn_term term);
void sn_terms_put_volume(sn_terms *terms, int index, sn_term term);

// Valid as long as the terms are not moved or released.
sn_force_field sn_terms_field(sn_terms *terms);

#endif

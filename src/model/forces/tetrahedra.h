// Corotational linear tetrahedra as forces (methods B.2), eight at a time: what the explicit and the implicit
// model share. With the shape gradients b_a, F = Σ x_a b_aᵀ = R U; strain U − 1, stress S = λ tr(U − 1) 1 +
// 2µ (U − 1). As in solver/elements/tetrahedron_block.h the gradient is that of U itself, R's own change
// included:
//
//   U̇ = L − [ω]× U,  L = Rᵀ Σ v_a b_aᵀ,  (tr U · 1 − U) ω = axial(L − Lᵀ)
//   S acts on node a as R (S + [y]×) b_a,  (tr U · 1 − U) y = axial(U S − S U)
//
// which has no torque for any S; rigid motions of deformed bodies have no rate of strain.
#ifndef SN_MODEL_FORCES_TETRAHEDRA_H
#define SN_MODEL_FORCES_TETRAHEDRA_H

#include "base/processor.h"
#include "model/model.h"

// Eight tetrahedra. Lanes without one have no gradients and no volume.
typedef struct sn_corotational_block {
    int32_t node[4][SN_LANES]; // the deformable's own numbers
    sn_lanes gradient[3][3];   // b₁, b₂, b₃ [1/m]; b₀ = −Σ
    sn_lanes volume;           // [m³]
    // Where they are now.
    sn_lanes turn[3][3];                  // R by columns
    sn_lanes stretch[6], spin_inverse[6]; // U, (tr U · 1 − U)⁻¹: xx yy zz yz xz xy
    float force[3][SN_LANES][4];          // on nodes 1, 2, 3; node 0 bears the rest
} sn_corotational_block;

// What kernels work on.
typedef struct sn_corotational_pass {
    int element_count;
    sn_corotational_block *blocks;
    sn_quat *rotations;            // R as it was, where its search begins: the model's, which saves it
    float lambda, mu;              // Lamé's constants [Pa]
    const sn_node_state *places;   // of the nodes, from any one origin
    const sn_node_velocity *field; // displacements that are resisted
} sn_corotational_pass;

// Over ranges of blocks.
typedef struct sn_corotational_kernels {
    // Find R, U and the spin's inverse from `places`.
    void (*look)(const sn_corotational_pass *pass, int begin, int end);
    // The forces of the strain, or against the field.
    void (*elastic)(const sn_corotational_pass *pass, int begin, int end);
    void (*resist)(const sn_corotational_pass *pass, int begin, int end);
    // Adds the forces found to those of the nodes.
    void (*add_forces)(const sn_corotational_pass *pass, int count, sn_node_force *forces);
    // Adds `scale` times the diagonal blocks of K, with R frozen.
    void (*diagonal)(const sn_corotational_pass *pass, int count, float scale, sn_sym3 *blocks);
    // The energy of `places` [J].
    double (*energy)(const sn_corotational_pass *pass, int count);
} sn_corotational_kernels;

SN_DECLARE_KERNELS(sn_corotational_kernels, sn_corotational_kernels);

typedef struct sn_tetrahedra {
    int node_count, block_count;
    const sn_corotational_kernels *kernels;
    sn_corotational_pass pass;
    // Memory by node: what the pass looks at, and sums of forces.
    sn_node_state *places;
    sn_node_velocity *field;
    sn_node_force *sums;
    // For the largest frequency, which is found again when masses change.
    float *node_volumes;   // of the elements around a node
    float *inverse_masses; // it was found for
    float fastest;
} sn_tetrahedra;

// `rotations` has room for one a tetrahedron and stays the caller's. False without memory, with nothing left
// to release.
bool sn_tetrahedra_make(sn_tetrahedra *tetrahedra, const sn_model_input *input, sn_quat *rotations);
void sn_tetrahedra_release(sn_tetrahedra *tetrahedra);
// Gives them another material; rotations stay.
void sn_tetrahedra_tune(sn_tetrahedra *tetrahedra, const sn_model *parameters);

// Looks where the elements are: `places` are the nodes', from any one origin near them.
void sn_tetrahedra_look(sn_tetrahedra *tetrahedra, const sn_vec3 *places, sn_tasks *tasks);
// The elastic forces at the positions of the last look [N], written over `forces`.
void sn_tetrahedra_elastic(sn_tetrahedra *tetrahedra, sn_vec3 *forces, sn_tasks *tasks);
// −K u, the forces by which they resist small displacements `field` from there, written over `forces`.
void sn_tetrahedra_resist(sn_tetrahedra *tetrahedra, const sn_vec3 *field, sn_vec3 *forces, sn_tasks *tasks);
// The elastic energy with the nodes where they are [J].
double sn_tetrahedra_energy(const sn_tetrahedra *tetrahedra, const sn_node_state *nodes);
// Adds `scale` times the diagonal blocks of K, with R frozen, to one block a node.
void sn_tetrahedra_add_diagonal(const sn_tetrahedra *tetrahedra, float scale, sn_sym3 *blocks);
// The largest ω² of K against the masses of `nodes` [1/s²], or up to an eighth more: that of the worst single
// element with its share of its nodes' masses, than which the whole has none larger.
float sn_tetrahedra_fastest(sn_tetrahedra *tetrahedra, const sn_node_state *nodes);

#endif

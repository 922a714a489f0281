// Corotational finite elements as rows of the solver: six a tetrahedron, solved as one block (methods B.2,
// D.5). With the shape gradients b_a, F = Σ x_a b_aᵀ and its polar decomposition F = R U, the rows are the
// strain U − 1 in the eigenbasis of isotropic elasticity, which makes the compliance diagonal:
//
//   C₀ = (e_xx + e_yy + e_zz)/√3           compliance (1 − 2ν)/(Y V)     bulk
//   C₁ = (e_xx − e_yy)/√2                             (1 + ν)/(Y V)      deviatoric
//   C₂ = (e_xx + e_yy − 2 e_zz)/√6                    (1 + ν)/(Y V)
//   C₃, C₄, C₅ = 2 e_yz, 2 e_xz, 2 e_xy             2 (1 + ν)/(Y V)      shear
//
// The gradient is that of U itself, R's own change included: with R frozen, impulses that are not coaxial
// with U (all but those of a converged static solution) would have a torque. With L = Rᵀ Σ v_a b_aᵀ:
//   Ω from (tr U · 1 − U) ω = axial(L − Lᵀ),  U̇ = L − Ω U
// and an impulse S conjugate to U acts on node a as R (S + [y]×) b_a, y = (tr U · 1 − U)⁻¹ axial(U S − S U)/…
// which has no torque: see power_stress in tetrahedron_kernel.h.
//
// Where an element is flat or inside out, R counts as frozen: with its change, impulses S_ij in the axes of
// the stretches σ would become the pair 2σ_i/(σ_i + σ_j) S_ij and 2σ_j/(σ_i + σ_j) S_ij, which is no more
// than twice as much for a stretch, but anything if one is negative. Instead, the rigid part of its nodes'
// motion is taken out of what rows see and of what they do, which has no torque either and only ever lessens
// J W Jᵀ.
//
// A row is never held harder than a joint would be: Γ ≥ κ/a₂ (methods 0.2), and its force at rest is that of
// a stiffness within a limit (stiffest in element.h). One sweep a sub-step cannot resolve more, and warm
// starting it would make energy. Materials stiffer than that act as stiff as that.
//
// Rows of materials twice as stiff also take part in relaxing, with the bias of the sweep before: that goes
// on solving the same equations, so that what contacts take back in relaxing is taken from the whole body and
// not from the nodes they touch alone.
//
// J W Jᵀ with R frozen does not depend on R: it is inverted once, and again only when the step, or what is
// fixed, changes.
#ifndef SN_SOLVER_ELEMENTS_TETRAHEDRON_BLOCK_H
#define SN_SOLVER_ELEMENTS_TETRAHEDRON_BLOCK_H

#include "solver/elements/tetrahedron_shape.h"

#define SN_TETRAHEDRON_ROWS 6
// Entries of a symmetric 6 × 6 matrix: row by row, on and below the diagonal.
#define SN_TETRAHEDRON_ENTRIES 21

typedef struct sn_tetrahedron_block {
    sn_tetrahedron_shape shape;
    sn_lanes compliance[3];                // of bulk, deviatoric and shear rows [1/(N m)]
    sn_lanes damping;                      // Rayleigh's b [s]
    sn_lanes rotation[4];                  // R as a quaternion: where its iteration begins
    sn_lanes impulse[SN_TETRAHEDRON_ROWS]; // Λ of the last sub-step
    // Made again when the shape is outdated.
    sn_lanes inverse[SN_TETRAHEDRON_ENTRIES]; // (J W Jᵀ + Γ)⁻¹
    sn_lanes softness[SN_TETRAHEDRON_ROWS];   // Γ
    sn_lanes rate[SN_TETRAHEDRON_ROWS];       // of bias: what makes the impulse at rest −h C/α [1/s]
    sn_lanes firmness;                        // largest κ/Γ of the rows
    sn_lanes excess;                          // largest h²κ/α of the rows, over what they hold
    // Of the present positions.
    sn_lanes turn[3][3];      // R by columns
    sn_lanes stretch[6];      // U: xx yy zz yz xz xy
    sn_lanes spin_inverse[6]; // (tr U · 1 − U)⁻¹, the same order
    sn_lanes relaxation;      // part of a correction that is taken
    sn_lanes bias[SN_TETRAHEDRON_ROWS];
    sn_lanes last_bias[SN_TETRAHEDRON_ROWS]; // what the last sweep with bias had
    // Of lanes that are flat or inside out, if there are any (has_lost, in lane 0); zero in others.
    int32_t has_lost[SN_LANES];
    sn_lanes arm[4][3];          // of the nodes about their mass centre [m]
    sn_lanes inertia_inverse[6]; // of the nodes about it, xx yy zz yz xz xy [1/(kg m²)]
} sn_tetrahedron_block;

typedef struct sn_tetrahedron {
    sn_vec3 gradient[3];
    float young, poisson, volume, damping;
} sn_tetrahedron;

// Writes a tetrahedron into its lane.
void sn_tetrahedron_put(sn_element_group *group, int lane, const int nodes[4], const sn_tetrahedron *element);

SN_DECLARE_KERNELS(sn_element_kind, sn_element_tetrahedra);

// Whether some tetrahedron's rows are stiffer than a sweep in one direction can take.
bool sn_tetrahedra_are_stiff(const void *blocks, int block_count);
// Makes Γ and (J W Jᵀ + Γ)⁻¹ anew. Shared by both builds: it is rare.
void sn_tetrahedron_invert(const sn_element_pass *pass, sn_tetrahedron_block *block);

// α of one row.
static inline float sn_row_compliance(const sn_tetrahedron_block *block, int row, int lane)
{
    return block->compliance[row == 0 ? 0 : row < 3 ? 1 : 2].lane[lane];
}

#endif

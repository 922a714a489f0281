// Corotational finite elements as rows of the solver: six a tetrahedron, solved as one block (methods B.2,
// D.5). With the shape gradients b_a, F = Σ x_a b_aᵀ and its polar decomposition F = R U, the rows are the
// strain U − 1 in the eigenbasis of isotropic elasticity, in which the compliance is diagonal:
//
//   C₀ = (e_xx + e_yy + e_zz)/√3           compliance (1 − 2ν)/(Y V)     bulk
//   C₁ = (e_xx − e_yy)/√2                             (1 + ν)/(Y V)      deviatoric
//   C₂ = (e_xx + e_yy − 2 e_zz)/√6                    (1 + ν)/(Y V)
//   C₃, C₄, C₅ = 2 e_yz, 2 e_xz, 2 e_xy             2 (1 + ν)/(Y V)      shear
//
// The gradient is that of U itself, including the change of R: with R frozen, impulses that are not coaxial
// with U (all but those of a converged static solution) would have a torque. With L = Rᵀ Σ v_a b_aᵀ:
//   Ω from (tr U · 1 − U) ω = axial(L − Lᵀ),  U̇ = L − Ω U
// and an impulse S conjugate to U acts on node a as R (S + [y]×) b_a with (tr U · 1 − U) y = axial(U S − S
// U), which has no torque (tetrahedron_push in tetrahedron_kernel.h).
//
// Where an element is flat or inverted, R is treated as frozen: with its change, impulses S_ij in the axes of
// the stretches σ become the pair 2σ_i/(σ_i + σ_j) S_ij and 2σ_j/(σ_i + σ_j) S_ij, at most twice as much for
// positive stretches, but unbounded if one is negative. Instead, the rigid motion of the four nodes is
// removed from the velocities that rows see and from those they change. That has no torque either and only
// lessens J W Jᵀ.
//
// The linear law does not keep an element from being pressed flat and inside out: stress at U = 0 is finite,
// and a weight or a blow of a few times Young's modulus gets there. So elements of less than a part J₀ of
// their volume, J = det U, are also pressed apart by p = k Y (1 − J/J₀)², from J = 0 on by the tangent of
// that and, from −J₀/2 on, by less and less, down to nothing at −2 J₀: what is turned over as a whole must
// not burst. The energy is ∫ p dJ; S = p cof U is coaxial with U and has no torque. It is an explicit force,
// given with the impulses of the last sub-step.
//
// A row is never stiffer than a joint: Γ ≥ κ/a₂ (methods 0.2), and its force at rest is that of a limited
// stiffness (stiffest in element.h). One sweep a sub-step cannot resolve more, and warm starting it would
// create energy. Stiffer materials act as stiff as that.
//
// Rows of materials twice as stiff as the limit also take part in relaxing, with the bias of the sweep
// before: that continues to solve the same equations, so that the velocity which contacts remove in relaxing
// is taken from the whole body and not only from the nodes they touch.
//
// J W Jᵀ with R frozen does not depend on R: it is inverted once, and again only when the step, or what is
// fixed, changes.
// Tested by tests/solver/elements/test_elements_gauntlet.c.
#ifndef SN_SOLVER_ELEMENTS_TETRAHEDRON_BLOCK_H
#define SN_SOLVER_ELEMENTS_TETRAHEDRON_BLOCK_H

#include "solver/elements/tetrahedron_shape.h"

// Entries of a symmetric 6 × 6 matrix: row by row, on and below the diagonal.
#define SN_TETRAHEDRON_ENTRIES 21

// J₀, and k: the pressure of a flat element over Young's modulus. −J/J₀ where the pressure is largest, and
// where it is nothing again.
#define SN_FLAT_VOLUME   0.4f
#define SN_FLAT_PRESSURE 10.0f
#define SN_FLAT_PEAK     0.5f
#define SN_FLAT_END      2.0f

typedef struct sn_tetrahedron_block {
    sn_tetrahedron_shape shape;
    sn_lanes compliance[3];                // of bulk, deviatoric and shear rows [1/(N m)]
    sn_lanes damping;                      // Rayleigh's b [s]
    sn_lanes rotation[4];                  // R as a quaternion: where its iteration begins
    sn_lanes impulse[SN_TETRAHEDRON_ROWS]; // Λ of the last sub-step
    sn_lanes most[SN_TETRAHEDRON_ROWS];    // the stiffness that it could resolve [N m]
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
    // Of lanes that are flat or inverted, if there are any (has_lost, in the first lane of each half); zero
    // in others.
    int32_t has_lost[SN_LANES];
    sn_lanes arm[4][3];          // of the nodes about their mass centre [m]
    sn_lanes inertia_inverse[6]; // of the nodes about it, xx yy zz yz xz xy [1/(kg m²)]
} sn_tetrahedron_block;

// Writes a tetrahedron into its lane.
void sn_tetrahedron_put(sn_element_group *group, int lane, const int nodes[4], const sn_tetrahedron *element);

SN_DECLARE_KERNELS(sn_element_kind, sn_element_tetrahedra);

// The largest κ/α of the rows of its tetrahedra [1/s²]: sub-steps in which h² times it is above the limit let
// them act less stiff than they are.
float sn_tetrahedra_rate2(const sn_element_group *group, const sn_node_state *nodes);
// The largest strain of a row that the impulses of the last sub-step, of length h, stand for.
float sn_tetrahedra_strain(const sn_element_group *group, float h);

// Whether some row needs sweeps in both directions.
bool sn_tetrahedra_are_stiff(const void *blocks, int block_count, float limit);
// Tetrahedra of a block that are stiffer than the pass resolves.
int sn_tetrahedra_unresolved(const sn_element_pass *pass, const void *block);
// Makes Γ and (J W Jᵀ + Γ)⁻¹ of so many lanes anew. Shared by both builds: it is rare.
void sn_tetrahedron_invert(const sn_element_pass *pass, sn_tetrahedron_block *block, int lanes);

// α of one row.
static inline float sn_row_compliance(const sn_tetrahedron_block *block, int row, int lane)
{
    return block->compliance[row == 0 ? 0 : row < 3 ? 1 : 2].lane[lane];
}

#endif

// Neo-Hookean finite elements as rows of the solver (methods B.6; Smith, de Goes and Kim, Stable neo-Hookean
// flesh simulation, 2018). With the shape gradients b_a, the deformation F = Σ x_a b_aᵀ, I = |F|², J = det F
// and Lamé's λ, µ, a tetrahedron of rest volume V has the energy
//
//   E/V = ⅔ µ (I − 3 − log((I + 1)/4)) + ½ (λ + ⅚ µ)(J − 1)² − µ (J − 1)
//
// which is Hooke's law for small strains, smooth through flat and inverted states, and, by its logarithm, has
// no rest at a point. Methods' rows C_D = √I and C_H = J − 1 − µ/λ are this without the logarithm. As two
// scalar rows they would not do: the gradient of √I at rest is a change of size only, so all resistance to
// shear would come from the change of the gradient, which is explicit, unstable where h²µ|b|²/m exceeds one,
// and cannot be damped. So the block's impulse is the matrix S, nine numbers, conjugate to F: node a gets
// S b_a. With P = ∂E/V∂F and the stiffness H = 2µ + λ cof F ⊗ cof F, right at rest and positive everywhere, a
// sweep looks for
//
//   S = −hV (P + (h + b) H Ḟ)          b Rayleigh's damping [s]
//
// which gives exactly the forces of E wherever it comes to rest.
//
// S has no torque if S Fᵀ is symmetric: S is kept so. With B = Σ w_a b_a b_aᵀ and D = 1 + 2hVµ(h + b) B the
// equations of a block are S D + hVλ(h + b) cof F (cof F : S B) = R + [y]× F, y such that S Fᵀ is symmetric.
// Without the second term, S = R D⁻¹ + [y]× F D⁻¹ with (tr G · 1 − G) y = −axial(R D⁻¹ Fᵀ), G = F D⁻¹ Fᵀ;
// with it, which has rank one, by Sherman and Morrison. y takes in whatever of R is of the form [z]× F, so
// rotations need not be taken out of Ḟ, and damping does not brake them.
//
// µ and λ are never stiffer than joints, nor than the limit of solids; stiff blocks take part in
// relaxing (tetrahedron_block.h says why).
#ifndef SN_SOLVER_ELEMENTS_NEO_HOOKEAN_BLOCK_H
#define SN_SOLVER_ELEMENTS_NEO_HOOKEAN_BLOCK_H

#include "solver/elements/tetrahedron_shape.h"

// Matrices are nine entries, by columns; symmetric ones six: xx yy zz yz xz xy.
typedef struct sn_neo_hookean_block {
    sn_tetrahedron_shape shape;
    sn_lanes impulse[9]; // S of the last sub-step [N m s]
    sn_lanes most[2];    // µV and λV that it could resolve [N m]
    // Made again when the shape is outdated.
    sn_lanes shear;      // hVµ, limited [N m s]
    sn_lanes time;       // h + b, limited [s]
    sn_lanes inverse[6]; // D⁻¹
    // Of the present positions.
    sn_lanes deformation[9];  // F
    sn_lanes through[9];      // F D⁻¹
    sn_lanes cofactor[9];     // cof F
    sn_lanes spin_inverse[6]; // (tr G · 1 − G)⁻¹
    sn_lanes response[9];     // for changes of volume: see neo_hookean_refresh_block
    sn_lanes target[9];       // hV P
    sn_lanes last_target[9];  // what the last solving sweep had
    sn_lanes present_bulk;    // the same at the present shape: see bulk_of
    sn_lanes firmness;        // largest κ/γ
    // The same, needed for refreshing only.
    sn_lanes bulk;         // hVλ, limited [N m s]
    sn_lanes largest_bulk; // of hVλ at rest [N m s]
    sn_lanes size;         // a bound of the eigenvalues of B [1/(kg m²)]
    sn_lanes product[6];   // B D⁻¹
    // Parameters.
    sn_lanes lame[2]; // µV, λV [N m]
    sn_lanes damping; // b [s]
} sn_neo_hookean_block;

// Writes a tetrahedron into its lane.
void sn_neo_hookean_put(sn_element_group *group, int lane, const int nodes[4], const sn_tetrahedron *element);

SN_DECLARE_KERNELS(sn_element_kind, sn_element_neo_hookean);

// Whether some tetrahedron needs sweeps in both directions.
bool sn_neo_hookean_is_stiff(const void *blocks, int block_count, float limit);
// Tetrahedra of a block that are stiffer than the pass resolves.
int sn_neo_hookean_unresolved(const sn_element_pass *pass, const void *block);
// The energy of one lane, deformed by F [J].
double sn_neo_hookean_energy(const sn_neo_hookean_block *block, int lane, sn_mat3 f);
// Makes what depends on the length of sub-steps, the hardness of rows and masses, of so many lanes. Shared by
// both builds: it is rare.
void sn_neo_hookean_make(const sn_element_pass *pass, sn_neo_hookean_block *block, int lanes);

#endif

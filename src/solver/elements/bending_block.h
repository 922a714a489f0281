// Bending rows (methods A.7): between two triangles that share an edge (a hinge), or between two edges of a
// strand that share a node (a joint). One scalar row each, whose gradient is that of a function of shape
// alone, so that no impulse has a net force or torque.
//
// Hinges have the edge x₀x₁ and the wings x₂, x₃. With constant weights from the rest shape,
//   C⃗ = Σ K_a x_a     the vector of isometric bending (K as in methods, divided by the edge's length)
//   g = e × (u/2A₀ − w/2A₁), e = x₁ − x₀, u = x₂ − x₀, w = x₃ − x₀     the sum of the triangles' normals
//   m = g/|g|
// While lengths are constant, C⃗·m = 2 sin(θ/2) and |g| = 2 cos(θ/2), θ the signed angle of the fold: a fold
// and its mirror image differ. These functions are smooth in the nodes, also when triangles are squashed or
// inverted, where the angle between two unit normals would jump and create energy.
//   isometric   C = C⃗·m − 2 sin(θ₀/2)        E = ½ k |e|² C²/(A₀ + A₁), k the flexural rigidity [N m]
//   dihedral    C = 2 atan2(C⃗·m, |g|) − θ₀   the same energy; the difference of angles is taken modulo 2π
//   diagonal    C = (x₂ − c)·(x₃ − c) − C₀, c = ½(x₀ + x₁): Vezzaro's, with the bias −βC. Around the flat
//               state it resists angles only to second order, and a fold and its mirror image have the same
//               C.
//
// Isometric bending is usually solved as the vector row C⃗. But the impulse Λ⃗ of a vector row has the torque C⃗
// × Λ⃗, which vanishes only where Λ⃗ is along C⃗: not during a sweep, and never with damping, which would also
// damp rigid rotations. The components of C⃗ in the plane of the sheet vanish while lengths are constant, so
// only C⃗·m is used, and the change of m is part of the gradient.
//
// Joints have the middle x₀ and its neighbours x₂, x₃ (x₁ is the dummy). With the rest lengths l₂, l₃ and the
// tangents t₂ = (x₀ − x₂)/l₂, t₃ = (x₃ − x₀)/l₃, |t₃ − t₂| = 2 sin(θ/2) and |t₃ + t₂| = 2 cos(θ/2). θ has no
// sign, as a strand without twist has no side. Around a straight rest shape the row takes the sign that
// continues the sub-step before, so that motion through the straight state is smooth. (A vector row would not
// do here either: impulses on three nodes without force and torque lie in their plane.)
//   isometric   C = |t₃ − t₂| − 2 sin(θ₀/2)              E = ½ k C²/l, k = EI [N m²], l the mean of l₂ and l₃
//   dihedral    C = 2 atan2(|t₃ − t₂|, |t₃ + t₂|) − θ₀   the same energy
//   diagonal    C = (x₂ − x₀)·(x₃ − x₀) − C₀
//
// The stiffness of diagonal rows is that which equals the dihedral's at a right angle.
#ifndef SN_SOLVER_ELEMENTS_BENDING_BLOCK_H
#define SN_SOLVER_ELEMENTS_BENDING_BLOCK_H

#include "solver/elements/element.h"

typedef enum sn_bending_measure {
    SN_BENDING_HINGE_ISOMETRIC,
    SN_BENDING_HINGE_ANGLE,
    SN_BENDING_HINGE_DIAGONAL,
    SN_BENDING_JOINT_ISOMETRIC,
    SN_BENDING_JOINT_ANGLE,
    SN_BENDING_JOINT_DIAGONAL,
    SN_BENDING_MEASURES
} sn_bending_measure;

// Fields of explicit forces come first, packed: most rows are soft enough for them.
typedef struct sn_bending_block {
    sn_places node[4]; // edge, edge, wing, wing
    // Parameters.
    sn_lanes weight[3]; // K₁, K₂, K₃; of joints 1/l₂ and 1/l₃ as the last two [1/m]
    sn_lanes share[2];  // 1/2A₀, 1/2A₁ [1/m²]
    sn_lanes rest;      // 2 sin(θ₀/2); θ₀; C₀
    sn_lanes stiffness; // force conjugate to C by C; 0 for hard
    sn_lanes damping;   // the same by the rate of C
    sn_lanes impulse;   // Λ of the last sub-step
    sn_lanes limit;     // of |Λ| in a sub-step; of hard rows only
    // Of the present positions.
    sn_lanes gradient[3][3];  // of x₁, x₂, x₃; that of x₀ is minus their sum
    sn_lanes inverse_mass[4]; // in the order of the nodes
    sn_lanes mass;            // 1/(κ + γ)
    sn_lanes softness;        // γ/(κ + γ)
    sn_lanes bias;            // as an impulse
    sn_lanes relax_mass;      // 1/κ; of hard rows only
    int32_t measure[SN_LANES];
} sn_bending_block;

// One row.
typedef struct sn_bending_row {
    sn_bending_measure measure;
    int node[4];
    float stiffness, damping, limit, rest, weight[3], share[2]; // as of the block
} sn_bending_row;

void sn_bending_put(sn_element_group *group, int lane, const sn_bending_row *row);

// By measure, and 0 for soft rows or 1 for hard ones: a group has one sort only.
typedef sn_element_kind sn_bending_kinds[SN_BENDING_MEASURES][2];
SN_DECLARE_KERNELS(sn_bending_kinds, sn_element_bending);

// Whether some soft row needs sweeps in both directions.
int sn_bending_unresolved(const sn_element_pass *pass, const void *block);
bool sn_bending_is_stiff(const void *blocks, int block_count, float limit);
// Always true: hard bending rows are not stable in sweeps of one direction.
bool sn_hard_bending_is_stiff(const void *blocks, int block_count, float limit);

#endif

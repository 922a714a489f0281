// Bending rows (methods A.7): between two triangles that share an edge (a hinge), or between two edges of a
// strand that share a node (a joint). One scalar row each, with the gradient of a function of shape alone, so
// that no impulse has a net force or torque, whatever it is.
//
// Hinges have the edge x₀x₁ and the wings x₂, x₃; θ is the angle between their normals, with a sign, so that
// a fold and its mirror image differ; δ = θ − θ₀, the short way round.
//   isometric   C = 2 sin(δ/2)      E = ½ k |e|² C²/(A₀ + A₁), k the flexural rigidity [N m]
//   dihedral    C = δ               the same
//   diagonal    C = (x₂ − m)·(x₃ − m) − C₀, m = ½(x₀ + x₁): Vezzaro's, with the bias −βC. It resists angles
//               only to second order around the flat state, and does not tell a fold from its mirror image.
//
// Isometric bending is usually written as the vector row C⃗ = Σ K_a x_a, constant K, whose length is
// 2|e| sin(θ/2). Impulses of a vector row have the torque C⃗ × Λ⃗, which vanishes only where Λ⃗ is along C⃗:
// not during a sweep, and never with damping, which would also brake rotations of the whole. Its
// components in the sheet mean nothing (they vanish when lengths are kept), so what remains of it is its
// length with the sign of the fold: this row. δ in place of θ is C⃗ − R C⃗₀, R turning along: as stiff
// around a curved rest shape as around a flat one, which |C⃗| − |C⃗₀| is not.
//
// Joints have the middle x₀ and its neighbours x₂, x₃ (x₁ is the dummy); θ is the angle between the edges,
// without a sign: a strand without twist has no side. Around a straight rest shape the row takes the sign
// that continues the sub-step before, so that swinging through the straight state is smooth. (Three nodes
// whose impulses have neither force nor torque can only be pushed within their plane, so there is no vector
// row to prefer here either.)
//   isometric   C = 2 sin(θ/2) − 2 sin(θ₀/2)          E = ½ k C²/l, k = EI [N m²], l the mean of both lengths
//   dihedral    C = θ − θ₀                            the same
//   diagonal    C = (x₂ − x₀)·(x₃ − x₀) − C₀
//
// Diagonal rows have the stiffness that equals the dihedral's at a right angle.
#ifndef SN_SOLVER_BENDING_BLOCK_H
#define SN_SOLVER_BENDING_BLOCK_H

#include "solver/element.h"

typedef enum sn_bending_measure {
    SN_BENDING_HINGE_ISOMETRIC,
    SN_BENDING_HINGE_ANGLE,
    SN_BENDING_HINGE_DIAGONAL,
    SN_BENDING_JOINT_ISOMETRIC,
    SN_BENDING_JOINT_ANGLE,
    SN_BENDING_JOINT_DIAGONAL,
    SN_BENDING_MEASURES
} sn_bending_measure;

typedef struct sn_bending_block {
    int32_t node[4][SN_LANES]; // edge, edge, wing, wing: the world's numbers
    sn_lanes impulse;          // Λ of the last sub-step
    // Of the present positions.
    sn_lanes gradient[3][3];  // of x₁, x₂, x₃; that of x₀ is minus their sum
    sn_lanes inverse_mass[4]; // in the order of the nodes
    sn_lanes mass;            // 1/(κ + γ)
    sn_lanes softness;        // γ/(κ + γ)
    sn_lanes bias;            // as an impulse
    sn_lanes relax_mass;      // 1/κ of hard rows, 0 of soft ones
    // What was given.
    sn_lanes limit;     // of |Λ| in a sub-step
    sn_lanes stiffness; // force conjugate to C by C; 0 for hard
    sn_lanes damping;   // the same by the rate of C
    sn_lanes rest[2];   // sine and cosine of θ₀/2; diagonal: C₀
    sn_lanes enough;    // 1 over what counts as flat: twice the area of a triangle [1/m²], the length of a
                        // strand's edge [1/m]
    int32_t measure[SN_LANES];
} sn_bending_block;

// One row.
typedef struct sn_bending_row {
    sn_bending_measure measure;
    int node[4];
    float stiffness, damping, limit, rest[2], enough;
} sn_bending_row;

void sn_bending_put(sn_element_group *group, int lane, const sn_bending_row *row);

extern const sn_element_kind sn_element_bending_base[SN_BENDING_MEASURES];
extern const sn_element_kind sn_element_bending_avx2[SN_BENDING_MEASURES];
// The build this processor runs.
const sn_element_kind *sn_element_bending(sn_bending_measure measure);

// Whether some row is stiffer than a sweep in one direction can take.
bool sn_bending_is_stiff(const void *blocks, int block_count);
// Adds the energy ½ k C² of soft rows.
void sn_bending_measure_now(const sn_node_state *nodes, const void *blocks, int block_count,
                            sn_element_measure *sum);

#endif

// Anchors: two points held together by a block of three rows (methods A.3). d = p_b − p_a; with the signed
// weights a_i of the nodes and the arms r of the bodies
//
//   K = (Σ w_i a_i²) 1 + Σ_bodies ((1/m) 1 + [r]× I⁻¹ [r]×ᵀ),   ΔP = −K⁻¹ (ḋ + bias) …
//
// Bodies take the impulse where the other side's point is, so that both act at one place and nothing turns by
// itself.
#ifndef SN_SOLVER_ANCHOR_ROWS_H
#define SN_SOLVER_ANCHOR_ROWS_H

#include "solver/end.h"
#include "solver/node_solver.h"
#include "solver/solver.h"

// One end of an anchor.
typedef sn_solver_end sn_anchor_end;

typedef struct sn_anchor_input {
    sn_anchor_end ends[2];
    float compliance, damping;
    float max_force;  // > 0, infinite for none [N]
    sn_vec3 *impulse; // of the last sub-step, on b: warm start
    sn_vec3 *force;   // mean over the step, on b
} sn_anchor_input;

typedef struct sn_anchor_rows sn_anchor_rows;

// What the stage needs; lives in the arena.
typedef struct sn_anchor_stage {
    sn_anchor_input *inputs;
    int count;
    sn_solver *solver;
    sn_anchor_rows *rows;
} sn_anchor_stage;

// The stage for a node solver's list.
sn_mixed_stage sn_anchor_mixed_stage(sn_anchor_stage *stage);

#endif

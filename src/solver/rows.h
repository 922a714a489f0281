// Rows of constraints inside the velocity solver: refreshed from the kinds' functions every sub-step, grouped
// into blocks that are solved together by a small dense factorisation. Scalar; the same code serves every
// kind.
#ifndef SN_SOLVER_ROWS_H
#define SN_SOLVER_ROWS_H

#include "solver/solver.h"

#define SN_BLOCK_ROWS 6

// One row, ready to be solved: gradients and responses W Jᵀ of the two bodies; velocity by ΔΛ = −(J·u + bias
// + γΛ)/(κ + γ), nudge by ΔΛₙ = −(J·nudge + recovery)/κ.
typedef struct sn_solver_row {
    sn_vec3 linear[2], angular[2];
    sn_vec3 linear_response[2], angular_response[2];
    float bias, gamma;
    float recovery;     // speed at which the position error is taken back
    float lower, upper; // limits of Λ [N s]
    float impulse, nudge;
    bool is_nudged; // has a position error to take back: hard rows only
} sn_solver_row;

// Adjacent rows solved together.
typedef struct sn_row_block {
    int first, count;
    float factor[SN_BLOCK_ROWS * (SN_BLOCK_ROWS + 1) /
                 2]; // LDLᵀ of K + γ, row by row, D on the diagonal inverted
} sn_row_block;

typedef struct sn_constraint_rows {
    int row_count, block_count;
    sn_vec3 arm_b;                 // of frame b: torques are reported about its origin
    sn_vec3 force_sum, torque_sum; // impulses on b over the step
    sn_solver_row rows[SN_MAX_ROWS];
    sn_row_block blocks[SN_MAX_ROWS];
} sn_constraint_rows;

// Evaluates the kind at the current positions and applies the kept impulses.
void sn_rows_warm_start(const sn_solver *solver, const sn_constraint_input *input, sn_constraint_rows *rows);
// One sweep over the rows, in order or backwards.
void sn_rows_solve(const sn_solver *solver, const sn_constraint_input *input, sn_constraint_rows *rows,
                   bool backwards);
// Adds the sub-step's impulses to the step's force and torque.
void sn_rows_accumulate(sn_constraint_rows *rows);
// Keeps impulses for the next step and reports the mean force and torque.
void sn_rows_store(const sn_solver *solver, const sn_constraint_input *input, const sn_constraint_rows *rows);

#endif

// Rows of constraints inside the velocity solver: refreshed from the kinds' functions every sub-step, grouped
// into blocks that are solved together by a small dense factorisation. Scalar; the same code serves every
// kind.
#ifndef SN_SOLVER_ROWS_H
#define SN_SOLVER_ROWS_H

#include "solver/solver.h"

#define SN_BLOCK_ROWS 6

// One row, ready to be solved: gradients and responses W Jᵀ of the two bodies, and ΔΛ = −(J·u + bias + γΛ)/(κ
// + γ).
typedef struct sn_solver_row {
    sn_vec3 linear[2], angular[2];
    sn_vec3 linear_response[2], angular_response[2];
    float bias, gamma;
    float curvature;    // J·u the row aims at instead of zero, see sn_rows_refresh
    float lower, upper; // limits of Λ [N s]
    float impulse;
    bool elastic;        // has a stiffness of its own: not relaxed
    bool unilateral_gap; // an SN_ROW_ABOVE row that is not violated: its bias holds in the relaxing sweep too
    bool speed;          // an SN_ROW_SPEED row: likewise
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

// Evaluates the kind at the current positions. `first` says that the rows hold nothing yet: the first
// sub-step of a step.
void sn_rows_refresh(const sn_solver *solver, const sn_constraint_input *input, sn_constraint_rows *rows,
                     bool first);
// Applies the kept impulses.
void sn_rows_warm_start(const sn_solver *solver, const sn_constraint_input *input, sn_constraint_rows *rows);
// One sweep over the rows, first to last or backwards; `relax` leaves the bias out and skips elastic rows.
void sn_rows_solve(const sn_solver *solver, const sn_constraint_input *input, sn_constraint_rows *rows,
                   bool relax, bool backwards);
// Adds the sub-step's impulses to the step's force and torque.
void sn_rows_accumulate(sn_constraint_rows *rows);
// Keeps impulses for the next step and reports the mean force and torque.
void sn_rows_store(const sn_solver *solver, const sn_constraint_input *input, const sn_constraint_rows *rows);

#endif

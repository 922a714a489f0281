// Rows of constraints inside the velocity solver: refreshed from the kinds' functions every sub-step, grouped
// into blocks that are solved together by a small dense factorisation. Scalar; the same code serves every
// kind.
#ifndef SN_SOLVER_ROWS_H
#define SN_SOLVER_ROWS_H

#include "solver/solver.h"

#define SN_BLOCK_ROWS 6

// A row's force for one sub-step: ΔΛ = −(J·u + bias + γΛ)/(κ + γ).
typedef struct sn_row_law {
    float bias, gamma;
    float lower, upper;  // limits of Λ [N s]
    bool elastic;        // has a stiffness of its own: not relaxed
    bool unilateral_gap; // an SN_ROW_ABOVE row that is not violated: its bias holds in the relaxing sweep too
    bool speed;          // an SN_ROW_SPEED row: likewise
} sn_row_law;

// One row, ready to be solved: gradients and responses W Jᵀ of the two bodies where they are now.
typedef struct sn_solver_row {
    sn_vec3 linear[2], angular[2];
    sn_vec3 linear_response[2], angular_response[2];
    sn_row_law law, next; // of this sub-step, and of the one that the next warm start begins
    float half_turn;      // J·u the row aims at instead of zero, see sn_rows_refresh
    float impulse;
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

// Evaluates the kind at the current positions: at the start of the step, when the rows hold nothing yet
// (`first`), and whenever bodies have moved.
void sn_rows_refresh(const sn_solver *solver, const sn_constraint_input *input, sn_constraint_rows *rows,
                     bool first);
// Leaves that part of the kept impulses, all of elastic rows.
void sn_rows_fade(sn_constraint_rows *rows, float part);
// Begins a sub-step: its laws come into force, the kept impulses are applied.
void sn_rows_warm_start(const sn_solver *solver, const sn_constraint_input *input, sn_constraint_rows *rows);
// One sweep over the rows, first to last or backwards; `relax` leaves the bias out and skips elastic rows.
void sn_rows_solve(const sn_solver *solver, const sn_constraint_input *input, sn_constraint_rows *rows,
                   bool relax, bool backwards);
// Adds the sub-step's impulses to the step's force and torque.
void sn_rows_accumulate(sn_constraint_rows *rows);
// What the joint's pull of the last sub-step resists of each body's turning, added to `pulls` by solver
// number: force times arm [N m/rad].
void sn_rows_add_pulls(const sn_constraint_input *input, const sn_constraint_rows *rows, float h,
                       float *pulls);
// Keeps impulses for the next step and reports the mean force and torque.
void sn_rows_store(const sn_solver *solver, const sn_constraint_input *input, const sn_constraint_rows *rows);

#endif

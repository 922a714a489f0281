// Nonlinear projection of positions onto constraints (methods D.1, D.2, hard rows): the position-level use of
// the same kinds that the velocity solver sweeps. One Gauss–Seidel sweep per call.
#ifndef SN_SOLVER_ASSEMBLE_H
#define SN_SOLVER_ASSEMBLE_H

#include "matter/rigid.h"
#include "sinew/constraint.h"

// Moves the two bodies so that the rows, linearised where the bodies are, are met: Δx = W Jᵀ (J W Jᵀ)⁻¹ (−C).
// Satisfied SN_ROW_ABOVE rows (C ≥ 0), springs and motors do nothing; violated SN_ROW_ABOVE rows push and
// never pull: those that would pull, because other rows correct more than enough, are left out.
void sn_project_rows(sn_body *a, sn_body *b, const sn_row *rows, int count);

#endif

// Newmark's rule around the projection of the position solver (methods D.4).
//
// With a the acceleration of the sub-step before and a⁺ that of its end,
//   x⁺ = x + h v + h² ((½ − β) a + β a⁺),   v⁺ = v + h ((1 − γ) a + γ a⁺),   M a⁺ = f + Jᵀλ at x⁺.
// Written as x⁺ = x + h′ u with h′ = √β h, u begins as (h v + h² (½ − β) a)/h′ and changes by h′ W (f + Jᵀλ):
// that is implicit Euler's sub-step of length h′. So nothing changes but the length (sn_sub_step_length) and
// what velocities are before and after. β = ¼, γ = ½ is the trapezoidal rule, which keeps the energy of
// springs; γ above ½ damps, as hard rows need, with β = (γ + ½)²/4.
#ifndef SN_SOLVER_NEWMARK_H
#define SN_SOLVER_NEWMARK_H

#include "solver/stages.h"

// Makes u of the velocities, before forces.
void sn_newmark_begin(sn_run *run);
// Makes velocities and accelerations of u, once everything has moved.
void sn_newmark_end(sn_run *run);

#endif

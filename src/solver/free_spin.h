// Angular momentum of what is free, under the position solver.
//
// Impulses of projection are along the gradients of where a sub-step leads, x₁ = x₀ + h v₁. They have no
// torque there, but Σ x₁ × m v₁ = Σ x₀ × m v₁ is kept only by impulses without torque about x₀: implicit
// directions take a part of some (ωh)² of the angular momentum away in every sub-step. So each island that
// nothing immovable touches gets back what its own impulses took from Σ x₀ × m v, as a rotation of the whole
// about its mass centre, which strains nothing. Of all motions with that angular momentum a rotation has the
// least energy, so nothing can gain more than it had.
#ifndef SN_SOLVER_FREE_SPIN_H
#define SN_SOLVER_FREE_SPIN_H

#include "solver/stages.h"

typedef struct sn_free_spin {
    int *parents;             // union–find over bodies, by solver number, and then ranges of nodes
    struct sn_spin_sum *sums; // by root
} sn_free_spin;

// Takes memory; false without it.
bool sn_free_spin_make(sn_run *run);
// Before impulses of a sub-step act.
void sn_free_spin_begin(sn_run *run);
// After all of them, with bodies and nodes where the sub-step began.
void sn_free_spin_keep(sn_run *run);

#endif

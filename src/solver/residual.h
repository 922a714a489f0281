// How far an iteration of the position solver is from the solution: the residual monitors.
#ifndef SN_SOLVER_RESIDUAL_H
#define SN_SOLVER_RESIDUAL_H

#include "solver/velocity_copy.h"

// The largest error of hard rows where bodies and nodes are now: joints, contacts, edges. [m] or [rad]
float sn_residual_primal(const sn_run *run);
// Σ m (u − v)·(u − w) / Σ m over all that moves, u its velocity and v, w what it was then, and at another
// time. [m²/s²]
double sn_change_product(const sn_run *run, const sn_velocity_copy *then, const sn_velocity_copy *other);
// How much velocities have changed, by their mass: the root of Σ m |Δu|² / Σ m. [m/s]
float sn_residual_dual(const sn_run *run, const sn_velocity_copy *before);

#endif

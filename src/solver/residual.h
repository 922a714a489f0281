// How far an iteration of the position solver is from the solution: the residual monitors.
#ifndef SN_SOLVER_RESIDUAL_H
#define SN_SOLVER_RESIDUAL_H

#include "solver/solver.h"

// The largest error of hard rows where bodies and nodes are now: joints, contacts, edges. [m] or [rad]
float sn_residual_primal(const sn_run *run);
// How much velocities have changed since they were `bodies` and `nodes`, by their mass: the root of
// Σ m |Δu|² / Σ m over all that moves. [m/s]
float sn_residual_dual(const sn_run *run, const sn_solver_velocity *bodies, const sn_node_velocity *nodes);

#endif

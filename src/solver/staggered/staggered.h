// The staggered solver of Vezzaro, Zerbato and Fiorini 2015 (methods A.1, with the errata): one step without
// sub-steps, in which sweeps over the rows between rigid bodies and over the rows that touch a node
// alternate.
//
//   forces change velocities, models those of their nodes
//   a part of the last step's impulses is applied              (warm start)
//   in turn: one sweep over the rows between rigid bodies, one over the rows that touch a node
//   velocities change positions                                (semi-implicit Euler, equations 38 and 39)
//
// All rows read and write the same velocities, so taking turns is an order of Gauss–Seidel, not a splitting:
// with enough iterations every row is met. A row is ΔΛ = (ζ − J·u)/κ with ζ = −βC and β = correction/h (A.1),
// clamped. Elastic rows, which the paper does not have, are those of the velocity solver (0.1). Contacts and
// anchors of solids use a rigid-mode correction (staggered_rigid_mode.h).
#ifndef SN_SOLVER_STAGGERED_STAGGERED_H
#define SN_SOLVER_STAGGERED_STAGGERED_H

#include "solver/solver.h"

// One step. False, before anything has moved, without memory.
void sn_staggered_run(sn_run *run);

#endif

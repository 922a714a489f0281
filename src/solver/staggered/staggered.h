// The staggered solver of Vezzaro, Zerbato and Fiorini 2015 (methods A.1, with the errata): one step at a
// time, rows between rigid bodies and rows that touch a node swept in turn.
//
//   forces change velocities, models their nodes'
//   a part of the last step's impulses is applied              (warm start; none by default)
//   in turn: one sweep over the rows between rigid bodies, one over the rows that touch a node
//   velocities change positions                                (semi-implicit Euler, equations 38 and 39)
//
// All rows read and write the same velocities, so that taking turns is an order of Gauss–Seidel and no
// splitting: with enough iterations it meets every row. A row is ΔΛ = (ζ − J·u)/κ with ζ = −βC and
// β = correction/h (A.1), clamped. Elastic rows, which the paper does not have, are those of the velocity
// solver (0.1). Contacts and anchors of solids reckon with their whole bodies (staggered_rigid_mode.h).
#ifndef SN_SOLVER_STAGGERED_STAGGERED_H
#define SN_SOLVER_STAGGERED_STAGGERED_H

#include "solver/solver.h"

// One step. False, before anything has moved, without memory.
void sn_staggered_run(sn_run *run);

#endif

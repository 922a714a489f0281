// Forces of weak elements (element.h), explicit and held over several sub-steps.
//
// A push gives all impulses of a span of sub-steps at once. Given at once they would jolt the hard rows every
// few sub-steps, and cloth at rest would shiver. So pushes are tried on a copy of the velocities, and every
// sub-step of the span takes its share of the change: a constant force, as in multiple time stepping
// (Tuckerman, Berne and Martyna 1992, without the resonances of their impulses). What it damps lags behind by
// half a span, against which spans are short.
#ifndef SN_SOLVER_NODES_MULTIRATE_FORCE_H
#define SN_SOLVER_NODES_MULTIRATE_FORCE_H

#include "solver/nodes/node_solver.h"

// Room for what is held, once spans are known. False without memory.
bool sn_weak_begin(sn_node_solver *solver);
// What weak elements push in this sub-step.
void sn_multirate_force(sn_node_solver *solver);

#endif

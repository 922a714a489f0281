// Multirate forces: elements so soft that explicit forces are stable (multirate_span in element.h) are
// evaluated once for several sub-steps.
//
// The element's push function computes the impulse of a whole span of sub-steps. Applied at once it would
// disturb the hard rows every few sub-steps, and cloth at rest would shiver. So it acts on a copy of the
// velocities, and every sub-step of the span receives its share of the change: a constant force, as in
// multiple time stepping (Tuckerman, Berne and Martyna 1992), without the resonances of their impulses.
// Damping lags by half a span, which is why spans are short.
#ifndef SN_SOLVER_NODES_MULTIRATE_FORCE_H
#define SN_SOLVER_NODES_MULTIRATE_FORCE_H

#include "solver/nodes/node_solver.h"

// Takes memory, once spans are known. False without.
bool sn_multirate_begin(sn_node_solver *solver);
// Finds the forces of such elements in this sub-step: the shares that ranges of nodes get with their other
// forces; those that last one sub-step act at once.
void sn_multirate_force(sn_node_solver *solver);

#endif

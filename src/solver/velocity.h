// The velocity solver: see solver.h.
#ifndef SN_SOLVER_VELOCITY_H
#define SN_SOLVER_VELOCITY_H

#include "solver/solver.h"

// Runs all sub-steps of a step whose rows are ready.
void sn_velocity_run(sn_run *run);

#endif

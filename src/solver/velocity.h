// The velocity solver: see solver.h.
#ifndef SN_SOLVER_VELOCITY_H
#define SN_SOLVER_VELOCITY_H

#include "solver/solver.h"

// Runs all sub-steps. False, before anything has moved, without memory.
bool sn_velocity_run(sn_solver *solver);

#endif

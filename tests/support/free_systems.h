// Systems that nothing holds and whatever carries loads past rows acts in: levels of chains, ropes and
// sheets, planes of hinges, unions. Shared by the momentum test and the benchmark.
#ifndef TESTS_SUPPORT_FREE_SYSTEMS_H
#define TESTS_SUPPORT_FREE_SYSTEMS_H

#include "support/cluster.h"

enum { FREE_SYSTEMS = 8 };

const char *free_system_name(int index);

/// Sets a system going, drifting and spinning, without gravity: how much its momenta change in all, against
/// the sums of the sizes of their parts.
momentum_drift free_system_drift(int index, sn_vec3 drift, int steps);

#endif

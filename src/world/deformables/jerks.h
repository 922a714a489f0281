// Bodies that hang on nodes and fall until these are taut.
#ifndef SN_WORLD_DEFORMABLES_JERKS_H
#define SN_WORLD_DEFORMABLES_JERKS_H

#include "world/core/hanging_loads.h"

// Calls `function` for every constraint between nodes and a body that may bring the body to a stop in a step
// of this duration, with the square of the rate ω at which hard edges must swing to stretch by no more than
// SN_STRETCH_LIMIT then. [1/s²]
typedef void sn_jerk_function(void *context, int body, float rate2);
void sn_world_each_jerk(const sn_world *world, const sn_hung_bodies *hung, float duration,
                        sn_jerk_function *function, void *context);

#endif

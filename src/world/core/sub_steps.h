// Classes of islands: those that take the same number of sub-steps are solved in one run of the solver.
#ifndef SN_WORLD_CORE_SUB_STEPS_H
#define SN_WORLD_CORE_SUB_STEPS_H

#include "world/core/world.h"

// Sorts what is awake into classes; memory is the arena's. False without memory.
bool sn_world_classify_islands(sn_world *world, float duration, sn_solve_classes *classes);

// loads.c: adds what carries, and what stretches all the same.
void sn_world_count_loads(const sn_world *world, sn_statistics *s);

#endif

// Classes of islands: those that take the same number of sub-steps are solved in one run of the solver.
#ifndef SN_WORLD_CORE_SUB_STEPS_H
#define SN_WORLD_CORE_SUB_STEPS_H

#include "world/core/world.h"

// Sorts what is awake into classes; memory is the arena's. False without memory.
bool sn_world_classify_islands(sn_world *world, float duration, sn_solve_classes *classes);

// Whether an anchor between nodes and a body (exact_plan.h: hangers) hangs one on the nodes that is awake and
// dynamic: which.
bool sn_world_hangs_body(const sn_world *world, const sn_constraint_common *def, int *body,
                         const sn_point **nodes);

// loads.c: adds what carries, and what stretches all the same.
void sn_world_count_loads(const sn_world *world, sn_statistics *s);

#endif

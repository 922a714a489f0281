// What becomes of velocities where the guard cut motions. Tested by tests/physics/soft/test_soft_guard.c.
#ifndef SN_WORLD_DEFORMABLES_DEFORMABLE_GUARD_HITS_H
#define SN_WORLD_DEFORMABLES_DEFORMABLE_GUARD_HITS_H

#include "collision/guard/soft_guard.h"
#include "world/core/world.h"

// What was cut loses the motion that others were in the way of.
void sn_world_lose_hits(sn_world *world, const sn_soft_scene *scene, const sn_soft_guard *guard);

#endif

// Impacts of what the guard cut.
#ifndef SN_WORLD_DEFORMABLES_GUARD_HITS_H
#define SN_WORLD_DEFORMABLES_GUARD_HITS_H

#include "collision/guard/soft_guard.h"

struct sn_world;

// After positions were cut: the two sides of every hit lose the speed at which they approach each other.
void sn_world_apply_hits(struct sn_world *world, const sn_soft_scene *scene, const sn_soft_guard *guard);

#endif

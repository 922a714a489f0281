// The impulses that bodies need which were added at rest.
#ifndef SN_WORLD_CORE_COLD_START_H
#define SN_WORLD_CORE_COLD_START_H

#include "world/core/world.h"

// Finds them for the islands with new bodies, for a step of that duration; memory is the arena's. False
// without memory.
bool sn_world_start_contacts(sn_world *world, float duration);

#endif

// Light bodies between heavy ones: what joints of a chain that nothing holds have to carry.
#ifndef SN_WORLD_CORE_BRIDGED_LOADS_H
#define SN_WORLD_CORE_BRIDGED_LOADS_H

#include "world/core/world.h"

// A joint by which two heavy bodies act on each other, through light ones.
typedef struct sn_bridged_load {
    int body;    // the lighter end of the joint
    float ratio; // of the mass of the lighter of the heavy bodies to its own
} sn_bridged_load;

typedef struct sn_bridged_loads {
    sn_bridged_load *data;
    int count;
} sn_bridged_loads;

// Lists those with a ratio above `least`, one for each pair of heavy bodies that light ones connect. Memory
// is the arena's. False without memory.
bool sn_world_find_bridged_loads(sn_world *world, float least, sn_bridged_loads *loads);

#endif

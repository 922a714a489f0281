// Heavy bodies that lie on light nodes: by how much, and whether what holds the nodes bears them.
#ifndef SN_WORLD_CORE_PRESSING_LOADS_H
#define SN_WORLD_CORE_PRESSING_LOADS_H

#include "world/core/world.h"

typedef struct sn_pressing_load {
    int body;
    float ratio; // of its mass to that of the nodes below it
} sn_pressing_load;

typedef struct sn_pressing_loads {
    sn_pressing_load *data;
    int count;
    uint8_t
        *is_borne; // by body: the nodes hardly move before what holds them bears it (node_reach.h); or null
} sn_pressing_loads;

// Lists those with a ratio above `least`, in the order of their numbers. Memory is the arena's. False without
// memory.
bool sn_world_find_pressing_loads(sn_world *world, float least, float duration, sn_pressing_loads *loads);

#endif

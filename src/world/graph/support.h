// Bodies that stand: their contacts hold them up, so that they need not be solved.
#ifndef SN_WORLD_GRAPH_SUPPORT_H
#define SN_WORLD_GRAPH_SUPPORT_H

#include "world/core/world.h"

// After contacts were found: releases what is hit, carried away or loaded otherwise than before. False
// without memory.
bool sn_stage_release(sn_world *world, float duration);
// When a step ends: bodies that have stood long enough are supported from now on.
void sn_stage_support(sn_world *world, float duration);

#endif

// The input of the solver of nodes for balls that hold nodes.
#ifndef SN_WORLD_CONSTRAINTS_ANCHORS_H
#define SN_WORLD_CONSTRAINTS_ANCHORS_H

#include "world/core/world.h"

#define SN_COOKIE_ANCHOR 0x534e414eu

// Whether one end takes part in the step: a body with a number, or an awake deformable.
bool sn_anchor_takes_part(const sn_world *world, int index, const int *number);

#endif

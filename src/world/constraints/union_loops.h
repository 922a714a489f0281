// How joints that close loops share what the members of a union need: as elastic links would.
#ifndef SN_WORLD_CONSTRAINTS_UNION_LOOPS_H
#define SN_WORLD_CONSTRAINTS_UNION_LOOPS_H

#include "world/constraints/unions.h"

// What a member still needs from its joints: impulse, and angular impulse about its mass centre.
typedef struct sn_union_need {
    sn_vec3 linear, angular;
} sn_union_need;

// Forces and torques of the joints of those unions that have loops and may break; takes from `needs`, by
// place, what these give. What is left is for the tree. Without memory nothing is done.
void sn_union_loops_share(sn_world *world, float duration, sn_union_need *needs);

#endif

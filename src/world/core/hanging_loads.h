// Bodies that hang on nodes of deformables by anchors, or by other hard constraints that carry weight.
#ifndef SN_WORLD_CORE_HANGING_LOADS_H
#define SN_WORLD_CORE_HANGING_LOADS_H

#include "world/core/world.h"

// Whether a constraint between nodes and a body (exact_plan.h: hangers) hangs one on the nodes that is awake
// and dynamic: which.
bool sn_world_hangs_body(const sn_world *world, const sn_constraint_common *def, int *body,
                         const sn_point **nodes);

// What hangs on nodes, in memory for all bodies, in zeros.
#define SN_HUNG_BYTES_A_BODY (2 * (sizeof(int) + sizeof(float)))
sn_hung_bodies sn_world_find_hung(const sn_world *world, void *memory);

// The mass that a body can hang on the nodes of a deformable that it is tied to. [kg]
float sn_world_hanging_mass(const sn_world *world, const sn_hung_bodies *hung, int deformable, int body);

// Calls `function` for every such constraint with the ratio of that mass to the mass of all nodes that hold
// the body, and whether bounds carry it past these.
typedef void sn_hanging_function(void *context, int body, float ratio, bool is_carried);
void sn_world_each_hanging(const sn_world *world, const sn_hung_bodies *hung, sn_hanging_function *function,
                           void *context);

#endif

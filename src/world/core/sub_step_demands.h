// How many sub-steps islands ask for: by what hangs, lies and pulls on them.
#ifndef SN_WORLD_CORE_SUB_STEP_DEMANDS_H
#define SN_WORLD_CORE_SUB_STEP_DEMANDS_H

#include "world/core/bridged_loads.h"
#include "world/core/hanging_loads.h"
#include "world/core/pressing_loads.h"
#include "world/core/settle.h"

// The default sub-steps hold bodies that weigh this many times as much as the nodes that hold them, or as the
// bodies that join them.
#define SN_LIGHT_LOAD 100.0f

// Without islands all of the world is one.
typedef struct sn_sub_step_demands {
    const sn_world *world;
    const sn_islands *islands; // null: one
    const sn_solve_classes *classes;
    float duration;
    float *wanted;              // by place of an island's root
    uint8_t *causes, *presses;  // the same: sn_sub_step_cause, and whether something lies on it; or null
    const sn_hung_bodies *hung; // null if nothing hangs on nodes
    sn_bridged_loads bridges;
    sn_pressing_loads pressing;
} sn_sub_step_demands;

// Raises what is wanted to what anything asks for.
void sn_world_ask_for_sub_steps(const sn_sub_step_demands *demands);

// The least an island takes.
float sn_world_least_sub_steps(const sn_world *world, float duration, bool deforms);

#endif

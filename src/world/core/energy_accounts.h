// Which islands have an energy account (solver/energy_ledger.h), and what is in it when a step begins.
//
// Islands with constraints, deformables whose model or integrator is no row, and springs and solids under the
// position solver have one: there energy can come from nowhere. Those that are driven from outside have none:
// by moving kinematic bodies and surfaces, motors, custom constraints, anchors on their way, moved nodes, air
// and pressure. Whatever was driven, or changed by the user, is measured anew when it is left alone: springs
// hold what they hold.
#ifndef SN_WORLD_CORE_ENERGY_ACCOUNTS_H
#define SN_WORLD_CORE_ENERGY_ACCOUNTS_H

#include "solver/energy_ledger.h"
#include "world/core/world.h"

// The islands of a step; in the arena.
typedef struct sn_energy_islands {
    sn_islands islands;
    uint8_t *traits; // by root
    float *masses;   // by place
} sn_energy_islands;

// Null islands if no island has an account. False without memory.
bool sn_energy_islands_find(sn_world *world, float duration, sn_energy_islands **found);
// The ledger of the class of islands that is being solved; null for none. False without memory.
bool sn_energy_ledger_load(sn_world *world, const sn_energy_islands *energy, const int *number,
                           sn_solver *solver);
// Members get their shares.
void sn_energy_ledger_store(sn_world *world, const sn_energy_islands *energy, const sn_solver *solver);

#endif

// Which islands have an energy account (solver/energy_ledger.h), and what is in it when a step begins.
//
// Islands with constraints, deformables whose model or integrator is no row, and springs and solids under the
// position solver have one: there energy can come from nowhere. Those that moving kinematic bodies, motors or
// wind drive may gain, in a step, what their mass has at twice the speed of these, and what lifts it with
// that speed. Those that are driven otherwise have no account: by moving surfaces, custom constraints,
// anchors on their way, moved nodes and pressure. Whatever is driven, or was changed by the user, is measured
// anew: springs hold what they hold.
#ifndef SN_WORLD_CORE_ENERGY_ACCOUNTS_H
#define SN_WORLD_CORE_ENERGY_ACCOUNTS_H

#include "solver/energy_ledger.h"
#include "world/core/world.h"

// The islands of a step; in the arena.
typedef struct sn_energy_islands {
    sn_islands islands;
    uint8_t *traits;   // by root
    sn_bounds *bounds; // the same, of all members
    float *speeds;     // the same: at most that of what drives it, anywhere within these bounds [m/s]
    float *masses;     // by place
    float duration;    // of the step [s]
} sn_energy_islands;

// Null islands if no island has an account. False without memory.
bool sn_energy_islands_find(sn_world *world, float duration, sn_energy_islands **found);
// The ledger of the class of islands that is being solved; null for none. False without memory.
bool sn_energy_ledger_load(sn_world *world, const sn_energy_islands *energy, const int *number,
                           sn_solver *solver);
// Members get their shares.
void sn_energy_ledger_store(sn_world *world, const sn_energy_islands *energy, const sn_solver *solver);

#endif

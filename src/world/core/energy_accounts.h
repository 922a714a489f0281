// Which islands have an energy account (solver/energy_ledger.h), and what is in it when a step begins.
//
// Islands with constraints, deformables whose model or integrator is no row, and springs and solids under the
// position solver have one: there energy can come from nowhere. Those that moving kinematic bodies, motors or
// wind drive may gain, in a step, what their mass has at twice the speed of these, and what lifts it with
// that speed. Those that are driven otherwise have no account: by moving surfaces, custom constraints,
// anchors on their way, moved nodes and pressure. Whatever is driven, or was changed by the user, is measured
// anew: springs hold what they hold. What is lost by friction and blows is paid in like all that motion gives
// up, so accounts are reviewed now and then: they hold no more than springs and rows can.
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

// The body or deformable at a place of the islands; −1 if it is not dynamic and awake.
int sn_energy_member_at(const sn_world *world, const sn_energy_islands *energy, int place);
// The root of a member's island, −1 for none.
int sn_energy_root_of(const sn_world *world, const sn_energy_islands *energy, int member);
bool sn_energy_has_account(const sn_energy_islands *energy, int root);
// What the member at a place may gain in any case. [J]
double sn_energy_slack(const sn_world *world, const sn_energy_islands *energy, int place);
// Adds what a constraint stores [J]. False if nobody can tell.
bool sn_energy_add_constraint(const sn_world *world, const sn_energy_islands *islands, int index,
                              double *energy);
// energy_review.c: lowers accounts to what their islands can hold. False without memory.
bool sn_energy_review(sn_world *world, const sn_energy_islands *energy);

// Null islands if no island has an account. False without memory.
bool sn_energy_islands_find(sn_world *world, float duration, sn_energy_islands **found);
// The ledger of the class of islands that is being solved; null for none. False without memory.
bool sn_energy_ledger_load(sn_world *world, const sn_energy_islands *energy, const int *number,
                           sn_solver *solver);
// Members get their shares.
void sn_energy_ledger_store(sn_world *world, const sn_energy_islands *energy, const sn_solver *solver);

#endif

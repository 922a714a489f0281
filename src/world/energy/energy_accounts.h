// Which islands have an energy account (solver/energy/energy_ledger.h), and what is in it when a step begins.
//
// Islands with constraints, deformables whose model or integrator is no row, springs and solids under the
// position solver, and under the staggered one those without hard edges have one: there energy can come from
// nowhere. What drives them is measured (solver/energy/energy_work.c); what moved nodes may give is bounded
// by the mass that they pull and its speed. What users add or change is measured anew: springs hold what they
// hold.
#ifndef SN_WORLD_CORE_ENERGY_ACCOUNTS_H
#define SN_WORLD_CORE_ENERGY_ACCOUNTS_H

#include "matter/rigid_motion.h"
#include "solver/energy/energy_ledger.h"
#include "world/core/world.h"

// What is known of an island in a step.
enum {
    SN_ENERGY_LINKED = 1,    // it has constraints, or a model that is no row
    SN_ENERGY_EXEMPT = 2,    // nobody can tell what it is given
    SN_ENERGY_HELD = 4,      // by something that does not move
    SN_ENERGY_DRIVEN = 8,    // by something that moves it with a speed
    SN_ENERGY_SPRINGY = 16,  // it has elements that iterations of the position solver may not resolve
    SN_ENERGY_SOFT = 32,     // it has deformables
    SN_ENERGY_MOVED = 64,    // by moved nodes, whose work nobody measures: they may give again in every step
    SN_ENERGY_JUMPS = 128,   // exact anchors pull it to its place in this step
    SN_ENERGY_PRESSED = 256, // by a pressure inside, whose work is known over whole steps
    SN_ENERGY_RECOVERED = 512, // put into its rest shape when this step began, and cut back by the guard
    SN_ENERGY_MUTE = 1024,     // it has a model that cannot tell what it stores
    SN_ENERGY_BLOWN = 2048,    // wind drives it
    SN_ENERGY_EXACT = 4096     // it has anchors that are held exactly
};

// An island over a whole step.
typedef struct sn_energy_balance {
    bool is_kept;       // else nobody can tell what it is given
    bool is_pushed;     // by forces of users, which only solvers see
    bool is_lent;       // what is given and not used is taken away again
    bool is_lost;       // something of it is not finite, or gained what its motion cannot give back
    double begun, fast; // kinetic and potential energy when the step begins; the kinetic one of these [J]
    double stored;      // when it begins, with what drives it [J]
    double given;       // of that, what moved nodes may give within the step [J]
    float pulled;       // by these, with this speed [m/s]
    float driver_speed; // of the fastest point that drives it; infinite where nobody can tell [m/s]
    sn_bounds extent;   // of all its members
    float lengthened;   // by so much its deformables are longer than at rest, in all [m]
    double left;        // what is stored when the step ends [J]
    double peak, slack; // as in its account [J]
    double lifted;      // out of deep overlaps [J]
    double rise;        // exact anchors that jump, or recovery, may lift it so high [m]
    double raised;      // its potential energy, in this step [J]
    double driven;      // work of what drives it (solver/energy/energy_work.c) [J]
    double taken;       // back, within the step [J]
    double mass;        // [kg]
    double ended, due;  // kinetic and potential energy when the step ends; what of it is taken back [J]
} sn_energy_balance;

// Of an island that gives something back.
typedef struct sn_energy_slowing {
    sn_rigid_motion whole;
    double rest;       // kinetic energy of the motion beyond that [J]
    float less;        // of that motion
    float turned_less; // of the turning of the whole
} sn_energy_slowing;

// The islands of a step; in the arena.
typedef struct sn_energy_islands {
    sn_islands islands;
    uint16_t *traits;            // by root
    float *masses;               // by place
    float duration;              // of the step [s]
    sn_energy_balance *balances; // by root
    sn_energy_slowing *slowings; // the same, when a step ends
} sn_energy_islands;

// The body or deformable at a place; −1 for none that moves.
int sn_energy_member(const sn_world *world, const sn_energy_islands *energy, int place);
// The root of its island; −1 for none.
int sn_energy_root(const sn_world *world, const sn_energy_islands *energy, int member);
bool sn_energy_has_deformable(const sn_world *world, int index); // that is awake
float sn_energy_rest_size(const sn_deformable_data *data);       // [m]
// Whether an island has a balance over a step, and an account within it.
bool sn_energy_has_balance(const sn_energy_islands *energy, int root);
bool sn_energy_is_held(const sn_energy_islands *energy, int root);
bool sn_energy_is_driven(const sn_energy_islands *energy, int root);

// energy_drivers.c: how fast what drives islands is, and how large these are.
void sn_energy_find_drivers(const sn_world *world, const sn_energy_islands *energy);
// How much may be stored beyond what rows and elements tell, and given within a step; infinite where nothing
// drives [J].
double sn_energy_most_lost(const sn_energy_islands *energy, int root);
double sn_energy_most_driven(const sn_energy_islands *energy, int root, double gravity);

// energy_store.c: of what users have changed and what is driven; `measured` is zero, three for each place.
void sn_energy_measure_stores(const sn_world *world, const sn_energy_islands *energy, double *measured);
// What the constraints of a member store where it is now, but exact anchors, which store nothing [J].
double sn_energy_of_constraints(const sn_world *world, int first_constraint, float duration);
// Null islands if no island has an account. False without memory.
bool sn_energy_islands_find(sn_world *world, float duration, sn_energy_islands **found);
// The ledger of the class of islands that is being solved; null for none. False without memory.
bool sn_energy_ledger_load(sn_world *world, const sn_energy_islands *energy, const int *number,
                           sn_solver *solver);
void sn_energy_ledger_store(sn_world *world, const sn_energy_islands *energy, const sn_solver *solver);
// When the step ends members get their shares.
void sn_energy_share_out(const sn_world *world, const sn_energy_islands *energy);

// --- energy_balance.c: the same over a whole step, with all that changes motion outside of solvers ---------

void sn_energy_balances_open(const sn_world *world, const sn_energy_islands *energy);
// Its island goes back to where the step began.
void sn_energy_note_lost(const sn_world *world, const sn_energy_islands *energy, int member);
// After all that moves anything. What was gained from nowhere is taken back.
void sn_energy_balances_close(sn_world *world, const sn_energy_islands *energy);

#endif

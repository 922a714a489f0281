// The energy of islands: what rows, models and exact anchors do in a sub-step may store what motion gives up
// and give it back later, but nothing else.
//
// Each island has an account. In every sub-step the change of its kinetic energy, less the work of gravity
// and of users' forces, is taken from what is stored there: springs that are strained, contacts that are
// pressed, brakes and losses pay in, springs that are let go draw. Where more was drawn than was ever paid
// in, energy has come from nowhere: from warm starts that were wrong, gradients that were out of date,
// explicit integrators beyond their limit, nodes put where they belong. That is taken back from what gained
// it.
//
// Taken back from each body and node in proportion to what it has gained beyond the motion of the island as a
// whole, so that momentum is kept, and what did not gain is not braked; where something immovable holds the
// island, beyond rest.
//
// Balances of whole steps (world/energy/energy_balance.c) do not replace it: without it, what explodes within
// a step is only seen when it is too late, and the step is begun anew, in most steps of random worlds 43, 61
// and
// 69. Nor does it replace them: without them, worlds 118 and 134 gain energy outside of sub-steps.
#ifndef SN_SOLVER_ENERGY_LEDGER_H
#define SN_SOLVER_ENERGY_LEDGER_H

#include "solver/solver.h"
#include "solver/stages.h"

typedef struct sn_energy_account {
    double stored;        // may be negative by SN_FREE_GAIN of the peak [J]
    double most_driven;   // what drives may give so much in this step [J]
    double aside;         // by its work beyond that [J]
    double driven;        // work of what drives it, in this step [J]
    double peak;          // the largest kinetic energy when a step began, so far [J]
    double slack;         // may be gained in any case [J]
    double taken;         // back, in this step [J]
    double lifted;        // out of deep overlaps in this step [J]
    double liftable;      // at most so much [J]
    double mass, gravity; // [kg], [m/s²]
    bool is_watched;      // else only that work is measured
    bool is_held;         // something that is not dynamic touches or holds it, or an axis is locked
} sn_energy_account;

// Integration errors come and go: so much of the largest kinetic energy may be gained.
#define SN_FREE_GAIN 0.005

typedef struct sn_energy_ledger {
    // In: filled by the caller.
    sn_energy_account *accounts;
    int count;
    int *of_body;       // by solver number: its account; −1 for none
    int *of_range;      // the same by range of nodes
    const int *of_root; // for the caller
    bool has_drivers;   // something of it is driven
    // Taken from the arena.
    struct sn_ledger_work *work;
} sn_energy_ledger;

// Takes memory; false without it. A solver's ledger may be null.
bool sn_ledger_begin(sn_solver *solver);
static inline bool sn_ledger_has_drivers(const sn_solver *solver)
{
    return solver->ledger != NULL && solver->ledger->has_drivers;
}

// energy_work.c: −1 for none.
int sn_ledger_account_of_node(const sn_solver *solver, int node);
void sn_ledger_add_work(double *work, int account, double done);
// Adds the work of what drives, by account.
void sn_run_add_work(const sn_run *run, sn_work_phase phase, double *work);

// Around a sub-step.
void sn_run_open_ledger(sn_run *run);
void sn_run_note_lifts(sn_run *run);   // after what overlaps deeply was pushed apart
void sn_run_check_ledger(sn_run *run); // before velocities change positions
void sn_run_open_work(sn_run *run);    // before impulses are summed up
void sn_run_close_ledger(sn_run *run);

// energy_taking.c: angular momentum of what is free, under the position solver, whose impulses are along the
// gradients of where a sub-step leads, x₁ = x₀ + h v₁. They have no torque there, but Σ x₁ × m v₁ = Σ x₀ × m
// v₁ is kept only by impulses without torque about x₀: implicit directions take some (ωh)² of it away in
// every sub-step. So each island that nothing immovable touches gets back what its own impulses took, as a
// rotation of the whole about its mass centre, which strains nothing. Of all motions with that angular
// momentum a rotation has the least energy, so nothing can gain more than it had. Tested by
// tests/physics/test_position_momentum.c.
void sn_run_note_turning(sn_run *run); // before impulses of a sub-step act
void sn_run_keep_turning(sn_run *run); // after all of them, with bodies and nodes where it began
// The same file: impulses of joints and coupling rows, of wild units or, without them, of all, are forgotten.
void sn_run_drop(sn_run *run, const sn_wild_units *wild);

#endif

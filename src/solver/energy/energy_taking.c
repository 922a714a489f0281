// What is due is taken back (energy_ledger.h): from bodies and nodes that gained it, beyond the motion of
// their island as a whole. Tested by tests/world/energy/test_energy_accounts.c.
#include "solver/energy/energy_units.h"

#include <math.h>
#include <string.h>

enum { MOST_ROUNDS = 4 };
// Gains of more than this part of what an island has are no error of integration.
#define WILD 0.05

static bool is_free(const sn_solver *solver, int account)
{
    return solver->ledger->work->due[account] > 0.0 && !solver->ledger->accounts[account].is_held;
}

// The motion of accounts as a whole, now or when the sub-step began.
static void find_motions(const sn_solver *solver, sn_rigid_motion *motions, bool now)
{
    memset(motions, 0, (size_t)solver->ledger->count * sizeof *motions);
    for (sn_unit_walk walk = sn_unit_walk_begin(solver, true); sn_unit_next(&walk);) {
        const sn_ledger_unit *unit = &walk.unit;
        if (is_free(solver, unit->account)) {
            sn_motion_add_mass(&motions[unit->account], (double)unit->mass.x, sn_unit_place(solver, unit),
                               now ? sn_unit_linear(solver, unit) : unit->linear);
        }
    }
    for (int i = 0; i < solver->ledger->count; ++i) {
        sn_motion_find_linear(&motions[i]);
    }
    for (sn_unit_walk walk = sn_unit_walk_begin(solver, true); sn_unit_next(&walk);) {
        const sn_ledger_unit *unit = &walk.unit;
        if (is_free(solver, unit->account)) {
            sn_rigid_motion *motion = &motions[unit->account];
            sn_motion_add_spin(motion, unit->mass.x, sn_unit_place(solver, unit),
                               now ? sn_unit_linear(solver, unit) : unit->linear);
            sn_motion_add_inertia(motion, sn_unit_inertia(solver, unit),
                                  now ? sn_unit_angular(solver, unit) : unit->angular);
        }
    }
    for (int i = 0; i < solver->ledger->count; ++i) {
        sn_motion_find_angular(&motions[i]);
    }
}

static double rest_energy(const sn_solver *solver, const sn_ledger_unit *unit, const sn_rigid_motion *motion,
                          sn_vec3 linear, sn_vec3 angular)
{
    sn_vec3 carried = sn_motion_carried(motion, sn_unit_place(solver, unit));
    return sn_unit_energy(solver, unit, sn_sub(linear, carried), sn_sub(angular, motion->angular));
}

static void find_gainers(const sn_solver *solver, sn_ledger_work *work)
{
    const sn_rigid_motion *before = work->motions + solver->ledger->count;
    memset(work->gained, 0, (size_t)solver->ledger->count * sizeof *work->gained);
    for (sn_unit_walk walk = sn_unit_walk_begin(solver, false); sn_unit_next(&walk);) {
        const sn_ledger_unit *unit = &walk.unit;
        double *gain = &work->unit_gains[walk.index];
        *gain = 0.0;
        if (work->due[unit->account] > 0.0 && !unit->is_led) {
            double now = rest_energy(solver, unit, &work->motions[unit->account],
                                     sn_unit_linear(solver, unit), sn_unit_angular(solver, unit));
            double then = rest_energy(solver, unit, &before[unit->account], unit->linear, unit->angular);
            *gain = now > then ? now - then : 0.0;
            work->gained[unit->account] += *gain;
        }
    }
}

static void change_velocity(const sn_solver *solver, const sn_ledger_unit *unit, sn_vec3 linear,
                            sn_vec3 angular)
{
    if (unit->body >= 0) {
        sn_solver_velocity *velocity = &solver->velocities[unit->body];
        sn_put3(velocity->linear, sn_add(sn_take3(velocity->linear), linear));
        sn_put3(velocity->angular, sn_add(sn_take3(velocity->angular), angular));
    } else {
        sn_vec3 *velocity = sn_unit_node_velocity(solver, unit);
        *velocity = sn_add(*velocity, linear);
    }
}

// Each unit that gained gives its part of what is due, and no more than all it has beyond the island's
// motion.
static void brake_gainers(const sn_solver *solver, sn_ledger_work *work)
{
    for (sn_unit_walk walk = sn_unit_walk_begin(solver, false); sn_unit_next(&walk);) {
        const sn_ledger_unit *unit = &walk.unit;
        double due = work->due[unit->account], gained = work->gained[unit->account];
        double gain = work->unit_gains[walk.index];
        if (!(due > 0.0) || !(gain > 0.0)) {
            continue;
        }
        const sn_rigid_motion *motion = &work->motions[unit->account];
        sn_vec3 linear = sn_unit_linear(solver, unit), angular = sn_unit_angular(solver, unit);
        double rest = rest_energy(solver, unit, motion, linear, angular), part = due / gained * gain;
        float less = part < rest ? sqrtf((float)((rest - part) / rest)) - 1.0f : -1.0f;
        sn_vec3 carried = sn_motion_carried(motion, sn_unit_place(solver, unit));
        change_velocity(solver, unit, sn_scale(sn_sub(linear, carried), less),
                        sn_scale(sn_sub(angular, motion->angular), less));
    }
}

// The motion of the whole is given back what it had, and now has not.
static void restore_motions(const sn_solver *solver, const sn_ledger_work *work)
{
    for (sn_unit_walk walk = sn_unit_walk_begin(solver, true); sn_unit_next(&walk);) {
        const sn_ledger_unit *unit = &walk.unit;
        if (is_free(solver, unit->account)) {
            const sn_rigid_motion *had = &work->motions[unit->account], *has = had + solver->ledger->count;
            sn_vec3 place = sn_unit_place(solver, unit);
            change_velocity(solver, unit,
                            sn_sub(sn_motion_carried(had, place), sn_motion_carried(has, place)),
                            sn_sub(had->angular, has->angular));
        }
    }
}

// Whether more is due: of speeds that are many times too large, rounding leaves a good deal.
static bool settle_accounts(const sn_solver *solver, sn_ledger_work *work)
{
    double *left = work->gained; // which is found anew in every round
    bool any = false;
    sn_ledger_sum_kinetic(solver, left);
    for (int i = 0; i < solver->ledger->count; ++i) {
        if (work->due[i] > 0.0) {
            work->due[i] -= work->kinetic[i] - left[i];
            work->kinetic[i] = left[i];
            any = any || work->due[i] > 0.0;
        }
    }
    return any;
}

// What is left is in the turning of the whole, which explicit integrators may drive: it is taken from all
// that moves relative to the mass centre, or to rest.
static void slow_down(const sn_solver *solver, sn_ledger_work *work)
{
    find_motions(solver, work->motions, true);
    for (sn_unit_walk walk = sn_unit_walk_begin(solver, false); sn_unit_next(&walk);) {
        const sn_ledger_unit *unit = &walk.unit;
        double due = work->due[unit->account];
        if (!(due > 0.0) || unit->is_led) {
            continue;
        }
        sn_vec3 carried = work->motions[unit->account].linear; // zero where something holds it
        double mass = work->motions[unit->account].mass;
        double rest = work->kinetic[unit->account] - 0.5 * mass * (double)sn_length_squared(carried);
        float less = due < rest ? sqrtf((float)((rest - due) / rest)) - 1.0f : -1.0f;
        change_velocity(solver, unit, sn_scale(sn_sub(sn_unit_linear(solver, unit), carried), less),
                        sn_scale(sn_unit_angular(solver, unit), less));
    }
    settle_accounts(solver, work);
}

static void take_back(const sn_solver *solver, sn_ledger_work *work)
{
    bool any = true;
    for (int i = 0; i < MOST_ROUNDS && any; ++i) {
        find_motions(solver, work->motions, true);
        find_motions(solver, work->motions + solver->ledger->count, false);
        find_gainers(solver, work);
        brake_gainers(solver, work);
        find_motions(solver, work->motions + solver->ledger->count, true); // single units were braked
        restore_motions(solver, work);
        any = settle_accounts(solver, work);
    }
    if (any) {
        slow_down(solver, work);
    }
}

// Marks the units of accounts that have gained much; false if there are none. What hangs and has hardly any
// motion may gain more than that by a hair, and would fall without its impulses.
static bool find_wild(const sn_solver *solver)
{
    const sn_energy_ledger *ledger = solver->ledger;
    const sn_ledger_work *work = ledger->work;
    bool any = false;
    for (sn_unit_walk walk = sn_unit_walk_begin(solver, false); sn_unit_next(&walk);) {
        const sn_ledger_unit *unit = &walk.unit;
        double due = work->due[unit->account];
        uint8_t is_wild =
            due > WILD * (work->kinetic[unit->account] - due) && due > ledger->accounts[unit->account].slack;
        *(unit->body >= 0 ? &work->wild.bodies[unit->body] : &work->wild.nodes[unit->node]) = is_wild;
        any = any || is_wild;
    }
    return any;
}

// Where much was gained, the impulses that did it would do it again.
static void drop_elements(const sn_node_solver *nodes, const sn_wild_units *wild)
{
    for (int g = 0; g < nodes->group_count; ++g) {
        if (wild->nodes[nodes->groups[g]->first_node]) {
            sn_nodes_scale_warm_start(nodes->groups[g], 0.0f, 0.0f);
        }
    }
}

void sn_run_drop(sn_run *run, const sn_wild_units *wild)
{
    const sn_node_solver *nodes = &run->solver->nodes;
    sn_joints_drop(&run->joints, wild);
    for (int i = 0; i < nodes->coupling_count; ++i) {
        if (nodes->coupling[i].drop != NULL) {
            nodes->coupling[i].drop(nodes->coupling[i].data, wild);
        }
    }
}

// Takes back what is due of all accounts. Whether something was.
bool sn_ledger_call_in(sn_run *run)
{
    sn_ledger_work *work = run->solver->ledger->work;
    bool any = false;
    for (int i = 0; i < run->solver->ledger->count; ++i) {
        // Also where it is not a number: such bodies are stopped elsewhere.
        work->due[i] = work->due[i] > 0.0 && work->due[i] < (double)INFINITY ? work->due[i] : 0.0;
        any = any || work->due[i] > 0.0;
    }
    if (any && find_wild(run->solver)) {
        drop_elements(&run->solver->nodes, &work->wild);
        sn_run_drop(run, &work->wild);
    }
    if (any) {
        take_back(run->solver, work);
    }
    return any;
}

// --- turning -----------------------------------------------------------------------------------------------

void sn_run_note_turning(sn_run *run)
{
    const sn_energy_ledger *ledger = run->solver->ledger;
    for (int i = 0; i < ledger->count; ++i) {
        ledger->work->due[i] = 1.0; // of all that are free
    }
    find_motions(run->solver, ledger->work->motions, true);
}

void sn_run_keep_turning(sn_run *run)
{
    const sn_energy_ledger *ledger = run->solver->ledger;
    sn_rigid_motion *had = ledger->work->motions, *has = had + ledger->count;
    find_motions(run->solver, has, true);
    for (int i = 0; i < ledger->count; ++i) {
        had[i].linear = has[i].linear;
        // What is not finite is frozen when the step ends, and the rest goes on.
        bool is_finite = sn_vec3_is_finite(had[i].angular) && sn_vec3_is_finite(has[i].angular);
        ledger->work->due[i] = is_finite ? 1.0 : 0.0;
    }
    restore_motions(run->solver, ledger->work);
}

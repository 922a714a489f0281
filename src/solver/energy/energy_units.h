// Bodies and nodes as the energy ledger sees them. Tested by tests/world/energy/test_energy_accounts.c.
#ifndef SN_SOLVER_ENERGY_UNITS_H
#define SN_SOLVER_ENERGY_UNITS_H

#include "matter/rigid_motion.h"
#include "solver/energy/energy_ledger.h"

// A body or node as the ledger sees it. Those of bodies are kept; those of nodes are made when they are asked
// for (sn_unit_next): accounts of nodes go over ranges.
typedef struct sn_ledger_unit {
    int account;
    int body, node;          // solver number, or −1; node, or −1
    bool is_led;             // goes with a place or a body that no impulse moves
    sn_vec3 moved, turned;   // when the sub-step began
    sn_vec3 linear, angular; // velocities then
    sn_vec3 mass;            // of locked axes 0, so that they have no energy
} sn_ledger_unit;

// A node when the sub-step began.
typedef struct sn_ledger_start {
    sn_vec3 linear, moved;
} sn_ledger_start;

// The nodes of a deformable.
typedef struct sn_ledger_range {
    int account;
    const sn_node_range *nodes;
    sn_ledger_start *starts; // by node of the range
} sn_ledger_range;

typedef struct sn_ledger_work {
    sn_ledger_unit *bodies;
    sn_ledger_range *ranges;
    // Those that are watched, and with those whose turning is kept, whose energy nobody watches.
    int body_count, all_body_count, range_count, all_range_count;
    const uint8_t *led;       // by node; null without exact anchors
    bool is_open;             // units are as they were when the last sub-step ended
    sn_rigid_motion *motions; // by account
    double *gains, *kinetic;  // the same, of all units: kinetic energy now
    double *before;           // the same when the sub-step began
    double *due, *gained;     // to be taken back; by those units that gained
    double *unit_gains;       // the same by unit, in the order of sn_unit_next
    double *driven;           // by what drives, since accounts were looked at
    double *so_far;           // the same of this sub-step, before bodies move
    double *lifted;           // out of deep overlaps against forces since the sub-step began
    int sub_steps;            // since units were looked at
    bool is_alert;            // something was taken back the last time
    sn_wild_units wild;
} sn_ledger_work;

static inline sn_vec3 *sn_unit_node_velocity(const sn_solver *solver, const sn_ledger_unit *unit)
{
    return &solver->nodes.nodes->velocities.data[unit->node].velocity;
}

static inline sn_vec3 sn_unit_linear(const sn_solver *solver, const sn_ledger_unit *unit)
{
    return unit->body >= 0 ? sn_take3(solver->velocities[unit->body].linear)
                           : *sn_unit_node_velocity(solver, unit);
}

static inline sn_vec3 sn_unit_angular(const sn_solver *solver, const sn_ledger_unit *unit)
{
    return unit->body >= 0 ? sn_take3(solver->velocities[unit->body].angular) : sn_v(0.0f, 0.0f, 0.0f);
}

static inline sn_vec3 sn_unit_place(const sn_solver *solver, const sn_ledger_unit *unit)
{
    return unit->body >= 0 ? solver->bodies[unit->body].center
                           : solver->nodes.nodes->states.data[unit->node].position;
}

static inline sn_sym3 sn_unit_inertia(const sn_solver *solver, const sn_ledger_unit *unit)
{
    const sn_sym3 nothing = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    return unit->body >= 0 ? sn_sym3_inverse(sn_solver_inertia_matrix(&solver->inertias[unit->body]))
                           : nothing;
}

static inline double sn_unit_linear_energy(sn_vec3 mass, sn_vec3 v)
{
    return 0.5 * ((double)mass.x * v.x * v.x + (double)mass.y * v.y * v.y + (double)mass.z * v.z * v.z);
}

static inline double sn_unit_energy(const sn_solver *solver, const sn_ledger_unit *unit, sn_vec3 linear,
                                    sn_vec3 angular)
{
    return sn_unit_linear_energy(unit->mass, linear) +
           0.5 * (double)sn_dot(angular, sn_sym3_apply(sn_unit_inertia(solver, unit), angular));
}

// The same of the present velocities. In a body's own axes its inertia need not be turned; locked axes are
// the world's.
static inline double sn_unit_energy_now(const sn_solver *solver, const sn_ledger_unit *unit)
{
    sn_vec3 linear = sn_unit_linear(solver, unit);
    if (unit->body < 0) {
        return sn_unit_linear_energy(unit->mass, linear);
    }
    const sn_solver_body *body = &solver->bodies[unit->body];
    if (body->spin.locks != 0) {
        return sn_unit_energy(solver, unit, linear, sn_unit_angular(solver, unit));
    }
    sn_vec3 w = sn_rotate_inverse(body->rotation, sn_unit_angular(solver, unit));
    const sn_sym3d *inertia = &body->spin.inertia;
    double x = w.x, y = w.y, z = w.z;
    return sn_unit_linear_energy(unit->mass, linear) +
           0.5 * (inertia->xx * x * x + inertia->yy * y * y + inertia->zz * z * z) + inertia->xy * x * y +
           inertia->xz * x * z + inertia->yz * y * z;
}

// One unit after the other that can move: bodies, then nodes.
typedef struct sn_unit_walk {
    const sn_solver *solver;
    bool is_all; // else those that are watched
    int next_body, range, next_node;
    int index; // of the unit, from 0
    sn_ledger_unit unit;
} sn_unit_walk;

static inline sn_unit_walk sn_unit_walk_begin(const sn_solver *solver, bool is_all)
{
    return (sn_unit_walk){.solver = solver, .is_all = is_all, .index = -1};
}

// False after the last one.
bool sn_unit_next(sn_unit_walk *walk);

// Kinetic energy of all that is watched, by account. [J]
void sn_ledger_sum_kinetic(const sn_solver *solver, double *kinetic);
// energy_taking.c: takes back what is due of all accounts. Whether something was.
bool sn_ledger_call_in(sn_run *run);

#endif

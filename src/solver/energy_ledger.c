// Accounts of islands, in the order of a sub-step: open, check, close, and what is taken back.
// Tested by tests/world/core/test_energy_accounts.c.
#include "solver/energy_ledger.h"

#include "solver/rigid_motion.h"

#include <math.h>
#include <string.h>

enum { MOST_ROUNDS = 4 };
// Gains of more than this part of what an island has are no error of integration.
#define WILD 0.05
// Before bodies move, kinetic energies may be this many times the largest so far, and that of speeds of 0.14
// m/s [J/kg].
#define MOST_PEAKS 2.0
#define SLOW       0.01

// A body or node as the ledger sees it.
typedef struct unit {
    int account;
    int body, node;          // solver number, or −1; node, or −1
    sn_vec3 moved, turned;   // when the sub-step began
    sn_vec3 linear, angular; // velocities then
    sn_sym3 inertia;         // of a body, then
    double gain;             // of kinetic energy, beyond the work of forces [J]
} unit;

typedef struct sn_ledger_work {
    unit *units;
    int count;
    sn_rigid_motion *motions; // by account
    double *gains, *kinetic;  // the same, of all units: kinetic energy when the sub-step ends
    double *before;           // the same when it begins
    double *due, *gained;     // to be taken back; by those units that gained
    sn_wild_units wild;
} sn_ledger_work;

// --- units -------------------------------------------------------------------------------------------------

static int count_units(const sn_solver *solver)
{
    int count = solver->body_count;
    for (int r = 0; r < solver->nodes.range_count; ++r) {
        count += solver->ledger->of_range[r] >= 0 ? solver->nodes.ranges[r].count : 0;
    }
    return count;
}

static void list_units(const sn_solver *solver, sn_ledger_work *work)
{
    const sn_energy_ledger *ledger = solver->ledger;
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        if (ledger->of_body[i] >= 0) {
            work->units[work->count++] = (unit){.account = ledger->of_body[i], .body = i, .node = -1};
        }
    }
    for (int r = 0; r < solver->nodes.range_count; ++r) {
        const sn_node_range *range = &solver->nodes.ranges[r];
        for (int i = range->first; ledger->of_range[r] >= 0 && i < range->first + range->count; ++i) {
            if (solver->nodes.nodes->states.data[i].inverse_mass > 0.0f) {
                work->units[work->count++] = (unit){.account = ledger->of_range[r], .body = -1, .node = i};
            }
        }
    }
}

bool sn_ledger_begin(sn_solver *solver)
{
    sn_energy_ledger *ledger = solver->ledger;
    if (ledger == NULL) {
        return true;
    }
    sn_ledger_work *work = sn_arena_take_zero(solver->arena, 1, sizeof *work);
    size_t count = (size_t)ledger->count;
    if (work == NULL) {
        return false;
    }
    work->units = sn_arena_take(solver->arena, (size_t)count_units(solver), sizeof *work->units);
    work->motions = sn_arena_take(solver->arena, 2 * count, sizeof *work->motions);
    work->gains = sn_arena_take(solver->arena, count, sizeof *work->gains);
    work->kinetic = sn_arena_take(solver->arena, count, sizeof *work->kinetic);
    work->before = sn_arena_take(solver->arena, count, sizeof *work->before);
    work->due = sn_arena_take(solver->arena, count, sizeof *work->due);
    work->gained = sn_arena_take(solver->arena, count, sizeof *work->gained);
    work->wild.bodies =
        sn_arena_take_zero(solver->arena, (size_t)solver->body_count, sizeof *work->wild.bodies);
    size_t nodes = solver->nodes.nodes != NULL ? (size_t)solver->nodes.nodes->states.count : 1;
    work->wild.nodes = sn_arena_take_zero(solver->arena, nodes, sizeof *work->wild.nodes);
    if (!work->wild.bodies || !work->wild.nodes || !work->units || !work->motions || !work->gains ||
        !work->kinetic || !work->before || !work->due || !work->gained) {
        return false;
    }
    list_units(solver, work);
    ledger->work = work;
    return true;
}

static sn_vec3 *node_velocity(const sn_solver *solver, const unit *unit)
{
    return &solver->nodes.nodes->velocities.data[unit->node].velocity;
}

static sn_vec3 linear_now(const sn_solver *solver, const unit *unit)
{
    return unit->body >= 0 ? sn_take3(solver->velocities[unit->body].linear) : *node_velocity(solver, unit);
}

static sn_vec3 angular_now(const sn_solver *solver, const unit *unit)
{
    return unit->body >= 0 ? sn_take3(solver->velocities[unit->body].angular) : sn_v(0.0f, 0.0f, 0.0f);
}

static sn_vec3 place_of(const sn_solver *solver, const unit *unit)
{
    return unit->body >= 0 ? solver->bodies[unit->body].center
                           : solver->nodes.nodes->states.data[unit->node].position;
}

static sn_sym3 inertia_now(const sn_solver *solver, const unit *unit)
{
    const sn_sym3 nothing = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    return unit->body >= 0 ? sn_sym3_inverse(sn_solver_inertia_matrix(&solver->inertias[unit->body]))
                           : nothing;
}

static sn_vec3 inverse_mass_of(const sn_solver *solver, const unit *unit)
{
    float w = unit->body >= 0 ? 0.0f : solver->nodes.nodes->states.data[unit->node].inverse_mass;
    return unit->body >= 0 ? solver->bodies[unit->body].inverse_mass : sn_v(w, w, w);
}

// Of locked axes 0, so that they have no energy.
static sn_vec3 mass_of(const sn_solver *solver, const unit *unit)
{
    sn_vec3 w = inverse_mass_of(solver, unit);
    return sn_v(w.x > 0.0f ? 1.0f / w.x : 0.0f, w.y > 0.0f ? 1.0f / w.y : 0.0f,
                w.z > 0.0f ? 1.0f / w.z : 0.0f);
}

static double energy_of(sn_vec3 mass, sn_sym3 inertia, sn_vec3 linear, sn_vec3 angular)
{
    return 0.5 *
           ((double)mass.x * linear.x * linear.x + (double)mass.y * linear.y * linear.y +
            (double)mass.z * linear.z * linear.z + (double)sn_dot(angular, sn_sym3_apply(inertia, angular)));
}

// --- a sub-step --------------------------------------------------------------------------------------------

void sn_run_open_ledger(sn_run *run)
{
    const sn_solver *solver = run->solver;
    sn_ledger_work *work = solver->ledger->work;
    for (int i = 0; i < work->count; ++i) {
        unit *unit = &work->units[i];
        unit->linear = linear_now(solver, unit);
        unit->angular = angular_now(solver, unit);
        unit->inertia = inertia_now(solver, unit);
        unit->moved =
            unit->body >= 0 ? sn_take3(solver->shifts[unit->body].moved) : solver->nodes.moved[unit->node];
        unit->turned = unit->body >= 0 ? sn_take3(solver->shifts[unit->body].turned) : sn_v(0.0f, 0.0f, 0.0f);
    }
}

// The work of gravity and of users' forces on what has moved since the sub-step began.
static double work_on_body(const sn_solver *solver, const unit *unit)
{
    const sn_solver_body *body = &solver->bodies[unit->body];
    sn_vec3 way = sn_sub(sn_take3(solver->shifts[unit->body].moved), unit->moved);
    sn_vec3 turn = sn_sub(sn_take3(solver->shifts[unit->body].turned), unit->turned);
    return (double)sn_dot(sn_mul(mass_of(solver, unit), body->acceleration), way) +
           (double)sn_dot(body->torque, turn);
}

// Integrators of their own move nodes by other velocities than they end with: of such, the mean velocity
// counts where it gives more.
static double work_on_node(const sn_solver *solver, const unit *unit, const sn_node_range *range)
{
    sn_vec3 way = sn_sub(solver->nodes.moved[unit->node], unit->moved);
    sn_vec3 force =
        sn_add_scaled(solver->nodes.nodes->forces.data[unit->node], mass_of(solver, unit).x, range->gravity);
    sn_vec3 twice_mean = sn_add(unit->linear, linear_now(solver, unit));
    double work = (double)sn_dot(force, way);
    double other = 0.5 * (double)solver->nodes.pass.h * (double)sn_dot(force, twice_mean);
    return range->has_integrator && other > work ? other : work;
}

// Units of nodes are in the order of ranges.
static const sn_node_range *range_of(const sn_solver *solver, const unit *unit, int *range)
{
    while (unit->node >= solver->nodes.ranges[*range].first + solver->nodes.ranges[*range].count ||
           unit->node < solver->nodes.ranges[*range].first) {
        ++*range;
    }
    return &solver->nodes.ranges[*range];
}

static void sum_gains(const sn_solver *solver, sn_ledger_work *work)
{
    size_t size = (size_t)solver->ledger->count * sizeof(double);
    int range = 0;
    memset(work->gains, 0, size);
    memset(work->kinetic, 0, size);
    memset(work->before, 0, size);
    for (int i = 0; i < work->count; ++i) {
        const unit *unit = &work->units[i];
        sn_vec3 mass = mass_of(solver, unit);
        double done = unit->body >= 0 ? work_on_body(solver, unit)
                                      : work_on_node(solver, unit, range_of(solver, unit, &range));
        double now =
            energy_of(mass, inertia_now(solver, unit), linear_now(solver, unit), angular_now(solver, unit));
        double then = energy_of(mass, unit->inertia, unit->linear, unit->angular);
        work->kinetic[unit->account] += now;
        work->before[unit->account] += then;
        work->gains[unit->account] += now - then - done;
    }
}

// --- taking back -------------------------------------------------------------------------------------------

static bool is_free(const sn_solver *solver, int account)
{
    return solver->ledger->work->due[account] > 0.0 && !solver->ledger->accounts[account].is_held;
}

// The motion of accounts as a whole, now or when the sub-step began.
static void find_motions(const sn_solver *solver, sn_rigid_motion *motions, bool now)
{
    const sn_ledger_work *work = solver->ledger->work;
    memset(motions, 0, (size_t)solver->ledger->count * sizeof *motions);
    for (int i = 0; i < work->count; ++i) {
        const unit *unit = &work->units[i];
        if (is_free(solver, unit->account)) {
            sn_motion_add_mass(&motions[unit->account], (double)mass_of(solver, unit).x,
                               place_of(solver, unit), now ? linear_now(solver, unit) : unit->linear);
        }
    }
    for (int i = 0; i < solver->ledger->count; ++i) {
        sn_motion_find_linear(&motions[i]);
    }
    for (int i = 0; i < work->count; ++i) {
        const unit *unit = &work->units[i];
        if (is_free(solver, unit->account)) {
            sn_rigid_motion *motion = &motions[unit->account];
            sn_motion_add_spin(motion, mass_of(solver, unit).x, place_of(solver, unit),
                               now ? linear_now(solver, unit) : unit->linear);
            sn_motion_add_inertia(motion, inertia_now(solver, unit),
                                  now ? angular_now(solver, unit) : unit->angular);
        }
    }
    for (int i = 0; i < solver->ledger->count; ++i) {
        sn_motion_find_angular(&motions[i]);
    }
}

static double rest_energy(const sn_solver *solver, const unit *unit, const sn_rigid_motion *motion,
                          sn_vec3 linear, sn_vec3 angular)
{
    sn_vec3 carried = sn_motion_at(motion, place_of(solver, unit));
    return energy_of(mass_of(solver, unit), inertia_now(solver, unit), sn_sub(linear, carried),
                     sn_sub(angular, motion->angular));
}

static void find_gainers(const sn_solver *solver, sn_ledger_work *work)
{
    const sn_rigid_motion *before = work->motions + solver->ledger->count;
    memset(work->gained, 0, (size_t)solver->ledger->count * sizeof *work->gained);
    for (int i = 0; i < work->count; ++i) {
        unit *unit = &work->units[i];
        if (work->due[unit->account] > 0.0) {
            double now = rest_energy(solver, unit, &work->motions[unit->account], linear_now(solver, unit),
                                     angular_now(solver, unit));
            double then = rest_energy(solver, unit, &before[unit->account], unit->linear, unit->angular);
            unit->gain = now > then ? now - then : 0.0;
            work->gained[unit->account] += unit->gain;
        }
    }
}

static void change_velocity(const sn_solver *solver, const unit *unit, sn_vec3 linear, sn_vec3 angular)
{
    if (unit->body >= 0) {
        sn_solver_velocity *velocity = &solver->velocities[unit->body];
        sn_put3(velocity->linear, sn_add(sn_take3(velocity->linear), linear));
        sn_put3(velocity->angular, sn_add(sn_take3(velocity->angular), angular));
    } else {
        sn_vec3 *velocity = node_velocity(solver, unit);
        *velocity = sn_add(*velocity, linear);
    }
}

// Each unit that gained gives its part of what is due, and no more than all it has beyond the island's
// motion.
static void brake_gainers(const sn_solver *solver, sn_ledger_work *work)
{
    for (int i = 0; i < work->count; ++i) {
        const unit *unit = &work->units[i];
        double due = work->due[unit->account], gained = work->gained[unit->account];
        if (!(due > 0.0) || !(unit->gain > 0.0)) {
            continue;
        }
        const sn_rigid_motion *motion = &work->motions[unit->account];
        sn_vec3 linear = linear_now(solver, unit), angular = angular_now(solver, unit);
        double rest = rest_energy(solver, unit, motion, linear, angular), part = due / gained * unit->gain;
        float less = part < rest ? sqrtf((float)((rest - part) / rest)) - 1.0f : -1.0f;
        sn_vec3 carried = sn_motion_at(motion, place_of(solver, unit));
        change_velocity(solver, unit, sn_scale(sn_sub(linear, carried), less),
                        sn_scale(sn_sub(angular, motion->angular), less));
    }
}

// Braking single units has changed the motion of the whole: it is given back what it had.
static void restore_motions(const sn_solver *solver, sn_ledger_work *work)
{
    sn_rigid_motion *braked = work->motions + solver->ledger->count;
    find_motions(solver, braked, true);
    for (int i = 0; i < work->count; ++i) {
        const unit *unit = &work->units[i];
        if (is_free(solver, unit->account)) {
            const sn_rigid_motion *had = &work->motions[unit->account], *has = &braked[unit->account];
            sn_vec3 place = place_of(solver, unit);
            change_velocity(solver, unit, sn_sub(sn_motion_at(had, place), sn_motion_at(has, place)),
                            sn_sub(had->angular, has->angular));
        }
    }
}

static double kinetic_of(const sn_solver *solver, const sn_ledger_work *work, int account)
{
    double sum = 0.0;
    for (int i = 0; i < work->count; ++i) {
        const unit *unit = &work->units[i];
        sum += unit->account == account ? energy_of(mass_of(solver, unit), inertia_now(solver, unit),
                                                    linear_now(solver, unit), angular_now(solver, unit))
                                        : 0.0;
    }
    return sum;
}

// Whether more is due: of speeds that are many times too large, rounding leaves a good deal.
static bool settle_accounts(const sn_solver *solver, sn_ledger_work *work)
{
    bool any = false;
    for (int i = 0; i < solver->ledger->count; ++i) {
        if (work->due[i] > 0.0) {
            double left = kinetic_of(solver, work, i);
            work->due[i] -= work->kinetic[i] - left;
            work->kinetic[i] = left;
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
    for (int i = 0; i < work->count; ++i) {
        const unit *unit = &work->units[i];
        double due = work->due[unit->account];
        if (!(due > 0.0)) {
            continue;
        }
        sn_vec3 carried = work->motions[unit->account].linear; // zero where something holds it
        double mass = work->motions[unit->account].mass;
        double rest = work->kinetic[unit->account] - 0.5 * mass * (double)sn_length_squared(carried);
        float less = due < rest ? sqrtf((float)((rest - due) / rest)) - 1.0f : -1.0f;
        change_velocity(solver, unit, sn_scale(sn_sub(linear_now(solver, unit), carried), less),
                        sn_scale(angular_now(solver, unit), less));
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
        restore_motions(solver, work);
        any = settle_accounts(solver, work);
    }
    if (any) {
        slow_down(solver, work);
    }
}

// Marks the units of accounts that have gained much; false if there are none.
static bool find_wild(const sn_ledger_work *work)
{
    bool any = false;
    for (int i = 0; i < work->count; ++i) {
        const unit *unit = &work->units[i];
        double due = work->due[unit->account];
        uint8_t is_wild = due > WILD * (work->kinetic[unit->account] - due);
        *(unit->body >= 0 ? &work->wild.bodies[unit->body] : &work->wild.nodes[unit->node]) = is_wild;
        any = any || is_wild;
    }
    return any;
}

// Where much was gained, the impulses that did it would do it again.
static void drop_impulses(sn_run *run, const sn_wild_units *wild)
{
    const sn_node_solver *nodes = &run->solver->nodes;
    sn_joints_drop(&run->joints, wild);
    for (int g = 0; g < nodes->group_count; ++g) {
        if (wild->nodes[nodes->groups[g]->first_node]) {
            sn_nodes_scale_warm_start(nodes->groups[g], 0.0f, 0.0f);
        }
    }
    for (int i = 0; i < nodes->coupling_count; ++i) {
        if (nodes->coupling[i].drop != NULL) {
            nodes->coupling[i].drop(nodes->coupling[i].data, wild);
        }
    }
}

// Takes back what is due of all accounts.
static void call_in(sn_run *run)
{
    sn_ledger_work *work = run->solver->ledger->work;
    bool any = false;
    for (int i = 0; i < run->solver->ledger->count; ++i) {
        // Also where it is not a number: such bodies are stopped elsewhere.
        work->due[i] = work->due[i] > 0.0 && work->due[i] < (double)INFINITY ? work->due[i] : 0.0;
        any = any || work->due[i] > 0.0;
    }
    if (any && find_wild(work)) {
        drop_impulses(run, &work->wild);
    }
    if (any) {
        take_back(run->solver, work);
    }
}

// Velocities that pull errors towards zero may be larger than those that are left in the end, but what would
// throw bodies out of reach of their constraints is taken away before they move. It is in no account: it has
// not been.
void sn_run_check_ledger(sn_run *run)
{
    const sn_energy_ledger *ledger = run->solver->ledger;
    sum_gains(run->solver, ledger->work);
    for (int i = 0; i < ledger->count; ++i) {
        const sn_energy_account *account = &ledger->accounts[i];
        double most = account->peak > ledger->work->before[i] ? account->peak : ledger->work->before[i];
        double jolt = (double)run->h * account->gravity; // what forces give before rows take it
        most = MOST_PEAKS * (most + account->mass * (SLOW + 2.0 * jolt * jolt));
        most += account->stored > 0.0 ? account->stored : 0.0;
        ledger->work->due[i] = ledger->work->kinetic[i] - most;
    }
    call_in(run);
}

void sn_run_close_ledger(sn_run *run)
{
    sn_energy_ledger *ledger = run->solver->ledger;
    sn_ledger_work *work = ledger->work;
    sum_gains(run->solver, work);
    for (int i = 0; i < ledger->count; ++i) {
        sn_energy_account *account = &ledger->accounts[i];
        // What was gained and could not be taken back yet does not count.
        double own = work->before[i] + (account->stored < 0.0 ? account->stored : 0.0);
        account->peak = own > account->peak ? own : account->peak;
        account->stored -= work->gains[i];
        account->stored += run->is_deep ? (double)run->h * account->push_power : 0.0;
        work->due[i] = -account->stored - SN_FREE_GAIN * account->peak - account->slack;
        work->before[i] = work->kinetic[i];
    }
    call_in(run);
    for (int i = 0; i < ledger->count; ++i) {
        double taken = work->before[i] - work->kinetic[i];
        ledger->accounts[i].stored += taken;
        ledger->taken += taken;
    }
}

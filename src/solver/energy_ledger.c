// Accounts of islands, in the order of a sub-step: open, check, close, and what is taken back.
// Tested by tests/world/core/test_energy_accounts.c.
#include "solver/energy_ledger.h"

#include "matter/rigid_motion.h"
#include "solver/exact/exact.h"

#include <math.h>
#include <string.h>

enum { MOST_ROUNDS = 4, SUB_STEPS_OF_CALM = 4 };
// Gains of more than this part of what an island has are no error of integration.
#define WILD 0.05
// Before bodies move, kinetic energies may be this many times the largest so far, and that of speeds of 0.14
// m/s [J/kg].
#define MOST_PEAKS 2.0
#define SLOW       0.01
// What is lifted out of overlaps pulls at what hangs on it, which is found to first order.
#define MOST_LIFTED 4.0

// A body or node as the ledger sees it.
typedef struct unit {
    int account;
    int body, node;          // solver number, or −1; node, or −1
    bool is_led;             // goes with a place or a body that no impulse moves
    sn_vec3 moved, turned;   // when the sub-step began
    sn_vec3 linear, angular; // velocities then
    sn_vec3 mass;            // of locked axes 0, so that they have no energy
    double before, now;      // kinetic energy when the sub-step began, and when gains were summed up [J]
    double gain;             // of kinetic energy, beyond the work of forces [J]
} unit;

// What bounds the kinetic energy of a unit from above.
typedef struct unit_bound {
    int account, body, node;
    float mass, inertia; // the largest of all axes [kg], [kg m²]
} unit_bound;

typedef struct sn_ledger_work {
    unit *units;
    unit_bound *bounds; // by unit
    int count;
    bool is_open;             // units are as they were when the last sub-step ended
    sn_rigid_motion *motions; // by account
    double *gains, *kinetic;  // the same, of all units: kinetic energy when the sub-step ends
    double *before;           // the same when it begins
    double *due, *gained;     // to be taken back; by those units that gained
    double *driven;           // by what drives, since accounts were looked at
    double *so_far;           // the same of this sub-step, before bodies move
    double *lifted;           // out of deep overlaps against forces since the sub-step began
    int sub_steps;            // since units were looked at
    bool is_alert;            // something was taken back the last time
    sn_wild_units wild;
} sn_ledger_work;

// --- units -------------------------------------------------------------------------------------------------

static bool is_watched(const sn_energy_ledger *ledger, int account)
{
    return account >= 0 && ledger->accounts[account].is_watched;
}

static int count_units(const sn_solver *solver)
{
    int count = solver->body_count;
    for (int r = 0; r < solver->nodes.range_count; ++r) {
        bool counts = is_watched(solver->ledger, solver->ledger->of_range[r]);
        count += counts ? solver->nodes.ranges[r].count : 0;
    }
    return count;
}

static float mass_along(float inverse_mass)
{
    return inverse_mass > 0.0f ? 1.0f / inverse_mass : 0.0f;
}

static sn_vec3 mass_by_axis(sn_vec3 inverse_mass)
{
    return sn_v(mass_along(inverse_mass.x), mass_along(inverse_mass.y), mass_along(inverse_mass.z));
}

// Marks nodes that exact anchors lead.
static void mark_led(const sn_solver *solver, uint8_t *marks, uint8_t mark)
{
    const sn_exact_stage *exact = solver->nodes.exact;
    for (int s = 0; exact != NULL && s < exact->pair_begin; ++s) {
        const sn_exact_set *set = &exact->sets[s];
        bool leads = set->attachment != SN_EXACT_FREE && sn_exact_body_of(exact, set) < solver->dynamic_begin;
        for (int i = set->first; leads && i < set->first + set->count; ++i) {
            marks[exact->members[i].node] = mark;
        }
    }
}

static void list_units(const sn_solver *solver, sn_ledger_work *work)
{
    const sn_energy_ledger *ledger = solver->ledger;
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        if (is_watched(ledger, ledger->of_body[i])) {
            work->units[work->count++] = (unit){.account = ledger->of_body[i],
                                                .body = i,
                                                .node = -1,
                                                .mass = mass_by_axis(solver->bodies[i].inverse_mass)};
        }
    }
    for (int r = 0; solver->nodes.nodes != NULL && r < solver->nodes.range_count; ++r) {
        const sn_node_range *range = &solver->nodes.ranges[r];
        for (int i = range->first; is_watched(ledger, ledger->of_range[r]) && i < range->first + range->count;
             ++i) {
            float mass = mass_along(solver->nodes.nodes->states.data[i].inverse_mass);
            if (mass > 0.0f) {
                work->units[work->count++] = (unit){.account = ledger->of_range[r],
                                                    .body = -1,
                                                    .node = i,
                                                    .is_led = work->wild.nodes[i] != 0,
                                                    .mass = sn_v(mass, mass, mass)};
            }
        }
    }
}

// No principal moment is larger than the sum of all.
static void list_bounds(const sn_solver *solver, const sn_ledger_work *work)
{
    for (int i = 0; i < work->count; ++i) {
        const unit *unit = &work->units[i];
        const sn_sym3d *inertia = unit->body >= 0 ? &solver->bodies[unit->body].spin.inertia : NULL;
        float sum = inertia != NULL ? (float)(inertia->xx + inertia->yy + inertia->zz) : 0.0f;
        work->bounds[i] = (unit_bound){.account = unit->account,
                                       .body = unit->body,
                                       .node = unit->node,
                                       .mass = sn_max(unit->mass.x, sn_max(unit->mass.y, unit->mass.z)),
                                       .inertia = sum};
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
    size_t units = (size_t)count_units(solver);
    work->units = sn_arena_take(solver->arena, units, sizeof *work->units);
    work->bounds = sn_arena_take(solver->arena, units, sizeof *work->bounds);
    work->motions = sn_arena_take(solver->arena, 2 * count, sizeof *work->motions);
    work->gains = sn_arena_take(solver->arena, count, sizeof *work->gains);
    work->kinetic = sn_arena_take(solver->arena, count, sizeof *work->kinetic);
    work->before = sn_arena_take(solver->arena, count, sizeof *work->before);
    work->due = sn_arena_take(solver->arena, count, sizeof *work->due);
    work->gained = sn_arena_take(solver->arena, count, sizeof *work->gained);
    work->driven = sn_arena_take_zero(solver->arena, count, sizeof *work->driven);
    work->so_far = sn_arena_take_zero(solver->arena, count, sizeof *work->so_far);
    work->lifted = sn_arena_take_zero(solver->arena, count, sizeof *work->lifted);
    work->wild.bodies =
        sn_arena_take_zero(solver->arena, (size_t)solver->body_count, sizeof *work->wild.bodies);
    size_t nodes = solver->nodes.nodes != NULL ? (size_t)solver->nodes.nodes->states.count : 1;
    work->wild.nodes = sn_arena_take_zero(solver->arena, nodes, sizeof *work->wild.nodes);
    if (!work->wild.bodies || !work->wild.nodes || !work->units || !work->bounds || !work->motions ||
        !work->gains || !work->kinetic || !work->before || !work->due || !work->gained || !work->lifted ||
        !work->driven || !work->so_far) {
        return false;
    }
    solver->nodes.blown =
        sn_arena_take_zero(solver->arena, (size_t)solver->nodes.range_count, sizeof(double));
    if (solver->nodes.blown == NULL) {
        return false;
    }
    mark_led(solver, work->wild.nodes, 1);
    list_units(solver, work);
    mark_led(solver, work->wild.nodes, 0);
    list_bounds(solver, work);
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

static double linear_energy(sn_vec3 mass, sn_vec3 v)
{
    return 0.5 * ((double)mass.x * v.x * v.x + (double)mass.y * v.y * v.y + (double)mass.z * v.z * v.z);
}

static double energy_of(const sn_solver *solver, const unit *unit, sn_vec3 linear, sn_vec3 angular)
{
    return linear_energy(unit->mass, linear) +
           0.5 * (double)sn_dot(angular, sn_sym3_apply(inertia_now(solver, unit), angular));
}

// The same of the present velocities. In a body's own axes its inertia need not be turned; locked axes are
// the world's.
static double energy_now(const sn_solver *solver, const unit *unit)
{
    sn_vec3 linear = linear_now(solver, unit);
    if (unit->body < 0) {
        return linear_energy(unit->mass, linear);
    }
    const sn_solver_body *body = &solver->bodies[unit->body];
    if (body->spin.locks != 0) {
        return energy_of(solver, unit, linear, angular_now(solver, unit));
    }
    sn_vec3 w = sn_rotate_inverse(body->rotation, angular_now(solver, unit));
    const sn_sym3d *inertia = &body->spin.inertia;
    double x = w.x, y = w.y, z = w.z;
    return linear_energy(unit->mass, linear) +
           0.5 * (inertia->xx * x * x + inertia->yy * y * y + inertia->zz * z * z) + inertia->xy * x * y +
           inertia->xz * x * z + inertia->yz * y * z;
}

// --- a sub-step --------------------------------------------------------------------------------------------

static void open_unit(const sn_solver *solver, unit *unit, double energy)
{
    bool is_body = unit->body >= 0;
    unit->linear = linear_now(solver, unit);
    unit->angular = angular_now(solver, unit);
    unit->moved = is_body ? sn_take3(solver->shifts[unit->body].moved) : solver->nodes.moved[unit->node];
    unit->turned = is_body ? sn_take3(solver->shifts[unit->body].turned) : sn_v(0.0f, 0.0f, 0.0f);
    unit->before = energy;
}

void sn_run_open_ledger(sn_run *run)
{
    const sn_solver *solver = run->solver;
    sn_ledger_work *work = solver->ledger->work;
    for (int i = 0; i < work->count && !work->is_open; ++i) {
        open_unit(solver, &work->units[i], energy_now(solver, &work->units[i]));
    }
    work->is_open = true;
}

static sn_vec3 push_at(const sn_run *run, int body, sn_vec3 arm)
{
    const sn_solver_velocity *move = &run->pass.moves[body], *velocity = &run->solver->velocities[body];
    sn_vec3 linear = sn_sub(sn_take3(move->linear), sn_take3(velocity->linear));
    sn_vec3 angular = sn_sub(sn_take3(move->angular), sn_take3(velocity->angular));
    return sn_add(linear, sn_cross(angular, arm));
}

static sn_vec3 lane_of(const sn_lanes lanes[3], int lane)
{
    return sn_v(lanes[0].lane[lane], lanes[1].lane[lane], lanes[2].lane[lane]);
}

static void note_lift(const sn_run *run, int body, double lift)
{
    int account = run->solver->ledger->of_body[body];
    if (account >= 0 && lift > 0.0) {
        run->solver->ledger->work->lifted[account] += MOST_LIFTED * lift;
    }
}

// The work of a patch that carries something and moves it.
static void note_lift_of_patch(const sn_run *run, const sn_contact_block *block, int lane)
{
    int a = block->body_a[lane], b = block->body_b[lane];
    double impulse = 0.0;
    for (int k = 0; k < block->point_count; ++k) {
        impulse += (double)run->pass.points[block->first_point + k].normal_impulse.lane[lane];
    }
    sn_vec3 pushed = sn_sub(push_at(run, b, lane_of(block->center_b, lane)),
                            push_at(run, a, lane_of(block->center_a, lane)));
    bool is_b = b >= run->solver->dynamic_begin;
    note_lift(run, is_b ? b : a, impulse * (double)sn_dot(pushed, lane_of(block->normal, lane)));
}

// What overlaps deeply is moved apart beside its velocity; what that lifts was not gained from nowhere: its
// own weight, and what else rests on it or hangs from it.
void sn_run_note_lifts(sn_run *run)
{
    const sn_solver *solver = run->solver;
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        const sn_solver_body *body = &solver->bodies[i];
        sn_vec3 force = sn_mul(mass_by_axis(body->inverse_mass), body->acceleration);
        sn_vec3 push = push_at(run, i, sn_v(0.0f, 0.0f, 0.0f));
        note_lift(run, i, -(double)run->h * (double)sn_dot(force, push));
    }
    for (int i = 0; i < run->packing.block_count; ++i) {
        const sn_contact_block *block = &run->packing.blocks[i];
        for (int lane = 0; lane < SN_LANES; ++lane) {
            if (block->input[lane] >= 0) {
                note_lift_of_patch(run, block, lane);
            }
        }
    }
}

// The work of gravity and of users' forces on what has moved since the sub-step began.
static double work_on_body(const sn_solver *solver, const unit *unit)
{
    const sn_solver_body *body = &solver->bodies[unit->body];
    sn_vec3 way = sn_sub(sn_take3(solver->shifts[unit->body].moved), unit->moved);
    sn_vec3 turn = sn_sub(sn_take3(solver->shifts[unit->body].turned), unit->turned);
    return (double)sn_dot(sn_mul(unit->mass, body->acceleration), way) + (double)sn_dot(body->torque, turn);
}

// Integrators of their own move nodes by other velocities than they end with: of such, the mean velocity
// counts where it gives more.
static double work_on_node(const sn_solver *solver, const unit *unit, const sn_node_range *range)
{
    sn_vec3 way = sn_sub(solver->nodes.moved[unit->node], unit->moved);
    sn_vec3 force = sn_add_scaled(solver->nodes.nodes->forces.data[unit->node], unit->mass.x, range->gravity);
    sn_vec3 twice_mean = sn_add(unit->linear, linear_now(solver, unit));
    double work = (double)sn_dot(force, way);
    double half = 0.5 * (double)solver->nodes.pass.h * (double)solver->ledger->work->sub_steps;
    double other = half * (double)sn_dot(force, twice_mean);
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
        unit *unit = &work->units[i];
        double done = unit->body >= 0 ? work_on_body(solver, unit)
                                      : work_on_node(solver, unit, range_of(solver, unit, &range));
        unit->now = energy_now(solver, unit);
        work->kinetic[unit->account] += unit->now;
        work->before[unit->account] += unit->before;
        work->gains[unit->account] += unit->now - unit->before - done;
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
            sn_motion_add_mass(&motions[unit->account], (double)unit->mass.x, place_of(solver, unit),
                               now ? linear_now(solver, unit) : unit->linear);
        }
    }
    for (int i = 0; i < solver->ledger->count; ++i) {
        sn_motion_find_linear(&motions[i]);
    }
    for (int i = 0; i < work->count; ++i) {
        const unit *unit = &work->units[i];
        if (is_free(solver, unit->account)) {
            sn_rigid_motion *motion = &motions[unit->account];
            sn_motion_add_spin(motion, unit->mass.x, place_of(solver, unit),
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
    sn_vec3 carried = sn_motion_carried(motion, place_of(solver, unit));
    return energy_of(solver, unit, sn_sub(linear, carried), sn_sub(angular, motion->angular));
}

static void find_gainers(const sn_solver *solver, sn_ledger_work *work)
{
    const sn_rigid_motion *before = work->motions + solver->ledger->count;
    memset(work->gained, 0, (size_t)solver->ledger->count * sizeof *work->gained);
    for (int i = 0; i < work->count; ++i) {
        unit *unit = &work->units[i];
        unit->gain = 0.0;
        if (work->due[unit->account] > 0.0 && !unit->is_led) {
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
        sn_vec3 carried = sn_motion_carried(motion, place_of(solver, unit));
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
            change_velocity(solver, unit,
                            sn_sub(sn_motion_carried(had, place), sn_motion_carried(has, place)),
                            sn_sub(had->angular, has->angular));
        }
    }
}

static double kinetic_of(const sn_solver *solver, const sn_ledger_work *work, int account)
{
    double sum = 0.0;
    for (int i = 0; i < work->count; ++i) {
        const unit *unit = &work->units[i];
        sum += unit->account == account ? energy_now(solver, unit) : 0.0;
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
        if (!(due > 0.0) || unit->is_led) {
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

// Marks the units of accounts that have gained much; false if there are none. What hangs and has hardly any
// motion may gain more than that by a hair, and would fall without its impulses.
static bool find_wild(const sn_energy_ledger *ledger)
{
    const sn_ledger_work *work = ledger->work;
    bool any = false;
    for (int i = 0; i < work->count; ++i) {
        const unit *unit = &work->units[i];
        double due = work->due[unit->account];
        uint8_t is_wild =
            due > WILD * (work->kinetic[unit->account] - due) && due > ledger->accounts[unit->account].slack;
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

// Takes back what is due of all accounts. Whether something was.
static bool call_in(sn_run *run)
{
    sn_ledger_work *work = run->solver->ledger->work;
    bool any = false;
    for (int i = 0; i < run->solver->ledger->count; ++i) {
        // Also where it is not a number: such bodies are stopped elsewhere.
        work->due[i] = work->due[i] > 0.0 && work->due[i] < (double)INFINITY ? work->due[i] : 0.0;
        any = any || work->due[i] > 0.0;
    }
    if (any && find_wild(run->solver->ledger)) {
        drop_impulses(run, &work->wild);
    }
    if (any) {
        take_back(run->solver, work);
    }
    return any;
}

// The most kinetic energy that an account may have before its bodies move.
static double most_before_moving(const sn_run *run, int account_number)
{
    const sn_energy_ledger *ledger = run->solver->ledger;
    const sn_energy_account *account = &ledger->accounts[account_number];
    double before = ledger->work->before[account_number];
    double jolt = (double)run->h * account->gravity; // what forces give before rows take it
    double most = account->peak > before ? account->peak : before;
    double driven = ledger->work->driven[account_number] + ledger->work->so_far[account_number];
    return MOST_PEAKS * (most + account->mass * (SLOW + 2.0 * jolt * jolt)) +
           (account->stored > 0.0 ? account->stored : 0.0) + (driven > 0.0 ? driven : 0.0);
}

// Whether bounds of the kinetic energies, which are quickly found, tell that no account has too much.
static bool is_surely_calm(const sn_run *run, sn_ledger_work *work)
{
    const sn_solver *solver = run->solver;
    memset(work->kinetic, 0, (size_t)solver->ledger->count * sizeof *work->kinetic);
    memset(work->before, 0, (size_t)solver->ledger->count * sizeof *work->before);
    for (int i = 0; i < work->count; ++i) {
        const unit_bound *bound = &work->bounds[i];
        bool is_body = bound->body >= 0;
        const float *linear = is_body ? solver->velocities[bound->body].linear
                                      : &solver->nodes.nodes->velocities.data[bound->node].velocity.x;
        float squares = bound->mass * sn_length_squared(sn_take3(linear));
        if (is_body) {
            squares += bound->inertia * sn_length_squared(sn_take3(solver->velocities[bound->body].angular));
        }
        work->kinetic[bound->account] += 0.5 * (double)squares;
    }
    bool calm = true;
    for (int i = 0; i < solver->ledger->count; ++i) {
        calm = calm && work->kinetic[i] < most_before_moving(run, i);
    }
    return calm;
}

// Velocities that pull errors towards zero may be larger than those that are left in the end, but what would
// throw bodies out of reach of their constraints is taken away before they move. It is in no account: it has
// not been.
void sn_run_check_ledger(sn_run *run)
{
    const sn_energy_ledger *ledger = run->solver->ledger;
    if (ledger->has_drivers) {
        memset(ledger->work->so_far, 0, (size_t)ledger->count * sizeof(double));
        sn_run_add_work(run, SN_WORK_SO_FAR, ledger->work->so_far);
    }
    if (is_surely_calm(run, ledger->work)) {
        return;
    }
    sum_gains(run->solver, ledger->work);
    for (int i = 0; i < ledger->count; ++i) {
        ledger->work->due[i] = ledger->work->kinetic[i] - most_before_moving(run, i); // 0 J if unwatched
    }
    ledger->work->is_alert = call_in(run) || ledger->work->is_alert;
}

// Where nothing is gained, only now and then.
static bool is_due_to_close(const sn_run *run, sn_ledger_work *work)
{
    ++work->sub_steps;
    return work->is_alert || (run->sub_step + 1) % SUB_STEPS_OF_CALM == 0 ||
           run->sub_step + 1 >= run->solver->settings.sub_steps;
}

// How much may be gained from nowhere: integration errors.
static double tolerance_of(const sn_energy_account *account)
{
    return SN_FREE_GAIN * account->peak + account->slack;
}

// Lifts out of overlaps are given where nothing stored pays for them. Where more was gained, it is not they
// that did it.
static void excuse_lifts(sn_energy_account *account, double *lifted)
{
    double most = account->liftable - account->lifted;
    *lifted = *lifted < most ? *lifted : most;
    if (account->stored < 0.0 && -account->stored <= 2.0 * *lifted + tolerance_of(account)) {
        account->stored = -account->stored > *lifted ? account->stored + *lifted : 0.0;
        account->lifted += *lifted;
    }
    *lifted = 0.0;
}

void sn_run_open_work(sn_run *run)
{
    sn_run_add_work(run, SN_WORK_TO_BE_SUMMED, run->solver->ledger->work->driven);
}

// The work of what drives is paid in. Impulses that gained more than there was did so by a fault, and their
// work counts in the same proportion. What drives takes no more than was lost.
static void pay_in(sn_energy_account *account, double gain, double *driven)
{
    double most = (account->stored > 0.0 ? account->stored : 0.0) + (*driven > 0.0 ? *driven : 0.0);
    double part = account->is_watched && gain > most ? most / gain : 1.0;
    double least = gain < 0.0 ? gain : 0.0;
    double work = part * *driven > least ? part * *driven : least;
    account->stored += work;
    account->driven += work;
    *driven = 0.0;
}

void sn_run_close_ledger(sn_run *run)
{
    sn_energy_ledger *ledger = run->solver->ledger;
    sn_ledger_work *work = ledger->work;
    if (ledger->has_drivers) {
        sn_run_add_work(run, SN_WORK_SUMMED, work->driven);
    }
    if (!is_due_to_close(run, work)) {
        return;
    }
    sum_gains(run->solver, work);
    work->sub_steps = 0;
    for (int i = 0; i < ledger->count; ++i) {
        sn_energy_account *account = &ledger->accounts[i];
        pay_in(account, work->gains[i], &work->driven[i]);
        account->stored -= work->gains[i];
        excuse_lifts(account, &work->lifted[i]);
        work->due[i] = account->is_watched ? -account->stored - tolerance_of(account) : 0.0;
        work->before[i] = work->kinetic[i];
    }
    work->is_open = !call_in(run);
    work->is_alert = !work->is_open;
    for (int i = 0; i < ledger->count; ++i) {
        double taken = work->before[i] - work->kinetic[i];
        ledger->accounts[i].stored += taken;
        ledger->taken += taken;
    }
    for (int i = 0; i < work->count && work->is_open; ++i) {
        open_unit(run->solver, &work->units[i], work->units[i].now);
    }
}

// Accounts of islands, in the order of a sub-step: open, check, close.
// Tested by tests/world/energy/test_energy_accounts.c.
#include "solver/energy/energy_units.h"

#include "solver/exact/exact.h"

#include <math.h>
#include <string.h>

enum { SUB_STEPS_OF_CALM = 4 };
// Before bodies move, kinetic energies may be this many times the largest so far, and that of speeds of 0.14
// m/s [J/kg].
#define MOST_PEAKS 2.0
#define SLOW       0.01
// What is lifted out of overlaps pulls at what hangs on it, which is found to first order.
#define MOST_LIFTED 4.0

// --- units -------------------------------------------------------------------------------------------------

// Of those that are watched, or of those others that turn freely.
static bool has_units(const sn_solver *solver, int account, bool watched)
{
    const sn_energy_account *own = account >= 0 ? &solver->ledger->accounts[account] : NULL;
    bool turns = own != NULL && !own->is_held && solver->settings.laws.is_projected;
    return own != NULL && own->is_watched == watched && (watched || turns);
}

static int count_units(const sn_solver *solver)
{
    int count = solver->body_count;
    for (int r = 0; r < solver->nodes.range_count; ++r) {
        count += solver->ledger->of_range[r] >= 0 ? solver->nodes.ranges[r].count : 0;
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

static int list_units(const sn_solver *solver, const sn_ledger_work *work, int count, bool watched)
{
    const sn_energy_ledger *ledger = solver->ledger;
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        if (has_units(solver, ledger->of_body[i], watched)) {
            work->units[count++] = (sn_ledger_unit){.account = ledger->of_body[i],
                                                    .body = i,
                                                    .node = -1,
                                                    .mass = mass_by_axis(solver->bodies[i].inverse_mass)};
        }
    }
    for (int r = 0; solver->nodes.nodes != NULL && r < solver->nodes.range_count; ++r) {
        const sn_node_range *range = &solver->nodes.ranges[r];
        bool is_listed = has_units(solver, ledger->of_range[r], watched);
        for (int i = range->first; is_listed && i < range->first + range->count; ++i) {
            float mass = mass_along(solver->nodes.nodes->states.data[i].inverse_mass);
            if (mass > 0.0f) {
                work->units[count++] = (sn_ledger_unit){.account = ledger->of_range[r],
                                                        .body = -1,
                                                        .node = i,
                                                        .is_led = work->wild.nodes[i] != 0,
                                                        .mass = sn_v(mass, mass, mass)};
            }
        }
    }
    return count;
}

// No principal moment is larger than the sum of all.
static void list_bounds(const sn_solver *solver, const sn_ledger_work *work)
{
    for (int i = 0; i < work->count; ++i) {
        const sn_ledger_unit *unit = &work->units[i];
        const sn_sym3d *inertia = unit->body >= 0 ? &solver->bodies[unit->body].spin.inertia : NULL;
        float sum = inertia != NULL ? (float)(inertia->xx + inertia->yy + inertia->zz) : 0.0f;
        work->bounds[i] = (sn_ledger_bound){.account = unit->account,
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
    work->count = list_units(solver, work, 0, true);
    work->all_count = list_units(solver, work, work->count, false);
    mark_led(solver, work->wild.nodes, 0);
    list_bounds(solver, work);
    ledger->work = work;
    return true;
}

// --- a sub-step --------------------------------------------------------------------------------------------

static void open_unit(const sn_solver *solver, sn_ledger_unit *unit, double energy)
{
    bool is_body = unit->body >= 0;
    unit->linear = sn_unit_linear(solver, unit);
    unit->angular = sn_unit_angular(solver, unit);
    unit->moved = is_body ? sn_take3(solver->shifts[unit->body].moved) : solver->nodes.moved[unit->node];
    unit->turned = is_body ? sn_take3(solver->shifts[unit->body].turned) : sn_v(0.0f, 0.0f, 0.0f);
    unit->before = energy;
}

void sn_run_open_ledger(sn_run *run)
{
    const sn_solver *solver = run->solver;
    sn_ledger_work *work = solver->ledger->work;
    for (int i = 0; i < work->count && !work->is_open; ++i) {
        open_unit(solver, &work->units[i], sn_unit_energy_now(solver, &work->units[i]));
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
static double work_on_body(const sn_solver *solver, const sn_ledger_unit *unit)
{
    const sn_solver_body *body = &solver->bodies[unit->body];
    sn_vec3 way = sn_sub(sn_take3(solver->shifts[unit->body].moved), unit->moved);
    sn_vec3 turn = sn_sub(sn_take3(solver->shifts[unit->body].turned), unit->turned);
    return (double)sn_dot(sn_mul(unit->mass, body->acceleration), way) + (double)sn_dot(body->torque, turn);
}

// Integrators of their own move nodes by other velocities than they end with: of such, the mean velocity
// counts where it gives more.
static double work_on_node(const sn_solver *solver, const sn_ledger_unit *unit, const sn_node_range *range)
{
    sn_vec3 way = sn_sub(solver->nodes.moved[unit->node], unit->moved);
    sn_vec3 force = sn_add_scaled(solver->nodes.nodes->forces.data[unit->node], unit->mass.x, range->gravity);
    sn_vec3 twice_mean = sn_add(unit->linear, sn_unit_linear(solver, unit));
    double work = (double)sn_dot(force, way);
    double half = 0.5 * (double)solver->nodes.pass.h * (double)solver->ledger->work->sub_steps;
    double other = half * (double)sn_dot(force, twice_mean);
    return range->has_integrator && other > work ? other : work;
}

// Units of nodes are in the order of ranges.
static const sn_node_range *range_of(const sn_solver *solver, const sn_ledger_unit *unit, int *range)
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
        sn_ledger_unit *unit = &work->units[i];
        double done = unit->body >= 0 ? work_on_body(solver, unit)
                                      : work_on_node(solver, unit, range_of(solver, unit, &range));
        unit->now = sn_unit_energy_now(solver, unit);
        work->kinetic[unit->account] += unit->now;
        work->before[unit->account] += unit->before;
        work->gains[unit->account] += unit->now - unit->before - done;
    }
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
    driven = driven < account->most_driven ? driven : account->most_driven;
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
        const sn_ledger_bound *bound = &work->bounds[i];
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
    ledger->work->is_alert = sn_ledger_call_in(run) || ledger->work->is_alert;
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
// work counts in the same proportion. What drives takes no more than was lost, and gives no more than motion
// can have of it: the rest is in springs, which are looked at when the step is over, or heat.
static void pay_in(sn_energy_account *account, double gain, double *driven)
{
    double most = (account->stored > 0.0 ? account->stored : 0.0) + (*driven > 0.0 ? *driven : 0.0);
    double part = account->is_watched && gain > most ? most / gain : 1.0;
    double least = gain < 0.0 ? gain : 0.0;
    double work = part * *driven > least ? part * *driven : least;
    account->driven += work;
    double beyond = account->driven - account->aside - account->most_driven;
    double aside = account->is_watched && beyond > 0.0 ? beyond : 0.0;
    account->aside += aside;
    account->stored += work - aside;
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
    work->is_open = !sn_ledger_call_in(run);
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

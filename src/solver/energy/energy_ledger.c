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

static float mass_along(float inverse_mass)
{
    return inverse_mass > 0.0f ? 1.0f / inverse_mass : 0.0f;
}

static sn_vec3 mass_by_axis(sn_vec3 inverse_mass)
{
    return sn_v(mass_along(inverse_mass.x), mass_along(inverse_mass.y), mass_along(inverse_mass.z));
}

// Marks nodes that exact anchors lead. False without memory.
static bool find_led(const sn_solver *solver, sn_ledger_work *work)
{
    const sn_exact_stage *exact = solver->nodes.exact;
    if (exact == NULL) {
        return true;
    }
    uint8_t *led = sn_arena_take_zero(solver->arena, (size_t)solver->nodes.nodes->states.count, sizeof *led);
    for (int s = 0; led != NULL && s < exact->pair_begin; ++s) {
        const sn_exact_set *set = &exact->sets[s];
        bool leads = set->attachment != SN_EXACT_FREE && sn_exact_body_of(exact, set) < solver->dynamic_begin;
        for (int i = set->first; leads && i < set->first + set->count; ++i) {
            led[exact->members[i].node] = 1;
        }
    }
    work->led = led;
    return led != NULL;
}

static int list_bodies(const sn_solver *solver, const sn_ledger_work *work, int count, bool watched)
{
    const sn_energy_ledger *ledger = solver->ledger;
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        if (has_units(solver, ledger->of_body[i], watched)) {
            work->bodies[count++] = (sn_ledger_unit){.account = ledger->of_body[i],
                                                     .body = i,
                                                     .node = -1,
                                                     .mass = mass_by_axis(solver->bodies[i].inverse_mass)};
        }
    }
    return count;
}

static int list_ranges(const sn_solver *solver, const sn_ledger_work *work, int count, bool watched)
{
    for (int r = 0; solver->nodes.nodes != NULL && r < solver->nodes.range_count; ++r) {
        int account = solver->ledger->of_range[r];
        if (has_units(solver, account, watched)) {
            work->ranges[count++] = (sn_ledger_range){account, &solver->nodes.ranges[r], NULL};
        }
    }
    return count;
}

// Of bodies and ranges. False without memory.
static bool list_units(const sn_solver *solver, sn_ledger_work *work)
{
    sn_arena *arena = solver->arena;
    work->bodies = sn_arena_take(arena, (size_t)solver->body_count, sizeof *work->bodies);
    work->ranges = sn_arena_take(arena, (size_t)solver->nodes.range_count, sizeof *work->ranges);
    if (work->bodies == NULL || work->ranges == NULL || !find_led(solver, work)) {
        return false;
    }
    work->body_count = list_bodies(solver, work, 0, true);
    work->all_body_count = list_bodies(solver, work, work->body_count, false);
    work->range_count = list_ranges(solver, work, 0, true);
    work->all_range_count = list_ranges(solver, work, work->range_count, false);
    size_t nodes = 0;
    for (int r = 0; r < work->all_range_count; ++r) {
        nodes += (size_t)work->ranges[r].nodes->count;
    }
    sn_ledger_start *starts = sn_arena_take(arena, nodes, sizeof *starts);
    for (int r = 0; starts != NULL && r < work->all_range_count; ++r) {
        work->ranges[r].starts = starts;
        starts += work->ranges[r].nodes->count;
    }
    work->unit_gains = sn_arena_take(arena, (size_t)work->all_body_count + nodes, sizeof *work->unit_gains);
    return starts != NULL && work->unit_gains != NULL;
}

bool sn_ledger_begin(sn_solver *solver)
{
    sn_energy_ledger *ledger = solver->ledger;
    if (ledger == NULL) {
        return true;
    }
    sn_arena *arena = solver->arena;
    sn_ledger_work *work = sn_arena_take_zero(arena, 1, sizeof *work);
    if (work == NULL || !list_units(solver, work)) {
        return false;
    }
    double **by_account[] = {&work->gains,  &work->kinetic, &work->before, &work->due,
                             &work->gained, &work->driven,  &work->so_far, &work->lifted};
    bool has_memory = true;
    for (size_t i = 0; i < sizeof by_account / sizeof by_account[0]; ++i) {
        *by_account[i] = sn_arena_take_zero(arena, (size_t)ledger->count, sizeof(double));
        has_memory = has_memory && *by_account[i] != NULL;
    }
    size_t nodes = solver->nodes.nodes != NULL ? (size_t)solver->nodes.nodes->states.count : 1;
    work->motions = sn_arena_take(arena, 2 * (size_t)ledger->count, sizeof *work->motions);
    work->wild.bodies = sn_arena_take_zero(arena, (size_t)solver->body_count, sizeof *work->wild.bodies);
    work->wild.nodes = sn_arena_take_zero(arena, nodes, sizeof *work->wild.nodes);
    solver->nodes.blown = sn_arena_take_zero(arena, (size_t)solver->nodes.range_count, sizeof(double));
    ledger->work = work;
    return has_memory && work->motions != NULL && work->wild.bodies != NULL && work->wild.nodes != NULL &&
           solver->nodes.blown != NULL;
}

// --- units of nodes ----------------------------------------------------------------------------------------

static void make_node_unit(sn_unit_walk *walk, const sn_ledger_range *range, int node)
{
    const sn_ledger_start *start = &range->starts[node - range->nodes->first];
    const uint8_t *led = walk->solver->ledger->work->led;
    float mass = mass_along(walk->solver->nodes.nodes->states.data[node].inverse_mass);
    walk->unit = (sn_ledger_unit){.account = range->account,
                                  .body = -1,
                                  .node = node,
                                  .is_led = led != NULL && led[node] != 0,
                                  .moved = start->moved,
                                  .linear = start->linear,
                                  .mass = sn_v(mass, mass, mass)};
}

bool sn_unit_next(sn_unit_walk *walk)
{
    const sn_ledger_work *work = walk->solver->ledger->work;
    ++walk->index;
    if (walk->next_body < (walk->is_all ? work->all_body_count : work->body_count)) {
        walk->unit = work->bodies[walk->next_body++];
        return true;
    }
    int range_count = walk->is_all ? work->all_range_count : work->range_count;
    for (; walk->range < range_count; ++walk->range, walk->next_node = 0) {
        const sn_ledger_range *range = &work->ranges[walk->range];
        while (walk->next_node < range->nodes->count) {
            int node = range->nodes->first + walk->next_node++;
            if (walk->solver->nodes.nodes->states.data[node].inverse_mass > 0.0f) {
                make_node_unit(walk, range, node);
                return true;
            }
        }
    }
    return false;
}

// --- a sub-step --------------------------------------------------------------------------------------------

static double energy_of_node(const sn_nodes *nodes, int node)
{
    float inverse_mass = nodes->states.data[node].inverse_mass;
    sn_vec3 v = nodes->velocities.data[node].velocity;
    double squares = (double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z;
    return inverse_mass > 0.0f ? 0.5 * (double)nodes->masses.data[node] * squares : 0.0;
}

static double kinetic_of_range(const sn_solver *solver, const sn_ledger_range *range)
{
    double sum = 0.0;
    for (int i = range->nodes->first; i < range->nodes->first + range->nodes->count; ++i) {
        sum += energy_of_node(solver->nodes.nodes, i);
    }
    return sum;
}

static void open_range(const sn_solver *solver, const sn_ledger_range *range)
{
    const sn_node_velocity *velocities = solver->nodes.nodes->velocities.data + range->nodes->first;
    const sn_vec3 *moved = solver->nodes.moved + range->nodes->first;
    for (int i = 0; i < range->nodes->count; ++i) {
        range->starts[i] = (sn_ledger_start){velocities[i].velocity, moved[i]};
    }
}

static void open_units(const sn_solver *solver, const sn_ledger_work *work)
{
    for (int i = 0; i < work->body_count; ++i) {
        sn_ledger_unit *unit = &work->bodies[i];
        unit->linear = sn_unit_linear(solver, unit);
        unit->angular = sn_unit_angular(solver, unit);
        unit->moved = sn_take3(solver->shifts[unit->body].moved);
        unit->turned = sn_take3(solver->shifts[unit->body].turned);
    }
    for (int r = 0; r < work->range_count; ++r) {
        open_range(solver, &work->ranges[r]);
    }
}

void sn_ledger_sum_kinetic(const sn_solver *solver, double *kinetic)
{
    const sn_ledger_work *work = solver->ledger->work;
    memset(kinetic, 0, (size_t)solver->ledger->count * sizeof *kinetic);
    for (int i = 0; i < work->body_count; ++i) {
        kinetic[work->bodies[i].account] += sn_unit_energy_now(solver, &work->bodies[i]);
    }
    for (int r = 0; r < work->range_count; ++r) {
        kinetic[work->ranges[r].account] += kinetic_of_range(solver, &work->ranges[r]);
    }
}

void sn_run_open_ledger(sn_run *run)
{
    sn_ledger_work *work = run->solver->ledger->work;
    if (!work->is_open) {
        open_units(run->solver, work);
        sn_ledger_sum_kinetic(run->solver, work->before);
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

// The work of gravity and of users' forces on what has moved since the sub-step began. [J]
static double work_on_body(const sn_solver *solver, const sn_ledger_unit *unit)
{
    const sn_solver_body *body = &solver->bodies[unit->body];
    sn_vec3 way = sn_sub(sn_take3(solver->shifts[unit->body].moved), unit->moved);
    sn_vec3 turn = sn_sub(sn_take3(solver->shifts[unit->body].turned), unit->turned);
    return (double)sn_dot(sn_mul(unit->mass, body->acceleration), way) + (double)sn_dot(body->torque, turn);
}

// Integrators of their own move nodes by other velocities than they end with: of such, the mean velocity
// counts where it gives more.
static double work_on_range(const sn_solver *solver, const sn_ledger_range *range)
{
    const sn_nodes *nodes = solver->nodes.nodes;
    double half = 0.5 * (double)solver->nodes.pass.h * (double)solver->ledger->work->sub_steps, sum = 0.0;
    for (int i = 0; i < range->nodes->count; ++i) {
        int node = range->nodes->first + i;
        const sn_ledger_start *start = &range->starts[i];
        if (!(nodes->states.data[node].inverse_mass > 0.0f)) {
            continue;
        }
        sn_vec3 force =
            sn_add_scaled(nodes->forces.data[node], nodes->masses.data[node], range->nodes->gravity);
        double work = (double)sn_dot(force, sn_sub(solver->nodes.moved[node], start->moved));
        if (range->nodes->has_integrator) {
            sn_vec3 twice_mean = sn_add(start->linear, nodes->velocities.data[node].velocity);
            double other = half * (double)sn_dot(force, twice_mean);
            work = other > work ? other : work;
        }
        sum += work;
    }
    return sum;
}

static void sum_gains(const sn_solver *solver, const sn_ledger_work *work)
{
    sn_ledger_sum_kinetic(solver, work->kinetic);
    for (int i = 0; i < solver->ledger->count; ++i) {
        work->gains[i] = work->kinetic[i] - work->before[i];
    }
    for (int i = 0; i < work->body_count; ++i) {
        work->gains[work->bodies[i].account] -= work_on_body(solver, &work->bodies[i]);
    }
    for (int r = 0; r < work->range_count; ++r) {
        work->gains[work->ranges[r].account] -= work_on_range(solver, &work->ranges[r]);
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
    sn_ledger_sum_kinetic(run->solver, ledger->work->kinetic);
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
// can have of it, of n times that an n-th: the rest is in springs, which are looked at when the step is over,
// or heat.
static void pay_in(sn_energy_account *account, double gain, double *driven)
{
    double most = (account->stored > 0.0 ? account->stored : 0.0) + (*driven > 0.0 ? *driven : 0.0);
    double part = account->is_watched && gain > most ? most / gain : 1.0;
    double least = gain < 0.0 ? gain : 0.0;
    double work = part * *driven > least ? part * *driven : least;
    account->driven += work;
    double all = account->driven, limit = account->most_driven;
    double aside = account->is_watched && all > limit ? all - limit * (limit / all) : 0.0;
    account->stored += work - (aside - account->aside);
    account->aside = aside;
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
    work->is_alert = sn_ledger_call_in(run);
    bool is_last = run->sub_step + 1 >= run->solver->settings.sub_steps;
    work->is_open = !work->is_alert && !is_last;
    for (int i = 0; i < ledger->count; ++i) {
        double taken = work->before[i] - work->kinetic[i];
        ledger->accounts[i].stored += taken;
        ledger->accounts[i].taken += taken;
    }
    if (work->is_open) {
        open_units(run->solver, work);
    }
}

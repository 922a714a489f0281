// Islands, what drives and holds them, and their accounts, in the order of a step.
// Tested by tests/world/energy/test_energy_accounts.c.
#include "world/energy/energy_accounts.h"
#include "world/exact/exact_plan.h"

#include <math.h>
#include <string.h>

// What an island may gain in any case: speeds of some millimetres a second [J/kg], and heights of a
// millimetre [m], by which it may hang higher than it began.
#define SLACK 1.0e-5
#define RISE  1.0e-3
// Within a step, what drives may give that many times what it may in the end: springs that it strains are
// looked at when the step is over.
#define GIVEN_AT_ONCE 10.0
// Of all the weight, at push_speed: so much may be lifted out of overlaps.
#define LIFTED_PART 0.1

// --- members -----------------------------------------------------------------------------------------------

bool sn_energy_has_deformable(const sn_world *world, int index)
{
    return sn_id_pool_in_use(&world->deformable_ids, index) &&
           !sn_deformable_sleeps(&world->deformables.data[index]);
}

int sn_energy_member(const sn_world *world, const sn_energy_islands *energy, int place)
{
    if (place < energy->islands.body_count) {
        int body = world->awake_bodies.data[place];
        return sn_body_is_dynamic(&world->bodies.data[body]) ? body : -1;
    }
    int index = place - energy->islands.body_count;
    return sn_energy_has_deformable(world, index) ? sn_soft_member(index) : -1;
}

int sn_energy_root(const sn_world *world, const sn_energy_islands *energy, int member)
{
    int place = sn_island_place(world, &energy->islands, member);
    return place >= 0 ? sn_island_root(&energy->islands, place) : -1;
}

static void mark(const sn_world *world, const sn_energy_islands *energy, int member, unsigned traits)
{
    int root = sn_energy_root(world, energy, member);
    if (root >= 0) {
        energy->traits[root] |= (uint16_t)traits;
    }
}

// What a member does to the one at the other end of a contact or constraint; −1 is a place in the world.
static unsigned traits_of_other(const sn_world *world, int member)
{
    if (sn_member_is_soft(member)) {
        return 0;
    }
    const sn_body *body = &world->bodies.data[sn_member_body(member)];
    return (sn_body_is_dynamic(body) ? 0u : SN_ENERGY_HELD) |
           (sn_body_is_driven(body) ? SN_ENERGY_DRIVEN : 0u);
}

static void mark_ends(const sn_world *world, const sn_energy_islands *energy, const int members[2],
                      unsigned traits)
{
    for (int side = 0; side < 2; ++side) {
        if (members[side] >= 0) {
            mark(world, energy, members[side], traits | traits_of_other(world, members[1 - side]));
        }
    }
}

// Moved nodes pull a mass with a speed; their work is not measured.
static void note_pull(const sn_energy_islands *energy, int root, double mass, float speed)
{
    if (root >= 0 && speed > 0.0f && mass < (double)INFINITY) {
        sn_energy_balance *balance = &energy->balances[root];
        energy->traits[root] |= SN_ENERGY_DRIVEN;
        balance->given += mass * (double)(speed * speed);
        balance->pulled = sn_max(balance->pulled, speed);
    }
}

// --- traits ------------------------------------------------------------------------------------------------

static void mark_contacts(const sn_world *world, const sn_energy_islands *energy)
{
    for (int i = 0; i < world->met_contacts.count; ++i) {
        const sn_contact_data *contact = &world->contacts.data[world->met_contacts.data[i]];
        const int members[2] = {contact->body_a, contact->body_b};
        mark_ends(world, energy, members, contact->has_surface_velocity ? SN_ENERGY_DRIVEN : 0);
    }
    for (int i = world->soft.asleep_count; i < world->soft.contacts.count; ++i) {
        int members[2];
        const sn_soft_contact_data *contact = &world->soft.contacts.data[i];
        if (sn_world_soft_contact_members(world, contact, members)) {
            bool moves = sn_length_squared(sn_soft_surface_velocity(world, contact)) > 0.0f;
            mark_ends(world, energy, members, moves ? SN_ENERGY_DRIVEN : 0);
        }
    }
}

static unsigned traits_of_deformable(const sn_world *world, const sn_deformable_data *data)
{
    // One sub-step a step is more than stiff rows bear, too: light springs may explode within it. Hard edges
    // cannot tell what they begin with.
    bool tells = !data->def.inextensible.on && data->def.edge_option_count == 0;
    bool may_gain = data->integration != NULL || data->model_kind != NULL ||
                    (world->def.solver == SN_SOLVER_STAGGERED && tells);
    unsigned traits = SN_ENERGY_SOFT | (may_gain ? SN_ENERGY_LINKED : 0u);
    // Elements begin with their last impulses, which lag behind where iterations do not resolve them.
    traits |= world->def.solver == SN_SOLVER_POSITION ? SN_ENERGY_SPRINGY : 0u;
    traits |= data->model_kind != NULL && data->model_kind->energy == NULL ? SN_ENERGY_MUTE : 0u;
    traits |= sn_world_nodes_before_recovery(world, data) != NULL ? SN_ENERGY_RECOVERED : 0u;
    // Still air only takes energy.
    bool is_blown = data->group_of[SN_ROWS_AIR] >= 0 && sn_length_squared(world->def.wind) > 0.0f;
    traits |= (is_blown ? SN_ENERGY_DRIVEN | SN_ENERGY_BLOWN : 0u) |
              (data->def.enclosure.pressure != 0.0f ? SN_ENERGY_PRESSED : 0u);
    for (int i = data->first_node; i < data->first_node + data->node_count; ++i) {
        traits |= world->nodes.states.data[i].inverse_mass > 0.0f ? 0u : SN_ENERGY_HELD;
        traits |= world->nodes.has_target.data[i] ? SN_ENERGY_DRIVEN | SN_ENERGY_MOVED : 0u;
    }
    return traits;
}

// Of moved nodes.
static float speed_within(const sn_world *world, const sn_deformable_data *data, float duration)
{
    const sn_nodes *nodes = &world->nodes;
    float fastest = 0.0f;
    for (int i = data->first_node; i < data->first_node + data->node_count; ++i) {
        if (nodes->has_target.data[i]) {
            float way = sn_distance_between(nodes->targets.data[i], nodes->states.data[i].position);
            fastest = sn_max(fastest, way / duration);
        }
    }
    return fastest;
}

float sn_energy_rest_size(const sn_deformable_data *data)
{
    sn_bounds rest = sn_mesh_bounds(data->def.mesh);
    return data->def.scale * sn_distance_between(rest.lower, rest.upper);
}

static void mark_members(const sn_world *world, const sn_energy_islands *energy)
{
    for (int place = 0; place < energy->islands.count; ++place) {
        int member = sn_energy_member(world, energy, place);
        if (member < 0) {
            continue;
        }
        if (!sn_member_is_soft(member)) {
            mark(world, energy, member, world->bodies.data[member].locks != 0 ? SN_ENERGY_HELD : 0u);
            continue;
        }
        const sn_deformable_data *data = &world->deformables.data[member & ~SN_SOFT_MEMBER];
        unsigned traits = traits_of_deformable(world, data);
        int root = sn_island_root(&energy->islands, place);
        mark(world, energy, member, traits);
        if ((traits & SN_ENERGY_DRIVEN) != 0) {
            note_pull(energy, root, 2.0 * (double)energy->masses[place],
                      speed_within(world, data, energy->duration));
        }
        if ((traits & SN_ENERGY_RECOVERED) != 0) {
            energy->balances[root].rise =
                fmax(energy->balances[root].rise, (double)sn_energy_rest_size(data));
        }
    }
}

static bool has_motor(const sn_world *world, const sn_constraint_data *data)
{
    if (data->kind == SN_CUSTOM) {
        sn_row rows[SN_MAX_ROWS];
        bool any = false;
        for (int i = sn_world_evaluate(world, data, rows); i-- > 0;) {
            any = any || (rows[i].type == SN_ROW_SPEED && rows[i].target_speed != 0.0f);
        }
        return any;
    }
    return (data->kind == SN_BALL && data->definition.ball.motor) ||
           (data->kind == SN_HINGE && data->definition.hinge.motor) ||
           (data->kind == SN_SLIDER && data->definition.slider.motor) ||
           (data->kind == SN_AXIS && data->definition.axis.motor);
}

static void mark_constraints(const sn_world *world, const sn_energy_islands *energy)
{
    for (int i = 0; i < world->active_constraints.count; ++i) {
        int index = world->active_constraints.data[i];
        const sn_constraint_link *link = &world->constraint_links.data[index];
        if (!link->is_anchor && has_motor(world, &world->constraints.data[index])) {
            mark_ends(world, energy, link->member, SN_ENERGY_DRIVEN);
        }
        if (world->exact->holds.data[index] == SN_CONSTRAINT_EXACT) {
            mark_ends(world, energy, link->member, SN_ENERGY_EXACT);
        }
    }
}

// Whether an island has a balance over a step, and an account within it.
bool sn_energy_has_balance(const sn_energy_islands *energy, int root)
{
    return root >= 0 &&
           (energy->traits[root] & (SN_ENERGY_LINKED | SN_ENERGY_SPRINGY | SN_ENERGY_SOFT)) != 0 &&
           (energy->traits[root] & SN_ENERGY_EXEMPT) == 0;
}

static bool has_account(const sn_energy_islands *energy, int root)
{
    return sn_energy_has_balance(energy, root) &&
           (energy->traits[root] & (SN_ENERGY_LINKED | SN_ENERGY_SPRINGY)) != 0 &&
           (energy->traits[root] & (SN_ENERGY_JUMPS | SN_ENERGY_PRESSED)) == 0;
}

bool sn_energy_is_held(const sn_energy_islands *energy, int root)
{
    return (energy->traits[root] & SN_ENERGY_HELD) != 0;
}

bool sn_energy_is_driven(const sn_energy_islands *energy, int root)
{
    return (energy->traits[root] & SN_ENERGY_DRIVEN) != 0;
}

// --- islands -----------------------------------------------------------------------------------------------

static bool needs_accounts(const sn_world *world)
{
    if (world->def.solver == SN_SOLVER_POSITION) { // for the turning of what is free
        return !world->def.position.newmark;       // velocities are no motion there (newmark.c)
    }
    for (int i = 0; i < world->deformables.count; ++i) {
        if (sn_energy_has_deformable(world, i)) {
            return true;
        }
    }
    return world->active_constraints.count > 0;
}

static void weigh(const sn_world *world, const sn_energy_islands *energy)
{
    for (int place = 0; place < energy->islands.count; ++place) {
        int member = sn_energy_member(world, energy, place);
        if (member >= 0 && sn_member_is_soft(member)) {
            const sn_deformable_data *data = &world->deformables.data[member & ~SN_SOFT_MEMBER];
            energy->masses[place] = data->node_mass * (float)data->node_count;
        } else {
            energy->masses[place] = member >= 0 ? world->bodies.data[member].mass : 0.0f;
        }
    }
}

static double slack_of(const sn_world *world, const sn_energy_islands *energy, int place)
{
    return (SLACK + RISE * (double)sn_length(world->def.gravity)) * (double)energy->masses[place];
}

// What pulls an island may give what it pulls its own speed, and lift all, but nothing more to what is as
// fast already.
static void add_given(const sn_world *world, const sn_energy_islands *energy, int root)
{
    sn_energy_balance *balance = &energy->balances[root];
    double gravity = (double)sn_length(world->def.gravity);
    double lift = balance->mass * (double)balance->pulled * gravity * (double)energy->duration;
    balance->given = lift + (balance->given > balance->fast ? balance->given - balance->fast : 0.0);
    double more = balance->given > balance->stored ? balance->given - balance->stored : 0.0;
    balance->stored += (energy->traits[root] & SN_ENERGY_MOVED) != 0 ? balance->given : more;
    balance->is_lent = (energy->traits[root] & SN_ENERGY_MUTE) != 0;
}

static void open_balances(const sn_world *world, const sn_energy_islands *energy)
{
    for (int place = 0; place < energy->islands.count; ++place) {
        int member = sn_energy_member(world, energy, place);
        if (member >= 0) {
            const sn_energy_share *share = sn_member_energy(world, member);
            int root = sn_island_root(&energy->islands, place);
            sn_energy_balance *balance = &energy->balances[root];
            balance->is_kept = sn_energy_has_balance(energy, root);
            balance->stored += (double)share->stored;
            balance->peak += (double)share->peak;
            balance->slack += slack_of(world, energy, place);
        }
    }
    sn_energy_balances_open(world, energy);
    for (int root = 0; root < energy->islands.count; ++root) {
        sn_energy_balance *balance = &energy->balances[root];
        // What was gained and could not be taken back yet does not count.
        double own = balance->fast + (balance->stored < 0.0 ? balance->stored : 0.0);
        balance->peak = own > balance->peak ? own : balance->peak;
        if (balance->pulled > 0.0f) {
            add_given(world, energy, root);
        }
        balance->left = balance->stored;
    }
}

// Contacts between deformables that are fast are detected again halfway through the step: what may meet then
// shares its energy from the beginning.
static void join_what_may_meet(const sn_world *world, const sn_islands *islands)
{
    const sn_soft_detector *soft = &world->soft;
    for (int i = 0; soft->is_fast && i < soft->pairs.count; ++i) {
        const sn_soft_pair *pair = &soft->pairs.data[i];
        if (pair->other >= 0) {
            sn_islands_join(world, islands, sn_soft_member(pair->deformable), sn_soft_member(pair->other));
        }
    }
}

bool sn_energy_islands_find(sn_world *world, float duration, sn_energy_islands **found)
{
    *found = NULL;
    if (!needs_accounts(world)) {
        return true;
    }
    sn_energy_islands *energy = sn_arena_take_zero(&world->arena, 1, sizeof *energy);
    if (energy == NULL || !sn_world_find_islands(world, true, &energy->islands)) {
        return false;
    }
    join_what_may_meet(world, &energy->islands);
    size_t count = (size_t)energy->islands.count;
    energy->duration = duration;
    energy->traits = sn_arena_take_zero(&world->arena, count, sizeof *energy->traits);
    energy->masses = sn_arena_take(&world->arena, count, sizeof *energy->masses);
    double *measured = sn_arena_take_zero(&world->arena, 3 * count, sizeof *measured);
    energy->balances = sn_arena_take_zero(&world->arena, count, sizeof *energy->balances);
    energy->slowings = sn_arena_take(&world->arena, count, sizeof *energy->slowings);
    if (energy->traits == NULL || energy->slowings == NULL || energy->masses == NULL ||
        energy->balances == NULL || measured == NULL) {
        return false;
    }
    weigh(world, energy);
    const sn_active_parts *parts = sn_world_active_parts(world);
    for (int i = 0; i < parts->pairs.count; ++i) {
        mark_ends(world, energy, parts->pairs.data[i].member, SN_ENERGY_LINKED);
    }
    mark_members(world, energy);
    mark_contacts(world, energy);
    mark_constraints(world, energy);
    sn_energy_find_drivers(world, energy);
    sn_energy_measure_stores(world, energy, measured);
    open_balances(world, energy);
    *found = energy;
    return true;
}

// --- accounts ----------------------------------------------------------------------------------------------

// Accounts are numbered by `of`, by root; −1 for none.
static int number_accounts(const sn_world *world, const sn_energy_islands *energy, int *of)
{
    int count = 0;
    for (int place = 0; place < energy->islands.count; ++place) {
        of[place] = -1;
    }
    for (int place = 0; place < energy->islands.count; ++place) {
        int member = sn_energy_member(world, energy, place);
        int root = member >= 0 ? sn_island_root(&energy->islands, place) : -1;
        // The position solver keeps the turning of whatever nothing holds (sn_run_keep_turning).
        bool turns = root >= 0 && world->def.solver == SN_SOLVER_POSITION && !sn_energy_is_held(energy, root);
        bool is_numbered = turns || sn_energy_has_balance(energy, root);
        if (is_numbered && of[root] < 0 && sn_world_is_solved(world, member)) {
            of[root] = count++;
        }
    }
    return count;
}

static void fill_accounts(const sn_world *world, const sn_energy_islands *energy, const int *of,
                          sn_energy_ledger *ledger)
{
    double gravity = (double)sn_length(world->def.gravity);
    double speed = (double)world->def.push_speed, push = LIFTED_PART * speed * (double)energy->duration;
    for (int root = 0; root < energy->islands.count; ++root) {
        const sn_energy_balance *balance = &energy->balances[root];
        if (of[root] >= 0) {
            bool is_moved = (energy->traits[root] & SN_ENERGY_RECOVERED) != 0; // into what is near
            ledger->has_drivers |= (energy->traits[root] & SN_ENERGY_DRIVEN) != 0;
            ledger->accounts[of[root]] = (sn_energy_account){
                .stored = balance->stored + GIVEN_AT_ONCE * balance->given,
                .most_driven = sn_energy_most_driven(energy, root, gravity),
                .peak = balance->peak,
                .slack = balance->slack + (is_moved ? 0.5 * balance->mass * speed * speed : 0.0),
                .mass = balance->mass,
                .gravity = gravity,
                .liftable = balance->mass * gravity * push,
                .is_watched = has_account(energy, root),
                .is_held = sn_energy_is_held(energy, root)};
        }
    }
}

static int account_of(const sn_world *world, const sn_energy_islands *energy, const int *of, int member)
{
    int root = sn_energy_root(world, energy, member);
    return root >= 0 ? of[root] : -1;
}

static void assign_units(const sn_world *world, const sn_energy_islands *energy, const int *of,
                         const int *number, sn_solver *solver)
{
    for (int i = 0; i < solver->body_count; ++i) {
        solver->ledger->of_body[i] = -1;
    }
    for (int i = 0; i < world->awake_bodies.count; ++i) {
        int body = world->awake_bodies.data[i];
        if (number[body] >= solver->dynamic_begin) {
            solver->ledger->of_body[number[body]] = account_of(world, energy, of, body);
        }
    }
    int range = 0; // in the order of deformables (deformables_step.c)
    for (int i = 0; i < world->deformables.count && range < solver->nodes.range_count; ++i) {
        if (sn_energy_has_deformable(world, i) &&
            world->deformables.data[i].first_node == solver->nodes.ranges[range].first) {
            solver->ledger->of_range[range++] = account_of(world, energy, of, sn_soft_member(i));
        }
    }
}

bool sn_energy_ledger_load(sn_world *world, const sn_energy_islands *energy, const int *number,
                           sn_solver *solver)
{
    solver->ledger = NULL;
    if (energy == NULL) {
        return true;
    }
    sn_arena *arena = &world->arena;
    int *of = sn_arena_take(arena, (size_t)energy->islands.count, sizeof *of);
    sn_energy_ledger *ledger = sn_arena_take_zero(arena, 1, sizeof *ledger);
    if (of == NULL || ledger == NULL) {
        return false;
    }
    ledger->count = number_accounts(world, energy, of);
    if (ledger->count == 0) {
        return true;
    }
    ledger->of_root = of;
    ledger->accounts = sn_arena_take_zero(arena, (size_t)ledger->count, sizeof *ledger->accounts);
    ledger->of_body = sn_arena_take(arena, (size_t)solver->body_count, sizeof *ledger->of_body);
    ledger->of_range = sn_arena_take(arena, (size_t)solver->nodes.range_count, sizeof *ledger->of_range);
    if (ledger->accounts == NULL || ledger->of_body == NULL || ledger->of_range == NULL) {
        return false;
    }
    solver->ledger = ledger;
    fill_accounts(world, energy, of, ledger);
    assign_units(world, energy, of, number, solver);
    return true;
}

// Shares are given when the balance of the step is known.
void sn_energy_ledger_store(sn_world *world, const sn_energy_islands *energy, const sn_solver *solver)
{
    if (solver->ledger == NULL) {
        return;
    }
    for (int root = 0; root < energy->islands.count; ++root) {
        int number = solver->ledger->of_root[root];
        if (number >= 0) {
            const sn_energy_account *account = &solver->ledger->accounts[number];
            sn_energy_balance *balance = &energy->balances[root];
            balance->left = account->stored + account->aside - GIVEN_AT_ONCE * balance->given;
            balance->lifted += account->lifted;
            balance->driven += account->driven;
            balance->taken += account->taken;
            world->last.energy_taken += (float)account->taken;
        }
    }
}

// By mass: whatever parts takes with it what it may have stored.
void sn_energy_share_out(const sn_world *world, const sn_energy_islands *energy)
{
    for (int place = 0; place < energy->islands.count; ++place) {
        int member = sn_energy_member(world, energy, place);
        int root = member >= 0 ? sn_island_root(&energy->islands, place) : -1;
        if (root >= 0 && energy->balances[root].is_kept) {
            const sn_energy_balance *balance = &energy->balances[root];
            double part = (double)energy->masses[place] / balance->mass;
            sn_energy_share *share = sn_member_energy(world, member);
            share->stored = (float)(part * balance->left);
            share->peak = (float)(part * balance->peak);
            bool is_finite = sn_is_finite(share->stored) && sn_is_finite(share->peak);
            share->is_known = is_finite && (energy->traits[root] & SN_ENERGY_JUMPS) == 0;
            share->stored = is_finite ? share->stored : 0.0f;
            share->peak = is_finite ? share->peak : 0.0f;
        }
    }
}

// Islands and what is known of their energy, in the order of a step.
// Tested by tests/world/core/test_energy_accounts.c.
#include "world/core/energy_accounts.h"
#include "world/exact/exact_plan.h"

#include <math.h>
#include <string.h>

enum {
    LINKED = 1,      // it has constraints, or a model that is no row
    EXEMPT = 2,      // nobody can tell what it is given
    HELD = 4,        // by something that does not move
    DRIVEN = 8,      // by something that moves it with a speed
    SPRINGY = 16,    // it has elements that iterations of the position solver may not resolve
    SOFT = 32,       // it has deformables
    MOVED = 64,      // by moved nodes, whose work nobody measures: they may give again in every step
    JUMPS = 128,     // exact anchors pull it to its place in this step
    PRESSED = 256,   // by a pressure inside, whose work is known over whole steps
    RECOVERED = 512, // put into its rest shape when this step began, and cut back by the guard
    MUTE = 1024      // it has a model that cannot tell what it stores
};

// Exact anchors farther from where they should be than this are not met. [m]
#define MET 1.0e-3f
// What drives would go on paying for what is lost: of driven islands, what neither rows nor elements tell is
// forgotten in this time. Chains of light links that carry much store more than their rows tell. [s]
#define FORGOTTEN 4.0
// The same of what they owe: the work of impulses that are wrong is known no better than they are. [s]
#define FORGIVEN 1.0f
// Before a constraint has been solved, it is taken to be solved by so many.
#define USUAL_SUB_STEPS 16.0f
// Deformables whose models cannot tell their energy, and which begin crushed or torn by more than this part
// of an edge, are not watched: nobody can tell what it takes to bring them back.
#define RUINED 0.9f
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

static bool has_deformable(const sn_world *world, int index)
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
    return has_deformable(world, index) ? sn_soft_member(index) : -1;
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
    return (sn_body_is_dynamic(body) ? 0u : HELD) | (sn_body_is_driven(body) ? DRIVEN : 0u);
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
        energy->traits[root] |= DRIVEN;
        balance->given += mass * (double)(speed * speed);
        balance->pulled = sn_max(balance->pulled, speed);
    }
}

// --- traits ------------------------------------------------------------------------------------------------

static void mark_contacts(const sn_world *world, const sn_energy_islands *energy)
{
    for (int i = 0; i < world->active_contacts.count; ++i) {
        const sn_contact_data *contact = &world->contacts.data[world->active_contacts.data[i]];
        const int members[2] = {contact->body_a, contact->body_b};
        if (contact->patches.count > 0) {
            mark_ends(world, energy, members, contact->has_surface_velocity ? DRIVEN : 0);
        }
    }
    for (int i = 0; i < world->soft.contacts.count; ++i) {
        int members[2];
        if (sn_world_soft_contact_members(world, &world->soft.contacts.data[i], members)) {
            mark_ends(world, energy, members, 0);
        }
    }
}

// Elements begin with their last impulses, which lag behind where iterations do not resolve them
// (position.c).
static bool is_springy(const sn_world *world, const sn_deformable_data *data)
{
    return world->def.solver == SN_SOLVER_POSITION &&
           (data->group_of[SN_ROWS_TETRAHEDRA] >= 0 || data->group_of[SN_ROWS_NEO_HOOKEAN] >= 0 ||
            data->def.model.type == SN_MODEL_SPRINGS);
}

static unsigned traits_of_deformable(const sn_world *world, const sn_deformable_data *data)
{
    unsigned traits = SOFT | (data->integration != NULL || data->model_kind != NULL ? LINKED : 0u);
    traits |= is_springy(world, data) ? SPRINGY : 0u;
    traits |= data->model_kind != NULL && data->model_kind->energy == NULL ? MUTE : 0u;
    traits |= sn_world_nodes_before_recovery(world, data) != NULL ? RECOVERED : 0u;
    // Still air only takes energy.
    bool is_blown = data->group_of[SN_ROWS_AIR] >= 0 && sn_length_squared(world->def.wind) > 0.0f;
    traits |= (is_blown ? DRIVEN : 0u) | (data->def.enclosure.pressure != 0.0f ? PRESSED : 0u);
    for (int i = data->first_node; i < data->first_node + data->node_count; ++i) {
        traits |= world->nodes.states.data[i].inverse_mass > 0.0f ? 0u : HELD;
        traits |= world->nodes.has_target.data[i] ? DRIVEN | MOVED : 0u;
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

static float rest_size(const sn_deformable_data *data)
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
            mark(world, energy, member, world->bodies.data[member].locks != 0 ? HELD : 0u);
            continue;
        }
        const sn_deformable_data *data = &world->deformables.data[member & ~SN_SOFT_MEMBER];
        unsigned traits = traits_of_deformable(world, data);
        int root = sn_island_root(&energy->islands, place);
        mark(world, energy, member, traits);
        if ((traits & DRIVEN) != 0) {
            note_pull(energy, root, 2.0 * (double)energy->masses[place],
                      speed_within(world, data, energy->duration));
        }
        if ((traits & RECOVERED) != 0) {
            energy->balances[root].rise = fmax(energy->balances[root].rise, (double)rest_size(data));
        }
    }
}

// --- what is stored ----------------------------------------------------------------------------------------

static int root_of_ends(const sn_world *world, const sn_energy_islands *energy, const int members[2])
{
    int root = members[0] >= 0 ? sn_energy_root(world, energy, members[0]) : -1;
    return root >= 0 || members[1] < 0 ? root : sn_energy_root(world, energy, members[1]);
}

// The mass that a hard row of a constraint moves, or rather more than that: of its lighter end. [kg]
static float mass_at(const sn_world *world, const sn_constraint_link *link)
{
    float least = INFINITY;
    for (int side = 0; side < 2; ++side) {
        int member = link->member[side];
        if (sn_member_is_soft(member)) {
            least = sn_min(least, 4.0f * world->deformables.data[member & ~SN_SOFT_MEMBER].node_mass);
        } else if (member >= 0 && sn_body_is_dynamic(&world->bodies.data[member])) {
            least = sn_min(least, world->bodies.data[member].mass);
        }
    }
    return least;
}

// What a turn of a hard row counts as: the size of the larger body, seen from the joint. [m]
static float size_at(const sn_world *world, const sn_constraint_link *link,
                     const sn_constraint_common *common)
{
    const sn_point *points[2] = {&common->a, &common->b};
    float size = 0.0f;
    for (int side = 0; side < 2; ++side) {
        int member = link->member[side];
        if (member >= 0 && !sn_member_is_soft(member) && sn_body_is_dynamic(&world->bodies.data[member])) {
            const sn_body *body = &world->bodies.data[member];
            float lever = sn_distance_between(sn_point_now(world, points[side]), body->center);
            float moments = body->inertia.x.x + body->inertia.y.y + body->inertia.z.z;
            size = sn_max(size, lever + sn_max(body->outer_radius, sqrtf(moments / body->mass)));
        }
    }
    return size;
}

static bool turns(const sn_row *row)
{
    return sn_length_squared(row->linear[0]) + sn_length_squared(row->linear[1]) == 0.0f;
}

// Hard rows are springs, too (softness.h), and so are those that are stiffer than these. They are let go at
// the speed of overlaps at most.
typedef struct hard_row {
    double mass, rate, most_speed; // [kg], [1/s], [m/s]
    double size;                   // what a turn counts as [m]
} hard_row;

static double energy_of_row(const sn_row *row, const hard_row *hard)
{
    bool acts = row->type == SN_ROW_EQUAL || (row->type == SN_ROW_ABOVE && row->value < 0.0f);
    double value = fabs((double)row->value), size = turns(row) ? hard->size : 1.0;
    double speed = hard->rate * value * size;
    double limited = speed < hard->most_speed ? speed : hard->most_speed;
    double compliance = (double)row->compliance;
    if (!acts || value * value < compliance * hard->mass * speed * speed) { // a spring softer than a hard row
        return acts ? 0.5 * value * value / compliance : 0.0;
    }
    return 0.5 * hard->mass * limited * limited;
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

static bool is_on_ramp(const sn_constraint_data *data)
{
    const sn_constraint_common *common = &data->definition.common;
    return common->exact && common->ramp_steps > 1 && data->ramp_done < common->ramp_steps;
}

// What an exact anchor holds, or lighter, gets twice the speed of the jump at most.
static void note_jump(const sn_energy_islands *energy, int root, double mass, double way)
{
    double speed = way / (double)energy->duration;
    energy->traits[root] |= JUMPS;
    energy->balances[root].rise = fmax(energy->balances[root].rise, fabs(way));
    energy->balances[root].lifted += mass < (double)INFINITY ? 2.0 * mass * speed * speed : 0.0;
}

// Adds what a constraint stores [J]. Exact anchors store nothing; those that begin away from their place jump
// there, unless they have a ramp or their place is moved: these drive.
static void add_constraint(const sn_world *world, const sn_energy_islands *islands, int index, bool is_fresh,
                           double *energy)
{
    sn_constraint_data *data = &world->constraints.data[index];
    bool is_exact =
        data->definition.common.exact && world->exact->holds.data[index] != SN_CONSTRAINT_ROWS_INSTEAD;
    const sn_constraint_link *link = &world->constraint_links.data[index];
    float h = data->sub_step > 0.0f ? data->sub_step : islands->duration / USUAL_SUB_STEPS;
    int root = root_of_ends(world, islands, link->member);
    bool jumps = is_fresh && is_exact && !is_on_ramp(data) && data->sub_step == 0.0f;
    hard_row hard = {.mass = (double)mass_at(world, link),
                     .rate = (double)(2.0f * SN_PI * world->def.constraint_stiffness / h),
                     .most_speed = (double)world->def.push_speed,
                     .size = (double)size_at(world, link, &data->definition.common)};
    sn_row rows[SN_MAX_ROWS];
    int count = sn_world_evaluate(world, data, rows);
    for (int i = 0; i < count; ++i) {
        if (jumps && sn_abs(rows[i].value) > MET) {
            note_jump(islands, root, (double)mass_at(world, link), (double)rows[i].value);
        } else if (is_exact && rows[i].value != 0.0f) {
            islands->traits[root] |= DRIVEN;
        }
        *energy += !is_exact ? energy_of_row(&rows[i], &hard) : 0.0;
    }
    data->sub_step = is_exact ? islands->duration : data->sub_step; // it jumps once
}

// What holds does not store.
static bool is_known(const sn_world *world, int member)
{
    return member < 0 || (!sn_member_is_soft(member) && !sn_body_is_dynamic(&world->bodies.data[member])) ||
           sn_member_energy(world, member)->is_known;
}

static void mark_motors(const sn_world *world, const sn_energy_islands *energy)
{
    for (int i = 0; i < world->active_constraints.count; ++i) {
        int index = world->active_constraints.data[i];
        if (has_motor(world, &world->constraints.data[index])) {
            mark_ends(world, energy, world->constraint_links.data[index].member, DRIVEN);
        }
    }
}

// Of what users have changed, of what is driven, and of what ramps drive.
static void measure_constraints(const sn_world *world, const sn_energy_islands *energy, double *measured)
{
    for (int i = 0; i < world->active_constraints.count; ++i) {
        int index = world->active_constraints.data[i];
        const int *member = world->constraint_links.data[index].member;
        bool is_fresh = !is_known(world, member[0]) || !is_known(world, member[1]);
        const sn_constraint_data *data = &world->constraints.data[index];
        int here = sn_island_place(world, &energy->islands, member[0]);
        here = here >= 0 ? here : sn_island_place(world, &energy->islands, member[1]);
        int root = here >= 0 ? sn_island_root(&energy->islands, here) : -1;
        if (root < 0 || (energy->traits[root] & EXEMPT) != 0 ||
            (!is_fresh && !is_on_ramp(data) && (energy->traits[root] & DRIVEN) == 0)) {
            continue;
        }
        add_constraint(world, energy, index, is_fresh, &measured[here]);
    }
}

// Whether an island has a balance over a step, and an account within it.
static bool has_balance(const sn_energy_islands *energy, int root)
{
    return root >= 0 && (energy->traits[root] & (LINKED | SPRINGY | SOFT)) != 0 &&
           (energy->traits[root] & EXEMPT) == 0;
}

static bool has_account(const sn_energy_islands *energy, int root)
{
    return has_balance(energy, root) && (energy->traits[root] & (LINKED | SPRINGY)) != 0 &&
           (energy->traits[root] & (JUMPS | PRESSED | RECOVERED)) == 0;
}

bool sn_energy_is_held(const sn_energy_islands *energy, int root)
{
    return (energy->traits[root] & HELD) != 0;
}

bool sn_energy_is_driven(const sn_energy_islands *energy, int root)
{
    return (energy->traits[root] & DRIVEN) != 0;
}

// Whether elements and rows hold all that an island stores, and tell how much.
static bool tells_store(const sn_energy_islands *energy, int root)
{
    unsigned traits = root >= 0 ? energy->traits[root] : EXEMPT;
    return (traits & (LINKED | SPRINGY | EXEMPT | DRIVEN)) == SPRINGY ||
           (traits & (EXEMPT | DRIVEN)) == DRIVEN;
}

// Models that cannot tell what they store move nodes to their goals within a step. [J]
static double goal_energy(const sn_world *world, const sn_energy_islands *energy, int place,
                          const sn_deformable_data *data, float stretch)
{
    sn_bounds now = sn_deformable_bounds(world, data);
    float size = sn_max(sn_distance_between(now.lower, now.upper), rest_size(data));
    double speed = (double)(sn_min(stretch, 1.0f) * size / energy->duration);
    return 0.5 * (double)energy->masses[place] * speed * speed;
}

static void measure_deformables(const sn_world *world, const sn_energy_islands *energy, double *measured)
{
    for (int i = 0; i < world->deformables.count; ++i) {
        const sn_deformable_data *data = &world->deformables.data[i];
        int place = energy->islands.body_count + i;
        int root = sn_island_root(&energy->islands, place);
        if (!has_deformable(world, i) || (data->energy.is_known && !tells_store(energy, root))) {
            continue;
        }
        bool is_told = data->model_kind == NULL || data->model_kind->energy != NULL;
        bool was_watched = data->energy.is_known || data->energy.peak > 0.0f;
        if (has_balance(energy, root) && !is_told && was_watched) {
            measured[place] += (double)data->energy.stored;
        } else if (has_balance(energy, root)) {
            sn_deformable_measure now = sn_deformable_measure_now(world, sn_deformable_id(world, i));
            measured[place] += is_told ? (double)sn_max(now.elastic_energy, 0.0f) // of rounding
                                       : goal_energy(world, energy, place, data, now.largest_stretch);
            if (!is_told && data->first_constraint < 0 && now.largest_stretch > RUINED) {
                energy->traits[root] |= EXEMPT;
            }
        }
    }
}

// What was paid in before is still there, unless elements tell that it is not: then it was lost. Bodies
// without constraints store nothing.
static void note_measures(const sn_world *world, const sn_energy_islands *energy, const double *measured,
                          double *lost)
{
    for (int place = 0; place < energy->islands.count; ++place) {
        int member = sn_energy_member(world, energy, place);
        if (member >= 0) {
            lost[sn_island_root(&energy->islands, place)] +=
                (double)sn_member_energy(world, member)->stored - measured[place];
        }
    }
    for (int place = 0; place < energy->islands.count; ++place) {
        int member = sn_energy_member(world, energy, place);
        if (member < 0) {
            continue;
        }
        sn_energy_share *share = sn_member_energy(world, member);
        int root = sn_island_root(&energy->islands, place);
        unsigned traits = energy->traits[root];
        bool was_known = share->is_known && tells_store(energy, root);
        bool is_free = !sn_member_is_soft(member) && (traits & (LINKED | EXEMPT | DRIVEN)) == 0;
        share->is_known = is_free || has_balance(energy, root);
        bool is_more = measured[place] > 0.0 && measured[place] > (double)share->stored;
        bool is_measured = was_known ? lost[root] > 0.0 : is_more;
        double beyond = (double)share->stored - measured[place];
        double part = was_known && (traits & DRIVEN) != 0 ? (double)energy->duration / FORGOTTEN : 1.0;
        share->stored = is_measured ? (float)((double)share->stored - part * beyond) : share->stored;
        if ((traits & DRIVEN) != 0 && share->stored < 0.0f) {
            share->stored *= 1.0f - sn_min(energy->duration / FORGIVEN, 1.0f);
        }
    }
}

// --- islands -----------------------------------------------------------------------------------------------

static bool needs_accounts(const sn_world *world)
{
    if (world->def.solver == SN_SOLVER_POSITION && world->def.position.newmark) {
        return false; // velocities are no motion there (newmark.h)
    }
    for (int i = 0; i < world->deformables.count; ++i) {
        if (has_deformable(world, i)) {
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
    balance->stored += (energy->traits[root] & MOVED) != 0 ? balance->given : more;
    balance->is_lent = (energy->traits[root] & MUTE) != 0;
}

static void open_balances(const sn_world *world, const sn_energy_islands *energy)
{
    for (int place = 0; place < energy->islands.count; ++place) {
        int member = sn_energy_member(world, energy, place);
        if (member >= 0) {
            const sn_energy_share *share = sn_member_energy(world, member);
            int root = sn_island_root(&energy->islands, place);
            sn_energy_balance *balance = &energy->balances[root];
            balance->is_kept = has_balance(energy, root);
            balance->stored += (double)share->stored;
            balance->peak += (double)share->peak;
            balance->slack += slack_of(world, energy, place);
            balance->mass += (double)energy->masses[place];
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
    size_t count = (size_t)energy->islands.count;
    energy->duration = duration;
    energy->traits = sn_arena_take_zero(&world->arena, count, sizeof *energy->traits);
    energy->masses = sn_arena_take(&world->arena, count, sizeof *energy->masses);
    double *measured = sn_arena_take_zero(&world->arena, 2 * count, sizeof *measured);
    energy->balances = sn_arena_take_zero(&world->arena, count, sizeof *energy->balances);
    energy->slowings = sn_arena_take(&world->arena, count, sizeof *energy->slowings);
    if (energy->traits == NULL || energy->slowings == NULL || energy->masses == NULL ||
        energy->balances == NULL || measured == NULL) {
        return false;
    }
    weigh(world, energy);
    const sn_active_parts *parts = sn_world_active_parts(world);
    for (int i = 0; i < parts->pairs.count; ++i) {
        mark_ends(world, energy, parts->pairs.data[i].member, LINKED);
    }
    mark_members(world, energy);
    mark_contacts(world, energy);
    mark_motors(world, energy);
    measure_constraints(world, energy, measured);
    measure_deformables(world, energy, measured);
    note_measures(world, energy, measured, measured + count);
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
        if (has_balance(energy, root) && of[root] < 0 && sn_world_is_solved(world, member)) {
            of[root] = count++;
        }
    }
    return count;
}

static void fill_accounts(const sn_world *world, const sn_energy_islands *energy, const int *of,
                          sn_energy_ledger *ledger)
{
    double gravity = (double)sn_length(world->def.gravity);
    double push = LIFTED_PART * (double)(world->def.push_speed * energy->duration);
    for (int root = 0; root < energy->islands.count; ++root) {
        const sn_energy_balance *balance = &energy->balances[root];
        if (of[root] >= 0) {
            ledger->has_drivers |= (energy->traits[root] & DRIVEN) != 0;
            ledger->accounts[of[root]] =
                (sn_energy_account){.stored = balance->stored + GIVEN_AT_ONCE * balance->given,
                                    .peak = balance->peak,
                                    .slack = balance->slack,
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
        if (has_deformable(world, i) &&
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
            balance->left = account->stored - GIVEN_AT_ONCE * balance->given;
            balance->lifted += account->lifted;
            balance->driven += account->driven;
        }
    }
    world->last.energy_taken += (float)solver->ledger->taken;
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
            share->is_known = is_finite && (energy->traits[root] & JUMPS) == 0;
            share->stored = is_finite ? share->stored : 0.0f;
            share->peak = is_finite ? share->peak : 0.0f;
        }
    }
}

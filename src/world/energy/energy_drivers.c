// How much those that drive an island can give it: moving bodies, motors, wind, moved nodes.
//
// What is pushed by a point of speed u is as fast in the end, or 2 u if it bounces, however long it is
// pushed. So an island of mass m and speed v gets no more than ½ m ((v + 2u)² − v²) in a step, and what it is
// lifted by. The work that is measured (solver/energy/energy_work.c) may be many times that: where joints,
// contacts and locks contradict what drives, it does work on and on, of which nothing is left but heat, and
// where levers have no length, hard rows ask for speeds without bounds. What is beyond is no motion, and the
// more it is the less the rest is trusted: of n times as much, an n-th counts. Tested
// by tests/world/energy/test_energy_drivers.c.
#include "world/energy/energy_accounts.h"

#include <math.h>

// --- extent ------------------------------------------------------------------------------------------------

static sn_bounds bounds_of(const sn_world *world, int member)
{
    if (sn_member_is_soft(member)) {
        return sn_deformable_bounds(world, &world->deformables.data[member & ~SN_SOFT_MEMBER]);
    }
    const sn_body *body = &world->bodies.data[member];
    sn_vec3 reach = sn_v(body->outer_radius, body->outer_radius, body->outer_radius);
    return (sn_bounds){sn_sub(body->center, reach), sn_add(body->center, reach)};
}

// By how much a deformable is longer than at rest. [m]
static float lengthened(const sn_world *world, int member, sn_bounds bounds)
{
    float size = sn_distance_between(bounds.lower, bounds.upper);
    return sn_member_is_soft(member)
               ? sn_max(0.0f, size - sn_energy_rest_size(&world->deformables.data[member & ~SN_SOFT_MEMBER]))
               : 0.0f;
}

// Masses of islands, and extents of those that are driven.
static void measure_islands(const sn_world *world, const sn_energy_islands *energy)
{
    for (int place = 0; place < energy->islands.count; ++place) {
        int member = sn_energy_member(world, energy, place);
        int root = member >= 0 ? sn_island_root(&energy->islands, place) : -1;
        if (root >= 0 && sn_energy_is_driven(energy, root)) {
            sn_bounds *extent = &energy->balances[root].extent, bounds = bounds_of(world, member);
            bool is_first = energy->balances[root].mass == 0.0;
            extent->lower = is_first ? bounds.lower : sn_min3(extent->lower, bounds.lower);
            extent->upper = is_first ? bounds.upper : sn_max3(extent->upper, bounds.upper);
            energy->balances[root].lengthened += lengthened(world, member, bounds);
        }
        if (root >= 0) {
            energy->balances[root].mass += (double)energy->masses[place];
        }
    }
}

// --- speeds ------------------------------------------------------------------------------------------------

static void note_speed(const sn_energy_islands *energy, int root, float speed)
{
    if (root >= 0) {
        energy->balances[root].driver_speed = sn_max(energy->balances[root].driver_speed, speed);
    }
}

// Of the points of a driving body as far out as the island reaches when nothing of it is stretched: what a
// turning body has flung out would reach ever farther, and be given ever more. 0 of others.
static float speed_of(const sn_world *world, const sn_energy_balance *balance, int member)
{
    const sn_body *body =
        member >= 0 && !sn_member_is_soft(member) ? &world->bodies.data[sn_member_body(member)] : NULL;
    if (body == NULL || !sn_body_is_driven(body)) {
        return 0.0f;
    }
    sn_vec3 low = sn_sub(body->center, balance->extent.lower),
            high = sn_sub(balance->extent.upper, body->center);
    float reach = sn_length(sn_max3(low, high)) - balance->lengthened; // to the farthest corner
    reach = sn_max(reach, body->outer_radius);
    return sn_length(body->linear_velocity) + reach * sn_length(body->angular_velocity);
}

static void note_ends(const sn_world *world, const sn_energy_islands *energy, const int members[2])
{
    for (int side = 0; side < 2; ++side) {
        int root = members[side] >= 0 ? sn_energy_root(world, energy, members[side]) : -1;
        if (root >= 0 && sn_energy_is_driven(energy, root)) {
            note_speed(energy, root, speed_of(world, &energy->balances[root], members[1 - side]));
        }
    }
}

static void note_contacts(const sn_world *world, const sn_energy_islands *energy)
{
    for (int i = 0; i < world->met_contacts.count; ++i) {
        const sn_contact_data *contact = &world->contacts.data[world->met_contacts.data[i]];
        const int members[2] = {contact->body_a, contact->body_b};
        note_ends(world, energy, members);
        for (int side = 0; side < 2 && contact->has_surface_velocity; ++side) {
            note_speed(energy, sn_energy_root(world, energy, members[side]), INFINITY);
        }
    }
    for (int i = world->soft.asleep_count; i < world->soft.contacts.count; ++i) {
        int members[2];
        const sn_soft_contact_data *contact = &world->soft.contacts.data[i];
        if (sn_world_soft_contact_members(world, contact, members)) {
            note_ends(world, energy, members);
            bool moves = sn_length_squared(sn_soft_surface_velocity(world, contact)) > 0.0f;
            note_speed(energy, moves ? sn_energy_root(world, energy, members[0]) : -1, INFINITY);
        }
    }
}

static float speed_of_motor(const sn_constraint_data *data, const sn_energy_balance *balance)
{
    const sn_definition *def = &data->definition;
    float size = sn_distance_between(balance->extent.lower, balance->extent.upper);
    switch (data->kind) {
    case SN_BALL:
        return def->ball.motor ? size * sn_length(def->ball.motor_velocity) : 0.0f;
    case SN_HINGE:
        return def->hinge.motor ? size * sn_abs(def->hinge.motor_speed) : 0.0f;
    case SN_SLIDER:
        return def->slider.motor ? sn_abs(def->slider.motor_speed) : 0.0f;
    case SN_AXIS:
        return def->axis.motor ? sn_abs(def->axis.motor_speed) : 0.0f;
    default:
        return data->kind == SN_CUSTOM ? INFINITY : 0.0f;
    }
}

static void note_constraints(const sn_world *world, const sn_energy_islands *energy)
{
    for (int i = 0; i < world->active_constraints.count; ++i) {
        int index = world->active_constraints.data[i];
        const int *members = world->constraint_links.data[index].member;
        note_ends(world, energy, members);
        for (int side = 0; side < 2; ++side) {
            int root = members[side] >= 0 ? sn_energy_root(world, energy, members[side]) : -1;
            if (root >= 0 && sn_energy_is_driven(energy, root)) {
                note_speed(energy, root,
                           speed_of_motor(&world->constraints.data[index], &energy->balances[root]));
            }
        }
    }
}

static bool is_any_driven(const sn_energy_islands *energy)
{
    for (int root = 0; root < energy->islands.count; ++root) {
        if (sn_energy_is_driven(energy, root)) {
            return true;
        }
    }
    return false;
}

void sn_energy_find_drivers(const sn_world *world, const sn_energy_islands *energy)
{
    measure_islands(world, energy);
    if (!is_any_driven(energy)) {
        return;
    }
    note_contacts(world, energy);
    note_constraints(world, energy);
    for (int root = 0; root < energy->islands.count; ++root) {
        if ((energy->traits[root] & SN_ENERGY_BLOWN) != 0) {
            note_speed(energy, root, sn_length(world->def.wind));
        }
        note_speed(energy, root, energy->balances[root].pulled);
    }
}

// --- what they may give ------------------------------------------------------------------------------------

static double most_given(const sn_energy_islands *energy, int root, double speed)
{
    const sn_energy_balance *balance = &energy->balances[root];
    double driver = (double)balance->driver_speed;
    bool is_known = sn_energy_is_driven(energy, root) && driver > 0.0;
    return is_known ? 2.0 * balance->mass * driver * (speed + driver) : (double)INFINITY;
}

double sn_energy_most_lost(const sn_energy_islands *energy, int root)
{
    return most_given(energy, root, 0.0);
}

double sn_energy_most_driven(const sn_energy_islands *energy, int root, double gravity)
{
    const sn_energy_balance *balance = &energy->balances[root];
    double lift = balance->mass * gravity * (double)(balance->driver_speed * energy->duration);
    return lift + most_given(energy, root, sqrt(2.0 * balance->fast / balance->mass));
}

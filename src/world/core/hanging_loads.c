// What bodies that are tied to nodes ask of these.
//
// A rope of nodes of mass m stretches by F/(m ω²) at every node, F the load and ω a fixed share of the rate
// of sub-steps. Before anything pulls, F is the weight of the body that hangs there, with all that hard
// joints hang on it in turn: a rung of a rope ladder carries who stands on it. Where something else may bear
// the body, and its deformable is tied to nothing else, F is what the deformable can pull with. Tested by
// tests/world/core/test_sub_steps.c.
#include "world/core/hanging_loads.h"

#include "base/union_find.h"
#include "world/constraints/body_bounds.h"
#include "world/exact/exact_plan.h"

#include <math.h>

// The mass that resists a push on a weighted sum of nodes; infinite if they are fixed.
static float mass_of(const sn_world *world, const sn_point *point)
{
    int first = sn_world_deformable(world, point->deformable)->first_node;
    float response = 0.0f;
    for (int i = 0; i < point->node_count; ++i) {
        float inverse_mass = world->nodes.states.data[first + point->nodes[i]].inverse_mass;
        response += point->weights[i] * point->weights[i] * inverse_mass;
    }
    return response > 0.0f ? 1.0f / response : INFINITY;
}

bool sn_world_hangs_body(const sn_world *world, const sn_constraint_common *def, int *body,
                         const sn_point **nodes)
{
    const sn_point *rigid = def->a.type == SN_POINT_RIGID ? &def->a : &def->b;
    *nodes = rigid == &def->a ? &def->b : &def->a;
    *body = (int)rigid->rigid.index - 1;
    return sn_body_is_dynamic(&world->bodies.data[*body]) && !sn_world_member_sleeps(world, *body);
}

static bool is_on(const sn_world *world, int edge)
{
    return world->constraint_links.data[edge >> 1].is_on;
}

// Ties of a set of bodies: to no deformable, to that of an index, or to several.
enum { TIED_TO_NONE = -1, TIED_TO_SEVERAL = -2 };

static int set_of(const sn_hung_bodies *hung, int body)
{
    return sn_union_find_root(hung->parents, body);
}

// Whether something else than a deformable may bear a body: what its set touches, or what holds that.
static bool may_be_borne(const sn_hung_bodies *hung, int body)
{
    int set = set_of(hung, body);
    return hung->masses[set] == 0.0f || hung->ties[set] == TIED_TO_SEVERAL;
}

// The mass that a deformable can hang on the nodes that hold a body. [kg] What is tied to nothing but a set
// that something else may bear, as a sail to its boat or a cape to who wears it, pulls with its own mass and
// with what it pulled with in the last step, by wind or contacts.
static float tied_mass(const sn_world *world, const sn_hung_bodies *hung, int index, int body)
{
    const sn_deformable_data *data = &world->deformables.data[index];
    float force = 0.0f, gravity = sn_length(world->def.gravity);
    for (int edge = data->first_constraint; edge >= 0; edge = sn_next_constraint(world, edge)) {
        int other = sn_constraint_other(world, edge);
        bool is_body = sn_member_is_dynamic_body(world, other) && set_of(hung, other) == set_of(hung, body);
        if (is_on(world, edge) && !is_body && other != sn_soft_member(index)) {
            return INFINITY;
        }
        force += is_body ? sn_length(world->constraint_forces.data[edge >> 1]) : 0.0f;
    }
    if (data->held_by_body) {
        return 0.0f; // bounds carry what it pulls with past its nodes
    }
    if (sn_deformable_is_held(data) || (force > 0.0f && !(gravity > 0.0f)) || !may_be_borne(hung, body)) {
        return INFINITY;
    }
    return data->node_mass * (float)data->node_count + (force > 0.0f ? force / gravity : 0.0f);
}

static void tie(sn_hung_bodies *hung, int body, int deformable)
{
    int *ties = &hung->ties[set_of(hung, body)];
    *ties = *ties == TIED_TO_NONE || *ties == deformable ? deformable : TIED_TO_SEVERAL;
}

// What else than nodes holds sets, or touches them: such a set weighs nothing there.
static void find_bearers(const sn_world *world, sn_hung_bodies *hung)
{
    for (int i = 0; i < 2 * world->active_constraints.count; ++i) {
        const int *member = world->constraint_links.data[world->active_constraints.data[i / 2]].member;
        int body = member[i % 2], other = member[1 - i % 2];
        if (!sn_member_is_dynamic_body(world, body)) {
            continue;
        }
        if (sn_member_is_soft(other)) {
            tie(hung, body, other & ~SN_SOFT_MEMBER);
        } else if (!sn_member_is_dynamic_body(world, other)) {
            hung->masses[set_of(hung, body)] = 0.0f;
        }
    }
    for (int i = 0; i < world->met_contacts.count; ++i) {
        const sn_contact_data *contact = &world->contacts.data[world->met_contacts.data[i]];
        int a = set_of(hung, contact->body_a), b = set_of(hung, contact->body_b);
        if (a != b) {
            hung->masses[a] = hung->masses[b] = 0.0f;
        }
    }
}

static bool is_tied(const sn_world *world, int deformable)
{
    bool is_tied = false;
    for (int i = 0; i < world->body_bounds.count && !is_tied; ++i) {
        const sn_body_bound *bound = &world->body_bounds.data[i];
        const int *member = world->constraint_links.data[bound->end >> 1].member;
        is_tied = sn_body_bound_is_tie(bound) && member[~bound->end & 1] == sn_soft_member(deformable);
    }
    return is_tied;
}

// Whether bounds carry what hangs on a deformable: it is held in place, or it ties bodies together and runs
// around nothing, so that it bears no load until it is straight.
static bool has_carrying_bounds(const sn_world *world, int deformable)
{
    bool carries = sn_deformable_is_held(&world->deformables.data[deformable]);
    bool is_free = !carries && is_tied(world, deformable);
    for (int i = 0; is_free && i < world->soft.contacts.count; ++i) {
        const sn_soft_contact_data *contact = &world->soft.contacts.data[i];
        is_free = (int)contact->key.deformable != deformable || contact->body < 0;
    }
    return carries || is_free;
}

static const sn_constraint_common *hanger(const sn_world *world, int place)
{
    return &world->constraints.data[world->exact->hangers.data[place]].definition.common;
}

// Sets of bodies that hard joints hold together.
static void find_sets(const sn_world *world, sn_hung_bodies *hung)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        hung->parents[i] = i;
        hung->ties[i] = TIED_TO_NONE;
    }
    for (int i = 0; i < world->active_constraints.count; ++i) {
        int index = world->active_constraints.data[i];
        const int *member = world->constraint_links.data[index].member;
        if (sn_member_is_dynamic_body(world, member[0]) && sn_member_is_dynamic_body(world, member[1]) &&
            sn_constraint_carries(&world->constraints.data[index])) {
            sn_union_find_join(hung->parents, NULL, member[0], member[1]);
        }
    }
    for (int i = 0; i < world->awake_bodies.count; ++i) {
        int body = world->awake_bodies.data[i];
        hung->masses[set_of(hung, body)] += world->bodies.data[body].mass;
    }
}

sn_hung_bodies sn_world_find_hung(const sn_world *world, void *memory)
{
    int count = world->bodies.count, body;
    int *numbers = memory;
    float *values = (float *)(numbers + 2 * (size_t)count);
    sn_hung_bodies hung = {numbers, numbers + count, values, values + count};
    const sn_point *nodes;
    find_sets(world, &hung);
    find_bearers(world, &hung);
    for (int i = 0; i < world->exact->hangers.count; ++i) {
        if (sn_world_hangs_body(world, hanger(world, i), &body, &nodes)) {
            hung.holders[body] += mass_of(world, nodes);
        }
    }
    return hung;
}

float sn_world_hanging_mass(const sn_world *world, const sn_hung_bodies *hung, int deformable, int body)
{
    float mass = sn_max(world->bodies.data[body].mass, hung->masses[set_of(hung, body)]);
    return sn_min(mass, tied_mass(world, hung, deformable, body));
}

void sn_world_each_hanging(const sn_world *world, const sn_hung_bodies *hung, sn_hanging_function *function,
                           void *context)
{
    int body, last_body = -1, last_deformable = -1;
    float mass = 0.0f;
    bool is_carried = false;
    const sn_point *nodes;
    for (int i = 0; i < world->exact->hangers.count; ++i) {
        if (sn_world_hangs_body(world, hanger(world, i), &body, &nodes)) {
            int deformable = (int)nodes->deformable.index - 1;
            if (body != last_body || deformable != last_deformable) {
                mass = sn_world_hanging_mass(world, hung, deformable, body);
                is_carried = has_carrying_bounds(world, deformable);
                last_body = body;
                last_deformable = deformable;
            }
            function(context, body, mass / hung->holders[body], is_carried);
        }
    }
}

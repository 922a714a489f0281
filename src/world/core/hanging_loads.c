// What bodies that are tied to nodes ask of these.
//
// A rope of nodes of mass m stretches by F/(m ω²) at every node, F the load and ω a fixed share of the rate
// of sub-steps. Before anything pulls, F is the weight of the body that hangs there; where something else may
// bear the body, and its deformable is tied to nothing else, F is what the deformable can pull with.
// Tested by tests/world/core/test_sub_steps.c.
#include "world/core/hanging_loads.h"

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

// Whether something else than a deformable may bear a body: what it touches, or what other constraints hold.
static bool may_be_borne(const sn_world *world, int index, int deformable)
{
    const sn_body *body = &world->bodies.data[index];
    for (int edge = body->first_contact; edge >= 0; edge = world->contacts.data[edge >> 1].next[edge & 1]) {
        if (world->contacts.data[edge >> 1].patches.count > 0) {
            return true;
        }
    }
    for (int edge = body->first_constraint; edge >= 0; edge = sn_next_constraint(world, edge)) {
        if (is_on(world, edge) && sn_constraint_other(world, edge) != sn_soft_member(deformable)) {
            return true;
        }
    }
    return false;
}

// The mass that a deformable can hang on the nodes that hold a body. [kg] What is tied to nothing but a body
// that something else may bear, as a sail to its boat or a cape to who wears it, pulls with its own mass and
// with what it pulled with in the last step, by wind or contacts.
static float tied_mass(const sn_world *world, int index, int body)
{
    const sn_deformable_data *data = &world->deformables.data[index];
    float force = 0.0f, gravity = sn_length(world->def.gravity);
    for (int edge = data->first_constraint; edge >= 0; edge = sn_next_constraint(world, edge)) {
        int other = sn_constraint_other(world, edge);
        if (is_on(world, edge) && other != body && other != sn_soft_member(index)) {
            return INFINITY;
        }
        force += other == body ? sn_length(world->constraint_forces.data[edge >> 1]) : 0.0f;
    }
    if (data->held.count > 0 || (force > 0.0f && !(gravity > 0.0f)) || !may_be_borne(world, body, index)) {
        return INFINITY;
    }
    return data->node_mass * (float)data->node_count + (force > 0.0f ? force / gravity : 0.0f);
}

float sn_world_hanging_mass(const sn_world *world, int deformable, int body)
{
    return sn_min(world->bodies.data[body].mass, tied_mass(world, deformable, body));
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
    bool carries = world->deformables.data[deformable].held.count > 0;
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

void sn_world_each_hanging(const sn_world *world, float *held, sn_hanging_function *function, void *context)
{
    int body, last_body = -1, last_deformable = -1;
    float mass = 0.0f;
    bool is_carried = false;
    const sn_point *nodes;
    for (int i = 0; i < world->exact->hangers.count; ++i) {
        if (sn_world_hangs_body(world, hanger(world, i), &body, &nodes)) {
            held[body] += mass_of(world, nodes);
        }
    }
    for (int i = 0; i < world->exact->hangers.count; ++i) {
        if (sn_world_hangs_body(world, hanger(world, i), &body, &nodes)) {
            int deformable = (int)nodes->deformable.index - 1;
            if (body != last_body || deformable != last_deformable) {
                mass = sn_world_hanging_mass(world, deformable, body);
                is_carried = has_carrying_bounds(world, deformable);
                last_body = body;
                last_deformable = deformable;
            }
            function(context, body, mass / held[body], is_carried);
        }
    }
}

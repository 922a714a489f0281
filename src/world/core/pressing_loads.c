// What bodies on cloth and ropes ask of the nodes below them. Where the nodes can be pushed no farther than
// what holds them allows, a body has a contact of its own with that (soft_contact_press.h), and the nodes
// bear nothing. Tested by tests/world/core/test_sub_steps.c.
#include "world/core/pressing_loads.h"

#include "solver/contact/node_reach.h"
#include "solver/elements/edge_block.h"

// The mass of the nodes below a body: those of a disc of half its radius. What touches when the contact
// begins, and how that changes, must not count: sub-steps that grow while rows are stretched make springs of
// them stiffer, which gives energy.
static float mass_below(const sn_world *world, const sn_soft_contact_data *contact)
{
    const sn_deformable_data *data = &world->deformables.data[contact->key.deformable];
    int group = data->group_of[SN_ROWS_EDGES];
    float radius = 0.5f * world->bodies.data[contact->body].outer_radius;
    float cell = group >= 0 ? ((const sn_edge_block *)data->groups.data[group].blocks)->rest.lane[0] : 0.0f;
    return data->node_mass * sn_max(cell > 0.0f ? SN_PI * radius * radius / (cell * cell) : 0.0f, 1.0f);
}

// Whether a body comes to weigh on a deformable that is held, or hangs on something: the load must pass
// through light nodes. What rests elsewhere and is covered does not press.
static bool presses(const sn_world *world, const sn_soft_contact_data *contact)
{
    if (contact->body < 0 || !(contact->closes || contact->normal_impulse > 0.0f)) {
        return false;
    }
    const sn_deformable_data *data = &world->deformables.data[contact->key.deformable];
    if (data->held.count == 0 && data->first_constraint < 0) {
        return false;
    }
    const sn_body *body = &world->bodies.data[contact->body];
    return sn_body_is_dynamic(body) && sn_dot(world->def.gravity, contact->normal) > 0.0f;
}

// By body: the mass below it, 0 for what does not press. Whether any mass is more than `least` times that.
static bool find_masses(const sn_world *world, float least, float *below)
{
    bool any = false;
    for (int i = world->soft.asleep_count; i < world->soft.contacts.count; ++i) {
        const sn_soft_contact_data *contact = &world->soft.contacts.data[i];
        if (presses(world, contact)) {
            below[contact->body] = sn_max(below[contact->body], mass_below(world, contact));
        }
    }
    for (int i = 0; i < world->bodies.count; ++i) {
        below[i] = world->bodies.data[i].mass > least * below[i] ? below[i] : 0.0f;
        any = any || below[i] > 0.0f;
    }
    return any;
}

// --- what is borne -----------------------------------------------------------------------------------------

// Nodes that end within this part of the way to what holds them hardly move under a load.
#define SHORT_WAY 0.05f

static bool ends_soon(const sn_world *world, const sn_soft_contact_data *contact,
                      const sn_node_reaches *reaches)
{
    for (int k = 0; k < contact->width; ++k) {
        int node = contact->nodes[k];
        const sn_node_reach *reach = &reaches->data[reaches->of_node[node]];
        if (reach->count == 0) {
            return false;
        }
        sn_reach_end end = sn_node_reach_end(reach, contact->normal);
        float way = sn_dot(sn_sub(end.place, world->nodes.states.data[node].position), contact->normal);
        if (way > SHORT_WAY * sn_min(reach->radius[end.ball[0]], reach->radius[end.ball[1]])) {
            return false;
        }
    }
    return true;
}

// Marks bodies of which some contact ends soon.
static bool find_borne(sn_world *world, float duration, const float *below, uint8_t *is_borne)
{
    sn_node_reaches reaches;
    if (!sn_node_reaches_open(&reaches, &world->arena, world->nodes.states.count)) {
        return false;
    }
    for (int i = world->soft.asleep_count; i < world->soft.contacts.count; ++i) {
        const sn_soft_contact_data *contact = &world->soft.contacts.data[i];
        for (int k = 0; presses(world, contact) && below[contact->body] > 0.0f && k < contact->width; ++k) {
            sn_node_reaches_ask(&reaches, contact->nodes[k]);
        }
    }
    if (!sn_node_reaches_make(&reaches, &world->arena)) {
        return false;
    }
    bool any = false;
    for (int i = 0; i < world->deformables.count; ++i) {
        const sn_deformable_data *data = &world->deformables.data[i];
        int group = sn_id_pool_in_use(&world->deformable_ids, i) ? data->group_of[SN_ROWS_BOUNDS] : -1;
        any = (group >= 0 &&
               sn_node_reaches_add(&reaches, &data->groups.data[group], &world->nodes, duration)) ||
              any;
    }
    for (int i = world->soft.asleep_count; any && i < world->soft.contacts.count; ++i) {
        const sn_soft_contact_data *contact = &world->soft.contacts.data[i];
        if (presses(world, contact) && below[contact->body] > 0.0f && !is_borne[contact->body]) {
            is_borne[contact->body] = ends_soon(world, contact, &reaches);
        }
    }
    return true;
}

bool sn_world_find_pressing_loads(sn_world *world, float least, float duration, sn_pressing_loads *loads)
{
    size_t count = (size_t)world->bodies.count;
    *loads = (sn_pressing_loads){0};
    if (world->deformable_ids.used == 0) {
        return true;
    }
    float *below = sn_arena_take_zero(&world->arena, count, sizeof *below);
    loads->is_borne = sn_arena_take_zero(&world->arena, count, 1);
    loads->data = sn_arena_take(&world->arena, count, sizeof *loads->data);
    if (below == NULL || loads->is_borne == NULL || loads->data == NULL) {
        return false;
    }
    if (find_masses(world, least, below) && !find_borne(world, duration, below, loads->is_borne)) {
        return false;
    }
    for (int i = 0; i < world->bodies.count; ++i) {
        if (below[i] > 0.0f) {
            loads->data[loads->count++] = (sn_pressing_load){i, world->bodies.data[i].mass / below[i]};
        }
    }
    return true;
}

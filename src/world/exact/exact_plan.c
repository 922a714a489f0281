// Exact anchors in a step: what was planned is handed to the solver, and looked at again afterwards.
#include "world/exact/exact_plan.h"

#include "world/constraints/anchors.h"

#include <math.h>

static bool is_awake(const sn_world *world, int deformable)
{
    return !sn_deformable_sleeps(&world->deformables.data[deformable]);
}

// Where the point of the body is that carries a set: as sn_point_now tells it.
static sn_vec3 parent_now(const sn_world *world, const sn_exact_origin *origin)
{
    return sn_pose_apply(sn_body_pose(&world->bodies.data[origin->body]), origin->local);
}

// Bodies that do not move in this step are places.
static void load_parent(const sn_world *world, const sn_exact_origin *origin, const int *number,
                        sn_exact_set *set)
{
    set->body = number[origin->body];
    set->local = sn_sub(origin->local, world->bodies.data[origin->body].local_center);
    set->parent = set->body > 0 ? SN_CARRIED_BY_BODY : SN_CARRIED_BY_PLACE;
    set->place = set->body > 0 ? set->place : parent_now(world, origin);
}

static bool are_all_awake(const sn_world *world)
{
    for (int i = 0; i < world->deformables.count; ++i) {
        if (sn_id_pool_in_use(&world->deformable_ids, i) && !is_awake(world, i)) {
            return false;
        }
    }
    return true;
}

// Pairs, pins and spots, as planned, or those that are awake. False without memory.
static bool load_plain(sn_world *world, bool all_awake, sn_exact_stage *stage)
{
    const sn_exact_plan *plan = world->exact;
    if (all_awake) {
        stage->pairs = plan->pairs.data;
        stage->pair_count = plan->pairs.count;
        stage->pins = plan->pins.data;
        stage->pin_count = plan->pins.count;
        stage->spots = plan->spots.data;
        stage->spot_count = plan->spots.count;
        return true;
    }
    sn_exact_pair *pairs = sn_arena_take(&world->arena, (size_t)plan->pairs.count, sizeof *pairs);
    sn_exact_pin *pins = sn_arena_take(&world->arena, (size_t)plan->pins.count, sizeof *pins);
    sn_exact_spot *spots = sn_arena_take(&world->arena, (size_t)plan->spots.count, sizeof *spots);
    for (int i = 0; pairs != NULL && i < plan->pairs.count; ++i) {
        if (is_awake(world, plan->pair_owners.data[i])) {
            pairs[stage->pair_count++] = plan->pairs.data[i];
        }
    }
    for (int i = 0; pins != NULL && i < plan->pins.count; ++i) {
        if (is_awake(world, plan->pin_origins.data[i].deformable)) {
            pins[stage->pin_count++] = plan->pins.data[i];
        }
    }
    for (int i = 0; spots != NULL && i < plan->spots.count; ++i) {
        if (is_awake(world, plan->spot_owners.data[i])) {
            spots[stage->spot_count++] = plan->spots.data[i];
        }
    }
    stage->pairs = pairs;
    stage->pins = pins;
    stage->spots = spots;
    return pairs != NULL && pins != NULL && spots != NULL;
}

static void load_sets(const sn_world *world, const int *number, sn_exact_stage *stage)
{
    const sn_exact_plan *plan = world->exact;
    for (int i = 0; i < plan->sets.count; ++i) {
        const sn_exact_origin *origin = &plan->origins.data[i];
        if (!is_awake(world, origin->deformable)) {
            continue;
        }
        sn_exact_set *set = &stage->sets[stage->set_count++];
        *set = plan->sets.data[i];
        if (origin->body >= 0) {
            load_parent(world, origin, number, set);
        }
    }
}

bool sn_world_load_exact(sn_world *world, const int *number, int sub_steps, sn_exact_stage *stage)
{
    const sn_exact_plan *plan = world->exact;
    bool all_awake = are_all_awake(world);
    *stage = (sn_exact_stage){.members = plan->members.data, .member_count = plan->members.count};
    stage->sets = sn_arena_take(&world->arena, (size_t)plan->sets.count, sizeof *stage->sets);
    if (stage->sets == NULL || !load_plain(world, all_awake, stage) ||
        !sn_world_load_links(world, number, sub_steps, all_awake, stage)) {
        return false;
    }
    load_sets(world, number, stage);
    return true;
}

void sn_world_move_nail(sn_world *world, int anchor, sn_vec3 place)
{
    sn_exact_plan *plan = world->exact;
    if (!plan->is_fresh) {
        return; // planned from where the nail was
    }
    if (plan->set_of.data[anchor] >= 0) {
        sn_exact_set *set = &plan->sets.data[plan->set_of.data[anchor]];
        set->displacement = sn_sub(place, set->place);
    } else if (plan->pin_of.data[anchor] >= 0) {
        sn_exact_pin *pin = &plan->pins.data[plan->pin_of.data[anchor]];
        pin->displacement = sn_sub(place, pin->place);
    } else if (plan->link_of.data[anchor] >= 0) {
        sn_exact_link *link = &plan->link_data.data[plan->link_of.data[anchor]];
        link->displacement = sn_sub(place, world->constraints.data[anchor].nail);
    } else {
        world->constraints.data[anchor].nail = place;
    }
}

// --- afterwards --------------------------------------------------------------------------------------------

// A nail has arrived.
static sn_vec3 finish_nail(sn_constraint_data *data)
{
    return data->nail = (data->definition.common.a.type == SN_POINT_WORLD ? data->definition.common.a
                                                                          : data->definition.common.b)
                            .position;
}

// Puts the nodes of a set at a place.
static void put_members(sn_world *world, const sn_exact_set *set, sn_vec3 place)
{
    for (int i = set->first; i < set->first + set->count; ++i) {
        sn_node_state *state = &world->nodes.states.data[world->exact->members.data[i].node];
        state->position = state->inverse_mass > 0.0f ? place : state->position;
    }
}

// How far the ends of the set's anchors are apart, at most: squared.
static float spread_of(const sn_world *world, const sn_exact_set *set, bool has_place, sn_vec3 place)
{
    const sn_node_state *states = world->nodes.states.data;
    const sn_exact_member *members = world->exact->members.data + set->first;
    float worst = 0.0f;
    for (int i = 0; i < set->count; ++i) {
        sn_vec3 here = states[members[i].node].position;
        if (i > 0 || has_place) {
            sn_vec3 there = i > 0 ? states[members[members[i].parent].node].position : place;
            worst = sn_max(worst, sn_length_squared(sn_sub(here, there)));
        }
    }
    return worst;
}

// Ways are rounded: what has gone one is put where it ends, as is what rides on a body.
static float finish_set(sn_world *world, const sn_exact_origin *origin, sn_exact_set *set)
{
    sn_vec3 place = set->place;
    if (origin->body >= 0) {
        place = parent_now(world, origin);
        put_members(world, set, place);
    } else if (sn_length_squared(set->displacement) > 0.0f) {
        place = set->place = finish_nail(&world->constraints.data[origin->anchor]);
        set->displacement = sn_v(0.0f, 0.0f, 0.0f);
        put_members(world, set, place);
    }
    return spread_of(world, set, origin->anchor >= 0, place);
}

// How far pairs, and nodes and their spots, that are awake are apart, at most: squared.
static float spread_of_plain(const sn_world *world)
{
    const sn_exact_plan *plan = world->exact;
    const sn_node_state *states = world->nodes.states.data;
    float worst = 0.0f;
    for (int i = 0; i < plan->pairs.count; ++i) {
        sn_vec3 a = states[plan->pairs.data[i].a].position, b = states[plan->pairs.data[i].b].position;
        bool counts = is_awake(world, plan->pair_owners.data[i]);
        worst = counts ? sn_max(worst, sn_length_squared(sn_sub(a, b))) : worst;
    }
    for (int i = 0; i < plan->spots.count; ++i) {
        sn_vec3 place = sn_exact_spot_place(states, &plan->spots.data[i]);
        sn_vec3 apart = sn_sub(place, states[plan->spots.data[i].node].position);
        bool counts = is_awake(world, plan->spot_owners.data[i]);
        worst = counts ? sn_max(worst, sn_length_squared(apart)) : worst;
    }
    return worst;
}

void sn_world_finish_exact(sn_world *world)
{
    sn_exact_plan *plan = world->exact;
    float worst = sn_max(spread_of_plain(world), sn_world_finish_pins(world));
    for (int i = 0; i < plan->sets.count; ++i) {
        if (is_awake(world, plan->origins.data[i].deformable)) {
            worst = sn_max(worst, finish_set(world, &plan->origins.data[i], &plan->sets.data[i]));
        }
    }
    worst = sn_max(worst, sn_world_finish_links(world));
    sn_world_climb_ramps(world);
    world->last.exact_count = plan->exact_count;
    world->last.exact_rows_count = plan->instead_count;
    world->last.exact_error = sqrtf(worst);
}

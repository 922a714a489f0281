// Exact anchors in a step: what was planned is handed to the solver, and looked at again afterwards.
#include "world/exact/exact_plan.h"

#include "world/constraints/anchors.h"

#include <math.h>

static bool is_awake(const sn_world *world, int deformable)
{
    return !sn_deformable_sleeps(&world->deformables.data[deformable]);
}

// The end of an anchor that its attached node is not.
static const sn_point *parent_of(const sn_world *world, int anchor)
{
    const sn_constraint_common *def = &world->constraints.data[anchor].definition.common;
    return def->a.type == SN_POINT_NODES ? &def->b : &def->a;
}

// Bodies that do not move in this step are places.
static void load_attachment(const sn_world *world, const int *number, sn_exact_attachment *attachment)
{
    const sn_point *point = parent_of(world, attachment->anchor);
    int body = (int)point->rigid.index - 1;
    attachment->body = number[body];
    attachment->place = number[body] > 0 ? sn_sub(point->position, world->bodies.data[body].local_center)
                                         : sn_point_now(world, point);
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

// Spots, as planned, or those that are awake. False without memory.
static bool load_spots(sn_world *world, bool all_awake, sn_exact_stage *stage)
{
    const sn_exact_plan *plan = world->exact;
    if (all_awake) {
        stage->spots = plan->spots.data;
        stage->spot_count = plan->spots.count;
        return true;
    }
    sn_exact_spot *spots = sn_arena_take(&world->arena, (size_t)plan->spots.count, sizeof *spots);
    for (int i = 0; spots != NULL && i < plan->spots.count; ++i) {
        if (is_awake(world, plan->spot_owners.data[i])) {
            spots[stage->spot_count++] = plan->spots.data[i];
        }
    }
    stage->spots = spots;
    return spots != NULL;
}

// The same of sets.
static bool load_sets(sn_world *world, const int *number, bool all_awake, sn_exact_stage *stage)
{
    sn_exact_plan *plan = world->exact;
    for (int i = 0; i < plan->attached_count; ++i) {
        load_attachment(world, number, &plan->attachments.data[i]);
    }
    stage->sets = plan->sets.data;
    stage->set_count = plan->sets.count;
    stage->attached_count = plan->attached_count;
    stage->pair_begin = plan->pair_begin;
    if (all_awake) {
        return true;
    }
    sn_exact_set *sets = sn_arena_take(&world->arena, (size_t)plan->sets.count, sizeof *sets);
    stage->sets = sets;
    stage->set_count = stage->attached_count = stage->pair_begin = 0;
    for (int i = 0; sets != NULL && i < plan->sets.count; ++i) {
        if (is_awake(world, plan->sets.data[i].deformable)) {
            sets[stage->set_count++] = plan->sets.data[i];
            stage->attached_count += i < plan->attached_count ? 1 : 0;
            stage->pair_begin += i < plan->pair_begin ? 1 : 0;
        }
    }
    return sets != NULL;
}

bool sn_world_load_exact(sn_world *world, const int *number, int sub_steps, sn_exact_stage *stage)
{
    const sn_exact_plan *plan = world->exact;
    bool all_awake = are_all_awake(world);
    *stage = (sn_exact_stage){.forces = world->constraint_forces.data,
                              .attachments = plan->attachments.data,
                              .members = plan->members.data,
                              .member_count = plan->members.count};
    return load_sets(world, number, all_awake, stage) && load_spots(world, all_awake, stage) &&
           sn_world_load_links(world, number, sub_steps, all_awake, stage);
}

void sn_world_move_nail(sn_world *world, int anchor, sn_vec3 place)
{
    sn_exact_plan *plan = world->exact;
    if (!plan->is_fresh) {
        return; // planned from where the nail was
    }
    if (plan->attachment_of.data[anchor] >= 0) {
        sn_exact_attachment *nail = &plan->attachments.data[plan->attachment_of.data[anchor]];
        nail->displacement = sn_sub(place, nail->place);
    } else if (plan->link_of.data[anchor] >= 0) {
        sn_exact_link *link = &plan->link_data.data[plan->link_of.data[anchor]];
        link->displacement = sn_sub(place, world->constraints.data[anchor].nail);
    } else {
        world->constraints.data[anchor].nail = place;
    }
}

// --- afterwards --------------------------------------------------------------------------------------------

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

// Sums of displacements are rounded: nodes whose nail has moved, or that are attached to a body, are put
// where they belong to the last bit. Returns how far the ends of its anchors are apart at most, squared.
static float finish_set(sn_world *world, const sn_exact_set *set)
{
    sn_exact_plan *plan = world->exact;
    if (set->attachment < 0) {
        return spread_of(world, set, false, sn_v(0.0f, 0.0f, 0.0f));
    }
    sn_exact_attachment *attachment = &plan->attachments.data[set->attachment];
    if (set->attachment < plan->attached_count) {
        sn_vec3 place = sn_point_now(world, parent_of(world, attachment->anchor));
        put_members(world, set, place);
        return spread_of(world, set, true, place);
    }
    if (sn_length_squared(attachment->displacement) > 0.0f) {
        sn_vec3 place = parent_of(world, attachment->anchor)->position;
        world->constraints.data[attachment->anchor].nail = attachment->place = place;
        attachment->displacement = sn_v(0.0f, 0.0f, 0.0f);
        put_members(world, set, place);
    }
    return spread_of(world, set, true, attachment->place);
}

// How far nodes and their spots that are awake are apart, at most: squared.
static float spread_of_spots(const sn_world *world)
{
    const sn_exact_plan *plan = world->exact;
    const sn_node_state *states = world->nodes.states.data;
    float worst = 0.0f;
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
    float worst = spread_of_spots(world);
    for (int i = 0; i < plan->sets.count; ++i) {
        if (is_awake(world, plan->sets.data[i].deformable)) {
            worst = sn_max(worst, finish_set(world, &plan->sets.data[i]));
        }
    }
    worst = sn_max(worst, sn_world_finish_links(world));
    sn_world_climb_ramps(world);
    world->last.exact_count = plan->exact_count;
    world->last.exact_rows_count = plan->instead_count;
    world->last.exact_error = sqrtf(worst);
}

// Exact anchors in a step: what was planned is handed to the solver, and looked at again afterwards.
#include "world/exact/exact_plan.h"

#include "world/constraints/anchors.h"

#include <math.h>
#include <string.h>

static bool is_awake(const sn_world *world, int deformable)
{
    return !sn_deformable_sleeps(&world->deformables.data[deformable]);
}

static sn_constraint_data *anchor_of(const sn_world *world, const sn_exact_attachment *attachment)
{
    int end = attachment->end;
    return &world->constraints.data[end < 0 ? SN_EXACT_A(end) : end];
}

static const sn_point *parent_of(const sn_world *world, const sn_exact_attachment *attachment)
{
    const sn_constraint_common *def = &anchor_of(world, attachment)->definition.common;
    return attachment->end < 0 ? &def->b : &def->a;
}

// Bodies that do not move in this step are places.
static void load_attachment(const sn_world *world, const int *number, sn_exact_attachment *attachment)
{
    const sn_point *point = parent_of(world, attachment);
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

// Copies the sets that are awake, with their members. False without memory.
static bool load_awake_sets(sn_world *world, sn_exact_stage *stage)
{
    const sn_exact_plan *plan = world->exact;
    sn_exact_set *sets = sn_arena_take(&world->arena, (size_t)plan->sets.count, sizeof *sets);
    sn_exact_member *members = sn_arena_take(&world->arena, (size_t)plan->members.count, sizeof *members);
    stage->set_count = stage->attached_count = stage->pair_begin = stage->member_count = 0;
    stage->sets = sets;
    stage->members = members;
    for (int i = 0; sets != NULL && members != NULL && i < plan->sets.count; ++i) {
        const sn_exact_set *set = &plan->sets.data[i];
        if (is_awake(world, set->deformable)) {
            sets[stage->set_count] = *set;
            sets[stage->set_count++].first = stage->member_count;
            stage->attached_count += i < plan->attached_count ? 1 : 0;
            stage->pair_begin += i < plan->pair_begin ? 1 : 0;
            memcpy(members + stage->member_count, plan->members.data + set->first,
                   (size_t)set->count * sizeof *members);
            stage->member_count += set->count;
        }
    }
    return sets != NULL && members != NULL;
}

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
    stage->members = plan->members.data;
    stage->member_count = plan->members.count;
    return all_awake || load_awake_sets(world, stage);
}

bool sn_world_load_exact(sn_world *world, const int *number, int sub_steps, sn_exact_stage *stage)
{
    const sn_exact_plan *plan = world->exact;
    bool all_awake = are_all_awake(world);
    *stage = (sn_exact_stage){.forces = world->constraint_forces.data, .attachments = plan->attachments.data};
    return load_sets(world, number, all_awake, stage) &&
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
        sn_exact_link *link = &plan->links.data[plan->link_of.data[anchor]];
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

// How far the nodes of a set are from a place at most, squared.
static float spread_of(const sn_world *world, const sn_exact_set *set, sn_vec3 place)
{
    float worst = 0.0f;
    for (int i = set->first; i < set->first + set->count; ++i) {
        sn_vec3 here = world->nodes.states.data[world->exact->members.data[i].node].position;
        worst = sn_max(worst, sn_length_squared(sn_sub(here, place)));
    }
    return worst;
}

// Sums of displacements are rounded: nodes whose nail has moved, or that are attached to a body, are put
// where they belong to the last bit. Returns where its nodes should be.
static sn_vec3 finish_set(sn_world *world, const sn_exact_set *set)
{
    sn_exact_plan *plan = world->exact;
    if (set->attachment < 0) {
        return world->nodes.states.data[plan->members.data[set->first].node].position;
    }
    sn_exact_attachment *attachment = &plan->attachments.data[set->attachment];
    if (set->attachment < plan->attached_count) {
        sn_vec3 place = sn_point_now(world, parent_of(world, attachment));
        put_members(world, set, place);
        return place;
    }
    if (sn_length_squared(attachment->displacement) > 0.0f) {
        attachment->place = parent_of(world, attachment)->position;
        anchor_of(world, attachment)->nail = attachment->place;
        attachment->displacement = sn_v(0.0f, 0.0f, 0.0f);
        put_members(world, set, attachment->place);
    }
    return attachment->place;
}

static float spread_of_pairs(const sn_world *world)
{
    const sn_exact_plan *plan = world->exact;
    const sn_node_state *states = world->nodes.states.data;
    float worst = 0.0f;
    for (int i = plan->pair_begin; i < plan->sets.count; ++i) {
        const sn_exact_member *pair = &plan->members.data[plan->sets.data[i].first];
        sn_vec3 apart = sn_sub(states[pair[1].node].position, states[pair[0].node].position);
        bool counts = is_awake(world, plan->sets.data[i].deformable);
        worst = counts ? sn_max(worst, sn_length_squared(apart)) : worst;
    }
    return worst;
}

void sn_world_finish_exact(sn_world *world)
{
    sn_exact_plan *plan = world->exact;
    float worst = 0.0f;
    for (int i = 0; i < plan->pair_begin; ++i) {
        if (is_awake(world, plan->sets.data[i].deformable)) {
            sn_vec3 place = finish_set(world, &plan->sets.data[i]);
            worst = sn_max(worst, spread_of(world, &plan->sets.data[i], place));
        }
    }
    worst = sn_max(worst, spread_of_pairs(world));
    worst = sn_max(worst, sn_world_finish_sums(world));
    worst = sn_max(worst, sn_world_finish_links(world));
    sn_world_advance_ramps(world);
    world->last.exact_count = plan->exact_count;
    world->last.exact_rows_count = plan->instead_count;
    world->last.exact_error = sqrtf(worst);
}

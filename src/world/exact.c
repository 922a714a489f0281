// Exact anchors in a step: what was planned is handed to the solver, and looked at again afterwards.
#include "world/exact.h"

#include "world/anchors.h"

#include <math.h>

static bool is_awake(const sn_world *world, const sn_exact_origin *origin)
{
    return !sn_deformable_sleeps(&world->deformables.data[origin->deformable]);
}

// Where the point of the body is that carries a set: as sn_point_now tells it.
static sn_vec3 carrier_now(const sn_world *world, const sn_exact_origin *origin)
{
    return sn_pose_apply(sn_body_pose(&world->bodies.data[origin->body]), origin->local);
}

// Bodies that do not move in this step are places.
static void load_carrier(const sn_world *world, const sn_exact_origin *origin, const int *number,
                         sn_exact_set *set)
{
    set->body = number[origin->body];
    set->local = sn_sub(origin->local, world->bodies.data[origin->body].local_center);
    set->carrier = set->body > 0 ? SN_CARRIED_BY_BODY : SN_CARRIED_BY_PLACE;
    set->place = carrier_now(world, origin);
}

bool sn_world_load_exact(sn_world *world, const int *number, sn_exact_stage *stage)
{
    const sn_exact_plan *plan = world->exact;
    *stage = (sn_exact_stage){.members = plan->members.data, .member_count = plan->members.count};
    stage->sets = sn_arena_take(&world->arena, (size_t)plan->sets.count, sizeof *stage->sets);
    if (stage->sets == NULL) {
        return false;
    }
    for (int i = 0; i < plan->sets.count; ++i) {
        const sn_exact_origin *origin = &plan->origins.data[i];
        if (!is_awake(world, origin)) {
            continue;
        }
        sn_exact_set *set = &stage->sets[stage->set_count++];
        *set = plan->sets.data[i];
        if (origin->body >= 0) {
            load_carrier(world, origin, number, set);
        }
    }
    return true;
}

void sn_world_move_nail(sn_world *world, int anchor, sn_vec3 place)
{
    sn_exact_plan *plan = world->exact;
    if (plan->is_fresh && plan->set_of.data[anchor] >= 0) {
        sn_exact_set *set = &plan->sets.data[plan->set_of.data[anchor]];
        set->way = sn_sub(place, set->place);
    } else if (plan->is_fresh) {
        world->anchors.data[anchor].nail = place;
    }
}

// --- afterwards --------------------------------------------------------------------------------------------

// The nail has arrived.
static void finish_nail(const sn_world *world, const sn_exact_origin *origin, sn_exact_set *set)
{
    sn_anchor_data *data = &world->anchors.data[origin->anchor];
    data->nail = set->place = (data->def.a.type == SN_POINT_NODES ? data->def.b : data->def.a).position;
    set->way = sn_v(0.0f, 0.0f, 0.0f);
}

// Puts the nodes that the body carries where it has come to be.
static void put_riders(sn_world *world, const sn_exact_set *set, sn_vec3 place)
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

static float finish_set(sn_world *world, const sn_exact_origin *origin, sn_exact_set *set)
{
    sn_vec3 place = {0.0f, 0.0f, 0.0f};
    if (origin->body >= 0) {
        place = carrier_now(world, origin);
        put_riders(world, set, place);
    } else if (origin->anchor >= 0) {
        if (sn_length_squared(set->way) > 0.0f) {
            finish_nail(world, origin, set);
        }
        place = set->place;
    }
    return spread_of(world, set, origin->anchor >= 0, place);
}

void sn_world_finish_exact(sn_world *world)
{
    sn_exact_plan *plan = world->exact;
    float worst = 0.0f;
    for (int i = 0; i < plan->sets.count; ++i) {
        if (is_awake(world, &plan->origins.data[i])) {
            worst = sn_max(worst, finish_set(world, &plan->origins.data[i], &plan->sets.data[i]));
        }
    }
    world->last.exact_count = plan->exact_count;
    world->last.exact_rows_count = plan->instead_count;
    world->last.exact_error = sqrtf(worst);
}

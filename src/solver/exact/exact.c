// The stages of exact constraints, in the order they run; exact.h tells the whole.
#include "solver/exact/exact.h"

#include <string.h>

bool sn_exact_begin(sn_exact_stage *stage, sn_solver *solver)
{
    stage->solver = solver;
    stage->sub_step = 0;
    stage->impulses = sn_arena_take_zero(solver->arena, (size_t)stage->member_count, sizeof *stage->impulses);
    stage->link_impulses =
        sn_arena_take_zero(solver->arena, (size_t)stage->link_count, sizeof *stage->link_impulses);
    return stage->impulses != NULL && stage->link_impulses != NULL && sn_exact_pairs_begin(stage) &&
           sn_exact_pins_begin(stage) && sn_exact_spots_begin(stage) && sn_exact_sets_begin(stage) &&
           sn_exact_attached_begin(stage) && sn_exact_links_begin(stage) &&
           sn_exact_effective_mass_begin(stage);
}

void sn_exact_shift(const sn_exact_stage *stage, int node, sn_vec3 displacement)
{
    sn_node_solver *nodes = &stage->solver->nodes;
    sn_vec3 *velocity = &nodes->nodes->velocities.data[node].velocity;
    *velocity = sn_add_scaled(*velocity, nodes->pass.inverse_h, displacement);
    nodes->moved[node] = sn_add(nodes->moved[node], displacement);
    nodes->nodes->states.data[node].position = sn_add(nodes->starts[node], nodes->moved[node]);
}

void sn_exact_put(const sn_exact_stage *stage, int node, sn_vec3 place)
{
    sn_node_solver *nodes = &stage->solver->nodes;
    sn_vec3 *position = &nodes->nodes->states.data[node].position;
    sn_vec3 *velocity = &nodes->nodes->velocities.data[node].velocity;
    *velocity = sn_add_scaled(*velocity, nodes->pass.inverse_h, sn_sub(place, *position));
    nodes->moved[node] = sn_sub(place, nodes->starts[node]);
    *position = place;
}

// Links last: they move whole sets, whose members are at one place by then.
void sn_exact_place(sn_exact_stage *stage)
{
    sn_exact_pairs_place(stage);
    sn_exact_pins_place(stage);
    sn_exact_spots_place(stage);
    sn_exact_sets_place(stage);
    sn_exact_attached_place(stage);
    sn_exact_links_place(stage);
    ++stage->sub_step;
}

void sn_exact_settle(sn_exact_stage *stage)
{
    sn_exact_pairs_settle(stage);
    sn_exact_pins_settle(stage);
    sn_exact_spots_settle(stage);
    sn_exact_sets_settle(stage);
    sn_exact_attached_settle(stage);
    sn_exact_links_settle(stage);
}

// --- forces ------------------------------------------------------------------------------------------------

// What an anchor exerted on its b, given the impulse on the side of the nodes.
static void hand_back(sn_vec3 *force, bool is_b, sn_vec3 impulse, float inverse_duration)
{
    if (force != NULL) {
        *force = sn_scale(impulse, is_b ? inverse_duration : -inverse_duration);
    }
}

// An anchor carries what acts on all nodes beyond it. Members come after their parents, so their sums are
// complete when they are met from the end.
static void store_set(const sn_exact_stage *stage, const sn_exact_set *set, float inverse_duration)
{
    const sn_exact_member *members = stage->members + set->first;
    sn_vec3 *impulses = stage->impulses + set->first;
    for (int i = set->count - 1; i > 0; --i) {
        hand_back(members[i].force, members[i].is_b, impulses[i], inverse_duration);
        impulses[members[i].parent] = sn_add(impulses[members[i].parent], impulses[i]);
    }
    hand_back(set->force, set->is_b, impulses[0], inverse_duration);
}

void sn_exact_store(sn_exact_stage *stage)
{
    float inverse_duration = 1.0f / stage->solver->settings.duration;
    sn_exact_pairs_store(stage);
    sn_exact_pins_store(stage);
    sn_exact_spots_store(stage);
    for (int i = 0; i < stage->set_count; ++i) {
        store_set(stage, &stage->sets[i], inverse_duration);
    }
    sn_exact_sets_finish(stage);
    for (int i = 0; i < stage->link_count; ++i) {
        hand_back(stage->links[i].force, true, stage->link_impulses[i], inverse_duration);
    }
}

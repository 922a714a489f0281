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
    return stage->impulses != NULL && stage->link_impulses != NULL && sn_exact_spots_begin(stage) &&
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
    sn_exact_spots_place(stage);
    sn_exact_sets_place(stage);
    sn_exact_attached_place(stage);
    sn_exact_links_place(stage);
    ++stage->sub_step;
}

void sn_exact_settle(sn_exact_stage *stage)
{
    sn_exact_spots_settle(stage);
    sn_exact_sets_settle(stage);
    sn_exact_attached_settle(stage);
    sn_exact_links_settle(stage);
}

void sn_exact_store(sn_exact_stage *stage)
{
    sn_exact_spots_store(stage);
    sn_exact_sets_store(stage);
    for (int i = 0; i < stage->link_count; ++i) {
        stage->forces[stage->links[i].anchor] =
            sn_scale(stage->link_impulses[i], 1.0f / stage->solver->settings.duration);
    }
}

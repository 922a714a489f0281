// Tested by tests/physics/soft/test_soft_bearers.c.
#include "solver/nodes/bound_reactions.h"

#include "solver/elements/bound_block.h"
#include "solver/solver.h"

#include <string.h>

// Slack bounds have pushed nothing since they were read.
static void collect(const sn_bound_reaction *reaction)
{
    const sn_element_group *bounds = reaction->bounds;
    for (int i = 0; i < bounds->block_count; ++i) {
        sn_bound_block *block = (sn_bound_block *)bounds->blocks + i;
        for (int lane = 0; block->is_active && lane < SN_LANES; ++lane) {
            int held = block->moved.offset[lane] == 0 ? sn_places_node(&block->node[1], lane) : 0;
            if (held != 0) {
                sn_vec3 *fresh = &reaction->fresh[held - bounds->first_node];
                *fresh = sn_add(*fresh, sn_v(block->total[0].lane[lane], block->total[1].lane[lane],
                                             block->total[2].lane[lane]));
            }
        }
        if (block->is_active) {
            memset(block->total, 0, sizeof block->total);
        }
    }
}

static void push_holder(sn_solver *solver, const sn_bound_holder *holder, sn_vec3 impulse)
{
    const sn_solver_body *body = &solver->bodies[holder->body];
    sn_vec3 arm = sn_sub(solver->nodes.nodes->states.data[holder->node].position, body->center);
    sn_sym3 inverse_inertia = sn_solver_inertia_matrix(&solver->inertias[holder->body]);
    sn_velocity_change(&solver->velocities[holder->body], &solver->residues[holder->body],
                       sn_mul(body->inverse_mass, impulse),
                       sn_sym3_apply(inverse_inertia, sn_cross(arm, impulse)));
}

static void hand_over(const sn_bound_reactions *reactions)
{
    for (int i = 0; i < reactions->count; ++i) {
        const sn_bound_reaction *reaction = &reactions->data[i];
        collect(reaction);
        for (int k = 0; k < reaction->holder_count; ++k) {
            const sn_bound_holder *holder = &reaction->holders[k];
            int own = holder->node - reaction->bounds->first_node;
            bool is_finite = sn_vec3_is_finite(reaction->fresh[own]); // nodes may be far beyond all bounds
            if (is_finite && holder->body >= reactions->solver->dynamic_begin) {
                push_holder(reactions->solver, holder, reaction->fresh[own]);
            }
            reaction->pulled[own] = sn_add(reaction->pulled[own], reaction->fresh[own]);
            reaction->fresh[own] = sn_v(0.0f, 0.0f, 0.0f);
        }
    }
}

static void warm_start(void *data, const sn_element_pass *pass)
{
    (void)pass;
    hand_over(data);
}

static void sweep(void *data, const sn_element_pass *pass, bool use_bias)
{
    (void)pass;
    (void)use_bias;
    hand_over(data);
}

static void refresh(void *data, const sn_element_pass *pass)
{
    (void)data;
    (void)pass;
}

static void store(void *data)
{
    (void)data;
}

sn_coupling_stage sn_bound_reactions_stage(sn_bound_reactions *reactions)
{
    return (sn_coupling_stage){
        .data = reactions, .warm_start = warm_start, .sweep = sweep, .refresh = refresh, .store = store};
}

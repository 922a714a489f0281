// The work of what drives exact anchors: places and nodes that users move, kinematic bodies, and ramps.
//
// An impulse on the nodes of a set does the work of its product with the velocity of what they are attached
// to. The impulse P of a link acts on both ends, whose velocities differ by that with which its error C
// changes: beyond the driven parts u of the ends, P · (dC/dt − u_b + u_a). Only ramps change C. They pull and
// let go within each sub-step; of what moves on in between they give a little too much.
// Tested by tests/world/energy/test_energy_accounts.c.
#include "solver/energy/energy_ledger.h"
#include "solver/exact/exact_links.h"

bool sn_exact_work_begin(sn_exact_stage *stage)
{
    size_t members = (size_t)stage->member_count, links = (size_t)stage->link_count;
    stage->counted = sn_arena_take_zero(stage->solver->arena, members, sizeof *stage->counted);
    stage->tallies = sn_arena_take_zero(stage->solver->arena, links, sizeof *stage->tallies);
    for (int i = 0; stage->tallies != NULL && i < stage->link_count; ++i) {
        stage->tallies[i].error = sn_link_apart(stage, &stage->links[i]);
    }
    return stage->counted != NULL && stage->tallies != NULL;
}

// Of what holds a set and no impulse moves; zero of others.
static sn_vec3 driven_velocity(const sn_exact_stage *stage, const sn_exact_set *set)
{
    if (set->attachment == SN_EXACT_FIXED) {
        return sn_link_velocities(stage)[stage->members[set->first].node].velocity;
    }
    const sn_exact_attachment *held = &stage->attachments[set->attachment];
    if (held->body == 0) {
        return sn_scale(held->displacement, 1.0f / stage->solver->settings.duration);
    }
    if (held->body >= stage->solver->dynamic_begin) {
        return sn_v(0.0f, 0.0f, 0.0f);
    }
    const sn_solver_velocity *velocity = &stage->solver->velocities[held->body];
    sn_vec3 arm = sn_rotate(stage->solver->bodies[held->body].rotation, held->place);
    return sn_add(sn_take3(velocity->linear), sn_cross(sn_take3(velocity->angular), arm));
}

static double work_of_link(const sn_exact_stage *stage, int number)
{
    const sn_exact_link *link = &stage->links[number];
    sn_exact_tally *tally = &stage->tallies[number];
    sn_vec3 speed = sn_sub(sn_link_driven_velocity(stage, link, 0), sn_link_driven_velocity(stage, link, 1));
    sn_vec3 impulse = sn_sub(stage->link_impulses[number], tally->impulse),
            error = sn_link_apart(stage, link);
    if (link->growth > 0.0f) {
        speed = sn_add_scaled(speed, stage->solver->nodes.pass.inverse_h, sn_sub(error, tally->error));
    }
    *tally = (sn_exact_tally){stage->link_impulses[number], error};
    return (double)sn_dot(impulse, speed);
}

static int account_of_link(const sn_exact_stage *stage, const sn_exact_link *link)
{
    int side = link->ends[0].node_count > 0 ? 0 : 1;
    return sn_ledger_account_of_node(stage->solver, link->ends[side].nodes[0]);
}

void sn_exact_add_work(sn_exact_stage *stage, double *work)
{
    for (int s = 0; s < stage->pair_begin; ++s) {
        const sn_exact_set *set = &stage->sets[s];
        sn_vec3 velocity =
            set->attachment != SN_EXACT_FREE ? driven_velocity(stage, set) : sn_v(0.0f, 0.0f, 0.0f);
        for (int i = set->first; sn_length_squared(velocity) > 0.0f && i < set->first + set->count; ++i) {
            int account = sn_ledger_account_of_node(stage->solver, stage->members[i].node);
            sn_vec3 impulse = sn_sub(stage->impulses[i], stage->counted[i]);
            sn_ledger_add_work(work, account, (double)sn_dot(impulse, velocity));
            stage->counted[i] = stage->impulses[i];
        }
    }
    for (int i = 0; i < stage->link_count; ++i) {
        sn_ledger_add_work(work, account_of_link(stage, &stage->links[i]), work_of_link(stage, i));
    }
}

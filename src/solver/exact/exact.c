// The stages of exact constraints, in the order they run; exact.h tells the whole.
// Tested by tests/solver/exact/test_exact_sets.c.
#include "solver/exact/exact_links.h"

#include <string.h>

// --- whether points begin at one place ---------------------------------------------------------------------

// After a step they are, to rounding: a few units in the last place.
#define ROUNDING 1.0e-5f

static bool coincide(sn_vec3 a, sn_vec3 b)
{
    return sn_distance_between(a, b) <= ROUNDING * (1.0f + sn_length(a));
}

static bool set_is_together(const sn_exact_stage *stage, const sn_exact_set *set)
{
    const sn_node_state *states = sn_link_nodes(stage);
    sn_vec3 place = states[stage->members[set->first].node].position;
    if (set->attachment >= 0) {
        const sn_exact_attachment *attachment = &stage->attachments[set->attachment];
        const sn_solver_body *body = &stage->solver->bodies[attachment->body];
        place = attachment->body > 0 ? sn_add(body->center, sn_rotate(body->rotation, attachment->place))
                                     : attachment->place;
    }
    bool is_together = true;
    for (int i = set->first; is_together && i < set->first + set->count; ++i) {
        is_together = coincide(states[stage->members[i].node].position, place);
    }
    return is_together;
}

static bool link_is_together(const sn_exact_stage *stage, const sn_exact_link *link)
{
    return link->sliding < 0 && link->share >= 1.0f &&
           coincide(sn_link_place(stage, link, 0), sn_link_place(stage, link, 1));
}

static bool all_are_together(const sn_exact_stage *stage)
{
    const sn_node_state *states = sn_link_nodes(stage);
    bool is_together = true;
    for (int i = 0; is_together && i < stage->set_count; ++i) {
        is_together = set_is_together(stage, &stage->sets[i]);
    }
    for (int i = 0; is_together && i < stage->sum_count; ++i) {
        const sn_exact_term *terms = &stage->terms[stage->sums[i].first];
        sn_vec3 error = sn_exact_sum_error(states, &stage->sums[i], terms),
                place = states[terms[0].node].position;
        is_together = coincide(place, sn_add(place, error));
    }
    for (int i = 0; is_together && i < stage->link_count; ++i) {
        is_together = link_is_together(stage, &stage->links[i]);
    }
    return is_together;
}

bool sn_exact_begin(sn_exact_stage *stage, sn_solver *solver)
{
    stage->solver = solver;
    stage->sub_step = 0;
    stage->impulses = sn_arena_take_zero(solver->arena, (size_t)stage->member_count, sizeof *stage->impulses);
    stage->link_impulses =
        sn_arena_take_zero(solver->arena, (size_t)stage->link_count, sizeof *stage->link_impulses);
    bool ok = stage->impulses != NULL && stage->link_impulses != NULL && sn_exact_sums_begin(stage) &&
              sn_exact_attached_begin(stage) && sn_exact_links_begin(stage) && sn_exact_work_begin(stage) &&
              sn_exact_felt_begin(stage);
    stage->is_together = ok && all_are_together(stage);
    return ok;
}

// Links last: they move whole sets, whose members are at one place by then.
void sn_exact_place(sn_exact_stage *stage)
{
    sn_exact_sets_place(stage);
    sn_exact_sums_place(stage);
    sn_exact_attached_place(stage);
    sn_exact_links_place(stage);
    ++stage->sub_step;
}

void sn_exact_settle(sn_exact_stage *stage)
{
    sn_exact_sets_settle(stage);
    sn_exact_sums_settle(stage);
    sn_exact_attached_settle(stage);
    sn_exact_links_settle(stage);
}

void sn_exact_share(sn_exact_stage *stage)
{
    if (stage->is_together) {
        sn_exact_close(stage);
        sn_exact_settle(stage);
        sn_exact_open(stage);
    }
}

void sn_exact_store(sn_exact_stage *stage)
{
    sn_exact_sets_store(stage);
    sn_exact_sums_store(stage);
    for (int i = 0; i < stage->link_count; ++i) {
        sn_exact_store_force(stage, stage->links[i].anchor, stage->link_impulses[i],
                             1.0f / stage->solver->settings.duration);
    }
}

// --- bodies ------------------------------------------------------------------------------------------------

static void add_to_body(float *velocity, float *residue, sn_vec3 change)
{
    sn_vec3 sum = sn_take3(velocity), rest = sn_take3(residue);
    sn_add_exactly(&sum, &rest, change);
    sn_put3(velocity, sum);
    sn_put3(residue, rest);
}

void sn_exact_push_body(const sn_solver *solver, int number, sn_vec3 impulse, sn_vec3 angular_impulse)
{
    sn_solver_velocity *velocity = &solver->velocities[number], *residue = &solver->residues[number];
    sn_sym3 inverse = sn_solver_inertia_matrix(&solver->inertias[number]);
    add_to_body(velocity->linear, residue->linear, sn_mul(solver->bodies[number].inverse_mass, impulse));
    add_to_body(velocity->angular, residue->angular, sn_sym3_apply(inverse, angular_impulse));
}

void sn_exact_move_body(const sn_solver *solver, int number, sn_vec3 impulse, sn_vec3 angular_impulse)
{
    sn_solver_body *body = &solver->bodies[number];
    sn_solver_shift *shift = &solver->shifts[number];
    sn_solver_velocity *velocity = &solver->velocities[number], *residue = &solver->residues[number];
    float h = solver->nodes.pass.h;
    sn_sym3 inverse = sn_solver_inertia_matrix(&solver->inertias[number]);
    sn_vec3 change = sn_mul(body->inverse_mass, impulse);
    sn_vec3 turn = sn_scale(sn_sym3_apply(inverse, angular_impulse), h);
    add_to_body(velocity->linear, residue->linear, change);
    sn_put3(shift->moved, sn_add_scaled(sn_take3(shift->moved), h, change));
    sn_put3(shift->turned, sn_add(sn_take3(shift->turned), turn));
    body->center = sn_add(body->start, sn_take3(shift->moved));
    sn_vec3 angular = sn_take3(velocity->angular), rest = sn_take3(residue->angular);
    sn_rotate_to(&body->spin, sn_quat_turned(body->rotation, turn), angular_impulse, &body->rotation,
                 &angular, &rest, &inverse);
    sn_put3(velocity->angular, angular);
    sn_put3(residue->angular, rest);
    sn_put3(solver->inertias[number].diagonal, sn_v(inverse.xx, inverse.yy, inverse.zz));
    sn_put3(solver->inertias[number].off_diagonal, sn_v(inverse.xy, inverse.xz, inverse.yz));
}

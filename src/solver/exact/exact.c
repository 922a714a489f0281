// The stages of exact constraints, in the order they run; exact.h tells the whole.
// Tested by tests/solver/exact/test_exact_sets.c.
#include "solver/exact/exact.h"

#include <string.h>

bool sn_exact_begin(sn_exact_stage *stage, sn_solver *solver)
{
    stage->solver = solver;
    stage->sub_step = 0;
    stage->impulses = sn_arena_take_zero(solver->arena, (size_t)stage->member_count, sizeof *stage->impulses);
    stage->link_impulses =
        sn_arena_take_zero(solver->arena, (size_t)stage->link_count, sizeof *stage->link_impulses);
    return stage->impulses != NULL && stage->link_impulses != NULL && sn_exact_sums_begin(stage) &&
           sn_exact_attached_begin(stage) && sn_exact_links_begin(stage) && sn_exact_felt_begin(stage);
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

// What impulses of links do to nodes, sets, bodies and what these carry.
//
// Impulses act as at the beginning of the sub-step, x⁺ = x + h v⁺. So the angular momentum is kept if a body
// takes them where the nodes were then.
#include "solver/exact/exact_views.h"

// --- sets --------------------------------------------------------------------------------------------------

// The anchors of a set pass on what a link does to one of its nodes,
static void note_impulse(const sn_exact_stage *stage, const sn_exact_set *set, int node, sn_vec3 impulse)
{
    for (int i = set->first; i < set->first + set->count; ++i) {
        if (stage->members[i].node == node) {
            stage->impulses[i] = sn_sub(stage->impulses[i], impulse);
        }
    }
}

// all of which then change their velocity by as much.
static void note_change(const sn_exact_stage *stage, const sn_exact_set *set, sn_vec3 change)
{
    for (int i = set->first; i < set->first + set->count; ++i) {
        float mass = 1.0f / sn_link_nodes(stage)[stage->members[i].node].inverse_mass;
        stage->impulses[i] = sn_add_scaled(stage->impulses[i], mass, change);
    }
}

static void move_set(const sn_exact_stage *stage, const sn_exact_set *set, sn_vec3 displacement)
{
    int first = stage->members[set->first].node;
    for (int i = set->first; i < set->first + set->count; ++i) {
        int member = stage->members[i].node;
        sn_exact_shift(stage, member, displacement);
        sn_link_nodes(stage)[member].position = sn_link_nodes(stage)[first].position;
    }
    note_change(stage, set, sn_scale(displacement, stage->solver->nodes.pass.inverse_h));
}

static void push_set(const sn_exact_stage *stage, const sn_exact_set *set, sn_vec3 change)
{
    for (int i = set->first; i < set->first + set->count; ++i) {
        sn_vec3 *velocity = &sn_link_velocities(stage)[stage->members[i].node].velocity;
        *velocity = sn_add(*velocity, change);
    }
    note_change(stage, set, change);
}

// --- nodes -------------------------------------------------------------------------------------------------

// A node, or the set it is in, goes a way,
static void move_unit(const sn_exact_stage *stage, int unit, sn_vec3 displacement)
{
    if (unit < 0) {
        move_set(stage, &stage->sets[-1 - unit], displacement);
    } else {
        sn_exact_shift(stage, unit, displacement);
    }
}

// or changes its velocity.
static void push_unit(const sn_exact_stage *stage, int unit, sn_vec3 change)
{
    if (unit < 0) {
        push_set(stage, &stage->sets[-1 - unit], change);
    } else {
        sn_vec3 *velocity = &sn_link_velocities(stage)[unit].velocity;
        *velocity = sn_add(*velocity, change);
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

static void push_body(const sn_solver *solver, int number, sn_vec3 impulse, sn_vec3 torque)
{
    sn_solver_velocity *velocity = &solver->velocities[number], *residue = &solver->residues[number];
    sn_sym3 inverse = sn_solver_inertia_matrix(&solver->inertias[number]);
    add_to_body(velocity->linear, residue->linear, sn_mul(solver->bodies[number].inverse_mass, impulse));
    add_to_body(velocity->angular, residue->angular, sn_sym3_apply(inverse, torque));
}

// As the impulse at the beginning of the sub-step would have moved it.
static void move_body(const sn_solver *solver, int number, sn_vec3 impulse, sn_vec3 torque)
{
    sn_solver_body *body = &solver->bodies[number];
    sn_solver_shift *shift = &solver->shifts[number];
    sn_solver_velocity *velocity = &solver->velocities[number], *residue = &solver->residues[number];
    float h = solver->nodes.pass.h;
    sn_sym3 inverse = sn_solver_inertia_matrix(&solver->inertias[number]);
    sn_vec3 change = sn_mul(body->inverse_mass, impulse);
    sn_vec3 turn = sn_scale(sn_sym3_apply(inverse, torque), h);
    add_to_body(velocity->linear, residue->linear, change);
    sn_put3(shift->moved, sn_add_scaled(sn_take3(shift->moved), h, change));
    sn_put3(shift->turned, sn_add(sn_take3(shift->turned), turn));
    body->center = sn_add(body->start, sn_take3(shift->moved));
    sn_vec3 angular = sn_take3(velocity->angular), rest = sn_take3(residue->angular);
    sn_rotate_to(&body->spin, sn_quat_turned(body->rotation, turn), torque, &body->rotation, &angular, &rest,
                 &inverse);
    sn_put3(velocity->angular, angular);
    sn_put3(residue->angular, rest);
    sn_put3(solver->inertias[number].diagonal, sn_v(inverse.xx, inverse.yy, inverse.zz));
    sn_put3(solver->inertias[number].off_diagonal, sn_v(inverse.xy, inverse.xz, inverse.yz));
}

// The nodes a body carries stay on it. They keep their velocities: the next sub-step shares those out.
static void take_attached(const sn_exact_stage *stage, int number)
{
    const sn_solver_body *body = &stage->solver->bodies[number];
    for (int i = 0; i < stage->attached_count; ++i) {
        const sn_exact_set *set = &stage->sets[i];
        if (sn_exact_body_of(stage, set) != number) {
            continue;
        }
        sn_vec3 local = stage->attachments[set->attachment].place;
        sn_vec3 place = sn_add(body->center, sn_rotate(body->rotation, local));
        for (int k = set->first; k < set->first + set->count; ++k) {
            if (sn_link_nodes(stage)[stage->members[k].node].inverse_mass > 0.0f) {
                sn_link_snap(stage, stage->members[k].node, place);
            }
        }
    }
}

static void apply_to_body(const sn_exact_stage *stage, const sn_link_body *body, sn_vec3 impulse,
                          sn_vec3 torque, bool moves)
{
    if (!moves) {
        push_body(stage->solver, body->body, impulse, torque);
        return;
    }
    move_body(stage->solver, body->body, impulse, torque);
    if (body->node >= 0) {
        take_attached(stage, body->body);
    }
}

// --- one link ----------------------------------------------------------------------------------------------

static void count_impulse(const sn_exact_stage *stage, const sn_link_view *view, sn_vec3 impulse)
{
    sn_vec3 *sum = &stage->link_impulses[view->number];
    *sum = sn_add(*sum, impulse);
    view->state->impulse = sn_add(view->state->impulse, impulse);
    for (int i = 0; i < view->count; ++i) {
        if (view->units[i] < 0) {
            note_impulse(stage, &stage->sets[-1 - view->units[i]], view->nodes[i],
                         sn_scale(impulse, view->factors[i]));
        }
    }
}

void sn_link_apply(sn_link_equations *equations, const sn_link_view *view, sn_vec3 impulse, bool moves)
{
    const sn_exact_stage *stage = equations->stage;
    float h = stage->solver->nodes.pass.h;
    sn_link_energy_count(equations, view, impulse, true);
    for (int i = 0; i < view->count; ++i) {
        sn_vec3 change = sn_scale(sn_scale(impulse, view->factors[i]), view->weights[i]);
        if (moves) {
            move_unit(stage, view->units[i], sn_scale(change, h));
        } else {
            push_unit(stage, view->units[i], change);
        }
    }
    for (int i = 0; i < view->body_count; ++i) {
        sn_vec3 part = sn_scale(impulse, view->bodies[i].factor);
        apply_to_body(stage, &view->bodies[i], part, sn_cross(view->bodies[i].action, part), moves);
    }
    sn_link_energy_count(equations, view, impulse, false);
    count_impulse(stage, view, impulse);
}

// --- all links of a system ---------------------------------------------------------------------------------

// What flows to the nodes and bodies of a link arrives there, once.
static void let_arrive(const sn_link_equations *equations, const sn_link_view *view, bool moves)
{
    const sn_exact_stage *stage = equations->stage;
    const sn_link_many *many = stage->link_work->many;
    double per = moves ? (double)stage->solver->nodes.pass.inverse_h : 1.0;
    for (int i = 0; i < view->count; ++i) {
        sn_vec3d *flow = sn_link_flow_of(stage, view->units[i]);
        sn_vec3 change = sn_narrow(sn_scale_wide(*flow, (double)view->weights[i]));
        *flow = (sn_vec3d){0.0, 0.0, 0.0};
        if (sn_length_squared(change) == 0.0f) {
            continue;
        }
        if (moves) {
            move_unit(stage, view->units[i], change);
        } else {
            push_unit(stage, view->units[i], change);
        }
    }
    for (int i = 0; i < view->body_count; ++i) {
        sn_link_flow *flow = &many->body_flows[view->bodies[i].body];
        sn_vec3 impulse = sn_narrow(sn_scale_wide(flow->linear, per));
        sn_vec3 torque = sn_narrow(sn_scale_wide(flow->angular, per));
        *flow = (sn_link_flow){0};
        if (sn_length_squared(impulse) > 0.0f || sn_length_squared(torque) > 0.0f) {
            apply_to_body(stage, &view->bodies[i], impulse, torque, moves);
        }
    }
}

// At once, so that nodes that many links pull at are rounded once.
static void apply_at_once(sn_link_equations *equations, bool moves)
{
    for (int i = 0; i < equations->count; ++i) {
        sn_link_energy_count(equations, &equations->views[i], equations->impulses[i], true);
    }
    sn_link_many_pour(equations);
    for (int i = 0; i < equations->count; ++i) {
        let_arrive(equations, &equations->views[i], moves);
    }
    for (int i = 0; i < equations->count; ++i) {
        sn_link_energy_count(equations, &equations->views[i], equations->impulses[i], false);
        count_impulse(equations->stage, &equations->views[i], equations->impulses[i]);
    }
}

void sn_link_apply_all(sn_link_equations *equations, bool moves)
{
    float per = moves ? equations->stage->solver->nodes.pass.inverse_h : 1.0f;
    for (int i = 0; i < equations->count; ++i) {
        equations->impulses[i] = sn_scale(equations->impulses[i], per);
    }
    if (equations->is_large) {
        apply_at_once(equations, moves);
        return;
    }
    for (int i = 0; i < equations->count; ++i) {
        sn_link_apply(equations, &equations->views[i], equations->impulses[i], moves);
    }
}

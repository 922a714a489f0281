// Hands the awake part of the world to the solver and takes the results back.
// Tested by tests/physics/rigid/test_stack.c.
#include "base/clock.h"
#include "solver/nodes/node_solver.h"
#include "solver/rows/joint_nodes.h"
#include "solver/solver.h"
#include "solver/stages.h"
#include "world/constraints/anchors.h"
#include "world/constraints/body_bounds.h"
#include "world/constraints/unions.h"
#include "world/core/cold_start.h"
#include "world/core/settle.h"
#include "world/core/sub_steps.h"
#include "world/energy/energy_accounts.h"
#include "world/exact/exact_plan.h"

#include <float.h>
#include <math.h>
#include <string.h>

// --- bodies in -----------------------------------------------------------------------------------

// Solver numbers of the world's bodies: 0 for what does not move, then kinematic bodies, then dynamic ones.
// Members of a union share that of its root.
typedef struct numbering {
    int *number;                            // by the world's body index
    int *lost;                              // world's numbers of bodies whose motion came out non-finite
    int count, kinematic_count, lost_count; // body 0 included
} numbering;

// Whether it is a body of the solver on its own, or stands for its union.
static bool is_own(const sn_world *world, int index)
{
    return sn_union_of(world, index) == NULL || sn_is_whole_root(world, index);
}

static void number_members(const sn_world *world, int *number)
{
    for (int i = 0; world->united != NULL && i < world->united->count; ++i) {
        const sn_union_body *whole = &world->united->union_bodies[i];
        for (int k = whole->first; k < whole->first + whole->count; ++k) {
            number[world->unions.data[k].body] = number[world->unions.data[whole->first].body];
        }
    }
}

static bool number_bodies(sn_world *world, numbering *numbering)
{
    numbering->number = sn_arena_take_zero(&world->arena, (size_t)world->bodies.count, sizeof(int));
    numbering->lost = sn_arena_take(&world->arena, (size_t)world->awake_bodies.count, sizeof(int));
    numbering->lost_count = 0;
    if (numbering->number == NULL || numbering->lost == NULL) {
        return false;
    }
    int next = 1;
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < world->awake_bodies.count; ++i) {
            int index = world->awake_bodies.data[i];
            if ((world->bodies.data[index].type == SN_KINEMATIC) == (pass == 0) &&
                sn_world_is_solved(world, index) && is_own(world, index)) {
                numbering->number[index] = next++;
            }
        }
        numbering->kinematic_count = pass == 0 ? next - 1 : numbering->kinematic_count;
    }
    numbering->count = next;
    number_members(world, numbering->number);
    return true;
}

static void load_body(const sn_world *world, sn_solver *solver, int number, const sn_body *body, int index)
{
    sn_solver_body *target = &solver->bodies[number];
    sn_response response = sn_body_response(body);
    sn_sym3 i = response.inverse_inertia;
    sn_put3(solver->velocities[number].linear, body->linear_velocity);
    sn_put3(solver->velocities[number].angular, body->angular_velocity);
    sn_put3(solver->inertias[number].diagonal, sn_v(i.xx, i.yy, i.zz));
    sn_put3(solver->inertias[number].off_diagonal, sn_v(i.xy, i.xz, i.yz));
    sn_put3(solver->accelerations[number].linear, body->linear_acceleration);
    sn_put3(solver->accelerations[number].angular, body->angular_acceleration);
    target->start = target->center = body->center;
    target->rotation = body->rotation;
    target->local_center = body->local_center;
    target->inverse_mass = response.inverse_mass;
    target->torque = body->torque;
    target->linear_damping = body->linear_damping;
    target->angular_damping = body->angular_damping;
    target->body = index;
    if (sn_body_is_dynamic(body)) {
        target->spin = sn_body_spin(body);
        // Gravity acts on free axes only; forces through the inverse mass, which is zero on locked ones.
        sn_vec3 weight = sn_scale(world->def.gravity, body->gravity_scale * body->mass);
        target->acceleration = sn_mul(response.inverse_mass, sn_add(weight, body->force));
    }
}

// Locked directions have no velocity, whoever set one.
static void obey_locks(sn_body *body)
{
    float *v[] = {&body->linear_velocity.x,  &body->linear_velocity.y,  &body->linear_velocity.z,
                  &body->angular_velocity.x, &body->angular_velocity.y, &body->angular_velocity.z};
    for (int i = 0; i < 6; ++i) {
        if (body->locks >> i & 1u) {
            *v[i] = 0.0f;
        }
    }
}

static void load_bodies(sn_world *world, sn_solver *solver, const numbering *numbering)
{
    solver->bodies[0].rotation = sn_quat_identity;
    solver->bodies[0].body = SN_GROUND;
    for (int i = 0; i < world->awake_bodies.count; ++i) {
        int index = world->awake_bodies.data[i];
        sn_body *body = &world->bodies.data[index];
        if (numbering->number[index] == 0 || !is_own(world, index)) {
            continue;
        }
        if (body->type == SN_DYNAMIC) {
            obey_locks(body);
        }
        const sn_union_body *whole = sn_union_of(world, index);
        int number = numbering->number[index];
        load_body(world, solver, number, whole != NULL ? &whole->body : body, index);
        if (whole != NULL) {
            sn_put3(solver->residues[number].linear, whole->linear_rest);
            sn_put3(solver->residues[number].angular, whole->angular_rest);
        }
    }
}

// --- contacts and constraints in -----------------------------------------------------------------

static bool has_dynamic(const numbering *numbering, int body_a, int body_b)
{
    return numbering->number[body_a] > numbering->kinematic_count ||
           numbering->number[body_b] > numbering->kinematic_count;
}

// Whether contacts or constraints between them are solved: members of one union do not move against each
// other.
static bool are_solved(const sn_world *world, const numbering *numbering, int body_a, int body_b)
{
    return has_dynamic(numbering, body_a, body_b) && !sn_are_united(world, body_a, body_b);
}

static int count_patches(const sn_world *world, const numbering *numbering)
{
    int count = 0;
    for (int i = 0; i < world->met_contacts.count; ++i) {
        const sn_contact_data *contact = &world->contacts.data[world->met_contacts.data[i]];
        count += are_solved(world, numbering, contact->body_a, contact->body_b) ? contact->patches.count : 0;
    }
    return count;
}

// Of b's surface against a's, beyond that of the bodies.
static sn_vec3 surface_velocity_of(const sn_world *world, const sn_contact_data *contact)
{
    sn_vec3 a = sn_rotate(world->bodies.data[contact->body_a].rotation,
                          world->shapes.data[contact->shape_a].surface_velocity);
    sn_vec3 b = sn_rotate(world->bodies.data[contact->body_b].rotation,
                          world->shapes.data[contact->shape_b].surface_velocity);
    return sn_sub(b, a);
}

static void load_contacts(const sn_world *world, sn_solver *solver, const numbering *numbering)
{
    for (int i = 0; i < world->met_contacts.count; ++i) {
        const sn_contact_data *contact = &world->contacts.data[world->met_contacts.data[i]];
        if (!are_solved(world, numbering, contact->body_a, contact->body_b)) {
            continue;
        }
        sn_vec3 surface_velocity =
            contact->has_surface_velocity ? surface_velocity_of(world, contact) : sn_v(0.0f, 0.0f, 0.0f);
        float h = sn_sub_step_length(&solver->settings);
        float kept = sn_impulse_scale(contact->sub_step, h);
        sn_settle_rates settle = sn_settle_rates_of(world, contact, h);
        sn_vec3 shift_a = sn_union_shift(world, contact->body_a);
        sn_vec3 shift_b = sn_union_shift(world, contact->body_b);
        for (int k = 0; k < contact->patches.count; ++k) {
            solver->contacts[solver->contact_count++] =
                (sn_contact_input){.patch = &contact->patches.data[k],
                                   .body_a = numbering->number[contact->body_a],
                                   .body_b = numbering->number[contact->body_b],
                                   .friction = contact->friction,
                                   .restitution = contact->restitution,
                                   .rolling_resistance = contact->rolling_resistance,
                                   .shift_a = shift_a,
                                   .shift_b = shift_b,
                                   .surface_velocity = surface_velocity,
                                   .contact = world->met_contacts.data[i],
                                   .kept = kept,
                                   .settle_rate = settle.together,
                                   .tilt_rate = settle.tilt};
        }
    }
}

// Impulses of sub-steps of another length are those of the same force.
static void fit_impulses(sn_constraint_data *data, float h)
{
    float scale = sn_impulse_scale(data->sub_step, h);
    for (int i = 0; i < SN_MAX_ROWS && scale != 1.0f; ++i) {
        data->impulses[i] *= scale;
        data->references[i] *= scale;
    }
    data->sub_step = h;
}

static sn_solver_end load_end(const sn_world *world, const sn_point *point, const int *number)
{
    sn_solver_end end = sn_world_load_end(world, point, number);
    sn_union_fit_end(world, point, &end);
    return end;
}

static void load_constraint(sn_world *world, sn_constraint_input *input, const int *number, float h,
                            int index)
{
    sn_constraint_data *data = &world->constraints.data[index];
    const sn_constraint_common *common = &data->definition.common;
    bool custom = data->kind == SN_CUSTOM;
    fit_impulses(data, h);
    *input = (sn_constraint_input){
        .evaluate =
            custom ? world->custom_kinds.data[data->custom_kind].function : sn_kinds[data->kind]->evaluate,
        .data = custom ? (const void *)data->custom_data : &data->definition,
        .ends = {load_end(world, &common->a, number), load_end(world, &common->b, number)},
        .max_force = common->max_force,
        .can_break = world->constraint_links.data[index].can_break,
        .impulses = data->impulses,
        .references = data->references,
        .force = &world->constraint_forces.data[index],
        .torque = &data->torque};
}

// Whether it is a deformable of the class that is being solved. Kinematic bodies are in all of them.
static bool is_solved_soft(const sn_world *world, int member)
{
    return sn_member_is_soft(member) && sn_world_is_solved(world, member);
}

// Those that hold nodes are swept with the contacts of nodes.
static void load_if_active(sn_world *world, sn_solver *solver, const numbering *numbering, int index)
{
    const int *member = world->constraint_links.data[index].member;
    float h = sn_sub_step_length(&solver->settings);
    if (sn_member_is_soft(member[0]) || sn_member_is_soft(member[1])) {
        if (!is_solved_soft(world, member[0]) && !is_solved_soft(world, member[1])) {
            return;
        }
        sn_constraint_input *input = &solver->node_constraints[solver->node_constraint_count++];
        load_constraint(world, input, numbering->number, h, index);
    } else if (sn_joins_united(world, member)) {
        sn_constraint_forget(&world->constraints.data[index]);
    } else if (has_dynamic(numbering, sn_member_body(member[0]), sn_member_body(member[1]))) {
        sn_constraint_input *input = &solver->constraints[solver->constraint_count++];
        load_constraint(world, input, numbering->number, h, index);
    }
}

// Bounds that act in this step (body_bounds.h).
typedef struct bound_rows {
    int *list;
    int count;
} bound_rows;

static bool find_bounds(sn_world *world, const sn_solver *solver, const numbering *numbering,
                        bound_rows *rows)
{
    rows->count = 0;
    sn_body_levels_look(world);
    rows->list = sn_arena_take(&world->arena, (size_t)world->body_bounds.count, sizeof *rows->list);
    for (int i = 0; rows->list != NULL && i < world->body_bounds.count; ++i) {
        sn_body_bound *bound = &world->body_bounds.data[i];
        if (!bound->has_row || numbering->number[bound->body] <= numbering->kinematic_count) {
            continue;
        }
        if (sn_body_bound_acts(world, bound, solver->settings.duration)) {
            rows->list[rows->count++] = i;
        } else {
            bound->impulses[0] = 0.0f;
            bound->force = bound->torque = sn_v(0.0f, 0.0f, 0.0f);
        }
    }
    return rows->list != NULL;
}

static bool load_bounds(sn_world *world, sn_solver *solver, const numbering *numbering,
                        const bound_rows *rows)
{
    float h = sn_sub_step_length(&solver->settings);
    sn_distance_def *defs = sn_arena_take(&world->arena, (size_t)rows->count, sizeof *defs);
    for (int i = 0; defs != NULL && i < rows->count; ++i) {
        sn_body_bound *bound = &world->body_bounds.data[rows->list[i]];
        defs[i] = sn_body_bound_row(world, bound);
        bound->impulses[0] *= sn_impulse_scale(bound->sub_step, h);
        bound->sub_step = h;
        solver->constraints[solver->constraint_count++] =
            (sn_constraint_input){.evaluate = sn_kinds[SN_DISTANCE]->evaluate,
                                  .data = &defs[i],
                                  .ends = {load_end(world, &defs[i].common.a, numbering->number),
                                           load_end(world, &defs[i].common.b, numbering->number)},
                                  .max_force = INFINITY,
                                  .impulses = bound->impulses,
                                  .force = &bound->force,
                                  .torque = &bound->torque};
    }
    return defs != NULL;
}

// What is held exactly has no rows.
static void load_constraints(sn_world *world, sn_solver *solver, const numbering *numbering)
{
    const sn_active_parts *parts = sn_world_active_parts(world);
    for (int i = 0; i < parts->bodies.count; ++i) {
        load_if_active(world, solver, numbering, parts->bodies.data[i]);
    }
    for (int i = 0; i < parts->nodes.count; ++i) {
        load_if_active(world, solver, numbering, parts->nodes.data[i]);
    }
    for (int i = 0; i < world->active_constraints.count && world->exact->instead_count > 0; ++i) {
        int index = world->active_constraints.data[i];
        if (world->exact->holds.data[index] == SN_CONSTRAINT_ROWS_INSTEAD) {
            load_if_active(world, solver, numbering, index);
        }
    }
}

// --- results out ---------------------------------------------------------------------------------

static bool is_finite_motion(const sn_solver *solver, int number)
{
    const sn_solver_body *body = &solver->bodies[number];
    return sn_vec3_is_finite(body->center) && sn_quat_is_finite(body->rotation) &&
           sn_vec3_is_finite(sn_take3(solver->velocities[number].linear)) &&
           sn_vec3_is_finite(sn_take3(solver->velocities[number].angular));
}

static sn_vec3 limited(sn_vec3 v, float limit, bool *clamped)
{
    if (sn_length(v) <= limit) {
        return v;
    }
    *clamped = true;
    // By way of the largest component: the square of what extreme forces give leaves float32.
    sn_vec3 size = sn_abs3(v);
    float largest = sn_max(size.x, sn_max(size.y, size.z));
    return sn_scale(sn_normalize(sn_v(v.x / largest, v.y / largest, v.z / largest)), limit);
}

static void store_body(sn_world *world, const sn_solver *solver, int number, sn_body *body,
                       const sn_start_pose *start)
{
    // What the largest speed covers in a step, with room for rounding.
    float farthest = 1.001f * SN_MAX_SPEED * solver->settings.duration;
    bool clamped = false;
    int index = world->awake_bodies.data[body->awake_index];
    sn_union_place_member(world, index, solver, number, body);
    sn_vec3 allowed = limited(sn_sub(body->center, start->center), farthest, &clamped);
    body->center = clamped ? sn_add(start->center, allowed) : body->center;
    body->linear_velocity = limited(body->linear_velocity, SN_MAX_SPEED, &clamped);
    body->angular_velocity = limited(body->angular_velocity, SN_MAX_SPIN, &clamped);
    sn_vec3 gained = sn_take3(solver->accelerations[number].linear), none = {0.0f, 0.0f, 0.0f};
    sn_vec3 turned = sn_take3(solver->accelerations[number].angular);
    bool is_kept = sn_uses_newmark(&solver->settings) && !clamped;
    body->linear_acceleration = is_kept && sn_vec3_is_finite(gained) ? gained : none;
    body->angular_acceleration = is_kept && sn_vec3_is_finite(turned) ? turned : none;
    world->last.clamped_count += clamped ? 1 : 0;
}

static void store_bodies(sn_world *world, const sn_solver *solver, numbering *numbering)
{
    for (int i = 0; i < world->awake_bodies.count; ++i) {
        int index = world->awake_bodies.data[i];
        sn_body *body = &world->bodies.data[index];
        int number = numbering->number[index];
        if (number == 0 ||
            (body->type == SN_KINEMATIC && world->classes.current + 1 < world->classes.count)) {
            continue;
        }
        if (!is_finite_motion(solver, number)) {
            numbering->lost[numbering->lost_count++] = index;
            continue;
        }
        body->force = body->torque = sn_v(0.0f, 0.0f, 0.0f);
        if (body->has_target) {
            // Arrived: exactly there, and at rest until told again.
            sn_body_place(body, body->target);
            body->linear_velocity = body->angular_velocity = sn_v(0.0f, 0.0f, 0.0f);
            body->has_target = false;
        } else {
            store_body(world, solver, number, body, &world->start_poses[i]);
        }
    }
}

// Impulses of contacts are now those of sub-steps of this length.
static void store_sub_step(sn_world *world, const numbering *numbering, float h)
{
    for (int i = 0; i < world->active_contacts.count; ++i) {
        sn_contact_data *contact = &world->contacts.data[world->active_contacts.data[i]];
        if (has_dynamic(numbering, contact->body_a, contact->body_b)) {
            contact->sub_step = h;
        }
    }
}

static float bounded(float value)
{
    return value == value ? sn_clamp(value, -FLT_MAX, FLT_MAX) : 0.0f;
}

static sn_vec3 bounded3(sn_vec3 v)
{
    return sn_v(bounded(v.x), bounded(v.y), bounded(v.z));
}

// A force beyond floats (of a row that asks for 1e38 m/s) is as large as they get; its impulses are not kept.
static void bound_forces(const sn_solver *solver)
{
    for (int i = 0; i < solver->constraint_count; ++i) {
        const sn_constraint_input *input = &solver->constraints[i];
        if (!sn_vec3_is_finite(*input->force) || !sn_vec3_is_finite(*input->torque)) {
            *input->force = bounded3(*input->force);
            *input->torque = bounded3(*input->torque);
            memset(input->impulses, 0, SN_MAX_ROWS * sizeof *input->impulses);
        }
    }
}

// --- the whole -----------------------------------------------------------------------------------

static sn_solver_settings settings_of(const sn_world *world, float duration, int sub_steps)
{
    const sn_world_def *def = &world->def;
    return (sn_solver_settings){.contact_stiffness = def->contact_stiffness,
                                .contact_damping = def->contact_damping,
                                .constraint_stiffness = def->constraint_stiffness,
                                .constraint_damping = def->constraint_damping,
                                .push_speed = def->push_speed,
                                .restitution_threshold = def->restitution_threshold,
                                .wind = def->wind,
                                .duration = duration,
                                .sub_steps = sub_steps,
                                .sub_steps_before = (int)(world->step_count & 1) * sub_steps,
                                .type = def->solver,
                                .settles_joints = def->long_range.settle,
                                .has_planes = def->long_range.planes && def->solver != SN_SOLVER_STAGGERED,
                                .staggered = def->staggered,
                                .position = def->position};
}

static bool load_rigid(sn_world *world, sn_solver *solver, const numbering *numbering)
{
    const sn_active_parts *parts = sn_world_active_parts(world);
    bound_rows bounds;
    solver->body_count = numbering->count;
    solver->dynamic_begin = numbering->kinematic_count + 1;
    if (!find_bounds(world, solver, numbering, &bounds) ||
        !sn_solver_allocate(solver, solver->body_count, count_patches(world, numbering),
                            parts->bodies.count + world->exact->instead_count + bounds.count,
                            parts->nodes.count + world->exact->instead_count)) {
        return false;
    }
    load_bodies(world, solver, numbering);
    solver->find_patch = sn_world_find_patch;
    solver->world = world;
    load_contacts(world, solver, numbering);
    load_constraints(world, solver, numbering);
    return load_bounds(world, solver, numbering, &bounds);
}

// What anchors hold.
typedef struct soft_part {
    sn_joints joints; // that hold nodes
    sn_exact_stage exact;
    sn_soft_rows contacts;
    sn_bound_reactions reactions;
} soft_part;

static bool holds_something(const sn_exact_stage *exact)
{
    return exact->set_count + exact->sum_count + exact->link_count > 0;
}

static bool load_soft(sn_world *world, sn_solver *solver, const numbering *numbering, soft_part *soft)
{
    if (world->deformable_ids.used == 0 && world->exact->exact_count == 0) {
        return true;
    }
    if (!sn_world_load_deformables(world, sn_sub_step_length(&solver->settings), &solver->nodes)) {
        return false;
    }
    solver->nodes.starts = (sn_vec3 *)world->node_starts;
    solver->nodes.start_velocities = (sn_vec3 *)world->node_start_velocities;
    double mark = sn_clock();
    bool has_exact = world->classes.current == world->classes.shared;
    if (has_exact &&
        !sn_world_load_exact(world, numbering->number, solver->settings.sub_steps, &soft->exact)) {
        return false;
    }
    sn_lap(&mark, &solver->times.exact);
    solver->nodes.exact = has_exact && holds_something(&soft->exact) ? &soft->exact : NULL;
    soft->joints = (sn_joints){.solver = solver,
                               .inputs = solver->node_constraints,
                               .count = solver->node_constraint_count,
                               .holds_nodes = true};
    if (soft->joints.count > 0) {
        solver->nodes.coupling[solver->nodes.coupling_count++] = sn_joints_coupling_stage(&soft->joints);
    }
    return sn_soft_load(world, numbering->number, &soft->contacts, &solver->nodes) &&
           sn_world_load_bound_reactions(world, numbering->number, solver, &soft->reactions);
}

// Times of all classes add up; counts are the largest.
static void publish(sn_world *world, const sn_solver *solver)
{
    const sn_solver_times *times = &solver->times;
    sn_statistics *last = &world->last;
    last->sub_steps =
        solver->settings.sub_steps > last->sub_steps ? solver->settings.sub_steps : last->sub_steps;
    last->plane_count += solver->plane_count;
    last->color_count = solver->color_count > last->color_count ? solver->color_count : last->color_count;
    last->overflow_count += solver->overflow_count;
    last->unresolved_count += solver->unresolved_count;
    if (solver->residuals != NULL) {
        const sn_residual *end = &solver->residuals[solver->settings.position.iterations - 1];
        last->primal_error = end->primal;
        last->dual_error = end->dual;
    }
    world->profile.prepare += (float)(1000.0 * times->prepare);
    world->profile.models += (float)(1000.0 * times->models);
    world->profile.exact += (float)(1000.0 * times->exact);
    world->profile.solve += (float)(1000.0 * times->solve);
    world->profile.integrate += (float)(1000.0 * times->integrate);
    world->profile.relax += (float)(1000.0 * times->relax);
    world->profile.restitution += (float)(1000.0 * times->restitution);
}

// All that is loaded for a class of islands.
typedef struct class_run {
    sn_solver solver;
    sn_run run;
    numbering numbering;
    soft_part soft;
} class_run;

static bool begin_class(sn_world *world, const sn_energy_islands *energy, float duration, class_run *class)
{
    int sub_steps = world->classes.sub_steps[world->classes.current];
    class->solver = (sn_solver){
        .settings = settings_of(world, duration, sub_steps), .tasks = world->tasks, .arena = &world->arena};
    return number_bodies(world, &class->numbering) && load_rigid(world, &class->solver, &class->numbering) &&
           load_soft(world, &class->solver, &class->numbering, &class->soft) &&
           sn_energy_ledger_load(world, energy, class->numbering.number, &class->solver) &&
           sn_solver_begin(&class->solver, &class->run);
}

static void finish_class(sn_world *world, const sn_energy_islands *energy, class_run *class)
{
    class->solver.residuals = world->residuals.count > 0 ? world->residuals.data : NULL;
    sn_solver_finish(&class->run);
    sn_energy_ledger_store(world, energy, &class->solver);
    if (class->soft.contacts.world != NULL) {
        sn_soft_unload(&class->soft.contacts);
    }
    store_bodies(world, &class->solver, &class->numbering);
    sn_world_note_chains(world, class->run.solver, class->run.joints.planes);
    store_sub_step(world, &class->numbering, sn_sub_step_length(&class->solver.settings));
    sn_world_stop_lost(world, class->numbering.lost, class->numbering.lost_count, &class->solver.nodes);
}

// Where everything is before any class has moved.
static bool remember_starts(sn_world *world)
{
    size_t awake = (size_t)world->awake_bodies.count, nodes = (size_t)world->nodes.states.count;
    world->start_poses = sn_arena_take(&world->arena, awake, sizeof *world->start_poses);
    world->sweep_times = sn_arena_take(&world->arena, awake, sizeof *world->sweep_times);
    world->swept_chains = sn_arena_take(&world->arena, awake, sizeof *world->swept_chains);
    if (world->deformable_ids.used > 0) {
        world->node_starts = sn_arena_take(&world->arena, nodes, sizeof *world->node_starts);
        world->node_start_velocities =
            sn_arena_take(&world->arena, nodes, sizeof *world->node_start_velocities);
    }
    if (world->start_poses == NULL || world->sweep_times == NULL || world->swept_chains == NULL ||
        (world->deformable_ids.used > 0 &&
         (world->node_starts == NULL || world->node_start_velocities == NULL))) {
        return false;
    }
    for (int i = 0; i < world->awake_bodies.count; ++i) {
        const sn_body *body = &world->bodies.data[world->awake_bodies.data[i]];
        world->start_poses[i] =
            (sn_start_pose){body->center, body->rotation, body->linear_velocity, body->angular_velocity};
        world->swept_chains[i] = (sn_swept_chain){.first = -1};
    }
    return true;
}

// Those of all classes are the largest; false without memory.
static bool clear_residuals(sn_world *world)
{
    bool is_measured = world->def.solver == SN_SOLVER_POSITION && world->def.position.monitor;
    int count = is_measured && world->classes.count > 0 ? world->def.position.iterations : 0;
    world->residuals.count = 0;
    while (world->residuals.count < count && sn_array_push(&world->residuals, (sn_residual){0})) {
    }
    return world->residuals.count == count;
}

// All classes are made ready before any of them moves.
bool sn_stage_solve(sn_world *world, float duration)
{
    sn_solve_classes *classes = &world->classes;
    world->profile.prepare = world->profile.models = world->profile.exact = world->profile.solve = 0.0f;
    world->profile.integrate = world->profile.relax = world->profile.restitution = 0.0f;
    sn_world_list_met_contacts(world);
    if (!remember_starts(world) || !sn_world_unite(world) ||
        !sn_world_classify_islands(world, duration, classes) || !sn_world_start_contacts(world, duration) ||
        !clear_residuals(world)) {
        return false;
    }
    if (!sn_energy_islands_find(world, duration, &world->energy_islands)) {
        return false;
    }
    const sn_energy_islands *energy = world->energy_islands;
    class_run *runs = sn_arena_take_zero(&world->arena, (size_t)classes->count, sizeof *runs);
    for (classes->current = 0; classes->current < classes->count; ++classes->current) {
        if (runs == NULL || !begin_class(world, energy, duration, &runs[classes->current])) {
            return false;
        }
    }
    for (classes->current = 0; classes->current < classes->count; ++classes->current) {
        finish_class(world, energy, &runs[classes->current]);
    }
    sn_world_mend_rows(world);
    for (int i = 0; i < classes->count; ++i) {
        bound_forces(&runs[i].solver);
        publish(world, &runs[i].solver);
    }
    return true;
}

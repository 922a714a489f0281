// Forces in the joints of a union: what a member, and all that hangs on it, has gained in momentum beyond
// what acts on it from outside has come through the joint that holds it (methods J.5). Where joints that may
// break close loops, all share it (union_loops.h); else those of the tree carry all.
// Tested by tests/world/constraints/test_unions.c.
#include "constraint/contact.h"
#include "world/constraints/body_bounds.h"
#include "world/constraints/union_loops.h"

typedef struct balance {
    sn_world *world;
    float duration;
    sn_union_need *needs; // by place
} balance;

static sn_union_need *need_of(const balance *balance, int body)
{
    int place = body >= 0 ? balance->world->united->place[body] - 1 : -1;
    return place >= 0 ? &balance->needs[place] : NULL;
}

// An impulse from outside, with a turning one beside it, that acts at the end of an arm.
static void pay(const balance *balance, int body, sn_vec3 arm, sn_vec3 impulse, sn_vec3 turning)
{
    sn_union_need *need = need_of(balance, body);
    if (need != NULL) {
        need->linear = sn_sub(need->linear, impulse);
        need->angular = sn_sub(need->angular, sn_add(turning, sn_cross(arm, impulse)));
    }
}

static sn_vec3 spin_of(const sn_body *body, sn_quat rotation, sn_vec3 angular_velocity)
{
    return sn_rotate(rotation, sn_mat3_apply(body->inertia, sn_rotate_inverse(rotation, angular_velocity)));
}

static void count_gains(const balance *balance)
{
    const sn_world *world = balance->world;
    for (int k = 0; k < world->unions.count; ++k) {
        const sn_body *body = &world->bodies.data[world->unions.data[k].body];
        sn_union_need *need = need_of(balance, world->unions.data[k].body);
        if (need == NULL) {
            continue;
        }
        const sn_member_start *start = &world->united->starts[k];
        sn_quat before = world->start_poses[body->awake_index].rotation;
        need->linear = sn_scale(sn_sub(body->linear_velocity, start->linear_velocity), body->mass);
        need->angular = sn_sub(spin_of(body, body->rotation, body->angular_velocity),
                               spin_of(body, before, start->angular_velocity));
        need->linear = sn_add_scaled(need->linear, -balance->duration, start->force);
        need->angular = sn_add_scaled(need->angular, -balance->duration, start->torque);
    }
}

static void pay_by_contacts(const balance *balance)
{
    const sn_world *world = balance->world;
    const sn_vec3 none = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < world->met_contacts.count; ++i) {
        const sn_contact_data *contact = &world->contacts.data[world->met_contacts.data[i]];
        int a = contact->body_a, b = contact->body_b;
        if ((need_of(balance, a) == NULL && need_of(balance, b) == NULL) || sn_are_united(world, a, b)) {
            continue;
        }
        for (int k = 0; k < contact->patches.count; ++k) {
            const sn_patch *patch = &contact->patches.data[k];
            sn_vec3 arm_a, arm_b;
            sn_patch_friction_center(patch, &arm_a, &arm_b);
            pay(balance, a, arm_a, sn_neg(patch->total_friction), none);
            pay(balance, b, arm_b, patch->total_friction, none);
            for (int p = 0; p < patch->count; ++p) {
                sn_vec3 impulse = sn_scale(patch->normal, patch->points[p].total_normal);
                pay(balance, a, patch->points[p].arm_a, sn_neg(impulse), none);
                pay(balance, b, patch->points[p].arm_b, impulse, none);
            }
        }
    }
}

// By a force and a torque on b.
static void pay_by_ends(const balance *balance, const sn_point *a, const sn_point *b, sn_vec3 force,
                        sn_vec3 torque)
{
    const sn_world *world = balance->world;
    for (int end = 0; end < 2; ++end) {
        const sn_point *point = end == 0 ? a : b;
        float sign = end == 0 ? -balance->duration : balance->duration;
        if (point->type == SN_POINT_RIGID) {
            int body = (int)point->rigid.index - 1;
            sn_vec3 arm = sn_sub(sn_point_now(world, point), world->bodies.data[body].center);
            pay(balance, body, arm, sn_scale(force, sign), sn_scale(torque, sign));
        }
    }
}

static bool is_inner(const sn_world *world, int index)
{
    return sn_joins_united(world, world->constraint_links.data[index].member);
}

static void pay_by_constraints(const balance *balance)
{
    sn_world *world = balance->world;
    for (int i = 0; i < world->active_constraints.count; ++i) {
        int index = world->active_constraints.data[i];
        sn_constraint_data *data = &world->constraints.data[index];
        if (is_inner(world, index)) {
            world->constraint_forces.data[index] = data->torque = sn_v(0.0f, 0.0f, 0.0f);
        } else {
            const sn_constraint_common *common = &data->definition.common;
            pay_by_ends(balance, &common->a, &common->b, world->constraint_forces.data[index], data->torque);
        }
    }
    for (int i = 0; i < world->body_bounds.count; ++i) {
        const sn_body_bound *bound = &world->body_bounds.data[i];
        if (bound->has_row) {
            sn_bound_ends ends = sn_body_bound_ends(world, bound);
            pay_by_ends(balance, &ends.a, &ends.b, bound->force, sn_v(0.0f, 0.0f, 0.0f));
        }
    }
}

// From the leaves to the root: children come after their parents.
static void collect(const balance *balance)
{
    sn_world *world = balance->world;
    float per_second = 1.0f / balance->duration;
    for (int k = world->unions.count - 1; k >= 0; --k) {
        const sn_union_member *member = &world->unions.data[k];
        sn_union_need *need = need_of(balance, member->body);
        if (need == NULL || member->parent < 0) {
            continue;
        }
        sn_constraint_data *data = &world->constraints.data[member->joint];
        int parent = world->unions.data[member->parent].body;
        sn_vec3 center = world->bodies.data[member->body].center;
        bool is_b = world->constraint_links.data[member->joint].member[1] == member->body;
        sn_vec3 joint = sn_point_now(world, is_b ? &data->definition.common.b : &data->definition.common.a);
        sn_vec3 torque = sn_add(need->angular, sn_cross(sn_sub(center, joint), need->linear));
        float sign = is_b ? per_second : -per_second;
        sn_vec3 *force = &world->constraint_forces.data[member->joint];
        *force = sn_add_scaled(*force, sign, need->linear);
        data->torque = sn_add_scaled(data->torque, sign, torque);
        sn_vec3 arm = sn_sub(center, world->bodies.data[parent].center);
        pay(balance, parent, arm, sn_neg(need->linear), sn_neg(need->angular));
    }
}

void sn_world_share_unions(sn_world *world, float duration)
{
    if (world->united == NULL || world->united->count == 0) {
        return;
    }
    sn_union_need *needs = sn_arena_take_zero(&world->arena, (size_t)world->unions.count, sizeof *needs);
    if (needs != NULL) {
        balance balance = {world, duration, needs};
        count_gains(&balance);
        pay_by_contacts(&balance);
        pay_by_constraints(&balance);
        sn_union_loops_share(world, duration, needs);
        collect(&balance);
    }
}

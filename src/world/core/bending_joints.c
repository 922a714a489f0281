#include "world/core/bending_joints.h"

#include "world/constraints/unions.h"

// A joint that turns by less than this part of what its torque asks for is held by something else.
#define LEAST_YIELDING 0.25f

// What the torque gives to what an end moves with: its body, or the union that this is part of. [rad/s²]
static sn_vec3 answer_of(const sn_world *world, int member, sn_vec3 torque)
{
    if (!sn_member_is_dynamic_body(world, member)) {
        return sn_v(0.0f, 0.0f, 0.0f);
    }
    const sn_union_body *whole = sn_union_of(world, member);
    const sn_body *body = whole != NULL ? &whole->body : &world->bodies.data[member];
    return sn_sym3_apply(sn_body_response(body).inverse_inertia, torque);
}

static bool holds_axes(const sn_constraint_data *data)
{
    return (data->kind == SN_HINGE || data->kind == SN_FIXED || data->kind == SN_SLIDER) &&
           data->definition.common.angular_compliance == 0.0f;
}

float sn_joint_turning(const sn_world *world, int index)
{
    const sn_constraint_data *data = &world->constraints.data[index];
    const sn_constraint_common *common = &data->definition.common;
    const int *member = world->constraint_links.data[index].member;
    if (!holds_axes(data) || sn_joins_united(world, member)) {
        return 0.0f;
    }
    sn_quat a = sn_point_pose_now(world, &common->a).rotation,
            b = sn_point_pose_now(world, &common->b).rotation;
    sn_quat between = sn_quat_multiply(sn_quat_conjugate(a), b);
    sn_vec3 torque = data->torque, turned = sn_v(between.x, between.y, between.z); // half the angle
    if (data->kind == SN_HINGE) { // motors, springs and stops act about the axis
        sn_vec3 axis = sn_rotate(a, sn_v(1.0f, 0.0f, 0.0f));
        torque = sn_add_scaled(torque, -sn_dot(axis, torque), axis);
        turned.x = 0.0f;
    }
    sn_vec3 answer = sn_add(answer_of(world, member[0], torque), answer_of(world, member[1], torque));
    float omega = 2.0f * SN_PI * world->def.constraint_stiffness; // times the sub-step
    float turning = sn_length(answer), asked = turning * data->sub_step * data->sub_step / (omega * omega);
    return 2.0f * sn_length(turned) > LEAST_YIELDING * asked ? turning : 0.0f;
}

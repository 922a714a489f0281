// Moving rigid bodies: every call checks what comes in, then changes one body and wakes what that may move.
#include "geometry/shapes/check.h"
#include "world/bodies/bodies.h"
#include "world/exact/exact_plan.h"

static void refresh_shapes(sn_world *world, const sn_body *body)
{
    for (int i = body->first_shape; i >= 0; i = world->shapes.data[i].next) {
        sn_world_shape_refresh(world, i);
    }
}

sn_status sn_rigid_pose_set(sn_world *world, sn_rigid rigid, sn_pose pose)
{
    sn_body *body;
    sn_status status = sn_body_changeable(world, rigid, SN_TYPES_ALL, "sn_rigid_pose_set", &body);
    if (status != SN_OK) {
        return status;
    }
    int index = sn_body_index(world, body);
    sn_label label = sn_body_label(world, index);
    status = sn_check_pose(&pose, world->error, label.text, "pose");
    if (status != SN_OK) {
        return status;
    }
    if (index == SN_GROUND) {
        return sn_fail(world->error, SN_ERROR_KIND, "rigid 'ground' cannot be moved");
    }
    sn_world_wake_neighbors(world, index);
    if (body->frozen) {
        body->frozen = false;
        sn_world_forget_exact(world);
        body->force = body->torque = sn_v(0.0f, 0.0f, 0.0f); // gathered while no step used them up
    }
    sn_body_place(body, pose);
    sn_world_wake(world, index);
    refresh_shapes(world, body);
    return SN_OK;
}

sn_status sn_rigid_target_set(sn_world *world, sn_rigid rigid, sn_pose target)
{
    sn_body *body;
    sn_status status = sn_body_changeable(world, rigid, SN_TYPES_KINEMATIC, "sn_rigid_target_set", &body);
    if (status != SN_OK) {
        return status;
    }
    sn_label label = sn_body_label(world, sn_body_index(world, body));
    status = sn_check_pose(&target, world->error, label.text, "target");
    if (status == SN_OK) {
        body->target = target;
        body->has_target = true;
        sn_world_wake(world, sn_body_index(world, body));
    }
    return status;
}

sn_status sn_rigid_linear_velocity_set(sn_world *world, sn_rigid rigid, sn_vec3 velocity)
{
    sn_body *body;
    sn_status status =
        sn_body_changeable(world, rigid, SN_TYPES_MOVING, "sn_rigid_linear_velocity_set", &body);
    status = status ? status : sn_body_check_vec3(world, body, velocity, SN_MAX_SPEED, "linear velocity");
    if (status == SN_OK) {
        sn_world_wake(world, sn_body_index(world, body));
        body->linear_velocity = velocity;
    }
    return status;
}

sn_status sn_rigid_angular_velocity_set(sn_world *world, sn_rigid rigid, sn_vec3 velocity)
{
    sn_body *body;
    sn_status status =
        sn_body_changeable(world, rigid, SN_TYPES_MOVING, "sn_rigid_angular_velocity_set", &body);
    status = status ? status : sn_body_check_vec3(world, body, velocity, SN_MAX_SPIN, "angular velocity");
    if (status == SN_OK) {
        sn_world_wake(world, sn_body_index(world, body));
        body->angular_velocity = velocity;
    }
    return status;
}

// Largest force, torque or impulse accepted: what moves 1 kg beyond the largest speed is refused later, by
// the speed itself.
static const float largest_push = 1.0e12f;

sn_status sn_rigid_force_add(sn_world *world, sn_rigid rigid, sn_vec3 force)
{
    sn_body *body;
    sn_status status = sn_body_changeable(world, rigid, SN_TYPES_DYNAMIC, "sn_rigid_force_add", &body);
    status = status ? status : sn_body_check_vec3(world, body, force, largest_push, "force");
    if (status == SN_OK) {
        sn_world_wake(world, sn_body_index(world, body));
        body->force = sn_add(body->force, force);
    }
    return status;
}

sn_status sn_rigid_torque_add(sn_world *world, sn_rigid rigid, sn_vec3 torque)
{
    sn_body *body;
    sn_status status = sn_body_changeable(world, rigid, SN_TYPES_DYNAMIC, "sn_rigid_torque_add", &body);
    status = status ? status : sn_body_check_vec3(world, body, torque, largest_push, "torque");
    if (status == SN_OK) {
        sn_world_wake(world, sn_body_index(world, body));
        body->torque = sn_add(body->torque, torque);
    }
    return status;
}

sn_status sn_rigid_force_add_at(sn_world *world, sn_rigid rigid, sn_vec3 force, sn_vec3 point)
{
    sn_body *body;
    sn_status status = sn_body_changeable(world, rigid, SN_TYPES_DYNAMIC, "sn_rigid_force_add_at", &body);
    status = status ? status : sn_body_check_vec3(world, body, force, largest_push, "force");
    status = status ? status : sn_body_check_vec3(world, body, point, SN_MAX_COORDINATE, "point");
    if (status == SN_OK) {
        sn_world_wake(world, sn_body_index(world, body));
        body->force = sn_add(body->force, force);
        body->torque = sn_add(body->torque, sn_cross(sn_sub(point, body->center), force));
    }
    return status;
}

// Velocity changes of an impulse and an angular impulse; refused if they exceed what a body may have.
static sn_status push(sn_world *world, sn_body *body, sn_vec3 impulse, sn_vec3 angular_impulse)
{
    sn_response response = sn_body_response(body);
    sn_vec3 linear = sn_add(body->linear_velocity, sn_mul(response.inverse_mass, impulse));
    sn_vec3 angular =
        sn_add(body->angular_velocity, sn_sym3_apply(response.inverse_inertia, angular_impulse));
    sn_status status =
        sn_body_check_vec3(world, body, linear, SN_MAX_SPEED, "linear velocity after the impulse");
    status =
        status ? status
               : sn_body_check_vec3(world, body, angular, SN_MAX_SPIN, "angular velocity after the impulse");
    if (status == SN_OK) {
        sn_world_wake(world, sn_body_index(world, body));
        body->linear_velocity = linear;
        body->angular_velocity = angular;
    }
    return status;
}

sn_status sn_rigid_impulse_add(sn_world *world, sn_rigid rigid, sn_vec3 impulse)
{
    sn_body *body;
    sn_status status = sn_body_changeable(world, rigid, SN_TYPES_DYNAMIC, "sn_rigid_impulse_add", &body);
    status = status ? status : sn_body_check_vec3(world, body, impulse, largest_push, "impulse");
    return status ? status : push(world, body, impulse, sn_v(0.0f, 0.0f, 0.0f));
}

sn_status sn_rigid_impulse_add_at(sn_world *world, sn_rigid rigid, sn_vec3 impulse, sn_vec3 point)
{
    sn_body *body;
    sn_status status = sn_body_changeable(world, rigid, SN_TYPES_DYNAMIC, "sn_rigid_impulse_add_at", &body);
    status = status ? status : sn_body_check_vec3(world, body, impulse, largest_push, "impulse");
    status = status ? status : sn_body_check_vec3(world, body, point, SN_MAX_COORDINATE, "point");
    return status ? status : push(world, body, impulse, sn_cross(sn_sub(point, body->center), impulse));
}

sn_status sn_rigid_angular_impulse_add(sn_world *world, sn_rigid rigid, sn_vec3 impulse)
{
    sn_body *body;
    sn_status status =
        sn_body_changeable(world, rigid, SN_TYPES_DYNAMIC, "sn_rigid_angular_impulse_add", &body);
    status = status ? status : sn_body_check_vec3(world, body, impulse, largest_push, "angular impulse");
    return status ? status : push(world, body, sn_v(0.0f, 0.0f, 0.0f), impulse);
}

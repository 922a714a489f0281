// Moving rigid bodies: every call checks its input, then changes one body and wakes what that may move.
// Tested by tests/world/bodies/test_bad_rigid.c.
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
    sn_status status = sn_body_changeable(world, rigid, SN_TYPES_ALL, __func__, &body);
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
        body->force = body->torque = sn_v(0.0f, 0.0f, 0.0f); // left from before it was frozen
    }
    sn_body_place(body, pose);
    sn_world_wake(world, index);
    refresh_shapes(world, body);
    return SN_OK;
}

sn_status sn_rigid_target_set(sn_world *world, sn_rigid rigid, sn_pose target)
{
    sn_body *body;
    sn_status status = sn_body_changeable(world, rigid, SN_TYPES_KINEMATIC, __func__, &body);
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
    static const sn_field field = SN_MEMBER_FIELD(VEC3, sn_body, linear_velocity, .upper = SN_MAX_SPEED);
    return sn_body_set(world, rigid, SN_TYPES_MOVING, &field, &velocity, __func__);
}

sn_status sn_rigid_angular_velocity_set(sn_world *world, sn_rigid rigid, sn_vec3 velocity)
{
    static const sn_field field = SN_MEMBER_FIELD(VEC3, sn_body, angular_velocity, .upper = SN_MAX_SPIN);
    return sn_body_set(world, rigid, SN_TYPES_MOVING, &field, &velocity, __func__);
}

// --- forces and impulses -------------------------------------------------------------------------

// A force and a torque, or an impulse and an angular impulse; the former at a point if that is not null, at
// the mass centre otherwise.
typedef struct load {
    const char *name; // in messages
    sn_vec3 linear, angular;
    const sn_vec3 *point;
    bool is_impulse;
} load;

// Changes the velocity by an impulse; refused if it would exceed what a body may have.
static sn_status add_impulse(sn_world *world, sn_body *body, sn_vec3 impulse, sn_vec3 angular_impulse)
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
        sn_world_wake_pushed(world, sn_body_index(world, body));
        body->linear_velocity = linear;
        body->angular_velocity = angular;
    }
    return status;
}

static sn_status add_load(sn_world *world, sn_rigid rigid, load load, const char *function)
{
    const float largest = 1.0e12f; // speeds are checked as well
    sn_body *body;
    sn_status status = sn_body_changeable(world, rigid, SN_TYPES_DYNAMIC, function, &body);
    status = status ? status : sn_body_check_vec3(world, body, load.linear, largest, load.name);
    status = status ? status : sn_body_check_vec3(world, body, load.angular, largest, load.name);
    if (status == SN_OK && load.point != NULL) {
        status = sn_body_check_vec3(world, body, *load.point, SN_MAX_COORDINATE, "point");
        load.angular = sn_cross(sn_sub(*load.point, body->center), load.linear);
    }
    if (status != SN_OK || load.is_impulse) {
        return status ? status : add_impulse(world, body, load.linear, load.angular);
    }
    sn_world_wake_pushed(world, sn_body_index(world, body));
    body->force = sn_add(body->force, load.linear);
    body->torque = sn_add(body->torque, load.angular);
    return SN_OK;
}

sn_status sn_rigid_force_add(sn_world *world, sn_rigid rigid, sn_vec3 force)
{
    return add_load(world, rigid, (load){"force", .linear = force}, __func__);
}

sn_status sn_rigid_torque_add(sn_world *world, sn_rigid rigid, sn_vec3 torque)
{
    return add_load(world, rigid, (load){"torque", .angular = torque}, __func__);
}

sn_status sn_rigid_force_add_at(sn_world *world, sn_rigid rigid, sn_vec3 force, sn_vec3 point)
{
    return add_load(world, rigid, (load){"force", .linear = force, .point = &point}, __func__);
}

sn_status sn_rigid_impulse_add(sn_world *world, sn_rigid rigid, sn_vec3 impulse)
{
    return add_load(world, rigid, (load){"impulse", .linear = impulse, .is_impulse = true}, __func__);
}

sn_status sn_rigid_impulse_add_at(sn_world *world, sn_rigid rigid, sn_vec3 impulse, sn_vec3 point)
{
    load load = {"impulse", .linear = impulse, .point = &point, .is_impulse = true};
    return add_load(world, rigid, load, __func__);
}

sn_status sn_rigid_angular_impulse_add(sn_world *world, sn_rigid rigid, sn_vec3 impulse)
{
    return add_load(world, rigid, (load){"angular impulse", .angular = impulse, .is_impulse = true},
                    __func__);
}

// Changing properties of rigid bodies: type, mass, damping, locks, sleep.
// Tested by tests/world/bodies/test_change.c.
#include "geometry/shapes/check.h"
#include "world/bodies/bodies.h"
#include "world/exact/exact_plan.h"

static sn_status check_mass(const sn_world *world, const sn_body *body, const sn_mass *mass)
{
    static const sn_field fields[] = {
        SN_MEMBER_FIELD(FLOAT, sn_mass, mass, SN_RANGE(SN_MIN_MASS, SN_MAX_MASS)),
        SN_MEMBER_FIELD(VEC3, sn_mass, center, .upper = SN_MAX_COORDINATE),
        SN_MEMBER_FIELD(VEC3, sn_mass, inertia.x, .upper = 1.0e25f),
        SN_MEMBER_FIELD(VEC3, sn_mass, inertia.y, .upper = 1.0e25f),
        SN_MEMBER_FIELD(VEC3, sn_mass, inertia.z, .upper = 1.0e25f),
        {0},
    };
    sn_label label = sn_body_label(world, sn_body_index(world, body));
    if (mass == NULL) {
        return sn_fail(world->error, SN_ERROR_NULL, "%s: mass is null", label.text);
    }
    sn_status status = sn_fields_check(fields, mass, world->error, label.text);
    if (status == SN_OK) {
        sn_mat3 axes;
        sn_vec3 eigen = sn_mat3_eigen(mass->inertia, &axes);
        if (!(eigen.x > 1.0e-6f * eigen.z && eigen.x > SN_MIN_INERTIA)) {
            return sn_fail(world->error, SN_ERROR_RANGE,
                           "%s: inertia has the eigenvalues %g, %g, %g, expected all > 0 (%g at least)",
                           label.text, (double)eigen.x, (double)eigen.y, (double)eigen.z,
                           (double)sn_max(SN_MIN_INERTIA, 1.0e-6f * eigen.z));
        }
    }
    return status;
}

sn_status sn_rigid_mass_set(sn_world *world, sn_rigid rigid, const sn_mass *mass)
{
    sn_body *body;
    sn_status status = sn_body_changeable(world, rigid, SN_TYPES_DYNAMIC, __func__, &body);
    status = status ? status : check_mass(world, body, mass);
    if (status != SN_OK) {
        return status;
    }
    sn_world_wake(world, sn_body_index(world, body));
    sn_pose pose = sn_body_pose(body);
    sn_vec3 old_center = body->center;
    body->mass_is_set = true;
    body->mass = mass->mass;
    body->local_center = mass->center;
    body->inertia = mass->inertia;
    sn_body_place(body, pose);
    // The material keeps its velocity: so the velocity is now that of the new mass centre.
    body->linear_velocity =
        sn_add(body->linear_velocity, sn_cross(body->angular_velocity, sn_sub(body->center, old_center)));
    sn_world_update_mass(world, sn_body_index(world, body));
    return SN_OK;
}

sn_status sn_rigid_mass_reset(sn_world *world, sn_rigid rigid)
{
    sn_body *body;
    sn_status status = sn_body_changeable(world, rigid, SN_TYPES_DYNAMIC, __func__, &body);
    if (status == SN_OK) {
        sn_world_wake(world, sn_body_index(world, body));
        body->mass_is_set = false;
        sn_world_update_mass(world, sn_body_index(world, body));
    }
    return status;
}

sn_status sn_rigid_damping_set(sn_world *world, sn_rigid rigid, float linear, float angular)
{
    sn_body *body;
    sn_status status = sn_body_changeable(world, rigid, SN_TYPES_ALL, __func__, &body);
    if (status != SN_OK) {
        return status;
    }
    static const sn_field fields[] = {
        SN_MEMBER_FIELD(FLOAT, sn_body, linear_damping, SN_DAMPING_RANGE),
        SN_MEMBER_FIELD(FLOAT, sn_body, angular_damping, SN_DAMPING_RANGE),
        {0},
    };
    sn_body changed = *body;
    changed.linear_damping = linear;
    changed.angular_damping = angular;
    sn_label label = sn_body_label(world, sn_body_index(world, body));
    status = sn_fields_check(fields, &changed, world->error, label.text);
    if (status == SN_OK) {
        *body = changed;
    }
    return status;
}

sn_status sn_rigid_gravity_scale_set(sn_world *world, sn_rigid rigid, float scale)
{
    static const sn_field field = SN_MEMBER_FIELD(FLOAT, sn_body, gravity_scale, SN_GRAVITY_SCALE_RANGE);
    return sn_body_set(world, rigid, SN_TYPES_ALL, &field, &scale, __func__);
}

sn_status sn_rigid_locks_set(sn_world *world, sn_rigid rigid, uint32_t locks)
{
    static const sn_field field = SN_MEMBER_FIELD(U32, sn_body, locks, SN_LOCKS_RANGE);
    return sn_body_set(world, rigid, SN_TYPES_ALL, &field, &locks, __func__);
}

sn_status sn_rigid_bullet_set(sn_world *world, sn_rigid rigid, bool bullet)
{
    sn_body *body;
    sn_status status = sn_body_changeable(world, rigid, SN_TYPES_ALL, __func__, &body);
    if (status == SN_OK) {
        body->bullet = bullet;
    }
    return status;
}

sn_status sn_rigid_allow_sleep_set(sn_world *world, sn_rigid rigid, bool allow)
{
    sn_body *body;
    sn_status status = sn_body_changeable(world, rigid, SN_TYPES_ALL, __func__, &body);
    if (status == SN_OK) {
        body->allow_sleep = allow;
        if (!allow) {
            sn_world_wake(world, sn_body_index(world, body));
        }
    }
    return status;
}

sn_status sn_rigid_user_set(sn_world *world, sn_rigid rigid, void *user)
{
    sn_body *body;
    sn_status status = sn_body_changeable(world, rigid, SN_TYPES_ALL, __func__, &body);
    if (status == SN_OK) {
        body->user = user;
    }
    return status;
}

sn_status sn_rigid_type_set(sn_world *world, sn_rigid rigid, sn_rigid_type type)
{
    sn_body *body;
    sn_status status = sn_body_changeable(world, rigid, SN_TYPES_ALL, __func__, &body);
    if (status != SN_OK) {
        return status;
    }
    int index = sn_body_index(world, body);
    sn_label label = sn_body_label(world, index);
    status = sn_check_rigid_type(type, world->error, label.text);
    if (status != SN_OK || body->type == type) {
        return status;
    }
    if (index == SN_GROUND) {
        return sn_fail(world->error, SN_ERROR_KIND, "rigid 'ground' is always static");
    }
    for (int i = body->first_shape; i >= 0; i = world->shapes.data[i].next) {
        sn_shape_type shape = world->shapes.data[i].type;
        if ((shape == SN_PLANE && type != SN_STATIC) || (shape == SN_SURFACE && type == SN_DYNAMIC)) {
            sn_label part = sn_shape_label(world, i);
            return sn_fail(world->error, SN_ERROR_KIND, "%s cannot be on a body of the new type %d",
                           part.text, (int)type);
        }
    }
    status = sn_world_check_shape_masses(world, body, type, NULL, -1, label.text);
    if (status != SN_OK) {
        return status;
    }
    if (!sn_world_change_tree(world, index, type)) {
        return sn_fail(world->error, SN_ERROR_MEMORY, "%s: out of memory", label.text);
    }
    sn_world_wake_neighbors(world, index);
    sn_world_wake(world, index);
    sn_world_contacts_remove(world, index, -1, -1);
    sn_world_unlist_body(world, index);
    body->type = type;
    world->active.holds_fresh = world->active.bounds_fresh = false;
    body->mass_is_set = body->has_target = false;
    body->linear_velocity = body->angular_velocity = body->force = body->torque = sn_v(0.0f, 0.0f, 0.0f);
    sn_world_update_mass(world, index);
    sn_world_forget_exact(world);
    sn_world_wake(world, index);
    return SN_OK;
}

sn_status sn_rigid_awake_set(sn_world *world, sn_rigid rigid, bool awake)
{
    sn_body *body;
    sn_status status = sn_body_changeable(world, rigid, SN_TYPES_ALL, __func__, &body);
    if (status != SN_OK) {
        return status;
    }
    int index = sn_body_index(world, body);
    if (awake) {
        sn_world_wake(world, index);
    } else if (sn_body_is_dynamic(body) && body->awake_index >= 0 &&
               !sn_world_sleep_island_of(world, index)) {
        sn_label label = sn_body_label(world, index);
        return sn_fail(world->error, SN_ERROR_MEMORY, "%s: out of memory", label.text);
    }
    return SN_OK;
}

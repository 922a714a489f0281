// Adding and removing rigid bodies.
// Tested by tests/world/bodies/test_bad_rigid.c.
#include "world/bodies/bodies.h"
#include "geometry/shapes/check.h"
#include "world/constraints/anchors.h"

#include <string.h>

sn_rigid_def sn_rigid_def_default(void)
{
    return (sn_rigid_def){.cookie = SN_COOKIE_RIGID,
                          .type = SN_DYNAMIC,
                          .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                          .gravity_scale = 1.0f,
                          .allow_sleep = true,
                          .awake = true};
}

sn_status sn_check_rigid_type(sn_rigid_type type, sn_error *error, const char *object)
{
    if (type != SN_STATIC && type != SN_KINEMATIC && type != SN_DYNAMIC) {
        return sn_fail(error, SN_ERROR_RANGE,
                       "%s: type is %d, expected SN_STATIC, SN_KINEMATIC or SN_DYNAMIC", object, (int)type);
    }
    return SN_OK;
}

#define DEF(TYPE, MEMBER, ...) SN_MEMBER_FIELD(TYPE, sn_rigid_def, MEMBER, __VA_ARGS__)

static const sn_field def_fields[] = {
    DEF(VEC3, position, .upper = SN_MAX_COORDINATE),
    DEF(QUAT, rotation, SN_CHECKED),
    DEF(VEC3, linear_velocity, .upper = SN_MAX_SPEED),
    DEF(VEC3, angular_velocity, .upper = SN_MAX_SPIN),
    DEF(FLOAT, linear_damping, SN_DAMPING_RANGE),
    DEF(FLOAT, angular_damping, SN_DAMPING_RANGE),
    DEF(FLOAT, gravity_scale, SN_GRAVITY_SCALE_RANGE),
    DEF(U32, locks, SN_LOCKS_RANGE),
    {0},
};

// Checks all but the name; normalises the rotation.
static sn_status check_def(const sn_rigid_def *def, sn_pose *pose, sn_error *error)
{
    if (def == NULL) {
        return sn_fail(error, SN_ERROR_NULL, "rigid: definition is null");
    }
    if (def->cookie != SN_COOKIE_RIGID) {
        return sn_fail(error, SN_ERROR_DEFINITION,
                       "rigid: definition does not come from sn_rigid_def_default");
    }
    sn_label label = sn_label_make("rigid", def->name, -1);
    *pose = (sn_pose){def->position, sn_quat_normalize(def->rotation)};
    sn_status status = sn_check_rigid_type(def->type, error, label.text);
    return status ? status : sn_fields_check(def_fields, def, error, label.text);
}

// 1 kg and the inertia of a ball of that mass and 1 m radius, for a dynamic body without shapes; nothing for
// others.
static void set_default_mass(sn_body *body)
{
    body->mass = body->type == SN_DYNAMIC ? 1.0f : 0.0f;
    body->inertia =
        body->type == SN_DYNAMIC ? sn_mat3_diagonal(0.4f, 0.4f, 0.4f) : sn_mat3_diagonal(0.0f, 0.0f, 0.0f);
}

sn_status sn_rigid_add(sn_world *world, const sn_rigid_def *def, sn_rigid *rigid)
{
    if (rigid != NULL) {
        *rigid = (sn_rigid){0};
    }
    sn_status status = sn_world_check_open(world, "sn_rigid_add");
    sn_pose pose;
    char text[SN_MAX_NAME + 1], *name = NULL;
    status = status ? status : check_def(def, &pose, world->error);
    status = status ? status : sn_name_copy(text, def->name, world->error, "rigid");
    if (status != SN_OK) {
        return status;
    }
    if (!sn_id_pool_reserve(&world->body_ids) || !sn_array_reserve(&world->bodies, world->bodies.count + 1) ||
        !sn_world_reserve_lists(world) || !sn_name_set(&name, text)) {
        return sn_fail(world->error, SN_ERROR_MEMORY, "rigid: out of memory");
    }
    int index = sn_id_pool_take(&world->body_ids);
    world->bodies.count = index >= world->bodies.count ? index + 1 : world->bodies.count;
    sn_body *body = &world->bodies.data[index];
    memset(body, 0, sizeof *body);
    body->type = def->type;
    body->linear_velocity = def->type == SN_STATIC ? sn_v(0.0f, 0.0f, 0.0f) : def->linear_velocity;
    body->angular_velocity = def->type == SN_STATIC ? sn_v(0.0f, 0.0f, 0.0f) : def->angular_velocity;
    body->linear_damping = def->linear_damping;
    body->angular_damping = def->angular_damping;
    body->gravity_scale = def->gravity_scale;
    body->locks = def->locks;
    body->allow_sleep = def->allow_sleep;
    body->bullet = def->bullet;
    body->is_new = true;
    body->user = def->user;
    body->name = name;
    body->target.rotation.w = 1.0f;
    body->first_shape = body->first_contact = body->first_constraint = -1;
    body->awake_index = body->island_next = -1;
    set_default_mass(body);
    sn_body_place(body, pose);
    if (def->awake || def->type != SN_DYNAMIC) {
        sn_world_wake(world, index);
    } else {
        body->island_next = index; // alone in its ring
        body->linear_velocity = body->angular_velocity = sn_v(0.0f, 0.0f, 0.0f);
    }
    if (rigid != NULL) {
        *rigid = sn_rigid_id(world, index);
    }
    return SN_OK;
}

// Wakes the sleeping island that a body is in before the body is removed.
static void leave_island(sn_world *world, int index)
{
    if (world->bodies.data[index].island_next >= 0) {
        sn_world_wake(world, index);
    }
}

sn_status sn_rigid_remove(sn_world *world, sn_rigid rigid)
{
    sn_status status = sn_world_check_open(world, "sn_rigid_remove");
    sn_body *body = status ? NULL : sn_world_body(world, rigid);
    if (body == NULL) {
        return status ? status : SN_ERROR_ID;
    }
    int index = sn_body_index(world, body);
    if (index == SN_GROUND) {
        return sn_fail(world->error, SN_ERROR_KIND, "rigid 'ground' cannot be removed");
    }
    sn_world_wake_neighbors(world, index);
    leave_island(world, index);
    sn_world_constraints_drop(world, index);
    sn_world_contacts_remove(world, index, -1, -1);
    while (body->first_shape >= 0) {
        sn_world_shape_drop(world, body->first_shape);
    }
    sn_world_unlist_body(world, index);
    sn_name_release(&body->name);
    sn_id_pool_give_back(&world->body_ids, index);
    return SN_OK;
}

// --- what the other files about bodies share -----------------------------------------------------

sn_status sn_body_changeable(sn_world *world, sn_rigid rigid, unsigned types, const char *function,
                             sn_body **body)
{
    sn_status status = sn_world_check_open(world, function);
    if (status != SN_OK) {
        return status;
    }
    *body = sn_world_body(world, rigid);
    if (*body == NULL) {
        return SN_ERROR_ID;
    }
    if (!(types >> (*body)->type & 1u)) {
        static const char *const names[] = {
            [SN_STATIC] = "static", [SN_KINEMATIC] = "kinematic", [SN_DYNAMIC] = "dynamic"};
        sn_label label = sn_body_label(world, sn_body_index(world, *body));
        return sn_fail(world->error, SN_ERROR_KIND, "%s: %s is %s and cannot do this", function, label.text,
                       names[(*body)->type]);
    }
    return SN_OK;
}

sn_status sn_body_check_vec3(const sn_world *world, const sn_body *body, sn_vec3 v, float limit,
                             const char *field)
{
    sn_label label = sn_body_label(world, sn_body_index(world, body));
    return sn_check_vec3(v, limit, world->error, label.text, field);
}

sn_status sn_body_set(sn_world *world, sn_rigid rigid, unsigned types, const sn_field *field,
                      const void *value, const char *function)
{
    sn_body *body;
    sn_status status = sn_body_changeable(world, rigid, types, function, &body);
    if (status != SN_OK) {
        return status;
    }
    int index = sn_body_index(world, body);
    sn_label label = sn_body_label(world, index);
    sn_body changed = *body;
    memcpy((char *)&changed + field->offset, value, sn_field_size(field->type));
    status = sn_field_check(field, &changed, world->error, label.text);
    if (status == SN_OK) {
        sn_world_wake_pushed(world, index);
        memcpy((char *)body + field->offset, value, sn_field_size(field->type));
    }
    return status;
}

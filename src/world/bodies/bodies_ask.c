// Questions about rigid bodies. An id that names none gives zeros and a message in the world's error.
// Tested by tests/world/bodies/test_change.c.
#include "world/core/world.h"

// A function that answers VALUE of `body`, or OTHERWISE for an id that names none.
#define ASK(TYPE, FUNCTION, VALUE, OTHERWISE)                                                                \
    TYPE FUNCTION(const sn_world *world, sn_rigid rigid)                                                     \
    {                                                                                                        \
        const sn_body *body = sn_world_body(world, rigid);                                                   \
        return body != NULL ? (VALUE) : (OTHERWISE);                                                         \
    }

ASK(sn_rigid_type, sn_rigid_get_type, body->type, SN_STATIC)
ASK(const char *, sn_rigid_name, body->name != NULL ? body->name : "", "")
ASK(sn_pose, sn_rigid_pose, sn_body_pose(body), (sn_pose){0})
ASK(sn_vec3, sn_rigid_position, sn_body_pose(body).position, (sn_vec3){0})
ASK(sn_quat, sn_rigid_rotation, body->rotation, (sn_quat){0})
ASK(sn_vec3, sn_rigid_center, body->center, (sn_vec3){0})
ASK(sn_vec3, sn_rigid_linear_velocity, body->linear_velocity, (sn_vec3){0})
ASK(sn_vec3, sn_rigid_angular_velocity, body->angular_velocity, (sn_vec3){0})
ASK(sn_mass, sn_rigid_mass, ((sn_mass){body->mass, body->local_center, body->inertia}), (sn_mass){0})
ASK(bool, sn_rigid_mass_is_set, body->mass_is_set, false)
ASK(bool, sn_rigid_is_awake, body->awake_index >= 0, false)
ASK(bool, sn_rigid_is_supported, body->is_supported, false)
ASK(bool, sn_rigid_is_frozen, body->frozen, false)
ASK(void *, sn_rigid_user, body->user, NULL)

sn_vec3 sn_rigid_point_velocity(const sn_world *world, sn_rigid rigid, sn_vec3 point)
{
    const sn_body *body = sn_world_body(world, rigid);
    if (body == NULL) {
        return (sn_vec3){0};
    }
    return sn_add(body->linear_velocity, sn_cross(body->angular_velocity, sn_sub(point, body->center)));
}

sn_rigid_def sn_rigid_definition(const sn_world *world, sn_rigid rigid)
{
    const sn_body *body = sn_world_body(world, rigid);
    if (body == NULL) {
        return (sn_rigid_def){0};
    }
    sn_rigid_def def = sn_rigid_def_default();
    sn_pose pose = sn_body_pose(body);
    def.type = body->type;
    def.position = pose.position;
    def.rotation = pose.rotation;
    // A body begins without shapes, its mass centre at its origin: so the velocity is that of the origin.
    def.linear_velocity = sn_rigid_point_velocity(world, rigid, pose.position);
    def.angular_velocity = body->angular_velocity;
    def.linear_damping = body->linear_damping;
    def.angular_damping = body->angular_damping;
    def.gravity_scale = body->gravity_scale;
    def.locks = body->locks;
    def.allow_sleep = body->allow_sleep;
    def.awake = body->island_next < 0;
    def.bullet = body->bullet;
    def.name = body->name;
    def.user = body->user;
    return def;
}

int sn_rigid_shapes(const sn_world *world, sn_rigid rigid, sn_shape *out, int capacity)
{
    const sn_body *body = sn_world_body(world, rigid);
    int count = 0;
    for (int i = body ? body->first_shape : -1; i >= 0; i = world->shapes.data[i].next) {
        if (out != NULL && count < capacity) {
            out[count] = sn_shape_id(world, i);
        }
        ++count;
    }
    return count;
}

int sn_rigid_constraints(const sn_world *world, sn_rigid rigid, sn_constraint *out, int capacity)
{
    const sn_body *body = sn_world_body(world, rigid);
    int count = 0;
    for (int edge = body ? body->first_constraint : -1; edge >= 0; edge = sn_next_constraint(world, edge)) {
        ++count;
    }
    // The list grows at its head; counting down restores the order of adding.
    int place = count;
    for (int edge = body ? body->first_constraint : -1; edge >= 0; edge = sn_next_constraint(world, edge)) {
        if (out != NULL && --place < capacity) {
            out[place] = sn_constraint_id(world, edge >> 1);
        }
    }
    return count;
}

sn_bounds sn_rigid_bounds(const sn_world *world, sn_rigid rigid)
{
    const sn_body *body = sn_world_body(world, rigid);
    sn_bounds bounds = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    for (int i = body ? body->first_shape : -1; i >= 0; i = world->shapes.data[i].next) {
        sn_bounds one = sn_shape_compute_bounds(&world->shapes.data[i], sn_body_pose(body));
        bounds = i == body->first_shape ? one : sn_bounds_union(bounds, one);
    }
    return bounds;
}

// --- contacts of a body --------------------------------------------------------------------------

// Patches of contacts, as a list that is told to a user.
typedef struct contact_list {
    sn_contact *out;
    int capacity, count;
} contact_list;

// In place: lists of thousands are asked for in every step.
static void tell_patch(sn_vec3 center, const sn_patch *patch, sn_contact *told)
{
    told->normal = patch->normal;
    told->friction_impulse = patch->total_friction;
    told->count = patch->count;
    for (int i = 0; i < patch->count; ++i) {
        const sn_patch_point *point = &patch->points[i];
        sn_contact_point *at = &told->points[i];
        at->position = sn_add(center, point->arm_a);
        at->separation = point->separation;
        at->normal_impulse = point->total_normal;
        at->feature = point->feature;
    }
}

static void tell_contact(const sn_world *world, int index, contact_list *list)
{
    const sn_contact_data *contact = &world->contacts.data[index];
    int room = list->out != NULL ? list->capacity - list->count : 0;
    if (contact->patches.count > 0 && room > 0) {
        sn_shape a = sn_shape_id(world, contact->shape_a), b = sn_shape_id(world, contact->shape_b);
        sn_vec3 center = world->bodies.data[contact->body_a].center;
        for (int k = 0; k < contact->patches.count && k < room; ++k) {
            sn_contact *told = &list->out[list->count + k];
            told->a = a;
            told->b = b;
            tell_patch(center, &contact->patches.data[k], told);
        }
    }
    list->count += contact->patches.count;
}

int sn_rigid_contacts(const sn_world *world, sn_rigid rigid, sn_contact *out, int capacity)
{
    const sn_body *body = sn_world_body(world, rigid);
    contact_list list = {.out = out, .capacity = capacity};
    for (int edge = body ? body->first_contact : -1; edge >= 0;
         edge = world->contacts.data[edge >> 1].next[edge & 1]) {
        tell_contact(world, edge >> 1, &list);
    }
    return list.count;
}

int sn_world_contacts(const sn_world *world, sn_contact *out, int capacity)
{
    contact_list list = {.out = out, .capacity = capacity};
    for (int i = 0; world != NULL && i < world->contacts.count; ++i) {
        if (sn_id_pool_in_use(&world->contact_ids, i)) {
            tell_contact(world, i, &list);
        }
    }
    return list.count;
}

sn_vec3 sn_rigid_contact_force(const sn_world *world, sn_rigid rigid)
{
    const sn_body *body = sn_world_body(world, rigid);
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int edge = body ? body->first_contact : -1; edge >= 0;
         edge = world->contacts.data[edge >> 1].next[edge & 1]) {
        const sn_contact_data *contact = &world->contacts.data[edge >> 1];
        float sign = edge & 1 ? 1.0f : -1.0f; // impulses are those on b
        for (int k = 0; k < contact->patches.count; ++k) {
            const sn_patch *patch = &contact->patches.data[k];
            for (int i = 0; i < patch->count; ++i) {
                sum = sn_add_scaled(sum, sign * patch->points[i].total_normal, patch->normal);
            }
            sum = sn_add_scaled(sum, sign, patch->total_friction);
        }
    }
    if (body != NULL) {
        sum = sn_add(sum, sn_soft_impulse_on(world, (int)(body - world->bodies.data)));
    }
    return world != NULL && world->last_duration > 0.0f ? sn_scale(sum, 1.0f / world->last_duration) : sum;
}

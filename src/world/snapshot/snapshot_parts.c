// The world's settings and clock, ids, bodies, shapes and contacts in a snapshot. What follows from other
// fields is not saved: links back, places in lists, a contact's bodies, convex views of shapes, user
// pointers.
#include "world/snapshot/snapshot_parts.h"
#include "base/bit_set.h"
#include "geometry/shapes/check.h"

// --- world ---------------------------------------------------------------------------------------

#define WORLD(TYPE, MEMBER, ...) SN_MEMBER_FIELD(TYPE, sn_world, MEMBER, __VA_ARGS__)

static const sn_field clock_fields[] = {
    WORLD(U64, step_count, SN_ANY),
    WORLD(DOUBLE, time, SN_RANGE(0.0f, FLT_MAX)),
    WORLD(FLOAT, last_duration, SN_RANGE(0.0f, 1.0f)),
    WORLD(INT, frozen_count, SN_RANGE(0.0f, FLT_MAX)),
    WORLD(INT, frozen_node_count, SN_RANGE(0.0f, FLT_MAX)),
    {0},
};

void sn_archive_world(sn_archive *archive)
{
    sn_world *world = archive->world;
    sn_archive_fields(archive, sn_world_def_fields, &world->def, "world", -1);
    if (archive->stream.mode != SN_STREAM_HASH) {
        sn_stream_integers(&archive->stream, &world->tag, sizeof world->tag, 1);
        sn_archive_require(archive, world->tag != 0, "world", -1, "its tag is 0");
    }
    sn_archive_fields(archive, clock_fields, world, "world", -1);
}

// --- ids -----------------------------------------------------------------------------------------

static bool is_reusable(const sn_id_pool *pool, int index)
{
    return index >= 0 && index < pool->generation.count && pool->generation.data[index] % 2 == 0 &&
           pool->generation.data[index] != 0;
}

// The free list holds exactly the indices with an even generation, each once. Generation 0 is that of an
// index that is not handed out any more.
static void check_id_pool(sn_stream *stream, const sn_id_pool *pool, const char *what)
{
    sn_bit_set met = {0};
    if (!sn_bit_set_clear(&met, pool->generation.count)) {
        sn_stream_fail(stream, SN_ERROR_MEMORY, "no memory to check %s", what);
    }
    for (int i = 0; stream->status == SN_OK && i < pool->free_list.count; ++i) {
        int index = pool->free_list.data[i];
        if (!is_reusable(pool, index) || sn_bit_set_has(&met, index)) {
            sn_stream_fail(stream, SN_ERROR_FORMAT, "%s: free index %d is %d, expected one that is free",
                           what, i, index);
            break;
        }
        sn_bit_set_add(&met, index);
    }
    sn_bit_set_release(&met);
    int reusable = 0;
    for (int i = 0; i < pool->generation.count; ++i) {
        reusable += is_reusable(pool, i);
    }
    if (reusable != pool->free_list.count) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, "%s: %d are free, but %d are listed as free", what, reusable,
                       pool->free_list.count);
    }
}

void sn_archive_id_pool(sn_archive *archive, sn_id_pool *pool, const char *what)
{
    sn_stream *stream = &archive->stream;
    int count = pool->generation.count, free_count = pool->free_list.count;
    sn_stream_count(stream, &count, sizeof(uint16_t), what);
    // The free list has room for every index: giving one back must not need memory.
    if (sn_stream_reads(stream) &&
        (!sn_array_resize(&pool->generation, count) || !sn_array_reserve(&pool->free_list, count))) {
        sn_stream_fail(stream, SN_ERROR_MEMORY, "no memory for %d %s", count, what);
        return;
    }
    sn_stream_integers(stream, pool->generation.data, sizeof(uint16_t), (size_t)count);
    sn_stream_count(stream, &free_count, sizeof(int), what);
    if (free_count > count) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, "%d of %d %s are free", free_count, count, what);
        return;
    }
    if (sn_stream_reads(stream)) {
        pool->free_list.count = free_count;
    }
    sn_stream_integers(stream, pool->free_list.data, sizeof(int), (size_t)free_count);
    if (sn_archive_has_read(archive)) {
        for (int i = 0; i < count; ++i) {
            pool->used += pool->generation.data[i] & 1;
        }
        check_id_pool(stream, pool, what);
    }
}

// --- bodies --------------------------------------------------------------------------------------

#define BODY(TYPE, MEMBER, ...) SN_MEMBER_FIELD(TYPE, sn_body, MEMBER, __VA_ARGS__)
#define POOL(MEMBER)            .pool = offsetof(sn_world, MEMBER)

static const sn_field body_fields[] = {
    BODY(ENUM, type, SN_RANGE(0.0f, SN_DYNAMIC)),
    BODY(VEC3, center, SN_FINITE),
    BODY(QUAT, rotation, SN_CHECKED),
    BODY(VEC3, linear_velocity, SN_FINITE),
    BODY(VEC3, angular_velocity, SN_FINITE),
    BODY(VEC3, force, SN_FINITE),
    BODY(VEC3, torque, SN_FINITE),
    BODY(POSE, target, SN_CHECKED),
    BODY(FLOAT, mass, SN_FINITE),
    BODY(VEC3, local_center, SN_FINITE),
    BODY(VEC3, inertia, SN_FINITE, .count = 3),
    BODY(BOOL, mass_is_set, SN_ANY),
    BODY(FLOAT, linear_damping, SN_DAMPING_RANGE),
    BODY(FLOAT, angular_damping, SN_DAMPING_RANGE),
    BODY(FLOAT, gravity_scale, SN_GRAVITY_SCALE_RANGE),
    BODY(U32, locks, SN_LOCKS_RANGE),
    BODY(BOOL, allow_sleep, SN_ANY),
    BODY(BOOL, bullet, SN_ANY),
    BODY(BOOL, has_target, SN_ANY),
    BODY(BOOL, frozen, SN_ANY),
    BODY(BOOL, is_new, SN_ANY),
    BODY(BOOL, is_supported, SN_ANY),
    BODY(BOOL, releases, SN_ANY),
    BODY(FLOAT, still_time, SN_RANGE(0.0f, FLT_MAX)),
    BODY(NAME, name, SN_ANY),
    BODY(FLOAT, outer_radius, SN_RANGE(0.0f, FLT_MAX)),
    BODY(FLOAT, inner_radius, SN_RANGE(0.0f, FLT_MAX)),
    BODY(INDEX, first_shape, POOL(shape_ids), .may_be_none = true),
    BODY(EDGE, first_contact, POOL(contact_ids)),
    BODY(EDGE, first_constraint, POOL(constraint_ids)),
    BODY(MEMBER, island_next, SN_ANY),
    BODY(FLOAT, rest_time, SN_RANGE(0.0f, FLT_MAX)),
    {0},
};

static const sn_field acceleration_fields[] = {
    BODY(VEC3, linear_acceleration, SN_FINITE), BODY(VEC3, angular_acceleration, SN_FINITE), {0}};

#define SHARE(TYPE, MEMBER, ...) SN_MEMBER_FIELD(TYPE, sn_energy_share, MEMBER, __VA_ARGS__)

// No part of the hash: it is about motion to come, and motion has its own.
void sn_archive_energy(sn_archive *archive, sn_energy_share *share, const char *what, int index)
{
    static const sn_field fields[] = {
        SHARE(FLOAT, stored, SN_FINITE),
        SHARE(FLOAT, peak, SN_RANGE(0.0f, FLT_MAX)),
        SHARE(BOOL, is_known, SN_ANY),
        SHARE(BOOL, is_held_anew, SN_ANY),
        {0},
    };
    if (archive->stream.mode != SN_STREAM_HASH) {
        sn_archive_fields(archive, fields, share, what, index);
    }
}

// Sums over shapes may be a little beyond the limits by rounding.
static bool has_possible_mass(const sn_body *body)
{
    return body->type == SN_DYNAMIC ? body->mass >= 0.99f * SN_MIN_MASS && body->mass <= 1.01f * SN_MAX_MASS
                                    : body->mass == 0.0f;
}

void sn_archive_body(sn_archive *archive, int index)
{
    const char *what = "rigid";
    sn_body *body = &archive->world->bodies.data[index];
    sn_archive_fields(archive, body_fields, body, what, index);
    if (archive->world->def.position.newmark) {
        sn_archive_fields(archive, acceleration_fields, body, what, index);
    }
    sn_archive_energy(archive, &body->energy, what, index);
    if (sn_archive_has_read(archive)) {
        body->awake_index = -1;
        sn_archive_require(archive, index != SN_GROUND || body->type == SN_STATIC, what, index,
                           "the ground is not static");
        sn_archive_require(archive, has_possible_mass(body), what, index,
                           "its mass is not one that a body of its type can have");
        sn_archive_require(archive, !body->has_target || body->type == SN_KINEMATIC, what, index,
                           "it has a target and is not kinematic");
        sn_archive_require(archive, body->island_next < 0 || sn_body_is_dynamic(body), what, index,
                           "it sleeps and is not dynamic");
    }
}

// --- shapes --------------------------------------------------------------------------------------

#define SHAPE(TYPE, MEMBER, ...) SN_MEMBER_FIELD(TYPE, sn_shape_data, MEMBER, __VA_ARGS__)

static const sn_field shape_fields[] = {
    SHAPE(ENUM, type, SN_RANGE(0.0f, SN_COMPOUND)),
    SHAPE(INDEX, body, POOL(body_ids)),
    SHAPE(INDEX, next, POOL(shape_ids), .may_be_none = true),
    SHAPE(POSE, offset, SN_CHECKED),
    SHAPE(FLOAT, density, SN_DENSITY_RANGE),
    SHAPE(FLOAT, friction, SN_FRICTION_RANGE),
    SHAPE(FLOAT, restitution, SN_RESTITUTION_RANGE),
    SHAPE(FLOAT, rolling_resistance, SN_ROLLING_RANGE),
    SHAPE(U64, filter.category, SN_ANY),
    SHAPE(U64, filter.mask, SN_ANY),
    SHAPE(INT, filter.group, SN_ANY),
    SHAPE(BOOL, contact_events, SN_ANY),
    SHAPE(BOOL, hit_events, SN_ANY),
    SHAPE(BOOL, sensor, SN_ANY),
    SHAPE(VEC3, surface_velocity, .upper = SN_MAX_SPEED),
    {0},
};
static const sn_field shape_bounds_fields[] = {
    SHAPE(BOUNDS, bounds, SN_CHECKED),
    SHAPE(BOUNDS, fat, SN_CHECKED),
    {0},
};

void sn_archive_shape(sn_archive *archive, int index)
{
    const char *what = "shape";
    const sn_world *world = archive->world;
    sn_shape_data *shape = &world->shapes.data[index];
    sn_archive_fields(archive, shape_fields, shape, what, index);
    sn_archive_geometry(archive, shape->type, &shape->sphere, what, index);
    sn_archive_fields(archive, shape_bounds_fields, shape, what, index);
    if (sn_archive_has_read(archive)) {
        sn_rigid_type owner = world->bodies.data[shape->body].type;
        sn_archive_require(archive, shape->type != SN_PLANE || owner == SN_STATIC, what, index,
                           "it is a plane on a body that is not static");
        sn_archive_require(archive, shape->type != SN_SURFACE || owner != SN_DYNAMIC, what, index,
                           "it is a surface on a dynamic body");
        sn_shape_store(shape);
    }
}

// --- contacts ------------------------------------------------------------------------------------

#define POINT(TYPE, MEMBER, ...)   SN_MEMBER_FIELD(TYPE, sn_patch_point, MEMBER, __VA_ARGS__)
#define PATCH(TYPE, MEMBER, ...)   SN_MEMBER_FIELD(TYPE, sn_patch, MEMBER, __VA_ARGS__)
#define CONTACT(TYPE, MEMBER, ...) SN_MEMBER_FIELD(TYPE, sn_contact_data, MEMBER, __VA_ARGS__)

static const sn_field point_fields[] = {
    POINT(VEC3, arm_a, SN_FINITE),
    POINT(VEC3, arm_b, SN_FINITE),
    POINT(FLOAT, separation, SN_FINITE),
    POINT(U32, feature, SN_ANY),
    POINT(FLOAT, normal_impulse, SN_FINITE),
    POINT(FLOAT, total_normal, SN_FINITE),
    POINT(FLOAT, approach_speed, SN_FINITE),
    POINT(FLOAT, reference, SN_FINITE),
    {0},
};
static const sn_field patch_fields[] = {
    PATCH(DIRECTION, normal, SN_RANGE(0.0f, 1.0f + SN_ROTATION_TOLERANCE)),
    PATCH(U32, part_a, SN_ANY),
    PATCH(U32, part_b, SN_ANY),
    PATCH(VEC3, friction_impulse, SN_FINITE),
    PATCH(VEC3, rolling_impulse, SN_FINITE),
    PATCH(FLOAT, twist_impulse, SN_FINITE),
    PATCH(VEC3, total_friction, SN_FINITE),
    PATCH(INT, count, SN_RANGE(0.0f, SN_MANIFOLD_POINTS)),
    {0},
};
static const sn_field contact_fields[] = {
    CONTACT(INDEX, shape_a, POOL(shape_ids)),
    CONTACT(INDEX, shape_b, POOL(shape_ids)),
    CONTACT(EDGE, next, POOL(contact_ids), .count = 2),
    CONTACT(BOOL, touching, SN_ANY),
    CONTACT(BOOL, separated, SN_ANY),
    CONTACT(BOOL, is_ignored, SN_ANY),
    CONTACT(BOOL, is_sensor, SN_ANY),
    CONTACT(BOOL, is_overlap, SN_ANY),
    CONTACT(BOOL, has_surface_velocity, SN_ANY),
    CONTACT(FLOAT, sub_step, SN_RANGE(0.0f, 1.0f)),
    CONTACT(FLOAT, friction, SN_FRICTION_RANGE),
    CONTACT(FLOAT, restitution, SN_RESTITUTION_RANGE),
    CONTACT(FLOAT, rolling_resistance, SN_ROLLING_RANGE),
    {0},
};

static bool has_part(const sn_shape_data *shape, uint32_t part)
{
    return part < (shape->type == SN_COMPOUND ? (uint32_t)shape->compound->part_count : 1u);
}

static void archive_patches(sn_archive *archive, sn_contact_data *contact, int index)
{
    sn_stream *stream = &archive->stream;
    const size_t smallest_patch = 64; // one without points
    int count = contact->patches.count;
    sn_stream_count(stream, &count, smallest_patch, "contact patches");
    sn_archive_require(archive, count <= SN_MAX_PATCHES, "contact", index, "it has too many patches");
    if (sn_archive_has_read(archive)) {
        if (!sn_patch_pool_grow(&archive->world->patch_pool, &contact->patches, count)) {
            sn_stream_fail(stream, SN_ERROR_MEMORY, "no memory for %d contact patches", count);
            return;
        }
        contact->patches.count = count;
    }
    for (int i = 0; stream->status == SN_OK && i < count; ++i) {
        sn_patch *patch = &contact->patches.data[i];
        sn_archive_fields(archive, patch_fields, patch, "contact", index);
        sn_archive_array(archive, point_fields, patch->points, sizeof *patch->points, patch->count,
                         "contact point");
    }
}

static void check_contact(sn_archive *archive, const sn_contact_data *contact, int index)
{
    const char *what = "contact";
    const sn_shape_data *a = &archive->world->shapes.data[contact->shape_a];
    const sn_shape_data *b = &archive->world->shapes.data[contact->shape_b];
    sn_archive_require(archive, contact->body_a != contact->body_b, what, index,
                       "both its shapes are of the same body");
    sn_archive_require(archive, sn_contact_in_order(a, contact->shape_a, b, contact->shape_b), what, index,
                       "its shapes are exchanged");
    sn_archive_require(archive, contact->is_sensor == (a->sensor || b->sensor), what, index,
                       "its shapes disagree on whether it is a sensor's");
    sn_archive_require(archive, !(contact->is_sensor || contact->is_ignored) || contact->patches.count == 0,
                       what, index, "it has patches though its shapes may not touch");
    for (int k = 0; k < contact->patches.count; ++k) {
        const sn_patch *patch = &contact->patches.data[k];
        sn_archive_require(archive, has_part(a, patch->part_a) && has_part(b, patch->part_b), what, index,
                           "it is of a part that does not exist");
    }
}

void sn_archive_contact(sn_archive *archive, int index)
{
    const sn_world *world = archive->world;
    sn_contact_data *contact = &world->contacts.data[index];
    sn_archive_fields(archive, contact_fields, contact, "contact", index);
    archive_patches(archive, contact, index);
    if (sn_archive_has_read(archive)) {
        contact->active_index = -1;
        contact->body_a = world->shapes.data[contact->shape_a].body;
        contact->body_b = world->shapes.data[contact->shape_b].body;
        check_contact(archive, contact, index);
    }
}

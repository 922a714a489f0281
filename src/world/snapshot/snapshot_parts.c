// The fields of a world's parts, one function a struct. What can be told from other fields is not saved: back
// links, places in lists, a contact's bodies, views of convex shapes, user pointers.
#include "world/snapshot/snapshot_parts.h"
#include "world/snapshot/snapshot_check.h"

#include <string.h>

// --- references ----------------------------------------------------------------------------------

void sn_archive_index(sn_stream *stream, int *index, const sn_id_pool *pool, bool may_be_none,
                      const char *what)
{
    size_t at = stream->at;
    sn_stream_int(stream, index);
    if (sn_stream_reads(stream) && !sn_id_pool_in_use(pool, *index) && !(may_be_none && *index == -1)) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, at, "%s is %d, expected one that exists", what, *index);
        *index = -1;
    }
}

void sn_archive_island_next(sn_archive *archive, int *member)
{
    const sn_world *world = archive->world;
    sn_stream *stream = &archive->stream;
    size_t at = stream->at;
    sn_stream_int(stream, member);
    bool is_soft = *member >= 0 && (*member & SN_SOFT_MEMBER);
    bool exists = is_soft ? sn_id_pool_in_use(&world->deformable_ids, *member & ~SN_SOFT_MEMBER)
                          : sn_id_pool_in_use(&world->body_ids, *member);
    if (sn_stream_reads(stream) && *member != -1 && !exists) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, at,
                       "the next member of an island is %d, expected one that exists", *member);
        *member = -1;
    }
}

void sn_archive_edge(sn_stream *stream, int *edge, const sn_id_pool *pool, const char *what)
{
    size_t at = stream->at;
    sn_stream_int(stream, edge);
    if (sn_stream_reads(stream) && *edge != -1 && (*edge < 0 || !sn_id_pool_in_use(pool, *edge >> 1))) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, at, "%s is %d, expected one that exists", what, *edge);
        *edge = -1;
    }
}

// --- names ---------------------------------------------------------------------------------------

void sn_archive_name(sn_stream *stream, char **name)
{
    char text[SN_MAX_NAME + 1] = {0};
    size_t at = stream->at;
    if (!sn_stream_reads(stream) && *name != NULL) {
        memcpy(text, *name, strlen(*name));
    }
    sn_stream_name(stream, text);
    if (sn_stream_reads(stream) && !sn_name_set(name, text)) {
        sn_stream_fail(stream, SN_ERROR_MEMORY, at, "no memory for a name");
    }
}

// --- world ---------------------------------------------------------------------------------------

static void stream_solver(sn_stream *stream, sn_world_def *def)
{
    sn_stream_enum(stream, &def->solver, SN_SOLVER_STAGGERED + 1, "the solver");
    sn_stream_int(stream, &def->staggered.rigid_iterations);
    sn_stream_int(stream, &def->staggered.node_iterations);
    sn_stream_float(stream, &def->staggered.correction);
    sn_stream_float(stream, &def->staggered.warm_start);
    sn_stream_bool(stream, &def->staggered.dummy_nodes);
}

void sn_archive_settings(sn_archive *archive)
{
    sn_stream *stream = &archive->stream;
    size_t at = stream->at;
    sn_world_def def = archive->world->def;
    sn_stream_vec3(stream, &def.gravity);
    sn_stream_vec3(stream, &def.wind);
    sn_stream_int(stream, &def.sub_steps);
    sn_stream_bool(stream, &def.sleep);
    sn_stream_bool(stream, &def.continuous);
    sn_stream_float(stream, &def.contact_stiffness);
    sn_stream_float(stream, &def.contact_damping);
    sn_stream_float(stream, &def.constraint_stiffness);
    sn_stream_float(stream, &def.constraint_damping);
    sn_stream_float(stream, &def.push_speed);
    sn_stream_float(stream, &def.restitution_threshold);
    sn_stream_float(stream, &def.hit_threshold);
    sn_stream_float(stream, &def.speculative_margin);
    sn_stream_float(stream, &def.sleep_speed);
    sn_stream_float(stream, &def.sleep_time);
    stream_solver(stream, &def);
    // The world being read is still empty, so that this checks and sets, and wakes nobody.
    if (sn_stream_reads(stream) && stream->status == SN_OK &&
        sn_world_settings_set(archive->world, &def) != SN_OK) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, at, "%s", sn_world_error(archive->world));
    }
}

void sn_archive_clock(sn_archive *archive)
{
    sn_stream *stream = &archive->stream;
    sn_world *world = archive->world;
    size_t at = stream->at;
    if (stream->mode != SN_STREAM_HASH) {
        sn_stream_u16(stream, &world->tag);
    }
    sn_stream_u64(stream, &world->step_count);
    sn_stream_double(stream, &world->time);
    sn_stream_float(stream, &world->last_duration);
    sn_stream_int(stream, &world->frozen_count);
    sn_stream_int(stream, &world->frozen_node_count);
    bool sound = world->tag != 0 && world->time >= 0.0 && world->time - world->time == 0.0 &&
                 world->last_duration >= 0.0f && world->last_duration <= 1.0f && world->frozen_count >= 0 &&
                 world->frozen_node_count >= 0;
    if (sn_stream_reads(stream) && !sound) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, at, "the world's id or time is none it can have");
    }
}

void sn_archive_id_pool(sn_archive *archive, sn_id_pool *pool, const char *what)
{
    sn_stream *stream = &archive->stream;
    size_t at = stream->at;
    int count = pool->generation.count, free_count = pool->free_list.count;
    sn_stream_count(stream, &count, sizeof(uint16_t), what);
    // The free list has room for every index: giving one back must not need memory.
    if (sn_stream_reads(stream) &&
        (!sn_array_resize(&pool->generation, count) || !sn_array_reserve(&pool->free_list, count))) {
        sn_stream_fail(stream, SN_ERROR_MEMORY, at, "no memory for %d %s", count, what);
    }
    for (int i = 0; stream->status == SN_OK && i < count; ++i) {
        sn_stream_u16(stream, &pool->generation.data[i]);
    }
    sn_stream_count(stream, &free_count, sizeof(uint32_t), what);
    if (sn_stream_reads(stream)) {
        if (free_count > count) {
            sn_stream_fail(stream, SN_ERROR_FORMAT, at, "%d of %d %s are free", free_count, count, what);
            return;
        }
        pool->free_list.count = free_count;
    }
    for (int i = 0; stream->status == SN_OK && i < free_count; ++i) {
        sn_stream_int(stream, &pool->free_list.data[i]);
    }
    if (sn_stream_reads(stream)) {
        for (int i = 0; i < pool->generation.count; ++i) {
            pool->used += pool->generation.data[i] & 1;
        }
        sn_check_saved_id_pool(stream, at, pool, what);
    }
}

// --- bodies --------------------------------------------------------------------------------------

_Static_assert(sizeof(sn_rigid_type) == sizeof(uint32_t) && sizeof(sn_shape_type) == sizeof(uint32_t) &&
                   sizeof(sn_constraint_kind) == sizeof(uint32_t),
               "enumerations are streamed as 32 bits");

static void archive_body_lists(sn_archive *archive, sn_body *body)
{
    sn_stream *stream = &archive->stream;
    const sn_world *world = archive->world;
    sn_archive_index(stream, &body->first_shape, &world->shape_ids, true, "a body's first shape");
    sn_archive_edge(stream, &body->first_contact, &world->contact_ids, "a body's first contact");
    sn_archive_edge(stream, &body->first_constraint, &world->constraint_ids, "a body's first constraint");
    sn_archive_island_next(archive, &body->island_next);
    sn_stream_float(stream, &body->rest_time);
    if (sn_stream_reads(stream)) {
        body->awake_index = -1;
    }
}

void sn_archive_body(sn_archive *archive, int index)
{
    sn_stream *stream = &archive->stream;
    sn_body *body = &archive->world->bodies.data[index];
    size_t at = stream->at;
    sn_stream_enum(stream, &body->type, SN_DYNAMIC + 1, "a body's type");
    sn_stream_vec3(stream, &body->center);
    sn_stream_quat(stream, &body->rotation);
    sn_stream_vec3(stream, &body->linear_velocity);
    sn_stream_vec3(stream, &body->angular_velocity);
    sn_stream_vec3(stream, &body->force);
    sn_stream_vec3(stream, &body->torque);
    sn_stream_pose(stream, &body->target);
    sn_stream_float(stream, &body->mass);
    sn_stream_vec3(stream, &body->local_center);
    sn_stream_mat3(stream, &body->inertia);
    sn_stream_bool(stream, &body->mass_is_set);
    sn_stream_float(stream, &body->linear_damping);
    sn_stream_float(stream, &body->angular_damping);
    sn_stream_float(stream, &body->gravity_scale);
    sn_stream_u32(stream, &body->locks);
    sn_stream_bool(stream, &body->allow_sleep);
    sn_stream_bool(stream, &body->bullet);
    sn_stream_bool(stream, &body->has_target);
    sn_stream_bool(stream, &body->frozen);
    sn_archive_name(stream, &body->name);
    sn_stream_float(stream, &body->outer_radius);
    sn_stream_float(stream, &body->inner_radius);
    archive_body_lists(archive, body);
    if (sn_stream_reads(stream)) {
        sn_check_saved_body(stream, at, archive->world, index);
    }
}

// --- shapes --------------------------------------------------------------------------------------

static void archive_shared_geometry(sn_archive *archive, sn_shape_data *shape)
{
    const void *object = shape->type == SN_HULL      ? (const void *)shape->hull
                         : shape->type == SN_SURFACE ? (const void *)shape->surface
                                                     : (const void *)shape->compound;
    sn_shared_type type = shape->type == SN_HULL      ? SN_SHARED_HULL
                          : shape->type == SN_SURFACE ? SN_SHARED_SURFACE
                                                      : SN_SHARED_COMPOUND;
    object = sn_archive_shared(archive, type, object);
    if (!sn_stream_reads(&archive->stream) || object == NULL) {
        return;
    }
    if (shape->type == SN_HULL) {
        shape->hull = object;
    } else if (shape->type == SN_SURFACE) {
        shape->surface = object;
    } else {
        shape->compound = object;
    }
    sn_shape_retain_geometry(shape);
}

// The member of the union that the type says.
static void archive_shape_geometry(sn_archive *archive, sn_shape_data *shape)
{
    sn_stream *stream = &archive->stream;
    switch (shape->type) {
    case SN_SPHERE:
        sn_archive_sphere(stream, &shape->sphere);
        break;
    case SN_CAPSULE:
        sn_archive_capsule(stream, &shape->capsule);
        break;
    case SN_BOX:
        sn_stream_vec3(stream, &shape->box.half_extents);
        break;
    case SN_PLANE:
        sn_stream_vec3(stream, &shape->plane.normal);
        sn_stream_float(stream, &shape->plane.offset);
        break;
    default:
        archive_shared_geometry(archive, shape);
        break;
    }
}

void sn_archive_shape(sn_archive *archive, int index)
{
    sn_stream *stream = &archive->stream;
    const sn_world *world = archive->world;
    sn_shape_data *shape = &world->shapes.data[index];
    size_t at = stream->at;
    sn_stream_enum(stream, &shape->type, SN_COMPOUND + 1, "a shape's type");
    sn_archive_index(stream, &shape->body, &world->body_ids, false, "a shape's body");
    sn_archive_index(stream, &shape->next, &world->shape_ids, true, "a body's next shape");
    sn_stream_pose(stream, &shape->offset);
    sn_stream_float(stream, &shape->density);
    sn_stream_float(stream, &shape->friction);
    sn_stream_float(stream, &shape->restitution);
    sn_stream_float(stream, &shape->rolling_resistance);
    sn_stream_u64(stream, &shape->filter.category);
    sn_stream_u64(stream, &shape->filter.mask);
    sn_stream_int(stream, &shape->filter.group);
    sn_stream_bool(stream, &shape->contact_events);
    sn_stream_bool(stream, &shape->hit_events);
    sn_stream_bool(stream, &shape->sensor);
    sn_stream_vec3(stream, &shape->surface_velocity);
    archive_shape_geometry(archive, shape);
    sn_stream_bounds(stream, &shape->bounds);
    sn_stream_bounds(stream, &shape->fat);
    if (sn_stream_reads(stream) && stream->status == SN_OK) {
        sn_check_saved_shape(stream, at, world, index);
        sn_shape_store(shape);
    }
}

// --- contacts ------------------------------------------------------------------------------------

static void archive_point(sn_stream *stream, sn_patch_point *point)
{
    sn_stream_vec3(stream, &point->arm_a);
    sn_stream_vec3(stream, &point->arm_b);
    sn_stream_float(stream, &point->separation);
    sn_stream_u32(stream, &point->feature);
    sn_stream_float(stream, &point->normal_impulse);
    sn_stream_float(stream, &point->total_normal);
    sn_stream_float(stream, &point->approach_speed);
}

static void archive_patch(sn_stream *stream, sn_patch *patch)
{
    size_t at = stream->at;
    sn_stream_vec3(stream, &patch->normal);
    sn_stream_u32(stream, &patch->part_a);
    sn_stream_u32(stream, &patch->part_b);
    sn_stream_vec3(stream, &patch->friction_impulse);
    sn_stream_vec3(stream, &patch->rolling_impulse);
    sn_stream_float(stream, &patch->twist_impulse);
    sn_stream_vec3(stream, &patch->total_friction);
    sn_stream_int(stream, &patch->count);
    if (sn_stream_reads(stream) && (patch->count < 0 || patch->count > SN_MANIFOLD_POINTS)) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, at, "a contact patch has %d points, expected 0 to %d",
                       patch->count, SN_MANIFOLD_POINTS);
        patch->count = 0;
    }
    for (int i = 0; i < patch->count; ++i) {
        archive_point(stream, &patch->points[i]);
    }
}

static void archive_patches(sn_archive *archive, sn_contact_data *contact)
{
    sn_stream *stream = &archive->stream;
    const size_t smallest_patch = 64; // one without points
    size_t at = stream->at;
    int count = contact->patches.count;
    sn_stream_count(stream, &count, smallest_patch, "contact patches");
    if (sn_stream_reads(stream)) {
        if (count > SN_MAX_PATCHES) {
            sn_stream_fail(stream, SN_ERROR_FORMAT, at, "a contact has %d patches, expected at most %d",
                           count, SN_MAX_PATCHES);
        } else if (!sn_patch_pool_grow(&archive->world->patch_pool, &contact->patches, count)) {
            sn_stream_fail(stream, SN_ERROR_MEMORY, at, "no memory for %d contact patches", count);
        } else {
            contact->patches.count = count;
        }
    }
    for (int i = 0; stream->status == SN_OK && i < count; ++i) {
        archive_patch(stream, &contact->patches.data[i]);
    }
}

void sn_archive_contact(sn_archive *archive, int index)
{
    sn_stream *stream = &archive->stream;
    const sn_world *world = archive->world;
    sn_contact_data *contact = &world->contacts.data[index];
    size_t at = stream->at;
    sn_archive_index(stream, &contact->shape_a, &world->shape_ids, false, "a contact's shape");
    sn_archive_index(stream, &contact->shape_b, &world->shape_ids, false, "a contact's shape");
    sn_archive_edge(stream, &contact->next[0], &world->contact_ids, "a body's next contact");
    sn_archive_edge(stream, &contact->next[1], &world->contact_ids, "a body's next contact");
    sn_stream_bool(stream, &contact->touching);
    sn_stream_bool(stream, &contact->separated);
    sn_stream_bool(stream, &contact->is_ignored);
    sn_stream_bool(stream, &contact->is_sensor);
    sn_stream_bool(stream, &contact->is_overlap);
    sn_stream_bool(stream, &contact->has_surface_velocity);
    sn_stream_float(stream, &contact->sub_step);
    sn_stream_float(stream, &contact->friction);
    sn_stream_float(stream, &contact->restitution);
    sn_stream_float(stream, &contact->rolling_resistance);
    archive_patches(archive, contact);
    if (sn_stream_reads(stream) && stream->status == SN_OK) {
        contact->active_index = -1;
        contact->body_a = world->shapes.data[contact->shape_a].body;
        contact->body_b = world->shapes.data[contact->shape_b].body;
        sn_check_saved_contact(stream, at, world, index);
    }
}

// Constraints in a snapshot: definitions with their ends, places in the graph, what the last step left.
#include "world/exact/exact_plan.h"
#include "world/snapshot/snapshot_check.h"
#include "world/snapshot/snapshot_parts.h"

#include <string.h>

_Static_assert(sizeof(sn_point_type) == sizeof(uint32_t) && sizeof(sn_constraint_kind) == sizeof(uint32_t),
               "enumerations are streamed as 32 bits");

// The parts of a point that its type has; the others are zero. Where one on a surface is, its foot tells.
static void archive_point(sn_archive *archive, sn_point *point)
{
    sn_stream *stream = &archive->stream;
    const sn_world *world = archive->world;
    int body = (int)point->rigid.index - 1, deformable = (int)point->deformable.index - 1;
    sn_stream_enum(stream, &point->type, SN_POINT_SURFACE + 1, "a point's type");
    bool is_soft = point->type == SN_POINT_NODES || point->type == SN_POINT_SURFACE;
    if (!is_soft) {
        sn_stream_vec3(stream, &point->position);
    }
    if (point->type == SN_POINT_RIGID) {
        sn_archive_index(stream, &body, &world->body_ids, false, "a point's body");
    }
    if (is_soft) {
        sn_archive_index(stream, &deformable, &world->deformable_ids, false, "a point's deformable");
    }
    if (point->type == SN_POINT_NODES) {
        sn_stream_int(stream, &point->node_count);
        for (int i = 0; i < 4 && i < point->node_count; ++i) {
            sn_stream_int(stream, &point->nodes[i]);
            sn_stream_float(stream, &point->weights[i]);
        }
        sn_stream_bool(stream, &point->has_frame);
    }
    sn_stream_quat(stream, &point->rotation);
    if (sn_stream_reads(stream) && stream->status == SN_OK) {
        point->rigid = point->type == SN_POINT_RIGID ? sn_rigid_id(world, body) : (sn_rigid){0};
        point->deformable = is_soft ? sn_deformable_id(world, deformable) : (sn_deformable){0};
    }
}

static void archive_common(sn_archive *archive, sn_constraint_common *common)
{
    sn_stream *stream = &archive->stream;
    archive_point(archive, &common->a);
    archive_point(archive, &common->b);
    sn_stream_float(stream, &common->compliance);
    sn_stream_float(stream, &common->angular_compliance);
    sn_stream_float(stream, &common->damping);
    sn_stream_float(stream, &common->angular_damping);
    sn_stream_float(stream, &common->max_force);
    sn_stream_float(stream, &common->break_force);
    sn_stream_float(stream, &common->break_torque);
    sn_stream_bool(stream, &common->collide_connected);
    sn_stream_bool(stream, &common->active);
    sn_stream_float(stream, &common->active_from);
    sn_stream_float(stream, &common->active_until);
    sn_stream_bool(stream, &common->exact);
    sn_stream_int(stream, &common->ramp_steps);
    sn_stream_float(stream, &common->sliding_friction);
}

// The fields that are the kind's own.
static void archive_fields(sn_stream *stream, const sn_kind *kind, sn_definition *definition)
{
    for (int i = 0; i < kind->field_count; ++i) {
        void *value = (char *)definition + kind->fields[i].offset;
        switch (kind->fields[i].type) {
        case SN_CONSTRAINT_FIELD_BOOL:
            sn_stream_bool(stream, value);
            break;
        case SN_CONSTRAINT_FIELD_FLOAT:
            sn_stream_float(stream, value);
            break;
        case SN_CONSTRAINT_FIELD_VEC3:
            sn_stream_vec3(stream, value);
            break;
        case SN_CONSTRAINT_FIELD_QUAT:
            sn_stream_quat(stream, value);
            break;
        }
    }
}

// The kind the restoring world has under that name, if its data are of that size; −1 and failure otherwise.
static int find_custom_kind(sn_archive *archive, size_t at, const sn_custom_kind *saved)
{
    sn_stream *stream = &archive->stream;
    const sn_world *world = archive->world;
    for (int i = 0; stream->status == SN_OK && i < world->custom_kinds.count; ++i) {
        const sn_custom_kind *kind = &world->custom_kinds.data[i];
        if (strcmp(kind->name, saved->name) != 0) {
            continue;
        }
        if (kind->data_size != saved->data_size) {
            sn_stream_fail(stream, SN_ERROR_NAME, at,
                           "custom kind '%s' has %d bytes of data here, but %d in the snapshot", kind->name,
                           kind->data_size, saved->data_size);
            return -1;
        }
        return i;
    }
    sn_stream_fail(stream, SN_ERROR_NAME, at, "custom kind '%s' is not registered in this world",
                   saved->name);
    return -1;
}

// Kinds of the user's own go by name, so that the order of registration does not matter.
static void archive_custom(sn_archive *archive, sn_constraint_data *constraint)
{
    sn_stream *stream = &archive->stream;
    size_t at = stream->at;
    sn_custom_kind kind = {.data_size = 0};
    if (!sn_stream_reads(stream)) {
        kind = archive->world->custom_kinds.data[constraint->custom_kind];
    }
    sn_stream_name(stream, kind.name);
    sn_stream_int(stream, &kind.data_size);
    if (sn_stream_reads(stream)) {
        constraint->custom_kind = find_custom_kind(archive, at, &kind);
        kind.data_size = constraint->custom_kind < 0 ? 0 : kind.data_size;
    }
    sn_stream_bytes(stream, constraint->custom_data, (size_t)kind.data_size);
}

static void archive_definition(sn_archive *archive, sn_constraint_data *constraint)
{
    archive_common(archive, &constraint->definition.common);
    if (constraint->kind == SN_CUSTOM) {
        archive_custom(archive, constraint);
    } else if (archive->stream.status == SN_OK) {
        archive_fields(&archive->stream, sn_kinds[constraint->kind], &constraint->definition);
    }
}

static void archive_link(sn_archive *archive, int index)
{
    sn_stream *stream = &archive->stream;
    sn_world *world = archive->world;
    sn_constraint_link *link = &world->constraint_links.data[index];
    sn_archive_edge(stream, &link->next[0], &world->constraint_ids, "the next constraint of a member");
    sn_archive_edge(stream, &link->next[1], &world->constraint_ids, "the next constraint of a member");
    sn_stream_bool(stream, &link->is_on);
    if (sn_stream_reads(stream) && stream->status == SN_OK) {
        const sn_constraint_common *common = &world->constraints.data[index].definition.common;
        link->member[0] = sn_point_member(&common->a);
        link->member[1] = sn_point_member(&common->b);
        link->active_index = link->previous[0] = link->previous[1] = -1;
        sn_world_note_constraint(world, index);
    }
}

static void archive_closest_point(sn_stream *stream, sn_closest_point *closest)
{
    sn_stream_int(stream, &closest->piece);
    for (int i = 0; i < 3; ++i) {
        sn_stream_float(stream, &closest->weights[i]);
    }
}

// What an end slides along is made again, and its point told where the foot is.
static void restore_closest_point(sn_archive *archive, size_t at, int index)
{
    sn_world *world = archive->world;
    sn_constraint_data *data = &world->constraints.data[index];
    const sn_constraint_common *common = &data->definition.common;
    int end = sn_anchor_sliding_end(common);
    if (end < 0 || archive->stream.status != SN_OK) {
        return;
    }
    if (!sn_anchor_make_slide(world, end == 0 ? &common->a : &common->b)) {
        sn_stream_fail(&archive->stream, SN_ERROR_MEMORY, at, "no memory for a surface to slide along");
    } else if (!sn_anchor_closest_point_is_sound(world, data)) {
        sn_stream_fail(&archive->stream, SN_ERROR_FORMAT, at, "constraint %d: its foot is not on the surface",
                       index);
    } else {
        sn_anchor_tell_closest_point(world, data);
    }
}

void sn_archive_constraint(sn_archive *archive, int index)
{
    sn_stream *stream = &archive->stream;
    const sn_world *world = archive->world;
    sn_constraint_data *constraint = &world->constraints.data[index];
    size_t at = stream->at;
    sn_stream_enum(stream, &constraint->kind, SN_CONSTRAINT_KIND_COUNT, "a constraint's kind");
    if (sn_stream_reads(stream)) {
        constraint->custom_kind = -1;
    }
    archive_definition(archive, constraint);
    archive_link(archive, index);
    sn_archive_name(stream, &constraint->name);
    for (int i = 0; i < SN_MAX_ROWS; ++i) {
        sn_stream_float(stream, &constraint->impulses[i]);
    }
    sn_archive_sub_step(stream, &constraint->sub_step);
    sn_stream_vec3(stream, &world->constraint_forces.data[index]);
    sn_stream_vec3(stream, &constraint->torque);
    sn_stream_vec3(stream, &constraint->nail);
    sn_stream_int(stream, &constraint->ramp_done);
    if (sn_anchor_sliding_end(&constraint->definition.common) >= 0) {
        archive_closest_point(stream, &constraint->closest);
    }
    if (sn_stream_reads(stream) && stream->status == SN_OK) {
        constraint->definition.common.cookie = sn_kinds[constraint->kind]->cookie;
        sn_check_saved_constraint(stream, at, world, index);
        restore_closest_point(archive, at, index);
    }
}

// Constraints in a snapshot: definitions with their ends, places in the graph, and the state that the last
// step left.
// Tested by tests/world/snapshot/test_snapshot_parts.c.
#include "geometry/shapes/check.h"
#include "world/exact/exact_plan.h"
#include "world/snapshot/snapshot_parts.h"

#include <string.h>

// --- definitions ---------------------------------------------------------------------------------

#define POINT(TYPE, MEMBER, ...)  SN_MEMBER_FIELD(TYPE, sn_point, MEMBER, __VA_ARGS__)
#define COMMON(TYPE, MEMBER, ...) SN_MEMBER_FIELD(TYPE, sn_constraint_common, MEMBER, __VA_ARGS__)

static const sn_field point_type_fields[] = {
    POINT(ENUM, type, SN_RANGE(0.0f, SN_POINT_SURFACE)),
    {0},
};
// Checked by sn_common_check, with the rest of the definition.
static const sn_field common_fields[] = {
    COMMON(FLOAT, compliance, SN_ANY),
    COMMON(FLOAT, angular_compliance, SN_ANY),
    COMMON(FLOAT, damping, SN_ANY),
    COMMON(FLOAT, angular_damping, SN_ANY),
    COMMON(FLOAT, max_force, SN_ANY),
    COMMON(FLOAT, break_force, SN_ANY),
    COMMON(FLOAT, break_torque, SN_ANY),
    COMMON(BOOL, collide_connected, SN_ANY),
    COMMON(BOOL, active, SN_ANY),
    COMMON(FLOAT, active_from, SN_ANY),
    COMMON(FLOAT, active_until, SN_ANY),
    COMMON(BOOL, exact, SN_ANY),
    COMMON(INT, ramp_steps, SN_ANY),
    COMMON(FLOAT, sliding_friction, SN_ANY),
    {0},
};

// The parts of a point that its type has; the others are zero. The position of one on a surface follows from
// the closest point.
static void archive_point(sn_archive *archive, sn_point *point)
{
    sn_stream *stream = &archive->stream;
    const sn_world *world = archive->world;
    int body = (int)point->rigid.index - 1, deformable = (int)point->deformable.index - 1;
    sn_archive_fields(archive, point_type_fields, point, "end of a constraint", -1);
    bool is_soft = point->type == SN_POINT_NODES || point->type == SN_POINT_SURFACE;
    if (!is_soft) {
        sn_stream_vec3(stream, &point->position);
    }
    if (point->type == SN_POINT_RIGID) {
        sn_archive_index(archive, &body, offsetof(sn_world, body_ids), "body of a constraint");
    }
    if (is_soft) {
        sn_archive_index(archive, &deformable, offsetof(sn_world, deformable_ids),
                         "deformable of a constraint");
    }
    if (point->type == SN_POINT_NODES) {
        sn_stream_int(stream, &point->node_count);
        for (int i = 0; i < 4 && i < point->node_count; ++i) {
            sn_stream_int(stream, &point->nodes[i]);
            sn_stream_float(stream, &point->weights[i]);
        }
        sn_stream_bool(stream, &point->has_frame, "whether a point has a frame");
    }
    sn_stream_floats(stream, (float *)&point->rotation, 4);
    if (sn_archive_has_read(archive)) {
        point->rigid = point->type == SN_POINT_RIGID ? sn_rigid_id(world, body) : (sn_rigid){0};
        point->deformable = is_soft ? sn_deformable_id(world, deformable) : (sn_deformable){0};
    }
}

// The fields that are the kind's own, from the table that says how they are checked.
static void archive_own_fields(sn_archive *archive, const sn_kind *kind, sn_definition *definition)
{
    static const sn_field_type types[] = {[SN_CONSTRAINT_FIELD_BOOL] = SN_FIELD_BOOL,
                                          [SN_CONSTRAINT_FIELD_FLOAT] = SN_FIELD_FLOAT,
                                          [SN_CONSTRAINT_FIELD_VEC3] = SN_FIELD_VEC3,
                                          [SN_CONSTRAINT_FIELD_QUAT] = SN_FIELD_QUAT};
    for (int i = 0; i < kind->field_count; ++i) {
        const sn_constraint_field *own = &kind->fields[i];
        const sn_field fields[] = {
            {.name = own->name, .type = types[own->type], .offset = own->offset},
            {0},
        };
        sn_archive_fields(archive, fields, definition, kind->name, -1);
    }
}

// The kind the restoring world has under that name, if its data are of that size; −1 and failure otherwise.
static int find_custom_kind(sn_archive *archive, const sn_custom_kind *saved)
{
    sn_stream *stream = &archive->stream;
    const sn_world *world = archive->world;
    for (int i = 0; stream->status == SN_OK && i < world->custom_kinds.count; ++i) {
        const sn_custom_kind *kind = &world->custom_kinds.data[i];
        if (strcmp(kind->name, saved->name) != 0) {
            continue;
        }
        if (kind->data_size != saved->data_size) {
            sn_stream_fail(stream, SN_ERROR_NAME,
                           "custom kind '%s' has %d bytes of data here, but %d in the snapshot", kind->name,
                           kind->data_size, saved->data_size);
            return -1;
        }
        return i;
    }
    sn_stream_fail(stream, SN_ERROR_NAME, "custom kind '%s' is not registered in this world", saved->name);
    return -1;
}

// Kinds of the user's own go by name, so that the order of registration does not matter.
static void archive_custom(sn_archive *archive, sn_constraint_data *constraint)
{
    sn_stream *stream = &archive->stream;
    sn_custom_kind kind = {.data_size = 0};
    if (!sn_stream_reads(stream)) {
        kind = archive->world->custom_kinds.data[constraint->custom_kind];
    }
    sn_stream_name(stream, kind.name);
    sn_stream_int(stream, &kind.data_size);
    if (sn_stream_reads(stream)) {
        constraint->custom_kind = find_custom_kind(archive, &kind);
        kind.data_size = constraint->custom_kind < 0 ? 0 : kind.data_size;
    }
    sn_stream_bytes(stream, constraint->custom_data, (size_t)kind.data_size);
}

static void archive_definition(sn_archive *archive, sn_constraint_data *constraint)
{
    sn_constraint_common *common = &constraint->definition.common;
    archive_point(archive, &common->a);
    archive_point(archive, &common->b);
    sn_archive_fields(archive, common_fields, common, "constraint", -1);
    if (constraint->kind == SN_CUSTOM) {
        archive_custom(archive, constraint);
    } else if (archive->stream.status == SN_OK) {
        archive_own_fields(archive, sn_kinds[constraint->kind], &constraint->definition);
    }
}

// On a copy: the checks make rotations exactly of unit length, and custom kinds want to see their name.
static void check_definition(sn_archive *archive, const sn_constraint_data *constraint, int index)
{
    const sn_world *world = archive->world;
    sn_definition definition = constraint->definition;
    sn_label label = sn_label_make("constraint", NULL, index);
    sn_error *error = world->error;
    if (constraint->kind == SN_CUSTOM) {
        definition.custom.kind_name = world->custom_kinds.data[constraint->custom_kind].name;
    }
    sn_status status = sn_constraint_check_ends(world, constraint->kind, &definition, label.text);
    status = status ? status : sn_common_check(&definition.common, error, label.text);
    status =
        status ? status : sn_definition_check(sn_kinds[constraint->kind], &definition, error, label.text);
    if (status != SN_OK) {
        sn_stream_fail(&archive->stream, SN_ERROR_FORMAT, "%s", error->text);
    }
    sn_archive_require(archive, constraint->ramp_done <= definition.common.ramp_steps, "constraint", index,
                       "more steps of its ramp are done than it has");
}

// --- graph ---------------------------------------------------------------------------------------

static const sn_field link_fields[] = {
    SN_MEMBER_FIELD(EDGE, sn_constraint_link, next, .pool = offsetof(sn_world, constraint_ids), .count = 2),
    SN_MEMBER_FIELD(BOOL, sn_constraint_link, is_on, SN_ANY),
    {0},
};

static void archive_link(sn_archive *archive, int index)
{
    sn_world *world = archive->world;
    sn_constraint_link *link = &world->constraint_links.data[index];
    sn_archive_fields(archive, link_fields, link, "constraint", index);
    if (sn_archive_has_read(archive)) {
        const sn_constraint_common *common = &world->constraints.data[index].definition.common;
        link->member[0] = sn_point_member(&common->a);
        link->member[1] = sn_point_member(&common->b);
        link->active_index = link->previous[0] = link->previous[1] = -1;
        sn_world_note_constraint(world, index);
    }
}

// Makes the surface that an end slides along again, and tells the end's point where the closest point is.
static void restore_closest_point(sn_archive *archive, int index)
{
    sn_world *world = archive->world;
    sn_constraint_data *data = &world->constraints.data[index];
    const sn_constraint_common *common = &data->definition.common;
    int end = sn_anchor_sliding_end(common);
    if (end < 0 || archive->stream.status != SN_OK) {
        return;
    }
    if (!sn_anchor_make_slide(world, end == 0 ? &common->a : &common->b)) {
        sn_stream_fail(&archive->stream, SN_ERROR_MEMORY, "no memory for a surface to slide along");
        return;
    }
    sn_archive_require(archive, sn_anchor_closest_point_is_sound(world, data), "constraint", index,
                       "its closest point is not on the surface");
    if (archive->stream.status == SN_OK) {
        sn_anchor_tell_closest_point(world, data);
    }
}

// --- constraints ---------------------------------------------------------------------------------

#define CONSTRAINT(TYPE, MEMBER, ...) SN_MEMBER_FIELD(TYPE, sn_constraint_data, MEMBER, __VA_ARGS__)

static const sn_field kind_fields[] = {
    CONSTRAINT(ENUM, kind, SN_RANGE(0.0f, SN_CONSTRAINT_KIND_COUNT - 1)),
    {0},
};
static const sn_field warm_start_fields[] = {
    CONSTRAINT(NAME, name, SN_ANY),
    CONSTRAINT(FLOAT, impulses, SN_FINITE, .count = SN_MAX_ROWS),
    CONSTRAINT(FLOAT, references, SN_FINITE, .count = SN_MAX_ROWS),
    CONSTRAINT(FLOAT, sub_step, SN_RANGE(0.0f, 1.0f)),
    {0},
};
static const sn_field state_fields[] = {
    CONSTRAINT(VEC3, torque, SN_ANY),
    CONSTRAINT(VEC3, nail, .upper = SN_MAX_COORDINATE),
    CONSTRAINT(INT, ramp_done, SN_RANGE(0.0f, FLT_MAX)),
    {0},
};
// No part of the hash, as energies are.
static const sn_field hold_fields[] = {
    CONSTRAINT(BOOL, yields, SN_ANY),
    {0},
};
static const sn_field closest_point_fields[] = {
    CONSTRAINT(INT, closest.piece, SN_ANY),
    CONSTRAINT(FLOAT, closest.weights, SN_ANY, .count = 3),
    {0},
};

void sn_archive_constraint(sn_archive *archive, int index)
{
    const char *what = "constraint";
    const sn_world *world = archive->world;
    sn_constraint_data *constraint = &world->constraints.data[index];
    sn_archive_fields(archive, kind_fields, constraint, what, index);
    if (sn_archive_reads(archive)) {
        constraint->custom_kind = -1;
    }
    archive_definition(archive, constraint);
    archive_link(archive, index);
    sn_archive_fields(archive, warm_start_fields, constraint, what, index);
    sn_stream_vec3(&archive->stream, &world->constraint_forces.data[index]);
    sn_archive_fields(archive, state_fields, constraint, what, index);
    if (archive->stream.mode != SN_STREAM_HASH) {
        sn_archive_fields(archive, hold_fields, constraint, what, index);
    }
    if (sn_anchor_sliding_end(&constraint->definition.common) >= 0) {
        sn_archive_fields(archive, closest_point_fields, constraint, what, index);
    }
    if (sn_archive_has_read(archive)) {
        constraint->definition.common.cookie = sn_kinds[constraint->kind]->cookie;
        check_definition(archive, constraint, index);
        restore_closest_point(archive, index);
    }
}

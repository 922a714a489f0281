// Structs in a snapshot by tables of their fields (world/core/fields.h): each value is written, hashed, or
// read and checked. A value that is refused becomes zero, a reference −1, so that nothing wrong is ever used.
// Tested by tests/world/snapshot/test_snapshot_parts.c.
#include "world/snapshot/snapshot_parts.h"

#include <string.h>

_Static_assert(sizeof(sn_rigid_type) == sizeof(int) && sizeof(sn_mat3) == 3 * sizeof(sn_vec3) &&
                   sizeof(sn_pose) == 7 * sizeof(float) && sizeof(sn_bounds) == 6 * sizeof(float),
               "enumerations are streamed as ints, compound values as floats");

void sn_archive_name(sn_stream *stream, char **name)
{
    char text[SN_MAX_NAME + 1] = {0};
    if (!sn_stream_reads(stream) && *name != NULL) {
        memcpy(text, *name, strlen(*name));
    }
    sn_stream_name(stream, text);
    if (sn_stream_reads(stream) && !sn_name_set(name, text)) {
        sn_stream_fail(stream, SN_ERROR_MEMORY, "no memory for a name");
    }
}

static void archive_value(sn_stream *stream, const sn_field *field, void *value, size_t count)
{
    size_t size = sn_field_size(field->type);
    switch (field->type) {
    case SN_FIELD_BOOL:
        sn_stream_bool(stream, value, field->name);
        break;
    case SN_FIELD_NAME:
        sn_archive_name(stream, value);
        break;
    case SN_FIELD_DOUBLE:
        sn_stream_double(stream, value);
        break;
    case SN_FIELD_FLOAT:
    case SN_FIELD_STRENGTH:
    case SN_FIELD_VEC3:
    case SN_FIELD_DIRECTION:
    case SN_FIELD_QUAT:
    case SN_FIELD_POSE:
    case SN_FIELD_BOUNDS:
        sn_stream_floats(stream, value, count * size / sizeof(float));
        break;
    default:
        sn_stream_integers(stream, value, size, count);
        break;
    }
}

// --- references ----------------------------------------------------------------------------------

static bool member_exists(const sn_world *world, int member)
{
    return sn_member_is_soft(member) ? sn_id_pool_in_use(&world->deformable_ids, member & ~SN_SOFT_MEMBER)
                                     : sn_id_pool_in_use(&world->body_ids, member);
}

static bool reference_exists(const sn_world *world, const sn_field *field, int number)
{
    const sn_id_pool *pool = (const sn_id_pool *)(const void *)((const char *)world + field->pool);
    switch (field->type) {
    case SN_FIELD_EDGE:
        return number == -1 || (number >= 0 && sn_id_pool_in_use(pool, number >> 1));
    case SN_FIELD_MEMBER:
        return number == -1 || member_exists(world, number);
    default:
        return (number == -1 && field->may_be_none) || sn_id_pool_in_use(pool, number);
    }
}

static void check_references(sn_archive *archive, const sn_field *field, int *numbers, size_t count,
                             const char *what, int index)
{
    for (size_t i = 0; i < count; ++i) {
        if (!reference_exists(archive->world, field, numbers[i])) {
            sn_label label = sn_label_make(what, NULL, index);
            sn_stream_fail(&archive->stream, SN_ERROR_FORMAT, "%s: %s is %d, expected one that exists",
                           label.text, field->name, numbers[i]);
            numbers[i] = -1;
        }
    }
}

void sn_archive_index(sn_archive *archive, int *index, size_t pool, const char *what)
{
    sn_field field = {.type = SN_FIELD_INDEX, .name = "index", .pool = pool};
    sn_stream_int(&archive->stream, index);
    if (sn_stream_reads(&archive->stream)) {
        check_references(archive, &field, index, 1, what, -1);
    }
}

// --- fields --------------------------------------------------------------------------------------

static void archive_field(sn_archive *archive, const sn_field *field, void *data, const char *what, int index)
{
    sn_stream *stream = &archive->stream;
    void *value = (char *)data + field->offset;
    size_t count = field->count > 0 ? (size_t)field->count : 1;
    archive_value(stream, field, value, count);
    if (!sn_stream_reads(stream)) {
        return;
    }
    if (field->type >= SN_FIELD_INDEX) {
        check_references(archive, field, value, count, what, index);
        return;
    }
    sn_error why;
    if (sn_field_check(field, data, &why, what) != SN_OK) {
        sn_label label = sn_label_make(what, NULL, index);
        (void)sn_field_check(field, data, &why, label.text); // now with the object's number
        sn_stream_fail(stream, SN_ERROR_FORMAT, "%s", why.text);
        memset(value, 0, count * sn_field_size(field->type));
    }
}

void sn_archive_fields(sn_archive *archive, const sn_field *fields, void *data, const char *what, int index)
{
    for (const sn_field *field = fields; field->name != NULL; ++field) {
        archive_field(archive, field, data, what, index);
    }
}

void sn_archive_array(sn_archive *archive, const sn_field *fields, void *items, size_t item_size, int count,
                      const char *what)
{
    for (int i = 0; archive->stream.status == SN_OK && i < count; ++i) {
        sn_archive_fields(archive, fields, (char *)items + (size_t)i * item_size, what, i);
    }
}

void sn_archive_require(sn_archive *archive, bool holds, const char *what, int index, const char *why)
{
    if (!holds && sn_archive_has_read(archive)) {
        sn_label label = sn_label_make(what, NULL, index);
        sn_stream_fail(&archive->stream, SN_ERROR_FORMAT, "%s: %s", label.text, why);
    }
}

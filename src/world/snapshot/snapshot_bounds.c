// Bounds of bodies in a snapshot: which there are, and their impulses. Tested by tests/world/snapshot.
#include "world/constraints/body_bounds.h"
#include "world/snapshot/snapshot_parts.h"

#define BOUND(TYPE, MEMBER, ...) SN_MEMBER_FIELD(TYPE, sn_body_bound, MEMBER, __VA_ARGS__)

static const sn_field fields[] = {
    BOUND(INT, group, SN_ANY),
    BOUND(INT, body, SN_ANY),
    BOUND(INT, end, SN_ANY),
    BOUND(INT, parent, SN_ANY),
    BOUND(INT, until, SN_ANY),
    BOUND(INT, source, SN_ANY),
    BOUND(INT, source_node, SN_ANY),
    BOUND(BOOL, has_row, SN_ANY),
    BOUND(BOOL, is_extra, SN_ANY),
    BOUND(BOOL, is_lower, SN_ANY),
    BOUND(FLOAT, length, SN_RANGE(0.0f, FLT_MAX)),
    BOUND(FLOAT, impulses, SN_FINITE),
    BOUND(FLOAT, sub_step, SN_RANGE(0.0f, 1.0f)),
    BOUND(VEC3, force, .upper = FLT_MAX),
    {0},
};

static bool is_end(const sn_world *world, int end)
{
    return end >= 0 && sn_id_pool_in_use(&world->constraint_ids, end >> 1);
}

// Whether a step could use it as it is.
static bool is_sound(const sn_world *world, const sn_body_bound *bound)
{
    if (!is_end(world, bound->end) || !sn_id_pool_in_use(&world->body_ids, bound->body) ||
        world->constraint_links.data[bound->end >> 1].member[bound->end & 1] != bound->body) {
        return false;
    }
    return bound->source < 0
               ? bound->source_node > 0 && bound->source_node < world->nodes.states.count
               : is_end(world, bound->source) &&
                     !sn_member_is_soft(
                         world->constraint_links.data[bound->source >> 1].member[bound->source & 1]);
}

// The list is used as it is if nothing changed since it was made, and for the impulses in it otherwise.
void sn_archive_bounds(sn_archive *archive)
{
    sn_world *world = archive->world;
    sn_stream *stream = &archive->stream;
    const size_t smallest = 40;
    int count = world->body_bounds.count;
    sn_stream_bool(stream, &world->active.bounds_fresh, "whether bounds of bodies are up to date");
    sn_stream_int(stream, &count);
    if (sn_stream_reads(stream)) {
        world->active.unions_fresh = false;
        bool possible = count >= 0 && (stream->size - stream->at) / smallest >= (size_t)count;
        sn_archive_require(archive, possible, "bounds of bodies", -1, "the bytes end before them");
        if (possible && !sn_array_resize(&world->body_bounds, count)) {
            sn_stream_fail(stream, SN_ERROR_MEMORY, "no memory for %d bounds of bodies", count);
        }
    }
    for (int i = 0; stream->status == SN_OK && i < count; ++i) {
        sn_body_bound *bound = &world->body_bounds.data[i];
        sn_archive_fields(archive, fields, bound, "bound of a body", i);
        bool is_whole = bound->parent >= (bound->is_extra ? 0 : -1) && bound->parent < count &&
                        bound->until >= -1 && bound->until < count && bound->body >= 0 &&
                        bound->body < world->bodies.count;
        sn_archive_require(archive, is_whole, "bound of a body", i, "its body or parent does not exist");
        sn_archive_require(archive, !world->active.bounds_fresh || is_sound(world, bound), "bound of a body",
                           i, "it refers to things that do not exist");
    }
}

// The complete world as bytes, and its hash. A snapshot is a head (magic number, version, size, checksum) and
// the parts of the world in the order of archive_all. Reading fills a second world, and only when that is
// complete and valid do the two swap their contents: a failure leaves everything as it was.
#include "base/allocate.h"
#include "world/exact/exact_plan.h"
#include "world/snapshot/snapshot_parts.h"

#include <string.h>

// Of the format. Any change of the bytes needs a new one.
#define VERSION 19u

static const unsigned char magic[8] = {'S', 'I', 'N', 'E', 'W', 'S', 'N', 'P'};

// --- parts in their order ------------------------------------------------------------------------

// Makes the arrays as long as their pools of ids, before their members are read.
static void make_room(sn_archive *archive)
{
    sn_world *world = archive->world;
    sn_stream *stream = &archive->stream;
    if (stream->status == SN_OK && !sn_id_pool_in_use(&world->body_ids, SN_GROUND)) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, "there is no ground");
    }
    if (stream->status == SN_OK &&
        (!sn_array_resize(&world->bodies, world->body_ids.generation.count) ||
         !sn_array_resize(&world->shapes, world->shape_ids.generation.count) ||
         !sn_array_resize(&world->constraints, world->constraint_ids.generation.count) ||
         !sn_array_resize(&world->constraint_links, world->constraint_ids.generation.count) ||
         !sn_array_resize(&world->constraint_forces, world->constraint_ids.generation.count) ||
         !sn_array_resize(&world->contacts, world->contact_ids.generation.count) ||
         !sn_array_resize(&world->deformables, world->deformable_ids.generation.count))) {
        sn_stream_fail(stream, SN_ERROR_MEMORY, "no memory for what is in the world");
    }
}

static void archive_members(sn_archive *archive, const sn_id_pool *pool,
                            void (*archive_member)(sn_archive *archive, int index))
{
    for (int i = 0; archive->stream.status == SN_OK && i < pool->generation.count; ++i) {
        if (sn_id_pool_in_use(pool, i)) {
            archive_member(archive, i);
        }
    }
}

static void archive_all(sn_archive *archive)
{
    sn_world *world = archive->world;
    sn_archive_world(archive);
    sn_archive_id_pool(archive, &world->body_ids, "bodies");
    sn_archive_id_pool(archive, &world->shape_ids, "shapes");
    sn_archive_id_pool(archive, &world->constraint_ids, "constraints");
    sn_archive_id_pool(archive, &world->contact_ids, "contacts");
    sn_archive_id_pool(archive, &world->deformable_ids, "deformables");
    if (sn_stream_reads(&archive->stream)) {
        make_room(archive);
    }
    archive_members(archive, &world->body_ids, sn_archive_body);
    archive_members(archive, &world->shape_ids, sn_archive_shape);
    archive_members(archive, &world->contact_ids, sn_archive_contact);
    archive_members(archive, &world->deformable_ids, sn_archive_deformable);
    archive_members(archive, &world->constraint_ids, sn_archive_constraint);
    sn_archive_soft_contacts(archive);
    sn_archive_lists(archive);
    sn_archive_bounds(archive);
}

// --- head ----------------------------------------------------------------------------------------

typedef struct head {
    uint32_t version;
    uint64_t size; // of the whole snapshot [bytes]
    uint64_t checksum;
} head;

static void archive_head(sn_stream *stream, head *head)
{
    unsigned char found[sizeof magic];
    memcpy(found, magic, sizeof magic);
    sn_stream_bytes(stream, found, sizeof found);
    if (memcmp(found, magic, sizeof magic) != 0) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, "it does not begin as a snapshot does");
    }
    sn_stream_u32(stream, &head->version);
    if (head->version != VERSION) {
        sn_stream_fail(stream, SN_ERROR_VERSION, "it is of version %u, expected %u", (unsigned)head->version,
                       VERSION);
    }
    sn_stream_u64(stream, &head->size);
    sn_stream_u64(stream, &head->checksum);
}

// Of what follows the head.
static uint64_t checksum(const unsigned char *bytes, size_t count)
{
    sn_stream stream = {.mode = SN_STREAM_HASH, .hash = sn_hash_u64(sn_hash_begin(), count)};
    sn_stream_bytes(&stream, (unsigned char *)bytes, count);
    return stream.hash;
}

// --- out -----------------------------------------------------------------------------------------

static void write_all(sn_archive *archive, head *head)
{
    archive_head(&archive->stream, head);
    archive_all(archive);
    sn_archive_release_geometry(archive);
}

sn_status sn_world_save(const sn_world *world, void *buffer, size_t capacity, size_t *size)
{
    sn_status status = sn_world_check_open(world, "sn_world_save");
    if (status != SN_OK) {
        return status;
    }
    if (size == NULL) {
        return sn_fail(world->error, SN_ERROR_NULL, "sn_world_save: size is null");
    }
    // Writing changes nothing; the archive's world is not const only because reading fills it.
    head head = {.version = VERSION};
    sn_archive counting = {.stream = {.mode = SN_STREAM_WRITE, .error = world->error},
                           .world = (sn_world *)world};
    write_all(&counting, &head);
    *size = counting.stream.at;
    if (counting.stream.status != SN_OK || buffer == NULL) {
        return counting.stream.status;
    }
    if (capacity < *size) {
        return sn_fail(world->error, SN_ERROR_BUFFER,
                       "sn_world_save: capacity is %llu bytes, expected at least %llu",
                       (unsigned long long)capacity, (unsigned long long)*size);
    }
    sn_archive writing = counting;
    writing.stream.target = buffer;
    writing.stream.size = capacity;
    writing.stream.at = 0;
    head.size = *size;
    write_all(&writing, &head);
    if (writing.stream.status == SN_OK) {
        sn_stream top = {.mode = SN_STREAM_WRITE, .target = buffer, .size = capacity, .error = world->error};
        size_t head_bytes = sizeof magic + 20;
        head.checksum = checksum((unsigned char *)buffer + head_bytes, *size - head_bytes);
        archive_head(&top, &head);
    }
    return writing.stream.status;
}

uint64_t sn_world_hash(const sn_world *world)
{
    if (sn_world_check_open(world, "sn_world_hash") != SN_OK) {
        return 0;
    }
    sn_archive archive = {.stream = {.mode = SN_STREAM_HASH, .hash = sn_hash_begin(), .error = world->error},
                          .world = (sn_world *)world};
    archive_all(&archive);
    sn_archive_release_geometry(&archive);
    return archive.stream.status == SN_OK ? archive.stream.hash : 0;
}

// --- in ------------------------------------------------------------------------------------------

// Size and checksum must fit before anything else is read.
static void read_head(sn_stream *stream)
{
    head head = {.version = 0};
    archive_head(stream, &head);
    if (stream->status != SN_OK) {
        return;
    }
    if (head.size != stream->size) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, "it says it has %llu bytes", (unsigned long long)head.size);
        return;
    }
    uint64_t sum = checksum(stream->source + stream->at, stream->size - stream->at);
    if (sum != head.checksum) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, "its checksum is %016llx, but that of its bytes is %016llx",
                       (unsigned long long)head.checksum, (unsigned long long)sum);
    }
}

// An empty world without tasks, to read into.
static sn_world *make_empty_world(void)
{
    sn_world *restored = sn_allocate_zero(1, sizeof *restored);
    if (restored == NULL) {
        return NULL;
    }
    sn_bounds_tree_init(&restored->static_tree);
    sn_bounds_tree_init(&restored->moving_tree);
    restored->def = sn_world_def_default();
    restored->error = sn_allocate_zero(1, sizeof *restored->error);
    restored->exact = sn_allocate_zero(1, sizeof *restored->exact);
    if (restored->error == NULL || restored->exact == NULL) {
        sn_world_destroy(restored);
        return NULL;
    }
    return restored;
}

// Swaps the contents of two worlds. What is not part of the state stays with the world: threads and tasks,
// memory for steps and plans, the message, functions of custom kinds, the count of allocations.
static void exchange(sn_world *world, sn_world *restored)
{
    sn_error *error_of_restored = restored->error;
    sn_exact_plan *plan_of_restored = restored->exact;
    sn_world old = *world;
    *world = *restored;
    *restored = old;
    world->def.threads = old.def.threads;
    world->def.tasks = old.def.tasks;
    world->tasks = old.tasks;
    world->arena = old.arena;
    world->error = old.error;
    world->exact = old.exact;
    world->custom_kinds = old.custom_kinds;
    world->step_allocations = old.step_allocations;
    restored->tasks = NULL;
    restored->arena = (sn_arena){0};
    restored->error = error_of_restored;
    restored->exact = plan_of_restored;
    sn_world_forget_exact(world);
}

static void read_all(sn_archive *archive)
{
    sn_stream *stream = &archive->stream;
    archive_all(archive);
    if (stream->status == SN_OK && stream->at != stream->size) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, "the world ends before the bytes do");
    }
    if (stream->status == SN_OK) {
        sn_archive_link(archive);
    }
    sn_archive_release_geometry(archive);
}

sn_status sn_world_restore(sn_world *world, const void *buffer, size_t size)
{
    sn_status status = sn_world_check_open(world, "sn_world_restore");
    if (status != SN_OK) {
        return status;
    }
    if (buffer == NULL) {
        return sn_fail(world->error, SN_ERROR_NULL, "sn_world_restore: buffer is null");
    }
    sn_archive archive = {
        .stream = {.mode = SN_STREAM_READ, .source = buffer, .size = size, .error = world->error}};
    read_head(&archive.stream);
    if (archive.stream.status != SN_OK) {
        return archive.stream.status;
    }
    sn_world *restored = make_empty_world();
    if (restored == NULL) {
        return sn_fail(world->error, SN_ERROR_MEMORY, "sn_world_restore: out of memory");
    }
    archive.world = restored;
    restored->custom_kinds = world->custom_kinds; // borrowed
    read_all(&archive);
    if (archive.stream.status == SN_OK) {
        exchange(world, restored);
    }
    memset(&restored->custom_kinds, 0, sizeof restored->custom_kinds);
    sn_world_destroy(restored);
    return archive.stream.status;
}

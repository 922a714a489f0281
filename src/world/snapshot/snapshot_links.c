// What ties the parts of a restored world together. Lists whose order decides what happens are saved as they
// are and checked to be lists; everything else that leads from one part to another is made anew.
#include "base/bit_set.h"
#include "world/snapshot/snapshot_parts.h"

// --- lists of indices ----------------------------------------------------------------------------

static void archive_items(sn_stream *stream, int *items, int count)
{
    for (int i = 0; stream->status == SN_OK && i < count; ++i) {
        sn_stream_int(stream, &items[i]);
    }
}

// Where a member of a list keeps its place in it.
typedef int *(*place_function)(const sn_world *world, int index);

static int *body_place(const sn_world *world, int index)
{
    return &world->bodies.data[index].awake_index;
}

// Members must be in use and not met before; they learn their places.
static void place_members(sn_archive *archive, size_t at, const int *items, int count, const sn_id_pool *pool,
                          place_function place_of, const char *what)
{
    for (int i = 0; archive->stream.status == SN_OK && i < count; ++i) {
        if (!sn_id_pool_in_use(pool, items[i]) || *place_of(archive->world, items[i]) >= 0) {
            sn_stream_fail(&archive->stream, SN_ERROR_FORMAT, at,
                           "place %d of the list of %s is %d, which does not exist or comes twice", i, what,
                           items[i]);
            return;
        }
        *place_of(archive->world, items[i]) = i;
    }
}

static void mark_pending(sn_archive *archive, size_t at)
{
    sn_world *world = archive->world;
    for (int i = 0; archive->stream.status == SN_OK && i < world->pending_shapes.count; ++i) {
        int index = world->pending_shapes.data[i];
        if (!sn_id_pool_in_use(&world->shape_ids, index) || world->shapes.data[index].query_pending) {
            sn_stream_fail(&archive->stream, SN_ERROR_FORMAT, at,
                           "place %d of the list of pending shapes is %d, which does not exist or comes "
                           "twice",
                           i, index);
            return;
        }
        world->shapes.data[index].query_pending = true;
    }
}

void sn_archive_lists(sn_archive *archive)
{
    sn_stream *stream = &archive->stream;
    sn_world *world = archive->world;
    size_t at = stream->at;
    int awake = world->awake_bodies.count, contacts = world->active_contacts.count;
    int constraints = world->active_constraints.count, pending = world->pending_shapes.count;
    sn_stream_count(stream, &awake, sizeof(uint32_t), "awake bodies");
    sn_stream_count(stream, &contacts, sizeof(uint32_t), "active contacts");
    sn_stream_count(stream, &constraints, sizeof(uint32_t), "active constraints");
    sn_stream_count(stream, &pending, sizeof(uint32_t), "pending shapes");
    if (sn_stream_reads(stream) && (!sn_array_resize(&world->awake_bodies, awake) ||
                                    !sn_array_resize(&world->active_contacts, contacts) ||
                                    !sn_array_resize(&world->active_constraints, constraints) ||
                                    !sn_array_resize(&world->pending_shapes, pending))) {
        sn_stream_fail(stream, SN_ERROR_MEMORY, at, "no memory for lists");
    }
    archive_items(stream, world->awake_bodies.data, awake);
    archive_items(stream, world->active_contacts.data, contacts);
    archive_items(stream, world->active_constraints.data, constraints);
    archive_items(stream, world->pending_shapes.data, pending);
    if (sn_stream_reads(stream)) {
        place_members(archive, at, world->awake_bodies.data, awake, &world->body_ids, body_place,
                      "awake bodies");
        place_members(archive, at, world->active_contacts.data, contacts, &world->contact_ids,
                      sn_edge_kinds[SN_CONTACT_EDGES].place_of, "active contacts");
        place_members(archive, at, world->active_constraints.data, constraints, &world->constraint_ids,
                      sn_edge_kinds[SN_CONSTRAINT_EDGES].place_of, "active constraints");
        mark_pending(archive, at);
    }
}

// --- lists that hang on members ------------------------------------------------------------------
// A walk along such a list ends or goes round for ever, and what is in it names the member whose list it is
// in. So if all walks together end after as many ends as there are, every one was met exactly once.

static void fail_list(sn_archive *archive, int member, const char *what)
{
    sn_stream_fail(&archive->stream, SN_ERROR_FORMAT, archive->stream.at, "%s %d: its list of %s is broken",
                   member & SN_SOFT_MEMBER ? "deformable" : "rigid", member & ~SN_SOFT_MEMBER, what);
}

static void check_shape_lists(sn_archive *archive)
{
    const sn_world *world = archive->world;
    int left = world->shape_ids.used;
    for (int i = 0; i < world->bodies.count; ++i) {
        if (!sn_id_pool_in_use(&world->body_ids, i)) {
            continue;
        }
        for (int s = world->bodies.data[i].first_shape; s >= 0; s = world->shapes.data[s].next) {
            if (world->shapes.data[s].body != i || left-- == 0) {
                fail_list(archive, i, "shapes");
                return;
            }
        }
    }
    if (left > 0) {
        sn_stream_fail(&archive->stream, SN_ERROR_FORMAT, archive->stream.at,
                       "%d shapes are in no body's list", left);
    }
}

// How many ends are in lists: those at places in the world are in none.
static int64_t count_ends(const sn_world *world, const sn_edge_kind *kind, const sn_id_pool *pool)
{
    int64_t count = 0;
    for (int edge = 0; edge < 2 * pool->generation.count; ++edge) {
        count += sn_id_pool_in_use(pool, edge >> 1) && kind->end_of(world, edge).member >= 0 ? 1 : 0;
    }
    return count;
}

// Checks the list of a member and makes the links back; `left` counts the ends of all lists down.
static void link_list(sn_archive *archive, const sn_edge_kind *kind, int member, int64_t *left)
{
    const int *first = kind->first_of(archive->world, member);
    int previous = -1, edge = first != NULL ? *first : -1;
    while (edge >= 0) {
        sn_edge_end end = kind->end_of(archive->world, edge);
        if (end.member != member || (*left)-- == 0) {
            fail_list(archive, member, kind->what);
            return;
        }
        *end.previous = previous;
        previous = edge;
        edge = *end.next;
    }
}

static void link_edges(sn_archive *archive, const sn_edge_kind *kind, const sn_id_pool *pool)
{
    const sn_world *world = archive->world;
    if (archive->stream.status != SN_OK) {
        return;
    }
    int64_t left = count_ends(world, kind, pool);
    for (int i = 0; archive->stream.status == SN_OK && i < world->bodies.count; ++i) {
        if (sn_id_pool_in_use(&world->body_ids, i)) {
            link_list(archive, kind, i, &left);
        }
    }
    for (int i = 0; archive->stream.status == SN_OK && i < world->deformables.count; ++i) {
        if (sn_id_pool_in_use(&world->deformable_ids, i)) {
            link_list(archive, kind, sn_soft_member(i), &left);
        }
    }
    if (archive->stream.status == SN_OK && left > 0) {
        sn_stream_fail(&archive->stream, SN_ERROR_FORMAT, archive->stream.at,
                       "some ends of %s are in no member's list", kind->what);
    }
}

// --- sleep ---------------------------------------------------------------------------------------

// Members of rings by one count: bodies, then deformables.
static int number_of(const sn_world *world, int member)
{
    return member & SN_SOFT_MEMBER ? world->bodies.count + (member & ~SN_SOFT_MEMBER) : member;
}

// The ring's next is a sleeper too, and nobody else's next. A map of a finite set to itself that meets none
// twice is all rings.
static bool is_in_ring(const sn_world *world, sn_bit_set *met, int next)
{
    int number = number_of(world, next);
    bool sound = sn_world_member_sleeps(world, next) && !sn_bit_set_has(met, number);
    sn_bit_set_add(met, number);
    return sound;
}

// Awake are moving bodies that are in no ring.
static bool body_is_sound(const sn_world *world, sn_bit_set *met, int index)
{
    const sn_body *body = &world->bodies.data[index];
    if (body->awake_index >= 0) {
        return body->type != SN_STATIC && !body->frozen && body->island_next < 0;
    }
    return body->island_next < 0 || is_in_ring(world, met, body->island_next);
}

static void check_sleep(sn_archive *archive)
{
    const sn_world *world = archive->world;
    sn_stream *stream = &archive->stream;
    sn_bit_set met = {0};
    if (!sn_bit_set_clear(&met, world->bodies.count + world->deformables.count)) {
        sn_stream_fail(stream, SN_ERROR_MEMORY, stream->at, "no memory to check islands");
    }
    for (int i = 0; stream->status == SN_OK && i < world->bodies.count; ++i) {
        if (sn_id_pool_in_use(&world->body_ids, i) && !body_is_sound(world, &met, i)) {
            sn_stream_fail(stream, SN_ERROR_FORMAT, stream->at, "rigid %d: its sleep or its island is broken",
                           i);
        }
    }
    for (int i = 0; stream->status == SN_OK && i < world->deformables.count; ++i) {
        int next = world->deformables.data[i].island_next;
        if (sn_id_pool_in_use(&world->deformable_ids, i) && next >= 0 && !is_in_ring(world, &met, next)) {
            sn_stream_fail(stream, SN_ERROR_FORMAT, stream->at, "deformable %d: its island is broken", i);
        }
    }
    sn_bit_set_release(&met);
}

// Active is exactly what is on and has an awake member.
static void check_activity(sn_archive *archive, const sn_edge_kind *kind, const sn_id_pool *pool)
{
    const sn_world *world = archive->world;
    bool sound = true;
    for (int i = 0; archive->stream.status == SN_OK && sound && i < pool->generation.count; ++i) {
        if (sn_id_pool_in_use(pool, i)) {
            int a = kind->end_of(world, 2 * i).member, b = kind->end_of(world, 2 * i + 1).member;
            bool is_awake = (a >= 0 && sn_world_member_is_awake(world, a)) ||
                            (b >= 0 && sn_world_member_is_awake(world, b));
            sound = (*kind->place_of(world, i) >= 0) == (is_awake && kind->is_on(world, i));
        }
    }
    if (!sound) {
        sn_stream_fail(&archive->stream, SN_ERROR_FORMAT, archive->stream.at,
                       "the list of active %s lacks some, or has some without an awake member", kind->what);
    }
}

// --- made anew -----------------------------------------------------------------------------------

static void map_pairs(sn_archive *archive)
{
    sn_world *world = archive->world;
    if (!sn_pair_map_reserve(&world->pairs, world->contact_ids.used)) {
        sn_stream_fail(&archive->stream, SN_ERROR_MEMORY, archive->stream.at, "no memory for pairs");
    }
    for (int i = 0; archive->stream.status == SN_OK && i < world->contacts.count; ++i) {
        if (!sn_id_pool_in_use(&world->contact_ids, i)) {
            continue;
        }
        uint64_t key = sn_pair_key(world->contacts.data[i].shape_a, world->contacts.data[i].shape_b);
        if (sn_pair_map_find(&world->pairs, key) >= 0) {
            sn_stream_fail(&archive->stream, SN_ERROR_FORMAT, archive->stream.at,
                           "contact %d: its shapes have another contact", i);
            return;
        }
        sn_pair_map_add(&world->pairs, key, i);
    }
}

// The trees may come out different from those of the saved world; what they answer does not.
static void plant_trees(sn_archive *archive)
{
    sn_world *world = archive->world;
    for (int i = 0; archive->stream.status == SN_OK && i < world->shapes.count; ++i) {
        if (!sn_id_pool_in_use(&world->shape_ids, i)) {
            continue;
        }
        sn_shape_data *shape = &world->shapes.data[i];
        shape->leaf = sn_bounds_tree_add(sn_world_tree_of(world, world->bodies.data[shape->body].type),
                                         shape->fat, sn_filter_leaf_category(shape->filter), i);
        if (shape->leaf < 0) {
            sn_stream_fail(&archive->stream, SN_ERROR_MEMORY, archive->stream.at, "no memory for bounds");
        }
    }
    sn_bounds_tree_rebuild(&world->static_tree);
    sn_bounds_tree_rebuild(&world->moving_tree);
}

void sn_archive_link(sn_archive *archive)
{
    sn_world *world = archive->world;
    check_shape_lists(archive);
    link_edges(archive, &sn_edge_kinds[SN_CONTACT_EDGES], &world->contact_ids);
    link_edges(archive, &sn_edge_kinds[SN_CONSTRAINT_EDGES], &world->constraint_ids);
    check_sleep(archive);
    check_activity(archive, &sn_edge_kinds[SN_CONTACT_EDGES], &world->contact_ids);
    check_activity(archive, &sn_edge_kinds[SN_CONSTRAINT_EDGES], &world->constraint_ids);
    map_pairs(archive);
    if (archive->stream.status == SN_OK) {
        plant_trees(archive);
    }
    if (archive->stream.status == SN_OK && !sn_world_find_soft_touches(world)) {
        sn_stream_fail(&archive->stream, SN_ERROR_MEMORY, archive->stream.at, "no memory for touches");
    }
    // As after any adding: listing a body, a contact or a shape later must not need memory.
    if (!sn_world_reserve_lists(world) ||
        !sn_array_reserve(&world->pending_shapes, world->shapes.count + 1)) {
        sn_stream_fail(&archive->stream, SN_ERROR_MEMORY, archive->stream.at, "no memory for lists");
    }
}

// What connects the parts of a restored world. Lists whose order affects the simulation are saved as they are
// and checked to be lists; everything else that leads from one part to another is made again.
// Tested by tests/world/snapshot/test_snapshot.c.
#include "base/bit_set.h"
#include "world/snapshot/snapshot_parts.h"

// --- lists of indices ----------------------------------------------------------------------------

typedef struct saved_list {
    sn_int_list *list;
    const sn_id_pool *pool; // what the indices are of
    const char *what;
    int *(*place_of)(const sn_world *world, int index); // where a member keeps its place in the list
} saved_list;

static int *body_place(const sn_world *world, int index)
{
    return &world->bodies.data[index].awake_index;
}

// Members must be in use and not met before; they learn their places, pending shapes that they are listed.
static void place_members(sn_archive *archive, const saved_list *saved)
{
    const sn_world *world = archive->world;
    sn_bit_set met = {0};
    if (!sn_bit_set_clear(&met, saved->pool->generation.count)) {
        sn_stream_fail(&archive->stream, SN_ERROR_MEMORY, "no memory to check %s", saved->what);
    }
    for (int i = 0; archive->stream.status == SN_OK && i < saved->list->count; ++i) {
        int index = saved->list->data[i];
        if (!sn_id_pool_in_use(saved->pool, index) || sn_bit_set_has(&met, index)) {
            sn_stream_fail(&archive->stream, SN_ERROR_FORMAT,
                           "entry %d of the list of %s is %d, which does not exist or comes twice", i,
                           saved->what, index);
            break;
        }
        sn_bit_set_add(&met, index);
        if (saved->place_of != NULL) {
            *saved->place_of(world, index) = i;
        } else {
            world->shapes.data[index].query_pending = true;
        }
    }
    sn_bit_set_release(&met);
}

void sn_archive_lists(sn_archive *archive)
{
    enum { LISTS = 4 };
    sn_stream *stream = &archive->stream;
    sn_world *world = archive->world;
    const saved_list lists[LISTS] = {
        {&world->awake_bodies, &world->body_ids, "awake bodies", body_place},
        {&world->active_contacts, &world->contact_ids, "active contacts",
         sn_edge_kinds[SN_CONTACT_EDGES].place_of},
        {&world->active_constraints, &world->constraint_ids, "active constraints",
         sn_edge_kinds[SN_CONSTRAINT_EDGES].place_of},
        {&world->pending_shapes, &world->shape_ids, "pending shapes", NULL},
    };
    for (int i = 0; i < LISTS; ++i) {
        int count = lists[i].list->count;
        sn_stream_count(stream, &count, sizeof(int), lists[i].what);
        if (sn_stream_reads(stream) && !sn_array_resize(lists[i].list, count)) {
            sn_stream_fail(stream, SN_ERROR_MEMORY, "no memory for %d %s", count, lists[i].what);
        }
    }
    for (int i = 0; i < LISTS; ++i) {
        sn_stream_integers(stream, lists[i].list->data, sizeof(int), (size_t)lists[i].list->count);
    }
    for (int i = 0; i < LISTS && sn_archive_has_read(archive); ++i) {
        place_members(archive, &lists[i]);
    }
}

// --- members -------------------------------------------------------------------------------------

// Members of the graph by one count: bodies, then deformables.
static int member_count(const sn_world *world)
{
    return world->bodies.count + world->deformables.count;
}

static int number_of(const sn_world *world, int member)
{
    return sn_member_is_soft(member) ? world->bodies.count + (member & ~SN_SOFT_MEMBER) : member;
}

// −1 for one that does not exist.
static int member_at(const sn_world *world, int number)
{
    int deformable = number - world->bodies.count;
    if (deformable >= 0) {
        return sn_id_pool_in_use(&world->deformable_ids, deformable) ? sn_soft_member(deformable) : -1;
    }
    return sn_id_pool_in_use(&world->body_ids, number) ? number : -1;
}

static void fail_member(sn_archive *archive, int member, const char *what)
{
    sn_stream_fail(&archive->stream, SN_ERROR_FORMAT, "%s %d: its %s is broken",
                   sn_member_is_soft(member) ? "deformable" : "rigid", member & ~SN_SOFT_MEMBER, what);
}

// --- lists that begin at members -----------------------------------------------------------------
// A walk along such a list ends or goes round for ever, and its entries name the member whose list they are
// in. So if all walks together end after as many entries as there are, every one was met exactly once.

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
                fail_member(archive, i, "list of shapes");
                return;
            }
        }
    }
    if (left > 0) {
        sn_stream_fail(&archive->stream, SN_ERROR_FORMAT, "%d shapes are in no body's list", left);
    }
}

// How many ends are in lists: those at positions in the world are in none.
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
            fail_member(archive, member,
                        kind == &sn_edge_kinds[SN_CONTACT_EDGES] ? "list of contacts"
                                                                 : "list of constraints");
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
    int64_t left = archive->stream.status == SN_OK ? count_ends(world, kind, pool) : 0;
    for (int i = 0; archive->stream.status == SN_OK && i < member_count(world); ++i) {
        if (member_at(world, i) >= 0) {
            link_list(archive, kind, member_at(world, i), &left);
        }
    }
    if (left > 0) {
        sn_stream_fail(&archive->stream, SN_ERROR_FORMAT, "some ends of %s are in no member's list",
                       kind->what);
    }
}

// --- sleep ---------------------------------------------------------------------------------------

// The next member of a ring sleeps too, and is the next of no other. A map of a finite set to itself that
// meets none twice consists of rings.
static bool is_in_ring(const sn_world *world, sn_bit_set *met, int next)
{
    int number = number_of(world, next);
    bool sound = sn_world_member_sleeps(world, next) && !sn_bit_set_has(met, number);
    sn_bit_set_add(met, number);
    return sound;
}

// Bodies that are awake can move and are in no ring.
static bool sleep_is_sound(const sn_world *world, sn_bit_set *met, int member)
{
    const sn_body *body = sn_member_is_soft(member) ? NULL : &world->bodies.data[member];
    int next =
        body != NULL ? body->island_next : world->deformables.data[member & ~SN_SOFT_MEMBER].island_next;
    if (body != NULL && body->awake_index >= 0) {
        return body->type != SN_STATIC && !body->frozen && next < 0;
    }
    return next < 0 || is_in_ring(world, met, next);
}

static void check_sleep(sn_archive *archive)
{
    const sn_world *world = archive->world;
    sn_bit_set met = {0};
    if (!sn_bit_set_clear(&met, member_count(world))) {
        sn_stream_fail(&archive->stream, SN_ERROR_MEMORY, "no memory to check islands");
    }
    for (int i = 0; archive->stream.status == SN_OK && i < member_count(world); ++i) {
        int member = member_at(world, i);
        if (member >= 0 && !sleep_is_sound(world, &met, member)) {
            fail_member(archive, member, "sleep or its island");
        }
    }
    sn_bit_set_release(&met);
}

// Active are exactly those that are on and have an awake member.
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
        sn_stream_fail(&archive->stream, SN_ERROR_FORMAT,
                       "the list of active %s lacks some, or has some without an awake member", kind->what);
    }
}

// --- made again ----------------------------------------------------------------------------------

static void map_pairs(sn_archive *archive)
{
    sn_world *world = archive->world;
    if (!sn_pair_map_reserve(&world->pairs, world->contact_ids.used)) {
        sn_stream_fail(&archive->stream, SN_ERROR_MEMORY, "no memory for pairs");
    }
    for (int i = 0; archive->stream.status == SN_OK && i < world->contacts.count; ++i) {
        if (!sn_id_pool_in_use(&world->contact_ids, i)) {
            continue;
        }
        uint64_t key = sn_pair_key(world->contacts.data[i].shape_a, world->contacts.data[i].shape_b);
        if (sn_pair_map_find(&world->pairs, key) >= 0) {
            sn_stream_fail(&archive->stream, SN_ERROR_FORMAT, "contact %d: its shapes have another contact",
                           i);
            return;
        }
        sn_pair_map_add(&world->pairs, key, i);
    }
}

// The trees may differ from those of the saved world; their answers do not.
static void build_trees(sn_archive *archive)
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
            sn_stream_fail(&archive->stream, SN_ERROR_MEMORY, "no memory for bounds");
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
        build_trees(archive);
    }
    if (archive->stream.status == SN_OK && !sn_world_find_soft_touches(world)) {
        sn_stream_fail(&archive->stream, SN_ERROR_MEMORY, "no memory for touches");
    }
    // As after any adding: listing a body, a contact or a shape later must not need memory.
    if (!sn_world_reserve_lists(world) ||
        !sn_array_reserve(&world->pending_shapes, world->shapes.count + 1)) {
        sn_stream_fail(&archive->stream, SN_ERROR_MEMORY, "no memory for lists");
    }
}

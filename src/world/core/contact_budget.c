// A budget of contacts between what lies in each other, so that memory and time stay in proportion to the
// number of bodies, however many of them are put into one place: n coincident spheres are n²/2 pairs.
//
// What merely touches is always felt: only pairs of dynamic bodies whose inner balls overlap count, and of
// these only peers, at least half as large. Beyond the budget, pairs are taken in a random order, the same in
// every run, so that what is crowded is joined evenly: not all to one, nor in groups that know nothing of
// each other. What is left out is found once its bodies have been pushed out of their boxes, as all that lies
// in others is. Tested by tests/world/core/test_contact_budget.c.
#include "base/hash.h"
#include "base/tuple_sort.h"
#include "world/core/world.h"

// Contacts of a shape with peers that lie in it.
enum { MOST_PEERS = 32 };
// Inner balls that overlap by more than a tenth: contacts under load do not.
#define DEEP 0.9f

static bool lie_in_each_other(const sn_world *world, int a, int b)
{
    const sn_body *body_a = &world->bodies.data[a], *body_b = &world->bodies.data[b];
    float reach = DEEP * (body_a->inner_radius + body_b->inner_radius);
    return body_a->type == SN_DYNAMIC && body_b->type == SN_DYNAMIC &&
           sn_length_squared(sn_sub(body_a->center, body_b->center)) < reach * reach;
}

// Adds 1 to the peers of each shape that the other one is a peer of. False if that would be too many for one.
static bool count_pair(const sn_world *world, int a, int b, int *peers)
{
    const sn_shape_data *shape_a = &world->shapes.data[a], *shape_b = &world->shapes.data[b];
    if (shape_a->sensor || shape_b->sensor || !lie_in_each_other(world, shape_a->body, shape_b->body)) {
        return true;
    }
    float size_a = world->bodies.data[shape_a->body].inner_radius;
    float size_b = world->bodies.data[shape_b->body].inner_radius;
    bool counts_a = size_b >= 0.5f * size_a, counts_b = size_a >= 0.5f * size_b;
    if ((counts_a && peers[a] >= MOST_PEERS) || (counts_b && peers[b] >= MOST_PEERS)) {
        return false;
    }
    peers[a] += counts_a;
    peers[b] += counts_b;
    return true;
}

typedef struct drawn_pair {
    uint64_t lot;
    int pair; // its place in the list
} drawn_pair;

static int compare_lots(const void *a, const void *b)
{
    const drawn_pair *x = a, *y = b;
    return x->lot != y->lot ? (x->lot > y->lot) - (x->lot < y->lot) : x->pair - y->pair;
}

static void ends_of(uint64_t key, int *a, int *b)
{
    *a = (int)((key - 1) >> 32);
    *b = (int)((key - 1) & UINT32_MAX);
}

static void count_contacts(const sn_world *world, int *peers)
{
    for (int i = 0; i < world->contacts.count; ++i) {
        const sn_contact_data *contact = &world->contacts.data[i];
        if (sn_id_pool_in_use(&world->contact_ids, i) &&
            lie_in_each_other(world, contact->body_a, contact->body_b)) {
            (void)count_pair(world, contact->shape_a, contact->shape_b, peers);
        }
    }
}

// Whether all pairs are within the budget; counts them in any case.
static bool fits(const sn_world *world, int *peers)
{
    bool all = true;
    for (int i = 0; i < world->new_pairs.count && all; ++i) {
        int a, b;
        ends_of(world->new_pairs.data[i], &a, &b);
        all = count_pair(world, a, b, peers);
    }
    return all;
}

static void keep_by_lot(sn_world *world, drawn_pair *drawn, int *peers)
{
    uint64_t *pairs = world->new_pairs.data;
    int count = world->new_pairs.count, kept = 0;
    for (int i = 0; i < count; ++i) {
        drawn[i] = (drawn_pair){sn_hash_u64(sn_hash_begin(), pairs[i]), i};
    }
    sn_sort_in_place(drawn, count, sizeof *drawn, compare_lots);
    for (int i = 0; i < count; ++i) {
        int a, b;
        ends_of(pairs[drawn[i].pair], &a, &b);
        if (!count_pair(world, a, b, peers)) {
            pairs[drawn[i].pair] = 0; // the key of no pair
        }
    }
    for (int i = 0; i < count; ++i) {
        if (pairs[i] != 0) {
            pairs[kept++] = pairs[i];
        }
    }
    world->new_pairs.count = kept;
}

bool sn_world_keep_budget(sn_world *world)
{
    if (world->new_pairs.count < MOST_PEERS) {
        return true;
    }
    size_t shapes = (size_t)world->shapes.count;
    int *peers = sn_arena_take_zero(&world->arena, shapes, sizeof *peers);
    if (peers == NULL) {
        return false;
    }
    count_contacts(world, peers);
    if (fits(world, peers)) {
        return true;
    }
    drawn_pair *drawn = sn_arena_take(&world->arena, (size_t)world->new_pairs.count, sizeof *drawn);
    if (drawn == NULL) {
        return false;
    }
    for (size_t i = 0; i < shapes; ++i) {
        peers[i] = 0;
    }
    count_contacts(world, peers);
    int found = world->new_pairs.count;
    keep_by_lot(world, drawn, peers);
    world->last.left_out_count += found - world->new_pairs.count;
    return true;
}

// Islands of bodies and deformables, found again for each drawing: a step keeps none of what is awake.
// Tested by tests/world/draw/test_draw.c.
#include "base/allocate.h"
#include "base/union_find.h"
#include "world/draw/draw.h"

// A member's number: bodies, then deformables. −1 for those that forces do not move, which join no islands.
static int number_of(const sn_world *world, int member)
{
    if (member >= 0 && (member & SN_SOFT_MEMBER)) {
        return world->bodies.count + (member & ~SN_SOFT_MEMBER);
    }
    return member >= 0 && sn_body_is_dynamic(&world->bodies.data[member]) ? member : -1;
}

static void join(const sn_world *world, int *parent, int member_a, int member_b)
{
    int a = number_of(world, member_a), b = number_of(world, member_b);
    if (a >= 0 && b >= 0) {
        sn_union_find_join(parent, NULL, a, b);
    }
}

static void join_edges(const sn_world *world, int *parent)
{
    for (int i = 0; i < world->contacts.count; ++i) {
        const sn_contact_data *contact = &world->contacts.data[i];
        if (sn_id_pool_in_use(&world->contact_ids, i) && contact->patches.count > 0) {
            join(world, parent, contact->body_a, contact->body_b);
        }
    }
    for (int i = 0; i < world->constraints.count; ++i) {
        const sn_constraint_link *link = &world->constraint_links.data[i];
        if (sn_id_pool_in_use(&world->constraint_ids, i) && link->is_on) {
            join(world, parent, link->member[0], link->member[1]);
        }
    }
    for (int i = 0; i < world->soft.contacts.count; ++i) {
        int members[2];
        if (sn_world_soft_contact_joins(world, &world->soft.contacts.data[i], members)) {
            join(world, parent, members[0], members[1]);
        }
    }
}

// The members of a sleeping island wake together, whatever touches now.
static void join_sleepers(const sn_world *world, int *parent)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        if (sn_id_pool_in_use(&world->body_ids, i)) {
            join(world, parent, i, world->bodies.data[i].island_next);
        }
    }
    for (int i = 0; i < world->deformables.count; ++i) {
        if (sn_id_pool_in_use(&world->deformable_ids, i)) {
            join(world, parent, sn_soft_member(i), world->deformables.data[i].island_next);
        }
    }
}

int *sn_draw_find_islands(const sn_world *world, size_t *bytes)
{
    int count = world->bodies.count + world->deformables.count;
    int *parent = sn_allocate_zero((size_t)count, sizeof(int));
    if (parent == NULL) {
        return NULL;
    }
    *bytes = (size_t)count * sizeof(int);
    for (int i = 0; i < count; ++i) {
        parent[i] = i;
    }
    join_edges(world, parent);
    join_sleepers(world, parent);
    for (int i = 0; i < count; ++i) {
        parent[i] = sn_union_find_root(parent, i);
    }
    return parent;
}

sn_color sn_draw_island_color(int island, bool asleep)
{
    static const sn_color palette[] = {0xe6194b, 0x3cb44b, 0xffe119, 0x4363d8, 0xf58231, 0x911eb4, 0x46f0f0,
                                       0xf032e6, 0xbcf60c, 0xfabebe, 0x008080, 0xe6beff, 0x9a6324};
    sn_color bright = palette[(size_t)island % (sizeof palette / sizeof *palette)];
    return asleep ? bright >> 1 & 0x7f7f7f : bright;
}

// Which bodies hang together, found anew for a drawing: the step keeps no islands of awake bodies.
#include "base/allocate.h"
#include "world/draw.h"

static int find_root(int *parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

// The lower number becomes the root. Only what moves by forces passes motion on.
static void join(const sn_world *world, int *parent, int a, int b)
{
    if (!sn_body_is_dynamic(&world->bodies.data[a]) || !sn_body_is_dynamic(&world->bodies.data[b])) {
        return;
    }
    a = find_root(parent, a);
    b = find_root(parent, b);
    if (a < b) {
        parent[b] = a;
    } else {
        parent[a] = b;
    }
}

int *sn_draw_find_islands(const sn_world *world, size_t *bytes)
{
    int count = world->bodies.count;
    int *parent = sn_allocate_zero((size_t)count, sizeof(int));
    if (parent == NULL) {
        return NULL;
    }
    *bytes = (size_t)count * sizeof(int);
    for (int i = 0; i < count; ++i) {
        parent[i] = i;
    }
    for (int i = 0; i < world->contacts.count; ++i) {
        const sn_contact_data *contact = &world->contacts.data[i];
        if (sn_id_pool_in_use(&world->contact_ids, i) && contact->patches.count > 0) {
            join(world, parent, contact->body_a, contact->body_b);
        }
    }
    for (int i = 0; i < world->constraints.count; ++i) {
        const sn_constraint_data *constraint = &world->constraints.data[i];
        if (sn_id_pool_in_use(&world->constraint_ids, i)) {
            join(world, parent, constraint->body_a, constraint->body_b);
        }
    }
    for (int i = 0; i < count; ++i) {
        // What fell asleep together wakes together, whatever touches now.
        if (sn_id_pool_in_use(&world->body_ids, i) && world->bodies.data[i].island_next >= 0) {
            join(world, parent, i, world->bodies.data[i].island_next);
        }
    }
    for (int i = 0; i < count; ++i) {
        parent[i] = find_root(parent, i);
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

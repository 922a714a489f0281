// Contacts that anchors forbid. A hard anchor holds a point of a deformable where something else is, nearer
// than surfaces with a thickness may come: were both to have their way, they would fight for ever. So what an
// anchor holds together does not collide there: nodes of the anchor with the body at its other end, or with
// the nodes at its other end. Around them everything collides as before.
#include "world/exact.h"

#include <string.h>

static bool holds(const sn_world *world, int index)
{
    return sn_anchor_is_on(world, index) && world->anchors.data[index].def.compliance == 0.0f;
}

// Puts an end of an anchor into the lists of its nodes.
static void add_end(sn_soft_search *search, int anchor, int end, int *count)
{
    const sn_world *world = search->world;
    const sn_anchor_def *def = &world->anchors.data[anchor].def;
    const sn_point *point = end == 0 ? &def->a : &def->b;
    if (point->type != SN_POINT_NODES) {
        return;
    }
    const sn_deformable_data *data = sn_world_deformable(world, point->deformable);
    for (int i = 0; i < point->node_count; ++i) {
        int node = data->first_node + point->nodes[i];
        search->bonds[*count] = (sn_soft_bond){anchor, end, search->bond_of[node]};
        search->bond_of[node] = *count;
        *count += 1;
    }
}

bool sn_soft_find_bonds(sn_soft_search *search)
{
    sn_world *world = search->world;
    int count = 0;
    for (int i = 0; i < world->anchors.count; ++i) {
        count += holds(world, i) ? 1 : 0;
    }
    if (count == 0) {
        return true;
    }
    size_t node_count = (size_t)world->nodes.states.count;
    search->bonds = sn_arena_take(&world->arena, 8 * (size_t)count, sizeof *search->bonds);
    search->bond_of = sn_arena_take(&world->arena, node_count, sizeof *search->bond_of);
    if (search->bonds == NULL || search->bond_of == NULL) {
        return false;
    }
    memset(search->bond_of, 0xff, node_count * sizeof *search->bond_of);
    count = 0;
    for (int i = 0; i < world->anchors.count; ++i) {
        for (int end = 0; holds(world, i) && end < 2; ++end) {
            add_end(search, i, end, &count);
        }
    }
    return true;
}

static bool holds_body(const sn_world *world, const sn_soft_bond *bond, int body)
{
    const sn_anchor_def *def = &world->anchors.data[bond->anchor].def;
    const sn_point *other = bond->end == 0 ? &def->b : &def->a;
    return other->type == SN_POINT_RIGID && (int)other->rigid.index - 1 == body;
}

// Whether another node of the contact is at the other end of the same anchor.
static bool holds_nodes(const sn_soft_search *search, const sn_soft_bond *bond,
                        const sn_soft_contact_data *contact)
{
    for (int k = 0; k < contact->width; ++k) {
        for (int b = search->bond_of[contact->nodes[k]]; b >= 0; b = search->bonds[b].next) {
            if (search->bonds[b].anchor == bond->anchor && search->bonds[b].end != bond->end) {
                return true;
            }
        }
    }
    return false;
}

bool sn_soft_is_bound(const sn_soft_search *search, const sn_soft_contact_data *contact)
{
    for (int k = 0; search->bond_of != NULL && k < contact->width; ++k) {
        for (int b = search->bond_of[contact->nodes[k]]; b >= 0; b = search->bonds[b].next) {
            const sn_soft_bond *bond = &search->bonds[b];
            if (contact->body >= 0 ? holds_body(search->world, bond, contact->body)
                                   : holds_nodes(search, bond, contact)) {
                return true;
            }
        }
    }
    return false;
}

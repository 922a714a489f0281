// Ties: anchors and contacts of deformables, as edges of the graph that makes islands. They hang on no lists,
// as the contacts and constraints of bodies do, but are gone through from the first to the last; those of
// anchors come from a list that is made when anchors change (exact.h).
#include "world/anchors.h"
#include "world/exact.h"

static int member_of(const sn_point *point)
{
    switch (point->type) {
    case SN_POINT_RIGID:
        return (int)point->rigid.index - 1;
    case SN_POINT_NODES:
    case SN_POINT_SURFACE:
        return sn_soft_member((int)point->deformable.index - 1);
    default:
        return -1;
    }
}

// A contact is a tie while its sides press on each other, touch, or may before the step ends. What was
// removed has none.
static sn_tie tie_of_contact(const sn_world *world, const sn_soft_contact_data *contact)
{
    bool ties = contact->closes || contact->normal_impulse > 0.0f;
    if (!ties || !sn_soft_is_current(world, &contact->key)) {
        return (sn_tie){{-1, -1}};
    }
    int other = (int)(contact->key.other & ~SN_SOFT_OTHER_DEFORMABLE);
    return (sn_tie){{sn_soft_member((int)contact->key.deformable),
                     contact->body >= 0 ? contact->body : sn_soft_member(other)}};
}

sn_tie sn_anchor_ends(const sn_world *world, int index)
{
    if (!sn_id_pool_in_use(&world->anchor_ids, index)) {
        return (sn_tie){{-1, -1}};
    }
    const sn_anchor_def *def = &world->anchors.data[index].def;
    return (sn_tie){{member_of(&def->a), member_of(&def->b)}};
}

static int anchor_tie_count(const sn_world *world)
{
    return sn_world_plan_is_fresh(world) ? world->exact->ties.count : world->anchors.count;
}

static sn_tie anchor_tie_at(const sn_world *world, int index)
{
    if (sn_world_plan_is_fresh(world)) {
        return world->exact->ties.data[index];
    }
    return sn_anchor_is_on(world, index) ? sn_anchor_ends(world, index) : (sn_tie){{-1, -1}};
}

// Anchors, then contacts.
int sn_world_tie_count(const sn_world *world)
{
    return anchor_tie_count(world) + world->soft.contacts.count;
}

sn_tie sn_world_tie_at(const sn_world *world, int index)
{
    int anchors = anchor_tie_count(world);
    return index < anchors ? anchor_tie_at(world, index)
                           : tie_of_contact(world, &world->soft.contacts.data[index - anchors]);
}

void sn_world_wake_tied(sn_world *world, int member)
{
    for (int i = 0; i < sn_world_tie_count(world); ++i) {
        sn_tie tie = sn_world_tie_at(world, i);
        for (int side = 0; side < 2; ++side) {
            if (tie.ends[side] == member && tie.ends[1 - side] >= 0) {
                sn_world_wake_member(world, tie.ends[1 - side]);
            }
        }
    }
}

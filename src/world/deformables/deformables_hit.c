// Hit events of deformables: of each pair the fastest of the contacts with an impulse in this step.
// Tested by tests/world/core/test_events_soft.c.
#include "world/core/world.h"

static bool is_hit(const sn_world *world, const sn_soft_contact_data *contact)
{
    bool is_itself = contact->key.other == (contact->key.deformable | SN_SOFT_OTHER_DEFORMABLE);
    if (is_itself || !(contact->approach > world->def.hit_threshold) || !(contact->total_normal > 0.0f)) {
        return false;
    }
    return (contact->key.other & SN_SOFT_OTHER_DEFORMABLE) ||
           world->shapes.data[contact->key.other].hit_events;
}

// As for touches, of two deformables the one with the lower index comes first.
static sn_deformable_hit_event hit_of(const sn_world *world, const sn_soft_contact_data *contact)
{
    int deformable = (int)contact->key.deformable;
    int other = (int)(contact->key.other & ~SN_SOFT_OTHER_DEFORMABLE);
    bool is_soft = (contact->key.other & SN_SOFT_OTHER_DEFORMABLE) != 0,
         turned = is_soft && other < deformable;
    sn_deformable_hit_event event = {.deformable = sn_deformable_id(world, turned ? other : deformable),
                                     .position = contact->point,
                                     .normal = turned ? contact->normal : sn_neg(contact->normal),
                                     .speed = contact->approach};
    if (is_soft) {
        event.other = sn_deformable_id(world, turned ? deformable : other);
    } else {
        event.shape = sn_shape_id(world, other);
    }
    return event;
}

static bool is_same_pair(const sn_deformable_hit_event *a, const sn_deformable_hit_event *b)
{
    return a->deformable.index == b->deformable.index && a->shape.index == b->shape.index &&
           a->other.index == b->other.index;
}

void sn_world_report_soft_hits(sn_world *world)
{
    int first = world->events.deformable_hits.list.count;
    for (int i = world->soft.asleep_count; i < world->soft.contacts.count; ++i) {
        const sn_soft_contact_data *contact = &world->soft.contacts.data[i];
        if (!is_hit(world, contact)) {
            continue;
        }
        // Contacts of a pair mostly follow each other, so the search begins with the last event.
        sn_deformable_hit_event event = hit_of(world, contact),
                                *hits = world->events.deformable_hits.list.data;
        int at = world->events.deformable_hits.list.count - 1;
        while (at >= first && !is_same_pair(&hits[at], &event)) {
            --at;
        }
        if (at < first) {
            (void)sn_array_push(&world->events.deformable_hits.list, event);
        } else if (event.speed > hits[at].speed) {
            hits[at] = event;
        }
    }
}

// Touch events of deformables. A pair touches while one of its contacts does; the pairs of the last step are
// kept, and those of this step are compared with them. A deformable that touches itself is no pair.
// Tested by tests/world/core/test_events_soft.c.
#include "base/tuple_sort.h"
#include "world/core/world.h"

// --- pairs -------------------------------------------------------------------------------------------------

static bool is_touching(const sn_world *world, const sn_soft_contact_data *contact)
{
    bool is_itself = contact->key.other == (contact->key.deformable | SN_SOFT_OTHER_DEFORMABLE);
    return !is_itself && (contact->separation <= 0.0f || contact->total_normal > 0.0f) &&
           sn_soft_is_current(world, &contact->key);
}

// Of two deformables the one with the lower index comes first, whichever found the other.
static sn_soft_touch touch_of(const sn_world *world, const sn_soft_contact_data *contact)
{
    const sn_soft_key *key = &contact->key;
    uint32_t other = key->other & ~SN_SOFT_OTHER_DEFORMABLE;
    bool is_soft = other != key->other;
    if (is_soft && other < key->deformable) {
        return (sn_soft_touch){other, key->deformable | SN_SOFT_OTHER_DEFORMABLE, key->other_generation,
                               key->generation, true};
    }
    return (sn_soft_touch){key->deformable, key->other, key->generation, key->other_generation,
                           is_soft || world->shapes.data[other].contact_events};
}

static int compare(const void *first, const void *second)
{
    const sn_soft_touch *a = first, *b = second;
    const uint32_t of_a[4] = {a->deformable, a->other, a->generation, a->other_generation};
    const uint32_t of_b[4] = {b->deformable, b->other, b->generation, b->other_generation};
    for (int i = 0; i < 4; ++i) {
        if (of_a[i] != of_b[i]) {
            return of_a[i] < of_b[i] ? -1 : 1;
        }
    }
    return 0;
}

// Every pair once, in order.
static int make_unique(sn_soft_touch *touches, int count)
{
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        if (kept == 0 || compare(&touches[kept - 1], &touches[i]) != 0) {
            touches[kept++] = touches[i];
        }
    }
    return kept;
}

// Whether both still exist and sleep: their contacts are as they were.
static bool sleeps(const sn_world *world, const sn_soft_touch *touch)
{
    uint32_t other = touch->other & ~SN_SOFT_OTHER_DEFORMABLE;
    bool is_soft = other != touch->other;
    const sn_id_pool *others = is_soft ? &world->deformable_ids : &world->shape_ids;
    return sn_id_pool_holds(&world->deformable_ids, touch->deformable, touch->generation) &&
           sn_id_pool_holds(others, other, touch->other_generation) &&
           sn_deformable_sleeps(&world->deformables.data[touch->deformable]) &&
           (is_soft ? sn_deformable_sleeps(&world->deformables.data[other])
                    : world->bodies.data[world->shapes.data[other].body].awake_index < 0);
}

// Pairs of the contacts from `first` on, and those of `before` that sleep. Contacts of one pair mostly follow
// each other, so that few are left to be sorted.
static bool gather(const sn_world *world, int first, const sn_soft_touch_list *before,
                   sn_soft_touch_list *touches)
{
    touches->count = 0;
    for (int i = 0; i < before->count; ++i) {
        if (sleeps(world, &before->data[i]) && !sn_array_push(touches, before->data[i])) {
            return false;
        }
    }
    for (int i = first; i < world->soft.contacts.count; ++i) {
        const sn_soft_contact_data *contact = &world->soft.contacts.data[i];
        if (!is_touching(world, contact)) {
            continue;
        }
        sn_soft_touch touch = touch_of(world, contact);
        bool is_new = touches->count == 0 || compare(&touches->data[touches->count - 1], &touch) != 0;
        if (is_new && !sn_array_push(touches, touch)) {
            return false;
        }
    }
    sn_sort_in_place(touches->data, touches->count, sizeof *touches->data, compare);
    touches->count = make_unique(touches->data, touches->count);
    return true;
}

// --- events ------------------------------------------------------------------------------------------------

static sn_deformable_touch_event event_of(const sn_world *world, const sn_soft_touch *touch)
{
    uint32_t other = (touch->other & ~SN_SOFT_OTHER_DEFORMABLE) + 1;
    sn_deformable_touch_event event = {.deformable = {touch->deformable + 1, touch->generation, world->tag}};
    if (touch->other & SN_SOFT_OTHER_DEFORMABLE) {
        event.other = (sn_deformable){other, touch->other_generation, world->tag};
    } else {
        event.shape = (sn_shape){other, touch->other_generation, world->tag};
    }
    return event;
}

static void report(sn_world *world, const sn_soft_touch *touch, bool began)
{
    if (!touch->is_reported) {
        return;
    }
    sn_deformable_touch_event event = event_of(world, touch);
    if (began) {
        (void)sn_array_push(&world->events.deformable_begin.list, event);
    } else {
        (void)sn_array_push(&world->events.deformable_end.list, event);
    }
}

// Both lists are sorted: a pair in only one of them has begun or ceased to touch.
static void report_differences(sn_world *world, const sn_soft_touch_list *before,
                               const sn_soft_touch_list *now)
{
    int b = 0, n = 0;
    while (b < before->count || n < now->count) {
        int order = b == before->count ? 1 : n == now->count ? -1 : compare(&before->data[b], &now->data[n]);
        if (order < 0) {
            report(world, &before->data[b], false);
        } else if (order > 0) {
            report(world, &now->data[n], true);
        }
        b += order <= 0 ? 1 : 0;
        n += order >= 0 ? 1 : 0;
    }
}

void sn_world_report_soft_touches(sn_world *world)
{
    sn_soft_touch_list before = world->soft_touches, now = world->soft_touches_before;
    if (world->soft.is_idle) {
        return;
    }
    // Without memory, a later step reports the changes.
    if (gather(world, world->soft.asleep_count, &before, &now)) {
        report_differences(world, &before, &now);
        world->soft_touches = now;
        world->soft_touches_before = before;
    } else {
        world->soft_touches_before = now;
    }
}

bool sn_world_find_soft_touches(sn_world *world)
{
    const sn_soft_touch_list none = {0};
    return gather(world, 0, &none, &world->soft_touches);
}

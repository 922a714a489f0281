// The graph of bodies, contacts and constraints: lists that hang on bodies, and who is awake. A contact or
// constraint is active while one of its bodies is awake; sleeping bodies form rings, one a sleeping island,
// so that waking one wakes all.
#include "base/allocate.h"
#include "world/world.h"

// --- lists of indices whose members know their place ---------------------------------------------

#define LIST_ADD(list, member, value)                                                                        \
    do {                                                                                                     \
        (member) = (list)->count;                                                                            \
        (list)->data[(list)->count++] = (value);                                                             \
    } while (0)

bool sn_world_reserve_lists(sn_world *world)
{
    return sn_array_reserve(&world->awake_bodies, world->bodies.count + 1) &&
           sn_array_reserve(&world->active_contacts, world->contacts.count + 1) &&
           sn_array_reserve(&world->active_constraints, world->constraints.count + 1);
}

static void activate_contact(sn_world *world, int contact)
{
    sn_contact_data *data = &world->contacts.data[contact];
    if (data->active_index < 0) {
        LIST_ADD(&world->active_contacts, data->active_index, contact);
    }
}

static void deactivate_contact(sn_world *world, int contact)
{
    sn_contact_data *data = &world->contacts.data[contact];
    if (data->active_index >= 0) {
        int last = world->active_contacts.data[--world->active_contacts.count];
        world->active_contacts.data[data->active_index] = last;
        world->contacts.data[last].active_index = data->active_index;
        data->active_index = -1;
    }
}

static void activate_constraint(sn_world *world, int constraint)
{
    sn_constraint_data *data = &world->constraints.data[constraint];
    if (data->active_index < 0) {
        LIST_ADD(&world->active_constraints, data->active_index, constraint);
    }
}

static void deactivate_constraint(sn_world *world, int constraint)
{
    sn_constraint_data *data = &world->constraints.data[constraint];
    if (data->active_index >= 0) {
        int last = world->active_constraints.data[--world->active_constraints.count];
        world->active_constraints.data[data->active_index] = last;
        world->constraints.data[last].active_index = data->active_index;
        data->active_index = -1;
    }
}

static bool is_awake(const sn_world *world, int body)
{
    return world->bodies.data[body].awake_index >= 0;
}

// --- waking and sleeping -------------------------------------------------------------------------

// Lists the body and everything that hangs on it.
static void list_body(sn_world *world, int body)
{
    sn_body *data = &world->bodies.data[body];
    if (data->awake_index >= 0) {
        return;
    }
    LIST_ADD(&world->awake_bodies, data->awake_index, body);
    for (int edge = data->first_contact; edge >= 0; edge = world->contacts.data[edge >> 1].next[edge & 1]) {
        activate_contact(world, edge >> 1);
    }
    for (int edge = data->first_constraint; edge >= 0;
         edge = world->constraints.data[edge >> 1].next[edge & 1]) {
        activate_constraint(world, edge >> 1);
    }
}

void sn_world_unlist_body(sn_world *world, int body)
{
    sn_body *data = &world->bodies.data[body];
    if (data->awake_index < 0) {
        return;
    }
    int last = world->awake_bodies.data[--world->awake_bodies.count];
    world->awake_bodies.data[data->awake_index] = last;
    world->bodies.data[last].awake_index = data->awake_index;
    data->awake_index = -1;
    for (int edge = data->first_contact; edge >= 0; edge = world->contacts.data[edge >> 1].next[edge & 1]) {
        const sn_contact_data *contact = &world->contacts.data[edge >> 1];
        if (!is_awake(world, contact->body_a) && !is_awake(world, contact->body_b)) {
            deactivate_contact(world, edge >> 1);
        }
    }
    for (int edge = data->first_constraint; edge >= 0;
         edge = world->constraints.data[edge >> 1].next[edge & 1]) {
        const sn_constraint_data *constraint = &world->constraints.data[edge >> 1];
        if (!is_awake(world, constraint->body_a) && !is_awake(world, constraint->body_b)) {
            deactivate_constraint(world, edge >> 1);
        }
    }
}

static void report_sleep(sn_world *world, int body, bool asleep)
{
    sn_sleep_event event = {sn_rigid_id(world, body), asleep};
    (void)sn_array_push(&world->events.sleeps.list, event);
}

void sn_world_wake(sn_world *world, int body)
{
    sn_body *first = &world->bodies.data[body];
    if (first->type == SN_STATIC || first->frozen) {
        return;
    }
    if (first->type == SN_KINEMATIC || first->island_next < 0) {
        first->rest_time = 0.0f;
        list_body(world, body);
        return;
    }
    for (int i = body;;) {
        sn_body *data = &world->bodies.data[i];
        int next = data->island_next;
        data->island_next = -1;
        data->rest_time = 0.0f;
        list_body(world, i);
        report_sleep(world, i, false);
        if (next == body) {
            break;
        }
        i = next;
    }
}

void sn_world_wake_neighbors(sn_world *world, int body)
{
    const sn_body *data = &world->bodies.data[body];
    for (int edge = data->first_contact; edge >= 0; edge = world->contacts.data[edge >> 1].next[edge & 1]) {
        const sn_contact_data *contact = &world->contacts.data[edge >> 1];
        // Between bodies made asleep nobody has looked for patches yet.
        if (contact->patches.count > 0 || contact->active_index < 0) {
            sn_world_wake(world, edge & 1 ? contact->body_a : contact->body_b);
        }
    }
    for (int edge = data->first_constraint; edge >= 0;
         edge = world->constraints.data[edge >> 1].next[edge & 1]) {
        const sn_constraint_data *constraint = &world->constraints.data[edge >> 1];
        sn_world_wake(world, edge & 1 ? constraint->body_a : constraint->body_b);
    }
}

void sn_world_put_to_sleep(sn_world *world, const int *bodies, int count)
{
    for (int i = 0; i < count; ++i) {
        sn_body *body = &world->bodies.data[bodies[i]];
        body->island_next = bodies[(i + 1) % count];
        body->linear_velocity = body->angular_velocity = sn_v(0.0f, 0.0f, 0.0f);
        sn_world_unlist_body(world, bodies[i]);
        report_sleep(world, bodies[i], true);
    }
}

// --- edges ---------------------------------------------------------------------------------------

static void contact_link(sn_world *world, int contact)
{
    sn_contact_data *data = &world->contacts.data[contact];
    for (int side = 0; side < 2; ++side) {
        sn_body *body = &world->bodies.data[side ? data->body_b : data->body_a];
        data->previous[side] = -1;
        data->next[side] = body->first_contact;
        if (body->first_contact >= 0) {
            world->contacts.data[body->first_contact >> 1].previous[body->first_contact & 1] =
                2 * contact + side;
        }
        body->first_contact = 2 * contact + side;
    }
}

static void contact_unlink(sn_world *world, int contact)
{
    sn_contact_data *data = &world->contacts.data[contact];
    for (int side = 0; side < 2; ++side) {
        sn_body *body = &world->bodies.data[side ? data->body_b : data->body_a];
        int previous = data->previous[side], next = data->next[side];
        if (previous >= 0) {
            world->contacts.data[previous >> 1].next[previous & 1] = next;
        } else {
            body->first_contact = next;
        }
        if (next >= 0) {
            world->contacts.data[next >> 1].previous[next & 1] = previous;
        }
    }
}

// One patch for every contact there is room for, which is all that convex shapes need: a pair that has long
// been near and touches at last must not cost a warm world an allocation.
static bool reserve_patches(sn_world *world, int first)
{
    for (int i = first; i < world->contacts.capacity; ++i) {
        sn_contact_data *contact = &world->contacts.data[i];
        contact->patches.data = sn_allocate_zero(1, sizeof *contact->patches.data);
        if (contact->patches.data == NULL) {
            return false;
        }
        contact->patches.capacity = 1;
    }
    return true;
}

static bool reserve_contact(sn_world *world)
{
    int capacity = world->contacts.capacity;
    return sn_id_pool_reserve(&world->contact_ids) && sn_pair_map_reserve(&world->pairs, 1) &&
           sn_array_reserve(&world->contacts, world->contacts.count + 1) &&
           reserve_patches(world, capacity) && sn_world_reserve_lists(world);
}

int sn_world_contact_add(sn_world *world, int shape_a, int shape_b)
{
    if (!reserve_contact(world)) {
        return -1;
    }
    const sn_shape_data *a = &world->shapes.data[shape_a], *b = &world->shapes.data[shape_b];
    if (!sn_contact_in_order(a, shape_a, b, shape_b)) {
        int swap = shape_a;
        shape_a = shape_b;
        shape_b = swap;
        a = &world->shapes.data[shape_a];
        b = &world->shapes.data[shape_b];
    }
    int index = sn_id_pool_take(&world->contact_ids);
    if (index >= world->contacts.count) {
        world->contacts.count = index + 1;
    }
    sn_contact_data *contact = &world->contacts.data[index];
    contact->shape_a = shape_a;
    contact->shape_b = shape_b;
    contact->body_a = a->body;
    contact->body_b = b->body;
    contact->active_index = -1;
    contact->touching = contact->separated = false;
    contact->patches.count = 0;
    sn_contact_mix_materials(contact, a, b);
    contact_link(world, index);
    sn_pair_map_add(&world->pairs, sn_pair_key(shape_a, shape_b), index);
    if (is_awake(world, contact->body_a) || is_awake(world, contact->body_b)) {
        activate_contact(world, index);
    }
    return index;
}

void sn_world_contact_remove(sn_world *world, int contact)
{
    sn_contact_data *data = &world->contacts.data[contact];
    if (data->touching && world->shapes.data[data->shape_a].contact_events &&
        world->shapes.data[data->shape_b].contact_events) {
        sn_touch_event event = {sn_shape_id(world, data->shape_a), sn_shape_id(world, data->shape_b)};
        (void)sn_array_push(&world->events.end.list, event);
    }
    deactivate_contact(world, contact);
    contact_unlink(world, contact);
    sn_pair_map_remove(&world->pairs, sn_pair_key(data->shape_a, data->shape_b));
    data->patches.count = 0; // its memory stays with the slot
    sn_id_pool_give_back(&world->contact_ids, contact);
}

void sn_world_contacts_remove(sn_world *world, int body, int other, int shape)
{
    for (int edge = world->bodies.data[body].first_contact; edge >= 0;) {
        const sn_contact_data *contact = &world->contacts.data[edge >> 1];
        int next = contact->next[edge & 1];
        bool with_other = other < 0 || contact->body_a == other || contact->body_b == other;
        bool with_shape = shape < 0 || contact->shape_a == shape || contact->shape_b == shape;
        if (with_other && with_shape) {
            sn_world_contact_remove(world, edge >> 1);
        }
        edge = next;
    }
}

void sn_world_constraint_link(sn_world *world, int constraint)
{
    sn_constraint_data *data = &world->constraints.data[constraint];
    data->active_index = -1;
    for (int side = 0; side < 2; ++side) {
        sn_body *body = &world->bodies.data[side ? data->body_b : data->body_a];
        data->previous[side] = -1;
        data->next[side] = body->first_constraint;
        if (body->first_constraint >= 0) {
            world->constraints.data[body->first_constraint >> 1].previous[body->first_constraint & 1] =
                2 * constraint + side;
        }
        body->first_constraint = 2 * constraint + side;
    }
    if (is_awake(world, data->body_a) || is_awake(world, data->body_b)) {
        activate_constraint(world, constraint);
    }
}

void sn_world_constraint_unlink(sn_world *world, int constraint)
{
    sn_constraint_data *data = &world->constraints.data[constraint];
    deactivate_constraint(world, constraint);
    for (int side = 0; side < 2; ++side) {
        sn_body *body = &world->bodies.data[side ? data->body_b : data->body_a];
        int previous = data->previous[side], next = data->next[side];
        if (previous >= 0) {
            world->constraints.data[previous >> 1].next[previous & 1] = next;
        } else {
            body->first_constraint = next;
        }
        if (next >= 0) {
            world->constraints.data[next >> 1].previous[next & 1] = previous;
        }
    }
}

bool sn_world_contact_forbidden(const sn_world *world, int body_a, int body_b)
{
    for (int edge = world->bodies.data[body_a].first_constraint; edge >= 0;
         edge = world->constraints.data[edge >> 1].next[edge & 1]) {
        const sn_constraint_data *constraint = &world->constraints.data[edge >> 1];
        int other = edge & 1 ? constraint->body_a : constraint->body_b;
        if (other == body_b && !constraint->definition.common.collide_connected) {
            return true;
        }
    }
    return false;
}

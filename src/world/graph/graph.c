// The graph of bodies and deformables, with contacts and constraints as edges: the lists of edges of each
// member, and which members are awake. A contact, or a constraint that is on, is active while one of its
// members is awake. The members of a sleeping island form a ring, so that waking one wakes all.
// Tested by tests/world/graph/test_sleep.c.
#include "world/core/world.h"

#include <string.h>

// --- two kinds of edges --------------------------------------------------------------------------

static int *first_contact(const sn_world *world, int member)
{
    return member & SN_SOFT_MEMBER ? NULL : &world->bodies.data[member].first_contact;
}

static int *first_constraint(const sn_world *world, int member)
{
    return member & SN_SOFT_MEMBER ? &world->deformables.data[member & ~SN_SOFT_MEMBER].first_constraint
                                   : &world->bodies.data[member].first_constraint;
}

static sn_edge_end contact_end(const sn_world *world, int edge)
{
    sn_contact_data *contact = &world->contacts.data[edge >> 1];
    int side = edge & 1;
    sn_edge_end end = {side ? contact->body_b : contact->body_a, side ? contact->body_a : contact->body_b,
                       &contact->previous[side], &contact->next[side]};
    return end;
}

static sn_edge_end constraint_end(const sn_world *world, int edge)
{
    sn_constraint_link *link = &world->constraint_links.data[edge >> 1];
    int side = edge & 1;
    sn_edge_end end = {link->member[side], link->member[1 - side], &link->previous[side], &link->next[side]};
    return end;
}

static int *contact_place(const sn_world *world, int contact)
{
    return &world->contacts.data[contact].active_index;
}

static int *constraint_place(const sn_world *world, int constraint)
{
    return &world->constraint_links.data[constraint].active_index;
}

static bool contact_is_on(const sn_world *world, int contact)
{
    (void)world;
    (void)contact;
    return true;
}

static bool constraint_is_on(const sn_world *world, int constraint)
{
    return world->constraint_links.data[constraint].is_on;
}

static sn_index_list active_contacts(sn_world *world)
{
    return (sn_index_list){world->active_contacts.data, &world->active_contacts.count};
}

// Whoever asks for this list changes it.
static sn_index_list active_constraints(sn_world *world)
{
    world->active.is_fresh = world->active.holds_fresh = false;
    return (sn_index_list){world->active_constraints.data, &world->active_constraints.count};
}

const sn_edge_kind sn_edge_kinds[SN_EDGE_KINDS] = {
    [SN_CONTACT_EDGES] = {"contacts", first_contact, contact_end, contact_place, contact_is_on,
                          active_contacts},
    [SN_CONSTRAINT_EDGES] = {"constraints", first_constraint, constraint_end, constraint_place,
                             constraint_is_on, active_constraints}};

// --- lists of indices whose members know their place ---------------------------------------------

static void list_add(sn_index_list list, int *place, int member)
{
    *place = *list.count;
    list.data[(*list.count)++] = member;
}

// Removes a member by moving the last one to its place; returns that one, whose place must be updated.
static int list_remove(sn_index_list list, const int *place)
{
    int last = list.data[--*list.count];
    list.data[*place] = last;
    return last;
}

bool sn_world_reserve_lists(sn_world *world)
{
    return sn_array_reserve(&world->awake_bodies, world->bodies.count + 1) &&
           sn_array_reserve(&world->active_contacts, world->contacts.count + 1) &&
           sn_array_reserve(&world->met_contacts, world->contacts.count + 1) &&
           sn_array_reserve(&world->active_constraints, world->constraints.count + 1) &&
           sn_array_reserve(&world->active.pairs, world->constraints.count + 1) &&
           sn_array_reserve(&world->active.bodies, world->constraints.count + 1) &&
           sn_array_reserve(&world->active.nodes, world->constraints.count + 1) &&
           sn_array_reserve(&world->active.breakable, world->constraints.count + 1) &&
           sn_array_reserve(&world->events.sleeps.list, world->bodies.count + 1) &&
           sn_array_reserve(&world->events.deformable_sleeps.list, world->deformables.count + 1);
}

void sn_world_list_met_contacts(sn_world *world)
{
    int count = 0, *met = world->met_contacts.data;
    for (int i = 0; i < world->active_contacts.count; ++i) {
        int contact = world->active_contacts.data[i];
        if (world->contacts.data[contact].patches.count > 0) {
            met[count++] = contact;
        }
    }
    world->met_contacts.count = count;
}

static void activate(sn_world *world, const sn_edge_kind *kind, int index)
{
    int *place = kind->place_of(world, index);
    if (*place < 0 && kind->is_on(world, index)) {
        list_add(kind->active_list(world), place, index);
    }
}

static void deactivate(sn_world *world, const sn_edge_kind *kind, int index)
{
    int *place = kind->place_of(world, index);
    if (*place >= 0) {
        int last = list_remove(kind->active_list(world), place);
        *kind->place_of(world, last) = *place;
        *place = -1;
    }
}

bool sn_world_member_is_awake(const sn_world *world, int member)
{
    if (member & SN_SOFT_MEMBER) {
        return !sn_deformable_sleeps(&world->deformables.data[member & ~SN_SOFT_MEMBER]);
    }
    return world->bodies.data[member].awake_index >= 0;
}

// --- edges in the lists of their members ---------------------------------------------------------

static void link_edge(sn_world *world, const sn_edge_kind *kind, int index)
{
    for (int edge = 2 * index; edge <= 2 * index + 1; ++edge) {
        sn_edge_end end = kind->end_of(world, edge);
        *end.previous = *end.next = -1;
        if (end.member < 0) {
            continue;
        }
        int *first = kind->first_of(world, end.member);
        *end.next = *first;
        if (*first >= 0) {
            *kind->end_of(world, *first).previous = edge;
        }
        *first = edge;
        if (sn_world_member_is_awake(world, end.member)) {
            activate(world, kind, index);
        }
    }
}

static void unlink_edge(sn_world *world, const sn_edge_kind *kind, int index)
{
    deactivate(world, kind, index);
    for (int edge = 2 * index; edge <= 2 * index + 1; ++edge) {
        sn_edge_end end = kind->end_of(world, edge);
        if (end.member < 0) {
            continue;
        }
        if (*end.previous >= 0) {
            *kind->end_of(world, *end.previous).next = *end.next;
        } else {
            *kind->first_of(world, end.member) = *end.next;
        }
        if (*end.next >= 0) {
            *kind->end_of(world, *end.next).previous = *end.previous;
        }
    }
}

// --- waking and sleeping -------------------------------------------------------------------------

// After a member woke: activates its edges.
static void activate_edges(sn_world *world, int member)
{
    for (int k = 0; k < SN_EDGE_KINDS; ++k) {
        const sn_edge_kind *kind = &sn_edge_kinds[k];
        const int *first = kind->first_of(world, member);
        for (int edge = first != NULL ? *first : -1; edge >= 0; edge = *kind->end_of(world, edge).next) {
            activate(world, kind, edge >> 1);
        }
    }
}

// After a member fell asleep: deactivates its edges whose other member is not awake.
static void deactivate_edges(sn_world *world, int member)
{
    for (int k = 0; k < SN_EDGE_KINDS; ++k) {
        const sn_edge_kind *kind = &sn_edge_kinds[k];
        const int *first = kind->first_of(world, member);
        for (int edge = first != NULL ? *first : -1; edge >= 0; edge = *kind->end_of(world, edge).next) {
            int other = kind->end_of(world, edge).other;
            if (other < 0 || !sn_world_member_is_awake(world, other)) {
                deactivate(world, kind, edge >> 1);
            }
        }
    }
}

// Lists a body as awake, and activates its edges.
static void list_body(sn_world *world, int body)
{
    sn_body *data = &world->bodies.data[body];
    if (data->awake_index >= 0) {
        return;
    }
    sn_index_list awake = {world->awake_bodies.data, &world->awake_bodies.count};
    list_add(awake, &data->awake_index, body);
    world->soft.asleep_count = 0;
    activate_edges(world, body);
}

void sn_world_unlist_body(sn_world *world, int body)
{
    sn_body *data = &world->bodies.data[body];
    if (data->awake_index < 0) {
        return;
    }
    sn_index_list awake = {world->awake_bodies.data, &world->awake_bodies.count};
    int last = list_remove(awake, &data->awake_index);
    world->bodies.data[last].awake_index = data->awake_index;
    data->awake_index = -1;
    deactivate_edges(world, body);
}

static void report_sleep(sn_world *world, int member, bool asleep)
{
    if (member & SN_SOFT_MEMBER) {
        sn_deformable_sleep_event event = {sn_deformable_id(world, member & ~SN_SOFT_MEMBER), asleep};
        (void)sn_array_push(&world->events.deformable_sleeps.list, event);
    } else {
        sn_sleep_event event = {sn_rigid_id(world, member), asleep};
        (void)sn_array_push(&world->events.sleeps.list, event);
    }
}

static int *island_next_of(const sn_world *world, int member)
{
    return member & SN_SOFT_MEMBER ? &world->deformables.data[member & ~SN_SOFT_MEMBER].island_next
                                   : &world->bodies.data[member].island_next;
}

bool sn_world_member_sleeps(const sn_world *world, int member)
{
    return *island_next_of(world, member) >= 0;
}

// What it stores is known unless users have changed it.
static void begin_to_move(sn_world *world, int member, bool is_known)
{
    if (member & SN_SOFT_MEMBER) {
        sn_deformable_data *data = &world->deformables.data[member & ~SN_SOFT_MEMBER];
        data->rest_time = 0.0f;
        data->energy.is_known = data->energy.is_known && is_known;
    } else {
        sn_body *body = &world->bodies.data[member];
        body->rest_time = body->still_time = 0.0f;
        body->energy.is_known = body->energy.is_known && is_known;
        body->releases |= body->is_supported;
        body->is_supported = false;
        list_body(world, member);
    }
}

static void wake_ring(sn_world *world, int first, bool is_known)
{
    world->soft.asleep_count = 0;
    for (int member = first;;) {
        int *place = island_next_of(world, member), next = *place;
        *place = -1;
        begin_to_move(world, member, is_known);
        if (member & SN_SOFT_MEMBER) {
            activate_edges(world, member);
        }
        report_sleep(world, member, false);
        if (next == first) {
            return;
        }
        member = next;
    }
}

static void wake(sn_world *world, int member, bool is_known)
{
    bool is_body = (member & SN_SOFT_MEMBER) == 0;
    if (is_body && (world->bodies.data[member].type == SN_STATIC || world->bodies.data[member].frozen)) {
        return;
    }
    if (sn_world_member_sleeps(world, member)) {
        wake_ring(world, member, is_known);
    } else {
        begin_to_move(world, member, is_known);
    }
}

void sn_world_wake_member(sn_world *world, int member)
{
    wake(world, member, world->locked);
}

void sn_world_wake_pushed(sn_world *world, int member)
{
    wake(world, member, true);
}

void sn_world_wake(sn_world *world, int body)
{
    sn_world_wake_member(world, body);
}

void sn_world_wake_deformable(sn_world *world, int deformable)
{
    sn_world_wake_member(world, sn_soft_member(deformable));
}

// Wakes everything that constraints hold to a member.
static void wake_held(sn_world *world, int member)
{
    for (int edge = *first_constraint(world, member); edge >= 0; edge = sn_next_constraint(world, edge)) {
        int other = sn_constraint_other(world, edge);
        if (other >= 0 && constraint_is_on(world, edge >> 1)) {
            sn_world_wake_pushed(world, other);
        }
    }
}

bool sn_world_soft_contact_members(const sn_world *world, const sn_soft_contact_data *contact, int members[2])
{
    if (!sn_soft_is_current(world, &contact->key)) {
        return false;
    }
    int other = (int)(contact->key.other & ~SN_SOFT_OTHER_DEFORMABLE);
    members[0] = sn_soft_member((int)contact->key.deformable);
    members[1] = contact->body >= 0 ? contact->body : sn_soft_member(other);
    return true;
}

bool sn_world_soft_contact_joins(const sn_world *world, const sn_soft_contact_data *contact, int members[2])
{
    bool joins = contact->closes || contact->normal_impulse > 0.0f;
    return joins && sn_world_soft_contact_members(world, contact, members);
}

// Wakes everything that touches a member, one of the two being a deformable.
static void wake_soft_touched(sn_world *world, int member)
{
    for (int i = 0; i < world->soft.contacts.count; ++i) {
        int members[2];
        bool joins = sn_world_soft_contact_joins(world, &world->soft.contacts.data[i], members);
        for (int side = 0; joins && side < 2; ++side) {
            if (members[side] == member) {
                sn_world_wake_pushed(world, members[1 - side]);
            }
        }
    }
}

static void wake_touched(sn_world *world, const sn_body *data)
{
    for (int edge = data->first_contact; edge >= 0; edge = world->contacts.data[edge >> 1].next[edge & 1]) {
        const sn_contact_data *contact = &world->contacts.data[edge >> 1];
        // Contacts of bodies that were added asleep have not been updated yet.
        if (contact->patches.count > 0 || contact->active_index < 0) {
            sn_world_wake_pushed(world, edge & 1 ? contact->body_a : contact->body_b);
        }
    }
}

void sn_world_wake_neighbors(sn_world *world, int member)
{
    if ((member & SN_SOFT_MEMBER) == 0) {
        wake_touched(world, &world->bodies.data[member]);
    }
    wake_held(world, member);
    wake_soft_touched(world, member);
}

static void stop_nodes(sn_world *world, const sn_deformable_data *data)
{
    memset(world->nodes.velocities.data + data->first_node, 0,
           (size_t)data->node_count * sizeof *world->nodes.velocities.data);
}

void sn_world_put_to_sleep(sn_world *world, const int *members, int count)
{
    for (int i = 0; i < count; ++i) {
        int member = members[i];
        *island_next_of(world, member) = members[(i + 1) % count];
        if (member & SN_SOFT_MEMBER) {
            stop_nodes(world, &world->deformables.data[member & ~SN_SOFT_MEMBER]);
            deactivate_edges(world, member);
        } else {
            sn_body *body = &world->bodies.data[member];
            body->linear_velocity = body->angular_velocity = sn_v(0.0f, 0.0f, 0.0f);
            sn_world_unlist_body(world, member);
        }
        report_sleep(world, member, true);
    }
}

// --- contacts and constraints come and go --------------------------------------------------------

// With room for one patch, which is all that convex shapes need, so that the narrow phase need not run twice
// when the pair touches.
static bool reserve_contact(sn_world *world, sn_patch_list *patches)
{
    return sn_id_pool_reserve(&world->contact_ids) && sn_pair_map_reserve(&world->pairs, 1) &&
           sn_array_reserve(&world->contacts, world->contacts.count + 1) && sn_world_reserve_lists(world) &&
           sn_patch_pool_grow(&world->patch_pool, patches, 1);
}

int sn_world_contact_add(sn_world *world, int shape_a, int shape_b)
{
    sn_patch_list patches = {0};
    if (!reserve_contact(world, &patches)) {
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
    contact->touching = contact->separated = contact->is_ignored = contact->is_overlap = false;
    contact->sub_step = 0.0f;
    contact->patches = patches;
    sn_contact_mix_materials(contact, a, b);
    sn_pair_map_add(&world->pairs, sn_pair_key(shape_a, shape_b), index);
    link_edge(world, &sn_edge_kinds[SN_CONTACT_EDGES], index);
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
    unlink_edge(world, &sn_edge_kinds[SN_CONTACT_EDGES], contact);
    sn_pair_map_remove(&world->pairs, sn_pair_key(data->shape_a, data->shape_b));
    sn_patch_pool_give_back(&world->patch_pool, &data->patches);
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
    world->constraint_links.data[constraint].active_index = -1;
    world->active.bounds_fresh = false;
    link_edge(world, &sn_edge_kinds[SN_CONSTRAINT_EDGES], constraint);
}

void sn_world_constraint_unlink(sn_world *world, int constraint)
{
    world->active.bounds_fresh = false;
    unlink_edge(world, &sn_edge_kinds[SN_CONSTRAINT_EDGES], constraint);
}

static void sort_constraint(const sn_world *world, sn_active_parts *parts, int index)
{
    const sn_constraint_link *link = &world->constraint_links.data[index];
    const sn_member_pair pair = {{link->member[0], link->member[1]}};
    const sn_member_pair *last = parts->pairs.count > 0 ? &parts->pairs.data[parts->pairs.count - 1] : NULL;
    if (last == NULL || last->member[0] != pair.member[0] || last->member[1] != pair.member[1]) {
        parts->pairs.data[parts->pairs.count++] = pair;
    }
    bool is_exact = world->constraints.data[index].definition.common.exact;
    bool is_soft = sn_member_is_soft(link->member[0]) || sn_member_is_soft(link->member[1]);
    if (!is_exact && is_soft) {
        parts->nodes.data[parts->nodes.count++] = index;
    } else if (!is_exact) {
        parts->bodies.data[parts->bodies.count++] = index;
    }
    if (link->can_break) {
        parts->breakable.data[parts->breakable.count++] = index;
    }
}

const sn_active_parts *sn_world_active_parts(sn_world *world)
{
    sn_active_parts *parts = &world->active;
    if (!parts->is_fresh) {
        parts->pairs.count = parts->bodies.count = parts->nodes.count = parts->breakable.count = 0;
        for (int i = 0; i < world->active_constraints.count; ++i) {
            sort_constraint(world, parts, world->active_constraints.data[i]);
        }
        parts->is_fresh = true;
    }
    return parts;
}

bool sn_world_contact_forbidden(const sn_world *world, int body_a, int body_b)
{
    for (int edge = world->bodies.data[body_a].first_constraint; edge >= 0;
         edge = sn_next_constraint(world, edge)) {
        const sn_constraint_data *constraint = &world->constraints.data[edge >> 1];
        if (sn_constraint_other(world, edge) == body_b && constraint_is_on(world, edge >> 1) &&
            !constraint->definition.common.collide_connected) {
            return true;
        }
    }
    return false;
}

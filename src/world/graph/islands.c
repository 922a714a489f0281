// Islands: bodies and deformables held together by contacts and constraints. They wake together and,
// once all of them have rested long enough, sleep together.
// Tested by tests/world/graph/test_sleep.c.
#include "base/union_find.h"
#include "world/core/world.h"

static bool is_awake_dynamic(const sn_world *world, int body)
{
    return sn_body_is_dynamic(&world->bodies.data[body]) && world->bodies.data[body].awake_index >= 0;
}

// --- waking --------------------------------------------------------------------------------------

static bool moves(const sn_body *body)
{
    return body->awake_index >= 0;
}

// Whether something woke.
static bool wake_across_soft_contacts(sn_world *world)
{
    bool woke = false;
    for (int i = world->soft.asleep_count; i < world->soft.contacts.count; ++i) {
        int members[2];
        bool joins = sn_world_soft_contact_joins(world, &world->soft.contacts.data[i], members);
        for (int side = 0; joins && side < 2; ++side) {
            int here = members[side], there = members[1 - side];
            if (sn_world_member_is_awake(world, here) && sn_world_member_sleeps(world, there)) {
                sn_world_wake_member(world, there);
                woke = true;
            }
        }
    }
    return woke;
}

static void wake_across_contacts(sn_world *world)
{
    // The list grows while islands wake: their contacts are appended and visited as well.
    for (int i = 0; i < world->active_contacts.count; ++i) {
        const sn_contact_data *contact = &world->contacts.data[world->active_contacts.data[i]];
        if (contact->patches.count == 0) {
            continue;
        }
        int a = contact->body_a, b = contact->body_b;
        const sn_body *body_a = &world->bodies.data[a], *body_b = &world->bodies.data[b];
        if (moves(body_a) && body_b->island_next >= 0) {
            sn_world_wake(world, b);
        } else if (moves(body_b) && body_a->island_next >= 0) {
            sn_world_wake(world, a);
        }
    }
}

// Members that wake activate constraints of their own, so the list is visited until nothing wakes.
static void wake_across_constraints(sn_world *world)
{
    for (bool woke = true; woke;) {
        const sn_active_parts *parts = sn_world_active_parts(world);
        woke = false;
        for (int i = 0; i < parts->pairs.count; ++i) {
            for (int side = 0; side < 2; ++side) {
                int member = parts->pairs.data[i].member[side];
                if (member >= 0 && sn_world_member_sleeps(world, member)) {
                    sn_world_wake_member(world, member);
                    woke = true;
                }
            }
        }
    }
}

bool sn_stage_islands(sn_world *world, float duration)
{
    (void)duration;
    do {
        wake_across_contacts(world);
        wake_across_constraints(world);
    } while (wake_across_soft_contacts(world));
    return true;
}

// --- finding islands -----------------------------------------------------------------------------

int sn_island_root(const sn_islands *sets, int i)
{
    return sn_union_find_root(sets->parent, i);
}

int sn_island_place(const sn_world *world, const sn_islands *sets, int member)
{
    if (member < 0) {
        return -1;
    }
    if (member & SN_SOFT_MEMBER) {
        int index = member & ~SN_SOFT_MEMBER;
        return sn_deformable_sleeps(&world->deformables.data[index]) ? -1 : sets->body_count + index;
    }
    return is_awake_dynamic(world, member) ? world->bodies.data[member].awake_index : -1;
}

// The member at a place; −1 for a deformable that sleeps or does not exist.
static int member_at(const sn_world *world, const sn_islands *sets, int place)
{
    if (place < sets->body_count) {
        return world->awake_bodies.data[place];
    }
    int index = place - sets->body_count;
    bool takes_part = sn_id_pool_in_use(&world->deformable_ids, index) &&
                      !sn_deformable_sleeps(&world->deformables.data[index]);
    return takes_part ? sn_soft_member(index) : -1;
}

void sn_islands_join(const sn_world *world, const sn_islands *sets, int a, int b)
{
    int place_a = sn_island_place(world, sets, a), place_b = sn_island_place(world, sets, b);
    if (place_a >= 0 && place_b >= 0) {
        sn_union_find_join(sets->parent, NULL, place_a, place_b);
    }
}

bool sn_world_find_islands(sn_world *world, bool all_contacts, sn_islands *sets)
{
    sets->body_count = world->awake_bodies.count;
    sets->count = sets->body_count + world->deformables.count;
    sets->parent = sn_arena_take(&world->arena, (size_t)sets->count, sizeof(int));
    if (sets->parent == NULL) {
        return false;
    }
    for (int i = 0; i < sets->count; ++i) {
        sets->parent[i] = i;
    }
    for (int i = 0; i < world->met_contacts.count; ++i) {
        const sn_contact_data *contact = &world->contacts.data[world->met_contacts.data[i]];
        sn_islands_join(world, sets, contact->body_a, contact->body_b);
    }
    const sn_active_parts *parts = sn_world_active_parts(world);
    for (int i = 0; i < parts->pairs.count; ++i) {
        sn_islands_join(world, sets, parts->pairs.data[i].member[0], parts->pairs.data[i].member[1]);
    }
    for (int i = world->soft.asleep_count; i < world->soft.contacts.count; ++i) {
        const sn_soft_contact_data *contact = &world->soft.contacts.data[i];
        int members[2];
        if (all_contacts ? sn_world_soft_contact_members(world, contact, members)
                         : sn_world_soft_contact_joins(world, contact, members)) {
            sn_islands_join(world, sets, members[0], members[1]);
        }
    }
    return true;
}

// --- sleeping ------------------------------------------------------------------------------------

static float rim_speed(const sn_body *body)
{
    return sn_length(body->linear_velocity) + sn_length(body->angular_velocity) * body->outer_radius;
}

// The mean speed of the body in this step. A body that is pushed out of an overlap moves without a velocity.
static float speed_gone(const sn_body *body, const sn_start_pose *start, float duration)
{
    sn_quat turn = sn_quat_multiply(body->rotation, sn_quat_conjugate(start->rotation));
    float angle = 2.0f * sn_length(sn_v(turn.x, turn.y, turn.z));
    return (sn_distance_between(body->center, start->center) + angle * body->outer_radius) / duration;
}

static bool is_parent(const sn_body *body)
{
    return body->type == SN_KINEMATIC && moves(body);
}

// Whether a moving kinematic body touches it: then it does not rest.
static bool is_carried(const sn_world *world, const sn_body *body)
{
    for (int edge = body->first_contact; edge >= 0; edge = world->contacts.data[edge >> 1].next[edge & 1]) {
        const sn_contact_data *contact = &world->contacts.data[edge >> 1];
        int other = edge & 1 ? contact->body_a : contact->body_b;
        if (contact->patches.count > 0 && is_parent(&world->bodies.data[other])) {
            return true;
        }
    }
    return false;
}

static float *rest_time_of(const sn_world *world, int member)
{
    return member & SN_SOFT_MEMBER ? &world->deformables.data[member & ~SN_SOFT_MEMBER].rest_time
                                   : &world->bodies.data[member].rest_time;
}

// What a moving kinematic body holds by a constraint, or touches if it is a deformable, does not rest either.
static void disturb(const sn_world *world, const int members[2])
{
    for (int side = 0; side < 2 && members[0] >= 0 && members[1] >= 0; ++side) {
        int here = members[side];
        if ((here & SN_SOFT_MEMBER) == 0 && is_parent(&world->bodies.data[here])) {
            *rest_time_of(world, members[1 - side]) = 0.0f;
        }
    }
}

static void disturb_held(sn_world *world)
{
    const sn_active_parts *parts = sn_world_active_parts(world);
    for (int i = 0; i < parts->pairs.count; ++i) {
        disturb(world, parts->pairs.data[i].member);
    }
    for (int i = world->soft.asleep_count; i < world->soft.contacts.count; ++i) {
        int members[2];
        if (sn_world_soft_contact_joins(world, &world->soft.contacts.data[i], members)) {
            disturb(world, members);
        }
    }
}

// Those of deformables are updated in deformables_step.c.
static void update_rest_times(sn_world *world, float duration)
{
    for (int i = 0; i < world->awake_bodies.count; ++i) {
        sn_body *body = &world->bodies.data[world->awake_bodies.data[i]];
        // Only kinematic bodies may have woken since the step began; they have no start pose.
        float speed = body->type == SN_DYNAMIC ? speed_gone(body, &world->start_poses[i], duration) : 0.0f;
        bool slow = sn_max(speed, rim_speed(body)) < world->def.sleep_speed;
        bool rests = body->allow_sleep && slow && !is_carried(world, body);
        body->rest_time = rests ? body->rest_time + duration : 0.0f;
    }
    disturb_held(world);
}

// Kinematic bodies that stand still, and frozen ones, take no part in the next step.
static void unlist_idle_bodies(sn_world *world)
{
    for (int i = world->awake_bodies.count - 1; i >= 0; --i) {
        int index = world->awake_bodies.data[i];
        const sn_body *body = &world->bodies.data[index];
        bool still = body->type == SN_KINEMATIC && !body->has_target && rim_speed(body) == 0.0f;
        if (still || body->frozen) {
            sn_world_unlist_body(world, index);
        }
    }
}

// Each island as a list from its root, in the order of places, and the shortest time that one of its members
// has rested. Made before any of them falls asleep, because places change then.
typedef struct island_lists {
    int *member, *next, *last; // by place; −1 for no member, and at the end
    float *least;              // by root
} island_lists;

static bool list_islands(sn_world *world, const sn_islands *sets, island_lists *lists)
{
    size_t count = (size_t)sets->count;
    lists->member = sn_arena_take(&world->arena, count, sizeof(int));
    lists->next = sn_arena_take(&world->arena, count, sizeof(int));
    lists->last = sn_arena_take(&world->arena, count, sizeof(int));
    lists->least = sn_arena_take(&world->arena, count, sizeof(float));
    if (!lists->member || !lists->next || !lists->last || !lists->least) {
        return false;
    }
    for (int i = 0; i < sets->count; ++i) {
        int root = sn_island_root(sets, i);
        lists->member[i] = member_at(world, sets, i);
        lists->next[i] = -1;
        float rest = lists->member[i] >= 0 ? *rest_time_of(world, lists->member[i]) : 0.0f;
        if (root == i) {
            lists->least[i] = rest;
        } else {
            lists->least[root] = sn_min(lists->least[root], rest);
            lists->next[lists->last[root]] = i;
        }
        lists->last[root] = i;
    }
    return true;
}

static bool can_sleep(const sn_world *world, int member)
{
    return member >= 0 && ((member & SN_SOFT_MEMBER) || sn_body_is_dynamic(&world->bodies.data[member]));
}

// --- what drifts -------------------------------------------------------------------------------------------

// Slower than this part of the speed of sleep, what drifts stands still.
#define DRIFTING 0.001f

static bool is_immovable(const sn_world *world, int member)
{
    return member < 0 || (!sn_member_is_soft(member) && !sn_body_is_dynamic(&world->bodies.data[member]));
}

static bool is_held_by_contact(const sn_world *world, const sn_body *body)
{
    for (int edge = body->first_contact; edge >= 0; edge = world->contacts.data[edge >> 1].next[edge & 1]) {
        const sn_contact_data *contact = &world->contacts.data[edge >> 1];
        if (contact->patches.count > 0 && is_immovable(world, edge & 1 ? contact->body_a : contact->body_b)) {
            return true;
        }
    }
    return false;
}

static bool may_soft_settle(const sn_world *world, int member)
{
    const sn_deformable_data *data = &world->deformables.data[member & ~SN_SOFT_MEMBER];
    bool is_held = data->def.linear_damping > 0.0f || data->def.drag > 0.0f;
    for (int i = data->first_node; i < data->first_node + data->node_count && !is_held; ++i) {
        is_held = !(world->nodes.states.data[i].inverse_mass > 0.0f);
    }
    for (int edge = data->first_constraint; edge >= 0 && !is_held; edge = sn_next_constraint(world, edge)) {
        is_held = is_immovable(world, sn_constraint_other(world, edge));
    }
    for (int i = world->soft.asleep_count; i < world->soft.contacts.count && !is_held; ++i) {
        int members[2];
        is_held = sn_world_soft_contact_joins(world, &world->soft.contacts.data[i], members) &&
                  members[0] == member && is_immovable(world, members[1]);
    }
    return is_held;
}

// Whether something that is not dynamic may stop it, or gravity let it settle.
static bool may_settle(const sn_world *world, int member)
{
    if (sn_length_squared(world->def.gravity) > 0.0f) {
        return true;
    }
    if (sn_member_is_soft(member)) {
        return may_soft_settle(world, member);
    }
    const sn_body *body = &world->bodies.data[member];
    for (int edge = body->first_constraint; edge >= 0; edge = sn_next_constraint(world, edge)) {
        if (is_immovable(world, sn_constraint_other(world, edge))) {
            return true;
        }
    }
    return body->locks != 0 || body->linear_damping > 0.0f || is_held_by_contact(world, body);
}

static void add_momentum(double momentum[3], double *mass, float part, sn_vec3 velocity)
{
    *mass += (double)part;
    momentum[0] += (double)part * (double)velocity.x;
    momentum[1] += (double)part * (double)velocity.y;
    momentum[2] += (double)part * (double)velocity.z;
}

// What drifts on together without weight is not at rest, however slow: asleep it would lose its
// momentum.
static bool is_adrift(const sn_world *world, const int *members, int count)
{
    double mass = 0.0, momentum[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < count; ++i) {
        if (may_settle(world, members[i])) {
            return false;
        }
        if (sn_member_is_soft(members[i])) {
            const sn_deformable_data *data = &world->deformables.data[members[i] & ~SN_SOFT_MEMBER];
            for (int k = data->first_node; k < data->first_node + data->node_count; ++k) {
                add_momentum(momentum, &mass, world->nodes.masses.data[k],
                             world->nodes.velocities.data[k].velocity);
            }
        } else {
            const sn_body *body = &world->bodies.data[members[i]];
            add_momentum(momentum, &mass, body->mass, body->linear_velocity);
        }
    }
    double least = (double)(DRIFTING * world->def.sleep_speed) * mass;
    return momentum[0] * momentum[0] + momentum[1] * momentum[1] + momentum[2] * momentum[2] > least * least;
}

// Puts every island to sleep all of whose members have rested long enough, if islands may sleep, and counts
// the others. Does nothing without memory.
static void sleep_rested_islands(sn_world *world, const sn_islands *sets)
{
    island_lists lists;
    int *members = sn_arena_take(&world->arena, (size_t)sets->count, sizeof(int)), islands = 0;
    if (members == NULL || !list_islands(world, sets, &lists)) {
        return;
    }
    for (int i = 0; i < sets->count; ++i) {
        if (sets->parent[i] != i || !can_sleep(world, lists.member[i])) {
            continue;
        }
        if (!world->def.sleep || lists.least[i] < world->def.sleep_time) {
            ++islands;
            continue;
        }
        int size = 0;
        for (int k = i; k >= 0; k = lists.next[k]) {
            members[size++] = lists.member[k];
        }
        if (is_adrift(world, members, size)) {
            ++islands;
        } else {
            sn_world_put_to_sleep(world, members, size);
        }
    }
    world->last.island_count = islands;
}

void sn_stage_sleep(sn_world *world, float duration)
{
    update_rest_times(world, duration);
    sn_islands sets;
    sn_world_list_met_contacts(world); // what woke brings its own
    if (sn_world_find_islands(world, false, &sets)) {
        sleep_rested_islands(world, &sets);
    }
    unlist_idle_bodies(world);
}

bool sn_world_sleep_island_of(sn_world *world, int member)
{
    sn_islands sets;
    sn_arena_reset(&world->arena);
    sn_world_list_met_contacts(world);
    if (!sn_world_find_islands(world, false, &sets)) {
        return false;
    }
    int *members = sn_arena_take(&world->arena, (size_t)sets.count, sizeof(int));
    if (members == NULL) {
        return false;
    }
    int root = sn_island_root(&sets, sn_island_place(world, &sets, member)), size = 0;
    for (int i = 0; i < sets.count; ++i) {
        if (sn_island_root(&sets, i) == root) {
            members[size++] = member_at(world, &sets, i);
        }
    }
    sn_world_put_to_sleep(world, members, size);
    return true;
}

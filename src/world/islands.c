// Islands: bodies held together by contacts and constraints. They wake together and, once all of them have
// rested long enough, sleep together.
#include "world/world.h"

static bool is_awake_dynamic(const sn_world *world, int body)
{
    return sn_body_is_dynamic(&world->bodies.data[body]) && world->bodies.data[body].awake_index >= 0;
}

// --- waking --------------------------------------------------------------------------------------

static bool moves(const sn_body *body)
{
    return body->awake_index >= 0;
}

bool sn_stage_islands(sn_world *world, float duration)
{
    (void)duration;
    // The list grows while islands wake: their contacts are appended and looked at in turn.
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
    for (int i = 0; i < world->active_constraints.count; ++i) {
        const sn_constraint_data *constraint = &world->constraints.data[world->active_constraints.data[i]];
        int a = constraint->body_a, b = constraint->body_b;
        if (world->bodies.data[a].island_next >= 0) {
            sn_world_wake(world, a);
        }
        if (world->bodies.data[b].island_next >= 0) {
            sn_world_wake(world, b);
        }
    }
    return true;
}

// --- finding islands -----------------------------------------------------------------------------

typedef struct union_find {
    int *parent; // by place in the list of awake bodies
} union_find;

static int find_root(const union_find *sets, int i)
{
    while (sets->parent[i] != i) {
        sets->parent[i] = sets->parent[sets->parent[i]];
        i = sets->parent[i];
    }
    return i;
}

// The lower number becomes the root, so that roots do not depend on the order of joining.
static void join(const union_find *sets, int a, int b)
{
    a = find_root(sets, a);
    b = find_root(sets, b);
    if (a < b) {
        sets->parent[b] = a;
    } else {
        sets->parent[a] = b;
    }
}

static void join_bodies(const sn_world *world, const union_find *sets, int a, int b)
{
    if (is_awake_dynamic(world, a) && is_awake_dynamic(world, b)) {
        join(sets, world->bodies.data[a].awake_index, world->bodies.data[b].awake_index);
    }
}

// Sets of awake bodies; null without memory.
static bool make_sets(sn_world *world, union_find *sets)
{
    int count = world->awake_bodies.count;
    sets->parent = sn_arena_take(&world->arena, (size_t)count, sizeof(int));
    if (sets->parent == NULL) {
        return false;
    }
    for (int i = 0; i < count; ++i) {
        sets->parent[i] = i;
    }
    for (int i = 0; i < world->active_contacts.count; ++i) {
        const sn_contact_data *contact = &world->contacts.data[world->active_contacts.data[i]];
        if (contact->patches.count > 0) {
            join_bodies(world, sets, contact->body_a, contact->body_b);
        }
    }
    for (int i = 0; i < world->active_constraints.count; ++i) {
        const sn_constraint_data *constraint = &world->constraints.data[world->active_constraints.data[i]];
        join_bodies(world, sets, constraint->body_a, constraint->body_b);
    }
    return true;
}

// --- sleeping ------------------------------------------------------------------------------------

static float rim_speed(const sn_body *body)
{
    return sn_length(body->linear_velocity) + sn_length(body->angular_velocity) * body->outer_radius;
}

// How fast the body went from its start pose to where it is. Pushed out of something it goes without having a
// velocity: pushing leaves none behind.
static float speed_gone(const sn_body *body, const sn_start_pose *start, float duration)
{
    sn_quat turn = sn_quat_multiply(body->rotation, sn_quat_conjugate(start->rotation));
    float angle = 2.0f * sn_length(sn_v(turn.x, turn.y, turn.z));
    return (sn_distance_between(body->center, start->center) + angle * body->outer_radius) / duration;
}

static bool is_carrier(const sn_body *body)
{
    return body->type == SN_KINEMATIC && moves(body);
}

// Touched or held by something kinematic that moves: no rest there.
static bool is_carried(const sn_world *world, const sn_body *body)
{
    for (int edge = body->first_contact; edge >= 0; edge = world->contacts.data[edge >> 1].next[edge & 1]) {
        const sn_contact_data *contact = &world->contacts.data[edge >> 1];
        int other = edge & 1 ? contact->body_a : contact->body_b;
        if (contact->patches.count > 0 && is_carrier(&world->bodies.data[other])) {
            return true;
        }
    }
    for (int edge = body->first_constraint; edge >= 0;
         edge = world->constraints.data[edge >> 1].next[edge & 1]) {
        const sn_constraint_data *constraint = &world->constraints.data[edge >> 1];
        if (is_carrier(&world->bodies.data[edge & 1 ? constraint->body_a : constraint->body_b])) {
            return true;
        }
    }
    return false;
}

static void update_rest_times(sn_world *world, float duration)
{
    for (int i = 0; i < world->awake_bodies.count; ++i) {
        sn_body *body = &world->bodies.data[world->awake_bodies.data[i]];
        // What woke since the step began is kinematic and has no start pose.
        float speed = body->type == SN_DYNAMIC ? speed_gone(body, &world->start_poses[i], duration) : 0.0f;
        bool slow = sn_max(speed, rim_speed(body)) < world->def.sleep_speed;
        bool rests = body->allow_sleep && slow && !is_carried(world, body);
        body->rest_time = rests ? body->rest_time + duration : 0.0f;
    }
}

// Kinematic bodies that stand still have no part in the next step, nor have frozen ones.
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

// Puts every island to sleep whose least rested body has rested long enough, if islands may sleep, and counts
// the others; without memory, nothing this time.
static void sleep_rested_islands(sn_world *world, const union_find *sets)
{
    int count = world->awake_bodies.count;
    float *least = sn_arena_take(&world->arena, (size_t)count, sizeof(float));
    int *members = sn_arena_take(&world->arena, (size_t)count, sizeof(int));
    int *awake = sn_arena_take(&world->arena, (size_t)count, sizeof(int));
    int *next = sn_arena_take(&world->arena, (size_t)count, sizeof(int));
    int *last = sn_arena_take(&world->arena, (size_t)count, sizeof(int));
    if (!least || !members || !awake || !next || !last) {
        return;
    }
    // Each island as a list from its root, in the order of the awake: the list changes while islands leave
    // it.
    for (int i = 0; i < count; ++i) {
        int root = find_root(sets, i);
        float rest = world->bodies.data[world->awake_bodies.data[i]].rest_time;
        awake[i] = world->awake_bodies.data[i];
        next[i] = -1;
        if (root == i) {
            least[i] = rest;
        } else {
            least[root] = sn_min(least[root], rest);
            next[last[root]] = i;
        }
        last[root] = i;
    }
    int islands = 0;
    for (int i = 0; i < count; ++i) {
        if (find_root(sets, i) != i || !sn_body_is_dynamic(&world->bodies.data[awake[i]])) {
            continue;
        }
        if (!world->def.sleep || least[i] < world->def.sleep_time) {
            ++islands;
            continue;
        }
        int size = 0;
        for (int k = i; k >= 0; k = next[k]) {
            members[size++] = awake[k];
        }
        sn_world_put_to_sleep(world, members, size);
    }
    world->last.island_count = islands;
}

void sn_stage_sleep(sn_world *world, float duration)
{
    update_rest_times(world, duration);
    union_find sets;
    if (make_sets(world, &sets)) {
        sleep_rested_islands(world, &sets);
    }
    unlist_idle_bodies(world);
}

bool sn_world_sleep_island_of(sn_world *world, int body)
{
    union_find sets;
    sn_arena_reset(&world->arena);
    int *members = sn_arena_take(&world->arena, (size_t)world->awake_bodies.count, sizeof(int));
    if (members == NULL || !make_sets(world, &sets)) {
        return false;
    }
    int root = find_root(&sets, world->bodies.data[body].awake_index), size = 0;
    for (int i = 0; i < world->awake_bodies.count; ++i) {
        if (find_root(&sets, i) == root) {
            members[size++] = world->awake_bodies.data[i];
        }
    }
    sn_world_put_to_sleep(world, members, size);
    return true;
}

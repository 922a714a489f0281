// Joints yield by F/(m ω²), F the force that they pass on and m the lighter of their bodies, so a chain of
// light links between two heavy bodies needs sub-steps by the ratio of masses. Where a chain hangs on
// something that is held, bounds carry the load past its links (body_bounds.c); here are those that nothing
// holds, as a rope over pulleys with a car at each end.
//
// The force between two bodies passes through the lightest link on the best way between them. So joints are
// taken in the order of the masses of their lighter ends, heaviest first, and joined to sets (Kruskal's
// maximum spanning tree): where a joint joins two sets, it carries at most what the lighter of their heaviest
// bodies asks for. This depends on masses and joints alone, not on motion: a number of sub-steps that
// followed tensions would give energy to what swings.
#include "world/core/bridged_loads.h"

#include "base/tuple_sort.h"
#include "base/union_find.h"
#include "world/constraints/body_bounds.h"
#include "world/constraints/unions.h"

#include <math.h>

// A joint between two dynamic bodies.
typedef struct link {
    int body[2]; // the lighter one first
    int index;   // of its constraint
    float mass;  // of the lighter one
} link;

// False if the constraint is no hard joint between dynamic bodies.
static bool link_of(const sn_world *world, int index, link *link)
{
    const int *member = world->constraint_links.data[index].member;
    if (!sn_member_is_dynamic_body(world, member[0]) || !sn_member_is_dynamic_body(world, member[1]) ||
        isinf(sn_constraint_reach(world, index))) {
        return false;
    }
    float mass[2] = {world->bodies.data[member[0]].mass, world->bodies.data[member[1]].mass};
    int lighter = mass[1] < mass[0] ? 1 : 0;
    link->body[0] = member[lighter];
    link->body[1] = member[1 - lighter];
    link->index = index;
    link->mass = mass[lighter];
    return true;
}

static int compare_links(const void *a, const void *b)
{
    const link *one = a, *two = b;
    if (one->mass != two->mass) {
        return one->mass > two->mass ? -1 : 1;
    }
    return one->index < two->index ? -1 : one->index > two->index ? 1 : 0;
}

// Sets of bodies, and the mass of the heaviest of each, by root.
typedef struct sets {
    int *parents;
    float *heaviest;
} sets;

static bool make_sets(sn_world *world, sets *sets)
{
    size_t count = (size_t)world->bodies.count;
    sets->parents = sn_arena_take(&world->arena, count, sizeof *sets->parents);
    sets->heaviest = sn_arena_take(&world->arena, count, sizeof *sets->heaviest);
    for (int i = 0; sets->parents != NULL && sets->heaviest != NULL && i < world->bodies.count; ++i) {
        sets->parents[i] = i;
        sets->heaviest[i] = world->bodies.data[i].mass;
    }
    return sets->parents != NULL && sets->heaviest != NULL;
}

// What the joint has to carry: 0 if its ends are connected already.
static float join(sets *sets, const link *link)
{
    int a = sn_union_find_root(sets->parents, link->body[0]);
    int b = sn_union_find_root(sets->parents, link->body[1]);
    float one = sets->heaviest[a], two = sets->heaviest[b];
    sn_union_find_join(sets->parents, NULL, a, b);
    sets->heaviest[sn_union_find_root(sets->parents, a)] = sn_max(one, two);
    return a != b ? sn_min(one, two) : 0.0f;
}

// Lists the joints; whether some of them have ends as unlike as that.
static bool list_links(const sn_world *world, float least, link *links, int *count)
{
    bool is_unlike = false;
    for (int i = 0; i < world->active_constraints.count; ++i) {
        link *link = &links[*count];
        if (link_of(world, world->active_constraints.data[i], link)) {
            is_unlike = is_unlike || world->bodies.data[link->body[1]].mass > least * link->mass;
            ++*count;
        }
    }
    return is_unlike;
}

bool sn_world_find_bridged_loads(sn_world *world, float least, sn_bridged_loads *loads)
{
    *loads = (sn_bridged_loads){0};
    sets sets;
    int count = 0;
    size_t most = (size_t)world->active_constraints.count;
    link *links = sn_arena_take(&world->arena, most, sizeof *links);
    if (links == NULL) {
        return false;
    }
    if (!list_links(world, least, links, &count)) {
        return true;
    }
    bool *is_held = sn_arena_take_zero(&world->arena, (size_t)world->bodies.count, sizeof *is_held);
    loads->data = sn_arena_take(&world->arena, most, sizeof *loads->data);
    if (is_held == NULL || loads->data == NULL || !make_sets(world, &sets)) {
        return false;
    }
    for (int i = 0; i < world->body_bounds.count; ++i) {
        const sn_body_bound *bound = &world->body_bounds.data[i];
        is_held[bound->body] = is_held[bound->body] || bound->group != SN_FREE_GROUP;
    }
    sn_sort_in_place(links, count, sizeof *links, compare_links);
    for (int i = 0; i < count; ++i) {
        float load = join(&sets, &links[i]);
        bool is_free = !is_held[links[i].body[0]] && !is_held[links[i].body[1]] &&
                       !sn_are_united(world, links[i].body[0], links[i].body[1]);
        if (is_free && load > least * links[i].mass) {
            loads->data[loads->count++] = (sn_bridged_load){links[i].body[0], load / links[i].mass};
        }
    }
    return true;
}

// Levels: bounds along chains of bodies that nothing holds, or only through a heavy body (hierarchies, Müller
// et al. 2017; methods E.2). Between every second, fourth, … joint of a chain, and between its two ends, so
// that what is heavy at either end feels the other at once and not through every link. Each bound acts on two
// bodies alike: momentum stays.
//
// A chain is a row of bodies each of which is joined to just two others; it ends where there are more or
// fewer, and at bodies much heavier than their neighbours. A chain that touches something, as one that runs
// over a pulley, is not free: its contacts give way where bounds do not, and the two would feed each other.
// Tested by tests/world/constraints/test_body_levels.c.
#include "world/constraints/body_bounds.h"

#include <math.h>
#include <string.h>

// Chains of so many joints get levels; shorter ones between heavy ends a bound from end to end.
#define LEVEL_JOINTS 8
// A body that weighs so many times as much as its neighbours is heavy.
#define HEAVIER 10.0f

// What is known of bodies: the first two edges to different ones; 3 in `count` stands for more.
typedef struct neighbors {
    int edge[2];
    int count;
    bool is_heavy;
    bool is_done; // part of a chain that was followed, and not an end of it
} neighbors;

typedef struct net {
    const sn_world *world;
    neighbors *of; // by body
    sn_body_bound_list *list;
} net;

// --- the net -----------------------------------------------------------------------------------------------

// The dynamic body at the other side of an edge that is hard; −1 for others.
static int joined_by(const sn_world *world, int edge)
{
    int other = sn_constraint_other(world, edge);
    bool joins = !isinf(sn_constraint_reach(world, edge >> 1)) && other >= 0 && !sn_member_is_soft(other) &&
                 sn_body_is_dynamic(&world->bodies.data[other]);
    return joins ? other : -1;
}

static void look_at(const net *net, int body)
{
    const sn_world *world = net->world;
    neighbors *here = &net->of[body];
    float lightest = INFINITY;
    for (int edge = world->bodies.data[body].first_constraint; edge >= 0;
         edge = sn_next_constraint(world, edge)) {
        int other = joined_by(world, edge);
        if (other < 0) {
            continue;
        }
        bool is_known = false;
        for (int i = 0; i < here->count && i < 2; ++i) {
            is_known = is_known || sn_constraint_other(world, here->edge[i]) == other;
        }
        lightest = sn_min(lightest, world->bodies.data[other].mass);
        if (!is_known && here->count < 2) {
            here->edge[here->count] = edge;
        }
        here->count += is_known || here->count > 2 ? 0 : 1;
    }
    here->is_heavy = world->bodies.data[body].mass > HEAVIER * lightest;
}

static bool goes_on(const net *net, int body)
{
    return net->of[body].count == 2 && !net->of[body].is_heavy;
}

// --- chains ------------------------------------------------------------------------------------------------

// Lists the bodies after the first one, along the edge that leaves it: a record each. Returns how many.
static int follow(const net *net, int body, int edge)
{
    int first = net->list->count, begin = body;
    for (bool is_end = false; !is_end;) {
        int other = sn_constraint_other(net->world, edge);
        is_end = !goes_on(net, other) || other == begin;
        if (other == begin) {
            break; // a ring, which ends before it
        }
        sn_body_bound record = {.group = SN_FREE_GROUP,
                                .body = other,
                                .end = edge ^ 1,
                                .parent = net->list->count > first ? net->list->count - 1 : -1,
                                .source = edge,
                                .until = -1};
        if (!sn_array_push(net->list, record)) {
            return -1;
        }
        neighbors *there = &net->of[other];
        there->is_done = there->is_done || !is_end;
        bool came_by_first = sn_constraint_other(net->world, there->edge[0]) == body;
        edge = is_end ? edge : there->edge[came_by_first ? 1 : 0];
        body = other;
    }
    return net->list->count - first;
}

// A bound between the body before record `from` and that of record `to`, and a lower one.
static bool add_level(const net *net, int first, int from, int to)
{
    const sn_body_bound *records = net->list->data;
    sn_body_bound bound = records[to];
    sn_range range = sn_body_bounds_reach(net->world, records, from, to);
    bound.source = records[from].source;
    bound.parent = to;
    bound.until = from > first ? from - 1 : -1;
    bound.is_extra = bound.has_row = true;
    bound.length = (float)range.upper;
    if (!(bound.length > 0.0f)) {
        return true;
    }
    bool good = sn_array_push(net->list, bound);
    bound.is_lower = true;
    bound.length = (float)range.lower;
    return good && (!(bound.length > 0.0f) || sn_array_push(net->list, bound));
}

static float lightest_of(const net *net, int first, int count)
{
    float lightest = INFINITY;
    for (int i = first; i < first + count; ++i) {
        lightest = sn_min(lightest, net->world->bodies.data[net->list->data[i].body].mass);
    }
    return lightest;
}

static bool add_chain(const net *net, int body, int edge)
{
    int first = net->list->count, count = follow(net, body, edge);
    if (count < 0) {
        return false;
    }
    const sn_body *bodies = net->world->bodies.data;
    float ends = sn_min(bodies[body].mass, bodies[net->list->data[net->list->count - 1].body].mass);
    bool joins_heavy = count > 1 && ends > HEAVIER * lightest_of(net, first, count - 1);
    bool good = true, has_whole = false;
    for (int stride = 2; stride < count && count >= LEVEL_JOINTS; stride *= 2) {
        for (int i = first; good && i + stride < first + count; i += stride) {
            good = add_level(net, first, i, i + stride);
        }
        has_whole = stride == count - 1;
    }
    if (count < LEVEL_JOINTS && !joins_heavy) {
        net->list->count = first;
    } else if (!has_whole && count > 1) {
        good = good && add_level(net, first, first, first + count - 1);
    }
    return good;
}

static bool add_chains(const net *net)
{
    const sn_world *world = net->world;
    bool good = true;
    for (int rings = 0; rings < 2; ++rings) {
        for (int i = 0; good && i < world->bodies.count; ++i) {
            const neighbors *here = &net->of[i];
            if (here->count == 0 || here->is_done || goes_on(net, i) != (rings == 1)) {
                continue;
            }
            // From a knot along each edge; a chain between two knots is followed from one of them.
            for (int edge = world->bodies.data[i].first_constraint; edge >= 0 && good;
                 edge = sn_next_constraint(world, edge)) {
                int other = joined_by(world, edge);
                bool leads = other >= 0 && goes_on(net, other) && !net->of[other].is_done;
                good = !leads || add_chain(net, i, edge);
                net->of[i].is_done = rings == 1;
            }
        }
    }
    return good;
}

// --- what is held ------------------------------------------------------------------------------------------

// Of records: HELD where nothing heavy is on the way to what holds their body. BEYOND a heavy body what is in
// between may fold, and the chain on this side carries its load as one that nothing holds.
enum { UNKNOWN, ON_THE_WAY, HELD, BEYOND };

// Ways of equal length may lead to each other and back.
static void look_along(const net *net, int record, uint8_t *marks)
{
    const sn_body_bound *records = net->list->data;
    uint8_t mark = UNKNOWN;
    for (int k = record; mark == UNKNOWN; k = records[k].parent) {
        int parent = records[k].parent;
        bool is_known = marks[k] != UNKNOWN;
        mark = is_known                                 ? marks[k]
               : parent < 0                             ? HELD
               : net->of[records[parent].body].is_heavy ? BEYOND
                                                        : UNKNOWN;
        marks[k] = is_known ? marks[k] : ON_THE_WAY;
    }
    mark = mark == BEYOND ? BEYOND : HELD;
    for (int k = record; k >= 0 && marks[k] == ON_THE_WAY; k = records[k].parent) {
        marks[k] = mark;
    }
}

// Held bodies are in no chain.
static bool leave_out_held(const net *net, sn_arena *arena)
{
    int count = net->list->count;
    uint8_t *marks = sn_arena_take_zero(arena, (size_t)count, sizeof *marks);
    if (marks == NULL) {
        return false;
    }
    for (int i = 0; i < count; ++i) {
        look_along(net, i, marks);
    }
    for (int i = 0; i < count; ++i) {
        if (marks[i] == HELD) {
            net->of[net->list->data[i].body].count = 0;
        }
    }
    return true;
}

bool sn_body_levels_add(sn_world *world, sn_body_bound_list *list)
{
    size_t count = (size_t)world->bodies.count;
    net net = {world, sn_arena_take_zero(&world->arena, count, sizeof *net.of), list};
    if (net.of == NULL) {
        return false;
    }
    for (int i = 0; i < world->bodies.count; ++i) {
        if (sn_id_pool_in_use(&world->body_ids, i) && sn_body_is_dynamic(&world->bodies.data[i])) {
            look_at(&net, i);
        }
    }
    return leave_out_held(&net, &world->arena) && add_chains(&net);
}

// --- in a step ---------------------------------------------------------------------------------------------

static bool touches(const sn_world *world, int body)
{
    for (int edge = world->bodies.data[body].first_contact; edge >= 0;
         edge = world->contacts.data[edge >> 1].next[edge & 1]) {
        if (world->contacts.data[edge >> 1].touching) {
            return true;
        }
    }
    return false;
}

// The records of a chain lie together, with its bounds behind them.
void sn_body_levels_look(sn_world *world)
{
    sn_body_bound *list = world->body_bounds.data;
    for (int i = 0, end = 0; i < world->body_bounds.count; i = end) {
        bool is_free = list[i].group == SN_FREE_GROUP && !sn_body_bound_is_tie(&list[i]), is_touched = false;
        if (is_free) {
            const int *member = world->constraint_links.data[list[i].source >> 1].member;
            is_touched = touches(world, member[list[i].source & 1]);
        }
        do {
            is_touched = is_touched || (is_free && !list[end].is_extra && touches(world, list[end].body));
            ++end;
        } while (end < world->body_bounds.count && (list[end].is_extra || list[end].parent >= 0) &&
                 list[end].group == list[i].group);
        for (int k = i; k < end; ++k) {
            list[k].touches = is_touched;
        }
    }
}

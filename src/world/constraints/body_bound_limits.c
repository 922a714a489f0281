// What joints tell of chains besides their length: a hinge keeps its axis, and limits keep angles, so that a
// chain can neither be straightened nor folded fully (methods E.1; long_range/chain_reach.h). From what holds
// the chain on, record by record, with the ranges of distance and angle that its segments and joints leave.
// These grow wide along a chain; but a chain is also no longer than its parts together, and of a few segments
// the ranges are nearly exact.
// Tested by tests/world/constraints/test_body_bound_limits.c.
#include "long_range/chain_reach.h"
#include "world/constraints/body_bounds.h"

#include <math.h>

// Parts of 2, 4, … segments, up to so many.
#define LONGEST_PART 8

// Differences of lengths below this part are those of rounding.
#define SHORTER 0.99999

typedef enum progress { UNKNOWN, BEING_FOUND, KNOWN } progress;

// What is known of a record: where its end may be.
typedef struct place {
    sn_chain_reach reach;
    double longest;          // the distance is at most that [m]
    int source, source_node; // of the record where the chain begins
    bool is_limited;         // some joint on the way keeps an angle, or a distance from being shorter
    progress progress;
} place;

typedef struct chains {
    const sn_world *world;
    const sn_body_bound *records;
    place *places;
} chains;

static const sn_constraint_data *constraint_at(const chains *chains, int end)
{
    return &chains->world->constraints.data[end >> 1];
}

static const sn_point *point_at(const chains *chains, int end)
{
    const sn_constraint_common *common = &constraint_at(chains, end)->definition.common;
    return (end & 1) == 0 ? &common->a : &common->b;
}

// From one end of a body to another, in the frame of the first.
static sn_vec3 direction(const chains *chains, int from, int to)
{
    const sn_point *a = point_at(chains, from), *b = point_at(chains, to);
    return sn_rotate(sn_quat_conjugate(a->rotation), sn_sub(b->position, a->position));
}

// Whether a joint keeps some angle.
static bool keeps_angles(const chains *chains, int end)
{
    const sn_constraint_data *data = constraint_at(chains, end);
    bool is_stiff = data->definition.common.angular_compliance == 0.0f;
    return data->kind == SN_BALL ? data->definition.ball.limit_cone
                                 : is_stiff && (data->kind == SN_HINGE || data->kind == SN_FIXED);
}

static bool keeps_shape(const chains *chains, int end)
{
    const sn_constraint_data *data = constraint_at(chains, end);
    return data->kind == SN_DISTANCE ? data->definition.distance.lower > 0.0f : keeps_angles(chains, end);
}

// What a joint allows between the directions u, in the frame of one of its ends, and v, in that of the other.
static sn_range opening_at(const chains *chains, int end, sn_vec3 u, sn_vec3 v)
{
    const sn_definition *def = &constraint_at(chains, end)->definition;
    if (!keeps_angles(chains, end)) {
        return sn_any_opening;
    }
    switch (constraint_at(chains, end)->kind) {
    case SN_BALL:
        return sn_opening_of_cone(u, v, (double)def->ball.cone_angle);
    case SN_HINGE: {
        double lower = def->hinge.limit ? (double)def->hinge.lower : -(double)SN_PI;
        double upper = def->hinge.limit ? (double)def->hinge.upper : (double)SN_PI;
        bool is_turned = (end & 1) == 0; // v is of a, against which b turns
        return sn_opening_of_hinge(is_turned ? v : u, is_turned ? u : v, lower, upper);
    }
    default:
        return sn_opening_of_hinge(u, v, 0.0, 0.0);
    }
}

// Past the constraint of a record, from the end on the other body to that on its own.
static sn_chain_reach past_constraint(const chains *chains, int end, sn_chain_reach reach)
{
    const sn_constraint_data *data = constraint_at(chains, end);
    if (data->kind != SN_DISTANCE) {
        return reach;
    }
    const sn_distance_def *rope = &data->definition.distance;
    return sn_chain_extend(reach, (sn_range){(double)rope->lower, (double)rope->upper}, sn_any_opening);
}

// From the end of a record through its body, and past the constraint of the next one.
static sn_chain_reach go_on(const chains *chains, sn_chain_reach reach, int record, int next)
{
    const sn_body_bound *body = &chains->records[record];
    int out = chains->records[next].end;
    sn_vec3 on = direction(chains, body->end, out ^ 1);
    sn_range opening = sn_any_opening;
    if (body->parent >= 0) {
        int before = chains->records[body->parent].end;
        opening = opening_at(chains, body->end, direction(chains, body->end ^ 1, before), on);
    }
    double length = (double)sn_length(on);
    return past_constraint(chains, out, sn_chain_extend(reach, (sn_range){length, length}, opening));
}

// How far the end of a record can be from that of the one so many before it, and from where the chain begins
// on the way through that one; INFINITY if there are no more, or no joint between keeps an angle.
static double longest_through(const chains *chains, int record, int count)
{
    int way[LONGEST_PART + 1] = {record};
    bool is_limited = false;
    for (int i = 0; i < count; ++i) {
        way[i + 1] = chains->records[way[i]].parent;
        if (way[i + 1] < 0) {
            return INFINITY;
        }
        is_limited = is_limited || (i > 0 && keeps_angles(chains, chains->records[way[i]].end));
    }
    sn_chain_reach reach = sn_chain_begin();
    for (int i = count; i > 0 && is_limited; --i) {
        reach = go_on(chains, reach, way[i], way[i - 1]);
    }
    return is_limited ? chains->places[way[count]].longest + reach.distance.upper : INFINITY;
}

static void find_place(const chains *chains, int record)
{
    const sn_body_bound *bound = &chains->records[record];
    place *place = &chains->places[record];
    const struct place *before = bound->parent >= 0 ? &chains->places[bound->parent] : NULL;
    place->progress = KNOWN;
    if (before == NULL || before->progress != KNOWN) {
        // Held by itself; or by a deformable, or in a ring of connections without length.
        bool is_held = bound->source >> 1 == bound->end >> 1;
        place->reach = is_held ? past_constraint(chains, bound->end, sn_chain_begin())
                               : sn_chain_within((double)bound->length);
        place->longest = place->reach.distance.upper;
        place->source = bound->source;
        place->source_node = bound->source_node;
        return;
    }
    place->reach = go_on(chains, before->reach, bound->parent, record);
    place->longest = place->reach.distance.upper;
    for (int count = 2; count <= LONGEST_PART; count *= 2) {
        place->longest = fmin(place->longest, longest_through(chains, record, count));
    }
    place->reach.distance.upper = place->longest;
    place->source = before->source;
    place->source_node = before->source_node;
    place->is_limited = before->is_limited || keeps_shape(chains, bound->end);
}

// Parents first: `path` has room for all records.
static void find_places(const chains *chains, int first, int count, int *path)
{
    for (int i = first; i < count; ++i) {
        int length = 0;
        for (int k = i; k >= 0 && chains->places[k].progress == UNKNOWN; k = chains->records[k].parent) {
            chains->places[k].progress = BEING_FOUND;
            path[length++] = k;
        }
        while (length > 0) {
            find_place(chains, path[--length]);
        }
    }
}

static bool apply_limits(const place *places, sn_body_bound_list *list, int first)
{
    int count = list->count;
    bool good = true;
    for (int i = first; i < count && good; ++i) {
        sn_body_bound *bound = &list->data[i];
        const place *place = &places[i];
        bool begins_there = place->source == bound->source && place->source_node == bound->source_node;
        if (!bound->has_row || !begins_there) { // equally near to two sources
            continue;
        }
        bool is_shorter = place->longest < SHORTER * (double)bound->length;
        bound->length = is_shorter ? (float)place->longest : bound->length;
        sn_body_bound least = *bound;
        least.is_extra = least.is_lower = true;
        least.parent = i;
        least.length = (float)place->reach.distance.lower;
        good = !place->is_limited || !(least.length > 0.0f) || sn_array_push(list, least);
    }
    return good;
}

sn_range sn_body_bounds_reach(const sn_world *world, const sn_body_bound *records, int from, int to)
{
    chains chains = {world, records, NULL};
    sn_chain_reach reach = past_constraint(&chains, records[from].end, sn_chain_begin());
    bool is_limited = keeps_shape(&chains, records[from].end);
    for (int i = from; i < to; ++i) {
        reach = go_on(&chains, reach, i, i + 1);
        is_limited = is_limited || keeps_shape(&chains, records[i + 1].end);
    }
    return (sn_range){is_limited ? reach.distance.lower : 0.0, reach.distance.upper};
}

bool sn_body_bounds_limit(sn_world *world, sn_body_bound_list *list, int first)
{
    size_t count = (size_t)list->count;
    if (list->count == first) {
        return true;
    }
    chains chains = {world, list->data, sn_arena_take_zero(&world->arena, count, sizeof *chains.places)};
    int *path = sn_arena_take_zero(&world->arena, count, sizeof *path);
    bool good = chains.places != NULL && path != NULL;
    if (good) {
        find_places(&chains, first, list->count, path);
        good = apply_limits(chains.places, list, first);
    }
    return good;
}

// Bounds of a deformable that is held, and groups of what holds (sheet_bounds.h).
#include "long_range/sheet_bounds.h"

#include "base/allocate.h"

#include <math.h>

// Nodes nearer than this many edges are held by the edges themselves.
#define LEAST_EDGES 1.5f

static float distance_to_seeds(const sn_vec3 *places, int i, const int *seeds, int seed_count, int *nearest)
{
    float least = INFINITY;
    for (int s = 0; s < seed_count; ++s) {
        float distance = sn_distance_between(places[i], places[seeds[s]]);
        if (distance < least) {
            least = distance;
            *nearest = s;
        }
    }
    return least;
}

// Seeds are taken one after the other, each the place farthest from those before; the first one is the first.
int sn_bound_groups(const sn_vec3 *places, int count, int *group_of)
{
    int seeds[SN_BOUND_GROUPS], seed_count = count > 0 ? 1 : 0, nearest = 0;
    seeds[0] = 0;
    for (float farthest = 1.0f; seed_count > 0 && seed_count < SN_BOUND_GROUPS && farthest > 0.0f;) {
        int next = 0;
        farthest = 0.0f;
        for (int i = 0; i < count; ++i) {
            float distance = distance_to_seeds(places, i, seeds, seed_count, &nearest);
            if (distance > farthest) {
                farthest = distance;
                next = i;
            }
        }
        if (farthest > 0.0f) {
            seeds[seed_count++] = next;
        }
    }
    for (int i = 0; i < count; ++i) {
        group_of[i] = 0;
        (void)distance_to_seeds(places, i, seeds, seed_count, &group_of[i]);
    }
    return seed_count;
}

static float mean_edge(const sn_distance_graph *graph)
{
    double sum = 0.0;
    for (int i = 0; i < graph->edge_count; ++i) {
        sum += (double)graph->edges[i].length;
    }
    return graph->edge_count > 0 ? (float)(sum / graph->edge_count) : 0.0f;
}

// Directions that differ by less than this angle's cosine are one.
#define SAME_DIRECTION 0.7f

// Of bounds that are as slack the nearer ones are taken, by this much: on rims opposite each other their ends
// are opposite, and leave a node no room between them.
#define NEARER 0.02f

// What may bound one node, the least slack first.
typedef struct choice {
    int held;
    float length, slack; // length over the straight distance at rest, and a little more for what is far
    sn_vec3 direction;
} choice;

static void insert_choice(choice *choices, int count, choice new)
{
    int place = count;
    while (place > 0 && new.slack < choices[place - 1].slack) {
        choices[place] = choices[place - 1];
        --place;
    }
    choices[place] = new;
}

static bool is_new_direction(const choice *taken, int count, sn_vec3 direction)
{
    for (int i = 0; i < count; ++i) {
        if (sn_dot(taken[i].direction, direction) > SAME_DIRECTION) {
            return false;
        }
    }
    return true;
}

typedef struct room {
    float *distances; // by group and node
    int *nearest, *members, *group_of;
    sn_vec3 *places;
    uint8_t *is_held;
} room;

static bool add_node(const room *room, const sn_vec3 *places, int node, int node_count, int group_count,
                     float least, sn_bound_list *bounds)
{
    choice choices[SN_BOUND_GROUPS], taken[SN_BOUND_DIRECTIONS];
    int count = 0, taken_count = 0;
    float farthest = least;
    for (int g = 0; g < group_count; ++g) {
        size_t place = (size_t)g * (size_t)node_count + (size_t)node;
        farthest = room->nearest[place] >= 0 ? sn_max(farthest, room->distances[place]) : farthest;
    }
    for (int g = 0; g < group_count; ++g) {
        size_t place = (size_t)g * (size_t)node_count + (size_t)node;
        int held = room->nearest[place];
        if (held >= 0 && room->distances[place] > least) {
            sn_vec3 way = sn_sub(places[held], places[node]);
            float straight = sn_max(sn_length(way), least);
            float length = room->distances[place], slack = length / straight + NEARER * length / farthest;
            insert_choice(choices, count++, (choice){held, length, slack, sn_normalize(way)});
        }
    }
    for (int i = 0; i < count && taken_count < SN_BOUND_DIRECTIONS; ++i) {
        if (is_new_direction(taken, taken_count, choices[i].direction)) {
            taken[taken_count++] = choices[i];
            if (!sn_array_push(bounds, ((sn_bound){node, choices[i].held, choices[i].length, true}))) {
                return false;
            }
        }
    }
    return true;
}

static bool take_room(room *room, size_t node_count, size_t held_count)
{
    *room = (struct room){sn_allocate_zero(SN_BOUND_GROUPS * node_count, sizeof(float)),
                          sn_allocate_zero(SN_BOUND_GROUPS * node_count, sizeof(int)),
                          sn_allocate_zero(held_count, sizeof(int)),
                          sn_allocate_zero(held_count, sizeof(int)),
                          sn_allocate_zero(held_count, sizeof(sn_vec3)),
                          sn_allocate_zero(node_count, 1)};
    return room->distances != NULL && room->nearest != NULL && room->members != NULL &&
           room->group_of != NULL && room->places != NULL && room->is_held != NULL;
}

static void release_room(const room *room, size_t node_count, size_t held_count)
{
    sn_release(room->is_held, node_count);
    sn_release(room->places, held_count * sizeof(sn_vec3));
    sn_release(room->group_of, held_count * sizeof(int));
    sn_release(room->members, held_count * sizeof(int));
    sn_release(room->nearest, SN_BOUND_GROUPS * node_count * sizeof(int));
    sn_release(room->distances, SN_BOUND_GROUPS * node_count * sizeof(float));
}

static void find_distances(sn_distance_graph *graph, const room *room, const int *held, int held_count,
                           int group)
{
    size_t first = (size_t)group * (size_t)graph->node_count;
    int member_count = 0;
    for (int i = 0; i < held_count; ++i) {
        if (room->group_of[i] == group) {
            room->members[member_count++] = held[i];
        }
    }
    sn_distances_find(graph, room->members, member_count, room->distances + first, room->nearest + first);
}

bool sn_sheet_bounds_find(sn_distance_graph *graph, const sn_vec3 *places, const int *held, int held_count,
                          sn_bound_list *bounds)
{
    if (held_count == 0) {
        return true;
    }
    room room;
    bool good = take_room(&room, (size_t)graph->node_count, (size_t)held_count);
    float least = LEAST_EDGES * mean_edge(graph);
    for (int i = 0; good && i < held_count; ++i) {
        room.places[i] = places[held[i]];
        room.is_held[held[i]] = 1;
    }
    int group_count = good ? sn_bound_groups(room.places, held_count, room.group_of) : 0;
    for (int g = 0; g < group_count; ++g) {
        find_distances(graph, &room, held, held_count, g);
    }
    for (int i = 0; i < graph->node_count && good; ++i) {
        good = room.is_held[i] || add_node(&room, places, i, graph->node_count, group_count, least, bounds);
    }
    release_room(&room, (size_t)graph->node_count, (size_t)held_count);
    return good;
}

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
    int seeds[SN_BOUND_DIRECTIONS], seed_count = count > 0 ? 1 : 0, nearest = 0;
    seeds[0] = 0;
    for (float farthest = 1.0f; seed_count > 0 && seed_count < SN_BOUND_DIRECTIONS && farthest > 0.0f;) {
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

typedef struct room {
    float *distances;
    int *nearest, *members, *group_of;
    sn_vec3 *places;
} room;

static bool add_group(sn_distance_graph *graph, const room *room, int member_count, const int *held,
                      int held_count, sn_bound_list *bounds)
{
    float least = LEAST_EDGES * mean_edge(graph);
    sn_distances_find(graph, room->members, member_count, room->distances, room->nearest);
    for (int i = 0, next = 0; i < graph->node_count; ++i) {
        bool is_held = next < held_count && held[next] == i;
        next += is_held ? 1 : 0;
        if (!is_held && room->nearest[i] >= 0 && room->distances[i] > least &&
            !sn_array_push(bounds, ((sn_bound){i, room->nearest[i], room->distances[i]}))) {
            return false;
        }
    }
    return true;
}

bool sn_sheet_bounds_find(sn_distance_graph *graph, const sn_vec3 *places, const int *held, int held_count,
                          sn_bound_list *bounds)
{
    size_t count = (size_t)graph->node_count, held_size = (size_t)held_count;
    room room = {sn_allocate_zero(count, sizeof(float)), sn_allocate_zero(count, sizeof(int)),
                 sn_allocate_zero(held_size, sizeof(int)), sn_allocate_zero(held_size, sizeof(int)),
                 sn_allocate_zero(held_size, sizeof(sn_vec3))};
    bool good = room.distances != NULL && room.nearest != NULL && room.members != NULL &&
                room.group_of != NULL && room.places != NULL;
    for (int i = 0; good && i < held_count; ++i) {
        room.places[i] = places[held[i]];
    }
    int group_count = good ? sn_bound_groups(room.places, held_count, room.group_of) : 0;
    for (int g = 0; g < group_count && good; ++g) {
        int member_count = 0;
        for (int i = 0; i < held_count; ++i) {
            if (room.group_of[i] == g) {
                room.members[member_count++] = held[i];
            }
        }
        good = add_group(graph, &room, member_count, held, held_count, bounds);
    }
    sn_release(room.places, held_size * sizeof(sn_vec3));
    sn_release(room.group_of, held_size * sizeof(int));
    sn_release(room.members, held_size * sizeof(int));
    sn_release(room.nearest, count * sizeof(int));
    sn_release(room.distances, count * sizeof(float));
    return good;
}

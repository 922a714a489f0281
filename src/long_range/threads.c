// Following threads (threads.h).
// Tested by tests/long_range/test_levels.c.
#include "long_range/threads.h"

#include "base/allocate.h"

#include <string.h>

// An edge goes on in another one that deviates from its line by less than this: cosine.
#define STRAIGHT 0.9f
// Threads end at nodes where more edges meet, as at the hub of a wheel.
#define MOST_EDGES 16

// The two ends of edge e are 2 e and 2 e + 1.
typedef struct joined_ends {
    const sn_distance_graph *graph;
    int *next; // by end of an edge: the end, at the same node, of the edge it goes on in; −1 for none
    uint8_t *is_done; // by edge: it is part of a thread that was followed
} joined_ends;

static uint32_t node_at(const sn_distance_graph *graph, int end)
{
    return graph->edges[end / 2].nodes[end % 2];
}

static sn_vec3 direction_from(const sn_distance_graph *graph, const sn_vec3 *places, int end)
{
    return sn_normalize(sn_sub(places[node_at(graph, end ^ 1)], places[node_at(graph, end)]));
}

// Joins the ends at a node by twos, each with the one that is most opposite to it, where both agree.
static void join_ends(const joined_ends *joined, const sn_vec3 *places, int node)
{
    const sn_distance_graph *graph = joined->graph;
    const int *ends = graph->incident + graph->begin[node];
    int count = graph->begin[node + 1] - graph->begin[node], best[MOST_EDGES];
    if (count > MOST_EDGES) {
        return;
    }
    sn_vec3 directions[MOST_EDGES];
    for (int i = 0; i < count; ++i) {
        directions[i] = direction_from(graph, places, ends[i]);
    }
    for (int i = 0; i < count; ++i) {
        float least = -STRAIGHT;
        best[i] = -1;
        for (int j = 0; j < count; ++j) {
            float cosine = sn_dot(directions[i], directions[j]);
            if (j != i && cosine < least) {
                least = cosine;
                best[i] = j;
            }
        }
    }
    for (int i = 0; i < count; ++i) {
        joined->next[ends[i]] = best[i] >= 0 && best[best[i]] == i ? ends[best[i]] : -1;
    }
}

// Adds the thread that begins at this end of an edge.
static void follow(sn_threads *threads, const joined_ends *joined, int begin)
{
    int place = threads->begin[threads->count];
    threads->nodes[place] = (int)node_at(joined->graph, begin);
    threads->along[place] = 0.0f;
    for (int end = begin; end >= 0 && !joined->is_done[end / 2]; end = joined->next[end ^ 1]) {
        joined->is_done[end / 2] = 1;
        threads->nodes[place + 1] = (int)node_at(joined->graph, end ^ 1);
        threads->along[place + 1] = threads->along[place] + joined->graph->edges[end / 2].length;
        ++place;
    }
    threads->begin[++threads->count] = place + 1;
}

// Threads with two ends first; what is left then are rings.
static void follow_all(sn_threads *threads, const joined_ends *joined)
{
    for (int rings = 0; rings < 2; ++rings) {
        for (int end = 0; end < 2 * joined->graph->edge_count; ++end) {
            if (!joined->is_done[end / 2] && (rings || joined->next[end] < 0)) {
                follow(threads, joined, end);
            }
        }
    }
}

bool sn_threads_make(sn_threads *threads, const sn_distance_graph *graph, const sn_vec3 *places)
{
    size_t edges = (size_t)graph->edge_count, room = 2 * edges + 1;
    joined_ends joined = {graph, sn_allocate_zero(2 * edges, sizeof(int)), sn_allocate_zero(edges, 1)};
    *threads = (sn_threads){.begin = sn_allocate_zero(room, sizeof(int)),
                            .nodes = sn_allocate_zero(room, sizeof(int)),
                            .along = sn_allocate_zero(room, sizeof(float)),
                            .room = room};
    bool good = joined.next != NULL && joined.is_done != NULL && threads->begin != NULL &&
                threads->nodes != NULL && threads->along != NULL;
    if (good) {
        memset(joined.next, -1, 2 * edges * sizeof(int));
        for (int i = 0; i < graph->node_count; ++i) {
            join_ends(&joined, places, i);
        }
        follow_all(threads, &joined);
    } else {
        sn_threads_release(threads);
    }
    sn_release(joined.is_done, edges);
    sn_release(joined.next, 2 * edges * sizeof(int));
    return good;
}

void sn_threads_release(sn_threads *threads)
{
    sn_release(threads->along, threads->room * sizeof(float));
    sn_release(threads->nodes, threads->room * sizeof(int));
    sn_release(threads->begin, threads->room * sizeof(int));
    *threads = (sn_threads){0};
}

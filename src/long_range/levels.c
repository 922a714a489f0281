// Threads of a net of edges, and bounds along them (levels.h).
// Tested by tests/long_range/test_levels.c.
#include "long_range/levels.h"

#include "base/allocate.h"

#include <string.h>

// An edge goes on in another one that deviates from its line by less than this: cosine.
#define STRAIGHT 0.9f
// Threads end at nodes where more edges meet, as at the hub of a wheel.
#define MOST_EDGES 16

// The two ends of edge e are 2 e and 2 e + 1.
typedef struct threads {
    const sn_distance_graph *graph;
    int *next; // by end of an edge: the end, at the same node, of the edge it goes on in; −1 for none
    uint8_t *is_done; // by edge: it is part of a thread that was followed
    int *nodes;       // of the thread being followed
    float *along;     // by place in these: the thread's length up to there [m]
    int count;        // of these
    int finer;        // how many times the bounds of a level the one below it has
} threads;

static uint32_t node_at(const sn_distance_graph *graph, int end)
{
    return graph->edges[end / 2].nodes[end % 2];
}

static sn_vec3 direction_from(const sn_distance_graph *graph, const sn_vec3 *places, int end)
{
    return sn_normalize(sn_sub(places[node_at(graph, end ^ 1)], places[node_at(graph, end)]));
}

// Joins the ends at a node by twos, each with the one that is most opposite to it, where both agree.
static void join_ends(const threads *threads, const sn_vec3 *places, int node)
{
    const sn_distance_graph *graph = threads->graph;
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
        threads->next[ends[i]] = best[i] >= 0 && best[best[i]] == i ? ends[best[i]] : -1;
    }
}

// Lists the nodes of the thread that begins at this end of an edge.
static void follow(threads *threads, int begin)
{
    threads->nodes[0] = (int)node_at(threads->graph, begin);
    threads->along[0] = 0.0f;
    threads->count = 1;
    for (int end = begin; end >= 0 && !threads->is_done[end / 2]; end = threads->next[end ^ 1]) {
        threads->is_done[end / 2] = 1;
        threads->nodes[threads->count] = (int)node_at(threads->graph, end ^ 1);
        threads->along[threads->count] =
            threads->along[threads->count - 1] + threads->graph->edges[end / 2].length;
        ++threads->count;
    }
}

// A level has so many times the bounds of the one above it. Where something holds every node by a bound,
// levels only tell along a thread what stops it.
#define FINER      2
#define FINER_HELD 4

static bool add_levels(const threads *threads, sn_bound_list *bounds)
{
    int edges = threads->count - 1, coarsest = 1;
    while (edges > SN_LEVEL_EDGES * coarsest) {
        coarsest *= 2;
    }
    int finest = coarsest;
    while (finest / threads->finer > 1) {
        finest /= threads->finer;
    }
    for (int stride = finest; stride > 1 && stride <= coarsest; stride *= threads->finer) {
        for (int i = 0; i + stride <= edges; i += stride) {
            sn_bound bound = {.node = threads->nodes[i],
                              .other = threads->nodes[i + stride],
                              .length = threads->along[i + stride] - threads->along[i]};
            if (!sn_array_push(bounds, bound)) {
                return false;
            }
        }
    }
    return true;
}

// Threads with two ends first; what is left then are rings.
static bool follow_all(threads *threads, sn_bound_list *bounds)
{
    for (int rings = 0; rings < 2; ++rings) {
        for (int end = 0; end < 2 * threads->graph->edge_count; ++end) {
            bool begins = !threads->is_done[end / 2] && (rings || threads->next[end] < 0);
            if (begins) {
                follow(threads, end);
                if (!add_levels(threads, bounds)) {
                    return false;
                }
            }
        }
    }
    return true;
}

bool sn_levels_find(const sn_distance_graph *graph, const sn_vec3 *places, bool is_held,
                    sn_bound_list *bounds)
{
    size_t edges = (size_t)graph->edge_count;
    threads threads = {.graph = graph,
                       .finer = is_held ? FINER_HELD : FINER,
                       .next = sn_allocate_zero(2 * edges, sizeof *threads.next),
                       .is_done = sn_allocate_zero(edges, sizeof *threads.is_done),
                       .nodes = sn_allocate_zero(edges + 1, sizeof *threads.nodes),
                       .along = sn_allocate_zero(edges + 1, sizeof *threads.along)};
    bool good =
        threads.next != NULL && threads.is_done != NULL && threads.nodes != NULL && threads.along != NULL;
    if (good) {
        memset(threads.next, -1, 2 * edges * sizeof *threads.next);
        for (int i = 0; i < graph->node_count; ++i) {
            join_ends(&threads, places, i);
        }
        good = follow_all(&threads, bounds);
    }
    sn_release(threads.along, (edges + 1) * sizeof *threads.along);
    sn_release(threads.nodes, (edges + 1) * sizeof *threads.nodes);
    sn_release(threads.is_done, edges * sizeof *threads.is_done);
    sn_release(threads.next, 2 * edges * sizeof *threads.next);
    return good;
}

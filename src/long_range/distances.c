// Tested by tests/long_range/test_sheet_bounds.c.
// Dijkstra's algorithm with a binary heap; equal distances are taken in the order of nodes, so that the
// result does not depend on how the heap is laid out.
#include "long_range/distances.h"

#include <math.h>
#include <string.h>

// --- the graph ---------------------------------------------------------------------------------------------

// Lists by node of what touches it: `count` things of `width` nodes each, `stride` numbers apart.
static bool make_lists(sn_arena *arena, int node_count, const uint32_t *nodes, int count, int width,
                       size_t stride, int **begin, int **list)
{
    *begin = sn_arena_take_zero(arena, (size_t)node_count + 1, sizeof **begin);
    *list = sn_arena_take_zero(arena, (size_t)count * (size_t)width + 1, sizeof **list);
    if (*begin == NULL || *list == NULL) {
        return false;
    }
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < count; ++i) {
            for (int k = 0; k < width; ++k) {
                uint32_t node = nodes[(size_t)i * stride + (size_t)k];
                if (pass == 0) {
                    ++(*begin)[node + 1];
                } else {
                    (*list)[(*begin)[node]++] = width * i + k;
                }
            }
        }
        for (int n = 0; pass == 0 && n < node_count; ++n) {
            (*begin)[n + 1] += (*begin)[n];
        }
    }
    memmove(*begin + 1, *begin, (size_t)node_count * sizeof **begin); // filling moved each to its end
    (*begin)[0] = 0;
    return true;
}

static float length_between(const sn_distance_graph *graph, uint32_t a, uint32_t b)
{
    for (int i = graph->begin[a]; i < graph->begin[a + 1]; ++i) {
        const sn_distance_edge *edge = &graph->edges[graph->incident[i] / 2];
        if (edge->nodes[0] == b || edge->nodes[1] == b) {
            return edge->length;
        }
    }
    return INFINITY;
}

static void measure_triangles(sn_distance_graph *graph)
{
    for (int t = 0; t < graph->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            graph->opposite[t][k] =
                length_between(graph, graph->corners[t][(k + 1) % 3], graph->corners[t][(k + 2) % 3]);
        }
    }
}

bool sn_distance_graph_make(sn_distance_graph *graph, sn_arena *arena, int node_count,
                            const sn_distance_edge *edges, int edge_count, const uint32_t *triangles,
                            int triangle_count)
{
    size_t count = (size_t)triangle_count;
    *graph = (sn_distance_graph){.node_count = node_count,
                                 .edge_count = edge_count,
                                 .triangle_count = triangle_count,
                                 .edges = edges,
                                 .corners = sn_arena_take_zero(arena, count + 1, sizeof *graph->corners),
                                 .opposite = sn_arena_take_zero(arena, count + 1, sizeof *graph->opposite),
                                 .heap = sn_arena_take_zero(arena, (size_t)node_count, sizeof(int)),
                                 .heap_place = sn_arena_take_zero(arena, (size_t)node_count, sizeof(int))};
    bool good = graph->corners != NULL && graph->opposite != NULL && graph->heap != NULL &&
                graph->heap_place != NULL &&
                make_lists(arena, node_count, edges->nodes, edge_count, 2, sizeof *edges / sizeof(uint32_t),
                           &graph->begin, &graph->incident) &&
                make_lists(arena, node_count, triangles, triangle_count, 3, 3, &graph->triangle_begin,
                           &graph->triangle_list);
    if (good && count > 0) {
        memcpy(graph->corners, triangles, count * sizeof *graph->corners);
        measure_triangles(graph);
    }
    return good;
}

// --- the heap ----------------------------------------------------------------------------------------------

typedef struct search {
    sn_distance_graph *graph;
    float *distances;
    int *nearest;
    int heap_count;
} search;

static bool comes_before(const search *search, int a, int b)
{
    float da = search->distances[a], db = search->distances[b];
    return da < db || (da == db && a < b);
}

static void put(const search *search, int place, int node)
{
    search->graph->heap[place] = node;
    search->graph->heap_place[node] = place;
}

static void rise(const search *search, int place)
{
    int *heap = search->graph->heap, node = heap[place];
    while (place > 0 && comes_before(search, node, heap[(place - 1) / 2])) {
        put(search, place, heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    put(search, place, node);
}

static void sink(const search *search, int place)
{
    int *heap = search->graph->heap, node = heap[place];
    for (int child = 2 * place + 1; child < search->heap_count; child = 2 * place + 1) {
        child += child + 1 < search->heap_count && comes_before(search, heap[child + 1], heap[child]) ? 1 : 0;
        if (!comes_before(search, heap[child], node)) {
            break;
        }
        put(search, place, heap[child]);
        place = child;
    }
    put(search, place, node);
}

enum { UNSEEN = -1, DONE = -2 };

static int take_first(search *search)
{
    int first = search->graph->heap[0];
    --search->heap_count;
    if (search->heap_count > 0) {
        put(search, 0, search->graph->heap[search->heap_count]);
        sink(search, 0);
    }
    search->graph->heap_place[first] = DONE;
    return first;
}

static void offer(search *search, int node, float distance, int source)
{
    int place = search->graph->heap_place[node];
    if (place == DONE || !(distance < search->distances[node])) {
        return;
    }
    search->distances[node] = distance;
    search->nearest[node] = source;
    if (place == UNSEEN) {
        place = search->heap_count++;
        put(search, place, node);
    }
    rise(search, place);
}

// --- connections -------------------------------------------------------------------------------------------

static void follow_edges(search *search, int node)
{
    const sn_distance_graph *graph = search->graph;
    for (int i = graph->begin[node]; i < graph->begin[node + 1]; ++i) {
        const sn_distance_edge *edge = &graph->edges[graph->incident[i] / 2];
        int other = (int)edge->nodes[edge->nodes[0] == (uint32_t)node ? 1 : 0];
        offer(search, other, search->distances[node] + edge->length, search->nearest[node]);
    }
}

// How far the third corner is from a source that is `from_a` and `from_b` away from the two others, on the
// far side of the edge between them; INFINITY if the straight line does not pass through that edge. `ab` is
// the edge's length, `ac` and `bc` those of the sides.
static float see_through(float from_a, float from_b, float ab, float ac, float bc)
{
    double l = (double)ab, u = (double)from_a, v = (double)from_b, p = (double)ac, q = (double)bc;
    double source_x = (u * u - v * v + l * l) / (2.0 * l), source_y2 = u * u - source_x * source_x;
    double corner_x = (p * p - q * q + l * l) / (2.0 * l), corner_y2 = p * p - corner_x * corner_x;
    if (!(source_y2 >= 0.0) || !(corner_y2 > 0.0)) {
        return INFINITY;
    }
    double source_y = -sqrt(source_y2), corner_y = sqrt(corner_y2);
    double crossing = source_x + (corner_x - source_x) * -source_y / (corner_y - source_y);
    double dx = corner_x - source_x, dy = corner_y - source_y;
    return crossing >= 0.0 && crossing <= l ? (float)sqrt(dx * dx + dy * dy) : INFINITY;
}

static void look_through_triangles(search *search, int node)
{
    const sn_distance_graph *graph = search->graph;
    for (int i = graph->triangle_begin[node]; i < graph->triangle_begin[node + 1]; ++i) {
        int triangle = graph->triangle_list[i] / 3, corner = graph->triangle_list[i] % 3;
        const uint32_t *corners = graph->corners[triangle];
        const float *opposite = graph->opposite[triangle];
        for (int k = 1; k < 3; ++k) {
            int second = (corner + k) % 3, third = (corner + 3 - k) % 3;
            int b = (int)corners[second];
            if (graph->heap_place[b] == DONE && search->nearest[b] == search->nearest[node]) {
                float seen = see_through(search->distances[node], search->distances[b], opposite[third],
                                         opposite[second], opposite[corner]);
                offer(search, (int)corners[third], seen, search->nearest[node]);
            }
        }
    }
}

void sn_distances_find(sn_distance_graph *graph, const int *sources, int source_count, float *distances,
                       int *nearest)
{
    search search = {.graph = graph, .distances = distances, .nearest = nearest};
    for (int i = 0; i < graph->node_count; ++i) {
        distances[i] = INFINITY;
        nearest[i] = -1;
        graph->heap_place[i] = UNSEEN;
    }
    for (int i = 0; i < source_count; ++i) {
        offer(&search, sources[i], 0.0f, sources[i]);
    }
    while (search.heap_count > 0) {
        int node = take_first(&search);
        follow_edges(&search, node);
        look_through_triangles(&search, node);
    }
}

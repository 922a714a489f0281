// Pairs the edges of triangles by sorting them: by higher, then (stably) by lower end, each a counting sort,
// so the time is linear whatever the mesh.
#include "geometry/mesh/edge_pairs.h"
#include "base/allocate.h"
#include <string.h>

typedef struct edge_sort {
    const uint32_t *triangles;
    int half_edge_count, vertex_count;
    int *first; // by vertex, one more than there are: where its half-edges go
} edge_sort;

static uint32_t edge_end(const edge_sort *s, int half_edge, bool higher)
{
    int triangle = half_edge / 3, corner = half_edge % 3;
    uint32_t from = s->triangles[half_edge], to = s->triangles[3 * triangle + (corner + 1) % 3];
    return (from > to) == higher ? from : to;
}

// `source` null means the half-edges in their own order.
static void counting_sort(edge_sort *s, const int *source, bool by_higher, int *sorted)
{
    memset(s->first, 0, ((size_t)s->vertex_count + 1) * sizeof(int));
    for (int i = 0; i < s->half_edge_count; ++i) {
        s->first[edge_end(s, i, by_higher) + 1]++;
    }
    for (int v = 0; v < s->vertex_count; ++v) {
        s->first[v + 1] += s->first[v];
    }
    for (int i = 0; i < s->half_edge_count; ++i) {
        int half_edge = source ? source[i] : i;
        sorted[s->first[edge_end(s, half_edge, by_higher)]++] = half_edge;
    }
}

static bool same_edge(const edge_sort *s, int a, int b)
{
    return edge_end(s, a, false) == edge_end(s, b, false) && edge_end(s, a, true) == edge_end(s, b, true);
}

static void pair_sorted(const edge_sort *s, const int *sorted, int *twins)
{
    for (int i = 0; i < s->half_edge_count;) {
        int end = i + 1;
        while (end < s->half_edge_count && same_edge(s, sorted[i], sorted[end])) {
            end++;
        }
        bool opposite = end - i == 2 && s->triangles[sorted[i]] != s->triangles[sorted[i + 1]];
        for (int j = i; j < end; ++j) {
            twins[sorted[j]] = end - i == 1 ? SN_EDGE_OPEN : SN_EDGE_CROWDED;
        }
        if (opposite) {
            twins[sorted[i]] = sorted[i + 1];
            twins[sorted[i + 1]] = sorted[i];
        }
        i = end;
    }
}

bool sn_edge_pairs(const uint32_t *triangles, int triangle_count, int vertex_count, int *twins)
{
    edge_sort s = {triangles, 3 * triangle_count, vertex_count, NULL};
    size_t first_bytes = ((size_t)vertex_count + 1) * sizeof(int);
    size_t sorted_bytes = (size_t)s.half_edge_count * sizeof(int);
    int *by_higher = sn_allocate(sorted_bytes), *sorted = sn_allocate(sorted_bytes);
    s.first = sn_allocate(first_bytes);
    bool enough = s.first && by_higher && sorted;
    if (enough) {
        counting_sort(&s, NULL, true, by_higher);
        counting_sort(&s, by_higher, false, sorted);
        pair_sorted(&s, sorted, twins);
    }
    sn_release(s.first, first_bytes);
    sn_release(sorted, sorted_bytes);
    sn_release(by_higher, sorted_bytes);
    return enough;
}

// Shortest connections within a sheet or a strand: how far apart two of its nodes can ever be.
//
// Dijkstra's algorithm along edges that do not stretch; and, within a flat sheet, straight through triangles
// all of whose edges do not (Reimer's unfolding: two corners with known distances place the source in the
// plane of the triangle, from where the third is seen). Along edges alone a sheet's distances are up to 8 %
// too long. Knows nodes by number and lengths; nothing of deformables or rows.
#ifndef SN_LONG_RANGE_DISTANCES_H
#define SN_LONG_RANGE_DISTANCES_H

#include "base/arena.h"
#include "sinew/math.h"

typedef struct sn_distance_edge {
    uint32_t nodes[2];
    float length; // [m]
} sn_distance_edge;
typedef SN_ARRAY(sn_distance_edge) sn_distance_edges;

// What connections are made of. Built once, asked for any number of sources.
typedef struct sn_distance_graph {
    int node_count, edge_count, triangle_count;
    const sn_distance_edge *edges;
    int *begin;          // by node: its place in `incident`; one more at the end
    int *incident;       // edges
    int *triangle_begin; // the same for triangles
    int *triangle_list;  // 3 × triangle + corner
    uint32_t (*corners)[3];
    float (*opposite)[3]; // by triangle: length of the edge opposite each corner
    int *heap, *heap_place;
} sn_distance_graph;

// `triangles` (3 numbers each) are those of a flat sheet all of whose edges are among `edges`, which stay the
// caller's. All memory is the arena's; false without.
bool sn_distance_graph_make(sn_distance_graph *graph, sn_arena *arena, int node_count,
                            const sn_distance_edge *edges, int edge_count, const uint32_t *triangles,
                            int triangle_count);

// The distance of every node from the nearest of the sources, INFINITY where nothing connects them, and which
// source that is (its number among nodes, −1 for none).
void sn_distances_find(sn_distance_graph *graph, const int *sources, int source_count, float *distances,
                       int *nearest);

#endif

// How often edges of a deformable pierce its own faces: by a grid of cells over the faces, so that cloths of
// thousands of faces are counted in milliseconds.
#ifndef TESTS_SUPPORT_CROSSINGS_H
#define TESTS_SUPPORT_CROSSINGS_H

#include "sinew/sinew.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CROSSING_BUCKETS = 1 << 15, CROSSING_CELLS_PER_FACE = 40 };

typedef struct crossing_grid {
    const sn_node_state *nodes;
    const sn_mesh *mesh;
    float cell;
    int *head, *next, *face;
    int used, room;
} crossing_grid;

typedef void (*crossing_function)(crossing_grid *grid, int bucket, void *context);

// Calls the function for every cell that a box overlaps.
static inline void crossing_cells(crossing_grid *grid, sn_bounds box, crossing_function function,
                                  void *context)
{
    int low[3] = {(int)floorf(box.lower.x / grid->cell), (int)floorf(box.lower.y / grid->cell),
                  (int)floorf(box.lower.z / grid->cell)};
    int high[3] = {(int)floorf(box.upper.x / grid->cell), (int)floorf(box.upper.y / grid->cell),
                   (int)floorf(box.upper.z / grid->cell)};
    for (int i = low[0]; i <= high[0]; ++i) {
        for (int j = low[1]; j <= high[1]; ++j) {
            for (int k = low[2]; k <= high[2]; ++k) {
                unsigned hash = (unsigned)i * 73856093u ^ (unsigned)j * 19349663u ^ (unsigned)k * 83492791u;
                function(grid, (int)(hash % CROSSING_BUCKETS), context);
            }
        }
    }
}

static inline void crossing_put(crossing_grid *grid, int bucket, void *context)
{
    if (grid->used < grid->room) {
        grid->face[grid->used] = *(const int *)context;
        grid->next[grid->used] = grid->head[bucket];
        grid->head[bucket] = grid->used++;
    }
}

static inline bool crossing_pierces(const crossing_grid *grid, const uint32_t *edge, const uint32_t *face)
{
    for (int k = 0; k < 3; ++k) {
        if (face[k] == edge[0] || face[k] == edge[1]) {
            return false;
        }
    }
    sn_vec3 p = grid->nodes[edge[0]].position, q = grid->nodes[edge[1]].position;
    sn_vec3 a = grid->nodes[face[0]].position, b = grid->nodes[face[1]].position,
            c = grid->nodes[face[2]].position, out = sn_cross(sn_sub(b, a), sn_sub(c, a));
    float before = sn_dot(out, sn_sub(p, a)), after = sn_dot(out, sn_sub(q, a));
    if ((before > 0.0f) == (after > 0.0f)) {
        return false;
    }
    sn_vec3 at = sn_lerp(p, q, before / (before - after));
    return sn_dot(sn_cross(sn_sub(b, at), sn_sub(c, at)), out) > 0.0f &&
           sn_dot(sn_cross(sn_sub(c, at), sn_sub(a, at)), out) > 0.0f &&
           sn_dot(sn_cross(sn_sub(a, at), sn_sub(b, at)), out) > 0.0f;
}

typedef struct crossing_query {
    const uint32_t *edge;
    int seen[64], seen_count, count;
} crossing_query;

// Faces that lie in several of the edge's cells count once.
static inline void crossing_look(crossing_grid *grid, int bucket, void *context)
{
    crossing_query *query = context;
    for (int n = grid->head[bucket]; n >= 0; n = grid->next[n]) {
        bool known = false;
        for (int k = 0; k < query->seen_count; ++k) {
            known |= query->seen[k] == grid->face[n];
        }
        if (!known &&
            crossing_pierces(grid, query->edge, sn_mesh_triangles(grid->mesh) + 3 * grid->face[n])) {
            ++query->count;
            query->seen[query->seen_count] = grid->face[n];
            query->seen_count += query->seen_count < 63 ? 1 : 0;
        }
    }
}

static inline sn_bounds crossing_box(const sn_node_state *nodes, const uint32_t *corners, int count)
{
    sn_bounds box = {nodes[corners[0]].position, nodes[corners[0]].position};
    for (int k = 1; k < count; ++k) {
        box.lower = sn_min3(box.lower, nodes[corners[k]].position);
        box.upper = sn_max3(box.upper, nodes[corners[k]].position);
    }
    return box;
}

static inline int count_crossings(const sn_node_state *nodes, const sn_mesh *mesh)
{
    int faces = sn_mesh_triangle_count(mesh), room = faces * CROSSING_CELLS_PER_FACE, count = 0;
    crossing_grid grid = {nodes, mesh, 0.08f, NULL, NULL, NULL, 0, room};
    grid.head = malloc(CROSSING_BUCKETS * sizeof *grid.head);
    grid.next = malloc((size_t)room * sizeof *grid.next);
    grid.face = malloc((size_t)room * sizeof *grid.face);
    if (grid.head == NULL || grid.next == NULL || grid.face == NULL) {
        abort();
    }
    memset(grid.head, 0xff, CROSSING_BUCKETS * sizeof *grid.head);
    for (int i = 0; i < faces; ++i) {
        crossing_cells(&grid, crossing_box(nodes, sn_mesh_triangles(mesh) + 3 * i, 3), crossing_put, &i);
    }
    for (int i = 0; i < sn_mesh_edge_count(mesh); ++i) {
        crossing_query query = {.edge = sn_mesh_edges(mesh) + 2 * i};
        crossing_cells(&grid, crossing_box(nodes, query.edge, 2), crossing_look, &query);
        count += query.count;
    }
    free(grid.head);
    free(grid.next);
    free(grid.face);
    return count;
}

#endif

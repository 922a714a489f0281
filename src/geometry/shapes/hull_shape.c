// Puts points on the grid, builds their triangulated hull, joins its triangles to faces, and does so again
// without the vertices that turned out to be no corners, until all are. Every round loses a vertex, so it
// ends.
// Tested by tests/geometry/shapes/test_hull.c.
#include "geometry/shapes/hull_shape.h"
#include "base/allocate.h"
#include "geometry/shapes/check.h"
#include <string.h>

// Of the largest coordinate: eight float32 steps, a few times what rounding and a rotation do to flat faces.
#define RELATIVE_TOLERANCE 9.5367431640625e-7f
// Hulls must be this many tolerances thick.
#define FLAT_TOLERANCES 4.0

// The grid is aligned with the zero of the points' own frame and its step is a power of two, so that its
// points are float32 numbers: vertices are moved onto it, by less than 1e-8 of the hull's size, and what is
// exact on the grid is exact of the hull.
typedef struct grid {
    double origin_x, origin_y, origin_z; // middle of the points, in steps from zero; whole numbers
    double scale;                        // steps per metre
    double tolerance;                    // in steps
} grid;

static float largest_component(sn_vec3 v)
{
    return sn_max(v.x, sn_max(v.y, v.z));
}

static double round_to_whole(double a)
{
    return floor(a + 0.5);
}

// False if the points are too close together for a shape.
static bool grid_fit(grid *g, const sn_vec3 *points, int count, float *tolerance)
{
    sn_bounds bounds = {points[0], points[0]};
    for (int i = 1; i < count; ++i) {
        bounds.lower = sn_min3(bounds.lower, points[i]);
        bounds.upper = sn_max3(bounds.upper, points[i]);
    }
    float size = largest_component(sn_sub(bounds.upper, bounds.lower));
    if (size < SN_MIN_SIZE) {
        return false;
    }
    const double widest = 2.0 * (SN_GRID_LIMIT - 1); // rounding of origin and points costs a step each way
    g->scale = 1.0;                                  // not too fine for anything within SN_MAX_COORDINATE
    while (size * g->scale * 2.0 <= widest) {
        g->scale *= 2.0;
    }
    g->origin_x = round_to_whole(0.5 * g->scale * ((double)bounds.lower.x + bounds.upper.x));
    g->origin_y = round_to_whole(0.5 * g->scale * ((double)bounds.lower.y + bounds.upper.y));
    g->origin_z = round_to_whole(0.5 * g->scale * ((double)bounds.lower.z + bounds.upper.z));
    float largest = largest_component(sn_max3(sn_abs3(bounds.lower), sn_abs3(bounds.upper)));
    *tolerance = RELATIVE_TOLERANCE * largest;
    g->tolerance = *tolerance * g->scale;
    return true;
}

static sn_grid_point grid_place(const grid *g, sn_vec3 p)
{
    return (sn_grid_point){(int32_t)round_to_whole(p.x * g->scale - g->origin_x),
                           (int32_t)round_to_whole(p.y * g->scale - g->origin_y),
                           (int32_t)round_to_whole(p.z * g->scale - g->origin_z)};
}

static sn_vec3 grid_position(const grid *g, sn_grid_point p)
{
    return sn_v((float)((p.x + g->origin_x) / g->scale), (float)((p.y + g->origin_y) / g->scale),
                (float)((p.z + g->origin_z) / g->scale));
}

// The place of `value` in an ascending list, or where it would be.
static int lower_place(const int *list, int count, int value)
{
    int place = 0;
    while (place < count && list[place] < value) {
        place++;
    }
    return place;
}

// Numbers the vertices of a skin 0, 1, … in the order of the points they were; lists those points.
static int renumber(sn_hull_skin *skin, int used[SN_MAX_HULL_VERTICES])
{
    int count = 0;
    for (int i = 0; i < 3 * skin->count; ++i) {
        int point = skin->triangles[i / 3].vertex[i % 3];
        int place = lower_place(used, count, point);
        if (place < count && used[place] == point) {
            continue;
        }
        memmove(used + place + 1, used + place, (size_t)(count - place) * sizeof(int));
        used[place] = point;
        count++;
    }
    for (int i = 0; i < 3 * skin->count; ++i) {
        int *vertex = &skin->triangles[i / 3].vertex[i % 3];
        *vertex = lower_place(used, count, *vertex);
    }
    return count;
}

// --- corners -----------------------------------------------------------------------------------------------

// The vertices still thought to be corners.
typedef struct vertex_list {
    int count;
    sn_grid_point points[SN_MAX_HULL_VERTICES];
} vertex_list;

// Keeps those vertices whose places are listed, ascending.
static void select_vertices(vertex_list *list, const int *places, int count)
{
    for (int i = 0; i < count; ++i) {
        list->points[i] = list->points[places[i]];
    }
    list->count = count;
}

static void weld(vertex_list *list, double tolerance)
{
    int kept[SN_MAX_HULL_VERTICES];
    int count = 0;
    for (int i = 0; i < list->count; ++i) {
        bool near = false;
        for (int j = 0; j < count && !near; ++j) {
            sn_grid_vector d = sn_grid_difference(list->points[i], list->points[kept[j]]);
            near = (double)(d.x * d.x + d.y * d.y + d.z * d.z) < tolerance * tolerance;
        }
        if (!near) {
            kept[count++] = i;
        }
    }
    select_vertices(list, kept, count);
}

// Builds the hull of the list, and cuts the list down to its vertices.
static sn_hull_outcome rebuild(vertex_list *list, double tolerance, sn_hull_skin *skin)
{
    if (list->count < 4) {
        return SN_HULL_FLAT;
    }
    sn_hull_outcome outcome =
        sn_hull_build(list->points, list->count, SN_MAX_HULL_VERTICES, FLAT_TOLERANCES * tolerance, skin);
    if (outcome == SN_HULL_BUILT) {
        int used[SN_MAX_HULL_VERTICES];
        int count = renumber(skin, used);
        select_vertices(list, used, count);
    }
    return outcome;
}

// Merges the triangles of the skin to faces and drops what is then no corner, until all are. Sets
// `too_coarse` if vertices would be lost that matter.
static sn_hull_outcome settle(vertex_list *list, double tolerance, double merge_tolerance,
                              sn_hull_shape *shape, bool *too_coarse)
{
    for (;;) {
        bool is_corner[SN_MAX_HULL_VERTICES];
        sn_hull_merge(list->points, &shape->skin, merge_tolerance, &shape->faces);
        int corner_count = sn_hull_corners(list->points, list->count, &shape->skin, &shape->faces,
                                           2.0 * tolerance, is_corner);
        *too_coarse = corner_count < 4;
        if (*too_coarse || corner_count == list->count) {
            return SN_HULL_BUILT;
        }
        int corners[SN_MAX_HULL_VERTICES];
        int count = 0;
        for (int i = 0; i < list->count; ++i) {
            if (is_corner[i]) {
                corners[count++] = i;
            }
        }
        select_vertices(list, corners, count);
        sn_hull_outcome outcome = rebuild(list, tolerance, &shape->skin);
        if (outcome != SN_HULL_BUILT) {
            return outcome;
        }
    }
}

// Faces as large as the tolerance allows; for hulls about as thin as that, smaller ones, and in the end only
// those that are exactly flat. Cuts the list down to the corners.
static sn_hull_outcome find_faces(vertex_list *list, double tolerance, sn_hull_shape *shape)
{
    const double merge_tolerances[] = {tolerance, tolerance / 8.0, tolerance / 64.0, 1.0e-3};
    const vertex_list all = *list;
    for (int i = 0; i < 4; ++i) {
        *list = all;
        bool too_coarse = false;
        sn_hull_outcome outcome = rebuild(list, tolerance, &shape->skin);
        if (outcome == SN_HULL_BUILT) {
            outcome = settle(list, tolerance, merge_tolerances[i], shape, &too_coarse);
        }
        if (outcome != SN_HULL_BUILT || !too_coarse) {
            return outcome;
        }
    }
    return SN_HULL_FLAT;
}

static sn_hull_outcome find_on_grid(const grid *g, const sn_grid_point *points, int count, int max_vertices,
                                    sn_hull_shape *shape)
{
    sn_hull_outcome outcome =
        sn_hull_build(points, count, max_vertices, FLAT_TOLERANCES * g->tolerance, &shape->skin);
    if (outcome != SN_HULL_BUILT) {
        return outcome;
    }
    int used[SN_MAX_HULL_VERTICES];
    vertex_list list = {.count = renumber(&shape->skin, used)};
    for (int i = 0; i < list.count; ++i) {
        list.points[i] = points[used[i]];
    }
    weld(&list, g->tolerance);
    outcome = find_faces(&list, g->tolerance, shape);
    shape->vertex_count = list.count;
    for (int i = 0; i < list.count; ++i) {
        shape->vertices[i] = grid_position(g, list.points[i]);
    }
    return outcome;
}

sn_hull_outcome sn_hull_shape_find(const sn_vec3 *points, int count, int max_vertices, sn_hull_shape *shape)
{
    grid g;
    if (!grid_fit(&g, points, count, &shape->tolerance)) {
        return SN_HULL_POINT;
    }
    size_t bytes = (size_t)count * sizeof(sn_grid_point);
    sn_grid_point *placed = sn_allocate(bytes);
    if (!placed) {
        return SN_HULL_NO_MEMORY;
    }
    for (int i = 0; i < count; ++i) {
        placed[i] = grid_place(&g, points[i]);
    }
    sn_hull_outcome outcome = find_on_grid(&g, placed, count, max_vertices, shape);
    sn_release(placed, bytes);
    return outcome;
}

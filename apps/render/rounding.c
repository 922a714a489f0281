// Edges are found by sorting the sides of all triangles; sharp edges by sorting the places of their ends.
#include "apps/render/rounding.h"

#include <string.h>

// --- the plan ----------------------------------------------------------------------------------------------

// One side of a triangle: its ends in order of their numbers.
typedef struct side {
    uint32_t low, high;
    int place; // in the indices
} side;

static int compare_sides(const void *left, const void *right)
{
    const side *a = left, *b = right;
    if (a->low != b->low) {
        return a->low < b->low ? -1 : 1;
    }
    if (a->high != b->high) {
        return a->high < b->high ? -1 : 1;
    }
    return (a->place > b->place) - (a->place < b->place);
}

// Gives every edge a number, and every side of a triangle that of its edge.
static bool number_edges(rounding *plan, const uint32_t *indices, int count, int *edge_of)
{
    side *sides = malloc(((size_t)count + 1) * sizeof *sides);
    if (sides == NULL) {
        return false;
    }
    for (int i = 0; i < count; ++i) {
        uint32_t a = indices[i], b = indices[i - i % 3 + (i + 1) % 3];
        sides[i] = (side){a < b ? a : b, a < b ? b : a, i};
    }
    qsort(sides, (size_t)count, sizeof *sides, compare_sides);
    bool enough = true;
    for (int i = 0; i < count && enough; ++i) {
        bool same = i > 0 && sides[i].low == sides[i - 1].low && sides[i].high == sides[i - 1].high;
        rounding_edge edge = {sides[i].low, sides[i].high, plan->edges.count};
        enough = same || SN_LIST_PUSH(&plan->edges, edge);
        edge_of[sides[i].place] = plan->edges.count - 1;
    }
    free(sides);
    return enough;
}

// An edge known by the places of its ends.
typedef struct placed_edge {
    sn_vec3 low, high;
    int edge;
} placed_edge;

static int compare_places(sn_vec3 a, sn_vec3 b)
{
    if (a.x != b.x) {
        return a.x < b.x ? -1 : 1;
    }
    if (a.y != b.y) {
        return a.y < b.y ? -1 : 1;
    }
    return (a.z > b.z) - (a.z < b.z);
}

static int compare_placed(const void *left, const void *right)
{
    const placed_edge *a = left, *b = right;
    int low = compare_places(a->low, b->low), high = compare_places(a->high, b->high);
    return low != 0 ? low : high != 0 ? high : (a->edge > b->edge) - (a->edge < b->edge);
}

// Puts edges at the same place into a ring.
static bool join_sharp(rounding *plan, const sn_vec3 *positions)
{
    int count = plan->edges.count;
    placed_edge *placed = malloc(((size_t)count + 1) * sizeof *placed);
    if (placed == NULL) {
        return false;
    }
    for (int i = 0; i < count; ++i) {
        sn_vec3 a = positions[plan->edges.items[i].a], b = positions[plan->edges.items[i].b];
        bool rises = compare_places(a, b) < 0;
        placed[i] = (placed_edge){rises ? a : b, rises ? b : a, i};
    }
    qsort(placed, (size_t)count, sizeof *placed, compare_placed);
    for (int first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && compare_places(placed[next].low, placed[first].low) == 0 &&
                               compare_places(placed[next].high, placed[first].high) == 0;
             ++next) {
            plan->edges.items[placed[next - 1].edge].next = placed[next].edge;
        }
        plan->edges.items[placed[next - 1].edge].next = placed[first].edge;
    }
    free(placed);
    return true;
}

// A triangle's corners, each with the middles beside it, and the middles alone.
static void divide(rounding *plan, const uint32_t *indices, int count, const int *edge_of)
{
    for (int i = 0; i < count; i += 3) {
        uint32_t middles[3];
        for (int k = 0; k < 3; ++k) {
            middles[k] = (uint32_t)(plan->vertex_count + edge_of[i + k]);
        }
        uint32_t corners[12] = {indices[i], middles[0], middles[2],     indices[i + 1],
                                middles[1], middles[0], indices[i + 2], middles[2],
                                middles[1], middles[0], middles[1],     middles[2]};
        memcpy(plan->indices.items + plan->indices.count, corners, sizeof corners);
        plan->indices.count += 12;
    }
}

bool rounding_plan(rounding *plan, const uint32_t *indices, int index_count, int vertex_count,
                   const sn_vec3 *positions)
{
    *plan = (rounding){.vertex_count = vertex_count};
    int *edge_of = malloc(((size_t)index_count + 1) * sizeof *edge_of);
    bool made = edge_of != NULL && number_edges(plan, indices, index_count, edge_of) &&
                (positions == NULL || join_sharp(plan, positions)) &&
                SN_LIST_RESERVE(&plan->indices, 4 * index_count);
    if (made) {
        divide(plan, indices, index_count, edge_of);
    } else {
        rounding_release(plan);
    }
    free(edge_of);
    return made;
}

void rounding_release(rounding *plan)
{
    SN_LIST_FREE(&plan->edges);
    SN_LIST_FREE(&plan->indices);
}

// --- shapes ------------------------------------------------------------------------------------------------

// From the middle of an edge to where one of its sides would have the surface. The planes that touch it at
// the ends are twice as high above the middle as a sphere is; their mean counts half of that.
static sn_vec3 bulge(const rounding_edge *edge, const sn_vec3 *positions, const sn_vec3 *normals)
{
    sn_vec3 half = sn_scale(sn_sub(positions[edge->b], positions[edge->a]), 0.5f);
    float rise_a = -sn_dot(half, normals[edge->a]), rise_b = sn_dot(half, normals[edge->b]);
    return sn_scale(sn_add(sn_scale(normals[edge->a], rise_a), sn_scale(normals[edge->b], rise_b)), 0.25f);
}

static sn_vec3 middle_normal(const rounding_edge *edge, const sn_vec3 *normals)
{
    sn_vec3 sum = sn_add(normals[edge->a], normals[edge->b]);
    float length = sn_length(sum);
    return length > 1.0e-6f ? sn_scale(sum, 1.0f / length) : normals[edge->a];
}

// The normal in the middle where the surface is steeper, or less steep, than at both ends: the mean is
// mirrored at the plane across the edge, as in curved PN triangles (Vlachos et al. 2001).
static sn_vec3 bent_normal(const rounding_edge *edge, const sn_vec3 *positions, const sn_vec3 *normals)
{
    sn_vec3 along = sn_sub(positions[edge->b], positions[edge->a]);
    sn_vec3 sum = sn_add(normals[edge->a], normals[edge->b]);
    float squared = sn_dot(along, along);
    sn_vec3 bent = squared > 1.0e-20f ? sn_add_scaled(sum, -1.0f * sn_dot(along, sum) / squared, along) : sum;
    float length = sn_length(bent);
    return length > 1.0e-6f ? sn_scale(bent, 1.0f / length) : normals[edge->a];
}

// All sides of a sharp edge must agree: the least way that is as high above each as it wants to be. Least
// squares of three unknowns, by Cramer's rule; a small weight for staying keeps it solvable.
static sn_vec3 common_bulge(const rounding *plan, int first, const sn_vec3 *positions, const sn_vec3 *normals)
{
    const float staying = 1.0e-3f;
    sn_vec3 x = {staying, 0.0f, 0.0f}, y = {0.0f, staying, 0.0f}, z = {0.0f, 0.0f, staying};
    sn_vec3 wanted = {0.0f, 0.0f, 0.0f};
    int i = first;
    do {
        const rounding_edge *edge = &plan->edges.items[i];
        sn_vec3 normal = middle_normal(edge, normals);
        float rise = sn_dot(bulge(edge, positions, normals), normal);
        x = sn_add_scaled(x, normal.x, normal);
        y = sn_add_scaled(y, normal.y, normal);
        z = sn_add_scaled(z, normal.z, normal);
        wanted = sn_add_scaled(wanted, rise, normal);
        i = edge->next;
    } while (i != first);
    float determinant = sn_dot(x, sn_cross(y, z));
    sn_vec3 yz = sn_cross(y, z), zx = sn_cross(z, x), xy = sn_cross(x, y);
    sn_vec3 sum = sn_add(sn_scale(yz, wanted.x), sn_add(sn_scale(zx, wanted.y), sn_scale(xy, wanted.z)));
    return sn_scale(sum, 1.0f / determinant);
}

void rounding_apply(const rounding *plan, sn_vec3 *positions, sn_vec3 *normals)
{
    for (int i = 0; i < plan->edges.count; ++i) {
        const rounding_edge *edge = &plan->edges.items[i];
        sn_vec3 middle = sn_scale(sn_add(positions[edge->a], positions[edge->b]), 0.5f);
        sn_vec3 way =
            edge->next == i ? bulge(edge, positions, normals) : common_bulge(plan, i, positions, normals);
        positions[plan->vertex_count + i] = sn_add(middle, way);
        normals[plan->vertex_count + i] = bent_normal(edge, positions, normals);
    }
}

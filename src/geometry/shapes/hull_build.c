// Quickhull (Barber, Dobkin, Huhdanpaa 1996) with the farthest point of all first, so that stopping early
// leaves the best coarse hull. What the new point sees is decided exactly, and coplanar triangles count as
// not seen; so the hull is convex and its topology valid whatever the input. Distances only choose the next
// point and are in double.
// Tested by tests/geometry/shapes/test_hull.c.
#include "geometry/shapes/hull_build.h"
#include "base/allocate.h"
#include <math.h>

#define NONE (-1)
// A point is outside a facet from this distance (grid units): far more than rounding makes of zero, so that
// the exact test agrees, and far less than matters.
#define OUTSIDE 1.0e-3

typedef struct facet {
    sn_hull_triangle triangle;
    double normal_x, normal_y, normal_z, offset; // unit; normal · p = offset on the plane
    int first_outside;                           // list of points this facet is to take in, linked by `next`
    int farthest;                                // of those, and how far it is
    double farthest_distance;
    bool alive, visible;
} facet;

typedef struct horizon_edge {
    int from, to;
    int outer, outer_edge; // facet beyond it that stays, and which of that facet's edges it is
} horizon_edge;

typedef struct builder {
    const sn_grid_point *points;
    int count;
    int *next; // by point: the next of the list it is in
    int facet_count;
    facet facets[SN_MAX_HULL_TRIANGLES];
    int created[SN_MAX_HULL_TRIANGLES]; // facets of the last point added
    int created_count;
    horizon_edge horizon[SN_MAX_HULL_TRIANGLES];
    int horizon_count;
} builder;

static double facet_distance(const facet *f, sn_grid_point p)
{
    return f->normal_x * p.x + f->normal_y * p.y + f->normal_z * p.z - f->offset;
}

// --- facets --------------------------------------------------------------------------------------

static void facet_set_plane(facet *f, const sn_grid_point *points)
{
    sn_grid_point a = points[f->triangle.vertex[0]];
    sn_grid_point b = points[f->triangle.vertex[1]];
    sn_grid_point c = points[f->triangle.vertex[2]];
    sn_grid_vector n = sn_grid_cross(sn_grid_difference(b, a), sn_grid_difference(c, a));
    double x = (double)n.x, y = (double)n.y, z = (double)n.z;
    double inverse_length = 1.0 / sqrt(x * x + y * y + z * z);
    f->normal_x = x * inverse_length;
    f->normal_y = y * inverse_length;
    f->normal_z = z * inverse_length;
    f->offset = f->normal_x * a.x + f->normal_y * a.y + f->normal_z * a.z;
}

// NONE when all places are taken, which Euler's formula forbids for a valid hull below the vertex limit.
static int facet_create(builder *b, int v0, int v1, int v2)
{
    for (int i = 0; i < SN_MAX_HULL_TRIANGLES; ++i) {
        facet *f = &b->facets[i];
        if (!f->alive) {
            *f = (facet){.triangle = {{v0, v1, v2}, {NONE, NONE, NONE}},
                         .first_outside = NONE,
                         .farthest = NONE,
                         .alive = true};
            facet_set_plane(f, b->points);
            b->facet_count++;
            b->created[b->created_count++] = i;
            return i;
        }
    }
    return NONE;
}

// Gives the point to the new facet it is farthest outside of, if to any: it may become a vertex later.
static void assign_outside(builder *b, int point)
{
    int best = NONE;
    double best_distance = OUTSIDE;
    for (int i = 0; i < b->created_count; ++i) {
        double distance = facet_distance(&b->facets[b->created[i]], b->points[point]);
        if (distance > best_distance) {
            best_distance = distance;
            best = b->created[i];
        }
    }
    if (best == NONE) {
        return;
    }
    facet *f = &b->facets[best];
    b->next[point] = f->first_outside;
    f->first_outside = point;
    // Of equals the lowest point, whatever order the lists are in.
    if (f->farthest == NONE || best_distance > f->farthest_distance ||
        (best_distance == f->farthest_distance && point < f->farthest)) {
        f->farthest = point;
        f->farthest_distance = best_distance;
    }
}

// --- first tetrahedron ---------------------------------------------------------------------------

static int64_t distance_squared(sn_grid_point a, sn_grid_point b)
{
    sn_grid_vector d = sn_grid_difference(a, b);
    return d.x * d.x + d.y * d.y + d.z * d.z;
}

// The two of the six points extreme along the axes that are farthest apart.
static void find_extreme_pair(const sn_grid_point *points, int count, int pair[2])
{
    int extreme[6] = {0, 0, 0, 0, 0, 0};
    for (int i = 1; i < count; ++i) {
        sn_grid_point p = points[i];
        extreme[0] = p.x < points[extreme[0]].x ? i : extreme[0];
        extreme[1] = p.x > points[extreme[1]].x ? i : extreme[1];
        extreme[2] = p.y < points[extreme[2]].y ? i : extreme[2];
        extreme[3] = p.y > points[extreme[3]].y ? i : extreme[3];
        extreme[4] = p.z < points[extreme[4]].z ? i : extreme[4];
        extreme[5] = p.z > points[extreme[5]].z ? i : extreme[5];
    }
    int64_t best = -1;
    for (int i = 0; i < 6; ++i) {
        for (int j = i + 1; j < 6; ++j) {
            int64_t distance = distance_squared(points[extreme[i]], points[extreme[j]]);
            if (distance > best) {
                best = distance;
                pair[0] = extreme[i];
                pair[1] = extreme[j];
            }
        }
    }
}

static double squared_length(sn_grid_vector v)
{
    return (double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z;
}

// The point farthest from the line through a and b, and its distance from it.
static int farthest_from_line(const sn_grid_point *points, int count, int a, int b, double *distance)
{
    sn_grid_vector axis = sn_grid_difference(points[b], points[a]);
    int best = a;
    double best_area = 0.0; // twice the triangle's, squared
    for (int i = 0; i < count; ++i) {
        double area = squared_length(sn_grid_cross(axis, sn_grid_difference(points[i], points[a])));
        if (area > best_area) {
            best_area = area;
            best = i;
        }
    }
    *distance = sqrt(best_area / squared_length(axis));
    return best;
}

// The point farthest from the plane of a facet, on either side, and its distance from it.
static int farthest_from_plane(const builder *b, const facet *f, double *distance)
{
    int best = f->triangle.vertex[0];
    *distance = 0.0;
    for (int i = 0; i < b->count; ++i) {
        double d = fabs(facet_distance(f, b->points[i]));
        if (d > *distance) {
            *distance = d;
            best = i;
        }
    }
    return best;
}

static sn_hull_outcome choose_corners(const builder *b, double flat_tolerance, int corner[4])
{
    find_extreme_pair(b->points, b->count, corner);
    double size = sqrt((double)distance_squared(b->points[corner[0]], b->points[corner[1]]));
    if (size <= flat_tolerance) {
        return SN_HULL_POINT;
    }
    double distance;
    corner[2] = farthest_from_line(b->points, b->count, corner[0], corner[1], &distance);
    if (distance <= flat_tolerance) {
        return SN_HULL_LINE;
    }
    facet base = {.triangle = {{corner[0], corner[1], corner[2]}, {NONE, NONE, NONE}}};
    facet_set_plane(&base, b->points);
    corner[3] = farthest_from_plane(b, &base, &distance);
    return distance <= flat_tolerance ? SN_HULL_FLAT : SN_HULL_BUILT;
}

static sn_hull_outcome make_tetrahedron(builder *b, double flat_tolerance)
{
    int c[4] = {0, 0, 0, 0};
    sn_hull_outcome outcome = choose_corners(b, flat_tolerance, c);
    if (outcome != SN_HULL_BUILT) {
        return outcome;
    }
    const sn_grid_point *p = b->points;
    if (sn_grid_side(p[c[0]], p[c[1]], p[c[2]], p[c[3]]) > 0) {
        int swapped = c[0];
        c[0] = c[1];
        c[1] = swapped;
    }
    // The base looks away from corner 3; facet k + 1 stands on the base's edge k.
    static const int corners[4][3] = {{0, 1, 2}, {1, 0, 3}, {2, 1, 3}, {0, 2, 3}};
    static const int neighbors[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    for (int i = 0; i < 4; ++i) {
        int f = facet_create(b, c[corners[i][0]], c[corners[i][1]], c[corners[i][2]]);
        for (int k = 0; k < 3; ++k) {
            b->facets[f].triangle.neighbor[k] = neighbors[i][k];
        }
    }
    for (int i = 0; i < b->count; ++i) {
        assign_outside(b, i);
    }
    return SN_HULL_BUILT;
}

// --- adding a point ------------------------------------------------------------------------------

static void mark_visible(builder *b, int seed, sn_grid_point eye)
{
    int stack[SN_MAX_HULL_TRIANGLES];
    int stack_count = 0;
    stack[stack_count++] = seed;
    b->facets[seed].visible = true;
    while (stack_count > 0) {
        const sn_hull_triangle *t = &b->facets[stack[--stack_count]].triangle;
        for (int k = 0; k < 3; ++k) {
            facet *f = &b->facets[t->neighbor[k]];
            const int *v = f->triangle.vertex;
            if (!f->visible && sn_grid_side(b->points[v[0]], b->points[v[1]], b->points[v[2]], eye) > 0) {
                f->visible = true;
                stack[stack_count++] = t->neighbor[k];
            }
        }
    }
}

static void collect_horizon(builder *b)
{
    b->horizon_count = 0;
    for (int i = 0; i < SN_MAX_HULL_TRIANGLES; ++i) {
        const facet *f = &b->facets[i];
        for (int k = 0; f->alive && f->visible && k < 3; ++k) {
            int outer = f->triangle.neighbor[k];
            const sn_hull_triangle *t = &b->facets[outer].triangle;
            if (b->facets[outer].visible) {
                continue;
            }
            int outer_edge = t->neighbor[0] == i ? 0 : (t->neighbor[1] == i ? 1 : 2);
            b->horizon[b->horizon_count++] =
                (horizon_edge){f->triangle.vertex[k], f->triangle.vertex[(k + 1) % 3], outer, outer_edge};
        }
    }
}

// Puts the horizon in order, each edge starting where the last ended. False unless it is one closed loop that
// meets no vertex twice.
static bool order_horizon(builder *b)
{
    horizon_edge *edge = b->horizon;
    for (int i = 0; i + 1 < b->horizon_count; ++i) {
        int found = 0, place = NONE;
        for (int j = i + 1; j < b->horizon_count; ++j) {
            if (edge[j].from == edge[i].to) {
                place = j;
                found++;
            }
        }
        if (found != 1) {
            return false;
        }
        horizon_edge moved = edge[i + 1];
        edge[i + 1] = edge[place];
        edge[place] = moved;
    }
    return b->horizon_count >= 3 && edge[b->horizon_count - 1].to == edge[0].from;
}

// Removes what the eye sees; the points waiting there are returned as one list.
static int remove_visible(builder *b, int eye)
{
    int orphans = NONE;
    for (int i = 0; i < SN_MAX_HULL_TRIANGLES; ++i) {
        facet *f = &b->facets[i];
        if (!f->alive || !f->visible) {
            continue;
        }
        for (int point = f->first_outside; point != NONE;) {
            int following = b->next[point];
            if (point != eye) {
                b->next[point] = orphans;
                orphans = point;
            }
            point = following;
        }
        f->alive = false;
        b->facet_count--;
    }
    return orphans;
}

static bool add_cone(builder *b, int eye)
{
    int count = b->horizon_count;
    b->created_count = 0;
    for (int i = 0; i < count; ++i) {
        if (facet_create(b, b->horizon[i].from, b->horizon[i].to, eye) == NONE) {
            return false;
        }
    }
    for (int i = 0; i < count; ++i) {
        const horizon_edge *edge = &b->horizon[i];
        int *neighbor = b->facets[b->created[i]].triangle.neighbor;
        neighbor[0] = edge->outer;
        neighbor[1] = b->created[(i + 1) % count];
        neighbor[2] = b->created[(i + count - 1) % count];
        b->facets[edge->outer].triangle.neighbor[edge->outer_edge] = b->created[i];
    }
    return true;
}

static bool add_point(builder *b, int eye, int seed)
{
    mark_visible(b, seed, b->points[eye]);
    collect_horizon(b);
    if (!order_horizon(b)) {
        return false;
    }
    int orphans = remove_visible(b, eye);
    if (!add_cone(b, eye)) {
        return false;
    }
    while (orphans != NONE) {
        int point = orphans;
        orphans = b->next[point];
        assign_outside(b, point);
    }
    return true;
}

// The facet whose farthest point is the farthest of all; NONE when no point is outside.
static int next_facet(const builder *b)
{
    int best = NONE;
    double best_distance = 0.0;
    for (int i = 0; i < SN_MAX_HULL_TRIANGLES; ++i) {
        const facet *f = &b->facets[i];
        if (f->alive && f->farthest != NONE && f->farthest_distance > best_distance) {
            best_distance = f->farthest_distance;
            best = i;
        }
    }
    return best;
}

// --- the whole -----------------------------------------------------------------------------------

static sn_hull_outcome grow(builder *b, int max_vertices, double flat_tolerance)
{
    sn_hull_outcome outcome = make_tetrahedron(b, flat_tolerance);
    if (outcome != SN_HULL_BUILT) {
        return outcome;
    }
    // A closed triangulated sphere of V vertices has 2V − 4 triangles; a new point may be one more vertex.
    while (b->facet_count < 2 * max_vertices - 4) {
        int seed = next_facet(b);
        if (seed == NONE) {
            break;
        }
        if (!add_point(b, b->facets[seed].farthest, seed)) {
            return SN_HULL_BROKEN;
        }
    }
    return SN_HULL_BUILT;
}

static void copy_skin(const builder *b, sn_hull_skin *skin)
{
    int place[SN_MAX_HULL_TRIANGLES];
    skin->count = 0;
    for (int i = 0; i < SN_MAX_HULL_TRIANGLES; ++i) {
        place[i] = b->facets[i].alive ? skin->count++ : NONE;
    }
    for (int i = 0; i < SN_MAX_HULL_TRIANGLES; ++i) {
        if (place[i] == NONE) {
            continue;
        }
        sn_hull_triangle triangle = b->facets[i].triangle;
        for (int k = 0; k < 3; ++k) {
            triangle.neighbor[k] = place[triangle.neighbor[k]];
        }
        skin->triangles[place[i]] = triangle;
    }
}

sn_hull_outcome sn_hull_build(const sn_grid_point *points, int count, int max_vertices, double flat_tolerance,
                              sn_hull_skin *skin)
{
    builder *b = sn_allocate_zero(1, sizeof(builder));
    int *next = sn_allocate_zero((size_t)count, sizeof(int));
    sn_hull_outcome outcome = SN_HULL_NO_MEMORY;
    if (b && next) {
        b->points = points;
        b->count = count;
        b->next = next;
        outcome = grow(b, max_vertices, flat_tolerance);
        if (outcome == SN_HULL_BUILT) {
            copy_skin(b, skin);
        }
    }
    sn_release(next, (size_t)count * sizeof(int));
    sn_release(b, sizeof(builder));
    return outcome;
}

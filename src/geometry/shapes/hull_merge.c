// Coplanar triangles of a hull become polygon faces, and vertices that are then no corners are found. The
// skin is exactly convex: a vertex lies below every triangle's plane, and hence below the plane of their
// area-weighted mean normal too, up to the flatness that was asked for. So joining triangles cannot make the
// hull concave.
// Tested by tests/geometry/shapes/test_hull.c.
#include "geometry/shapes/hull_merge.h"
#include "math/wide.h"
#include <math.h>
#include <string.h>

// An edge between two triangles, with how far from flat the two are.
typedef struct candidate {
    double spread;
    int triangle, neighbor;
} candidate;

#define MAX_EDGES (SN_MAX_HULL_TRIANGLES * 3 / 2)

// From a to b.
static sn_vec3d edge(sn_grid_point a, sn_grid_point b)
{
    sn_grid_vector d = sn_grid_difference(b, a);
    return (sn_vec3d){(double)d.x, (double)d.y, (double)d.z};
}

// (b − a) × (c − b): twice the area, along the normal; multiplied exactly.
static sn_vec3d area_vector(sn_grid_point a, sn_grid_point b, sn_grid_point c)
{
    sn_grid_vector n = sn_grid_cross(sn_grid_difference(b, a), sn_grid_difference(c, b));
    return (sn_vec3d){(double)n.x, (double)n.y, (double)n.z};
}

static sn_vec3d triangle_area_vector(const sn_grid_point *points, const sn_hull_triangle *t)
{
    return area_vector(points[t->vertex[0]], points[t->vertex[1]], points[t->vertex[2]]);
}

// Thickness, across their mean normal, of the triangles that belong to either face. Infinite if one of them
// looks the other way: at a rim thinner than the tolerance, both sides would fit one plane.
static double spread_of_union(const sn_grid_point *points, const sn_hull_skin *skin, const int *face_of,
                              int a, int b)
{
    sn_vec3d normal = {0.0, 0.0, 0.0};
    for (int i = 0; i < skin->count; ++i) {
        if (face_of[i] == a || face_of[i] == b) {
            normal = sn_add_wide(normal, triangle_area_vector(points, &skin->triangles[i]));
        }
    }
    double lowest = INFINITY, highest = -INFINITY;
    for (int i = 0; i < skin->count; ++i) {
        if (face_of[i] != a && face_of[i] != b) {
            continue;
        }
        if (!(sn_dot_wide(normal, triangle_area_vector(points, &skin->triangles[i])) > 0.0)) {
            return INFINITY;
        }
        for (int k = 0; k < 3; ++k) {
            const sn_grid_point *p = &points[skin->triangles[i].vertex[k]];
            double h = sn_dot_wide(normal, (sn_vec3d){p->x, p->y, p->z});
            lowest = h < lowest ? h : lowest;
            highest = h > highest ? h : highest;
        }
    }
    return (highest - lowest) / sn_length_wide(normal);
}

// Whether the outline of two faces together is one loop that meets no vertex twice.
static bool union_has_simple_outline(const sn_hull_skin *skin, const int *face_of, int a, int b)
{
    int successor[SN_MAX_HULL_VERTICES];
    memset(successor, -1, sizeof successor);
    int edge_count = 0, start = -1;
    for (int i = 0; i < skin->count; ++i) {
        const sn_hull_triangle *t = &skin->triangles[i];
        for (int k = 0; (face_of[i] == a || face_of[i] == b) && k < 3; ++k) {
            int other = face_of[t->neighbor[k]];
            if (other == a || other == b) {
                continue;
            }
            if (successor[t->vertex[k]] >= 0) {
                return false;
            }
            start = t->vertex[k];
            successor[start] = t->vertex[(k + 1) % 3];
            edge_count++;
        }
    }
    int steps = 0;
    for (int v = start; v >= 0 && steps <= edge_count; ++steps) {
        v = successor[v];
        if (v == start) {
            return steps + 1 == edge_count;
        }
    }
    return false;
}

// All edges, flattest first; of equals the lower triangle.
static int list_candidates(const sn_grid_point *points, const sn_hull_skin *skin, candidate *list)
{
    int identity[SN_MAX_HULL_TRIANGLES];
    for (int i = 0; i < skin->count; ++i) {
        identity[i] = i;
    }
    int count = 0;
    for (int i = 0; i < skin->count; ++i) {
        for (int k = 0; k < 3; ++k) {
            int neighbor = skin->triangles[i].neighbor[k];
            if (neighbor < i) {
                continue;
            }
            candidate c = {spread_of_union(points, skin, identity, i, neighbor), i, neighbor};
            int place = count++;
            for (; place > 0 && list[place - 1].spread > c.spread; --place) {
                list[place] = list[place - 1];
            }
            list[place] = c;
        }
    }
    return count;
}

static void number_faces(const sn_hull_skin *skin, sn_hull_faces *faces)
{
    int number[SN_MAX_HULL_TRIANGLES];
    memset(number, -1, sizeof number);
    faces->count = 0;
    for (int i = 0; i < skin->count; ++i) {
        int *n = &number[faces->face_of[i]];
        *n = *n < 0 ? faces->count++ : *n;
        faces->face_of[i] = *n;
    }
}

void sn_hull_merge(const sn_grid_point *points, const sn_hull_skin *skin, double tolerance,
                   sn_hull_faces *faces)
{
    candidate list[MAX_EDGES];
    int count = list_candidates(points, skin, list);
    int *face_of = faces->face_of;
    for (int i = 0; i < skin->count; ++i) {
        face_of[i] = i;
    }
    // What was too rough at first may fit a face that has grown since, so until nothing changes.
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < count; ++i) {
            int a = face_of[list[i].triangle], b = face_of[list[i].neighbor];
            if (a == b || spread_of_union(points, skin, face_of, a, b) > 2.0 * tolerance ||
                !union_has_simple_outline(skin, face_of, a, b)) {
                continue;
            }
            for (int j = 0; j < skin->count; ++j) {
                face_of[j] = face_of[j] == b ? a : face_of[j];
            }
            changed = true;
        }
    }
    number_faces(skin, faces);
}

// The outline of a face, counter-clockwise from outside; returns how many corners.
static int list_outline(const sn_hull_skin *skin, const sn_hull_faces *faces, int face,
                        int outline[SN_MAX_HULL_VERTICES])
{
    int successor[SN_MAX_HULL_VERTICES];
    int start = -1;
    for (int i = 0; i < skin->count; ++i) {
        const sn_hull_triangle *t = &skin->triangles[i];
        for (int k = 0; faces->face_of[i] == face && k < 3; ++k) {
            if (faces->face_of[t->neighbor[k]] != face) {
                start = start < 0 ? t->vertex[k] : start;
                successor[t->vertex[k]] = t->vertex[(k + 1) % 3];
            }
        }
    }
    int count = 0;
    for (int v = start; v >= 0 && count < SN_MAX_HULL_VERTICES; v = successor[v]) {
        if (count > 0 && v == start) {
            break;
        }
        outline[count++] = v;
    }
    return count;
}

// --- corners -----------------------------------------------------------------------------------------------

// Why a vertex is no corner, and with it which others hold the hull up where it goes.
typedef enum corner_kind {
    CORNER,
    WITHIN_FACE, // of face `face`, or where its outline turns inwards: its other corners
    WITHIN_EDGE  // between vertices `before` and `after`: those two
} corner_kind;

typedef struct corner {
    corner_kind kind;
    int face_count; // faces that have it on their outline
    int face, before, after;
} corner;

static sn_vec3d face_area_vector(const sn_grid_point *points, const sn_hull_skin *skin,
                                 const sn_hull_faces *faces, int face)
{
    sn_vec3d area = {0.0, 0.0, 0.0};
    for (int i = 0; i < skin->count; ++i) {
        if (faces->face_of[i] == face) {
            area = sn_add_wide(area, triangle_area_vector(points, &skin->triangles[i]));
        }
    }
    return area;
}

// Where an outline goes straight on or turns inwards, the vertex projects into the hull of the face's other
// corners and lies within the tolerance of its plane.
static bool turns_inward(sn_vec3d normal, sn_grid_point a, sn_grid_point b, sn_grid_point c)
{
    return sn_dot_wide(area_vector(a, b, c), normal) <= 0.0;
}

static double distance_from_segment(sn_grid_point p, sn_grid_point a, sn_grid_point b)
{
    sn_vec3d axis = edge(a, b), offset = edge(a, p);
    double t = sn_dot_wide(offset, axis) / sn_dot_wide(axis, axis);
    t = t < 0.0 ? 0.0 : (t > 1.0 ? 1.0 : t);
    return sn_length_wide(sn_add_scaled_wide(offset, -t, axis));
}

// The two vertices of an outline farthest apart; returns their distance.
static double find_ends(const sn_grid_point *points, const int *outline, int count, int ends[2])
{
    double longest = -1.0;
    for (int i = 0; i < count; ++i) {
        for (int j = i + 1; j < count; ++j) {
            double distance = sn_length_wide(edge(points[outline[i]], points[outline[j]]));
            if (distance > longest) {
                longest = distance;
                ends[0] = outline[i];
                ends[1] = outline[j];
            }
        }
    }
    return longest;
}

// What the outline of one face says of the vertices on it. A face thinner than the tolerance has no normal to
// turn about; all of it is within the edge between its ends.
static void study_outline(const sn_grid_point *points, const int *outline, int count, sn_vec3d area, int face,
                          double tolerance, corner *corners)
{
    int ends[2] = {outline[0], outline[0]};
    bool thin = sn_length_wide(area) <= tolerance * find_ends(points, outline, count, ends);
    for (int i = 0; i < count; ++i) {
        int before = outline[(i + count - 1) % count], v = outline[i], after = outline[(i + 1) % count];
        corner *c = &corners[v];
        c->face_count++;
        if (c->kind != CORNER) {
            continue;
        }
        c->before = before;
        c->after = after;
        if (thin && v != ends[0] && v != ends[1]) {
            *c = (corner){WITHIN_EDGE, c->face_count, face, ends[0], ends[1]};
        } else if (!thin && turns_inward(area, points[before], points[v], points[after])) {
            c->kind = WITHIN_FACE;
            c->face = face;
        }
    }
}

// Vertices on no outline are within the one face round them, those on two within an edge. False if such an
// edge is bent.
static bool study_corners(const sn_grid_point *points, int vertex_count, const sn_hull_skin *skin,
                          const sn_hull_faces *faces, double tolerance, corner *corners)
{
    for (int i = 0; i < vertex_count; ++i) {
        corners[i] = (corner){.kind = CORNER};
    }
    for (int i = 0; i < skin->count; ++i) {
        for (int k = 0; k < 3; ++k) {
            corners[skin->triangles[i].vertex[k]] = (corner){.kind = CORNER, .face = faces->face_of[i]};
        }
    }
    for (int face = 0; face < faces->count; ++face) {
        int outline[SN_MAX_HULL_VERTICES];
        int count = list_outline(skin, faces, face, outline);
        sn_vec3d area = face_area_vector(points, skin, faces, face);
        study_outline(points, outline, count, area, face, tolerance, corners);
    }
    for (int i = 0; i < vertex_count; ++i) {
        corner *c = &corners[i];
        if (c->face_count == 0) {
            c->kind = WITHIN_FACE;
        }
        if (c->face_count == 2 && c->kind == CORNER) {
            c->kind = WITHIN_EDGE;
        }
        if (c->kind == WITHIN_EDGE &&
            !(distance_from_segment(points[i], points[c->before], points[c->after]) <= tolerance)) {
            return false;
        }
    }
    return true;
}

// The vertices that hold the hull up when a vertex that is no corner goes.
static int list_holders(const sn_hull_skin *skin, const sn_hull_faces *faces, const corner *c,
                        int holders[SN_MAX_HULL_VERTICES])
{
    if (c->kind == WITHIN_FACE) {
        return list_outline(skin, faces, c->face, holders);
    }
    holders[0] = c->before;
    holders[1] = c->after;
    return 2;
}

int sn_hull_corners(const sn_grid_point *points, int vertex_count, const sn_hull_skin *skin,
                    const sn_hull_faces *faces, double tolerance, bool is_corner[SN_MAX_HULL_VERTICES])
{
    corner corners[SN_MAX_HULL_VERTICES];
    bool holds[SN_MAX_HULL_VERTICES] = {false};
    if (!study_corners(points, vertex_count, skin, faces, tolerance, corners)) {
        return -1;
    }
    memset(is_corner, true, SN_MAX_HULL_VERTICES * sizeof(bool));
    int corner_count = vertex_count;
    for (int i = 0; i < vertex_count; ++i) {
        if (corners[i].kind == CORNER || holds[i]) {
            continue;
        }
        int holders[SN_MAX_HULL_VERTICES];
        int count = list_holders(skin, faces, &corners[i], holders);
        bool held = true;
        for (int j = 0; j < count; ++j) {
            held = held && is_corner[holders[j]];
        }
        if (!held) {
            continue;
        }
        for (int j = 0; j < count; ++j) {
            holds[holders[j]] = true;
        }
        is_corner[i] = false;
        corner_count--;
    }
    return corner_count;
}

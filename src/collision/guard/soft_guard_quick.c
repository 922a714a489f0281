// Quick tests of the guard: most faces stay on one side of the plane of the other face, or of a plane across
// the line to a ball, and need no closer look. The corners of a face are lanes, so that heights of all three
// over a plane are found at once.
// Tested by tests/physics/soft/test_soft_guard.c.
#include "collision/guard/soft_guard_run.h"

#include <float.h>

// Coordinates of the corners of a face relative to an origin; the third one twice.
typedef struct corners4 {
    sn_f4 x, y, z;
} corners4;

enum { START, END };

static corners4 corners_at(const sn_soft_box *boxes, const uint32_t *nodes, int time, sn_f4 origin)
{
    sn_f4 a = boxes[nodes[0]].lower[time] - origin, b = boxes[nodes[1]].lower[time] - origin;
    sn_f4 c = boxes[nodes[2]].lower[time] - origin;
    sn_f4 low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    return (corners4){__builtin_shufflevector(low, c, 0, 1, 4, 4),
                      __builtin_shufflevector(low, c, 2, 3, 5, 5),
                      __builtin_shufflevector(__builtin_shufflevector(a, b, 2, 6, -1, -1), c, 0, 1, 6, 6)};
}

static sn_f4 heights(const corners4 *corners, sn_vec3 normal)
{
    return corners->x * sn_f4_set(normal.x) + corners->y * sn_f4_set(normal.y) +
           corners->z * sn_f4_set(normal.z);
}

static sn_vec3 normal_of(const corners4 *c)
{
    sn_vec3 u = {c->x[1] - c->x[0], c->y[1] - c->y[0], c->z[1] - c->z[0]};
    sn_vec3 v = {c->x[2] - c->x[0], c->y[2] - c->y[0], c->z[2] - c->z[0]};
    return sn_cross(u, v);
}

static float least_of(sn_f4 a)
{
    return sn_min(sn_min(a[0], a[1]), sn_min(a[2], a[3]));
}

static sn_f4 wide(sn_vec3 v)
{
    return (sn_f4){v.x, v.y, v.z, 0.0f};
}

// --- two faces ---------------------------------------------------------------------------------------------

// The face whose plane is tried, the other one, and which corners of that are not in common (all ones).
typedef struct sides {
    const corners4 *face, *other; // two each: at the start, at the end
    sn_i4 counts;
} sides;

// Whether planes across the normal keep the corners of the other face that count on one side of the first.
static bool are_parted(const sides *s, sn_vec3 normal, float least)
{
    float gap = least * sn_length(normal);
    sn_f4 none = sn_f4_set(FLT_MAX);
    bool above = true, below = true;
    for (int time = START; time <= END; ++time) {
        sn_f4 face = heights(&s->face[time], normal), other = heights(&s->other[time], normal);
        float lowest = least_of(sn_f4_select(s->counts, other, none)), highest = -least_of(-face);
        float lowest_down = least_of(sn_f4_select(s->counts, -other, none)), highest_down = -least_of(face);
        above = above && lowest - highest > gap;
        below = below && lowest_down - highest_down > gap;
    }
    return above || below;
}

// From the middle of the face to one of the corners that count.
static sn_vec3 line_between(const sides *s)
{
    const corners4 *face = &s->face[START], *other = &s->other[START];
    int k = s->counts[0] ? 0 : s->counts[1] ? 1 : 2;
    const float third = 1.0f / 3.0f;
    return sn_v(other->x[k] - third * (face->x[0] + face->x[1] + face->x[2]),
                other->y[k] - third * (face->y[0] + face->y[1] + face->y[2]),
                other->z[k] - third * (face->z[0] + face->z[1] + face->z[2]));
}

// By the plane of the face, or across the line between them.
static bool stays_on_one_side(const sides *s, float least)
{
    return are_parted(s, normal_of(&s->face[START]), least) || are_parted(s, line_between(s), least);
}

static sn_i4 find_uncommon(const uint32_t *a, const uint32_t *b)
{
    sn_i4 nodes = {(int)a[0], (int)a[1], (int)a[2], (int)a[2]};
    sn_i4 first = {(int)b[0], (int)b[0], (int)b[0], (int)b[0]};
    sn_i4 second = {(int)b[1], (int)b[1], (int)b[1], (int)b[1]};
    sn_i4 third = {(int)b[2], (int)b[2], (int)b[2], (int)b[2]};
    return (sn_i4)(nodes != first) & (sn_i4)(nodes != second) & (sn_i4)(nodes != third);
}

static bool have_common_edge(sn_i4 uncommon)
{
    return uncommon[0] + uncommon[1] + uncommon[2] == -1; // one lane of three is all ones
}

// Of faces with a common node, what is not common must be on one side of the other face, both ways. Of faces
// with a common edge that says nothing of the edges that end at its two ends: those cross where each of the
// other corners is beyond all of the other face, but both are on the same side of the edge.
static bool are_faces_apart(const sn_soft_surface *a, const sn_soft_surface *b, const sn_feature_pair *faces,
                            float least)
{
    const uint32_t *nodes_a = a->faces.data + 3 * (size_t)a->order.data[faces->feature];
    const uint32_t *nodes_b = b->faces.data + 3 * (size_t)b->order.data[faces->piece];
    const sn_soft_box *boxes_a = a->node_boxes.data, *boxes_b = b->node_boxes.data;
    sn_f4 origin = boxes_a[nodes_a[0]].lower[START];
    corners4 on_a[2], on_b[2];
    for (int time = START; time <= END; ++time) {
        on_a[time] = corners_at(boxes_a, nodes_a, time, origin);
        on_b[time] = corners_at(boxes_b, nodes_b, time, origin);
    }
    sn_i4 all = {-1, -1, -1, -1};
    sides over_b = {on_b, on_a, a == b ? find_uncommon(nodes_a, nodes_b) : all};
    sides over_a = {on_a, on_b, a == b ? find_uncommon(nodes_b, nodes_a) : all};
    if (have_common_edge(over_b.counts)) {
        return false;
    }
    bool is_apart = stays_on_one_side(&over_b, least);
    bool have_common = a == b && sn_i4_any((over_b.counts & over_a.counts) == 0);
    return have_common ? is_apart && stays_on_one_side(&over_a, least)
                       : is_apart || stays_on_one_side(&over_a, least);
}

// --- a face and a ball -------------------------------------------------------------------------------------

static bool is_above_ball(const sn_soft_surface *surface, uint32_t face, const sn_guard_points *ball,
                          float reach)
{
    const uint32_t *nodes = surface->faces.data + 3 * (size_t)face;
    const sn_soft_box *boxes = surface->node_boxes.data;
    sn_f4 center = wide(sn_add(ball->origin, ball->start[0])),
          then = wide(sn_add(ball->origin, ball->end[0]));
    sn_f4 away = boxes[nodes[0]].lower[START] - center;
    sn_vec3 normal = {away[0], away[1], away[2]};
    corners4 before = corners_at(boxes, nodes, START, center), after = corners_at(boxes, nodes, END, then);
    sn_f4 lowest = sn_f4_min(heights(&before, normal), heights(&after, normal));
    return least_of(lowest) > reach * sn_length(normal);
}

// --- a face and a triangle ---------------------------------------------------------------------------------

static corners4 points_at(const sn_vec3 *points)
{
    return (corners4){{points[0].x, points[1].x, points[2].x, points[2].x},
                      {points[0].y, points[1].y, points[2].y, points[2].y},
                      {points[0].z, points[1].z, points[2].z, points[2].z}};
}

static bool is_beside_triangle(const sn_soft_surface *surface, uint32_t face, const sn_guard_points *triangle,
                               float least)
{
    const uint32_t *nodes = surface->faces.data + 3 * (size_t)face;
    sn_f4 origin = wide(triangle->origin);
    corners4 on_face[2], on_triangle[2] = {points_at(triangle->start), points_at(triangle->end)};
    for (int time = START; time <= END; ++time) {
        on_face[time] = corners_at(surface->node_boxes.data, nodes, time, origin);
    }
    sn_i4 all = {-1, -1, -1, -1};
    sides over_triangle = {on_triangle, on_face, all}, over_face = {on_face, on_triangle, all};
    return stays_on_one_side(&over_triangle, least) || stays_on_one_side(&over_face, least);
}

// -----------------------------------------------------------------------------------------------------------

bool sn_guard_are_apart(const sn_guard_run *run, const sn_feature_pair *faces)
{
    const sn_soft_pair *pair = &run->search.detector->pairs.data[faces->pair];
    const sn_soft_collider *a = &run->scene.colliders[pair->deformable];
    if (pair->other >= 0) {
        const sn_soft_surface *b = run->scene.colliders[pair->other].surface;
        return are_faces_apart(a->surface, b, faces,
                               2.0f * sn_guard_least(run->starts[a->first_node].position));
    }
    const sn_guard_points *points = &run->points[faces->pair];
    float least = 2.0f * sn_guard_least(points->origin);
    uint32_t face = sn_soft_feature_number(faces->feature);
    if (pair->obstacle.kind == SN_OBSTACLE_TRIANGLE) {
        return is_beside_triangle(a->surface, face, points, least);
    }
    return points->count == 1 &&
           is_above_ball(a->surface, face, points, pair->obstacle.convex.radius + least);
}

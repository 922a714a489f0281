// Distance of two convex cores: Gilbert, Johnson, Keerthi 1988, with the closest point of each simplex found
// by Voronoi regions (Ericson 2004) that follow from cross products. A simplex of points of the difference b
// − a moves towards the origin; its closest point v gives the next support direction −v.
//
// In float32 the last digits of v are noise long before the exact algorithm would stop, so the search ends
// when a step does not bring the simplex closer; cores count as apart only if some support plane separates
// them; and a tetrahedron contains the origin only if that holds for all its faces by more than their
// rounding error. Knows nothing of radii.
#include "collision/narrow/gjk.h"

#define MAX_ITERATIONS 32
// Distances below this part of the coordinates' size are rounding error: the cores touch.
#define TOUCH_TOLERANCE 5.0e-7f
// The search ends when the remaining gain is at most this part of the distance plus that part of the size.
#define RELATIVE_TOLERANCE 1.0e-6f
#define ABSOLUTE_TOLERANCE 2.0e-7f
// How much the distance may grow, as a part of the size, in a step that improves the direction.
#define SIDEWAYS_TOLERANCE 1.0e-7f
// Rounding error of a cross product, as a part of the product of the lengths, and of barycentric weights.
#define CROSS_PRODUCT_ERROR 4.0e-7f
#define WEIGHT_TOLERANCE    5.0e-7f

typedef struct simplex_vertex {
    sn_vec3 difference; // of two core points, b − a, in the frame of a
    int index_a, index_b;
} simplex_vertex;

// The point of a simplex nearest to the origin, as a weighted sum of the corners that span its feature.
typedef struct nearest_point {
    sn_vec3 point;
    float distance_squared;
    int count;
    int corners[3]; // which vertices of the simplex, ascending
    float weights[3];
} nearest_point;

typedef struct search {
    const sn_convex *a, *b;
    sn_mat3 rotation, inverse_rotation; // of b in a
    sn_vec3 position;
    simplex_vertex simplex[4];
    nearest_point nearest;
    float size_squared; // of the largest coordinates met: what rounding errors are relative to
    sn_vec3 axis;       // normal of the best separating plane seen,
    float axis_gap;     // and how far it keeps the cores apart; 0 when none was seen
    bool overlap;
} search;

// --- nearest points of simplices -----------------------------------------------------------------

static nearest_point nearest_at_vertex(const simplex_vertex *simplex, int i)
{
    sn_vec3 point = simplex[i].difference;
    return (nearest_point){point, sn_length_squared(point), 1, {i, i, i}, {1.0f, 0.0f, 0.0f}};
}

static nearest_point nearest_on_segment(const simplex_vertex *simplex, int i, int j)
{
    sn_vec3 start = simplex[i].difference;
    sn_vec3 edge = sn_sub(simplex[j].difference, start);
    float along = -sn_dot(start, edge);
    float length_squared = sn_length_squared(edge);
    if (!(along > 0.0f)) {
        return nearest_at_vertex(simplex, i);
    }
    if (along >= length_squared) {
        return nearest_at_vertex(simplex, j);
    }
    float t = along / length_squared;
    sn_vec3 point = sn_add_scaled(start, t, edge);
    // A second time, from close by: otherwise a short vector far from the ends is not perpendicular to the
    // edge.
    float correction = -sn_dot(point, edge) / length_squared;
    point = sn_add_scaled(point, correction, edge);
    t += correction;
    return (nearest_point){point, sn_length_squared(point), 2, {i, j, i}, {1.0f - t, t, 0.0f}};
}

static nearest_point nearer(nearest_point p, nearest_point q)
{
    return q.distance_squared < p.distance_squared ? q : p;
}

typedef struct triangle {
    int i, j, k;         // vertices of the simplex, ascending
    sn_vec3 normal;      // as long as twice the area
    float error_squared; // of the length that rounding may have added to the normal
} triangle;

// The normal comes from the two shorter edges: on a sliver the cross product of the two long ones would be
// mostly rounding error.
static triangle triangle_of(const simplex_vertex *simplex, int i, int j, int k)
{
    sn_vec3 a = simplex[i].difference, b = simplex[j].difference, c = simplex[k].difference;
    // The first two twice, so that the two after the longest are read without a branch.
    sn_vec3 edges[5] = {sn_sub(b, a), sn_sub(c, b), sn_sub(a, c), sn_sub(b, a), sn_sub(c, b)};
    float ab = sn_length_squared(edges[0]), bc = sn_length_squared(edges[1]);
    float ca = sn_length_squared(edges[2]);
    int longest = ab >= bc ? (ab >= ca ? 0 : 2) : (bc >= ca ? 1 : 2);
    sn_vec3 first = edges[longest + 1], second = edges[longest + 2];
    float squares = sn_length_squared(first) * sn_length_squared(second);
    return (triangle){i, j, k, sn_cross(first, second), CROSS_PRODUCT_ERROR * CROSS_PRODUCT_ERROR * squares};
}

// Barycentric weights are relative to the origin's projection on the triangle, so that their error stays
// small when the triangle is far away. A weight that is zero but for rounding counts as inside, because the
// normal of a triangle is the most accurate direction.
static nearest_point nearest_on_triangle(const simplex_vertex *simplex, const triangle *t)
{
    float area_squared = sn_length_squared(t->normal);
    bool flat = !(area_squared > t->error_squared);
    float height = flat ? 0.0f : sn_dot(t->normal, simplex[t->i].difference) / area_squared;
    sn_vec3 projection = sn_scale(t->normal, height);
    sn_vec3 a = sn_sub(simplex[t->i].difference, projection),
            b = sn_sub(simplex[t->j].difference, projection);
    sn_vec3 c = sn_sub(simplex[t->k].difference, projection);
    float weight_a = sn_dot(t->normal, sn_cross(b, c)), weight_b = sn_dot(t->normal, sn_cross(c, a));
    float weight_c = sn_dot(t->normal, sn_cross(a, b));
    float least = -WEIGHT_TOLERANCE * area_squared;
    bool beyond_a = flat || !(weight_a > least), beyond_b = flat || !(weight_b > least);
    bool beyond_c = flat || !(weight_c > least);
    if (!beyond_a && !beyond_b && !beyond_c) {
        weight_a = sn_max(weight_a, 0.0f);
        weight_b = sn_max(weight_b, 0.0f);
        weight_c = sn_max(weight_c, 0.0f);
        float scale = 1.0f / (weight_a + weight_b + weight_c);
        return (nearest_point){projection,
                               sn_length_squared(projection),
                               3,
                               {t->i, t->j, t->k},
                               {weight_a * scale, weight_b * scale, weight_c * scale}};
    }
    // The closest point lies on an edge beyond which the origin is.
    nearest_point nearest = {.distance_squared = INFINITY};
    if (beyond_c) {
        nearest = nearer(nearest, nearest_on_segment(simplex, t->i, t->j));
    }
    if (beyond_a) {
        nearest = nearer(nearest, nearest_on_segment(simplex, t->j, t->k));
    }
    if (beyond_b) {
        nearest = nearer(nearest, nearest_on_segment(simplex, t->i, t->k));
    }
    return nearest;
}

// Whether the origin is, by more than rounding error, on the same side of the triangle as the fourth vertex.
static bool origin_is_inside(const simplex_vertex *simplex, const triangle *t, int opposite)
{
    sn_vec3 corner = simplex[t->i].difference;
    sn_vec3 rise = sn_sub(simplex[opposite].difference, corner);
    float height = sn_dot(t->normal, rise), origin_height = -sn_dot(t->normal, corner);
    return height * origin_height > 0.0f && height * height > t->error_squared * sn_length_squared(rise) &&
           origin_height * origin_height > t->error_squared * sn_length_squared(corner);
}

// Distance 0 and count 0 when the origin is inside.
static nearest_point nearest_on_tetrahedron(const simplex_vertex *simplex)
{
    static const int faces[4][4] = {{0, 1, 3, 2}, {1, 2, 3, 0}, {0, 2, 3, 1}, {0, 1, 2, 3}};
    nearest_point nearest = {.distance_squared = INFINITY};
    bool inside = true;
    for (int f = 0; f < 4; ++f) {
        triangle face = triangle_of(simplex, faces[f][0], faces[f][1], faces[f][2]);
        if (!origin_is_inside(simplex, &face, faces[f][3])) {
            nearest = nearer(nearest, nearest_on_triangle(simplex, &face));
            inside = false;
        }
    }
    return inside ? (nearest_point){.count = 0} : nearest;
}

static nearest_point nearest_on_simplex(const simplex_vertex *simplex, int count)
{
    if (count == 2) {
        return nearest_on_segment(simplex, 0, 1);
    }
    if (count == 3) {
        triangle all = triangle_of(simplex, 0, 1, 2);
        return nearest_on_triangle(simplex, &all);
    }
    return nearest_on_tetrahedron(simplex);
}

// --- the search ----------------------------------------------------------------------------------

static sn_vec3 point_of_b(const search *s, int index)
{
    return sn_add(sn_mat3_apply(s->rotation, s->b->points[index]), s->position);
}

// The point of b − a that lies farthest along −direction.
static simplex_vertex support_against(search *s, sn_vec3 direction)
{
    simplex_vertex vertex;
    vertex.index_a = sn_convex_support(s->a, direction);
    vertex.index_b = sn_convex_support(s->b, sn_neg(sn_mat3_apply(s->inverse_rotation, direction)));
    sn_vec3 point_a = s->a->points[vertex.index_a], point_b = point_of_b(s, vertex.index_b);
    vertex.difference = sn_sub(point_b, point_a);
    float size_squared = sn_max(sn_length_squared(point_a), sn_length_squared(point_b));
    s->size_squared = sn_max(s->size_squared, size_squared);
    return vertex;
}

static void search_begin(search *s, const sn_convex *a, const sn_convex *b, sn_pose b_in_a)
{
    s->a = a;
    s->b = b;
    s->rotation = sn_mat3_from_quat(b_in_a.rotation);
    s->inverse_rotation = sn_mat3_transpose(s->rotation);
    s->position = b_in_a.position;
    s->size_squared = 0.0f;
    s->axis = sn_v(0.0f, 0.0f, 0.0f);
    s->axis_gap = 0.0f;
    s->overlap = false;
    sn_vec3 direction = sn_sub(sn_pose_apply(b_in_a, sn_convex_center(b)), sn_convex_center(a));
    s->simplex[0] = support_against(s, direction);
    s->nearest = nearest_at_vertex(s->simplex, 0);
}

// Drops the vertices that do not span the closest feature.
static void simplex_reduce(search *s)
{
    for (int i = 0; i < s->nearest.count; ++i) {
        int corner = s->nearest.corners[i];
        if (corner != i) {
            s->simplex[i] = s->simplex[corner];
            s->nearest.corners[i] = i;
        }
    }
}

static bool simplex_has(const search *s, const simplex_vertex *vertex)
{
    for (int i = 0; i < s->nearest.count; ++i) {
        if (s->simplex[i].index_a == vertex->index_a && s->simplex[i].index_b == vertex->index_b) {
            return true;
        }
    }
    return false;
}

// Corners ascend, so the newest vertex can only be the last.
static bool has_new_vertex(const search *s, const nearest_point *nearest)
{
    return nearest->corners[nearest->count - 1] == s->nearest.count;
}

// The plane through the closest point separates the cores by `gap`. Of equal ones the later one is kept,
// which has the better distance.
static void keep_axis(search *s, float gap, float tolerance)
{
    if (gap > 0.0f && gap >= s->axis_gap - tolerance) {
        s->axis = s->nearest.point;
        s->axis_gap = sn_max(gap, s->axis_gap);
    }
}

// One step; false when the search has ended.
static bool search_advance(search *s)
{
    float distance = sqrtf(s->nearest.distance_squared), size = sqrtf(s->size_squared);
    if (!(distance > TOUCH_TOLERANCE * size)) {
        s->overlap = true;
        return false;
    }
    simplex_vertex vertex = support_against(s, s->nearest.point);
    float gap = sn_dot(s->nearest.point, vertex.difference) / distance;
    keep_axis(s, gap, ABSOLUTE_TOLERANCE * size);
    bool found = !(distance - gap > RELATIVE_TOLERANCE * distance + ABSOLUTE_TOLERANCE * size);
    if (found || simplex_has(s, &vertex)) {
        return false;
    }
    s->simplex[s->nearest.count] = vertex;
    nearest_point nearest = nearest_on_simplex(s->simplex, s->nearest.count + 1);
    if (nearest.count == 0) {
        s->overlap = true;
        return false;
    }
    // The gain in distance is of second order in the error of the direction: a step that brings in the new
    // vertex still improves the direction when the distance no longer falls.
    float limit = distance + (has_new_vertex(s, &nearest) ? SIDEWAYS_TOLERANCE * size : 0.0f);
    if (!(nearest.distance_squared < limit * limit)) {
        return false;
    }
    s->nearest = nearest;
    simplex_reduce(s);
    return true;
}

static sn_gjk_result search_result(const search *s, int iterations)
{
    const nearest_point *nearest = &s->nearest;
    sn_gjk_result result = {.simplex_count = nearest->count, .iterations = iterations};
    for (int i = 0; i < nearest->count; ++i) {
        const simplex_vertex *vertex = &s->simplex[i];
        sn_vec3 point_a = s->a->points[vertex->index_a], point_b = point_of_b(s, vertex->index_b);
        result.point_a = sn_add_scaled(result.point_a, nearest->weights[i], point_a);
        result.point_b = sn_add_scaled(result.point_b, nearest->weights[i], point_b);
    }
    for (int i = 0; i < 3; ++i) {
        const simplex_vertex *vertex = &s->simplex[i < nearest->count ? i : 0];
        result.index_a[i] = vertex->index_a;
        result.index_b[i] = vertex->index_b;
    }
    if (s->overlap || !(s->axis_gap > 0.0f)) {
        result.simplex_count = 4;
    } else {
        result.distance = sqrtf(nearest->distance_squared);
        result.normal = sn_normalize(s->axis);
    }
    return result;
}

sn_gjk_result sn_gjk_distance(const sn_convex *a, const sn_convex *b, sn_pose b_in_a)
{
    search s;
    search_begin(&s, a, b, b_in_a);
    int iterations = 0;
    bool searching = true;
    while (searching && iterations < MAX_ITERATIONS) {
        searching = search_advance(&s);
        ++iterations;
    }
    return search_result(&s, iterations);
}

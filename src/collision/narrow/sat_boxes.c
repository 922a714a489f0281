// The separating axis of two boxes (Gottschalk, Lin, Manocha 1996): three axes of a, three of b, and the nine
// cross products, all in the frame of a. Boxes are the most frequent pair, so this is written for speed:
// square roots are taken only of cross products that may still win.
#include "collision/narrow/sat.h"

// Cross products of edges closer to parallel than this (squared sine) have no accurate direction.
#define PARALLEL_EDGES 2.5e-7f

typedef struct boxes {
    float half_a[3], half_b[3];
    float center[3];           // of b
    float center_along_b[3];   // the same in b's axes
    float turn[3][3];          // turn[i][j] = axis i of a · axis j of b
    float absolute_turn[3][3]; // the same without signs
} boxes;

static void vec3_to_array(sn_vec3 v, float *array)
{
    array[0] = v.x;
    array[1] = v.y;
    array[2] = v.z;
}

static void boxes_from_pair(boxes *x, const sn_convex_pair *pair)
{
    const sn_mat3 *r = &pair->frame.rotation;
    vec3_to_array(pair->a->points[7], x->half_a);
    vec3_to_array(pair->b->points[7], x->half_b);
    vec3_to_array(pair->frame.position, x->center);
    vec3_to_array(sn_mat3_apply(sn_mat3_transpose(*r), pair->frame.position), x->center_along_b);
    float columns[3][3];
    vec3_to_array(r->x, columns[0]);
    vec3_to_array(r->y, columns[1]);
    vec3_to_array(r->z, columns[2]);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            x->turn[i][j] = columns[j][i];
            x->absolute_turn[i][j] = sn_abs(columns[j][i]);
        }
    }
}

static sn_vec3 matrix_column(const sn_mat3 *m, int j)
{
    return j == 0 ? m->x : (j == 1 ? m->y : m->z);
}

static sn_sat_axis best_face_of_a(const boxes *x)
{
    sn_sat_axis best = {.kind = SN_SAT_FACE_A, .separation = -INFINITY};
    for (int i = 0; i < 3; ++i) {
        const float *r = x->absolute_turn[i];
        float extent = x->half_b[0] * r[0] + x->half_b[1] * r[1] + x->half_b[2] * r[2];
        float separation = sn_abs(x->center[i]) - x->half_a[i] - extent;
        if (separation > best.separation) {
            best.separation = separation;
            best.face = 2 * i + (x->center[i] >= 0.0f);
        }
    }
    int axis = best.face >> 1;
    float sign = best.face & 1 ? 1.0f : -1.0f;
    best.normal = sn_v(axis == 0 ? sign : 0.0f, axis == 1 ? sign : 0.0f, axis == 2 ? sign : 0.0f);
    return best;
}

// The normal points from a to b, opposite to that of the face of b.
static sn_sat_axis best_face_of_b(const boxes *x, const sn_mat3 *rotation)
{
    sn_sat_axis best = {.kind = SN_SAT_FACE_B, .separation = -INFINITY};
    for (int j = 0; j < 3; ++j) {
        float extent = x->half_a[0] * x->absolute_turn[0][j] + x->half_a[1] * x->absolute_turn[1][j] +
                       x->half_a[2] * x->absolute_turn[2][j];
        float separation = sn_abs(x->center_along_b[j]) - x->half_b[j] - extent;
        if (separation > best.separation) {
            best.separation = separation;
            best.face = 2 * j + (x->center_along_b[j] < 0.0f);
        }
    }
    sn_vec3 axis = matrix_column(rotation, best.face >> 1);
    best.normal = best.face & 1 ? sn_neg(axis) : axis;
    return best;
}

// The edge along `axis` on the side of `direction` (box's frame): its two vertices.
static void box_edge_towards(int axis, sn_vec3 direction, int vertices[2])
{
    int corner = (direction.x > 0.0f) | (direction.y > 0.0f) << 1 | (direction.z > 0.0f) << 2;
    vertices[0] = corner & ~(1 << axis);
    vertices[1] = corner | 1 << axis;
}

// One of the nine cross products: axis i of a × axis j of b, and the axes that follow i and j in turn.
typedef struct edge_pair {
    int i, i1, i2, j, j1, j2;
} edge_pair;

static const edge_pair edge_pairs[9] = {
    {0, 1, 2, 0, 1, 2}, {0, 1, 2, 1, 2, 0}, {0, 1, 2, 2, 0, 1}, {1, 2, 0, 0, 1, 2}, {1, 2, 0, 1, 2, 0},
    {1, 2, 0, 2, 0, 1}, {2, 0, 1, 0, 1, 2}, {2, 0, 1, 1, 2, 0}, {2, 0, 1, 2, 0, 1},
};

// How far b's centre is along the product.
static float center_along(const boxes *x, const edge_pair *p)
{
    return x->center[p->i2] * x->turn[p->i1][p->j] - x->center[p->i1] * x->turn[p->i2][p->j];
}

// The separation times the length of the product.
static float edge_gap(const boxes *x, const edge_pair *p)
{
    const float(*r)[3] = x->absolute_turn;
    float extent_a = x->half_a[p->i1] * r[p->i2][p->j] + x->half_a[p->i2] * r[p->i1][p->j];
    float extent_b = x->half_b[p->j1] * r[p->i][p->j2] + x->half_b[p->j2] * r[p->i][p->j1];
    return sn_abs(center_along(x, p)) - extent_a - extent_b;
}

// The product times `scale`, turned from a to b.
static sn_vec3 edge_normal(const boxes *x, const edge_pair *p, float scale)
{
    float turned = center_along(x, p) >= 0.0f ? scale : -scale;
    float axis[3];
    axis[p->i] = 0.0f;
    axis[p->i1] = -turned * x->turn[p->i2][p->j];
    axis[p->i2] = turned * x->turn[p->i1][p->j];
    return sn_v(axis[0], axis[1], axis[2]);
}

// Replaces the best face by an edge pair that is better by more than the tolerance.
static void improve_by_edges(const boxes *x, const sn_convex_pair *pair, sn_sat_axis *best)
{
    sn_sat_axis edges = {.kind = SN_SAT_EDGES, .separation = -INFINITY};
    float to_beat = best->separation;
    const edge_pair *best_pair = edge_pairs;
    for (int k = 0; k < 9; ++k) {
        const edge_pair *p = &edge_pairs[k];
        float gap = edge_gap(x, p);
        float across = x->turn[p->i1][p->j], up = x->turn[p->i2][p->j];
        float length_squared = across * across + up * up;
        // The length is at most 1, so a negative gap only gets worse when divided by it.
        if (gap <= sn_min(to_beat, 0.0f) || length_squared < PARALLEL_EDGES) {
            continue;
        }
        float scale = 1.0f / sqrtf(length_squared), separation = gap * scale;
        if (separation > to_beat) {
            sn_vec3 normal = edge_normal(x, p, scale);
            if (!sn_sat_merge(best, separation, normal)) {
                to_beat = separation;
                edges.separation = separation;
                edges.normal = normal;
                best_pair = p;
            }
        }
    }
    if (edges.separation > best->separation + pair->tolerance) {
        sn_vec3 in_b = sn_mat3_apply(sn_mat3_transpose(pair->frame.rotation), edges.normal);
        box_edge_towards(best_pair->i, edges.normal, edges.edge_a);
        box_edge_towards(best_pair->j, sn_neg(in_b), edges.edge_b);
        *best = edges;
    }
}

sn_sat_axis sn_sat_boxes(const sn_convex_pair *pair)
{
    boxes x;
    boxes_from_pair(&x, pair);
    sn_sat_axis best = best_face_of_a(&x);
    if (best.separation <= sn_pair_reach(pair)) {
        sn_sat_axis of_b = best_face_of_b(&x, &pair->frame.rotation);
        if (!sn_sat_choose_face(pair, &best, &of_b)) {
            improve_by_edges(&x, pair, &best);
        }
    }
    return best;
}

// Distance and penetration of convex cores by brute force in double: every vertex against every triangle,
// every edge against every edge, every possible separating axis. Slow, simple, and independent of the
// algorithms it judges.
#ifndef TESTS_SUPPORT_CONVEX_ORACLE_H
#define TESTS_SUPPORT_CONVEX_ORACLE_H

#include "geometry/shapes/convex.h"

typedef struct oracle_vec3 {
    double x, y, z;
} oracle_vec3;

typedef struct oracle_shape {
    int vertex_count, edge_count, face_count, triangle_count;
    oracle_vec3 vertices[SN_MAX_HULL_VERTICES];
    int edges[3 * SN_MAX_HULL_VERTICES][2];
    int triangles[2 * SN_MAX_HULL_VERTICES][3]; // two corners the same: an edge; three: a vertex
    oracle_vec3 normals[2 * SN_MAX_HULL_VERTICES];
} oracle_shape;

static inline oracle_vec3 oracle_v(sn_vec3 v)
{
    return (oracle_vec3){(double)v.x, (double)v.y, (double)v.z};
}
static inline oracle_vec3 oracle_sub(oracle_vec3 a, oracle_vec3 b)
{
    return (oracle_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline oracle_vec3 oracle_add_scaled(oracle_vec3 a, double s, oracle_vec3 b)
{
    return (oracle_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static inline double oracle_dot(oracle_vec3 a, oracle_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline oracle_vec3 oracle_cross(oracle_vec3 a, oracle_vec3 b)
{
    return (oracle_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double oracle_length(oracle_vec3 a)
{
    return sqrt(oracle_dot(a, a));
}

static inline oracle_vec3 oracle_place(sn_pose pose, sn_vec3 point)
{
    // The quaternion is normalised in double, so that the pose is the one meant, not its rounding.
    double x = (double)pose.rotation.x, y = (double)pose.rotation.y, z = (double)pose.rotation.z;
    double w = (double)pose.rotation.w, s = 2.0 / (x * x + y * y + z * z + w * w);
    oracle_vec3 u = {x, y, z}, p = oracle_v(point);
    oracle_vec3 c = oracle_cross(u, p);
    oracle_vec3 r = oracle_add_scaled(oracle_add_scaled(p, s * w, c), s, oracle_cross(u, c));
    return oracle_add_scaled(r, 1.0, oracle_v(pose.position));
}

static inline void oracle_faces(oracle_shape *shape, const sn_polyhedron *polyhedron, sn_pose pose)
{
    sn_pose turn = {{0.0f, 0.0f, 0.0f}, pose.rotation};
    for (int f = 0; f < polyhedron->face_count; ++f) {
        shape->normals[shape->face_count++] = oracle_place(turn, polyhedron->planes[f].normal);
        int first = polyhedron->face_edges[f];
        int edge = polyhedron->half_edges[first].next;
        int next = polyhedron->half_edges[edge].next;
        while (next != first) {
            int *triangle = shape->triangles[shape->triangle_count++];
            triangle[0] = polyhedron->half_edges[first].origin;
            triangle[1] = polyhedron->half_edges[edge].origin;
            triangle[2] = polyhedron->half_edges[next].origin;
            edge = next;
            next = polyhedron->half_edges[edge].next;
        }
    }
    for (int h = 0; h < polyhedron->half_edge_count; h += 2) {
        shape->edges[shape->edge_count][0] = polyhedron->half_edges[h].origin;
        shape->edges[shape->edge_count++][1] = polyhedron->half_edges[h + 1].origin;
    }
}

// Two faces back to back: their normal is sharper in double than the one the polyhedron carries.
static inline void oracle_triangle_normals(oracle_shape *shape)
{
    oracle_vec3 ab = oracle_sub(shape->vertices[1], shape->vertices[0]);
    oracle_vec3 ac = oracle_sub(shape->vertices[2], shape->vertices[0]);
    oracle_vec3 normal = oracle_cross(ab, ac);
    if (oracle_length(normal) > 0.0) {
        shape->normals[0] = normal;
        shape->normals[1] = oracle_sub((oracle_vec3){0}, normal);
    }
}

static inline void oracle_make(oracle_shape *shape, const sn_convex *convex, sn_pose pose)
{
    shape->vertex_count = convex->point_count;
    shape->edge_count = shape->face_count = shape->triangle_count = 0;
    for (int i = 0; i < convex->point_count; ++i) {
        shape->vertices[i] = oracle_place(pose, convex->points[i]);
    }
    if (convex->is_polyhedron) {
        oracle_faces(shape, &convex->polyhedron, pose);
        if (shape->face_count == 2) {
            oracle_triangle_normals(shape);
        }
        return;
    }
    int last = convex->point_count - 1;
    int edge[2] = {0, last}, triangle[3] = {0, last, last};
    for (int i = 0; i < 2; ++i) {
        shape->edges[0][i] = edge[i];
    }
    for (int i = 0; i < 3; ++i) {
        shape->triangles[0][i] = triangle[i];
    }
    shape->edge_count = last;
    shape->triangle_count = 1;
}

static inline double oracle_clamp(double a)
{
    return a < 0.0 ? 0.0 : a > 1.0 ? 1.0 : a;
}

static inline double oracle_point_segment(oracle_vec3 p, oracle_vec3 a, oracle_vec3 b)
{
    oracle_vec3 e = oracle_sub(b, a);
    double squared = oracle_dot(e, e);
    double t = squared > 0.0 ? oracle_clamp(oracle_dot(oracle_sub(p, a), e) / squared) : 0.0;
    return oracle_length(oracle_sub(p, oracle_add_scaled(a, t, e)));
}

static inline double oracle_point_triangle(oracle_vec3 p, oracle_vec3 a, oracle_vec3 b, oracle_vec3 c)
{
    oracle_vec3 n = oracle_cross(oracle_sub(b, a), oracle_sub(c, a));
    double area = oracle_length(n);
    bool inside = area > 0.0 && oracle_dot(n, oracle_cross(oracle_sub(b, a), oracle_sub(p, a))) >= 0.0 &&
                  oracle_dot(n, oracle_cross(oracle_sub(c, b), oracle_sub(p, b))) >= 0.0 &&
                  oracle_dot(n, oracle_cross(oracle_sub(a, c), oracle_sub(p, c))) >= 0.0;
    if (inside) {
        return fabs(oracle_dot(n, oracle_sub(p, a))) / area;
    }
    double ab = oracle_point_segment(p, a, b), bc = oracle_point_segment(p, b, c);
    return fmin(ab, fmin(bc, oracle_point_segment(p, c, a)));
}

// Inner points of both lines only; the ends are the business of vertices against triangles.
static inline double oracle_segment_segment(oracle_vec3 a, oracle_vec3 b, oracle_vec3 c, oracle_vec3 d)
{
    oracle_vec3 e = oracle_sub(b, a), f = oracle_sub(d, c), r = oracle_sub(a, c);
    double ee = oracle_dot(e, e), ff = oracle_dot(f, f), ef = oracle_dot(e, f);
    double er = oracle_dot(e, r), fr = oracle_dot(f, r);
    double determinant = ee * ff - ef * ef;
    if (!(determinant > 1.0e-14 * ee * ff)) {
        return (double)INFINITY;
    }
    double s = (ef * fr - ff * er) / determinant, t = (ee * fr - ef * er) / determinant;
    if (s < 0.0 || s > 1.0 || t < 0.0 || t > 1.0) {
        return (double)INFINITY;
    }
    return oracle_length(oracle_sub(oracle_add_scaled(a, s, e), oracle_add_scaled(c, t, f)));
}

// How far the shapes overlap along an axis from a to b; negative when it separates them.
static inline double oracle_overlap(const oracle_shape *a, const oracle_shape *b, oracle_vec3 axis)
{
    double top = -(double)INFINITY, bottom = (double)INFINITY;
    for (int i = 0; i < a->vertex_count; ++i) {
        top = fmax(top, oracle_dot(axis, a->vertices[i]));
    }
    for (int i = 0; i < b->vertex_count; ++i) {
        bottom = fmin(bottom, oracle_dot(axis, b->vertices[i]));
    }
    return (top - bottom) / oracle_length(axis);
}

// The least overlap over all candidate axes, both ways round; flat pairs without any axis give 0.
static inline double oracle_depth(const oracle_shape *a, const oracle_shape *b)
{
    double depth = (double)INFINITY;
    for (int i = 0; i < a->face_count; ++i) {
        depth = fmin(depth, oracle_overlap(a, b, a->normals[i]));
    }
    for (int i = 0; i < b->face_count; ++i) {
        depth = fmin(depth, oracle_overlap(a, b, oracle_add_scaled((oracle_vec3){0}, -1.0, b->normals[i])));
    }
    for (int i = 0; i < a->edge_count; ++i) {
        for (int j = 0; j < b->edge_count; ++j) {
            oracle_vec3 e = oracle_sub(a->vertices[a->edges[i][1]], a->vertices[a->edges[i][0]]);
            oracle_vec3 f = oracle_sub(b->vertices[b->edges[j][1]], b->vertices[b->edges[j][0]]);
            oracle_vec3 axis = oracle_cross(e, f);
            if (oracle_length(axis) > 1.0e-9 * oracle_length(e) * oracle_length(f)) {
                depth = fmin(depth, oracle_overlap(a, b, axis));
                depth = fmin(depth, oracle_overlap(a, b, oracle_sub((oracle_vec3){0}, axis)));
            }
        }
    }
    return depth < (double)INFINITY ? depth : 0.0;
}

static inline double oracle_vertices_to_triangles(const oracle_shape *a, const oracle_shape *b)
{
    double distance = (double)INFINITY;
    for (int i = 0; i < a->vertex_count; ++i) {
        for (int j = 0; j < b->triangle_count; ++j) {
            const int *t = b->triangles[j];
            distance = fmin(distance, oracle_point_triangle(a->vertices[i], b->vertices[t[0]],
                                                            b->vertices[t[1]], b->vertices[t[2]]));
        }
    }
    return distance;
}

// Of the surfaces: of the shapes too if they do not overlap (oracle_depth < 0, or no volume).
static inline double oracle_surface_distance(const oracle_shape *a, const oracle_shape *b)
{
    double distance = fmin(oracle_vertices_to_triangles(a, b), oracle_vertices_to_triangles(b, a));
    for (int i = 0; i < a->edge_count; ++i) {
        for (int j = 0; j < b->edge_count; ++j) {
            double d = oracle_segment_segment(a->vertices[a->edges[i][0]], a->vertices[a->edges[i][1]],
                                              b->vertices[b->edges[j][0]], b->vertices[b->edges[j][1]]);
            distance = fmin(distance, d);
        }
    }
    return distance;
}

// Largest distance of two points of a core [m].
static inline double oracle_size(const oracle_shape *shape)
{
    double size = 0.0;
    for (int i = 0; i < shape->vertex_count; ++i) {
        for (int j = 0; j < i; ++j) {
            size = fmax(size, oracle_length(oracle_sub(shape->vertices[i], shape->vertices[j])));
        }
    }
    return size;
}

#endif

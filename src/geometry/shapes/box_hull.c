// Boxes and triangles seen as polyhedra. Their topology never changes, so it sits here in constant tables and
// only vertices and planes are made per shape. Knows nothing of how hulls are found.
#include "geometry/shapes/hull.h"

// Corners of each face, counter-clockwise from outside:
// −x 0 4 6 2, +x 1 3 7 5, −y 0 1 5 4, +y 2 6 7 3, −z 0 2 3 1, +z 4 5 7 6.
static const sn_half_edge box_half_edges[24] = {
    {0, 18, 2, 0}, {1, 8, 4, 0},  {2, 11, 4, 0}, {3, 20, 3, 0}, // 0–1, 2–3
    {4, 14, 5, 0}, {5, 17, 2, 0}, {6, 23, 3, 0}, {7, 13, 5, 0}, // 4–5, 6–7
    {0, 2, 4, 0},  {2, 16, 0, 0}, {1, 22, 1, 0}, {3, 1, 4, 0},  // 0–2, 1–3
    {4, 21, 0, 0}, {6, 4, 5, 0},  {5, 7, 5, 0},  {7, 19, 1, 0}, // 4–6, 5–7
    {0, 12, 0, 0}, {4, 0, 2, 0},  {1, 5, 2, 0},  {5, 10, 1, 0}, // 0–4, 1–5
    {2, 6, 3, 0},  {6, 9, 0, 0},  {3, 15, 1, 0}, {7, 3, 3, 0},  // 2–6, 3–7
};
static const uint16_t box_face_edges[6] = {16, 10, 0, 20, 8, 4};

static const sn_half_edge triangle_half_edges[6] = {
    {0, 2, 0, 0}, {1, 5, 1, 0}, {1, 4, 0, 0}, {2, 1, 1, 0}, {2, 0, 0, 0}, {0, 3, 1, 0},
};
static const uint16_t triangle_face_edges[2] = {0, 1};

void sn_box_hull_make(sn_box_hull *storage, sn_vec3 half_extents)
{
    sn_vec3 h = half_extents;
    for (int i = 0; i < 8; ++i) {
        storage->vertices[i] = sn_v(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
    }
    storage->planes[0] = (sn_face_plane){{-1.0f, 0.0f, 0.0f}, h.x};
    storage->planes[1] = (sn_face_plane){{1.0f, 0.0f, 0.0f}, h.x};
    storage->planes[2] = (sn_face_plane){{0.0f, -1.0f, 0.0f}, h.y};
    storage->planes[3] = (sn_face_plane){{0.0f, 1.0f, 0.0f}, h.y};
    storage->planes[4] = (sn_face_plane){{0.0f, 0.0f, -1.0f}, h.z};
    storage->planes[5] = (sn_face_plane){{0.0f, 0.0f, 1.0f}, h.z};
}

sn_polyhedron sn_box_hull_view(const sn_box_hull *storage)
{
    return (sn_polyhedron){
        .vertices = storage->vertices,
        .planes = storage->planes,
        .half_edges = box_half_edges,
        .face_edges = box_face_edges,
        .vertex_count = 8,
        .face_count = 6,
        .half_edge_count = 24,
        .center = {0.0f, 0.0f, 0.0f},
    };
}

// Always a unit vector: a triangle without area gets some normal across its longer edge, so that what
// collides with it still has a direction to go. Edges are scaled first, or products of tiny ones vanish.
static sn_vec3 triangle_normal(sn_vec3 a, sn_vec3 b, sn_vec3 c)
{
    sn_vec3 ab = sn_normalize(sn_sub(b, a)), ac = sn_normalize(sn_sub(c, a));
    sn_vec3 normal = sn_normalize(sn_cross(ab, ac));
    if (sn_length_squared(normal) > 0.0f) {
        return normal;
    }
    sn_vec3 edge = sn_length_squared(ab) > 0.0f ? ab : ac;
    return sn_length_squared(edge) > 0.0f ? sn_perpendicular(edge) : sn_v(0.0f, 1.0f, 0.0f);
}

void sn_triangle_hull_make(sn_triangle_hull *storage, sn_vec3 a, sn_vec3 b, sn_vec3 c)
{
    sn_vec3 normal = triangle_normal(a, b, c);
    float offset = (sn_dot(normal, a) + sn_dot(normal, b) + sn_dot(normal, c)) * (1.0f / 3.0f);
    storage->vertices[0] = a;
    storage->vertices[1] = b;
    storage->vertices[2] = c;
    storage->planes[0] = (sn_face_plane){normal, offset};
    storage->planes[1] = (sn_face_plane){sn_neg(normal), -offset};
}

sn_polyhedron sn_triangle_hull_view(const sn_triangle_hull *storage)
{
    const sn_vec3 *v = storage->vertices;
    return (sn_polyhedron){
        .vertices = v,
        .planes = storage->planes,
        .half_edges = triangle_half_edges,
        .face_edges = triangle_face_edges,
        .vertex_count = 3,
        .face_count = 2,
        .half_edge_count = 6,
        .center = sn_scale(sn_add(sn_add(v[0], v[1]), v[2]), 1.0f / 3.0f),
    };
}

// Measures of meshes for tests, in double: dihedral angles, Euler characteristic, enclosed volume.
#ifndef TESTS_SUPPORT_MESH_QUALITY_H
#define TESTS_SUPPORT_MESH_QUALITY_H

#include "sinew/mesh.h"

typedef struct test_range {
    double lower, upper;
} test_range;

static inline void test_range_add(test_range *range, double value)
{
    range->lower = value < range->lower ? value : range->lower;
    range->upper = value > range->upper ? value : range->upper;
}

typedef struct test_vector {
    double x, y, z;
} test_vector;

static inline test_vector test_between(sn_vec3 from, sn_vec3 to)
{
    return (test_vector){(double)to.x - from.x, (double)to.y - from.y, (double)to.z - from.z};
}
static inline test_vector test_cross(test_vector a, test_vector b)
{
    return (test_vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double test_dot(test_vector a, test_vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// Positive if right-handed.
static inline double test_volume(const sn_vec3 corners[4])
{
    test_vector normal =
        test_cross(test_between(corners[0], corners[1]), test_between(corners[0], corners[2]));
    return test_dot(normal, test_between(corners[0], corners[3])) / 6.0;
}

/// Widens the range by the six dihedral angles of a tetrahedron, in degrees.
static inline void test_add_dihedral_angles(test_range *range, const sn_vec3 corners[4])
{
    static const int edges[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2},
                                    {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
    for (int e = 0; e < 6; ++e) {
        sn_vec3 from = corners[edges[e][0]];
        test_vector along = test_between(from, corners[edges[e][1]]);
        test_vector a = test_cross(along, test_between(from, corners[edges[e][2]]));
        test_vector b = test_cross(along, test_between(from, corners[edges[e][3]]));
        test_vector across = test_cross(a, b);
        double angle = atan2(sqrt(test_dot(across, across)), test_dot(a, b)) * 180.0 / 3.14159265358979324;
        test_range_add(range, angle);
    }
}

static inline test_range test_dihedral_angles(const sn_mesh *mesh)
{
    test_range range = {180.0, 0.0};
    for (int i = 0; i < sn_mesh_tetrahedron_count(mesh); ++i) {
        sn_vec3 corners[4];
        for (int k = 0; k < 4; ++k) {
            corners[k] = sn_mesh_nodes(mesh)[sn_mesh_tetrahedra(mesh)[4 * i + k]];
        }
        test_add_dihedral_angles(&range, corners);
    }
    return range;
}

/// The corner angles of the triangles, in degrees.
static inline test_range test_triangle_angles(const sn_mesh *mesh)
{
    test_range range = {180.0, 0.0};
    for (int i = 0; i < 3 * sn_mesh_triangle_count(mesh); ++i) {
        const uint32_t *t = sn_mesh_triangles(mesh) + i / 3 * 3;
        const sn_vec3 *nodes = sn_mesh_nodes(mesh);
        test_vector a = test_between(nodes[t[i % 3]], nodes[t[(i + 1) % 3]]);
        test_vector b = test_between(nodes[t[i % 3]], nodes[t[(i + 2) % 3]]);
        test_vector across = test_cross(a, b);
        test_range_add(&range,
                       atan2(sqrt(test_dot(across, across)), test_dot(a, b)) * 180.0 / 3.14159265358979324);
    }
    return range;
}

/// The least volume of a tetrahedron.
static inline double test_least_volume(const sn_mesh *mesh)
{
    double least = INFINITY;
    for (int i = 0; i < sn_mesh_tetrahedron_count(mesh); ++i) {
        sn_vec3 corners[4];
        for (int k = 0; k < 4; ++k) {
            corners[k] = sn_mesh_nodes(mesh)[sn_mesh_tetrahedra(mesh)[4 * i + k]];
        }
        double volume = test_volume(corners);
        least = volume < least ? volume : least;
    }
    return least;
}

/// What the triangles enclose: the volume, if they are closed.
static inline double test_enclosed_volume(const sn_mesh *mesh)
{
    double sum = 0.0;
    for (int i = 0; i < sn_mesh_triangle_count(mesh); ++i) {
        const uint32_t *t = sn_mesh_triangles(mesh) + 3 * i;
        const sn_vec3 *nodes = sn_mesh_nodes(mesh);
        const sn_vec3 corners[4] = {nodes[0], nodes[t[0]], nodes[t[1]], nodes[t[2]]};
        sum += test_volume(corners);
    }
    return sum;
}

/// Nodes − edges + faces − tetrahedra, where faces of tetrahedra count as often as there are different ones:
/// 1 for a ball, a disc, a strand; 2 for a sphere; 0 for a tube or a torus.
static inline int test_euler_characteristic(const sn_mesh *mesh)
{
    int tetrahedra = sn_mesh_tetrahedron_count(mesh), triangles = sn_mesh_triangle_count(mesh);
    int faces = tetrahedra > 0 ? (4 * tetrahedra + triangles) / 2 : triangles;
    return sn_mesh_node_count(mesh) - sn_mesh_edge_count(mesh) + faces - tetrahedra;
}

#endif

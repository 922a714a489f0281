// Area and volume are sums in double. A surface is closed if every edge is used once in each direction.
#include "apps/mesh_measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct vector {
    double x, y, z;
} vector;

static vector node_at(const sn_mesh_data *mesh, uint32_t index)
{
    sn_vec3 p = mesh->nodes[index];
    return (vector){p.x, p.y, p.z};
}

static vector minus(vector a, vector b)
{
    return (vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static vector cross(vector a, vector b)
{
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static sn_bounds extent_of(const sn_mesh_data *mesh)
{
    sn_bounds extent = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    for (int i = 0; i < mesh->node_count; ++i) {
        extent.lower = i == 0 ? mesh->nodes[i] : sn_min3(extent.lower, mesh->nodes[i]);
        extent.upper = i == 0 ? mesh->nodes[i] : sn_max3(extent.upper, mesh->nodes[i]);
    }
    return extent;
}

// --- surfaces ----------------------------------------------------------------------------------------------

static void measure_triangles(const sn_mesh_data *mesh, mesh_measure *measure)
{
    for (int i = 0; i < mesh->triangle_count; ++i) {
        const uint32_t *t = mesh->triangles + 3 * (size_t)i;
        vector a = node_at(mesh, t[0]), b = node_at(mesh, t[1]), c = node_at(mesh, t[2]);
        vector normal = cross(minus(b, a), minus(c, a));
        measure->area += 0.5 * sqrt(dot(normal, normal));
        measure->enclosed += dot(a, cross(b, c)) / 6.0;
    }
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

// Both ends, the lower first, and a bit for the direction: node indices are below 2^25.
static uint64_t edge_key(uint32_t from, uint32_t to)
{
    uint64_t lower = from < to ? from : to, upper = from < to ? to : from;
    return lower << 32 | upper << 1 | (from < to ? 0u : 1u);
}

static bool count_open_edges(const sn_mesh_data *mesh, int *open)
{
    size_t count = 3 * (size_t)mesh->triangle_count;
    uint64_t *keys = malloc((count + 1) * sizeof *keys);
    if (keys == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i += 3) {
        const uint32_t *t = mesh->triangles + i;
        keys[i] = edge_key(t[0], t[1]);
        keys[i + 1] = edge_key(t[1], t[2]);
        keys[i + 2] = edge_key(t[2], t[0]);
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    *open = 0;
    for (size_t i = 0; i < count;) {
        size_t uses = 1;
        while (i + uses < count && keys[i + uses] >> 1 == keys[i] >> 1) {
            ++uses;
        }
        *open += uses != 2 || keys[i] == keys[i + 1] ? 1 : 0;
        i += uses;
    }
    free(keys);
    return true;
}

// --- tetrahedra --------------------------------------------------------------------------------------------

// The angle between the faces that meet in the edge a b, of the tetrahedron a b c d [degrees].
static double dihedral(vector a, vector b, vector c, vector d)
{
    vector edge = minus(b, a);
    vector left = cross(edge, minus(c, a)), right = cross(edge, minus(d, a));
    vector turn = cross(left, right);
    return atan2(sqrt(dot(turn, turn)), dot(left, right)) * 180.0 / 3.14159265358979;
}

static void measure_angles(const vector p[4], mesh_measure *measure)
{
    static const int edges[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2},
                                    {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
    for (int i = 0; i < 6; ++i) {
        double angle = dihedral(p[edges[i][0]], p[edges[i][1]], p[edges[i][2]], p[edges[i][3]]);
        measure->least_angle = fmin(measure->least_angle, angle);
        measure->largest_angle = fmax(measure->largest_angle, angle);
    }
}

static void measure_tetrahedra(const sn_mesh_data *mesh, mesh_measure *measure)
{
    measure->least_angle = mesh->tetrahedron_count > 0 ? 180.0 : 0.0;
    for (int i = 0; i < mesh->tetrahedron_count; ++i) {
        vector p[4];
        for (int k = 0; k < 4; ++k) {
            p[k] = node_at(mesh, mesh->tetrahedra[4 * (size_t)i + (size_t)k]);
        }
        measure->volume += dot(minus(p[3], p[0]), cross(minus(p[1], p[0]), minus(p[2], p[0]))) / 6.0;
        measure_angles(p, measure);
    }
}

bool mesh_measure_take(const sn_mesh_data *mesh, mesh_measure *measure)
{
    memset(measure, 0, sizeof *measure);
    measure->extent = extent_of(mesh);
    measure_triangles(mesh, measure);
    measure_tetrahedra(mesh, measure);
    return count_open_edges(mesh, &measure->open_edges);
}

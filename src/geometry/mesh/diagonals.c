// Diagonals by angles: no builder has to tell them, and they are found in meshes from files too.
#include "geometry/mesh/diagonals.h"

#include "base/allocate.h"
#include "geometry/mesh/edge_pairs.h"

#include <string.h>

// Cosine of 75°: how far from a right angle a corner may be.
static const float square_cosine = 0.258819f;

// Corner k of the triangle of a half-edge, counted from where it starts: 0 and 1 are its ends, 2 is opposite.
static uint32_t corner_of(const sn_mesh *mesh, int half_edge, int k)
{
    int first = half_edge - half_edge % 3;
    return mesh->triangles[first + (half_edge - first + k) % 3];
}

static bool is_opposite_right_angle(const sn_mesh *mesh, int half_edge)
{
    sn_vec3 corner = mesh->nodes[corner_of(mesh, half_edge, 2)];
    sn_vec3 a = sn_sub(mesh->nodes[corner_of(mesh, half_edge, 0)], corner);
    sn_vec3 b = sn_sub(mesh->nodes[corner_of(mesh, half_edge, 1)], corner);
    return sn_abs(sn_dot(sn_normalize(a), sn_normalize(b))) < square_cosine;
}

static void mark(const sn_mesh *mesh, uint32_t a, uint32_t b, uint8_t *flags)
{
    int edge = sn_mesh_find_edge(mesh, a, b);
    if (edge >= 0) {
        flags[edge] = 1;
    }
}

bool sn_mesh_find_diagonals(const sn_mesh *mesh, uint8_t *flags)
{
    memset(flags, 0, (size_t)mesh->edge_count);
    if (mesh->triangle_count == 0) {
        return true;
    }
    size_t count = 3 * (size_t)mesh->triangle_count;
    int *twins = sn_allocate_zero(count, sizeof *twins);
    bool enough =
        twins != NULL && sn_edge_pairs(mesh->triangles, mesh->triangle_count, mesh->node_count, twins);
    for (int i = 0; enough && i < (int)count; ++i) {
        if (twins[i] > i && is_opposite_right_angle(mesh, i) && is_opposite_right_angle(mesh, twins[i])) {
            mark(mesh, corner_of(mesh, i, 0), corner_of(mesh, i, 1), flags);
            mark(mesh, corner_of(mesh, i, 2), corner_of(mesh, twins[i], 2), flags);
        }
    }
    sn_release(twins, count * sizeof *twins);
    return enough;
}

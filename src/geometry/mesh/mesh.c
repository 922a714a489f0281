// The mesh object: checks what comes in, turns tetrahedra right-handed, finds edges and boundary, and shares
// the result by reference count.
#include "geometry/mesh/mesh.h"
#include "base/allocate.h"
#include "base/error.h"
#include "geometry/mesh/mesh_check.h"
#include "geometry/mesh/mesh_measure.h"
#include "geometry/mesh/mesh_topology.h"
#include <string.h>

sn_mesh_def sn_mesh_def_default(void)
{
    return (sn_mesh_def){.cookie = SN_COOKIE_MESH};
}

// What is known before the sizes of the final arrays are.
typedef struct draft {
    sn_index_list edges, triangles, tetrahedra;
    bool closed, manifold;
} draft;

static void draft_release(draft *d)
{
    sn_array_release(&d->edges.indices);
    sn_array_release(&d->triangles.indices);
    sn_array_release(&d->tetrahedra.indices);
}

static sn_status fail_memory(const sn_mesh_def *def)
{
    return sn_fail(NULL, SN_ERROR_MEMORY, "mesh: no memory for %d nodes, %d triangles and %d tetrahedra",
                   def->node_count, def->triangle_count, def->tetrahedron_count);
}

// --- finding -----------------------------------------------------------------------------------------------

static bool turn_right_handed(draft *d, const sn_mesh_def *def)
{
    if (!sn_array_resize(&d->tetrahedra.indices, 4 * def->tetrahedron_count)) {
        return false;
    }
    for (int i = 0; i < def->tetrahedron_count; ++i) {
        uint32_t *corners = d->tetrahedra.indices.data + 4 * (size_t)i;
        memcpy(corners, def->tetrahedra + 4 * (size_t)i, 4 * sizeof(uint32_t));
        if (sn_volume_of_tetrahedron(def->nodes, corners) < 0.0) {
            uint32_t swap = corners[2];
            corners[2] = corners[3];
            corners[3] = swap;
        }
    }
    return true;
}

static sn_status find_triangles(draft *d, const sn_mesh_def *def)
{
    if (def->tetrahedron_count > 0) {
        sn_status status = sn_mesh_check_repeated(def->tetrahedra, 4, def->tetrahedron_count, def->node_count,
                                                  "tetrahedron");
        if (status) {
            return status;
        }
        if (!turn_right_handed(d, def)) {
            return fail_memory(def);
        }
        return sn_mesh_find_boundary(d->tetrahedra.indices.data, def->tetrahedron_count, def->node_count,
                                     &d->triangles);
    }
    if (def->triangle_count > 0) {
        if (!sn_array_resize(&d->triangles.indices, 3 * def->triangle_count)) {
            return fail_memory(def);
        }
        memcpy(d->triangles.indices.data, def->triangles, (size_t)def->triangle_count * 3 * sizeof(uint32_t));
        return sn_mesh_check_repeated(def->triangles, 3, def->triangle_count, def->node_count, "triangle");
    }
    return SN_OK;
}

static sn_status find_topology(draft *d, const sn_mesh_def *def)
{
    sn_status status = find_triangles(d, def);
    if (!status && (!sn_mesh_find_edges(def, &d->edges) ||
                    !sn_mesh_inspect_surface(d->triangles.indices.data, d->triangles.indices.count / 3,
                                             def->node_count, &d->closed, &d->manifold))) {
        status = fail_memory(def);
    }
    return status;
}

// --- measuring ---------------------------------------------------------------------------------------------

static double sum_volume(const sn_mesh *mesh)
{
    double sum = 0.0;
    for (int i = 0; i < mesh->tetrahedron_count; ++i) {
        sum += sn_volume_of_tetrahedron(mesh->nodes, mesh->tetrahedra + 4 * (size_t)i);
    }
    if (mesh->tetrahedron_count == 0 && mesh->closed) {
        // Tetrahedra from a node to each triangle: what lies outside is counted as often with either sign.
        sn_vec3 apex = mesh->nodes[0];
        for (int i = 0; i < mesh->triangle_count; ++i) {
            const uint32_t *t = mesh->triangles + 3 * (size_t)i;
            sum += sn_volume_between(apex, mesh->nodes[t[0]], mesh->nodes[t[1]], mesh->nodes[t[2]]);
        }
    }
    return sum;
}

static void measure(sn_mesh *mesh)
{
    double length = 0.0, area = 0.0;
    for (int i = 0; i < mesh->edge_count; ++i) {
        length += sn_length_of_edge(mesh->nodes, mesh->edges + 2 * (size_t)i);
    }
    for (int i = 0; i < mesh->triangle_count; ++i) {
        area += sn_area_of_triangle(mesh->nodes, mesh->triangles + 3 * (size_t)i);
    }
    mesh->length = (float)length;
    mesh->area = (float)area;
    mesh->volume = (float)sum_volume(mesh);
    mesh->bounds = (sn_bounds){mesh->nodes[0], mesh->nodes[0]};
    for (int i = 1; i < mesh->node_count; ++i) {
        mesh->bounds.lower = sn_min3(mesh->bounds.lower, mesh->nodes[i]);
        mesh->bounds.upper = sn_max3(mesh->bounds.upper, mesh->nodes[i]);
    }
}

// --- making ------------------------------------------------------------------------------------------------

sn_mesh *sn_mesh_allocate(int node_count, int edge_count, int triangle_count, int tetrahedron_count)
{
    size_t nodes_at = sizeof(sn_mesh);
    size_t edges_at = nodes_at + (size_t)node_count * sizeof(sn_vec3);
    size_t triangles_at = edges_at + (size_t)edge_count * 2 * sizeof(uint32_t);
    size_t tetrahedra_at = triangles_at + (size_t)triangle_count * 3 * sizeof(uint32_t);
    size_t bytes = tetrahedra_at + (size_t)tetrahedron_count * 4 * sizeof(uint32_t);
    char *block = sn_allocate_zero(1, bytes);
    if (!block) {
        return NULL;
    }
    sn_mesh *mesh = (sn_mesh *)(void *)block;
    mesh->reference_count = 1;
    mesh->node_count = node_count;
    mesh->edge_count = edge_count;
    mesh->triangle_count = triangle_count;
    mesh->tetrahedron_count = tetrahedron_count;
    mesh->nodes = (sn_vec3 *)(void *)(block + nodes_at);
    mesh->edges = (uint32_t *)(void *)(block + edges_at);
    mesh->triangles = (uint32_t *)(void *)(block + triangles_at);
    mesh->tetrahedra = (uint32_t *)(void *)(block + tetrahedra_at);
    mesh->bytes = bytes;
    return mesh;
}

static void copy_indices(uint32_t *target, const sn_index_list *source)
{
    if (source->indices.count > 0) {
        memcpy(target, source->indices.data, (size_t)source->indices.count * sizeof(uint32_t));
    }
}

static sn_mesh *mesh_from_draft(const draft *d, const sn_mesh_def *def)
{
    sn_mesh *mesh = sn_mesh_allocate(def->node_count, d->edges.indices.count / 2,
                                     d->triangles.indices.count / 3, def->tetrahedron_count);
    if (mesh) {
        memcpy(mesh->nodes, def->nodes, (size_t)def->node_count * sizeof(sn_vec3));
        copy_indices(mesh->edges, &d->edges);
        copy_indices(mesh->triangles, &d->triangles);
        copy_indices(mesh->tetrahedra, &d->tetrahedra);
        mesh->closed = d->closed;
        mesh->manifold = d->manifold;
        measure(mesh);
    }
    return mesh;
}

sn_status sn_mesh_create(const sn_mesh_def *def, sn_mesh **mesh)
{
    if (!mesh) {
        return sn_fail(NULL, SN_ERROR_NULL, "mesh: mesh is null");
    }
    sn_status status = sn_mesh_check(def);
    if (status) {
        return status;
    }
    draft d = {0};
    status = find_topology(&d, def);
    sn_mesh *made = status ? NULL : mesh_from_draft(&d, def);
    draft_release(&d);
    if (!status && !made) {
        status = fail_memory(def);
    }
    if (!status) {
        *mesh = made;
    }
    return status;
}

void sn_mesh_retain(const sn_mesh *mesh)
{
    ((sn_mesh *)mesh)->reference_count++;
}

void sn_mesh_destroy(sn_mesh *mesh)
{
    if (mesh && --mesh->reference_count == 0) {
        sn_release(mesh, mesh->bytes);
    }
}

// --- looking -----------------------------------------------------------------------------------------------

// A function that answers a member of the mesh, or OTHERWISE of none.
#define ASK(TYPE, FUNCTION, MEMBER, OTHERWISE)                                                               \
    TYPE FUNCTION(const sn_mesh *mesh)                                                                       \
    {                                                                                                        \
        return mesh != NULL ? mesh->MEMBER : (OTHERWISE);                                                    \
    }

ASK(int, sn_mesh_node_count, node_count, 0)
ASK(const sn_vec3 *, sn_mesh_nodes, nodes, NULL)
ASK(int, sn_mesh_edge_count, edge_count, 0)
ASK(const uint32_t *, sn_mesh_edges, edges, NULL)
ASK(int, sn_mesh_triangle_count, triangle_count, 0)
ASK(const uint32_t *, sn_mesh_triangles, triangles, NULL)
ASK(int, sn_mesh_tetrahedron_count, tetrahedron_count, 0)
ASK(const uint32_t *, sn_mesh_tetrahedra, tetrahedra, NULL)
ASK(sn_bounds, sn_mesh_bounds, bounds, (sn_bounds){0})
ASK(bool, sn_mesh_is_closed, closed, false)
ASK(bool, sn_mesh_is_manifold, manifold, false)
ASK(float, sn_mesh_length, length, 0.0f)
ASK(float, sn_mesh_area, area, 0.0f)
ASK(float, sn_mesh_volume, volume, 0.0f)

float sn_mesh_edge_length(const sn_mesh *mesh, int edge)
{
    bool exists = mesh && edge >= 0 && edge < mesh->edge_count;
    return exists ? (float)sn_length_of_edge(mesh->nodes, mesh->edges + 2 * (size_t)edge) : 0.0f;
}

float sn_mesh_triangle_area(const sn_mesh *mesh, int triangle)
{
    bool exists = mesh && triangle >= 0 && triangle < mesh->triangle_count;
    return exists ? (float)sn_area_of_triangle(mesh->nodes, mesh->triangles + 3 * (size_t)triangle) : 0.0f;
}

float sn_mesh_tetrahedron_volume(const sn_mesh *mesh, int tetrahedron)
{
    bool exists = mesh && tetrahedron >= 0 && tetrahedron < mesh->tetrahedron_count;
    return exists ? (float)sn_volume_of_tetrahedron(mesh->nodes, mesh->tetrahedra + 4 * (size_t)tetrahedron)
                  : 0.0f;
}

// Edges are sorted.
int sn_mesh_find_edge(const sn_mesh *mesh, uint32_t a, uint32_t b)
{
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    int begin = 0, end = mesh->edge_count;
    while (begin < end) {
        int middle = begin + (end - begin) / 2;
        const uint32_t *edge = mesh->edges + 2 * (size_t)middle;
        if (edge[0] < low || (edge[0] == low && edge[1] < high)) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    const uint32_t *found = mesh->edges + 2 * (size_t)begin;
    return begin < mesh->edge_count && found[0] == low && found[1] == high ? begin : -1;
}

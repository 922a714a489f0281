// Meshes in a snapshot: nodes and elements as they were given, from which the mesh is made again. So whatever
// the bytes say, the mesh is one that sn_mesh_create would make; and the same elements in the same order give
// the same mesh to the bit.
#include "geometry/mesh/mesh.h"
#include "geometry/meshing/mesh_build.h"
#include "geometry/shapes/check.h"
#include "world/snapshot/snapshot_parts.h"

#include <string.h>

static void archive_indices(sn_stream *stream, uint32_t *indices, size_t count)
{
    for (size_t i = 0; stream->status == SN_OK && i < count; ++i) {
        sn_stream_u32(stream, &indices[i]);
    }
}

// Boundaries of tetrahedra are found again; edges are not told from those that were given, so all are kept.
static int own_triangles(const sn_mesh *mesh)
{
    return mesh->tetrahedron_count > 0 ? 0 : mesh->triangle_count;
}

static void write_mesh(sn_stream *stream, sn_mesh *mesh)
{
    int triangle_count = own_triangles(mesh);
    sn_stream_count(stream, &mesh->node_count, 12, "a mesh's nodes");
    sn_stream_count(stream, &mesh->edge_count, 8, "a mesh's edges");
    sn_stream_count(stream, &triangle_count, 12, "a mesh's triangles");
    sn_stream_count(stream, &mesh->tetrahedron_count, 16, "a mesh's tetrahedra");
    for (int i = 0; i < mesh->node_count; ++i) {
        sn_stream_vec3(stream, &mesh->nodes[i]);
    }
    archive_indices(stream, mesh->edges, 2 * (size_t)mesh->edge_count);
    archive_indices(stream, mesh->triangles, 3 * (size_t)triangle_count);
    archive_indices(stream, mesh->tetrahedra, 4 * (size_t)mesh->tetrahedron_count);
}

static void read_parts(sn_stream *stream, sn_mesh_parts *parts)
{
    size_t at = stream->at;
    int nodes = 0, edges = 0, triangles = 0, tetrahedra = 0;
    sn_stream_count(stream, &nodes, 12, "a mesh's nodes");
    sn_stream_count(stream, &edges, 8, "a mesh's edges");
    sn_stream_count(stream, &triangles, 12, "a mesh's triangles");
    sn_stream_count(stream, &tetrahedra, 16, "a mesh's tetrahedra");
    // Edges of the largest meshes may be more than can be given; three or four indices of an element not.
    if (nodes > SN_MAX_MESH_COUNT || triangles > SN_MAX_MESH_COUNT || tetrahedra > SN_MAX_MESH_COUNT ||
        edges > 8 * SN_MAX_MESH_COUNT) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, at, "a mesh is larger than any can be");
    }
    if (stream->status == SN_OK &&
        (!sn_array_resize(&parts->nodes, nodes) || !sn_array_resize(&parts->edges, 2 * edges) ||
         !sn_array_resize(&parts->triangles, 3 * triangles) ||
         !sn_array_resize(&parts->tetrahedra, 4 * tetrahedra))) {
        sn_stream_fail(stream, SN_ERROR_MEMORY, at, "no memory for a mesh of %d nodes", nodes);
    }
    for (int i = 0; stream->status == SN_OK && i < nodes; ++i) {
        sn_stream_vec3(stream, &parts->nodes.data[i]);
    }
    archive_indices(stream, parts->edges.data, (size_t)parts->edges.count);
    archive_indices(stream, parts->triangles.data, (size_t)parts->triangles.count);
    archive_indices(stream, parts->tetrahedra.data, (size_t)parts->tetrahedra.count);
}

static bool same_indices(const uint32_t *a, int count_a, const uint32_t *b, int count_b)
{
    return count_a == count_b && (count_a == 0 || memcmp(a, b, (size_t)count_a * sizeof *a) == 0);
}

// Whether saving the mesh again would give the same bytes.
static bool is_made_of(const sn_mesh *mesh, const sn_mesh_parts *parts)
{
    return same_indices(mesh->edges, 2 * mesh->edge_count, parts->edges.data, parts->edges.count) &&
           same_indices(mesh->triangles, 3 * own_triangles(mesh), parts->triangles.data,
                        parts->triangles.count) &&
           same_indices(mesh->tetrahedra, 4 * mesh->tetrahedron_count, parts->tetrahedra.data,
                        parts->tetrahedra.count);
}

static sn_mesh *make_mesh(sn_stream *stream, size_t at, sn_mesh_parts *parts)
{
    sn_mesh *mesh = NULL;
    int edge_indices = parts->edges.count;
    parts->edges.count = edge_indices / 2 > SN_MAX_MESH_COUNT ? 0 : edge_indices;
    sn_status status = sn_mesh_parts_create(parts, &mesh);
    parts->edges.count = edge_indices;
    if (status != SN_OK) {
        sn_stream_fail(stream, status == SN_ERROR_MEMORY ? SN_ERROR_MEMORY : SN_ERROR_FORMAT, at, "%s",
                       sn_last_error());
    } else if (!is_made_of(mesh, parts)) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, at, "a mesh's edges or tetrahedra are out of order");
        sn_mesh_destroy(mesh);
        mesh = NULL;
    }
    return mesh;
}

const sn_mesh *sn_archive_mesh(sn_stream *stream, const sn_mesh *known)
{
    if (!sn_stream_reads(stream)) {
        write_mesh(stream, (sn_mesh *)known); // changed only if read
        return known;
    }
    size_t at = stream->at;
    sn_mesh_parts parts = {0};
    read_parts(stream, &parts);
    sn_mesh *mesh = stream->status == SN_OK ? make_mesh(stream, at, &parts) : NULL;
    sn_mesh_parts_release(&parts);
    return mesh;
}

// Meshes in a snapshot: nodes and elements as they were given, from which the mesh is made again. So whatever
// the bytes say, the mesh is one that sn_mesh_create would make; and the same elements in the same order give
// the same mesh to the bit.
// Tested by tests/world/snapshot/test_snapshot_soft.c.
#include "geometry/mesh/mesh.h"
#include "geometry/meshing/mesh_build.h"
#include "geometry/shapes/check.h"
#include "world/snapshot/snapshot_parts.h"

#include <string.h>

// Boundaries of tetrahedra are found again. Edges that were given are not told from the others, so all are
// kept.
static int own_triangles(const sn_mesh *mesh)
{
    return mesh->tetrahedron_count > 0 ? 0 : mesh->triangle_count;
}

typedef struct mesh_counts {
    int nodes, edges, triangles, tetrahedra;
} mesh_counts;

static void archive_counts(sn_stream *stream, mesh_counts *counts)
{
    sn_stream_count(stream, &counts->nodes, 12, "a mesh's nodes");
    sn_stream_count(stream, &counts->edges, 8, "a mesh's edges");
    sn_stream_count(stream, &counts->triangles, 12, "a mesh's triangles");
    sn_stream_count(stream, &counts->tetrahedra, 16, "a mesh's tetrahedra");
}

static void archive_elements(sn_stream *stream, const mesh_counts *counts, sn_vec3 *nodes, uint32_t *edges,
                             uint32_t *triangles, uint32_t *tetrahedra)
{
    sn_stream_floats(stream, (float *)nodes, 3 * (size_t)counts->nodes);
    sn_stream_integers(stream, edges, sizeof *edges, 2 * (size_t)counts->edges);
    sn_stream_integers(stream, triangles, sizeof *triangles, 3 * (size_t)counts->triangles);
    sn_stream_integers(stream, tetrahedra, sizeof *tetrahedra, 4 * (size_t)counts->tetrahedra);
}

static void write_mesh(sn_stream *stream, sn_mesh *mesh)
{
    mesh_counts counts = {mesh->node_count, mesh->edge_count, own_triangles(mesh), mesh->tetrahedron_count};
    archive_counts(stream, &counts);
    archive_elements(stream, &counts, mesh->nodes, mesh->edges, mesh->triangles, mesh->tetrahedra);
}

static void read_parts(sn_stream *stream, sn_mesh_parts *parts)
{
    mesh_counts counts = {0};
    archive_counts(stream, &counts);
    // Edges of the largest meshes may be more than can be given; three or four indices of an element not.
    if (counts.nodes > SN_MAX_MESH_COUNT || counts.triangles > SN_MAX_MESH_COUNT ||
        counts.tetrahedra > SN_MAX_MESH_COUNT || counts.edges > 8 * SN_MAX_MESH_COUNT) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, "a mesh is larger than any can be");
    } else if (!sn_array_resize(&parts->nodes, counts.nodes) ||
               !sn_array_resize(&parts->edges, 2 * counts.edges) ||
               !sn_array_resize(&parts->triangles, 3 * counts.triangles) ||
               !sn_array_resize(&parts->tetrahedra, 4 * counts.tetrahedra)) {
        sn_stream_fail(stream, SN_ERROR_MEMORY, "no memory for a mesh of %d nodes", counts.nodes);
    } else {
        archive_elements(stream, &counts, parts->nodes.data, parts->edges.data, parts->triangles.data,
                         parts->tetrahedra.data);
    }
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

static sn_mesh *make_mesh(sn_stream *stream, sn_mesh_parts *parts)
{
    sn_mesh *mesh = NULL;
    int edge_indices = parts->edges.count;
    parts->edges.count = edge_indices / 2 > SN_MAX_MESH_COUNT ? 0 : edge_indices;
    sn_status status = sn_mesh_parts_create(parts, &mesh);
    parts->edges.count = edge_indices;
    if (status != SN_OK) {
        sn_stream_fail(stream, status == SN_ERROR_MEMORY ? SN_ERROR_MEMORY : SN_ERROR_FORMAT, "%s",
                       sn_last_error());
    } else if (!is_made_of(mesh, parts)) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, "a mesh's edges or tetrahedra are out of order");
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
    sn_mesh_parts parts = {0};
    read_parts(stream, &parts);
    sn_mesh *mesh = stream->status == SN_OK ? make_mesh(stream, &parts) : NULL;
    sn_mesh_parts_release(&parts);
    return mesh;
}

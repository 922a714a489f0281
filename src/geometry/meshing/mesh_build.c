// The lists builders fill, from their limits to the finished mesh.
// Tested by tests/geometry/meshing/test_mesh_build_box.c.
#include "geometry/meshing/mesh_build.h"
#include "base/error.h"
#include "geometry/shapes/check.h"

static sn_status check_limit(double count, const char *object, const char *noun)
{
    if (count > SN_MAX_MESH_COUNT) {
        return sn_fail(NULL, SN_ERROR_RANGE, "%s: it would have %.0f %s, expected <= %d", object, count, noun,
                       SN_MAX_MESH_COUNT);
    }
    return SN_OK;
}

sn_status sn_mesh_parts_reserve(sn_mesh_parts *parts, sn_mesh_counts counts, const char *object,
                                sn_mesh **mesh)
{
    if (!mesh) {
        return sn_fail(NULL, SN_ERROR_NULL, "%s: mesh is null", object);
    }
    sn_status status = check_limit(counts.nodes, object, "nodes");
    status = status ? status : check_limit(counts.edges, object, "edges");
    status = status ? status : check_limit(counts.triangles, object, "triangles");
    status = status ? status : check_limit(counts.tetrahedra, object, "tetrahedra");
    if (!status && (!sn_array_reserve(&parts->nodes, (int)counts.nodes) ||
                    !sn_array_reserve(&parts->edges, 2 * (int)counts.edges) ||
                    !sn_array_reserve(&parts->triangles, 3 * (int)counts.triangles) ||
                    !sn_array_reserve(&parts->tetrahedra, 4 * (int)counts.tetrahedra))) {
        status = sn_fail(NULL, SN_ERROR_MEMORY, "%s: no memory for %.0f nodes", object, counts.nodes);
    }
    return status;
}

sn_status sn_mesh_parts_create(const sn_mesh_parts *parts, sn_mesh **mesh)
{
    sn_mesh_def def = sn_mesh_def_default();
    def.nodes = parts->nodes.data;
    def.node_count = parts->nodes.count;
    def.edges = parts->edges.data;
    def.edge_count = parts->edges.count / 2;
    def.triangles = parts->triangles.data;
    def.triangle_count = parts->triangles.count / 3;
    def.tetrahedra = parts->tetrahedra.data;
    def.tetrahedron_count = parts->tetrahedra.count / 4;
    return sn_mesh_create(&def, mesh);
}

void sn_mesh_parts_release(sn_mesh_parts *parts)
{
    sn_array_release(&parts->nodes);
    sn_array_release(&parts->edges);
    sn_array_release(&parts->triangles);
    sn_array_release(&parts->tetrahedra);
}

sn_status sn_mesh_check_cells(int cells, int lower, const char *object, const char *field)
{
    if (cells < lower || cells > SN_MAX_MESH_COUNT) {
        return sn_fail(NULL, SN_ERROR_RANGE, "%s: %s is %d, expected >= %d and <= %d", object, field, cells,
                       lower, SN_MAX_MESH_COUNT);
    }
    return SN_OK;
}

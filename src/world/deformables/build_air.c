// Rows for drag and lift by the air: on triangles or, in a mesh without any, on edges.
// Tested by tests/physics/soft/test_wind.c.
#include "base/allocate.h"
#include "solver/elements/air_block.h"
#include "world/deformables/deformable.h"

// Triangles, or edges, with their sizes.
typedef struct pieces {
    const uint32_t *corners; // `width` each
    int width, count;
    double *sizes;     // areas or lengths in the mesh
    double *node_sums; // of the sizes around every node
} pieces;

static const uint32_t *corners_of(const pieces *pieces, int i)
{
    return pieces->corners + (size_t)i * (size_t)pieces->width;
}

static void measure(const sn_mesh *mesh, pieces *pieces)
{
    for (int i = 0; i < pieces->count; ++i) {
        pieces->sizes[i] =
            (double)(pieces->width == 2 ? sn_mesh_edge_length(mesh, i) : sn_mesh_triangle_area(mesh, i));
        for (int a = 0; a < pieces->width; ++a) {
            pieces->node_sums[corners_of(pieces, i)[a]] += pieces->sizes[i];
        }
    }
}

// A piece's share of the masses of its nodes.
static float mass_of(const sn_deformable_data *data, const sn_nodes *nodes, const pieces *pieces, int i)
{
    double sum = 0.0;
    for (int a = 0; a < pieces->width; ++a) {
        uint32_t node = corners_of(pieces, i)[a];
        sum += (double)nodes->masses.data[data->first_node + (int)node] * pieces->sizes[i] /
               pieces->node_sums[node];
    }
    return (float)sum;
}

static void put_rows(const sn_deformable_data *data, const sn_nodes *nodes, const pieces *pieces,
                     const int *lanes, sn_element_group *group)
{
    const sn_mesh *mesh = data->def.mesh;
    sn_air_row row = {.drag = data->def.drag,
                      .lift = data->def.lift,
                      .width = data->def.thickness,
                      .one_sided = mesh->closed && (mesh->manifold || mesh->tetrahedron_count > 0)};
    bool inside_out = row.one_sided && sn_mesh_volume(mesh) < 0.0f;
    for (int i = 0; i < pieces->count; ++i) {
        for (int a = 0; a < pieces->width; ++a) {
            int corner = inside_out ? pieces->width - 1 - a : a;
            row.node[corner] = data->first_node + (int)corners_of(pieces, i)[a];
        }
        row.mass = mass_of(data, nodes, pieces, i);
        sn_air_put(group, lanes[i], &row);
    }
}

static bool is_wanted(const sn_deformable_def *def)
{
    return def->drag > 0.0f || def->lift > 0.0f;
}

static sn_status make(const sn_deformable_data *data, const sn_nodes *nodes, sn_error *error,
                      const char *object, sn_element_group *group)
{
    const sn_mesh *mesh = data->def.mesh;
    bool strand = mesh->triangle_count == 0;
    pieces pieces = {.corners = strand ? mesh->edges : mesh->triangles,
                     .width = strand ? 2 : 3,
                     .count = strand ? mesh->edge_count : mesh->triangle_count};
    if (!is_wanted(&data->def) || pieces.count == 0) {
        return SN_OK;
    }
    const sn_element_kind *kind = &(*sn_element_air_pick())[strand ? SN_AIR_STRANDS : SN_AIR_TRIANGLES];
    size_t size_bytes = (size_t)pieces.count * sizeof(double),
           sum_bytes = (size_t)mesh->node_count * sizeof(double);
    pieces.sizes = sn_allocate_zero((size_t)pieces.count, sizeof(double));
    pieces.node_sums = sn_allocate_zero((size_t)mesh->node_count, sizeof(double));
    int *lanes = NULL;
    bool good = pieces.sizes != NULL && pieces.node_sums != NULL &&
                sn_element_group_make(group, kind, pieces.corners, pieces.width, pieces.count,
                                      mesh->node_count, &lanes);
    if (good) {
        measure(mesh, &pieces);
        put_rows(data, nodes, &pieces, lanes, group);
        sn_release(lanes, (size_t)pieces.count * sizeof *lanes);
    }
    sn_release(pieces.sizes, size_bytes);
    sn_release(pieces.node_sums, sum_bytes);
    return good ? SN_OK : sn_fail(error, SN_ERROR_MEMORY, "%s: out of memory for the air around it", object);
}

static bool serves(const sn_deformable_def *before, const sn_deformable_def *after)
{
    return is_wanted(before) == is_wanted(after);
}

// Masses and sides do not change.
static void tune(const sn_deformable_data *data, const sn_nodes *nodes, sn_element_group *group)
{
    (void)nodes;
    const sn_air_block *blocks = group->blocks;
    for (int lane = 0; lane < group->block_count * SN_LANES; ++lane) {
        if (blocks[lane / SN_LANES].node[0][lane % SN_LANES] != 0) {
            sn_air_tune(group, lane, data->def.drag, data->def.lift, data->def.thickness);
        }
    }
}

const sn_row_builder sn_build_air = {make, serves, tune};

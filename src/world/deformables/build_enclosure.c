// The volume inside a closed surface, kept or under pressure: one row over its nodes.
// Tested by tests/physics/soft/test_cushion.c.
#include "base/allocate.h"
#include "geometry/mesh/mesh_measure.h"
#include "solver/elements/enclosure_block.h"
#include "world/deformables/deformable.h"

// Places of nodes in the list of those that triangles use, in order of their numbers; −1 for others.
static int list_nodes(const sn_mesh *mesh, int *place)
{
    for (int i = 0; i < mesh->node_count; ++i) {
        place[i] = -1;
    }
    for (int i = 0; i < 3 * mesh->triangle_count; ++i) {
        place[mesh->triangles[i]] = 0;
    }
    int count = 0;
    for (int i = 0; i < mesh->node_count; ++i) {
        place[i] = place[i] == 0 ? count++ : -1;
    }
    return count;
}

static double enclosed_volume(const sn_mesh *mesh)
{
    double sum = 0.0;
    sn_vec3 origin = mesh->nodes[mesh->triangles[0]];
    for (int i = 0; i < mesh->triangle_count; ++i) {
        const uint32_t *t = mesh->triangles + 3 * (size_t)i;
        sum += sn_volume_between(origin, mesh->nodes[t[0]], mesh->nodes[t[1]], mesh->nodes[t[2]]);
    }
    return sum;
}

// Triangles of a surface that is inside out are listed with their corners reversed.
static void fill_blocks(const sn_deformable_data *data, const int *place, bool inside_out,
                        sn_enclosure_block *blocks)
{
    const sn_mesh *mesh = data->def.mesh;
    for (int i = 0; i < mesh->triangle_count; ++i) {
        sn_enclosure_block *block = &blocks[i / SN_LANES];
        for (int k = 0; k < 3; ++k) {
            uint32_t corner = mesh->triangles[3 * (size_t)i + (size_t)(inside_out ? 2 - k : k)];
            block->corner[k][i % SN_LANES] = data->first_node + (int)corner;
            block->place[k][i % SN_LANES] = place[corner];
        }
    }
    for (int i = 0; i < mesh->node_count; ++i) {
        if (place[i] >= 0) {
            blocks[place[i] / SN_LANES].node[place[i] % SN_LANES] = data->first_node + i;
        }
    }
}

// How much pressure inextensible edges can bear, by the square of their frequency (enclosure_block.h).
static float holding_of(const sn_deformable_data *data, const sn_nodes *nodes, double volume)
{
    const sn_deformable_def *def = &data->def;
    const sn_inextensible *hold = &def->inextensible;
    if (!hold->on || hold->compliance > 0.0f || hold->side == SN_HOLD_COMPRESSION || !(volume > 0.0)) {
        return 0.0f;
    }
    double sum = 0.0;
    for (int i = 0; i < def->mesh->edge_count; ++i) {
        const uint32_t *ends = def->mesh->edges + 2 * (size_t)i;
        double length = (double)(def->scale * sn_mesh_edge_length(def->mesh, i));
        double a = (double)nodes->masses.data[data->first_node + (int)ends[0]];
        double b = (double)nodes->masses.data[data->first_node + (int)ends[1]];
        // Nodes without mass are fixed.
        double effective = a > 0.0 && b > 0.0 ? a * b / (a + b) : a + b;
        sum += length * length * effective;
    }
    return (float)((double)(def->enclosure.preserve ? SN_MOST_KEEPING : SN_MOST_INFLATION) * sum /
                   (3.0 * volume));
}

// Sets the numbers of the row that depend on the definition; its topology and its impulse stay.
static void tune(const sn_deformable_data *data, const sn_nodes *nodes, sn_element_group *group)
{
    const sn_enclosure *enclosure = &data->def.enclosure;
    sn_enclosure_block *first = group->blocks;
    sn_enclosure_row *row = &first->row;
    double volume = enclosed_volume(data->def.mesh), scale = data->def.scale;
    row->target = (float)((volume < 0.0 ? -volume : volume) * scale * scale * scale * enclosure->scale);
    row->stiffness = enclosure->compliance > 0.0f ? sn_min(1.0f / enclosure->compliance, 1.0e30f) : 0.0f;
    row->pressure = enclosure->pressure;
    row->holds = enclosure->preserve ? 1 : 0;
    row->holding = holding_of(data, nodes, (double)row->target);
    if (!enclosure->preserve) {
        first->impulse.lane[0] = 0.0f; // no sweep would change it any more
    }
}

static bool make_group(const sn_deformable_data *data, const sn_nodes *nodes, sn_element_group *group)
{
    const sn_mesh *mesh = data->def.mesh;
    int *place = sn_allocate_zero((size_t)mesh->node_count, sizeof *place);
    if (place == NULL) {
        return false;
    }
    int node_count = list_nodes(mesh, place);
    int items = mesh->triangle_count > node_count ? mesh->triangle_count : node_count;
    *group = (sn_element_group){.kind = sn_element_enclosure_pick(),
                                .block_count = (items + SN_LANES - 1) / SN_LANES,
                                .row_count = 1,
                                .color_count = 1};
    group->blocks = sn_allocate_zero((size_t)group->block_count, sizeof(sn_enclosure_block));
    if (group->blocks != NULL) {
        // One colour with one block: the others go with the first.
        for (int color = 1; color < SN_ELEMENT_COLORS + 2; ++color) {
            group->color_begin[color] = 1;
        }
        sn_enclosure_block *blocks = group->blocks;
        fill_blocks(data, place, enclosed_volume(mesh) < 0.0, blocks);
        blocks[0].row = (sn_enclosure_row){.block_count = group->block_count,
                                           .node_block_count = (node_count + SN_LANES - 1) / SN_LANES};
        tune(data, nodes, group);
    }
    sn_release(place, (size_t)mesh->node_count * sizeof *place);
    return group->blocks != NULL;
}

static bool is_wanted(const sn_deformable_def *def)
{
    return def->enclosure.preserve || def->enclosure.pressure != 0.0f;
}

static sn_status make(const sn_deformable_data *data, const sn_nodes *nodes, sn_error *error,
                      const char *object, sn_element_group *group)
{
    const sn_mesh *mesh = data->def.mesh;
    if (!is_wanted(&data->def)) {
        return SN_OK;
    }
    // A closed surface that is not manifold may have triangles of both orientations, and then no inside. The
    // boundary of tetrahedra always has one.
    if (!mesh->closed || !(mesh->manifold || mesh->tetrahedron_count > 0)) {
        return sn_fail(error, SN_ERROR_KIND,
                       "%s: an enclosure needs a closed, oriented surface, which the mesh is not", object);
    }
    if (!make_group(data, nodes, group)) {
        return sn_fail(error, SN_ERROR_MEMORY, "%s: out of memory for its enclosure", object);
    }
    return SN_OK;
}

static bool serves(const sn_deformable_def *before, const sn_deformable_def *after)
{
    return is_wanted(before) == is_wanted(after);
}

const sn_row_builder sn_build_enclosure = {make, serves, tune};

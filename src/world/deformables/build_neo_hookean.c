// Neo-Hookean finite elements as rows: one block for every tetrahedron.
#include "base/allocate.h"
#include "solver/elements/neo_hookean_block.h"
#include "world/deformables/deformable.h"

// Shape gradients: the rows of the inverse of [x₁ − x₀, x₂ − x₀, x₃ − x₀] at rest.
static sn_neo_hookean element_of(const sn_deformable_def *def, const uint32_t *corners)
{
    sn_vec3 x[4];
    for (int a = 0; a < 4; ++a) {
        x[a] = sn_scale(def->mesh->nodes[corners[a]], def->scale);
    }
    sn_vec3 u = sn_sub(x[1], x[0]), v = sn_sub(x[2], x[0]), w = sn_sub(x[3], x[0]);
    float volume6 = sn_dot(sn_cross(u, v), w), inverse = 1.0f / volume6;
    return (sn_neo_hookean){.gradient = {sn_scale(sn_cross(v, w), inverse), sn_scale(sn_cross(w, u), inverse),
                                         sn_scale(sn_cross(u, v), inverse)},
                            .young = def->model.young,
                            .poisson = def->model.poisson,
                            .volume = volume6 / 6.0f,
                            .damping = def->model.damping};
}

static sn_status make(const sn_deformable_data *data, const sn_nodes *nodes, sn_error *error,
                      const char *object, sn_element_group *group)
{
    (void)nodes;
    const sn_deformable_def *def = &data->def;
    const sn_mesh *mesh = def->mesh;
    if (def->model.type != SN_MODEL_NEO_HOOKEAN) {
        return SN_OK;
    }
    if (mesh->tetrahedron_count == 0) {
        return sn_fail(error, SN_ERROR_KIND,
                       "%s: model 'neo-Hookean' needs tetrahedra, which the mesh has none of", object);
    }
    int *lanes = NULL;
    if (!sn_element_group_make(group, sn_element_neo_hookean_pick(), mesh->tetrahedra, 4,
                               mesh->tetrahedron_count, mesh->node_count, &lanes)) {
        return sn_fail(error, SN_ERROR_MEMORY, "%s: out of memory for its tetrahedra", object);
    }
    for (int i = 0; i < mesh->tetrahedron_count; ++i) {
        const uint32_t *corners = mesh->tetrahedra + 4 * (size_t)i;
        int numbers[4];
        for (int a = 0; a < 4; ++a) {
            numbers[a] = data->first_node + (int)corners[a];
        }
        sn_neo_hookean element = element_of(def, corners);
        sn_neo_hookean_put(group, lanes[i], numbers, &element);
    }
    sn_release(lanes, (size_t)mesh->tetrahedron_count * sizeof *lanes);
    return SN_OK;
}

// --- other numbers -----------------------------------------------------------------------------------------

static bool serves(const sn_deformable_def *before, const sn_deformable_def *after)
{
    return (before->model.type == SN_MODEL_NEO_HOOKEAN) == (after->model.type == SN_MODEL_NEO_HOOKEAN);
}

static void tune(const sn_deformable_data *data, const sn_nodes *nodes, sn_element_group *group)
{
    (void)nodes;
    for (int lane = 0; lane < group->block_count * SN_LANES; ++lane) {
        sn_neo_hookean_block *block = (sn_neo_hookean_block *)group->blocks + lane / SN_LANES;
        int i = lane % SN_LANES, numbers[4];
        uint32_t corners[4];
        for (int a = 0; a < 4; ++a) {
            numbers[a] = block->shape.node[a][i];
            corners[a] = (uint32_t)(numbers[a] - data->first_node);
        }
        if (numbers[0] != 0) {
            sn_neo_hookean element = element_of(&data->def, corners);
            sn_neo_hookean_put(group, lane, numbers, &element);
            block->shape.made_for[0].lane[i] = 0.0f; // what was made for the old numbers is made again
        }
    }
}

const sn_row_builder sn_build_neo_hookean = {make, serves, tune};

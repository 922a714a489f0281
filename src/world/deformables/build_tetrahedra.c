// Corotational finite elements as rows: six for every tetrahedron.
#include "base/allocate.h"
#include "solver/elements/tetrahedron_block.h"
#include "world/deformables/deformable.h"

// Shape gradients: the rows of the inverse of [x₁ − x₀, x₂ − x₀, x₃ − x₀] at rest.
static sn_tetrahedron element_of(const sn_deformable_def *def, const uint32_t *corners)
{
    sn_vec3 x[4];
    for (int a = 0; a < 4; ++a) {
        x[a] = sn_scale(def->mesh->nodes[corners[a]], def->scale);
    }
    sn_vec3 u = sn_sub(x[1], x[0]), v = sn_sub(x[2], x[0]), w = sn_sub(x[3], x[0]);
    float volume6 = sn_dot(sn_cross(u, v), w), inverse = 1.0f / volume6;
    return (sn_tetrahedron){.gradient = {sn_scale(sn_cross(v, w), inverse), sn_scale(sn_cross(w, u), inverse),
                                         sn_scale(sn_cross(u, v), inverse)},
                            .young = def->model.young,
                            .poisson = def->model.poisson,
                            .volume = volume6 / 6.0f,
                            .damping = def->model.damping};
}

// The rest shape's frame is the mesh's; the deformable may have been placed turned.
static void turn_to_pose(sn_element_group *group, int lane, sn_quat rotation)
{
    sn_tetrahedron_block *block = (sn_tetrahedron_block *)group->blocks + lane / SN_LANES;
    float q[4] = {rotation.x, rotation.y, rotation.z, rotation.w};
    for (int i = 0; i < 4; ++i) {
        block->rotation[i].lane[lane % SN_LANES] = q[i];
    }
}

static sn_status make(const sn_deformable_data *data, const sn_nodes *nodes, sn_error *error,
                      const char *object, sn_element_group *group)
{
    (void)nodes;
    const sn_deformable_def *def = &data->def;
    const sn_mesh *mesh = def->mesh;
    if (def->model.type != SN_MODEL_COROTATIONAL) {
        return SN_OK;
    }
    if (mesh->tetrahedron_count == 0) {
        return sn_fail(error, SN_ERROR_KIND,
                       "%s: model 'corotational' needs tetrahedra, which the mesh has none of", object);
    }
    int *lanes = NULL;
    if (!sn_element_group_make(group, sn_element_tetrahedra_pick(), mesh->tetrahedra, 4,
                               mesh->tetrahedron_count, mesh->node_count, &lanes)) {
        return sn_fail(error, SN_ERROR_MEMORY, "%s: out of memory for its tetrahedra", object);
    }
    // Lanes without a tetrahedron have a rotation too: the iteration divides by its length.
    for (int i = 0; i < group->block_count * SN_LANES; ++i) {
        turn_to_pose(group, i, sn_quat_identity);
    }
    for (int i = 0; i < mesh->tetrahedron_count; ++i) {
        const uint32_t *corners = mesh->tetrahedra + 4 * (size_t)i;
        int numbers[4];
        for (int a = 0; a < 4; ++a) {
            numbers[a] = data->first_node + (int)corners[a];
        }
        sn_tetrahedron element = element_of(def, corners);
        sn_tetrahedron_put(group, lanes[i], numbers, &element);
        turn_to_pose(group, lanes[i], def->pose.rotation);
    }
    sn_release(lanes, (size_t)mesh->tetrahedron_count * sizeof *lanes);
    return SN_OK;
}

// --- other numbers -----------------------------------------------------------------------------------------

static bool serves(const sn_deformable_def *before, const sn_deformable_def *after)
{
    return (before->model.type == SN_MODEL_COROTATIONAL) == (after->model.type == SN_MODEL_COROTATIONAL);
}

static void tune(const sn_deformable_data *data, const sn_nodes *nodes, sn_element_group *group)
{
    (void)nodes;
    for (int lane = 0; lane < group->block_count * SN_LANES; ++lane) {
        sn_tetrahedron_block *block = (sn_tetrahedron_block *)group->blocks + lane / SN_LANES;
        int i = lane % SN_LANES, numbers[4];
        uint32_t corners[4];
        for (int a = 0; a < 4; ++a) {
            numbers[a] = block->shape.node[a][i];
            corners[a] = (uint32_t)(numbers[a] - data->first_node);
        }
        if (numbers[0] != 0) {
            sn_tetrahedron element = element_of(&data->def, corners);
            float w = block->rotation[3].lane[i];
            sn_tetrahedron_put(group, lane, numbers, &element);
            block->rotation[3].lane[i] = w;
            block->shape.made_for[0].lane[i] = 0.0f; // what was made for the old numbers is made again
        }
    }
}

const sn_row_builder sn_build_tetrahedra = {make, serves, tune};

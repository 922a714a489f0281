// Finite elements as rows: corotational or neo-Hookean, one element of rows for every tetrahedron.
// Tested by tests/physics/soft/test_soft_cantilever.c.
#include "base/allocate.h"
#include "solver/elements/neo_hookean_block.h"
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

// The rest shape is in the frame of the mesh; the deformable may have been placed with another rotation.
static void turn_to_pose(sn_element_group *group, int lane, sn_quat rotation)
{
    sn_tetrahedron_block *block = (sn_tetrahedron_block *)group->blocks + lane / SN_LANES;
    float q[4] = {rotation.x, rotation.y, rotation.z, rotation.w};
    for (int i = 0; i < 4; ++i) {
        block->rotation[i].lane[lane % SN_LANES] = q[i];
    }
}

// Writes an element of the deformable's model into a lane; `corners` are numbers of the mesh.
static void put(const sn_deformable_data *data, const uint32_t *corners, sn_element_group *group, int lane)
{
    int numbers[4];
    for (int a = 0; a < 4; ++a) {
        numbers[a] = data->first_node + (int)corners[a];
    }
    sn_tetrahedron element = element_of(&data->def, corners);
    if (data->def.model.type == SN_MODEL_COROTATIONAL) {
        sn_tetrahedron_put(group, lane, numbers, &element);
    } else {
        sn_neo_hookean_put(group, lane, numbers, &element);
    }
}

static sn_status make(const sn_deformable_data *data, sn_error *error, const char *object, const char *model,
                      const sn_element_kind *kind, sn_element_group *group)
{
    const sn_mesh *mesh = data->def.mesh;
    if (mesh->tetrahedron_count == 0) {
        return sn_fail(error, SN_ERROR_KIND, "%s: model '%s' needs tetrahedra, which the mesh has none of",
                       object, model);
    }
    int *lanes = NULL;
    if (!sn_element_group_make(group, kind, mesh->tetrahedra, 4, mesh->tetrahedron_count, mesh->node_count,
                               &lanes)) {
        return sn_fail(error, SN_ERROR_MEMORY, "%s: out of memory for its tetrahedra", object);
    }
    bool has_rotations = data->def.model.type == SN_MODEL_COROTATIONAL;
    // Lanes without a tetrahedron have a rotation too: the iteration divides by its length.
    for (int i = 0; has_rotations && i < group->block_count * SN_LANES; ++i) {
        turn_to_pose(group, i, sn_quat_identity);
    }
    for (int i = 0; i < mesh->tetrahedron_count; ++i) {
        put(data, mesh->tetrahedra + 4 * (size_t)i, group, lanes[i]);
        if (has_rotations) {
            turn_to_pose(group, lanes[i], data->def.pose.rotation);
        }
    }
    sn_release(lanes, (size_t)mesh->tetrahedron_count * sizeof *lanes);
    return SN_OK;
}

// What was made for the old numbers is made again; where rotations have come to stays.
static void tune_lane(const sn_deformable_data *data, sn_tetrahedron_shape *shape, sn_element_group *group,
                      int lane)
{
    uint32_t corners[4];
    int i = lane % SN_LANES;
    if (shape->node[0][i] == 0) {
        return; // without a tetrahedron
    }
    for (int a = 0; a < 4; ++a) {
        corners[a] = (uint32_t)(shape->node[a][i] - data->first_node);
    }
    put(data, corners, group, lane);
    shape->made_for[0].lane[i] = 0.0f;
}

static void tune(const sn_deformable_data *data, const sn_nodes *nodes, sn_element_group *group)
{
    (void)nodes;
    bool has_rotations = data->def.model.type == SN_MODEL_COROTATIONAL;
    for (int lane = 0; lane < group->block_count * SN_LANES; ++lane) {
        void *block = (char *)group->blocks + (size_t)(lane / SN_LANES) * group->kind->block_size;
        sn_tetrahedron_block *turned = has_rotations ? block : NULL;
        float w = has_rotations ? turned->rotation[3].lane[lane % SN_LANES] : 0.0f;
        tune_lane(data, block, group, lane); // blocks of both models begin with the shape
        if (has_rotations) {
            turned->rotation[3].lane[lane % SN_LANES] = w;
        }
    }
}

#define BUILDER(NAME, TYPE, KIND)                                                                            \
    static sn_status make_##NAME(const sn_deformable_data *data, const sn_nodes *nodes, sn_error *error,     \
                                 const char *object, sn_element_group *group)                                \
    {                                                                                                        \
        (void)nodes;                                                                                         \
        return data->def.model.type == TYPE ? make(data, error, object, sn_model_name(TYPE), KIND, group)    \
                                            : SN_OK;                                                         \
    }                                                                                                        \
    static bool NAME##_serves(const sn_deformable_def *before, const sn_deformable_def *after)               \
    {                                                                                                        \
        return (before->model.type == TYPE) == (after->model.type == TYPE);                                  \
    }                                                                                                        \
    const sn_row_builder sn_build_##NAME = {make_##NAME, NAME##_serves, tune};

BUILDER(tetrahedra, SN_MODEL_COROTATIONAL, sn_element_tetrahedra_pick())
BUILDER(neo_hookean, SN_MODEL_NEO_HOOKEAN, sn_element_neo_hookean_pick())

// How stiffly the nodes of a deformable are connected, for the rigid-mode correction of contacts in the
// staggered solver (solver/staggered/staggered_rigid_mode.h). By implicit Euler, a node of mass m that a
// stiffness k connects to the others moves only 1/(1 + s) as far as it would alone, s = h² k/m; the rest of
// the impulse moves the body. Models with goals give this share directly.
#include "world/deformables/deformable.h"

#include "model/goals/goals.h"

// A little is left to the nodes themselves, so that the body deforms under contacts. Jellies of 430 nodes
// were quiet from 0.9 to 0.98.
#define MOST_HELD 0.97f

void sn_deformable_find_cell(sn_deformable_data *data, const sn_nodes *nodes)
{
    const sn_mesh *mesh = data->def.mesh;
    double length = 0.0, mass = 0.0;
    for (int i = 0; i < mesh->edge_count; ++i) {
        length += (double)sn_mesh_edge_length(mesh, i);
    }
    for (int i = 0; i < data->node_count; ++i) {
        mass += (double)sn_max(nodes->masses.data[data->first_node + i], 0.0f);
    }
    bool has_volume = mesh->tetrahedron_count > 0 && mesh->edge_count > 0;
    data->cell = has_volume ? data->def.scale * (float)(length / mesh->edge_count) : 0.0f;
    data->node_mass = (float)(mass / data->node_count);
}

// Of goals. They are approached step by step while impulses of contacts are kept, so the share of a deviation
// that is gone after three steps counts.
static float held_by_goals(float share, float h)
{
    float left = 1.0f - sn_share_in(share, h);
    return 1.0f - left * left * left;
}

// h (h k + d): what implicit Euler makes of stiffness and damping [kg].
static float firmness_of(const sn_deformable_data *data, float h)
{
    const sn_model *model = &data->def.model;
    switch (model->type) {
    case SN_MODEL_SPRINGS:
    case SN_MODEL_SPRING_FORCES:
        return h * (h * model->stiffness + model->damping);
    case SN_MODEL_ENERGY: // along edges about as long as a cell
        return h * h * model->stiffness / (data->cell * data->cell);
    case SN_MODEL_COROTATIONAL:
    case SN_MODEL_COROTATIONAL_EXPLICIT:
    case SN_MODEL_COROTATIONAL_IMPLICIT:
    case SN_MODEL_NEO_HOOKEAN:
        return h * (h + model->damping) * model->young * data->cell;
    default:
        return 0.0f;
    }
}

float sn_deformable_rigid_mode_share(const sn_deformable_data *data, float h)
{
    const sn_model *model = &data->def.model;
    if (!(data->cell > 0.0f && data->node_mass > 0.0f)) {
        return 0.0f;
    }
    float s = firmness_of(data, h) / data->node_mass;
    float held = s < 1.0e6f ? s / (1.0f + s) : 1.0f;
    if (model->type == SN_MODEL_POSITION_BASED || model->type == SN_MODEL_SHAPE_MATCHING) {
        held = held_by_goals(model->stiffness, h);
    }
    bool has_hard_edges = data->def.inextensible.on && data->def.inextensible.compliance == 0.0f;
    return has_hard_edges ? MOST_HELD : sn_clamp(held, 0.0f, MOST_HELD);
}

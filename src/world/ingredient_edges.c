// Rows along the edges of a deformable: springs, or edges that keep their length.
#include "base/allocate.h"
#include "solver/edge_block.h"
#include "world/deformable.h"

#include <math.h>

static sn_edge edge_of(const sn_deformable_def *def, float length)
{
    if (def->model.type == SN_MODEL_SPRINGS && !def->inextensible.on) {
        return (sn_edge){length, def->model.stiffness, def->model.damping, -INFINITY, INFINITY};
    }
    const sn_inextensible *hold = &def->inextensible;
    float stiffness = hold->compliance > 0.0f ? 1.0f / hold->compliance : 0.0f;
    // A positive force pushes apart: it resists compression.
    float lower = hold->side == SN_HOLD_COMPRESSION ? 0.0f : -hold->max_force;
    float upper = hold->side == SN_HOLD_STRETCH ? 0.0f : hold->max_force;
    return (sn_edge){length, stiffness, hold->damping, lower, upper};
}

sn_status sn_ingredient_edges(const sn_deformable_data *data, const sn_nodes *nodes, sn_error *error,
                              sn_element_group *group)
{
    (void)nodes;
    const sn_deformable_def *def = &data->def;
    const sn_mesh *mesh = def->mesh;
    if ((def->model.type != SN_MODEL_SPRINGS && !def->inextensible.on) || mesh->edge_count == 0) {
        return SN_OK;
    }
    int *lanes = NULL;
    if (!sn_element_group_make(group, sn_element_edges(), mesh->edges, 2, mesh->edge_count, mesh->node_count,
                               &lanes)) {
        return sn_fail(error, SN_ERROR_MEMORY, "deformable: out of memory for its edges");
    }
    for (int i = 0; i < mesh->edge_count; ++i) {
        int a = (int)mesh->edges[2 * i], b = (int)mesh->edges[2 * i + 1];
        float length = def->scale * sn_distance_between(mesh->nodes[a], mesh->nodes[b]);
        sn_edge_put(group, lanes[i], data->first_node + a, data->first_node + b, edge_of(def, length));
    }
    sn_release(lanes, (size_t)mesh->edge_count * sizeof *lanes);
    return SN_OK;
}

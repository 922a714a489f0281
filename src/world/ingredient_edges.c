// Rows along the edges of a deformable: springs, or edges that keep their length.
#include "base/allocate.h"
#include "geometry/diagonals.h"
#include "solver/edge_block.h"
#include "world/deformable.h"

#include <math.h>
#include <string.h>

static sn_edge held(const sn_edge_option *hold)
{
    float stiffness = hold->compliance > 0.0f ? 1.0f / hold->compliance : 0.0f;
    // A positive force pushes apart: it resists compression.
    float lower = hold->side == SN_HOLD_COMPRESSION ? 0.0f : -hold->max_force;
    float upper = hold->side == SN_HOLD_STRETCH ? 0.0f : hold->max_force;
    return (sn_edge){0.0f, stiffness, hold->damping, lower, upper};
}

static sn_edge spring(float stiffness, float damping)
{
    return (sn_edge){0.0f, stiffness, damping, -INFINITY, INFINITY};
}

// How all edges are held but diagonals and those with an option of their own.
static sn_edge edge_of(const sn_deformable_def *def)
{
    const sn_inextensible *hold = &def->inextensible;
    return hold->on ? held(&(sn_edge_option){0, hold->side, hold->compliance, hold->damping, hold->max_force})
                    : spring(def->model.stiffness, def->model.damping);
}

// Which edges get a row, and which one.
typedef struct choice {
    sn_edge *edges;    // of every edge of the mesh; its length is not set
    uint8_t *has_row;  // the same
    uint8_t *diagonal; // the same
} choice;

static bool choose(const sn_deformable_data *data, choice *choice)
{
    const sn_deformable_def *def = &data->def;
    const sn_mesh *mesh = def->mesh;
    bool all = def->model.type == SN_MODEL_SPRINGS || def->inextensible.on;
    bool shears = def->inextensible.on && def->inextensible.shear_stiffness > 0.0f;
    if (shears && !sn_mesh_find_diagonals(mesh, choice->diagonal)) {
        return false;
    }
    memset(choice->has_row, all ? 1 : 0, (size_t)mesh->edge_count);
    for (int i = 0; i < mesh->edge_count && all; ++i) {
        choice->edges[i] = choice->diagonal[i]
                               ? spring(def->inextensible.shear_stiffness, def->inextensible.shear_damping)
                               : edge_of(def);
    }
    for (int i = 0; i < def->edge_option_count; ++i) {
        const sn_edge_option *option = &def->edge_options[i];
        choice->has_row[option->edge] = 1;
        choice->edges[option->edge] = held(option);
    }
    return true;
}

// Rows for the edges that have one; `nodes` has room for the ends of all.
static bool make_rows(const sn_deformable_data *data, const choice *choice, uint32_t *nodes,
                      sn_element_group *group)
{
    const sn_mesh *mesh = data->def.mesh;
    int count = 0, *lanes = NULL;
    for (int i = 0; i < mesh->edge_count; ++i) {
        if (choice->has_row[i]) {
            memcpy(nodes + 2 * (size_t)count++, mesh->edges + 2 * (size_t)i, 2 * sizeof *nodes);
        }
    }
    if (count == 0) {
        return true;
    }
    if (!sn_element_group_make(group, sn_element_edges(), nodes, 2, count, mesh->node_count, &lanes)) {
        return false;
    }
    for (int i = 0, row = 0; i < mesh->edge_count; ++i) {
        if (choice->has_row[i]) {
            int a = (int)mesh->edges[2 * i], b = (int)mesh->edges[2 * i + 1];
            sn_edge edge = choice->edges[i];
            edge.rest = data->def.scale * sn_distance_between(mesh->nodes[a], mesh->nodes[b]);
            sn_edge_put(group, lanes[row++], data->first_node + a, data->first_node + b, edge);
        }
    }
    sn_release(lanes, (size_t)count * sizeof *lanes);
    return true;
}

sn_status sn_ingredient_edges(const sn_deformable_data *data, const sn_nodes *nodes, sn_error *error,
                              sn_element_group *group)
{
    (void)nodes;
    const sn_deformable_def *def = &data->def;
    size_t count = (size_t)def->mesh->edge_count;
    if (count == 0 ||
        (def->model.type != SN_MODEL_SPRINGS && !def->inextensible.on && def->edge_option_count == 0)) {
        return SN_OK;
    }
    choice choice = {.edges = sn_allocate_zero(count, sizeof(sn_edge)),
                     .has_row = sn_allocate_zero(count, 1),
                     .diagonal = sn_allocate_zero(count, 1)};
    uint32_t *ends = sn_allocate_zero(count, 2 * sizeof *ends);
    bool made = choice.edges != NULL && choice.has_row != NULL && choice.diagonal != NULL && ends != NULL &&
                choose(data, &choice) && make_rows(data, &choice, ends, group);
    sn_release(ends, count * 2 * sizeof *ends);
    sn_release(choice.diagonal, count);
    sn_release(choice.has_row, count);
    sn_release(choice.edges, count * sizeof(sn_edge));
    return made ? SN_OK : sn_fail(error, SN_ERROR_MEMORY, "deformable: out of memory for its edges");
}

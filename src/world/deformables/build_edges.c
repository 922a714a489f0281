// Rows along the edges of a deformable: springs, or edges that keep their length.
// Tested by tests/world/deformables/test_edge_options.c.
#include "base/allocate.h"
#include "geometry/mesh/diagonals.h"
#include "solver/elements/edge_block.h"
#include "world/deformables/deformable.h"

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

// What determines how the edge of a lane is held.
enum { HELD_AS_ALL, HELD_AS_DIAGONAL, HELD_BY_OPTION };

static bool has_all_edges(const sn_deformable_def *def)
{
    return def->model.type == SN_MODEL_SPRINGS || def->inextensible.on;
}

static bool shears(const sn_deformable_def *def)
{
    return def->inextensible.on && def->inextensible.shear_stiffness > 0.0f;
}

// How edges are held, except diagonals and those with an option of their own.
static sn_edge edge_of(const sn_deformable_def *def)
{
    const sn_inextensible *hold = &def->inextensible;
    return hold->on ? held(&(sn_edge_option){0, hold->side, hold->compliance, hold->damping, hold->max_force})
                    : spring(def->model.stiffness, def->model.damping);
}

static sn_edge shear_of(const sn_deformable_def *def)
{
    return spring(def->inextensible.shear_stiffness, def->inextensible.shear_damping);
}

// Which edges get a row, and which one.
typedef struct choice {
    sn_edge *edges;   // of every edge of the mesh; its length is not set
    uint8_t *has_row; // the same
    uint8_t *mark;    // the same: what holds it
} choice;

static bool choose(const sn_deformable_def *def, choice *choice)
{
    const sn_mesh *mesh = def->mesh;
    bool all = has_all_edges(def);
    // Flags of diagonals are their marks: 1 or 0.
    if (shears(def) && !sn_mesh_find_diagonals(mesh, choice->mark)) {
        return false;
    }
    memset(choice->has_row, all ? 1 : 0, (size_t)mesh->edge_count);
    for (int i = 0; i < mesh->edge_count && all; ++i) {
        choice->edges[i] = choice->mark[i] == HELD_AS_DIAGONAL ? shear_of(def) : edge_of(def);
    }
    for (int i = 0; i < def->edge_option_count; ++i) {
        const sn_edge_option *option = &def->edge_options[i];
        choice->has_row[option->edge] = 1;
        choice->mark[option->edge] = HELD_BY_OPTION;
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
    if (!sn_element_group_make(group, sn_element_edges_pick(), nodes, 2, count, mesh->node_count, &lanes)) {
        return false;
    }
    group->marks = sn_allocate_zero((size_t)group->block_count, SN_LANES);
    for (int i = 0, row = 0; i < mesh->edge_count && group->marks != NULL; ++i) {
        if (choice->has_row[i]) {
            int a = (int)mesh->edges[2 * i], b = (int)mesh->edges[2 * i + 1], lane = lanes[row++];
            sn_edge edge = choice->edges[i];
            edge.rest = data->def.scale * sn_distance_between(mesh->nodes[a], mesh->nodes[b]);
            sn_edge_put(group, lane, data->first_node + a, data->first_node + b, edge);
            group->marks[lane] = choice->mark[i];
        }
    }
    sn_release(lanes, (size_t)count * sizeof *lanes);
    return group->marks != NULL;
}

static sn_status make(const sn_deformable_data *data, const sn_nodes *nodes, sn_error *error,
                      const char *object, sn_element_group *group)
{
    (void)nodes;
    const sn_deformable_def *def = &data->def;
    size_t count = (size_t)def->mesh->edge_count;
    if (count == 0 || (!has_all_edges(def) && def->edge_option_count == 0)) {
        return SN_OK;
    }
    choice choice = {.edges = sn_allocate_zero(count, sizeof(sn_edge)),
                     .has_row = sn_allocate_zero(count, 1),
                     .mark = sn_allocate_zero(count, 1)};
    uint32_t *ends = sn_allocate_zero(count, 2 * sizeof *ends);
    bool made = choice.edges != NULL && choice.has_row != NULL && choice.mark != NULL && ends != NULL &&
                choose(def, &choice) && make_rows(data, &choice, ends, group);
    sn_release(ends, count * 2 * sizeof *ends);
    sn_release(choice.mark, count);
    sn_release(choice.has_row, count);
    sn_release(choice.edges, count * sizeof(sn_edge));
    return made ? SN_OK : sn_fail(error, SN_ERROR_MEMORY, "%s: out of memory for its edges", object);
}

// --- other numbers -----------------------------------------------------------------------------------------

static bool serves(const sn_deformable_def *before, const sn_deformable_def *after)
{
    return has_all_edges(before) == has_all_edges(after) && shears(before) == shears(after);
}

static void tune(const sn_deformable_data *data, const sn_nodes *nodes, sn_element_group *group)
{
    (void)nodes;
    const sn_edge_block *blocks = group->blocks;
    sn_edge as_all = edge_of(&data->def), as_diagonal = shear_of(&data->def);
    for (int lane = 0; lane < group->block_count * SN_LANES; ++lane) {
        const sn_edge_block *block = &blocks[lane / SN_LANES];
        int i = lane % SN_LANES, a = sn_places_node(&block->node[0], i);
        if (a != 0 && group->marks[lane] != HELD_BY_OPTION) {
            sn_edge edge = group->marks[lane] == HELD_AS_DIAGONAL ? as_diagonal : as_all;
            edge.rest = block->rest.lane[i];
            sn_edge_put(group, lane, a, sn_places_node(&block->node[1], i), edge);
        }
    }
}

const sn_row_builder sn_build_edges = {make, serves, tune};

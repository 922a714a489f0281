// Blocks of terms: filling them, their forces and their stiffness.
#include "model/forces/terms.h"

#include "base/allocate.h"
#include <string.h>

// --- making ------------------------------------------------------------------------------------------------

static int blocks_for(int count)
{
    return (count + SN_LANES - 1) / SN_LANES;
}

// Lanes without a term refer to different nodes, so that adding zero to them does not serialise.
static void fill_lanes(int32_t lanes[SN_LANES], int node_count)
{
    for (int i = 0; i < SN_LANES; ++i) {
        lanes[i] = i % node_count;
    }
}

static void fill_nodes(sn_terms *terms)
{
    for (int b = 0; b < terms->edges; ++b) {
        for (int k = 0; k < 2; ++k) {
            fill_lanes(terms->edge_blocks[b].node[k], terms->node_count);
        }
    }
    for (int b = 0; b < terms->areas; ++b) {
        for (int k = 0; k < 3; ++k) {
            fill_lanes(terms->area_blocks[b].node[k], terms->node_count);
        }
    }
    for (int b = 0; b < terms->volumes; ++b) {
        for (int k = 0; k < 4; ++k) {
            fill_lanes(terms->volume_blocks[b].node[k], terms->node_count);
        }
    }
}

bool sn_terms_make(sn_terms *terms, sn_integrator integrator, int node_count, int edge_count, int area_count,
                   int volume_count)
{
    bool resists = integrator == SN_INTEGRATOR_IMPLICIT_EULER;
    *terms = (sn_terms){.node_count = node_count,
                        .edges = blocks_for(edge_count),
                        .areas = blocks_for(area_count),
                        .volumes = blocks_for(volume_count),
                        .kernels = sn_term_kernels_pick()};
    terms->edge_blocks = sn_allocate_zero((size_t)terms->edges, sizeof *terms->edge_blocks);
    terms->area_blocks = sn_allocate_zero((size_t)terms->areas, sizeof *terms->area_blocks);
    terms->volume_blocks = sn_allocate_zero((size_t)terms->volumes, sizeof *terms->volume_blocks);
    if (resists) {
        terms->field = sn_allocate_zero((size_t)node_count, sizeof *terms->field);
        terms->answer = sn_allocate_zero((size_t)node_count, sizeof *terms->answer);
    }
    if ((terms->edges > 0 && terms->edge_blocks == NULL) ||
        (terms->areas > 0 && terms->area_blocks == NULL) ||
        (terms->volumes > 0 && terms->volume_blocks == NULL) ||
        (resists && (terms->field == NULL || terms->answer == NULL))) {
        sn_terms_release(terms);
        return false;
    }
    fill_nodes(terms);
    return true;
}

void sn_terms_release(sn_terms *terms)
{
    sn_release(terms->edge_blocks, (size_t)terms->edges * sizeof *terms->edge_blocks);
    sn_release(terms->area_blocks, (size_t)terms->areas * sizeof *terms->area_blocks);
    sn_release(terms->volume_blocks, (size_t)terms->volumes * sizeof *terms->volume_blocks);
    sn_release(terms->field, (size_t)terms->node_count * sizeof *terms->field);
    sn_release(terms->answer, (size_t)terms->node_count * sizeof *terms->answer);
    *terms = (sn_terms){0};
}

void sn_terms_put_edge(sn_terms *terms, int index, sn_term term)
{
    sn_edge_terms *block = &terms->edge_blocks[index / SN_LANES];
    int lane = index % SN_LANES;
    block->node[0][lane] = term.node[0];
    block->node[1][lane] = term.node[1];
    block->rest.lane[lane] = term.rest;
    block->stiffness.lane[lane] = term.stiffness;
    block->damping.lane[lane] = term.damping;
    terms->has_damping = terms->has_damping || term.damping > 0.0f;
}

void sn_terms_put_area(sn_terms *terms, int index, sn_term term)
{
    sn_area_terms *block = &terms->area_blocks[index / SN_LANES];
    int lane = index % SN_LANES;
    for (int k = 0; k < 3; ++k) {
        block->node[k][lane] = term.node[k];
    }
    block->rest.lane[lane] = term.rest;
    block->inverse_scale.lane[lane] = term.inverse_scale;
    block->stiffness.lane[lane] = term.stiffness * term.inverse_scale;
}

void sn_terms_put_volume(sn_terms *terms, int index, sn_term term)
{
    sn_volume_terms *block = &terms->volume_blocks[index / SN_LANES];
    int lane = index % SN_LANES;
    for (int k = 0; k < 4; ++k) {
        block->node[k][lane] = term.node[k];
    }
    block->rest.lane[lane] = term.rest;
    block->inverse_scale.lane[lane] = term.inverse_scale;
    block->stiffness.lane[lane] = term.stiffness * term.inverse_scale;
}

// --- forces ------------------------------------------------------------------------------------------------

static void forces_of(void *model, const sn_node_state *nodes, const sn_node_velocity *velocities,
                      sn_node_force *forces, sn_tasks *tasks)
{
    (void)tasks;
    const sn_terms *terms = model;
    memset(forces, 0, (size_t)terms->node_count * sizeof *forces);
    terms->kernels->edges(terms->edge_blocks, terms->edges, nodes, terms->has_damping ? velocities : NULL,
                          forces);
    terms->kernels->areas(terms->area_blocks, terms->areas, nodes, forces);
    terms->kernels->volumes(terms->volume_blocks, terms->volumes, nodes, forces);
}

// --- resistance --------------------------------------------------------------------------------------------

static void resist(void *model, const sn_node_state *nodes, sn_resistance resistance, const sn_vec3 *field,
                   sn_vec3 *forces, sn_tasks *tasks)
{
    (void)tasks;
    const sn_terms *terms = model;
    const sn_term_kernels *kernels = terms->kernels;
    for (int i = 0; i < terms->node_count; ++i) {
        terms->field[i].velocity = field[i];
        terms->answer[i] = (sn_node_force){0};
    }
    kernels->resist_edges(terms->edge_blocks, terms->edges, nodes, resistance, terms->field, terms->answer);
    kernels->resist_areas(terms->area_blocks, terms->areas, nodes, resistance, terms->field, terms->answer);
    kernels->resist_volumes(terms->volume_blocks, terms->volumes, nodes, resistance, terms->field,
                            terms->answer);
    for (int i = 0; i < terms->node_count; ++i) {
        forces[i] = terms->answer[i].force;
    }
}

static sn_vec3 place_of(const sn_node_state *nodes, const int32_t *lanes, int lane)
{
    return nodes[lanes[lane]].position;
}

// along × g gᵀ + across × (1 − g gᵀ); |g| = 1 unless `across` is zero.
static void add_block(sn_sym3 *block, sn_vec3 g, float along, float across)
{
    float outer = along - across;
    block->xx += outer * g.x * g.x + across;
    block->yy += outer * g.y * g.y + across;
    block->zz += outer * g.z * g.z + across;
    block->xy += outer * g.x * g.y;
    block->xz += outer * g.x * g.z;
    block->yz += outer * g.y * g.z;
}

// As resist_edges of term_kernel.h.
static void add_edge(const sn_edge_terms *block, int i, const sn_node_state *nodes, sn_resistance r,
                     sn_sym3 *blocks)
{
    sn_vec3 along = sn_sub(place_of(nodes, block->node[1], i), place_of(nodes, block->node[0], i));
    sn_vec3 direction = sn_normalize(along);
    float length = sn_length(along), rest = block->rest.lane[i], k = r.stiffness * block->stiffness.lane[i];
    float across = length > rest ? k * (1.0f - rest / length) : 0.0f;
    for (int n = 0; n < 2; ++n) {
        add_block(&blocks[block->node[n][i]], direction, k + r.damping * block->damping.lane[i], across);
    }
}

static void add_area(const sn_area_terms *block, int i, const sn_node_state *nodes, sn_resistance r,
                     sn_sym3 *blocks)
{
    sn_vec3 p[3];
    for (int n = 0; n < 3; ++n) {
        p[n] = place_of(nodes, block->node[n], i);
    }
    sn_vec3 half = sn_scale(sn_normalize(sn_cross(sn_sub(p[1], p[0]), sn_sub(p[2], p[0]))), 0.5f);
    float along = r.stiffness * block->stiffness.lane[i] * block->inverse_scale.lane[i];
    for (int n = 0; n < 3; ++n) {
        sn_vec3 gradient = sn_cross(half, sn_sub(p[(n + 2) % 3], p[(n + 1) % 3]));
        add_block(&blocks[block->node[n][i]], gradient, along, 0.0f);
    }
}

static void add_volume(const sn_volume_terms *block, int i, const sn_node_state *nodes, sn_resistance r,
                       sn_sym3 *blocks)
{
    sn_vec3 e[3], sum = sn_v(0.0f, 0.0f, 0.0f);
    float along = r.stiffness * block->stiffness.lane[i] * block->inverse_scale.lane[i];
    for (int k = 0; k < 3; ++k) {
        e[k] = sn_sub(place_of(nodes, block->node[k + 1], i), place_of(nodes, block->node[0], i));
    }
    for (int k = 0; k < 3; ++k) {
        sn_vec3 gradient = sn_scale(sn_cross(e[(k + 1) % 3], e[(k + 2) % 3]), 1.0f / 6.0f);
        add_block(&blocks[block->node[k + 1][i]], gradient, along, 0.0f);
        sum = sn_add(sum, gradient);
    }
    add_block(&blocks[block->node[0][i]], sum, along, 0.0f);
}

static void add_diagonal(void *model, const sn_node_state *nodes, sn_resistance resistance, sn_sym3 *blocks)
{
    const sn_terms *terms = model;
    for (int i = 0; i < terms->edges * SN_LANES; ++i) {
        add_edge(&terms->edge_blocks[i / SN_LANES], i % SN_LANES, nodes, resistance, blocks);
    }
    for (int i = 0; i < terms->areas * SN_LANES; ++i) {
        add_area(&terms->area_blocks[i / SN_LANES], i % SN_LANES, nodes, resistance, blocks);
    }
    for (int i = 0; i < terms->volumes * SN_LANES; ++i) {
        add_volume(&terms->volume_blocks[i / SN_LANES], i % SN_LANES, nodes, resistance, blocks);
    }
}

sn_force_field sn_terms_field(sn_terms *terms)
{
    return (sn_force_field){
        .model = terms, .forces = forces_of, .resist = resist, .add_diagonal = add_diagonal};
}

// Blocks of terms: filling them, their forces and their stiffness.
#include "model/forces/terms.h"

#include "base/allocate.h"
#include <string.h>

// --- making ------------------------------------------------------------------------------------------------

// Lanes without a term refer to different nodes, so that adding zero to them does not serialise.
static void fill_nodes(sn_term_block *block, int node_count)
{
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < SN_LANES; ++i) {
            block->node[k][i] = i % node_count;
        }
    }
}

bool sn_terms_make(sn_terms *terms, int node_count, const int counts[SN_TERM_FAMILIES])
{
    bool is_made = true;
    *terms = (sn_terms){.node_count = node_count, .kernels = sn_term_kernels_pick()};
    for (int f = 0; f < SN_TERM_FAMILIES; ++f) {
        terms->counts[f] = (counts[f] + SN_LANES - 1) / SN_LANES;
        terms->blocks[f] = sn_allocate_zero((size_t)terms->counts[f], sizeof *terms->blocks[f]);
        is_made = is_made && (terms->counts[f] == 0 || terms->blocks[f] != NULL);
    }
    terms->field = sn_allocate_zero((size_t)node_count, sizeof *terms->field);
    terms->answer = sn_allocate_zero((size_t)node_count, sizeof *terms->answer);
    is_made = is_made && terms->field != NULL && terms->answer != NULL;
    if (!is_made) {
        sn_terms_release(terms);
        return false;
    }
    for (int f = 0; f < SN_TERM_FAMILIES; ++f) {
        for (int b = 0; b < terms->counts[f]; ++b) {
            fill_nodes(&terms->blocks[f][b], node_count);
        }
    }
    return true;
}

void sn_terms_release(sn_terms *terms)
{
    for (int f = 0; f < SN_TERM_FAMILIES; ++f) {
        sn_release(terms->blocks[f], (size_t)terms->counts[f] * sizeof *terms->blocks[f]);
    }
    sn_release(terms->field, (size_t)terms->node_count * sizeof *terms->field);
    sn_release(terms->answer, (size_t)terms->node_count * sizeof *terms->answer);
    *terms = (sn_terms){0};
}

void sn_terms_put(sn_terms *terms, sn_term_family family, int index, sn_term term)
{
    sn_term_block *block = &terms->blocks[family][index / SN_LANES];
    int lane = index % SN_LANES;
    for (int k = 0; k < sn_term_widths[family]; ++k) {
        block->node[k][lane] = term.node[k];
    }
    block->rest.lane[lane] = term.rest;
    block->inverse_scale.lane[lane] = term.inverse_scale;
    block->stiffness.lane[lane] =
        family == SN_TERM_EDGES ? term.stiffness : term.stiffness * term.inverse_scale;
    block->damping.lane[lane] = term.damping;
    terms->has_damping = terms->has_damping || term.damping > 0.0f;
}

// --- forces ------------------------------------------------------------------------------------------------

static void forces_of(void *model, const sn_node_state *nodes, const sn_node_velocity *velocities,
                      sn_node_force *forces, sn_tasks *tasks)
{
    (void)tasks;
    const sn_terms *terms = model;
    memset(forces, 0, (size_t)terms->node_count * sizeof *forces);
    for (int f = 0; f < SN_TERM_FAMILIES; ++f) {
        terms->kernels->forces[f](terms->blocks[f], terms->counts[f], nodes,
                                  terms->has_damping ? velocities : NULL, forces);
    }
}

// --- resistance --------------------------------------------------------------------------------------------

static void resist(void *model, const sn_node_state *nodes, sn_resistance resistance, const sn_vec3 *field,
                   sn_vec3 *forces, sn_tasks *tasks)
{
    (void)tasks;
    const sn_terms *terms = model;
    for (int i = 0; i < terms->node_count; ++i) {
        terms->field[i].velocity = field[i];
        terms->answer[i] = (sn_node_force){0};
    }
    for (int f = 0; f < SN_TERM_FAMILIES; ++f) {
        terms->kernels->resist[f](terms->blocks[f], terms->counts[f], nodes, resistance, terms->field,
                                  terms->answer);
    }
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
static void add_edge(const sn_term_block *block, int i, const sn_node_state *nodes, sn_resistance r,
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

static void add_area(const sn_term_block *block, int i, const sn_node_state *nodes, sn_resistance r,
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

static void add_volume(const sn_term_block *block, int i, const sn_node_state *nodes, sn_resistance r,
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
    static void (*const add[SN_TERM_FAMILIES])(const sn_term_block *, int, const sn_node_state *,
                                               sn_resistance, sn_sym3 *) = {add_edge, add_area, add_volume};
    const sn_terms *terms = model;
    for (int f = 0; f < SN_TERM_FAMILIES; ++f) {
        for (int i = 0; i < terms->counts[f] * SN_LANES; ++i) {
            add[f](&terms->blocks[f][i / SN_LANES], i % SN_LANES, nodes, resistance, blocks);
        }
    }
}

sn_force_field sn_terms_field(sn_terms *terms)
{
    return (sn_force_field){
        .model = terms, .forces = forces_of, .resist = resist, .add_diagonal = add_diagonal};
}

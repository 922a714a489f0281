// Blocks of terms: filling them, their forces, and how they resist.
#include "model/terms.h"

#include "base/allocate.h"
#include <string.h>

// --- making ------------------------------------------------------------------------------------------------

static int blocks_for(int count)
{
    return (count + SN_LANES - 1) / SN_LANES;
}

bool sn_terms_make(sn_terms *terms, int node_count, int edge_count, int area_count, int volume_count)
{
    *terms = (sn_terms){.node_count = node_count,
                        .edges = blocks_for(edge_count),
                        .areas = blocks_for(area_count),
                        .volumes = blocks_for(volume_count),
                        .kernels = sn_term_kernels_pick()};
    terms->edge_blocks = sn_allocate_zero((size_t)terms->edges, sizeof *terms->edge_blocks);
    terms->area_blocks = sn_allocate_zero((size_t)terms->areas, sizeof *terms->area_blocks);
    terms->volume_blocks = sn_allocate_zero((size_t)terms->volumes, sizeof *terms->volume_blocks);
    if ((terms->edges > 0 && terms->edge_blocks == NULL) ||
        (terms->areas > 0 && terms->area_blocks == NULL) ||
        (terms->volumes > 0 && terms->volume_blocks == NULL)) {
        sn_terms_release(terms);
        return false;
    }
    return true;
}

void sn_terms_release(sn_terms *terms)
{
    sn_release(terms->edge_blocks, (size_t)terms->edges * sizeof *terms->edge_blocks);
    sn_release(terms->area_blocks, (size_t)terms->areas * sizeof *terms->area_blocks);
    sn_release(terms->volume_blocks, (size_t)terms->volumes * sizeof *terms->volume_blocks);
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

// A term's part of s K + t D, which lies within its own nodes: along × (Σ_j g_j · u_j) g_i of node i, g the
// gradients of its measure, and of edges across × what is at right angles to g besides.
typedef struct term_stiffness {
    int count;
    int node[4];
    sn_vec3 gradient[4];
    float along, across;
} term_stiffness;

static sn_vec3 place_of(const sn_node_state *nodes, const int32_t *lanes, int lane)
{
    return nodes[lanes[lane]].position;
}

// k (n nᵀ + max(0, 1 − ℓ₀/ℓ) (1 − n nᵀ)) and d n nᵀ. Pressed edges would gain by giving way sideways: that
// part is left out.
static term_stiffness of_edge(const void *blocks, int index, const sn_node_state *nodes, sn_resistance r)
{
    const sn_edge_terms *block = (const sn_edge_terms *)blocks + index / SN_LANES;
    int i = index % SN_LANES;
    sn_vec3 along = sn_sub(place_of(nodes, block->node[1], i), place_of(nodes, block->node[0], i));
    sn_vec3 direction = sn_normalize(along);
    float length = sn_length(along), rest = block->rest.lane[i], k = r.stiffness * block->stiffness.lane[i];
    return (term_stiffness){.count = 2,
                            .node = {block->node[0][i], block->node[1][i]},
                            .gradient = {sn_neg(direction), direction},
                            .along = k + r.damping * block->damping.lane[i],
                            .across = length > rest ? k * (1.0f - rest / length) : 0.0f};
}

static term_stiffness of_area(const void *blocks, int index, const sn_node_state *nodes, sn_resistance r)
{
    const sn_area_terms *block = (const sn_area_terms *)blocks + index / SN_LANES;
    int i = index % SN_LANES;
    sn_vec3 a = place_of(nodes, block->node[0], i), b = place_of(nodes, block->node[1], i);
    sn_vec3 c = place_of(nodes, block->node[2], i);
    sn_vec3 half = sn_scale(sn_normalize(sn_cross(sn_sub(b, a), sn_sub(c, a))), 0.5f);
    return (term_stiffness){.count = 3,
                            .node = {block->node[0][i], block->node[1][i], block->node[2][i]},
                            .gradient = {sn_cross(half, sn_sub(c, b)), sn_cross(half, sn_sub(a, c)),
                                         sn_cross(half, sn_sub(b, a))},
                            .along = r.stiffness * block->stiffness.lane[i] * block->inverse_scale.lane[i]};
}

static term_stiffness of_volume(const void *blocks, int index, const sn_node_state *nodes, sn_resistance r)
{
    const sn_volume_terms *block = (const sn_volume_terms *)blocks + index / SN_LANES;
    int i = index % SN_LANES;
    term_stiffness stiffness = {
        .count = 4, .along = r.stiffness * block->stiffness.lane[i] * block->inverse_scale.lane[i]};
    sn_vec3 e[3];
    for (int k = 0; k < 3; ++k) {
        e[k] = sn_sub(place_of(nodes, block->node[k + 1], i), place_of(nodes, block->node[0], i));
    }
    for (int k = 0; k < 3; ++k) {
        sn_vec3 gradient = sn_scale(sn_cross(e[(k + 1) % 3], e[(k + 2) % 3]), 1.0f / 6.0f);
        stiffness.gradient[k + 1] = gradient;
        stiffness.gradient[0] = sn_sub(stiffness.gradient[0], gradient);
    }
    for (int k = 0; k < 4; ++k) {
        stiffness.node[k] = block->node[k][i];
    }
    return stiffness;
}

typedef struct family {
    const void *blocks;
    int count;
    term_stiffness (*of)(const void *blocks, int index, const sn_node_state *nodes, sn_resistance r);
} family;

enum { FAMILIES = 3 };

static void list_families(const sn_terms *terms, family families[FAMILIES])
{
    families[0] = (family){terms->edge_blocks, terms->edges * SN_LANES, of_edge};
    families[1] = (family){terms->area_blocks, terms->areas * SN_LANES, of_area};
    families[2] = (family){terms->volume_blocks, terms->volumes * SN_LANES, of_volume};
}

static void resist_term(const term_stiffness *term, const sn_vec3 *field, sn_vec3 *forces)
{
    float rate = 0.0f;
    for (int k = 0; k < term->count; ++k) {
        rate += sn_dot(term->gradient[k], field[term->node[k]]);
    }
    if (term->across > 0.0f) {
        int a = term->node[0], b = term->node[1];
        sn_vec3 apart = sn_sub(field[b], field[a]);
        sn_vec3 pull = sn_scale(sn_add_scaled(apart, -rate, term->gradient[1]), term->across);
        forces[a] = sn_add(forces[a], pull);
        forces[b] = sn_sub(forces[b], pull);
    }
    for (int k = 0; k < term->count; ++k) {
        sn_vec3 *force = &forces[term->node[k]];
        *force = sn_add_scaled(*force, -term->along * rate, term->gradient[k]);
    }
}

static void resist(void *model, const sn_node_state *nodes, sn_resistance resistance, const sn_vec3 *field,
                   sn_vec3 *forces, sn_tasks *tasks)
{
    (void)tasks;
    const sn_terms *terms = model;
    family families[FAMILIES];
    list_families(terms, families);
    memset(forces, 0, (size_t)terms->node_count * sizeof *forces);
    for (int f = 0; f < FAMILIES; ++f) {
        for (int i = 0; i < families[f].count; ++i) {
            term_stiffness term = families[f].of(families[f].blocks, i, nodes, resistance);
            resist_term(&term, field, forces);
        }
    }
}

// along × g gᵀ, and for edges across × (1 − g gᵀ).
static void add_diagonal(void *model, const sn_node_state *nodes, sn_resistance resistance, sn_sym3 *blocks)
{
    family families[FAMILIES];
    list_families(model, families);
    for (int f = 0; f < FAMILIES; ++f) {
        for (int i = 0; i < families[f].count; ++i) {
            term_stiffness term = families[f].of(families[f].blocks, i, nodes, resistance);
            float outer = term.along - term.across;
            for (int k = 0; k < term.count; ++k) {
                sn_sym3 *block = &blocks[term.node[k]];
                sn_vec3 g = term.gradient[k];
                block->xx += outer * g.x * g.x + term.across;
                block->yy += outer * g.y * g.y + term.across;
                block->zz += outer * g.z * g.z + term.across;
                block->xy += outer * g.x * g.y;
                block->xz += outer * g.x * g.z;
                block->yz += outer * g.y * g.z;
            }
        }
    }
}

sn_force_field sn_terms_field(sn_terms *terms)
{
    return (sn_force_field){
        .model = terms, .forces = forces_of, .resist = resist, .add_diagonal = add_diagonal};
}

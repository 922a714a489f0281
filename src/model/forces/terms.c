// Terms of energies: filling blocks, and their forces, stiffness and energy by the kernels of their families.
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
    size_t nodes = (size_t)node_count;
    *terms = (sn_terms){.node_count = node_count, .kernels = sn_term_kernels_pick()};
    for (int f = 0; f < SN_TERM_FAMILIES; ++f) {
        sn_term_set *set = &terms->sets[f];
        set->count = (counts[f] + SN_LANES - 1) / SN_LANES;
        set->blocks = sn_allocate_zero((size_t)set->count, sizeof *set->blocks);
        is_made = is_made && (set->count == 0 || set->blocks != NULL);
    }
    terms->places = sn_allocate_zero(nodes, sizeof *terms->places);
    terms->field = sn_allocate_zero(nodes, sizeof *terms->field);
    terms->answer = sn_allocate_zero(nodes, sizeof *terms->answer);
    terms->sums = sn_allocate_zero(nodes, sizeof *terms->sums);
    terms->touching = sn_allocate_zero(nodes, sizeof *terms->touching);
    if (!is_made || !terms->places || !terms->field || !terms->answer || !terms->sums || !terms->touching) {
        sn_terms_release(terms);
        return false;
    }
    for (int f = 0; f < SN_TERM_FAMILIES; ++f) {
        for (int b = 0; b < terms->sets[f].count; ++b) {
            fill_nodes(&terms->sets[f].blocks[b], node_count);
        }
    }
    return true;
}

void sn_terms_release(sn_terms *terms)
{
    size_t nodes = (size_t)terms->node_count;
    for (int f = 0; f < SN_TERM_FAMILIES; ++f) {
        const sn_term_set *set = &terms->sets[f];
        sn_release(set->blocks, (size_t)set->count * sizeof *set->blocks);
    }
    sn_release(terms->places, nodes * sizeof *terms->places);
    sn_release(terms->field, nodes * sizeof *terms->field);
    sn_release(terms->answer, nodes * sizeof *terms->answer);
    sn_release(terms->sums, nodes * sizeof *terms->sums);
    sn_release(terms->touching, nodes * sizeof *terms->touching);
    *terms = (sn_terms){0};
}

void sn_terms_put(sn_terms *terms, sn_term_family family, int index, sn_term term)
{
    sn_term_block *block = &terms->sets[family].blocks[index / SN_LANES];
    int lane = index % SN_LANES;
    for (int k = 0; k < sn_term_widths[family]; ++k) {
        block->node[k][lane] = term.node[k];
        ++terms->touching[term.node[k]][family];
    }
    block->rest.lane[lane] = term.rest;
    block->inverse_scale.lane[lane] = term.inverse_scale;
}

// --- a field of forces -------------------------------------------------------------------------------------

static void forces_of(void *model, const sn_node_state *nodes, const sn_node_velocity *velocities,
                      sn_node_force *forces, sn_tasks *tasks)
{
    (void)tasks;
    const sn_terms *terms = model;
    memset(forces, 0, (size_t)terms->node_count * sizeof *forces);
    for (int f = 0; f < SN_TERM_FAMILIES; ++f) {
        const sn_term_set *set = &terms->sets[f];
        terms->kernels->forces[f](set, nodes, set->damping > 0.0f ? velocities : NULL, forces);
    }
}

static void copy_forces(const sn_terms *terms, sn_vec3 *forces)
{
    for (int i = 0; i < terms->node_count; ++i) {
        forces[i] = terms->answer[i].force;
    }
}

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
        terms->kernels->resist[f](&terms->sets[f], nodes, resistance, terms->field, terms->answer);
    }
    copy_forces(terms, forces);
}

static void add_diagonal(void *model, const sn_node_state *nodes, sn_resistance resistance, sn_sym3 *blocks)
{
    const sn_terms *terms = model;
    for (int f = 0; f < SN_TERM_FAMILIES; ++f) {
        terms->kernels->diagonal[f](&terms->sets[f], nodes, resistance, blocks);
    }
}

// A term adds (s k + t d) g gᵀ with g = ∂C/∂x_i, and across g no more than along it.
static float diagonal_bound(void *model, const sn_node_state *nodes, sn_resistance resistance)
{
    const sn_terms *terms = model;
    float most[SN_TERM_FAMILIES], largest = 0.0f;
    for (int f = 0; f < SN_TERM_FAMILIES; ++f) {
        const sn_term_set *set = &terms->sets[f];
        most[f] = (resistance.stiffness * set->stiffness + resistance.damping * set->damping) *
                  terms->kernels->steepest[f](set, nodes);
    }
    for (int i = 0; i < terms->node_count; ++i) {
        const int *touching = terms->touching[i];
        float sum = most[SN_TERM_EDGES] * (float)touching[SN_TERM_EDGES] +
                    most[SN_TERM_AREAS] * (float)touching[SN_TERM_AREAS] +
                    most[SN_TERM_VOLUMES] * (float)touching[SN_TERM_VOLUMES];
        largest = sn_max(largest, nodes[i].inverse_mass * sum);
    }
    return largest;
}

sn_force_field sn_terms_field(sn_terms *terms)
{
    return (sn_force_field){.model = terms,
                            .forces = forces_of,
                            .resist = resist,
                            .add_diagonal = add_diagonal,
                            .diagonal_bound = diagonal_bound};
}

double sn_terms_energy(const sn_terms *terms, const sn_node_state *nodes)
{
    double energy = 0.0;
    for (int f = 0; f < SN_TERM_FAMILIES; ++f) {
        energy += terms->kernels->energy[f](&terms->sets[f], nodes);
    }
    return energy;
}

// --- within a sub-step -------------------------------------------------------------------------------------

static void look(void *model, const sn_vec3 *places, sn_tasks *tasks)
{
    (void)tasks;
    const sn_terms *terms = model;
    for (int i = 0; i < terms->node_count; ++i) {
        terms->places[i].position = places[i];
    }
}

static void elastic(void *model, sn_vec3 *forces, sn_tasks *tasks)
{
    (void)tasks;
    const sn_terms *terms = model;
    memset(terms->answer, 0, (size_t)terms->node_count * sizeof *terms->answer);
    for (int f = 0; f < SN_TERM_FAMILIES; ++f) {
        terms->kernels->forces[f](&terms->sets[f], terms->places, NULL, terms->answer);
    }
    copy_forces(terms, forces);
}

static void resist_here(void *model, sn_resistance resistance, const sn_vec3 *field, sn_vec3 *forces,
                        sn_tasks *tasks)
{
    const sn_terms *terms = model;
    resist(model, terms->places, resistance, field, forces, tasks);
}

// Gershgorin: the largest of w_i Σ_j |K_ij|.
static float largest_rate(sn_terms *terms, const sn_node_state *nodes)
{
    float largest = 0.0f;
    memset(terms->sums, 0, (size_t)terms->node_count * sizeof *terms->sums);
    for (int f = 0; f < SN_TERM_FAMILIES; ++f) {
        terms->kernels->bounds[f](&terms->sets[f], terms->places, terms->sums);
    }
    for (int i = 0; i < terms->node_count; ++i) {
        largest = sn_max(largest, nodes[i].inverse_mass * terms->sums[i]);
    }
    return largest;
}

void sn_terms_apply(sn_terms *terms, sn_explicit *scheme, float shortest, const sn_element_pass *pass,
                    sn_tasks *tasks)
{
    sn_term_set *edges = &terms->sets[SN_TERM_EDGES];
    float given = edges->damping;
    bool is_proportional = edges->stiffness > 0.0f && terms->sets[SN_TERM_AREAS].count == 0 &&
                           terms->sets[SN_TERM_VOLUMES].count == 0;
    look(terms, sn_explicit_places(scheme, pass), tasks);
    float fastest = largest_rate(terms, pass->nodes + scheme->first_node);
    // No less than the sub-step needs.
    edges->damping = sn_max(given, edges->stiffness * sn_explicit_least_damping(fastest, pass->h));
    sn_explicit_forces forces = {.model = terms,
                                 .look = look,
                                 .elastic = elastic,
                                 .resist = resist_here,
                                 .is_damped = edges->damping > 0.0f,
                                 .damping_time = is_proportional ? edges->damping / edges->stiffness : 0.0f,
                                 .fastest = fastest,
                                 .reach = shortest};
    sn_explicit_apply(scheme, pass, &forces, tasks);
    edges->damping = given;
}

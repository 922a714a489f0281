// Springs along every edge, and the distance, area and volume energies of Teschner et al. 2004 (methods B.1,
// B.5), as explicit forces of terms ½ k C² (terms.h) with
//
//   C = ℓ − ℓ₀ of springs
//   C = (ℓ − ℓ₀)/ℓ₀ of edges,  (A − A₀)/A₀ of triangles,  (V − V₀)/Ṽ of tetrahedra
//
// Ṽ = V₀ of solids. Sheets have virtual tetrahedra over the edges where two triangles meet, which resist
// bending: V₀ is (nearly) zero there, and Ṽ = (√2/12) ℓ̄³, the volume of a regular tetrahedron with their mean
// edge ℓ̄ (the paper prints ℓ̄).
// Tested by tests/model/test_model.c.
#include "model/forces/terms.h"
#include "model/model.h"

#include "base/allocate.h"
#include "geometry/mesh/edge_pairs.h"
#include "geometry/mesh/mesh_measure.h"

typedef struct energy {
    bool is_springs;
    float shortest;     // edge at rest [m]
    sn_explicit scheme; // of the default integrator; empty with others
    sn_terms terms;
} energy;

static void energy_destroy(void *model)
{
    energy *m = model;
    if (m != NULL) {
        sn_terms_release(&m->terms);
        sn_explicit_release(&m->scheme);
        sn_release(m, sizeof *m);
    }
}

// --- terms -------------------------------------------------------------------------------------------------

static sn_term term_of(const energy *m, sn_term_family family, const uint32_t *nodes,
                       const sn_model_input *input)
{
    const sn_vec3 *rest = input->mesh->nodes;
    double scale = input->scale, value;
    sn_term term = {0};
    for (int k = 0; k < sn_term_widths[family]; ++k) {
        term.node[k] = (int)nodes[k];
    }
    if (family == SN_TERM_EDGES) {
        value = scale * sn_length_of_edge(rest, nodes);
    } else if (family == SN_TERM_AREAS) {
        value = scale * scale * sn_area_of_triangle(rest, nodes);
    } else {
        value = scale * scale * scale * sn_volume_of_tetrahedron(rest, nodes);
    }
    term.rest = (float)value;
    // Virtual tetrahedra may have no volume, and get another scale.
    term.inverse_scale = m->is_springs ? 1.0f : value != 0.0 ? (float)(1.0 / value) : 0.0f;
    return term;
}

// A virtual tetrahedron is measured against a regular one.
static sn_term virtual_term_of(const energy *m, const uint32_t nodes[4], const sn_model_input *input)
{
    double sum = 0.0;
    sn_term term = term_of(m, SN_TERM_VOLUMES, nodes, input);
    for (int a = 0; a < 4; ++a) {
        for (int b = 0; b < a; ++b) {
            uint32_t ends[2] = {nodes[a], nodes[b]};
            sum += sn_length_of_edge(input->mesh->nodes, ends);
        }
    }
    double edge = (double)input->scale * sum / 6.0;
    term.inverse_scale = (float)(12.0 / (1.41421356237309515 * edge * edge * edge));
    return term;
}

static void put_terms(energy *m, sn_term_family family, const uint32_t *nodes, int count,
                      const sn_model_input *input)
{
    for (int i = 0; i < count; ++i) {
        const uint32_t *corners = nodes + (size_t)i * (size_t)sn_term_widths[family];
        sn_terms_put(&m->terms, family, i, term_of(m, family, corners, input));
    }
}

// One for every pair of half-edges: the edge, then the corners left and right of it. Their number; without
// `m` they are only counted.
static int put_virtual_terms(energy *m, const int *twins, const sn_model_input *input)
{
    const uint32_t *triangles = input->mesh->triangles;
    int count = 0;
    for (int h = 0; h < 3 * input->mesh->triangle_count; ++h) {
        int twin = twins[h], here = h - h % 3, there = twin - twin % 3;
        if (twin > h && m != NULL) {
            uint32_t nodes[4] = {triangles[h], triangles[here + (h + 1) % 3], triangles[here + (h + 2) % 3],
                                 triangles[there + (twin + 2) % 3]};
            sn_terms_put(&m->terms, SN_TERM_VOLUMES, count, virtual_term_of(m, nodes, input));
        }
        count += twin > h ? 1 : 0;
    }
    return count;
}

// --- making ------------------------------------------------------------------------------------------------

static void set_numbers(energy *m, const sn_model *parameters)
{
    m->terms.sets[SN_TERM_EDGES].stiffness = parameters->stiffness;
    m->terms.sets[SN_TERM_EDGES].damping = parameters->damping;
    if (!m->is_springs) {
        m->terms.sets[SN_TERM_AREAS].stiffness = parameters->area_stiffness;
        m->terms.sets[SN_TERM_VOLUMES].stiffness = parameters->volume_stiffness;
    }
}

// `twins` of the half-edges of a sheet that has virtual tetrahedra, else null.
static bool make_terms(energy *m, const int *twins, const sn_model_input *input)
{
    const sn_mesh *mesh = input->mesh;
    const sn_model *p = &input->parameters;
    bool has_areas = !m->is_springs && p->area_stiffness > 0.0f;
    bool has_volumes = !m->is_springs && p->volume_stiffness > 0.0f && twins == NULL;
    int counts[SN_TERM_FAMILIES] = {mesh->edge_count, has_areas ? mesh->triangle_count : 0,
                                    has_volumes ? mesh->tetrahedron_count : 0};
    if (twins != NULL) {
        counts[SN_TERM_VOLUMES] = put_virtual_terms(NULL, twins, input);
    }
    if (!sn_terms_make(&m->terms, input->node_count, counts)) {
        return false;
    }
    put_terms(m, SN_TERM_EDGES, mesh->edges, counts[SN_TERM_EDGES], input);
    put_terms(m, SN_TERM_AREAS, mesh->triangles, counts[SN_TERM_AREAS], input);
    if (twins != NULL) {
        (void)put_virtual_terms(m, twins, input);
    } else {
        put_terms(m, SN_TERM_VOLUMES, mesh->tetrahedra, counts[SN_TERM_VOLUMES], input);
    }
    set_numbers(m, p);
    return true;
}

static bool make_terms_of_sheet(energy *m, const sn_model_input *input)
{
    const sn_mesh *mesh = input->mesh;
    size_t half_edges = 3 * (size_t)mesh->triangle_count;
    int *twins = sn_allocate_zero(half_edges, sizeof *twins);
    bool is_made = twins != NULL &&
                   sn_edge_pairs(mesh->triangles, mesh->triangle_count, mesh->node_count, twins) &&
                   make_terms(m, twins, input);
    sn_release(twins, half_edges * sizeof *twins);
    return is_made;
}

static void *create(const sn_model_input *input, bool is_springs)
{
    const sn_mesh *mesh = input->mesh;
    energy *m = sn_allocate_zero(1, sizeof *m);
    if (m == NULL) {
        return NULL;
    }
    m->is_springs = is_springs;
    m->shortest = INFINITY;
    for (int i = 0; i < mesh->edge_count; ++i) {
        m->shortest = sn_min(m->shortest, input->scale * sn_mesh_edge_length(mesh, i));
    }
    bool is_sheet = !is_springs && mesh->tetrahedron_count == 0 && mesh->triangle_count > 0 &&
                    input->parameters.volume_stiffness > 0.0f;
    if (!(is_sheet ? make_terms_of_sheet(m, input) : make_terms(m, NULL, input)) ||
        (input->integrator == SN_INTEGRATOR_EULER_CROMER &&
         !sn_explicit_make(&m->scheme, input->first_node, input->node_count))) {
        energy_destroy(m);
        return NULL;
    }
    return m;
}

static void *energy_create(const sn_model_input *input)
{
    return create(input, false);
}

static void *spring_forces_create(const sn_model_input *input)
{
    return create(input, true);
}

// Families without stiffness have no terms, so that others may appear or vanish.
static bool energy_tune(void *model, const sn_model_input *input)
{
    energy *m = model;
    const sn_model *p = &input->parameters;
    const sn_term_set *sets = m->terms.sets;
    bool same_terms = (sets[SN_TERM_AREAS].stiffness > 0.0f) == (p->area_stiffness > 0.0f) &&
                      (sets[SN_TERM_VOLUMES].stiffness > 0.0f) == (p->volume_stiffness > 0.0f);
    if (m->is_springs || same_terms) {
        set_numbers(m, p);
        return true;
    }
    energy *other = energy_create(input);
    if (other == NULL) {
        return false;
    }
    energy before = *m; // the force field points at m: contents are exchanged
    *m = *other;
    *other = before;
    energy_destroy(other);
    return true;
}

// --- as a model --------------------------------------------------------------------------------------------

static void energy_apply(void *model, const sn_element_pass *pass, sn_tasks *tasks)
{
    energy *m = model;
    sn_terms_apply(&m->terms, &m->scheme, m->shortest, pass, tasks);
}

static sn_force_field energy_field(void *model)
{
    energy *m = model;
    return sn_terms_field(&m->terms);
}

static double energy_energy(const void *model, const sn_node_state *nodes)
{
    const energy *m = model;
    return sn_terms_energy(&m->terms, nodes);
}

const sn_model_kind sn_model_energy_kind = {.name = "energy",
                                            .create = energy_create,
                                            .destroy = energy_destroy,
                                            .tune = energy_tune,
                                            .apply = energy_apply,
                                            .field = energy_field,
                                            .energy = energy_energy};

const sn_model_kind sn_model_spring_forces_kind = {.name = "spring forces",
                                                   .create = spring_forces_create,
                                                   .destroy = energy_destroy,
                                                   .tune = energy_tune,
                                                   .apply = energy_apply,
                                                   .field = energy_field,
                                                   .energy = energy_energy};

// Distance, area and volume energies as explicit forces (Teschner et al. 2004; methods B.5), sub-stepped by a
// bound of Gershgorin's. Every term has E = ½ k C² and the forces
//
//   F_i = −(k C + k_d Σ_j ∂C/∂x_j · v_j) ∂C/∂x_i
//   C = (ℓ − ℓ₀)/ℓ₀ of edges,  (A − A₀)/A₀ of triangles,  (V − V₀)/Ṽ of tetrahedra
//
// with damping of edges only, and |C| limited for areas and volumes (SN_TERM_LIMIT). Ṽ = V₀ of solids. Sheets
// have virtual tetrahedra over the edges where two triangles meet, which resist bending: V₀ is (nearly) zero
// there, and Ṽ = (√2/12) ℓ̄³, the volume of a regular tetrahedron with their mean edge ℓ̄ (the paper prints ℓ̄).
//
// Integrators other than the default use terms instead (terms.h). Tested in test_model.c.
// Tested by tests/model/test_model.c.
#include "model/forces/explicit.h"
#include "model/forces/terms.h"
#include "model/model.h"

#include "base/allocate.h"
#include "geometry/mesh/edge_pairs.h"
#include "geometry/mesh/mesh_measure.h"
#include <string.h>

// A term of the energy: the measure (length, area or volume) of its nodes.
typedef struct term {
    int node[4];
    float rest;          // measure at rest
    float inverse_scale; // C = (measure − rest) × inverse_scale
} term;

// What a term measures, and how that changes with its nodes.
typedef struct measure {
    float value;
    sn_vec3 gradient[4];
    float bend; // a bound of Σ_j |∂²/∂x_i∂x_j|
} measure;

static const float largest_errors[SN_TERM_FAMILIES] = {INFINITY, SN_TERM_LIMIT, SN_TERM_LIMIT};

typedef struct energy {
    int node_count;
    sn_explicit scheme; // of the default integrator; empty with others, as are places and rates
    float damping;      // k_d [N m s]
    float damping_now;  // no less than the sub-step needs
    float shortest;     // edge at rest [m]
    float stiffness[SN_TERM_FAMILIES];
    term *terms[SN_TERM_FAMILIES];
    int counts[SN_TERM_FAMILIES];
    sn_vec3 *places; // of the last look
    float *rates;    // scratch of the bound, by node
    sn_terms packed; // the terms again; empty with the default integrator
} energy;

static void energy_destroy(void *model)
{
    energy *m = model;
    if (m != NULL) {
        for (int f = 0; f < SN_TERM_FAMILIES; ++f) {
            sn_release(m->terms[f], (size_t)m->counts[f] * sizeof *m->terms[f]);
        }
        sn_release(m->places, (size_t)m->node_count * sizeof *m->places);
        sn_release(m->rates, (size_t)m->node_count * sizeof *m->rates);
        sn_terms_release(&m->packed);
        sn_explicit_release(&m->scheme);
        sn_release(m, sizeof *m);
    }
}

// --- terms -------------------------------------------------------------------------------------------------

static measure measure_edge(const term *t, const sn_vec3 *places)
{
    sn_vec3 along = sn_sub(places[t->node[1]], places[t->node[0]]), direction = sn_normalize(along);
    // An edge is never stiffer across its direction than along it: bend is zero.
    return (measure){.value = sn_length(along), .gradient = {sn_neg(direction), direction}};
}

// ∂A/∂x_a = ½ n × (the opposite edge, from the next node to the one before).
static measure measure_triangle(const term *t, const sn_vec3 *places)
{
    sn_vec3 a = places[t->node[0]], b = places[t->node[1]], c = places[t->node[2]];
    sn_vec3 opposite[3] = {sn_sub(c, b), sn_sub(a, c), sn_sub(b, a)};
    sn_vec3 cross = sn_cross(opposite[2], sn_sub(c, a)), half = sn_scale(sn_normalize(cross), 0.5f);
    measure m = {.value = 0.5f * sn_length(cross)};
    float square = 0.0f;
    for (int k = 0; k < 3; ++k) {
        m.gradient[k] = sn_cross(half, opposite[k]);
        square = sn_max(square, sn_length_squared(opposite[k]));
    }
    // Below its rest area a triangle only yields out of its plane.
    m.bend = m.value > t->rest ? 0.75f * square / m.value : 0.0f;
    return m;
}

static measure measure_volume(const term *t, const sn_vec3 *places)
{
    sn_vec3 e[3];
    float square = 0.0f;
    for (int k = 0; k < 3; ++k) {
        e[k] = sn_sub(places[t->node[k + 1]], places[t->node[0]]);
        square = sn_max(square, sn_length_squared(e[k]));
    }
    measure m = {0};
    for (int k = 0; k < 3; ++k) {
        m.gradient[k + 1] = sn_scale(sn_cross(e[(k + 1) % 3], e[(k + 2) % 3]), 1.0f / 6.0f);
        m.gradient[0] = sn_sub(m.gradient[0], m.gradient[k + 1]);
    }
    m.value = sn_dot(e[0], m.gradient[1]);
    // Three edges over six, each at most twice the longest from node 0.
    m.bend = sqrtf(square);
    return m;
}

static measure (*const measures[SN_TERM_FAMILIES])(const term *, const sn_vec3 *) = {
    measure_edge, measure_triangle, measure_volume};

// --- making ------------------------------------------------------------------------------------------------

static void set_term(term *t, sn_term_family family, const uint32_t *nodes, const sn_model_input *input)
{
    const sn_vec3 *rest = input->mesh->nodes;
    double scale = input->scale, value;
    for (int k = 0; k < sn_term_widths[family]; ++k) {
        t->node[k] = (int)nodes[k];
    }
    if (family == SN_TERM_EDGES) {
        value = scale * sn_length_of_edge(rest, nodes);
    } else if (family == SN_TERM_AREAS) {
        value = scale * scale * sn_area_of_triangle(rest, nodes);
    } else {
        value = scale * scale * scale * sn_volume_of_tetrahedron(rest, nodes);
    }
    t->rest = (float)value;
    t->inverse_scale = value != 0.0 ? (float)(1.0 / value) : 0.0f; // of virtual ones, which are set anew
}

// A virtual tetrahedron is measured against a regular one.
static void set_virtual_term(term *t, const uint32_t nodes[4], const sn_model_input *input)
{
    double sum = 0.0;
    set_term(t, SN_TERM_VOLUMES, nodes, input);
    for (int a = 0; a < 4; ++a) {
        for (int b = 0; b < a; ++b) {
            uint32_t ends[2] = {nodes[a], nodes[b]};
            sum += sn_length_of_edge(input->mesh->nodes, ends);
        }
    }
    double edge = (double)input->scale * sum / 6.0;
    t->inverse_scale = (float)(12.0 / (1.41421356237309515 * edge * edge * edge));
}

static bool add_terms(energy *m, sn_term_family family, const uint32_t *nodes, int count,
                      const sn_model_input *input)
{
    if (count == 0 || !(m->stiffness[family] > 0.0f || family == SN_TERM_EDGES)) {
        return true;
    }
    m->terms[family] = sn_allocate_zero((size_t)count, sizeof(term));
    if (m->terms[family] == NULL) {
        return false;
    }
    m->counts[family] = count;
    for (int i = 0; i < count; ++i) {
        set_term(&m->terms[family][i], family, nodes + (size_t)i * (size_t)sn_term_widths[family], input);
    }
    return true;
}

// One for every pair of half-edges: the edge, then the corners left and right of it.
static bool fill_virtual_volumes(energy *m, const int *twins, const sn_model_input *input)
{
    const uint32_t *triangles = input->mesh->triangles;
    int half_edges = 3 * input->mesh->triangle_count, count = 0;
    for (int h = 0; h < half_edges; ++h) {
        count += twins[h] > h ? 1 : 0;
    }
    m->terms[SN_TERM_VOLUMES] = sn_allocate_zero((size_t)count, sizeof(term));
    if (count > 0 && m->terms[SN_TERM_VOLUMES] == NULL) {
        return false;
    }
    for (int h = 0; h < half_edges; ++h) {
        int twin = twins[h];
        if (twin > h) {
            int here = h - h % 3, there = twin - twin % 3;
            uint32_t nodes[4] = {triangles[h], triangles[here + (h + 1) % 3], triangles[here + (h + 2) % 3],
                                 triangles[there + (twin + 2) % 3]};
            set_virtual_term(&m->terms[SN_TERM_VOLUMES][m->counts[SN_TERM_VOLUMES]++], nodes, input);
        }
    }
    return true;
}

static bool add_virtual_volumes(energy *m, const sn_model_input *input)
{
    const sn_mesh *mesh = input->mesh;
    if (mesh->triangle_count == 0 || !(m->stiffness[SN_TERM_VOLUMES] > 0.0f)) {
        return true;
    }
    size_t half_edges = 3 * (size_t)mesh->triangle_count;
    int *twins = sn_allocate_zero(half_edges, sizeof *twins);
    bool is_made = twins != NULL &&
                   sn_edge_pairs(mesh->triangles, mesh->triangle_count, mesh->node_count, twins) &&
                   fill_virtual_volumes(m, twins, input);
    sn_release(twins, half_edges * sizeof *twins);
    return is_made;
}

// Memory of the default integrator.
static bool make_scheme(energy *m, const sn_model_input *input)
{
    m->places = sn_allocate_zero((size_t)m->node_count, sizeof *m->places);
    m->rates = sn_allocate_zero((size_t)m->node_count, sizeof *m->rates);
    return m->places != NULL && m->rates != NULL &&
           sn_explicit_make(&m->scheme, input->first_node, m->node_count);
}

// C of edges is in metres there.
static void put_terms(energy *m)
{
    m->packed.has_damping = false;
    for (int f = 0; f < SN_TERM_FAMILIES; ++f) {
        for (int i = 0; i < m->counts[f]; ++i) {
            const term *t = &m->terms[f][i];
            float square = t->inverse_scale * t->inverse_scale;
            sn_term packed = {.node = t->node,
                              .rest = t->rest,
                              .stiffness = m->stiffness[f] * (f == SN_TERM_EDGES ? square : 1.0f),
                              .damping = f == SN_TERM_EDGES ? m->damping * square : 0.0f,
                              .inverse_scale = t->inverse_scale};
            sn_terms_put(&m->packed, (sn_term_family)f, i, packed);
        }
    }
}

// For the other integrators.
static bool pack_terms(energy *m)
{
    if (!sn_terms_make(&m->packed, m->node_count, m->counts)) {
        return false;
    }
    put_terms(m);
    return true;
}

static void set_numbers(energy *m, const sn_model *parameters)
{
    m->damping = parameters->damping;
    m->stiffness[SN_TERM_EDGES] = parameters->stiffness;
    m->stiffness[SN_TERM_AREAS] = parameters->area_stiffness;
    m->stiffness[SN_TERM_VOLUMES] = parameters->volume_stiffness;
}

static void *energy_create(const sn_model_input *input)
{
    const sn_mesh *mesh = input->mesh;
    energy *m = sn_allocate_zero(1, sizeof *m);
    if (m == NULL) {
        return NULL;
    }
    m->node_count = input->node_count;
    set_numbers(m, &input->parameters);
    m->shortest = INFINITY;
    for (int i = 0; i < mesh->edge_count; ++i) {
        m->shortest = sn_min(m->shortest, input->scale * sn_mesh_edge_length(mesh, i));
    }
    bool has_volumes = mesh->tetrahedron_count > 0,
         is_default = input->integrator == SN_INTEGRATOR_EULER_CROMER;
    if (!add_terms(m, SN_TERM_EDGES, mesh->edges, mesh->edge_count, input) ||
        !add_terms(m, SN_TERM_AREAS, mesh->triangles, mesh->triangle_count, input) ||
        !(has_volumes ? add_terms(m, SN_TERM_VOLUMES, mesh->tetrahedra, mesh->tetrahedron_count, input)
                      : add_virtual_volumes(m, input)) ||
        !(is_default ? make_scheme(m, input) : pack_terms(m))) {
        energy_destroy(m);
        return NULL;
    }
    return m;
}

// Families without stiffness have no terms, so that others may appear or vanish.
static bool energy_tune(void *model, const sn_model_input *input)
{
    energy *m = model;
    const sn_model *p = &input->parameters;
    bool same_terms = (m->stiffness[SN_TERM_AREAS] > 0.0f) == (p->area_stiffness > 0.0f) &&
                      (m->stiffness[SN_TERM_VOLUMES] > 0.0f) == (p->volume_stiffness > 0.0f);
    if (same_terms) {
        set_numbers(m, p);
        if (input->integrator != SN_INTEGRATOR_EULER_CROMER) {
            put_terms(m);
        }
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

// --- forces ------------------------------------------------------------------------------------------------

// C, within its limits.
static float error_of(int f, const term *t, float value)
{
    return sn_clamp((value - t->rest) * t->inverse_scale, -largest_errors[f], largest_errors[f]);
}

static void look(void *model, const sn_vec3 *places, sn_tasks *tasks)
{
    (void)tasks;
    energy *m = model;
    memcpy(m->places, places, (size_t)m->node_count * sizeof *places);
}

static void elastic(void *model, sn_vec3 *forces, sn_tasks *tasks)
{
    (void)tasks;
    const energy *m = model;
    memset(forces, 0, (size_t)m->node_count * sizeof *forces);
    for (int f = 0; f < SN_TERM_FAMILIES; ++f) {
        for (int i = 0; i < m->counts[f]; ++i) {
            const term *t = &m->terms[f][i];
            measure now = measures[f](t, m->places);
            float pull = -m->stiffness[f] * error_of(f, t, now.value) * t->inverse_scale;
            for (int k = 0; k < sn_term_widths[f]; ++k) {
                forces[t->node[k]] = sn_add_scaled(forces[t->node[k]], pull, now.gradient[k]);
            }
        }
    }
}

static void damping(void *model, const sn_vec3 *velocities, sn_vec3 *forces, sn_tasks *tasks)
{
    (void)tasks;
    const energy *m = model;
    memset(forces, 0, (size_t)m->node_count * sizeof *forces);
    for (int i = 0; i < m->counts[SN_TERM_EDGES]; ++i) {
        const term *t = &m->terms[SN_TERM_EDGES][i];
        sn_vec3 direction = measure_edge(t, m->places).gradient[1];
        int a = t->node[0], b = t->node[1];
        float rate = sn_dot(direction, sn_sub(velocities[b], velocities[a]));
        float pull = m->damping_now * rate * t->inverse_scale * t->inverse_scale;
        forces[a] = sn_add_scaled(forces[a], pull, direction);
        forces[b] = sn_add_scaled(forces[b], -pull, direction);
    }
}

// ½ k C², linear beyond the limits of C.
static double energy_of(const energy *m, int f, const term *t, const sn_node_state *nodes)
{
    sn_vec3 places[4];
    term alone = {.node = {0, 1, 2, 3}, .rest = t->rest, .inverse_scale = t->inverse_scale};
    for (int k = 0; k < sn_term_widths[f]; ++k) {
        places[k] = sn_sub(nodes[t->node[k]].position, nodes[t->node[0]].position);
    }
    float value = measures[f](&alone, places).value;
    double limited = error_of(f, t, value), error = (double)((value - t->rest) * t->inverse_scale);
    return (double)m->stiffness[f] * (0.5 * limited * limited + limited * (error - limited));
}

static double energy_energy(const void *model, const sn_node_state *nodes)
{
    const energy *m = model;
    double sum = 0.0;
    for (int f = 0; f < SN_TERM_FAMILIES; ++f) {
        for (int i = 0; i < m->counts[f]; ++i) {
            sum += energy_of(m, f, &m->terms[f][i], nodes);
        }
    }
    return sum;
}

// --- the bound ---------------------------------------------------------------------------------------------

// Adds Σ_j |∂²E/∂x_i∂x_j| ≤ k |∂C/∂x_i| Σ_j |∂C/∂x_j| + k |C| × bend of every node i of every term.
static void add_rates(energy *m, int f, const sn_vec3 *places)
{
    for (int i = 0; i < m->counts[f]; ++i) {
        const term *t = &m->terms[f][i];
        measure now = measures[f](t, places);
        float steepness[4] = {0.0f}, sum = 0.0f;
        for (int a = 0; a < sn_term_widths[f]; ++a) {
            steepness[a] = sn_length(now.gradient[a]);
            sum += steepness[a];
        }
        float k = m->stiffness[f] * t->inverse_scale, error = sn_abs(error_of(f, t, now.value));
        for (int a = 0; a < sn_term_widths[f]; ++a) {
            m->rates[t->node[a]] += k * (t->inverse_scale * steepness[a] * sum + error * now.bend);
        }
    }
}

static float largest_rate(const energy *m, const sn_node_state *nodes)
{
    float largest = 0.0f;
    for (int i = 0; i < m->node_count; ++i) {
        largest = sn_max(largest, nodes[i].inverse_mass * m->rates[i]);
    }
    return largest;
}

static void energy_apply(void *model, const sn_element_pass *pass, sn_tasks *tasks)
{
    energy *m = model;
    const sn_node_state *nodes = pass->nodes + m->scheme.first_node;
    const sn_vec3 *places = sn_explicit_places(&m->scheme, pass);
    memset(m->rates, 0, (size_t)m->node_count * sizeof *m->rates);
    for (int f = 0; f < SN_TERM_FAMILIES; ++f) {
        add_rates(m, f, places);
    }
    float fastest = largest_rate(m, nodes), least = sn_explicit_least_damping(fastest, pass->h);
    m->damping_now = sn_max(m->damping, least * m->stiffness[SN_TERM_EDGES]);
    sn_explicit_forces forces = {.model = m,
                                 .look = look,
                                 .elastic = elastic,
                                 .damping = m->damping_now > 0.0f ? damping : NULL,
                                 .fastest = fastest,
                                 .reach = m->shortest};
    sn_explicit_apply(&m->scheme, pass, &forces, tasks);
}

static sn_force_field energy_field(void *model)
{
    energy *m = model;
    return sn_terms_field(&m->packed);
}

const sn_model_kind sn_model_energy_kind = {.name = "energy",
                                            .create = energy_create,
                                            .destroy = energy_destroy,
                                            .tune = energy_tune,
                                            .apply = energy_apply,
                                            .field = energy_field,
                                            .energy = energy_energy};

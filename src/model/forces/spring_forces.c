// A spring and damper along every edge as explicit forces (methods B.1), sub-stepped by Gershgorin's bound:
//
//   f_j = −(k (ℓ − L) + d n·(v_j − v_i)) n,  f_i = −f_j,  ω² ≤ max_i 2 w_i Σ_j k_ij
//
// Integrators other than the default use terms instead (terms.h). Tested in test_model.c.
// Tested by tests/model/test_model.c.
#include "model/forces/explicit.h"
#include "model/forces/terms.h"
#include "model/model.h"

#include "base/allocate.h"
#include <string.h>

typedef struct spring {
    int node[2];
    float length; // at rest [m]
    // Of the last look.
    sn_vec3 direction; // from the first to the second; zero if they coincide
    float stretch;     // ℓ − L [m]
} spring;

typedef struct spring_forces {
    float stiffness, damping; // [N/m], [N s/m]
    float damping_now;        // no less than the sub-step needs
    float shortest;           // spring at rest [m]
    int node_count;
    sn_explicit scheme; // of the default integrator; empty with others
    int spring_count;
    spring *springs;
    float *degrees; // springs at a node
    sn_terms terms; // empty with the default integrator
} spring_forces;

static void spring_forces_destroy(void *model)
{
    spring_forces *m = model;
    if (m != NULL) {
        sn_release(m->springs, (size_t)m->spring_count * sizeof *m->springs);
        sn_release(m->degrees, (size_t)m->node_count * sizeof *m->degrees);
        sn_terms_release(&m->terms);
        sn_explicit_release(&m->scheme);
        sn_release(m, sizeof *m);
    }
}

static void put_terms(spring_forces *m)
{
    m->terms.has_damping = false;
    for (int i = 0; i < m->spring_count; ++i) {
        const spring *s = &m->springs[i];
        sn_terms_put(
            &m->terms, SN_TERM_EDGES, i,
            (sn_term){.node = s->node, .rest = s->length, .stiffness = m->stiffness, .damping = m->damping});
    }
}

static bool make_terms(spring_forces *m)
{
    const int counts[SN_TERM_FAMILIES] = {m->spring_count, 0, 0};
    if (!sn_terms_make(&m->terms, m->node_count, counts)) {
        return false;
    }
    put_terms(m);
    return true;
}

static bool spring_forces_tune(void *model, const sn_model_input *input)
{
    spring_forces *m = model;
    m->stiffness = input->parameters.stiffness;
    m->damping = input->parameters.damping;
    if (input->integrator != SN_INTEGRATOR_EULER_CROMER) {
        put_terms(m);
    }
    return true;
}

static void *spring_forces_create(const sn_model_input *input)
{
    const sn_mesh *mesh = input->mesh;
    spring_forces *m = sn_allocate_zero(1, sizeof *m);
    if (m == NULL) {
        return NULL;
    }
    m->node_count = input->node_count;
    m->stiffness = input->parameters.stiffness;
    m->damping = input->parameters.damping;
    m->spring_count = mesh->edge_count;
    m->springs = sn_allocate_zero((size_t)m->spring_count, sizeof *m->springs);
    m->degrees = sn_allocate_zero((size_t)input->node_count, sizeof *m->degrees);
    if (m->springs == NULL || m->degrees == NULL) {
        spring_forces_destroy(m);
        return NULL;
    }
    m->shortest = INFINITY;
    for (int i = 0; i < m->spring_count; ++i) {
        spring *s = &m->springs[i];
        s->length = input->scale * sn_mesh_edge_length(mesh, i);
        for (int k = 0; k < 2; ++k) {
            s->node[k] = (int)mesh->edges[2 * (size_t)i + (size_t)k];
            m->degrees[s->node[k]] += 1.0f;
        }
        m->shortest = sn_min(m->shortest, s->length);
    }
    bool is_default = input->integrator == SN_INTEGRATOR_EULER_CROMER;
    if (!(is_default ? sn_explicit_make(&m->scheme, input->first_node, m->node_count) : make_terms(m))) {
        spring_forces_destroy(m);
        return NULL;
    }
    return m;
}

static void look(void *model, const sn_vec3 *places, sn_tasks *tasks)
{
    (void)tasks;
    spring_forces *m = model;
    for (int i = 0; i < m->spring_count; ++i) {
        spring *s = &m->springs[i];
        sn_vec3 along = sn_sub(places[s->node[1]], places[s->node[0]]);
        s->direction = sn_normalize(along);
        s->stretch = sn_length(along) - s->length;
    }
}

static void pull(const spring *s, float force, sn_vec3 *forces)
{
    forces[s->node[0]] = sn_add_scaled(forces[s->node[0]], force, s->direction);
    forces[s->node[1]] = sn_add_scaled(forces[s->node[1]], -force, s->direction);
}

static void elastic(void *model, sn_vec3 *forces, sn_tasks *tasks)
{
    (void)tasks;
    const spring_forces *m = model;
    memset(forces, 0, (size_t)m->node_count * sizeof *forces);
    for (int i = 0; i < m->spring_count; ++i) {
        pull(&m->springs[i], m->stiffness * m->springs[i].stretch, forces);
    }
}

static void damping(void *model, const sn_vec3 *velocities, sn_vec3 *forces, sn_tasks *tasks)
{
    (void)tasks;
    const spring_forces *m = model;
    memset(forces, 0, (size_t)m->node_count * sizeof *forces);
    for (int i = 0; i < m->spring_count; ++i) {
        const spring *s = &m->springs[i];
        sn_vec3 apart = sn_sub(velocities[s->node[1]], velocities[s->node[0]]);
        pull(s, m->damping_now * sn_dot(s->direction, apart), forces);
    }
}

// Gershgorin: the largest of 2 w_i times the springs at i.
static float largest_response(const spring_forces *m, const sn_node_state *nodes)
{
    float largest = 0.0f;
    for (int i = 0; i < m->node_count; ++i) {
        largest = sn_max(largest, 2.0f * nodes[i].inverse_mass * m->degrees[i]);
    }
    return largest;
}

static void spring_forces_apply(void *model, const sn_element_pass *pass, sn_tasks *tasks)
{
    spring_forces *m = model;
    float response = largest_response(m, pass->nodes + m->scheme.first_node);
    float fastest = m->stiffness * response;
    m->damping_now = sn_max(m->damping, m->stiffness * sn_explicit_least_damping(fastest, pass->h));
    sn_explicit_forces forces = {.model = m,
                                 .look = look,
                                 .elastic = elastic,
                                 .damping = m->damping_now > 0.0f ? damping : NULL,
                                 .damping_time = m->damping_now / m->stiffness,
                                 .fastest = fastest,
                                 .reach = m->shortest};
    sn_explicit_apply(&m->scheme, pass, &forces, tasks);
}

static double spring_forces_energy(const void *model, const sn_node_state *nodes)
{
    const spring_forces *m = model;
    double squares = 0.0;
    for (int i = 0; i < m->spring_count; ++i) {
        const spring *s = &m->springs[i];
        double stretch =
            sn_distance_between(nodes[s->node[0]].position, nodes[s->node[1]].position) - s->length;
        squares += stretch * stretch;
    }
    return 0.5 * (double)m->stiffness * squares;
}

static sn_force_field spring_forces_field(void *model)
{
    spring_forces *m = model;
    return sn_terms_field(&m->terms);
}

const sn_model_kind sn_model_spring_forces_kind = {.name = "spring forces",
                                                   .create = spring_forces_create,
                                                   .destroy = spring_forces_destroy,
                                                   .tune = spring_forces_tune,
                                                   .apply = spring_forces_apply,
                                                   .field = spring_forces_field,
                                                   .energy = spring_forces_energy};

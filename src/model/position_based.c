// Position-based dynamics inside the velocity solver (Vezzaro's equation 3; methods B.3): from where the
// nodes would get by themselves, lengths of edges and volumes of tetrahedra are projected one after the other
// (Gauss–Seidel), and where that leads are the goals.
//
// The γ of equation B.2 under-relaxes all constraints alike; here each takes its own share of its error, so
// that lengths and volumes may differ. Shares are per 1/60 s whatever the sub-step.
#include "model/goals.h"
#include "model/model.h"

#include "base/allocate.h"

typedef struct edge {
    int node[2];
    float length;
} edge;

typedef struct volume {
    int node[4];
    float six_fold; // 6 V at rest [m³]
    float size;     // a mean edge: the farthest a node moves in one projection [m]
} volume;

typedef struct position_based {
    int first_node, node_count, edge_count, volume_count;
    float stiffness, volume_stiffness, damping;
    edge *edges;
    volume *volumes;
    sn_vec3 *places;  // x̂, then the goals, as seen from the first node
    sn_vec3 *starts;  // x̂
    float *responses; // inverse masses
} position_based;

static void position_based_destroy(void *model)
{
    position_based *m = model;
    if (m != NULL) {
        sn_release(m->edges, (size_t)m->edge_count * sizeof *m->edges);
        sn_release(m->volumes, (size_t)m->volume_count * sizeof *m->volumes);
        sn_release(m->places, (size_t)m->node_count * sizeof *m->places);
        sn_release(m->starts, (size_t)m->node_count * sizeof *m->starts);
        sn_release(m->responses, (size_t)m->node_count * sizeof *m->responses);
        sn_release(m, sizeof *m);
    }
}

static void measure_rest(position_based *m, const sn_model_input *input)
{
    const sn_mesh *mesh = input->mesh;
    float scale = input->scale;
    for (int i = 0; i < m->edge_count; ++i) {
        const uint32_t *ends = mesh->edges + 2 * (size_t)i;
        m->edges[i] = (edge){{(int)ends[0], (int)ends[1]}, scale * sn_mesh_edge_length(mesh, i)};
    }
    for (int i = 0; i < m->volume_count; ++i) {
        const uint32_t *corners = mesh->tetrahedra + 4 * (size_t)i;
        volume *v = &m->volumes[i];
        float sum = 0.0f;
        for (int a = 0; a < 4; ++a) {
            v->node[a] = (int)corners[a];
            for (int b = 0; b < a; ++b) {
                sum += sn_distance_between(mesh->nodes[corners[a]], mesh->nodes[corners[b]]);
            }
        }
        v->size = scale * sum / 6.0f;
        v->six_fold = 6.0f * scale * scale * scale * sn_mesh_tetrahedron_volume(mesh, i);
    }
}

static void *position_based_create(const sn_model_input *input)
{
    position_based *m = sn_allocate_zero(1, sizeof *m);
    if (m == NULL) {
        return NULL;
    }
    const sn_model *p = &input->parameters;
    m->first_node = input->first_node;
    m->node_count = input->node_count;
    m->edge_count = input->mesh->edge_count;
    m->volume_count = input->mesh->tetrahedron_count;
    m->stiffness = p->stiffness;
    m->volume_stiffness = p->volume_stiffness;
    m->damping = p->damping;
    m->edges = sn_allocate_zero((size_t)m->edge_count, sizeof *m->edges);
    m->volumes = sn_allocate_zero((size_t)m->volume_count, sizeof *m->volumes);
    m->places = sn_allocate_zero((size_t)m->node_count, sizeof *m->places);
    m->starts = sn_allocate_zero((size_t)m->node_count, sizeof *m->starts);
    m->responses = sn_allocate_zero((size_t)m->node_count, sizeof *m->responses);
    if ((m->edge_count > 0 && m->edges == NULL) || (m->volume_count > 0 && m->volumes == NULL) ||
        m->places == NULL || m->starts == NULL || m->responses == NULL) {
        position_based_destroy(m);
        return NULL;
    }
    measure_rest(m, input);
    return m;
}

// --- projections -------------------------------------------------------------------------------------------

static void project_edge(position_based *m, const edge *e, float share)
{
    int a = e->node[0], b = e->node[1];
    sn_vec3 along = sn_sub(m->places[b], m->places[a]);
    float length = sn_length(along), response = m->responses[a] + m->responses[b];
    if (!(length > 0.0f && response > 0.0f)) {
        return; // ends that coincide have no direction; volumes or other edges part them
    }
    float pull = share * (length - e->length) / (length * response);
    m->places[a] = sn_add_scaled(m->places[a], pull * m->responses[a], along);
    m->places[b] = sn_add_scaled(m->places[b], -pull * m->responses[b], along);
}

static void project_volume(position_based *m, const volume *v, float share)
{
    sn_vec3 x[4], gradient[4];
    for (int a = 0; a < 4; ++a) {
        x[a] = m->places[v->node[a]];
    }
    sn_vec3 e1 = sn_sub(x[1], x[0]), e2 = sn_sub(x[2], x[0]), e3 = sn_sub(x[3], x[0]);
    gradient[1] = sn_cross(e2, e3);
    gradient[2] = sn_cross(e3, e1);
    gradient[3] = sn_cross(e1, e2);
    gradient[0] = sn_neg(sn_add(gradient[1], sn_add(gradient[2], gradient[3])));
    float response = 0.0f, fastest = 0.0f;
    for (int a = 0; a < 4; ++a) {
        float inverse_mass = m->responses[v->node[a]], steepness = sn_length(gradient[a]);
        response += inverse_mass * steepness * steepness;
        fastest = sn_max(fastest, inverse_mass * steepness);
    }
    if (!(response > 0.0f)) {
        return;
    }
    // Nearly flat to a line, a volume's gradient vanishes, and its correction would throw nodes far away.
    float error = sn_dot(gradient[1], e1) - v->six_fold;
    float push = -share * error / response, limit = share * v->size / fastest;
    push = sn_clamp(push, -limit, limit);
    for (int a = 0; a < 4; ++a) {
        int node = v->node[a];
        m->places[node] = sn_add_scaled(m->places[node], push * m->responses[node], gradient[a]);
    }
}

static void project(position_based *m, float edge_share, float volume_share)
{
    for (int k = 0; k < m->edge_count; ++k) {
        project_edge(m, &m->edges[k], edge_share);
    }
    for (int k = 0; k < m->volume_count; ++k) {
        project_volume(m, &m->volumes[k], volume_share);
    }
}

static void position_based_apply(void *model, const sn_element_pass *pass, sn_tasks *tasks)
{
    (void)tasks;
    position_based *m = model;
    const sn_node_state *nodes = pass->nodes + m->first_node;
    const sn_node_velocity *velocities = pass->velocities + m->first_node;
    sn_goals_damp(pass, m->first_node, m->node_count, sn_share_in(m->damping, pass->h), m->places);
    for (int i = 0; i < m->node_count; ++i) {
        sn_vec3 place = sn_sub(nodes[i].position, nodes[0].position);
        m->places[i] = m->starts[i] = sn_add_scaled(place, pass->h, velocities[i].velocity);
        m->responses[i] = nodes[i].inverse_mass;
    }
    project(m, sn_share_in(m->stiffness, pass->h), sn_share_in(m->volume_stiffness, pass->h));
    for (int i = 0; i < m->node_count; ++i) {
        m->places[i] = sn_sub(m->places[i], m->starts[i]);
    }
    sn_goals_apply(pass, m->first_node, m->node_count, m->places);
}

const sn_model_kind sn_model_position_based_kind = {.name = "position based",
                                                    .create = position_based_create,
                                                    .destroy = position_based_destroy,
                                                    .apply = position_based_apply};

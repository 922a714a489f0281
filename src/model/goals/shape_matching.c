// Shape matching (Müller et al. 2005; Vezzaro's equation 2; methods B.4): every node is drawn towards its
// position in the best fitting rest shape of the body, or towards the mean of its positions in those of the
// overlapping clusters it belongs to. Clusters share the mass of a node evenly, so that the mean conserves
// momentum as each of them does.
//
// `stiffness` is the part of its deviation that a node loses in 1/60 s; damping removes motion that is not
// rigid. Tested in test_model.c.
// Tested by tests/model/test_model.c.
#include "model/goals/clusters.h"
#include "model/goals/goals.h"
#include "model/goals/matching.h"
#include "model/model.h"

#include "base/allocate.h"

enum { CLUSTER_GRAIN = 4, NODE_GRAIN = 256 };

typedef struct shape_matching {
    int first_node, node_count, functions;
    sn_model parameters;
    sn_clusters clusters;
    sn_quat *rotations; // by cluster
    sn_matching_rest *rests;
    sn_vec3 *rest_places;  // by node, in the mesh's frame
    float *inverse_masses; // by node: those the rest shapes were prepared for
    // By entry.
    float *masses, *function_values;
    sn_vec3 *arms, *places, *toward;
    sn_vec3 *changes; // by node
} shape_matching;

static size_t entry_count(const shape_matching *m)
{
    return (size_t)m->clusters.entry_node.count;
}

static void shape_matching_destroy(void *model)
{
    shape_matching *m = model;
    if (m == NULL) {
        return;
    }
    size_t nodes = (size_t)m->node_count, clusters = (size_t)m->clusters.count, entries = entry_count(m);
    sn_release(m->rotations, clusters * sizeof *m->rotations);
    sn_release(m->rests, clusters * sizeof *m->rests);
    sn_release(m->rest_places, nodes * sizeof *m->rest_places);
    sn_release(m->inverse_masses, nodes * sizeof *m->inverse_masses);
    sn_release(m->masses, entries * sizeof *m->masses);
    sn_release(m->function_values, entries * (size_t)m->functions * sizeof *m->function_values);
    sn_release(m->arms, entries * sizeof *m->arms);
    sn_release(m->places, entries * sizeof *m->places);
    sn_release(m->toward, entries * sizeof *m->toward);
    sn_release(m->changes, nodes * sizeof *m->changes);
    sn_clusters_release(&m->clusters);
    sn_release(m, sizeof *m);
}

static bool allocate(shape_matching *m)
{
    size_t nodes = (size_t)m->node_count, clusters = (size_t)m->clusters.count, entries = entry_count(m);
    m->rotations = sn_allocate_zero(clusters, sizeof *m->rotations);
    m->rests = sn_allocate_zero(clusters, sizeof *m->rests);
    m->rest_places = sn_allocate_zero(nodes, sizeof *m->rest_places);
    m->inverse_masses = sn_allocate_zero(nodes, sizeof *m->inverse_masses);
    m->masses = sn_allocate_zero(entries, sizeof *m->masses);
    m->function_values = sn_allocate_zero(entries * (size_t)m->functions, sizeof *m->function_values);
    m->arms = sn_allocate_zero(entries, sizeof *m->arms);
    m->places = sn_allocate_zero(entries, sizeof *m->places);
    m->toward = sn_allocate_zero(entries, sizeof *m->toward);
    m->changes = sn_allocate_zero(nodes, sizeof *m->changes);
    return m->rotations && m->rests && m->rest_places && m->inverse_masses && m->masses &&
           (m->function_values || m->functions == 0) && m->arms && m->places && m->toward && m->changes;
}

static void *shape_matching_create(const sn_model_input *input)
{
    shape_matching *m = sn_allocate_zero(1, sizeof *m);
    if (m == NULL) {
        return NULL;
    }
    m->first_node = input->first_node;
    m->node_count = input->node_count;
    m->parameters = input->parameters;
    m->functions = sn_matching_functions(input->parameters.matching);
    if (!sn_clusters_make(&m->clusters, input->mesh, input->parameters.cluster_rings) || !allocate(m)) {
        shape_matching_destroy(m);
        return NULL;
    }
    for (int i = 0; i < m->node_count; ++i) {
        m->rest_places[i] = sn_scale(input->mesh->nodes[i], input->scale);
        m->inverse_masses[i] = -1.0f; // of no node
    }
    for (int c = 0; c < m->clusters.count; ++c) {
        m->rotations[c] = sn_quat_identity;
    }
    return m;
}

static bool shape_matching_tune(void *model, const sn_model_input *input)
{
    shape_matching *m = model;
    m->parameters = input->parameters;
    return true;
}

// --- rest shapes -------------------------------------------------------------------------------------------

// Masses of a cluster's entries, summing to one. Fixed nodes weigh ten times as much as all that move: the
// shape hangs from them.
static void weigh(shape_matching *m, int begin, int end)
{
    double moving = 0.0, sum = 0.0;
    for (int e = begin; e < end; ++e) {
        int node = (int)m->clusters.entry_node.data[e];
        int parts = m->clusters.entries.begin[node + 1] - m->clusters.entries.begin[node];
        float inverse_mass = m->inverse_masses[node];
        m->masses[e] = inverse_mass > 0.0f ? 1.0f / (inverse_mass * (float)parts) : 0.0f;
        moving += (double)m->masses[e];
    }
    float fixed = moving > 0.0 ? (float)(10.0 * moving) : 1.0f;
    for (int e = begin; e < end; ++e) {
        m->masses[e] = m->masses[e] > 0.0f ? m->masses[e] : fixed;
        sum += (double)m->masses[e];
    }
    for (int e = begin; e < end; ++e) {
        m->masses[e] = (float)((double)m->masses[e] / sum);
    }
}

static void prepare_clusters(void *context, int first, int last)
{
    shape_matching *m = context;
    for (int c = first; c < last; ++c) {
        int begin = m->clusters.begin.data[c], end = m->clusters.begin.data[c + 1];
        weigh(m, begin, end);
        for (int e = begin; e < end; ++e) {
            m->arms[e] = m->rest_places[m->clusters.entry_node.data[e]];
        }
        m->rests[c] = (sn_matching_rest){
            .count = end - begin,
            .masses = m->masses + begin,
            .arms = m->arms + begin,
            .functions = m->functions > 0 ? m->function_values + (size_t)begin * (size_t)m->functions : NULL};
        sn_matching_prepare(&m->rests[c], m->parameters.matching);
    }
}

// When the step is the first, or nodes were fixed or let go.
static void prepare_if_needed(shape_matching *m, const sn_node_state *nodes, sn_tasks *tasks)
{
    bool differs = false;
    for (int i = 0; i < m->node_count; ++i) {
        differs |= m->inverse_masses[i] != nodes[i].inverse_mass;
        m->inverse_masses[i] = nodes[i].inverse_mass;
    }
    if (differs) {
        sn_tasks_for(tasks, m->clusters.count, CLUSTER_GRAIN, prepare_clusters, m);
    }
}

// --- matching ----------------------------------------------------------------------------------------------

typedef struct matching_loop {
    shape_matching *model;
    const sn_element_pass *pass;
    float share;
} matching_loop;

static void match_clusters(void *context, int first, int last)
{
    const matching_loop *loop = context;
    shape_matching *m = loop->model;
    const sn_node_state *nodes = loop->pass->nodes + m->first_node;
    const sn_node_velocity *velocities = loop->pass->velocities + m->first_node;
    for (int c = first; c < last; ++c) {
        int begin = m->clusters.begin.data[c], end = m->clusters.begin.data[c + 1];
        for (int e = begin; e < end; ++e) {
            uint32_t node = m->clusters.entry_node.data[e];
            sn_vec3 place = sn_sub(nodes[node].position, nodes[0].position);
            m->places[e] = sn_add_scaled(place, loop->pass->h, velocities[node].velocity);
        }
        sn_matching_fit(&m->rests[c], m->parameters.matching, m->parameters.matching_share, m->places + begin,
                        &m->rotations[c], m->toward + begin);
    }
}

static void average_goals(void *context, int first, int last)
{
    const matching_loop *loop = context;
    shape_matching *m = loop->model;
    const sn_node_lists *entries = &m->clusters.entries;
    for (int i = first; i < last; ++i) {
        sn_vec3 sum = sn_v(0.0f, 0.0f, 0.0f);
        for (int k = entries->begin[i]; k < entries->begin[i + 1]; ++k) {
            sum = sn_add(sum, m->toward[entries->item[k]]);
        }
        float parts = (float)(entries->begin[i + 1] - entries->begin[i]);
        m->changes[i] = sn_scale(sum, loop->share / parts);
    }
}

static void shape_matching_apply(void *model, const sn_element_pass *pass, sn_tasks *tasks)
{
    shape_matching *m = model;
    matching_loop loop = {m, pass, sn_share_in(m->parameters.stiffness, pass->h)};
    prepare_if_needed(m, pass->nodes + m->first_node, tasks);
    sn_goals_damp(pass, m->first_node, m->node_count, sn_share_in(m->parameters.damping, pass->h),
                  m->changes);
    sn_tasks_for(tasks, m->clusters.count, CLUSTER_GRAIN, match_clusters, &loop);
    sn_tasks_for(tasks, m->node_count, NODE_GRAIN, average_goals, &loop);
    sn_goals_apply(pass, m->first_node, m->node_count, m->changes);
}

static void *shape_matching_state(void *model, size_t *size)
{
    shape_matching *m = model;
    *size = (size_t)m->clusters.count * sizeof *m->rotations;
    return m->rotations;
}

const sn_model_kind sn_model_shape_matching_kind = {.name = "shape matching",
                                                    .create = shape_matching_create,
                                                    .destroy = shape_matching_destroy,
                                                    .tune = shape_matching_tune,
                                                    .apply = shape_matching_apply,
                                                    .state = shape_matching_state};

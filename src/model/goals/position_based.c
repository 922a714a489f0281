// Position-based dynamics inside the velocity solver (Vezzaro's equation 3; methods B.3): from where the
// nodes would get by themselves, lengths of edges and volumes of tetrahedra are projected one after the other
// (Gauss–Seidel, colour by colour: model/goals/projection_block.h), and where that leads are the goals.
//
// The γ of equation B.2 under-relaxes all constraints alike; here each takes its own share of its error, so
// that lengths and volumes may differ. Shares are per 1/60 s whatever the sub-step.
// Tested by tests/model/test_model.c.
#include "model/goals/goals.h"
#include "model/model.h"

#include "base/allocate.h"
#include "model/goals/projection_block.h"

enum { BLOCK_GRAIN = 16 };

typedef struct position_based {
    int first_node, node_count;
    float stiffness, volume_stiffness, damping;
    sn_element_group lengths, volumes; // numbers of nodes are the mesh's + 1
    sn_node_state *places;             // x̂, then the goals, as seen from the first node; the dummy first
    sn_vec3 *starts;                   // x̂
    sn_vec3 *toward;                   // goals from there
} position_based;

static void position_based_destroy(void *model)
{
    position_based *m = model;
    if (m != NULL) {
        sn_element_group_release(&m->lengths);
        sn_element_group_release(&m->volumes);
        sn_release(m->places, ((size_t)m->node_count + 1) * sizeof *m->places);
        sn_release(m->starts, (size_t)m->node_count * sizeof *m->starts);
        sn_release(m->toward, (size_t)m->node_count * sizeof *m->toward);
        sn_release(m, sizeof *m);
    }
}

// --- blocks ------------------------------------------------------------------------------------------------

static void put_length(sn_element_group *group, int lane, const sn_mesh *mesh, int edge, float scale)
{
    sn_length_block *block = (sn_length_block *)group->blocks + lane / SN_LANES;
    for (int k = 0; k < 2; ++k) {
        block->node[k][lane % SN_LANES] = (int32_t)mesh->edges[2 * (size_t)edge + (size_t)k] + 1;
    }
    block->rest.lane[lane % SN_LANES] = scale * sn_mesh_edge_length(mesh, edge);
}

static void put_volume(sn_element_group *group, int lane, const sn_mesh *mesh, int tetrahedron, float scale)
{
    sn_volume_block *block = (sn_volume_block *)group->blocks + lane / SN_LANES;
    const uint32_t *corners = mesh->tetrahedra + 4 * (size_t)tetrahedron;
    float sum = 0.0f, volume = sn_mesh_tetrahedron_volume(mesh, tetrahedron);
    for (int a = 0; a < 4; ++a) {
        block->node[a][lane % SN_LANES] = (int32_t)corners[a] + 1;
        for (int b = 0; b < a; ++b) {
            sum += sn_distance_between(mesh->nodes[corners[a]], mesh->nodes[corners[b]]);
        }
    }
    block->size.lane[lane % SN_LANES] = scale * sum / 6.0f;
    block->six_fold.lane[lane % SN_LANES] = 6.0f * scale * scale * scale * volume;
}

typedef void (*put_function)(sn_element_group *group, int lane, const sn_mesh *mesh, int row, float scale);

// Coloured and filled in. False without memory.
static bool make_group(sn_element_group *group, const sn_element_kind *kind, const uint32_t *nodes, int width,
                       int count, const sn_model_input *input, put_function put)
{
    int *lanes;
    if (count == 0) {
        return true;
    }
    if (!sn_element_group_make(group, kind, nodes, width, count, input->mesh->node_count, &lanes)) {
        return false;
    }
    for (int i = 0; i < count; ++i) {
        put(group, lanes[i], input->mesh, i, input->scale);
    }
    sn_release(lanes, (size_t)count * sizeof *lanes);
    return true;
}

static bool position_based_tune(void *model, const sn_model_input *input)
{
    position_based *m = model;
    m->stiffness = input->parameters.stiffness;
    m->volume_stiffness = input->parameters.volume_stiffness;
    m->damping = input->parameters.damping;
    return true;
}

static void *position_based_create(const sn_model_input *input)
{
    static const sn_element_kind lengths = {.name = "lengths", .block_size = sizeof(sn_length_block)};
    static const sn_element_kind volumes = {.name = "volumes", .block_size = sizeof(sn_volume_block)};
    position_based *m = sn_allocate_zero(1, sizeof *m);
    if (m == NULL) {
        return NULL;
    }
    const sn_mesh *mesh = input->mesh;
    m->first_node = input->first_node;
    m->node_count = input->node_count;
    (void)position_based_tune(m, input);
    m->places = sn_allocate_zero((size_t)m->node_count + 1, sizeof *m->places);
    m->starts = sn_allocate_zero((size_t)m->node_count, sizeof *m->starts);
    m->toward = sn_allocate_zero((size_t)m->node_count, sizeof *m->toward);
    if (m->places == NULL || m->starts == NULL || m->toward == NULL ||
        !make_group(&m->lengths, &lengths, mesh->edges, 2, mesh->edge_count, input, put_length) ||
        !make_group(&m->volumes, &volumes, mesh->tetrahedra, 4, mesh->tetrahedron_count, input, put_volume)) {
        position_based_destroy(m);
        return NULL;
    }
    return m;
}

// --- projections -------------------------------------------------------------------------------------------

typedef struct block_loop {
    const sn_projection_pass *pass;
    sn_projection projection;
    void *blocks;
    int offset;
} block_loop;

static void do_blocks(void *context, int begin, int end)
{
    const block_loop *loop = context;
    loop->projection(loop->pass, loop->blocks, loop->offset + begin, loop->offset + end);
}

// Colour by colour. Blocks of the last one share nodes: one thread, in order.
static void project(const sn_element_group *group, sn_projection projection, const sn_projection_pass *pass,
                    sn_tasks *tasks)
{
    for (int color = 0; color <= SN_ELEMENT_COLORS; ++color) {
        int begin = group->color_begin[color], count = group->color_begin[color + 1] - begin;
        block_loop loop = {pass, projection, group->blocks, begin};
        if (count > 0) {
            sn_tasks_for(tasks, count, color == SN_ELEMENT_COLORS ? count : BLOCK_GRAIN, do_blocks, &loop);
        }
    }
}

static void position_based_apply(void *model, const sn_element_pass *pass, sn_tasks *tasks)
{
    position_based *m = model;
    const sn_node_state *nodes = pass->nodes + m->first_node;
    const sn_node_velocity *velocities = pass->velocities + m->first_node;
    const sn_projections *projections = sn_projections_pick();
    sn_projection_pass projection = {.places = m->places,
                                     .length_share = sn_share_in(m->stiffness, pass->h),
                                     .volume_share = sn_share_in(m->volume_stiffness, pass->h)};
    sn_goals_damp(pass, m->first_node, m->node_count, sn_share_in(m->damping, pass->h), m->toward);
    for (int i = 0; i < m->node_count; ++i) {
        sn_vec3 place = sn_sub(nodes[i].position, nodes[0].position);
        m->starts[i] = sn_add_scaled(place, pass->h, velocities[i].velocity);
        m->places[i + 1] = (sn_node_state){m->starts[i], nodes[i].inverse_mass};
    }
    project(&m->lengths, projections->lengths, &projection, tasks);
    project(&m->volumes, projections->volumes, &projection, tasks);
    for (int i = 0; i < m->node_count; ++i) {
        m->toward[i] = sn_sub(m->places[i + 1].position, m->starts[i]);
    }
    sn_goals_apply(pass, m->first_node, m->node_count, m->toward);
}

const sn_model_kind sn_model_position_based_kind = {.name = "position based",
                                                    .create = position_based_create,
                                                    .destroy = position_based_destroy,
                                                    .tune = position_based_tune,
                                                    .apply = position_based_apply};

// How far nodes go in a step, the boxes of surfaces around that, and deformables as the narrow phase sees
// them.
#include "world/core/world.h"

enum { NODE_GRAIN = 1024 };

// --- ways and boxes ----------------------------------------------------------------------------------------

typedef struct displacement_loop {
    const sn_soft_search *search;
    const sn_deformable_data *data;
} displacement_loop;

// Not a number for nodes that have a place or a velocity that is none: they meet nothing.
static void find_displacements(void *context, int begin, int end)
{
    const displacement_loop *loop = context;
    const sn_nodes *nodes = &loop->search->world->nodes;
    float duration = loop->search->duration;
    sn_vec3 fall =
        sn_scale(loop->search->world->def.gravity, loop->data->def.gravity_scale * duration * duration);
    for (int i = loop->data->first_node + begin; i < loop->data->first_node + end; ++i) {
        sn_vec3 position = nodes->states.data[i].position, displacement = sn_v(0.0f, 0.0f, 0.0f);
        if (nodes->states.data[i].inverse_mass > 0.0f) {
            displacement = sn_add_scaled(fall, duration, nodes->velocities.data[i].velocity);
        } else if (nodes->has_target.data[i]) {
            displacement = sn_sub(nodes->targets.data[i], position);
        }
        // Adds nothing to what is a number.
        loop->search->displacements[i] = sn_add(displacement, sn_sub(position, position));
    }
}

static sn_vec3 frame_displacement(const sn_soft_search *search, const sn_deformable_data *data)
{
    const sn_vec3 *displacements = search->displacements + data->first_node;
    const sn_node_state *nodes = search->world->nodes.states.data + data->first_node;
    sn_frame_mean mean = {0};
    for (int i = 0; i < data->node_count; ++i) {
        sn_frame_mean_add(&mean, &nodes[i], displacements[i]);
    }
    return sn_frame_mean_of(&mean);
}

// Whether some node goes further, seen from what holds its deformable, than half a cell: what it meets on its
// way is not what it would meet where it is.
static bool is_fast(const sn_soft_search *search, const sn_deformable_data *data)
{
    float far = sn_max(0.5f * data->surface.largest_edge, data->def.thickness), largest = 0.0f;
    const sn_vec3 *displacements = search->displacements + data->first_node;
    for (int i = 0; i < data->node_count; ++i) {
        largest =
            sn_max(largest, sn_length_squared(sn_sub(displacements[i], data->surface.frame_displacement)));
    }
    return data->def.self_collide && largest > far * far;
}

bool sn_soft_fit_surfaces(const sn_soft_search *search)
{
    sn_world *world = search->world;
    for (int i = 0; i < world->deformables.count; ++i) {
        sn_deformable_data *data = &world->deformables.data[i];
        if (!sn_id_pool_in_use(&world->deformable_ids, i) || data->surface.face_count == 0) {
            continue;
        }
        const sn_node_state *nodes = world->nodes.states.data + data->first_node;
        displacement_loop loop = {search, data};
        sn_tasks_for(world->tasks, data->node_count, NODE_GRAIN, find_displacements, &loop);
        data->surface.looked = data->surface.boxed = data->surface.meets_others = false;
        data->surface.frame_displacement = frame_displacement(search, data);
        world->soft.is_fast = world->soft.is_fast || is_fast(search, data);
        float growth = sn_soft_growth(world, data);
        if (!sn_soft_surface_box_nodes(&data->surface, nodes, search->displacements + data->first_node,
                                       data->surface.frame_displacement, growth)) {
            return false;
        }
        sn_soft_surface_refit(&data->surface,
                              0.5f * data->def.thickness + world->def.speculative_margin - growth);
    }
    return true;
}

// --- what contacts between deformables are for -------------------------------------------------------------

// Whether contacts can be detected again within the step: not by the staggered solver, nor in one sub-step.
static bool can_detect_again(const sn_world *world)
{
    return world->def.solver != SN_SOLVER_STAGGERED && world->def.sub_steps != 1;
}

bool sn_soft_choose_share(sn_soft_search *search)
{
    sn_world *world = search->world;
    int count = world->nodes.states.count;
    search->displacements_between = search->displacements;
    world->soft.is_fast = world->soft.is_fast && can_detect_again(world);
    if (!world->soft.is_fast) {
        return true;
    }
    sn_vec3 *displacements = sn_arena_take(&world->arena, (size_t)count, sizeof *displacements);
    if (displacements == NULL) {
        return false;
    }
    search->share = 0.5f;
    for (int r = 0; r < world->deformables.count; ++r) {
        const sn_deformable_data *data = &world->deformables.data[r];
        bool collides = sn_id_pool_in_use(&world->deformable_ids, r) && data->surface.face_count > 0;
        for (int i = data->first_node; collides && i < data->first_node + data->node_count; ++i) {
            displacements[i] = sn_scale(search->displacements[i], search->share);
        }
    }
    search->displacements_between = displacements;
    return true;
}

// --- views -------------------------------------------------------------------------------------------------

sn_soft_view sn_soft_view_of(const sn_soft_search *search, int deformable,
                             const sn_soft_broad_pair *broad_pair)
{
    const sn_world *world = search->world;
    const sn_deformable_data *data = &world->deformables.data[deformable];
    bool has_normals = search->normals != NULL && broad_pair != NULL &&
                       (broad_pair->is_small || (broad_pair->other >= 0 && data->surface.one_sided));
    return (sn_soft_view){.surface = &data->surface,
                          .nodes = world->nodes.states.data + data->first_node,
                          .displacements = search->displacements + data->first_node,
                          .first_node = data->first_node,
                          .half_thickness = 0.5f * data->def.thickness,
                          .margin = world->def.speculative_margin,
                          .frame_displacement = data->surface.frame_displacement,
                          .looked = data->surface.looked,
                          .node_normals = has_normals ? search->normals + data->first_node : NULL,
                          .side = broad_pair == NULL       ? 0.0f
                                  : broad_pair->sides == 1 ? 1.0f
                                  : broad_pair->sides == 2 ? -1.0f
                                                           : 0.0f};
}

// Sheets that lie on each other are near each other everywhere: the margin must not be wider than they are
// thick.
void sn_soft_views_of(const sn_soft_search *search, const sn_soft_broad_pair *broad_pair, sn_soft_view *a,
                      sn_soft_view *b)
{
    *a = sn_soft_view_of(search, broad_pair->deformable, broad_pair);
    *b = sn_soft_view_of(search, broad_pair->other, NULL);
    a->displacements = search->displacements_between + a->first_node;
    b->displacements = search->displacements_between + b->first_node;
    a->frame_displacement = sn_scale(a->frame_displacement, search->share);
    b->frame_displacement = sn_scale(b->frame_displacement, search->share);
    a->margin = b->margin = sn_min(a->margin, 0.5f * (a->half_thickness + b->half_thickness));
}

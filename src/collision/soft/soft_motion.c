// Motion: displacements of nodes in a step, and boxes of the surfaces around them.
// Tested by tests/collision/soft/test_soft_detection.c and tests/world/deformables/test_soft_redetection.c.
#include "collision/soft/soft_phases.h"

enum { NODE_GRAIN = 1024 };

typedef struct displacement_loop {
    const sn_soft_search *search;
    const sn_soft_collider *collider;
} displacement_loop;

// Non-finite for a node with a non-finite position or velocity: it collides with nothing. What sleeps does
// not fall.
static void find_displacements(void *context, int begin, int end)
{
    const displacement_loop *loop = context;
    const sn_soft_collider *collider = loop->collider;
    const sn_nodes *nodes = loop->search->scene->nodes;
    float duration = loop->search->scene->duration;
    sn_vec3 fall = sn_scale(loop->search->scene->gravity, collider->def->gravity_scale * duration * duration);
    for (int i = collider->first_node + begin; i < collider->first_node + end; ++i) {
        sn_vec3 position = nodes->states.data[i].position, displacement = sn_v(0.0f, 0.0f, 0.0f);
        if (nodes->states.data[i].inverse_mass > 0.0f && !collider->sleeps) {
            displacement = sn_add_scaled(fall, duration, nodes->velocities.data[i].velocity);
        } else if (nodes->has_target.data[i]) {
            displacement = sn_sub(nodes->targets.data[i], position);
        }
        // The difference is zero if the position is finite.
        loop->search->displacements[i] = sn_add(displacement, sn_sub(position, position));
    }
}

// Whether a node moves farther than half a cell relative to the frame of its deformable, which collides with
// itself: what it touches on its way is not what it would touch where it is.
static bool is_fast(const sn_soft_search *search, const sn_soft_collider *collider)
{
    const sn_soft_surface *surface = collider->surface;
    float far = sn_max(0.5f * surface->largest_edge, collider->def->thickness), largest = 0.0f;
    const sn_vec3 *displacements = search->displacements + collider->first_node;
    for (int i = 0; i < collider->node_count; ++i) {
        largest = sn_max(largest, sn_length_squared(sn_sub(displacements[i], surface->frame_displacement)));
    }
    return collider->def->self_collide && largest > far * far;
}

float sn_soft_growth(const sn_soft_scene *scene, const sn_soft_collider *collider)
{
    float thickness = sn_soft_thickness_between(collider);
    return 0.5f * thickness + 0.5f * sn_min(scene->margin, 0.5f * thickness);
}

static sn_soft_rest rest_of(const sn_soft_scene *scene, const sn_soft_collider *collider)
{
    float growth = sn_soft_growth(scene, collider);
    return (sn_soft_rest){.is_fitted = collider->sleeps && !collider->jumps,
                          .growth = growth,
                          .more =
                              0.5f * collider->def->thickness + sn_soft_margin_of(scene, collider) - growth};
}

static bool rests_as_before(const sn_soft_rest *last, const sn_soft_rest *now)
{
    return now->is_fitted && last->is_fitted && now->growth == last->growth && now->more == last->more;
}

static bool find_motion_of(const sn_soft_search *search, const sn_soft_collider *collider)
{
    const sn_soft_scene *scene = search->scene;
    sn_soft_surface *surface = collider->surface;
    const sn_node_state *nodes = scene->nodes->states.data + collider->first_node;
    const sn_vec3 *displacements = search->displacements + collider->first_node;
    displacement_loop loop = {search, collider};
    sn_tasks_for(scene->tasks, collider->node_count, NODE_GRAIN, find_displacements, &loop);
    surface->has_normals = surface->has_boxes = surface->meets_others = false;
    sn_soft_rest rest = rest_of(scene, collider);
    if (rests_as_before(&surface->rest, &rest)) {
        return true;
    }
    surface->frame_displacement = sn_soft_frame_mean(nodes, displacements, NULL, collider->node_count);
    search->detector->is_fast = search->detector->is_fast || is_fast(search, collider);
    if (!sn_soft_surface_box_nodes(surface, nodes, displacements, surface->frame_displacement, rest.growth)) {
        return false;
    }
    sn_soft_surface_refit(surface, rest.more);
    surface->rest = rest;
    return true;
}

bool sn_soft_find_motion(sn_soft_search *search)
{
    const sn_soft_scene *scene = search->scene;
    search->displacements =
        sn_arena_take(scene->arena, (size_t)scene->nodes->states.count, sizeof *search->displacements);
    search->displacements_between = search->displacements;
    search->share = 1.0f;
    bool ok = search->displacements != NULL;
    for (int i = 0; ok && i < scene->collider_count; ++i) {
        ok = scene->colliders[i].surface == NULL || find_motion_of(search, &scene->colliders[i]);
    }
    return ok;
}

// Cells that a node may cross, relative to the frame of its deformable, until contacts between deformables
// are detected next; without a bound, what is fast would have contacts with everything. What comes from
// farther is stopped by the guard and found then. Without the guard it is not stopped, so contacts look
// farther.
static const float farthest_cells = 1.0f, farthest_unguarded = 2.0f;

static bool shorten(const sn_soft_search *search, const sn_soft_collider *collider, sn_vec3 *shortened)
{
    sn_vec3 frame = sn_scale(collider->surface->frame_displacement, search->share);
    float farthest =
        (search->scene->notes_near ? farthest_cells : farthest_unguarded) * collider->surface->largest_edge;
    bool any = search->share < 1.0f;
    for (int i = collider->first_node; i < collider->first_node + collider->node_count; ++i) {
        sn_vec3 whole = sn_scale(search->displacements[i], search->share), own = sn_sub(whole, frame);
        float length = sn_length(own);
        bool is_far = length > farthest;
        shortened[i] = is_far ? sn_add_scaled(frame, farthest / length, own) : whole;
        any = any || is_far;
    }
    return any;
}

bool sn_soft_shorten(sn_soft_search *search, float share)
{
    const sn_soft_scene *scene = search->scene;
    sn_vec3 *shortened = sn_arena_take(scene->arena, (size_t)scene->nodes->states.count, sizeof *shortened);
    if (shortened == NULL) {
        return false;
    }
    search->share = share;
    bool any = false;
    for (int k = 0; k < scene->collider_count; ++k) {
        const sn_soft_collider *collider = &scene->colliders[k];
        any = (collider->surface != NULL && shorten(search, collider, shortened)) || any;
    }
    search->displacements_between = any ? shortened : search->displacements;
    return true;
}

// Broad phase: the shapes and deformables whose boxes overlap the box of a deformable's surface.
// Tested by tests/collision/soft/test_soft_detection.c.
#include "collision/soft/soft_phases.h"

#include <string.h>

static sn_bounds bounds_of(const sn_soft_search *search, int deformable)
{
    return sn_soft_surface_bounds(search->scene->colliders[deformable].surface);
}

// --- shapes ------------------------------------------------------------------------------------------------

typedef struct shape_query {
    const sn_soft_search *search;
    int deformable;
    bool out_of_memory;
} shape_query;

// Shapes of sleeping bodies cannot be new to a sleeping deformable.
static bool consider_shape(void *context, int index)
{
    shape_query *query = context;
    const sn_soft_scene *scene = query->search->scene;
    const sn_soft_collider *collider = &scene->colliders[query->deformable];
    const sn_shape_data *shape = &scene->shapes[index];
    bool can_be_new = !collider->sleeps || scene->bodies[shape->body].awake_index >= 0;
    // After the step the boxes of shapes are those that were expected.
    bool is_close =
        scene->motions != NULL || sn_bounds_overlap(shape->bounds, sn_soft_surface_bounds(collider->surface));
    if (can_be_new && is_close && !shape->sensor && sn_filter_allows(shape->filter, collider->def->filter)) {
        query->out_of_memory = !sn_array_push(&query->search->detector->shapes, index);
    }
    return !query->out_of_memory;
}

// By number, so that the order does not depend on the trees. Shell sort: in place, and fast enough for the
// few thousand shapes that may lie on a sheet.
static void sort(int *shapes, int count)
{
    int gap = 1;
    while (gap < count / 3) {
        gap = 3 * gap + 1;
    }
    for (; gap > 0; gap /= 3) {
        for (int i = gap; i < count; ++i) {
            int shape = shapes[i], k = i;
            for (; k >= gap && shapes[k - gap] > shape; k -= gap) {
                shapes[k] = shapes[k - gap];
            }
            shapes[k] = shape;
        }
    }
}

static bool find_shapes(const sn_soft_search *search, int deformable)
{
    shape_query query = {search, deformable, false};
    sn_bounds bounds = bounds_of(search, deformable);
    uint64_t mask = sn_filter_search_mask(search->scene->colliders[deformable].def->filter);
    sn_bounds_tree_overlap(search->scene->static_tree, bounds, mask, consider_shape, &query);
    sn_bounds_tree_overlap(search->scene->moving_tree, bounds, mask, consider_shape, &query);
    for (int i = 0; i < search->scene->outlier_count && !query.out_of_memory; ++i) {
        (void)consider_shape(&query, search->scene->outliers[i]);
    }
    sort(search->detector->shapes.data, search->detector->shapes.count);
    return !query.out_of_memory;
}

// --- parts of shapes ---------------------------------------------------------------------------------------

// Where the step began, and the motion in it.
static void put_motion(sn_obstacle *obstacle, const sn_motion *motion, sn_pose offset)
{
    sn_quat turn = sn_quat_multiply(motion->rotation_end, sn_quat_conjugate(motion->rotation_start));
    obstacle->pose = sn_pose_multiply(sn_motion_at(motion, 0.0f), offset);
    obstacle->center = motion->center_start;
    obstacle->displacement = sn_sub(motion->center_end, motion->center_start);
    obstacle->turn = sn_quat_logarithm(turn);
}

static sn_soft_pair pair_with_shape(const sn_soft_scene *scene, int deformable, int index)
{
    const sn_shape_data *shape = &scene->shapes[index];
    const sn_body *body = &scene->bodies[shape->body];
    sn_soft_pair pair = {
        .deformable = deformable,
        .shape = index,
        .body = shape->body,
        .other = -1,
        .bounds = shape->bounds,
        .obstacle = {.pose = sn_pose_multiply(sn_body_pose(body), shape->offset), .center = body->center}};
    if (body->awake_index >= 0 && scene->motions != NULL) {
        put_motion(&pair.obstacle, &scene->motions[body->awake_index], shape->offset);
    } else if (body->awake_index >= 0) {
        pair.obstacle.displacement = sn_scale(body->linear_velocity, scene->duration);
        pair.obstacle.turn = sn_scale(body->angular_velocity, scene->duration);
    }
    return pair;
}

// Where an obstacle with this box now may be during the step.
static sn_bounds swept_bounds(const sn_obstacle *obstacle, sn_bounds now)
{
    sn_bounds then = {sn_add(now.lower, obstacle->displacement), sn_add(now.upper, obstacle->displacement)};
    float arm = sn_length(
        sn_max3(sn_abs3(sn_sub(now.lower, obstacle->center)), sn_abs3(sn_sub(now.upper, obstacle->center))));
    return sn_bounds_grow(sn_bounds_union(now, then), sn_min(sn_length(obstacle->turn), 2.0f) * arm);
}

static bool add_if_close(const sn_soft_search *search, const sn_soft_pair *pair)
{
    return !sn_bounds_overlap(pair->bounds, bounds_of(search, pair->deformable)) ||
           sn_array_push(&search->detector->pairs, *pair);
}

static bool add_parts(const sn_soft_search *search, const sn_soft_pair *whole, const sn_shape_data *shape)
{
    bool enough = true;
    for (int i = 0; enough && i < shape->compound->part_count; ++i) {
        sn_soft_pair part = *whole;
        sn_vec3 unused;
        part.part = (uint32_t)i;
        part.obstacle.convex = sn_compound_convex(shape->compound, i);
        part.obstacle.pose = sn_pose_multiply(whole->obstacle.pose, shape->compound->parts[i].solid.pose);
        part.obstacle.size = sn_shape_core(shape, i, &unused);
        part.bounds =
            swept_bounds(&part.obstacle, sn_convex_bounds(&part.obstacle.convex, part.obstacle.pose));
        enough = add_if_close(search, &part);
    }
    return enough;
}

typedef struct triangle_query {
    const sn_soft_search *search;
    const sn_soft_pair *whole;
    const sn_surface *surface;
    bool out_of_memory;
} triangle_query;

static bool add_triangle(void *context, int triangle)
{
    triangle_query *query = context;
    const sn_surface *surface = query->surface;
    sn_soft_pair part = *query->whole;
    sn_obstacle *obstacle = &part.obstacle;
    part.part = (uint32_t)triangle;
    obstacle->kind = SN_OBSTACLE_TRIANGLE;
    obstacle->active_edges = surface->active_edges[triangle];
    obstacle->owned = surface->owned[triangle];
    memcpy(obstacle->bends, surface->bends + 3 * (size_t)triangle, sizeof obstacle->bends);
    memcpy(obstacle->corner_cosines, surface->corner_cosines + 3 * (size_t)triangle,
           sizeof obstacle->corner_cosines);
    obstacle->double_sided = surface->double_sided;
    memcpy(part.vertices, surface->triangles + 3 * (size_t)triangle, sizeof part.vertices);
    for (int k = 0; k < 3; ++k) {
        obstacle->corners[k] = sn_pose_apply(obstacle->pose, surface->vertices[part.vertices[k]]);
    }
    const sn_vec3 *c = obstacle->corners;
    sn_vec3 normal = sn_normalize(sn_cross(sn_sub(c[1], c[0]), sn_sub(c[2], c[0])));
    obstacle->plane = (sn_plane){normal, sn_dot(normal, c[0])};
    sn_bounds now = {sn_min3(c[0], sn_min3(c[1], c[2])), sn_max3(c[0], sn_max3(c[1], c[2]))};
    part.bounds = swept_bounds(obstacle, now);
    query->out_of_memory = !add_if_close(query->search, &part);
    return !query->out_of_memory;
}

// Triangles that may touch the deformable: those that overlap its box in the frame of the surface shape,
// grown by how far the shape moves there.
static bool add_triangles(const sn_soft_search *search, const sn_soft_pair *whole, const sn_surface *surface)
{
    const sn_obstacle *obstacle = &whole->obstacle;
    sn_bounds box = bounds_of(search, whole->deformable);
    sn_vec3 farthest =
        sn_max3(sn_abs3(sn_sub(box.lower, obstacle->center)), sn_abs3(sn_sub(box.upper, obstacle->center)));
    float displacement = sn_length(obstacle->displacement) + sn_length(obstacle->turn) * sn_length(farthest);
    box = sn_bounds_at(box, sn_pose_relative(obstacle->pose, sn_pose_identity));
    triangle_query query = {search, whole, surface, false};
    sn_surface_overlap(surface, sn_bounds_grow(box, displacement), add_triangle, &query);
    return !query.out_of_memory;
}

static bool add_shape(const sn_soft_search *search, int deformable, int index)
{
    const sn_shape_data *shape = &search->scene->shapes[index];
    sn_soft_pair pair = pair_with_shape(search->scene, deformable, index);
    sn_obstacle *obstacle = &pair.obstacle;
    if (shape->type == SN_COMPOUND) {
        return add_parts(search, &pair, shape);
    }
    if (shape->type == SN_SURFACE) {
        return add_triangles(search, &pair, shape->surface);
    }
    if (shape->type == SN_PLANE) {
        sn_vec3 normal = sn_rotate(obstacle->pose.rotation, shape->plane.normal);
        obstacle->kind = SN_OBSTACLE_PLANE;
        obstacle->plane = (sn_plane){normal, shape->plane.offset + sn_dot(normal, obstacle->pose.position)};
    } else {
        sn_vec3 unused;
        obstacle->convex = sn_shape_convex(shape);
        obstacle->size = sn_shape_core(shape, 0, &unused);
        if (search->scene->motions != NULL) {
            pair.bounds = swept_bounds(obstacle, sn_convex_bounds(&obstacle->convex, obstacle->pose));
            return add_if_close(search, &pair);
        }
    }
    return sn_array_push(&search->detector->pairs, pair);
}

// --- deformables -------------------------------------------------------------------------------------------

bool sn_soft_may_collide(const sn_soft_collider *a, const sn_soft_collider *b)
{
    return a == b ? a->def->self_collide
                  : a->def->collide && b->def->collide && sn_filter_allows(a->def->filter, b->def->filter);
}

static bool are_close(const sn_soft_collider *a, const sn_soft_collider *b)
{
    return b->surface != NULL && !(a->sleeps && b->sleeps) && sn_soft_may_collide(a, b) &&
           sn_bounds_overlap(sn_soft_surface_bounds(a->surface), sn_soft_surface_bounds(b->surface));
}

// Two deformables make one pair, that of the first.
static bool add_deformables(const sn_soft_search *search, int index)
{
    const sn_soft_collider *colliders = search->scene->colliders;
    for (int i = index; i < search->scene->collider_count; ++i) {
        if (are_close(&colliders[index], &colliders[i])) {
            sn_soft_pair pair = {.deformable = index, .shape = -1, .body = -1, .other = i};
            if (!sn_array_push(&search->detector->pairs, pair)) {
                return false;
            }
        }
    }
    return true;
}

bool sn_soft_find_pairs(sn_soft_search *search)
{
    sn_soft_detector *detector = search->detector;
    bool enough = true;
    detector->pairs.count = 0;
    for (int i = 0; enough && i < search->scene->collider_count; ++i) {
        const sn_soft_collider *collider = &search->scene->colliders[i];
        if (collider->surface == NULL) {
            continue;
        }
        detector->shapes.count = 0;
        enough = !collider->def->collide || find_shapes(search, i);
        for (int k = 0; enough && k < detector->shapes.count; ++k) {
            const int *shapes = detector->shapes.data;
            enough = (k > 0 && shapes[k] == shapes[k - 1]) || add_shape(search, i, shapes[k]);
        }
        enough = enough && add_deformables(search, i);
    }
    return enough;
}

// Which shapes and deformables come near a deformable.
#include "world/core/world.h"

#include <string.h>

// --- shapes ------------------------------------------------------------------------------------------------

typedef struct shape_query {
    sn_world *world;
    const sn_deformable_data *data;
    bool out_of_memory;
} shape_query;

static bool consider_shape(void *context, int index)
{
    shape_query *query = context;
    const sn_shape_data *shape = &query->world->shapes.data[index];
    // What sleeps lies on what it lay on before: only what moves can be news to it.
    bool is_news =
        !sn_deformable_sleeps(query->data) || query->world->bodies.data[shape->body].awake_index >= 0;
    if (is_news && !shape->sensor && sn_filter_allows(shape->filter, query->data->def.filter) &&
        sn_bounds_overlap(shape->bounds, sn_soft_surface_bounds(&query->data->surface))) {
        query->out_of_memory = !sn_array_push(&query->world->soft.shapes, index);
    }
    return !query->out_of_memory;
}

// In the order of their numbers, whatever the trees look like. Shell sort: in place, and good enough for the
// few thousand shapes that may lie on a sheet.
static void sort_shapes(sn_world *world)
{
    int *shapes = world->soft.shapes.data, count = world->soft.shapes.count, gap = 1;
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

static bool find_shapes(sn_world *world, const sn_deformable_data *data)
{
    shape_query query = {world, data, false};
    sn_bounds bounds = sn_soft_surface_bounds(&data->surface);
    uint64_t mask = sn_filter_search_mask(data->def.filter);
    world->soft.shapes.count = 0;
    sn_bounds_tree_overlap(&world->static_tree, bounds, mask, consider_shape, &query);
    sn_bounds_tree_overlap(&world->moving_tree, bounds, mask, consider_shape, &query);
    sort_shapes(world);
    return !query.out_of_memory;
}

// --- parts of shapes ---------------------------------------------------------------------------------------

static sn_soft_broad_pair broad_pair_with(const sn_soft_search *search, int deformable, int index)
{
    const sn_world *world = search->world;
    const sn_shape_data *shape = &world->shapes.data[index];
    const sn_body *body = &world->bodies.data[shape->body];
    sn_soft_broad_pair broad_pair = {
        .deformable = deformable,
        .shape = index,
        .body = shape->body,
        .other = -1,
        .bounds = shape->bounds,
        .obstacle = {.pose = sn_pose_multiply(sn_body_pose(body), shape->offset), .center = body->center}};
    if (body->awake_index >= 0) {
        broad_pair.obstacle.displacement = sn_scale(body->linear_velocity, search->duration);
        broad_pair.obstacle.turn = sn_scale(body->angular_velocity, search->duration);
    }
    return broad_pair;
}

// Where something that fills a box now may be during the step.
static sn_bounds moving_bounds(const sn_obstacle *obstacle, sn_bounds now)
{
    sn_bounds then = {sn_add(now.lower, obstacle->displacement), sn_add(now.upper, obstacle->displacement)};
    float arm = sn_length(
        sn_max3(sn_abs3(sn_sub(now.lower, obstacle->center)), sn_abs3(sn_sub(now.upper, obstacle->center))));
    return sn_bounds_grow(sn_bounds_union(now, then), sn_min(sn_length(obstacle->turn), 2.0f) * arm);
}

static bool add_if_near(sn_world *world, const sn_soft_broad_pair *broad_pair)
{
    sn_bounds near = sn_soft_surface_bounds(&world->deformables.data[broad_pair->deformable].surface);
    return !sn_bounds_overlap(broad_pair->bounds, near) ||
           sn_array_push(&world->soft.broad_pairs, *broad_pair);
}

static bool add_parts(sn_world *world, const sn_soft_broad_pair *whole, const sn_shape_data *shape)
{
    for (int i = 0; i < shape->compound->part_count; ++i) {
        sn_soft_broad_pair part = *whole;
        sn_vec3 unused;
        part.part = (uint32_t)i;
        part.obstacle.convex = sn_compound_convex(shape->compound, i);
        part.obstacle.pose = sn_pose_multiply(whole->obstacle.pose, shape->compound->parts[i].solid.pose);
        part.obstacle.size = sn_shape_core(shape, i, &unused);
        part.bounds =
            moving_bounds(&part.obstacle, sn_convex_bounds(&part.obstacle.convex, part.obstacle.pose));
        if (!add_if_near(world, &part)) {
            return false;
        }
    }
    return true;
}

typedef struct triangle_query {
    sn_world *world;
    const sn_soft_broad_pair *whole;
    const sn_surface *surface;
    bool out_of_memory;
} triangle_query;

static bool add_triangle(void *context, int triangle)
{
    triangle_query *query = context;
    const sn_surface *surface = query->surface;
    sn_soft_broad_pair part = *query->whole;
    sn_obstacle *obstacle = &part.obstacle;
    part.part = (uint32_t)triangle;
    obstacle->kind = SN_OBSTACLE_TRIANGLE;
    obstacle->active_edges = surface->active_edges[triangle];
    obstacle->double_sided = surface->double_sided;
    memcpy(part.vertices, surface->triangles + 3 * (size_t)triangle, sizeof part.vertices);
    for (int k = 0; k < 3; ++k) {
        obstacle->corners[k] = sn_pose_apply(obstacle->pose, surface->vertices[part.vertices[k]]);
    }
    const sn_vec3 *c = obstacle->corners;
    sn_vec3 normal = sn_normalize(sn_cross(sn_sub(c[1], c[0]), sn_sub(c[2], c[0])));
    obstacle->plane = (sn_plane){normal, sn_dot(normal, c[0])};
    sn_bounds now = {sn_min3(c[0], sn_min3(c[1], c[2])), sn_max3(c[0], sn_max3(c[1], c[2]))};
    part.bounds = moving_bounds(obstacle, now);
    query->out_of_memory = !add_if_near(query->world, &part);
    return !query->out_of_memory;
}

// Those that the deformable's box, seen from the surface, overlaps.
static bool add_triangles(sn_world *world, const sn_soft_broad_pair *whole, const sn_surface *surface)
{
    sn_bounds near = sn_soft_surface_bounds(&world->deformables.data[whole->deformable].surface);
    sn_vec3 half = sn_scale(sn_sub(near.upper, near.lower), 0.5f);
    sn_vec3 middle =
        sn_pose_apply_inverse(whole->obstacle.pose, sn_scale(sn_add(near.upper, near.lower), 0.5f));
    sn_mat3 r = sn_mat3_from_quat(sn_quat_conjugate(whole->obstacle.pose.rotation));
    sn_vec3 extent = sn_add(sn_add(sn_scale(sn_abs3(r.x), half.x), sn_scale(sn_abs3(r.y), half.y)),
                            sn_scale(sn_abs3(r.z), half.z));
    float displacement =
        sn_length(whole->obstacle.displacement) +
        sn_length(whole->obstacle.turn) * (sn_distance_between(whole->obstacle.center, middle));
    sn_bounds box = sn_bounds_grow((sn_bounds){sn_sub(middle, extent), sn_add(middle, extent)}, displacement);
    triangle_query query = {world, whole, surface, false};
    sn_surface_overlap(surface, box, add_triangle, &query);
    return !query.out_of_memory;
}

static bool add_shape(const sn_soft_search *search, int deformable, int index)
{
    sn_world *world = search->world;
    const sn_shape_data *shape = &world->shapes.data[index];
    sn_soft_broad_pair broad_pair = broad_pair_with(search, deformable, index);
    sn_obstacle *obstacle = &broad_pair.obstacle;
    if (shape->type == SN_COMPOUND) {
        return add_parts(world, &broad_pair, shape);
    }
    if (shape->type == SN_SURFACE) {
        return add_triangles(world, &broad_pair, shape->surface);
    }
    if (shape->type == SN_PLANE) {
        sn_vec3 normal = sn_rotate(obstacle->pose.rotation, shape->plane.normal);
        obstacle->kind = SN_OBSTACLE_PLANE;
        obstacle->plane = (sn_plane){normal, shape->plane.offset + sn_dot(normal, obstacle->pose.position)};
    } else {
        sn_vec3 unused;
        obstacle->convex = sn_shape_convex(shape);
        obstacle->size = sn_shape_core(shape, 0, &unused);
    }
    return sn_array_push(&world->soft.broad_pairs, broad_pair);
}

// --- deformables -------------------------------------------------------------------------------------------

static bool collides(const sn_world *world, int index)
{
    return sn_id_pool_in_use(&world->deformable_ids, index) &&
           world->deformables.data[index].surface.face_count > 0;
}

// Each of two looks at the other, nodes against faces; itself at itself.
static bool add_deformables(sn_world *world, int index)
{
    const sn_deformable_data *data = &world->deformables.data[index];
    for (int i = 0; i < world->deformables.count; ++i) {
        const sn_deformable_data *other = &world->deformables.data[i];
        bool is_news = !sn_deformable_sleeps(data) || (collides(world, i) && !sn_deformable_sleeps(other));
        bool meets = is_news && collides(world, i) &&
                     (i == index ? data->def.self_collide
                                 : data->def.collide && other->def.collide &&
                                       sn_filter_allows(data->def.filter, other->def.filter));
        if (!meets || !sn_bounds_overlap(sn_soft_surface_bounds(&data->surface),
                                         sn_soft_surface_bounds(&other->surface))) {
            continue;
        }
        sn_soft_broad_pair broad_pair = {.deformable = index, .shape = -1, .body = -1, .other = i};
        if (!sn_array_push(&world->soft.broad_pairs, broad_pair)) {
            return false;
        }
    }
    return true;
}

bool sn_soft_find_broad_pairs(sn_soft_search *search)
{
    sn_world *world = search->world;
    world->soft.broad_pairs.count = 0;
    for (int i = 0; i < world->deformables.count; ++i) {
        const sn_deformable_data *data = &world->deformables.data[i];
        if (!collides(world, i)) {
            continue;
        }
        world->soft.shapes.count = 0;
        if (data->def.collide && !find_shapes(world, data)) {
            return false;
        }
        for (int k = 0; k < world->soft.shapes.count; ++k) {
            if (!add_shape(search, i, world->soft.shapes.data[k])) {
                return false;
            }
        }
        if (!add_deformables(world, i)) {
            return false;
        }
    }
    return true;
}

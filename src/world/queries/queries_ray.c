// Rays through the world: the nearest hit of all shapes and deformables, or the nearest of each.
#include "collision/narrow/cast.h"
#include "geometry/shapes/check.h"
#include "world/queries/queries.h"

// --- one shape -----------------------------------------------------------------------------------

// The nearest hit of a segment, in the shape's frame.
typedef struct shape_hit {
    sn_cast_result cast;
    int part;
} shape_hit;

static shape_hit ray_parts(const sn_compound *compound, sn_vec3 origin, sn_vec3 translation)
{
    shape_hit nearest = {0};
    sn_vec3 end = sn_add(origin, translation);
    float size = sn_max(sn_query_largest_coordinate(origin), sn_query_largest_coordinate(end));
    sn_bounds box = {sn_min3(origin, end), sn_max3(origin, end)};
    box = sn_bounds_grow(box, sn_query_slack(size));
    for (int i = 0; i < compound->part_count; ++i) {
        if (!sn_bounds_overlap(compound->parts[i].bounds, box)) {
            continue;
        }
        sn_pose pose = compound->parts[i].solid.pose;
        sn_convex convex = sn_compound_convex(compound, i);
        sn_cast_result cast = sn_ray_convex(&convex, sn_pose_apply_inverse(pose, origin),
                                            sn_rotate_inverse(pose.rotation, translation));
        if (cast.hit && (!nearest.cast.hit || cast.fraction < nearest.cast.fraction)) {
            cast.point = sn_pose_apply(pose, cast.point);
            cast.normal = sn_rotate(pose.rotation, cast.normal);
            nearest = (shape_hit){cast, i};
        }
    }
    return nearest;
}

static shape_hit ray_surface(const sn_surface *surface, sn_vec3 origin, sn_vec3 translation)
{
    shape_hit nearest = {0};
    nearest.part = sn_surface_ray(surface, origin, translation, &nearest.cast.fraction, &nearest.cast.normal);
    nearest.cast.hit = nearest.part >= 0;
    nearest.cast.point = sn_add_scaled(origin, nearest.cast.fraction, translation);
    return nearest;
}

static shape_hit ray_shape(const sn_shape_data *shape, sn_vec3 origin, sn_vec3 translation)
{
    switch (shape->type) {
    case SN_PLANE:
        return (shape_hit){.cast = sn_ray_plane(shape->plane, origin, translation)};
    case SN_SURFACE:
        return ray_surface(shape->surface, origin, translation);
    case SN_COMPOUND:
        return ray_parts(shape->compound, origin, translation);
    default: {
        sn_convex convex = sn_shape_convex(shape);
        return (shape_hit){.cast = sn_ray_convex(&convex, origin, translation)};
    }
    }
}

// --- all shapes ----------------------------------------------------------------------------------

typedef struct ray_query {
    const sn_world *world;
    sn_vec3 origin, translation;
    sn_query_filter filter;
    // For the nearest of all.
    sn_rank best;
    sn_hit *hit;
    // For all: null if only the nearest is asked for.
    sn_hit_function function;
    void *user;
    bool stopped; // by the function
} ray_query;

static bool ray_one(const ray_query *query, int index, sn_hit *hit)
{
    const sn_shape_data *shape = &query->world->shapes.data[index];
    if (!sn_query_sees(query->filter, shape)) {
        return false;
    }
    sn_pose pose = sn_query_shape_pose(query->world, shape);
    shape_hit found = ray_shape(shape, sn_pose_apply_inverse(pose, query->origin),
                                sn_rotate_inverse(pose.rotation, query->translation));
    if (found.cast.hit) {
        *hit = (sn_hit){.shape = sn_shape_id(query->world, index),
                        .rigid = sn_rigid_id(query->world, shape->body),
                        .point = sn_pose_apply(pose, found.cast.point),
                        .normal = sn_rotate(pose.rotation, found.cast.normal),
                        .fraction = found.cast.fraction,
                        .part = found.part};
    }
    return found.cast.hit;
}

static float keep_nearest(void *context, int index, float fraction)
{
    ray_query *query = context;
    sn_hit hit;
    if (ray_one(query, index, &hit)) {
        sn_rank rank = {hit.fraction, index, hit.part};
        if (sn_rank_before(rank, query->best)) {
            query->best = rank;
            *query->hit = hit;
        }
        // Zero would end the search before all shapes at the very start have been seen.
        return sn_max(query->best.value, 1.0e-30f);
    }
    return fraction;
}

static float report(void *context, int index, float fraction)
{
    ray_query *query = context;
    sn_hit hit;
    query->stopped = ray_one(query, index, &hit) && !query->function(&hit, query->user);
    return query->stopped ? 0.0f : fraction;
}

static void visit_deformables(ray_query *query)
{
    for (int i = 0; i < query->world->deformables.count && !query->stopped; ++i) {
        sn_hit hit;
        bool is_hit = sn_query_ray_deformable(query->world, i, query->origin, query->translation,
                                              query->filter, query->best.value, &hit);
        if (is_hit && query->function != NULL) {
            query->stopped = !query->function(&hit, query->user);
        } else if (is_hit) {
            *query->hit = hit;
            query->best.value = hit.fraction;
        }
    }
}

static void visit_all(ray_query *query)
{
    const sn_world *world = query->world;
    sn_vec3 nothing = {0.0f, 0.0f, 0.0f}, extent = sn_query_widen(query->origin, nothing, query->translation);
    sn_tree_ray_function visit = query->function != NULL ? report : keep_nearest;
    const sn_bounds_tree *trees[2] = {&world->static_tree, &world->moving_tree};
    for (int i = 0; i < 2 && !query->stopped; ++i) {
        sn_bounds_tree_ray(trees[i], query->origin, query->translation, extent, query->filter.mask, visit,
                           query);
    }
    visit_deformables(query);
}

static sn_status check_ray(const sn_world *world, sn_vec3 origin, sn_vec3 translation, const char *function)
{
    sn_status status = sn_check_vec3(origin, SN_MAX_COORDINATE, world->error, function, "origin");
    return status ? status : sn_query_check_translation(world, translation, function);
}

sn_status sn_world_ray(const sn_world *world, sn_vec3 origin, sn_vec3 translation, sn_query_filter filter,
                       sn_hit *hit)
{
    sn_status status = sn_world_check_open(world, "sn_world_ray");
    status = status ? status : sn_query_check_pointer(world, hit, "sn_world_ray", "hit");
    status = status ? status : check_ray(world, origin, translation, "sn_world_ray");
    if (status != SN_OK) {
        return status;
    }
    *hit = (sn_hit){0};
    ray_query query = {.world = world,
                       .origin = origin,
                       .translation = translation,
                       .filter = filter,
                       .best = {.value = INFINITY},
                       .hit = hit};
    visit_all(&query);
    return SN_OK;
}

sn_status sn_world_ray_all(sn_world *world, sn_vec3 origin, sn_vec3 translation, sn_query_filter filter,
                           sn_hit_function function, void *user)
{
    sn_status status = sn_world_check_open(world, "sn_world_ray_all");
    if (status == SN_OK && function == NULL) {
        status = sn_fail(world->error, SN_ERROR_NULL, "sn_world_ray_all: function is null");
    }
    status = status ? status : check_ray(world, origin, translation, "sn_world_ray_all");
    if (status != SN_OK) {
        return status;
    }
    ray_query query = {.world = world,
                       .origin = origin,
                       .translation = translation,
                       .filter = filter,
                       .best = {.value = INFINITY},
                       .function = function,
                       .user = user};
    world->locked = true;
    visit_all(&query);
    world->locked = false;
    return SN_OK;
}

// Sweeps: the first hit of a solid that moves along a straight line without rotation.
#include "collision/narrow/cast.h"
#include "collision/narrow/gjk.h"
#include "world/queries/queries.h"

#include <float.h>

// Solids that reach into a plane by less than this part of their size touch it and may slide along, as in
// sn_cast_convex.
#define TOUCH_TOLERANCE 1.0e-5f

typedef struct sweep_query {
    const sn_world *world;
    sn_query_solid solid;
    sn_vec3 translation;
    sn_query_filter filter;
    sn_rank best;
    sn_hit *hit;
    // The shape being looked at, and the motion in its frame.
    int shape;
    sn_pose shape_pose, solid_in_shape;
    sn_vec3 local_translation;
    sn_vec3 box_center, box_extent; // around the solid where it starts, in the shape's frame
} sweep_query;

// Takes a hit, given in a frame of the shape, if it is the best so far.
static void keep(sweep_query *query, sn_cast_result cast, sn_pose frame_in_shape, int part)
{
    sn_rank rank = {cast.fraction, query->shape, part};
    if (!cast.hit || !sn_rank_before(rank, query->best)) {
        return;
    }
    const sn_shape_data *shape = &query->world->shapes.data[query->shape];
    sn_pose frame = sn_pose_multiply(query->shape_pose, frame_in_shape);
    query->best = rank;
    *query->hit = (sn_hit){.shape = sn_shape_id(query->world, query->shape),
                           .rigid = sn_rigid_id(query->world, shape->body),
                           .point = sn_pose_apply(frame, cast.point),
                           .normal = sn_rotate(frame.rotation, cast.normal),
                           .fraction = cast.fraction,
                           .part = part};
}

// --- planes --------------------------------------------------------------------------------------

static float size_of(const sn_query_solid *solid)
{
    return 0.5f * sn_distance_between(solid->bounds.lower, solid->bounds.upper);
}

static void sweep_plane(sweep_query *query, sn_plane plane)
{
    sn_vec3 lowest;
    float height = sn_query_height(plane, &query->solid.convex, query->solid_in_shape, &lowest);
    float descent = -sn_dot(plane.normal, query->local_translation);
    float tolerance = TOUCH_TOLERANCE * size_of(&query->solid);
    sn_cast_result cast = {.hit = true, .normal = plane.normal};
    if (height >= -tolerance) {
        cast.hit = descent > 0.0f && height - descent < -0.5f * tolerance;
        cast.fraction = cast.hit ? sn_min(sn_max(height, 0.0f) / descent, 1.0f) : 0.0f;
    }
    cast.point = sn_add_scaled(lowest, cast.fraction, query->local_translation);
    float above = sn_dot(plane.normal, cast.point) - plane.offset;
    cast.point = sn_add_scaled(cast.point, -above, plane.normal);
    keep(query, cast, sn_pose_identity, 0);
}

// --- pieces --------------------------------------------------------------------------------------

static void clip(float start, float motion, float lower, float upper, float *enter, float *leave)
{
    if (sn_abs(motion) < FLT_MIN) {
        *leave = start < lower || start > upper ? -1.0f : *leave;
        return;
    }
    float a = (lower - start) / motion, b = (upper - start) / motion;
    *enter = sn_max(*enter, sn_min(a, b));
    *leave = sn_min(*leave, sn_max(a, b));
}

// When the box around the solid may enter a box of the shape.
static float earliest(const void *context, sn_bounds bounds)
{
    const sweep_query *query = context;
    sn_vec3 lower = sn_sub(bounds.lower, query->box_extent), upper = sn_add(bounds.upper, query->box_extent);
    sn_vec3 start = query->box_center, motion = query->local_translation;
    float enter = 0.0f, leave = 1.0f;
    clip(start.x, motion.x, lower.x, upper.x, &enter, &leave);
    clip(start.y, motion.y, lower.y, upper.y, &enter, &leave);
    clip(start.z, motion.z, lower.z, upper.z, &enter, &leave);
    return enter <= leave ? enter : INFINITY;
}

// Whether the solid hits a one-sided triangle from behind. Two convex things in straight relative motion meet
// only once, so such a hit can be ignored.
static bool is_from_behind(const sweep_query *query, const sn_piece *piece, sn_pose solid_in_piece,
                           sn_vec3 translation, float fraction)
{
    const sn_shape_data *shape = &query->world->shapes.data[query->shape];
    if (shape->type != SN_SURFACE || shape->surface->double_sided) {
        return false;
    }
    sn_vec3 center = sn_pose_apply(solid_in_piece, sn_convex_center(&query->solid.convex));
    center = sn_add_scaled(center, fraction, translation);
    sn_face_plane front = piece->convex->polyhedron.planes[0];
    return sn_dot(front.normal, center) < front.offset;
}

static float sweep_piece(void *context, const sn_piece *piece)
{
    sweep_query *query = context;
    const sn_convex *solid = &query->solid.convex;
    sn_pose solid_in_piece = sn_pose_relative(piece->pose, query->solid_in_shape);
    sn_vec3 translation = sn_rotate_inverse(piece->pose.rotation, query->local_translation);
    sn_cast_result cast = sn_cast_convex(piece->convex, solid, solid_in_piece, translation);
    if (cast.hit && is_from_behind(query, piece, solid_in_piece, translation, cast.fraction)) {
        cast.hit = false;
    }
    if (cast.hit && cast.fraction == 0.0f) {
        // The direction of separation is a better normal than that of the motion.
        sn_separation_result start = sn_separation(piece->convex, solid, solid_in_piece);
        cast.point = start.distance < 0.0f ? start.point_a : cast.point;
        cast.normal = start.distance < 0.0f ? start.normal : cast.normal;
    }
    keep(query, cast, piece->pose, piece->part);
    return sn_min(query->best.value, 1.0f);
}

// --- all shapes ----------------------------------------------------------------------------------

static void enter_frame(sweep_query *query, int index)
{
    query->shape = index;
    query->shape_pose = sn_query_shape_pose(query->world, &query->world->shapes.data[index]);
    query->solid_in_shape = sn_pose_relative(query->shape_pose, query->solid.pose);
    query->local_translation = sn_rotate_inverse(query->shape_pose.rotation, query->translation);
    sn_bounds box = sn_convex_bounds(&query->solid.convex, query->solid_in_shape);
    sn_vec3 extent = sn_scale(sn_sub(box.upper, box.lower), 0.5f);
    query->box_center = sn_scale(sn_add(box.lower, box.upper), 0.5f);
    query->box_extent = sn_query_widen(query->box_center, extent, query->local_translation);
}

static float sweep_shape(void *context, int index, float fraction)
{
    sweep_query *query = context;
    const sn_shape_data *shape = &query->world->shapes.data[index];
    if (!sn_query_sees(query->filter, shape)) {
        return fraction;
    }
    enter_frame(query, index);
    if (shape->type == SN_PLANE) {
        sweep_plane(query, shape->plane);
    } else {
        sn_piece_search search = {earliest, sweep_piece, query, sn_min(query->best.value, 1.0f)};
        sn_search_pieces(shape, &search);
    }
    // Zero would end the search before all shapes at the very start have been seen.
    return sn_clamp(query->best.value, 1.0e-30f, fraction);
}

sn_status sn_world_sweep(const sn_world *world, const sn_solid *solid, sn_vec3 translation,
                         sn_query_filter filter, sn_hit *hit)
{
    sweep_query query = {.world = world,
                         .translation = translation,
                         .filter = filter,
                         .best = {.value = INFINITY},
                         .hit = hit};
    sn_status status = sn_world_check_open(world, "sn_world_sweep");
    status = status ? status : sn_query_check_pointer(world, hit, "sn_world_sweep", "hit");
    status = status ? status : sn_query_solid_make(world, solid, "sn_world_sweep", &query.solid);
    status = status ? status : sn_query_check_translation(world, translation, "sn_world_sweep");
    if (status != SN_OK) {
        return status;
    }
    *hit = (sn_hit){0};
    sn_bounds box = query.solid.bounds;
    sn_vec3 center = sn_scale(sn_add(box.lower, box.upper), 0.5f);
    sn_vec3 extent = sn_query_widen(center, sn_scale(sn_sub(box.upper, box.lower), 0.5f), translation);
    sn_bounds_tree_ray(&world->static_tree, center, translation, extent, filter.mask, sweep_shape, &query);
    sn_bounds_tree_ray(&world->moving_tree, center, translation, extent, filter.mask, sweep_shape, &query);
    for (int i = 0; i < world->deformables.count; ++i) {
        if (sn_query_sweep_deformable(world, i, &query.solid, translation, filter, query.best.value, hit)) {
            query.best.value = hit->fraction;
        }
    }
    return SN_OK;
}

// Checks and helpers of all queries, which are in queries_ray.c, queries_sweep.c, queries_overlap.c and
// queries_closest.c; those of deformables are in queries_soft.c.
#include "world/queries/queries.h"
#include "geometry/shapes/check.h"

// Shorter translations have no direction: their squares leave float32. [m]
#define SHORTEST_TRANSLATION 1.0e-12f
// The slack of boxes: a part of the coordinates, many times the rounding error in the frames of bodies and in
// the narrow phase, and a length for shapes that are larger than their coordinates. [m]
#define RELATIVE_SLACK 1.0e-5f
#define ABSOLUTE_SLACK 1.0e-4f

sn_query_filter sn_query_filter_default(void)
{
    return (sn_query_filter){.category = UINT64_MAX, .mask = UINT64_MAX};
}

bool sn_query_sees_filter(sn_query_filter filter, sn_filter seen)
{
    return (seen.category & filter.mask) != 0 && (filter.category & seen.mask) != 0;
}

bool sn_query_sees(sn_query_filter filter, const sn_shape_data *shape)
{
    return !shape->sensor && sn_query_sees_filter(filter, shape->filter);
}

sn_pose sn_query_shape_pose(const sn_world *world, const sn_shape_data *shape)
{
    return sn_pose_multiply(sn_body_pose(&world->bodies.data[shape->body]), shape->offset);
}

float sn_query_slack(float size)
{
    return RELATIVE_SLACK * size + ABSOLUTE_SLACK;
}

float sn_query_largest_coordinate(sn_vec3 v)
{
    sn_vec3 size = sn_abs3(v);
    return sn_max(size.x, sn_max(size.y, size.z));
}

sn_vec3 sn_query_widen(sn_vec3 center, sn_vec3 extent, sn_vec3 translation)
{
    float slack = sn_query_slack(sn_query_largest_coordinate(center) + sn_query_largest_coordinate(extent) +
                                 sn_query_largest_coordinate(translation));
    return sn_add(extent, sn_v(slack, slack, slack));
}

sn_status sn_query_check_pointer(const sn_world *world, const void *pointer, const char *function,
                                 const char *field)
{
    return pointer != NULL ? SN_OK : sn_fail(world->error, SN_ERROR_NULL, "%s: %s is null", function, field);
}

sn_status sn_query_check_answer(const sn_world *world, const void *out, int capacity, const int *count,
                                const char *function)
{
    sn_status status = sn_world_check_open(world, function);
    if (status == SN_OK && capacity < 0) {
        status =
            sn_fail(world->error, SN_ERROR_RANGE, "%s: capacity is %d, expected >= 0", function, capacity);
    }
    status = status ? status : sn_query_check_pointer(world, count, function, "count");
    return status || capacity == 0 ? status : sn_query_check_pointer(world, out, function, "out");
}

sn_status sn_query_check_translation(const sn_world *world, sn_vec3 translation, const char *function)
{
    sn_status status = sn_check_vec3(translation, SN_MAX_COORDINATE, world->error, function, "translation");
    float length = sn_length(translation);
    if (status == SN_OK && (length < SHORTEST_TRANSLATION || length > SN_MAX_COORDINATE)) {
        status =
            sn_fail(world->error, SN_ERROR_RANGE, "%s: length of translation is %g, expected > 0 and <= %g",
                    function, (double)length, (double)SN_MAX_COORDINATE);
    }
    return status;
}

sn_status sn_query_solid_make(const sn_world *world, const sn_solid *solid, const char *function,
                              sn_query_solid *made)
{
    sn_status status = sn_query_check_pointer(world, solid, function, "solid");
    status = status ? status : sn_check_solid(solid, world->error, function);
    if (status != SN_OK) {
        return status;
    }
    made->pose = (sn_pose){solid->pose.position, sn_quat_normalize(solid->pose.rotation)};
    made->convex = sn_convex_solid(&made->storage, solid);
    made->bounds = sn_convex_bounds(&made->convex, made->pose);
    return SN_OK;
}

float sn_query_height(sn_plane plane, const sn_convex *convex, sn_pose pose, sn_vec3 *lowest)
{
    sn_vec3 down = sn_neg(sn_rotate_inverse(pose.rotation, plane.normal));
    sn_vec3 core = sn_pose_apply(pose, convex->points[sn_convex_support(convex, down)]);
    *lowest = sn_add_scaled(core, -convex->radius, plane.normal);
    return sn_dot(plane.normal, core) - plane.offset - convex->radius;
}

// Queries of deformables: rays and closest points against triangles at the present positions of nodes, and
// against edges of strands as capsules. Solids are in queries_soft_solids.c. The box of each deformable is
// known from the last step, so distant ones cost nothing; within a box every face is tested.
#include "world/queries/queries_soft.h"
#include "collision/narrow/cast.h"
#include "geometry/shapes/check.h"
#include "geometry/shapes/nearest.h"

// --- nearest points ----------------------------------------------------------------------------------------

static float distance_to_box(sn_vec3 point, sn_bounds box)
{
    sn_vec3 outside = sn_max3(sn_sub(box.lower, point), sn_sub(point, box.upper));
    return sn_length(sn_max3(outside, sn_v(0.0f, 0.0f, 0.0f)));
}

static void closest_of(const sn_world *world, int index, sn_vec3 point, float *limit, sn_closest *closest)
{
    const sn_deformable_data *data = &world->deformables.data[index];
    sn_query_faces faces = sn_query_faces_of(world, data);
    sn_bounds box = sn_deformable_bounds(world, data);
    float slack = sn_query_slack(sn_query_largest_coordinate(point)) + faces.radius;
    if (distance_to_box(point, box) > *limit + slack) {
        return;
    }
    for (int face = 0; face < faces.count; ++face) {
        sn_vec3 corners[3], origin = sn_query_see_face(&faces, face, corners), p = sn_sub(point, origin),
                            on_face;
        float weights[3], away = sn_query_face_weights(&faces, corners, p, weights),
                          distance = away - faces.radius;
        if (!(distance < *limit)) {
            continue;
        }
        on_face = sn_add_scaled(sn_scale(corners[1], weights[1]), weights[2], corners[2]);
        // On the face itself any normal will do.
        sn_vec3 across = away > 0.0f ? sn_scale(sn_sub(p, on_face), 1.0f / away)
                                     : sn_perpendicular(sn_normalize(corners[1]));
        *limit = distance;
        *closest = (sn_closest){.point = sn_add(origin, sn_add_scaled(on_face, faces.radius, across)),
                                .normal = across,
                                .distance = distance,
                                .deformable = sn_deformable_id(world, index),
                                .face = face,
                                .weights = {weights[0], weights[1], weights[2]}};
    }
}

void sn_query_closest_deformable(const sn_world *world, sn_vec3 point, float limit, sn_query_filter filter,
                                 sn_closest *closest)
{
    for (int i = 0; i < world->deformables.count; ++i) {
        if (sn_query_sees_deformable(world, i, filter)) {
            closest_of(world, i, point, &limit, closest);
        }
    }
}

// --- rays --------------------------------------------------------------------------------------------------

static sn_cast_result ray_face(const sn_query_faces *faces, const sn_vec3 corners[3], sn_vec3 origin,
                               sn_vec3 translation)
{
    if (faces->width == 3) {
        return sn_ray_triangle(corners, true, origin, translation);
    }
    const sn_convex capsule = {.points = corners, .point_count = 2, .radius = faces->radius};
    return sn_ray_convex(&capsule, origin, translation);
}

bool sn_query_ray_deformable(const sn_world *world, int index, sn_vec3 origin, sn_vec3 translation,
                             sn_query_filter filter, float limit, sn_hit *hit)
{
    if (!sn_query_sees_deformable(world, index, filter)) {
        return false;
    }
    const sn_deformable_data *data = &world->deformables.data[index];
    sn_query_faces faces = sn_query_faces_of(world, data);
    float size = sn_query_largest_coordinate(origin) + sn_query_largest_coordinate(translation);
    sn_bounds box = sn_bounds_grow(sn_deformable_bounds(world, data), sn_query_slack(size) + faces.radius);
    bool found = false;
    for (int face = 0; face < faces.count && (face > 0 || sn_query_segment_meets(origin, translation, box));
         ++face) {
        sn_vec3 corners[3], first = sn_query_see_face(&faces, face, corners);
        sn_cast_result cast = ray_face(&faces, corners, sn_sub(origin, first), translation);
        found = sn_query_take_hit(&faces, face, first, corners, &cast, translation, &limit, hit) || found;
    }
    if (found) {
        hit->deformable = sn_deformable_id(world, index);
    }
    return found;
}

// --- picking -----------------------------------------------------------------------------------------------

static sn_point point_of_face(const sn_world *world, const sn_hit *hit)
{
    const sn_deformable_data *data = sn_world_deformable(world, hit->deformable);
    sn_query_faces faces = sn_query_faces_of(world, data);
    const uint32_t *corners = faces.corners + (size_t)hit->face * (size_t)faces.width;
    sn_point point = {.type = SN_POINT_NODES, .deformable = hit->deformable, .node_count = faces.width};
    for (int k = 0; k < faces.width; ++k) {
        point.nodes[k] = (int)corners[k];
        point.weights[k] = hit->weights[k];
    }
    return point;
}

sn_status sn_world_pick(const sn_world *world, sn_vec3 origin, sn_vec3 translation, sn_query_filter filter,
                        sn_point *point, sn_hit *hit)
{
    sn_status status = sn_world_check_open(world, "sn_world_pick");
    status = status ? status : sn_query_check_pointer(world, point, "sn_world_pick", "point");
    sn_hit first;
    status = status ? status : sn_world_ray(world, origin, translation, filter, &first);
    if (status != SN_OK) {
        return status;
    }
    if (first.deformable.index != 0) {
        *point = point_of_face(world, &first);
    } else if (first.shape.index != 0) {
        *point = sn_point_on_rigid(world, first.rigid, first.point);
    } else {
        *point = sn_point_world(sn_add(origin, translation));
    }
    if (hit != NULL) {
        *hit = first;
    }
    return SN_OK;
}

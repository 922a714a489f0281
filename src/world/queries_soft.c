// What queries see of deformables: the triangles of their meshes where the nodes are now, and of strands the
// edges, as capsules. Boxes around whole deformables are known from the last step, so that what is far away
// costs nothing; within a box every face is looked at.
#include "collision/cast.h"
#include "geometry/check.h"
#include "geometry/nearest.h"
#include "world/queries.h"

// A deformable's faces: triangles, or edges of a strand.
typedef struct face_list {
    const sn_node_state *nodes;
    const uint32_t *corners;
    int count, width;
    float radius; // of edges
} face_list;

static face_list faces_of(const sn_world *world, const sn_deformable_data *data)
{
    const sn_mesh *mesh = data->def.mesh;
    bool is_strand = mesh->triangle_count == 0;
    return (face_list){.nodes = world->nodes.states.data + data->first_node,
                       .corners = is_strand ? mesh->edges : mesh->triangles,
                       .count = is_strand ? mesh->edge_count : mesh->triangle_count,
                       .width = is_strand ? 2 : 3,
                       .radius = is_strand ? 0.5f * data->def.thickness : 0.0f};
}

// Corners of a face as seen from the first one, where float32 is finest; returns that one.
static sn_vec3 see_face(const face_list *faces, int face, sn_vec3 corners[3])
{
    const uint32_t *nodes = faces->corners + (size_t)face * (size_t)faces->width;
    sn_vec3 origin = faces->nodes[nodes[0]].position;
    for (int k = 0; k < 3; ++k) {
        corners[k] = sn_sub(faces->nodes[nodes[k < faces->width ? k : faces->width - 1]].position, origin);
    }
    return origin;
}

static bool is_seen(const sn_world *world, int index, sn_query_filter filter)
{
    return sn_id_pool_in_use(&world->deformable_ids, index) &&
           sn_query_sees_filter(filter, world->deformables.data[index].def.filter);
}

// --- nearest points ----------------------------------------------------------------------------------------

// Weights of a face's corners for its point nearest to p.
static float nearest_on_face(const face_list *faces, const sn_vec3 corners[3], sn_vec3 p, float weights[3])
{
    weights[0] = weights[1] = weights[2] = 0.0f;
    return faces->width == 2 ? sn_nearest_on_edge(corners[0], corners[1], p, weights)
                             : sn_nearest_on_triangle(corners, p, weights);
}

static float distance_to_box(sn_vec3 point, sn_bounds box)
{
    sn_vec3 outside = sn_max3(sn_sub(box.lower, point), sn_sub(point, box.upper));
    return sn_length(sn_max3(outside, sn_v(0.0f, 0.0f, 0.0f)));
}

static void closest_of(const sn_world *world, int index, sn_vec3 point, float *limit, sn_closest *closest)
{
    const sn_deformable_data *data = &world->deformables.data[index];
    face_list faces = faces_of(world, data);
    sn_bounds box = sn_deformable_bounds(world, data);
    float slack = sn_query_slack(sn_query_largest_coordinate(point)) + faces.radius;
    if (distance_to_box(point, box) > *limit + slack) {
        return;
    }
    for (int face = 0; face < faces.count; ++face) {
        sn_vec3 corners[3], origin = see_face(&faces, face, corners), p = sn_sub(point, origin), on_face;
        float weights[3], away = nearest_on_face(&faces, corners, p, weights), distance = away - faces.radius;
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
        if (is_seen(world, i, filter)) {
            closest_of(world, i, point, &limit, closest);
        }
    }
}

// --- rays --------------------------------------------------------------------------------------------------

// Whether the segment comes into the box: by the axes of the box and the segment's own across them.
static bool segment_meets(sn_vec3 origin, sn_vec3 translation, sn_bounds box)
{
    sn_vec3 center = sn_scale(sn_add(box.lower, box.upper), 0.5f), half = sn_sub(box.upper, center);
    sn_vec3 way = sn_scale(translation, 0.5f), reach = sn_abs3(way);
    sn_vec3 middle = sn_sub(sn_add(origin, way), center), apart = sn_abs3(middle);
    if (apart.x > half.x + reach.x || apart.y > half.y + reach.y || apart.z > half.z + reach.z) {
        return false;
    }
    sn_vec3 across = sn_abs3(sn_cross(way, middle));
    return across.x <= half.y * reach.z + half.z * reach.y &&
           across.y <= half.x * reach.z + half.z * reach.x && across.z <= half.x * reach.y + half.y * reach.x;
}

static sn_cast_result ray_face(const face_list *faces, const sn_vec3 corners[3], sn_vec3 origin,
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
    if (!is_seen(world, index, filter)) {
        return false;
    }
    const sn_deformable_data *data = &world->deformables.data[index];
    face_list faces = faces_of(world, data);
    float size = sn_query_largest_coordinate(origin) + sn_query_largest_coordinate(translation);
    sn_bounds box = sn_bounds_grow(sn_deformable_bounds(world, data), sn_query_slack(size) + faces.radius);
    bool found = false;
    for (int face = 0; face < faces.count && (face > 0 || segment_meets(origin, translation, box)); ++face) {
        sn_vec3 corners[3], first = see_face(&faces, face, corners);
        sn_cast_result cast = ray_face(&faces, corners, sn_sub(origin, first), translation);
        if (!cast.hit || !(cast.fraction < limit)) {
            continue;
        }
        bool along = sn_dot(cast.normal, translation) > 0.0f;
        limit = cast.fraction;
        found = true;
        *hit = (sn_hit){.point = sn_add(first, cast.point),
                        .normal = along ? sn_neg(cast.normal) : cast.normal,
                        .fraction = cast.fraction,
                        .deformable = sn_deformable_id(world, index),
                        .face = face};
        (void)nearest_on_face(&faces, corners, cast.point, hit->weights);
    }
    return found;
}

// --- boxes -------------------------------------------------------------------------------------------------

sn_status sn_world_overlap_deformables(const sn_world *world, sn_bounds bounds, sn_query_filter filter,
                                       sn_deformable *out, int capacity, int *count)
{
    const char *function = "sn_world_overlap_deformables";
    sn_status status = sn_world_check_open(world, function);
    if (status == SN_OK && capacity < 0) {
        status =
            sn_fail(world->error, SN_ERROR_RANGE, "%s: capacity is %d, expected >= 0", function, capacity);
    }
    status = status ? status : sn_query_check_pointer(world, count, function, "count");
    status = status || capacity == 0 ? status : sn_query_check_pointer(world, out, function, "out");
    status = status ? status : sn_query_check_bounds(world, bounds, function);
    if (status != SN_OK) {
        return status;
    }
    *count = 0;
    for (int i = 0; i < world->deformables.count; ++i) {
        if (is_seen(world, i, filter) &&
            sn_bounds_overlap(sn_deformable_bounds(world, &world->deformables.data[i]), bounds)) {
            if (*count < capacity) {
                out[*count] = sn_deformable_id(world, i);
            }
            ++*count;
        }
    }
    return SN_OK;
}

// --- picking -----------------------------------------------------------------------------------------------

static sn_point point_of_face(const sn_world *world, const sn_hit *hit)
{
    const sn_deformable_data *data = sn_world_deformable(world, hit->deformable);
    face_list faces = faces_of(world, data);
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

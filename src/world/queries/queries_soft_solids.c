// Solids against deformables: which ones a solid or a box overlaps, and which face a moving solid meets
// first. Volumes are solid: their tetrahedra are tested where a solid may lie inside.
#include "collision/narrow/cast.h"
#include "collision/narrow/gjk.h"
#include "world/queries/queries_soft.h"

// --- answers -----------------------------------------------------------------------------------------------

static void add_answer(const sn_world *world, int index, sn_deformable *out, int capacity, int *count)
{
    if (*count < capacity) {
        out[*count] = sn_deformable_id(world, index);
    }
    ++*count;
}

sn_status sn_world_overlap_deformable_bounds(const sn_world *world, sn_bounds bounds, sn_query_filter filter,
                                             sn_deformable *out, int capacity, int *count)
{
    const char *function = "sn_world_overlap_deformable_bounds";
    sn_status status = sn_query_check_answer(world, out, capacity, count, function);
    status = status ? status : sn_query_check_bounds(world, bounds, function);
    if (status != SN_OK) {
        return status;
    }
    *count = 0;
    for (int i = 0; i < world->deformables.count; ++i) {
        if (sn_query_sees_deformable(world, i, filter) &&
            sn_bounds_overlap(sn_deformable_bounds(world, &world->deformables.data[i]), bounds)) {
            add_answer(world, i, out, capacity, count);
        }
    }
    return SN_OK;
}

// --- overlaps ----------------------------------------------------------------------------------------------

// The smallest things that fill a deformable: tetrahedra, else its faces.
static sn_query_faces elements_of(const sn_world *world, const sn_deformable_data *data)
{
    sn_query_faces elements = sn_query_faces_of(world, data);
    if (data->def.mesh->tetrahedron_count > 0) {
        elements.corners = data->def.mesh->tetrahedra;
        elements.count = data->def.mesh->tetrahedron_count;
        elements.width = 4;
    }
    return elements;
}

static bool overlaps_element(const sn_query_faces *elements, int element, const sn_query_solid *solid,
                             sn_bounds near)
{
    sn_vec3 points[4];
    const uint32_t *corners = elements->corners + (size_t)element * (size_t)elements->width;
    sn_vec3 first = elements->nodes[corners[0]].position;
    sn_bounds box = {first, first};
    for (int k = 0; k < elements->width; ++k) {
        sn_vec3 place = elements->nodes[corners[k]].position;
        box = (sn_bounds){sn_min3(box.lower, place), sn_max3(box.upper, place)};
        points[k] = sn_sub(place, first); // float32 is finest there
    }
    if (!sn_bounds_overlap(box, near)) {
        return false;
    }
    sn_convex convex = {.points = points, .point_count = elements->width, .radius = elements->radius};
    sn_pose pose = {sn_sub(solid->pose.position, first), solid->pose.rotation};
    return sn_gjk_distance(&convex, &solid->convex, pose).distance <= convex.radius + solid->convex.radius;
}

static bool overlaps_deformable(const sn_world *world, const sn_deformable_data *data,
                                const sn_query_solid *solid)
{
    sn_query_faces elements = elements_of(world, data);
    float size = sn_max(sn_query_largest_coordinate(solid->bounds.lower),
                        sn_query_largest_coordinate(solid->bounds.upper));
    sn_bounds near = sn_bounds_grow(solid->bounds, sn_query_slack(size) + elements.radius);
    if (!sn_bounds_overlap(sn_deformable_bounds(world, data), near)) {
        return false;
    }
    for (int i = 0; i < elements.count; ++i) {
        if (overlaps_element(&elements, i, solid, near)) {
            return true;
        }
    }
    return false;
}

sn_status sn_world_overlap_deformables(const sn_world *world, const sn_solid *solid, sn_query_filter filter,
                                       sn_deformable *out, int capacity, int *count)
{
    const char *function = "sn_world_overlap_deformables";
    sn_query_solid asked;
    sn_status status = sn_query_check_answer(world, out, capacity, count, function);
    status = status ? status : sn_query_solid_make(world, solid, function, &asked);
    if (status != SN_OK) {
        return status;
    }
    *count = 0;
    for (int i = 0; i < world->deformables.count; ++i) {
        if (sn_query_sees_deformable(world, i, filter) &&
            overlaps_deformable(world, &world->deformables.data[i], &asked)) {
            add_answer(world, i, out, capacity, count);
        }
    }
    return SN_OK;
}

// --- sweeps ------------------------------------------------------------------------------------------------

static sn_cast_result cast_at_face(const sn_query_faces *faces, const sn_vec3 corners[3],
                                   const sn_query_solid *solid, sn_vec3 first, sn_vec3 translation)
{
    sn_pose pose = {sn_sub(solid->pose.position, first), solid->pose.rotation};
    if (faces->width == 2) {
        const sn_convex edge = {.points = corners, .point_count = 2, .radius = faces->radius};
        return sn_cast_convex(&edge, &solid->convex, pose, translation);
    }
    sn_convex_storage storage;
    const sn_convex triangle = sn_convex_triangle(&storage, corners[0], corners[1], corners[2]);
    return sn_cast_convex(&triangle, &solid->convex, pose, translation);
}

bool sn_query_sweep_deformable(const sn_world *world, int index, const sn_query_solid *solid,
                               sn_vec3 translation, sn_query_filter filter, float limit, sn_hit *hit)
{
    if (!sn_query_sees_deformable(world, index, filter)) {
        return false;
    }
    const sn_deformable_data *data = &world->deformables.data[index];
    sn_query_faces faces = sn_query_faces_of(world, data);
    sn_vec3 center = sn_scale(sn_add(solid->bounds.lower, solid->bounds.upper), 0.5f);
    sn_vec3 extent = sn_sub(solid->bounds.upper, center);
    extent = sn_query_widen(center, extent, translation);
    extent = sn_add(extent, sn_v(faces.radius, faces.radius, faces.radius));
    sn_bounds all = sn_deformable_bounds(world, data);
    sn_bounds grown = {sn_sub(all.lower, extent), sn_add(all.upper, extent)};
    bool found = false;
    for (int i = 0; i < faces.count && (i > 0 || sn_query_segment_meets(center, translation, grown)); ++i) {
        sn_vec3 corners[3], first = sn_query_see_face(&faces, i, corners), from = sn_sub(center, first);
        sn_bounds box = {sn_min3(corners[0], sn_min3(corners[1], corners[2])),
                         sn_max3(corners[0], sn_max3(corners[1], corners[2]))};
        box = (sn_bounds){sn_sub(box.lower, extent), sn_add(box.upper, extent)};
        if (!sn_query_segment_meets(from, translation, box)) {
            continue;
        }
        sn_cast_result cast = cast_at_face(&faces, corners, solid, first, translation);
        found = sn_query_take_hit(&faces, i, first, corners, &cast, translation, &limit, hit) || found;
    }
    if (found) {
        hit->deformable = sn_deformable_id(world, index);
    }
    return found;
}

// Shapes: views, boxes and masses of the geometry they hold.
#include "collision/narrow/shape.h"

#include "geometry/shapes/mass.h"

// A half-space has no box; this one is used instead and keeps the tree's arithmetic finite.
static const sn_bounds everywhere = {{-4.0e6f, -4.0e6f, -4.0e6f}, {4.0e6f, 4.0e6f, 4.0e6f}};

void sn_shape_store(sn_shape_data *shape)
{
    switch (shape->type) {
    case SN_SPHERE:
        (void)sn_convex_sphere(&shape->storage, shape->sphere);
        break;
    case SN_CAPSULE:
        (void)sn_convex_capsule(&shape->storage, shape->capsule);
        break;
    case SN_BOX:
        (void)sn_convex_box(&shape->storage, shape->box);
        break;
    default:
        break;
    }
}

sn_convex sn_shape_convex(const sn_shape_data *shape)
{
    if (shape->type == SN_HULL) {
        return sn_convex_hull(shape->hull);
    }
    if (shape->type == SN_BOX) {
        sn_convex box = {
            .points = shape->storage.box.vertices, .point_count = 8, .is_polyhedron = true, .is_box = true};
        box.polyhedron = sn_box_hull_view(&shape->storage.box);
        return box;
    }
    bool capsule = shape->type == SN_CAPSULE;
    sn_convex round = {.points = shape->storage.points,
                       .point_count = capsule ? 2 : 1,
                       .radius = capsule ? shape->capsule.radius : shape->sphere.radius};
    return round;
}

sn_bounds sn_bounds_at(sn_bounds local, sn_pose pose)
{
    sn_vec3 half = sn_scale(sn_sub(local.upper, local.lower), 0.5f);
    sn_vec3 middle = sn_pose_apply(pose, sn_scale(sn_add(local.upper, local.lower), 0.5f));
    sn_mat3 r = sn_mat3_from_quat(pose.rotation);
    sn_vec3 extent = sn_add(sn_add(sn_scale(sn_abs3(r.x), half.x), sn_scale(sn_abs3(r.y), half.y)),
                            sn_scale(sn_abs3(r.z), half.z));
    sn_bounds bounds = {sn_sub(middle, extent), sn_add(middle, extent)};
    return bounds;
}

sn_bounds sn_shape_compute_bounds(const sn_shape_data *shape, sn_pose body_pose)
{
    sn_pose pose = sn_pose_multiply(body_pose, shape->offset);
    switch (shape->type) {
    case SN_PLANE:
        return everywhere;
    case SN_SURFACE:
        return sn_bounds_at(shape->surface->bounds, pose);
    case SN_COMPOUND:
        return sn_bounds_at(shape->compound->bounds, pose);
    case SN_BOX: {
        sn_bounds local = {sn_neg(shape->box.half_extents), shape->box.half_extents};
        return sn_bounds_at(local, pose);
    }
    default: {
        sn_convex convex = sn_shape_convex(shape);
        return sn_convex_bounds(&convex, pose);
    }
    }
}

// A convex shape as a solid of the body's frame.
static sn_solid solid_of(const sn_shape_data *shape)
{
    sn_solid solid = {.type = shape->type, .pose = shape->offset};
    switch (shape->type) {
    case SN_SPHERE:
        solid.sphere = shape->sphere;
        break;
    case SN_CAPSULE:
        solid.capsule = shape->capsule;
        break;
    case SN_BOX:
        solid.box = shape->box;
        break;
    default:
        solid.hull = shape->hull;
        break;
    }
    return solid;
}

sn_mass sn_shape_mass(const sn_shape_data *shape)
{
    if (shape->sensor) {
        return (sn_mass){0};
    }
    sn_mass none = {0.0f, {0.0f, 0.0f, 0.0f}, {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}}};
    if (shape->density == 0.0f || shape->type == SN_PLANE || shape->type == SN_SURFACE) {
        return none;
    }
    if (shape->type == SN_COMPOUND) {
        return sn_mass_transformed(sn_mass_of_compound(shape->compound, shape->density), shape->offset);
    }
    sn_solid solid = solid_of(shape);
    return sn_mass_of_solid(&solid, shape->density);
}

static float farthest_corner(sn_bounds bounds, sn_vec3 from)
{
    return sn_length(sn_max3(sn_abs3(sn_sub(bounds.lower, from)), sn_abs3(sn_sub(bounds.upper, from))));
}

float sn_shape_outer_radius(const sn_shape_data *shape, sn_vec3 center)
{
    sn_vec3 from = sn_pose_apply_inverse(shape->offset, center);
    if (shape->type == SN_PLANE) {
        return 0.0f;
    }
    if (shape->type == SN_SURFACE || shape->type == SN_COMPOUND) {
        return farthest_corner(shape->type == SN_SURFACE ? shape->surface->bounds : shape->compound->bounds,
                               from);
    }
    sn_convex convex = sn_shape_convex(shape);
    float farthest = 0.0f;
    for (int i = 0; i < convex.point_count; ++i) {
        farthest = sn_max(farthest, sn_distance_between(convex.points[i], from));
    }
    return farthest + convex.radius;
}

static float solid_inner_ball(const sn_solid *solid, sn_vec3 *center)
{
    switch (solid->type) {
    case SN_SPHERE:
        *center = sn_pose_apply(solid->pose, solid->sphere.center);
        return solid->sphere.radius;
    case SN_CAPSULE:
        *center = sn_pose_apply(solid->pose, sn_lerp(solid->capsule.a, solid->capsule.b, 0.5f));
        return solid->capsule.radius;
    case SN_BOX:
        *center = solid->pose.position;
        return sn_min(solid->box.half_extents.x,
                      sn_min(solid->box.half_extents.y, solid->box.half_extents.z));
    default:
        *center = sn_pose_apply(solid->pose, solid->hull->polyhedron.center);
        return solid->hull->inner_radius;
    }
}

int sn_shape_core_count(const sn_shape_data *shape)
{
    return sn_shape_is_convex(shape->type) ? 1
                                           : (shape->type == SN_COMPOUND ? shape->compound->part_count : 0);
}

float sn_shape_core(const sn_shape_data *shape, int part, sn_vec3 *center)
{
    if (shape->type != SN_COMPOUND) {
        sn_solid solid = solid_of(shape);
        return solid_inner_ball(&solid, center);
    }
    sn_vec3 in_shape;
    float radius = solid_inner_ball(&shape->compound->parts[part].solid, &in_shape);
    *center = sn_pose_apply(shape->offset, in_shape);
    return radius;
}

void sn_shape_retain_geometry(const sn_shape_data *shape)
{
    if (shape->type == SN_HULL) {
        sn_hull_retain(shape->hull);
    } else if (shape->type == SN_SURFACE) {
        sn_surface_retain(shape->surface);
    } else if (shape->type == SN_COMPOUND) {
        sn_compound_retain(shape->compound);
    }
}

void sn_shape_release_geometry(sn_shape_data *shape)
{
    // The handles are const because geometry is immutable; the reference count is not part of it.
    if (shape->type == SN_HULL) {
        sn_hull_destroy((sn_hull *)shape->hull);
    } else if (shape->type == SN_SURFACE) {
        sn_surface_destroy((sn_surface *)shape->surface);
    } else if (shape->type == SN_COMPOUND) {
        sn_compound_destroy((sn_compound *)shape->compound);
    }
}

bool sn_filter_allows(sn_filter a, sn_filter b)
{
    if (a.group == b.group && a.group != 0) {
        return a.group > 0;
    }
    return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}

uint64_t sn_filter_search_mask(sn_filter filter)
{
    return filter.group > 0 ? UINT64_MAX : filter.mask;
}

uint64_t sn_filter_leaf_category(sn_filter filter)
{
    return filter.group > 0 ? UINT64_MAX : filter.category;
}

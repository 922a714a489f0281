// From shapes to patches: splits compounds and surfaces into convex pairs, merges the contacts of triangles
// with the same normal into one patch, and recognises the points of the last step by their features.
#include "collision/narrow/contact_pair.h"

#include <string.h>

#define CLUSTER_POINTS 48
#define CLUSTER_COUNT  16
// Points of neighbouring triangles closer than this are one: an absolute distance [m], and a part of the
// convex shape's size.
#define SAME_POINT      1.0e-3f
#define SAME_POINT_PART 1.0e-2f

bool sn_contact_in_order(const sn_shape_data *a, int index_a, const sn_shape_data *b, int index_b)
{
    static const int rank[] = {[SN_SPHERE] = 0, [SN_CAPSULE] = 0, [SN_BOX] = 0,     [SN_HULL] = 0,
                               [SN_PLANE] = 3,  [SN_SURFACE] = 2, [SN_COMPOUND] = 1};
    int rank_a = rank[a->type], rank_b = rank[b->type];
    return rank_a != rank_b ? rank_a > rank_b : index_a < index_b;
}

void sn_contact_mix_materials(sn_contact_data *contact, const sn_shape_data *a, const sn_shape_data *b)
{
    contact->friction = sqrtf(a->friction * b->friction);
    contact->restitution = sn_max(a->restitution, b->restitution);
    contact->rolling_resistance = sn_max(a->rolling_resistance, b->rolling_resistance);
    contact->is_sensor = a->sensor || b->sensor;
    contact->has_surface_velocity =
        sn_length_squared(a->surface_velocity) + sn_length_squared(b->surface_velocity) > 0.0f;
}

// --- collecting patches --------------------------------------------------------------------------

typedef struct collector {
    sn_pose a_in_world; // shape a
    sn_vec3 to_a, to_b; // origin of shape a − mass centres
    sn_patch *patches;
    int count, capacity;
    float margin;
} collector;

// Turns a manifold given in a frame of shape a into a patch of the world.
static void collect(collector *out, const sn_manifold *manifold, sn_pose frame_in_a, uint32_t part_a,
                    uint32_t part_b)
{
    if (manifold->count == 0 || out->count == out->capacity) {
        return;
    }
    sn_patch *patch = &out->patches[out->count++];
    memset(patch, 0, sizeof *patch);
    sn_quat turn = sn_quat_multiply(out->a_in_world.rotation, frame_in_a.rotation);
    patch->normal = sn_normalize(sn_rotate(turn, manifold->normal));
    patch->part_a = part_a;
    patch->part_b = part_b;
    patch->count = manifold->count;
    for (int i = 0; i < manifold->count; ++i) {
        sn_vec3 in_a = sn_pose_apply(frame_in_a, manifold->points[i].position);
        sn_vec3 offset = sn_rotate(out->a_in_world.rotation, in_a);
        patch->points[i].arm_a = sn_add(offset, out->to_a);
        patch->points[i].arm_b = sn_add(offset, out->to_b);
        patch->points[i].separation = manifold->points[i].separation;
        patch->points[i].feature = manifold->points[i].feature;
    }
}

// --- surfaces ------------------------------------------------------------------------------------

typedef struct cluster {
    sn_vec3 normal;
    int count;
    sn_manifold_point points[CLUSTER_POINTS];
} cluster;

typedef struct surface_query {
    const sn_surface *surface;
    const sn_convex *convex;
    sn_pose convex_in_surface;
    float margin;
    float same_squared; // points nearer than this are one [m²]
    int cluster_count;
    cluster clusters[CLUSTER_COUNT];
} surface_query;

static void cluster_add(cluster *target, sn_manifold_point point, float same_squared)
{
    for (int i = 0; i < target->count; ++i) {
        // Neighbouring triangles report the points of their common edge twice.
        if (sn_length_squared(sn_sub(target->points[i].position, point.position)) < same_squared) {
            if (point.separation < target->points[i].separation) {
                target->points[i] = point;
            }
            return;
        }
    }
    if (target->count == CLUSTER_POINTS) {
        target->count = sn_manifold_reduce(target->points, target->count, target->normal);
    }
    target->points[target->count++] = point;
}

static cluster *cluster_for(surface_query *query, sn_vec3 normal)
{
    for (int i = 0; i < query->cluster_count; ++i) {
        if (sn_dot(query->clusters[i].normal, normal) > 0.9995f) {
            return &query->clusters[i];
        }
    }
    if (query->cluster_count == CLUSTER_COUNT) {
        return NULL;
    }
    cluster *fresh = &query->clusters[query->cluster_count++];
    fresh->normal = normal;
    fresh->count = 0;
    return fresh;
}

static bool collide_one_triangle(void *context, int triangle)
{
    surface_query *query = context;
    sn_vec3 corners[3];
    sn_surface_triangle(query->surface, triangle, corners);
    sn_manifold manifold;
    sn_collide_triangle(corners, query->surface->active_edges[triangle], query->surface->double_sided,
                        query->convex, query->convex_in_surface, query->margin, &manifold);
    cluster *target = manifold.count > 0 ? cluster_for(query, manifold.normal) : NULL;
    for (int i = 0; target != NULL && i < manifold.count; ++i) {
        sn_manifold_point point = manifold.points[i];
        point.feature ^= ((uint32_t)triangle + 1u) * 0x9e3779b1u;
        cluster_add(target, point, query->same_squared);
    }
    return true;
}

static void collide_surface(collector *out, const sn_surface *surface, const sn_convex *b, sn_pose b_in_a,
                            uint32_t part_b)
{
    surface_query query;
    query.surface = surface;
    query.convex = b;
    query.convex_in_surface = b_in_a;
    query.margin = out->margin;
    query.cluster_count = 0;
    sn_bounds around = sn_convex_bounds(b, b_in_a);
    float same = sn_min(SAME_POINT, SAME_POINT_PART * sn_length(sn_sub(around.upper, around.lower)));
    query.same_squared = same * same;
    sn_bounds reach = sn_bounds_grow(around, out->margin);
    sn_surface_overlap(surface, reach, collide_one_triangle, &query);
    for (int i = 0; i < query.cluster_count; ++i) {
        cluster *found = &query.clusters[i];
        sn_manifold manifold = {.normal = found->normal};
        manifold.count = sn_manifold_reduce(found->points, found->count, found->normal);
        memcpy(manifold.points, found->points, (size_t)manifold.count * sizeof *manifold.points);
        collect(out, &manifold, sn_pose_identity, 0, part_b);
    }
}

// --- compounds -----------------------------------------------------------------------------------

// Shape a, or each of its parts, against one convex part of b.
static void collide_with_convex(collector *out, const sn_shape_data *a, const sn_convex *b, sn_pose b_in_a,
                                uint32_t part_b)
{
    sn_manifold manifold;
    if (a->type == SN_PLANE) {
        sn_collide_plane(a->plane, b, b_in_a, out->margin, &manifold);
        collect(out, &manifold, sn_pose_identity, 0, part_b);
    } else if (a->type == SN_SURFACE) {
        collide_surface(out, a->surface, b, b_in_a, part_b);
    } else if (a->type == SN_COMPOUND) {
        sn_bounds reach = sn_bounds_grow(sn_convex_bounds(b, b_in_a), out->margin);
        for (int i = 0; i < a->compound->part_count; ++i) {
            const sn_compound_part_data *part = &a->compound->parts[i];
            if (sn_bounds_overlap(part->bounds, reach)) {
                sn_convex convex = sn_compound_convex(a->compound, i);
                sn_collide_convex(&convex, b, sn_pose_relative(part->solid.pose, b_in_a), out->margin,
                                  &manifold);
                collect(out, &manifold, part->solid.pose, (uint32_t)i, part_b);
            }
        }
    } else {
        sn_convex convex = sn_shape_convex(a);
        sn_collide_convex(&convex, b, b_in_a, out->margin, &manifold);
        collect(out, &manifold, sn_pose_identity, 0, part_b);
    }
}

int sn_collide_shapes(const sn_shape_data *a, sn_placement place_a, const sn_shape_data *b,
                      sn_placement place_b, float margin, sn_patch *patches, int capacity)
{
    sn_pose pose_a = sn_pose_multiply(place_a.pose, a->offset);
    sn_pose pose_b = sn_pose_multiply(place_b.pose, b->offset);
    sn_pose b_in_a = sn_pose_relative(pose_a, pose_b);
    collector out = {.a_in_world = pose_a,
                     .to_a = sn_sub(pose_a.position, place_a.center),
                     .to_b = sn_sub(pose_a.position, place_b.center),
                     .patches = patches,
                     .capacity = capacity,
                     .margin = margin};
    if (sn_shape_is_convex(b->type)) {
        sn_convex convex = sn_shape_convex(b);
        collide_with_convex(&out, a, &convex, b_in_a, 0);
    } else if (b->type == SN_COMPOUND) {
        for (int i = 0; i < b->compound->part_count; ++i) {
            sn_convex convex = sn_compound_convex(b->compound, i);
            collide_with_convex(&out, a, &convex, sn_pose_multiply(b_in_a, b->compound->parts[i].solid.pose),
                                (uint32_t)i);
        }
    }
    return out.count;
}

bool sn_shapes_overlap(const sn_shape_data *a, sn_placement place_a, const sn_shape_data *b,
                       sn_placement place_b)
{
    sn_patch patches[SN_MAX_PATCHES];
    int count = sn_collide_shapes(a, place_a, b, place_b, 0.0f, patches, SN_MAX_PATCHES);
    for (int k = 0; k < count; ++k) {
        for (int i = 0; i < patches[k].count; ++i) {
            if (patches[k].points[i].separation <= 0.0f) {
                return true;
            }
        }
    }
    return false;
}

// --- warm start ----------------------------------------------------------------------------------

// A patch whose normal turned farther than this cosine is a new one.
static const float same_normal = 0.8f;

const sn_patch *sn_patch_find(const sn_patch *patches, int count, const sn_patch *patch)
{
    const sn_patch *nearest = NULL;
    float nearest_cosine = same_normal;
    for (int i = 0; i < count; ++i) {
        const sn_patch *old = &patches[i];
        float cosine = sn_dot(old->normal, patch->normal);
        if (old->part_a == patch->part_a && old->part_b == patch->part_b && cosine > nearest_cosine) {
            nearest_cosine = cosine;
            nearest = old;
        }
    }
    return nearest;
}

// Points farther than this from where they were are new ones: a distance [m], and a part of the shorter arm.
static const float same_place = 0.02f, same_place_part = 0.2f;

static const sn_patch_point *find_old_point(const sn_patch *old, const sn_patch_point *point)
{
    const sn_patch_point *nearest = NULL;
    float arm_squared = sn_min(sn_length_squared(point->arm_a), sn_length_squared(point->arm_b));
    float nearest_squared = sn_min(same_place * same_place, same_place_part * same_place_part * arm_squared);
    for (int i = 0; i < old->count; ++i) {
        if (old->points[i].feature == point->feature) {
            return &old->points[i];
        }
        float squared = sn_length_squared(sn_sub(old->points[i].arm_b, point->arm_b));
        if (squared < nearest_squared) {
            nearest_squared = squared;
            nearest = &old->points[i];
        }
    }
    return nearest;
}

static void carry_over(sn_patch *fresh, const sn_patch *old)
{
    fresh->rolling_impulse = old->rolling_impulse;
    fresh->twist_impulse = old->twist_impulse;
    fresh->friction_impulse =
        sn_add_scaled(old->friction_impulse, -sn_dot(old->friction_impulse, fresh->normal), fresh->normal);
    for (int i = 0; i < fresh->count; ++i) {
        sn_patch_point *point = &fresh->points[i];
        const sn_patch_point *before = find_old_point(old, point);
        if (before != NULL) {
            point->normal_impulse = before->normal_impulse;
            point->reference = before->reference;
        }
    }
}

int sn_contact_update(sn_contact_data *contact, const sn_shape_data *a, sn_placement place_a,
                      const sn_shape_data *b, sn_placement place_b, float margin)
{
    sn_patch fresh[SN_MAX_PATCHES];
    int count = sn_collide_shapes(a, place_a, b, place_b, margin, fresh, SN_MAX_PATCHES);
    if (count > contact->patches.capacity) {
        return count;
    }
    for (int i = 0; i < count; ++i) {
        const sn_patch *old = sn_patch_find(contact->patches.data, contact->patches.count, &fresh[i]);
        if (old != NULL) {
            carry_over(&fresh[i], old);
        }
    }
    if (count > 0) {
        memcpy(contact->patches.data, fresh, (size_t)count * sizeof *fresh);
    }
    contact->patches.count = count;
    return count;
}

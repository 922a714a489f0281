// A collision shape: geometry placed in a body, material, filter, and its box in the bounds tree. Knows its
// body only by number.
#ifndef SN_COLLISION_NARROW_SHAPE_H
#define SN_COLLISION_NARROW_SHAPE_H

#include "geometry/shapes/compound.h"
#include "geometry/shapes/surface.h"
#include "sinew/shape.h"

typedef struct sn_shape_data {
    sn_shape_type type;
    int body;
    int next; // shape of the same body, −1 at the end
    sn_pose offset;
    float density, friction, restitution, rolling_resistance;
    sn_filter filter;
    bool contact_events, hit_events, sensor;
    sn_vec3 surface_velocity; // body axes
    void *user;
    union {
        sn_sphere sphere;
        sn_capsule capsule;
        sn_box box;
        sn_plane plane;
        const sn_hull *hull;
        const sn_surface *surface;
        const sn_compound *compound;
    };
    sn_convex_storage storage; // of the convex view, for types that are one
    // Broad phase. `bounds` is where the shape may be during the step; `fat` is the box in the tree, which
    // contains it.
    sn_bounds bounds, fat;
    int leaf;           // in the tree of its body's type
    bool query_pending; // new pairs must be searched for in the next step
} sn_shape_data;

static inline bool sn_shape_is_convex(sn_shape_type type)
{
    return type == SN_SPHERE || type == SN_CAPSULE || type == SN_BOX || type == SN_HULL;
}

// Fills the storage of the convex view from the geometry. Call after the geometry changes.
void sn_shape_store(sn_shape_data *shape);
// The convex view in the shape's own frame; only for convex types. Borrowed from `shape`.
sn_convex sn_shape_convex(const sn_shape_data *shape);
// The box around a box at a pose.
sn_bounds sn_bounds_at(sn_bounds local, sn_pose pose);
// Box at a pose of the body.
sn_bounds sn_shape_compute_bounds(const sn_shape_data *shape, sn_pose body_pose);
// Mass in the body's frame; zero for planes, surfaces and sensors.
sn_mass sn_shape_mass(const sn_shape_data *shape);
// Farthest point of the shape from `center` (body frame); 0 for planes.
float sn_shape_outer_radius(const sn_shape_data *shape, sn_vec3 center);
// Balls that fit inside the shape, one for each convex part: how many there are, and the radius of one with
// its centre (body frame). None for planes and surfaces.
int sn_shape_core_count(const sn_shape_data *shape);
float sn_shape_core(const sn_shape_data *shape, int part, sn_vec3 *center);
// Takes and drops the reference to shared geometry.
void sn_shape_retain_geometry(const sn_shape_data *shape);
void sn_shape_release_geometry(sn_shape_data *shape);
bool sn_filter_allows(sn_filter a, sn_filter b);
// Categories that a search for pairs must visit: all of them if there is a group that overrules the mask.
uint64_t sn_filter_search_mask(sn_filter filter);
// The category of a shape in the tree: all of them if its group may find it whatever its category.
uint64_t sn_filter_leaf_category(sn_filter filter);

#endif

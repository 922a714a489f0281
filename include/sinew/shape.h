/// \file
/// Collision shapes and the immutable geometry they share.
#ifndef SINEW_SHAPE_H
#define SINEW_SHAPE_H

#include "base.h"
#include "math.h"
#include "rigid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sn_shape_type {
    SN_SPHERE,
    SN_CAPSULE,
    SN_BOX,
    SN_HULL,
    SN_PLANE,   ///< half-space; static bodies only
    SN_SURFACE, ///< triangle mesh; static and kinematic bodies only
    SN_COMPOUND
} sn_shape_type;

typedef struct sn_sphere {
    sn_vec3 center; ///< in the shape's frame [m]
    float radius;   ///< > 0 [m]
} sn_sphere;

typedef struct sn_capsule {
    sn_vec3 a, b; ///< ends of the axis, at least 1e-4 m apart [m]
    float radius; ///< > 0 [m]
} sn_capsule;

typedef struct sn_box {
    sn_vec3 half_extents; ///< > 0 each [m]
} sn_box;

/// All points with normal · p ≤ offset are solid.
typedef struct sn_plane {
    sn_vec3 normal; ///< any length but zero; normalised on entry
    float offset;   ///< [m], along the unit normal
} sn_plane;

// --- shared geometry ---------------------------------------------------------------------------------------
// Immutable and reference-counted: a shape keeps what it needs, so the maker may destroy its own handle as
// soon as the shapes are added. One geometry may serve any number of shapes and worlds (of one thread at a
// time).

/// Convex hull. Opaque.
typedef struct sn_hull sn_hull;
/// Triangle mesh with its bounds tree. Opaque.
typedef struct sn_surface sn_surface;
/// Several convex parts in one. Opaque.
typedef struct sn_compound sn_compound;

#define SN_MAX_HULL_VERTICES 128

/// The convex hull of 4…16,777,216 points (stride 12 bytes). Coincident points are welded and coplanar faces
/// joined, within a millionth of the largest coordinate; if the hull would have more than `max_vertices`
/// (4…SN_MAX_HULL_VERTICES; 0 means the maximum) it is built from the farthest ones. SN_ERROR_GEOMETRY for
/// points on a plane, a line or a point. Message in sn_last_error().
SN_API sn_status sn_hull_create(const sn_vec3 *points, int count, int max_vertices, sn_hull **hull);
/// A cylinder along y, centred, of 3…64 sides; a cone if `top_radius` is 0.
SN_API sn_status sn_hull_cylinder(float height, float bottom_radius, float top_radius, int sides,
                                  sn_hull **hull);
/// Lets go of the maker's handle; shapes keep theirs. Null is fine.
SN_API void sn_hull_destroy(sn_hull *hull);
/// Number of vertices; 0 for null.
SN_API int sn_hull_vertex_count(const sn_hull *hull);
/// Number of faces; 0 for null.
SN_API int sn_hull_face_count(const sn_hull *hull);
/// The vertices, as many as sn_hull_vertex_count says; null for null.
SN_API const sn_vec3 *sn_hull_vertices(const sn_hull *hull);
/// Corner indices of one face, counter-clockwise from outside; returns how many.
SN_API int sn_hull_face(const sn_hull *hull, int face, int *indices, int capacity);

/// A triangle surface: `triangles` holds 3 indices each, counter-clockwise seen from the side that collides
/// (`double_sided` makes both). Need not be closed. Vertices that coincide within float32 rounding are
/// welded, so that inner edges are known and do not catch; triangles without an area are dropped, which
/// renumbers the rest. SN_ERROR_RANGE for bad indices or counts outside 1…16,777,216, SN_ERROR_GEOMETRY if no
/// triangle has an area.
SN_API sn_status sn_surface_create(const sn_vec3 *vertices, int vertex_count, const uint32_t *triangles,
                                   int triangle_count, bool double_sided, sn_surface **surface);
/// Lets go of the maker's handle; shapes keep theirs. Null is fine.
SN_API void sn_surface_destroy(sn_surface *surface);
/// Triangles kept: degenerate ones were dropped. 0 for null.
SN_API int sn_surface_triangle_count(const sn_surface *surface);
/// Whether it collides from both sides; false for null.
SN_API bool sn_surface_is_double_sided(const sn_surface *surface);
/// Corners of one triangle, in the surface's frame.
SN_API void sn_surface_triangle(const sn_surface *surface, int triangle, sn_vec3 corners[3]);

/// A convex solid by value: part of a compound, or the moving thing of a query. `type` is SN_SPHERE,
/// SN_CAPSULE, SN_BOX or SN_HULL.
typedef struct sn_solid {
    sn_shape_type type;
    sn_pose pose; ///< in the frame of its owner
    union {
        sn_sphere sphere;
        sn_capsule capsule;
        sn_box box;
        const sn_hull *hull;
    };
} sn_solid;

/// Up to 4096 convex parts. Their masses add; where they overlap it counts twice.
SN_API sn_status sn_compound_create(const sn_solid *parts, int count, sn_compound **compound);
/// Lets go of the maker's handle; shapes keep theirs. Null is fine.
SN_API void sn_compound_destroy(sn_compound *compound);
/// Number of parts; 0 for null.
SN_API int sn_compound_part_count(const sn_compound *compound);
/// One part as it was given; zeros for a part that does not exist.
SN_API sn_solid sn_compound_part(const sn_compound *compound, int part);

/// Mass properties of a solid of uniform density, for one who builds bodies by hand.
SN_API sn_status sn_solid_mass(const sn_solid *solid, float density, sn_mass *mass);
/// The same for a closed triangle mesh (Mirtich 1996). SN_ERROR_GEOMETRY if an edge has not exactly two
/// triangles in opposite directions, or the volume is not positive.
SN_API sn_status sn_mesh_mass(const sn_vec3 *vertices, int vertex_count, const uint32_t *triangles,
                              int triangle_count, float density, sn_mass *mass);

// --- shapes ------------------------------------------------------------------------------------------------

/// Which shapes may touch: (a.category & b.mask) and (b.category & a.mask) must both be non-zero; shapes with
/// the same non-zero group always (positive) or never (negative) touch.
typedef struct sn_filter {
    uint64_t category, mask;
    int32_t group;
} sn_filter;

/// Category 1, mask all, group 0: touches everything that does not say otherwise.
SN_API sn_filter sn_filter_default(void);

typedef struct sn_shape_def {
    uint32_t cookie;   ///< set by sn_shape_def_default; do not touch
    sn_pose offset;    ///< of the shape in the body
    float density;     ///< 0…1e9 [kg/m³]; default 1000; 0 adds no mass. On a dynamic body each shape
                       ///< weighs nothing or at least 1e-12 kg, all together at most 1e15 kg
    float friction;    ///< ≥ 0, ≤ 100; default 0.5; a pair has √(µa µb)
    float restitution; ///< 0…1; default 0; a pair has the larger
    float rolling_resistance; ///< ≥ 0 [m]; default 0; a pair has the larger
    sn_filter filter;         ///< default: category 1, mask all, group 0
    bool contact_events;      ///< begin and end are reported; default true
    bool hit_events;          ///< hits are reported; default false
    /// A sensor only reports what overlaps it, by the events of touching (both shapes must have
    /// `contact_events`): it pushes nothing, weighs nothing whatever its density, wakes nothing, and queries
    /// do not see it. It reports shapes of bodies that move, asleep or awake, and if it moves itself those of
    /// static ones too; not other sensors, and no deformables. Of a surface only the triangles count. Default
    /// false.
    bool sensor;
    /// How fast the surface moves along itself, in the body's axes [m/s], each component within ±1e5; default
    /// 0. What touches it is driven by friction, as by a conveyor belt; deformables not by the staggered solver.
    sn_vec3 surface_velocity;
    void *user;
} sn_shape_def;

/// Water's density, friction 0.5, no restitution; see the fields.
SN_API sn_shape_def sn_shape_def_default(void);

/// Adds a shape to a body and updates its mass. `def` null means the default; `shape` may be null.
/// SN_ERROR_ID, SN_ERROR_DEFINITION, SN_ERROR_NOT_FINITE, SN_ERROR_RANGE, SN_ERROR_ROTATION, SN_ERROR_NULL,
/// SN_ERROR_KIND (a plane or surface on a body that may not have one), SN_ERROR_LOCKED, SN_ERROR_MEMORY.
SN_API sn_status sn_sphere_add(sn_world *world, sn_rigid rigid, const sn_shape_def *def, sn_sphere sphere,
                               sn_shape *shape);
/// A capsule; as sn_sphere_add.
SN_API sn_status sn_capsule_add(sn_world *world, sn_rigid rigid, const sn_shape_def *def, sn_capsule capsule,
                                sn_shape *shape);
/// A box; as sn_sphere_add.
SN_API sn_status sn_box_add(sn_world *world, sn_rigid rigid, const sn_shape_def *def, sn_box box,
                            sn_shape *shape);
/// A half-space, on static bodies only; as sn_sphere_add.
SN_API sn_status sn_plane_add(sn_world *world, sn_rigid rigid, const sn_shape_def *def, sn_plane plane,
                              sn_shape *shape);
/// A convex hull; as sn_sphere_add.
SN_API sn_status sn_hull_add(sn_world *world, sn_rigid rigid, const sn_shape_def *def, const sn_hull *hull,
                             sn_shape *shape);
/// A triangle surface, not on dynamic bodies; as sn_sphere_add.
SN_API sn_status sn_surface_add(sn_world *world, sn_rigid rigid, const sn_shape_def *def,
                                const sn_surface *surface, sn_shape *shape);
/// A compound; as sn_sphere_add.
SN_API sn_status sn_compound_add(sn_world *world, sn_rigid rigid, const sn_shape_def *def,
                                 const sn_compound *compound, sn_shape *shape);
/// Removes a shape; what it touched wakes; the body's mass is computed anew unless it was set by hand.
SN_API sn_status sn_shape_remove(sn_world *world, sn_shape shape);

/// Whether the id names a shape that exists.
SN_API bool sn_shape_is_valid(const sn_world *world, sn_shape shape);
/// Its type; SN_SPHERE and a message for a bad id.
SN_API sn_shape_type sn_shape_get_type(const sn_world *world, sn_shape shape);
/// The body it belongs to.
SN_API sn_rigid sn_shape_rigid(const sn_world *world, sn_shape shape);
/// The definition that would make this shape as it is now.
SN_API sn_shape_def sn_shape_definition(const sn_world *world, sn_shape shape);
/// The box around it where its body is now, world axes.
SN_API sn_bounds sn_shape_bounds(const sn_world *world, sn_shape shape);
/// The user pointer of its definition.
SN_API void *sn_shape_user(const sn_world *world, sn_shape shape);

/// What the shape is made of. Of a shape of another type: zeros or null, and a message. Geometry stays owned
/// by the world.
SN_API sn_sphere sn_shape_sphere(const sn_world *world, sn_shape shape);
/// The capsule.
SN_API sn_capsule sn_shape_capsule(const sn_world *world, sn_shape shape);
/// The box.
SN_API sn_box sn_shape_box(const sn_world *world, sn_shape shape);
/// The plane, its normal of unit length.
SN_API sn_plane sn_shape_plane(const sn_world *world, sn_shape shape);
/// The hull.
SN_API const sn_hull *sn_shape_hull(const sn_world *world, sn_shape shape);
/// The surface.
SN_API const sn_surface *sn_shape_surface(const sn_world *world, sn_shape shape);
/// The compound.
SN_API const sn_compound *sn_shape_compound(const sn_world *world, sn_shape shape);

/// Changes while running; ranges as in the definition. Touching bodies wake.
SN_API sn_status sn_shape_friction_set(sn_world *world, sn_shape shape, float friction);
/// 0…1.
SN_API sn_status sn_shape_restitution_set(sn_world *world, sn_shape shape, float restitution);
/// ≥ 0 [m].
SN_API sn_status sn_shape_rolling_resistance_set(sn_world *world, sn_shape shape, float resistance);
/// ≥ 0 [kg/m³]; the body's mass follows unless it was set by hand.
SN_API sn_status sn_shape_density_set(sn_world *world, sn_shape shape, float density);
/// Makes a shape a sensor or a solid one; contacts it has end, and the body's mass follows.
SN_API sn_status sn_shape_sensor_set(sn_world *world, sn_shape shape, bool sensor);
/// In the body's axes [m/s].
SN_API sn_status sn_shape_surface_velocity_set(sn_world *world, sn_shape shape, sn_vec3 velocity);
/// Contacts made under the old filter end.
SN_API sn_status sn_shape_filter_set(sn_world *world, sn_shape shape, sn_filter filter);
/// Replace the geometry by another of the same type (SN_ERROR_KIND otherwise).
SN_API sn_status sn_shape_sphere_set(sn_world *world, sn_shape shape, sn_sphere sphere);
/// The same for a capsule.
SN_API sn_status sn_shape_capsule_set(sn_world *world, sn_shape shape, sn_capsule capsule);
/// The same for a box.
SN_API sn_status sn_shape_box_set(sn_world *world, sn_shape shape, sn_box box);

/// Whether two shapes that come near each other may touch; asked after the filters of the shapes allowed it.
/// Must give the same answer whenever it is asked, or runs cannot be repeated. The world is locked meanwhile:
/// it may be asked but not changed (SN_ERROR_LOCKED).
typedef bool (*sn_contact_filter)(const sn_world *world, sn_shape a, sn_shape b, void *user);

/// Sets the world's contact filter, or removes it (null). Asked once for every pair of shapes of rigid bodies
/// when their boxes begin to overlap, in an order that does not depend on threads, and not again until they
/// have parted. All pairs there are are asked anew, so all contacts end and everything wakes. Deformables are
/// not asked about. Snapshots keep the answers but not the function. SN_ERROR_NULL, SN_ERROR_LOCKED.
SN_API sn_status sn_world_contact_filter_set(sn_world *world, sn_contact_filter filter, void *user);

/// One point where two shapes touch.
typedef struct sn_contact_point {
    sn_vec3 position;     ///< world [m]
    float separation;     ///< negative when penetrating [m]
    float normal_impulse; ///< over the last step [N s]
    uint32_t feature;     ///< stable from step to step
} sn_contact_point;

/// A patch of up to four points with one normal.
typedef struct sn_contact {
    sn_shape a, b;
    sn_vec3 normal;           ///< from a to b
    sn_vec3 friction_impulse; ///< over the last step, on shape b, at the centre of pressure [N s]
    int count;                ///< of the points, 1…4; what lies behind them is not written
    sn_contact_point points[4];
} sn_contact;

/// Contact patches of a body, up to `capacity`; returns how many there are.
SN_API int sn_rigid_contacts(const sn_world *world, sn_rigid rigid, sn_contact *out, int capacity);
/// Contact patches of all pairs of rigid bodies, each once, those of sleeping ones included, up to
/// `capacity`; returns how many there are.
SN_API int sn_world_contacts(const sn_world *world, sn_contact *out, int capacity);

#ifdef __cplusplus
}
#endif
#endif

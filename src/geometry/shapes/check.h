// Checks of what comes in from outside: numbers, poses, primitive shapes. Each returns SN_OK or fails with a
// message "<object>: <field> is <value>, expected …" in `error` (null: the thread's own). `object` says who,
// "sphere of rigid 'crate'"; `field` says which, "radius".
#ifndef SN_GEOMETRY_SHAPES_CHECK_H
#define SN_GEOMETRY_SHAPES_CHECK_H

#include "base/error.h"
#include "sinew/shape.h"

// Radii, half extents and the like below this are rejected: their squares and inertias leave float32. [m]
#define SN_MIN_SIZE 1.0e-5f
// A capsule's ends are at least this far apart. [m]
#define SN_MIN_CAPSULE_LENGTH 1.0e-4f
// Most points of a hull, most vertices or triangles of a mesh.
#define SN_MAX_MESH_COUNT (1 << 24)
// How far the length of a quaternion may be off one.
#define SN_ROTATION_TOLERANCE 1.0e-3f

// SN_ERROR_NOT_FINITE, or SN_ERROR_RANGE unless lower ≤ value ≤ upper.
sn_status sn_check_range(float value, float lower, float upper, sn_error *error, const char *object,
                         const char *field);
// A length between SN_MIN_SIZE and SN_MAX_COORDINATE.
sn_status sn_check_size(float value, sn_error *error, const char *object, const char *field);
// SN_ERROR_NOT_FINITE, or SN_ERROR_RANGE if a component is beyond ±limit.
sn_status sn_check_vec3(sn_vec3 value, float limit, sn_error *error, const char *object, const char *field);
// SN_ERROR_NOT_FINITE, or SN_ERROR_ROTATION for a vector of no length; makes it a unit vector.
sn_status sn_check_direction(sn_vec3 *direction, sn_error *error, const char *object, const char *field);
// SN_ERROR_NOT_FINITE, or SN_ERROR_ROTATION if not of unit length; makes it exactly so.
sn_status sn_check_rotation(sn_quat *rotation, sn_error *error, const char *object, const char *field);
// Position within SN_MAX_COORDINATE and rotation as above; messages name field.position or field.rotation.
sn_status sn_check_pose(sn_pose *pose, sn_error *error, const char *object, const char *field);
// Every point within SN_MAX_COORDINATE; messages name "<noun> <index>".
sn_status sn_check_points(const sn_vec3 *points, int count, sn_error *error, const char *object,
                          const char *noun);
// A list of triangles: SN_ERROR_NULL, SN_ERROR_RANGE for counts outside 1…SN_MAX_MESH_COUNT and for indices
// without a vertex, and vertices as above.
sn_status sn_check_triangles(const sn_vec3 *vertices, int vertex_count, const uint32_t *triangles,
                             int triangle_count, sn_error *error, const char *object);

sn_status sn_check_sphere(sn_sphere sphere, sn_error *error, const char *object);
sn_status sn_check_capsule(sn_capsule capsule, sn_error *error, const char *object);
sn_status sn_check_box(sn_box box, sn_error *error, const char *object);
// Makes the normal a unit vector.
sn_status sn_check_plane(sn_plane *plane, sn_error *error, const char *object);
// The solid and its pose (left as given). SN_ERROR_NULL for no solid or no hull, SN_ERROR_KIND for a type
// that is no convex solid.
sn_status sn_check_solid(const sn_solid *solid, sn_error *error, const char *object);

#endif

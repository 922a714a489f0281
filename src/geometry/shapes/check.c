// Checks of input, one function a kind of thing, all with messages of one form. Knows what is legal, not what
// it is for.
#include "geometry/shapes/check.h"
#include <stdio.h>

sn_status sn_check_range(float value, float lower, float upper, sn_error *error, const char *object,
                         const char *field)
{
    if (!sn_is_finite(value)) {
        return sn_fail(error, SN_ERROR_NOT_FINITE, "%s: %s is %g, expected a finite number", object, field,
                       (double)value);
    }
    if (value < lower || value > upper) {
        return sn_fail(error, SN_ERROR_RANGE, "%s: %s is %g, expected >= %g and <= %g", object, field,
                       (double)value, (double)lower, (double)upper);
    }
    return SN_OK;
}

sn_status sn_check_size(float value, sn_error *error, const char *object, const char *field)
{
    return sn_check_range(value, SN_MIN_SIZE, SN_MAX_COORDINATE, error, object, field);
}

sn_status sn_check_vec3(sn_vec3 value, float limit, sn_error *error, const char *object, const char *field)
{
    if (!sn_vec3_is_finite(value)) {
        return sn_fail(error, SN_ERROR_NOT_FINITE, "%s: %s is (%g, %g, %g), expected finite coordinates",
                       object, field, (double)value.x, (double)value.y, (double)value.z);
    }
    sn_vec3 size = sn_abs3(value);
    if (size.x > limit || size.y > limit || size.z > limit) {
        return sn_fail(error, SN_ERROR_RANGE, "%s: %s is (%g, %g, %g), expected coordinates within +-%g",
                       object, field, (double)value.x, (double)value.y, (double)value.z, (double)limit);
    }
    return SN_OK;
}

sn_status sn_check_direction(sn_vec3 *direction, sn_error *error, const char *object, const char *field)
{
    sn_vec3 d = *direction, size = sn_abs3(d);
    if (!sn_vec3_is_finite(d)) {
        return sn_fail(error, SN_ERROR_NOT_FINITE, "%s: %s is (%g, %g, %g), expected finite components",
                       object, field, (double)d.x, (double)d.y, (double)d.z);
    }
    float largest = sn_max(size.x, sn_max(size.y, size.z));
    if (largest == 0.0f) {
        return sn_fail(error, SN_ERROR_ROTATION, "%s: %s is (0, 0, 0), expected a direction", object, field);
    }
    // Divided first: squares of very long or short vectors leave float32.
    *direction = sn_normalize(sn_v(d.x / largest, d.y / largest, d.z / largest));
    return SN_OK;
}

sn_status sn_check_rotation(sn_quat *rotation, sn_error *error, const char *object, const char *field)
{
    sn_quat q = *rotation;
    if (!sn_quat_is_finite(q)) {
        return sn_fail(error, SN_ERROR_NOT_FINITE, "%s: %s is (%g, %g, %g, %g), expected finite components",
                       object, field, (double)q.x, (double)q.y, (double)q.z, (double)q.w);
    }
    float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (!(sn_abs(length - 1.0f) <= SN_ROTATION_TOLERANCE)) {
        return sn_fail(error, SN_ERROR_ROTATION, "%s: %s is (%g, %g, %g, %g) of length %g, expected length 1",
                       object, field, (double)q.x, (double)q.y, (double)q.z, (double)q.w, (double)length);
    }
    *rotation = sn_quat_normalize(q);
    return SN_OK;
}

sn_status sn_check_pose(sn_pose *pose, sn_error *error, const char *object, const char *field)
{
    // Names of parts are made up only when something is wrong with them.
    char name[64];
    sn_error aside;
    if (sn_check_vec3(pose->position, SN_MAX_COORDINATE, &aside, object, field)) {
        snprintf(name, sizeof name, "%s.position", field);
        return sn_check_vec3(pose->position, SN_MAX_COORDINATE, error, object, name);
    }
    if (sn_check_rotation(&pose->rotation, &aside, object, field)) {
        snprintf(name, sizeof name, "%s.rotation", field);
        return sn_check_rotation(&pose->rotation, error, object, name);
    }
    return SN_OK;
}

sn_status sn_check_points(const sn_vec3 *points, int count, sn_error *error, const char *object,
                          const char *noun)
{
    for (int i = 0; i < count; ++i) {
        sn_vec3 size = sn_abs3(points[i]);
        if (size.x <= SN_MAX_COORDINATE && size.y <= SN_MAX_COORDINATE && size.z <= SN_MAX_COORDINATE) {
            continue;
        }
        char field[64];
        snprintf(field, sizeof field, "%s %d", noun, i);
        return sn_check_vec3(points[i], SN_MAX_COORDINATE, error, object, field);
    }
    return SN_OK;
}

static sn_status check_count(int count, sn_error *error, const char *object, const char *field)
{
    if (count < 1 || count > SN_MAX_MESH_COUNT) {
        return sn_fail(error, SN_ERROR_RANGE, "%s: %s is %d, expected >= 1 and <= %d", object, field, count,
                       SN_MAX_MESH_COUNT);
    }
    return SN_OK;
}

sn_status sn_check_triangles(const sn_vec3 *vertices, int vertex_count, const uint32_t *triangles,
                             int triangle_count, sn_error *error, const char *object)
{
    if (!vertices || !triangles) {
        return sn_fail(error, SN_ERROR_NULL, "%s: %s is null", object, vertices ? "triangles" : "vertices");
    }
    sn_status status = check_count(vertex_count, error, object, "vertex_count");
    status = status ? status : check_count(triangle_count, error, object, "triangle_count");
    status = status ? status : sn_check_points(vertices, vertex_count, error, object, "vertex");
    for (int i = 0; !status && i < 3 * triangle_count; ++i) {
        if (triangles[i] >= (uint32_t)vertex_count) {
            status =
                sn_fail(error, SN_ERROR_RANGE, "%s: corner %d of triangle %d is vertex %u, expected < %d",
                        object, i % 3, i / 3, (unsigned)triangles[i], vertex_count);
        }
    }
    return status;
}

sn_status sn_check_sphere(sn_sphere sphere, sn_error *error, const char *object)
{
    sn_status status = sn_check_vec3(sphere.center, SN_MAX_COORDINATE, error, object, "center");
    return status ? status : sn_check_size(sphere.radius, error, object, "radius");
}

sn_status sn_check_capsule(sn_capsule capsule, sn_error *error, const char *object)
{
    sn_status status = sn_check_vec3(capsule.a, SN_MAX_COORDINATE, error, object, "a");
    status = status ? status : sn_check_vec3(capsule.b, SN_MAX_COORDINATE, error, object, "b");
    status = status ? status : sn_check_size(capsule.radius, error, object, "radius");
    float length = sn_distance_between(capsule.a, capsule.b);
    if (!status && length < SN_MIN_CAPSULE_LENGTH) {
        status = sn_fail(error, SN_ERROR_RANGE, "%s: distance from a to b is %g, expected >= %g", object,
                         (double)length, (double)SN_MIN_CAPSULE_LENGTH);
    }
    return status;
}

sn_status sn_check_box(sn_box box, sn_error *error, const char *object)
{
    sn_status status = sn_check_size(box.half_extents.x, error, object, "half_extents.x");
    status = status ? status : sn_check_size(box.half_extents.y, error, object, "half_extents.y");
    return status ? status : sn_check_size(box.half_extents.z, error, object, "half_extents.z");
}

sn_status sn_check_plane(sn_plane *plane, sn_error *error, const char *object)
{
    sn_status status =
        sn_check_range(plane->offset, -SN_MAX_COORDINATE, SN_MAX_COORDINATE, error, object, "offset");
    return status ? status : sn_check_direction(&plane->normal, error, object, "normal");
}

sn_status sn_check_solid(const sn_solid *solid, sn_error *error, const char *object)
{
    if (!solid) {
        return sn_fail(error, SN_ERROR_NULL, "%s: solid is null", object);
    }
    sn_pose pose = solid->pose;
    sn_status status = sn_check_pose(&pose, error, object, "pose");
    if (status) {
        return status;
    }
    switch (solid->type) {
    case SN_SPHERE:
        return sn_check_sphere(solid->sphere, error, object);
    case SN_CAPSULE:
        return sn_check_capsule(solid->capsule, error, object);
    case SN_BOX:
        return sn_check_box(solid->box, error, object);
    case SN_HULL:
        return solid->hull ? SN_OK : sn_fail(error, SN_ERROR_NULL, "%s: hull is null", object);
    default:
        return sn_fail(error, SN_ERROR_KIND, "%s: type is %d, expected a sphere, capsule, box or hull",
                       object, (int)solid->type);
    }
}

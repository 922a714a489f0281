// Checks of pools, bodies, shapes, constraints and contacts read from a snapshot. Numbers that the user hands
// in are held to the limits of the functions that take them; numbers that a step leaves behind need only be
// finite, and those that are only told to the user (forces of constraints) not even that.
#include "world/snapshot/snapshot_check.h"
#include "base/bit_set.h"
#include "geometry/shapes/check.h"
#include "world/bodies/bodies.h"

#include <float.h>
#include <stdio.h>

// --- saying no -----------------------------------------------------------------------------------

// What is being checked: its name in messages, and the first check it did not pass.
typedef struct inspection {
    char object[32];
    sn_status status;
    sn_error why;
} inspection;

static inspection begin_inspection(const char *what, int index)
{
    inspection it = {.status = SN_OK};
    (void)snprintf(it.object, sizeof it.object, "%s %d", what, index);
    return it;
}

static void end_inspection(const inspection *it, sn_stream *stream, size_t at)
{
    if (it->status != SN_OK) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, at, "%s", it->why.text);
    }
}

static void expect(inspection *it, bool holds, const char *what)
{
    if (it->status == SN_OK && !holds) {
        it->status = sn_fail(&it->why, SN_ERROR_FORMAT, "%s: %s", it->object, what);
    }
}

static void expect_range(inspection *it, float value, float lower, float upper, const char *field)
{
    it->status = it->status ? it->status : sn_check_range(value, lower, upper, &it->why, it->object, field);
}

static void expect_finite(inspection *it, sn_vec3 value, const char *field)
{
    it->status = it->status ? it->status : sn_check_vec3(value, FLT_MAX, &it->why, it->object, field);
}

// The pose stays as it is: only what users hand in is made exactly of unit length.
static void expect_pose(inspection *it, sn_pose pose, const char *field)
{
    it->status = it->status ? it->status : sn_check_pose(&pose, &it->why, it->object, field);
}

static bool is_box(sn_bounds bounds)
{
    return sn_vec3_is_finite(bounds.lower) && sn_vec3_is_finite(bounds.upper) &&
           bounds.lower.x <= bounds.upper.x && bounds.lower.y <= bounds.upper.y &&
           bounds.lower.z <= bounds.upper.z;
}

// --- ids -----------------------------------------------------------------------------------------

// Free are exactly the indices with an even generation, each once; 0 is that of an index no more handed out.
void sn_check_saved_id_pool(sn_stream *stream, size_t at, const sn_id_pool *pool, const char *what)
{
    sn_bit_set met = {0};
    if (stream->status == SN_OK && !sn_bit_set_clear(&met, pool->generation.count)) {
        sn_stream_fail(stream, SN_ERROR_MEMORY, at, "no memory to check %s", what);
    }
    for (int i = 0; stream->status == SN_OK && i < pool->free_list.count; ++i) {
        int index = pool->free_list.data[i];
        bool is_free = index >= 0 && index < pool->generation.count &&
                       pool->generation.data[index] % 2 == 0 && pool->generation.data[index] != 0;
        if (!is_free || sn_bit_set_has(&met, index)) {
            sn_stream_fail(stream, SN_ERROR_FORMAT, at, "%s: place %d of the free is %d", what, i, index);
            break;
        }
        sn_bit_set_add(&met, index);
    }
    sn_bit_set_release(&met);
    int reusable = 0;
    for (int i = 0; stream->status == SN_OK && i < pool->generation.count; ++i) {
        reusable += pool->generation.data[i] % 2 == 0 && pool->generation.data[i] != 0;
    }
    if (reusable != pool->free_list.count) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, at, "%s: %d are free, but %d are listed so", what, reusable,
                       pool->free_list.count);
    }
}

// --- bodies --------------------------------------------------------------------------------------

static void inspect_settings(inspection *it, const sn_body *body)
{
    expect_range(it, body->linear_damping, 0.0f, 1000.0f, "linear damping");
    expect_range(it, body->angular_damping, 0.0f, 1000.0f, "angular damping");
    expect_range(it, body->gravity_scale, -1000.0f, 1000.0f, "gravity scale");
    it->status = it->status ? it->status : sn_check_locks(body->locks, &it->why, it->object);
}

static void inspect_mass(inspection *it, const sn_body *body)
{
    if (body->type == SN_DYNAMIC) { // a little beyond the limits, for what sums of shapes lose by rounding
        expect_range(it, body->mass, 0.99f * SN_MIN_MASS, 1.01f * SN_MAX_MASS, "mass");
    } else {
        expect_range(it, body->mass, 0.0f, 0.0f, "mass");
    }
    expect_finite(it, body->local_center, "local mass centre");
    expect_finite(it, body->inertia.x, "inertia.x");
    expect_finite(it, body->inertia.y, "inertia.y");
    expect_finite(it, body->inertia.z, "inertia.z");
}

void sn_check_saved_body(sn_stream *stream, size_t at, const sn_world *world, int index)
{
    const sn_body *body = &world->bodies.data[index];
    inspection it = begin_inspection("rigid", index);
    sn_quat rotation = body->rotation;
    expect(&it, index != SN_GROUND || body->type == SN_STATIC, "the ground is not static");
    expect_finite(&it, body->center, "mass centre");
    it.status = it.status ? it.status : sn_check_rotation(&rotation, &it.why, it.object, "rotation");
    expect_finite(&it, body->linear_velocity, "linear velocity");
    expect_finite(&it, body->angular_velocity, "angular velocity");
    expect_finite(&it, body->force, "force");
    expect_finite(&it, body->torque, "torque");
    expect_pose(&it, body->target, "target");
    inspect_mass(&it, body);
    expect_range(&it, body->outer_radius, 0.0f, FLT_MAX, "outer radius");
    expect_range(&it, body->inner_radius, 0.0f, FLT_MAX, "inner radius");
    expect_range(&it, body->rest_time, 0.0f, FLT_MAX, "rest time");
    inspect_settings(&it, body);
    expect(&it, !body->has_target || body->type == SN_KINEMATIC, "it has a target and is not kinematic");
    expect(&it, body->island_next < 0 || sn_body_is_dynamic(body), "it sleeps and is not dynamic");
    end_inspection(&it, stream, at);
}

// --- shapes --------------------------------------------------------------------------------------

static void inspect_geometry(inspection *it, const sn_shape_data *shape)
{
    if (it->status != SN_OK) {
        return;
    }
    switch (shape->type) {
    case SN_SPHERE:
        it->status = sn_check_sphere(shape->sphere, &it->why, it->object);
        break;
    case SN_CAPSULE:
        it->status = sn_check_capsule(shape->capsule, &it->why, it->object);
        break;
    case SN_BOX:
        it->status = sn_check_box(shape->box, &it->why, it->object);
        break;
    case SN_PLANE:
        expect_range(it, shape->plane.offset, -SN_MAX_COORDINATE, SN_MAX_COORDINATE, "offset");
        expect_range(it, sn_length(shape->plane.normal), 1.0f - SN_ROTATION_TOLERANCE,
                     1.0f + SN_ROTATION_TOLERANCE, "length of the normal");
        break;
    default:
        break; // shared geometry was checked when it was read
    }
}

void sn_check_saved_shape(sn_stream *stream, size_t at, const sn_world *world, int index)
{
    const sn_shape_data *shape = &world->shapes.data[index];
    sn_rigid_type owner = world->bodies.data[shape->body].type;
    inspection it = begin_inspection("shape", index);
    expect_pose(&it, shape->offset, "offset");
    expect_range(&it, shape->density, 0.0f, 1.0e9f, "density");
    expect_range(&it, shape->friction, 0.0f, 100.0f, "friction");
    expect_range(&it, shape->restitution, 0.0f, 1.0f, "restitution");
    expect_range(&it, shape->rolling_resistance, 0.0f, 1.0e6f, "rolling resistance");
    it.status = it.status ? it.status
                          : sn_check_vec3(shape->surface_velocity, SN_MAX_SPEED, &it.why, it.object,
                                          "surface velocity");
    inspect_geometry(&it, shape);
    expect(&it, shape->type != SN_PLANE || owner == SN_STATIC, "it is a plane on a body that is not static");
    expect(&it, shape->type != SN_SURFACE || owner != SN_DYNAMIC, "it is a surface on a dynamic body");
    expect(&it, is_box(shape->bounds) && is_box(shape->fat), "its bounds are no box");
    end_inspection(&it, stream, at);
}

// --- constraints ---------------------------------------------------------------------------------

void sn_check_saved_constraint(sn_stream *stream, size_t at, const sn_world *world, int index)
{
    const sn_constraint_data *constraint = &world->constraints.data[index];
    inspection it = begin_inspection("constraint", index);
    // On a copy: the checks make rotations exactly of unit length, and custom kinds want to see their name.
    sn_definition definition = constraint->definition;
    it.status = sn_constraint_check_ends(world, constraint->kind, &definition, it.object);
    if (it.status != SN_OK) {
        it.why = *world->error;
    }
    it.status = it.status ? it.status : sn_common_check(&definition.common, &it.why, it.object);
    if (constraint->kind == SN_CUSTOM) {
        definition.custom.kind_name = world->custom_kinds.data[constraint->custom_kind].name;
    }
    it.status = it.status ? it.status
                          : sn_definition_check(sn_kinds[constraint->kind], &definition, &it.why, it.object);
    for (int i = 0; i < SN_MAX_ROWS; ++i) {
        expect(&it, sn_is_finite(constraint->impulses[i]), "an impulse is not finite");
    }
    it.status = it.status ? it.status
                          : sn_check_vec3(constraint->nail, SN_MAX_COORDINATE, &it.why, it.object, "nail");
    if (it.status == SN_OK &&
        (constraint->ramp_done < 0 || constraint->ramp_done > definition.common.ramp_steps)) {
        it.status = sn_fail(&it.why, SN_ERROR_FORMAT, "%s: %d steps of its ramp are done, expected 0 to %d",
                            it.object, constraint->ramp_done, definition.common.ramp_steps);
    }
    end_inspection(&it, stream, at);
}

// --- contacts ------------------------------------------------------------------------------------

static void inspect_point(inspection *it, const sn_patch_point *point)
{
    expect_finite(it, point->arm_a, "arm of a");
    expect_finite(it, point->arm_b, "arm of b");
    expect(it, sn_is_finite(point->separation), "a separation is not finite");
    expect(it, sn_is_finite(point->normal_impulse), "a normal impulse is not finite");
    expect(it, sn_is_finite(point->total_normal), "a normal impulse of the step is not finite");
    expect(it, sn_is_finite(point->approach_speed), "an approach speed is not finite");
}

static bool has_part(const sn_shape_data *shape, uint32_t part)
{
    return part < (shape->type == SN_COMPOUND ? (uint32_t)shape->compound->part_count : 1u);
}

static void inspect_patch(inspection *it, const sn_patch *patch, const sn_shape_data *a,
                          const sn_shape_data *b)
{
    it->status = it->status ? it->status
                            : sn_check_vec3(patch->normal, 1.0f + SN_ROTATION_TOLERANCE, &it->why, it->object,
                                            "normal");
    expect_finite(it, patch->friction_impulse, "friction impulse");
    expect_finite(it, patch->rolling_impulse, "rolling impulse");
    expect(it, sn_is_finite(patch->twist_impulse), "a twist impulse is not finite");
    expect_finite(it, patch->total_friction, "friction impulse of the step");
    expect(it, has_part(a, patch->part_a) && has_part(b, patch->part_b), "it is of a part that is not there");
    for (int i = 0; i < patch->count; ++i) {
        inspect_point(it, &patch->points[i]);
    }
}

void sn_check_saved_contact(sn_stream *stream, size_t at, const sn_world *world, int index)
{
    const sn_contact_data *contact = &world->contacts.data[index];
    const sn_shape_data *a = &world->shapes.data[contact->shape_a],
                        *b = &world->shapes.data[contact->shape_b];
    inspection it = begin_inspection("contact", index);
    expect(&it, contact->body_a != contact->body_b, "both its shapes are of the same body");
    expect(&it, sn_contact_in_order(a, contact->shape_a, b, contact->shape_b), "its shapes are exchanged");
    expect_range(&it, contact->friction, 0.0f, 100.0f, "friction");
    expect_range(&it, contact->restitution, 0.0f, 1.0f, "restitution");
    expect_range(&it, contact->rolling_resistance, 0.0f, 1.0e6f, "rolling resistance");
    expect_range(&it, contact->sub_step, 0.0f, 1.0f, "sub-step");
    expect(&it, contact->is_sensor == (a->sensor || b->sensor),
           "it is a sensor's, or not, unlike its shapes");
    expect(&it, !(contact->is_sensor || contact->is_ignored) || contact->patches.count == 0,
           "it has patches though nothing may touch");
    for (int k = 0; k < contact->patches.count; ++k) {
        inspect_patch(&it, &contact->patches.data[k], a, b);
    }
    end_inspection(&it, stream, at);
}

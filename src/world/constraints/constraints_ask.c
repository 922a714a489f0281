// Questions about constraints, and placing their frames.
// Tested by tests/world/constraints/test_ends.c.
#include "constraint/parts.h"
#include "geometry/shapes/check.h"
#include "world/exact/exact_plan.h"

static sn_rigid body_of(const sn_world *world, const sn_point *point)
{
    return point->type == SN_POINT_WORLD ? sn_rigid_id(world, SN_GROUND) : point->rigid;
}

// A function that answers VALUE of the constraint `data`, or OTHERWISE for an id that names none.
#define ASK(TYPE, FUNCTION, VALUE, OTHERWISE)                                                                \
    TYPE FUNCTION(const sn_world *world, sn_constraint constraint)                                           \
    {                                                                                                        \
        const sn_constraint_data *data = sn_world_constraint(world, constraint);                             \
        return data != NULL ? (VALUE) : (OTHERWISE);                                                         \
    }

ASK(sn_constraint_kind, sn_constraint_get_kind, data->kind, SN_BALL)
ASK(const char *, sn_constraint_name, data->name != NULL ? data->name : "", "")
ASK(void *, sn_constraint_user, data->definition.common.user, NULL)
ASK(sn_rigid, sn_constraint_body_a, body_of(world, &data->definition.common.a), (sn_rigid){0})
ASK(sn_rigid, sn_constraint_body_b, body_of(world, &data->definition.common.b), (sn_rigid){0})
ASK(sn_vec3, sn_constraint_force, world->constraint_forces.data[data - world->constraints.data], (sn_vec3){0})
ASK(sn_vec3, sn_constraint_torque, data->torque, (sn_vec3){0})

// The frame in which position and rotation of an end are given, and the mass centre in it: a body, the world
// itself, or the frame of nodes about their weighted sum.
static sn_pose parent_of(const sn_world *world, const sn_point *point, sn_vec3 *center)
{
    *center = sn_v(0.0f, 0.0f, 0.0f);
    if (point->type == SN_POINT_WORLD) {
        return sn_pose_identity;
    }
    if (point->type == SN_POINT_RIGID) {
        const sn_body *body = &world->bodies.data[point->rigid.index - 1];
        *center = body->local_center;
        return sn_body_pose(body);
    }
    sn_point unturned = *point;
    unturned.rotation = sn_quat_identity;
    return sn_point_pose_now(world, &unturned);
}

// The input of the constraint's function now.
static sn_row_input input_of(const sn_world *world, const sn_constraint_data *data)
{
    const sn_constraint_common *common = &data->definition.common;
    sn_vec3 centers[2];
    sn_pose a = parent_of(world, &common->a, &centers[0]), b = parent_of(world, &common->b, &centers[1]);
    return sn_row_input_make(a, centers[0], b, centers[1], common);
}

int sn_world_evaluate(const sn_world *world, const sn_constraint_data *data, sn_row *rows)
{
    sn_row_input input = input_of(world, data);
    sn_rows_clear(rows, SN_MAX_ROWS);
    int count = data->kind == SN_CUSTOM
                    ? world->custom_kinds.data[data->custom_kind].function(&input, data->custom_data, rows)
                    : sn_kinds[data->kind]->evaluate(&input, &data->definition, rows);
    return count < 0 ? 0 : (count > SN_MAX_ROWS ? SN_MAX_ROWS : count);
}

float sn_constraint_error(const sn_world *world, sn_constraint constraint)
{
    const sn_constraint_data *data = sn_world_constraint(world, constraint);
    if (data == NULL) {
        return 0.0f;
    }
    sn_row rows[SN_MAX_ROWS];
    return sn_rows_error(rows, sn_world_evaluate(world, data, rows));
}

sn_constraint_hold sn_constraint_hold_now(const sn_world *world, sn_constraint constraint)
{
    const sn_constraint_data *data = sn_world_constraint(world, constraint);
    int index = (int)constraint.index - 1;
    if (data == NULL || !sn_constraint_holds(world, index)) {
        return SN_CONSTRAINT_OFF;
    }
    if (!data->definition.common.exact) {
        return SN_CONSTRAINT_ROWS;
    }
    if (!sn_world_plan_exact(world)) {
        (void)sn_fail(world->error, SN_ERROR_MEMORY, "sn_constraint_hold_now: out of memory");
        return SN_CONSTRAINT_ROWS_INSTEAD;
    }
    return (sn_constraint_hold)world->exact->holds.data[index];
}

static float measure(const sn_world *world, const sn_constraint_data *data)
{
    sn_row_input input = input_of(world, data);
    return sn_kinds[data->kind]->measure(&input).value;
}

float sn_constraint_coordinate(const sn_world *world, sn_constraint constraint)
{
    const sn_constraint_data *data = sn_world_constraint(world, constraint);
    if (data == NULL) {
        return 0.0f;
    }
    if (sn_kinds[data->kind]->measure == NULL) {
        sn_label label = sn_constraint_label(world, (int)(data - world->constraints.data));
        (void)sn_fail(world->error, SN_ERROR_KIND, "%s has no angle, travel or length", label.text);
        return 0.0f;
    }
    return measure(world, data);
}

// The coordinate of a constraint of a given kind.
static float measure_kind(const sn_world *world, sn_constraint constraint, sn_constraint_kind kind)
{
    sn_constraint_data *data;
    sn_status status = sn_world_constraint_of_kind(world, constraint, kind, &data);
    return status == SN_OK ? measure(world, data) : 0.0f;
}

float sn_hinge_angle(const sn_world *world, sn_constraint constraint)
{
    return measure_kind(world, constraint, SN_HINGE);
}

float sn_slider_travel(const sn_world *world, sn_constraint constraint)
{
    return measure_kind(world, constraint, SN_SLIDER);
}

float sn_distance_length(const sn_world *world, sn_constraint constraint)
{
    return measure_kind(world, constraint, SN_DISTANCE);
}

// --- placing frames ------------------------------------------------------------------------------

static sn_status place(const sn_world *world, sn_constraint_common *common, sn_rigid a, sn_rigid b,
                       sn_pose at_a, sn_pose at_b)
{
    const sn_body *body_a = sn_world_body(world, a);
    const sn_body *body_b = body_a ? sn_world_body(world, b) : NULL;
    if (body_b == NULL) {
        return SN_ERROR_ID;
    }
    common->a = sn_point_rigid_frame(a, sn_pose_relative(sn_body_pose(body_a), at_a));
    common->b = sn_point_rigid_frame(b, sn_pose_relative(sn_body_pose(body_b), at_b));
    return SN_OK;
}

sn_status sn_constraint_place(const sn_world *world, sn_constraint_common *common, sn_rigid a, sn_rigid b,
                              sn_vec3 point, sn_vec3 axis)
{
    if (world == NULL || common == NULL) {
        return sn_fail(world ? world->error : NULL, SN_ERROR_NULL, "sn_constraint_place: %s is null",
                       world ? "common" : "world");
    }
    sn_status status = sn_check_vec3(point, SN_MAX_COORDINATE, world->error, "constraint", "point");
    status = status ? status : sn_check_direction(&axis, world->error, "constraint", "axis");
    sn_pose frame = {point, sn_quat_between(sn_v(1.0f, 0.0f, 0.0f), axis)};
    return status ? status : place(world, common, a, b, frame, frame);
}

sn_status sn_constraint_place_points(const sn_world *world, sn_constraint_common *common, sn_rigid a,
                                     sn_rigid b, sn_vec3 point_a, sn_vec3 point_b)
{
    if (world == NULL || common == NULL) {
        return sn_fail(world ? world->error : NULL, SN_ERROR_NULL, "sn_constraint_place_points: %s is null",
                       world ? "common" : "world");
    }
    sn_status status = sn_check_vec3(point_a, SN_MAX_COORDINATE, world->error, "constraint", "point_a");
    status =
        status ? status : sn_check_vec3(point_b, SN_MAX_COORDINATE, world->error, "constraint", "point_b");
    sn_pose at_a = {point_a, sn_quat_identity}, at_b = {point_b, sn_quat_identity};
    return status ? status : place(world, common, a, b, at_a, at_b);
}

// Changing single properties of a constraint while the world runs, without touching the rest of its
// definition, its impulses or its place in the graph. Each function changes a copy of the definition; `tune`
// checks it and puts it in place.
// Tested by tests/world/constraints/test_ends.c.
#include "world/core/world.h"

#include <string.h>

// Stands for any kind.
#define ANY_KIND SN_CONSTRAINT_KIND_COUNT

// The definition of a constraint; zeros for one that does not exist, which `tune` reports.
static sn_definition definition_of(const sn_world *world, sn_constraint constraint)
{
    sn_definition definition;
    memset(&definition, 0, sizeof definition);
    return sn_constraint_is_valid(world, constraint)
               ? world->constraints.data[constraint.index - 1].definition
               : definition;
}

static sn_status tune(sn_world *world, sn_constraint constraint, sn_constraint_kind kind,
                      sn_definition *definition, const char *function)
{
    sn_status status = sn_world_check_open(world, function);
    sn_constraint_data *data = status ? NULL : sn_world_constraint(world, constraint);
    if (data == NULL) {
        return status ? status : SN_ERROR_ID;
    }
    if (kind != ANY_KIND) {
        status = sn_world_constraint_of_kind(world, constraint, kind, &data);
    }
    return status ? status : sn_world_constraint_tune(world, data, definition);
}

// --- of all kinds ----------------------------------------------------------------------------------------

sn_status sn_constraint_compliance_set(sn_world *world, sn_constraint constraint, float compliance,
                                       float damping)
{
    sn_definition definition = definition_of(world, constraint);
    definition.common.compliance = compliance;
    definition.common.damping = damping;
    return tune(world, constraint, ANY_KIND, &definition, __func__);
}

sn_status sn_constraint_angular_compliance_set(sn_world *world, sn_constraint constraint, float compliance,
                                               float damping)
{
    sn_definition definition = definition_of(world, constraint);
    definition.common.angular_compliance = compliance;
    definition.common.angular_damping = damping;
    return tune(world, constraint, ANY_KIND, &definition, __func__);
}

sn_status sn_constraint_break_set(sn_world *world, sn_constraint constraint, float force, float torque)
{
    sn_definition definition = definition_of(world, constraint);
    definition.common.break_force = force;
    definition.common.break_torque = torque;
    return tune(world, constraint, ANY_KIND, &definition, __func__);
}

sn_status sn_constraint_max_force_set(sn_world *world, sn_constraint constraint, float force)
{
    sn_definition definition = definition_of(world, constraint);
    definition.common.max_force = force;
    return tune(world, constraint, ANY_KIND, &definition, __func__);
}

// --- ball ------------------------------------------------------------------------------------------------

sn_status sn_ball_cone_set(sn_world *world, sn_constraint constraint, bool on, float angle)
{
    sn_definition definition = definition_of(world, constraint);
    definition.ball.limit_cone = on;
    definition.ball.cone_angle = angle;
    return tune(world, constraint, SN_BALL, &definition, __func__);
}

sn_status sn_ball_twist_set(sn_world *world, sn_constraint constraint, bool on, float lower, float upper)
{
    sn_definition definition = definition_of(world, constraint);
    definition.ball.limit_twist = on;
    definition.ball.twist_lower = lower;
    definition.ball.twist_upper = upper;
    return tune(world, constraint, SN_BALL, &definition, __func__);
}

sn_status sn_ball_motor_set(sn_world *world, sn_constraint constraint, bool on, sn_vec3 velocity,
                            float torque)
{
    sn_definition definition = definition_of(world, constraint);
    definition.ball.motor = on;
    definition.ball.motor_velocity = velocity;
    definition.ball.motor_torque = torque;
    return tune(world, constraint, SN_BALL, &definition, __func__);
}

sn_status sn_ball_spring_set(sn_world *world, sn_constraint constraint, float stiffness, float damping,
                             sn_quat rotation)
{
    sn_definition definition = definition_of(world, constraint);
    definition.ball.spring_stiffness = stiffness;
    definition.ball.spring_damping = damping;
    definition.ball.spring_rotation = rotation;
    return tune(world, constraint, SN_BALL, &definition, __func__);
}

// --- hinge -----------------------------------------------------------------------------------------------

sn_status sn_hinge_limit_set(sn_world *world, sn_constraint constraint, bool on, float lower, float upper)
{
    sn_definition definition = definition_of(world, constraint);
    definition.hinge.limit = on;
    definition.hinge.lower = lower;
    definition.hinge.upper = upper;
    return tune(world, constraint, SN_HINGE, &definition, __func__);
}

sn_status sn_hinge_motor_set(sn_world *world, sn_constraint constraint, bool on, float speed, float torque)
{
    sn_definition definition = definition_of(world, constraint);
    definition.hinge.motor = on;
    definition.hinge.motor_speed = speed;
    definition.hinge.motor_torque = torque;
    return tune(world, constraint, SN_HINGE, &definition, __func__);
}

sn_status sn_hinge_spring_set(sn_world *world, sn_constraint constraint, float stiffness, float damping,
                              float angle)
{
    sn_definition definition = definition_of(world, constraint);
    definition.hinge.spring_stiffness = stiffness;
    definition.hinge.spring_damping = damping;
    definition.hinge.spring_angle = angle;
    return tune(world, constraint, SN_HINGE, &definition, __func__);
}

// --- slider ----------------------------------------------------------------------------------------------

sn_status sn_slider_limit_set(sn_world *world, sn_constraint constraint, bool on, float lower, float upper)
{
    sn_definition definition = definition_of(world, constraint);
    definition.slider.limit = on;
    definition.slider.lower = lower;
    definition.slider.upper = upper;
    return tune(world, constraint, SN_SLIDER, &definition, __func__);
}

sn_status sn_slider_motor_set(sn_world *world, sn_constraint constraint, bool on, float speed, float force)
{
    sn_definition definition = definition_of(world, constraint);
    definition.slider.motor = on;
    definition.slider.motor_speed = speed;
    definition.slider.motor_force = force;
    return tune(world, constraint, SN_SLIDER, &definition, __func__);
}

sn_status sn_slider_spring_set(sn_world *world, sn_constraint constraint, float stiffness, float damping,
                               float travel)
{
    sn_definition definition = definition_of(world, constraint);
    definition.slider.spring_stiffness = stiffness;
    definition.slider.spring_damping = damping;
    definition.slider.spring_travel = travel;
    return tune(world, constraint, SN_SLIDER, &definition, __func__);
}

// --- distance --------------------------------------------------------------------------------------------

sn_status sn_distance_limits_set(sn_world *world, sn_constraint constraint, float lower, float upper)
{
    sn_definition definition = definition_of(world, constraint);
    definition.distance.lower = lower;
    definition.distance.upper = upper;
    return tune(world, constraint, SN_DISTANCE, &definition, __func__);
}

sn_status sn_distance_spring_set(sn_world *world, sn_constraint constraint, float stiffness, float damping,
                                 float length)
{
    sn_definition definition = definition_of(world, constraint);
    definition.distance.spring_stiffness = stiffness;
    definition.distance.spring_damping = damping;
    definition.distance.spring_length = length;
    return tune(world, constraint, SN_DISTANCE, &definition, __func__);
}

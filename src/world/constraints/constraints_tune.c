// Changing what users tune while the world runs: one property of a constraint, without touching the rest of
// its definition, its impulses or its place in the graph.
#include "world/core/world.h"

// A constraint about to be changed: of one kind, or of any.
typedef struct change {
    sn_constraint_data *data;
    sn_definition definition; // to be changed
} change;

static sn_status begin(sn_world *world, sn_constraint constraint, const char *function, change *change)
{
    sn_status status = sn_world_check_open(world, function);
    change->data = status ? NULL : sn_world_constraint(world, constraint);
    if (change->data == NULL) {
        return status ? status : SN_ERROR_ID;
    }
    change->definition = change->data->definition;
    return SN_OK;
}

static sn_status begin_kind(sn_world *world, sn_constraint constraint, sn_constraint_kind kind,
                            const char *function, change *change)
{
    sn_status status = sn_world_check_open(world, function);
    status = status ? status : sn_world_constraint_of_kind(world, constraint, kind, &change->data);
    if (status == SN_OK) {
        change->definition = change->data->definition;
    }
    return status;
}

static sn_status end(sn_world *world, change *change)
{
    return sn_world_constraint_tune(world, change->data, &change->definition);
}

// --- of all kinds ----------------------------------------------------------------------------------------

sn_status sn_constraint_compliance_set(sn_world *world, sn_constraint constraint, float compliance,
                                       float damping)
{
    change it;
    sn_status status = begin(world, constraint, "sn_constraint_compliance_set", &it);
    if (status != SN_OK) {
        return status;
    }
    it.definition.common.compliance = compliance;
    it.definition.common.damping = damping;
    return end(world, &it);
}

sn_status sn_constraint_angular_compliance_set(sn_world *world, sn_constraint constraint, float compliance,
                                               float damping)
{
    change it;
    sn_status status = begin(world, constraint, "sn_constraint_angular_compliance_set", &it);
    if (status != SN_OK) {
        return status;
    }
    it.definition.common.angular_compliance = compliance;
    it.definition.common.angular_damping = damping;
    return end(world, &it);
}

sn_status sn_constraint_break_set(sn_world *world, sn_constraint constraint, float force, float torque)
{
    change it;
    sn_status status = begin(world, constraint, "sn_constraint_break_set", &it);
    if (status != SN_OK) {
        return status;
    }
    it.definition.common.break_force = force;
    it.definition.common.break_torque = torque;
    return end(world, &it);
}

sn_status sn_constraint_max_force_set(sn_world *world, sn_constraint constraint, float force)
{
    change it;
    sn_status status = begin(world, constraint, "sn_constraint_max_force_set", &it);
    if (status != SN_OK) {
        return status;
    }
    it.definition.common.max_force = force;
    return end(world, &it);
}

// --- ball ------------------------------------------------------------------------------------------------

sn_status sn_ball_cone_set(sn_world *world, sn_constraint constraint, bool on, float angle)
{
    change it;
    sn_status status = begin_kind(world, constraint, SN_BALL, "sn_ball_cone_set", &it);
    if (status != SN_OK) {
        return status;
    }
    it.definition.ball.limit_cone = on;
    it.definition.ball.cone_angle = angle;
    return end(world, &it);
}

sn_status sn_ball_twist_set(sn_world *world, sn_constraint constraint, bool on, float lower, float upper)
{
    change it;
    sn_status status = begin_kind(world, constraint, SN_BALL, "sn_ball_twist_set", &it);
    if (status != SN_OK) {
        return status;
    }
    it.definition.ball.limit_twist = on;
    it.definition.ball.twist_lower = lower;
    it.definition.ball.twist_upper = upper;
    return end(world, &it);
}

sn_status sn_ball_motor_set(sn_world *world, sn_constraint constraint, bool on, sn_vec3 velocity,
                            float torque)
{
    change it;
    sn_status status = begin_kind(world, constraint, SN_BALL, "sn_ball_motor_set", &it);
    if (status != SN_OK) {
        return status;
    }
    it.definition.ball.motor = on;
    it.definition.ball.motor_velocity = velocity;
    it.definition.ball.motor_torque = torque;
    return end(world, &it);
}

sn_status sn_ball_spring_set(sn_world *world, sn_constraint constraint, float stiffness, float damping,
                             sn_quat rotation)
{
    change it;
    sn_status status = begin_kind(world, constraint, SN_BALL, "sn_ball_spring_set", &it);
    if (status != SN_OK) {
        return status;
    }
    it.definition.ball.spring_stiffness = stiffness;
    it.definition.ball.spring_damping = damping;
    it.definition.ball.spring_rotation = rotation;
    return end(world, &it);
}

// --- hinge -----------------------------------------------------------------------------------------------

sn_status sn_hinge_limit_set(sn_world *world, sn_constraint constraint, bool on, float lower, float upper)
{
    change it;
    sn_status status = begin_kind(world, constraint, SN_HINGE, "sn_hinge_limit_set", &it);
    if (status != SN_OK) {
        return status;
    }
    it.definition.hinge.limit = on;
    it.definition.hinge.lower = lower;
    it.definition.hinge.upper = upper;
    return end(world, &it);
}

sn_status sn_hinge_motor_set(sn_world *world, sn_constraint constraint, bool on, float speed, float torque)
{
    change it;
    sn_status status = begin_kind(world, constraint, SN_HINGE, "sn_hinge_motor_set", &it);
    if (status != SN_OK) {
        return status;
    }
    it.definition.hinge.motor = on;
    it.definition.hinge.motor_speed = speed;
    it.definition.hinge.motor_torque = torque;
    return end(world, &it);
}

sn_status sn_hinge_spring_set(sn_world *world, sn_constraint constraint, float stiffness, float damping,
                              float angle)
{
    change it;
    sn_status status = begin_kind(world, constraint, SN_HINGE, "sn_hinge_spring_set", &it);
    if (status != SN_OK) {
        return status;
    }
    it.definition.hinge.spring_stiffness = stiffness;
    it.definition.hinge.spring_damping = damping;
    it.definition.hinge.spring_angle = angle;
    return end(world, &it);
}

// --- slider ----------------------------------------------------------------------------------------------

sn_status sn_slider_limit_set(sn_world *world, sn_constraint constraint, bool on, float lower, float upper)
{
    change it;
    sn_status status = begin_kind(world, constraint, SN_SLIDER, "sn_slider_limit_set", &it);
    if (status != SN_OK) {
        return status;
    }
    it.definition.slider.limit = on;
    it.definition.slider.lower = lower;
    it.definition.slider.upper = upper;
    return end(world, &it);
}

sn_status sn_slider_motor_set(sn_world *world, sn_constraint constraint, bool on, float speed, float force)
{
    change it;
    sn_status status = begin_kind(world, constraint, SN_SLIDER, "sn_slider_motor_set", &it);
    if (status != SN_OK) {
        return status;
    }
    it.definition.slider.motor = on;
    it.definition.slider.motor_speed = speed;
    it.definition.slider.motor_force = force;
    return end(world, &it);
}

sn_status sn_slider_spring_set(sn_world *world, sn_constraint constraint, float stiffness, float damping,
                               float travel)
{
    change it;
    sn_status status = begin_kind(world, constraint, SN_SLIDER, "sn_slider_spring_set", &it);
    if (status != SN_OK) {
        return status;
    }
    it.definition.slider.spring_stiffness = stiffness;
    it.definition.slider.spring_damping = damping;
    it.definition.slider.spring_travel = travel;
    return end(world, &it);
}

// --- distance --------------------------------------------------------------------------------------------

sn_status sn_distance_limits_set(sn_world *world, sn_constraint constraint, float lower, float upper)
{
    change it;
    sn_status status = begin_kind(world, constraint, SN_DISTANCE, "sn_distance_limits_set", &it);
    if (status != SN_OK) {
        return status;
    }
    it.definition.distance.lower = lower;
    it.definition.distance.upper = upper;
    return end(world, &it);
}

sn_status sn_distance_spring_set(sn_world *world, sn_constraint constraint, float stiffness, float damping,
                                 float length)
{
    change it;
    sn_status status = begin_kind(world, constraint, SN_DISTANCE, "sn_distance_spring_set", &it);
    if (status != SN_OK) {
        return status;
    }
    it.definition.distance.spring_stiffness = stiffness;
    it.definition.distance.spring_damping = damping;
    it.definition.distance.spring_length = length;
    return end(world, &it);
}

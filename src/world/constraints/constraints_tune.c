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

// A function that sets fields of a part of the definition to values given as types and names. PART is common
// to all kinds or a kind's own.
#define SET1(FUNCTION, KIND, PART, TYPE_1, FIELD_1)                                                          \
    sn_status FUNCTION(sn_world *world, sn_constraint constraint, TYPE_1 value_1)                            \
    {                                                                                                        \
        sn_definition definition = definition_of(world, constraint);                                         \
        definition.PART.FIELD_1 = value_1;                                                                   \
        return tune(world, constraint, KIND, &definition, __func__);                                         \
    }
#define SET2(FUNCTION, KIND, PART, TYPE_1, FIELD_1, TYPE_2, FIELD_2)                                         \
    sn_status FUNCTION(sn_world *world, sn_constraint constraint, TYPE_1 value_1, TYPE_2 value_2)            \
    {                                                                                                        \
        sn_definition definition = definition_of(world, constraint);                                         \
        definition.PART.FIELD_1 = value_1;                                                                   \
        definition.PART.FIELD_2 = value_2;                                                                   \
        return tune(world, constraint, KIND, &definition, __func__);                                         \
    }
#define SET3(FUNCTION, KIND, PART, TYPE_1, FIELD_1, TYPE_2, FIELD_2, TYPE_3, FIELD_3)                        \
    sn_status FUNCTION(sn_world *world, sn_constraint constraint, TYPE_1 value_1, TYPE_2 value_2,            \
                       TYPE_3 value_3)                                                                       \
    {                                                                                                        \
        sn_definition definition = definition_of(world, constraint);                                         \
        definition.PART.FIELD_1 = value_1;                                                                   \
        definition.PART.FIELD_2 = value_2;                                                                   \
        definition.PART.FIELD_3 = value_3;                                                                   \
        return tune(world, constraint, KIND, &definition, __func__);                                         \
    }

SET2(sn_constraint_compliance_set, ANY_KIND, common, float, compliance, float, damping)
SET2(sn_constraint_angular_compliance_set, ANY_KIND, common, float, angular_compliance, float,
     angular_damping)
SET2(sn_constraint_break_set, ANY_KIND, common, float, break_force, float, break_torque)
SET1(sn_constraint_max_force_set, ANY_KIND, common, float, max_force)

SET2(sn_ball_cone_set, SN_BALL, ball, bool, limit_cone, float, cone_angle)
SET3(sn_ball_twist_set, SN_BALL, ball, bool, limit_twist, float, twist_lower, float, twist_upper)
SET3(sn_ball_motor_set, SN_BALL, ball, bool, motor, sn_vec3, motor_velocity, float, motor_torque)
SET3(sn_ball_spring_set, SN_BALL, ball, float, spring_stiffness, float, spring_damping, sn_quat,
     spring_rotation)

SET3(sn_hinge_limit_set, SN_HINGE, hinge, bool, limit, float, lower, float, upper)
SET3(sn_hinge_motor_set, SN_HINGE, hinge, bool, motor, float, motor_speed, float, motor_torque)
SET3(sn_hinge_spring_set, SN_HINGE, hinge, float, spring_stiffness, float, spring_damping, float,
     spring_angle)

SET3(sn_slider_limit_set, SN_SLIDER, slider, bool, limit, float, lower, float, upper)
SET3(sn_slider_motor_set, SN_SLIDER, slider, bool, motor, float, motor_speed, float, motor_force)
SET3(sn_slider_spring_set, SN_SLIDER, slider, float, spring_stiffness, float, spring_damping, float,
     spring_travel)

SET2(sn_distance_limits_set, SN_DISTANCE, distance, float, lower, float, upper)
SET3(sn_distance_spring_set, SN_DISTANCE, distance, float, spring_stiffness, float, spring_damping, float,
     spring_length)

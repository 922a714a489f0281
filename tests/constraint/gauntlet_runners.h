// Who runs the gauntlet: definitions of every kind in the table, and where each is at rest.
#ifndef TESTS_CONSTRAINT_GAUNTLET_RUNNERS_H
#define TESTS_CONSTRAINT_GAUNTLET_RUNNERS_H

#include "support/constraint_pair.h"

typedef struct runner {
    const char *name;
    sn_constraint_kind kind;
    sn_definition definition;
    sn_pose rest; // of frame b seen from frame a: all hard rows are met there
} runner;

static sn_definition ball(bool cone, bool twist)
{
    sn_definition d = {.ball = sn_ball_def_default()};
    d.ball.limit_cone = cone;
    d.ball.cone_angle = 0.5f;
    d.ball.limit_twist = twist;
    d.ball.twist_lower = -0.25f;
    d.ball.twist_upper = 1.0f;
    return d;
}

static sn_definition hinge(bool limit, bool motor, bool spring)
{
    sn_definition d = {.hinge = sn_hinge_def_default()};
    d.hinge.limit = limit;
    d.hinge.lower = -0.5f;
    d.hinge.upper = 2.0f;
    d.hinge.motor = motor;
    d.hinge.motor_speed = 3.0f;
    d.hinge.motor_torque = 10.0f;
    d.hinge.spring_stiffness = spring ? 50.0f : 0.0f;
    d.hinge.spring_damping = 2.0f;
    d.hinge.spring_angle = 1.0f;
    return d;
}

static sn_definition slider(bool limit, bool motor, bool spring)
{
    sn_definition d = {.slider = sn_slider_def_default()};
    d.slider.limit = limit;
    d.slider.lower = -0.5f;
    d.slider.upper = 2.0f;
    d.slider.motor = motor;
    d.slider.motor_speed = -1.0f;
    d.slider.motor_force = 10.0f;
    d.slider.spring_stiffness = spring ? 50.0f : 0.0f;
    d.slider.spring_travel = 0.3f;
    return d;
}

static sn_definition axis(bool limit, bool motor, bool spring)
{
    sn_definition d = {.axis = sn_axis_def_default()};
    d.axis.limit = limit;
    d.axis.lower = -0.5f;
    d.axis.upper = 2.0f;
    d.axis.motor = motor;
    d.axis.motor_speed = -1.0f;
    d.axis.motor_force = 10.0f;
    d.axis.spring_stiffness = spring ? 50.0f : 0.0f;
    d.axis.spring_travel = 0.3f;
    return d;
}

static sn_definition fixed(float compliance)
{
    sn_definition d = {.fixed = sn_fixed_def_default()};
    d.common.compliance = compliance;
    d.common.angular_compliance = compliance;
    d.common.damping = compliance;
    return d;
}

static sn_definition distance(float lower, float upper, float stiffness)
{
    sn_definition d = {.distance = sn_distance_def_default()};
    d.distance.lower = lower;
    d.distance.upper = upper;
    d.distance.spring_stiffness = stiffness;
    d.distance.spring_damping = 1.0f;
    d.distance.spring_length = 0.5f;
    return d;
}

// Points at the corners of a square around the frames, the last one apart.
static sn_definition contact(int points, float friction, float rolling_resistance)
{
    static const sn_contact_place corners[SN_MANIFOLD_POINTS] = {{{0.0f, -0.3f, -0.3f}, 0.0f},
                                                                 {{0.0f, 0.3f, -0.3f}, 0.0f},
                                                                 {{0.0f, 0.3f, 0.3f}, 0.0f},
                                                                 {{0.0f, -0.3f, 0.3f}, 0.01f}};
    sn_definition d = {.contact = {.common = sn_common_default(sn_kind_contact.cookie),
                                   .point_count = points,
                                   .friction = friction,
                                   .twist_friction = 0.1f * friction,
                                   .rolling_resistance = rolling_resistance}};
    for (int i = 0; i < points; ++i) {
        d.contact.points[i] = corners[i];
    }
    return d;
}

enum { RUNNER_COUNT = 22 };

static void make_runners(runner runners[RUNNER_COUNT])
{
    const sn_pose together = sn_pose_identity;
    const sn_pose apart = {{0.6f, 0.0f, -0.8f}, {0.0f, 0.0f, 0.0f, 1.0f}};
    const sn_pose slid = {{1.5f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
    const sn_pose swung = test_turned(1.5f, 0.0f, 0.0f, sn_v(0.6f, 0.0f, 0.8f), 2.0f);
    const sn_pose turned = test_turned(0.0f, 0.0f, 0.0f, sn_v(1.0f, 0.0f, 0.0f), 1.9f);
    const sn_pose lifted = test_turned(1.0e-5f, 0.7f, -0.2f, sn_v(1.0f, 0.0f, 0.0f), 1.9f);
    const runner all[RUNNER_COUNT] = {
        {"ball", SN_BALL, ball(false, false), test_turned(0.0f, 0.0f, 0.0f, sn_v(0.6f, 0.0f, 0.8f), 2.0f)},
        {"ball with cone", SN_BALL, ball(true, false), together},
        {"ball with twist", SN_BALL, ball(false, true), together},
        {"ball with both", SN_BALL, ball(true, true), together},
        {"hinge", SN_HINGE, hinge(false, false, false), turned},
        {"hinge with limits", SN_HINGE, hinge(true, false, false), turned},
        {"hinge with motor", SN_HINGE, hinge(false, true, false), turned},
        {"hinge with spring", SN_HINGE, hinge(false, false, true), turned},
        {"hinge with all", SN_HINGE, hinge(true, true, true), together},
        {"slider", SN_SLIDER, slider(false, false, false), slid},
        {"slider with all", SN_SLIDER, slider(true, true, true), slid},
        {"fixed", SN_FIXED, fixed(0.0f), together},
        {"soft fixed", SN_FIXED, fixed(0.01f), together},
        {"rope", SN_DISTANCE, distance(0.0f, 1.0f, 0.0f), apart},
        {"rod", SN_DISTANCE, distance(1.0f, 1.0f, 0.0f), apart},
        {"distance with all", SN_DISTANCE, distance(0.5f, 1.5f, 20.0f), apart},
        {"spring", SN_DISTANCE, distance(0.0f, INFINITY, 20.0f), apart},
        {"axis", SN_AXIS, axis(false, false, false), swung},
        {"axis with all", SN_AXIS, axis(true, true, true), swung},
        {"smooth contact", (sn_constraint_kind)SN_CONTACT, contact(1, 0.0f, 0.0f), lifted},
        {"contact", (sn_constraint_kind)SN_CONTACT, contact(4, 10.0f, 0.0f), together},
        {"contact with rolling", (sn_constraint_kind)SN_CONTACT, contact(3, 10.0f, 1.0f), lifted},
    };
    for (int i = 0; i < RUNNER_COUNT; ++i) {
        runners[i] = all[i];
    }
}

#endif

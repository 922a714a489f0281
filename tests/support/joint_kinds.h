// Joints of every kind between the ground and a body, for tests that go through all of them.
#ifndef TESTS_SUPPORT_JOINT_KINDS_H
#define TESTS_SUPPORT_JOINT_KINDS_H

#include "support/physics.h"

typedef enum joint_kind { BALL, HINGE, SLIDER, FIXED, DISTANCE, JOINT_KINDS } joint_kind;
static const char *const joint_names[] = {"ball", "hinge", "slider", "fixed", "distance"};

/// One of them is meant; `common` is its part that all have.
typedef struct joint_def {
    joint_kind kind;
    union {
        sn_ball_def ball;
        sn_hinge_def hinge;
        sn_slider_def slider;
        sn_fixed_def fixed;
        sn_distance_def distance;
    };
} joint_def;

static inline joint_def joint_def_default(joint_kind kind)
{
    joint_def def = {.kind = kind};
    switch (kind) {
    case BALL:
        def.ball = sn_ball_def_default();
        break;
    case HINGE:
        def.hinge = sn_hinge_def_default();
        break;
    case SLIDER:
        def.slider = sn_slider_def_default();
        break;
    case FIXED:
        def.fixed = sn_fixed_def_default();
        break;
    default:
        def.distance = sn_distance_def_default();
    }
    return def;
}

static inline sn_constraint_common *joint_common(joint_def *def)
{
    switch (def->kind) {
    case BALL:
        return &def->ball.common;
    case HINGE:
        return &def->hinge.common;
    case SLIDER:
        return &def->slider.common;
    case FIXED:
        return &def->fixed.common;
    default:
        return &def->distance.common;
    }
}

/// At a place, along z; of a distance, from `above` to the place.
static inline void joint_place(sn_world *world, joint_def *def, sn_rigid body, sn_vec3 place, sn_vec3 above)
{
    sn_rigid ground = sn_world_ground(world);
    must(def->kind == DISTANCE
             ? sn_constraint_place_points(world, &def->distance.common, ground, body, above, place)
             : sn_constraint_place(world, joint_common(def), ground, body, place, sn_v(0.0f, 0.0f, 1.0f)));
}

static inline sn_constraint joint_add(sn_world *world, const joint_def *def)
{
    sn_constraint joint = {0};
    must(def->kind == BALL     ? sn_ball_add(world, &def->ball, &joint)
         : def->kind == HINGE  ? sn_hinge_add(world, &def->hinge, &joint)
         : def->kind == SLIDER ? sn_slider_add(world, &def->slider, &joint)
         : def->kind == FIXED  ? sn_fixed_add(world, &def->fixed, &joint)
                               : sn_distance_add(world, &def->distance, &joint));
    return joint;
}

#endif

// What tests of joint scenes expect of a run: no energy out of nowhere, nothing frozen, rest where it is due.
#ifndef TESTS_SUPPORT_JOINT_CHECKS_H
#define TESTS_SUPPORT_JOINT_CHECKS_H

#include "support/joint_scenes.h"
#include "support/physics.h"
#include <math.h>
#include <stdio.h>

/// `gain` is the part by which energy may exceed what there was and what motors put in. Things ten times
/// larger move slower in proportion to their size and need not be at rest by the same time; smaller ones, and
/// with fewer sub-steps than the world would take, yield more and swing for longer: twice the speed is
/// allowed.
static inline void check_joint_scene(const char *name, joint_run run, double gain)
{
    const joint_scene *scene = joint_scene_find(name);
    joint_result result;
    must(joint_scene_measure(scene, &run, &result));
    char how[128];
    snprintf(how, sizeof how, "%s, %d Hz, %d sub-steps, lengths x %g, densities x %g", name,
             run.step > 0.0f ? (int)lroundf(1.0f / run.step) : 60, run.sub_steps,
             run.scale.length > 0.0f ? (double)run.scale.length : 1.0,
             run.scale.density > 0.0f ? (double)run.scale.density : 1.0);
    check_below(result.energy_factor, 1.0 + gain, "%s: energy / energy there was", how);
    check_below(result.frozen_count, 0, "%s: frozen bodies", how);
    if (scene->rests && run.scale.length <= 1.0f) {
        bool is_soft = run.sub_steps == 8 || (run.scale.length > 0.0f && run.scale.length < 1.0f);
        check_below(result.rest_speed, (is_soft ? 2.0 : 1.0) * JOINT_REST_SPEED,
                    "%s: fastest after %g s [m/s]", how, JOINT_REST_TIME);
    }
}

/// Steps of 1/60 and 1/120 s, each with the sub-steps the world chooses, 8 and 32.
static inline void check_joint_scene_at_all_steps(const char *name, double gain)
{
    static const float steps[] = {1.0f / 60.0f, 1.0f / 120.0f};
    static const int sub_steps[] = {0, 8, 32};
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 3; ++k) {
            check_joint_scene(name, (joint_run){.step = steps[i], .sub_steps = sub_steps[k]}, gain);
        }
    }
}

/// Ten times larger and smaller, ten times denser and lighter.
static inline void check_joint_scene_at_all_scales(const char *name, double gain)
{
    static const joint_scale scales[] = {{10.0f, 1.0f}, {0.1f, 1.0f}, {1.0f, 10.0f}, {1.0f, 0.1f}};
    for (int i = 0; i < 4; ++i) {
        check_joint_scene(name, (joint_run){.scale = scales[i]}, gain);
    }
}

#endif

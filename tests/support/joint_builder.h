// What the files of joint scenes share: the scene builder with a scale, and one helper for each kind of
// joint.
#ifndef TESTS_SUPPORT_JOINT_BUILDER_H
#define TESTS_SUPPORT_JOINT_BUILDER_H

#include "support/joint_scenes.h"
#include "support/scene_builder.h"

/// Lengths handed to the helpers are those at scale 1.
typedef struct joint_builder {
    scene_builder scene;
    joint_scale scale;
} joint_builder;

static inline joint_builder joint_builder_start(sn_world *world, joint_scale scale)
{
    joint_builder builder = {{world, SN_OK}, scale};
    return builder;
}

static inline sn_rigid joint_ground(const joint_builder *builder)
{
    return sn_world_ground(builder->scene.world);
}

static inline sn_pose joint_scaled(const joint_builder *builder, sn_pose pose)
{
    pose.position = sn_scale(pose.position, builder->scale.length);
    return pose;
}

/// Density of a material of 1000 kg/m³ times `factor`.
static inline sn_rigid joint_box(joint_builder *builder, sn_vec3 center, sn_vec3 half_extents, float factor)
{
    sn_pose pose = joint_scaled(builder, scene_at(center.x, center.y, center.z));
    return scene_box(&builder->scene, pose, sn_scale(half_extents, builder->scale.length),
                     1000.0f * factor * builder->scale.density);
}

/// A sphere of a given mass at scale 1.
static inline sn_rigid joint_sphere(joint_builder *builder, sn_vec3 center, float radius, float mass)
{
    sn_pose pose = joint_scaled(builder, scene_at(center.x, center.y, center.z));
    sn_rigid rigid = scene_body(&builder->scene, SN_DYNAMIC, pose);
    if (builder->scene.status == SN_OK) {
        sn_shape_def def = sn_shape_def_default();
        def.density = mass * builder->scale.density / (4.0f / 3.0f * SN_PI * radius * radius * radius);
        sn_sphere sphere = {{0.0f, 0.0f, 0.0f}, radius * builder->scale.length};
        builder->scene.status = sn_sphere_add(builder->scene.world, rigid, &def, sphere, NULL);
    }
    return rigid;
}

static inline void joint_place_scaled(joint_builder *builder, sn_constraint_common *common, sn_rigid a,
                                      sn_rigid b, sn_vec3 point, sn_vec3 axis)
{
    if (builder->scene.status == SN_OK) {
        builder->scene.status = sn_constraint_place(builder->scene.world, common, a, b,
                                                    sn_scale(point, builder->scale.length), axis);
    }
}

static inline void joint_ball(joint_builder *builder, sn_rigid a, sn_rigid b, sn_vec3 point)
{
    sn_ball_def def = sn_ball_def_default();
    joint_place_scaled(builder, &def.common, a, b, point, sn_v(1.0f, 0.0f, 0.0f));
    if (builder->scene.status == SN_OK) {
        builder->scene.status = sn_ball_add(builder->scene.world, &def, NULL);
    }
}

static inline void joint_fixed(joint_builder *builder, sn_rigid a, sn_rigid b, sn_vec3 point)
{
    sn_fixed_def def = sn_fixed_def_default();
    joint_place_scaled(builder, &def.common, a, b, point, sn_v(1.0f, 0.0f, 0.0f));
    if (builder->scene.status == SN_OK) {
        builder->scene.status = sn_fixed_add(builder->scene.world, &def, NULL);
    }
}

/// About z; with a motor of unlimited torque unless `motor_speed` is 0.
static inline void joint_hinge(joint_builder *builder, sn_rigid a, sn_rigid b, sn_vec3 point,
                               float motor_speed)
{
    sn_hinge_def def = sn_hinge_def_default();
    def.motor = motor_speed != 0.0f;
    def.motor_speed = motor_speed;
    joint_place_scaled(builder, &def.common, a, b, point, sn_v(0.0f, 0.0f, 1.0f));
    if (builder->scene.status == SN_OK) {
        builder->scene.status = sn_hinge_add(builder->scene.world, &def, NULL);
    }
}

#endif

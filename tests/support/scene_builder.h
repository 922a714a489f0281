// What the scene files share: small helpers that add one thing each. The first failure sticks in `status`,
// and every later call does nothing, so that a scene reads as a list of things and checks once, at its end.
#ifndef TESTS_SUPPORT_SCENE_BUILDER_H
#define TESTS_SUPPORT_SCENE_BUILDER_H

#include "sinew/sinew.h"

typedef struct scene_builder {
    sn_world *world;
    sn_status status;
} scene_builder;

static inline sn_pose scene_at(float x, float y, float z)
{
    sn_pose pose = {{x, y, z}, {0.0f, 0.0f, 0.0f, 1.0f}};
    return pose;
}

/// The half-space below y = 0, on the ground.
static inline void scene_floor(scene_builder *builder)
{
    if (builder->status == SN_OK) {
        sn_plane plane = {{0.0f, 1.0f, 0.0f}, 0.0f};
        builder->status = sn_plane_add(builder->world, sn_world_ground(builder->world), NULL, plane, NULL);
    }
}

static inline sn_rigid scene_body(scene_builder *builder, sn_rigid_type type, sn_pose pose)
{
    sn_rigid rigid = {0};
    if (builder->status == SN_OK) {
        sn_rigid_def def = sn_rigid_def_default();
        def.type = type;
        def.position = pose.position;
        def.rotation = pose.rotation;
        builder->status = sn_rigid_add(builder->world, &def, &rigid);
    }
    return rigid;
}

static inline sn_rigid scene_box(scene_builder *builder, sn_pose pose, sn_vec3 half_extents, float density)
{
    sn_rigid rigid = scene_body(builder, SN_DYNAMIC, pose);
    if (builder->status == SN_OK) {
        sn_shape_def def = sn_shape_def_default();
        def.density = density;
        sn_box box = {half_extents};
        builder->status = sn_box_add(builder->world, rigid, &def, box, NULL);
    }
    return rigid;
}

static inline sn_rigid scene_sphere(scene_builder *builder, sn_pose pose, float radius)
{
    sn_rigid rigid = scene_body(builder, SN_DYNAMIC, pose);
    if (builder->status == SN_OK) {
        sn_sphere sphere = {{0.0f, 0.0f, 0.0f}, radius};
        builder->status = sn_sphere_add(builder->world, rigid, NULL, sphere, NULL);
    }
    return rigid;
}

/// A capsule whose axis runs along the body's y, `half_length` to either side of its middle.
static inline sn_rigid scene_capsule(scene_builder *builder, sn_pose pose, float half_length, float radius)
{
    sn_rigid rigid = scene_body(builder, SN_DYNAMIC, pose);
    if (builder->status == SN_OK) {
        sn_capsule capsule = {{0.0f, -half_length, 0.0f}, {0.0f, half_length, 0.0f}, radius};
        builder->status = sn_capsule_add(builder->world, rigid, NULL, capsule, NULL);
    }
    return rigid;
}

// The scenes, one function each; see the table in scenes.c.
sn_status scene_build_box_stack(sn_world *world);
sn_status scene_build_heavy_stack(sn_world *world);
sn_status scene_build_tower(sn_world *world);
sn_status scene_build_pyramid(sn_world *world);
sn_status scene_build_joint_chain(sn_world *world);
sn_status scene_build_ragdolls(sn_world *world);
sn_status scene_build_rain(sn_world *world);
sn_status scene_build_machines(sn_world *world);
sn_status scene_drive_machines(sn_world *world, int step);
sn_status scene_build_hanging_cloth(sn_world *world);
sn_status scene_drive_hanging_cloth(sn_world *world, int step);
sn_status scene_build_jelly_and_rods(sn_world *world);
sn_status scene_build_cloth_on_spheres(sn_world *world);
sn_status scene_build_folding_cloth(sn_world *world);
sn_status scene_build_jelly_stack(sn_world *world);
sn_status scene_build_models(sn_world *world);
sn_status scene_build_integrators(sn_world *world);
sn_status scene_build_exact_anchors(sn_world *world);
sn_status scene_build_cushions(sn_world *world);
sn_status scene_build_ropes(sn_world *world);

#endif

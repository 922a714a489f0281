// Exact anchors of every kind, among contacts.
#include "support/exact_anchor.h"
#include "support/scene_builder.h"

static sn_deformable add(scene_builder *builder, const sn_mesh *mesh, sn_vec3 position, sn_model model)
{
    sn_deformable deformable = {0};
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.mass = 1.0f;
    def.model = model;
    def.pose.position = position;
    if (builder->status == SN_OK) {
        builder->status = sn_deformable_add(builder->world, &def, &deformable);
    }
    return deformable;
}

static void hold(scene_builder *builder, sn_point a, sn_point b, int ramp_steps, float friction)
{
    sn_anchor_def def = exact_anchor(a, b, ramp_steps, friction);
    if (builder->status == SN_OK) {
        builder->status = sn_anchor_add(builder->world, &def, NULL);
    }
}

// Three cubes in a chain on a nail, a box that one of them carries and swings, a node drawn to a triangle,
// and a ball that slides along a rope towards the chain.
sn_status scene_build_exact_anchors(sn_world *world)
{
    scene_builder builder = {world, SN_OK};
    sn_mesh *cube = NULL, *line = NULL;
    builder.status = sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 1, 1, 1, &cube);
    builder.status = builder.status ? builder.status : sn_mesh_line(2.0f, 20, &line);
    scene_floor(&builder);
    sn_model soft = sn_model_corotational(2.0e4f, 0.3f);
    sn_deformable cubes[3];
    for (int i = 0; i < 3; ++i) {
        cubes[i] = add(&builder, cube, sn_v(0.4f * (float)i, 1.9f - 0.4f * (float)i, 0.0f), soft);
    }
    hold(&builder, sn_point_node(cubes[0], 2), sn_point_world(sn_v(-0.2f, 2.1f, -0.2f)), 1, 0.0f);
    for (int i = 0; i < 2; ++i) {
        hold(&builder, sn_point_node(cubes[i], 1), sn_point_node(cubes[i + 1], 2), 1, 0.0f);
        hold(&builder, sn_point_node(cubes[i], 5), sn_point_node(cubes[i + 1], 6), 1, 0.0f);
    }
    sn_rigid box = scene_box(&builder, scene_at(1.2f, 0.9f, 0.0f), sn_v(0.2f, 0.1f, 0.2f), 200.0f);
    hold(&builder, sn_point_node(cubes[2], 1), sn_point_on_rigid(world, box, sn_v(1.0f, 0.9f, -0.2f)), 1,
         0.0f);
    hold(&builder, sn_point_node(cubes[2], 5), sn_point_on_rigid(world, box, sn_v(1.0f, 0.9f, 0.2f)), 1,
         0.0f);
    const int corners[3] = {4, 5, 7};
    const float weights[3] = {0.5f, 0.25f, 0.25f};
    hold(&builder, sn_point_node(cubes[0], 0), sn_point_nodes(cubes[1], corners, weights, 3), 40, 0.0f);
    sn_deformable rope = add(&builder, line, sn_v(-1.5f, 1.5f, 0.0f), sn_model_springs(500.0f, 1.0f));
    hold(&builder, sn_point_node(rope, 0), sn_point_world(sn_v(-2.5f, 1.8f, 0.0f)), 1, 0.0f);
    hold(&builder, sn_point_node(rope, 20), sn_point_world(sn_v(-0.5f, 1.2f, 0.0f)), 1, 0.0f);
    sn_rigid ball = scene_sphere(&builder, scene_at(-2.0f, 1.5f, 0.0f), 0.1f);
    hold(&builder, sn_point_rigid(ball, sn_v(0.0f, 0.15f, 0.0f)), sn_point_surface(rope), 1, 0.1f);
    sn_mesh_destroy(cube);
    sn_mesh_destroy(line);
    return builder.status;
}

// Many joints, many bodies in one place, small bodies; and chains of one kind of joint, for timing.
#include "support/joint_builder.h"
#include <stdlib.h>

// --- grid --------------------------------------------------------------------------------------------------

// The balls do not touch each other: the scene is joints and nothing else.
static sn_rigid add_grid_ball(joint_builder *builder, int column, int row, bool is_static)
{
    sn_pose pose = joint_scaled(builder, scene_at((float)column, -(float)row, 0.0f));
    sn_rigid rigid = scene_body(&builder->scene, is_static ? SN_STATIC : SN_DYNAMIC, pose);
    if (builder->scene.status == SN_OK) {
        sn_shape_def def = sn_shape_def_default();
        def.density *= builder->scale.density;
        def.filter.category = 2;
        def.filter.mask = ~(uint64_t)2;
        sn_sphere sphere = {{0.0f, 0.0f, 0.0f}, 0.4f * builder->scale.length};
        builder->scene.status = sn_sphere_add(builder->scene.world, rigid, &def, sphere, NULL);
    }
    return rigid;
}

// Whether a ball of the top row is one of the seven in its middle that are static.
static bool is_held(int column, int row, int side)
{
    return row == 0 && abs(column - side / 2) <= 3;
}

static void add_grid_joint(joint_builder *builder, sn_rigid a, sn_rigid b, float column, float row)
{
    joint_ball(builder, a, b, sn_v(column, -row, 0.0f));
}

sn_status joint_build_grid(sn_world *world, int side, joint_scale scale)
{
    joint_builder builder = joint_builder_start(world, scale);
    sn_rigid *above = calloc((size_t)side, sizeof *above);
    if (above == NULL) {
        return SN_ERROR_MEMORY;
    }
    for (int row = 0; row < side && builder.scene.status == SN_OK; ++row) {
        sn_rigid left = {0};
        for (int column = 0; column < side && builder.scene.status == SN_OK; ++column) {
            bool held = is_held(column, row, side);
            sn_rigid ball = add_grid_ball(&builder, column, row, held);
            if (row > 0) {
                add_grid_joint(&builder, above[column], ball, (float)column, (float)row - 0.5f);
            }
            if (column > 0 && !(held && is_held(column - 1, row, side))) {
                add_grid_joint(&builder, left, ball, (float)column - 0.5f, (float)row);
            }
            above[column] = left = ball;
        }
    }
    free(above);
    return builder.scene.status;
}

// --- heap and dice -----------------------------------------------------------------------------------------

// Boxes of 20 cm, all at the same point, on the floor.
sn_status joint_build_heap(sn_world *world, int boxes, joint_scale scale)
{
    joint_builder builder = joint_builder_start(world, scale);
    scene_floor(&builder.scene);
    for (int i = 0; i < boxes; ++i) {
        joint_box(&builder, sn_v(0.0f, 0.1f, 0.0f), sn_v(0.1f, 0.1f, 0.1f), 1.0f);
    }
    return builder.scene.status;
}

// Cubes of 1 cm on top of each other.
sn_status joint_build_dice(sn_world *world, int dice, joint_scale scale)
{
    joint_builder builder = joint_builder_start(world, scale);
    scene_floor(&builder.scene);
    for (int i = 0; i < dice; ++i) {
        joint_box(&builder, sn_v(0.0f, 0.005f + 0.01f * (float)i, 0.0f), sn_v(0.005f, 0.005f, 0.005f), 1.0f);
    }
    return builder.scene.status;
}

// --- chains of one kind ------------------------------------------------------------------------------------

static void add_kind(joint_builder *builder, sn_constraint_kind kind, sn_rigid a, sn_rigid b, sn_vec3 point)
{
    if (kind == SN_BALL) {
        joint_ball(builder, a, b, point);
    } else if (kind == SN_HINGE) {
        joint_hinge(builder, a, b, point, 0.0f);
    } else if (kind == SN_FIXED) {
        joint_fixed(builder, a, b, point);
    } else if (kind == SN_SLIDER) {
        sn_slider_def def = sn_slider_def_default();
        joint_place_scaled(builder, &def.common, a, b, point, sn_v(0.0f, 0.0f, 1.0f));
        if (builder->scene.status == SN_OK) {
            builder->scene.status = sn_slider_add(builder->scene.world, &def, NULL);
        }
    } else if (builder->scene.status == SN_OK) {
        const sn_vec3 half_rod = {0.05f, 0.0f, 0.0f};
        sn_distance_def def = sn_distance_def_default();
        def.lower = 0.1f;
        def.upper = 0.1f;
        builder->scene.status = sn_constraint_place_points(builder->scene.world, &def.common, a, b,
                                                           sn_sub(point, half_rod), sn_add(point, half_rod));
        if (builder->scene.status == SN_OK) {
            builder->scene.status = sn_distance_add(builder->scene.world, &def, NULL);
        }
    }
}

sn_status joint_build_kind_chain(sn_world *world, sn_constraint_kind kind, int links)
{
    const float pitch = 0.6f;
    joint_builder builder = joint_builder_start(world, (joint_scale){1.0f, 1.0f});
    sn_rigid previous = joint_ground(&builder);
    for (int i = 0; i < links; ++i) {
        float x = pitch * (float)i;
        sn_rigid link =
            joint_box(&builder, sn_v(x + 0.5f * pitch, 0.0f, 0.0f), sn_v(0.2f, 0.06f, 0.06f), 1.0f);
        add_kind(&builder, kind, previous, link, sn_v(x, 0.0f, 0.0f));
        previous = link;
    }
    return builder.scene.status;
}

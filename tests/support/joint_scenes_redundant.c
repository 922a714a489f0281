// Structures held by more joints than they need: every seam has two or four joints that say the same thing.
#include "support/joint_builder.h"

// Planks of 0.5 × 0.1 × 1 m in a straight line, both ends joined to the ground, two balls a seam. `damping`
// is that of the planks [1/s].
static sn_status build_bridge(sn_world *world, int planks, joint_scale scale, float damping)
{
    const float pitch = 0.5f, edge = 0.4f;
    joint_builder builder = joint_builder_start(world, scale);
    sn_rigid previous = joint_ground(&builder);
    for (int i = 0; i <= planks; ++i) {
        float x = pitch * (float)i;
        sn_rigid plank = joint_ground(&builder);
        if (i < planks) {
            sn_vec3 center = {x + 0.5f * pitch, 0.0f, 0.0f};
            plank = joint_box(&builder, center, sn_v(0.5f * pitch, 0.05f, 0.5f), 1.0f);
        }
        if (i < planks && builder.scene.status == SN_OK) {
            builder.scene.status = sn_rigid_damping_set(world, plank, damping, damping);
        }
        joint_ball(&builder, previous, plank, sn_v(x, 0.0f, -edge));
        joint_ball(&builder, previous, plank, sn_v(x, 0.0f, edge));
        previous = plank;
    }
    return builder.scene.status;
}

sn_status joint_build_bridge(sn_world *world, int planks, joint_scale scale)
{
    return build_bridge(world, planks, scale, 0.0f);
}

sn_status joint_build_damped_bridge(sn_world *world, int planks, joint_scale scale)
{
    return build_bridge(world, planks, scale, 2.0f);
}

// Cubes of 0.5 m on top of each other, four balls a seam; the lowest is joined to the ground likewise, or it
// stands on it.
static sn_status build_column(sn_world *world, int boxes, joint_scale scale, bool is_joined)
{
    const float side = 0.5f, half = 0.25f;
    joint_builder builder = joint_builder_start(world, scale);
    scene_floor(&builder.scene);
    sn_rigid previous = joint_ground(&builder);
    for (int i = 0; i < boxes; ++i) {
        float y = side * (float)i;
        sn_rigid box = joint_box(&builder, sn_v(0.0f, y + half, 0.0f), sn_v(half, half, half), 1.0f);
        for (int k = 0; k < 4 && (i > 0 || is_joined); ++k) {
            joint_ball(&builder, previous, box, sn_v(k & 1 ? half : -half, y, k & 2 ? half : -half));
        }
        previous = box;
    }
    return builder.scene.status;
}

sn_status joint_build_column(sn_world *world, int boxes, joint_scale scale)
{
    return build_column(world, boxes, scale, true);
}

sn_status joint_build_standing_column(sn_world *world, int boxes, joint_scale scale)
{
    return build_column(world, boxes, scale, false);
}

// Boxes of 0.5 × 0.25 × 0.5 m in a horizontal line from a wall, two fixed joints a seam.
sn_status joint_build_cantilever(sn_world *world, int boxes, joint_scale scale)
{
    const float pitch = 0.5f, edge = 0.2f;
    joint_builder builder = joint_builder_start(world, scale);
    sn_rigid previous = joint_ground(&builder);
    for (int i = 0; i < boxes; ++i) {
        float x = pitch * (float)i;
        sn_rigid box =
            joint_box(&builder, sn_v(x + 0.5f * pitch, 0.0f, 0.0f), sn_v(0.5f * pitch, 0.125f, 0.25f), 1.0f);
        joint_fixed(&builder, previous, box, sn_v(x, 0.0f, -edge));
        joint_fixed(&builder, previous, box, sn_v(x, 0.0f, edge));
        previous = box;
    }
    return builder.scene.status;
}

// Links of 0.1 × 0.4 × 0.3 m below each other, two hinges on one axis between neighbours.
sn_status joint_build_hinge_chain(sn_world *world, int links, joint_scale scale)
{
    const float pitch = 0.4f, edge = 0.1f;
    joint_builder builder = joint_builder_start(world, scale);
    sn_rigid previous = joint_ground(&builder);
    for (int i = 0; i < links; ++i) {
        float y = -pitch * (float)i;
        sn_rigid link =
            joint_box(&builder, sn_v(0.0f, y - 0.5f * pitch, 0.0f), sn_v(0.05f, 0.5f * pitch, 0.15f), 1.0f);
        joint_hinge(&builder, previous, link, sn_v(0.0f, y, -edge), 0.0f);
        joint_hinge(&builder, previous, link, sn_v(0.0f, y, edge), 0.0f);
        previous = link;
    }
    return builder.scene.status;
}

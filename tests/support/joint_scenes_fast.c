// Joints that are driven fast: by a motor, by a spin, by a heavy weight on light links.
#include "support/joint_builder.h"

static const float whirl_speed = 200.0f; // [rad/s]; as in the table of joint_scenes.c

// Light links (20 g) in a line, the first driven by the motor, the others on hinges along the same axis.
static sn_status build_whirl(sn_world *world, int links, joint_scale scale)
{
    const float pitch = 0.1f;
    joint_builder builder = joint_builder_start(world, scale);
    sn_rigid previous = joint_ground(&builder);
    for (int i = 0; i < links; ++i) {
        float x = pitch * (float)i;
        sn_rigid link =
            joint_box(&builder, sn_v(x + 0.5f * pitch, 0.0f, 0.0f), sn_v(0.5f * pitch, 0.01f, 0.01f), 0.5f);
        joint_hinge(&builder, previous, link, sn_v(x, 0.0f, 0.0f), i == 0 ? whirl_speed : 0.0f);
        previous = link;
    }
    return builder.scene.status;
}

sn_status joint_build_whirl(sn_world *world, int links, joint_scale scale)
{
    sn_status status = sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f));
    return status == SN_OK ? build_whirl(world, links, scale) : status;
}

sn_status joint_build_whirl_with_gravity(sn_world *world, int links, joint_scale scale)
{
    return build_whirl(world, links, scale);
}

// A rod of 1 m spins about the vertical, 5000 rad/s, on a floor within a ring of boxes of 20 cm.
sn_status joint_build_rod(sn_world *world, int boxes, joint_scale scale)
{
    joint_builder builder = joint_builder_start(world, scale);
    scene_floor(&builder.scene);
    sn_rigid rod = joint_box(&builder, sn_v(0.0f, 0.1f, 0.0f), sn_v(0.5f, 0.03f, 0.03f), 1.0f);
    if (builder.scene.status == SN_OK) {
        builder.scene.status = sn_rigid_angular_velocity_set(world, rod, sn_v(0.0f, 5000.0f, 0.0f));
    }
    for (int i = 0; i < boxes; ++i) {
        float angle = 2.0f * SN_PI * ((float)i + 0.5f) / (float)boxes;
        joint_box(&builder, sn_v(0.6f * sn_cos(angle), 0.1f, 0.6f * sn_sin(angle)), sn_v(0.1f, 0.1f, 0.1f),
                  1.0f);
    }
    return builder.scene.status;
}

// Light links in a horizontal line on ball joints, a weight of 1000 links at the end; all swing down.
sn_status joint_build_heavy_swing(sn_world *world, int links, joint_scale scale)
{
    const float pitch = 0.2f;
    joint_builder builder = joint_builder_start(world, scale);
    sn_rigid previous = joint_ground(&builder);
    float link_mass = 1000.0f * pitch * 0.05f * 0.05f;
    for (int i = 0; i < links; ++i) {
        float x = pitch * (float)i;
        sn_rigid link =
            joint_box(&builder, sn_v(x + 0.5f * pitch, 0.0f, 0.0f), sn_v(0.5f * pitch, 0.025f, 0.025f), 1.0f);
        joint_ball(&builder, previous, link, sn_v(x, 0.0f, 0.0f));
        previous = link;
    }
    float end = pitch * (float)links;
    sn_rigid weight = joint_sphere(&builder, sn_v(end + 0.3f, 0.0f, 0.0f), 0.3f, 1000.0f * link_mass);
    joint_ball(&builder, previous, weight, sn_v(end, 0.0f, 0.0f));
    return builder.scene.status;
}

// Crank, coupler of 1000 times their mass, rocker; the motor turns the crank once around every second or so.
sn_status joint_build_four_bar(sn_world *world, int unused, joint_scale scale)
{
    (void)unused;
    const float thin = 0.025f;
    joint_builder builder = joint_builder_start(world, scale);
    sn_rigid ground = joint_ground(&builder);
    // Ground hinges at x = 0 and 1.5; crank 0.5 up, rocker 1 up, coupler between their ends.
    sn_rigid crank = joint_box(&builder, sn_v(0.0f, 0.25f, 0.0f), sn_v(thin, 0.25f, thin), 1.0f);
    sn_rigid rocker = joint_box(&builder, sn_v(1.5f, 0.5f, 0.0f), sn_v(thin, 0.5f, thin), 0.5f);
    sn_rigid coupler = joint_box(&builder, sn_v(0.75f, 0.75f, 0.0f), sn_v(0.75f, 0.25f, thin), 33.3f);
    joint_hinge(&builder, ground, crank, sn_v(0.0f, 0.0f, 0.0f), 6.0f);
    joint_hinge(&builder, crank, coupler, sn_v(0.0f, 0.5f, 0.0f), 0.0f);
    joint_hinge(&builder, coupler, rocker, sn_v(1.5f, 1.0f, 0.0f), 0.0f);
    joint_hinge(&builder, ground, rocker, sn_v(1.5f, 0.0f, 0.0f), 0.0f);
    return builder.scene.status;
}

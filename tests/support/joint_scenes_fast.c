// Joints that are driven fast: by a motor, by a spin, by a heavy weight on light links.
#include "support/joint_builder.h"

// Such bodies do not touch each other: what happens is the joints' doing alone.
static void keep_apart(joint_builder *builder, sn_rigid rigid)
{
    sn_shape shape;
    if (builder->scene.status == SN_OK && sn_rigid_shapes(builder->scene.world, rigid, &shape, 1) == 1) {
        sn_filter filter = sn_shape_def_default().filter;
        filter.group = -1;
        builder->scene.status = sn_shape_filter_set(builder->scene.world, shape, filter);
    }
}

// --- whirl -------------------------------------------------------------------------------------------------

typedef struct whirl {
    bool gravity, balls, touching; // balls instead of hinges; whether links that are not neighbours may touch
} whirl;

static const float whirl_speed = 200.0f; // [rad/s]; as in the table of joint_scenes.c

// Links of 10 cm and 20 g in a line; the motor drives the first, the others hang on it one after the other.
static sn_status build_whirl(sn_world *world, int links, joint_scale scale, whirl kind)
{
    const float pitch = 0.1f;
    joint_builder builder = joint_builder_start(world, scale);
    if (!kind.gravity) {
        builder.scene.status = sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f));
    }
    sn_rigid previous = joint_ground(&builder);
    for (int i = 0; i < links; ++i) {
        sn_vec3 point = {pitch * (float)i, 0.0f, 0.0f};
        sn_vec3 center = {point.x + 0.5f * pitch, 0.0f, 0.0f};
        sn_rigid link = joint_box(&builder, center, sn_v(0.5f * pitch, 0.01f, 0.01f), 0.5f);
        if (!kind.touching) {
            keep_apart(&builder, link);
        }
        if (i > 0 && kind.balls) {
            joint_ball(&builder, previous, link, point);
        } else {
            joint_hinge(&builder, previous, link, point, i == 0 ? whirl_speed : 0.0f);
        }
        previous = link;
    }
    return builder.scene.status;
}

sn_status joint_build_whirl(sn_world *world, int links, joint_scale scale)
{
    return build_whirl(world, links, scale, (whirl){.touching = true});
}

sn_status joint_build_whirl_apart(sn_world *world, int links, joint_scale scale)
{
    return build_whirl(world, links, scale, (whirl){.touching = false});
}

sn_status joint_build_whirl_balls(sn_world *world, int links, joint_scale scale)
{
    return build_whirl(world, links, scale, (whirl){.balls = true});
}

sn_status joint_build_whirl_gravity(sn_world *world, int links, joint_scale scale)
{
    return build_whirl(world, links, scale, (whirl){.gravity = true, .touching = true});
}

// --- rods --------------------------------------------------------------------------------------------------

// A steel rod of 1 m spins with 5000 rad/s about `axis` at a height, with boxes of 20 cm and 8 kg in a ring
// around it, which it strikes with the last 5 cm of its ends.
static sn_rigid add_rod_and_boxes(joint_builder *builder, int boxes, float height, sn_vec3 axis)
{
    const float ring = 0.55f;
    sn_vec3 across = sn_cross(sn_v(1.0f, 0.0f, 0.0f), axis);
    sn_vec3 center = {0.0f, height, 0.0f};
    sn_rigid rod = joint_box(builder, center, sn_v(0.5f, 0.03f, 0.03f), 8.0f);
    if (builder->scene.status == SN_OK) {
        builder->scene.status =
            sn_rigid_angular_velocity_set(builder->scene.world, rod, sn_scale(axis, 5000.0f));
    }
    for (int i = 0; i < boxes; ++i) {
        float angle = 2.0f * SN_PI * ((float)i + 0.5f) / (float)boxes;
        sn_vec3 place = sn_add(center, sn_v(ring * sn_cos(angle), 0.0f, 0.0f));
        place = sn_add(place, sn_scale(across, ring * sn_sin(angle)));
        joint_box(builder, place, sn_v(0.1f, 0.1f, 0.1f), 1.0f);
    }
    return rod;
}

// Free, 10 cm above a floor, about the vertical.
sn_status joint_build_rod(sn_world *world, int boxes, joint_scale scale)
{
    joint_builder builder = joint_builder_start(world, scale);
    scene_floor(&builder.scene);
    add_rod_and_boxes(&builder, boxes, 0.1f, sn_v(0.0f, 1.0f, 0.0f));
    return builder.scene.status;
}

// On a hinge about z, 1 m above the floor, like a mill.
sn_status joint_build_rod_hinged(sn_world *world, int boxes, joint_scale scale)
{
    joint_builder builder = joint_builder_start(world, scale);
    scene_floor(&builder.scene);
    sn_rigid rod = add_rod_and_boxes(&builder, boxes, 1.0f, sn_v(0.0f, 0.0f, 1.0f));
    joint_hinge(&builder, joint_ground(&builder), rod, sn_v(0.0f, 1.0f, 0.0f), 0.0f);
    return builder.scene.status;
}

// --- mass ratios -------------------------------------------------------------------------------------------

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
    keep_apart(&builder, crank);
    keep_apart(&builder, rocker);
    keep_apart(&builder, coupler);
    joint_hinge(&builder, ground, crank, sn_v(0.0f, 0.0f, 0.0f), 6.0f);
    joint_hinge(&builder, crank, coupler, sn_v(0.0f, 0.5f, 0.0f), 0.0f);
    joint_hinge(&builder, coupler, rocker, sn_v(1.5f, 1.0f, 0.0f), 0.0f);
    joint_hinge(&builder, ground, rocker, sn_v(1.5f, 0.0f, 0.0f), 0.0f);
    return builder.scene.status;
}

// Soft joints far from what they hold, and a body that cannot move along an axis.
#include "support/joint_builder.h"

// Spheres of 3.4 and 0.07 kg fall from 3 m; a soft joint holds them, 1 m and 1.5 m from their centres.
typedef struct sphere_pair {
    joint_builder builder;
    sn_rigid heavy, light;
    sn_vec3 point;
} sphere_pair;

static const float soft_compliance = 5.0e-5f; // [m/N] and [rad/(N m)]

static sphere_pair start_pair(sn_world *world, joint_scale scale)
{
    sphere_pair pair = {.builder = joint_builder_start(world, scale)};
    scene_floor(&pair.builder.scene);
    pair.heavy = joint_sphere(&pair.builder, sn_v(0.0f, 3.0f, 0.0f), 0.2f, 3.4f);
    pair.light = joint_sphere(&pair.builder, sn_v(0.5f, 3.0f, 0.0f), 0.05f, 0.07f);
    pair.point = sn_v(-1.0f, 3.0f, 0.5f);
    return pair;
}

static void soften(sn_constraint_common *common)
{
    common->compliance = soft_compliance;
}

sn_status joint_build_soft_fixed(sn_world *world, int unused, joint_scale scale)
{
    (void)unused;
    sphere_pair pair = start_pair(world, scale);
    sn_fixed_def def = sn_fixed_def_default();
    soften(&def.common);
    joint_place(&pair.builder, &def.common, pair.heavy, pair.light, pair.point, sn_v(0.0f, 0.0f, 1.0f));
    sn_status status = pair.builder.scene.status;
    return status == SN_OK ? sn_fixed_add(world, &def, NULL) : status;
}

sn_status joint_build_soft_hinge(sn_world *world, int unused, joint_scale scale)
{
    (void)unused;
    sphere_pair pair = start_pair(world, scale);
    sn_hinge_def def = sn_hinge_def_default();
    soften(&def.common);
    joint_place(&pair.builder, &def.common, pair.heavy, pair.light, pair.point, sn_v(0.0f, 0.0f, 1.0f));
    sn_status status = pair.builder.scene.status;
    return status == SN_OK ? sn_hinge_add(world, &def, NULL) : status;
}

sn_status joint_build_soft_slider(sn_world *world, int unused, joint_scale scale)
{
    (void)unused;
    sphere_pair pair = start_pair(world, scale);
    sn_slider_def def = sn_slider_def_default();
    soften(&def.common);
    joint_place(&pair.builder, &def.common, pair.heavy, pair.light, pair.point, sn_v(0.0f, 0.0f, 1.0f));
    sn_status status = pair.builder.scene.status;
    return status == SN_OK ? sn_slider_add(world, &def, NULL) : status;
}

// A ball of 1 kg that cannot move along y; one of 100 kg hangs on it by an arm of 0.5 m, at first horizontal.
sn_status joint_build_locked(sn_world *world, int unused, joint_scale scale)
{
    (void)unused;
    joint_builder builder = joint_builder_start(world, scale);
    sn_rigid carrier = joint_sphere(&builder, sn_v(0.0f, 0.0f, 0.0f), 0.06f, 1.0f);
    if (builder.scene.status == SN_OK) {
        builder.scene.status = sn_rigid_locks_set(world, carrier, SN_LOCK_Y);
    }
    sn_rigid load = joint_sphere(&builder, sn_v(0.5f, 0.0f, 0.0f), 0.3f, 100.0f);
    joint_ball(&builder, carrier, load, sn_v(0.0f, 0.0f, 0.0f));
    return builder.scene.status;
}

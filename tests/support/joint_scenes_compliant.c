// Soft joints far from what they hold, and a body that cannot move along an axis.
#include "support/joint_builder.h"

// Spheres of 3.4 and 0.07 kg, 0.5 m apart, fall from 3 m onto a floor; a soft joint that is 2 m and 1.5 m
// away from their centres holds them.
typedef struct sphere_pair {
    joint_builder builder;
    sn_rigid heavy, light;
} sphere_pair;

static const float soft_compliance = 5.0e-5f; // [m/N]
static const sn_vec3 soft_point = {2.0f, 3.0f, 0.0f};

static sphere_pair start_pair(sn_world *world, joint_scale scale)
{
    sphere_pair pair = {.builder = joint_builder_start(world, scale)};
    scene_floor(&pair.builder.scene);
    pair.heavy = joint_sphere(&pair.builder, sn_v(0.0f, 3.0f, 0.0f), 0.2f, 3.4f);
    pair.light = joint_sphere(&pair.builder, sn_v(0.5f, 3.0f, 0.0f), 0.05f, 0.07f);
    return pair;
}

static sn_status place_pair(sphere_pair *pair, sn_constraint_common *common, sn_vec3 axis)
{
    common->compliance = soft_compliance;
    joint_place_scaled(&pair->builder, common, pair->heavy, pair->light, soft_point, axis);
    return pair->builder.scene.status;
}

sn_status joint_build_soft_fixed(sn_world *world, int unused, joint_scale scale)
{
    (void)unused;
    sphere_pair pair = start_pair(world, scale);
    sn_fixed_def def = sn_fixed_def_default();
    sn_status status = place_pair(&pair, &def.common, sn_v(0.0f, 0.0f, 1.0f));
    return status == SN_OK ? sn_fixed_add(world, &def, NULL) : status;
}

static sn_status add_soft_hinge(sn_world *world, joint_scale scale, sn_hinge_def def)
{
    sphere_pair pair = start_pair(world, scale);
    sn_status status = place_pair(&pair, &def.common, sn_v(0.0f, 1.0f, 0.0f));
    return status == SN_OK ? sn_hinge_add(world, &def, NULL) : status;
}

sn_status joint_build_soft_hinge(sn_world *world, int unused, joint_scale scale)
{
    (void)unused;
    return add_soft_hinge(world, scale, sn_hinge_def_default());
}

sn_status joint_build_soft_hinge_limit(sn_world *world, int unused, joint_scale scale)
{
    (void)unused;
    sn_hinge_def def = sn_hinge_def_default();
    def.limit = true;
    def.lower = -0.1f;
    def.upper = 0.1f;
    return add_soft_hinge(world, scale, def);
}

sn_status joint_build_soft_hinge_spring(sn_world *world, int unused, joint_scale scale)
{
    (void)unused;
    sn_hinge_def def = sn_hinge_def_default();
    def.spring_stiffness = 100.0f;
    return add_soft_hinge(world, scale, def);
}

sn_status joint_build_soft_slider(sn_world *world, int unused, joint_scale scale)
{
    (void)unused;
    sphere_pair pair = start_pair(world, scale);
    sn_slider_def def = sn_slider_def_default();
    sn_status status = place_pair(&pair, &def.common, sn_v(0.0f, 0.0f, 1.0f));
    return status == SN_OK ? sn_slider_add(world, &def, NULL) : status;
}

// A ball of 1 kg that cannot move along y carries one of 100 kg on an arm of 0.5 m to `place`: a ball joint
// at the load's centre, which lets the first ball turn, or a fixed one.
static sn_status build_locked(sn_world *world, joint_scale scale, sn_vec3 place, bool fixed)
{
    joint_builder builder = joint_builder_start(world, scale);
    sn_rigid parent = joint_sphere(&builder, sn_v(0.0f, 0.0f, 0.0f), 0.06f, 1.0f);
    if (builder.scene.status == SN_OK) {
        builder.scene.status = sn_rigid_locks_set(world, parent, SN_LOCK_Y);
    }
    sn_rigid load = joint_sphere(&builder, place, 0.2f, 100.0f);
    if (fixed) {
        joint_fixed(&builder, parent, load, place);
    } else {
        joint_ball(&builder, parent, load, place);
    }
    return builder.scene.status;
}

sn_status joint_build_locked(sn_world *world, int unused, joint_scale scale)
{
    (void)unused;
    return build_locked(world, scale, sn_v(0.5f, 0.0f, 0.0f), false);
}

sn_status joint_build_locked_fixed(sn_world *world, int unused, joint_scale scale)
{
    (void)unused;
    return build_locked(world, scale, sn_v(0.3f, 0.4f, 0.0f), true);
}

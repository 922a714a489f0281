// What tests of the world share beyond the things of support/physics.h: worlds with default settings, steps,
// and short assertions. Include after cmocka.h.
#ifndef TESTS_SUPPORT_WORLD_KIT_H
#define TESTS_SUPPORT_WORLD_KIT_H

#include "sinew/sinew.h"
#include "support/manifold_check.h"
#include "support/memory.h"
#include "support/physics.h"

static const float frame = 1.0f / 60.0f;

#define assert_ok(call) assert_int_equal((call), SN_OK)

// Default settings: sleep is on.
static inline sn_world *kit_world(void)
{
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    assert_ok(sn_world_create(&def, &world));
    return world;
}

static inline void run_steps(sn_world *world, int count)
{
    for (int i = 0; i < count; ++i) {
        assert_ok(sn_world_step(world, frame));
    }
}

static inline sn_shape_def default_material(void)
{
    return sn_shape_def_default();
}

static inline void add_floor(sn_world *world)
{
    physics_floor(world, default_material());
}

static inline sn_rigid add_box_at(sn_world *world, float half, float x, float y, float z)
{
    return physics_box(world, default_material(), sn_v(half, half, half), physics_at(x, y, z));
}

static inline sn_rigid add_ball_at(sn_world *world, float radius, float x, float y, float z)
{
    return physics_sphere(world, default_material(), radius, physics_at(x, y, z));
}

static inline sn_shape first_shape(const sn_world *world, sn_rigid rigid)
{
    sn_shape shape = {0};
    assert_true(sn_rigid_shapes(world, rigid, &shape, 1) >= 1);
    return shape;
}

static inline bool same_rigid(sn_rigid a, sn_rigid b)
{
    return a.index == b.index && a.generation == b.generation && a.world == b.world;
}

static inline bool same_shape(sn_shape a, sn_shape b)
{
    return a.index == b.index && a.generation == b.generation && a.world == b.world;
}

static inline bool same_constraint(sn_constraint a, sn_constraint b)
{
    return a.index == b.index && a.generation == b.generation && a.world == b.world;
}

static inline bool same_vec3(sn_vec3 a, sn_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline bool same_quat(sn_quat a, sn_quat b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

static inline bool same_pose(sn_pose a, sn_pose b)
{
    return same_vec3(a.position, b.position) && same_quat(a.rotation, b.rotation);
}

#endif

// Ten jellies on top of each other: none passes another, and each carries what lies above it. They are
// stiff enough for the tower of 1.1 m not to buckle under its own weight: Greenhill's height is 1.7 m.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/soft_touch.h"

enum { COUNT = 10, MASS = 25 }; // [kg]
static const float step = 1.0f / 60.0f;

static void test_ten_jellies_stand(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    physics_floor(world, physics_material(0.5f, 0.0f));
    sn_deformable jellies[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        sn_pose pose =
            physics_at(0.004f * (float)(i % 3), 0.056f + 0.112f * (float)i, 0.003f * (float)(i % 2));
        sn_deformable_def def = touch_block_def(sn_v(0.5f, 0.1f, 0.5f), 5, MASS, 3.0e5f, pose);
        jellies[i] = touch_add(world, &def);
    }
    physics_run(world, step, 9.5f);
    sn_rigid ground = sn_world_ground(world);
    sn_vec3 below = touch_mean_force(world, jellies[0], &ground, step, 0.5f);
    check_relative((double)below.y, COUNT * MASS * physics_gravity, 0.01, "what the floor bears [N]");
    for (int i = 0; i < COUNT; ++i) {
        sn_deformable_measure now = sn_deformable_measure_now(world, jellies[i]);
        sn_vec3 force = touch_force(world, jellies[i], NULL, step);
        check_relative((double)force.y, MASS * physics_gravity, 0.01, "jelly %d: force [N]", i);
        check_near((double)now.center.y, 0.055 + 0.11 * i, 0.05, "its height [m]");
        check_relative((double)now.volume, (double)now.rest_volume, 0.02, "its volume [m³]");
        check_below(touch_rms(world, jellies[i]), 0.01, "its speed [m/s]");
        if (i > 0) {
            sn_bounds under = sn_deformable_measure_now(world, jellies[i - 1]).bounds;
            check_below((double)(under.upper.y - now.bounds.lower.y), 0.0,
                        "how far it is in the one below [m]");
        }
    }
    sn_world_destroy(world);
}

// Node stands over node, where faces meet and bulge: a tower that is near to buckling would be made to sway
// by contacts that come and go there.
static void test_jellies_that_lie_alike_rest(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    physics_floor(world, physics_material(0.5f, 0.0f));
    sn_mesh *mesh = NULL;
    must(sn_mesh_cylinder(0.2f, 0.12f, 3, 2, &mesh));
    sn_deformable jellies[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        sn_deformable_def def = sn_deformable_def_default();
        def.mesh = mesh;
        def.mass = 1.0f;
        def.pose = physics_at(0.0f, 0.08f + 0.14f * (float)i, 0.0f);
        def.model = sn_model_corotational(2.0e4f, 0.4f);
        def.model.damping = 0.01f;
        jellies[i] = touch_add(world, &def);
    }
    physics_run(world, step, 5.0f);
    for (int i = 0; i < COUNT; ++i) {
        check_below(touch_rms(world, jellies[i]), 0.002, "speed of jelly %d [m/s]", i);
    }
    sn_world_destroy(world);
    sn_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {physics_test(test_ten_jellies_stand),
                                       physics_test(test_jellies_that_lie_alike_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

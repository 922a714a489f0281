// What is added at rest begins with the impulses that hold it: nothing falls into its contacts first.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"
#include "support/scenes.h"

// Largest sink and sideways way of any body in that many steps.
static test_drift worst_drift(test_scene_run *run, int steps)
{
    test_drift worst = {0};
    for (int i = 0; i < steps; ++i) {
        must(test_scene_step(run, 1));
        test_drift now = test_scene_drift(run);
        worst.sink = sn_max(worst.sink, now.sink);
        worst.lateral = sn_max(worst.lateral, now.lateral);
    }
    return worst;
}

static void test_stacks_and_the_tower_do_not_dip(void **state)
{
    (void)state;
    const char *names[] = {"box_stack", "heavy_stack", "pyramid", "tower"};
    for (int i = 0; i < 4; ++i) {
        sn_world_def def = sn_world_def_default();
        def.sleep = false;
        test_scene_run run;
        must(test_scene_open(test_scene_find(names[i]), &def, &run));
        test_drift worst = worst_drift(&run, 60);
        check_below((double)worst.sink, 1.0e-5, "%s: sink [m]", names[i]);
        check_below((double)worst.lateral, 1.0e-5, "%s: drift [m]", names[i]);
        test_scene_close(&run);
    }
}

// From the first step on, the floor carries what stands on it.
static void test_the_first_step_has_the_forces_of_rest(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    sn_shape_def material = physics_material(0.5f, 0.0f);
    physics_floor(world, material);
    sn_rigid lower = physics_box(world, material, sn_v(0.5f, 0.5f, 0.5f), physics_at(0, 0.5f, 0));
    sn_rigid upper = physics_box(world, material, sn_v(0.5f, 0.5f, 0.5f), physics_at(0.1f, 1.5f, 0));
    physics_run(world, 1.0f / 60.0f, 1.0f / 60.0f);
    check_near((double)sn_rigid_contact_force(world, upper).y, 9810.0, 10.0, "force on the upper box [N]");
    check_near((double)sn_rigid_contact_force(world, lower).y, 9810.0, 10.0, "sum on the lower box [N]");
    check_below((double)sn_length(sn_rigid_linear_velocity(world, upper)), 1.0e-4, "speed [m/s]");
    sn_world_destroy(world);
}

// A box that is put on a stack that stands already: those below take its weight at once.
static void test_a_box_added_to_what_stands_does_not_make_it_dip(void **state)
{
    (void)state;
    sn_world_def def = sn_world_def_default();
    def.sleep = false;
    test_scene_run run;
    must(test_scene_open(test_scene_find("box_stack"), &def, &run));
    must(test_scene_step(&run, 30));
    sn_shape_def material = physics_material(0.5f, 0.0f);
    physics_box(run.world, material, sn_v(0.5f, 0.5f, 0.5f), physics_at(0, 20.5f, 0));
    check_below((double)worst_drift(&run, 60).sink, 1.0e-5, "sink [m]");
    test_scene_close(&run);
}

// Where nothing can hold it, it falls as it did: no impulse is invented.
static void test_what_cannot_stand_falls_from_the_start(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    sn_shape_def material = physics_material(0.5f, 0.0f);
    physics_floor(world, material);
    physics_box(world, material, sn_v(0.5f, 0.5f, 0.5f), physics_at(0, 0.5f, 0));
    sn_rigid over = physics_box(world, material, sn_v(0.5f, 0.1f, 0.5f), physics_at(0.7f, 1.1f, 0));
    sn_rigid free = physics_box(world, material, sn_v(0.1f, 0.1f, 0.1f), physics_at(5.0f, 2.0f, 0));
    physics_run(world, 1.0f / 60.0f, 0.5f);
    check_below((double)sn_rigid_position(world, over).y, 1.0, "height of what overhangs [m]");
    check_near((double)sn_rigid_position(world, free).y, 2.0 - 0.5 * 9.81 * 0.25, 0.01,
               "height of what is free [m]");
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_stacks_and_the_tower_do_not_dip),
        physics_test(test_the_first_step_has_the_forces_of_rest),
        physics_test(test_a_box_added_to_what_stands_does_not_make_it_dip),
        physics_test(test_what_cannot_stand_falls_from_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

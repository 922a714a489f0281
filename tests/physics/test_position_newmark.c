// Newmark's rule around the position solver: with (¼, ½) springs keep their energy, where implicit Euler
// loses it; and what is reported, saved and restored is as with any other rule.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/position_rig.h"
#include "support/soft_kit.h"
#include <stdlib.h>

static const float step = 1.0f / 60.0f;

static sn_world *newmark_world(int threads)
{
    sn_world_def def = position_def(2, 10);
    def.position.newmark = true;
    def.threads = threads;
    def.long_range = sn_long_range_auto();
    return position_world(&def);
}

static void test_a_spring_pendulum_keeps_its_energy(void **state)
{
    (void)state;
    double largest, last;
    pendulum_swing(true, &largest, &last);
    check_below(largest, 0.01, "energy of a spring pendulum in 20 s, largest deviation");
    check_below(fabs(last), 0.005, "its mean deviation in the last second");
    pendulum_swing(false, &largest, &last);
    check_below(last, -0.05, "the same by implicit Euler, which damps");
}

static void test_forces_at_rest_are_those_of_the_load(void **state)
{
    (void)state;
    sn_world *world = newmark_world(1);
    sn_constraint spring;
    sn_rigid lump = pendulum_hang(world, &spring);
    must(sn_rigid_pose_set(world, lump,
                           physics_at(0.0f, -pendulum_length - 9.81f / pendulum_stiffness, 0.0f)));
    add_floor(world);
    physics_run(world, step, 1.0f);
    double force = 0.0;
    for (int i = 0; i < 60; ++i) { // it bobs
        must(sn_world_step(world, step));
        force += (double)sn_length(sn_constraint_force(world, spring)) / 60.0;
    }
    check_relative(force, 9.81, 0.02, "force of the spring at rest");
    sn_world_destroy(world);
}

// The mean of a second: what lies there bounces a little.
static void test_contacts_of_deformables_report_the_load(void **state)
{
    (void)state;
    sn_world_def def = position_def(8, 10);
    def.position.newmark = true;
    def.position.newmark_gamma = 0.55f;
    def.position.newmark_beta = 1.05f * 1.05f / 4.0f;
    sn_world *world = position_world(&def);
    add_floor(world);
    sn_mesh *mesh = NULL;
    must(sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 2, 2, 2, &mesh));
    sn_deformable_def soft = sn_deformable_def_default();
    soft.mesh = mesh;
    soft.pose.position = sn_v(0.0f, 0.2f, 0.0f);
    soft.model = sn_model_corotational(1.0e5f, 0.3f);
    soft.model.damping = 0.02f;
    sn_deformable jelly = soft_add(world, &soft);
    sn_mesh_destroy(mesh);
    physics_run(world, step, 1.0f);
    double impulse = 0.0;
    for (int i = 0; i < 60; ++i) {
        sn_soft_contact contacts[64];
        must(sn_world_step(world, step));
        for (int k = sn_deformable_contacts(world, jelly, contacts, 64); k-- > 0;) {
            impulse += (double)contacts[k].normal_impulse;
        }
    }
    double weight = sn_world_energy(world).mass * 9.81;
    check_relative(impulse, weight, 0.01, "impulse of the floor on a jelly in a second");
    sn_world_destroy(world);
}

static uint64_t hash_after(int threads, bool through_a_snapshot)
{
    sn_world *world = newmark_world(threads);
    pendulum_hang(world, NULL);
    sn_deformable jelly = soft_jelly(world, 2, sn_v(0.0f, 0.0f, 2.0f), 1.0e5f);
    must(sn_node_fix(world, jelly, 0, true));
    for (int i = 0; i < 40; ++i) {
        if (through_a_snapshot && i == 20) {
            size_t size = 0;
            must(sn_world_save(world, NULL, 0, &size));
            void *buffer = malloc(size);
            must(sn_world_save(world, buffer, size, &size));
            must(sn_world_restore(world, buffer, size));
            free(buffer);
        }
        must(sn_world_step(world, step));
    }
    uint64_t hash = sn_world_hash(world);
    sn_world_destroy(world);
    return hash;
}

static void test_threads_and_snapshots_change_nothing(void **state)
{
    (void)state;
    uint64_t hash = hash_after(1, false);
    assert_true(hash == hash_after(2, false));
    assert_true(hash == hash_after(1, true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_spring_pendulum_keeps_its_energy),
        physics_test(test_forces_at_rest_are_those_of_the_load),
        physics_test(test_contacts_of_deformables_report_the_load),
        physics_test(test_threads_and_snapshots_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// What the guard cut loses the speed at which it approached, by impulses that keep both momenta.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "support/soft_kit.h"
#include "world/core/world.h"
#include "world/deformables/guard_hits.h"

enum { CELLS = 2, NODES = 9 };

static sn_world *world;
static int first[2]; // nodes of the two sheets

static int set_up(void **state)
{
    (void)state;
    test_random random = {7};
    world = soft_restless_world();
    for (int i = 0; i < 2; ++i) {
        sn_deformable cloth =
            soft_cloth(world, CELLS, sn_v(0.1f * (float)i, 0.07f * (float)i, 0.1f * (float)i));
        sn_node_state *nodes;
        sn_node_velocity *velocities;
        assert_ok(sn_deformable_edit(world, cloth, &nodes, &velocities));
        for (int k = 0; k < NODES; ++k) {
            nodes[k].position = sn_add(nodes[k].position, test_random_vec3(&random, 0.02f));
            velocities[k].velocity =
                sn_add(sn_v(0.0f, 0.0f, i == 0 ? 5.0f : -5.0f), test_random_vec3(&random, 1.0f));
        }
        first[i] = (int)(nodes - world->nodes.states.data);
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sn_world_destroy(world);
    return 0;
}

// Applies hits one after the other; none adds energy, and both momenta stay.
static void assert_conserving(sn_guard_hit *hits, int count)
{
    sn_soft_scene scene;
    assert_true(sn_soft_describe(world, 0.01f, &scene));
    for (int i = 0; i < count; ++i) {
        sn_energy before = sn_world_energy(world);
        sn_soft_guard guard = {.hits = &hits[i], .hit_count = 1};
        sn_world_apply_hits(world, &scene, &guard);
        sn_energy after = sn_world_energy(world);
        assert_true(after.kinetic < before.kinetic);
        double size = sqrt(2.0 * before.kinetic * before.mass);
        for (int k = 0; k < 3; ++k) {
            assert_true(fabs(after.momentum[k] - before.momentum[k]) < 1.0e-6 * size);
            assert_true(fabs(after.angular_momentum[k] - before.angular_momentum[k]) < 1.0e-6 * size);
        }
        sn_world_apply_hits(world, &scene, &guard); // they approach each other no more
        assert_true(fabs(sn_world_energy(world).kinetic - after.kinetic) < 1.0e-5 * after.kinetic);
    }
}

static void test_features_of_two_sheets_hit_each_other_without_torque(void **state)
{
    (void)state;
    int a = first[1], b = first[0];
    sn_guard_hit hits[] = {
        {.a = {a + 4}, .count_a = 1, .b = {b + 4, b + 5, b + 8}, .count_b = 3, .body = -1},
        {.a = {a + 4, a + 3}, .count_a = 2, .b = {b + 1, b + 4}, .count_b = 2, .body = -1},
        {.a = {a, a + 1, a + 3}, .count_a = 3, .b = {b, b + 1, b + 4}, .count_b = 3, .body = -1},
        {.a = {a + 8}, .count_a = 1, .b = {b + 8}, .count_b = 1, .body = -1},
    };
    assert_conserving(hits, 4);
}

static void test_a_face_and_a_body_hit_each_other_without_torque(void **state)
{
    (void)state;
    sn_rigid_def def = sn_rigid_def_default();
    sn_rigid ball;
    def.position = sn_v(0.05f, 0.1f, -0.2f);
    def.linear_velocity = sn_v(1.0f, 2.0f, 20.0f);
    def.angular_velocity = sn_v(3.0f, -4.0f, 5.0f);
    assert_ok(sn_rigid_add(world, &def, &ball));
    assert_ok(sn_sphere_add(world, ball, NULL, (sn_sphere){{0}, 0.05f}, NULL));
    sn_guard_hit hit = {.a = {first[0], first[0] + 1, first[0] + 4},
                        .count_a = 3,
                        .body = world->awake_bodies.data[0],
                        .normal = sn_normalize(sn_v(0.1f, 0.2f, 1.0f))};
    sn_soft_scene scene;
    assert_true(sn_soft_describe(world, 0.01f, &scene));
    sn_soft_guard guard = {.hits = &hit, .hit_count = 1};
    sn_energy before = sn_world_energy(world);
    sn_world_apply_hits(world, &scene, &guard);
    sn_energy after = sn_world_energy(world);
    assert_true(after.kinetic < before.kinetic);
    for (int k = 0; k < 3; ++k) {
        assert_true(fabs(after.momentum[k] - before.momentum[k]) < 1.0e-5);
        assert_true(fabs(after.angular_momentum[k] - before.angular_momentum[k]) < 1.0e-5);
    }
}

static void test_a_fixed_node_is_not_pushed(void **state)
{
    (void)state;
    sn_guard_hit hit = {.a = {first[1] + 4}, .count_a = 1, .b = {first[0] + 4}, .count_b = 1, .body = -1};
    sn_soft_guard guard = {.hits = &hit, .hit_count = 1};
    sn_soft_scene scene;
    world->nodes.states.data[first[0] + 4].inverse_mass = 0.0f;
    sn_vec3 fixed = world->nodes.velocities.data[first[0] + 4].velocity;
    sn_vec3 other = world->nodes.velocities.data[first[1] + 4].velocity;
    assert_true(sn_soft_describe(world, 0.01f, &scene));
    sn_world_apply_hits(world, &scene, &guard);
    assert_memory_equal(&fixed, &world->nodes.velocities.data[first[0] + 4].velocity, sizeof fixed);
    assert_true(sn_distance_between(other, world->nodes.velocities.data[first[1] + 4].velocity) > 1.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_features_of_two_sheets_hit_each_other_without_torque, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_a_face_and_a_body_hit_each_other_without_torque, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_a_fixed_node_is_not_pushed, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

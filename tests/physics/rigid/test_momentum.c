// A free cluster of bodies held together by every kind of joint: no inner force changes its momentum.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/cluster.h"
#include "support/physics.h"

static const sn_vec3 still = {0.0f, 0.0f, 0.0f}, drift = {0.5f, -0.3f, 0.2f};
static const sn_vec3 fast_spin = {0.3f, 2.0f, 0.5f}, slow_spin = {0.3f, 1.0f, 0.5f};

static void check_conservation(sn_vec3 velocity, sn_vec3 spin, float step, const char *name)
{
    momentum_drift worst = cluster_momentum_drift(velocity, spin, step, 1000);
    check_below(worst.linear, 1e-5, "%s: change of momentum", name);
    check_below(worst.angular, 1e-5, "%s: change of angular momentum", name);
}

static void test_a_spinning_cluster_at_60_hz_keeps_both_momenta_within_1e_5_for_1000_steps(void **state)
{
    (void)state;
    check_conservation(still, fast_spin, physics_steps[0], "spinning");
}

static void test_a_spinning_cluster_at_240_hz_keeps_both_momenta_within_1e_5_for_1000_steps(void **state)
{
    (void)state;
    check_conservation(still, fast_spin, physics_steps[1], "spinning");
}

static void test_a_drifting_spinning_cluster_keeps_both_momenta_within_1e_5_for_1000_steps(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        check_conservation(drift, slow_spin, physics_steps[s], "drifting");
    }
}

static void test_clusters_spinning_about_other_axes_at_60_hz_keep_both_momenta_within_1e_5(void **state)
{
    (void)state;
    const sn_vec3 spins[] = {
        {1.0f, 0.5f, 2.0f}, {0.1f, 3.0f, -0.4f}, {2.0f, 0.2f, 0.3f}, {0.5f, -2.0f, 1.5f}};
    for (int i = 0; i < 4; ++i) {
        check_conservation(still, spins[i], physics_steps[0], "other axis");
    }
}

// Contacts are inner forces as well: two boxes collide and slide along each other. Where they touch is kept
// for a step, while they move on: angular momentum pays for that.
static void
test_colliding_boxes_keep_momentum_within_1e_5_and_angular_momentum_within_half_a_percent(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world_without_gravity();
        sn_shape_def material = physics_material(0.5f, 0.3f);
        sn_rigid a = physics_box(world, material, sn_v(0.5f, 0.5f, 0.5f), physics_at(-1.5f, 0.3f, 0.1f));
        sn_pose pose = {{1.0f, 0.0f, 0.0f}, sn_quat_axis_angle(sn_normalize(sn_v(1, 2, 3)), 0.8f)};
        physics_box(world, material, sn_v(0.4f, 0.6f, 0.5f), pose);
        must(sn_rigid_linear_velocity_set(world, a, sn_v(4.0f, 0.5f, -0.3f)));
        must(sn_rigid_angular_velocity_set(world, a, sn_v(1.0f, 2.0f, -1.0f)));
        sn_energy start = sn_world_energy(world);
        physics_run(world, physics_steps[s], 2.0f);
        sn_energy end = sn_world_energy(world);
        check_below(difference3(end.momentum, start.momentum) / size3(start.momentum), 1e-5,
                    "step %d: change of momentum", s);
        check_below(difference3(end.angular_momentum, start.angular_momentum) / size3(start.angular_momentum),
                    0.005, "step %d: change of angular momentum", s);
        check_below(end.kinetic, start.kinetic, "energy");
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_spinning_cluster_at_60_hz_keeps_both_momenta_within_1e_5_for_1000_steps),
        physics_test(test_a_spinning_cluster_at_240_hz_keeps_both_momenta_within_1e_5_for_1000_steps),
        physics_test(test_a_drifting_spinning_cluster_keeps_both_momenta_within_1e_5_for_1000_steps),
        physics_test(test_clusters_spinning_about_other_axes_at_60_hz_keep_both_momenta_within_1e_5),
        physics_test(
            test_colliding_boxes_keep_momentum_within_1e_5_and_angular_momentum_within_half_a_percent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

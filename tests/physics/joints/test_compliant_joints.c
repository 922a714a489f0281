// Joints that are soft in some directions and hard in others, far from what they hold, gain no energy; nor do
// locked axes under load.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/joint_checks.h"

static const double gain = 1.0e-3;
static const double lock_gain = 0.01; // a pendulum turns up to twice around in a second here

static void test_falling_spheres_on_a_soft_fixed_joint_gain_no_energy(void **state)
{
    (void)state;
    check_joint_scene_at_all_steps("soft_fixed", gain);
    check_joint_scene_at_all_scales("soft_fixed", gain);
}

static void test_falling_spheres_on_a_soft_hinge_gain_no_energy(void **state)
{
    (void)state;
    check_joint_scene_at_all_steps("soft_hinge", gain);
    check_joint_scene_at_all_steps("soft_hinge_limit", gain);
    check_joint_scene_at_all_steps("soft_hinge_spring", gain);
}

static void test_falling_spheres_on_a_soft_slider_gain_no_energy(void **state)
{
    (void)state;
    check_joint_scene_at_all_steps("soft_slider", gain);
    check_joint_scene_at_all_scales("soft_slider", gain);
}

static void test_a_kilogram_locked_in_y_carries_a_hundred_without_gaining_energy(void **state)
{
    (void)state;
    check_joint_scene_at_all_steps("locked", lock_gain);
    check_joint_scene_at_all_steps("locked_fixed", lock_gain);
    check_joint_scene_at_all_scales("locked", lock_gain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_falling_spheres_on_a_soft_fixed_joint_gain_no_energy),
        physics_test(test_falling_spheres_on_a_soft_hinge_gain_no_energy),
        physics_test(test_falling_spheres_on_a_soft_slider_gain_no_energy),
        physics_test(test_a_kilogram_locked_in_y_carries_a_hundred_without_gaining_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Structures held by more joints than they need come to rest like any other, and never gain energy.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/joint_checks.h"

// Part of the energy of a fall by the structure's own size: what rounding may add.
static const double rounding = 1.0e-4;

static void test_a_bridge_of_20_planks_with_two_balls_a_seam_comes_to_rest(void **state)
{
    (void)state;
    check_joint_scene_at_all_steps("bridge_20", rounding);
}

static void test_bridges_of_12_and_15_and_99_planks_come_to_rest(void **state)
{
    (void)state;
    check_joint_scene("bridge_12", (joint_run){0}, rounding);
    check_joint_scene("bridge_15", (joint_run){0}, rounding);
    check_joint_scene("bridge_99", (joint_run){0}, rounding);
}

static void test_damped_bridges_come_to_rest(void **state)
{
    (void)state;
    check_joint_scene_at_all_steps("damped_bridge_20", rounding);
    check_joint_scene("damped_bridge_99", (joint_run){0}, rounding);
    check_joint_scene("damped_bridge_99", (joint_run){.step = 1.0f / 120.0f}, rounding);
}

static void test_a_column_of_15_boxes_with_four_balls_a_seam_stands(void **state)
{
    (void)state;
    check_joint_scene_at_all_steps("column", rounding);
    check_joint_scene_at_all_steps("standing_column", rounding);
}

static void test_a_cantilever_of_10_boxes_with_two_fixed_joints_a_seam_comes_to_rest(void **state)
{
    (void)state;
    check_joint_scene_at_all_steps("cantilever", rounding);
}

static void test_a_chain_of_15_links_with_two_hinges_a_link_hangs_still(void **state)
{
    (void)state;
    check_joint_scene_at_all_steps("hinge_chain", rounding);
}

static void test_redundant_structures_of_other_sizes_and_masses_behave_alike(void **state)
{
    (void)state;
    static const char *const names[] = {"bridge_12", "standing_column", "cantilever", "hinge_chain"};
    for (int i = 0; i < 4; ++i) {
        check_joint_scene_at_all_scales(names[i], rounding);
    }
}

// Every body of a grid hangs on up to four neighbours, around loops that all must close.
static void test_a_falling_grid_of_15_by_15_balls_gains_no_energy(void **state)
{
    (void)state;
    check_joint_scene("grid_15", (joint_run){0}, rounding);
    check_joint_scene("grid_15", (joint_run){.sub_steps = 8}, rounding);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_bridge_of_20_planks_with_two_balls_a_seam_comes_to_rest),
        physics_test(test_bridges_of_12_and_15_and_99_planks_come_to_rest),
        physics_test(test_damped_bridges_come_to_rest),
        physics_test(test_a_column_of_15_boxes_with_four_balls_a_seam_stands),
        physics_test(test_a_cantilever_of_10_boxes_with_two_fixed_joints_a_seam_comes_to_rest),
        physics_test(test_a_chain_of_15_links_with_two_hinges_a_link_hangs_still),
        physics_test(test_redundant_structures_of_other_sizes_and_masses_behave_alike),
        physics_test(test_a_falling_grid_of_15_by_15_balls_gains_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

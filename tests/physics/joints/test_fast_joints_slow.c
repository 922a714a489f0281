// Fast things may stretch their joints, but they neither freeze nor have more energy than was put in.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/joint_checks.h"

static const double gain = 0.01;

// Checks the measure itself: a motor of unlimited torque that sets a single link going at once does twice the
// work the link has as energy, the other half being lost in the jerk. In one sub-step, since the motor
// replaces what later ones lose.
static void test_half_of_what_a_sudden_motor_puts_into_a_link_is_its_energy(void **state)
{
    (void)state;
    joint_scene scene = *joint_scene_find("whirl");
    scene.count = 1;
    joint_run run = {.step = 1.0e-4f, .sub_steps = 1, .seconds = 1.0e-4f};
    joint_result result;
    must(joint_scene_measure(&scene, &run, &result));
    check_near(result.energy_factor, 0.5, 0.005, "energy of the link / torque x speed x time of the motor");
    // A rod of 20 g, 10 cm long and 2 cm wide, about its end, at 200 rad/s: (m l²/3 + m w²/12) ω².
    check_relative(result.motor_work, 0.02 * (0.01 / 3.0 + 0.0004 / 12.0) * 4.0e4, 0.01, "work [J]");
}

static void test_twenty_light_links_are_whirled_at_200_rad_per_s(void **state)
{
    (void)state;
    check_joint_scene_at_all_steps("whirl", gain);
    check_joint_scene_at_all_scales("whirl", gain);
}

static void test_whirled_links_that_do_not_touch_or_hang_on_balls(void **state)
{
    (void)state;
    check_joint_scene_at_all_steps("whirl_apart", gain);
    check_joint_scene_at_all_steps("whirl_balls", gain);
}

static void test_links_are_whirled_against_gravity(void **state)
{
    (void)state;
    check_joint_scene_at_all_steps("whirl_gravity", gain);
}

static void test_a_rod_at_5000_rad_per_s_strikes_boxes(void **state)
{
    (void)state;
    check_joint_scene_at_all_steps("rod", gain);
    check_joint_scene_at_all_steps("rod_11", gain);
}

static void test_a_hinged_rod_at_5000_rad_per_s_strikes_boxes(void **state)
{
    (void)state;
    check_joint_scene_at_all_steps("rod_hinged", gain);
}

static void test_a_chain_swings_with_a_thousand_times_a_links_mass_at_its_end(void **state)
{
    (void)state;
    check_joint_scene_at_all_steps("heavy_swing", gain);
    check_joint_scene_at_all_scales("heavy_swing", gain);
}

static void test_a_motor_turns_a_four_bar_linkage_with_a_coupler_of_a_thousand_times_its_mass(void **state)
{
    (void)state;
    check_joint_scene_at_all_steps("four_bar", gain);
    check_joint_scene_at_all_scales("four_bar", gain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_half_of_what_a_sudden_motor_puts_into_a_link_is_its_energy),
        physics_test(test_twenty_light_links_are_whirled_at_200_rad_per_s),
        physics_test(test_whirled_links_that_do_not_touch_or_hang_on_balls),
        physics_test(test_links_are_whirled_against_gravity),
        physics_test(test_a_rod_at_5000_rad_per_s_strikes_boxes),
        physics_test(test_a_hinged_rod_at_5000_rad_per_s_strikes_boxes),
        physics_test(test_a_chain_swings_with_a_thousand_times_a_links_mass_at_its_end),
        physics_test(test_a_motor_turns_a_four_bar_linkage_with_a_coupler_of_a_thousand_times_its_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Bodies that overlap leave each other at a bounded speed, and small bodies stack like large ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/joint_checks.h"

static void test_two_hundred_boxes_in_one_place_part_at_5_m_per_s_at_most(void **state)
{
    (void)state;
    static const joint_run runs[] = {{.seconds = 1.0f}, {.seconds = 1.0f, .step = 1.0f / 120.0f}};
    for (int i = 0; i < 2; ++i) {
        joint_result result;
        must(joint_scene_measure(joint_scene_find("heap"), &runs[i], &result));
        check_below(result.peak_speed, 5.0, "fastest box [m/s], run %d", i);
        check_below(result.frozen_count, 0, "frozen boxes, run %d", i);
        check_above(result.drift, 0.2, "they do part: farthest box [m], run %d", i);
    }
}

static void test_ten_dice_of_1_cm_stand_20_s_within_1_mm(void **state)
{
    (void)state;
    static const float steps[] = {1.0f / 60.0f, 1.0f / 120.0f};
    for (int i = 0; i < 2; ++i) {
        joint_run run = {.step = steps[i]};
        joint_result result;
        must(joint_scene_measure(joint_scene_find("dice"), &run, &result));
        check_below(result.drift, 0.001, "farthest way of a die [m], step %d", i);
        check_below(result.rest_speed, JOINT_REST_SPEED, "fastest after 10 s [m/s], step %d", i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_two_hundred_boxes_in_one_place_part_at_5_m_per_s_at_most),
        physics_test(test_ten_dice_of_1_cm_stand_20_s_within_1_mm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

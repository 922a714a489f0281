// Moving convex sets: what is called apart never meets, what is cut does not meet either, and neither is more
// careful than it must be.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/moving_pairs.h"
#include "support/near.h"

static void test_pairs_called_apart_never_cross(void **state)
{
    (void)state;
    moving_pair_count count = moving_pairs_judge(1, 20000, 100);
    assert_int_equal(count.missed, 0);
    assert_true(count.crossed > 1000);
}

static void test_what_is_cut_does_not_cross(void **state)
{
    (void)state;
    moving_pair_count count = moving_pairs_judge(2, 20000, 100);
    assert_int_equal(count.crossed_cut, 0);
    assert_true(count.met > 1000);
}

static void test_few_pairs_are_called_meeting_that_do_not_cross(void **state)
{
    (void)state;
    moving_pair_count count = moving_pairs_judge(3, 20000, 100);
    assert_true(count.met < 1.1 * count.crossed);
}

static void test_overlap_at_the_start_is_told(void **state)
{
    (void)state;
    sn_vec3 ball = {0.0f, 0.01f, 0.0f}, face[3] = {{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}};
    sn_moving_set a = {.start = &ball, .end = &ball, .count = 1, .radius = 0.02f};
    sn_moving_set b = {.start = face, .end = face, .count = 3};
    sn_parting parting;
    assert_int_equal(sn_moving_sets_meet(&a, &b, 1.0e-6f), SN_SETS_OVERLAP);
    assert_false(sn_moving_sets_part(&a, &b, 1.0e-6f, &parting));
}

// Nearer than twice the distance below which rounding decides, it might overlap when the next step begins.
static void test_what_ends_apart_does_not_overlap_when_the_next_step_begins(void **state)
{
    (void)state;
    const float least = 1.0e-5f;
    sn_vec3 face[3] = {{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}}, start = {0.0f, 0.01f, 0.0f};
    sn_moving_set b = {.start = face, .end = face, .count = 3};
    for (int i = 0; i <= 30; ++i) {
        sn_vec3 end = {0.0f, 0.1f * (float)i * least, 0.0f};
        sn_moving_set a = {.start = &start, .end = &end, .count = 1};
        sn_vec3 then = sn_add(end, sn_v(0.0f, -0.5f * least, 0.0f)); // as rounding may put it
        sn_moving_set next = {.start = &then, .end = &then, .count = 1};
        if (sn_moving_sets_meet(&a, &b, least) == SN_SETS_APART) {
            assert_int_not_equal(sn_moving_sets_meet(&next, &b, least), SN_SETS_OVERLAP);
        } else {
            assert_true(i <= 20);
        }
    }
}

// Closer than rounding of places in the world, yet apart: they may part, and are stopped where they approach.
static void test_what_nearly_touches_is_not_let_through(void **state)
{
    (void)state;
    const float least = 1.0e-6f;
    sn_vec3 below[3] = {{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}}, above[3], up[3], down[3];
    for (int i = 0; i < 3; ++i) {
        above[i] = sn_v(0.3f * below[i].x, 0.2f * least * (i == 0 ? 1.0f : 2.0f), -0.3f * below[i].z);
        up[i] = sn_add(above[i], sn_v(0.001f, 0.01f, 0.0f));
        down[i] = sn_add(above[i], sn_v(0.001f, -0.01f, 0.0f));
    }
    sn_moving_set a = {.start = above, .end = up, .count = 3}, b = {below, below, 3, 0.0f, false};
    assert_int_equal(sn_moving_sets_meet(&a, &b, least), SN_SETS_APART);
    a.end = down;
    assert_int_equal(sn_moving_sets_meet(&a, &b, least), SN_SETS_MEET);
    sn_parting parting;
    assert_true(sn_moving_sets_part(&a, &b, least, &parting));
    for (int i = 0; i < 3; ++i) {
        float part =
            sn_motion_above(above[i], down[i], parting.normal, parting.level_a + parting.shift, 1.0f);
        assert_true(sn_lerp(above[i], down[i], part).y > 0.0f);
    }
    above[0].y = -0.2f * least;
    assert_int_equal(sn_moving_sets_meet(&a, &b, least), SN_SETS_OVERLAP);
}

static void test_things_that_move_together_are_apart(void **state)
{
    (void)state;
    sn_vec3 start[4] = {{0, 0.001f, 0}, {-1, 0, -1}, {1, 0, -1}, {0, 0, 1}}, end[4];
    for (int i = 0; i < 4; ++i) {
        end[i] = sn_add(start[i], sn_v(3.0f, -20.0f, 1.0f));
    }
    sn_moving_set a = {.start = start, .end = end, .count = 1};
    sn_moving_set b = {.start = start + 1, .end = end + 1, .count = 3};
    assert_int_equal(sn_moving_sets_meet(&a, &b, 1.0e-5f), SN_SETS_APART);
}

static void test_the_gap_is_shared_by_motion(void **state)
{
    (void)state;
    sn_vec3 start = {0.0f, 1.0f, 0.0f}, end = {0.0f, -2.0f, 0.0f};
    sn_vec3 face[3] = {{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}}, raised[3];
    for (int i = 0; i < 3; ++i) {
        raised[i] = sn_add(face[i], sn_v(0.0f, 1.0f, 0.0f));
    }
    sn_moving_set a = {.start = &start, .end = &end, .count = 1};
    sn_moving_set b = {.start = face, .end = raised, .count = 3};
    sn_parting parting;
    assert_true(sn_moving_sets_part(&a, &b, 0.0f, &parting));
    assert_near(parting.normal.y, 1.0f, 1.0e-6f);
    assert_near(parting.level_a, 1.0f - 0.375f, 1.0e-5f);
    assert_near(parting.level_b, 0.125f, 1.0e-5f);
}

static void test_what_is_forced_takes_what_it_needs(void **state)
{
    (void)state;
    sn_vec3 start = {0.0f, 1.0f, 0.0f}, end = {0.0f, -2.0f, 0.0f};
    sn_vec3 face[3] = {{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}}, raised[3];
    for (int i = 0; i < 3; ++i) {
        raised[i] = sn_add(face[i], sn_v(0.0f, 0.8f, 0.0f));
    }
    sn_moving_set a = {.start = &start, .end = &end, .count = 1};
    sn_moving_set b = {.start = face, .end = raised, .count = 3, .is_forced = true};
    sn_parting parting;
    assert_true(sn_moving_sets_part(&a, &b, 0.0f, &parting));
    assert_near(parting.level_b, 0.8f, 1.0e-5f);
    assert_true(parting.level_a > parting.level_b);
}

// A point that falls on a face which falls, too, is cut to the pace of that, and a little of the gap.
static void test_what_moves_together_keeps_its_common_motion(void **state)
{
    (void)state;
    sn_vec3 start = {0.0f, 0.1f, 0.0f}, end = {0.0f, -5.2f, 0.0f};
    sn_vec3 face[3] = {{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}}, lowered[3];
    for (int i = 0; i < 3; ++i) {
        lowered[i] = sn_add(face[i], sn_v(0.0f, -5.0f, 0.0f));
    }
    sn_moving_set a = {.start = &start, .end = &end, .count = 1};
    sn_moving_set b = {.start = face, .end = lowered, .count = 3};
    sn_parting parting;
    assert_int_equal(sn_moving_sets_meet(&a, &b, 1.0e-6f), SN_SETS_MEET);
    assert_true(sn_moving_sets_part(&a, &b, 0.0f, &parting));
    assert_near(parting.shift, -5.0f, 1.0e-5f);
    float part = sn_motion_above(start, end, parting.normal, parting.level_a + parting.shift, 1.0f);
    assert_near(sn_lerp(start, end, part).y, -5.0f + 0.05f, 1.0e-4f);
    assert_near(sn_motion_above(face[0], lowered[0], parting.normal, parting.level_b + parting.shift, -1.0f),
                1.0f, 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs_called_apart_never_cross),
        cmocka_unit_test(test_what_is_cut_does_not_cross),
        cmocka_unit_test(test_few_pairs_are_called_meeting_that_do_not_cross),
        cmocka_unit_test(test_overlap_at_the_start_is_told),
        cmocka_unit_test(test_what_ends_apart_does_not_overlap_when_the_next_step_begins),
        cmocka_unit_test(test_what_nearly_touches_is_not_let_through),
        cmocka_unit_test(test_things_that_move_together_are_apart),
        cmocka_unit_test(test_the_gap_is_shared_by_motion),
        cmocka_unit_test(test_what_is_forced_takes_what_it_needs),
        cmocka_unit_test(test_what_moves_together_keeps_its_common_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

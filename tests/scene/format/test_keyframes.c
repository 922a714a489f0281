// Keyframes: through every key, straight or smooth between them, the ends beyond, and round and round.
#include "scene/keyframes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static sn_keyframes frames;

static void put(float at, float x, float angle)
{
    sn_key key = {.at = at,
                  .first = sn_v(x, 0.0f, 0.0f),
                  .second = sn_v(-x, 0.0f, 0.0f),
                  .rotation = sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), angle)};
    assert_true(SN_LIST_PUSH(&frames.items, key));
}

static int begin(void **state)
{
    (void)state;
    frames = (sn_keyframes){.path = SN_PATH_SMOOTH};
    put(1.0f, 0.0f, 0.0f);
    put(2.0f, 10.0f, 1.0f);
    put(4.0f, 0.0f, 0.0f);
    return 0;
}

static int end(void **state)
{
    (void)state;
    SN_LIST_FREE(&frames.items);
    return 0;
}

static double x_at(double time)
{
    sn_key key = sn_keyframes_at(&frames, time);
    assert_true(key.second.x == -key.first.x);
    return (double)key.first.x;
}

static double angle_at(double time)
{
    sn_quat q = sn_keyframes_at(&frames, time).rotation;
    return 2.0 * atan2((double)q.y, (double)q.w);
}

static void assert_about(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.9g is not within %g of %.9g", value, tolerance, expected);
    }
}

static void test_both_paths_go_through_every_key(void **state)
{
    (void)state;
    for (int path = 0; path < 2; ++path) {
        frames.path = (sn_key_path)path;
        assert_about(x_at(1.0), 0.0, 0.0);
        assert_about(x_at(2.0), 10.0, 0.0);
        assert_about(x_at(4.0), 0.0, 0.0);
        assert_about(angle_at(2.0), 1.0, 1e-6);
    }
}

static void test_the_ends_hold_beyond_the_ends(void **state)
{
    (void)state;
    assert_about(x_at(-5.0), 0.0, 0.0);
    frames.items.items[2].first.x = 3.0f;
    frames.items.items[2].second.x = -3.0f;
    assert_about(x_at(1e6), 3.0, 0.0);
}

static void test_straight_is_straight_and_turns_evenly(void **state)
{
    (void)state;
    frames.path = SN_PATH_LINEAR;
    for (int i = 0; i <= 10; ++i) {
        assert_about(x_at(1.0 + 0.1 * i), i, 1e-5);
        assert_about(angle_at(1.0 + 0.1 * i), 0.1 * i, 1e-5);
    }
}

static void test_smooth_starts_and_stops_gently_and_never_jumps_in_speed(void **state)
{
    (void)state;
    const double h = 1e-3;
    assert_about((x_at(1.0 + h) - x_at(1.0)) / h, 0.0, 0.1);
    assert_about((x_at(4.0) - x_at(4.0 - h)) / h, 0.0, 0.1);
    for (double t = 1.0 + h; t < 4.0 - h; t += h) {
        double before = (x_at(t) - x_at(t - h)) / h, after = (x_at(t + h) - x_at(t)) / h;
        assert_about(after, before, 0.2); // the largest acceleration is some 60 m/s²
    }
}

static void test_what_keys_hold_stays_and_nothing_swings_beyond_its_keys(void **state)
{
    (void)state;
    put(5.0f, 0.0f, 0.0f);
    put(5.2f, 4.0f, 0.4f);
    put(7.0f, 4.0f, 0.4f);
    put(7.1f, 5.0f, 0.5f);
    for (int loop = 0; loop < 2; ++loop) {
        frames.loop = loop == 1;
        for (double t = 1.0; t < 7.095; t += 0.01) {
            double low = t < 5.0 ? 0.0 : t < 7.0 ? 0.0 : 4.0, high = t < 5.0 ? 10.0 : t < 7.0 ? 4.0 : 5.0;
            assert_about(x_at(t), 0.5 * (low + high), 0.5 * (high - low));
        }
        for (double t = 4.0; t < 5.0; t += 0.01) {
            assert_about(x_at(t), 0.0, 0.0);
            assert_about(angle_at(t), 0.0, 1e-6);
        }
        for (double t = 5.2; t < 7.0; t += 0.01) {
            assert_about(x_at(t), 4.0, 1e-6);
            assert_about(angle_at(t), 0.4, 1e-6);
        }
    }
}

static void test_a_loop_comes_back_with_the_speed_it_left_with(void **state)
{
    (void)state;
    frames.loop = true;
    const double h = 1e-3;
    for (int turn = -2; turn < 3; ++turn) {
        assert_about(x_at(2.5 + 3.0 * turn), x_at(2.5), 1e-5);
    }
    double before = (x_at(4.0 - h) - x_at(4.0 - 2.0 * h)) / h,
           after = (x_at(4.0 + 2.0 * h) - x_at(4.0 + h)) / h;
    assert_about(after, before, 0.2);
}

static void test_the_clock_can_start_later(void **state)
{
    (void)state;
    double early = x_at(1.7);
    frames.start = 100.0;
    assert_about(x_at(101.7), early, 1e-5);
    assert_about(x_at(50.0), 0.0, 0.0);
}

static void test_rotations_take_the_short_way(void **state)
{
    (void)state;
    frames.items.items[1].rotation = (sn_quat){0.0f, -sn_sin(0.5f), 0.0f, -sn_cos(0.5f)}; // the same rotation
    for (int path = 0; path < 2; ++path) {
        frames.path = (sn_key_path)path;
        assert_in_range((int)(1000.0 * fabs(angle_at(1.5))), 400, 700);
    }
}

static void test_a_single_key_says_the_same_always(void **state)
{
    (void)state;
    frames.items.count = 1;
    frames.loop = true;
    assert_about(x_at(-3.0), 0.0, 0.0);
    assert_about(x_at(77.0), 0.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_both_paths_go_through_every_key, begin, end),
        cmocka_unit_test_setup_teardown(test_the_ends_hold_beyond_the_ends, begin, end),
        cmocka_unit_test_setup_teardown(test_straight_is_straight_and_turns_evenly, begin, end),
        cmocka_unit_test_setup_teardown(test_smooth_starts_and_stops_gently_and_never_jumps_in_speed, begin,
                                        end),
        cmocka_unit_test_setup_teardown(test_what_keys_hold_stays_and_nothing_swings_beyond_its_keys, begin,
                                        end),
        cmocka_unit_test_setup_teardown(test_a_loop_comes_back_with_the_speed_it_left_with, begin, end),
        cmocka_unit_test_setup_teardown(test_the_clock_can_start_later, begin, end),
        cmocka_unit_test_setup_teardown(test_rotations_take_the_short_way, begin, end),
        cmocka_unit_test_setup_teardown(test_a_single_key_says_the_same_always, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

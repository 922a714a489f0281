// How far nodes reach: no place within their bounds is beyond the end, what they pull is all that they are
// pushed by.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solver/contact/node_reach.h"
#include "support/memory.h"
#include "support/random.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 100000 };

static sn_bound_block bounds;

// Balls as bounds leave them, without the pairs that are found when they are added.
static sn_node_reach reach_of(const sn_vec3 *centers, const float *radii, int count)
{
    sn_node_reach reach = {.count = count};
    memset(&bounds, 0, sizeof bounds);
    for (int i = 0; i < count; ++i) {
        reach.center[i] = centers[i];
        reach.radius[i] = radii[i];
        reach.block[i] = &bounds;
        reach.lane[i] = (uint8_t)i;
    }
    return reach;
}

static sn_node_reach pair_of(sn_vec3 a, float r, sn_vec3 b, float s)
{
    const sn_vec3 centers[] = {a, b};
    const float radii[] = {r, s};
    sn_node_reach reach = reach_of(centers, radii, 2);
    reach.pair_count = 1;
    reach.pair[0][1] = 1;
    return reach;
}

static void test_no_place_within_the_bounds_is_beyond_the_end(void **state)
{
    (void)state;
    test_random random = {11};
    int inside = 0;
    for (int i = 0; i < SAMPLES; ++i) {
        sn_vec3 place = test_random_vec3(&random, 1.0f), a = test_random_vec3(&random, 1.0f);
        sn_vec3 b = test_random_vec3(&random, 1.0f), direction = test_random_direction(&random);
        float r = test_random_float(&random, 0.2f, 2.0f), s = test_random_float(&random, 0.2f, 2.0f);
        if (sn_distance_between(place, a) <= r && sn_distance_between(place, b) <= s) {
            sn_node_reach reach = pair_of(a, r, b, s);
            sn_vec3 end = sn_node_reach_end(&reach, direction).place;
            assert_true(sn_dot(sn_sub(end, place), direction) >= -1.0e-5f);
            assert_true(sn_distance_between(end, a) <= r * 1.0001f + 1.0e-4f);
            assert_true(sn_distance_between(end, b) <= s * 1.0001f + 1.0e-4f);
            ++inside;
        }
    }
    assert_true(inside > SAMPLES / 10);
}

// A taut thread of 2 m that may be longer by a hundredth: its middle comes √(1.01² − 1) m off its line.
static void test_the_middle_of_a_taut_thread_ends_on_a_circle(void **state)
{
    (void)state;
    sn_node_reach reach = pair_of(sn_v(-1.0f, 0.0f, 0.0f), 1.01f, sn_v(1.0f, 0.0f, 0.0f), 1.01f);
    sn_vec3 end = sn_node_reach_end(&reach, sn_v(0.0f, -1.0f, 0.0f)).place;
    assert_float_equal(end.x, 0.0f, 1.0e-6f);
    assert_float_equal(end.y, -sqrtf(1.01f * 1.01f - 1.0f), 1.0e-5f);
    assert_false(sn_node_reach_is_narrow(&reach, sn_v(0.0f, -1.0f, 0.0f)));
}

static void test_what_is_taut_in_two_directions_is_narrow(void **state)
{
    (void)state;
    const sn_vec3 centers[] = {
        {-1.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, -1.0f}, {0.0f, 0.0f, 1.0f}};
    const float radii[] = {1.0001f, 1.0001f, 1.0001f, 1.0001f};
    sn_node_reach reach = reach_of(centers, radii, 4);
    reach.pair_count = 2;
    reach.pair[0][1] = 1;
    reach.pair[1][0] = 2;
    reach.pair[1][1] = 3;
    assert_true(sn_node_reach_is_narrow(&reach, sn_v(0.0f, -1.0f, 0.0f)));
    assert_false(sn_node_reach_is_narrow(&reach, sn_v(1.0f, 0.0f, 0.0f)));
}

static void test_bounds_that_are_too_short_end_between(void **state)
{
    (void)state;
    sn_node_reach reach = pair_of(sn_v(-1.0f, 0.0f, 0.0f), 0.5f, sn_v(1.0f, 0.0f, 0.0f), 1.0f);
    sn_vec3 end = sn_node_reach_end(&reach, sn_v(0.0f, 1.0f, 0.0f)).place;
    assert_float_equal(end.x, -1.0f + 2.0f / 3.0f, 1.0e-6f);
    assert_float_equal(end.y, 0.0f, 1.0e-6f);
}

static void test_what_is_pushed_pulls_as_much_on_what_holds_it(void **state)
{
    (void)state;
    sn_node_reach reach = pair_of(sn_v(-1.0f, 0.0f, 0.0f), 1.1f, sn_v(2.0f, 0.0f, 0.0f), 2.1f);
    sn_reach_end end = sn_node_reach_end(&reach, sn_v(0.0f, -1.0f, 0.0f));
    sn_node_reach_pull(&reach, &end, sn_v(0.0f, -3.0f, 0.0f));
    float sum[3];
    for (int k = 0; k < 3; ++k) {
        sum[k] = bounds.total[k].lane[0] + bounds.total[k].lane[1];
    }
    assert_float_equal(sum[0], 0.0f, 1.0e-4f);
    assert_float_equal(sum[1], -3.0f, 1.0e-4f);
    assert_float_equal(sum[2], 0.0f, 1.0e-6f);
    assert_true(bounds.total[0].lane[0] > 0.0f && bounds.total[0].lane[1] < 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_place_within_the_bounds_is_beyond_the_end),
        cmocka_unit_test(test_the_middle_of_a_taut_thread_ends_on_a_circle),
        cmocka_unit_test(test_what_is_taut_in_two_directions_is_narrow),
        cmocka_unit_test(test_bounds_that_are_too_short_end_between),
        cmocka_unit_test(test_what_is_pushed_pulls_as_much_on_what_holds_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Time of impact: closed forms, bullets against a thin wall, and ten thousand tumbling pairs followed in
// small steps: never closer than the target before the impact, and as close as the target at it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collision/narrow/cast.h"
#include "collision/narrow/gjk.h"
#include "support/near.h"
#include "support/random_convex.h"

static sn_motion still(void)
{
    return (sn_motion){.rotation_start = sn_quat_identity, .rotation_end = sn_quat_identity};
}

static sn_motion straight(sn_vec3 from, sn_vec3 to)
{
    sn_motion motion = still();
    motion.center_start = from;
    motion.center_end = to;
    return motion;
}

static float distance_at(const sn_convex *a, const sn_motion *motion_a, const sn_convex *b,
                         const sn_motion *motion_b, float t)
{
    // Relative to the centre of a, as positions far from the origin would hide small distances.
    sn_motion near_a = *motion_a, near_b = *motion_b;
    near_a.center_start = near_a.center_end = sn_v(0.0f, 0.0f, 0.0f);
    near_b.center_start = sn_sub(motion_b->center_start, motion_a->center_start);
    near_b.center_end = sn_sub(motion_b->center_end, motion_a->center_end);
    sn_pose pose = sn_pose_relative(sn_motion_at(&near_a, t), sn_motion_at(&near_b, t));
    return sn_separation(a, b, pose).distance;
}

// --- motion ------------------------------------------------------------------------------------------------

static void test_motion_is_straight_and_turns_at_a_constant_rate_along_the_shorter_arc(void **state)
{
    (void)state;
    sn_vec3 axis = sn_normalize(sn_v(1.0f, 2.0f, -1.0f));
    sn_motion motion = {
        .local_center = {0.5f, 0.0f, 0.0f},
        .center_start = {1.0f, 2.0f, 3.0f},
        .center_end = {3.0f, 2.0f, -1.0f},
        .rotation_start = sn_quat_axis_angle(axis, 0.5f),
        .rotation_end = sn_quat_axis_angle(axis, 2.5f),
    };
    sn_quat end = motion.rotation_end;
    motion.rotation_end = (sn_quat){-end.x, -end.y, -end.z, -end.w};
    for (float t = 0.0f; t <= 1.0f; t += 0.125f) {
        sn_pose pose = sn_motion_at(&motion, t);
        sn_vec3 center = sn_pose_apply(pose, motion.local_center);
        assert_near(sn_distance_between(center, sn_v(1.0f + 2.0f * t, 2.0f, 3.0f - 4.0f * t)), 0.0f, 1.0e-6f);
        sn_vec3 arm = sn_v(0.3f, -0.7f, 0.2f);
        sn_vec3 expected = sn_rotate(sn_quat_axis_angle(axis, 0.5f + 2.0f * t), arm);
        assert_near(sn_distance_between(sn_rotate(pose.rotation, arm), expected), 0.0f, 1.0e-6f);
    }
}

// --- closed forms ------------------------------------------------------------------------------------------

static void test_balls_meet_when_the_gap_is_used_up(void **state)
{
    (void)state;
    sn_convex_storage s, r;
    sn_convex a = sn_convex_sphere(&s, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.5f});
    sn_convex b = sn_convex_sphere(&r, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.25f});
    sn_motion motion_a = straight(sn_v(0.0f, 0.0f, 0.0f), sn_v(1.0f, 0.0f, 0.0f));
    sn_motion motion_b = straight(sn_v(4.0f, 0.0f, 0.0f), sn_v(1.0f, 0.0f, 0.0f));
    assert_near(sn_time_of_impact(&a, &motion_a, &b, &motion_b, 0.0f), 3.25f / 4.0f, 1.0e-5f);
    assert_near(sn_time_of_impact(&a, &motion_a, &b, &motion_b, 0.25f), 3.0f / 4.0f, 1.0e-5f);
}

static void test_shapes_that_part_or_miss_are_free_for_the_whole_step(void **state)
{
    (void)state;
    sn_convex_storage s, r;
    sn_convex a = sn_convex_box(&s, (sn_box){{0.5f, 0.5f, 0.5f}});
    sn_convex b = sn_convex_box(&r, (sn_box){{0.5f, 0.5f, 0.5f}});
    sn_motion rest = still();
    sn_motion away = straight(sn_v(1.2f, 0.0f, 0.0f), sn_v(9.0f, 0.0f, 0.0f));
    sn_motion past = straight(sn_v(-5.0f, 1.2f, 0.0f), sn_v(5.0f, 1.2f, 0.0f));
    sn_motion along = straight(sn_v(0.0f, 1.00105f, 0.0f), sn_v(3.0f, 1.00105f, 0.0f));
    assert_true(sn_time_of_impact(&a, &rest, &b, &away, 0.01f) == 1.0f);
    assert_true(sn_time_of_impact(&a, &rest, &b, &past, 0.01f) == 1.0f);
    assert_true(sn_time_of_impact(&a, &rest, &b, &along, 0.001f) == 1.0f);
}

static void test_shapes_that_start_closer_than_the_target_get_no_time(void **state)
{
    (void)state;
    sn_convex_storage s, r;
    sn_convex a = sn_convex_box(&s, (sn_box){{0.5f, 0.5f, 0.5f}});
    sn_convex b = sn_convex_sphere(&r, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.5f});
    sn_motion rest = still();
    sn_motion touching = straight(sn_v(1.005f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f));
    sn_motion inside = straight(sn_v(0.1f, 0.0f, 0.0f), sn_v(5.0f, 0.0f, 0.0f));
    assert_true(sn_time_of_impact(&a, &rest, &b, &touching, 0.01f) == 0.0f);
    assert_true(sn_time_of_impact(&a, &rest, &b, &inside, 0.01f) == 0.0f);
}

// A rod turning about its middle in the plane of a ball: it gets there when angle × time closes the gap.
static void test_turning_rod_hits_a_ball_at_the_angle_of_contact(void **state)
{
    (void)state;
    sn_convex_storage s, r;
    sn_convex rod = sn_convex_capsule(&s, (sn_capsule){{-2.0f, 0.0f, 0.0f}, {2.0f, 0.0f, 0.0f}, 0.05f});
    sn_convex ball = sn_convex_sphere(&r, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.1f});
    sn_motion turn = still();
    turn.rotation_end = sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), 2.0f);
    float distance = 1.5f, angle = 1.0f;
    sn_motion rest = straight(sn_v(distance * sn_cos(angle), distance * sn_sin(angle), 0.0f),
                              sn_v(distance * sn_cos(angle), distance * sn_sin(angle), 0.0f));
    float target = 0.01f;
    float expected = 0.5f * (angle - sn_asin((0.05f + 0.1f + target) / distance));
    assert_near(sn_time_of_impact(&rod, &turn, &ball, &rest, target), expected, 2.0e-5f);
    assert_near(sn_time_of_impact(&ball, &rest, &rod, &turn, target), expected, 2.0e-5f);
}

static void test_far_from_the_origin_nothing_is_lost(void **state)
{
    (void)state;
    sn_convex_storage s, r;
    sn_convex wall = sn_convex_box(&s, (sn_box){{1.0f, 1.0f, 0.005f}});
    sn_convex ball = sn_convex_sphere(&r, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.1f});
    sn_vec3 far = {8192.0f, -4096.0f, 2048.0f};
    sn_motion rest = straight(far, far);
    sn_motion flight = straight(sn_add(far, sn_v(0.0f, 0.0f, 2.0f)), sn_add(far, sn_v(0.0f, 0.0f, -2.0f)));
    float t = sn_time_of_impact(&wall, &rest, &ball, &flight, 0.005f);
    assert_near(t, (2.0f - 0.105f - 0.005f) / 4.0f, 1.0e-5f);
}

// --- bullets -----------------------------------------------------------------------------------------------

static void test_bullet_from_any_side_stops_before_a_thin_wall(void **state)
{
    (void)state;
    test_random random = {10};
    sn_convex_storage s, r;
    sn_convex wall = sn_convex_box(&s, (sn_box){{2.0f, 2.0f, 0.005f}});
    sn_convex ball = sn_convex_sphere(&r, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.1f});
    sn_motion rest = still();
    float target = 0.005f;
    for (int i = 0; i < 1000; ++i) {
        sn_vec3 direction = test_random_direction(&random);
        if (sn_abs(direction.z) < 0.1f) {
            direction.z = 0.1f;
        }
        direction = sn_normalize(direction);
        sn_vec3 through = {test_random_float(&random, -1.0f, 1.0f), test_random_float(&random, -1.0f, 1.0f),
                           0.0f};
        sn_motion flight =
            straight(sn_add_scaled(through, -2.5f, direction), sn_add_scaled(through, 2.5f, direction));
        flight.rotation_start = test_random_rotation(&random);
        flight.rotation_end = test_random_rotation(&random);
        float t = sn_time_of_impact(&wall, &rest, &ball, &flight, target);
        assert_true(t < 0.5f);
        float distance = distance_at(&wall, &rest, &ball, &flight, t);
        assert_true(distance > target - 2.0e-6f);
        assert_true(distance < target + 1.0e-4f);
    }
}

// --- many motions ------------------------------------------------------------------------------------------

// Starts at a distance and ends somewhere about the origin, or beyond it.
static sn_motion random_motion(test_random *random, float size, float distance)
{
    sn_motion motion = still();
    motion.local_center = test_random_vec3(random, 0.3f * size);
    motion.center_start = sn_scale(test_random_direction(random), distance);
    float beyond = test_random_float(random, 0.0f, 1.0f);
    motion.center_end = sn_add_scaled(test_random_vec3(random, 0.5f * size), -beyond, motion.center_start);
    motion.rotation_start = motion.rotation_end = test_random_rotation(random);
    if (test_random_u32(random) % 4 != 0) {
        motion.rotation_end = test_random_rotation(random);
    }
    return motion;
}

static void random_shape(test_convex *shape, test_random *random, float size)
{
    test_convex_kind kind = (test_convex_kind)(test_random_u32(random) % TEST_CONVEX_KINDS);
    test_convex_make(shape, random, kind, size);
    if (kind == TEST_POINT || kind == TEST_SEGMENT) {
        shape->convex.radius = size * test_random_float(random, 0.05f, 0.5f);
    }
}

static void test_ten_thousand_tumbling_pairs_stop_at_the_target_and_not_before(void **state)
{
    (void)state;
    test_random random = {11};
    static test_convex a, b;
    int impacts = 0, free_paths = 0;
    float nearest = 1.0f, farthest = 0.0f;
    for (int i = 0; i < 10000; ++i) {
        float size = test_random_power(&random, -2.0f, 3.0f);
        random_shape(&a, &random, size);
        random_shape(&b, &random, size * test_random_power(&random, -1.0f, 0.0f));
        sn_motion motion_a = random_motion(&random, size, 0.2f * size);
        sn_motion motion_b = random_motion(&random, size, 2.0f * size);
        float target = size * test_random_float(&random, 1.0e-3f, 2.0e-2f);
        float t = sn_time_of_impact(&a.convex, &motion_a, &b.convex, &motion_b, target);
        assert_true(t >= 0.0f && t <= 1.0f);
        float at_end = distance_at(&a.convex, &motion_a, &b.convex, &motion_b, t);
        if (t == 0.0f) {
            assert_true(at_end < target + 2.0e-4f * size);
        } else {
            impacts += t < 1.0f;
            free_paths += t == 1.0f;
            farthest = t < 1.0f ? sn_max(farthest, (at_end - target) / size) : farthest;
            int samples = 1000;
            for (int k = 0; k <= samples; ++k) {
                float moment = t * (float)k / (float)samples;
                float distance = distance_at(&a.convex, &motion_a, &b.convex, &motion_b, moment);
                nearest = sn_min(nearest, (distance - target) / size);
            }
        }
        test_convex_free(&a);
        test_convex_free(&b);
    }
    print_message("%d impacts, %d free; nearest %.2g, farthest %.2g of the size from the target\n", impacts,
                  free_paths, (double)nearest, (double)farthest);
    assert_in_range(impacts, 2000, 9000);
    assert_in_range(free_paths, 500, 9000);
    assert_true(nearest > -1.0e-5f);
    assert_true(farthest < 1.0e-3f);
}

static void test_numbers_that_are_none_end_the_advance(void **state)
{
    (void)state;
    float bad[] = {NAN, INFINITY, -INFINITY, 1.0e30f, 1.0e-30f};
    sn_convex_storage s, r;
    sn_convex a = sn_convex_box(&s, (sn_box){{0.5f, 0.5f, 0.5f}});
    sn_convex b = sn_convex_box(&r, (sn_box){{0.5f, 0.5f, 0.5f}});
    sn_motion rest = still();
    for (int i = 0; i < 5; ++i) {
        sn_motion wild = straight(sn_v(bad[i], 2.0f, 0.0f), sn_v(0.0f, bad[i], 0.0f));
        wild.rotation_end = (sn_quat){bad[i], 0.0f, 0.0f, 1.0f};
        float t = sn_time_of_impact(&a, &rest, &b, &wild, 0.01f);
        assert_true(t >= 0.0f && t <= 1.0f);
        t = sn_time_of_impact(&a, &wild, &b, &rest, bad[i]);
        assert_true(t >= 0.0f && t <= 1.0f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_motion_is_straight_and_turns_at_a_constant_rate_along_the_shorter_arc),
        cmocka_unit_test(test_balls_meet_when_the_gap_is_used_up),
        cmocka_unit_test(test_shapes_that_part_or_miss_are_free_for_the_whole_step),
        cmocka_unit_test(test_shapes_that_start_closer_than_the_target_get_no_time),
        cmocka_unit_test(test_turning_rod_hits_a_ball_at_the_angle_of_contact),
        cmocka_unit_test(test_far_from_the_origin_nothing_is_lost),
        cmocka_unit_test(test_bullet_from_any_side_stops_before_a_thin_wall),
        cmocka_unit_test(test_ten_thousand_tumbling_pairs_stop_at_the_target_and_not_before),
        cmocka_unit_test(test_numbers_that_are_none_end_the_advance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

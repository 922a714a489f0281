// Signed distance of rounded shapes: formulas, and no jump where the cores begin to overlap.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collision/narrow/gjk.h"
#include "support/near.h"
#include "support/random_convex.h"

static void test_spheres_are_apart_by_centres_less_radii(void **state)
{
    (void)state;
    sn_convex_storage s, r;
    sn_convex a = sn_convex_sphere(&s, (sn_sphere){{0.0f, 0.0f, 0.0f}, 1.0f});
    sn_convex b = sn_convex_sphere(&r, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.5f});
    sn_separation_result apart = sn_separation(&a, &b, at(3.0f, 0.0f, 4.0f));
    assert_near(apart.distance, 3.5f, 1.0e-6f);
    assert_near3(apart.point_a, sn_v(0.6f, 0.0f, 0.8f), 1.0e-6f);
    assert_near3(apart.point_b, sn_v(2.7f, 0.0f, 3.6f), 1.0e-6f);
    sn_separation_result deep = sn_separation(&a, &b, at(0.0f, -0.25f, 0.0f));
    assert_near(deep.distance, -1.25f, 1.0e-6f);
    assert_near3(deep.normal, sn_v(0.0f, -1.0f, 0.0f), 1.0e-6f);
    sn_separation_result same = sn_separation(&a, &b, sn_pose_identity);
    assert_near(same.distance, -1.5f, 1.0e-6f);
    assert_near(sn_length(same.normal), 1.0f, 1.0e-6f);
}

static void test_crossing_capsules_overlap_by_their_radii(void **state)
{
    (void)state;
    sn_convex_storage s, r;
    sn_convex a = sn_convex_capsule(&s, (sn_capsule){{-1.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, 0.3f});
    sn_convex b = sn_convex_capsule(&r, (sn_capsule){{0.0f, 0.0f, -1.0f}, {0.0f, 0.0f, 1.0f}, 0.2f});
    sn_separation_result deep = sn_separation(&a, &b, at(0.2f, 0.0f, 0.1f));
    assert_near(deep.distance, -0.5f, 1.0e-6f);
    assert_near(sn_abs(deep.normal.y), 1.0f, 1.0e-6f);
    sn_separation_result above = sn_separation(&a, &b, at(0.2f, 0.1f, 0.1f));
    assert_near(above.distance, -0.4f, 1.0e-6f);
    assert_near3(above.normal, sn_v(0.0f, 1.0f, 0.0f), 1.0e-6f);
    assert_near3(above.point_a, sn_v(0.2f, 0.3f, 0.0f), 1.0e-6f);
    assert_near3(above.point_b, sn_v(0.2f, -0.1f, 0.0f), 1.0e-6f);
}

static void test_ball_sinking_into_a_box_keeps_its_normal(void **state)
{
    (void)state;
    sn_convex_storage s, r;
    sn_convex box = sn_convex_box(&s, (sn_box){{1.0f, 1.0f, 1.0f}});
    sn_convex ball = sn_convex_sphere(&r, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.5f});
    for (float height = 2.0f; height > 0.5f; height -= 0.01f) {
        sn_separation_result result = sn_separation(&box, &ball, at(0.1f, height, 0.2f));
        assert_near(result.distance, height - 1.5f, 1.0e-6f);
        assert_near3(result.normal, sn_v(0.0f, 1.0f, 0.0f), 1.0e-5f);
        assert_near3(result.point_a, sn_v(0.1f, 1.0f, 0.2f), 2.0e-6f);
        assert_near3(result.point_b, sn_v(0.1f, height - 0.5f, 0.2f), 2.0e-6f);
    }
}

// From a thousandth of the size apart to as much inside, through contact itself, in steps down to 1e-7.
static void test_turned_box_passes_through_contact_without_a_jump(void **state)
{
    (void)state;
    test_random random = {5};
    for (int i = 0; i < 300; ++i) {
        test_convex a, b;
        test_convex_make(&a, &random, TEST_HULL, 1.0f);
        test_convex_make(&b, &random, TEST_BOX, 1.0f);
        sn_pose pose = {sn_scale(test_random_direction(&random), 3.0f), test_random_rotation(&random)};
        sn_gjk_result far = sn_gjk_distance(&a.convex, &b.convex, pose);
        for (float depth = -1.0e-3f; depth < 1.0e-3f; depth += sn_max(1.0e-7f, 0.1f * sn_abs(depth))) {
            sn_vec3 position = sn_add_scaled(pose.position, -far.distance - depth, far.normal);
            sn_separation_result result =
                sn_separation(&a.convex, &b.convex, (sn_pose){position, pose.rotation});
            assert_near(sn_length(result.normal), 1.0f, 1.0e-5f);
            // Apart, it is the distance; inside, there may be a shorter direction out.
            assert_true(result.distance < sn_max(-depth, 0.0f) + 4.0e-6f);
            assert_true(result.distance > -depth - 4.0e-6f);
            assert_true(sn_dot(result.normal, far.normal) > -0.1f);
        }
        test_convex_free(&a);
        test_convex_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spheres_are_apart_by_centres_less_radii),
        cmocka_unit_test(test_crossing_capsules_overlap_by_their_radii),
        cmocka_unit_test(test_ball_sinking_into_a_box_keeps_its_normal),
        cmocka_unit_test(test_turned_box_passes_through_contact_without_a_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

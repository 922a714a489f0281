// Convex views of solids: their points, their farthest point in a direction, their bounds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/shapes/convex.h"
#include "support/random.h"

static sn_pose random_pose(test_random *random, float reach)
{
    sn_vec3 position = test_random_vec3(random, reach);
    return (sn_pose){position, test_random_rotation(random)};
}

static sn_vec3 support_point(const sn_convex *convex, sn_vec3 direction)
{
    return convex->points[sn_convex_support(convex, direction)];
}

static void test_sphere_is_a_point_with_a_radius(void **state)
{
    (void)state;
    sn_convex_storage storage;
    sn_convex convex = sn_convex_sphere(&storage, (sn_sphere){{1, 2, 3}, 0.5f});
    assert_int_equal(convex.point_count, 1);
    assert_false(convex.is_polyhedron);
    assert_float_equal(convex.radius, 0.5f, 0.0f);
    assert_float_equal(convex.points[0].z, 3.0f, 0.0f);
}

static void test_capsule_is_a_segment_with_a_radius(void **state)
{
    (void)state;
    sn_convex_storage storage;
    sn_convex convex = sn_convex_capsule(&storage, (sn_capsule){{0, -1, 0}, {0, 1, 0}, 0.25f});
    assert_int_equal(convex.point_count, 2);
    assert_false(convex.is_polyhedron);
    assert_int_equal(sn_convex_support(&convex, sn_v(0, 2, 0)), 1);
    assert_int_equal(sn_convex_support(&convex, sn_v(1, -1, 0)), 0);
}

static void test_box_and_triangle_and_hull_are_polyhedra_without_radius(void **state)
{
    (void)state;
    sn_convex_storage storage;
    sn_convex box = sn_convex_box(&storage, (sn_box){{1, 2, 3}});
    assert_true(box.is_polyhedron && box.is_box);
    assert_int_equal(box.point_count, 8);
    assert_ptr_equal(box.points, box.polyhedron.vertices);
    assert_float_equal(box.radius, 0.0f, 0.0f);

    sn_convex triangle = sn_convex_triangle(&storage, sn_v(0, 0, 0), sn_v(1, 0, 0), sn_v(0, 1, 0));
    assert_true(triangle.is_polyhedron && !triangle.is_box);
    assert_int_equal(triangle.point_count, 3);

    sn_hull *hull = NULL;
    assert_int_equal(sn_hull_cylinder(1.0f, 1.0f, 1.0f, 8, &hull), SN_OK);
    sn_convex view = sn_convex_hull(hull);
    assert_true(view.is_polyhedron && !view.is_box);
    assert_int_equal(view.point_count, 16);
    sn_hull_destroy(hull);
}

static void test_equally_far_points_give_the_first(void **state)
{
    (void)state;
    sn_convex_storage storage;
    sn_convex box = sn_convex_box(&storage, (sn_box){{1, 1, 1}});
    assert_int_equal(sn_convex_support(&box, sn_v(0, 0, 0)), 0);
    assert_int_equal(sn_convex_support(&box, sn_v(1, 0, 0)), 1);
    assert_int_equal(sn_convex_support(&box, sn_v(0, 0, 1)), 4);
}

static void test_support_of_a_box_has_the_signs_of_the_direction(void **state)
{
    (void)state;
    test_random random = {1};
    sn_convex_storage storage;
    sn_vec3 half = {0.3f, 1.0f, 2.0f};
    sn_convex box = sn_convex_box(&storage, (sn_box){half});
    for (int i = 0; i < 1000; ++i) {
        sn_vec3 d = test_random_direction(&random), p = support_point(&box, d);
        float expected = sn_dot(half, sn_abs3(d));
        assert_float_equal(sn_dot(p, d), expected, 1.0e-6f);
    }
}

static void test_solid_views_are_those_of_their_shape_and_can_be_seen_again(void **state)
{
    (void)state;
    sn_hull *hull = NULL;
    assert_int_equal(sn_hull_cylinder(1.0f, 1.0f, 0.0f, 5, &hull), SN_OK);
    sn_solid solids[4] = {
        {.type = SN_SPHERE, .sphere = {{1, 0, 0}, 2}},
        {.type = SN_CAPSULE, .capsule = {{0, 0, 0}, {0, 1, 0}, 3}},
        {.type = SN_BOX, .box = {{1, 2, 3}}},
        {.type = SN_HULL, .hull = hull},
    };
    static const int point_counts[4] = {1, 2, 8, 6};
    for (int i = 0; i < 4; ++i) {
        sn_convex_storage storage = {0};
        sn_convex made = sn_convex_solid(&storage, &solids[i]);
        sn_convex seen = sn_convex_stored(&storage, &solids[i]);
        assert_int_equal(made.point_count, point_counts[i]);
        assert_ptr_equal(made.points, seen.points);
        assert_int_equal(made.point_count, seen.point_count);
        assert_float_equal(made.radius, seen.radius, 0.0f);
        assert_int_equal(made.is_box, seen.is_box);
        assert_int_equal(made.is_polyhedron, seen.is_polyhedron);
        assert_ptr_equal(made.polyhedron.half_edges, seen.polyhedron.half_edges);
    }
    sn_hull_destroy(hull);
}

// Each side of the bounds is where the support in its direction is, plus the radius.
static void test_bounds_fit_tightly_at_any_pose(void **state)
{
    (void)state;
    test_random random = {2};
    sn_convex_storage storage;
    for (int i = 0; i < 300; ++i) {
        sn_solid solid = {.type = (sn_shape_type)(i % 3)};
        if (solid.type == SN_SPHERE) {
            solid.sphere = (sn_sphere){test_random_vec3(&random, 1), 0.5f};
        } else if (solid.type == SN_CAPSULE) {
            sn_vec3 a = test_random_vec3(&random, 1), b = test_random_vec3(&random, 1);
            solid.capsule = (sn_capsule){a, b, 0.2f};
        } else {
            solid.box = (sn_box){{0.5f, 1.0f, 0.1f}};
        }
        sn_convex convex = sn_convex_solid(&storage, &solid);
        sn_pose pose = random_pose(&random, 10);
        sn_bounds bounds = sn_convex_bounds(&convex, pose);
        const sn_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (int axis = 0; axis < 3; ++axis) {
            sn_vec3 d = sn_rotate_inverse(pose.rotation, axes[axis]);
            sn_vec3 top = sn_pose_apply(pose, support_point(&convex, d));
            sn_vec3 bottom = sn_pose_apply(pose, support_point(&convex, sn_neg(d)));
            assert_float_equal(sn_dot(bounds.upper, axes[axis]), sn_dot(top, axes[axis]) + convex.radius,
                               2.0e-6f);
            assert_float_equal(sn_dot(bounds.lower, axes[axis]), sn_dot(bottom, axes[axis]) - convex.radius,
                               2.0e-6f);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere_is_a_point_with_a_radius),
        cmocka_unit_test(test_capsule_is_a_segment_with_a_radius),
        cmocka_unit_test(test_box_and_triangle_and_hull_are_polyhedra_without_radius),
        cmocka_unit_test(test_equally_far_points_give_the_first),
        cmocka_unit_test(test_support_of_a_box_has_the_signs_of_the_direction),
        cmocka_unit_test(test_solid_views_are_those_of_their_shape_and_can_be_seen_again),
        cmocka_unit_test(test_bounds_fit_tightly_at_any_pose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Spheres and capsules against each other, boxes and hulls, where the contact is known exactly.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/convex_shape.h"
#include "support/manifold_check.h"
#include "support/random.h"

#define MARGIN 0.02f

static const sn_vec3 x_axis = {1.0f, 0.0f, 0.0f}, y_axis = {0.0f, 1.0f, 0.0f}, z_axis = {0.0f, 0.0f, 1.0f};

static sn_manifold collide(const shape *a, const shape *b, sn_pose pose)
{
    sn_manifold manifold;
    sn_collide_convex(&a->convex, &b->convex, pose, MARGIN, &manifold);
    assert_sane(&manifold, MARGIN);
    return manifold;
}

static void assert_single(const sn_manifold *m, sn_vec3 normal, sn_vec3 position, float separation)
{
    assert_int_equal(m->count, 1);
    assert_vec3_near(m->normal, normal, 1e-5);
    assert_vec3_near(m->points[0].position, position, 1e-5);
    assert_near(m->points[0].separation, separation, 1e-5);
}

// --- spheres -----------------------------------------------------------------------------------------------

static void test_spheres_touch_on_the_line_of_centres(void **state)
{
    (void)state;
    shape a, b;
    make_sphere(&a, 0.5f);
    make_sphere(&b, 0.3f);
    sn_manifold m = collide(&a, &b, pose_at(0.0f, 0.79f, 0.0f));
    assert_single(&m, y_axis, sn_v(0.0f, 0.495f, 0.0f), -0.01f);
    m = collide(&a, &b, pose_at(0.0f, 0.0f, -0.81f));
    assert_single(&m, sn_neg(z_axis), sn_v(0.0f, 0.0f, -0.505f), 0.01f);
    m = collide(&a, &b, pose_at(0.0f, 0.821f, 0.0f));
    assert_int_equal(m.count, 0);
}

static void test_concentric_spheres_part_in_some_direction(void **state)
{
    (void)state;
    shape a, b;
    make_sphere(&a, 0.5f);
    make_sphere(&b, 0.3f);
    sn_manifold m = collide(&a, &b, pose_at(0.0f, 0.0f, 0.0f));
    assert_int_equal(m.count, 1);
    assert_near(m.points[0].separation, -0.8f, 1e-6);
}

static void test_sphere_touches_side_and_end_of_capsule(void **state)
{
    (void)state;
    shape capsule, sphere;
    make_capsule(&capsule, 1.0f, 0.2f);
    make_sphere(&sphere, 0.3f);
    sn_manifold m = collide(&capsule, &sphere, pose_at(0.25f, 0.49f, 0.0f));
    assert_single(&m, y_axis, sn_v(0.25f, 0.195f, 0.0f), -0.01f);
    m = collide(&capsule, &sphere, pose_at(0.99f, 0.0f, 0.0f));
    assert_single(&m, x_axis, sn_v(0.695f, 0.0f, 0.0f), -0.01f);
    m = collide(&sphere, &capsule, pose_at(0.0f, 0.0f, 0.49f));
    assert_single(&m, z_axis, sn_v(0.0f, 0.0f, 0.295f), -0.01f);
}

static void test_sphere_touches_face_edge_and_corner_of_box(void **state)
{
    (void)state;
    shape box, sphere;
    make_box(&box, 1.0f, 1.0f, 1.0f);
    make_sphere(&sphere, 0.5f);
    sn_manifold m = collide(&box, &sphere, pose_at(0.3f, 1.49f, -0.2f));
    assert_single(&m, y_axis, sn_v(0.3f, 0.995f, -0.2f), -0.01f);

    float diagonal = 0.49f / sqrtf(2.0f);
    m = collide(&box, &sphere, pose_at(1.0f + diagonal, 1.0f + diagonal, 0.0f));
    assert_int_equal(m.count, 1);
    assert_vec3_near(m.normal, sn_normalize(sn_v(1.0f, 1.0f, 0.0f)), 1e-5);
    assert_near(m.points[0].separation, -0.01f, 1e-5);

    diagonal = 0.49f / sqrtf(3.0f);
    m = collide(&box, &sphere, pose_at(1.0f + diagonal, 1.0f + diagonal, 1.0f + diagonal));
    assert_int_equal(m.count, 1);
    assert_vec3_near(m.normal, sn_normalize(sn_v(1.0f, 1.0f, 1.0f)), 1e-5);
    assert_near(m.points[0].separation, -0.01f, 1e-5);
}

static void test_sphere_inside_a_box_leaves_by_the_nearest_face(void **state)
{
    (void)state;
    shape box, sphere;
    make_box(&box, 1.0f, 1.0f, 1.0f);
    make_sphere(&sphere, 0.25f);
    const sn_vec3 normals[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (int i = 0; i < 6; ++i) {
        sn_vec3 center = sn_add(sn_scale(normals[i], 0.75f), sn_v(0.1f, 0.1f, 0.1f));
        sn_manifold m = collide(&box, &sphere, (sn_pose){center, sn_quat_identity});
        assert_int_equal(m.count, 1);
        assert_vec3_near(m.normal, normals[i], 1e-6);
        float height = sn_dot(center, normals[i]);
        assert_near(m.points[0].separation, height - 1.25f, 1e-5);
    }
}

// A hull with the corners of a box, without the flag of a box.
static void test_sphere_meets_a_hull_as_it_meets_a_box(void **state)
{
    (void)state;
    shape box, sphere;
    make_box(&box, 0.6f, 0.4f, 0.8f);
    make_sphere(&sphere, 0.3f);
    shape hull = box;
    hull.convex = box.convex;
    hull.convex.is_box = false;
    test_random random = {8};
    int contacts = 0;
    for (int i = 0; i < 3000; ++i) {
        sn_pose pose = {test_random_vec3(&random, 1.1f), test_random_rotation(&random)};
        sn_manifold from_box = collide(&box, &sphere, pose), from_hull = collide(&hull, &sphere, pose);
        assert_int_equal(from_box.count, from_hull.count);
        if (from_box.count > 0) {
            ++contacts;
            assert_near(from_box.points[0].separation, from_hull.points[0].separation, 1e-5);
            assert_vec3_near(from_box.normal, from_hull.normal, 1e-3);
        }
    }
    assert_true(contacts > 500);
}

// --- capsules ----------------------------------------------------------------------------------------------

static void test_crossed_capsules_touch_in_one_point(void **state)
{
    (void)state;
    shape a, b;
    make_capsule(&a, 2.0f, 0.2f);
    make_capsule(&b, 2.0f, 0.3f);
    sn_manifold m = collide(&a, &b, pose_turned(0.1f, 0.49f, 0.0f, y_axis, 0.5f * SN_PI));
    assert_single(&m, y_axis, sn_v(0.1f, 0.195f, 0.0f), -0.01f);
}

static void test_crossing_capsule_axes_still_have_a_normal(void **state)
{
    (void)state;
    shape a, b;
    make_capsule(&a, 2.0f, 0.2f);
    make_capsule(&b, 2.0f, 0.3f);
    sn_manifold m = collide(&a, &b, pose_turned(0.1f, 0.0f, 0.0f, y_axis, 0.5f * SN_PI));
    assert_int_equal(m.count, 1);
    assert_near(sn_abs(m.normal.y), 1.0f, 1e-5);
    assert_near(m.points[0].separation, -0.5f, 1e-5);
}

static void test_parallel_capsules_touch_in_two_points(void **state)
{
    (void)state;
    shape a, b;
    make_capsule(&a, 2.0f, 0.2f);
    make_capsule(&b, 1.0f, 0.3f);
    sn_manifold m = collide(&a, &b, pose_at(0.8f, 0.49f, 0.0f));
    assert_int_equal(m.count, 2);
    assert_vec3_near(m.normal, y_axis, 1e-5);
    // From b's left end to a's right end.
    assert_vec3_near(point_nearest(&m, sn_v(0.0f, 0.2f, 0.0f)).position, sn_v(0.3f, 0.195f, 0.0f), 1e-5);
    assert_vec3_near(point_nearest(&m, sn_v(2.0f, 0.2f, 0.0f)).position, sn_v(1.0f, 0.195f, 0.0f), 1e-5);
    assert_near(lowest_separation(&m), -0.01f, 1e-5);
    assert_near(highest_separation(&m), -0.01f, 1e-5);
}

static void test_antiparallel_capsules_touch_in_two_points(void **state)
{
    (void)state;
    shape a, b;
    make_capsule(&a, 2.0f, 0.2f);
    make_capsule(&b, 2.0f, 0.2f);
    sn_manifold m = collide(&a, &b, pose_turned(0.0f, 0.395f, 0.0f, y_axis, SN_PI));
    assert_int_equal(m.count, 2);
    assert_near(lowest_separation(&m), -0.005f, 1e-5);
}

static void test_capsules_end_to_end_touch_in_one_point(void **state)
{
    (void)state;
    shape a, b;
    make_capsule(&a, 1.0f, 0.2f);
    make_capsule(&b, 1.0f, 0.2f);
    sn_manifold m = collide(&a, &b, pose_at(1.39f, 0.0f, 0.0f));
    assert_single(&m, x_axis, sn_v(0.695f, 0.0f, 0.0f), -0.01f);
}

static void test_capsule_on_box_gives_two_points(void **state)
{
    (void)state;
    shape box, capsule;
    make_box(&box, 1.0f, 0.5f, 1.0f);
    make_capsule(&capsule, 1.0f, 0.25f);
    sn_manifold m = collide(&box, &capsule, pose_at(0.2f, 0.745f, 0.1f));
    assert_int_equal(m.count, 2);
    assert_vec3_near(m.normal, y_axis, 1e-6);
    assert_vec3_near(point_nearest(&m, sn_v(-1, 0, 0)).position, sn_v(-0.3f, 0.4975f, 0.1f), 1e-5);
    assert_vec3_near(point_nearest(&m, sn_v(1, 0, 0)).position, sn_v(0.7f, 0.4975f, 0.1f), 1e-5);
    assert_near(lowest_separation(&m), -0.005f, 1e-5);
    assert_near(highest_separation(&m), -0.005f, 1e-5);
}

static void test_capsule_beyond_the_box_edge_is_cut_there(void **state)
{
    (void)state;
    shape box, capsule;
    make_box(&box, 1.0f, 0.5f, 1.0f);
    make_capsule(&capsule, 1.0f, 0.25f);
    sn_manifold m = collide(&box, &capsule, pose_at(0.9f, 0.745f, 0.0f));
    assert_int_equal(m.count, 2);
    assert_vec3_near(m.normal, y_axis, 1e-6);
    assert_near(point_nearest(&m, sn_v(2, 0, 0)).position.x, 1.0f, 1e-3);
    uint32_t before = point_nearest(&m, sn_v(2, 0, 0)).feature;
    m = collide(&box, &capsule, pose_at(0.95f, 0.745f, 0.0f));
    assert_int_equal(point_nearest(&m, sn_v(2, 0, 0)).feature, before);
}

static void test_upright_capsule_stands_on_one_point(void **state)
{
    (void)state;
    shape box, capsule;
    make_box(&box, 1.0f, 0.5f, 1.0f);
    make_capsule(&capsule, 1.0f, 0.25f);
    sn_manifold m = collide(&box, &capsule, pose_turned(0.0f, 1.245f, 0.0f, z_axis, 0.5f * SN_PI));
    assert_single(&m, y_axis, sn_v(0.0f, 0.4975f, 0.0f), -0.005f);
}

static void test_capsule_across_an_edge_touches_in_one_point(void **state)
{
    (void)state;
    shape box, capsule;
    make_box(&box, 1.0f, 1.0f, 1.0f);
    make_capsule(&capsule, 2.0f, 0.25f);
    // The edge x = y = 1 runs along z; the capsule leans over it at 45°.
    float away = 1.0f + 0.245f / sqrtf(2.0f);
    sn_manifold m = collide(&box, &capsule, pose_turned(away, away, 0.3f, z_axis, -0.25f * SN_PI));
    assert_int_equal(m.count, 1);
    assert_vec3_near(m.normal, sn_normalize(sn_v(1.0f, 1.0f, 0.0f)), 1e-4);
    assert_near(m.points[0].separation, -0.005f, 1e-5);
    assert_near(m.points[0].position.z, 0.3f, 1e-4);
}

static void test_capsule_along_an_edge_touches_in_two_points(void **state)
{
    (void)state;
    shape box, capsule;
    make_box(&box, 1.0f, 1.0f, 1.0f);
    make_capsule(&capsule, 1.0f, 0.25f);
    float away = 1.0f + 0.245f / sqrtf(2.0f);
    sn_manifold m = collide(&box, &capsule, pose_at(0.0f, away, away));
    assert_int_equal(m.count, 2);
    assert_vec3_near(m.normal, sn_normalize(sn_v(0.0f, 1.0f, 1.0f)), 1e-4);
    assert_near(lowest_separation(&m), -0.005f, 1e-5);
    assert_near(sn_distance_between(m.points[0].position, m.points[1].position), 1.0f, 1e-4);
}

static void test_capsule_with_its_axis_inside_a_box_leaves_by_the_nearest_face(void **state)
{
    (void)state;
    shape box, capsule;
    make_box(&box, 1.0f, 0.5f, 1.0f);
    make_capsule(&capsule, 1.0f, 0.25f);
    sn_manifold m = collide(&box, &capsule, pose_at(0.0f, 0.4f, 0.0f));
    assert_int_equal(m.count, 2);
    assert_vec3_near(m.normal, y_axis, 1e-6);
    assert_near(lowest_separation(&m), -0.35f, 1e-5);
}

static void test_capsule_axis_that_cuts_an_edge_leaves_over_it(void **state)
{
    (void)state;
    shape box, capsule;
    make_box(&box, 1.0f, 1.0f, 1.0f);
    make_capsule(&capsule, 2.0f, 0.25f);
    float inside = 1.0f - 0.1f / sqrtf(2.0f);
    sn_manifold m = collide(&box, &capsule, pose_turned(inside, inside, 0.0f, z_axis, -0.25f * SN_PI));
    assert_int_equal(m.count, 1);
    assert_vec3_near(m.normal, sn_normalize(sn_v(1.0f, 1.0f, 0.0f)), 1e-4);
    assert_near(m.points[0].separation, -0.35f, 1e-4);
}

static void test_capsule_on_a_cylinder_gives_two_points(void **state)
{
    (void)state;
    sn_hull *hull = NULL;
    assert_int_equal(sn_hull_cylinder(1.0f, 0.8f, 0.8f, 24, &hull), SN_OK);
    shape cylinder, capsule;
    cylinder.convex = sn_convex_hull(hull);
    make_capsule(&capsule, 0.6f, 0.25f);
    sn_manifold m = collide(&cylinder, &capsule, pose_at(0.0f, 0.745f, 0.1f));
    assert_int_equal(m.count, 2);
    assert_vec3_near(m.normal, y_axis, 1e-5);
    assert_near(lowest_separation(&m), -0.005f, 1e-5);
    sn_hull_destroy(hull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spheres_touch_on_the_line_of_centres),
        cmocka_unit_test(test_concentric_spheres_part_in_some_direction),
        cmocka_unit_test(test_sphere_touches_side_and_end_of_capsule),
        cmocka_unit_test(test_sphere_touches_face_edge_and_corner_of_box),
        cmocka_unit_test(test_sphere_inside_a_box_leaves_by_the_nearest_face),
        cmocka_unit_test(test_sphere_meets_a_hull_as_it_meets_a_box),
        cmocka_unit_test(test_crossed_capsules_touch_in_one_point),
        cmocka_unit_test(test_crossing_capsule_axes_still_have_a_normal),
        cmocka_unit_test(test_parallel_capsules_touch_in_two_points),
        cmocka_unit_test(test_antiparallel_capsules_touch_in_two_points),
        cmocka_unit_test(test_capsules_end_to_end_touch_in_one_point),
        cmocka_unit_test(test_capsule_on_box_gives_two_points),
        cmocka_unit_test(test_capsule_beyond_the_box_edge_is_cut_there),
        cmocka_unit_test(test_upright_capsule_stands_on_one_point),
        cmocka_unit_test(test_capsule_across_an_edge_touches_in_one_point),
        cmocka_unit_test(test_capsule_along_an_edge_touches_in_two_points),
        cmocka_unit_test(test_capsule_with_its_axis_inside_a_box_leaves_by_the_nearest_face),
        cmocka_unit_test(test_capsule_axis_that_cuts_an_edge_leaves_over_it),
        cmocka_unit_test(test_capsule_on_a_cylinder_gives_two_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

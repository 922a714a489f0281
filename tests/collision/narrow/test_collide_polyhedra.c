// Boxes and hulls against each other: faces, edges, corners that pass each other, and features that persist.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/manifold_check.h"
#include "support/random.h"

#define MARGIN 0.02f

static const sn_vec3 y_axis = {0.0f, 1.0f, 0.0f};

typedef struct shape {
    sn_convex_storage storage;
    sn_convex convex;
    sn_hull *hull;
} shape;

static void make_box(shape *s, float x, float y, float z)
{
    s->hull = NULL;
    s->convex = sn_convex_box(&s->storage, (sn_box){{x, y, z}});
}

static void make_hull_of_box(shape *s, float x, float y, float z)
{
    sn_vec3 corners[8];
    for (int i = 0; i < 8; ++i) {
        corners[i] = sn_v(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    }
    assert_int_equal(sn_hull_create(corners, 8, 0, &s->hull), SN_OK);
    s->convex = sn_convex_hull(s->hull);
}

static void make_cylinder(shape *s, float height, float radius, int sides)
{
    assert_int_equal(sn_hull_cylinder(height, radius, radius, sides, &s->hull), SN_OK);
    s->convex = sn_convex_hull(s->hull);
}

static void free_shape(shape *s)
{
    if (s->hull != NULL) {
        sn_hull_destroy(s->hull);
    }
}

static sn_manifold collide(const shape *a, const shape *b, sn_pose pose)
{
    sn_manifold manifold;
    sn_collide_convex(&a->convex, &b->convex, pose, MARGIN, &manifold);
    assert_sane(&manifold, MARGIN);
    return manifold;
}

// Four points at (±x, y, ±z), all with the same separation.
static void assert_rectangle(const sn_manifold *m, float x, float y, float z, float separation,
                             float tolerance)
{
    assert_int_equal(m->count, 4);
    for (int i = 0; i < 4; ++i) {
        sn_vec3 corner = sn_v(i & 1 ? x : -x, y, i & 2 ? z : -z);
        sn_manifold_point point = point_nearest(m, corner);
        assert_vec3_near(point.position, corner, tolerance);
        assert_near(point.separation, separation, 1e-5);
    }
}

// --- faces -------------------------------------------------------------------------------------------------

static void test_box_on_larger_box_touches_at_its_four_corners(void **state)
{
    (void)state;
    shape a, b;
    make_box(&a, 2.0f, 0.5f, 2.0f);
    make_box(&b, 0.5f, 0.5f, 0.4f);
    sn_manifold m = collide(&a, &b, pose_at(0.0f, 0.99f, 0.0f));
    assert_vec3_near(m.normal, y_axis, 0.0);
    assert_rectangle(&m, 0.5f, 0.495f, 0.4f, -0.01f, 1e-6);
    m = collide(&a, &b, pose_at(0.0f, 1.01f, 0.0f));
    assert_rectangle(&m, 0.5f, 0.505f, 0.4f, 0.01f, 1e-6);
    m = collide(&a, &b, pose_at(0.0f, 1.021f, 0.0f));
    assert_int_equal(m.count, 0);
}

static void test_larger_box_on_box_touches_at_the_lower_ones_corners(void **state)
{
    (void)state;
    shape a, b;
    make_box(&a, 0.5f, 0.5f, 0.4f);
    make_box(&b, 2.0f, 0.5f, 2.0f);
    sn_manifold m = collide(&a, &b, pose_at(0.3f, 0.99f, 0.1f));
    // The face is widened by the tolerance.
    assert_rectangle(&m, 0.5f, 0.495f, 0.4f, -0.01f, 1e-3);
}

static void test_overhanging_box_is_cut_at_the_edge(void **state)
{
    (void)state;
    shape a, b;
    make_box(&a, 1.0f, 0.5f, 1.0f);
    make_box(&b, 0.5f, 0.5f, 0.5f);
    sn_manifold m = collide(&a, &b, pose_at(0.8f, 0.99f, 0.0f));
    assert_int_equal(m.count, 4);
    assert_near(point_nearest(&m, sn_v(2.0f, 0.5f, 0.5f)).position.x, 1.0f, 1e-3);
    assert_near(point_nearest(&m, sn_v(-2.0f, 0.5f, 0.5f)).position.x, 0.3f, 1e-6);
}

static void test_tilted_box_has_a_separation_for_each_corner(void **state)
{
    (void)state;
    shape a, b;
    make_box(&a, 2.0f, 0.5f, 2.0f);
    make_box(&b, 0.5f, 0.5f, 0.5f);
    float angle = 0.01f, sine = sn_sin(angle), cosine = sn_cos(angle);
    sn_manifold m = collide(&a, &b, pose_turned(0.0f, 1.0f, 0.0f, sn_v(0.0f, 0.0f, 1.0f), angle));
    assert_int_equal(m.count, 4);
    assert_vec3_near(m.normal, y_axis, 0.0);
    assert_near(lowest_separation(&m), 0.5f - 0.5f * cosine - 0.5f * sine, 1e-5);
    assert_near(highest_separation(&m), 0.5f - 0.5f * cosine + 0.5f * sine, 1e-5);
}

static void test_turned_box_patch_is_reduced_to_four_wide_points(void **state)
{
    (void)state;
    shape a, b;
    make_box(&a, 0.5f, 0.5f, 0.5f);
    make_box(&b, 0.5f, 0.5f, 0.5f);
    sn_manifold m = collide(&a, &b, pose_turned(0.0f, 0.99f, 0.0f, y_axis, 0.25f * SN_PI));
    assert_int_equal(m.count, 4);
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 4; ++i) {
        sum = sn_add(sum, m.points[i].position);
        assert_near(m.points[i].separation, -0.01f, 1e-5);
    }
    // The octagon's centre is within the four.
    assert_true(sn_length(sn_v(sum.x, 0.0f, sum.z)) < 0.8f);
}

static void test_box_on_its_corner_touches_in_one_point(void **state)
{
    (void)state;
    shape a, b;
    make_box(&a, 2.0f, 0.5f, 2.0f);
    make_box(&b, 0.5f, 0.5f, 0.5f);
    sn_quat corner_down = sn_quat_between(sn_normalize(sn_v(1.0f, 1.0f, 1.0f)), sn_v(0.0f, -1.0f, 0.0f));
    float height = 0.5f + 0.5f * sqrtf(3.0f) - 0.01f;
    sn_manifold m = collide(&a, &b, (sn_pose){{0.1f, height, 0.2f}, corner_down});
    assert_int_equal(m.count, 1);
    assert_vec3_near(m.normal, y_axis, 0.0);
    assert_near(m.points[0].separation, -0.01f, 1e-5);
    assert_vec3_near(m.points[0].position, sn_v(0.1f, 0.495f, 0.2f), 1e-5);
}

static void test_hull_of_a_box_meets_as_the_box_does(void **state)
{
    (void)state;
    shape box, hull, other;
    make_box(&box, 0.6f, 0.4f, 0.5f);
    make_hull_of_box(&hull, 0.6f, 0.4f, 0.5f);
    make_box(&other, 0.5f, 0.3f, 0.7f);
    test_random random = {12};
    int same = 0, contacts = 0;
    for (int i = 0; i < 2000; ++i) {
        sn_pose pose = {test_random_vec3(&random, 1.2f), test_random_rotation(&random)};
        sn_manifold from_box = collide(&box, &other, pose), from_hull = collide(&hull, &other, pose);
        if (from_box.count > 0) {
            ++contacts;
            assert_near(lowest_separation(&from_box), lowest_separation(&from_hull), 1e-3);
            same += from_box.count == from_hull.count;
        }
    }
    assert_true(contacts > 300);
    assert_true(same > contacts * 49 / 50);
    free_shape(&hull);
}

static void test_stacked_cylinders_touch_in_four_wide_points(void **state)
{
    (void)state;
    shape a, b;
    make_cylinder(&a, 1.0f, 0.5f, 60);
    make_cylinder(&b, 1.0f, 0.5f, 60);
    sn_manifold m = collide(&a, &b, pose_turned(0.1f, 0.995f, 0.0f, y_axis, 0.03f));
    assert_int_equal(m.count, 4);
    assert_vec3_near(m.normal, y_axis, 1e-5);
    float widest = 0.0f;
    for (int i = 0; i < 4; ++i) {
        assert_near(m.points[i].separation, -0.005f, 1e-5);
        widest = sn_max(widest, sn_distance_between(m.points[i].position, m.points[0].position));
    }
    assert_true(widest > 0.8f);
    free_shape(&a);
    free_shape(&b);
}

// --- edges and vertices ------------------------------------------------------------------------------------

// a's edge along z is up, b's edge along x is down, `gap` above it.
static sn_pose crossed_edges(float shift_x, float shift_z, float gap)
{
    sn_pose place_a = {{0.0f, 0.0f, 0.0f}, sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), 0.25f * SN_PI)};
    sn_pose place_b = {{shift_x, sqrtf(2.0f) * 0.5f + sqrtf(2.0f) * 0.5f + gap, shift_z},
                       sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), 0.25f * SN_PI)};
    return sn_pose_relative(place_a, place_b);
}

static void test_crossed_edges_touch_in_one_point(void **state)
{
    (void)state;
    shape a, b;
    make_box(&a, 0.5f, 0.5f, 0.5f);
    make_box(&b, 0.5f, 0.5f, 0.5f);
    for (int i = 0; i < 2; ++i) {
        float gap = i == 0 ? -0.01f : 0.01f;
        sn_manifold m = collide(&a, &b, crossed_edges(0.1f, 0.2f, gap));
        assert_int_equal(m.count, 1);
        assert_vec3_near(m.normal, sn_normalize(sn_v(1.0f, 1.0f, 0.0f)), 1e-5);
        assert_near(m.points[0].separation, gap, 1e-5);
        assert_near(m.points[0].position.z, 0.2f, 1e-5);
    }
}

static void test_crossed_edges_keep_their_feature(void **state)
{
    (void)state;
    shape a, b;
    make_box(&a, 0.5f, 0.5f, 0.5f);
    make_box(&b, 0.5f, 0.5f, 0.5f);
    uint32_t feature = collide(&a, &b, crossed_edges(0.0f, 0.0f, -0.005f)).points[0].feature;
    for (int i = 1; i <= 20; ++i) {
        float shift = 0.02f * (float)i;
        sn_manifold m = collide(&a, &b, crossed_edges(shift, -shift, -0.005f));
        assert_int_equal(m.points[0].feature, feature);
    }
}

// Two corners on one diagonal: the separating axes are face normals, but the distance is along the diagonal.
static void test_corner_near_corner_has_a_diagonal_normal(void **state)
{
    (void)state;
    shape a, b;
    make_box(&a, 0.5f, 0.5f, 0.5f);
    make_box(&b, 0.5f, 0.5f, 0.5f);
    sn_manifold m = collide(&a, &b, pose_at(1.01f, 1.01f, 1.01f));
    assert_int_equal(m.count, 1);
    assert_vec3_near(m.normal, sn_normalize(sn_v(1.0f, 1.0f, 1.0f)), 1e-4);
    assert_near(m.points[0].separation, 0.01f * sqrtf(3.0f), 1e-5);
    assert_vec3_near(m.points[0].position, sn_v(0.505f, 0.505f, 0.505f), 1e-5);
}

static void test_corner_beyond_the_margin_is_no_contact(void **state)
{
    (void)state;
    shape a, b, hull;
    make_box(&a, 0.5f, 0.5f, 0.5f);
    make_box(&b, 0.5f, 0.5f, 0.5f);
    make_hull_of_box(&hull, 0.5f, 0.5f, 0.5f);
    // 15 mm along each axis are within the margin, but 26 mm on the diagonal are not.
    assert_int_equal(collide(&a, &b, pose_at(1.015f, 1.015f, 1.015f)).count, 0);
    assert_int_equal(collide(&hull, &b, pose_at(1.015f, 1.015f, 1.015f)).count, 0);
    assert_int_equal(collide(&a, &hull, pose_at(1.015f, 1.015f, 0.3f)).count, 0);
    free_shape(&hull);
}

static void test_edge_near_parallel_edge_has_a_diagonal_normal(void **state)
{
    (void)state;
    shape a, b;
    make_box(&a, 0.5f, 0.5f, 0.5f);
    make_box(&b, 0.5f, 0.5f, 0.5f);
    sn_manifold m = collide(&a, &b, pose_at(1.01f, 1.01f, 0.2f));
    assert_int_equal(m.count, 1);
    assert_vec3_near(m.normal, sn_normalize(sn_v(1.0f, 1.0f, 0.0f)), 1e-4);
    assert_near(m.points[0].separation, 0.01f * sqrtf(2.0f), 1e-5);
}

// --- features ----------------------------------------------------------------------------------------------

static void test_features_stay_while_a_box_slides(void **state)
{
    (void)state;
    shape a, b;
    make_box(&a, 2.0f, 0.5f, 2.0f);
    make_box(&b, 0.5f, 0.5f, 0.5f);
    sn_quat turn = sn_quat_axis_angle(y_axis, 0.3f);
    sn_manifold first = collide(&a, &b, (sn_pose){{-1.0f, 0.998f, 0.0f}, turn});
    assert_int_equal(first.count, 4);
    for (int i = 1; i <= 200; ++i) {
        sn_pose pose = {{-1.0f + 0.01f * (float)i, 0.998f, 0.002f * (float)i}, turn};
        sn_manifold next = collide(&a, &b, pose);
        assert_true(same_features(&first, &next));
    }
}

static void test_features_of_an_overhang_stay_while_it_slides(void **state)
{
    (void)state;
    shape a, b;
    make_box(&a, 1.0f, 0.5f, 1.0f);
    make_hull_of_box(&b, 0.5f, 0.5f, 0.5f);
    sn_manifold first = collide(&a, &b, pose_at(0.7f, 0.998f, 0.0f));
    assert_int_equal(first.count, 4);
    for (int i = 1; i <= 40; ++i) {
        sn_manifold next = collide(&a, &b, pose_at(0.7f + 0.01f * (float)i, 0.998f, 0.0f));
        assert_true(same_features(&first, &next));
    }
    free_shape(&b);
}

// Boxes of one size, exactly on top of each other, with noise: corners lie on edges but for rounding.
static void test_features_of_a_trembling_stack_stay(void **state)
{
    (void)state;
    shape a, b;
    make_box(&a, 0.5f, 0.5f, 0.5f);
    make_box(&b, 0.5f, 0.5f, 0.5f);
    sn_manifold first = collide(&a, &b, pose_at(0.0f, 0.998f, 0.0f));
    assert_int_equal(first.count, 4);
    test_random random = {2};
    for (int i = 0; i < 1000; ++i) {
        sn_pose pose = pose_turned(0.0f, 0.998f, 0.0f, test_random_direction(&random), 1e-4f);
        pose.position = sn_add(pose.position, test_random_vec3(&random, 1e-4f));
        sn_manifold next = collide(&a, &b, pose);
        assert_true(same_features(&first, &next));
    }
}

// --- rounding ----------------------------------------------------------------------------------------------

static void test_radius_of_polyhedra_is_taken_off(void **state)
{
    (void)state;
    shape a, b;
    make_box(&a, 2.0f, 0.5f, 2.0f);
    make_box(&b, 0.5f, 0.5f, 0.4f);
    a.convex.radius = 0.1f;
    b.convex.radius = 0.2f;
    sn_manifold m = collide(&a, &b, pose_at(0.0f, 1.29f, 0.0f));
    // Surfaces at 0.6 and 0.59.
    assert_rectangle(&m, 0.5f, 0.595f, 0.4f, -0.01f, 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box_on_larger_box_touches_at_its_four_corners),
        cmocka_unit_test(test_larger_box_on_box_touches_at_the_lower_ones_corners),
        cmocka_unit_test(test_overhanging_box_is_cut_at_the_edge),
        cmocka_unit_test(test_tilted_box_has_a_separation_for_each_corner),
        cmocka_unit_test(test_turned_box_patch_is_reduced_to_four_wide_points),
        cmocka_unit_test(test_box_on_its_corner_touches_in_one_point),
        cmocka_unit_test(test_hull_of_a_box_meets_as_the_box_does),
        cmocka_unit_test(test_stacked_cylinders_touch_in_four_wide_points),
        cmocka_unit_test(test_crossed_edges_touch_in_one_point),
        cmocka_unit_test(test_crossed_edges_keep_their_feature),
        cmocka_unit_test(test_corner_near_corner_has_a_diagonal_normal),
        cmocka_unit_test(test_corner_beyond_the_margin_is_no_contact),
        cmocka_unit_test(test_edge_near_parallel_edge_has_a_diagonal_normal),
        cmocka_unit_test(test_features_stay_while_a_box_slides),
        cmocka_unit_test(test_features_of_an_overhang_stay_while_it_slides),
        cmocka_unit_test(test_features_of_a_trembling_stack_stay),
        cmocka_unit_test(test_radius_of_polyhedra_is_taken_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

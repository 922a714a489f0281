// Checks of input: what passes, what fails with which status, and how the messages read.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/shapes/check.h"
#include <string.h>

static sn_error error;

static void assert_message(const char *expected)
{
    assert_string_equal(error.text, expected);
}

static void test_range_includes_its_ends(void **state)
{
    (void)state;
    assert_int_equal(sn_check_range(0.0f, 0.0f, 1.0f, &error, "rigid 'a'", "damping"), SN_OK);
    assert_int_equal(sn_check_range(1.0f, 0.0f, 1.0f, &error, "rigid 'a'", "damping"), SN_OK);
    assert_int_equal(sn_check_range(1.5f, 0.0f, 1.0f, &error, "rigid 'a'", "damping"), SN_ERROR_RANGE);
    assert_message("rigid 'a': damping is 1.5, expected >= 0 and <= 1");
    assert_int_equal(sn_check_range(-1.0f, 0.0f, 1.0f, &error, "rigid 'a'", "damping"), SN_ERROR_RANGE);
    assert_int_equal(sn_check_range(NAN, 0.0f, 1.0f, &error, "rigid 'a'", "damping"), SN_ERROR_NOT_FINITE);
    assert_message("rigid 'a': damping is nan, expected a finite number");
    assert_int_equal(sn_check_range(INFINITY, 0.0f, INFINITY, &error, "a", "b"), SN_ERROR_NOT_FINITE);
}

static void test_vectors_are_finite_and_within_a_limit(void **state)
{
    (void)state;
    assert_int_equal(sn_check_vec3(sn_v(-2, 2, 0), 2.0f, &error, "o", "f"), SN_OK);
    assert_int_equal(sn_check_vec3(sn_v(0, -3, 0), 2.0f, &error, "o", "f"), SN_ERROR_RANGE);
    assert_message("o: f is (0, -3, 0), expected coordinates within +-2");
    assert_int_equal(sn_check_vec3(sn_v(0, 0, -INFINITY), 2.0f, &error, "o", "f"), SN_ERROR_NOT_FINITE);
    assert_message("o: f is (0, 0, -inf), expected finite coordinates");
}

static void test_directions_of_any_length_but_zero_become_unit(void **state)
{
    (void)state;
    const float lengths[] = {1e-40f, 1e-30f, 1e-5f, 1.0f, 1e20f, 1e38f};
    for (int i = 0; i < 6; ++i) {
        sn_vec3 direction = {lengths[i], 0, -lengths[i]};
        assert_int_equal(sn_check_direction(&direction, &error, "o", "f"), SN_OK);
        assert_float_equal(direction.x, 0.70710678f, 1.0e-6f);
        assert_float_equal(direction.z, -0.70710678f, 1.0e-6f);
    }
    sn_vec3 none = {0, -0.0f, 0}, wild = {0, NAN, 1};
    assert_int_equal(sn_check_direction(&none, &error, "hinge", "axis"), SN_ERROR_ROTATION);
    assert_message("hinge: axis is (0, 0, 0), expected a direction");
    assert_int_equal(sn_check_direction(&wild, &error, "o", "f"), SN_ERROR_NOT_FINITE);
}

static void test_rotations_off_by_a_thousandth_are_made_unit_and_others_refused(void **state)
{
    (void)state;
    sn_quat nearly = {0, 0, 0, 1.0009f}, longer = {0, 0, 0, 1.0011f}, shorter = {0, 0, 0.9989f, 0};
    sn_quat none = {0, 0, 0, 0}, wild = {0, 0, 0, NAN}, huge = {1e30f, 0, 0, 0};
    assert_int_equal(sn_check_rotation(&nearly, &error, "o", "f"), SN_OK);
    assert_float_equal(nearly.w, 1.0f, 1.0e-7f);
    assert_int_equal(sn_check_rotation(&longer, &error, "o", "f"), SN_ERROR_ROTATION);
    assert_message("o: f is (0, 0, 0, 1.0011) of length 1.0011, expected length 1");
    assert_int_equal(sn_check_rotation(&shorter, &error, "o", "f"), SN_ERROR_ROTATION);
    assert_int_equal(sn_check_rotation(&none, &error, "o", "f"), SN_ERROR_ROTATION);
    assert_int_equal(sn_check_rotation(&huge, &error, "o", "f"), SN_ERROR_ROTATION);
    assert_int_equal(sn_check_rotation(&wild, &error, "o", "f"), SN_ERROR_NOT_FINITE);
}

static void test_poses_name_position_or_rotation(void **state)
{
    (void)state;
    sn_pose pose = {{0, 0, 2e6f}, {0, 0, 0, 1}};
    assert_int_equal(sn_check_pose(&pose, &error, "rigid 'a'", "offset"), SN_ERROR_RANGE);
    assert_message("rigid 'a': offset.position is (0, 0, 2e+06), expected coordinates within +-1e+06");
    pose = (sn_pose){{0, 0, 0}, {0, 2, 0, 0}};
    assert_int_equal(sn_check_pose(&pose, &error, "rigid 'a'", "offset"), SN_ERROR_ROTATION);
    assert_message("rigid 'a': offset.rotation is (0, 2, 0, 0) of length 2, expected length 1");
    pose = (sn_pose){{1, 2, 3}, {0, 1.0005f, 0, 0}};
    assert_int_equal(sn_check_pose(&pose, &error, "rigid 'a'", "offset"), SN_OK);
    assert_float_equal(pose.rotation.y, 1.0f, 1.0e-7f);
}

static void test_spheres(void **state)
{
    (void)state;
    const char *object = "sphere of rigid 'crate'";
    assert_int_equal(sn_check_sphere((sn_sphere){{0, 0, 0}, 1}, &error, object), SN_OK);
    assert_int_equal(sn_check_sphere((sn_sphere){{0, 0, 0}, 1e-5f}, &error, object), SN_OK);
    assert_int_equal(sn_check_sphere((sn_sphere){{0, 0, 0}, 9e-6f}, &error, object), SN_ERROR_RANGE);
    assert_int_equal(sn_check_sphere((sn_sphere){{0, 0, 0}, -1}, &error, object), SN_ERROR_RANGE);
    assert_message("sphere of rigid 'crate': radius is -1, expected >= 1e-05 and <= 1e+06");
    assert_int_equal(sn_check_sphere((sn_sphere){{0, 0, 0}, 2e6f}, &error, object), SN_ERROR_RANGE);
    assert_int_equal(sn_check_sphere((sn_sphere){{0, NAN, 0}, 1}, &error, object), SN_ERROR_NOT_FINITE);
    assert_message("sphere of rigid 'crate': center is (0, nan, 0), expected finite coordinates");
}

static void test_capsules(void **state)
{
    (void)state;
    sn_capsule good = {{0, 0, 0}, {0, 1, 0}, 0.5f}, bad = good;
    assert_int_equal(sn_check_capsule(good, &error, "capsule"), SN_OK);
    bad.b = sn_v(0, 9e-5f, 0);
    assert_int_equal(sn_check_capsule(bad, &error, "capsule"), SN_ERROR_RANGE);
    assert_message("capsule: distance from a to b is 9e-05, expected >= 0.0001");
    bad = good;
    bad.a.x = INFINITY;
    assert_int_equal(sn_check_capsule(bad, &error, "capsule"), SN_ERROR_NOT_FINITE);
    bad = good;
    bad.b.x = 1.5e6f;
    assert_int_equal(sn_check_capsule(bad, &error, "capsule"), SN_ERROR_RANGE);
    bad = good;
    bad.radius = 0;
    assert_int_equal(sn_check_capsule(bad, &error, "capsule"), SN_ERROR_RANGE);
}

static void test_boxes(void **state)
{
    (void)state;
    assert_int_equal(sn_check_box((sn_box){{1, 2, 3}}, &error, "box"), SN_OK);
    assert_int_equal(sn_check_box((sn_box){{0, 2, 3}}, &error, "box"), SN_ERROR_RANGE);
    assert_message("box: half_extents.x is 0, expected >= 1e-05 and <= 1e+06");
    assert_int_equal(sn_check_box((sn_box){{1, -2, 3}}, &error, "box"), SN_ERROR_RANGE);
    assert_int_equal(sn_check_box((sn_box){{1, 2, NAN}}, &error, "box"), SN_ERROR_NOT_FINITE);
    assert_message("box: half_extents.z is nan, expected a finite number");
}

static void test_planes_get_a_unit_normal(void **state)
{
    (void)state;
    sn_plane plane = {{0, 5, 0}, 3}, lost = {{0, 0, 0}, 0}, far = {{0, 1, 0}, 1.1e6f};
    assert_int_equal(sn_check_plane(&plane, &error, "plane"), SN_OK);
    assert_float_equal(plane.normal.y, 1.0f, 1.0e-7f);
    assert_float_equal(plane.offset, 3.0f, 0.0f);
    assert_int_equal(sn_check_plane(&lost, &error, "plane"), SN_ERROR_ROTATION);
    assert_int_equal(sn_check_plane(&far, &error, "plane"), SN_ERROR_RANGE);
}

static void test_solids(void **state)
{
    (void)state;
    sn_solid solid = {.type = SN_BOX, .pose = sn_pose_identity, .box = {{1, 1, 1}}};
    assert_int_equal(sn_check_solid(&solid, &error, "solid"), SN_OK);
    solid.pose.rotation.w = 1.0005f;
    assert_int_equal(sn_check_solid(&solid, &error, "solid"), SN_OK);
    assert_float_equal(solid.pose.rotation.w, 1.0005f, 0.0f);
    solid.pose.rotation.w = 2.0f;
    assert_int_equal(sn_check_solid(&solid, &error, "solid"), SN_ERROR_ROTATION);
    solid.pose = sn_pose_identity;
    solid.box.half_extents.y = -1;
    assert_int_equal(sn_check_solid(&solid, &error, "part 3 of compound"), SN_ERROR_RANGE);
    assert_message("part 3 of compound: half_extents.y is -1, expected >= 1e-05 and <= 1e+06");
    solid = (sn_solid){.type = SN_HULL, .pose = sn_pose_identity, .hull = NULL};
    assert_int_equal(sn_check_solid(&solid, &error, "solid"), SN_ERROR_NULL);
    assert_message("solid: hull is null");
    solid = (sn_solid){.type = SN_SURFACE, .pose = sn_pose_identity};
    assert_int_equal(sn_check_solid(&solid, &error, "solid"), SN_ERROR_KIND);
    assert_int_equal(sn_check_solid(NULL, &error, "solid"), SN_ERROR_NULL);
    solid = (sn_solid){.type = SN_SPHERE, .pose = sn_pose_identity, .sphere = {{0, 0, 0}, NAN}};
    assert_int_equal(sn_check_solid(&solid, &error, "solid"), SN_ERROR_NOT_FINITE);
    solid = (sn_solid){.type = SN_CAPSULE, .pose = sn_pose_identity, .capsule = {{0, 0, 0}, {0, 0, 0}, 1}};
    assert_int_equal(sn_check_solid(&solid, &error, "solid"), SN_ERROR_RANGE);
}

static void test_triangle_lists(void **state)
{
    (void)state;
    sn_vec3 v[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    uint32_t t[6] = {0, 1, 2, 2, 1, 0};
    assert_int_equal(sn_check_triangles(v, 3, t, 2, &error, "mesh"), SN_OK);
    assert_int_equal(sn_check_triangles(NULL, 3, t, 2, &error, "mesh"), SN_ERROR_NULL);
    assert_message("mesh: vertices is null");
    assert_int_equal(sn_check_triangles(v, 3, NULL, 2, &error, "mesh"), SN_ERROR_NULL);
    assert_int_equal(sn_check_triangles(v, 0, t, 2, &error, "mesh"), SN_ERROR_RANGE);
    assert_int_equal(sn_check_triangles(v, 3, t, -1, &error, "mesh"), SN_ERROR_RANGE);
    assert_message("mesh: triangle_count is -1, expected >= 1 and <= 16777216");
    assert_int_equal(sn_check_triangles(v, 3, t, INT32_MAX, &error, "mesh"), SN_ERROR_RANGE);
    t[4] = 3;
    assert_int_equal(sn_check_triangles(v, 3, t, 2, &error, "mesh"), SN_ERROR_RANGE);
    assert_message("mesh: corner 1 of triangle 1 is vertex 3, expected < 3");
    t[4] = UINT32_MAX;
    assert_int_equal(sn_check_triangles(v, 3, t, 2, &error, "mesh"), SN_ERROR_RANGE);
    v[2].z = NAN;
    assert_int_equal(sn_check_triangles(v, 3, t, 1, &error, "mesh"), SN_ERROR_NOT_FINITE);
    assert_message("mesh: vertex 2 is (0, 1, nan), expected finite coordinates");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_range_includes_its_ends),
        cmocka_unit_test(test_vectors_are_finite_and_within_a_limit),
        cmocka_unit_test(test_directions_of_any_length_but_zero_become_unit),
        cmocka_unit_test(test_rotations_off_by_a_thousandth_are_made_unit_and_others_refused),
        cmocka_unit_test(test_poses_name_position_or_rotation),
        cmocka_unit_test(test_spheres),
        cmocka_unit_test(test_capsules),
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_planes_get_a_unit_normal),
        cmocka_unit_test(test_solids),
        cmocka_unit_test(test_triangle_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

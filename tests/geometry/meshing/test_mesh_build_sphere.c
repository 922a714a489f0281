// Spheres and balls: counts by formula, closed forms approached, angles.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sinew/mesh.h"
#include "support/memory.h"
#include "support/mesh_quality.h"
#include <math.h>
#include <string.h>

#define PI 3.14159265358979

static void assert_refused(sn_status status, sn_status expected, const char *message)
{
    assert_int_equal(status, expected);
    if (!strstr(sn_last_error(), message)) {
        fail_msg("expected \"%s\" in \"%s\"", message, sn_last_error());
    }
}

static void test_ball_of_any_number_of_shells_is_sound(void **state)
{
    (void)state;
    int nodes = 1;
    for (int n = 1; n <= 12; ++n) {
        sn_mesh *mesh = NULL;
        nodes += 10 * n * n + 2;
        assert_int_equal(sn_mesh_sphere(2.0f, n, &mesh), SN_OK);
        assert_int_equal(sn_mesh_node_count(mesh), nodes);
        assert_int_equal(sn_mesh_tetrahedron_count(mesh), 20 * n * n * n);
        assert_int_equal(sn_mesh_triangle_count(mesh), 20 * n * n);
        assert_int_equal(test_euler_characteristic(mesh), 1);
        assert_true(sn_mesh_is_closed(mesh) && sn_mesh_is_manifold(mesh));
        assert_true(test_least_volume(mesh) > 0.0);
        assert_float_equal(sn_mesh_volume(mesh), test_enclosed_volume(mesh), 1.0e-5);
        // The volume of the icosahedron is 0.39 short of the ball's; the error falls with the square.
        double short_of = 1.0 - sn_mesh_volume(mesh) / (8.0 * 4.0 / 3.0 * PI);
        assert_true(short_of > 0.0 && short_of < 0.57 / (n * n));
        // 36.6° … 118.2° at forty shells.
        test_range angles = test_dihedral_angles(mesh);
        assert_true(angles.lower > 36.0 && angles.upper < 119.0);
        sn_mesh_destroy(mesh);
    }
}

static void test_sphere_of_any_number_of_cuts_is_sound(void **state)
{
    (void)state;
    for (int n = 1; n <= 20; ++n) {
        sn_mesh *mesh = NULL;
        assert_int_equal(sn_mesh_sphere_surface(2.0f, n, &mesh), SN_OK);
        assert_int_equal(sn_mesh_node_count(mesh), 10 * n * n + 2);
        assert_int_equal(sn_mesh_triangle_count(mesh), 20 * n * n);
        assert_int_equal(test_euler_characteristic(mesh), 2);
        assert_true(sn_mesh_is_closed(mesh) && sn_mesh_is_manifold(mesh));
        double short_of = 1.0 - sn_mesh_area(mesh) / (4.0 * 4.0 * PI);
        assert_true(short_of > 0.0 && short_of < 0.32 / (n * n));
        assert_true(sn_mesh_volume(mesh) > 0.0f);
        test_range angles = test_triangle_angles(mesh);
        assert_true(angles.lower > 53.9 && angles.upper < 72.1);
        for (int i = 0; i < sn_mesh_node_count(mesh); ++i) {
            assert_float_equal(sn_length(sn_mesh_nodes(mesh)[i]), 2.0f, 1.0e-6f);
        }
        sn_mesh_destroy(mesh);
    }
}

static void test_shells_are_evenly_spaced(void **state)
{
    (void)state;
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_sphere(1.0f, 4, &mesh), SN_OK);
    int node = 1;
    for (int k = 1; k <= 4; ++k) {
        for (int i = 0; i < 10 * k * k + 2; ++i, ++node) {
            assert_float_equal(sn_length(sn_mesh_nodes(mesh)[node]), 0.25f * (float)k, 1.0e-6f);
        }
    }
    sn_mesh_destroy(mesh);
}

static void test_bad_sizes_and_cells_are_refused(void **state)
{
    (void)state;
    sn_mesh *mesh = NULL;
    assert_refused(sn_mesh_sphere(0.0f, 1, &mesh), SN_ERROR_RANGE, "sphere mesh: radius is 0");
    assert_refused(sn_mesh_sphere(NAN, 1, &mesh), SN_ERROR_NOT_FINITE, "sphere mesh: radius is nan");
    assert_refused(sn_mesh_sphere(1.0f, 0, &mesh), SN_ERROR_RANGE, "sphere mesh: shells is 0");
    assert_refused(sn_mesh_sphere(1.0f, 95, &mesh), SN_ERROR_RANGE, "it would have 17147500 tetrahedra");
    assert_refused(sn_mesh_sphere(1.0f, 1 << 24, &mesh), SN_ERROR_RANGE, "sphere mesh: it would have");
    assert_refused(sn_mesh_sphere(1.0f, 1, NULL), SN_ERROR_NULL, "sphere mesh: mesh is null");
    assert_refused(sn_mesh_sphere_surface(-1.0f, 1, &mesh), SN_ERROR_RANGE, "radius is -1");
    assert_refused(sn_mesh_sphere_surface(1.0f, -1, &mesh), SN_ERROR_RANGE, "cuts is -1");
    assert_refused(sn_mesh_sphere_surface(1.0f, 916, &mesh), SN_ERROR_RANGE,
                   "it would have 16781120 triangles");
    assert_null(mesh);
}

static void test_without_memory_there_is_no_sphere_and_no_leak(void **state)
{
    (void)state;
    assert_mesh_made_or_no_memory(sn_mesh_sphere(1.0f, 2, &mesh));
    assert_mesh_made_or_no_memory(sn_mesh_sphere_surface(1.0f, 2, &mesh));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_ball_of_any_number_of_shells_is_sound),
        test_with_memory(test_sphere_of_any_number_of_cuts_is_sound),
        test_with_memory(test_shells_are_evenly_spaced),
        test_with_memory(test_bad_sizes_and_cells_are_refused),
        test_with_memory(test_without_memory_there_is_no_sphere_and_no_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

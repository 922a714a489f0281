// Filling large surfaces: a hundred thousand triangles with bumps, ripples and spikes; two of them in one
// another; torn ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/fill_check.h"
#include "support/memory.h"

#define CUTS 71 // 100,820 triangles

static void test_bumpy_body_of_a_hundred_thousand_triangles(void **state)
{
    (void)state;
    triangle_shape shape = make_bumpy_shape(CUTS);
    double volume = shape_volume(&shape), error = 1.0;
    static const float cells[] = {0.24f, 0.12f, 0.06f};
    for (int i = 0; i < 3; ++i) {
        sn_mesh *mesh = fill_shape(&shape, cells[i]);
        assert_sound(mesh);
        assert_boundary_is_on(mesh, &shape, 1.0e-3f * cells[i]);
        assert_int_equal(test_euler_characteristic(mesh), 1);
        double short_of = fabs(1.0 - sn_mesh_volume(mesh) / volume);
        assert_true(short_of < 0.8 * cells[i] * cells[i]);
        assert_true(short_of < 0.5 * error);
        error = short_of;
        assert_true(i < 2 || sn_mesh_tetrahedron_count(mesh) > 250000);
        sn_mesh_destroy(mesh);
    }
    triangle_shape_release(&shape);
}

static void test_bumpy_bodies_in_one_another_become_one(void **state)
{
    (void)state;
    triangle_shape other = make_bumpy_shape(CUTS);
    place_shape(&other, 0.8f,
                (sn_pose){{1.1f, 0.4f, 0.2f}, sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), 1.0f)});
    triangle_shape both = join_shapes(make_bumpy_shape(CUTS), other);
    double apart = shape_volume(&both);
    sn_mesh *coarse = fill_shape(&both, 0.1f), *fine = fill_shape(&both, 0.07f);
    assert_sound(coarse);
    assert_sound(fine);
    assert_boundary_is_on(fine, &both, 1.0e-3f * 0.07f);
    assert_true(sn_mesh_volume(fine) < 0.95 * apart);
    assert_float_equal(sn_mesh_volume(coarse) / sn_mesh_volume(fine), 1.0, 0.01);
    sn_mesh_destroy(fine);
    sn_mesh_destroy(coarse);
    triangle_shape_release(&both);
}

static void test_torn_bumpy_body_is_filled_all_the_same(void **state)
{
    (void)state;
    triangle_shape shape = make_bumpy_shape(CUTS);
    double volume = shape_volume(&shape);
    shape.triangle_count -= 300; // a hole as wide as a cell
    sn_mesh *mesh = fill_shape(&shape, 0.1f);
    assert_sound(mesh);
    assert_float_equal(sn_mesh_volume(mesh) / volume, 1.0, 0.01);
    sn_mesh_destroy(mesh);
    triangle_shape_release(&shape);
}

static void test_more_tetrahedra_than_can_be_counted_are_refused(void **state)
{
    (void)state;
    triangle_shape cube = make_box_shape(sn_v(1.0f, 1.0f, 1.0f));
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_fill(cube.vertices, cube.vertex_count, cube.triangles, cube.triangle_count,
                                  1.0f / 120.0f, &mesh),
                     SN_ERROR_RANGE);
    assert_null(mesh);
    assert_non_null(strstr(sn_last_error(), "tetrahedra, expected <= 16777216"));
    triangle_shape_release(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_bumpy_body_of_a_hundred_thousand_triangles),
        test_with_memory(test_bumpy_bodies_in_one_another_become_one),
        test_with_memory(test_torn_bumpy_body_is_filled_all_the_same),
        test_with_memory(test_more_tetrahedra_than_can_be_counted_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Winding numbers: against exact sums, inside, outside, overlapping, inside out, open.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/meshing/lattice_winding.h"
#include "support/memory.h"
#include "support/mesh_quality.h"
#include "support/random.h"
#include "support/triangle_shapes.h"

// Takes the shape.
static void begin(sn_winding *winding, triangle_shape shape)
{
    sn_surface *surface = NULL;
    assert_int_equal(sn_surface_create(shape.vertices, shape.vertex_count, shape.triangles,
                                       shape.triangle_count, true, &surface),
                     SN_OK);
    triangle_shape_release(&shape);
    assert_true(sn_winding_make(winding, surface));
}

static void end(sn_winding *winding)
{
    sn_surface *surface = (sn_surface *)winding->surface;
    sn_winding_release(winding);
    sn_surface_destroy(surface);
}

static double exact_number(const sn_surface *surface, sn_vec3 point)
{
    double sum = 0.0;
    for (int i = 0; i < surface->triangle_count; ++i) {
        test_vector corner[3];
        double length[3];
        for (int k = 0; k < 3; ++k) {
            corner[k] = test_between(point, surface->vertices[surface->triangles[3 * i + k]]);
            length[k] = sqrt(test_dot(corner[k], corner[k]));
        }
        double numerator = test_dot(corner[0], test_cross(corner[1], corner[2]));
        double denominator = length[0] * length[1] * length[2];
        for (int k = 0; k < 3; ++k) {
            denominator += test_dot(corner[k], corner[(k + 1) % 3]) * length[(k + 2) % 3];
        }
        sum += 2.0 * atan2(numerator, denominator);
    }
    return sum / (4.0 * 3.14159265358979);
}

static void assert_close_to_exact(triangle_shape shape)
{
    sn_winding winding;
    begin(&winding, shape);
    test_random random = {3};
    for (int i = 0; i < 400; ++i) {
        sn_vec3 p = test_random_vec3(&random, 1.5f);
        assert_float_equal(sn_winding_number(&winding, p), exact_number(winding.surface, p), 0.05);
    }
    end(&winding);
}

static void test_numbers_are_within_five_hundredths_of_exact_sums(void **state)
{
    (void)state;
    assert_close_to_exact(make_bumpy_shape(12));
    triangle_shape torn = make_bumpy_shape(12);
    torn.triangle_count -= torn.triangle_count / 4;
    assert_close_to_exact(torn);
    assert_close_to_exact(make_torus_shape(1.0f, 0.3f, 16));
    assert_close_to_exact(make_box_shape(sn_v(1.0f, 1.0f, 0.01f)));
}

static void test_overlap_adds_up_and_inside_out_counts_down(void **state)
{
    (void)state;
    triangle_shape left = make_sphere_shape(1.0f, 8), right = make_sphere_shape(1.0f, 8);
    place_shape(&right, 1.0f, (sn_pose){{1.0f, 0.0f, 0.0f}, sn_quat_identity});
    sn_winding winding;
    begin(&winding, join_shapes(left, right));
    assert_float_equal(sn_winding_number(&winding, sn_v(0.5f, 0.0f, 0.0f)), 2.0f, 0.05f);
    assert_float_equal(sn_winding_number(&winding, sn_v(-0.5f, 0.1f, 0.0f)), 1.0f, 0.05f);
    assert_float_equal(sn_winding_number(&winding, sn_v(3.0f, 0.1f, 0.0f)), 0.0f, 0.05f);
    end(&winding);

    triangle_shape inside_out = make_sphere_shape(1.0f, 8);
    turn_inside_out(&inside_out);
    begin(&winding, inside_out);
    assert_float_equal(sn_winding_number(&winding, sn_v(0.1f, 0.2f, 0.3f)), -1.0f, 0.05f);
    assert_true(sn_winding_is_inside(&winding, sn_v(0.1f, 0.2f, 0.3f)));
    assert_false(sn_winding_is_inside(&winding, sn_v(1.1f, 0.2f, 0.3f)));
    end(&winding);
}

static void test_half_a_sphere_winds_half_way_round_its_middle(void **state)
{
    (void)state;
    triangle_shape half = make_half_sphere_shape(1.0f, 30);
    sn_winding winding;
    begin(&winding, half);
    assert_float_equal(sn_winding_number(&winding, sn_v(0.0f, 0.0f, 0.0f)), 0.5f, 0.05f);
    assert_true(sn_winding_is_inside(&winding, sn_v(0.0f, 0.2f, 0.0f)));
    assert_false(sn_winding_is_inside(&winding, sn_v(0.0f, -0.2f, 0.0f)));
    end(&winding);
}

static void test_points_on_triangles_edges_and_corners_get_finite_numbers(void **state)
{
    (void)state;
    sn_winding winding;
    begin(&winding, make_box_shape(sn_v(2.0f, 2.0f, 2.0f)));
    for (int i = 0; i < 27; ++i) {
        sn_vec3 p = sn_v((float)(i % 3 - 1), (float)(i / 3 % 3 - 1), (float)(i / 9 - 1));
        float number = sn_winding_number(&winding, p);
        assert_true(number > -0.1f && number < 1.1f);
    }
    end(&winding);
}

static void test_without_memory_there_is_no_winding_number(void **state)
{
    (void)state;
    triangle_shape shape = make_sphere_shape(1.0f, 2);
    sn_surface *surface = NULL;
    assert_int_equal(
        sn_surface_create(shape.vertices, shape.vertex_count, shape.triangles, 80, true, &surface), SN_OK);
    triangle_shape_release(&shape);
    for (int allowed = 0; allowed < 2; ++allowed) {
        sn_winding winding;
        test_memory_allow(allowed);
        assert_false(sn_winding_make(&winding, surface));
        test_memory_allow_all();
        sn_winding_release(&winding);
    }
    sn_surface_destroy(surface);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_numbers_are_within_five_hundredths_of_exact_sums),
        test_with_memory(test_overlap_adds_up_and_inside_out_counts_down),
        test_with_memory(test_half_a_sphere_winds_half_way_round_its_middle),
        test_with_memory(test_points_on_triangles_edges_and_corners_get_finite_numbers),
        test_with_memory(test_without_memory_there_is_no_winding_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

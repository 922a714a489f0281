// Areas, volumes, angles and holes of meshes whose values are known.
#include "apps/mesh_measure.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// A box of 1 × 2 × 3, far from the origin.
static sn_vec3 box_nodes[8];
static uint32_t box_triangles[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                     2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

static sn_mesh_data box(void)
{
    for (int i = 0; i < 8; ++i) {
        box_nodes[i] = sn_v(100.0f + (i & 1 ? 1.0f : 0.0f), i & 2 ? 2.0f : 0.0f, i & 4 ? 3.0f : 0.0f);
    }
    return (sn_mesh_data){
        .nodes = box_nodes, .node_count = 8, .triangles = box_triangles, .triangle_count = 12};
}

static void test_a_box_is_closed_with_its_area_and_volume(void **state)
{
    (void)state;
    sn_mesh_data mesh = box();
    mesh_measure m;
    assert_true(mesh_measure_take(&mesh, &m));
    assert_true(fabs(m.area - 22.0) < 1e-12);
    assert_true(fabs(m.enclosed - 6.0) < 1e-9);
    assert_int_equal(m.open_edges, 0);
    assert_true(m.extent.lower.x == 100.0f && m.extent.upper.x == 101.0f && m.extent.upper.z == 3.0f);
    assert_true(m.volume == 0.0 && m.least_angle == 0.0);
}

static void test_a_hole_has_three_open_edges(void **state)
{
    (void)state;
    sn_mesh_data mesh = box();
    mesh.triangle_count = 11;
    mesh_measure m;
    assert_true(mesh_measure_take(&mesh, &m));
    assert_int_equal(m.open_edges, 3);
}

static void test_a_triangle_turned_over_opens_its_edges(void **state)
{
    (void)state;
    sn_mesh_data mesh = box();
    uint32_t turned[36];
    memcpy(turned, box_triangles, sizeof turned);
    turned[0] = box_triangles[1];
    turned[1] = box_triangles[0];
    mesh.triangles = turned;
    mesh_measure m;
    assert_true(mesh_measure_take(&mesh, &m));
    assert_int_equal(m.open_edges, 3);
}

static void test_a_doubled_surface_is_not_closed(void **state)
{
    (void)state;
    sn_mesh_data mesh = box();
    uint32_t twice[72];
    memcpy(twice, box_triangles, sizeof box_triangles);
    memcpy(twice + 36, box_triangles, sizeof box_triangles);
    mesh.triangles = twice;
    mesh.triangle_count = 24;
    mesh_measure m;
    assert_true(mesh_measure_take(&mesh, &m));
    assert_int_equal(m.open_edges, 18);
}

static void test_angles_and_volume_of_tetrahedra(void **state)
{
    (void)state;
    // A regular one (70.53°) and a corner of a cube (90° and 54.74°).
    sn_vec3 nodes[] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1},
                       {5, 0, 0}, {6, 0, 0},   {5, 1, 0},   {5, 0, 1}};
    uint32_t tetrahedra[] = {0, 2, 1, 3, 4, 5, 6, 7};
    sn_mesh_data mesh = {.nodes = nodes, .node_count = 8, .tetrahedra = tetrahedra, .tetrahedron_count = 1};
    mesh_measure m;
    assert_true(mesh_measure_take(&mesh, &m));
    assert_true(fabs(fabs(m.volume) - 8.0 / 3.0) < 1e-12);
    assert_true(fabs(m.least_angle - 70.528779366) < 1e-6);
    assert_true(fabs(m.largest_angle - 70.528779366) < 1e-6);
    mesh.tetrahedra = tetrahedra + 4;
    assert_true(mesh_measure_take(&mesh, &m));
    assert_true(fabs(m.volume - 1.0 / 6.0) < 1e-12);
    assert_true(fabs(m.least_angle - 54.735610317) < 1e-6);
    assert_true(fabs(m.largest_angle - 90.0) < 1e-6);
}

static void test_an_empty_mesh_measures_nothing(void **state)
{
    (void)state;
    sn_mesh_data mesh = {0};
    mesh_measure m;
    assert_true(mesh_measure_take(&mesh, &m));
    assert_true(m.area == 0.0 && m.enclosed == 0.0 && m.volume == 0.0 && m.open_edges == 0);
    assert_true(m.extent.upper.x == 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_box_is_closed_with_its_area_and_volume),
        cmocka_unit_test(test_a_hole_has_three_open_edges),
        cmocka_unit_test(test_a_triangle_turned_over_opens_its_edges),
        cmocka_unit_test(test_a_doubled_surface_is_not_closed),
        cmocka_unit_test(test_angles_and_volume_of_tetrahedra),
        cmocka_unit_test(test_an_empty_mesh_measures_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

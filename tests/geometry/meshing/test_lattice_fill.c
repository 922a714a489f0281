// Filling surfaces with tetrahedra: round, sharp, thin, hollow, overlapping, open and broken ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/hash.h"
#include "support/fill_check.h"
#include "support/memory.h"
#include "support/random.h"

#define PI 3.14159265358979

static sn_pose turned(float angle, sn_vec3 position)
{
    return (sn_pose){position, sn_quat_axis_angle(sn_normalize(sn_v(1.0f, 2.0f, 3.0f)), angle)};
}

// --- shapes with a known volume ----------------------------------------------------------------------------

static void test_sphere_is_filled_the_better_the_smaller_the_cell(void **state)
{
    (void)state;
    triangle_shape sphere = make_sphere_shape(1.0f, 16);
    double volume = shape_volume(&sphere);
    static const float cells[] = {1.0f, 0.5f, 0.25f, 0.125f};
    for (int i = 0; i < 4; ++i) {
        sn_mesh *mesh = fill_shape(&sphere, cells[i]);
        assert_sound(mesh);
        assert_boundary_is_on(mesh, &sphere, 1.0e-3f * cells[i]);
        assert_int_equal(test_euler_characteristic(mesh), 1);
        // Nodes on the surface, triangles inside it: short by a quarter of the cell squared, and never over.
        double short_of = 1.0 - sn_mesh_volume(mesh) / volume;
        assert_true(short_of > 0.0 && short_of < (i == 0 ? 0.40 : 0.27) * cells[i] * cells[i]);
        sn_mesh_destroy(mesh);
    }
    triangle_shape_release(&sphere);
}

static void test_torus_keeps_its_hole(void **state)
{
    (void)state;
    triangle_shape torus = make_torus_shape(1.0f, 0.4f, 24);
    place_shape(&torus, 1.0f, turned(0.8f, sn_v(0.3f, 0.2f, 0.1f)));
    double volume = shape_volume(&torus);
    static const float cells[] = {0.25f, 0.125f};
    for (int i = 0; i < 2; ++i) {
        sn_mesh *mesh = fill_shape(&torus, cells[i]);
        assert_sound(mesh);
        assert_boundary_is_on(mesh, &torus, 1.0e-3f * cells[i]);
        assert_int_equal(test_euler_characteristic(mesh), 0);
        assert_float_equal(sn_mesh_volume(mesh) / volume, 1.0, 1.0 * cells[i] * cells[i]);
        sn_mesh_destroy(mesh);
    }
    triangle_shape_release(&torus);
}

static void test_cube_along_the_lattice_is_filled_exactly(void **state)
{
    (void)state;
    triangle_shape cube = make_box_shape(sn_v(1.0f, 1.0f, 1.0f));
    static const float cells[] = {1.0f, 0.5f, 0.25f, 0.1f};
    for (int i = 0; i < 4; ++i) {
        sn_mesh *mesh = fill_shape(&cube, cells[i]);
        assert_sound(mesh);
        assert_int_equal(test_euler_characteristic(mesh), 1);
        assert_float_equal(sn_mesh_volume(mesh), 1.0f, 1.0e-5f);
        test_range angles = test_dihedral_angles(mesh);
        assert_true(angles.lower > 44.9 && angles.upper < 90.1);
        sn_mesh_destroy(mesh);
    }
    triangle_shape_release(&cube);
}

static void test_turned_cube_has_its_edges_bevelled_and_no_more(void **state)
{
    (void)state;
    triangle_shape cube = make_box_shape(sn_v(1.0f, 1.0f, 1.0f));
    place_shape(&cube, 1.0f, turned(0.7f, sn_v(0.0f, 0.0f, 0.0f)));
    static const float cells[] = {0.2f, 0.1f, 0.05f};
    for (int i = 0; i < 3; ++i) {
        sn_mesh *mesh = fill_shape(&cube, cells[i]);
        assert_sound(mesh);
        assert_boundary_is_on(mesh, &cube, 1.0e-3f * cells[i]);
        assert_int_equal(test_euler_characteristic(mesh), 1);
        // Twelve edges of length one, each short of a strip as wide as the cell or less.
        double short_of = 1.0 - sn_mesh_volume(mesh);
        assert_true(short_of > 0.0 && short_of < 1.5 * cells[i] * cells[i]);
        sn_mesh_destroy(mesh);
    }
    triangle_shape_release(&cube);
}

static void test_plate_is_lost_below_the_cell_and_whole_above(void **state)
{
    (void)state;
    triangle_shape plate = make_box_shape(sn_v(1.0f, 0.04f, 1.0f));
    place_shape(&plate, 1.0f, turned(0.5f, sn_v(0.0f, 0.0f, 0.0f)));
    sn_mesh *mesh = NULL;
    assert_int_equal(
        sn_mesh_fill(plate.vertices, plate.vertex_count, plate.triangles, plate.triangle_count, 0.2f, &mesh),
        SN_ERROR_GEOMETRY);
    assert_null(mesh);
    assert_non_null(strstr(sn_last_error(), "mesh fill: nothing is inside a surface of"));
    // About as thin as the cell: in pieces perhaps, but sound ones.
    for (float cell = 0.05f; cell > 0.03f; cell -= 0.0025f) {
        mesh = fill_shape(&plate, cell);
        assert_sound(mesh);
        assert_true(sn_mesh_volume(mesh) < 0.04f);
        sn_mesh_destroy(mesh);
    }
    mesh = fill_shape(&plate, 0.02f);
    assert_sound(mesh);
    assert_int_equal(test_euler_characteristic(mesh), 1);
    assert_float_equal(sn_mesh_volume(mesh) / 0.04, 1.0, 0.02);
    sn_mesh_destroy(mesh);
    triangle_shape_release(&plate);
}

// --- several surfaces --------------------------------------------------------------------------------------

static void test_cavity_stays_empty(void **state)
{
    (void)state;
    triangle_shape cavity = make_sphere_shape(0.5f, 12);
    turn_inside_out(&cavity);
    triangle_shape hollow = join_shapes(make_sphere_shape(1.0f, 16), cavity);
    sn_mesh *mesh = fill_shape(&hollow, 0.125f);
    assert_sound(mesh);
    assert_boundary_is_on(mesh, &hollow, 1.0e-4f);
    assert_int_equal(test_euler_characteristic(mesh), 2);
    assert_float_equal(sn_mesh_volume(mesh) / shape_volume(&hollow), 1.0, 0.004);
    sn_mesh_destroy(mesh);
    triangle_shape_release(&hollow);
}

static void test_overlapping_bodies_become_one(void **state)
{
    (void)state;
    triangle_shape right = make_sphere_shape(1.0f, 16);
    place_shape(&right, 1.0f, turned(0.3f, sn_v(1.0f, 0.0f, 0.0f)));
    triangle_shape both = join_shapes(make_sphere_shape(1.0f, 16), right);
    sn_mesh *mesh = fill_shape(&both, 0.1f);
    assert_sound(mesh);
    assert_boundary_is_on(mesh, &both, 1.0e-4f);
    assert_int_equal(test_euler_characteristic(mesh), 1);
    // Two balls less their common lens, whose volume is π (4 + 1) (2 − 1)² / 12.
    double volume = 8.0 / 3.0 * PI - 5.0 / 12.0 * PI;
    assert_float_equal(sn_mesh_volume(mesh) / volume, 1.0, 0.01);
    sn_mesh_destroy(mesh);
    triangle_shape_release(&both);
}

static void test_bodies_apart_are_filled_apart(void **state)
{
    (void)state;
    triangle_shape right = make_sphere_shape(0.5f, 8);
    place_shape(&right, 1.0f, turned(0.0f, sn_v(2.0f, 0.0f, 0.0f)));
    turn_inside_out(&right); // which way it faces does not matter on its own
    triangle_shape both = join_shapes(make_sphere_shape(1.0f, 8), right);
    sn_mesh *mesh = fill_shape(&both, 0.15f);
    assert_sound(mesh);
    assert_int_equal(test_euler_characteristic(mesh), 2);
    assert_float_equal(sn_mesh_volume(mesh), 4.0 / 3.0 * PI * 1.125, 0.1);
    sn_mesh_destroy(mesh);
    triangle_shape_release(&both);
}

static void assert_same(const sn_mesh *a, const sn_mesh *b)
{
    assert_int_equal(sn_mesh_node_count(a), sn_mesh_node_count(b));
    assert_int_equal(sn_mesh_tetrahedron_count(a), sn_mesh_tetrahedron_count(b));
    assert_memory_equal(sn_mesh_nodes(a), sn_mesh_nodes(b), (size_t)sn_mesh_node_count(a) * sizeof(sn_vec3));
    assert_memory_equal(sn_mesh_tetrahedra(a), sn_mesh_tetrahedra(b),
                        (size_t)sn_mesh_tetrahedron_count(a) * 4 * sizeof(uint32_t));
}

static void test_triangles_without_common_vertices_make_the_same_mesh(void **state)
{
    (void)state;
    triangle_shape shape = make_bumpy_shape(10);
    triangle_shape soup = triangle_shape_make(3 * shape.triangle_count + 1, shape.triangle_count);
    for (int i = 0; i < 3 * shape.triangle_count; ++i) {
        soup.vertices[i] = shape.vertices[shape.triangles[i]];
        soup.triangles[i] = (uint32_t)i;
    }
    soup.vertices[3 * shape.triangle_count] = sn_v(9.0e5f, -9.0e5f, 9.0e5f); // of no triangle
    sn_mesh *mesh = fill_shape(&shape, 0.2f), *of_soup = fill_shape(&soup, 0.2f);
    assert_sound(mesh);
    assert_same(mesh, of_soup);
    turn_inside_out(&shape);
    sn_mesh *of_inside_out = fill_shape(&shape, 0.2f);
    assert_same(mesh, of_inside_out);
    sn_mesh_destroy(of_inside_out);
    sn_mesh_destroy(of_soup);
    sn_mesh_destroy(mesh);
    triangle_shape_release(&soup);
    triangle_shape_release(&shape);
}

// --- scale and place ---------------------------------------------------------------------------------------

static void test_scale_and_place_do_not_matter(void **state)
{
    (void)state;
    static const float scales[] = {1.0e-3f, 1.0f, 1.0e3f, 1.0e5f};
    static const float away[] = {0.0f, 7.0f, -100.0f, 600.0f}; // radii
    for (int i = 0; i < 16; ++i) {
        float scale = scales[i / 4], cell = 0.2f * scale;
        triangle_shape shape = make_bumpy_shape(12);
        double volume = shape_volume(&shape) * scale * scale * scale;
        float distance = away[i % 4] * scale;
        if (sn_abs(distance) > 9.0e5f) {
            triangle_shape_release(&shape);
            continue;
        }
        place_shape(&shape, scale, turned(0.4f, sn_v(distance, -distance, 0.5f * distance)));
        sn_mesh *mesh = fill_shape(&shape, cell);
        assert_sound(mesh);
        // Coordinates are rounded to a 2^24th of the distance: two thousandths of a cell at the farthest.
        assert_boundary_is_on(mesh, &shape, 2.0e-3f * cell);
        assert_float_equal(sn_mesh_volume(mesh) / volume, 1.0, 0.05);
        sn_mesh_destroy(mesh);
        triangle_shape_release(&shape);
    }
}

static void test_scaling_by_powers_of_two_changes_no_bit(void **state)
{
    (void)state;
    triangle_shape shape = make_bumpy_shape(10);
    sn_mesh *mesh = fill_shape(&shape, 0.2f);
    place_shape(&shape, 1024.0f, sn_pose_identity);
    sn_mesh *large = fill_shape(&shape, 0.2f * 1024.0f);
    assert_int_equal(sn_mesh_node_count(mesh), sn_mesh_node_count(large));
    for (int i = 0; i < sn_mesh_node_count(mesh); ++i) {
        sn_vec3 p = sn_scale(sn_mesh_nodes(mesh)[i], 1024.0f);
        assert_memory_equal(&p, &sn_mesh_nodes(large)[i], sizeof p);
    }
    sn_mesh_destroy(large);
    sn_mesh_destroy(mesh);
    triangle_shape_release(&shape);
}

static void test_the_same_bits_come_out_of_every_build(void **state)
{
    (void)state;
    triangle_shape shape = make_bumpy_shape(12);
    sn_mesh *mesh = fill_shape(&shape, 0.15f);
    sn_hash hash = sn_hash_begin();
    for (int i = 0; i < sn_mesh_node_count(mesh); ++i) {
        hash = sn_hash_vec3(hash, sn_mesh_nodes(mesh)[i]);
    }
    for (int i = 0; i < 4 * sn_mesh_tetrahedron_count(mesh); ++i) {
        hash = sn_hash_u64(hash, sn_mesh_tetrahedra(mesh)[i]);
    }
    assert_int_equal(hash, 0x8daa33b2c81541bfu);
    sn_mesh_destroy(mesh);
    triangle_shape_release(&shape);
}

// --- broken surfaces ---------------------------------------------------------------------------------------

static void test_holes_are_closed(void **state)
{
    (void)state;
    triangle_shape sphere = make_sphere_shape(1.0f, 16);
    double volume = shape_volume(&sphere);
    for (int k = 0; k < 5; ++k) { // holes of a few triangles, here and there
        sphere.triangle_count -= 7;
        memmove(sphere.triangles + 3 * (900 * k), sphere.triangles + 3 * (900 * k + 7),
                (size_t)(sphere.triangle_count - 900 * k) * 3 * sizeof(uint32_t));
    }
    sn_mesh *mesh = fill_shape(&sphere, 0.125f);
    assert_sound(mesh);
    assert_int_equal(test_euler_characteristic(mesh), 1);
    assert_float_equal(sn_mesh_volume(mesh) / volume, 1.0, 0.01);
    sn_mesh_destroy(mesh);
    triangle_shape_release(&sphere);
}

static void test_open_half_sphere_is_filled_up_to_its_rim(void **state)
{
    (void)state;
    triangle_shape half = make_half_sphere_shape(1.0f, 16);
    sn_mesh *mesh = fill_shape(&half, 0.1f);
    assert_sound(mesh);
    assert_int_equal(test_euler_characteristic(mesh), 1);
    assert_float_equal(sn_mesh_volume(mesh), 2.0 / 3.0 * PI, 0.1);
    assert_true(sn_mesh_bounds(mesh).lower.y > -0.1f);
    sn_mesh_destroy(mesh);
    triangle_shape_release(&half);
}

static void test_some_turned_triangles_do_little_harm(void **state)
{
    (void)state;
    triangle_shape sphere = make_sphere_shape(1.0f, 16);
    double volume = shape_volume(&sphere);
    for (int i = 0; i < sphere.triangle_count; i += 97) {
        uint32_t swap = sphere.triangles[3 * i];
        sphere.triangles[3 * i] = sphere.triangles[3 * i + 1];
        sphere.triangles[3 * i + 1] = swap;
    }
    sn_mesh *mesh = fill_shape(&sphere, 0.125f);
    assert_sound(mesh);
    assert_float_equal(sn_mesh_volume(mesh) / volume, 1.0, 0.02);
    sn_mesh_destroy(mesh);
    triangle_shape_release(&sphere);
}

static void test_random_soups_are_filled_soundly_or_refused(void **state)
{
    (void)state;
    test_random random = {17};
    int filled = 0;
    for (int trial = 0; trial < 60; ++trial) {
        sn_vec3 vertices[24];
        uint32_t triangles[3 * 40];
        int vertex_count = 4 + (int)(test_random_u32(&random) % 20);
        int triangle_count = 4 + (int)(test_random_u32(&random) % 36);
        for (int i = 0; i < vertex_count; ++i) {
            vertices[i] = test_random_vec3(&random, 1.0f);
        }
        for (int i = 0; i < 3 * triangle_count; ++i) {
            triangles[i] = test_random_u32(&random) % (uint32_t)vertex_count;
        }
        sn_mesh *mesh = NULL;
        float cell = test_random_float(&random, 0.07f, 0.3f);
        sn_status status = sn_mesh_fill(vertices, vertex_count, triangles, triangle_count, cell, &mesh);
        if (mesh) {
            assert_sound(mesh);
            sn_mesh_destroy(mesh);
            filled++;
        } else {
            assert_int_equal(status, SN_ERROR_GEOMETRY);
        }
    }
    assert_true(filled > 20);
}

// --- refusals ----------------------------------------------------------------------------------------------

static void assert_refused(const triangle_shape *shape, float cell, sn_status expected, const char *message)
{
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_fill(shape->vertices, shape->vertex_count, shape->triangles,
                                  shape->triangle_count, cell, &mesh),
                     expected);
    assert_null(mesh);
    if (!strstr(sn_last_error(), message)) {
        fail_msg("expected \"%s\" in \"%s\"", message, sn_last_error());
    }
}

static void test_bad_cells_are_refused(void **state)
{
    (void)state;
    triangle_shape sphere = make_sphere_shape(1.0f, 4);
    assert_refused(&sphere, 0.0f, SN_ERROR_RANGE, "mesh fill: cell is 0");
    assert_refused(&sphere, -1.0f, SN_ERROR_RANGE, "mesh fill: cell is -1");
    assert_refused(&sphere, NAN, SN_ERROR_NOT_FINITE, "mesh fill: cell is nan");
    assert_refused(&sphere, INFINITY, SN_ERROR_NOT_FINITE, "mesh fill: cell is inf");
    assert_refused(&sphere, 1.0e-30f, SN_ERROR_RANGE, "mesh fill: cell is 1e-30");
    assert_refused(&sphere, 1.0e-4f, SN_ERROR_RANGE, "1/4096 of the largest coordinate 1");
    assert_refused(
        &sphere, 5.0e-3f, SN_ERROR_RANGE,
        "mesh fill: cell is 0.005, which makes a lattice of 132860250 points, expected <= 16777216");
    assert_refused(&sphere, 20.0f, SN_ERROR_GEOMETRY,
                   "mesh fill: nothing is inside a surface of 2 x 2 x 2 with a cell of 20");
    assert_refused(&sphere, 1.0e6f, SN_ERROR_GEOMETRY, "nothing is inside");
    assert_refused(&sphere, 2.0e6f, SN_ERROR_RANGE, "mesh fill: cell is 2e+06");
    // Far from the origin the least cell grows.
    place_shape(&sphere, 1.0f, (sn_pose){{5000.0f, 0.0f, 0.0f}, sn_quat_identity});
    assert_refused(&sphere, 0.5f, SN_ERROR_RANGE, "expected >= 1.22095");
    triangle_shape_release(&sphere);
}

static void test_bad_surfaces_are_refused(void **state)
{
    (void)state;
    triangle_shape sphere = make_sphere_shape(1.0f, 4), bad = sphere;
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_fill(sphere.vertices, sphere.vertex_count, sphere.triangles, 10, 0.5f, NULL),
                     SN_ERROR_NULL);
    assert_string_equal(sn_last_error(), "mesh fill: mesh is null");
    bad.vertices = NULL;
    assert_refused(&bad, 0.5f, SN_ERROR_NULL, "mesh fill: vertices is null");
    bad = sphere;
    bad.triangles = NULL;
    assert_refused(&bad, 0.5f, SN_ERROR_NULL, "mesh fill: triangles is null");
    bad = sphere;
    bad.vertex_count = 0;
    assert_refused(&bad, 0.5f, SN_ERROR_RANGE, "mesh fill: vertex_count is 0");
    bad = sphere;
    bad.triangle_count = 0;
    assert_refused(&bad, 0.5f, SN_ERROR_RANGE, "mesh fill: triangle_count is 0");
    bad.triangle_count = 1 << 25;
    assert_refused(&bad, 0.5f, SN_ERROR_RANGE, "mesh fill: triangle_count is 33554432");
    bad = sphere;
    bad.vertex_count = 50;
    assert_refused(&bad, 0.5f, SN_ERROR_RANGE, "expected < 50");
    // One triangle, or the same from both sides, encloses nothing.
    bad = sphere;
    bad.triangle_count = 1;
    assert_refused(&bad, 0.1f, SN_ERROR_GEOMETRY, "nothing is inside");
    const uint32_t both_sides[6] = {0, 1, 2, 0, 2, 1};
    assert_int_equal(sn_mesh_fill(sphere.vertices, 3, both_sides, 2, 0.1f, &mesh), SN_ERROR_GEOMETRY);
    const uint32_t pointlike[6] = {0, 0, 1, 2, 2, 2};
    assert_int_equal(sn_mesh_fill(sphere.vertices, 3, pointlike, 2, 0.1f, &mesh), SN_ERROR_GEOMETRY);
    assert_string_equal(sn_last_error(), "mesh fill: none of the 2 triangles has an area");
    sphere.vertices[7].z = NAN;
    assert_refused(&sphere, 0.5f, SN_ERROR_NOT_FINITE, "mesh fill: vertex 7 is");
    sphere.vertices[7].z = 1.0e7f;
    assert_refused(&sphere, 0.5f, SN_ERROR_RANGE, "mesh fill: vertex 7 is");
    assert_null(mesh);
    triangle_shape_release(&sphere);
}

static void test_without_memory_there_is_no_mesh_and_no_leak(void **state)
{
    (void)state;
    triangle_shape sphere = make_sphere_shape(1.0f, 2);
    sn_mesh *mesh = NULL;
    uint64_t before = sn_allocated_bytes();
    int failures = 0;
    for (int allowed = 0; !mesh && allowed < 400; ++allowed) {
        test_memory_allow(allowed);
        sn_status status = sn_mesh_fill(sphere.vertices, sphere.vertex_count, sphere.triangles,
                                        sphere.triangle_count, 0.6f, &mesh);
        test_memory_allow_all();
        if (status) {
            failures++;
            assert_int_equal(status, SN_ERROR_MEMORY);
            assert_int_equal(sn_allocated_bytes(), before);
        }
    }
    assert_non_null(mesh);
    assert_true(failures > 40);
    sn_mesh_destroy(mesh);
    triangle_shape_release(&sphere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_sphere_is_filled_the_better_the_smaller_the_cell),
        test_with_memory(test_torus_keeps_its_hole),
        test_with_memory(test_cube_along_the_lattice_is_filled_exactly),
        test_with_memory(test_turned_cube_has_its_edges_bevelled_and_no_more),
        test_with_memory(test_plate_is_lost_below_the_cell_and_whole_above),
        test_with_memory(test_cavity_stays_empty),
        test_with_memory(test_overlapping_bodies_become_one),
        test_with_memory(test_bodies_apart_are_filled_apart),
        test_with_memory(test_triangles_without_common_vertices_make_the_same_mesh),
        test_with_memory(test_scale_and_place_do_not_matter),
        test_with_memory(test_scaling_by_powers_of_two_changes_no_bit),
        test_with_memory(test_the_same_bits_come_out_of_every_build),
        test_with_memory(test_holes_are_closed),
        test_with_memory(test_open_half_sphere_is_filled_up_to_its_rim),
        test_with_memory(test_some_turned_triangles_do_little_harm),
        test_with_memory(test_random_soups_are_filled_soundly_or_refused),
        test_with_memory(test_bad_cells_are_refused),
        test_with_memory(test_bad_surfaces_are_refused),
        test_with_memory(test_without_memory_there_is_no_mesh_and_no_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

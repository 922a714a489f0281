// Blocks: counts by formula, volume, angles, and that the surface is the solid's boundary.
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

static const int blocks[][3] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 3}, {3, 4, 5}, {6, 6, 6}};
#define BLOCK_COUNT ((int)(sizeof blocks / sizeof blocks[0]))

static void assert_refused(sn_status status, sn_status expected, const char *message)
{
    assert_int_equal(status, expected);
    if (!strstr(sn_last_error(), message)) {
        fail_msg("expected \"%s\" in \"%s\"", message, sn_last_error());
    }
}

static void test_solid_has_five_tetrahedra_a_cell(void **state)
{
    (void)state;
    for (int i = 0; i < BLOCK_COUNT; ++i) {
        int nx = blocks[i][0], ny = blocks[i][1], nz = blocks[i][2];
        sn_mesh *mesh = NULL;
        assert_int_equal(sn_mesh_box(sn_v(1.0f, 2.0f, 3.0f), nx, ny, nz, &mesh), SN_OK);
        assert_int_equal(sn_mesh_node_count(mesh), (nx + 1) * (ny + 1) * (nz + 1));
        assert_int_equal(sn_mesh_tetrahedron_count(mesh), 5 * nx * ny * nz);
        assert_int_equal(sn_mesh_triangle_count(mesh), 4 * (nx * ny + ny * nz + nz * nx));
        assert_int_equal(test_euler_characteristic(mesh), 1);
        assert_true(sn_mesh_is_closed(mesh) && sn_mesh_is_manifold(mesh));
        assert_float_equal(sn_mesh_volume(mesh), 6.0f, 1.0e-5f);
        assert_float_equal(test_enclosed_volume(mesh), 6.0, 1.0e-5);
        assert_float_equal(sn_mesh_area(mesh), 22.0f, 1.0e-5f);
        assert_true(test_least_volume(mesh) > 0.9 / (nx * ny * nz));
        sn_mesh_destroy(mesh);
    }
}

static void test_cells_of_a_cube_have_angles_of_their_regular_tetrahedra(void **state)
{
    (void)state;
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_box(sn_v(1.0f, 1.0f, 1.0f), 4, 4, 4, &mesh), SN_OK);
    test_range angles = test_dihedral_angles(mesh);
    assert_float_equal(angles.lower, 54.7356, 1.0e-3);
    assert_float_equal(angles.upper, 90.0, 1.0e-3);
    sn_mesh_destroy(mesh);
}

static void test_nodes_are_numbered_as_promised(void **state)
{
    (void)state;
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_box(sn_v(2.0f, 3.0f, 4.0f), 2, 3, 4, &mesh), SN_OK);
    sn_vec3 p = sn_mesh_nodes(mesh)[(3 * 4 + 2) * 3 + 1];
    assert_float_equal(p.x, 0.0f, 1.0e-6f);
    assert_float_equal(p.y, 0.5f, 1.0e-6f);
    assert_float_equal(p.z, 1.0f, 1.0e-6f);
    sn_mesh_destroy(mesh);
}

// Whether two meshes have the same triangle by places of corners, in the same direction.
static bool has_triangle(const sn_mesh *mesh, const sn_vec3 corners[3])
{
    for (int i = 0; i < sn_mesh_triangle_count(mesh); ++i) {
        const uint32_t *t = sn_mesh_triangles(mesh) + 3 * i;
        for (int turn = 0; turn < 3; ++turn) {
            bool same = true;
            for (int k = 0; k < 3; ++k) {
                same = same && !memcmp(&sn_mesh_nodes(mesh)[t[(k + turn) % 3]], &corners[k], sizeof(sn_vec3));
            }
            if (same) {
                return true;
            }
        }
    }
    return false;
}

static void test_surface_is_the_boundary_of_the_solid(void **state)
{
    (void)state;
    for (int i = 0; i < BLOCK_COUNT; ++i) {
        int nx = blocks[i][0], ny = blocks[i][1], nz = blocks[i][2];
        sn_mesh *solid = NULL, *surface = NULL;
        assert_int_equal(sn_mesh_box(sn_v(1.0f, 2.0f, 3.0f), nx, ny, nz, &solid), SN_OK);
        assert_int_equal(sn_mesh_box_surface(sn_v(1.0f, 2.0f, 3.0f), nx, ny, nz, &surface), SN_OK);
        assert_int_equal(sn_mesh_node_count(surface), 2 * (nx * ny + ny * nz + nz * nx) + 2);
        assert_int_equal(sn_mesh_triangle_count(surface), sn_mesh_triangle_count(solid));
        assert_int_equal(test_euler_characteristic(surface), 2);
        assert_true(sn_mesh_is_closed(surface) && sn_mesh_is_manifold(surface));
        assert_float_equal(sn_mesh_volume(surface), 6.0f, 1.0e-5f);
        for (int t = 0; t < sn_mesh_triangle_count(surface); ++t) {
            sn_vec3 corners[3];
            for (int k = 0; k < 3; ++k) {
                corners[k] = sn_mesh_nodes(surface)[sn_mesh_triangles(surface)[3 * t + k]];
            }
            assert_true(has_triangle(solid, corners));
        }
        sn_mesh_destroy(surface);
        sn_mesh_destroy(solid);
    }
}

static void test_bad_sizes_and_cells_are_refused(void **state)
{
    (void)state;
    sn_mesh *mesh = NULL;
    sn_vec3 one = {1.0f, 1.0f, 1.0f};
    assert_refused(sn_mesh_box(sn_v(0.0f, 1.0f, 1.0f), 1, 1, 1, &mesh), SN_ERROR_RANGE, "size.x is 0");
    assert_refused(sn_mesh_box(sn_v(1.0f, NAN, 1.0f), 1, 1, 1, &mesh), SN_ERROR_NOT_FINITE, "size.y is nan");
    assert_refused(sn_mesh_box(sn_v(1.0f, 1.0f, -2.0f), 1, 1, 1, &mesh), SN_ERROR_RANGE, "size.z is -2");
    assert_refused(sn_mesh_box(one, 0, 1, 1, &mesh), SN_ERROR_RANGE, "box mesh: nx is 0");
    assert_refused(sn_mesh_box(one, 1, -1, 1, &mesh), SN_ERROR_RANGE, "box mesh: ny is -1");
    assert_refused(sn_mesh_box(one, 1, 1, INT32_MAX, &mesh), SN_ERROR_RANGE, "box mesh: nz is 2147483647");
    assert_refused(sn_mesh_box(one, 1 << 24, 1 << 24, 1 << 24, &mesh), SN_ERROR_RANGE, "it would have");
    assert_refused(sn_mesh_box(one, 151, 151, 151, &mesh), SN_ERROR_RANGE,
                   "box mesh: it would have 17214755 tetrahedra, expected <= 16777216");
    assert_refused(sn_mesh_box(one, 1, 1, 1, NULL), SN_ERROR_NULL, "box mesh: mesh is null");
    assert_refused(sn_mesh_box_surface(one, 1, 1, 0, &mesh), SN_ERROR_RANGE, "box surface mesh: nz is 0");
    assert_refused(sn_mesh_box_surface(one, 1200, 1200, 1200, &mesh), SN_ERROR_RANGE,
                   "it would have 17280000 triangles");
    assert_null(mesh);
}

static void test_without_memory_there_is_no_block_and_no_leak(void **state)
{
    (void)state;
    assert_mesh_made_or_no_memory(sn_mesh_box(sn_v(1.0f, 1.0f, 1.0f), 2, 1, 1, &mesh));
    assert_mesh_made_or_no_memory(sn_mesh_box_surface(sn_v(1.0f, 1.0f, 1.0f), 2, 1, 1, &mesh));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_solid_has_five_tetrahedra_a_cell),
        test_with_memory(test_cells_of_a_cube_have_angles_of_their_regular_tetrahedra),
        test_with_memory(test_nodes_are_numbered_as_promised),
        test_with_memory(test_surface_is_the_boundary_of_the_solid),
        test_with_memory(test_bad_sizes_and_cells_are_refused),
        test_with_memory(test_without_memory_there_is_no_block_and_no_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Discs and cylinders: counts by formula, closed forms approached, angles, surface against solid.
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

// The area of a regular polygon of 6 × rings corners on the unit circle: what a disc of that many rings has.
static double polygon_area(int rings)
{
    return 3.0 * rings * sin(PI / (3.0 * rings));
}

static void test_disc_has_six_sectors_and_grows_round(void **state)
{
    (void)state;
    for (int rings = 1; rings <= 32; rings *= 2) {
        sn_mesh *mesh = NULL;
        assert_int_equal(sn_mesh_disc(1.0f, rings, &mesh), SN_OK);
        assert_int_equal(sn_mesh_node_count(mesh), 1 + 3 * rings * (rings + 1));
        assert_int_equal(sn_mesh_triangle_count(mesh), 6 * rings * rings);
        assert_int_equal(test_euler_characteristic(mesh), 1);
        assert_true(sn_mesh_is_manifold(mesh));
        assert_false(sn_mesh_is_closed(mesh));
        assert_float_equal(sn_mesh_area(mesh), polygon_area(rings), 1.0e-5);
        assert_true(fabs(sn_mesh_area(mesh) / PI - 1.0) < 0.19 / (rings * rings));
        test_range angles = test_triangle_angles(mesh);
        assert_true(angles.lower > 44.0 && angles.upper < 90.0);
        // Facing +z.
        const uint32_t *t = sn_mesh_triangles(mesh);
        const sn_vec3 *nodes = sn_mesh_nodes(mesh);
        assert_true(
            test_cross(test_between(nodes[t[0]], nodes[t[1]]), test_between(nodes[t[0]], nodes[t[2]])).z >
            0.0);
        sn_mesh_destroy(mesh);
    }
}

static void test_solid_cylinder_is_made_of_its_layers(void **state)
{
    (void)state;
    for (int rings = 1; rings <= 8; rings *= 2) {
        int layers = 2 * rings + 1;
        sn_mesh *mesh = NULL;
        assert_int_equal(sn_mesh_cylinder(1.0f, 2.0f, rings, layers, &mesh), SN_OK);
        assert_int_equal(sn_mesh_node_count(mesh), (1 + 3 * rings * (rings + 1)) * (layers + 1));
        assert_int_equal(sn_mesh_tetrahedron_count(mesh), 18 * rings * rings * layers);
        assert_int_equal(sn_mesh_triangle_count(mesh), 12 * rings * (rings + layers));
        assert_int_equal(test_euler_characteristic(mesh), 1);
        assert_true(sn_mesh_is_closed(mesh) && sn_mesh_is_manifold(mesh));
        assert_float_equal(sn_mesh_volume(mesh), 2.0 * polygon_area(rings), 2.0e-5);
        assert_float_equal(test_enclosed_volume(mesh), 2.0 * polygon_area(rings), 2.0e-5);
        assert_true(fabs(sn_mesh_volume(mesh) / (2.0 * PI) - 1.0) < 0.19 / (rings * rings));
        assert_true(test_least_volume(mesh) > 0.0);
        // Measured 35.5° … 123.2° with cells about as high as wide.
        test_range angles = test_dihedral_angles(mesh);
        assert_true(angles.lower > 33.0 && angles.upper < 125.0);
        sn_mesh_destroy(mesh);
    }
}

static void test_surface_has_what_the_boundary_of_the_solid_has(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {1, 2}, {2, 3}, {5, 10}};
    for (int i = 0; i < 4; ++i) {
        int rings = sizes[i][0], layers = sizes[i][1];
        sn_mesh *solid = NULL, *surface = NULL;
        assert_int_equal(sn_mesh_cylinder(0.5f, 2.0f, rings, layers, &solid), SN_OK);
        assert_int_equal(sn_mesh_cylinder_surface(0.5f, 2.0f, rings, layers, &surface), SN_OK);
        assert_int_equal(sn_mesh_node_count(surface), 2 + 6 * rings * (rings + layers));
        assert_int_equal(sn_mesh_triangle_count(surface), sn_mesh_triangle_count(solid));
        assert_int_equal(test_euler_characteristic(surface), 2);
        assert_true(sn_mesh_is_closed(surface) && sn_mesh_is_manifold(surface));
        assert_float_equal(sn_mesh_volume(surface), sn_mesh_volume(solid), 1.0e-6f);
        assert_float_equal(sn_mesh_area(surface), sn_mesh_area(solid), 1.0e-6f);
        // With the same diagonals, the edges are as long in all.
        double boundary = 0.0;
        for (int t = 0; t < 3 * sn_mesh_triangle_count(solid); ++t) {
            const uint32_t *c = sn_mesh_triangles(solid) + t / 3 * 3;
            boundary += 0.5 * sn_distance_between(sn_mesh_nodes(solid)[c[t % 3]],
                                                  sn_mesh_nodes(solid)[c[(t + 1) % 3]]);
        }
        assert_float_equal(sn_mesh_length(surface), boundary, 1.0e-5 * boundary);
        sn_mesh_destroy(surface);
        sn_mesh_destroy(solid);
    }
}

static void test_bad_sizes_and_cells_are_refused(void **state)
{
    (void)state;
    sn_mesh *mesh = NULL;
    assert_refused(sn_mesh_disc(0.0f, 1, &mesh), SN_ERROR_RANGE, "disc mesh: radius is 0");
    assert_refused(sn_mesh_disc(1.0f, 0, &mesh), SN_ERROR_RANGE, "disc mesh: rings is 0, expected >= 1");
    assert_refused(sn_mesh_disc(1.0f, 1 << 24, &mesh), SN_ERROR_RANGE, "disc mesh: it would have");
    assert_refused(sn_mesh_disc(1.0f, 1673, &mesh), SN_ERROR_RANGE, "it would have 16793574 triangles");
    assert_refused(sn_mesh_disc(1.0f, 1, NULL), SN_ERROR_NULL, "disc mesh: mesh is null");
    assert_refused(sn_mesh_cylinder(NAN, 1.0f, 1, 1, &mesh), SN_ERROR_NOT_FINITE, "radius is nan");
    assert_refused(sn_mesh_cylinder(1.0f, INFINITY, 1, 1, &mesh), SN_ERROR_NOT_FINITE, "height is inf");
    assert_refused(sn_mesh_cylinder(1.0f, 1.0f, -1, 1, &mesh), SN_ERROR_RANGE, "rings is -1");
    assert_refused(sn_mesh_cylinder(1.0f, 1.0f, 1, 0, &mesh), SN_ERROR_RANGE, "layers is 0");
    assert_refused(sn_mesh_cylinder(1.0f, 1.0f, 100, 100, &mesh), SN_ERROR_RANGE,
                   "cylinder mesh: it would have 18000000 tetrahedra");
    assert_refused(sn_mesh_cylinder(1.0f, 1.0f, 1, 1, NULL), SN_ERROR_NULL, "cylinder mesh: mesh is null");
    assert_refused(sn_mesh_cylinder_surface(1.0f, 1.0f, 1, 1 << 24, &mesh), SN_ERROR_RANGE,
                   "cylinder surface mesh: it would have 100663304 nodes");
    assert_null(mesh);
}

static void test_without_memory_there_is_no_cylinder_and_no_leak(void **state)
{
    (void)state;
    assert_mesh_made_or_no_memory(sn_mesh_disc(1.0f, 2, &mesh));
    assert_mesh_made_or_no_memory(sn_mesh_cylinder(1.0f, 1.0f, 1, 1, &mesh));
    assert_mesh_made_or_no_memory(sn_mesh_cylinder_surface(1.0f, 1.0f, 1, 1, &mesh));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_disc_has_six_sectors_and_grows_round),
        test_with_memory(test_solid_cylinder_is_made_of_its_layers),
        test_with_memory(test_surface_has_what_the_boundary_of_the_solid_has),
        test_with_memory(test_bad_sizes_and_cells_are_refused),
        test_with_memory(test_without_memory_there_is_no_cylinder_and_no_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Strands and sheets: counts by formula, sizes, orientation, limits.
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

static void assert_counts(const sn_mesh *mesh, int nodes, int edges, int triangles)
{
    assert_int_equal(sn_mesh_node_count(mesh), nodes);
    assert_int_equal(sn_mesh_edge_count(mesh), edges);
    assert_int_equal(sn_mesh_triangle_count(mesh), triangles);
    assert_int_equal(sn_mesh_tetrahedron_count(mesh), 0);
}

// The sum of the triangles' area vectors.
static test_vector area_vector(const sn_mesh *mesh)
{
    test_vector sum = {0};
    for (int i = 0; i < sn_mesh_triangle_count(mesh); ++i) {
        const uint32_t *t = sn_mesh_triangles(mesh) + 3 * i;
        const sn_vec3 *nodes = sn_mesh_nodes(mesh);
        test_vector n =
            test_cross(test_between(nodes[t[0]], nodes[t[1]]), test_between(nodes[t[0]], nodes[t[2]]));
        sum = (test_vector){sum.x + 0.5 * n.x, sum.y + 0.5 * n.y, sum.z + 0.5 * n.z};
    }
    return sum;
}

static void assert_refused(sn_status status, sn_status expected, const char *message)
{
    assert_int_equal(status, expected);
    if (!strstr(sn_last_error(), message)) {
        fail_msg("expected \"%s\" in \"%s\"", message, sn_last_error());
    }
}

// --- strands -----------------------------------------------------------------------------------------------

static void test_line_runs_along_x(void **state)
{
    (void)state;
    for (int edges = 1; edges < 40; edges += 7) {
        sn_mesh *mesh = NULL;
        assert_int_equal(sn_mesh_line(3.0f, edges, &mesh), SN_OK);
        assert_counts(mesh, edges + 1, edges, 0);
        assert_float_equal(sn_mesh_length(mesh), 3.0f, 1.0e-6f);
        assert_float_equal(sn_mesh_nodes(mesh)[0].x, -1.5f, 0.0f);
        assert_float_equal(sn_mesh_nodes(mesh)[edges].x, 1.5f, 0.0f);
        for (int i = 0; i < edges; ++i) {
            assert_float_equal(sn_mesh_edge_length(mesh, i), 3.0f / (float)edges, 1.0e-6f);
        }
        sn_mesh_destroy(mesh);
    }
}

static void test_strip_is_one_cell_wide(void **state)
{
    (void)state;
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_strip(2.0f, 0.1f, 12, &mesh), SN_OK);
    assert_counts(mesh, 26, 49, 24);
    assert_float_equal(sn_mesh_area(mesh), 0.2f, 1.0e-6f);
    assert_float_equal(area_vector(mesh).z, 0.2, 1.0e-6);
    assert_float_equal(sn_mesh_bounds(mesh).upper.x, 1.0f, 0.0f);
    assert_float_equal(sn_mesh_bounds(mesh).upper.y, 0.05f, 0.0f);
    sn_mesh_destroy(mesh);
}

// --- grid --------------------------------------------------------------------------------------------------

static void test_grid_has_its_cells_whatever_the_pattern(void **state)
{
    (void)state;
    const int columns = 5, rows = 4;
    for (int pattern = SN_GRID_ALTERNATING; pattern <= SN_GRID_CROSSED; ++pattern) {
        sn_mesh *mesh = NULL;
        assert_int_equal(sn_mesh_grid(2.0f, 1.0f, columns, rows, (sn_grid_pattern)pattern, &mesh), SN_OK);
        int straight = columns * (rows + 1) + rows * (columns + 1), cells = columns * rows;
        int corners = (columns + 1) * (rows + 1);
        if (pattern == SN_GRID_CROSSED) {
            assert_counts(mesh, corners + cells, straight + 4 * cells, 4 * cells);
        } else {
            assert_counts(mesh, corners, straight + cells, 2 * cells);
        }
        assert_int_equal(test_euler_characteristic(mesh), 1);
        assert_true(sn_mesh_is_manifold(mesh));
        assert_false(sn_mesh_is_closed(mesh));
        assert_float_equal(sn_mesh_area(mesh), 2.0f, 1.0e-6f);
        assert_float_equal(area_vector(mesh).z, 2.0, 1.0e-6);
        sn_vec3 corner = sn_mesh_nodes(mesh)[3 * (columns + 1) + 2];
        assert_float_equal(corner.x, -0.2f, 1.0e-6f);
        assert_float_equal(corner.y, 0.25f, 1.0e-6f);
        sn_mesh_destroy(mesh);
    }
}

static bool has_edge(const sn_mesh *mesh, uint32_t a, uint32_t b)
{
    for (int i = 0; i < sn_mesh_edge_count(mesh); ++i) {
        if (sn_mesh_edges(mesh)[2 * i] == a && sn_mesh_edges(mesh)[2 * i + 1] == b) {
            return true;
        }
    }
    return false;
}

static void test_diagonals_follow_the_pattern(void **state)
{
    (void)state;
    // Nodes 0 1 2 below 3 4 5: forward diagonals are 0–4 and 1–5, backward ones 1–3 and 2–4.
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_grid(2.0f, 1.0f, 2, 1, SN_GRID_FORWARD, &mesh), SN_OK);
    assert_true(has_edge(mesh, 0, 4) && has_edge(mesh, 1, 5));
    sn_mesh_destroy(mesh);
    assert_int_equal(sn_mesh_grid(2.0f, 1.0f, 2, 1, SN_GRID_BACKWARD, &mesh), SN_OK);
    assert_true(has_edge(mesh, 1, 3) && has_edge(mesh, 2, 4));
    sn_mesh_destroy(mesh);
    assert_int_equal(sn_mesh_grid(2.0f, 1.0f, 2, 1, SN_GRID_ALTERNATING, &mesh), SN_OK);
    assert_true(has_edge(mesh, 0, 4) && has_edge(mesh, 2, 4));
    sn_mesh_destroy(mesh);
}

// --- tube --------------------------------------------------------------------------------------------------

static void test_tube_is_open_faces_outward_and_grows_round(void **state)
{
    (void)state;
    static const int sides[] = {3, 8, 17, 64};
    double worse = 1.0;
    for (int i = 0; i < 4; ++i) {
        sn_mesh *mesh = NULL;
        assert_int_equal(sn_mesh_tube(0.5f, 2.0f, sides[i], 3, &mesh), SN_OK);
        assert_counts(mesh, 4 * sides[i], sides[i] * (4 + 3 + 3), 6 * sides[i]);
        assert_int_equal(test_euler_characteristic(mesh), 0);
        assert_true(sn_mesh_is_manifold(mesh));
        assert_false(sn_mesh_is_closed(mesh));
        double side = 2.0 * 0.5 * sin(3.14159265358979 / sides[i]);
        assert_float_equal(sn_mesh_area(mesh), sides[i] * side * 2.0, 1.0e-5);
        double off = fabs(sn_mesh_area(mesh) / (2.0 * 3.14159265358979) - 1.0);
        assert_true(off < worse);
        worse = off;
        for (int t = 0; t < sn_mesh_triangle_count(mesh); ++t) {
            const uint32_t *c = sn_mesh_triangles(mesh) + 3 * t;
            const sn_vec3 *nodes = sn_mesh_nodes(mesh);
            test_vector normal =
                test_cross(test_between(nodes[c[0]], nodes[c[1]]), test_between(nodes[c[0]], nodes[c[2]]));
            sn_vec3 middle = sn_add(nodes[c[0]], sn_add(nodes[c[1]], nodes[c[2]]));
            assert_true(normal.x * middle.x + normal.z * middle.z > 0.0);
        }
        sn_mesh_destroy(mesh);
    }
    assert_true(worse < 5.0e-4);
}

// --- limits ------------------------------------------------------------------------------------------------

static void test_bad_sizes_are_refused(void **state)
{
    (void)state;
    sn_mesh *mesh = NULL;
    assert_refused(sn_mesh_line(0.0f, 1, &mesh), SN_ERROR_RANGE, "line mesh: length is 0");
    assert_refused(sn_mesh_line(NAN, 1, &mesh), SN_ERROR_NOT_FINITE, "line mesh: length is nan");
    assert_refused(sn_mesh_line(1.0f, 1, NULL), SN_ERROR_NULL, "line mesh: mesh is null");
    assert_refused(sn_mesh_strip(1.0f, -1.0f, 1, &mesh), SN_ERROR_RANGE, "strip mesh: width is -1");
    assert_refused(sn_mesh_strip(INFINITY, 1.0f, 1, &mesh), SN_ERROR_NOT_FINITE, "strip mesh: length is inf");
    assert_refused(sn_mesh_grid(1.0f, 2.0e6f, 1, 1, SN_GRID_FORWARD, &mesh), SN_ERROR_RANGE, "height");
    assert_refused(sn_mesh_grid(0.0f, 1.0f, 1, 1, SN_GRID_FORWARD, &mesh), SN_ERROR_RANGE, "width");
    assert_refused(sn_mesh_grid(1.0f, 1.0f, 1, 1, (sn_grid_pattern)4, &mesh), SN_ERROR_RANGE, "pattern is 4");
    assert_refused(sn_mesh_tube(1.0e-6f, 1.0f, 3, 1, &mesh), SN_ERROR_RANGE, "radius");
    assert_refused(sn_mesh_tube(1.0f, 1.0e-6f, 3, 1, &mesh), SN_ERROR_RANGE, "height");
    assert_null(mesh);
}

static void test_numbers_of_cells_are_bounded(void **state)
{
    (void)state;
    sn_mesh *mesh = NULL;
    assert_refused(sn_mesh_line(1.0f, 0, &mesh), SN_ERROR_RANGE, "line mesh: edges is 0, expected >= 1");
    assert_refused(sn_mesh_line(1.0f, 16777216, &mesh), SN_ERROR_RANGE, "it would have 16777217 nodes");
    assert_refused(sn_mesh_strip(1.0f, 1.0f, -3, &mesh), SN_ERROR_RANGE, "strip mesh: cells is -3");
    assert_refused(sn_mesh_strip(1.0f, 1.0f, INT32_MAX, &mesh), SN_ERROR_RANGE, "cells is 2147483647");
    assert_refused(sn_mesh_grid(1.0f, 1.0f, 1 << 24, 1 << 24, SN_GRID_FORWARD, &mesh), SN_ERROR_RANGE,
                   "grid mesh: it would have 281475010265089 nodes, expected <= 16777216");
    assert_refused(sn_mesh_grid(1.0f, 1.0f, 0, 1, SN_GRID_FORWARD, &mesh), SN_ERROR_RANGE, "columns is 0");
    assert_refused(sn_mesh_grid(1.0f, 1.0f, 3000, 3000, SN_GRID_FORWARD, &mesh), SN_ERROR_RANGE,
                   "grid mesh: it would have 18000000 triangles");
    assert_refused(sn_mesh_grid(1.0f, 1.0f, 1, -1, SN_GRID_FORWARD, &mesh), SN_ERROR_RANGE, "rows is -1");
    assert_refused(sn_mesh_tube(1.0f, 1.0f, 2, 1, &mesh), SN_ERROR_RANGE, "tube mesh: sides is 2");
    assert_refused(sn_mesh_tube(1.0f, 1.0f, 3, 0, &mesh), SN_ERROR_RANGE, "tube mesh: rows is 0");
    assert_refused(sn_mesh_tube(1.0f, 1.0f, 1 << 24, 1 << 24, &mesh), SN_ERROR_RANGE, "it would have");
    // Cells that float32 cannot tell apart.
    assert_refused(sn_mesh_line(0.01f, 500000, &mesh), SN_ERROR_GEOMETRY, "mesh: edge 0 has length");
    assert_null(mesh);
}

static void test_without_memory_there_is_no_sheet_and_no_leak(void **state)
{
    (void)state;
    assert_mesh_made_or_no_memory(sn_mesh_line(1.0f, 2, &mesh));
    assert_mesh_made_or_no_memory(sn_mesh_grid(1.0f, 1.0f, 2, 2, SN_GRID_CROSSED, &mesh));
    assert_mesh_made_or_no_memory(sn_mesh_tube(1.0f, 1.0f, 3, 1, &mesh));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_line_runs_along_x),
        test_with_memory(test_strip_is_one_cell_wide),
        test_with_memory(test_grid_has_its_cells_whatever_the_pattern),
        test_with_memory(test_diagonals_follow_the_pattern),
        test_with_memory(test_tube_is_open_faces_outward_and_grows_round),
        test_with_memory(test_bad_sizes_are_refused),
        test_with_memory(test_numbers_of_cells_are_bounded),
        test_with_memory(test_without_memory_there_is_no_sheet_and_no_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

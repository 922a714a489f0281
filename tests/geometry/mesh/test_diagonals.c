// Diagonals of cells, found by their right angles.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/mesh/diagonals.h"
#include "support/memory.h"

static int count_diagonals(const sn_mesh *mesh)
{
    static uint8_t flags[20000];
    int count = 0;
    assert_true(mesh->edge_count <= 20000);
    assert_true(sn_mesh_find_diagonals(mesh, flags));
    for (int i = 0; i < mesh->edge_count; ++i) {
        count += flags[i];
    }
    return count;
}

static void test_every_cell_of_a_grid_has_one_diagonal(void **state)
{
    (void)state;
    const sn_grid_pattern patterns[] = {SN_GRID_ALTERNATING, SN_GRID_FORWARD, SN_GRID_BACKWARD};
    for (int p = 0; p < 3; ++p) {
        sn_mesh *mesh = NULL;
        uint8_t flags[400];
        assert_int_equal(sn_mesh_grid(3.0f, 1.0f, 7, 5, patterns[p], &mesh), SN_OK);
        assert_int_equal(count_diagonals(mesh), 7 * 5);
        assert_true(sn_mesh_find_diagonals(mesh, flags));
        for (int i = 0; i < mesh->edge_count; ++i) {
            int a = (int)mesh->edges[2 * i], b = (int)mesh->edges[2 * i + 1];
            bool slanted = a / 8 != b / 8 && a % 8 != b % 8;
            assert_int_equal(flags[i], slanted);
        }
        sn_mesh_destroy(mesh);
    }
}

static void test_strips_and_tubes_have_them_too(void **state)
{
    (void)state;
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_strip(2.0f, 0.1f, 24, &mesh), SN_OK);
    assert_int_equal(count_diagonals(mesh), 24);
    sn_mesh_destroy(mesh);
    assert_int_equal(sn_mesh_tube(0.5f, 1.0f, 16, 4, &mesh), SN_OK);
    assert_int_equal(count_diagonals(mesh), 64);
    sn_mesh_destroy(mesh);
}

static void test_equilateral_triangles_and_strands_have_none(void **state)
{
    (void)state;
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_sphere_surface(1.0f, 4, &mesh), SN_OK);
    assert_int_equal(count_diagonals(mesh), 0);
    sn_mesh_destroy(mesh);
    assert_int_equal(sn_mesh_line(1.0f, 9, &mesh), SN_OK);
    assert_int_equal(count_diagonals(mesh), 0);
    sn_mesh_destroy(mesh);
}

static void test_an_edge_that_crosses_a_diagonal_is_one(void **state)
{
    (void)state;
    const sn_vec3 nodes[] = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 0.0f}, {0.0f, 1.0f, 0.0f}};
    const uint32_t triangles[] = {0, 1, 2, 0, 2, 3}, edges[] = {3, 1};
    sn_mesh_def def = sn_mesh_def_default();
    def.nodes = nodes;
    def.node_count = 4;
    def.triangles = triangles;
    def.triangle_count = 2;
    def.edges = edges;
    def.edge_count = 1;
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_create(&def, &mesh), SN_OK);
    assert_int_equal(mesh->edge_count, 6);
    assert_int_equal(count_diagonals(mesh), 2);
    sn_mesh_destroy(mesh);
}

static void test_without_memory_it_says_so(void **state)
{
    (void)state;
    sn_mesh *mesh = NULL;
    uint8_t flags[16];
    assert_int_equal(sn_mesh_grid(1.0f, 1.0f, 2, 2, SN_GRID_FORWARD, &mesh), SN_OK);
    test_memory_allow(0);
    assert_false(sn_mesh_find_diagonals(mesh, flags));
    test_memory_allow_all();
    sn_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_every_cell_of_a_grid_has_one_diagonal),
        test_with_memory(test_strips_and_tubes_have_them_too),
        test_with_memory(test_equilateral_triangles_and_strands_have_none),
        test_with_memory(test_an_edge_that_crosses_a_diagonal_is_one),
        test_with_memory(test_without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

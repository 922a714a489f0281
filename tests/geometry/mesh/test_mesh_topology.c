// Topology of meshes: repeated elements, boundaries, edges, closed and manifold surfaces.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/mesh/mesh_topology.h"
#include "support/memory.h"
#include <string.h>

static void assert_message(const char *part)
{
    if (!strstr(sn_last_error(), part)) {
        fail_msg("expected \"%s\" in \"%s\"", part, sn_last_error());
    }
}

// --- repeated elements -------------------------------------------------------------------------------------

static void test_elements_with_the_same_corners_in_any_order_are_refused(void **state)
{
    (void)state;
    const uint32_t tetrahedra[12] = {0, 1, 2, 3, 1, 2, 3, 4, 3, 1, 0, 2};
    assert_int_equal(sn_mesh_check_repeated(tetrahedra, 4, 2, 5, "tetrahedron"), SN_OK);
    assert_int_equal(sn_mesh_check_repeated(tetrahedra, 4, 3, 5, "tetrahedron"), SN_ERROR_GEOMETRY);
    assert_string_equal(sn_last_error(), "mesh: tetrahedron 2 has the same corners as tetrahedron 0");
    const uint32_t triangles[9] = {0, 1, 2, 1, 2, 3, 1, 0, 2};
    assert_int_equal(sn_mesh_check_repeated(triangles, 3, 2, 4, "triangle"), SN_OK);
    assert_int_equal(sn_mesh_check_repeated(triangles, 3, 3, 4, "triangle"), SN_ERROR_GEOMETRY);
    assert_string_equal(sn_last_error(), "mesh: triangle 2 has the same corners as triangle 0");
}

// --- boundary ----------------------------------------------------------------------------------------------

static void test_boundary_of_one_tetrahedron_is_its_faces_outward(void **state)
{
    (void)state;
    const uint32_t tetrahedron[4] = {0, 1, 2, 3};
    const uint32_t expected[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    sn_index_list triangles = {0};
    assert_int_equal(sn_mesh_find_boundary(tetrahedron, 1, 4, &triangles), SN_OK);
    assert_int_equal(triangles.indices.count, 12);
    assert_memory_equal(triangles.indices.data, expected, sizeof expected);
    sn_array_release(&triangles.indices);
}

static void test_a_common_face_is_no_boundary(void **state)
{
    (void)state;
    const uint32_t tetrahedra[8] = {0, 1, 2, 3, 1, 2, 3, 4};
    sn_index_list triangles = {0};
    assert_int_equal(sn_mesh_find_boundary(tetrahedra, 2, 5, &triangles), SN_OK);
    assert_int_equal(triangles.indices.count, 18);
    bool closed, manifold;
    assert_true(sn_mesh_inspect_surface(triangles.indices.data, 6, 5, &closed, &manifold));
    assert_true(closed && manifold);
    sn_array_release(&triangles.indices);
}

static void test_overlapping_tetrahedra_are_refused(void **state)
{
    (void)state;
    sn_index_list triangles = {0};
    const uint32_t three_at_a_face[12] = {0, 1, 2, 3, 1, 2, 3, 4, 1, 3, 2, 5};
    assert_int_equal(sn_mesh_find_boundary(three_at_a_face, 3, 6, &triangles), SN_ERROR_GEOMETRY);
    assert_string_equal(sn_last_error(),
                        "mesh: face 1, 2, 3 belongs to tetrahedra 0, 1 and 2, expected at most two");
    const uint32_t same_side[8] = {0, 1, 2, 3, 0, 1, 2, 4};
    assert_int_equal(sn_mesh_find_boundary(same_side, 2, 5, &triangles), SN_ERROR_GEOMETRY);
    assert_string_equal(sn_last_error(),
                        "mesh: tetrahedra 0 and 1 lie on the same side of their face 0, 1, 2");
    assert_int_equal(triangles.indices.count, 0);
    sn_array_release(&triangles.indices);
}

// --- edges -------------------------------------------------------------------------------------------------

static void test_edges_of_all_elements_are_found_once_and_sorted(void **state)
{
    (void)state;
    const uint32_t triangles[6] = {3, 2, 0, 0, 1, 3}, given[6] = {3, 0, 2, 1, 1, 2};
    const uint32_t expected[12] = {0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3};
    sn_mesh_def def = sn_mesh_def_default();
    def.node_count = 4;
    def.triangles = triangles;
    def.triangle_count = 2;
    def.edges = given;
    def.edge_count = 3;
    sn_index_list edges = {0};
    assert_true(sn_mesh_find_edges(&def, &edges));
    assert_int_equal(edges.indices.count, 12);
    assert_memory_equal(edges.indices.data, expected, sizeof expected);
    sn_array_release(&edges.indices);
}

static void test_a_tetrahedron_has_six_edges(void **state)
{
    (void)state;
    const uint32_t tetrahedron[4] = {3, 1, 0, 2};
    sn_mesh_def def = sn_mesh_def_default();
    def.node_count = 4;
    def.tetrahedra = tetrahedron;
    def.tetrahedron_count = 1;
    sn_index_list edges = {0};
    assert_true(sn_mesh_find_edges(&def, &edges));
    const uint32_t expected[12] = {0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3};
    assert_int_equal(edges.indices.count, 12);
    assert_memory_equal(edges.indices.data, expected, sizeof expected);
    sn_array_release(&edges.indices);
}

// --- surfaces ----------------------------------------------------------------------------------------------

static void assert_surface(const uint32_t *triangles, int count, int node_count, bool closed, bool manifold)
{
    bool is_closed = !closed, is_manifold = !manifold;
    assert_true(sn_mesh_inspect_surface(triangles, count, node_count, &is_closed, &is_manifold));
    assert_int_equal(is_closed, closed);
    assert_int_equal(is_manifold, manifold);
}

static void test_surfaces_are_told_apart(void **state)
{
    (void)state;
    const uint32_t tetrahedron[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    assert_surface(tetrahedron, 4, 4, true, true);
    assert_surface(tetrahedron, 3, 4, false, true);
    assert_surface(tetrahedron, 1, 4, false, true);
    assert_surface(NULL, 0, 4, false, false);
    const uint32_t three_at_an_edge[9] = {0, 1, 2, 1, 0, 3, 0, 1, 4};
    assert_surface(three_at_an_edge, 3, 5, false, false);
    const uint32_t turned_neighbor[6] = {0, 1, 2, 0, 1, 3};
    assert_surface(turned_neighbor, 2, 4, false, false);
    const uint32_t bow_tie[6] = {0, 1, 2, 0, 3, 4};
    assert_surface(bow_tie, 2, 5, false, false);
}

static void test_bodies_that_touch_at_a_node_are_closed_but_not_manifold(void **state)
{
    (void)state;
    const uint32_t triangles[24] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 0, 5, 4, 0, 4, 6, 0, 6, 5, 4, 5, 6};
    assert_surface(triangles, 8, 7, true, false);
}

static void test_open_fans_are_walked_both_ways(void **state)
{
    (void)state;
    // Four triangles around node 0, of which the first is in the middle.
    const uint32_t fan[12] = {0, 2, 3, 0, 3, 4, 0, 1, 2, 0, 4, 5};
    assert_surface(fan, 4, 6, false, true);
}

// --- memory ------------------------------------------------------------------------------------------------

static void test_without_memory_everything_fails_cleanly(void **state)
{
    (void)state;
    const uint32_t tetrahedra[8] = {0, 1, 2, 3, 1, 2, 3, 4};
    sn_mesh_def def = sn_mesh_def_default();
    def.node_count = 5;
    def.tetrahedra = tetrahedra;
    def.tetrahedron_count = 2;
    for (int allowed = 0; allowed < 4; ++allowed) {
        sn_index_list list = {0};
        bool closed, manifold;
        test_memory_allow(allowed);
        assert_int_equal(sn_mesh_check_repeated(tetrahedra, 4, 2, 5, "tetrahedron"), SN_ERROR_MEMORY);
        assert_message("no memory for 2 elements");
        test_memory_allow(allowed);
        assert_int_equal(sn_mesh_find_boundary(tetrahedra, 2, 5, &list), SN_ERROR_MEMORY);
        test_memory_allow(allowed);
        assert_false(sn_mesh_find_edges(&def, &list));
        test_memory_allow(allowed);
        assert_false(sn_mesh_inspect_surface(tetrahedra, 1, 5, &closed, &manifold));
        test_memory_allow_all();
        sn_array_release(&list.indices);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_elements_with_the_same_corners_in_any_order_are_refused),
        test_with_memory(test_boundary_of_one_tetrahedron_is_its_faces_outward),
        test_with_memory(test_a_common_face_is_no_boundary),
        test_with_memory(test_overlapping_tetrahedra_are_refused),
        test_with_memory(test_edges_of_all_elements_are_found_once_and_sorted),
        test_with_memory(test_a_tetrahedron_has_six_edges),
        test_with_memory(test_surfaces_are_told_apart),
        test_with_memory(test_bodies_that_touch_at_a_node_are_closed_but_not_manifold),
        test_with_memory(test_open_fans_are_walked_both_ways),
        test_with_memory(test_without_memory_everything_fails_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

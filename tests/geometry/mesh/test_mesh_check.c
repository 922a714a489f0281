// What definitions of meshes are refused, and how it is said.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/mesh/mesh_check.h"
#include "support/memory.h"
#include <math.h>
#include <string.h>

static const sn_vec3 corners[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
static const uint32_t two_tetrahedra[8] = {0, 1, 2, 3, 1, 2, 3, 4};
static const uint32_t two_triangles[6] = {0, 1, 2, 2, 1, 4};
static const uint32_t two_edges[4] = {0, 1, 1, 2};

static sn_mesh_def volume_def(void)
{
    sn_mesh_def def = sn_mesh_def_default();
    def.nodes = corners;
    def.node_count = 5;
    def.tetrahedra = two_tetrahedra;
    def.tetrahedron_count = 2;
    return def;
}

static void assert_refused(const sn_mesh_def *def, sn_status expected, const char *message)
{
    assert_int_equal(sn_mesh_check(def), expected);
    if (!strstr(sn_last_error(), message)) {
        fail_msg("expected \"%s\" in \"%s\"", message, sn_last_error());
    }
}

static void test_strands_sheets_and_volumes_pass(void **state)
{
    (void)state;
    sn_mesh_def def = volume_def();
    assert_int_equal(sn_mesh_check(&def), SN_OK);
    def.edges = two_edges;
    def.edge_count = 2;
    assert_int_equal(sn_mesh_check(&def), SN_OK);
    def.tetrahedron_count = 0;
    def.node_count = 3;
    assert_int_equal(sn_mesh_check(&def), SN_OK);
    def.triangles = two_triangles;
    def.triangle_count = 1;
    assert_int_equal(sn_mesh_check(&def), SN_OK);
}

static void test_foreign_definitions_and_missing_arrays_are_refused(void **state)
{
    (void)state;
    assert_refused(NULL, SN_ERROR_NULL, "mesh: definition is null");
    sn_mesh_def def = volume_def();
    def.cookie++;
    assert_refused(&def, SN_ERROR_DEFINITION, "sn_mesh_def_default");
    def = volume_def();
    def.nodes = NULL;
    assert_refused(&def, SN_ERROR_NULL, "mesh: nodes is null");
    def = volume_def();
    def.tetrahedra = NULL;
    assert_refused(&def, SN_ERROR_NULL, "mesh: tetrahedra is null");
    def = volume_def();
    def.edge_count = 1;
    assert_refused(&def, SN_ERROR_NULL, "mesh: edges is null");
    def = volume_def();
    def.triangle_count = 1;
    assert_refused(&def, SN_ERROR_NULL, "mesh: triangles is null");
}

static void test_counts_out_of_range_are_refused(void **state)
{
    (void)state;
    sn_mesh_def def = volume_def();
    def.node_count = 0;
    assert_refused(&def, SN_ERROR_RANGE, "mesh: node_count is 0, expected >= 1 and <= 16777216");
    def.node_count = 16777217;
    assert_refused(&def, SN_ERROR_RANGE, "mesh: node_count is 16777217");
    def = volume_def();
    def.tetrahedron_count = -1;
    assert_refused(&def, SN_ERROR_RANGE, "mesh: tetrahedron_count is -1, expected >= 0");
    def.tetrahedron_count = INT32_MAX;
    assert_refused(&def, SN_ERROR_RANGE, "mesh: tetrahedron_count is 2147483647");
    def = volume_def();
    def.edge_count = INT32_MIN;
    assert_refused(&def, SN_ERROR_RANGE, "mesh: edge_count is -2147483648");
    def = volume_def();
    def.tetrahedron_count = 0;
    assert_refused(&def, SN_ERROR_GEOMETRY, "5 nodes and no element");
    def = volume_def();
    def.triangles = two_triangles;
    def.triangle_count = 2;
    assert_refused(&def, SN_ERROR_RANGE, "mesh: triangle_count is 2, expected 0 with tetrahedra");
}

static void test_indices_without_a_node_are_refused(void **state)
{
    (void)state;
    sn_mesh_def def = volume_def();
    def.node_count = 4;
    assert_refused(&def, SN_ERROR_RANGE, "mesh: corner 3 of tetrahedron 1 is node 4, expected < 4");
    const uint32_t far_edge[2] = {0, UINT32_MAX};
    def = volume_def();
    def.edges = far_edge;
    def.edge_count = 1;
    assert_refused(&def, SN_ERROR_RANGE, "mesh: corner 1 of edge 0 is node 4294967295, expected < 5");
}

static void test_places_beyond_reason_are_refused(void **state)
{
    (void)state;
    sn_vec3 nodes[5];
    memcpy(nodes, corners, sizeof nodes);
    sn_mesh_def def = volume_def();
    def.nodes = nodes;
    nodes[4].y = NAN;
    assert_refused(&def, SN_ERROR_NOT_FINITE, "mesh: node 4 is (1, nan, 1)");
    nodes[4].y = -INFINITY;
    assert_refused(&def, SN_ERROR_NOT_FINITE, "mesh: node 4 is");
    nodes[4].y = 1.1e6f;
    assert_refused(&def, SN_ERROR_RANGE, "mesh: node 4 is");
}

static void test_elements_without_size_are_named_with_their_size(void **state)
{
    (void)state;
    sn_vec3 nodes[5];
    memcpy(nodes, corners, sizeof nodes);
    sn_mesh_def def = volume_def();
    def.nodes = nodes;
    nodes[4] = sn_v(0.5f, 0.25f, 0.25f); // in the plane of 1, 2, 3
    assert_refused(&def, SN_ERROR_GEOMETRY, "mesh: tetrahedron 1 has volume 0, expected >= 2.82843e-07");
    nodes[4] = sn_v(0.5f, 0.25f, 0.2501f);
    assert_int_equal(sn_mesh_check(&def), SN_OK);
    const uint32_t twice[8] = {0, 1, 2, 3, 1, 1, 3, 4};
    def.tetrahedra = twice;
    assert_refused(&def, SN_ERROR_GEOMETRY, "mesh: tetrahedron 1 has volume 0");

    def = volume_def();
    def.nodes = nodes;
    def.tetrahedron_count = 0;
    def.triangles = two_triangles;
    def.triangle_count = 2;
    def.node_count = 5;
    nodes[4] = sn_v(0.25f, 0.75f, 0.0f); // on the line from 2 to 1
    assert_refused(&def, SN_ERROR_GEOMETRY, "mesh: triangle 1 has area 0, expected >= 2e-07");

    const uint32_t loop[2] = {2, 2};
    def.triangle_count = 0;
    def.edges = loop;
    def.edge_count = 1;
    assert_refused(&def, SN_ERROR_GEOMETRY, "mesh: edge 0 has length 0, expected >= 1e-07");
}

static void test_size_is_judged_by_shape_not_by_scale(void **state)
{
    (void)state;
    static const float scales[] = {1.0e-6f, 1.0e-3f, 1.0e3f, 9.0e5f};
    for (int i = 0; i < 4; ++i) {
        sn_vec3 nodes[5];
        for (int k = 0; k < 5; ++k) {
            nodes[k] = sn_scale(corners[k], scales[i]);
        }
        sn_mesh_def def = volume_def();
        def.nodes = nodes;
        assert_int_equal(sn_mesh_check(&def), SN_OK);
        nodes[4] = sn_scale(sn_v(0.5f, 0.25f, 0.25f), scales[i]);
        assert_refused(&def, SN_ERROR_GEOMETRY, "tetrahedron 1");
    }
}

static void test_nodes_that_nothing_uses_are_named(void **state)
{
    (void)state;
    sn_mesh_def def = volume_def();
    def.tetrahedron_count = 1;
    assert_refused(&def, SN_ERROR_GEOMETRY, "mesh: node 4 belongs to no triangle or tetrahedron");
    // An edge beside tetrahedra does not make up for it, but edges alone do.
    const uint32_t edges[4] = {0, 4, 2, 3};
    def.edges = edges;
    def.edge_count = 2;
    assert_refused(&def, SN_ERROR_GEOMETRY, "mesh: node 4 belongs to no triangle or tetrahedron");
    def.tetrahedron_count = 0;
    assert_refused(&def, SN_ERROR_GEOMETRY, "mesh: node 1 belongs to no edge");
}

static void test_without_memory_the_check_says_so(void **state)
{
    (void)state;
    sn_mesh_def def = volume_def();
    test_memory_allow(0);
    assert_refused(&def, SN_ERROR_MEMORY, "mesh: no memory for 5 nodes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_strands_sheets_and_volumes_pass),
        test_with_memory(test_foreign_definitions_and_missing_arrays_are_refused),
        test_with_memory(test_counts_out_of_range_are_refused),
        test_with_memory(test_indices_without_a_node_are_refused),
        test_with_memory(test_places_beyond_reason_are_refused),
        test_with_memory(test_elements_without_size_are_named_with_their_size),
        test_with_memory(test_size_is_judged_by_shape_not_by_scale),
        test_with_memory(test_nodes_that_nothing_uses_are_named),
        test_with_memory(test_without_memory_the_check_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The mesh object: what it holds, measures, ownership, memory.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/mesh/mesh.h"
#include "support/memory.h"
#include "support/mesh_quality.h"
#include "support/random.h"

static const sn_vec3 corners[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
// The second is left-handed.
static const uint32_t tetrahedra[8] = {0, 1, 2, 3, 1, 3, 2, 4};

static sn_mesh_def volume_def(void)
{
    sn_mesh_def def = sn_mesh_def_default();
    def.nodes = corners;
    def.node_count = 5;
    def.tetrahedra = tetrahedra;
    def.tetrahedron_count = 2;
    return def;
}

static sn_mesh *make_mesh(const sn_mesh_def *def)
{
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_create(def, &mesh), SN_OK);
    assert_non_null(mesh);
    return mesh;
}

static void test_volume_has_boundary_edges_and_right_handed_tetrahedra(void **state)
{
    (void)state;
    sn_mesh_def def = volume_def();
    sn_mesh *mesh = make_mesh(&def);
    assert_int_equal(sn_mesh_node_count(mesh), 5);
    assert_int_equal(sn_mesh_edge_count(mesh), 9);
    assert_int_equal(sn_mesh_triangle_count(mesh), 6);
    assert_int_equal(sn_mesh_tetrahedron_count(mesh), 2);
    const uint32_t right_handed[8] = {0, 1, 2, 3, 1, 3, 4, 2};
    assert_memory_equal(sn_mesh_tetrahedra(mesh), right_handed, sizeof right_handed);
    assert_memory_equal(sn_mesh_nodes(mesh), corners, sizeof corners);
    assert_true(test_least_volume(mesh) > 0.0);
    assert_true(sn_mesh_is_closed(mesh));
    assert_true(sn_mesh_is_manifold(mesh));
    assert_int_equal(test_euler_characteristic(mesh), 1);
    // Corner tetrahedron 1/6, and the one over its slanted face 1/3.
    assert_float_equal(sn_mesh_volume(mesh), 0.5f, 1.0e-7f);
    assert_float_equal(sn_mesh_tetrahedron_volume(mesh, 1), 1.0f / 3.0f, 1.0e-7f);
    assert_float_equal(test_enclosed_volume(mesh), 0.5, 1.0e-7);
    // Three right triangles, three equilateral ones of side √2.
    assert_float_equal(sn_mesh_area(mesh), 1.5f + 1.5f * sqrtf(3.0f), 1.0e-6f);
    assert_float_equal(sn_mesh_length(mesh), 3.0f + 6.0f * sqrtf(2.0f), 1.0e-6f);
    assert_float_equal(sn_mesh_edge_length(mesh, 0), 1.0f, 0.0f);
    assert_float_equal(sn_mesh_triangle_area(mesh, 0), 0.5f, 0.0f);
    sn_bounds bounds = sn_mesh_bounds(mesh);
    assert_float_equal(bounds.lower.y, 0.0f, 0.0f);
    assert_float_equal(bounds.upper.z, 1.0f, 0.0f);
    sn_mesh_destroy(mesh);
}

static void test_sheet_keeps_its_triangles_and_encloses_only_if_closed(void **state)
{
    (void)state;
    const uint32_t triangles[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3},
                   inside_out[12] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
    sn_mesh_def def = sn_mesh_def_default();
    def.nodes = corners;
    def.node_count = 4;
    def.triangles = triangles;
    def.triangle_count = 4;
    sn_mesh *mesh = make_mesh(&def);
    assert_memory_equal(sn_mesh_triangles(mesh), triangles, sizeof triangles);
    assert_int_equal(sn_mesh_edge_count(mesh), 6);
    assert_true(sn_mesh_is_closed(mesh));
    assert_float_equal(sn_mesh_volume(mesh), 1.0f / 6.0f, 1.0e-7f);
    sn_mesh_destroy(mesh);
    def.triangles = inside_out;
    mesh = make_mesh(&def);
    assert_float_equal(sn_mesh_volume(mesh), -1.0f / 6.0f, 1.0e-7f);
    sn_mesh_destroy(mesh);
    def.triangle_count = 3;
    mesh = make_mesh(&def);
    assert_false(sn_mesh_is_closed(mesh));
    assert_true(sn_mesh_is_manifold(mesh));
    assert_float_equal(sn_mesh_volume(mesh), 0.0f, 0.0f);
    sn_mesh_destroy(mesh);
}

static void test_strand_is_made_of_edges_alone(void **state)
{
    (void)state;
    const uint32_t edges[6] = {1, 0, 1, 2, 0, 1};
    sn_mesh_def def = sn_mesh_def_default();
    def.nodes = corners;
    def.node_count = 3;
    def.edges = edges;
    def.edge_count = 3;
    sn_mesh *mesh = make_mesh(&def);
    const uint32_t expected[4] = {0, 1, 1, 2};
    assert_int_equal(sn_mesh_edge_count(mesh), 2);
    assert_memory_equal(sn_mesh_edges(mesh), expected, sizeof expected);
    assert_int_equal(sn_mesh_triangle_count(mesh), 0);
    assert_false(sn_mesh_is_closed(mesh));
    assert_false(sn_mesh_is_manifold(mesh));
    assert_float_equal(sn_mesh_length(mesh), 1.0f + sqrtf(2.0f), 1.0e-6f);
    sn_mesh_destroy(mesh);
}

static void test_surfaces_with_crowded_edges_are_flagged_not_refused(void **state)
{
    (void)state;
    const uint32_t triangles[9] = {0, 1, 2, 1, 0, 3, 0, 1, 4};
    sn_mesh_def def = sn_mesh_def_default();
    def.nodes = corners;
    def.node_count = 5;
    def.triangles = triangles;
    def.triangle_count = 3;
    sn_mesh *mesh = make_mesh(&def);
    assert_false(sn_mesh_is_manifold(mesh));
    sn_mesh_destroy(mesh);
}

static void test_bad_definitions_leave_the_handle_alone(void **state)
{
    (void)state;
    sn_mesh *mesh = NULL;
    sn_mesh_def def = volume_def();
    assert_int_equal(sn_mesh_create(&def, NULL), SN_ERROR_NULL);
    assert_string_equal(sn_last_error(), "mesh: mesh is null");
    assert_int_equal(sn_mesh_create(NULL, &mesh), SN_ERROR_NULL);
    const uint32_t repeated[8] = {0, 1, 2, 3, 3, 2, 1, 0};
    def.node_count = 4;
    def.tetrahedra = repeated;
    assert_int_equal(sn_mesh_create(&def, &mesh), SN_ERROR_GEOMETRY);
    assert_string_equal(sn_last_error(), "mesh: tetrahedron 1 has the same corners as tetrahedron 0");
    // Two tetrahedra on the same side of their face, found once they are right-handed.
    const uint32_t overlapping[8] = {0, 1, 2, 3, 0, 2, 1, 4};
    def.node_count = 5;
    def.tetrahedra = overlapping;
    assert_int_equal(sn_mesh_create(&def, &mesh), SN_ERROR_GEOMETRY);
    const uint32_t triangles[6] = {0, 1, 2, 2, 0, 1};
    def = volume_def();
    def.node_count = 3;
    def.tetrahedron_count = 0;
    def.triangles = triangles;
    def.triangle_count = 2;
    assert_int_equal(sn_mesh_create(&def, &mesh), SN_ERROR_GEOMETRY);
    assert_string_equal(sn_last_error(), "mesh: triangle 1 has the same corners as triangle 0");
    assert_null(mesh);
}

static void test_looking_past_the_end_is_harmless(void **state)
{
    (void)state;
    assert_int_equal(sn_mesh_node_count(NULL), 0);
    assert_int_equal(sn_mesh_edge_count(NULL), 0);
    assert_int_equal(sn_mesh_triangle_count(NULL), 0);
    assert_int_equal(sn_mesh_tetrahedron_count(NULL), 0);
    assert_null(sn_mesh_nodes(NULL));
    assert_null(sn_mesh_edges(NULL));
    assert_null(sn_mesh_triangles(NULL));
    assert_null(sn_mesh_tetrahedra(NULL));
    assert_false(sn_mesh_is_closed(NULL));
    assert_false(sn_mesh_is_manifold(NULL));
    assert_float_equal(sn_mesh_length(NULL) + sn_mesh_area(NULL) + sn_mesh_volume(NULL), 0.0f, 0.0f);
    assert_float_equal(sn_mesh_bounds(NULL).upper.x, 0.0f, 0.0f);
    sn_mesh_def def = volume_def();
    sn_mesh *mesh = make_mesh(&def);
    assert_float_equal(sn_mesh_edge_length(mesh, 9) + sn_mesh_edge_length(mesh, -1), 0.0f, 0.0f);
    assert_float_equal(sn_mesh_triangle_area(mesh, 6) + sn_mesh_triangle_area(NULL, 0), 0.0f, 0.0f);
    assert_float_equal(sn_mesh_tetrahedron_volume(mesh, 2) + sn_mesh_tetrahedron_volume(mesh, -1), 0.0f,
                       0.0f);
    sn_mesh_destroy(mesh);
    sn_mesh_destroy(NULL);
}

static void test_a_kept_mesh_outlives_its_maker(void **state)
{
    (void)state;
    sn_mesh_def def = volume_def();
    sn_mesh *mesh = make_mesh(&def);
    sn_mesh_retain(mesh);
    sn_mesh_destroy(mesh);
    assert_int_equal(sn_mesh_node_count(mesh), 5);
    sn_mesh_destroy(mesh);
}

static void test_without_memory_there_is_no_mesh_and_no_leak(void **state)
{
    (void)state;
    sn_mesh_def def = volume_def();
    sn_mesh *mesh = NULL;
    uint64_t before = sn_allocated_bytes();
    int failures = 0;
    for (int allowed = 0; !mesh && allowed < 100; ++allowed) {
        test_memory_allow(allowed);
        sn_status status = sn_mesh_create(&def, &mesh);
        test_memory_allow_all();
        if (status) {
            failures++;
            assert_int_equal(status, SN_ERROR_MEMORY);
            assert_int_equal(sn_allocated_bytes(), before);
        }
    }
    assert_true(failures >= 10);
    sn_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_volume_has_boundary_edges_and_right_handed_tetrahedra),
        test_with_memory(test_sheet_keeps_its_triangles_and_encloses_only_if_closed),
        test_with_memory(test_strand_is_made_of_edges_alone),
        test_with_memory(test_surfaces_with_crowded_edges_are_flagged_not_refused),
        test_with_memory(test_bad_definitions_leave_the_handle_alone),
        test_with_memory(test_looking_past_the_end_is_harmless),
        test_with_memory(test_a_kept_mesh_outlives_its_maker),
        test_with_memory(test_without_memory_there_is_no_mesh_and_no_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
